"""A game at a table on another machine, on the same screen as every other game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dvonn_tui.clean import clean_line
from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import Action
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.autosave import Origin
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.launch import Join
from dvonn_tui.play.session import Session
from dvonn_tui.play.timekeeping import Halt
from dvonn_tui.records.seating import Seating
from dvonn_tui.ui.copies import OpenedFrom, keep_copy
from dvonn_tui.ui.screens.chatting import NOBODY, ChattingScreen
from dvonn_tui.ui.words import Tone

if TYPE_CHECKING:
    from dvonn_tui.tables.link import TableLink
    from dvonn_tui.tables.remote import RemoteTable


class WaitingSession(Session):
    """The empty board of a table at which no game has begun."""

    def __init__(self) -> None:
        super().__init__(Game.new(Setup.MANUAL))

    def submit(self, action: Action, *, after: Entry | None = None) -> tuple[Entry, ...]:
        """Nothing can be played yet. Raises IllegalAction."""
        raise IllegalAction("the game has not begun")


class LeftHere(NamedTuple):
    """A game that was played here before a table was visited.

    Attributes:
        session: the game.
        choice: how it was begun, and who plays it.
        path: its file; None when it has none.
        flipped: the board was turned round.
        renamed: how those are called who sat down later.
        opened_from: what the record says that it was opened from.
    """

    session: Session
    choice: GameChoice
    path: Path | None
    flipped: bool
    renamed: Mapping[Side, str]
    opened_from: OpenedFrom | None


class VisitingScreen(ChattingScreen):
    """Goes to tables of servers and comes back to the game that was played here."""

    _left_here: LeftHere | None = None
    """What was played here before a table was visited."""

    @property
    def choice_here(self) -> GameChoice:
        """How the game was begun that is played here, and by whom, or that was left for a table: whoever
        sits at a table is nobody to play with here."""
        if self.guest is not None and self._left_here is not None:
            return self._left_here.choice
        white, black = (self.player_name(side) for side in Side)
        return replace(self.choice, white=white, black=black)

    # Coming

    def action_tables(self) -> None:
        """Show servers and their tables."""
        from dvonn_tui.ui.screens.tables import TablesScreen

        self.heard()
        at = None if self.guest is None else self.guest.table
        self.app.push_screen(TablesScreen(self.home.visit, at), self._arrived)

    def join(self, where: Join) -> None:
        """Go to a server, or at once to one of its tables."""
        from dvonn_tui.ui.screens.tables import TablesScreen

        screen = TablesScreen(self.home.visit, server=where.server, name=where.name, table=where.table)
        self.app.push_screen(screen, self._arrived)

    def back_to_table(self, table: str) -> None:
        """Take a seat up again, at a table that is given as server and id."""
        server, _, id = table.rpartition("/")
        self.join(Join(server, id))

    def _arrived(self, table: RemoteTable | None) -> None:
        """Somebody has come to a table, or back from the list of tables."""
        link = self.home.visit.link
        if table is not None and link is not None and (self.guest is None or self.guest.table is not table):
            self.come_to(link, table)

    def come_to(self, link: TableLink, table: RemoteTable) -> None:
        """Show a table, with the game that is played there if there is one."""
        from dvonn_tui.ui.guest import Guest

        if self.guest is not None:
            self._depart()
        else:
            # Nobody is here to play it. A game with a file is taken up again from there, and paused as well.
            self.session.halt(Halt.PAUSED)
            path = self.home.autosave.path
            self._left_here = LeftHere(
                self.session, self.choice, path, self.flipped, self.renamed, self.opened_from
            )
        self.app.clear_notifications()
        self.guest = Guest(self, link, table)
        self.forget_chat()
        self.chat_open = None
        self.flipped = False
        self.show_table()
        self.hear()
        self.chat_log.read()
        self.heard()

    def show_table(self) -> None:
        """Show the game of the table, or an empty board before there is one."""
        from dvonn_tui.ui.screens.result import ResultScreen

        guest = self.guest
        assert guest is not None
        session = guest.table.session or WaitingSession()
        if isinstance(self.app.screen, ResultScreen):
            self.app.screen.finish(None)
        self.use_session(session)
        started = session.game.started
        self.choice = GameChoice(Setup(started.setup), started.seed, started.white, started.black)
        self.home.company.seat(session, self.choice, self.home.settings)
        self._save_table_game(session, guest.place)
        self._dress_board()
        self.update()

    def _save_table_game(self, session: Session, place: str) -> None:
        """Save the game of a table here as well, in the file in which it was begun if there is one."""
        from dvonn_tui.play.resuming import taken_up

        autosave = self.home.autosave
        waiting = isinstance(session, WaitingSession)
        found = None
        if autosave.enabled and not waiting:
            found = taken_up(autosave.folder, place, session.game)
        journal, recorded = found or (None, None)
        autosave.follow(session, Seating(), Origin(journal, table=place, recorded=recorded))
        if not waiting:
            autosave.catch_up()

    def use_session(self, session: Session) -> None:
        """Show another game. One that is not that of the table leaves the table."""
        if self.guest is not None and not self.guest.shows(session):
            self._depart()
        super().use_session(session)

    def seat_changed(self) -> None:
        """One's own seat is another one, or none any more."""
        self.home.tell_problems_of_tables()
        self._dress_board()
        self.update()

    # Records

    def fetch_record(self, id: str) -> None:
        """Fetch a record that the server keeps, keep a copy, and offer to open it."""
        if not id:
            raise IllegalAction("no record is kept: /option log on before the game keeps the next one")
        self.run_worker(self._fetch_record(id), group="record", exclusive=True)

    async def _fetch_record(self, id: str) -> None:
        from dvonn_tui.records.record import Unreadable
        from dvonn_tui.records.shelf import games_of_paste
        from dvonn_tui.tables.link import LinkTrouble
        from dvonn_tui.ui.screens.record import RecordScreen

        guest = self.guest
        if guest is None:
            return
        try:
            text = await guest.link.record(id)
            records = await asyncio.to_thread(games_of_paste, text, 1)
        except (LinkTrouble, Unreadable) as trouble:
            self.say(clean_line(str(trouble), 200))
            return
        self._keep_record(id, text)
        if not self.is_current:
            return

        def chosen(number: int | None) -> None:
            if number is not None:
                self._leave_present(partial(self.open_record, records[number], f"record {id}"))

        self.call_later(self.app.push_screen, RecordScreen(records, f"Record {id}"), chosen)

    def _keep_record(self, id: str, text: str) -> None:
        """Write a record of a server into the folder of the saved games, where the library lists it.

        Another record that has its name stays: ids are drawn by each server for itself.
        """
        from dvonn_tui.whole_file import write_whole

        name = re.sub("[^a-z0-9]+", "-", id.lower()).strip("-") or "game"
        names = (f"record-{name}{f'-{number}' if number > 1 else ''}.dvn" for number in count(1))
        paths = (self.home.paths.games / each for each in names)
        try:
            path = next(path for path in paths if not path.exists() or path.read_bytes() == text.encode())
            write_whole(path, text)
        except OSError as problem:
            why = problem.strerror or str(problem)
            self.notify(f"the record was not kept: {why}", severity="warning", markup=False)
        else:
            self.notify(f"kept as {path.name}: the library lists it", markup=False)

    # Leaving

    def ask_to_leave_table(
        self, then: Callable[[], object], question: str = "Leave the table?", *, meant: bool = False
    ) -> None:
        """Do something that takes the table away; asks when one's own game is played there.

        Where leaving is not what was `meant`, it asks as well before a seat is given up.
        """
        from dvonn_tui.ui.table_words import SEAT_GIVEN_UP, leaving_words

        guest = self.guest
        told = leaving_words(guest.table) if guest is not None else ""
        if not told and guest is not None and guest.side is not None and not meant:
            told = SEAT_GIVEN_UP
        if not told:
            then()
            return

        def answered(yes: bool | None) -> None:
            if yes and self.guest is guest:
                then()

        self._ask(question, "Leave", "Stay", answered, told)

    def action_leave_table(self) -> None:
        """Leave the table."""
        self.heard()
        self.leave_table()

    def leave_table(self) -> None:
        """Leave the table, after asking, and go back to what was played here."""
        if self.guest is None:
            self.say(NOBODY, Tone.QUIET)
        else:
            self.ask_to_leave_table(self._go_back, meant=True)

    def _depart(self) -> None:
        """Go away from the table: nobody listens to it any more."""
        guest, self.guest = self.guest, None
        assert guest is not None
        guest.close()
        guest.table.leave()
        self.home.visit.left(guest.table)
        self.forget_chat()
        self.update_classes({"-chat": False, "-waiting": False, "-tall-side": False})

    def go_home(self) -> None:
        """Leave the table without asking, and go back to what was played here."""
        if self.guest is not None:
            self._go_back()

    def _go_back(self) -> None:
        """Show what was played here before."""
        before, self._left_here = self._left_here, None
        assert before is not None
        if before.path is not None and self.go_on_with(before.path):
            return
        self.use_session(before.session)
        self.choice, self.flipped = before.choice, before.flipped
        self.renamed, self.opened_from = before.renamed, before.opened_from
        self.home.autosave.follow(before.session, self.seating)
        self._dress_board()
        self.take_seats()

    # What other screens have no use for

    def action_accept(self) -> None:
        """Accept what the other side offers: at a table only."""
        self.say(NOBODY, Tone.QUIET)

    def action_decline(self) -> None:
        """Decline it: at a table only."""
        self.say(NOBODY, Tone.QUIET)

    def action_invite(self) -> None:
        """Copy the invitation: at a table only."""
        self.say(NOBODY, Tone.QUIET)

    def copy_invitation(self) -> None:
        """Copy the line with which somebody else comes to the table."""
        from dvonn_tui.ui.table_words import FOR_THIS_MACHINE

        if self.guest is not None:
            invite = self.guest.table.invite
            message, kept = keep_copy(self.app, self.home.paths.data, "invitation", invite)
            here = self.guest.link.address.here
            told = [invite, *([FOR_THIS_MACHINE] if here else []), message]
            self.notify(
                "\n".join(told),
                markup=False,
                severity="information" if kept and not here else "warning",
                timeout=12,
            )
