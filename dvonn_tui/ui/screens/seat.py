"""The question where to sit at a table."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import Arrangement, OneOf, PushButton

ALL = "all"
WATCH = "watch"


def seat_choices(free: Sequence[Side], *, watchers: bool = True) -> list[tuple[str, str]]:
    """The seats that can be taken, each as it is answered and as it is shown; with `watchers` none too."""
    choices = [(str(side), side.word) for side in free]
    whichever = [(ALL, "whichever is free")] if len(free) > 1 else []
    return [*whichever, *choices, *([(WATCH, "just watch")] if watchers else [])]


class SeatScreen(Dialog[str]):
    """Asks for a colour; answers with a side, `ALL` or `WATCH`."""

    DEFAULT_CSS = """
    SeatScreen {
        & > #frame { width: 60; }
        & #asked { width: 100%; margin-bottom: 1; color: $text-muted; }
        &.-short #asked { margin-bottom: 0; }
    }
    """
    AUTO_FOCUS = "#seat"
    HINT = "up, down choose   enter sit down   esc cancel"

    def __init__(self, title: str, free: Sequence[Side], *, watchers: bool = True) -> None:
        """`title` is that of the table, clean; `free` are the sides on which nobody sits; `watchers` is
        False when nobody may watch."""
        super().__init__()
        self._title, self._free, self._watchers = title, tuple(free), watchers

    @property
    def heading(self) -> str:
        """The table."""
        return self._title

    def compose_body(self) -> ComposeResult:
        """The choices."""
        choices = seat_choices(self._free, watchers=self._watchers)
        yield Static("Where do you sit?", id="asked", markup=False)
        yield OneOf(choices, choices[0][0], arrangement=Arrangement.COLUMN, id="seat")

    def compose_buttons(self) -> ComposeResult:
        """Go there, or not."""
        yield PushButton("Go there", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def action_accept(self) -> None:
        """Answer with what is chosen."""
        self.finish(self.query_one("#seat", OneOf).value)
