"""Lines, comments and marks: what players write about a game, and which of its lines come first."""

from __future__ import annotations

from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.cells import CELL_NAMES, Cell
from dvonn_tui.core.log import CellMark, Entry, MarkKind, plies_of
from dvonn_tui.ui.keys import COMMANDS_BY_ID
from dvonn_tui.ui.layout import Panels
from dvonn_tui.ui.log_rows import ply_text
from dvonn_tui.ui.screens.reviewing import ReviewingScreen
from dvonn_tui.ui.widgets.board import Board
from dvonn_tui.ui.widgets.move_log import MoveLog
from dvonn_tui.ui.words import Tone

RIGHT_BUTTON: Final = 3

_NEXT_MARK: Final[dict[MarkKind | None, MarkKind | None]] = {
    None: MarkKind.CIRCLE,
    MarkKind.CIRCLE: MarkKind.CROSS,
    MarkKind.CROSS: MarkKind.STAR,
    MarkKind.STAR: None,
}
"""The marks of a cell, by turns."""

MENU: Final = ("comment", "line.promote", "line.hide", "lines.hidden", "log.lines", "copy", "copy_record")
"""The commands that are offered for a ply of the log."""

SHOWN_PLIES: Final = 4
"""Plies by which a hidden line is told."""


class AnnotatingScreen(ReviewingScreen):
    """Writes about the ply that is seen, and orders the lines of the game.

    All of it goes through the session and is an entry of the game's log.
    """

    # Marks

    def on_board_pressed(self, message: Board.Pressed) -> None:
        """The right button marks a cell, unless a stack is in the hand: then it lets go."""
        held = self.hand.picked is not None or self._walking
        if message.button == RIGHT_BUTTON and message.cell is not None and not held:
            message.prevent_default()
            self.close_lines()
            self.mark(message.cell)

    def action_mark(self) -> None:
        """Mark the cell in focus."""
        focus = self.hand.focus
        self.mark(self.hand.cursor if focus is None else focus)

    def mark(self, cell: Cell) -> None:
        """Give a cell its next mark, in the position that is seen."""
        self.heard()
        entry, game = self.hand.view.entry, self.session.game
        marks = {mark.cell: mark.kind for mark in game.cell_marks(entry)}
        following = _NEXT_MARK[marks.pop(cell, None)]
        if following is not None:
            marks[cell] = following
        self.session.mark_cells(entry, [CellMark(where, kind) for where, kind in marks.items()])
        told = f"marked with a {following}" if following is not None else "not marked any more"
        self.say(f"{CELL_NAMES[cell]} is {told}", Tone.QUIET)

    # Comments

    def action_comment(self) -> None:
        """Write about the ply that is seen."""
        from dvonn_tui.ui.screens.comment import CommentScreen

        self.heard()
        session, entry = self.session, self.hand.view.entry

        def written(text: str | None) -> None:
            if text is not None and self.session is session:
                session.comment(entry, text)
                self.update()

        screen = CommentScreen(f"On {self._ply_words(entry)}", session.game.comment_of(entry))
        self.app.push_screen(screen, written)

    def _ply_words(self, entry: Entry) -> str:
        """A ply as people call it."""
        view = self.hand.view
        ply = view.plies[view.index]
        return f"{ply.label}  {ply_text(ply)}" if ply.first.begins_ply else "the board before the first move"

    def _say_mistake(self) -> None:
        """What was written about the ply has its place in the log; without a log it is said."""
        super()._say_mistake()
        comment = self.session.game.comment_of(self.hand.view.entry)
        low = self.arrangement is not None and self.arrangement.panels is Panels.LINE
        if comment and low and not self._said:
            self.say(f"{self.home.signs.comment} {clean_line(comment, 200)}", Tone.PLAIN)

    # Lines

    def _line_seen(self) -> Entry | None:
        """The first entry of the line that is seen, from the nearest fork at or before the ply on."""
        view, game = self.hand.view, self.session.game
        for ply in reversed(view.plies[1 : view.index + 1]):
            parent = game.parent(ply.first)
            if parent is not None and len(game.lines(parent)) > 1:
                return ply.first
        if len(game.lines(view.plies[view.index].last)) > 1:
            self.say("several lines begin after this ply: go into one first", Tone.QUIET)
        else:
            self.say("no other line begins here or before", Tone.QUIET)
        return None

    def action_promote_line(self) -> None:
        """Make the line that is seen the first of those that begin where it does."""
        self.heard()
        first, game = self._line_seen(), self.session.game
        if first is None:
            return
        parent = game.parent(first)
        assert parent is not None
        if game.children(parent)[0] is first:
            self.say("this is the first line already", Tone.QUIET)
            return
        self.session.promote(first)
        self.say("this line is the first now", Tone.QUIET)

    def action_hide_line(self) -> None:
        """Hide the line that is seen, and look at where it began."""
        self.heard()
        first = self._line_seen()
        if first is None:
            return
        parent = self.session.game.parent(first)
        assert parent is not None
        if not self.session.hide(first):
            self.say("the game itself stands in this line: go on in another one first")
            return
        self.hand.view.look_at(parent)
        self.hand.played()
        back = self.keymap.shown(COMMANDS_BY_ID["lines.hidden"], 1)
        self.say(f"the line is hidden; {back} lists what is hidden", Tone.QUIET)

    def action_hidden_lines(self) -> None:
        """Choose a hidden line to be shown again."""
        from dvonn_tui.ui.screens.menu import MenuScreen

        self.heard()
        session = self.session
        hidden = session.game.hidden_lines
        if not hidden:
            self.say("no line is hidden", Tone.QUIET)
            return

        def chosen(number: str | None) -> None:
            if number is None or self.session is not session:
                return
            first = session.game.entry(int(number))
            session.show(first)
            self.look_at(self._end_of_ply(first).number)

        rows = [self._hidden_row(first) for first in hidden]
        self.app.push_screen(MenuScreen("Hidden lines", rows), chosen)

    def _hidden_row(self, first: Entry) -> tuple[str, str, str]:
        """A hidden line: its plies, where it begins, and the number of its first entry."""
        plies = [ply for ply in self.session.game.plies(first) if ply.first.number >= first.number]
        text = " ".join(ply_text(ply) for ply in plies[:SHOWN_PLIES])
        more = f" +{len(plies) - SHOWN_PLIES}" if len(plies) > SHOWN_PLIES else ""
        return text + more, plies[0].label, str(first.number)

    def _end_of_ply(self, first: Entry) -> Entry:
        """The last entry of the ply that an entry begins."""
        plies = plies_of(self.session.game.line(first))
        return next(ply.last for ply in plies if ply.first.number == first.number)

    # The log

    def action_log_lines(self) -> None:
        """Unfold all other lines of the log, or fold them again."""
        self.heard()
        if self.opened_lines:
            self.opened_lines = frozenset()
        else:
            game = self.session.game
            forks = [lines for entry in game.log if len(lines := game.lines(entry)) > 1]
            self.opened_lines = frozenset(first.number for lines in forks for first in lines)
            if not forks:
                self.say("there is only this line", Tone.QUIET)
        self.update()

    def on_move_log_unfolded(self, message: MoveLog.Unfolded) -> None:
        """A line was folded or unfolded by a click."""
        self.heard()
        self.opened_lines ^= {message.first}
        self.update()

    def on_move_log_asked(self, message: MoveLog.Asked) -> None:
        """The right button was clicked on a ply."""
        self.look_at(message.entry)
        self.action_ply_menu()

    def action_ply_menu(self) -> None:
        """Offer what can be done with the ply that is seen."""
        from dvonn_tui.ui.screens.menu import MenuScreen

        self.heard()
        commands = [COMMANDS_BY_ID[each] for each in MENU]
        rows = [(command.title, self.keymap.shown(command, 1), command.action) for command in commands]
        heading = f"Ply {self._ply_words(self.hand.view.entry)}" if self.hand.view.index else "The start"
        self.app.push_screen(MenuScreen(heading, rows), self._menu_chosen)

    def _menu_chosen(self, action: str | None) -> None:
        if action is not None:
            self.call_later(self.run_action, action)
