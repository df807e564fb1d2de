"""Where the time at a server comes from, so that tests need not wait for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from dvonn_tui.tables.ruling import Moment


class Alarm(Protocol):
    """Something that will be called."""

    def cancel(self) -> None:
        """Do not call it."""


class TimeSource(Protocol):
    """Tells the time and rings."""

    def now(self) -> float:
        """A monotonic reading in seconds, by which all time is counted."""

    def wall(self) -> int:
        """Milliseconds since 1970-01-01 00:00 UTC, for people."""

    def ring_at(self, when: float, call: Callable[[], None]) -> Alarm:
        """Call something at a monotonic reading, or at once if that has passed."""


class SystemTime:
    """The time of the machine and of the running event loop."""

    def now(self) -> float:
        """See `TimeSource`."""
        return time.monotonic()

    def wall(self) -> int:
        """See `TimeSource`."""
        return time.time_ns() // 1_000_000

    def ring_at(self, when: float, call: Callable[[], None]) -> Alarm:
        """See `TimeSource`."""
        return asyncio.get_running_loop().call_later(max(when - self.now(), 0.0), call)


def moment_of(source: TimeSource) -> Moment:
    """This moment."""
    return Moment(source.now(), source.wall())
