"""A question with two answers."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import PushButton


class ConfirmScreen(Dialog[bool]):
    """Ask before something is done. The answer that changes nothing has the focus first."""

    DEFAULT_CSS = """
    ConfirmScreen {
        & > #frame { width: 60; }
        & #question { width: 100%; height: auto; text-style: bold; }
        & #detail { width: 100%; height: auto; margin-top: 1; color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        # Letters in both cases, so that Caps Lock makes no difference.
        Binding("y,Y", "yes", "Yes", id="confirm.yes"),
        Binding("n,N", "cancel", "No", id="confirm.no"),
    ]
    AUTO_FOCUS = "#cancel"
    HINT = "y yes   n no   esc no"

    def __init__(self, question: str, yes: str, no: str, detail: str = "") -> None:
        """The texts are shown as they are; text from outside in them must have been cleaned."""
        super().__init__()
        self._question, self._detail = question, detail
        self._yes, self._no = yes, no

    def compose_body(self) -> ComposeResult:
        """The question, and what follows from it."""
        yield Static(self._question, id="question", markup=False)
        if self._detail:
            yield Static(self._detail, id="detail", markup=False)

    def compose_buttons(self) -> ComposeResult:
        """Both answers."""
        yield PushButton(self._yes, id="accept", main=True)
        yield PushButton(self._no, id="cancel")

    def action_yes(self) -> None:
        """Do it."""
        self.finish(True)

    def action_accept(self) -> None:
        """Enter, or a click, on the button that says yes."""
        self.finish(True)

    def action_cancel(self) -> None:
        """Leave everything as it is."""
        self.finish(False)
