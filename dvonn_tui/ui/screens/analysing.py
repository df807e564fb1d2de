"""The analyst at the table: its panel, and its lines shown on the board."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import Move, PiecePlaced, Place, StackMoved
from dvonn_tui.core.game import Game, Step
from dvonn_tui.core.log import Ply
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import due
from dvonn_tui.core.script import Script
from dvonn_tui.play.attention import attend
from dvonn_tui.play.session import Session
from dvonn_tui.play.values import Values
from dvonn_tui.play.verdict import AT_RANDOM, RED_BY_RULE, verdict_at_end, verdict_of
from dvonn_tui.ui.curves import Curve, Graph, value_curve
from dvonn_tui.ui.keys import COMMANDS_BY_ID, Keymap
from dvonn_tui.ui.layout import Arrangement, Panels
from dvonn_tui.ui.scenes import scene_of
from dvonn_tui.ui.screens.playing import PlayingScreen
from dvonn_tui.ui.widgets.analysis import AnalysisPanel, Findings, fitting
from dvonn_tui.ui.widgets.board import Board, Moved
from dvonn_tui.ui.widgets.graph import GraphPanel
from dvonn_tui.ui.words import Tone

if TYPE_CHECKING:
    from dvonn_tui.play.analyst import Analyst
    from dvonn_tui.play.thoughts import Thought

TOO_LOW_FOR_ANALYSIS: Final = "the screen is too low for the analysis"
TOO_LOW_FOR_GRAPH: Final = "the screen is too low for the graph"


@dataclass(frozen=True, slots=True)
class Walk:
    """A line that is shown on the board.

    Attributes:
        position: where it begins.
        line: its number, from 0.
        thought: the line.
        plies: its plies as far as they can be played; element 0 is the start.
        at: how many of them are shown.
    """

    position: Position
    line: int
    thought: Thought
    plies: tuple[Ply, ...]
    at: int = 1


def walk_of(position: Position, line: int, thought: Thought) -> Walk:
    """A walk along a line, as far as the rules allow it. Raises DvonnError if not even one move is."""
    game = Game.at(position)
    script = Script(game)
    for number, token in enumerate(thought.line):
        try:
            script.play(token)
        except DvonnError:
            if number == 0:
                raise
            break
    return Walk(position, line, thought, game.plies(game.head))


class AnalysingScreen(PlayingScreen):
    """Analyses the position that is seen, as long as the panel is on.

    Attributes:
        analysing: the panel is on.
        variant: how the engine runs, once that is known.
        graph: what the graph over the game shows.
        values: what is known of the positions of the game.
    """

    analysing = False
    graph = Graph.SCORE
    _analyst: Analyst | None = None
    variant = ""
    _walk: Walk | None = None
    """The line that is shown on the board, as long as there is no other input."""

    def __init__(self, session: Session, keymap: Keymap) -> None:
        super().__init__(session, keymap)
        self.values = Values()

    def action_analysis(self) -> None:
        """Switch the analysis on or off."""
        self.heard()
        if not self.analysing and self.arrangement is not None and not self._analysis_has_room:
            self.say(TOO_LOW_FOR_ANALYSIS, Tone.QUIET)
            return
        self.analysing = not self.analysing
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
            self._take_down()
            self._show_analysis()

    def _take_down(self) -> None:
        """Keep what was found of the position that is seen, and draw it into the graph."""
        assert self._analyst is not None
        found, view = self._analyst.analysis, self.hand.view
        if found.best is None or found.position is not view.position:
            return
        before = self.values.version
        verdict = verdict_of(found.best)
        if verdict is not None:
            self.values.note(view.entry.number, verdict, found.best.depth)
        if self.graph is Graph.VALUE and self.values.version != before:
            self.show_graph()

    def curve(self) -> Curve:
        """What the graph shows, as far as it is known."""
        if self.graph is Graph.SCORE:
            return super().curve()
        view = self.hand.view
        return value_curve(view.plies, view.index, self.marks(), self.values.along(view.plies))

    def action_graph(self) -> None:
        """Show the value over the game in place of the score, or the score again."""
        self.heard()
        self.use_graph(Graph.SCORE if self.graph is Graph.VALUE else Graph.VALUE)

    def use_graph(self, graph: Graph) -> None:
        """Show the score or the value over the game."""
        self.graph = graph
        curve = self.curve()
        known = any(height is not None for height in curve.heights)
        if graph is Graph.VALUE and not self._graph_has_room:
            self.graph = Graph.SCORE
            self.say(TOO_LOW_FOR_GRAPH, Tone.QUIET)
        elif graph is Graph.VALUE and not known:
            analysis, review = (self.keymap.shown(COMMANDS_BY_ID[each], 1) for each in ("analysis", "review"))
            told = (
                f"no value is known yet: {analysis} analyses what is seen, {review} reviews a finished game"
            )
            self.say(told, Tone.QUIET)
        self.update()

    @property
    def _graph_has_room(self) -> bool:
        """True when the value over the game can be shown on this screen."""
        if self.arrangement is None:
            return False
        low = not self.arrangement.roomy and self.arrangement.panels is Panels.ACROSS
        return self.arrangement.panels is not Panels.LINE and not low

    def on_graph_panel_switched(self, message: GraphPanel.Switched) -> None:
        """The title of a graph was clicked."""
        self.heard()
        self.use_graph(message.graph)

    def _show_panels(self, attention: Any) -> None:
        super()._show_panels(attention)
        if self._analyst is not None:
            self._analyst.look(self.hand.position if self.wants_analysis else None)
            self._show_analysis()

    @property
    def _analysis_has_room(self) -> bool:
        """True when the panel can be shown on this screen."""
        return self.arrangement is not None and self.arrangement.panels is not Panels.LINE

    @property
    def _analysis_seen(self) -> bool:
        """True when the panel is on and there is room for it."""
        return self.analysing and self._analysis_has_room

    def _take_arrangement(self, arrangement: Arrangement | None) -> None:
        """Take back what was said of too little room when there is room now."""
        super()._take_arrangement(arrangement)
        has_room = {
            TOO_LOW_FOR_ANALYSIS: self._analysis_has_room,
            TOO_LOW_FOR_GRAPH: self._graph_has_room,
        }
        if any(has_room.get(text, False) for text, _ in self._said):
            self._said = ()

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
        if due(position):
            return Findings(self.variant, told=f"{position.side.word} has no move and passes.")
        assert self._analyst is not None
        found = self._analyst.analysis
        if found.position is not position or (not found.thoughts and not found.trouble):
            return Findings(self.variant, told="thinking")
        shown = None
        if self._walk is not None and self._walk.position is position:
            firsts = [thought.line[0] for thought in found.thoughts]
            first = self._walk.thought.line[0]
            shown = firsts.index(first) if first in firsts else None
        verdict = verdict_of(found.best) if found.best is not None else None
        told = ""
        if position.phase is Phase.PLACEMENT and not found.trouble:
            told = RED_BY_RULE if verdict is None else f"An estimate, {AT_RANDOM}."
        return Findings(self.variant, verdict, found.thoughts, shown, told, found.trouble)

    def on_analysis_panel_chosen(self, message: AnalysisPanel.Chosen) -> None:
        """A line was clicked."""
        self.action_analysis_line(message.line)

    def action_analysis_line(self, which: int) -> None:
        """Walk along a line on the board, a ply further each time. Nothing is played.

        Its first move is shown as if the player considered it, those after it as if they were played.
        """
        walk, position = self._walk, self.hand.position
        if walk is not None and walk.line == which and walk.position is position:
            self._walk_to(walk, walk.at + 1)
            return
        self.heard()
        thoughts = self.findings().thoughts if self._analysis_seen else ()
        if which >= len(thoughts):
            self.say("there is no such line" if self._analysis_seen else "the analysis is off", Tone.QUIET)
            return
        try:
            walk = walk_of(position, which, thoughts[which])
        except DvonnError as refusal:
            self.refuse(refusal)
            return
        self._walk_to(walk, 1)

    def _walk_to(self, walk: Walk, at: int) -> None:
        """Show a line after so many plies; before its first and after its last the game again."""
        self.heard()
        self.hand.let_go()
        if not 1 <= at < len(walk.plies):
            self.say("this is the end of the line" if at else "this is the start", Tone.QUIET)
            return
        self._walk = replace(walk, at=at)
        event = walk.plies[1].first.event
        if at == 1 and isinstance(event, StackMoved):
            self.consider(Move(event.source, event.target))
        elif at == 1 and isinstance(event, PiecePlaced):
            self.consider(Place(event.cell))
        verdict = verdict_of(walk.thought)
        moves = fitting(
            walk.thought.line[at - 1 :], max(self.status.size.width - 46, 12), self.home.signs.ellipsis
        )
        self._said = (
            (f"line {walk.line + 1}, ply {at} of {len(walk.plies) - 1}:", Tone.QUIET),
            (moves, Tone.STRONG),
            (f"  {verdict.words}" if verdict is not None else "", Tone.PLAIN),
        )
        self.update()

    @property
    def _walking(self) -> bool:
        """True when the board shows another position than that of the game."""
        return self._walk is not None and self._walk.at > 1

    def heard(self) -> None:
        """There was input: what was said before is over, and so is a walk."""
        super().heard()
        self._walk = None

    def _on_step(self, step: Step) -> None:
        self._walk = None
        super()._on_step(step)

    def use_session(self, session: Session) -> None:
        """Show another game from now on. Nothing is known of it."""
        self._walk = None
        self.values = Values()
        self.graph = Graph.SCORE
        super().use_session(session)

    def _show_board(self, attention: Any, moved: Moved | None) -> None:
        if self._walk is None or not self._walking:
            super()._show_board(attention, moved)
            return
        seen = self._walk.plies[: self._walk.at + 1]
        there = attend(seen[-1].last.position, None, None)
        self.board.show(scene_of(there, seen, movable_signs=self.home.settings.movable_signs), None)

    def _show_bar(self) -> None:
        if self._walk is None or not self._walking:
            super()._show_bar()
            return
        middle = f"ply {self._walk.at} of {len(self._walk.plies) - 1} {self.home.signs.dot} nothing is played"
        back = self.keymap.shown(COMMANDS_BY_ID["let_go"], 1)
        self.bar.show(f"LINE {self._walk.line + 1}", middle, f"{back} to the game", banner=True)

    def action_step(self, plies: int) -> None:
        """Look some plies further on, or back; on a walk, along its line."""
        if self._walk is None:
            super().action_step(plies)
        else:
            self._walk_to(self._walk, self._walk.at + plies)

    def action_let_go(self) -> None:
        """End a walk, or let go of the stack."""
        if self._walking:
            self.heard()
            self.update()
        else:
            super().action_let_go()

    def press(self, cell: Cell) -> None:
        """A cell was chosen. On a walk that ends it: what is seen there is not the game."""
        if self._walking:
            self.action_let_go()
        else:
            super().press(cell)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """The mouse looks at a cell. On a walk there is nothing to look at."""
        if self._walking:
            message.prevent_default()

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
