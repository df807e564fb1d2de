"""The log of a game: a tree of events that only ever grows.

Every entry names its parent, as commits do, and holds the position after it. Another line of play is
only an entry with an earlier parent. Moving the head and hiding a line are entries too, so that the
log alone rebuilds everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.events import Event, PiecePlaced, StackMoved, TurnPassed
from dvonn_tui.core.position import Position

NO_DETAILS: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HeadMoved:
    """The game went to another entry: by undo, by redo, or to play from an earlier ply."""

    to: int


@dataclass(frozen=True, slots=True)
class LineHidden:
    """A line, from its first entry on, is not shown any more."""

    first: int


@dataclass(frozen=True, slots=True)
class LineShown:
    """A hidden line is shown again."""

    first: int


@dataclass(frozen=True, slots=True)
class LinePromoted:
    """A line, from its first entry on, became the first among those that begin where it does."""

    first: int


@dataclass(frozen=True, slots=True)
class Commented:
    """Somebody wrote about a ply, in place of what was written before; an empty text takes that away.

    Attributes:
        to: the number of the last entry of the ply.
        text: as it was written, of one or more lines. Whoever shows it cleans it.
    """

    to: int
    text: str


class MarkKind(StrEnum):
    """The signs that a cell can be marked with."""

    CIRCLE = "circle"
    CROSS = "cross"
    STAR = "star"


@dataclass(frozen=True, slots=True)
class CellMark:
    """A sign on a cell, for people to see."""

    cell: Cell
    kind: MarkKind


@dataclass(frozen=True, slots=True)
class CellsMarked:
    """Cells were marked in the position after a ply, in place of those that were marked before.

    Attributes:
        to: the number of the last entry of the ply.
        marks: one for a cell at most, in the order of the cells; none takes all away.
    """

    to: int
    marks: tuple[CellMark, ...]


Annotation = LineHidden | LineShown | LinePromoted | Commented | CellsMarked
"""Marks that leave the game where it stands."""

Mark = HeadMoved | Annotation
"""What changes how the log is looked at, and nothing in the game."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of the log.

    Attributes:
        number: its place in the log, from 0.
        parent: the number of the event it follows; None for the first.
        action: the number of the first entry that the same action caused.
        event: what happened.
        position: the position after it.
        ply: how many placements, moves and passes lie between the start and here, this one included.
        placements: how many of them are placements.
        details: what is not the game's: clock readings, wall time, who sent it.
    """

    number: int
    parent: int | None
    action: int
    event: Event | Mark
    position: Position
    ply: int
    placements: int
    details: Mapping[str, object] = field(default_factory=lambda: NO_DETAILS, compare=False)

    @property
    def begins_ply(self) -> bool:
        """True for the event that a ply begins with; what it caused belongs to the same ply."""
        return isinstance(self.event, (PiecePlaced, StackMoved, TurnPassed))


@dataclass(frozen=True, slots=True)
class Ply:
    """A placement, a move with what it cut off, a pass, or the ending of a game by its players.

    Attributes:
        entries: its entries, at least one.
    """

    entries: tuple[Entry, ...]

    @property
    def first(self) -> Entry:
        """The entry it begins with."""
        return self.entries[0]

    @property
    def last(self) -> Entry:
        """The entry it ends with; its position is the one after the ply."""
        return self.entries[-1]

    @property
    def label(self) -> str:
        """``p1`` to ``p49`` for placements, ``1`` onwards for moves and passes, else nothing."""
        if isinstance(self.first.event, PiecePlaced):
            return f"p{self.first.placements}"
        return str(self.first.ply - self.first.placements) if self.first.begins_ply else ""


def plies_of(entries: tuple[Entry, ...]) -> tuple[Ply, ...]:
    """Split a line, from its first entry, into plies.

    The first element is the start of the game with all that was due in it at once.
    """
    groups: list[list[Entry]] = []
    for entry in entries:
        alone = entry.action == entry.number and not entry.begins_ply
        if not groups or entry.begins_ply or alone:
            groups.append([])
        groups[-1].append(entry)
    return tuple(Ply(tuple(group)) for group in groups)
