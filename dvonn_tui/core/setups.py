"""Ways to fill the board before the first move."""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import Final

from dvonn_tui.core.cells import CELLS, CENTRE, NEIGHBOURS, RIM, Cell, distance, opposite
from dvonn_tui.core.pieces import PIECE_COUNTS, Piece, Side
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position
from dvonn_tui.core.shuffle import below, seeded_random, shuffled

INNER_CELLS: Final = tuple(cell for cell in CELLS if cell not in RIM)

NEAR: Final = 2
"""Steps within which a cell counts as close to a red piece in a balanced set-up."""

WIDEST_DIFFERENCE: Final = 2
"""By how much white and black may differ close to the red pieces in a balanced set-up."""


class Setup(StrEnum):
    """How a board is filled."""

    RANDOM = "random"
    BALANCED = "balanced"
    SYMMETRIC = "symmetric"
    MANUAL = "manual"
    POSITION = "position"
    """Begun from a position that was given, not drawn."""


DRAWN_SETUPS: Final = (Setup.RANDOM, Setup.BALANCED, Setup.SYMMETRIC)
CHOSEN_SETUPS: Final = (*DRAWN_SETUPS, Setup.MANUAL)
"""What a player can choose for a new game."""


def set_up(setup: Setup, seed: int | None = None) -> Position:
    """The position in which a game of a set-up begins.

    A manual game begins with an empty board and needs no seed; all others are drawn from the seed and
    begin with White's first move.

    Raises:
        ValueError: the seed is missing or out of range, or the set-up is `Setup.POSITION`.
    """
    if setup is Setup.MANUAL:
        return EMPTY_BOARD
    if setup is Setup.POSITION:
        raise ValueError("a given position is not drawn")
    if seed is None:
        raise ValueError(f"a {setup} set-up is drawn from a seed")
    source = seeded_random(seed)
    pieces = {Setup.RANDOM: _random, Setup.BALANCED: _balanced, Setup.SYMMETRIC: _symmetric}[setup](source)
    return Position(tuple((pieces[cell],) for cell in CELLS), Phase.MOVEMENT, Side.WHITE)


def _random(source: Random) -> dict[Cell, Piece]:
    """Every arrangement of the pieces equally likely."""
    pieces = [piece for piece, count in PIECE_COUNTS.items() for _ in range(count)]
    return dict(zip(CELLS, shuffled(pieces, source), strict=True))


def _balanced(source: Random) -> dict[Cell, Piece]:
    """An even rim, no red pieces side by side, and an even neighbourhood of the red pieces."""
    while True:
        inner = shuffled(INNER_CELLS, source)
        reds = inner[: PIECE_COUNTS[Piece.RED]]
        if any(other in NEIGHBOURS[red] for red in reds for other in reds):
            continue
        pieces = dict.fromkeys(reds, Piece.RED)
        for cells in (inner[len(reds) :], shuffled(sorted(RIM), source)):
            half = len(cells) // 2
            pieces.update(dict.fromkeys(cells[:half], Piece.WHITE))
            pieces.update(dict.fromkeys(cells[half:], Piece.BLACK))
        near = [pieces[cell] for cell in CELLS if any(distance(cell, red) <= NEAR for red in reds)]
        if abs(near.count(Piece.WHITE) - near.count(Piece.BLACK)) <= WIDEST_DIFFERENCE:
            return pieces


def _symmetric(source: Random) -> dict[Cell, Piece]:
    """A half turn of the board exchanges white and black; the red pieces change among themselves."""
    halves = shuffled([cell for cell in CELLS if cell < CENTRE], source)
    pieces = {CENTRE: Piece.RED, halves[0]: Piece.RED, opposite(halves[0]): Piece.RED}
    for cell in halves[1:]:
        chosen, other = (cell, opposite(cell)) if below(2, source) else (opposite(cell), cell)
        pieces[chosen] = Piece.WHITE
        pieces[other] = Piece.BLACK
    return pieces
