"""Playing and looking back: what the cursor, the mouse and the keys do with a game."""

from __future__ import annotations

from collections.abc import Callable

from dvonn_tui.art.lattice import ScreenDirection
from dvonn_tui.core.cells import Cell
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import (
    Action,
    AgreeDraw,
    GameEnded,
    Move,
    PiecePlaced,
    Place,
    PlaceRest,
    Resign,
    StackMoved,
    TurnPassed,
)
from dvonn_tui.core.log import Entry, plies_of
from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Outcome, Phase, Score
from dvonn_tui.core.rules import FORFEITS
from dvonn_tui.play.launch import draw_seed
from dvonn_tui.play.timekeeping import PAUSED
from dvonn_tui.settings import Confirm
from dvonn_tui.ui.keys import COMMANDS_BY_ID
from dvonn_tui.ui.screens.timing import TimingScreen
from dvonn_tui.ui.widgets.board import FADE_SECONDS, GLIDE_SECONDS, Board
from dvonn_tui.ui.widgets.graph import GraphPanel
from dvonn_tui.ui.widgets.move_log import MoveLog
from dvonn_tui.ui.words import Tone, say_outcome

LEFT_BUTTON = 1

ALWAYS_ALLOWED = frozenset({"leave", "help"})
"""Actions that work on a screen that is too small for the board."""


class PlayingScreen(TimingScreen):
    """Turns input into actions for the session, and answers what cannot be done."""

    _to_announce: Entry | None = None
    """The entry at which the game ended, until the result was announced."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing plays while the board is not seen, and no game key acts while something is typed."""
        if not self.is_mounted:
            return False
        return self.visible_board or action in ALWAYS_ALLOWED

    # The cursor and the board

    def action_cursor(self, direction: str) -> None:
        """Move the cursor as seen on the screen."""
        self.heard()
        lattice = self.board.lattice
        if direction in ("up", "down"):
            self.hand.go_vertically(up=direction == "up", lattice=lattice)
        else:
            self.hand.go(ScreenDirection(direction), lattice)
        self.update()

    def action_next_stack(self, step: int) -> None:
        """Go to the next stack that can move, target or free cell."""
        self.heard()
        self.hand.next_stack(step)
        self.update()

    def action_pick(self) -> None:
        """Do with the cell in focus what a click on it does."""
        focus = self.hand.focus
        if focus is None:
            self.action_next_stack(1)
            return
        self.press(focus)

    def action_let_go(self) -> None:
        """Drop the stack, or return to the present when nothing is held."""
        self.heard()
        if not self.hand.let_go() and not self.hand.view.live:
            self.hand.view.present()
        self.update()

    def action_pin(self) -> None:
        """Keep the inspector on the cell in focus, or let it follow again."""
        self.heard()
        self.hand.pinned = self.hand.focus if self.hand.pinned is None else None
        self.update()

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """The mouse looks at a cell."""
        self.hand.point(message.cell)
        if message.cell is not None:
            self.heard()
        self.update()

    def on_board_pressed(self, message: Board.Pressed) -> None:
        """The mouse chooses a cell; beside the board, and with another button, it lets go."""
        self.close_lines()
        if message.cell is None or message.button != LEFT_BUTTON:
            self.action_let_go()
            return
        self.hand.point(message.cell)
        self.press(message.cell)

    def press(self, cell: Cell) -> None:
        """A cell was chosen: pick, play, place, or say why not."""
        self.heard()
        position = self.hand.position
        if not position.over and not self.plays_here(position.side):
            self.say(self.not_your_turn(position.side), Tone.QUIET)
            return
        try:
            action = self.hand.press(cell, confirm=self.confirms)
        except DvonnError as refusal:
            self.refuse(refusal)
            return
        if action is None:
            self.update()
        else:
            self.perform(action)

    @property
    def confirms(self) -> bool:
        """True when a move is shown first and asked for again."""
        confirm = self.home.settings.confirm
        return confirm == Confirm.ALWAYS or (confirm == Confirm.NETWORK and self.guest is not None)

    def not_your_turn(self, side: Side) -> str:
        """Why whoever sits here cannot act for a side that somebody else plays."""
        if self.guest is not None:
            return self.guest.not_your_turn(side)
        name = self.player_name(side)
        if self.home.company.thinking is side:
            return f"{name} is thinking"
        return f"{side.word} is played by {name}"

    def refuse(self, refusal: DvonnError) -> None:
        """Say why something cannot be done; of a pause also what ends it."""
        reason = refusal.reason
        if reason == PAUSED:
            reason += f": {self.keymap.shown(COMMANDS_BY_ID['pause'], 1)} goes on"
        self.say(reason)

    # Playing

    def perform(self, action: Action) -> None:
        """Play an action where the player looks: at the head, or as another line after asking."""
        view = self.hand.view
        if view.live:
            self._submit(action, None)
            return
        if self.guest is not None:
            self.say("you are looking back: at a table the game goes on from the present only")
            return
        entry, session = view.entry, self.session
        if self._continues(action, entry):
            # The very move that was played here before: walking on along the line changes nothing.
            view.step(1)
            self.hand.played()
            self.update()
            return

        def answered(yes: bool | None) -> None:
            if yes and self.session is session and self.hand.view.entry == entry:
                self._submit(action, entry)
            else:
                self.update()

        what = "Place the rest at random" if isinstance(action, PlaceRest) else _play_words(action)
        branches = self.session.game.children(self.session.game.settled(entry))
        detail = "It begins another line. Everything played before stays in the log."
        if not branches:
            detail = "The line that you look at goes on from here."
        self._ask(f"{what} from here?", "Play", "Only look", answered, detail)

    def _continues(self, action: Action, entry: Entry) -> bool:
        """True when the next ply of the line that is seen is what this action makes."""
        view = self.hand.view
        later = view.plies[view.index + 1 : view.index + 2]
        if not later:
            return False
        match later[0].first.event:
            case StackMoved(source, target):
                return action == Move(source, target)
            case PiecePlaced(cell):
                return action == Place(cell)
        return False

    def _submit(self, action: Action, after: Entry | None) -> None:
        try:
            self.session.submit(action, after=after)
        except DvonnError as refusal:
            self.refuse(refusal)
            return
        self.hand.view.present()
        self.update()

    def after_news(self, news: tuple[Entry, ...]) -> None:
        """Say what happened besides the move, and announce the end."""
        passes = [entry.event.by for entry in news if isinstance(entry.event, TurnPassed)]
        if passes:
            # Twice: the status line speaks of something else as soon as the mouse moves.
            told = f"{passes[-1].word} has no move and passes"
            self.say(told, Tone.STRONG)
            self.notify(told, timeout=4, markup=False)
        moves = [entry.event for entry in news if isinstance(entry.event, (StackMoved, PiecePlaced))]
        position = self.session.game.position
        others_played = any(not self.plays_here(move.by) for move in moves)
        if others_played and self.plays_here(position.side) and self.home.settings.bell:
            self.app.bell()
        ends = [entry.event for entry in news if isinstance(entry.event, GameEnded)]
        if ends:
            if ends[0].reason in FORFEITS:
                # Nothing on the board tells it, whatever the cursor stands on.
                self._said = say_outcome(position)
                self.update()
            self._to_announce = news[-1]
            self.set_timer(GLIDE_SECONDS + FADE_SECONDS if self.board.moving else 0.01, self._announce)

    def on_screen_resume(self) -> None:
        """A dialog was closed; what it kept from being announced is announced now."""
        self._announce()

    def _announce(self) -> None:
        """Show the result, once the final position is seen and no dialog is in the way."""
        head = self._to_announce
        # A screen that is seen behind a dialog is current, but not active.
        if head is None or not self.is_active:
            return
        self._to_announce = None
        outcome = head.position.outcome
        if outcome is None or self.session.game.head is not head or not self.hand.view.live:
            return
        self.home.first_game_over()
        self.show_result(outcome, head.position.score)

    def show_result(self, outcome: Outcome, score: Score) -> None:
        """Called when a game has ended and everything else was seen."""

    def action_undo(self) -> None:
        """Take the last action back."""
        self.heard()
        if not self.hand.view.live:
            self.say("you are looking back: return to the present to undo")
        elif not self.home.company.undo(self.session):
            self.say("nothing to undo", Tone.QUIET)
        self.update()

    def action_redo(self) -> None:
        """Play again what was taken back."""
        self.heard()
        if not self.hand.view.live:
            self.say("you are looking back: return to the present to redo")
        elif not self.home.company.redo(self.session):
            self.say("nothing to redo", Tone.QUIET)
        self.update()

    def action_place_rest(self) -> None:
        """Finish the placement at random."""
        self.heard()
        if self.hand.position.phase is not Phase.PLACEMENT:
            self.say("all pieces are placed")
            return
        self.perform(PlaceRest(draw_seed()))

    def action_resign(self) -> None:
        """Give the game up, after asking. Against an engine it is the person who does."""
        side = self.session.game.position.side
        if self.guest is not None and self.guest.side is not None:
            side = self.guest.side
        if self.home.company.engaged and not self.home.company.is_person(side):
            side = side.other
        self.ask_to_end(Resign(side), f"{side.word} resigns?", "Resign")

    def action_draw(self) -> None:
        """End the game as a draw, after asking."""
        self.ask_to_end(AgreeDraw(), "Do both agree on a draw?", "Draw")

    def ask_to_end(self, action: Resign | AgreeDraw, question: str, button: str) -> None:
        """Do what ends the game, or offers its end, after asking."""
        self.heard()
        self.hand.view.present()
        self.update()
        position, session = self.session.game.position, self.session
        if position.over:
            self.say("the game is over")
            return
        if isinstance(action, AgreeDraw) and self.home.company.engaged:
            self.say("an engine agrees on no draw", Tone.QUIET)
            return

        def answered(yes: bool | None) -> None:
            if not yes or self.session is not session:
                return
            if session.game.position != position:
                self.say("something was played in the meantime: ask again if you still want it")
                return
            self.hand.view.present()
            self._submit(action, None)

        self._ask(question, button, "Play on", answered)

    def _ask(
        self, question: str, yes: str, no: str, answered: Callable[[bool | None], None], detail: str = ""
    ) -> None:
        """Ask before something is done."""
        from dvonn_tui.ui.screens.confirm import ConfirmScreen

        self.app.push_screen(ConfirmScreen(question, yes, no, detail), answered)

    # Looking back

    def action_step(self, plies: int) -> None:
        """Look some plies further on, or back."""
        self.heard()
        if not self.hand.view.step(plies):
            self.say("this is the start" if plies < 0 else "this is the end of the line", Tone.QUIET)
        self.hand.played()
        self.update()

    def action_to_start(self) -> None:
        """Look at the first position."""
        self.action_step(-len(self.hand.view.plies))

    def action_to_present(self) -> None:
        """Look at the game as it stands."""
        self.heard()
        self.hand.view.present()
        self.hand.played()
        self.update()

    def look_at(self, number: int) -> None:
        """Look at an entry of the log."""
        self.heard()
        self.hand.view.look_at(self.session.game.entry(number))
        self.hand.played()
        self.update()

    def action_next_line(self, step: int) -> None:
        """Look at the next line at the nearest fork, here or before."""
        self.heard()
        view, game = self.hand.view, self.session.game
        # The nearest fork before what is seen, else the nearest one after it.
        before, after = view.plies[: view.index + 2], view.plies[view.index + 2 :]
        for ply in (*reversed(before), *after):
            parent = game.parent(ply.first)
            if parent is None:
                continue
            lines = game.lines(parent)
            if len(lines) < 2:
                continue
            numbers = [child.number for child in lines]
            there = lines[(numbers.index(ply.first.number) + step) % len(lines)]
            target = next(p for p in plies_of(game.line(there)) if p.first.number == there.number)
            self.look_at(target.last.number)
            return
        self.say("there is only this line", Tone.QUIET)

    def action_fold(self) -> None:
        """Fold or unfold the placements in the log."""
        self.heard()
        self.unfolded = not self.unfolded
        self.update()

    def on_board_turned(self, message: Board.Turned) -> None:
        """The wheel over the board."""
        self.action_step(message.plies)

    def on_move_log_turned(self, message: MoveLog.Turned) -> None:
        """The wheel over the log."""
        self.action_step(message.plies)

    def on_graph_panel_turned(self, message: GraphPanel.Turned) -> None:
        """The wheel over the graph."""
        self.action_step(message.plies)

    def on_graph_panel_chosen(self, message: GraphPanel.Chosen) -> None:
        """A click in the graph."""
        self.look_at(message.entry)

    def on_move_log_chosen(self, message: MoveLog.Chosen) -> None:
        """A click in the log."""
        self.look_at(message.entry)

    def on_move_log_folded(self, message: MoveLog.Folded) -> None:
        """A click on the fold."""
        self.action_fold()


def _play_words(action: Action) -> str:
    return f"{'Place on' if isinstance(action, Place) else 'Play'} {format_action(action, '-')}"
