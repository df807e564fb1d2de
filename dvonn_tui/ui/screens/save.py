"""The dialog in which another folder for the games is chosen."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.widgets import Static

from dvonn_tui.clean import clean_line
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import FieldRow, PushButton, TextField

LONGEST_PATH: Final = 200
SUGGESTED: Final = "~/dvonn-games"


class SaveScreen(Dialog[str]):
    """Asks for a folder; answers with what was typed, which is not empty."""

    DEFAULT_CSS = """
    SaveScreen {
        & > #frame { width: 70; }
        & FieldRow > .label { width: 10; }
        & #now, & #trouble { width: 100%; height: auto; }
        & #trouble { color: $warning; text-style: bold; }
        & FieldRow { margin-top: 1; }
    }
    """
    AUTO_FOCUS = "#folder"
    HEADING = "Save in another folder"
    HINT = "enter save   esc cancel"

    def __init__(self, folder: str, trouble: str) -> None:
        """`folder` is where the games go now, `trouble` why that does not work, empty when it does."""
        super().__init__()
        self._folder, self._trouble = clean_line(folder, LONGEST_PATH), trouble

    def compose_body(self) -> ComposeResult:
        """Where the games go now, and the field for another folder."""
        yield Static(f"Games are saved in {self._folder}.", id="now", markup=False)
        if self._trouble:
            yield Static(f"Not saved: {self._trouble}", id="trouble", markup=False)
        yield FieldRow("Folder", TextField(SUGGESTED, limit=LONGEST_PATH, id="folder"))

    def compose_buttons(self) -> ComposeResult:
        """Save, or leave everything as it is."""
        yield PushButton("Save", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def action_accept(self) -> None:
        """Answer with the folder."""
        text = self.query_one("#folder", TextField).text
        self.finish(text or None)
