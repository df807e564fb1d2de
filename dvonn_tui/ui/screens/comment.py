"""The dialog in which a comment on a ply is written."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static, TextArea
from textual.widgets.text_area import Edit, EditResult

from dvonn_tui.clean import LARGEST_LIMIT, clean_line, clean_text
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import PushButton

LONGEST_COMMENT: Final = 4_000
"""Columns that a comment has at most, a line break counted as one."""


class CommentArea(TextArea):
    """A field of several lines. Whatever is typed or pasted is cleaned as it comes."""

    DEFAULT_CSS = """
    CommentArea {
        width: 100%; height: 7; padding: 0 1;
        border: none; background: $foreground 8%;
        &:focus { border: none; background: $foreground 14%; background-tint: transparent; }
        & .text-area--cursor-line { background: transparent; }
        scrollbar-size-vertical: 1;
    }
    Dialog.-short CommentArea { height: 5; }
    """

    def edit(self, edit: Edit) -> EditResult:
        """Every way of entering text ends here: clean it, and leave out what does not fit."""
        edit.text = _harmless(edit.text)
        room = LONGEST_COMMENT - cell_len(self.text)
        if cell_len(edit.text) > room:
            edit.text = clean_text(edit.text, max(room, 1)) if room > 0 else ""
        return super().edit(edit)


def _harmless(text: str) -> str:
    """Text without what does harm, but with the blanks and line breaks that typing goes through."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(_harmless_line(line) for line in lines)


def _harmless_line(line: str) -> str:
    if line.isascii() and line.isprintable():
        return line
    lead = " " if line[:1] == " " else ""
    trail = " " if line[-1:] == " " and line.strip() else ""
    return f"{lead}{clean_line(line, LARGEST_LIMIT)}{trail}"


class CommentScreen(Dialog[str]):
    """Asks for a comment; answers with its text, clean, which is empty when it is to be taken away.

    Without an answer the comment stays as it is.
    """

    DEFAULT_CSS = """
    CommentScreen {
        & > #frame { width: 72; }
        & #about { width: 100%; height: auto; margin-bottom: 1; color: $text-muted; }
        &.-short #about { margin-bottom: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "accept", "Keep", priority=True, id="comment.keep"),
        # Up and down are for the lines of the text.
        Binding("escape,ctrl+g", "cancel", "Cancel", priority=True, id="comment.cancel"),
    ]
    AUTO_FOCUS = "#comment"
    HEADING = "Comment"
    HINT = "ctrl+s keep   tab to the buttons   esc cancel"

    def __init__(self, about: str, text: str) -> None:
        """`about` says which ply it is; `text` is the present comment, which may come from a file."""
        super().__init__()
        self._about, self._before = about, clean_text(text, LONGEST_COMMENT)
        self._warned = False

    def compose_body(self) -> ComposeResult:
        """Which ply it is, and the field."""
        yield Static(self._about, id="about", markup=False)
        area = CommentArea(self._before, id="comment", tab_behavior="focus", show_line_numbers=False)
        area.move_cursor(area.document.end)
        yield area

    def compose_buttons(self) -> ComposeResult:
        """Keep it, or leave everything as it is."""
        yield PushButton("Keep", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    @property
    def text(self) -> str:
        """What is written, clean and without blanks around it."""
        return clean_text(self.query_one("#comment", CommentArea).text, LONGEST_COMMENT)

    def action_accept(self) -> None:
        """Answer with the text; when it is as before there is nothing to be kept."""
        self.finish(None if self.text == self._before else self.text)

    def action_cancel(self) -> None:
        """Leave without an answer; what was just written is given up only when asked twice."""
        if self.text != self._before and not self._warned:
            self._warned = True
            hint = self.query_one("#about", Static)
            hint.update("Not kept yet: ctrl+s keeps it, esc once more gives it up.")
            return
        self.finish(None)
