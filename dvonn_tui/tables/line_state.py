"""How it is with the line to a server."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class LineKind(StrEnum):
    """How it is with the line."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    LOST = "lost"
    """It is tried again by itself."""
    REFUSED = "refused"
    """It makes no sense to try again."""
    CLOSED = "closed"
    """Not begun, or ended by this side."""


@dataclass(frozen=True, slots=True)
class LineState:
    """How it is with the line.

    Attributes:
        kind: what is going on.
        reason: why it is lost or refused, in words for people, clean.
        retry_at: when it is tried again, on the clock of `TableLink.now`; None when it is not.
    """

    kind: LineKind
    reason: str = ""
    retry_at: float | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client waits, in seconds.

    Attributes:
        answer: for an answer, and for the line to be opened.
        first: after a loss, before the first attempt; each further one waits twice as long.
        most: before an attempt at most.
        steady: a line that held for so long was a good one: the next loss begins with `first` again.
        pulse: between two signs of life that are asked of the server, and for each of them.
    """

    answer: float = 10.0
    first: float = 0.5
    most: float = 15.0
    steady: float = 2.0
    pulse: float = 10.0


PATIENCE: Final = Patience()
"""For people."""
