"""A small application below the dialogs: it counts the keys and clicks that reach it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import Widget
from textual.widgets import Static

from dvonn_tui.art.painter import Look
from dvonn_tui.art.palettes import DARK, Palette
from dvonn_tui.ui.fresh import FreshInput
from dvonn_tui.ui.screens.dialog import Dialog

SLATE = Theme(
    "slate",
    primary="#72d6ff",
    secondary="#72d6ff",
    accent="#ffcf56",
    warning="#ff9142",
    foreground="#d9e1e8",
    background="#0e1217",
    surface="#10161c",
    panel="#151b22",
    variables={"text-muted": "#7d8b97"},
)

OTHER_KEYS = ["q", "u", "y", "x", "left", "right", "up", "down", "space", "question_mark", "colon", "tab"]
MISSING: Any = object()


class Below(Widget, can_focus=True):
    """Stands for the board: has the focus, and keys of its own."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "count", "Count")]
    clicks = 0
    enters = 0

    def on_click(self) -> None:
        self.clicks += 1

    def action_count(self) -> None:
        self.enters += 1

    def render(self) -> str:
        return ""

    DEFAULT_CSS = "Below { width: 100%; height: 1fr; }"


class BelowScreen(Screen[None]):
    """Stands for the screen of the game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "ask", "Ask"),
        *(Binding(key, "count", "Count", show=False) for key in OTHER_KEYS),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.actions = 0

    def compose(self) -> ComposeResult:
        yield Static("the game", markup=False)
        yield Below()

    def action_count(self) -> None:
        self.actions += 1

    def action_ask(self) -> None:
        self.app.ask()  # type: ignore[attr-defined]


class Harness(FreshInput[None]):
    """Opens the dialog that `make` makes, and keeps what it answered."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, make: Callable[[], Dialog[Any]], look: Look = Look.DISCS, palette: Palette = DARK
    ) -> None:
        super().__init__()
        self.make = make
        self.board_look = look
        self.board_palette = palette
        self.answer: Any = MISSING
        self.below = BelowScreen()

    def on_mount(self) -> None:
        self.register_theme(SLATE)
        self.theme = "slate"
        self.set_class(self.board_look is Look.ASCII, "-ascii")
        self.push_screen(self.below)

    def ask(self) -> None:
        self.push_screen(self.make(), self.keep)

    def keep(self, answer: Any) -> None:
        self.answer = answer

    @property
    def rows(self) -> list[str]:
        """What is on the screen, as text."""
        return rows_of(self)


def rows_of(app: App[Any]) -> list[str]:
    """The lines of the present screen, what shines through from below left out."""
    strips = app.screen._compositor.render_strips()
    return [strip.text for strip in strips]
