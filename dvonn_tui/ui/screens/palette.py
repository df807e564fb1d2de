"""The command palette: every command, found by typing a part of its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.fuzzy import Matcher
from textual.geometry import Size
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import TextField


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
        """The body fills the frame; the list in it scrolls by itself."""

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what matches."""
        event.stop()
        self._list(event.value)

    def _list(self, text: str) -> None:
        commands = self.query_one("#commands", OptionList)
        commands.clear_options()
        found = list(self._commands)
        if text.strip():
            matcher = Matcher(text.strip())
            scored = [(matcher.match(command[0]), command) for command in self._commands]
            found = [command for score, command in sorted(scored, key=lambda pair: -pair[0]) if score > 0]
        for title, keys, action in found:
            commands.add_option(Option(Content(f"{title:<46}{keys}"), id=action))
        commands.highlighted = 0 if found else None

    def action_move(self, step: int) -> None:
        """Choose another command of the list."""
        commands = self.query_one("#commands", OptionList)
        if commands.option_count:
            here = commands.highlighted or 0
            commands.highlighted = min(max(here + step, 0), commands.option_count - 1)

    def action_accept(self) -> None:
        """Answer with the chosen command."""
        commands = self.query_one("#commands", OptionList)
        if commands.highlighted is not None:
            self.finish(commands.get_option_at_index(commands.highlighted).id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click on a command."""
        event.stop()
        self.finish(event.option.id)
