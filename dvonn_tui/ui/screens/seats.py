"""The dialog in which the players of the running game are changed."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import Arrangement, FieldRow, OneOf, PushButton


class SeatsScreen(Dialog[tuple[str, str]]):
    """Who plays White and who plays Black; answers with the names of both seats."""

    DEFAULT_CSS = """
    SeatsScreen {
        & > #frame { width: 60; }
        & FieldRow > .label { width: 10; }
        & #note { width: 100%; height: auto; margin-top: 1; color: $text-muted; }
    }
    """
    AUTO_FOCUS = "#white-seat"
    HEADING = "Who plays"
    HINT = "up, down move   space change   enter take seats   esc cancel"

    def __init__(self, seats: tuple[str, str], choices: Sequence[tuple[str, str]]) -> None:
        """`choices`: every seat as it is written, and as it is shown."""
        super().__init__()
        self._seats, self._choices = seats, tuple(choices)

    def compose_body(self) -> ComposeResult:
        """A row a side."""
        for name, seat in zip(("White", "Black"), self._seats, strict=True):
            control = OneOf(self._choices, seat, arrangement=Arrangement.STEP, id=f"{name.lower()}-seat")
            yield FieldRow(name, control)
        yield Static("The game goes on where it stands.", id="note", markup=False)

    def compose_buttons(self) -> ComposeResult:
        """Take the seats, or leave everything as it is."""
        yield PushButton("Take seats", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def action_accept(self) -> None:
        """Answer with what is chosen."""
        white, black = (self.query_one(name, OneOf).value for name in ("#white-seat", "#black-seat"))
        self.finish((white, black))
