"""The dialog in which folders are added to the library and taken away."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from dvonn_tui.clean import clean_line
from dvonn_tui.library_settings import LONGEST_FOLDER, MOST_FOLDERS, folder_path, is_folder_name
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import FieldRow, OnOff, PushButton, TextField


class FoldersScreen(Dialog[tuple[str, ...]]):
    """Folders with a switch each, and a field for another; answers with those that are to be listed."""

    DEFAULT_CSS = """
    FoldersScreen {
        & > #frame { width: 76; }
        & #own, & #note { width: 100%; height: auto; color: $text-muted; }
        & #folders { width: 100%; height: auto; margin: 1 0; }
        & #folders FieldRow > .label { width: 1fr; }
        & #folders OnOff { width: 8; }
        & #add FieldRow > .label, & #add > .label { width: 16; }
        & #note { margin-top: 1; }
        & #note.-fault { color: $warning; }
        &.-short #folders { margin: 0; }
    }
    """
    AUTO_FOCUS = "#folder"
    HEADING = "Folders of the library"
    HINT = "enter add, then done   space on, off   esc cancel"

    def __init__(self, own: str, folders: tuple[str, ...]) -> None:
        """`own` is the folder of the saved games, which is always listed; `folders` those beside it."""
        super().__init__()
        self._own = clean_line(own, LONGEST_FOLDER)
        self._folders = list(folders)

    def compose_body(self) -> ComposeResult:
        """The folders, and the field for another one."""
        yield Static(f"Always: {self._own}", id="own", markup=False)
        with Vertical(id="folders"):
            for number, folder in enumerate(self._folders):
                yield FieldRow(folder, OnOff(True), id=f"folder-{number}")
        yield FieldRow("Another folder", TextField("", limit=LONGEST_FOLDER, id="folder"), id="add")
        yield Static(_NOTE, id="note", markup=False)

    def compose_buttons(self) -> ComposeResult:
        """Take what is chosen, or leave everything as it is."""
        yield PushButton("Done", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def action_accept(self) -> None:
        """Add the folder that is typed; when none is, answer."""
        field = self.query_one("#folder", TextField)
        if not field.text:
            switches = [row.query_one(OnOff) for row in self.query("#folders FieldRow")]
            kept = zip(self._folders, switches, strict=True)
            self.finish(tuple(folder for folder, switch in kept if switch.value))
            return
        fault = self._fault(field.text)
        note = self.query_one("#note", Static)
        note.set_class(bool(fault), "-fault")
        note.update(fault or _NOTE)
        if not fault:
            number = len(self._folders)
            self._folders.append(field.text)
            row = FieldRow(field.text, OnOff(True), id=f"folder-{number}")
            self.query_one("#folders").mount(row)
            field.value = ""

    def _fault(self, text: str) -> str:
        """Why a folder cannot be added; empty when it can."""
        path = folder_path(text)
        try:
            there = path.is_dir()
        except OSError:
            there = False
        if not is_folder_name(text) or not there:
            return f"there is no folder {clean_line(str(path), 200)}"
        if text in self._folders or str(path) == self._own:
            return "this folder is listed already"
        if len(self._folders) >= MOST_FOLDERS:
            return f"there can be {MOST_FOLDERS} folders"
        return ""


_NOTE = "The folders in a folder count as well. Games that are opened from there are not changed."
