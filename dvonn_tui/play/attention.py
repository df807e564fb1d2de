"""What a player looks at, and what would come of it: everything that is shown before a move is made."""

from __future__ import annotations

from dataclasses import dataclass

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.events import Event, GameEnded, Move, StacksRemoved, TurnPassed
from dvonn_tui.core.pieces import EMPTY, Side, Stack, owner
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import moves_of, play, targets


@dataclass(frozen=True, slots=True)
class Preview:
    """What a legal move would do."""

    move: Move
    before: Position
    after: Position
    events: tuple[Event, ...]

    @property
    def moved(self) -> Stack:
        """The stack that would move."""
        return self.before.stacks[self.move.source]

    @property
    def under(self) -> Stack:
        """The stack that it would land on."""
        return self.before.stacks[self.move.target]

    @property
    def result(self) -> Stack:
        """The stack that both would make, whether or not it stays on the board."""
        return self.under + self.moved

    @property
    def removed(self) -> tuple[tuple[Cell, Stack], ...]:
        """The stacks that would leave the board."""
        for event in self.events:
            if isinstance(event, StacksRemoved):
                return event.cells
        return ()

    def lost_by(self, side: Side) -> int:
        """The heights of the removed stacks of a side, summed."""
        return sum(len(stack) for _, stack in self.removed if owner(stack) is side)

    @property
    def passes(self) -> Side | None:
        """The side that would have to pass right after the move."""
        return next((event.by for event in self.events if isinstance(event, TurnPassed)), None)

    @property
    def end(self) -> GameEnded | None:
        """The end of the game, when the move would bring it."""
        return next((event for event in self.events if isinstance(event, GameEnded)), None)


@dataclass(frozen=True, slots=True)
class Attention:
    """A position, and what of it is looked at.

    Attributes:
        position: the position.
        focus: the cell under the pointer or the cursor.
        picked: the stack that was picked to move.
        selected: the stack whose targets are shown: the picked one, else the one in focus.
        targets: where that stack may go.
        preview: the move that is being considered: from the picked stack to the focus.
    """

    position: Position
    focus: Cell | None = None
    picked: Cell | None = None
    selected: Cell | None = None
    targets: frozenset[Cell] = frozenset()
    preview: Preview | None = None

    @property
    def aim(self) -> Cell | None:
        """The target of the move that is being considered."""
        return self.preview.move.target if self.preview else None

    @property
    def doomed(self) -> frozenset[Cell]:
        """Cells that the considered move would empty by cutting their stacks off.

        The target is among them when the moved stack would be lost itself.
        """
        return frozenset(cell for cell, _ in self.preview.removed) if self.preview else frozenset()

    def stack(self, cell: Cell | None) -> Stack:
        """The stack on a cell; nothing when there is no cell."""
        return EMPTY if cell is None else self.position.stacks[cell]


def attend(position: Position, focus: Cell | None, picked: Cell | None) -> Attention:
    """Work out all that is to be shown about a cell in focus and a picked stack."""
    if position.phase is not Phase.MOVEMENT:
        return Attention(position, focus)
    selected = focus if picked is None else picked
    if selected is None or not position.stacks[selected]:
        return Attention(position, focus)
    reachable = frozenset(targets(position, selected))
    preview = None
    if picked is not None and focus in reachable and owner(position.stacks[picked]) is position.side:
        move = Move(picked, focus)
        events, after = play(position, move)
        preview = Preview(move, position, after, events)
    shown = selected if picked is not None or reachable else None
    return Attention(position, focus, picked, shown, reachable, preview)


def movable_stacks(position: Position) -> tuple[Cell, ...]:
    """The stacks that the side to move can move, in reading order."""
    if position.phase is not Phase.MOVEMENT:
        return ()
    return tuple(dict.fromkeys(move.source for move in moves_of(position, position.side)))
