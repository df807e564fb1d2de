"""The announcement of the result."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.widgets import Static

from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import PushButton


class Result(StrEnum):
    """What is to be done after the end."""

    NEW = "new"
    REMATCH = "rematch"
    BACK = "back"
    COPY = "copy"
    LEAVE = "leave"
    """Leave the table on another machine."""


class ResultScreen(Dialog[Result]):
    """Says who won, with both totals and the reason, and offers what one may want then."""

    DEFAULT_CSS = """
    ResultScreen {
        align: center bottom;
        background: transparent;
        & > #frame { width: 82; margin-bottom: 1; }
        & #title { width: 100%; text-align: center; text-style: bold; color: $accent; }
        & #totals { width: 100%; height: auto; text-align: center; margin-top: 1; }
        & #reason { width: 100%; text-align: center; margin-top: 1; color: $text-muted; }
        &.-short #totals, &.-short #reason { margin-top: 0; }
        & #copy { display: none; }
        &.-wide #copy { display: block; }
    }
    """
    AUTO_FOCUS = "#back"
    HEADING = "The end"
    HINT = ""

    def __init__(
        self,
        title: str,
        reason: str,
        totals: Sequence[tuple[str, str, int]],
        *,
        at_table: bool | None = None,
    ) -> None:
        """`totals`: for each side its sign, its player's name and its score.

        `at_table` is None for a game that was played here; at a table on another machine it is True for
        a player and False for a watcher.
        """
        super().__init__()
        self._at_table = at_table
        self._title, self._reason, self._totals = title, reason, totals

    def compose_body(self) -> ComposeResult:
        """The result in words."""
        lines = _in_columns(self._totals)
        yield Static(self._title, id="title", markup=False)
        yield Static("\n".join(lines), id="totals", markup=False)
        yield Static(self._reason, id="reason", markup=False)

    def compose_buttons(self) -> ComposeResult:
        """New game, rematch, look back, copy, or just close; at a table leave it in place of a new game."""
        if self._at_table is None:
            yield PushButton("New game", id="new", main=True)
        if self._at_table is not False:
            yield PushButton("Rematch", id="rematch", main=self._at_table is True)
        yield PushButton("Look back", id="back")
        yield PushButton("Copy", id="copy")
        if self._at_table is not None:
            yield PushButton("Leave", id="leave")
        yield PushButton("Close", id="cancel")

    def on_push_button_pressed(self, event: PushButton.Pressed) -> None:
        """Answer with what was chosen."""
        chosen = event.button.id
        if chosen in set(Result):
            event.stop()
            self.finish(Result(str(chosen)))
        else:
            super().on_push_button_pressed(event)


def _in_columns(totals: Sequence[tuple[str, str, int]]) -> list[str]:
    """A line for each side; names and scores stand in columns."""
    names = max(cell_len(name) for _, name, _ in totals)
    digits = max(len(str(score)) for *_, score in totals)
    return [
        f"{sign} {name}{' ' * (names - cell_len(name))}  {score:>{digits}}" for sign, name, score in totals
    ]
