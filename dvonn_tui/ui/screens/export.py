"""The dialog in which a game is written to a file, in any form."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.widgets import Input, Static

from dvonn_tui.clean import clean_line
from dvonn_tui.play.pictures import PICTURES
from dvonn_tui.records.forms import BY_NAME, FORMS, NATIVE, losses, write
from dvonn_tui.records.record import CannotHold, Record
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import Arrangement, FieldRow, OneOf, PushButton, TextField
from dvonn_tui.whole_file import write_whole

LONGEST_PATH: Final = 300

MOST_OF_A_NAME: Final = 999


class ExportScreen(Dialog[Path]):
    """Asks for the form and the file, and writes it; answers with where it lies.

    What the form cannot hold is named before it is written. No file is written over.
    """

    DEFAULT_CSS = """
    ExportScreen {
        & > #frame { width: 78; }
        & FieldRow > .label { width: 8; }
        & #lost { width: 100%; height: auto; margin-top: 1; color: $text-muted; }
        & #lost.-loss { color: $warning; }
        & #to { margin-top: 1; }
        & #fault { width: 100%; height: auto; margin-top: 1; color: $warning; text-style: bold; }
        &.-short #lost, &.-short #to, &.-short #fault { margin-top: 0; }
    }
    """
    AUTO_FOCUS = "#form"
    HEADING = "Export"
    HINT = "up, down choose   tab next   enter write   esc cancel"

    def __init__(self, record: Record, folder: Path, stem: str) -> None:
        """`folder` and `stem` make the name that is suggested, which is one that is free."""
        super().__init__()
        self._record, self._folder = record, folder
        self._stem = clean_line(stem, 100) or "game"
        self._suggested = ""

    def compose_body(self) -> ComposeResult:
        """The forms, what is lost, the file, and what is wrong with it."""
        written = (NATIVE, *(form for form in FORMS if form.write is not None and form is not NATIVE))
        choices = [(form.name, f"{form.title} ({form.suffixes[0]})") for form in written]
        choices += [(name, f"{picture.title} ({picture.suffix})") for name, picture in PICTURES.items()]
        yield FieldRow("Form", OneOf(choices, NATIVE.name, arrangement=Arrangement.COLUMN, id="form"))
        yield Static("", id="lost", markup=False)
        yield FieldRow("File", TextField("", limit=LONGEST_PATH, id="path"), id="to")
        fault = Static("", id="fault", markup=False)
        fault.display = False
        yield fault

    def compose_buttons(self) -> ComposeResult:
        """Write it, or leave it."""
        yield PushButton("Write", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Begin with the native form, which holds everything."""
        self._choose()

    @property
    def _chosen(self) -> str:
        return self.query_one("#form", OneOf).value

    def on_one_of_changed(self, event: OneOf.Changed) -> None:
        """Name what this form cannot hold, and the file."""
        event.stop()
        self._choose()

    def _choose(self) -> None:
        lost = self.query_one("#lost", Static)
        told = self._lost()
        lost.set_class(bool(told), "-loss")
        lost.update(f"It does not hold {', '.join(told)}." if told else "It holds all of the game.")
        field = self.query_one("#path", TextField)
        if field.value == self._suggested:
            self._suggested = clean_line(str(self._free()), LONGEST_PATH)
            field.value = self._suggested

    def _lost(self) -> tuple[str, ...]:
        if self._chosen in PICTURES:
            return (PICTURES[self._chosen].lost,)
        return losses(self._record, BY_NAME[self._chosen])

    def _free(self) -> Path:
        """A name of a file that there is not yet."""
        picture = PICTURES.get(self._chosen)
        suffix = picture.suffix if picture is not None else BY_NAME[self._chosen].suffixes[0]
        for number in range(1, MOST_OF_A_NAME + 1):
            stem = self._stem if number == 1 else f"{self._stem}_{number}"
            if not (self._folder / f"{stem}{suffix}").exists():
                break
        return self._folder / f"{stem}{suffix}"

    def on_input_changed(self, event: Input.Changed) -> None:
        """What was wrong with the name before is no longer."""
        event.stop()
        self._tell("")

    def _tell(self, fault: str) -> None:
        told = self.query_one("#fault", Static)
        told.update(fault)
        told.display = bool(fault)

    def action_accept(self) -> None:
        """Write the file; what hinders is told below its name."""
        try:
            path = Path(self.query_one("#path", TextField).text).expanduser().absolute()
            if path.is_dir():
                raise IsADirectoryError(21, "it is a folder")
            picture = PICTURES.get(self._chosen)
            text = picture.draw(self._record) if picture else write(self._record, BY_NAME[self._chosen])
            write_whole(path, text, replace=False)
        except FileExistsError:
            self._tell("there is such a file already: choose another name")
        except (OSError, ValueError, RuntimeError) as problem:
            self._tell(clean_line(getattr(problem, "strerror", None) or str(problem), 200))
        except CannotHold as problem:
            self._tell(str(problem))
        else:
            self.finish(path)
