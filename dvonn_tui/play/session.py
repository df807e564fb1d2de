"""A game being played, and the one port through which it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dvonn_tui.core.events import Action
from dvonn_tui.core.game import Game, Listener
from dvonn_tui.core.log import CellMark, Entry
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.view import View


class Session:
    """Joins a game with those who play it at one keyboard.

    Whoever plays hands in an action here and waits for the entry like everybody else. The authority
    that answers is the game itself.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def submit(self, action: Action, *, after: Entry | None = None) -> tuple[Entry, ...]:
        """Carry out an action at the head, or after an earlier entry as another line.

        Raises:
            IllegalAction, GameFinished: the game is as before.
        """
        return self.game.play(action, after=after)

    def undo(self) -> bool:
        """Take back the last action with all that it caused. False when there is none."""
        return self.game.undo()

    def redo(self) -> bool:
        """Play again what was taken back. False when there is nothing."""
        return self.game.redo()

    def comment(self, entry: Entry, text: str) -> None:
        """Write about the ply of an entry; an empty text takes away what was written."""
        self.game.comment(entry, text)

    def mark_cells(self, entry: Entry, marks: Iterable[CellMark]) -> None:
        """Mark cells in the position after the ply of an entry, in place of those marked there.

        Raises:
            IllegalAction: there is no such cell.
        """
        self.game.mark_cells(entry, marks)

    def promote(self, entry: Entry) -> None:
        """Make the line that begins with an entry the first of those that begin where it does."""
        self.game.promote(entry)

    def hide(self, entry: Entry) -> bool:
        """Hide the line that begins with an entry. False when the game itself stands in it."""
        self.game.hide(entry)
        return self.game.is_hidden(entry)

    def show(self, entry: Entry) -> None:
        """Show a hidden line again."""
        self.game.show(entry)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener of every entry. Returns what ends that."""
        return self.game.subscribe(listener)

    def view(self) -> View:
        """A new view of the game, at its head."""
        return View(self.game)

    def name_of(self, side: Side) -> str:
        """The name of the player of a side."""
        started = self.game.started
        return started.white if side is Side.WHITE else started.black

    @property
    def running(self) -> bool:
        """True when something was played, even if it was taken back, and the game is not over."""
        return self.game.log[-1].action > 0 and not self.game.position.over
