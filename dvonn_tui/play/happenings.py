"""What happened on a ply, as far as one looks for it when a game is gone through."""

from __future__ import annotations

from enum import StrEnum

from dvonn_tui.core.events import StackMoved, StacksRemoved, TurnPassed
from dvonn_tui.core.log import Ply
from dvonn_tui.core.pieces import owner
from dvonn_tui.core.position import Position


class Happening(StrEnum):
    """What can have happened on a ply."""

    CAPTURE = "capture"
    """A stack moved onto one of the other side."""
    CUT_OFF = "cut-off"
    PASS = "pass"


def happenings_of(ply: Ply, before: Position) -> frozenset[Happening]:
    """What happened on a ply that was made in a position."""
    found = set()
    for entry in ply.entries:
        match entry.event:
            case StackMoved(_, target, by):
                if owner(before.stacks[target]) is by.other:
                    found.add(Happening.CAPTURE)
            case StacksRemoved():
                found.add(Happening.CUT_OFF)
            case TurnPassed():
                found.add(Happening.PASS)
            case _:
                pass
    return frozenset(found)
