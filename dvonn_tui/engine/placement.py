"""Where to place pieces while the board is being filled."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from dvonn_tui.core.cells import CELLS, CENTRE, Cell, distance
from dvonn_tui.core.events import Place
from dvonn_tui.core.pieces import PIECE_COUNTS, PIECE_OF, Piece, Side
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import legal_placements, next_piece
from dvonn_tui.core.shuffle import below, seeded_random, shuffled
from dvonn_tui.engine.backend import COMPILED, Searcher
from dvonn_tui.engine.board import BIT_OF, CELL_OF

SAMPLES: Final = 4000 if COMPILED else 300
"""Random ways to fill the board that are valued for one placement."""

BOARDS: Final = 400 if COMPILED else 100
"""Random ways to fill the board that are valued for what the position itself is worth: it tells how good all
cells are, not which is better."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A cell for the piece that is next.

    Attributes:
        place: the placement.
        value: the mean value in points, from the view of the side to place, of boards on which the rest is
            placed at random; None when it was not asked for, and for red pieces, which are placed by rule.
    """

    place: Place
    value: int | None = None


def choose_placement(
    position: Position, searcher: Searcher, seed: int, samples: int = SAMPLES
) -> Place | None:
    """The best cell for the piece that is next; None when nothing is to be placed.

    Without samples any free cell.
    """
    ranked = rank_placements(position, searcher, seed, samples)
    return ranked[0].place if ranked else None


def rank_placements(
    position: Position, searcher: Searcher, seed: int, samples: int = SAMPLES, *, rated: bool = False
) -> tuple[Rated, ...]:
    """The cells for the piece that is next, best first; of red pieces and without samples only the first.

    Args:
        rated: tell also how good they are.
    """
    free = [place.cell for place in legal_placements(position)]
    if not free:
        return ()
    random = seeded_random(seed)
    if samples == 0:
        return (Rated(Place(free[below(len(free), random)])),)
    if next_piece(position) is Piece.RED:
        return (Rated(Place(_red_cell(position, free))),)
    if len(free) == 1 and not rated:
        return (Rated(Place(free[0])),)
    white, black, red = (
        sum(1 << BIT_OF[cell] for cell in CELLS if position.stacks[cell] == (piece,))
        for piece in (Piece.WHITE, Piece.BLACK, Piece.RED)
    )
    left = {piece: PIECE_COUNTS[piece] - position.count(piece) for piece in (Piece.WHITE, Piece.BLACK)}
    effects = searcher.fill_effects(
        white, black, red, left[Piece.WHITE], left[Piece.BLACK], samples, random.getrandbits(32)
    )
    best_first = sorted(free, key=lambda cell: -effects[BIT_OF[cell]])
    if not rated:
        return tuple(Rated(Place(cell)) for cell in best_first)
    boards = max(min(BOARDS, samples // 10), 1)
    mean = _mean_value(searcher, (white, black, red), free, left[Piece.WHITE], boards, random)
    side, other = PIECE_OF[position.side], PIECE_OF[position.side.other]
    sign = 1 if position.side is Side.WHITE else -1
    # On all random boards together the cell has its colour as often as such pieces are left.
    gain = left[other] / (left[side] + left[other]) / 100
    return tuple(Rated(Place(cell), round(sign * mean + gain * effects[BIT_OF[cell]])) for cell in best_first)


def _mean_value(
    searcher: Searcher,
    placed: tuple[int, int, int],
    free: list[Cell],
    whites_left: int,
    boards: int,
    random: Random,
) -> float:
    """The mean value for White, who moves first, of boards filled at random. The position set is lost."""
    white, black, red = placed
    heights = [int(bit in CELL_OF) for bit in range(64)]
    total = 0
    for _ in range(boards):
        order = shuffled(free, random)
        whites = sum(1 << BIT_OF[cell] for cell in order[:whites_left])
        blacks = sum(1 << BIT_OF[cell] for cell in order[whites_left:])
        searcher.set_position(white | whites, black | blacks, red, heights, 0)
        total += searcher.estimate()
    return total / boards


def _red_cell(position: Position, free: list[Cell]) -> Cell:
    """The cell of a red piece: White spreads them, Black draws them together."""
    reds = [cell for cell in CELLS if position.stacks[cell]]

    def spread(cell: Cell) -> int:
        """How far all cells are from the red pieces, with one on this cell."""
        return sum(min(distance(other, red) for red in (*reds, cell)) ** 2 for other in CELLS)

    if not reds:
        return CENTRE
    return min(free, key=spread) if position.side is Side.WHITE else max(free, key=spread)
