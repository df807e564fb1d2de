"""The 49 cells of the board and how they lie to each other.

A cell is a number from 0 to 48 in reading order: a1..i1, a2..j2, a3..k3, b4..k4, c5..k5. Everything
here is generated from the coordinates of the rules: column a-k is 0..10, row is 1..5, and the cell
(column, row) exists when ``max(0, row - 3) <= column <= min(10, 7 + row)``.
"""

from __future__ import annotations

from typing import Final, NewType

Cell = NewType("Cell", int)
"""One of the 49 cells, 0 to 48."""

COLUMN_LETTERS: Final = "abcdefghijk"
ROWS: Final = (1, 2, 3, 4, 5)

DIRECTIONS: Final = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
"""The six straight lines as (column, row) steps, in the order of a turn around a cell."""


def columns_of_row(row: int) -> range:
    """The columns, 0 to 10, that exist in a row, 1 to 5."""
    return range(max(0, row - 3), min(10, 7 + row) + 1)


COORDINATES: Final = tuple((column, row) for row in ROWS for column in columns_of_row(row))
"""The (column, row) of every cell; column 0 to 10, row 1 to 5."""

CELLS: Final = tuple(Cell(index) for index in range(len(COORDINATES)))
"""All cells in reading order, a1 first, k5 last."""

CELL_AT: Final = {coordinates: cell for cell, coordinates in zip(CELLS, COORDINATES, strict=True)}
"""The cell at a (column, row); what is not in it does not exist."""

CELL_NAMES: Final = tuple(f"{COLUMN_LETTERS[column]}{row}" for column, row in COORDINATES)
"""The name of every cell, in lower case."""

CELL_NAMED: Final = dict(zip(CELL_NAMES, CELLS, strict=True))
"""The cell of a lower-case name."""


def _ray(cell: Cell, direction: tuple[int, int]) -> tuple[Cell, ...]:
    """The cells in one direction, nearest first."""
    column, row = COORDINATES[cell]
    found = []
    while (column := column + direction[0], row := row + direction[1]) in CELL_AT:
        found.append(CELL_AT[column, row])
    return tuple(found)


RAYS: Final = tuple(tuple(_ray(cell, direction) for direction in DIRECTIONS) for cell in CELLS)
"""For every cell and each of the six directions, the cells on that line, nearest first."""

NEIGHBOURS: Final = tuple(tuple(ray[0] for ray in RAYS[cell] if ray) for cell in CELLS)
"""The neighbours of every cell: six inside, fewer on the rim."""

RING: Final = tuple(
    tuple((ray[0], 1 << turn) for turn, ray in enumerate(RAYS[cell]) if ray) for cell in CELLS
)
"""The neighbours of every cell, each with a bit for its place in the turn around the cell. Two that follow
each other in the turn, the last and the first as well, are neighbours themselves."""

ONE_ARC: Final = tuple(
    sum(bool(ring & 1 << turn) and not ring & 1 << (turn + 1) % 6 for turn in range(6)) <= 1
    for ring in range(1 << 6)
)
"""For every set of bits of a `RING`: True when they follow each other without a gap, or there are none."""

_LINE: Final = 12
"""Bits from one row to the next: eleven columns and one that is no cell, so that rows do not run together."""

BITS: Final = tuple(1 << (row - 1) * _LINE + column for column, row in COORDINATES)
"""The bit of every cell in a set of cells that is a whole number, for `spread`."""


def spread(cells: int, within: int) -> int:
    """All cells that can be reached from some over neighbours, as a set of `BITS`; `within` holds both."""
    before = 0
    while cells != before:
        before = cells
        cells |= cells << 1 | cells >> 1 | cells << _LINE | cells >> _LINE
        cells |= before << _LINE + 1 | before >> _LINE + 1
        cells &= within
    return cells


TARGETS_AT: Final = tuple(
    tuple(
        tuple(ray[distance - 1] for ray in RAYS[cell] if distance and len(ray) >= distance)
        for distance in range(len(CELLS) + 1)
    )
    for cell in CELLS
)
"""``TARGETS_AT[cell][distance]``: the cells exactly so far away in a straight line, 0 to 6 of them."""

RIM: Final = frozenset(cell for cell in CELLS if len(NEIGHBOURS[cell]) < 6)
"""The 24 cells at the edge, which are never surrounded."""

CENTRE: Final = CELL_NAMED["f3"]


def opposite(cell: Cell) -> Cell:
    """The cell that a half turn of the board puts in the place of this one."""
    return Cell(len(CELLS) - 1 - cell)


def distance(one: Cell, other: Cell) -> int:
    """The number of steps from one cell to the other, 0 to 10, along any way over the lattice."""
    columns = COORDINATES[one][0] - COORDINATES[other][0]
    rows = COORDINATES[one][1] - COORDINATES[other][1]
    return max(abs(columns), abs(rows), abs(columns - rows))


def in_line(one: Cell, other: Cell) -> bool:
    """True when two different cells lie on one straight line of the lattice."""
    columns = COORDINATES[one][0] - COORDINATES[other][0]
    rows = COORDINATES[one][1] - COORDINATES[other][1]
    return one != other and (columns == 0 or rows == 0 or columns == rows)
