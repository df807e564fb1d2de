"""A short list to choose from: what can be done with a ply, or which hidden line to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from dvonn_tui.ui.screens.dialog import Dialog


class MenuScreen(Dialog[str]):
    """Shows choices below each other; answers with the value of one."""

    DEFAULT_CSS = """
    MenuScreen {
        & > #frame { width: 60; }
        & #choices {
            width: 100%; height: auto; max-height: 16; border: none; padding: 0; background: $panel;
            scrollbar-size-vertical: 1;
            text-wrap: nowrap; text-overflow: ellipsis;
            &:focus { border: none; background-tint: $foreground 0%; }
        }
        &.-ascii #choices { scrollbar-size: 0 0; }
        & #buttons { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "move(1)", "Next", show=False, priority=True, id="menu.next"),
        Binding("up,shift+tab", "move(-1)", "Previous", show=False, priority=True, id="menu.previous"),
        Binding("enter,space", "accept", "Choose", show=False, priority=True, id="menu.choose"),
    ]
    AUTO_FOCUS = ""
    HINT = "up, down choose   enter   esc close"

    def __init__(self, heading: str, choices: Sequence[tuple[str, str, str]]) -> None:
        """`choices`: for each its title, what stands before it, and its value. All texts are clean."""
        super().__init__()
        self._heading = heading
        self._choices = tuple(choices)

    @property
    def heading(self) -> str:
        """What is chosen from."""
        return self._heading

    def compose_body(self) -> ComposeResult:
        """The list."""
        widest = max((cell_len(left) for _, left, _ in self._choices), default=0)
        options = [
            Option(Content(f"{' ' * (widest - cell_len(left))}{left}  {title}"), id=value)
            for title, left, value in self._choices
        ]
        choices = OptionList(*options, id="choices", markup=False)
        choices.can_focus = False
        yield choices

    def compose_buttons(self) -> ComposeResult:
        """No buttons: a click on a choice chooses it."""
        yield from ()

    def on_mount(self) -> None:
        """The first one is proposed."""
        self.query_one("#choices", OptionList).highlighted = 0

    def action_move(self, step: int) -> None:
        """Propose another one."""
        choices = self.query_one("#choices", OptionList)
        choices.highlighted = ((choices.highlighted or 0) + step) % choices.option_count

    def action_accept(self) -> None:
        """Answer with the one that is proposed."""
        choices = self.query_one("#choices", OptionList)
        if choices.highlighted is not None:
            self.finish(choices.get_option_at_index(choices.highlighted).id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click on a choice."""
        event.stop()
        self.finish(event.option.id)
