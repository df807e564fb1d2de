"""The clocks on the screen: painted when they look different; a flag that falls ends the game."""

from __future__ import annotations

import asyncio
from math import inf
from typing import Final

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.clocks import Clocks
from dvonn_tui.play.session import Session
from dvonn_tui.ui.clock_faces import ClockFace, Urgency, next_look
from dvonn_tui.ui.screens.table import TableScreen

LONGEST_WAIT: Final = 1.0
"""Seconds between two looks at a running clock at most: also during a delay what is left of it is kept."""

LEAST_PAUSE: Final = 0.5
"""Seconds between two questions whether what is left has to be written down, at least. Whole seconds would
miss every other look at a clock that shows no tenths."""


class TimingScreen(TableScreen):
    """Follows the clocks of the session that is shown. Without clocks it does nothing at all."""

    _followed: Clocks | None = None
    """The clocks that the timer was set for."""
    _clock_timer: asyncio.TimerHandle | None = None
    _kept_at = -inf
    """When it was last asked whether what is left has to be written down, as the session counts time."""
    _urgent: Side | None = None
    """The side for which the bell has rung, as long as it has little left."""

    def use_session(self, session: Session) -> None:
        """Show another game, with its own clocks or none."""
        self._urgent = None
        super().use_session(session)

    def _update(self) -> None:
        super()._update()
        if self.is_mounted and self.session.clocks != self._followed:
            self._follow_clocks()

    def _follow_clocks(self) -> None:
        """Look again when the running clock looks different or its flag falls."""
        self._let_timer_go()
        clocks = self._followed = self.session.clocks
        wait = None if clocks is None else next_look(clocks, self.session.now())
        if wait is not None:
            # Textual's timers are tasks: to set one anew ten times a second costs more than the look itself.
            loop = asyncio.get_running_loop()
            self._clock_timer = loop.call_later(min(wait, LONGEST_WAIT), self._on_timer)
        if clocks is not None:
            self._keep(clocks)

    def _keep(self, clocks: Clocks) -> None:
        """Have it written down what is left, at a halt or if that is due. Not asked with every tenth."""
        now = self.session.now()
        if clocks.running is None or not 0 <= now - self._kept_at < LEAST_PAUSE:
            self._kept_at = now
            self.home.autosave.keep_clock(at_once=clocks.running is None)

    def _let_timer_go(self) -> None:
        if self._clock_timer is not None:
            self._clock_timer.cancel()
            self._clock_timer = None

    def _on_timer(self) -> None:
        """It is time to look. What goes wrong is told as what goes wrong in Textual's timers."""
        self._clock_timer = None
        if not self.is_mounted or self.app._exit:
            return
        try:
            self.look_at_clocks()
        except Exception as error:
            self.app._handle_exception(error)

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        self._let_timer_go()

    def look_at_clocks(self) -> None:
        """Show what the clocks show now. A flag that has fallen ends the game."""
        if self.session.flag():
            # Whoever looks back is to see how it ended.
            self.heard()
            self.hand.view.present()
            self.update()
            return
        shown = self.clock_faces()
        if shown is not None and self.arrangement is not None:
            if self.arrangement.card:
                self.card.show_clocks(shown)
            else:
                self.players.show_clocks(shown)
            self._ring(dict(zip(Side, shown, strict=True)))
        self._follow_clocks()

    def _ring(self, shown: dict[Side, ClockFace]) -> None:
        """Ring once when little is left to a person whose clock runs, and again only after it had more."""
        if self._urgent is not None and shown[self._urgent].urgency is not Urgency.NOW:
            self._urgent = None
        for side, face in shown.items():
            if face.running and face.urgency is Urgency.NOW and self._urgent is not side:
                self._urgent = side
                if self.home.settings.bell and self.plays_here(side):
                    self.app.bell()
