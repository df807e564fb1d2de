"""What every ply of a game was worth: the value before and after it, and what it lost."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

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
    """What a position is worth, and the best line in it; no verdict while pieces are placed."""

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
        loss: what it lost; nothing for the best move, for a pass and for a placement.
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
    if position.phase is Phase.PLACEMENT:
        return Worth()
    thoughts = await think(link, position, milliseconds)
    if not thoughts:
        return Worth()
    best = thoughts[0]
    return Worth(verdict_of(best), (str(Word.PASS),) * passes + best.line, best.depth)


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
        if index == 0:
            before = await worth_of(link, ply.last.position, milliseconds)
            continue
        resigned = ply.last.position.over and not ply.first.begins_ply
        after = before if resigned else await worth_of(link, ply.last.position, milliseconds)
        yield judge(ply, before, after)
        before = after


def judge(ply: Ply, before: Worth, after: Worth) -> Judged:
    """What a ply lost between two values."""
    event = ply.first.event
    side, token = None, ""
    if isinstance(event, (PiecePlaced, StackMoved, TurnPassed)):
        side, token = event.by, event_token(event) or ""
    best = bool(before.line) and token == before.line[0]
    judged = isinstance(event, StackMoved) and not best and side is not None
    loss = Loss()
    if judged and side is not None and before.verdict is not None and after.verdict is not None:
        loss = loss_of(side, before.verdict, after.verdict)
    return Judged(ply, side, token, before, after, loss)
