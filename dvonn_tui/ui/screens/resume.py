"""The question whether to go on with the game that waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from dvonn_tui.art.scene import Scene
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import PushButton
from dvonn_tui.ui.widgets.small_board import SMALLEST, SmallBoard


class ResumeScreen(Dialog[bool]):
    """Go on with an unfinished game, or begin another. Answers None when nothing is decided."""

    DEFAULT_CSS = """
    ResumeScreen {
        & > #frame { width: 64; }
        & #board { display: none; margin: 1 0 0 2; }
        & #told { width: 100%; height: auto; }
        & #note { width: 100%; height: auto; margin-top: 1; color: $text-muted; }
        &.-tall #board { display: block; }
        &.-short #note { margin-top: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,N", "new_game", "New game", id="resume.new"),
    ]
    AUTO_FOCUS = "#accept"
    HEADING = "A game waits"
    HINT = "enter go on   n new game   esc ask me again"

    def __init__(self, lines: Sequence[str], scene: Scene, name: str, *, at_table: bool = False) -> None:
        """`lines` tell of the game, `scene` shows it, `name` is that of its file; all of it clean.

        `at_table` is True when it is played at a table on another machine.
        """
        super().__init__()
        self._at_table = at_table
        self._lines, self._scene, self._name = lines, scene, name

    def compose_body(self) -> ComposeResult:
        """The game in words, and as a small board where there is room."""
        yield Static("\n".join(self._lines), id="told", markup=False)
        yield SmallBoard(self._scene, scale=SMALLEST, id="board")
        note = f"With another game this one stays in {self._name}."
        if self._at_table:
            note = "The seat stays yours in any case: t shows it."
        yield Static(note, id="note", markup=False)

    def compose_buttons(self) -> ComposeResult:
        """Go on, or begin another game."""
        yield PushButton("Back to the table" if self._at_table else "Go on", id="accept", main=True)
        yield PushButton("New game", id="new")

    def on_push_button_pressed(self, event: PushButton.Pressed) -> None:
        """Answer with what was chosen."""
        if event.button.id == "new":
            event.stop()
            self.action_new_game()
        else:
            super().on_push_button_pressed(event)

    def action_accept(self) -> None:
        """Go on."""
        self.finish(True)

    def action_new_game(self) -> None:
        """Begin another game, and do not ask about this one again."""
        self.finish(False)
