"""The dialog in which the file of a game gets another name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.app import ComposeResult
from textual.widgets import Input, Static

from dvonn_tui.clean import clean_line
from dvonn_tui.records.moving import LONGEST_NAME, CannotMove
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import FieldRow, PushButton, TextField


class RenameScreen(Dialog[Path]):
    """Asks for a name and gives it to the file; answers with the file's new place."""

    DEFAULT_CSS = """
    RenameScreen {
        & > #frame { width: 70; }
        & FieldRow > .label { width: 10; }
        & #told { width: 100%; height: auto; margin-top: 1; color: $text-muted; }
        & #told.-fault { color: $warning; }
    }
    """
    AUTO_FOCUS = "#name"
    HEADING = "Rename"
    HINT = "enter rename   esc cancel"

    def __init__(self, path: Path, rename: Callable[[Path, str], Path]) -> None:
        """`rename` gives a file another name, or raises CannotMove."""
        super().__init__()
        self._path, self._rename = path, rename

    def compose_body(self) -> ComposeResult:
        """The field, and what stays of the name."""
        yield FieldRow("Name", TextField(self._path.stem, limit=LONGEST_NAME, id="name"))
        yield Static(self._note, id="told", markup=False)

    @property
    def _note(self) -> str:
        return f"It stays in its folder, and its name goes on ending in {clean_line(self._path.suffix, 20)}."

    def compose_buttons(self) -> ComposeResult:
        """Rename, or leave everything as it is."""
        yield PushButton("Rename", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def on_input_changed(self, event: Input.Changed) -> None:
        """What was wrong with the name before is no longer."""
        event.stop()
        self._tell("")

    def _tell(self, fault: str) -> None:
        told = self.query_one("#told", Static)
        told.set_class(bool(fault), "-fault")
        told.update(fault or self._note)

    def action_accept(self) -> None:
        """Give the name; what cannot be is told below the field."""
        try:
            self.finish(self._rename(self._path, self.query_one("#name", TextField).text))
        except CannotMove as problem:
            self._tell(str(problem))
