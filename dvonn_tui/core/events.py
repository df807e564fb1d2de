"""What players do, and what then happened.

Actions are wishes and can be refused; events are facts. `dvonn_tui.core.rules.decide` turns an action
into events, `evolve` turns a position and an event into the next position without asking any rule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.pieces import EMPTY, Piece, Side, Stack
from dvonn_tui.core.position import Outcome, Phase, Position, Reason, Score


@dataclass(frozen=True, slots=True)
class Place:
    """Put the piece that is next on an empty cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class PlaceRest:
    """Put all pieces that are still to be placed on cells drawn from a seed."""

    seed: int


@dataclass(frozen=True, slots=True)
class Move:
    """Move a stack onto another."""

    source: Cell
    target: Cell


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up."""

    side: Side


@dataclass(frozen=True, slots=True)
class AgreeDraw:
    """End the game as a draw that both sides agreed to."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The game is lost for a side by what lies outside the board: `Reason.TIME` or `Reason.ABSENCE`.

    Whoever keeps the clocks and the seats decides that it has come to this.
    """

    side: Side
    reason: Reason


Action = Place | PlaceRest | Move | Resign | AgreeDraw | Forfeit


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began from a position.

    Attributes:
        position: where it began.
        setup: how the board was filled, a value of `dvonn_tui.core.setups.Setup`.
        seed: what the set-up was drawn from; None when nothing was drawn.
        white, black: the players' names.
    """

    position: Position
    setup: str
    seed: int | None
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class PiecePlaced:
    """A side put a piece on an empty cell."""

    cell: Cell
    piece: Piece
    by: Side


@dataclass(frozen=True, slots=True)
class StackMoved:
    """A side moved the whole stack of one cell onto another."""

    source: Cell
    target: Cell
    by: Side


@dataclass(frozen=True, slots=True)
class StacksRemoved:
    """Stacks that had lost their link to every red piece left the board."""

    cells: tuple[tuple[Cell, Stack], ...]


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A side without a move passed, as it must."""

    by: Side


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; no winner means a draw."""

    winner: Side | None
    reason: Reason
    score: Score


Event = GameStarted | PiecePlaced | StackMoved | StacksRemoved | TurnPassed | GameEnded


def evolve(position: Position, event: Event) -> Position:
    """The position after an event. Asks no rule and never fails for an event that `decide` gave."""
    match event:
        case StackMoved(source, target, by):
            stacks = list(position.stacks)
            stacks[target] += stacks[source]
            stacks[source] = EMPTY
            return Position(tuple(stacks), position.phase, by.other)
        case StacksRemoved(cells):
            stacks = list(position.stacks)
            for cell, _ in cells:
                stacks[cell] = EMPTY
            return Position(tuple(stacks), position.phase, position.side)
        case PiecePlaced(cell, piece, by):
            stacks = list(position.stacks)
            stacks[cell] = (piece,)
            if all(stacks):
                return Position(tuple(stacks), Phase.MOVEMENT, Side.WHITE)
            return Position(tuple(stacks), position.phase, by.other)
        case TurnPassed(by):
            return Position(position.stacks, position.phase, by.other)
        case GameEnded(winner, reason, _):
            return replace(position, phase=Phase.OVER, outcome=Outcome(winner, reason, position.phase))
        case GameStarted(start):
            return start


@dataclass(frozen=True, slots=True)
class Change:
    """What a cell held before and after."""

    cell: Cell
    before: Stack
    after: Stack


@dataclass(frozen=True, slots=True)
class Diff:
    """All that differs between two positions; each pair is (before, after)."""

    cells: tuple[Change, ...]
    side: tuple[Side, Side]
    phase: tuple[Phase, Phase]
    score: tuple[Score, Score]
    outcome: tuple[Outcome | None, Outcome | None]

    def reversed(self) -> Diff:
        """The diff of the way back."""
        return Diff(
            tuple(Change(change.cell, change.after, change.before) for change in self.cells),
            self.side[::-1],
            self.phase[::-1],
            self.score[::-1],
            self.outcome[::-1],
        )


def diff(before: Position, after: Position) -> Diff:
    """What differs between any two positions: a step, a step back, a jump or a branch."""
    changes = tuple(
        Change(Cell(cell), was, now)
        for cell, (was, now) in enumerate(zip(before.stacks, after.stacks, strict=True))
        if was != now
    )
    score = before.score
    return Diff(
        changes,
        (before.side, after.side),
        (before.phase, after.phase),
        (score, after.score if changes else score),
        (before.outcome, after.outcome),
    )


def apply_diff(position: Position, change: Diff) -> Position:
    """The position after a diff that was taken from it.

    Raises:
        ValueError: the diff does not start from this position.
    """
    if (position.side, position.phase, position.outcome) != (
        change.side[0],
        change.phase[0],
        change.outcome[0],
    ):
        raise ValueError("this diff starts from another position")
    stacks = list(position.stacks)
    for cell in change.cells:
        if stacks[cell.cell] != cell.before:
            raise ValueError("this diff starts from another position")
        stacks[cell.cell] = cell.after
    return Position(tuple(stacks), change.phase[1], change.side[1], change.outcome[1])
