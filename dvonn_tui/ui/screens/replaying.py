"""Replaying a game: by itself at a pace, or from one event to the next."""

from __future__ import annotations

from typing import Final

from textual.timer import Timer

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.events import StackMoved, StacksRemoved
from dvonn_tui.core.log import Entry, Ply
from dvonn_tui.play.happenings import Happening, happenings_of
from dvonn_tui.play.session import Session
from dvonn_tui.play.verdict import WASTE_MARK
from dvonn_tui.ui.keys import COMMANDS_BY_ID
from dvonn_tui.ui.screens.annotating import AnnotatingScreen
from dvonn_tui.ui.widgets.board import Moved
from dvonn_tui.ui.words import Tone

LEAST_PACE: Final = 0.1
"""Seconds between two plies of a replay at least, so that each of them is seen."""

MISTAKE: Final = "mistake"

_REPLAY: Final = COMMANDS_BY_ID["replay"]
_PACE: Final = COMMANDS_BY_ID["pace"]
_REVIEW: Final = COMMANDS_BY_ID["review"]


class ReplayingScreen(AnnotatingScreen):
    """Replays the line that is seen. The game itself stays as it is.

    Attributes:
        replaying: the entry that the replay has come to; None while none runs. If something else is
            seen, somebody went there, and the replay is over.
    """

    replaying: Entry | None = None
    _replay_timer: Timer | None = None
    _shown_ply: Ply | None = None
    """The ply that the replay just went over, until it is shown."""

    def use_session(self, session: Session) -> None:
        """Show another game. No replay goes on."""
        self._stop_replay()
        super().use_session(session)

    def action_replay(self) -> None:
        """Start the replay from what is seen, from the first move when that is the end; or stop it."""
        self.heard()
        if self.replaying is not None:
            self._stop_replay()
            self.say("the replay is stopped", Tone.QUIET)
            return
        view = self.hand.view
        if len(view.plies) < 2:
            self.say("nothing was played yet", Tone.QUIET)
            return
        if view.index == len(view.plies) - 1:
            placements = view.plies[-1].last.placements
            first = placements if placements + 1 < len(view.plies) else 0
            view.step(first - view.index)
        self.hand.played()
        self.replaying = view.entry
        self._wait_for_next()
        self._say_replay()

    def _say_replay(self) -> None:
        key = self.keymap.shown(_REPLAY, 1)
        pace = self.keymap.shown(_PACE, 1)
        self.say(f"replay, {max(self.home.company.pace, LEAST_PACE):g} s a ply: {key} stops, {pace} speed",
                 Tone.QUIET)  # fmt: skip

    def _wait_for_next(self) -> None:
        self._replay_timer = self.set_timer(max(self.home.company.pace, LEAST_PACE), self._replay_on)

    def _replay_on(self) -> None:
        """One ply further, unless somebody looks elsewhere meanwhile."""
        view = self.hand.view
        if self.replaying is None or view.entry is not self.replaying or self._walking:
            self._stop_replay()
            return
        if view.step(1):
            self._shown_ply = view.plies[view.index]
            self.hand.played()
            self.replaying = view.entry
        if view.index < len(view.plies) - 1:
            self._wait_for_next()
            self.update()
        else:
            self._stop_replay()
            self.say("the replay is at its end", Tone.QUIET)

    def _stop_replay(self) -> None:
        self.replaying = None
        if self._replay_timer is not None:
            self._replay_timer.stop()
            self._replay_timer = None

    def action_let_go(self) -> None:
        """Stop a replay, else let go of the stack."""
        if self.replaying is None:
            super().action_let_go()
            return
        self._stop_replay()
        self.say("the replay is stopped", Tone.QUIET)

    def press(self, cell: Cell) -> None:
        """A cell was chosen. During a replay that stops it: what lies there now is soon gone."""
        if self.replaying is None:
            super().press(cell)
        else:
            self.action_let_go()

    def action_pace(self) -> None:
        """Another speed, for engines that play each other and for the replay."""
        self.heard()
        pace = self.home.company.next_pace()
        if self.replaying is not None:
            self._say_replay()
        else:
            self.say(f"engines play a ply every {pace:g} s at most", Tone.QUIET)

    def _moved(self, news: tuple[Entry, ...]) -> Moved | None:
        """The move to be animated: that of the game, or that of the replay."""
        ply, self._shown_ply = self._shown_ply, None
        if ply is None or not self.home.animated:
            return super()._moved(news)
        event, parent = ply.first.event, self.session.game.parent(ply.first)
        if not isinstance(event, StackMoved) or parent is None or ply is not self._ply_seen:
            return super()._moved(news)
        lost = [entry.event.cells for entry in ply.entries if isinstance(entry.event, StacksRemoved)]
        return Moved(parent.position.stacks, event.source, event.target, lost[0] if lost else ())

    @property
    def _ply_seen(self) -> Ply:
        view = self.hand.view
        return view.plies[view.index]

    # From one event to the next

    def action_jump(self, what: str, step: int) -> None:
        """Go to the next ply, or the one before, on which something of a kind happened."""
        self.heard()
        view = self.hand.view
        plies = range(view.index + 1, len(view.plies)) if step > 0 else range(view.index - 1, 0, -1)
        if what == MISTAKE and not self.judged:
            key = self.keymap.shown(_REVIEW, 1)
            self.say(f"mistakes are found by a review: {key} reviews a finished game", Tone.QUIET)
            return
        for index in plies:
            if self._happened(what, view.plies[index]):
                self.look_at(view.plies[index].last.number)
                return
        told = f"no {what} {'after' if step > 0 else 'before'} this ply"
        if what == MISTAKE and self.reviewed is not None:
            told += " so far: the review goes on"
        self.say(told, Tone.QUIET)

    def _happened(self, what: str, ply: Ply) -> bool:
        if what == MISTAKE:
            return self.marks().get(ply.last.number, "") not in ("", WASTE_MARK)
        parent = self.session.game.parent(ply.first)
        return parent is not None and Happening(what) in happenings_of(ply, parent.position)
