"""What the two looks made of characters share: a sheet to write on, links between stacks, cell states.

Both looks write a stack in the three characters around the middle of its cell, and its other signs to
the left of these, above the middle and below it. No link between stacks passes there at any scale,
except the one to the left, which a sign may hide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from dvonn_tui.art.lattice import Lattice
from dvonn_tui.art.scene import Ink, Scene, Tile
from dvonn_tui.core.cells import CELLS, NEIGHBOURS, Cell
from dvonn_tui.core.log import MarkKind

MARK_SIGNS: Final = {MarkKind.CIRCLE: "◎", MarkKind.CROSS: "╳", MarkKind.STAR: "*"}
"""The characters of marked cells, where there is more than ASCII."""

ALONG: Final = 0
RISING: Final = 1
FALLING: Final = 2


@dataclass(frozen=True, slots=True)
class Link:
    """The line between two neighbours."""

    one: Cell
    other: Cell
    slope: int
    """`ALONG` a row, `RISING` like a slash, or `FALLING` like a backslash."""
    places: tuple[tuple[int, int], ...]
    """The characters (x, y) it passes."""


@lru_cache(maxsize=32)
def links(lattice: Lattice) -> tuple[Link, ...]:
    """The links between all neighbours, each once, the upper or left cell first."""
    found = []
    for one in CELLS:
        for other in NEIGHBOURS[one]:
            x, y = lattice.place(one)
            to_x, to_y = lattice.place(other)
            if y == to_y and x < to_x:
                places = tuple((across, y) for across in range(x + 2, to_x - 1))
                found.append(Link(one, other, ALONG, places))
            elif y < to_y:
                slope = FALLING if to_x > x else RISING
                found.append(Link(one, other, slope, tuple(_slanting(x, y, to_x, to_y))))
    return tuple(found)


def _slanting(x: int, y: int, to_x: int, to_y: int) -> list[tuple[int, int]]:
    """The characters strictly between two places in different lines, one in each line."""
    return [(x + round((to_x - x) * (line - y) / (to_y - y)), line) for line in range(y + 1, to_y)]


@dataclass(slots=True)
class Sheet:
    """Rows of tiles to write on."""

    rows: list[list[Tile]]

    def write(self, x: int, y: int, text: str, ink: Ink) -> None:
        """Write characters from a place on; what lies beyond the edge is left out."""
        if 0 <= y < len(self.rows):
            row = self.rows[y]
            for column, character in enumerate(text, x):
                if 0 <= column < len(row):
                    row[column] = character, ink


@dataclass(frozen=True, slots=True)
class CellState:
    """The signs of one cell of a scene."""

    movable: bool
    selected: bool
    target: bool
    aim: bool
    doomed: bool
    last: bool
    cursor: bool
    mark: MarkKind | None = None

    @staticmethod
    def of(scene: Scene, cell: Cell) -> CellState:
        """The signs that a scene has on a cell."""
        return CellState(
            movable=cell in scene.movable,
            selected=cell == scene.selected,
            target=cell in scene.targets or cell == scene.aim,
            aim=cell == scene.aim,
            doomed=cell in scene.doomed,
            last=cell in scene.last,
            cursor=cell == scene.cursor,
            mark=next((mark.kind for mark in scene.marks if mark.cell == cell), None),
        )


def mark_place(lattice: Lattice, cell: Cell) -> tuple[int, int]:
    """Where (x, y) the mark of a cell is written: above it to the right, beside the link that goes there.

    On the smallest scale it hides that link.
    """
    x, y = lattice.place(cell)
    return (x + 2 if lattice.scale.rows > 2 else x + 1), y - 1


def replace_rows(rows: list[list[Tile]], by: list[list[Tile]]) -> list[int]:
    """Bring rows of tiles to others; return the numbers of the tiles that differ, in reading order."""
    changed = []
    for y, (old, new) in enumerate(zip(rows, by, strict=True)):
        if old != new:
            width = len(new)
            changed += [y * width + x for x in range(width) if old[x] != new[x]]
            rows[y] = new
    return changed
