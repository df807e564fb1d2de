"""Engines at the tables of a server: a few processes that think for all of them, one question after another.

Whoever keeps the tables tells what happens at them, by `Bots.follow`, and gets the moves as deeds like
anybody else's. An answer counts only as long as its table stands where it was asked. Engines have a lower
priority than the server, think one move at most for a few seconds, and wait for their turn in a queue: what
they take from the server is bounded, however many tables have a bot. Nothing here blocks the loop.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.clocks import ClockKind
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.engine_trouble import EngineTrouble, Superseded
from dvonn_tui.play.seats import LevelSeat, launch_of
from dvonn_tui.play.thoughts import Limits
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.protocol import Act, Deed
from dvonn_tui.tables.refusal import Refusal
from dvonn_tui.tables.table import Stage, TableState

ALONE: Final = 8.0
"""Seconds that an engine thinks about a move at most. A level needs them only where nothing is compiled."""

PRESSED: Final = 1.0
"""The same while other tables wait."""

SHARE: Final = 0.3
"""The part of the time for a single move that is used at most, where time is counted so."""

IDLE: Final = 120.0
"""Seconds after which an engine without a question is ended."""

MEMORY: Final = "4"
"""Megabytes that an engine has for what it remembers of a search. It is emptied from table to table, which
would take longer than most of its moves if it were as large as usual; at level 10 it is enough."""

AGAIN: Final = 1.0
"""Seconds after which something that failed is tried again; twice as many each time."""

LONGEST_AGAIN: Final = 60.0

Doing = Callable[[str, Side, Deed, int], Awaitable[None]]
"""Does something at a table for a side: table, side, deed, and the version that the side has seen. Raises
Refusal."""

Trouble = Callable[[str, Exception], None]
"""Is told of a failure: a few words about what was being done, and what was raised."""


@dataclass(slots=True, eq=False)
class _Question:
    """A position at a table in which a bot is to act.

    Attributes:
        table: the id of the table.
        state: how it stands.
        failed: how often no answer came of it.
    """

    table: str
    state: TableState
    failed: int = 0

    @property
    def side(self) -> Side:
        return self.state.position.side

    @property
    def game(self) -> str:
        """Tells the game from all others; the bot varies its play by it."""
        return f"{self.table} {self.state.game} {self.side}"

    @property
    def seat(self) -> LevelSeat:
        level = self.state.seats[self.side].level
        assert level is not None
        return LevelSeat(level)


def wants_bot(state: TableState) -> bool:
    """True when it is a bot's turn."""
    seat = state.seats.get(state.position.side)
    return state.stage is Stage.PLAYING and seat is not None and seat.level is not None


def limits_of_turn(state: TableState, now: float, most: float) -> Limits:
    """How long the engine of the side to act may think: at most so many seconds, and as its clock allows."""
    clocks = state.clocks
    if clocks is None:
        return Limits(movetime=round(most * 1000))
    white, black = (clocks.left(side, now) for side in Side)
    if clocks.rule.kind is ClockKind.MOVE:
        left = white if state.position.side is Side.WHITE else black
        return Limits(movetime=max(round(min(most, left * SHARE) * 1000), 1))
    gain = clocks.rule.extra if clocks.rule.kind is ClockKind.FISCHER else clocks.delay_left(now)
    return Limits(
        movetime=round(most * 1000),
        clocks=(round(white * 1000), round(black * 1000)),
        increments=(round(gain * 1000),) * 2,
    )


class Bots:
    """Plays all seats of a server that are bots'."""

    def __init__(
        self,
        size: int,
        do: Doing,
        now: Callable[[], float],
        trouble: Trouble,
        *,
        launch: Callable[[LevelSeat, int], Launch] = launch_of,
        again: float = AGAIN,
        idle: float = IDLE,
    ) -> None:
        """Nothing is started before the first question.

        Args:
            size: how many engines think at the same time, at least 1; a process each.
            do: does something at a table.
            now: the monotonic clock that the clocks of the tables are read by.
            trouble: is told of what failed.
            launch: how the engine of a level is started, with a seed.
            again: see `AGAIN`.
            idle: see `IDLE`.
        """
        self._size = size
        self._do = do
        self._now = now
        self._trouble = trouble
        self._launch = launch
        self._again = again
        self._idle = idle
        self._questions: dict[str, _Question] = {}
        self._queue: asyncio.Queue[_Question] = asyncio.Queue()
        self._thinking: dict[_Question, EngineLink] = {}
        self._workers: list[asyncio.Task[None]] = []
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many tables wait for a bot, those included for which one thinks."""
        return len(self._questions)

    def follow(self, table: str, state: TableState, news: Sequence[Happening] = ()) -> None:
        """A table stands like this now. Called on the loop after whatever happens there; never waits."""
        asked = self._questions.get(table)
        if asked is not None:
            if wants_bot(state) and (asked.state.game, asked.state.played) == (state.game, state.played):
                # What its clock shows may have changed: somebody gave time, or came back from a pause.
                asked.state = state
                return
            del self._questions[table]
            if asked in self._thinking:
                self._thinking[asked].drop()
        if wants_bot(state) and not self._closed:
            question = self._questions[table] = _Question(table, state)
            self._enqueue(question)

    async def close(self) -> None:
        """Stop all thinking and end all engines. Takes less than a second."""
        self._closed = True
        self._questions.clear()
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def _enqueue(self, question: _Question) -> None:
        """Put a question at the end of the queue, if anybody still asks it."""
        if self._closed or not self._stands(question):
            return
        self._queue.put_nowait(question)
        if len(self._workers) < min(self._size, len(self._questions)):
            self._workers.append(asyncio.get_running_loop().create_task(self._work()))

    def _stands(self, question: _Question) -> bool:
        return self._questions.get(question.table) is question

    async def _work(self) -> None:
        """Answer questions with one engine, which rests when there is none for long."""
        link: EngineLink | None = None
        game = ""
        try:
            while True:
                try:
                    async with asyncio.timeout(None if link is None else self._idle):
                        question = await self._queue.get()
                except TimeoutError:
                    if link is not None:
                        await link.close()
                    link = None
                    continue
                if not self._stands(question):
                    continue
                launch = self._launch_of(question)
                if link is None:
                    link = EngineLink(launch)
                elif game != question.game:
                    link.new_game(launch.options, launch.values)
                game = question.game
                await self._answer(question, link)
        finally:
            if link is not None:
                await link.close()

    def _launch_of(self, question: _Question) -> Launch:
        seed = zlib.crc32(question.game.encode())
        launch = self._launch(question.seat, seed)
        return replace(launch, options={**launch.options, "hash": MEMORY}, yields=True)

    async def _answer(self, question: _Question, link: EngineLink) -> None:
        """Let an engine think about a question, and do what it chose. What fails is tried again later."""
        most = ALONE if self._queue.empty() else PRESSED
        self._thinking[question] = link
        try:
            limits = limits_of_turn(question.state, self._now(), most)
            choice = await link.choose(question.state.position, limits)
            if self._stands(question):
                await self._do(question.table, question.side, Act(action=choice.token), question.state.played)
        except Superseded:
            pass
        except Refusal as refusal:
            # Whatever else a table refuses, it has gone on, and tells so by itself.
            if refusal.code == "trouble":
                self._try_again(question)
        except EngineTrouble as trouble:
            self._trouble("asking an engine", trouble)
            self._try_again(question)
        except Exception as problem:
            self._trouble("playing for a bot", problem)
            self._try_again(question)
        finally:
            del self._thinking[question]

    def _try_again(self, question: _Question) -> None:
        wait = min(self._again * 2**question.failed, LONGEST_AGAIN)
        question.failed = min(question.failed + 1, 10)
        asyncio.get_running_loop().call_later(wait, self._enqueue, question)
