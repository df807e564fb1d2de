"""An engine that thinks about the position that is looked at, whichever that is at the moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import due
from dvonn_tui.play.engine_launch import analyst_launch
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.engine_trouble import EngineTrouble, Superseded
from dvonn_tui.play.thoughts import Thought

LINES: Final = 3
"""How many lines are thought about."""

PAUSE: Final = 0.25
"""Seconds between two reports at least."""

REST: Final = 0.05
"""Seconds for which a position has to stay before the engine is asked: nobody leafing through a game
wants to know about every ply."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a position.

    Attributes:
        position: the position; None when nothing is analysed.
        thoughts: the best lines, best first.
        trouble: what is wrong with the engine, in one clean line.
    """

    position: Position | None = None
    thoughts: tuple[Thought, ...] = ()
    trouble: str = ""

    @property
    def best(self) -> Thought | None:
        """The best line."""
        return self.thoughts[0] if self.thoughts else None


def can_be_analysed(position: Position) -> bool:
    """True when there is a move or a placement to choose."""
    return position.phase is not Phase.OVER and not due(position)


class Analyst:
    """Thinks about one position at a time, until it is solved or another is looked at.

    Attributes:
        analysis: what is known at present.
        link: the engine.
        own: it is the engine of this program.
    """

    def __init__(self, on_change: Callable[[], None], link: EngineLink | None = None) -> None:
        """`on_change` is called when `analysis` has changed, in the loop, four times a second at most."""
        self.analysis = Analysis()
        self.own = link is None
        self.link = link or EngineLink(analyst_launch(yields=True))
        self._on_change = on_change
        self._wanted = asyncio.Event()
        self._server: asyncio.Task[None] | None = None
        self._found: dict[int, Thought] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._reported = 0.0

    def look(self, position: Position | None) -> None:
        """Think about a position from now on, about nothing with None. Returns at once.

        What comes for a position before is dropped. Nothing happens if it is the same position.
        """
        if position is self.analysis.position:
            return
        self.analysis = Analysis(position)
        self._found = {}
        self._cancel_timer()
        self.link.drop()
        if position is None:
            return
        self._wanted.set()
        if self._server is None:
            self._server = asyncio.get_running_loop().create_task(self._serve())

    async def close(self) -> None:
        """End the engine and whatever is under way. Takes less than a second."""
        self.analysis = Analysis()
        self._cancel_timer()
        if self._server is not None:
            self._server.cancel()
            [outcome] = await asyncio.gather(self._server, return_exceptions=True)
            self._server = None
            if isinstance(outcome, Exception):
                raise outcome
        await self.link.close()

    async def _serve(self) -> None:
        """Ask about what is wanted, one position after the other."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(REST)
            self._wanted.clear()
            position = self.analysis.position
            if position is None or not can_be_analysed(position):
                continue
            try:
                await self._think(position)
            except Superseded:
                continue
            except EngineTrouble as trouble:
                if self.analysis.position is position:
                    self.analysis = Analysis(position, self.analysis.thoughts, trouble.line)
                    self._on_change()

    async def _think(self, position: Position) -> None:
        async with aclosing(self.link.analyse(position, LINES)) as thoughts:
            async for thought in thoughts:
                if self.analysis.position is not position:
                    return
                if thought.line and not thought.bound:
                    self._found[thought.rank] = thought
                    self._report_soon()

    def _report_soon(self) -> None:
        """Report what was found, with what else comes until then."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            wait = max(self._reported + PAUSE - loop.time(), 0.02)
            self._timer = loop.call_later(wait, self._report)

    def _report(self) -> None:
        self._timer = None
        self._reported = asyncio.get_running_loop().time()
        thoughts: list[Thought] = []
        for rank in sorted(self._found):
            thought = self._found[rank]
            # A line that has changed its rank is there twice until the whole report has come.
            if all(thought.line[0] != better.line[0] for better in thoughts):
                thoughts.append(thought)
        self.analysis = Analysis(self.analysis.position, tuple(thoughts[:LINES]))
        self._on_change()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
