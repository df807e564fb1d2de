"""What every ply of a game was worth: the value before and after it, and what it lost."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.events import PiecePlaced, StackMoved, TurnPassed, evolve
from dvonn_tui.core.log import Ply
from dvonn_tui.core.notation import Word, event_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import due
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.thoughts import Limits, Thought
from dvonn_tui.play.verdict import Loss, Verdict, loss_of, verdict_at_end, verdict_of


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth, and the best line in it. What is not known is not there."""

    verdict: Verdict | None = None
    line: tuple[str, ...] = ()
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """A ply and what it was worth.

    Attributes:
        ply: the ply.
        side: who made it; None for an ending by resignation or agreement.
        token: what was played.
        before, after: what the positions before and after it are worth.
        loss: what it lost; nothing for the best move, for a pass, and for what was not chosen or has no
            value: pieces placed at random, and red ones.
    """

    ply: Ply
    side: Side | None
    token: str
    before: Worth
    after: Worth
    loss: Loss


async def think(link: EngineLink, position: Position, milliseconds: int, lines: int = 1) -> list[Thought]:
    """The best lines in a position in which one can move, best first.

    Raises:
        EngineTrouble, Superseded: as `EngineLink.analyse`.
    """
    found: dict[int, Thought] = {}
    async with aclosing(link.analyse(position, lines, Limits(movetime=milliseconds))) as thoughts:
        async for thought in thoughts:
            if thought.line and not thought.bound:
                found[thought.rank] = thought
    return [found[rank] for rank in sorted(found)]


async def worth_of(link: EngineLink, position: Position, milliseconds: int) -> Worth:
    """What a position is worth. Where a pass or the end is due, it is that of the position after it.

    Raises:
        EngineTrouble, Superseded: as `EngineLink.analyse`.
    """
    passes = 0
    for event in due(position):
        passes += isinstance(event, TurnPassed)
        position = evolve(position, event)
    if position.phase is Phase.OVER:
        return Worth(verdict_at_end(position))
    thoughts = await think(link, position, milliseconds)
    return _worth(thoughts[0], passes) if thoughts else Worth()


def _worth(thought: Thought, passes: int = 0) -> Worth:
    return Worth(verdict_of(thought), (str(Word.PASS),) * passes + thought.line, thought.depth)


async def review(link: EngineLink, plies: Sequence[Ply], milliseconds: int) -> AsyncGenerator[Judged, None]:
    """Judge the plies of a line, each as soon as its value is known; the first element is the start.

    Use it in `contextlib.aclosing`.

    Args:
        milliseconds: how long each position is thought about; a solved one takes less.

    Raises:
        EngineTrouble, Superseded: as `EngineLink.analyse`.
    """
    before = Worth()
    for index, ply in enumerate(plies):
        position = ply.last.position
        if index and isinstance(ply.first.event, PiecePlaced):
            cells = await _cells(link, plies[index - 1].last.position, milliseconds)
            best, taken = next(iter(cells.values()), Worth()), cells.get(event_token(ply.first.event) or "")
            yield judge(ply, best, taken or Worth(), chosen=not _drawn(plies, index))
            if position.phase is not Phase.PLACEMENT:
                before = await worth_of(link, position, milliseconds)
            continue
        resigned = position.over and not ply.first.begins_ply
        after = before if resigned else await worth_of(link, position, milliseconds)
        if index:
            yield judge(ply, before, after)
        before = after


async def _cells(link: EngineLink, position: Position, milliseconds: int) -> dict[str, Worth]:
    """What every cell is worth for the piece that is next, by its token, the best first."""
    thoughts = await think(link, position, milliseconds, len(CELLS))
    return {thought.line[0]: _worth(thought) for thought in thoughts}


def _drawn(plies: Sequence[Ply], index: int) -> bool:
    """True when a piece was placed at random, together with others."""
    action = plies[index].first.action
    return any(
        ply.first.action == action for ply in (*plies[index - 1 : index], *plies[index + 1 : index + 2])
    )


def judge(ply: Ply, before: Worth, after: Worth, *, chosen: bool = True) -> Judged:
    """What a ply lost between two values; nothing if nobody chose it."""
    event = ply.first.event
    side, token = None, ""
    if isinstance(event, (PiecePlaced, StackMoved, TurnPassed)):
        side, token = event.by, event_token(event) or ""
    best = bool(before.line) and token == before.line[0]
    judged = chosen and not best and not isinstance(event, TurnPassed)
    loss = Loss()
    if judged and side is not None and before.verdict is not None and after.verdict is not None:
        loss = loss_of(side, before.verdict, after.verdict)
    return Judged(ply, side, token, before, after, loss)
