"""The Tables screen: going to servers and tables, opening tables, and the keys for that."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables.keeping import KeptSeat
from dvonn_tui.tables.link import LineKind, LinkTrouble
from dvonn_tui.tables.protocol import TableLine
from dvonn_tui.ui.copies import keep_copy
from dvonn_tui.ui.screens.list_screen import Key, bindings
from dvonn_tui.ui.screens.seat import ALL, WATCH
from dvonn_tui.ui.screens.tables_listing import TablesListing
from dvonn_tui.ui.table_words import FOR_THIS_MACHINE, leaving_words, options_of
from dvonn_tui.ui.visit import address_of, server_of
from dvonn_tui.ui.widgets.table_list import ServerRow, TableList
from dvonn_tui.ui.words import Tone

KEYS: Final = (
    Key("enter", "go", "go", "Go to the table, take the seat up again, or connect"),
    Key("slash,s,S", "server", "server", "Type the address of a server"),
    Key("n,N", "new_table", "new", "Open a table"),
    Key("w,W", "watch", "watch", "Go to the table to watch"),
    Key("question_mark,f1", "help", "help", "These keys"),
    Key("m,M", "my_name", "name", "Type how you are called there"),
    Key("ampersand,y,Y", "invite", "invite", "Copy the line that invites somebody to the table"),
    Key("d,D,delete", "forget", "forget", "Forget the seat, or the server"),
    Key("r,R,f5", "refresh", "refresh", "Look again now; else it is looked every 3 seconds"),
    Key("escape,q,t,T,ctrl+g", "close", "close", "Back to the game"),
)
"""Everything that has a key of its own; the order is that of the foot, what closes comes last."""


class TablesScreen(TablesListing, inherit_bindings=False):
    """Lists tables; answers with the one that was gone to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(KEYS),
        Binding("tab", "next_field(1)", "Next field", show=False, priority=True),
        Binding("shift+tab", "next_field(-1)", "Previous field", show=False, priority=True),
    ]
    HEADING = "Tables"
    KEYS = KEYS
    MORE_KEYS = (("tab", "From the list to the fields and back"),)

    def begin(self) -> None:
        """Go where the command line wants to."""
        if self.first[0]:
            self.run_worker(self._begin(), group="go", exclusive=True)
        else:
            self.action_refresh()

    # Servers

    async def connect(self, text: str) -> bool:
        """Go to a server by what was typed. False, and said, when that is no address."""
        try:
            address = address_of(text)
        except ValueError as fault:
            self.say(str(fault))
            self.set_focus(self.server)
            return False
        name = self.called.text or self.usual[1]
        if not self.visit.leads_to(address, name):
            if not await self._may_leave():
                return False
            await self._leave_server()
        await self.visit.go(address, name)
        self.forget_tables()
        self.usual = self.server.value, self.called.value = server_of(address), name
        settings = self.home.settings
        self.home.remember(tables=settings.tables.used(server_of(address), name))
        self.listen()
        self.show_list()
        self.action_refresh()
        return True

    async def _may_leave(self) -> bool:
        """Ask before one's own game at a table of the present server is left."""
        from dvonn_tui.ui.screens.confirm import ConfirmScreen

        told = leaving_words(self.at)
        if not told:
            return True
        question: Screen[Any] = ConfirmScreen("Leave the table?", "Leave", "Stay", told)
        return bool(await self.app.push_screen_wait(question))

    async def _leave_server(self) -> None:
        """End the line to the server that was visited, and with it what was shown of its table."""
        if self.at is not None:
            self.at = None
            self.home.table.go_home()
        await self.visit.close()

    async def _begin(self) -> None:
        server, _, table = self.first
        if await self.connect(server) and table:
            await self._enter(table, None)

    # Keys

    def action_server(self) -> None:
        """Type the address of a server."""
        self.set_focus(self.server)

    def action_my_name(self) -> None:
        """Type how one is called."""
        self.set_focus(self.called)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a field connects."""
        event.stop()

    def action_accept(self) -> None:
        """Enter in a field connects to the server."""
        if not self.called.text:
            self.say("the name is empty: type how you are called there", Tone.QUIET)
            self.set_focus(self.called)
            return
        if not self.server.text:
            self.say("type the address of a server, such as play.example.org", Tone.QUIET)
            self.set_focus(self.server)
            return
        self.run_worker(self._connect_typed(), group="go", exclusive=True)

    async def _connect_typed(self) -> None:
        if await self.connect(self.server.text):
            self.set_focus(self.list)

    def action_close(self) -> None:
        """Leave a field, and with it what was typed there and not used; else leave the screen."""
        if self.focused in (self.server, self.called):
            self.server.value, self.called.value = self.usual
            self.set_focus(self.list)
        else:
            self.finish(None)

    def on_table_list_opened(self, message: TableList.Opened) -> None:
        """A row was clicked twice."""
        self.action_go()

    # Going

    def action_go(self) -> None:
        """Do what the chosen row is for."""
        match self.list.chosen:
            case KeptSeat(server=server, table=table):
                self.run_worker(self._take_up(server, table), group="go", exclusive=True)
            case TableLine() as table:
                self._go_to(table)
            case ServerRow(address=address):
                self.run_worker(self.connect(address), group="go", exclusive=True)
            case _:
                self.action_accept()

    def action_watch(self) -> None:
        """Go to the table that is chosen without sitting down."""
        row = self.list.chosen
        if isinstance(row, TableLine):
            self.run_worker(self._enter(row.id, None), group="go", exclusive=True)
        else:
            self.say("choose a table to watch", Tone.QUIET)

    def _go_to(self, table: TableLine) -> None:
        from dvonn_tui.ui.screens.seat import SeatScreen

        free = [side for side, name in zip(Side, (table.white, table.black), strict=True) if name is None]
        if not free or self.has_seat(table.id) or (self.at is not None and self.at.id == table.id):
            self.run_worker(self._enter(table.id, None), group="go", exclusive=True)
            return

        def chosen(choice: str | None) -> None:
            if choice is not None:
                self.run_worker(self._enter(table.id, choice), group="go", exclusive=True)

        watchers = options_of(table.options).watchers
        title = table.title or f"Table {table.id}"
        self.app.push_screen(SeatScreen(title, free, watchers=watchers), chosen)

    async def _take_up(self, server: str, table: str) -> None:
        if await self.connect(server):
            await self._enter(table, None)

    async def _enter(self, id: str, seat: str | None) -> None:
        """Come to a table and sit down there if that is wished for, then show it."""
        self.say("going to the table", Tone.QUIET)
        try:
            table = await self.visit.enter(id)
        except LinkTrouble as trouble:
            self.say(trouble.reason)
            self.show_list()
            return
        if not self.is_open:
            # Somebody has closed this screen meanwhile.
            self.visit.abandon(table, self.at)
            return
        if seat is not None and seat != WATCH and table.side is None:
            table.sit(None if seat == ALL else Side(seat))
        self.finish(table)

    def action_new_table(self) -> None:
        """Open a table."""
        from dvonn_tui.ui.screens.open_table import NewTable, OpenTableScreen

        link = self.visit.link
        if link is None or link.line.kind is not LineKind.CONNECTED:
            self.say("connect to a server first: / types its address", Tone.QUIET)
            return

        def chosen(new: NewTable | None) -> None:
            if new is not None:
                self.run_worker(self._open(new.title, new.options, new.seat), group="go", exclusive=True)

        title = f"{self.usual[1]}'s table"
        self.app.push_screen(OpenTableScreen(title), chosen)

    async def _open(self, title: str, options: tuple[str, ...], seat: str) -> None:
        link = self.visit.link
        if link is None:
            return
        try:
            id = await link.open_table(title, options)
        except LinkTrouble as trouble:
            self.say(trouble.reason)
            return
        await self._enter(id, seat)

    def action_invite(self) -> None:
        """Copy the line that invites somebody to the chosen table."""
        row = self.list.chosen
        if not isinstance(row, TableLine | KeptSeat):
            self.say("choose a table to invite somebody to", Tone.QUIET)
            return
        message, kept = keep_copy(self.app, self.home.paths.data, "invitation", self.invitation(row))
        here = self.leads_here(row)
        told = f"{FOR_THIS_MACHINE}\n{message}" if here else message
        self.notify(told, markup=False, severity="information" if kept and not here else "warning")

    def action_forget(self) -> None:
        """Forget a seat, or a server that was used before."""
        match self.list.chosen:
            case KeptSeat(server=server, table=table):
                self.visit.keeping.forget(server, table)
                self.say("the seat is forgotten here; at its table it stays taken", Tone.QUIET)
            case ServerRow(address=address) if address in self.home.settings.tables.servers:
                self.home.remember(tables=self.home.settings.tables.without(address))
                self.say(f"{address} is forgotten", Tone.QUIET)
            case _:
                self.say("only your seats and servers used before can be forgotten", Tone.QUIET)
        self.show_list()
