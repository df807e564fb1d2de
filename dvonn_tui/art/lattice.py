"""Where each cell lies on a screen of characters, for each size of board.

Positions are counted in terminal cells from the upper left corner of the picture: x in columns, y
in lines. On the lattice itself a place is a *half column* (0 for a3 at the far left, 20 for k3 at
the far right, two steps from a cell to the next in its row) and a row of the board, 1 to 5. Row 5
is drawn at the top; a flipped board is turned by half a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from dvonn_tui.core.cells import (
    CELL_AT,
    COLUMN_LETTERS,
    COORDINATES,
    ROWS,
    Cell,
    columns_of_row,
)

HALF_COLUMNS: Final = 20
"""The half column of k3; turning the board puts half column h at this number less h."""

_ROW_LENGTH: Final = 1.1547
"""How much a step to the next row counts in the distance to a cell, so that the lattice is regular."""

_REACH: Final = 0.4
"""The squared distance, in pitches, from which on a place belongs to no cell."""


class ScreenDirection(StrEnum):
    """The six directions as they look on the screen, whichever way the board is turned."""

    LEFT = "left"
    RIGHT = "right"
    UP_LEFT = "up-left"
    UP_RIGHT = "up-right"
    DOWN_LEFT = "down-left"
    DOWN_RIGHT = "down-right"


_STEPS: Final[dict[ScreenDirection, tuple[int, int]]] = {
    ScreenDirection.LEFT: (-1, 0),
    ScreenDirection.RIGHT: (1, 0),
    ScreenDirection.UP_LEFT: (0, 1),
    ScreenDirection.UP_RIGHT: (1, 1),
    ScreenDirection.DOWN_LEFT: (-1, -1),
    ScreenDirection.DOWN_RIGHT: (0, -1),
}
"""The (column, row) step of each direction on a board with row 5 at the top."""


@dataclass(frozen=True, slots=True)
class Scale:
    """One size in which a board can be drawn."""

    pitch: int
    """Columns from one cell to the next in a row; even."""
    rows: int
    """Lines from one row of the board to the next."""
    radius_x: float
    """Half the width of a disc, in columns."""
    radius_y: float
    """Half the height of a disc, in half lines."""
    pixel_digits: bool = False
    """True when heights are drawn in pixels, five half lines tall; otherwise they are text."""

    @property
    def name(self) -> str:
        """The size as people write it, ``10x4``."""
        return f"{self.pitch}x{self.rows}"

    @property
    def roomy(self) -> bool:
        """True when there is room around the discs for shadows and rings."""
        return self.pitch >= 8

    @property
    def margin(self) -> int:
        """Columns left free at both sides for the digits and the tips of the tray."""
        return 5 if self.roomy else 4

    @property
    def middle(self) -> float:
        """The centre of a disc below the upper edge of its middle character, in half lines."""
        return 1.5 if self.pixel_digits else 1.0

    @property
    def width(self) -> int:
        """Columns of the whole board."""
        return 11 * self.pitch + 2 * self.margin - 1

    @property
    def height(self) -> int:
        """Lines of the whole board."""
        return 5 * self.rows + (2 if self.rows > 2 else 1)


SCALES: Final = (
    Scale(14, 6, 6.1, 5.6, pixel_digits=True),
    Scale(12, 5, 5.3, 4.8, pixel_digits=True),
    Scale(10, 4, 4.4, 3.9, pixel_digits=True),
    Scale(8, 3, 3.5, 3.0),
    Scale(6, 3, 2.5, 2.5),
    Scale(6, 2, 2.5, 2.0),
    Scale(4, 2, 1.5, 2.0),
)
"""All sizes, largest first."""


def scale_for(columns: int, lines: int) -> Scale | None:
    """The largest scale whose board fits into so many columns and lines; None when none does."""
    return next((scale for scale in SCALES if scale.width <= columns and scale.height <= lines), None)


@dataclass(frozen=True)
class Lattice:
    """The places of cells and labels on the screen, for a scale and a side to look from."""

    scale: Scale
    flipped: bool = False
    """True when row 1 is at the top, and everything else turned by half a turn with it."""

    @property
    def width(self) -> int:
        """Columns of the picture."""
        return self.scale.width

    @property
    def height(self) -> int:
        """Lines of the picture."""
        return self.scale.height

    def at(self, half_column: int, row: int) -> tuple[int, int]:
        """The middle character (x, y) of a place on the lattice, whether or not a cell is there."""
        scale = self.scale
        if self.flipped:
            half_column, line = HALF_COLUMNS - half_column, row - 1
        else:
            line = 5 - row
        x = scale.margin + (half_column + 1) * scale.pitch // 2 - 1
        return x, 1 + line * scale.rows + (scale.rows - 1) // 2

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The middle character (x, y) of every cell."""
        return tuple(self.at(2 * column + 3 - row, row) for column, row in COORDINATES)

    def place(self, cell: Cell) -> tuple[int, int]:
        """The middle character (x, y) of a cell."""
        return self.places[cell]

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell that a character belongs to, or None away from the board."""
        scale = self.scale
        found, nearest = None, _REACH
        down = (y + 0.5 - self.at(0, 3)[1] - scale.middle / 2) / scale.rows
        for line in {int(down + 2.5), int(down + 1.5), int(down + 2.5) + 1}:
            row = line + 1 if self.flipped else 5 - line
            if row not in ROWS:
                continue
            columns = columns_of_row(row)
            left = self.at(2 * columns[0] + 3 - row, row)[0]
            along = (x - left) / scale.pitch
            index = round(-along if self.flipped else along)
            if not 0 <= index < len(columns):
                index = min(max(index, 0), len(columns) - 1)
            cell = CELL_AT[columns[index], row]
            across = (x - self.places[cell][0]) / scale.pitch
            distance = across**2 + ((down + 2 - line) / _ROW_LENGTH) ** 2
            if distance < nearest:
                found, nearest = cell, distance
        return found

    @cached_property
    def letters(self) -> tuple[tuple[int, int], ...]:
        """The place (x, y) of the letter of each column, a to k.

        Each letter stands where its column would go on beyond the board; the letters of the two
        columns that end in the slanting side stand beside the row in which that place would be.
        """
        scale, outwards = self.scale, -1 if self.flipped else 1
        found = []
        for column in range(len(COLUMN_LETTERS)):
            row = max(1, column - 7)
            if row == 1:
                x = self.at(2 * column + 3, 0)[0]
                y = 0 if self.flipped else self.height - 1
            else:
                x, y = self.places[CELL_AT[column - 1, row - 1]]
                x += outwards * (scale.pitch // 2 + 2)
            found.append((x, y))
        return tuple(found)

    @cached_property
    def digits(self) -> tuple[tuple[int, int], ...]:
        """The place (x, y) of the digit of each row, 1 to 5."""
        outwards = 1 if self.flipped else -1
        found = []
        for row in ROWS:
            x, y = self.places[CELL_AT[columns_of_row(row)[0], row]]
            found.append((x + outwards * (self.scale.pitch // 2 + 2), y))
        return tuple(found)

    @cached_property
    def labels(self) -> dict[tuple[int, int], str]:
        """The character of every label by its place (x, y)."""
        letters = zip(self.letters, COLUMN_LETTERS, strict=True)
        digits = zip(self.digits, "12345", strict=True)
        return dict([*letters, *digits])

    def labels_of(self, cell: Cell) -> tuple[tuple[int, int], tuple[int, int]]:
        """The places of the letter and of the digit that name a cell."""
        column, row = COORDINATES[cell]
        return self.letters[column], self.digits[row - 1]

    def neighbour_on_screen(self, cell: Cell, direction: ScreenDirection) -> Cell | None:
        """The neighbour of a cell in a direction as seen on the screen; None at the edge."""
        across, up = _STEPS[direction]
        turn = -1 if self.flipped else 1
        column, row = COORDINATES[cell]
        return CELL_AT.get((column + turn * across, row + turn * up))
