"""The command palette: every command, found by typing a part of its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import TextField, is_ascii

MOST_KEYS: Final = 14
"""Columns of the keys at most."""
NOTHING_FOUND: Final = "nothing found"
AROUND_ROW: Final = 3
"""Columns of the list beside a row: its padding and the scrollbar."""


def found_commands(commands: Sequence[tuple[str, str, str]], text: str) -> tuple[tuple[str, str, str], ...]:
    """The commands whose titles hold every word of a text, whole words first, then beginnings of words."""
    words = text.lower().split()
    ranked = [(_rank(command[0].lower(), words), command) for command in commands]
    ranked.sort(key=lambda pair: pair[0])
    return tuple(command for rank, command in ranked if rank < _NOTHING)


_NOTHING: Final = 3


def _rank(title: str, words: Sequence[str]) -> int:
    """How well a title matches: 0 by whole words, 1 by beginnings of words, 2 anywhere in it, or not."""
    parts = "".join(letter if letter.isalnum() else " " for letter in title).split()
    if all(word in parts for word in words):
        return 0
    if all(any(part.startswith(word) for part in parts) for word in words):
        return 1
    return 2 if all(word in title for word in words) else _NOTHING


class PaletteScreen(Dialog[str]):
    """A text to search with, and the commands that match it; answers with an action."""

    DEFAULT_CSS = """
    PaletteScreen {
        & > #frame { width: 64; height: 80%; }
        & #body { height: 1fr; }
        & #search { width: 100%; margin-bottom: 1; }
        & #commands {
            height: 1fr; border: none; padding: 0; background: $panel;
            scrollbar-size-vertical: 1;
            text-wrap: nowrap; text-overflow: ellipsis;
            &:focus { border: none; background-tint: $foreground 0%; }
        }
        &.-ascii #commands { scrollbar-size: 0 0; }
        & #buttons { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "Next", show=False, priority=True),
        Binding("up", "move(-1)", "Previous", show=False, priority=True),
        Binding("pagedown", "move(8)", "Further", show=False, priority=True),
        Binding("pageup", "move(-8)", "Back", show=False, priority=True),
        Binding("enter", "accept", "Do it", show=False, priority=True),
    ]
    AUTO_FOCUS = "#search"
    HEADING = "Commands"
    HINT = "type to search   up, down choose   enter   esc close"

    def __init__(self, commands: Sequence[tuple[str, str, str]]) -> None:
        """`commands`: for each its title, its keys and its action."""
        super().__init__()
        self._commands = tuple(commands)
        self._listed_width = 0

    def compose_body(self) -> ComposeResult:
        """The search text and the list."""
        yield TextField("", id="search", limit=40, placeholder="search")
        commands = OptionList(id="commands", markup=False)
        commands.can_focus = False
        yield commands

    def compose_buttons(self) -> ComposeResult:
        """No buttons: a click on a command does it."""
        yield from ()

    def on_mount(self) -> None:
        """List everything."""
        self._list("")

    def fit_body(self, size: Size) -> None:
        """The body fills the frame; the list in it scrolls by itself. Its rows are as wide as it is."""
        self.call_after_refresh(self._list_again)

    def _list_again(self) -> None:
        commands = self.query_one("#commands", OptionList)
        if commands.size.width != self._listed_width:
            here = commands.highlighted
            self._list(self.query_one("#search", TextField).value)
            commands.highlighted = here

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what matches."""
        event.stop()
        self._list(event.value)

    def _list(self, text: str) -> None:
        commands = self.query_one("#commands", OptionList)
        commands.clear_options()
        found = found_commands(self._commands, text)
        self._listed_width = commands.size.width
        width = max(self._listed_width - AROUND_ROW, 0)
        keys_width = min(max((cell_len(keys) for _, keys, _ in self._commands), default=0), MOST_KEYS)
        for title, keys, action in found:
            left = _cut(title, max(width - keys_width - 2, 0), ascii_only=is_ascii(self))
            right = _cut(keys, keys_width, ascii_only=is_ascii(self))
            commands.add_option(Option(Content(f"{left}  {right}"), id=action))
        if not found:
            commands.add_option(Option(NOTHING_FOUND, disabled=True))
        commands.highlighted = 0 if found else None

    def action_move(self, step: int) -> None:
        """Choose another command of the list."""
        commands = self.query_one("#commands", OptionList)
        if commands.highlighted is not None:
            following = commands.highlighted + step
            commands.highlighted = min(max(following, 0), commands.option_count - 1)

    def action_accept(self) -> None:
        """Answer with the chosen command."""
        commands = self.query_one("#commands", OptionList)
        if commands.highlighted is not None:
            self.finish(commands.get_option_at_index(commands.highlighted).id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click on a command."""
        event.stop()
        self.finish(event.option.id)


def _cut(text: str, columns: int, *, ascii_only: bool) -> str:
    """Text of exactly so many columns; when it is cut it ends with a sign for that."""
    if cell_len(text) <= columns or not columns:
        return set_cell_size(text, columns)
    return set_cell_size(text, columns - 1) + ("~" if ascii_only else "…")
