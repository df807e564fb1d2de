"""The analyst at the table: its panel, and its lines shown on the board."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import Move, Place
from dvonn_tui.core.notation import parse_token
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import decide, due
from dvonn_tui.play.verdict import verdict_at_end, verdict_of
from dvonn_tui.ui.layout import Panels
from dvonn_tui.ui.screens.playing import PlayingScreen
from dvonn_tui.ui.widgets.analysis import AnalysisPanel, Findings, fitting
from dvonn_tui.ui.words import Tone

if TYPE_CHECKING:
    from dvonn_tui.play.analyst import Analyst


class AnalysingScreen(PlayingScreen):
    """Analyses the position that is seen, as long as the panel is on.

    Attributes:
        analysing: the panel is on.
        variant: how the engine runs, once that is known.
    """

    analysing = False
    _analyst: Analyst | None = None
    variant = ""
    _line_shown: tuple[Position, str] | None = None
    """The position and the first move of the line that is shown on the board."""

    def action_analysis(self) -> None:
        """Switch the analysis on or off."""
        self.heard()
        if not self.analysing and self.arrangement is not None and self.arrangement.panels is Panels.LINE:
            self.say("the screen is too low for the analysis", Tone.QUIET)
            return
        self.analysing = not self.analysing
        self._line_shown = None
        self.set_class(self.analysing, "-analysis")
        if self.analysing:
            self.open_analyst()
        self.update()

    def open_analyst(self) -> Analyst:
        """The analyst, who comes when he is first called."""
        if self._analyst is None:
            self._analyst = self.home.company.analyst(self.analysis_changed)
            self.run_worker(self._find_variant(), group="variant", exclusive=True)
        return self._analyst

    async def _find_variant(self) -> None:
        """Find out how the engine runs. Loading it may take a moment, so it is done beside the loop."""
        if self._analyst is not None and self._analyst.own:
            self.variant = await asyncio.to_thread(_variant)
            self.update()

    def analysis_changed(self) -> None:
        """The analyst has found something."""
        if self.is_mounted and self.analysing:
            self._show_analysis()

    def _show_panels(self, attention: Any) -> None:
        super()._show_panels(attention)
        if self._analyst is not None:
            self._analyst.look(self.hand.position if self.wants_analysis else None)
            self._show_analysis()

    @property
    def _analysis_seen(self) -> bool:
        """True when the panel is on and there is room for it."""
        return self.analysing and self.arrangement is not None and self.arrangement.panels is not Panels.LINE

    @property
    def wants_analysis(self) -> bool:
        """True when the analyst is to think about the position that is seen."""
        return self._analysis_seen

    def _show_analysis(self) -> None:
        if self._analysis_seen:
            self.analysis_panel.show(self.findings())

    def findings(self) -> Findings:
        """What the panel shows of the position that is seen."""
        position = self.hand.position
        if position.over:
            return Findings(self.variant, verdict_at_end(position), told="the game is over")
        if position.phase is Phase.PLACEMENT:
            return Findings(self.variant, told="Moves have a value once all pieces are placed.")
        if due(position):
            return Findings(self.variant, told=f"{position.side.word} has no move and passes.")
        assert self._analyst is not None
        found = self._analyst.analysis
        if found.position is not position or (not found.thoughts and not found.trouble):
            return Findings(self.variant, told="thinking")
        shown = None
        if self._line_shown is not None and self._line_shown[0] is position:
            firsts = [thought.line[0] for thought in found.thoughts]
            shown = firsts.index(self._line_shown[1]) if self._line_shown[1] in firsts else None
        verdict = verdict_of(found.best) if found.best is not None else None
        return Findings(self.variant, verdict, found.thoughts, shown, trouble=found.trouble)

    def on_analysis_panel_chosen(self, message: AnalysisPanel.Chosen) -> None:
        """A line was clicked."""
        self.action_analysis_line(message.line)

    def action_analysis_line(self, which: int) -> None:
        """Show a line on the board: its first move as if the player considered it. Nothing is played."""
        self.heard()
        position = self.hand.position
        thoughts = self.findings().thoughts if self._analysis_seen else ()
        if which >= len(thoughts):
            self.say("there is no such line" if self._analysis_seen else "the analysis is off", Tone.QUIET)
            return
        thought = thoughts[which]
        try:
            action = parse_token(thought.line[0])
            if not isinstance(action, Move | Place):
                return
            decide(position, action)
        except DvonnError as refusal:
            self.refuse(refusal)
            return
        self.consider(action)
        self._line_shown = (position, thought.line[0])
        moves = fitting(thought.line, max(self.size.width - 34, 12), self.home.signs.ellipsis)
        self._said = (
            (f"line {which + 1}:", Tone.QUIET),
            (moves, Tone.STRONG),
            (f"  {verdict_of(thought).words}", Tone.PLAIN),
        )
        self.update()

    def consider(self, action: Move | Place) -> None:
        """Show an action on the board as if the player thought about it, so that enter plays it."""
        self.hand.let_go()
        if isinstance(action, Move):
            self.hand.picked = action.source
            self.hand.look(action.target)
        else:
            self.hand.look(action.cell)


def _variant() -> str:
    """How the engine of this program runs."""
    from dvonn_tui.engine.backend import VARIANT

    return VARIANT
