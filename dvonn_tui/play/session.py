"""A game being played, and the one port through which it changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from dvonn_tui.core.events import Action
from dvonn_tui.core.game import Game, Listener
from dvonn_tui.core.log import CellMark, Entry
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.view import View
from dvonn_tui.play.clocks import NO_CLOCK, ClockRule, Clocks
from dvonn_tui.play.timekeeping import Halt, Timekeeper
from dvonn_tui.records.turn_clock import TurnClock


class Session:
    """Joins a game with those who play it at one keyboard.

    Whoever plays hands in an action here and waits for the entry like everybody else. The authority
    that answers is the game itself; with a clock the timekeeper is asked before it.

    Attributes:
        game: the game.
        rule: how time is given.
    """

    def __init__(
        self,
        game: Game,
        *,
        rule: ClockRule = NO_CLOCK,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        turn: TurnClock | None = None,
    ) -> None:
        """Play a game. With a clock it stands still until `start_clocks`, or until somebody acts.

        Args:
            now: the monotonic clock, in seconds, by which time is counted.
            wall: seconds since 1970, for the record.
            turn: what was left in the turn in which the game was left; None when it is not gone on with.
        """
        self.game = game
        self.rule = rule
        self._now = now
        self._keeper = Timekeeper(game, rule, now=now, wall=wall, turn=turn) if rule.counted else None

    def submit(self, action: Action, *, after: Entry | None = None) -> tuple[Entry, ...]:
        """Carry out an action at the head, or after an earlier entry as another line.

        An action that comes when a flag has fallen is not carried out: the game ends by the flag. The
        first line that comes to its end becomes the first of the game.

        Raises:
            IllegalAction, GameFinished: the game is as before. During a pause nothing can be played.
        """
        if self._keeper is not None:
            entries = self._keeper.submit(action, after)
        else:
            entries = self.game.play(action, after=after)
        self._put_end_first()
        return entries

    # The clocks

    @property
    def clocks(self) -> Clocks | None:
        """The clocks, to be read at `now`; None when the game has none."""
        return None if self._keeper is None else self._keeper.clocks

    @property
    def turn_clock(self) -> TurnClock | None:
        """What the side to act has left now, to go on with later; None without a clock that is kept here,
        and when the game is over."""
        return None if self._keeper is None else self._keeper.turn_clock

    def now(self) -> float:
        """The reading of the monotonic clock that `clocks` are read with, in seconds."""
        return self._now()

    def start_clocks(self) -> None:
        """The board is shown, and the first player may act."""
        self.go_on(Halt.START)

    def halt(self, reason: Halt) -> None:
        """Let the clocks stand still, if there are any."""
        if self._keeper is not None:
            self._keeper.halt(reason)

    def go_on(self, reason: Halt) -> None:
        """A reason to stand still is gone."""
        if self._keeper is not None:
            self._keeper.go_on(reason)

    @property
    def paused(self) -> bool:
        """True while the players pause: nothing can be played."""
        return self._keeper is not None and Halt.PAUSED in self._keeper.halts

    def flag(self) -> bool:
        """End the game if a flag has fallen. True when that has just ended it."""
        fallen = self._keeper is not None and bool(self._keeper.flag())
        if fallen:
            self._put_end_first()
        return fallen

    def _put_end_first(self) -> None:
        """Let the first line that is played to its end be the game: the library and records show the first
        line, and what was taken back on the way is none. A line that is tried afterwards changes nothing."""
        game = self.game
        if game.position.over and not game.main_line()[-1].position.over:
            for entry in game.path(game.head):
                game.promote(entry)

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
