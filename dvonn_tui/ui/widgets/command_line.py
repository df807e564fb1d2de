"""The line in which moves and commands are typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual import events
from textual.message import Message
from textual.suggester import SuggestionReady
from textual.widgets import Input

from dvonn_tui.clean import clean_line


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
    LONGEST: ClassVar[int] = 300

    class Edited(Message):
        """The line was opened or closed, or its text is another one."""

    class LeftOut(Message):
        """Of a text that was entered a part has no place in the line.

        Attributes:
            told: what was left out, in words.
        """

        def __init__(self, told: str) -> None:
            super().__init__()
            self.told = told

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            id=id,
            compact=True,
            max_length=self.LONGEST,
            placeholder="a move such as a2b2, the number of a ply, or a command",
        )
        self.can_focus = False
        self._choices: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """True while the line is shown."""
        return self.has_class("-open")

    def open(self, choices: Sequence[str]) -> None:
        """Show the line, empty; `choices` is what is completed, best first."""
        self._choices = tuple(choices)
        self.value = ""
        self.add_class("-open")
        self.can_focus = True
        # At once, not when Textual comes to it: the next key is already meant for this line.
        self.screen.set_focus(self)
        self.post_message(self.Edited())

    def close(self) -> None:
        """Hide the line."""
        if self.is_open:
            self.remove_class("-open")
            self.value = ""
            self.screen.set_focus(None)
            self.can_focus = False
            self.post_message(self.Edited())

    def edit(self, event: events.Key) -> bool:
        """Change the text by a key at once, so that keys typed quickly stay in order.

        Returns:
            False when the key is none that changes the text.
        """
        edited = _EDITS.get(event.key)
        if edited is not None:
            edited(self)
        elif event.is_printable and event.character:
            self.insert_text_at_cursor(event.character)
        else:
            return False
        return True

    def replace(self, text: str, start: int, end: int) -> None:
        """Every way of entering text ends here. What is pasted may hold codes that a terminal obeys."""
        harmless = text.isascii() and text.isprintable()
        room = self.LONGEST - len(self.value) + abs(end - start)
        # Columns for more than fits, even of wide characters: so what is too long can be told.
        entered = text if harmless else clean_line(text, 2 * self.LONGEST + 2)
        if len(entered) > room:
            self.post_message(self.LeftOut(f"only {self.LONGEST} characters fit: the rest was left out"))
        super().replace(entered[:room], start, end)

    def on_paste(self, event: events.Paste) -> None:
        """Only the first line of what is pasted is taken."""
        if len(event.text.splitlines()) > 1:
            self.post_message(self.LeftOut("only the first line was taken: the rest was left out"))

    def matches(self) -> tuple[str, ...]:
        """The choices that begin like the text so far."""
        typed = self.value.lower().replace("-", "").lstrip()
        return tuple(choice for choice in self._choices if choice.lower().startswith(typed))

    def complete(self) -> None:
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
        """Suggest how it could go on, and tell that the text is another one."""
        event.stop()
        typed = event.value.casefold()
        suggested = next((choice for choice in self._choices if choice.casefold().startswith(typed)), "")
        if typed and suggested:
            # Said here and not by a suggester of Textual: that is asked by a task of its own, and Python
            # complains on the terminal when the application ends before it.
            self.post_message(SuggestionReady(event.value, suggested))
        self.post_message(self.Edited())

    def on_blur(self, event: events.Blur) -> None:
        """A click elsewhere closes the line, but not this late news of an earlier closing."""
        if self.screen.is_current and self.screen.focused is not self:
            self.close()


_EDITS: Final[dict[str, Callable[[CommandLine], None]]] = {
    "backspace": CommandLine.action_delete_left,
    "delete": CommandLine.action_delete_right,
    "left": CommandLine.action_cursor_left,
    "right": CommandLine.action_cursor_right,
    "home": CommandLine.action_home,
    "end": CommandLine.action_end,
    "ctrl+u": CommandLine.action_delete_left_all,
    "ctrl+w": CommandLine.action_delete_left_word,
    "tab": CommandLine.complete,
}
