"""What the listeners of a table are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from dvonn_tui.tables.happenings import Happening


class Kind(StrEnum):
    """What can change at a table."""

    NEWS = "news"
    """Something happened; `TableChange.news` is what."""
    CHAT = "chat"
    LINE = "line"
    """The line to the server was lost or found again."""
    WATCHERS = "watchers"
    SENDING = "sending"
    """Something is on its way, or has arrived."""
    REFUSED = "refused"
    """Something was not done; the text is why."""
    SEATED = "seated"
    """One's own seat is another one now, or none."""
    SESSION = "session"
    """Another game began: `RemoteTable.session` is another object."""


@dataclass(frozen=True, slots=True)
class TableChange:
    """What a listener is told.

    Attributes:
        kind: what changed.
        text: words about it for people, clean; mostly empty.
        news: for `Kind.NEWS` what happened, oldest first.
    """

    kind: Kind
    text: str = ""
    news: tuple[Happening, ...] = ()


Listener = Callable[[TableChange], None]
