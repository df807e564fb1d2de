"""What the library and the tables have in common: a whole screen for a list of which a row is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar, cast

from textual import events
from textual.binding import Binding, BindingType

from dvonn_tui.ui.keys import key_word
from dvonn_tui.ui.screens.answering import AnsweringScreen
from dvonn_tui.ui.widgets.lines import Dressed, KeyBar

if TYPE_CHECKING:
    from dvonn_tui.ui.app import DvonnApp

Chosen = TypeVar("Chosen")

BESIDE_FROM: Final = 106
"""Columns from which on what is told of the chosen row stands beside the list: both are then wide enough."""
BELOW_FROM: Final = 22
"""Lines from which on it has room below the list."""


@dataclass(frozen=True, slots=True)
class Key:
    """Something that can be done on such a screen.

    Attributes:
        keys: the keys, separated by commas.
        action: what they do, as Textual writes it.
        short: its word at the foot.
        title: what it does, for the help.
    """

    keys: str
    action: str
    short: str
    title: str

    @property
    def shown(self) -> str:
        """The keys for people: letters without their upper case."""
        keys = self.keys.split(",")
        told = (each for each in keys if len(each) > 1 or each.islower() or each.lower() not in keys)
        return " ".join(map(key_word, told))


def bindings(keys: Sequence[Key]) -> list[BindingType]:
    """The keys of a screen, and those that choose a row."""
    return [
        *(Binding(key.keys, key.action, key.title, show=False) for key in keys),
        Binding("down", "move(1)", "Next", show=False, priority=True),
        Binding("up", "move(-1)", "Previous", show=False, priority=True),
        Binding("pagedown", "page(1)", "A page down", show=False, priority=True),
        Binding("pageup", "page(-1)", "A page up", show=False, priority=True),
        Binding("home,ctrl+home", "to(0)", "The first", show=False),
        Binding("end,ctrl+end", "to(-1)", "The last", show=False),
        Binding("j", "move(1)", "Next", show=False),
        Binding("k", "move(-1)", "Previous", show=False),
    ]


class ListScreen(AnsweringScreen[Chosen], inherit_bindings=False):
    """Shows a list, and answers with what was chosen.

    Attributes:
        foot: the keys at the foot, once it is dressed.
    """

    HEADING: ClassVar[str]
    """What the help calls the screen."""
    KEYS: ClassVar[Sequence[Key]]
    """Everything that has a key of its own; the order is that of the foot, what closes comes last."""
    MORE_KEYS: ClassVar[Sequence[tuple[str, str]]] = ()
    """What else the help tells."""

    @property
    def home(self) -> DvonnApp:
        """The application, by its own type."""
        return cast("DvonnApp", self.app)

    def dress(self) -> None:
        """Give every widget the present colours and signs, show the keys, and share the room."""
        for widget in self.query(Dressed):
            widget.dress(self.home.inks, self.home.signs)
        self.foot = self.query_one("#keys", KeyBar)
        self.foot.show(tuple((key_word(key.keys.split(",")[0]), key.short, key.action) for key in self.KEYS))
        self.divide(*self.app.size)

    def divide(self, columns: int, lines: int) -> None:
        """Arrange the widgets for a screen of a size."""
        beside = columns >= BESIDE_FROM and lines >= BELOW_FROM
        self.set_class(beside, "-beside")
        self.set_class(not beside and lines >= BELOW_FROM, "-below")

    def on_resize(self, event: events.Resize) -> None:
        """Share the room anew."""
        if self.is_mounted:
            self.divide(event.size.width, event.size.height)

    def action_help(self) -> None:
        """Tell the keys of this screen."""
        from dvonn_tui.ui.screens.help import HelpScreen

        told = [*((key.shown, key.title) for key in self.KEYS), *self.MORE_KEYS]
        self.app.push_screen(HelpScreen([(self.HEADING, told)], "keys"))

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        """A key at the foot was clicked."""
        self.call_later(self.run_action, message.action)
