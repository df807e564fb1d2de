"""What every rule of a table has in common: when it is asked, and how it says no."""

from __future__ import annotations

from dataclasses import dataclass


class Refusal(Exception):
    """Something that cannot be done at the table; the table is as before.

    Attributes:
        code: one of `dvonn_tui.tables.protocol.CODES`.
        reason: what is wrong, in words for a player, without a full stop.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Moment:
    """When something arrives.

    Attributes:
        now: the reading of the monotonic clock that all times are counted by, in seconds.
        at: milliseconds since 1970-01-01 00:00 UTC, for people.
    """

    now: float
    at: int
