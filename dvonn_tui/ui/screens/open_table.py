"""The dialog in which a table is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.widgets import Input, Static

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.clocks import FORMS, parse_clock
from dvonn_tui.tables.options import DEFAULT_OPTIONS
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.screens.seat import seat_choices
from dvonn_tui.ui.widgets.choices import Arrangement, FieldRow, OneOf, OnOff, PushButton, TextField

LONGEST_TITLE: Final = 40
LONGEST_CLOCK: Final = 12

ABSENCES: Final = (0, 1, 5, 10, 30, 60)
"""Minutes that can be chosen; any other number can be set at the table."""

_EXPLAINED: Final = {
    "title": "What the table is called in the list.",
    "setup": "How the board is filled. Manual: you place the pieces.",
    "clock": f"Written as {FORMS}.",
    "seat": "Where you sit yourself.",
    "absence": "Minutes that a player may be away in all before the other can claim the game.",
    "watchers": "Whether others may come and watch.",
    "apart": "Players and watchers write among themselves.",
    "log": "The server keeps the record of each game, to be opened by anybody at the table.",
}


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be opened.

    Attributes:
        title: clean, perhaps empty.
        options: as `dvonn_tui.tables.options` writes them.
        seat: where to sit: a side, `ALL` or `WATCH` of `dvonn_tui.ui.screens.seat`.
    """

    title: str
    options: tuple[str, ...]
    seat: str


class OpenTableScreen(Dialog[NewTable]):
    """Asks for the title and the options of a table. All of them can be changed at the table."""

    DEFAULT_CSS = """
    OpenTableScreen {
        & > #frame { width: 72; }
        & FieldRow > .label { width: 16; }
        & #explained { width: 100%; height: auto; min-height: 2; margin: 1 0 0 2; color: $text-muted; }
        & #explained.-wrong { color: $warning; text-style: bold; }
        & #clock { width: 16; }
        & #hint { padding-left: 2; }
        &.-short #explained { margin: 0 0 0 2; }
        &.-tall FieldRow { margin-bottom: 1; }
        &.-tall #explained { margin: 0 0 0 2; }
    }
    """
    AUTO_FOCUS = "#title"
    HEADING = "New table"
    HINT = "tab move   space change   enter open the table   esc cancel"

    def __init__(self, title: str) -> None:
        """`title` is proposed."""
        super().__init__()
        self._title = title

    def compose_body(self) -> ComposeResult:
        """A row for everything that can be set."""
        usual = DEFAULT_OPTIONS
        setups = [(name, name) for name in ("balanced", "random", "symmetric", "manual")]
        minutes = [(str(number), f"{number} min") for number in ABSENCES]
        seats = seat_choices(tuple(Side))
        yield FieldRow("Title", TextField(self._title, limit=LONGEST_TITLE, id="title"))
        yield FieldRow("Set-up", OneOf(setups, str(usual.setup), id="setup"))
        yield FieldRow("Clock", TextField("none", limit=LONGEST_CLOCK, id="clock"))
        yield FieldRow("You play", OneOf(seats, seats[0][0], arrangement=Arrangement.STEP, id="seat"))
        yield FieldRow(
            "Absence", OneOf(minutes, str(usual.absence), arrangement=Arrangement.STEP, id="absence")
        )
        yield FieldRow("Watchers", OnOff(usual.watchers, id="watchers"))
        yield FieldRow("Chat apart", OnOff(usual.chat_apart, id="apart"))
        yield FieldRow("Keep records", OnOff(usual.log, id="log"))
        yield Static(id="explained", markup=False)

    def compose_buttons(self) -> ComposeResult:
        """Open it, or not."""
        yield PushButton("Open", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what the present field is for, or what is wrong with it."""
        if event.widget.id == "clock":
            self._tell_clock()
        else:
            self._tell(_EXPLAINED.get(event.widget.id or "", ""))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say of a clock what is wrong with it."""
        event.stop()
        if event.input.id == "clock" and event.input.has_focus:
            self._tell_clock()

    def _tell_clock(self) -> None:
        fault = self._clock_fault()
        self._tell(fault or _EXPLAINED["clock"], wrong=bool(fault))

    def _clock_fault(self) -> str:
        """Why the clock cannot be read; empty when it can."""
        try:
            parse_clock(self.query_one("#clock", TextField).text or "none")
        except ValueError as problem:
            return str(problem)
        return ""

    def _tell(self, text: str, *, wrong: bool = False) -> None:
        told = self.query_one("#explained", Static)
        told.set_class(wrong, "-wrong")
        told.update(text)
        if wrong:
            # Once it is known how many lines it takes.
            self.call_after_refresh(told.scroll_visible, animate=False)

    def action_accept(self) -> None:
        """Open the table; with a clock that cannot be read, go to it instead."""
        clock = self.query_one("#clock", TextField)
        if self._clock_fault():
            clock.focus()
            self._tell_clock()
            return
        rule = parse_clock(clock.text or "none")
        options = (
            self.query_one("#setup", OneOf).value,
            f"time {rule}",
            f"absence {self.query_one('#absence', OneOf).value}",
            f"watchers {self._switch('watchers')}",
            f"chat {'apart' if self.query_one('#apart', OnOff).value else 'open'}",
            f"log {self._switch('log')}",
        )
        title = self.query_one("#title", TextField).text
        self.finish(NewTable(title, options, self.query_one("#seat", OneOf).value))

    def _switch(self, name: str) -> str:
        return "on" if self.query_one(f"#{name}", OnOff).value else "off"
