"""What is said at a table, and what happens there, in the order in which it was heard."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

MOST_LINES: Final = 300


class Line(Protocol):
    """A line of chat as the client has it, clean."""

    @property
    def name(self) -> str:
        """Who wrote it."""

    @property
    def side(self) -> str | None:
        """The writer's side, ``w`` or ``b``; None for a watcher."""

    @property
    def text(self) -> str:
        """What was written."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One line of the panel.

    Attributes:
        text: what was said, or what happened.
        name: who said it; empty for what happened.
        side: the speaker's side, ``w`` or ``b``; None for a watcher and for what happened.
    """

    text: str
    name: str = ""
    side: str | None = None


class ChatLog:
    """Keeps the latest lines, and how many of them nobody has seen yet.

    Attributes:
        unread: how many lines of others came since `read`.
    """

    def __init__(self) -> None:
        self._remarks: deque[Remark] = deque(maxlen=MOST_LINES)
        self._heard: Sequence[Line] = ()
        self.unread = 0

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """All lines that are kept, oldest first."""
        return tuple(self._remarks)

    def hear(self, lines: Sequence[Line], own_name: str = "") -> tuple[Remark, ...]:
        """Take over what of all lines of a table was not heard yet. Returns that."""
        new = _after(self._heard, lines)
        self._heard = tuple(lines)
        heard = tuple(Remark(line.text, line.name, line.side) for line in new)
        self._remarks.extend(heard)
        self.unread += sum(1 for remark in heard if remark.name != own_name)
        return heard

    def note(self, text: str) -> None:
        """Write down what happened."""
        if text:
            self._remarks.append(Remark(text))

    def read(self) -> None:
        """Everything was seen."""
        self.unread = 0


def _after(before: Sequence[Line], now: Sequence[Line]) -> Sequence[Line]:
    """The lines that follow those that were there before, of which the oldest may have gone."""
    for kept in range(min(len(before), len(now)), 0, -1):
        if list(before[-kept:]) == list(now[:kept]):
            return now[kept:]
    return now
