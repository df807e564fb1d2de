"""The state of a game at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.pieces import EMPTY, Piece, Side, Stack


class Phase(StrEnum):
    """What the players do: place their pieces, move their stacks, or nothing any more."""

    PLACEMENT = "placement"
    MOVEMENT = "movement"
    OVER = "over"


class Reason(StrEnum):
    """Why a game is over."""

    NO_MOVES = "no moves"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time"
    """The loser's clock ran down."""
    ABSENCE = "absence"
    """The loser stayed away for too long."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner, None for a draw, why, and the phase that it ended in."""

    winner: Side | None
    reason: Reason
    phase: Phase


class Score(NamedTuple):
    """The sum of the heights of the stacks that each side owns, red pieces inside included."""

    white: int
    black: int

    def of(self, side: Side) -> int:
        """The score of one side."""
        return self.white if side is Side.WHITE else self.black


@dataclass(frozen=True, slots=True)
class Position:
    """An immutable position.

    Attributes:
        stacks: the stack on each of the 49 cells, indexed by cell.
        phase: what is being done.
        side: the side to act. Kept, never worked out from a count of plies: White makes both the
            last placement and the first move.
        outcome: how the game ended, None as long as it goes on.
    """

    stacks: tuple[Stack, ...] = (EMPTY,) * len(CELLS)
    phase: Phase = Phase.PLACEMENT
    side: Side = Side.WHITE
    outcome: Outcome | None = None

    @property
    def over(self) -> bool:
        """True when the game has ended."""
        return self.outcome is not None

    @property
    def score(self) -> Score:
        """The live score. Lone red pieces count for nobody."""
        white = black = 0
        for stack in self.stacks:
            if stack:
                top = stack[-1]
                if top is Piece.WHITE:
                    white += len(stack)
                elif top is Piece.BLACK:
                    black += len(stack)
        return Score(white, black)

    def count(self, piece: Piece) -> int:
        """How many pieces of a kind are on the board."""
        return sum(stack.count(piece) for stack in self.stacks)


EMPTY_BOARD: Final = Position()
"""No piece placed yet; White places the first red piece."""


def leader(score: Score) -> Side | None:
    """The side with the higher score; None when both are equal."""
    if score.white == score.black:
        return None
    return Side.WHITE if score.white > score.black else Side.BLACK
