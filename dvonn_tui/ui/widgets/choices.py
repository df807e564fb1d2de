"""Small controls for dialogs that any terminal can show: one of several, on or off, a text, a button.

Textual's own draw with characters that an ASCII screen lacks, and show their state by colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.dom import DOMNode
from textual.geometry import Size
from textual.message import Message
from textual.reactive import var
from textual.widget import Widget
from textual.widgets import Input, Static

from dvonn_tui.clean import clean_line


class Glyphs(NamedTuple):
    """The characters that the controls draw with."""

    chosen: str
    other: str
    on: str
    off: str
    focus: str
    previous: str
    following: str


SHAPES: Final = Glyphs("●", "○", "■", "□", "▸", "◂", "▸")
ASCII: Final = Glyphs("(*)", "( )", "[x]", "[ ]", ">", "<", ">")


def is_ascii(node: DOMNode) -> bool:
    """True when the application keeps to ASCII: it then has the class ``-ascii``."""
    return node.app.has_class("-ascii")


def glyphs(node: DOMNode) -> Glyphs:
    """The characters to draw with at present."""
    return ASCII if is_ascii(node) else SHAPES


class Arrangement(StrEnum):
    """How the choices of a `OneOf` lie."""

    ROW = "row"
    """Side by side, in as many lines as they need; left and right choose."""
    COLUMN = "column"
    """One a line; up and down choose."""
    STEP = "step"
    """Only the chosen one is shown, between arrows: for long lists."""


class _Place(NamedTuple):
    """Where a choice is drawn."""

    x: int
    y: int
    number: int
    text: str


class OneOf(Widget, can_focus=True):
    """Several choices of which exactly one is chosen."""

    DEFAULT_CSS = """
    OneOf {
        width: 1fr;
        height: auto;
        pointer: pointer;
        color: $text-muted;
        & > .one-of--chosen { color: $foreground; text-style: bold; }
        & > .one-of--focused { color: $accent; text-style: bold; }
        & > .one-of--under { color: $foreground; }
        &:disabled { opacity: 50%; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"one-of--chosen", "one-of--focused", "one-of--under"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Previous", show=False, id="choice.left"),
        Binding("right", "step(1)", "Next", show=False, id="choice.right"),
        Binding("up", "step_up(-1)", "Previous", show=False, id="choice.up"),
        Binding("down", "step_up(1)", "Next", show=False, id="choice.down"),
        Binding("space", "step(1)", "Next", show=False, id="choice.next"),
    ]
    ALLOW_SELECT = False
    _GAP: ClassVar[int] = 3

    @dataclass
    class Changed(Message):
        """Another choice was chosen by the player."""

        one_of: OneOf
        value: str

        @property
        def control(self) -> OneOf:
            """The control that was changed."""
            return self.one_of

    chosen: var[int] = var(0)
    under: var[int | None] = var(None)

    def __init__(
        self,
        choices: Sequence[tuple[str, str]],
        chosen: str,
        *,
        arrangement: Arrangement = Arrangement.ROW,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Choices are pairs of value and label. An unknown value chooses the first."""
        super().__init__(id=id, classes=classes)
        self.choices = tuple(choices)
        self.arrangement = arrangement
        values = [value for value, _ in self.choices]
        self.set_reactive(OneOf.chosen, values.index(chosen) if chosen in values else 0)

    @property
    def value(self) -> str:
        """The value of the chosen one."""
        return self.choices[self.chosen][0]

    def choose(self, value: str) -> None:
        """Choose by value, without a message."""
        self.chosen = next(index for index, (other, _) in enumerate(self.choices) if other == value)

    def _places(self, width: int) -> Iterator[_Place]:
        """Where each choice is drawn in so many columns."""
        signs = glyphs(self)
        if self.arrangement is Arrangement.STEP:
            label = self.choices[self.chosen][1]
            widest = max(cell_len(text) for _, text in self.choices)
            label += " " * (widest - cell_len(label))
            yield _Place(0, 0, self.chosen, f"{signs.previous} {label} {signs.following}")
            return
        x = y = 0
        for index, (_, label) in enumerate(self.choices):
            text = f"{signs.chosen if index == self.chosen else signs.other} {label}"
            length = cell_len(text)
            if self.arrangement is Arrangement.COLUMN:
                x, y = 0, index
            elif x and x + length > width:
                x, y = 0, y + 1
            yield _Place(x, y, index, text)
            x += length + self._GAP

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the choices need."""
        return max(place.y for place in self._places(width)) + 1

    def render(self) -> Content:
        """All choices, each with a shape that says whether it is chosen."""
        lines: list[list[Content]] = []
        for place in self._places(self.size.width):
            while len(lines) <= place.y:
                lines.append([])
            line = lines[place.y]
            filled = sum(part.cell_length for part in line)
            line.append(Content(" " * (place.x - filled)))
            line.append(self._styled(place))
        return Content("\n").join([Content("").join(line) for line in lines])

    def _styled(self, place: _Place) -> Content:
        if place.number == self.chosen:
            name = "one-of--focused" if self.has_focus else "one-of--chosen"
        elif place.number == self.under:
            name = "one-of--under"
        else:
            return Content(place.text)
        return Content.styled(place.text, self.get_visual_style(name))

    def _at(self, x: int, y: int) -> _Place | None:
        """The choice at a place."""
        for place in self._places(self.size.width):
            if place.y == y and place.x <= x < place.x + cell_len(place.text):
                return place
        return None

    def on_click(self, event: events.Click) -> None:
        """Choose the one that was clicked; between arrows, the left half steps back."""
        event.stop()
        offset = event.get_content_offset(self)
        place = self._at(*offset) if offset is not None else None
        if offset is None or place is None:
            return
        if self.arrangement is Arrangement.STEP:
            self.action_step(-1 if offset.x < cell_len(place.text) // 2 else 1)
        else:
            self._change(place.number)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Light up the choice under the pointer."""
        offset = event.get_content_offset(self)
        place = self._at(*offset) if offset is not None else None
        self.under = place.number if place is not None else None

    def on_leave(self) -> None:
        """The pointer is gone."""
        self.under = None

    def action_step(self, by: int) -> None:
        """Choose the next or the one before, around the end."""
        self._change((self.chosen + by) % len(self.choices))

    def action_step_up(self, by: int) -> None:
        """Choose the one above or below, as long as there is one; at the ends go to the next field."""
        if self.arrangement is Arrangement.COLUMN and 0 <= self.chosen + by < len(self.choices):
            self._change(self.chosen + by)
        elif by > 0:
            self.screen.focus_next()
        else:
            self.screen.focus_previous()

    def _change(self, index: int) -> None:
        if index != self.chosen:
            self.chosen = index
            self.post_message(self.Changed(self, self.value))

    def watch_chosen(self) -> None:
        """Show it."""
        self.refresh()

    def watch_under(self) -> None:
        """Show it."""
        self.refresh()


class OnOff(Widget, can_focus=True):
    """A choice between on and off."""

    DEFAULT_CSS = """
    OnOff {
        width: 1fr;
        height: 1;
        pointer: pointer;
        color: $text-muted;
        &.-on { color: $foreground; text-style: bold; }
        &:focus { color: $accent; text-style: bold; }
        &:hover { color: $foreground; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,left,right", "turn_over", "Toggle", show=False, id="choice.toggle"),
    ]
    ALLOW_SELECT = False

    @dataclass
    class Changed(Message):
        """The player turned it on or off."""

        on_off: OnOff
        value: bool

        @property
        def control(self) -> OnOff:
            """The control that was changed."""
            return self.on_off

    value: var[bool] = var(False, toggle_class="-on")

    def __init__(self, value: bool, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.set_reactive(OnOff.value, value)
        self.set_class(value, "-on")

    def render(self) -> Content:
        """The state as a shape and as a word."""
        signs = glyphs(self)
        return Content(f"{signs.on} on" if self.value else f"{signs.off} off")

    def watch_value(self) -> None:
        """Show it."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """A click turns it over."""
        event.stop()
        self.action_turn_over()

    def action_turn_over(self) -> None:
        """Turn it over."""
        self.value = not self.value
        self.post_message(self.Changed(self, self.value))


class PushButton(Widget, can_focus=True):
    """A button of one line. The one with the focus is pointed at, so it needs no colour to be seen."""

    DEFAULT_CSS = """
    PushButton {
        width: auto;
        height: 1;
        margin-left: 2;
        pointer: pointer;
        background: $foreground 10%;
        color: $foreground;
        &.-main { background: $accent 22%; color: $accent; text-style: bold; }
        &:hover { background: $foreground 22%; }
        &:focus { background: $foreground 85%; color: $background; text-style: bold; }
        &.-main:focus { background: $accent; color: $background; }
        &:disabled { color: $text-muted; background: $foreground 5%; text-style: none; }
        &:ansi { background: transparent; color: ansi_default; }
        &:ansi:focus { background: transparent; color: ansi_default; text-style: bold reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "press", "Press", show=False, id="button.press"),
        Binding("left", "app.focus_previous", "Previous", show=False, id="button.left"),
        Binding("right", "app.focus_next", "Next", show=False, id="button.right"),
    ]
    ALLOW_SELECT = False

    @dataclass
    class Pressed(Message):
        """The button was pressed."""

        button: PushButton

        @property
        def control(self) -> PushButton:
            """The button."""
            return self.button

    def __init__(self, label: str, *, id: str | None = None, main: bool = False) -> None:
        super().__init__(id=id, classes="-main" if main else None)
        self.label = label

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The label and three columns at each side."""
        return cell_len(self.label) + 6

    def render(self) -> Content:
        """The label; brackets stand for the shape of the button where no background shows it."""
        bare = is_ascii(self) or self.app.current_theme.ansi
        left, right = "[]" if bare else "  "
        pointer = glyphs(self).focus if self.has_focus else " "
        return Content(f"{left}{pointer} {self.label}  {right}")

    def on_click(self, event: events.Click) -> None:
        """A click presses the button."""
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        """Press the button."""
        if not self.disabled:
            self.post_message(self.Pressed(self))


class TextField(Input):
    """A line of text that comes from outside: pasted and typed characters are cleaned as they come."""

    DEFAULT_CSS = """
    TextField {
        width: 1fr;
        height: 1;
        border: none;
        padding: 0 1;
        background: $foreground 8%;
        &:focus { border: none; background: $foreground 14%; background-tint: transparent; }
        &.-invalid, &.-invalid:focus { border: none; color: $warning; }
        &:disabled { opacity: 50%; }
        &:ansi, &:ansi:focus {
            border-left: ascii ansi_default;
            border-right: ascii ansi_default;
            padding: 0;
        }
    }
    Dialog.-ascii TextField, Dialog.-ascii TextField:focus {
        border-left: ascii $foreground;
        border-right: ascii $foreground;
        padding: 0;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        # Enter answers the dialog rather than the field.
        Binding("enter", "screen.accept", "Accept", show=False, id="field.accept"),
    ]

    def __init__(self, value: str, *, limit: int, placeholder: str = "", id: str | None = None) -> None:
        """A field for a text of at most ``limit`` columns."""
        self.limit = limit
        super().__init__(clean_line(value, limit), placeholder=placeholder, id=id, select_on_focus=True)

    def replace(self, text: str, start: int, end: int) -> None:
        """Every way of entering text ends here: clean it, and refuse what does not fit."""
        text = self._cleaned(text)
        rest = self.value[: min(start, end)] + self.value[max(start, end) :]
        while text and cell_len(rest + text) > self.limit:
            text = text[:-1]
        super().replace(text, start, end)

    def insert(self, text: str, index: int) -> None:
        """Insert cleaned text."""
        self.replace(text, index, index)

    def _cleaned(self, text: str) -> str:
        """Without what does harm, but with the blanks at the ends that typing goes through."""
        if not text.strip():
            return " " if text else ""
        lead = " " if text[0] == " " else ""
        trail = " " if text[-1] == " " else ""
        return f"{lead}{clean_line(text, max(self.limit * 4, 80))}{trail}"

    @property
    def text(self) -> str:
        """The text, clean and without blanks around it."""
        return clean_line(self.value, self.limit)


class FieldRow(Horizontal):
    """A label and its control in one line. A pointer before the label shows where the focus is."""

    DEFAULT_CSS = """
    FieldRow {
        width: 100%;
        height: auto;
        & > .label { width: 16; color: $text-muted; }
        &:focus-within > .label { color: $foreground; text-style: bold; }
    }
    """

    def __init__(self, label: str, *controls: Widget, id: str | None = None) -> None:
        super().__init__(id=id)
        self.label = label
        self.controls = controls

    def compose(self) -> ComposeResult:
        """The label, then the controls."""
        yield _Label(self.label)
        yield from self.controls

    def on_descendant_focus(self) -> None:
        """Point at this row."""
        self.query_one(_Label).refresh()

    def on_descendant_blur(self) -> None:
        """Point at it no longer."""
        self.query_one(_Label).refresh()


class _Label(Static):
    """The label of a row."""

    def __init__(self, label: str) -> None:
        super().__init__(classes="label", markup=False)
        self._text = label

    def render(self) -> Content:
        """The pointer, when the focus is in the row, and the label."""
        row = self.parent
        focused = isinstance(row, FieldRow) and row.has_focus_within
        return Content(f"{glyphs(self).focus if focused else ' '} {self._text}")

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Labels are one line."""
        return 1
