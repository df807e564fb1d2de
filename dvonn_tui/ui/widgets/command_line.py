"""The line in which moves and commands are typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Input


class CommandLine(Input):
    """A text field that completes what can be typed. Hidden until it is opened."""

    DEFAULT_CSS = """
    CommandLine {
        display: none; height: 1; border: none; padding: 0 1;
        background: $panel; color: $foreground;
        &:focus { border: none; background-tint: $foreground 0%; }
        &.-open { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+g", "close", "Close", show=False),
        Binding("tab", "complete", "Complete", show=False, priority=True),
    ]
    LONGEST: ClassVar[int] = 300

    class Entered(Message):
        """Something was typed and entered."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Matching(Message):
        """What of the choices begins like the text so far."""

        def __init__(self, matches: tuple[str, ...]) -> None:
            super().__init__()
            self.matches = matches

    class Closed(Message):
        """The line was closed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True, max_length=self.LONGEST)
        self.can_focus = False
        self._choices: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """True while the line is shown."""
        return self.has_class("-open")

    def open(self, choices: Sequence[str], text: str = "") -> None:
        """Show the line; `choices` is what is completed, best first."""
        self._choices = tuple(choices)
        self.suggester = SuggestFromList(self._choices, case_sensitive=False)
        self.value = text
        self.cursor_position = len(text)
        self.add_class("-open")
        self.can_focus = True
        self.focus()
        self._report()

    def close(self) -> None:
        """Hide the line."""
        if self.is_open:
            self.remove_class("-open")
            self.value = ""
            self.screen.set_focus(None)
            self.can_focus = False
            self.post_message(self.Closed())

    def matches(self) -> tuple[str, ...]:
        """The choices that begin like the text so far."""
        typed = self.value.lower().replace("-", "").lstrip()
        return tuple(choice for choice in self._choices if choice.lower().startswith(typed))

    def action_close(self) -> None:
        """Leave without entering anything."""
        self.close()

    def action_complete(self) -> None:
        """Write on as far as all matches agree."""
        matches = self.matches()
        if not matches:
            return
        common = matches[0]
        for match in matches[1:]:
            while not match.startswith(common):
                common = common[:-1]
        if len(common) > len(self.value):
            self.value = common
            self.cursor_position = len(common)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell what matches."""
        event.stop()
        self._report()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand over what was typed."""
        event.stop()
        text = self.value.strip()
        self.close()
        if text:
            self.post_message(self.Entered(text))

    def on_blur(self, event: events.Blur) -> None:
        """A click elsewhere closes the line."""
        if self.screen.is_current:
            self.close()

    def _report(self) -> None:
        if self.is_open:
            self.post_message(self.Matching(self.matches()))
