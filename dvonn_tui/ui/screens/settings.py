"""The dialog for the settings that are kept from game to game."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from textual import events
from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Static

from dvonn_tui.clean import clean_line
from dvonn_tui.settings import Settings
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import Arrangement, FieldRow, OneOf, OnOff, PushButton


@dataclass(frozen=True, slots=True)
class _Row:
    """One setting."""

    name: str
    """The attribute of `Settings`."""
    label: str
    choices: tuple[str, ...]
    """What can be chosen; nothing when it is on or off."""
    explained: str


_THEME: Final = "theme"
_ROWS: Final = (
    _Row(
        "look",
        "Look",
        ("auto", "discs", "graph", "ascii"),
        "How the board is drawn. Graph shows the links; ascii needs no special characters or colours.",
    ),
    _Row(_THEME, "Theme", (), "The colours of the whole screen."),
    _Row("animation", "Animation", (), "Stacks glide and what is cut off fades. Never holds up a key."),
    _Row(
        "confirm",
        "Confirm moves",
        ("never", "always", "network"),
        "A move is shown first, then asked for again: always, or at a table on another machine.",
    ),
    _Row("flip_for_black", "Flip for Black", (), "Turn the board by half a turn while Black is to move."),
    _Row("movable_signs", "Movable signs", (), "A quiet sign on every stack that may move."),
    _Row(
        "bell",
        "Bell",
        (),
        "The terminal's bell tells that the engine, or your opponent elsewhere, has played.",
    ),
    _Row("autosave", "Save games", (), "Every move goes to a file as it is played. Off: none does."),
    _Row("guide", "First steps", (), "Point at what to do in a first game."),
    _Row("keymap", "Keys", ("standard", "vim"), "The keys for moving about. The help shows them all."),
    _Row("mouse", "Mouse", (), "Takes effect at the next start. Off: your terminal selects text."),
)


class SettingsScreen(Dialog[Settings]):
    """Change the settings and see at once what they do; cancelling restores them."""

    DEFAULT_CSS = """
    SettingsScreen {
        &:ansi { background: transparent; }
        & > #frame { width: 72; }
        & FieldRow > .label { width: 18; }
        & #explained { width: 100%; height: 2; margin: 1 0 0 2; color: $foreground; }
        & #hint { padding-left: 2; }
        & #path { width: 100%; height: auto; margin-left: 2; color: $text-muted; }

        &.-narrow FieldRow > .label { width: 17; }
        &.-short #explained { margin: 0 0 0 2; }
        &.-tall FieldRow { margin-bottom: 1; }
        &.-tall #explained { margin: 0 0 1 2; }
    }
    """
    AUTO_FOCUS = "OneOf"
    HEADING = "Settings"
    HINT = "up, down move   space change   enter save   esc cancel"

    def __init__(
        self,
        settings: Settings,
        themes: Sequence[str],
        *,
        path: Path | str = "",
        on_change: Callable[[Settings], None] | None = None,
    ) -> None:
        """Change `settings`. `on_change` is called with each change, and with the old ones on cancel.

        `path` is the file they are kept in, to be shown.
        """
        super().__init__()
        self._before = self._settings = settings
        self._themes = tuple(themes)
        self._path = str(path)
        self._on_change = on_change

    def compose_body(self) -> ComposeResult:
        """A row for every setting, a word about the present one, and where they are kept."""
        for row in _ROWS:
            yield FieldRow(row.label, self._control(row))
        yield Static(id="explained", markup=False)
        if self._path:
            yield Static(f"Kept in {clean_line(self._path, 200)}", id="path", markup=False)

    def _control(self, row: _Row) -> Widget:
        value = getattr(self._settings, row.name)
        if row.name == _THEME:
            names = self._themes if value in self._themes else (str(value), *self._themes)
            pairs = [(name, clean_line(name, 24)) for name in names]
            return OneOf(pairs, str(value), arrangement=Arrangement.STEP, id=row.name)
        if row.choices:
            return OneOf([(choice, choice) for choice in row.choices], str(value), id=row.name)
        return OnOff(bool(value), id=row.name)

    def compose_buttons(self) -> ComposeResult:
        """Save and cancel."""
        yield PushButton("Save", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what the present setting does."""
        text = next((row.explained for row in _ROWS if row.name == event.widget.id), "")
        self.query_one("#explained", Static).update(text)

    def on_one_of_changed(self, event: OneOf.Changed) -> None:
        """Another choice."""
        event.stop()
        event.one_of.focus()
        self._change(event.one_of.id or "", event.value)

    def on_on_off_changed(self, event: OnOff.Changed) -> None:
        """Turned on or off."""
        event.stop()
        self._change(event.on_off.id or "", event.value)

    def _change(self, name: str, value: str | bool) -> None:
        """Take over a change and show it at once."""
        kind: Any = type(getattr(self._settings, name))
        changes: dict[str, Any] = {name: kind(value)}
        self._settings = dataclasses.replace(self._settings, **changes)
        self._tell(self._settings)

    def _tell(self, settings: Settings) -> None:
        if self._on_change is not None:
            self._on_change(settings)
            self.follow_look()

    def action_accept(self) -> None:
        """Keep the settings."""
        self.finish(self._settings)

    def action_cancel(self) -> None:
        """Restore what was before."""
        if self._settings != self._before:
            self._tell(self._before)
        self.finish(None)
