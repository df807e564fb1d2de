"""Where to place pieces while the board is being filled."""

from __future__ import annotations

from typing import Final

from dvonn_tui.core.cells import CELLS, CENTRE, Cell, distance
from dvonn_tui.core.events import Place
from dvonn_tui.core.pieces import PIECE_COUNTS, Piece, Side
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import legal_placements, next_piece
from dvonn_tui.core.shuffle import below, seeded_random
from dvonn_tui.engine.backend import COMPILED, Searcher
from dvonn_tui.engine.board import BIT_OF

SAMPLES: Final = 4000 if COMPILED else 300
"""Random ways to fill the board that are valued for one placement."""


def choose_placement(
    position: Position, searcher: Searcher, seed: int, samples: int = SAMPLES
) -> Place | None:
    """The best cell for the piece that is next; None when nothing is to be placed.

    Without samples any free cell.
    """
    free = [place.cell for place in legal_placements(position)]
    if not free:
        return None
    random = seeded_random(seed)
    if len(free) == 1 or samples == 0:
        return Place(free[below(len(free), random)])
    if next_piece(position) is Piece.RED:
        return Place(_red_cell(position, free))
    white = black = red = 0
    for cell, stack in enumerate(position.stacks):
        if stack:
            bit = 1 << BIT_OF[cell]
            white |= bit * (stack[0] is Piece.WHITE)
            black |= bit * (stack[0] is Piece.BLACK)
            red |= bit * (stack[0] is Piece.RED)
    effects = searcher.fill_effects(
        white,
        black,
        red,
        PIECE_COUNTS[Piece.WHITE] - position.count(Piece.WHITE),
        PIECE_COUNTS[Piece.BLACK] - position.count(Piece.BLACK),
        samples,
        random.getrandbits(32),
    )
    return Place(max(free, key=lambda cell: effects[BIT_OF[cell]]))


def _red_cell(position: Position, free: list[Cell]) -> Cell:
    """The cell of a red piece: White spreads them, Black draws them together."""
    reds = [cell for cell in CELLS if position.stacks[cell]]

    def spread(cell: Cell) -> int:
        """How far all cells are from the red pieces, with one on this cell."""
        return sum(min(distance(other, red) for red in (*reds, cell)) ** 2 for other in CELLS)

    if not reds:
        return CENTRE
    return min(free, key=spread) if position.side is Side.WHITE else max(free, key=spread)
