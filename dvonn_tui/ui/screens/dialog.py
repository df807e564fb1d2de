"""What all dialogs have in common."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from dvonn_tui.ui.screens.answering import AnsweringScreen
from dvonn_tui.ui.widgets.choices import PushButton, is_ascii

Result = TypeVar("Result")


class Dialog(AnsweringScreen[Result], ModalScreen[Result]):
    """A question in a frame. Escape or ctrl+g closes it, enter accepts, tab and up, down move.

    Subclasses give a `TITLE`, compose the inside in `compose_body` and the buttons in
    `compose_buttons`, and answer in `action_accept`.
    """

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $background 65%;
        &:ansi { background: ansi_default; }

        & > #frame {
            width: 72;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            background: $panel;
            color: $foreground;
            border: round $foreground 25%;
            border-title-color: $accent;
            border-title-style: bold;
            padding: 1 3 0 3;
        }
        & #body {
            width: 100%;
            height: auto;
            background: transparent;
            scrollbar-size-vertical: 1;
            scrollbar-color: $foreground 25%;
            scrollbar-color-hover: $foreground 45%;
            scrollbar-color-active: $accent;
            scrollbar-background: $panel;
            scrollbar-background-hover: $panel;
            scrollbar-background-active: $panel;
        }
        & #buttons {
            width: 100%;
            height: 1;
            margin-top: 1;
            align-horizontal: right;
        }
        & #hint {
            width: 100%;
            height: 1;
            margin-top: 1;
            color: $text-muted;
            text-overflow: ellipsis;
            text-wrap: nowrap;
        }

        &.-short > #frame, &.-narrow > #frame { padding: 0 1; }
        &.-short #buttons { margin-top: 0; }
        &.-short #hint { display: none; }

        &.-ascii > #frame { border: ascii $foreground; }
        &.-ascii #body { scrollbar-size: 0 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+g", "cancel", "Cancel", id="dialog.cancel"),
        Binding("enter", "accept", "Accept", id="dialog.accept"),
        Binding("down", "app.focus_next", "Next", show=False, id="dialog.next"),
        Binding("up", "app.focus_previous", "Previous", show=False, id="dialog.previous"),
        Binding("pagedown", "page(1)", "Scroll down", show=False, id="dialog.page_down"),
        Binding("pageup", "page(-1)", "Scroll up", show=False, id="dialog.page_up"),
    ]
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it without ClassVar
        (0, "-narrow"),
        (72, "-normal"),
        (100, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-short"),
        (22, "-medium"),
        (30, "-tall"),
    ]
    HEADING: ClassVar[str] = ""
    HINT: ClassVar[str] = "tab next   space change   enter accept   esc cancel"
    _CHROME: ClassVar[int] = 7
    """Lines of the frame around the body: border, padding, buttons, hint."""
    _CHROME_SHORT: ClassVar[int] = 3
    """The same when the screen is short: border and buttons."""
    OPENS_BY_ITSELF: ClassVar[bool] = False
    """True when the player did not ask for it: then nothing that he typed before is meant for it."""

    def __init__(self) -> None:
        super().__init__(opens_by_itself=self.OPENS_BY_ITSELF)

    @property
    def heading(self) -> str:
        """What stands above the frame; clean when it holds text from outside."""
        return self.HEADING

    def compose(self) -> ComposeResult:
        """The frame with the body, which scrolls when it has to, the buttons and the hint."""
        with Vertical(id="frame"):
            # The body itself takes no focus: tab goes from field to field.
            with VerticalScroll(id="body", can_focus=False):
                yield from self.compose_body()
            with Horizontal(id="buttons"):
                yield from self.compose_buttons()
            if self.HINT:
                yield Static(self.HINT, id="hint", markup=False)

    def compose_body(self) -> ComposeResult:
        """The inside of the dialog."""
        yield from ()

    def compose_buttons(self) -> ComposeResult:
        """The buttons, at the lower right."""
        yield PushButton("OK", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Take over the look of the application."""
        self.set_class(is_ascii(self), "-ascii")
        frame = self.query_one("#frame")
        frame.border_title = Content(f" {self.heading} ") if self.heading else None
        # A frame without a height of its own grows with the body; otherwise the body fills it. Set here,
        # so that no rule of the screen below for a part of the same name can change it.
        self.query_one("#body").styles.height = "auto" if frame.styles.is_auto_height else "1fr"

    def follow_look(self) -> None:
        """Draw everything anew after the application changed between characters and ASCII."""
        self.set_class(is_ascii(self), "-ascii")
        for widget in self.query(Widget):
            widget.refresh(layout=True)

    def on_resize(self, event: events.Resize) -> None:
        """Follow the size of the screen."""
        self.fit_body(event.size)

    def fit_body(self, size: Size) -> None:
        """Leave room for the frame and the buttons, whatever the size of the screen."""
        chrome = self._CHROME_SHORT if size.height < 22 else self._CHROME
        body = self.query_one("#body")
        body.styles.max_height = max(1, size.height - chrome)
        # A scrollbar narrows what is inside, which may then be high enough to need it: begin without.
        body.show_vertical_scrollbar = False

    def action_page(self, by: int) -> None:
        """Scroll the body by a page, for what has no focus to be reached by."""
        body = self.query_one("#body")
        body.scroll_relative(y=by * max(1, body.size.height - 1), animate=False)

    def on_push_button_pressed(self, event: PushButton.Pressed) -> None:
        """The buttons that all dialogs have."""
        if event.button.id == "accept":
            event.stop()
            self.action_accept()
        elif event.button.id == "cancel":
            event.stop()
            self.action_cancel()

    def action_accept(self) -> None:
        """Answer with what is chosen."""
        self.finish(None)

    def action_cancel(self) -> None:
        """Close without an answer."""
        self.finish(None)
