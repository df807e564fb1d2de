"""What makes a position impossible: every fault of the stacks, the side to act and the phase.

Only what the board itself shows counts. A position without a fault need not have come about in any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from dvonn_tui.core.cells import CELL_NAMES, CELLS, Cell
from dvonn_tui.core.pieces import PIECE_COUNTS, PIECE_WORDS, Piece, Side, Stack
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import can_move, unlinked

RED_ON_TOP: Final = "a red piece is never on top of a stack"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a position can never be.

    Attributes:
        reason: in words for a player, without a full stop.
        cells: the cells that it speaks of; none when it speaks of the whole board.
    """

    reason: str
    cells: tuple[Cell, ...] = ()


def faults_of(position: Position) -> tuple[Fault, ...]:
    """Everything that shows that a position can never be, the gravest first; nothing when it can."""
    return tuple(_faults(position))


def fitting_phase(stacks: tuple[Stack, ...]) -> Phase:
    """The phase that stacks belong to: the placement when they can lie like this in it with one of the
    sides to act, else the movement."""
    placing = any(not faults_of(Position(stacks, Phase.PLACEMENT, side)) for side in Side)
    return Phase.PLACEMENT if placing else Phase.MOVEMENT


def _faults(position: Position) -> Iterator[Fault]:
    covered = _cells(position, lambda stack: len(stack) > 1 and stack[-1] is Piece.RED)
    if covered:
        yield Fault(RED_ON_TOP, covered)
    for piece, most in PIECE_COUNTS.items():
        count = position.count(piece)
        if count > most:
            # Of the red pieces one sees at once which are too many; of the others any could be.
            where = _cells(position, lambda stack: Piece.RED in stack) if piece is Piece.RED else ()
            yield Fault(f"{count} {PIECE_WORDS[piece]} pieces: the game has {most}", where)
    if position.phase is Phase.PLACEMENT:
        yield from _placement_faults(position)
    else:
        yield from _movement_faults(position)


def _movement_faults(position: Position) -> Iterator[Fault]:
    if not position.count(Piece.RED):
        yield Fault("there is no red piece, and in the movement phase red pieces never leave the board")
        return
    lost = unlinked(position.stacks)
    if lost:
        names = ", ".join(CELL_NAMES[cell] for cell in lost)
        yield Fault(f"not linked to a red piece: {names}", lost)
    untouched = all(len(stack) == 1 for stack in position.stacks)
    if untouched and position.side is Side.BLACK and can_move(position, Side.WHITE):
        yield Fault("White makes the first move")


def _placement_faults(position: Position) -> Iterator[Fault]:
    """Why pieces cannot lie like this during the placement, red first, then Black and White in turn."""
    high = _cells(position, lambda stack: len(stack) > 1)
    if high:
        yield Fault("there are no stacks while pieces are being placed", high)
        return
    placed = [stack[0] for stack in position.stacks if stack]
    if len(placed) == len(CELLS):
        yield Fault("all pieces are placed: the phase is m")
        return
    reds = min(len(placed), PIECE_COUNTS[Piece.RED])
    whites = (len(placed) - reds) // 2
    wanted = {Piece.RED: reds, Piece.WHITE: whites, Piece.BLACK: len(placed) - reds - whites}
    for piece, count in wanted.items():
        if placed.count(piece) != count:
            of_placed = f"of the first {len(placed)} pieces {count} are {PIECE_WORDS[piece]}"
            yield Fault(f"{of_placed}, here {placed.count(piece)}: red pieces first, then Black begins")
            return
    turn = Side.BLACK if len(placed) % 2 else Side.WHITE
    if position.side is not turn:
        yield Fault(f"after {len(placed)} placements it is {turn.word}'s turn")


def _cells(position: Position, holds: Callable[[Stack], bool]) -> tuple[Cell, ...]:
    """The cells whose stacks have a property."""
    return tuple(cell for cell in CELLS if holds(position.stacks[cell]))
