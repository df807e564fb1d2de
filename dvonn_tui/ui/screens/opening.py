"""Opening games: from the library, and what was pasted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from textual.app import App

from dvonn_tui.clean import clean_line
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.position import Phase
from dvonn_tui.play.autosave import Origin
from dvonn_tui.play.session import Session
from dvonn_tui.records.seating import Seating
from dvonn_tui.ui.copies import OpenedFrom
from dvonn_tui.ui.farewell import command_to_go_on
from dvonn_tui.ui.keys import COMMANDS_BY_ID
from dvonn_tui.ui.screens.keeping import LONG, KeepingScreen
from dvonn_tui.ui.words import Tone, counted

if TYPE_CHECKING:
    from dvonn_tui.records.record import Fault, Record
    from dvonn_tui.records.shelf import Listed

TOLD_FAULTS: Final = 3
"""Faults of a record that are told in words; the others are counted."""

LONGEST_PASTE: Final = 4_000_000
"""Characters of a text that is pasted."""

MOST_PASTED: Final = 99
"""Games of a pasted text among which one can be chosen."""


class Speaking(Protocol):
    """A screen that can say something in its status line."""

    @property
    def app(self) -> App[Any]:
        """The application."""

    def say(self, text: str, tone: Tone = Tone.WARNING) -> None:
        """Say something until the next input."""


class OpeningScreen(KeepingScreen):
    """Opens games of files and of pasted texts in place of the present one."""

    takes_paste = True
    """Whether what is pasted on this screen is recognised."""

    def action_library(self) -> None:
        """Show all games."""
        from dvonn_tui.ui.screens.library import LibraryScreen

        self.heard()
        self.app.push_screen(LibraryScreen(self.home.library, self.home.autosave.path), self._open_listed)

    def _open_listed(self, game: Listed | None) -> None:
        """Open a game of the library: a log is gone on with, of any other form a copy is."""
        if game is None:
            return
        path = Path(game.path)
        if path == self.home.autosave.path:
            self.say("this is the game that is being played", Tone.QUIET)
        elif game.is_log:
            self._leave_present(partial(self._open_log, path))
        else:
            self._leave_present(partial(self._open_record, path, game.place))

    def _leave_present(self, then: Callable[[], object]) -> None:
        """Do something that takes the present game away; asks when it has no way back."""
        session = self.session
        if self.guest is not None:
            self.ask_to_leave_table(then)
            return
        if not session.running or self.home.autosave.name is not None:
            then()
            return

        def answered(yes: bool | None) -> None:
            if yes and self.session is session:
                then()

        detail = f"It is not saved. From here it can go on: {command_to_go_on(session, None)}"
        self._ask("Leave the game in progress?", "Leave", "Play on", answered, detail)

    def ask_to_leave_table(
        self, then: Callable[[], object], question: str = "Leave the table?", *, meant: bool = False
    ) -> None:
        """Do something that takes a table on another machine away; asks when one has a seat there."""
        then()

    def _open_log(self, path: Path) -> None:
        if self.go_on_with(path):
            self._look_from_beginning()

    def _open_record(self, path: Path, place: int) -> None:
        self.run_worker(self._read_and_open(path, place), group="open", exclusive=True)

    async def _read_and_open(self, path: Path, place: int) -> None:
        from dvonn_tui.records.record import Unreadable
        from dvonn_tui.records.shelf import game_at

        session, name = self.session, clean_line(path.name, 200)
        try:
            record = await asyncio.to_thread(game_at, path, place)
        except (Unreadable, OSError) as problem:
            why = clean_line(getattr(problem, "strerror", None) or str(problem), 200)
            self.notify(f"{name}: {why}", title="cannot open", severity="warning", timeout=LONG, markup=False)
            return
        if self.session is session:
            self.open_record(record, name)

    def open_record(self, record: Record, name: str) -> None:
        """Go on with a copy of a record; its own file begins when something is played.

        `name` is that of the file it comes from, clean; empty when it comes from none.
        """
        from dvonn_tui.play.resuming import choice_of

        self.use_session(Session(record.game))
        self.opened_from = OpenedFrom.of(record.game, record.tags)
        self.choice = choice_of(record.game, Seating())
        self.flipped = False
        self.home.autosave.follow(self.session, self.seating, Origin(None, name))
        self._dress_board()
        self._tell_faults(record.faults, name)
        self._look_from_beginning()
        self.take_seats()

    def _tell_faults(self, faults: Sequence[Fault], name: str) -> None:
        """Tell what is wrong with a record of which everything up to there is shown."""
        if not faults:
            return
        lines = [f"{name}, {fault}" if name else str(fault) for fault in faults[:TOLD_FAULTS]]
        more = len(faults) - TOLD_FAULTS
        if more > 0:
            lines.append(f"and {counted(more, 'fault')} more")
        lines.append("The game is here up to there.")
        self.notify("\n".join(lines), title="record", severity="warning", timeout=LONG, markup=False)

    def _look_from_beginning(self) -> None:
        """A finished game is looked at from where all pieces lie; one that goes on, where it stands."""
        if not self.session.game.position.over:
            return
        self.hand.view.look_at(beginning_of(self.session.game))
        self.hand.played()
        forward = self.keymap.shown(COMMANDS_BY_ID["forward"], 1)
        self.say(f"this game is over: {forward} steps through it", Tone.QUIET)

    # Pasting

    def take_paste(self, text: str, screen: Speaking) -> None:
        """Recognise a text that was pasted on this screen, or on one over it, and offer to open it."""
        self.heard()
        if len(text) > LONGEST_PASTE:
            screen.say(f"what was pasted is longer than {LONGEST_PASTE:,} characters")
        elif text.strip():
            self.run_worker(self._recognise(text, screen), group="paste", exclusive=True)

    async def _recognise(self, text: str, screen: Speaking) -> None:
        from dvonn_tui.records.record import Unreadable
        from dvonn_tui.records.shelf import games_of_paste
        from dvonn_tui.ui.screens.record import RecordScreen

        try:
            records = await asyncio.to_thread(games_of_paste, text, MOST_PASTED)
        except Unreadable as problem:
            screen.say(f"pasted: {problem}")
            return
        current: object = self.app.screen
        if current is not screen:
            return

        def chosen(number: int | None) -> None:
            if number is None:
                return
            if screen is not self:
                screen.app.pop_screen()
            self._leave_present(partial(self.open_record, records[number], ""))

        # From a worker a screen that is pushed would not be painted before the next key.
        self.call_later(self.app.push_screen, RecordScreen(records), chosen)


def beginning_of(game: Game) -> Entry:
    """The entry that a game is looked at from: where all pieces are placed, else the first one."""
    line = game.main_line()
    return next((entry for entry in line if entry.position.phase is not Phase.PLACEMENT), line[0])
