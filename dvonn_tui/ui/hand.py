"""The player's hand at the board: what is pointed at, what is picked, what is seen of the game."""

from __future__ import annotations

from collections.abc import Iterable

from dvonn_tui.art.lattice import Lattice, ScreenDirection
from dvonn_tui.core.cells import CELLS, CENTRE, COORDINATES, RAYS, Cell
from dvonn_tui.core.errors import GameFinished, IllegalAction
from dvonn_tui.core.events import Move, Place
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import check_move, check_placement, check_source
from dvonn_tui.core.view import View
from dvonn_tui.play.attention import Attention, attend, movable_stacks


class Hand:
    """Turns pointing and pressing into actions. Knows the rules only by asking them.

    Attributes:
        view: what is seen of the game.
        cursor: the cell of the keyboard cursor.
        picked: the stack that was picked to move.
        pending: a move that waits to be confirmed.
        pinned: the cell that the inspector stays on.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.cursor: Cell = CENTRE
        self.picked: Cell | None = None
        self.pending: Move | None = None
        self.pinned: Cell | None = None
        self._pointer: Cell | None = None
        self._by_mouse = True

    @property
    def position(self) -> Position:
        """The position that is seen."""
        return self.view.position

    @property
    def focus(self) -> Cell | None:
        """The cell under the pointer, or under the cursor when a key was used last."""
        if self.pending is not None:
            return self.pending.target
        return self._pointer if self._by_mouse else self.cursor

    @property
    def by_mouse(self) -> bool:
        """True when the mouse was used last, not the cursor."""
        return self._by_mouse

    @property
    def attention(self) -> Attention:
        """What is looked at, and what would come of it."""
        return attend(self.position, self.focus, self.picked)

    def point(self, cell: Cell | None) -> None:
        """The mouse came onto a cell, or left all of them."""
        self._pointer = cell
        self._by_mouse = True

    def look(self, cell: Cell) -> None:
        """Put the cursor on a cell by a key."""
        self.cursor = cell
        self._by_mouse = False

    def let_go(self) -> bool:
        """Take back the waiting move, or drop the picked stack. False when there was neither."""
        held = self.picked is not None
        self.pending = None
        self.picked = None
        return held

    def press(self, cell: Cell, *, confirm: bool) -> Move | Place | None:
        """A cell was clicked or chosen by key.

        With `confirm` a move is only shown the first time and returned the second time.

        Returns:
            What is to be played; None when something was picked, shown or let go.

        Raises:
            IllegalAction, GameFinished: nothing can be done with this cell; the reason says why.
        """
        self.cursor = cell
        if self.position.over:
            raise GameFinished("the game is over")
        if self.position.phase is Phase.PLACEMENT:
            check_placement(self.position, cell)
            return Place(cell)
        if self.pending is not None and cell != self.pending.target:
            self.let_go()
            return None
        if self.picked is None:
            check_source(self.position, cell)
            self.picked = cell
            return None
        return self._press_target(self.picked, cell, confirm)

    def _press_target(self, picked: Cell, cell: Cell, confirm: bool) -> Move | None:
        move = Move(picked, cell)
        try:
            check_move(self.position, picked, cell)
        except IllegalAction:
            if cell == picked:
                self.let_go()
                return None
            if cell in movable_stacks(self.position):
                self.picked = cell
                return None
            raise
        if confirm and self.pending != move:
            self.pending = move
            return None
        self.let_go()
        return move

    def played(self) -> None:
        """The position changed: what was picked belongs to the one before."""
        self.let_go()

    def go(self, direction: ScreenDirection, lattice: Lattice) -> None:
        """Move the cursor one cell, or with a stack picked onto its target in that direction."""
        start = self.focus if self._by_mouse and self.focus is not None else self.cursor
        if self.pending is not None:
            self.let_go()
        there = self._target_towards((direction,), lattice) or lattice.neighbour_on_screen(start, direction)
        self.look(start if there is None else there)

    def go_vertically(self, *, up: bool, lattice: Lattice) -> None:
        """Move the cursor a row up or down, to and fro so that it keeps to its column."""
        left = ScreenDirection.UP_LEFT if up else ScreenDirection.DOWN_LEFT
        right = ScreenDirection.UP_RIGHT if up else ScreenDirection.DOWN_RIGHT
        start = self.focus if self._by_mouse and self.focus is not None else self.cursor
        if self.pending is not None:
            self.let_go()
        # Right from odd rows and left from even ones: so up and down undo each other.
        order = (right, left) if COORDINATES[start][1] % 2 else (left, right)
        there = self._target_towards(order, lattice)
        steps: Iterable[Cell | None] = (lattice.neighbour_on_screen(start, step) for step in order)
        there = there or next((step for step in steps if step is not None), None)
        self.look(start if there is None else there)

    def _target_towards(self, directions: Iterable[ScreenDirection], lattice: Lattice) -> Cell | None:
        """The first target of the picked stack in one of the directions, if it has any there."""
        if self.picked is None:
            return None
        found = []
        for direction in directions:
            nearest = lattice.neighbour_on_screen(self.picked, direction)
            ray = next((ray for ray in RAYS[self.picked] if ray and ray[0] == nearest), ())
            found += [cell for cell in ray if cell in self.attention.targets]
        # With two ways up, the second press takes the other one.
        if self.cursor in found and len(found) > 1:
            return found[(found.index(self.cursor) + 1) % len(found)]
        return found[0] if found else None

    def next_stack(self, step: int) -> None:
        """Put the cursor on the next stack that can move, or on the next target of the picked one."""
        if self.position.phase is Phase.PLACEMENT:
            choices = [cell for cell in CELLS if not self.position.stacks[cell]]
        elif self.picked is not None:
            choices = sorted(self.attention.targets)
        else:
            choices = list(movable_stacks(self.position))
        if not choices:
            return
        if self.pending is not None:
            self.pending = None
        start = self.cursor
        later = (
            [cell for cell in choices if cell > start]
            if step > 0
            else [cell for cell in choices if cell < start]
        )
        if later:
            self.look(later[0] if step > 0 else later[-1])
        else:
            self.look(choices[0] if step > 0 else choices[-1])
