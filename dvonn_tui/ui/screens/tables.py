"""The Tables screen: servers, their tables, and the seats that can be taken up again."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from textual import events
from textual._time import get_time
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Input, Static

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables.finding import FindingTrouble, Found
from dvonn_tui.tables.keeping import KeptSeat
from dvonn_tui.tables.link import LineKind, LineState, LinkTrouble
from dvonn_tui.tables.protocol import TableLine, Tables
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables_settings import LONGEST_NAME, LONGEST_SERVER
from dvonn_tui.ui.copies import keep_copy
from dvonn_tui.ui.keys import key_word
from dvonn_tui.ui.screens.library import Key
from dvonn_tui.ui.screens.seat import ALL, WATCH
from dvonn_tui.ui.visit import Visit, address_of, server_of, usual_name
from dvonn_tui.ui.widgets.choices import TextField
from dvonn_tui.ui.widgets.lines import Dressed, KeyBar, StatusLine, TopBar
from dvonn_tui.ui.widgets.table_card import TableCard
from dvonn_tui.ui.widgets.table_list import Heading, ServerRow, TableList, TableRow
from dvonn_tui.ui.words import Said, Tone, counted

if TYPE_CHECKING:
    from dvonn_tui.ui.app import DvonnApp

LIST_AGAIN: Final = 3.0
"""Seconds between two looks at the tables of a server."""
FIND_AGAIN: Final = 10.0
"""Seconds between two looks for servers on the local network."""
FIND_FOR: Final = 2.0
"""Seconds for which such a look lasts."""

BESIDE_FROM: Final = 106
"""Columns from which on the card stands beside the list."""
BELOW_FROM: Final = 22
"""Lines from which on the card below the list has room for everything."""

KEYS: Final = (
    Key("enter", "go", "go there", "Go to the table, take the seat up again, or connect"),
    Key("n,N", "new_table", "new table", "Open a table"),
    Key("w,W", "watch", "watch", "Go to the table to watch"),
    Key("slash,s,S", "server", "server", "Type the address of a server"),
    Key("question_mark,f1", "help", "help", "These keys"),
    Key("m,M", "my_name", "name", "Type how you are called there"),
    Key("ampersand,y,Y", "invite", "invite", "Copy the line that invites somebody to the table"),
    Key("d,D,delete", "forget", "forget", "Forget the seat, or the server"),
    Key("r,R,f5", "refresh", "refresh", "Look again now; else it is looked every 3 seconds"),
    Key("escape,q,t,T,ctrl+g", "close", "close", "Back to the game"),
)
"""Everything that has a key of its own; the order is that of the foot, what closes comes last."""


class TablesScreen(Screen[RemoteTable], inherit_bindings=False):
    """Lists tables; answers with the one that was gone to."""

    DEFAULT_CSS = """
    TablesScreen {
        layout: vertical; background: $background; color: $foreground;
        & #where { width: 100%; height: 1; background: $panel; }
        & #where Static { width: auto; height: 1; color: $text-muted; padding: 0 1; }
        & #server { width: 2fr; }
        & #name { width: 1fr; }
        & #where TextField { height: 1; border: none; padding: 0 1; background: $foreground 8%; }
        & #where TextField:focus { background: $foreground 16%; }
        & #body { height: 1fr; layout: vertical; }
        & #list { width: 100%; height: 1fr; margin-top: 1; }
        & #card { width: 100%; height: 3; margin-top: 1; }
        & #status { width: 100%; }

        &.-low #list { margin-top: 0; }
        &.-below #card { height: 11; }
        &.-beside #body { layout: horizontal; }
        &.-beside #list { width: 1fr; height: 100%; }
        &.-beside #card { width: 42; height: 100%; margin: 1 0 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.title, show=False) for key in KEYS),
        Binding("tab", "next_field(1)", "Next field", show=False, priority=True),
        Binding("shift+tab", "next_field(-1)", "Previous field", show=False, priority=True),
        Binding("down", "move(1)", "Next", show=False, priority=True),
        Binding("up", "move(-1)", "Previous", show=False, priority=True),
        Binding("pagedown", "page(1)", "A page down", show=False, priority=True),
        Binding("pageup", "page(-1)", "A page up", show=False, priority=True),
        Binding("home,ctrl+home", "to(0)", "The first", show=False),
        Binding("end,ctrl+end", "to(-1)", "The last", show=False),
        Binding("j", "move(1)", "Next", show=False),
        Binding("k", "move(-1)", "Previous", show=False),
    ]
    AUTO_FOCUS = "#list"

    def __init__(
        self,
        visit: Visit,
        at: RemoteTable | None = None,
        *,
        server: str = "",
        name: str = "",
        table: str = "",
    ) -> None:
        """`at` is the table that one is at already. With a `server` it is connected to at once, and with
        the id of a `table` gone there."""
        super().__init__()
        self.shown_at = math.inf
        """When the screen was first seen; older input is not for it (see `FreshInput`)."""
        self._visit = visit
        self._at = at
        self._first = (server, name, table)
        self._tables: Tables | None = None
        self._found: list[Found] = []
        self._find_trouble = ""
        self._unsubscribe: Callable[[], None] = lambda: None
        self._told: Said = ()

    @property
    def home(self) -> DvonnApp:
        """The application, by its own type."""
        return cast("DvonnApp", self.app)

    def compose(self) -> ComposeResult:
        """Where to go, the list, and what is known of the chosen row."""
        inks = self.home.inks
        settings = self.home.settings.tables
        server, name, _ = self._first
        link = self._visit.link
        shown = server or (server_of(link.address) if link else next(iter(settings.servers), ""))
        yield TopBar(inks, id="bar")
        with Horizontal(id="where"):
            yield Static("server", markup=False)
            yield TextField(shown, limit=LONGEST_SERVER, placeholder="type an address, enter", id="server")
            yield Static("your name", markup=False)
            yield TextField(name or settings.name or usual_name(), limit=LONGEST_NAME, id="name")
        with Horizontal(id="body"):
            yield TableList(inks, id="list")
            yield TableCard(inks, id="card")
        yield StatusLine(inks, id="status")
        yield KeyBar(inks, id="keys")

    def on_mount(self) -> None:
        """Show what is known, and look for more."""
        self.bar = self.query_one("#bar", TopBar)
        self.server = self.query_one("#server", TextField)
        self.called = self.query_one("#name", TextField)
        self.list = self.query_one("#list", TableList)
        self.card = self.query_one("#card", TableCard)
        self.status = self.query_one("#status", StatusLine)
        self.foot = self.query_one("#keys", KeyBar)
        for widget in self.query(Dressed):
            widget.dress(self.home.inks, self.home.signs)
        self.foot.show(tuple((key_word(key.keys.split(",")[0]), key.short, key.action) for key in KEYS))
        self._divide(*self.app.size)
        self._listen()
        self.show_list()
        self.set_interval(LIST_AGAIN, self.action_refresh)
        self.run_worker(self._find(), group="find", exclusive=True)
        for problem in self._visit.keeping.problems:
            self.notify(problem, title="tables", severity="warning", markup=False)
        if self._first[0]:
            self.run_worker(self._begin(), group="go", exclusive=True)
        elif self._visit.link is not None:
            self.action_refresh()

    def on_unmount(self) -> None:
        """Listen no longer."""
        self._unsubscribe()

    def on_screen_resume(self) -> None:
        """Shown, or shown again: only what is pressed from now on is meant for this screen."""
        self.shown_at = math.inf
        self.call_after_refresh(self._seen)

    def _seen(self) -> None:
        self.shown_at = get_time()

    def on_resize(self, event: events.Resize) -> None:
        """Share the room anew."""
        if self.is_mounted:
            self._divide(event.size.width, event.size.height)

    def _divide(self, columns: int, lines: int) -> None:
        beside = columns >= BESIDE_FROM and lines >= BELOW_FROM
        self.set_class(beside, "-beside")
        self.set_class(not beside and lines >= BELOW_FROM, "-below")
        self.set_class(lines < BELOW_FROM, "-low")

    # The line

    def _listen(self) -> None:
        self._unsubscribe()
        link = self._visit.link
        self._unsubscribe = link.subscribe(self._line_changed) if link is not None else lambda: None

    def _line_changed(self, line: LineState) -> None:
        self.call_later(self._follow_line, line)

    def _follow_line(self, line: LineState) -> None:
        if not self.is_mounted:
            return
        if line.kind is LineKind.CONNECTED:
            self.status.show(())
            self.action_refresh()
        self.show_list()

    async def connect(self, text: str) -> bool:
        """Go to a server by what was typed. False, and said, when that is no address."""
        try:
            address = address_of(text)
        except ValueError as fault:
            self.say(str(fault))
            self.set_focus(self.server)
            return False
        name = self.called.text or usual_name()
        link = self._visit.link
        if link is None or link.address.server != address.server or link.line.kind in _ENDED:
            if not await self._may_leave():
                return False
            await self._leave_server()
        await self._visit.go(address, name)
        self._tables = None
        self.server.value = server_of(address)
        settings = self.home.settings
        self.home.remember(tables=settings.tables.used(server_of(address), name))
        self._listen()
        self.show_list()
        self.action_refresh()
        return True

    async def _may_leave(self) -> bool:
        """Ask before one's own game at a table of the present server is left."""
        from dvonn_tui.ui.screens.confirm import ConfirmScreen

        at = self._at
        if at is None or at.side is None or not at.state.in_game:
            return True
        detail = f"The game goes on, and your seat stays yours: {at.invite} brings you back."
        question: Screen[Any] = ConfirmScreen("Leave the table?", "Leave", "Stay", detail)
        return bool(await self.app.push_screen_wait(question))

    async def _leave_server(self) -> None:
        """End the line to the server that was visited, and with it what was shown of its table."""
        if self._at is not None:
            self._at = None
            self.home.table.go_home()
        await self._visit.close()

    async def _begin(self) -> None:
        server, _, table = self._first
        if await self.connect(server) and table:
            await self._enter(table, None)

    # The list

    def action_refresh(self) -> None:
        """Look which tables there are now."""
        link = self._visit.link
        if link is not None and link.line.kind is LineKind.CONNECTED:
            self.run_worker(self._read_tables(), group="list", exclusive=True)
        elif self.is_mounted:
            self._show_bar()

    async def _read_tables(self) -> None:
        link = self._visit.link
        if link is None:
            return
        try:
            tables = await link.tables()
        except LinkTrouble as trouble:
            self.say(trouble.reason)
            return
        if link is not self._visit.link or not self.is_mounted:
            return
        first, self._tables = self._tables is None, tables
        self.show_list()
        if first and tables.tables:
            self.list.choose(self.list.listed.index(tables.tables[0]))

    async def _find(self) -> None:
        """Look for servers on the local network, again and again, as long as this is shown."""
        while self.is_mounted:
            try:
                self._found, self._find_trouble = await self._visit.find(FIND_FOR), ""
            except FindingTrouble as trouble:
                self._found, self._find_trouble = [], str(trouble)
            self.show_list()
            await asyncio.sleep(FIND_AGAIN)

    def show_list(self) -> None:
        """List what there is."""
        if not self.is_mounted:
            return
        rows: list[TableRow] = []
        seats = self._visit.seats()
        if seats:
            rows += [Heading("YOUR SEATS"), *seats, GAP]
        link = self._visit.link
        if link is not None:
            shown = self._tables.tables if self._tables is not None else ()
            told = "" if shown else self._no_tables(link.line)
            rows += [Heading(f"TABLES AT {link.server or server_of(link.address)}", told, True), *shown, GAP]
        rows += self._servers()
        self.list.show(rows)
        self._show_bar()
        self.on_table_list_moved()

    def _no_tables(self, line: LineState) -> str:
        if line.kind is LineKind.CONNECTED:
            return "none yet: n opens one" if self._tables is not None else "asking"
        return {LineKind.CONNECTING: "connecting", LineKind.LOST: "no line"}.get(line.kind, "")

    def _servers(self) -> list[TableRow]:
        used = [ServerRow(server, "", "used before") for server in self.home.settings.tables.servers]
        found = [ServerRow(server_of(each.address), each.name, "on this network") for each in self._found]
        known = {row.address for row in found}
        rows: list[TableRow] = [*found, *(row for row in used if row.address not in known)]
        told = "" if rows else "none yet: / to type an address"
        if self._find_trouble and not found:
            return [Heading("SERVERS", told), *rows, Heading("", self._find_trouble)]
        return [Heading("SERVERS", told), *rows]

    def _show_bar(self) -> None:
        """How it is with the line, always in words."""
        self.bar.show("TABLES", self.line_words(), "esc to the game", banner=False)
        link = self._visit.link
        if link is not None and link.line.reason and link.line.kind is not LineKind.CONNECTED:
            self.status.show(self._told or ((link.line.reason, Tone.WARNING),))
        else:
            self.status.show(self._told)

    def line_words(self) -> str:
        """How it is with the line to the server."""
        link, dot = self._visit.link, self.home.signs.dot
        if link is None:
            return "no server is connected"
        server, line = server_of(link.address), link.line
        match line.kind:
            case LineKind.CONNECTED:
                tables = self._tables
                count = 0 if tables is None else len(tables.tables) + tables.more
                told = f" {dot} {counted(count, 'table')}" if tables is not None else ""
                return f"{server} {dot} connected{told}"
            case LineKind.CONNECTING:
                return f"{server} {dot} connecting"
            case LineKind.LOST:
                again = max(math.ceil((line.retry_at or 0.0) - link.now()), 0)
                return f"{server} {dot} no line, again in {again} s"
            case LineKind.REFUSED:
                return f"{server} {dot} refused"
        return f"{server} {dot} not connected"

    def on_table_list_moved(self, message: TableList.Moved | None = None) -> None:
        """Tell of the row that is chosen now."""
        row = self.list.chosen
        invite = self._invitation(row) if isinstance(row, TableLine | KeptSeat) else ""
        seated = isinstance(row, TableLine) and self._has_seat(row.id)
        self.card.show(row, invite, seated=seated)

    def _invitation(self, row: TableLine | KeptSeat) -> str:
        if isinstance(row, KeptSeat):
            return f"dvonn-tui join {row.server} --table {row.table}"
        link = self._visit.link
        return f"dvonn-tui join {server_of(link.address) if link else ''} --table {row.id}"

    def _has_seat(self, id: str) -> bool:
        link = self._visit.link
        return link is not None and bool(self._visit.keeping.token(link.address.server, id))

    def say(self, text: str, tone: Tone = Tone.WARNING) -> None:
        """Say something in the status line until the next input."""
        self._told = ((text, tone),)
        self._show_bar()

    def on_key(self) -> None:
        """What was said before is over."""
        self._told = ()
        self._show_bar()

    # Keys

    def action_move(self, by: int) -> None:
        """Choose the next row, or the one before."""
        self.set_focus(self.list)
        self.list.move(by)

    def action_page(self, by: int) -> None:
        """Choose a row a page further."""
        self.list.move(by * self.list.rows)

    def action_to(self, row: int) -> None:
        """Choose the first or the last row."""
        last = len(self.list.listed) - 1
        self.list.choose(row if row >= 0 else last, 1 if row >= 0 else -1)

    def action_next_field(self, by: int) -> None:
        """From the list to the server, to the name, and back."""
        fields = (self.list, self.server, self.called)
        here = next((place for place, field in enumerate(fields) if field is self.focused), 0)
        self.set_focus(fields[(here + by) % len(fields)])

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
        if not self.server.text:
            self.say("type the address of a server, such as play.example.org", Tone.QUIET)
            self.set_focus(self.server)
            return
        self.run_worker(self._connect_typed(), group="go", exclusive=True)

    async def _connect_typed(self) -> None:
        if await self.connect(self.server.text):
            self.set_focus(self.list)

    def action_close(self) -> None:
        """Leave a field, else the screen."""
        if self.focused in (self.server, self.called):
            self.set_focus(self.list)
        else:
            self._finish(None)

    def _finish(self, table: RemoteTable | None) -> None:
        if self.is_current:
            self.home.input_since = get_time()
            self.dismiss(table)

    def on_table_list_opened(self, message: TableList.Opened) -> None:
        """A row was clicked twice."""
        self.action_go()

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        """A key at the foot was clicked."""
        self.call_later(self.run_action, message.action)

    def action_help(self) -> None:
        """Tell the keys of this screen."""
        from dvonn_tui.ui.screens.help import HelpScreen

        rows = [(" ".join(map(key_word, _shown_keys(key))), key.title) for key in KEYS]
        rows.append(("tab", "From the list to the fields and back"))
        self.app.push_screen(HelpScreen([("Tables", rows)], "keys"))

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
        if not free or self._has_seat(table.id) or (self._at is not None and self._at.id == table.id):
            self.run_worker(self._enter(table.id, None), group="go", exclusive=True)
            return

        def chosen(choice: str | None) -> None:
            if choice is not None:
                self.run_worker(self._enter(table.id, choice), group="go", exclusive=True)

        self.app.push_screen(SeatScreen(table.title or f"Table {table.id}", free), chosen)

    async def _take_up(self, server: str, table: str) -> None:
        if await self.connect(server):
            await self._enter(table, None)

    async def _enter(self, id: str, seat: str | None) -> None:
        """Come to a table and sit down there if that is wished for, then show it."""
        self.say("going to the table", Tone.QUIET)
        try:
            table = await self._visit.enter(id)
        except LinkTrouble as trouble:
            self.say(trouble.reason)
            self.show_list()
            return
        if seat is not None and seat != WATCH and table.side is None:
            table.sit(None if seat == ALL else Side(seat))
        self._finish(table)

    def action_new_table(self) -> None:
        """Open a table."""
        from dvonn_tui.ui.screens.open_table import NewTable, OpenTableScreen

        link = self._visit.link
        if link is None or link.line.kind is not LineKind.CONNECTED:
            self.say("connect to a server first: / types its address", Tone.QUIET)
            return

        def chosen(new: NewTable | None) -> None:
            if new is not None:
                self.run_worker(self._open(new.title, new.options, new.seat), group="go", exclusive=True)

        title = f"{self.called.text or usual_name()}'s table"
        self.app.push_screen(OpenTableScreen(title), chosen)

    async def _open(self, title: str, options: tuple[str, ...], seat: str) -> None:
        link = self._visit.link
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
        message, kept = keep_copy(self.app, self.home.paths.data, "invitation", self._invitation(row))
        self.notify(message, markup=False, severity="information" if kept else "warning")

    def action_forget(self) -> None:
        """Forget a seat, or a server that was used before."""
        match self.list.chosen:
            case KeptSeat(server=server, table=table):
                self._visit.keeping.forget(server, table)
                self.say("the seat is forgotten here; at its table it stays taken", Tone.QUIET)
            case ServerRow(address=address) if address in self.home.settings.tables.servers:
                self.home.remember(tables=self.home.settings.tables.without(address))
                self.say(f"{address} is forgotten", Tone.QUIET)
            case _:
                self.say("only your seats and servers used before can be forgotten", Tone.QUIET)
        self.show_list()


GAP: Final = Heading("")
"""An empty row between two parts of the list."""

_ENDED: Final = (LineKind.REFUSED, LineKind.CLOSED)


def _shown_keys(key: Key) -> list[str]:
    """The keys for people: letters without their upper case."""
    keys = key.keys.split(",")
    return [each for each in keys if len(each) > 1 or each.islower()]
