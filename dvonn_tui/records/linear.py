"""What forms have in common that hold a single line from the first placement on, or only a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from dvonn_tui.core.cells import CELL_NAMES, CELLS
from dvonn_tui.core.notation import Word
from dvonn_tui.core.pieces import Piece, Side
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position
from dvonn_tui.records.record import CannotHold, Record
from dvonn_tui.records.tree import Node, main_line, tree_of


def placements_of(position: Position) -> Iterator[str]:
    """Tokens that fill the board as it is: the red pieces, then Black and White in turn."""
    cells = {
        piece: [CELL_NAMES[cell] for cell in CELLS if position.stacks[cell] == (piece,)] for piece in Piece
    }
    yield from cells[Piece.RED]
    for pair in zip_longest(cells[Piece.BLACK], cells[Piece.WHITE]):
        yield from (name for name in pair if name is not None)


@dataclass(frozen=True, slots=True)
class Step:
    """A token of a single line.

    Attributes:
        token: in lower case.
        node: the ply; None for a placement that fills a drawn board.
    """

    token: str
    node: Node | None


def whole_line(record: Record) -> list[Step]:
    """The main line from the first placement on. A drawn board is written as placements.

    A loss by what lies outside the board is no step: no token of these forms tells it.

    Raises:
        CannotHold: the game begins in the middle of another.
    """
    start = record.game.started.position
    full = all(len(stack) == 1 for stack in start.stacks)
    if start.phase is Phase.MOVEMENT and not full:
        raise CannotHold("this game begins in the middle of another, not with the first placement")
    steps = [] if start == EMPTY_BOARD else [Step(token, None) for token in placements_of(start)]
    return steps + _steps(main_line(tree_of(record.game)))


def _steps(nodes: Iterable[Node]) -> list[Step]:
    return [Step(node.token, node) for node in nodes if node.forfeit is None]


def said_resignation(steps: list[Step], *, writes_passes: bool) -> list[Step]:
    """The line with its resignation as a reader takes it; without one that no token can tell.

    A side resigns when it is its turn, or in the place of its pass where passes are written.
    """
    last = steps[-1].node if steps else None
    if last is None or last.resigned is None or last.resigned is last.entry.position.side:
        return steps
    before = steps[:-1]
    passes = writes_passes or any(step.token == Word.PASS for step in before[:-1])
    if before and before[-1].token == Word.PASS and passes:
        return [*before[:-1], steps[-1]]
    return before


def lost_resignation(record: Record, *, writes_passes: bool) -> Side | None:
    """The side that resigned when no token of a single line can tell it."""
    nodes = list(main_line(tree_of(record.game)))
    if not nodes or nodes[-1].resigned is None:
        return None
    steps = _steps(nodes)
    said = said_resignation(steps, writes_passes=writes_passes)
    return nodes[-1].resigned if said[-1:] != steps[-1:] else None
