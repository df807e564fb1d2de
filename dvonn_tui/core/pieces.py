"""Sides, pieces and stacks."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Side(StrEnum):
    """One of the two players."""

    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def word(self) -> str:
        """The side as people say it: White or Black."""
        return "White" if self is Side.WHITE else "Black"


class Piece(StrEnum):
    """A single piece. The red ones, called DVONN pieces, belong to nobody."""

    WHITE = "w"
    BLACK = "b"
    RED = "r"


Stack = tuple[Piece, ...]
"""The pieces on a cell from bottom to top. The empty tuple is an empty cell."""

EMPTY: Final[Stack] = ()
LONE_RED: Final[Stack] = (Piece.RED,)

PIECE_COUNTS: Final = {Piece.WHITE: 23, Piece.BLACK: 23, Piece.RED: 3}
"""How many pieces of each kind the game has."""

PIECE_WORDS: Final = {Piece.WHITE: "white", Piece.BLACK: "black", Piece.RED: "red"}
"""What a piece of a kind is called."""

PIECE_OF: Final = {Side.WHITE: Piece.WHITE, Side.BLACK: Piece.BLACK}
"""The piece that a side places and owns."""

SIDE_OF: Final[dict[Piece, Side | None]] = {
    Piece.WHITE: Side.WHITE,
    Piece.BLACK: Side.BLACK,
    Piece.RED: None,
}
"""The side that owns a stack with this piece on top; nobody owns red."""


def owner(stack: Stack) -> Side | None:
    """The side that owns a stack: the colour on top. None for a lone red piece and an empty cell."""
    return SIDE_OF[stack[-1]] if stack else None


def holds_red(stack: Stack) -> bool:
    """True when a red piece is anywhere in the stack."""
    return Piece.RED in stack
