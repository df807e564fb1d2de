"""Between positions of the core and the board of the search."""

from __future__ import annotations

from typing import Final

from dvonn_tui.core.cells import COORDINATES, Cell
from dvonn_tui.core.events import Move
from dvonn_tui.core.pieces import Piece, Side, holds_red
from dvonn_tui.core.position import Position
from dvonn_tui.engine.backend import Searcher

BIT_OF: Final = tuple(11 * (row - 1) + column for column, row in COORDINATES)
"""The bit of every cell."""

CELL_OF: Final = {bit: Cell(cell) for cell, bit in enumerate(BIT_OF)}


def set_board(searcher: Searcher, position: Position) -> None:
    """Give a searcher a position of the movement phase."""
    white = black = red = 0
    heights = [0] * 64
    for cell, stack in enumerate(position.stacks):
        if not stack:
            continue
        bit = 1 << BIT_OF[cell]
        heights[BIT_OF[cell]] = len(stack)
        if holds_red(stack):
            red |= bit
        if stack[-1] is Piece.WHITE:
            white |= bit
        elif stack[-1] is Piece.BLACK:
            black |= bit
    searcher.set_position(white, black, red, heights, int(position.side is Side.BLACK))


def move_of(code: int) -> Move:
    """The move that the search knows by a number."""
    return Move(CELL_OF[code >> 6], CELL_OF[code & 63])


def code_of(move: Move) -> int:
    """The number by which the search knows a move."""
    return BIT_OF[move.source] << 6 | BIT_OF[move.target]
