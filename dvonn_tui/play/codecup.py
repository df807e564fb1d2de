"""Programs that speak as CodeCup's referee wants it, and programs that are started for each move.

CodeCup's referee says ``Start`` to the first player and to the other the first player's token; then each
is told what the opponent played and answers with one token a line: ``A1``, ``A1B2``, ``PASS``. ``Quit``
ends the program. No program can be put to a position by it: it can go on only with a game that it has
followed. Some programs can be started at a position, though, which then stands in their command:

- ``{position}``: our one line;
- ``{state}``: the 50 characters that PrimaDvonna reads;
- ``{gametime}``, ``{movetime}``, ``{seconds}``: seconds for the game, milliseconds and seconds for a move;
- ``{seed}``: a number.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dvonn_tui.core.notation import Word, format_position
from dvonn_tui.core.position import EMPTY_BOARD
from dvonn_tui.play.protocols import Protocol, Search
from dvonn_tui.play.thoughts import Limits, Question, Thought
from dvonn_tui.records.states import state_text

PLACES: Final = ("{position}", "{state}")
"""What in a command puts a program to a position."""

MOST_EARLY: Final = 8
"""Lines that are kept of a program that answers before it is asked."""


def takes_position(command: Sequence[str]) -> bool:
    """True when a command can put its program to a position."""
    return any(place in word for word in command for place in PLACES)


def fill_in(command: Sequence[str], question: Question | None, values: Mapping[str, str]) -> list[str]:
    """A command with everything filled in that stands in braces, as far as it is known."""
    known = {f"{{{name}}}": value for name, value in values.items()}
    if question is not None:
        known["{position}"] = format_position(question.position)
        known["{state}"] = state_text(question.position) or ""
    filled = []
    for word in command:
        for place, value in known.items():
            word = word.replace(place, value)
        filled.append(word)
    return filled


class CodeCupProtocol(Protocol):
    """CodeCup's way: only tokens are said, and an engine follows one game from its beginning.

    It cannot be stopped and tells no thoughts.
    """

    farewell = "Quit"

    def __init__(self, name: str, say: Callable[[str], None], begins: Question | None = None) -> None:
        """Speak with a program that begins at the first placement, or at the position of a question."""
        super().__init__(name, say)
        self._start = EMPTY_BOARD if begins is None else begins.history.start
        self._tokens = [] if begins is None else list(begins.history.tokens)
        self._begun = False
        self._own_passes = 0
        self._early: deque[str] = deque(maxlen=MOST_EARLY)
        self._search: Search | None = None

    @property
    def thinking(self) -> Search | None:
        """The search that is under way, dropped or not."""
        return self._search

    def fits(self, question: Question) -> bool:
        """True when the question goes on with the game that the engine has followed."""
        return self._search is None and self._news(question) is not None

    def _news(self, question: Question) -> list[tuple[str, bool]] | None:
        """What was played since, and whether the engine itself did; None when it cannot follow."""
        history = question.history
        known = len(self._tokens)
        if history.start != self._start or list(history.tokens[:known]) != self._tokens:
            return None
        side = question.position.side
        news = [
            (token, by is side)
            for token, by in zip(history.tokens[known:], history.sides[known:], strict=True)
        ]
        # It plays its own tokens itself; only a pass that was forced upon it is known before it says it.
        return None if any(own and token != Word.PASS for token, own in news) else news

    def ask(self, question: Question, limits: Limits, listen: Callable[[Thought], None] | None) -> Search:
        """Tell the engine what was played, and wait for its token."""
        news = self._news(question)
        assert news is not None
        self._search = search = Search(question, listen)
        if not self._begun and (not news or news[0][1]):
            self._say("Start")
        self._begun = True
        for token, own in news:
            if own:
                # It says so itself, and that is no answer to the question.
                self._own_passes += 1
            else:
                self._say(token.upper())
            self._tokens.append(token)
        while self._early and self._search is not None:
            # White places last and moves first: a program may say both at once.
            self._take(self._early.popleft(), time.perf_counter())
        if self.ended is not None:
            search.fail(self.ended)
            self._search = None
        return search

    def hear(self, line: str, when: float) -> None:
        """Take in a line of the engine. What it says before it was told anything is no token."""
        if not line or not self._begun:
            return
        if self._search is None:
            self._early.append(line)
        else:
            self._take(line, when)

    def _take(self, line: str, when: float) -> None:
        token = line.lower() if line.isascii() else line
        if self._own_passes and token == Word.PASS:
            self._own_passes -= 1
            return
        search, self._search = self._search, None
        self._own_passes = 0
        self._tokens.append(token)
        if search is not None:
            search.resolve(token, when)

    def end(self, problem: Exception) -> None:
        """The engine has ended: whoever waits, or asks later, hears why."""
        self.ended = problem
        if self._search is not None:
            self._search.fail(problem)
            self._search = None


class OnceProtocol(Protocol):
    """A program that is started with a position in its command, says one token and ends."""

    def __init__(self, name: str, say: Callable[[str], None], begins: Question | None) -> None:
        """Listen to a program that was started for a question."""
        super().__init__(name, say)
        self._begins = begins
        self._born = time.perf_counter()
        self._token: tuple[str, float] | None = None
        self._search: Search | None = None

    @property
    def thinking(self) -> Search | None:
        """The search that is under way, dropped or not."""
        return self._search if self._search is not None and not self._search.answer.done() else None

    def fits(self, question: Question) -> bool:
        """True when the program was started for this very question, and not asked yet."""
        return self._search is None and self._begins == question

    def ask(self, question: Question, limits: Limits, listen: Callable[[Thought], None] | None) -> Search:
        """Wait for the token."""
        self._search = search = Search(question, listen, begun=self._born)
        if self._token is not None:
            search.resolve(*self._token)
        elif self.ended is not None:
            search.fail(self.ended)
        return search

    def hear(self, line: str, when: float) -> None:
        """Take in a line of the program; the first is the token."""
        if not line or self._token is not None:
            return
        self._token = (line.lower() if line.isascii() else line, when)
        if self._search is not None:
            self._search.resolve(*self._token)

    def end(self, problem: Exception) -> None:
        """The program has ended, as it should once it has said its token."""
        self.ended = problem
        if self._search is not None:
            self._search.fail(problem)
