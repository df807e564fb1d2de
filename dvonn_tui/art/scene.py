"""What a picture of the board shows, and what a picture is made of.

A `Scene` is everything that a drawn board depends on: the same scene gives the same picture. A
picture is rows of tiles, one tile a terminal cell, without a word about how they reach a screen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from dvonn_tui.core.cells import CELLS, Cell
from dvonn_tui.core.log import CellMark
from dvonn_tui.core.pieces import EMPTY, Stack


class Ink(NamedTuple):
    """The colours and attributes of one tile.

    Colours are ``#rrggbb``, ``ansi_red`` and its like (one of the terminal's own sixteen), or ``""``
    for the terminal's default.
    """

    foreground: str = ""
    background: str = ""
    bold: bool = False
    underline: bool = False
    reverse: bool = False
    strike: bool = False


Tile = tuple[str, Ink]
"""One terminal cell: a character one column wide, and its ink."""


class Span(NamedTuple):
    """A run of tiles in a row of a picture: columns ``start`` to ``end``, the end left out."""

    row: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Glide:
    """A stack on its way between two cells, drawn above everything else."""

    stack: Stack
    source: Cell
    target: Cell
    progress: float
    """How far it has come, 0.0 at the source to 1.0 at the target."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The board and every sign on it. Sets of cells may overlap; a cell can have many signs."""

    stacks: tuple[Stack, ...] = (EMPTY,) * len(CELLS)
    """The stack on each of the 49 cells."""
    movable: frozenset[Cell] = frozenset()
    """Stacks that the side to move may move."""
    selected: Cell | None = None
    """The stack that was picked, or whose targets are shown."""
    targets: frozenset[Cell] = frozenset()
    """Where the selected stack may go."""
    aim: Cell | None = None
    """The target under the pointer or the cursor: the move that is being considered."""
    doomed: frozenset[Cell] = frozenset()
    """Stacks that the considered move would cut off from every red piece."""
    last: frozenset[Cell] = frozenset()
    """The cells of the last move or of the last placements."""
    cursor: Cell | None = None
    marks: tuple[CellMark, ...] = ()
    """What people marked, one mark a cell at most."""
    glides: tuple[Glide, ...] = ()
    fading: dict[Cell, tuple[Stack, float]] = field(default_factory=dict)
    """Stacks just removed, each with how much of it is still to be seen, 1.0 to 0.0."""
