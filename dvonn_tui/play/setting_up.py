"""Setting up a position by hand: pieces are put on cells and taken off, and the core says what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dvonn_tui.core.cells import CELLS, Cell
from dvonn_tui.core.pieces import EMPTY, PIECE_COUNTS, Piece, Side, Stack
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.possible import Fault, faults_of, fitting_phase


@dataclass(frozen=True, slots=True)
class Draft:
    """A position that is being set up. It may still be one that can never be.

    Attributes:
        stacks: the stack on each of the 49 cells.
        side: the side to act.
    """

    stacks: tuple[Stack, ...] = (EMPTY,) * len(CELLS)
    side: Side = Side.WHITE

    @classmethod
    def of(cls, position: Position) -> Draft:
        """A draft that begins with a position, whether or not its game is over."""
        return cls(position.stacks, position.side)

    @property
    def position(self) -> Position:
        """The position; its phase follows from the stacks."""
        return Position(self.stacks, fitting_phase(self.stacks), self.side)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Why the position can never be; nothing when it can."""
        return faults_of(self.position)

    def add(self, cell: Cell, piece: Piece) -> Draft:
        """A piece on an empty cell, or on top of the stack there."""
        return self._with(cell, (*self.stacks[cell], piece))

    def take(self, cell: Cell) -> Draft:
        """The top piece of a cell taken off; nothing changes on an empty one."""
        return self._with(cell, self.stacks[cell][:-1])

    def empty(self, cell: Cell) -> Draft:
        """All pieces of a cell taken off."""
        return self._with(cell, EMPTY)

    def cleared(self) -> Draft:
        """The board without any piece, White to place."""
        return Draft()

    def turned(self) -> Draft:
        """The other side to act."""
        return replace(self, side=self.side.other)

    def left(self, piece: Piece) -> int:
        """How many pieces of a kind are not on the board; negative when there are too many."""
        return PIECE_COUNTS[piece] - sum(stack.count(piece) for stack in self.stacks)

    @property
    def placing(self) -> bool:
        """True when the position belongs to the placement."""
        return self.position.phase is Phase.PLACEMENT

    def _with(self, cell: Cell, stack: Stack) -> Draft:
        stacks = tuple(
            stack if each == cell else before for each, before in zip(CELLS, self.stacks, strict=True)
        )
        return replace(self, stacks=stacks)
