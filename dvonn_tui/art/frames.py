"""A game as a row of still pictures, for what is drawn outside a running screen."""

from __future__ import annotations

from dataclasses import dataclass, field

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.log import CellMark
from dvonn_tui.core.pieces import Stack


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture.

    Attributes:
        stacks: the stack on each of the 49 cells.
        last: the cells of the last move or placement.
        marks: the marked cells.
        caption: one clean line below the board; empty for none.
    """

    stacks: tuple[Stack, ...]
    last: frozenset[Cell] = frozenset()
    marks: tuple[CellMark, ...] = field(default=())
    caption: str = ""
