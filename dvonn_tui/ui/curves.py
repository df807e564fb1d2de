"""What the graph over a game shows: the score, or what the positions are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dvonn_tui.core.events import StacksRemoved, TurnPassed
from dvonn_tui.core.log import Ply
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.verdict import Verdict

FLAT: Final = 6
"""The lead that fills the graph when no larger one occurred, so that one piece is no mountain."""

DECIDED: Final = 0.7
"""The part of the height that estimates have. Beyond it a margin is certain: the larger, the higher."""


class Graph(StrEnum):
    """What the graph shows."""

    SCORE = "score"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn over the plies of a line.

    Attributes:
        graph: what it shows.
        heights: for each ply, -1 to 1, above 0 for White; None where nothing is known.
        here: which ply is seen.
        entries: the entry that each ply ends with.
        marks: the mark of each ply, mostly nothing.
        events: what happened on each ply that is worth a sign: a cut-off or a pass, mostly nothing.
        word: what the ply that is seen has, in a few characters.
        decided: the height from which on the game is decided; None when the graph knows none.
    """

    graph: Graph = Graph.SCORE
    heights: tuple[float | None, ...] = (0.0,)
    here: int = 0
    entries: tuple[int, ...] = (0,)
    marks: tuple[str, ...] = ("",)
    word: str = ""
    decided: float | None = None
    events: tuple[str, ...] = ("",)


CUT_OFF_SIGN: Final = "x"
PASS_SIGN: Final = "p"


def event_sign(ply: Ply) -> str:
    """The sign of a ply on which something was cut off or a side passed; else nothing."""
    events = [entry.event for entry in ply.entries]
    if any(isinstance(event, StacksRemoved) for event in events):
        return CUT_OFF_SIGN
    return PASS_SIGN if any(isinstance(event, TurnPassed) for event in events) else ""


def shown_from(plies: Sequence[Ply]) -> int:
    """The first ply of a line that the graph shows: the board before the first move, if there is one."""
    placements = plies[-1].last.placements
    return placements if placements + 1 < len(plies) else 0


def score_curve(plies: Sequence[Ply], index: int, marks: Mapping[int, str]) -> Curve:
    """White's lead after each ply, as a part of the largest one."""
    first = plies[-1].last.placements
    shown, here = plies[first:], max(index - first, 0)
    leads = [white - black for white, black in (ply.last.position.score for ply in shown)]
    most = max(FLAT, *(abs(lead) for lead in leads))
    lead = leads[here]
    word = "level" if lead == 0 else f"{(Side.WHITE if lead > 0 else Side.BLACK).word} +{abs(lead)}"
    return _curve(Graph.SCORE, shown, [lead / most for lead in leads], here, marks, word)


def value_curve(
    plies: Sequence[Ply], index: int, marks: Mapping[int, str], verdicts: Sequence[Verdict | None]
) -> Curve:
    """What each position is worth for White: by his chance to win, and once it is certain by the margin.

    Args:
        verdicts: what is known, ply by ply.
    """
    first = shown_from(plies)
    shown, here = plies[first:], max(index - first, 0)
    known = verdicts[first:]
    margins = [abs(verdict.value) for verdict in known if verdict is not None and verdict.certain]
    most = max(FLAT, *margins, 0)
    heights = [None if verdict is None else value_height(verdict, most) for verdict in known]
    seen = known[here]
    word = "" if seen is None else seen.brief
    return _curve(Graph.VALUE, shown, heights, here, marks, word, DECIDED if margins else None)


def value_height(verdict: Verdict, most: int) -> float:
    """How high a value is drawn, -1 to 1. Of two values the better one for White is never lower.

    Args:
        most: the largest margin that has its place, at least 1.
    """
    if not verdict.certain:
        return (2 * verdict.chance - 1) * DECIDED
    if not verdict.value:
        return 0.0
    part = DECIDED + (1 - DECIDED) * min(abs(verdict.value) / most, 1.0)
    return part if verdict.value > 0 else -part


def _curve(
    graph: Graph,
    plies: Sequence[Ply],
    heights: Sequence[float | None],
    here: int,
    marks: Mapping[int, str],
    word: str,
    decided: float | None = None,
) -> Curve:
    numbers = tuple(ply.last.number for ply in plies)
    found = tuple(marks.get(number, "") for number in numbers)
    events = tuple(event_sign(ply) for ply in plies)
    return Curve(graph, tuple(heights), here, numbers, found, word, decided, events)
