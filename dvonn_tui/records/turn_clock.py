"""What is left in a turn that is not over; apart for the same reason as `dvonn_tui.records.seating`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TurnClock:
    """What the side to act has left in the middle of its turn.

    Attributes:
        left: seconds on its clock, 0 or more.
        delay: seconds until that clock begins to run in this turn, 0 or more.
    """

    left: float
    delay: float = 0.0
