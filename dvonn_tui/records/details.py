"""What rides on the entries of a game beside its events: the names, in one place.

`dvonn_tui.core.log.Entry.details` is a mapping; these are its keys, and what they hold.
"""

from __future__ import annotations

from typing import Final

CLOCK: Final = "clock"
"""Seconds left on the clock of the side that acted, after it did: a float of 0 or more."""

SPENT: Final = "spent"
"""Seconds that the side took for the action: a float of 0 or more."""

AT: Final = "at"
"""When the action was recorded: seconds since 1970-01-01 00:00 UTC, as `time.time` gives them."""
