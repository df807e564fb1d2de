"""How engines are spoken to. One interface, three ways: our own lines, CodeCup's, and one move a start.

A protocol only says and hears lines; it never waits. Who waits, and for how long, is the matter of
`dvonn_tui.play.engine_link`.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.notation import format_position
from dvonn_tui.play.engine_trouble import EngineTrouble, Superseded, TroubleKind
from dvonn_tui.play.thoughts import Limits, Question, Thought

LONGEST_PV: Final = 64
"""Tokens of a line that are kept."""

LARGEST_NUMBER: Final = 10**15
"""Numbers of an engine beyond this are not believed."""

MOST_COMPLAINTS: Final = 8
"""Complaints of an engine that are kept."""

STRANGE_LINES: Final = 10_000
"""Lines between two answers that may mean nothing to us, before it is called nonsense."""


class ProtocolName(StrEnum):
    """The protocols, by the names that they have in the settings."""

    OWN = "dvonn-tui"
    CODECUP = "codecup"
    ONCE = "once"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine answered, not yet believed.

    Attributes:
        token: what it wants to play.
        when: the moment at which that came.
    """

    token: str
    when: float


@dataclass(eq=False, slots=True)
class Search:
    """One question that is under way.

    Attributes:
        answer: holds the answer when it has come; or the trouble, or `Superseded`.
        listen: is told of every thought; not of those that come after the search was dropped.
        best: the last thought about the best line.
        begun: the moment at which the question was put.
    """

    question: Question
    listen: Callable[[Thought], None] | None = None
    answer: asyncio.Future[Answer] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    best: Thought | None = None
    begun: float = field(default_factory=time.perf_counter)

    def think(self, thought: Thought) -> None:
        """Hear what the engine thinks."""
        if self.answer.done():
            return
        if thought.rank == 1:
            self.best = thought
        if self.listen is not None:
            self.listen(thought)

    def resolve(self, token: str, when: float) -> None:
        """Hear the answer. One that nobody waits for any more is dropped."""
        if not self.answer.done():
            self.answer.set_result(Answer(token, when))

    def fail(self, problem: Exception) -> None:
        """Tell who waits that there will be no answer."""
        if not self.answer.done():
            self.answer.set_exception(problem)
            # Whoever gave up waiting does not look at it; that is no fault.
            self.answer.exception()

    def drop(self) -> None:
        """Want no answer any more."""
        self.fail(Superseded())


class Protocol(ABC):
    """How to speak with one running engine."""

    farewell: str | None = None
    """What is said last."""

    analyses = False
    """Whether it tells its thoughts, thinks until it is stopped, and thinks about several lines."""

    heeds_stop = False
    """Whether it answers when told to stop."""

    def __init__(self, name: str, say: Callable[[str], None]) -> None:
        self.name = name
        self._say = say
        self.ended: Exception | None = None
        self.complaints: deque[str] = deque(maxlen=MOST_COMPLAINTS)

    @abstractmethod
    def hear(self, line: str, when: float) -> None:
        """Take in a line of the engine. Raises EngineTrouble when it talks nonsense."""

    @abstractmethod
    def end(self, problem: Exception) -> None:
        """The engine has ended, or was ended: whoever waits, or asks later, hears why."""

    @abstractmethod
    def fits(self, question: Question) -> bool:
        """True when the engine as it is now can be asked this."""

    @abstractmethod
    def ask(self, question: Question, limits: Limits, listen: Callable[[Thought], None] | None) -> Search:
        """Put a question that fits, when no other is under way."""

    @property
    @abstractmethod
    def thinking(self) -> Search | None:
        """The search that is under way, dropped or not."""

    def greet(self) -> asyncio.Future[None] | None:
        """Ask whether the engine is there; None when the protocol has no such question."""
        return None

    def set_options(self, options: Mapping[str, str]) -> None:
        """Set the engine; what is set so already is not said again."""
        return

    def new_game(self) -> None:
        """Let the engine forget the game before."""
        return

    def stop(self) -> None:
        """Tell the engine to answer now."""
        return


class OwnProtocol(Protocol):
    """Our own lines, in the manner of UCI."""

    farewell = "quit"
    analyses = True
    heeds_stop = True

    def __init__(self, name: str, say: Callable[[str], None]) -> None:
        super().__init__(name, say)
        self._asked: deque[Search] = deque()
        self._ready: asyncio.Future[None] | None = None
        self._options: dict[str, str] = {}
        self._strange = 0

    def greet(self) -> asyncio.Future[None]:
        """Ask whether the engine is there."""
        self._ready = asyncio.get_running_loop().create_future()
        self._say("isready")
        return self._ready

    def set_options(self, options: Mapping[str, str]) -> None:
        """Set the engine; what is set so already is not said again."""
        for name, value in options.items():
            if self._options.get(name) != value:
                self._options[name] = value
                self._say(f"setoption name {name} value {value}")

    @property
    def thinking(self) -> Search | None:
        """The search that is under way, dropped or not."""
        return self._asked[0] if self._asked else None

    def fits(self, question: Question) -> bool:
        """True: it takes any position."""
        return True

    def ask(self, question: Question, limits: Limits, listen: Callable[[Thought], None] | None) -> Search:
        """Put a question. The engine answers each with one ``bestmove``, in the order of the questions."""
        self._say(f"position {format_position(question.position)}")
        search = Search(question, listen)
        if self.ended is not None:
            search.fail(self.ended)
            return search
        self._asked.append(search)
        self._say("go" + limits.words())
        return search

    def new_game(self) -> None:
        """Let the engine forget the game before."""
        self._say("ucinewgame")

    def stop(self) -> None:
        """Tell the engine to answer now."""
        if self._asked:
            self._say("stop")

    def end(self, problem: Exception) -> None:
        """The engine has ended, or was ended: whoever waits hears why."""
        self.ended = problem
        for search in self._asked:
            search.fail(problem)
        self._asked.clear()
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(problem)
            self._ready.exception()

    def hear(self, line: str, when: float) -> None:
        """Take in a line of the engine."""
        words = line.split(maxsplit=200)
        match words[:1]:
            case ["info"] if words[1:3] == ["string", "error:"]:
                self.complaints.append(clean_line(" ".join(words[3:]), 100))
            case ["info"]:
                if self._asked and not self._asked[0].answer.done():
                    thought = read_thought(self._asked[0].question, words[1:])
                    if thought is not None:
                        self._asked[0].think(thought)
            case ["bestmove"]:
                self._strange = 0
                if self._asked:
                    self._asked.popleft().resolve(words[1] if len(words) > 1 else "", when)
            case ["readyok"]:
                if self._ready is not None and not self._ready.done():
                    self._ready.set_result(None)
            case []:
                return
            case _:
                # Engines may say what we do not know; but one that says nothing else is no engine.
                self._strange += 1
                if self._strange > STRANGE_LINES:
                    raise EngineTrouble(
                        TroubleKind.NONSENSE, f"{self.name} talks nonsense: {clean_line(line)!r}"
                    )


def read_thought(question: Question, words: list[str]) -> Thought | None:
    """Read the words after ``info``; None when they say nothing about a line."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    line: tuple[str, ...] = ()
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word == "pv":
            line = tuple(clean_line(token, 8) for token in words[place : place + LONGEST_PV])
            break
        if word == "score" and words[place : place + 1] in (["points"], ["margin"]):
            flags.add(words[place])
            place += 1
        if word in _NUMBERS:
            number = _number(words[place]) if place < len(words) else None
            if number is None:
                return None
            numbers[word] = number
            place += 1
        elif word in _FLAGS:
            flags.add(word)
        elif word == "string":
            break
    if "score" not in numbers and not line:
        return None
    return Thought(
        question.position,
        rank=max(numbers.get("multipv", 1), 1),
        value=numbers.get("score", 0),
        certain="margin" in flags or "solved" in flags,
        solved="solved" in flags,
        depth=max(numbers.get("depth", 0), 0),
        nodes=max(numbers.get("nodes", 0), 0),
        nps=max(numbers.get("nps", 0), 0),
        line=line,
        valued="score" in numbers,
        bound="lower" if "lowerbound" in flags else "upper" if "upperbound" in flags else "",
    )


_NUMBERS: Final = frozenset({"depth", "score", "nodes", "nps", "multipv"})
_FLAGS: Final = frozenset({"solved", "lowerbound", "upperbound"})
"""Words of ``info`` that stand alone. ``score`` is followed by a number, or by ``points`` or ``margin``
and a number."""


def _number(text: str) -> int | None:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST_NUMBER))):
        return None
    return int(text)
