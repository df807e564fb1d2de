"""Taking back: where a game stood before the last decision of a side, found in the log of its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import play
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.tables.happenings import Acted, Began, ClockReading, Happening, TakenBack
from dvonn_tui.tables.table import action_of


@dataclass(frozen=True, slots=True)
class WayBack:
    """What a takeback leads to.

    Attributes:
        actions: how many actions are taken back.
        position: the position that is there again.
        clocks: what the clocks showed when that position came about; None when there were none.
    """

    actions: int
    position: Position
    clocks: ClockReading | None


def can_take_back(log: Sequence[Happening], side: Side) -> bool:
    """True when a side has an action of its own, in the last game of a log, to take back."""
    _, acted = _line(log)
    return any(action.by == side for action in acted)


def way_back(log: Sequence[Happening], side: Side) -> WayBack | None:
    """To before the last action of a side in the last game of a log, over what came after it.

    A forced pass is no action, so that it is gone back over as well. None when there is no such action.
    """
    began, acted = _line(log)
    own = [number for number, action in enumerate(acted) if action.by == side]
    if began is None or not own:
        return None
    kept = acted[: own[-1]]
    position = set_up(Setup(began.setup), began.seed)
    for action in kept:
        _, position = play(position, action_of(action.action))
    return WayBack(len(acted) - len(kept), position, (kept[-1] if kept else began).clocks)


def _line(log: Sequence[Happening]) -> tuple[Began | None, list[Acted]]:
    """How the last game of a log began, and the actions in it that were not taken back."""
    began: Began | None = None
    acted: list[Acted] = []
    for event in log:
        match event:
            case Began():
                began, acted = event, []
            case Acted():
                acted.append(event)
            case TakenBack(actions=actions):
                del acted[len(acted) - actions :]
    return began, acted
