"""The list of the Tables screen: what is known of servers, their tables and one's own seats."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from dvonn_tui.tables.finding import FindingTrouble, Found
from dvonn_tui.tables.keeping import KeptSeat
from dvonn_tui.tables.link import LineKind, LineState, LinkTrouble
from dvonn_tui.tables.protocol import TableLine, Tables
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables_settings import LONGEST_NAME, LONGEST_SERVER
from dvonn_tui.ui.screens.list_screen import BELOW_FROM, ListScreen
from dvonn_tui.ui.visit import Visit, address_of, server_of, usual_name
from dvonn_tui.ui.widgets.choices import TextField
from dvonn_tui.ui.widgets.lines import KeyBar, StatusLine, TopBar
from dvonn_tui.ui.widgets.table_card import TableCard
from dvonn_tui.ui.widgets.table_list import Heading, ServerRow, TableList, TableRow
from dvonn_tui.ui.words import Said, Tone, counted

TICK: Final = 1.0
"""Seconds between two looks at when a lost line is tried again."""
LIST_AGAIN: Final = 3.0
"""Seconds between two looks at the tables of a server."""
FIND_AGAIN: Final = 10.0
"""Seconds between two looks for servers on the local network."""
FIND_FOR: Final = 2.0
"""Seconds for which such a look lasts."""

GAP: Final = Heading("")
"""An empty row between two parts of the list."""


class TablesListing(ListScreen[RemoteTable], inherit_bindings=False):
    """Shows how it is with the line, and what can be gone to. Going there is in the subclass."""

    DEFAULT_CSS = """
    TablesListing {
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
        &.-beside #card { width: 46; height: 100%; margin: 1 0 0 1; }
    }
    """
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
        super().__init__(opens_by_itself=bool(server))
        self.visit = visit
        self.at = at
        self.first = (server, name, table)
        self.tables: Tables | None = None
        self._found: list[Found] = []
        self._find_trouble = ""
        self._unsubscribe: Callable[[], None] = lambda: None
        self._told: Said = ()
        self.usual = ("", "")
        """The server and the name that were used last, and stand in the fields unless others are typed."""

    def compose(self) -> ComposeResult:
        """Where to go, the list, and what is known of the chosen row."""
        inks = self.home.inks
        settings = self.home.settings.tables
        server, name, _ = self.first
        link = self.visit.link
        shown = server or (server_of(link.address) if link else next(iter(settings.servers), ""))
        self.usual = shown, name or settings.name or usual_name()
        yield TopBar(inks, id="bar")
        with Horizontal(id="where"):
            yield Static("server", markup=False)
            yield TextField(shown, limit=LONGEST_SERVER, placeholder="type an address, enter", id="server")
            yield Static("your name", markup=False)
            yield TextField(self.usual[1], limit=LONGEST_NAME, id="name")
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
        self.dress()
        self.listen()
        self.show_list()
        self.set_interval(LIST_AGAIN, self.action_refresh)
        self.set_interval(TICK, self.show_bar)
        self.run_worker(self._find(), group="find", exclusive=True)
        self.home.tell_problems_of_tables()
        self.begin()

    def begin(self) -> None:
        """Called when everything is there."""

    def on_unmount(self) -> None:
        """Listen no longer."""
        self._unsubscribe()

    def divide(self, columns: int, lines: int) -> None:
        """Arrange the list and the card for a screen of a size."""
        super().divide(columns, lines)
        self.set_class(lines < BELOW_FROM, "-low")

    # The line

    def listen(self) -> None:
        """Follow the line to the server that is visited."""
        self._unsubscribe()
        link = self.visit.link
        self._unsubscribe = link.subscribe(self._line_changed) if link is not None else lambda: None

    def _line_changed(self, line: LineState) -> None:
        self.call_later(self._follow_line, line)

    def _follow_line(self, line: LineState) -> None:
        if not self.is_mounted:
            return
        if line.kind is LineKind.CONNECTED:
            self.status.show(())
            self.home.tell_problems_of_tables()
            self.action_refresh()
        self.show_list()

    def forget_tables(self) -> None:
        """Another server is visited: nothing is known of its tables."""
        self.tables = None

    # The list

    def action_refresh(self) -> None:
        """Look which tables there are now."""
        link = self.visit.link
        if link is not None and link.line.kind is LineKind.CONNECTED:
            self.run_worker(self._read_tables(), group="list", exclusive=True)

    async def _read_tables(self) -> None:
        link = self.visit.link
        if link is None:
            return
        try:
            tables = await link.tables()
        except LinkTrouble as trouble:
            self.say(trouble.reason)
            return
        if link is not self.visit.link or not self.is_mounted:
            return
        first, self.tables = self.tables is None, tables
        self.show_list()
        if first and tables.tables:
            self.list.choose(self.list.listed.index(tables.tables[0]))

    async def _find(self) -> None:
        """Look for servers on the local network, again and again, as long as this is shown."""
        while self.is_mounted:
            try:
                self._found, self._find_trouble = await self.visit.find(FIND_FOR), ""
            except FindingTrouble as trouble:
                self._found, self._find_trouble = [], str(trouble)
            self.show_list()
            await asyncio.sleep(FIND_AGAIN)

    def show_list(self) -> None:
        """List what there is."""
        if not self.is_mounted:
            return
        rows: list[TableRow] = []
        seats = self.visit.seats()
        if seats:
            rows += [Heading("YOUR SEATS"), *seats, GAP]
        link = self.visit.link
        if link is not None:
            shown = self.tables.tables if self.tables is not None else ()
            told = "" if shown else self._no_tables(link.line)
            rows += [Heading(f"TABLES AT {link.server or server_of(link.address)}", told, True), *shown, GAP]
        rows += self._servers()
        self.list.show(rows)
        self.show_bar()
        self.on_table_list_moved()

    def _no_tables(self, line: LineState) -> str:
        if line.kind is LineKind.CONNECTED:
            return "none yet: n opens one" if self.tables is not None else "asking"
        return {LineKind.CONNECTING: "connecting", LineKind.LOST: "no line"}.get(line.kind, "")

    def _servers(self) -> list[TableRow]:
        used = [ServerRow(server, "", "used before") for server in self.home.settings.tables.servers]
        found = [ServerRow(server_of(each.address), each.name, "on this network") for each in self._found]
        known = {row.address for row in found}
        servers = (*found, *(row for row in used if row.address not in known))
        link = self.visit.link
        there = server_of(link.address) if link and link.line.kind is LineKind.CONNECTED else None
        rows: list[TableRow] = [
            replace(row, told="connected", there=True) if row.address == there else row for row in servers
        ]
        told = "" if rows else "none yet: / to type an address"
        if self._find_trouble and not found:
            return [Heading("SERVERS", told), *rows, Heading("", self._find_trouble)]
        return [Heading("SERVERS", told), *rows]

    def show_bar(self) -> None:
        """How it is with the line, always in words."""
        if not self.is_mounted:
            return
        self.bar.show("TABLES", self.line_words(), "esc to the game", banner=False)
        link = self.visit.link
        if link is not None and link.line.reason and link.line.kind is not LineKind.CONNECTED:
            self.status.show(self._told or ((link.line.reason, Tone.WARNING),), whole=True)
        else:
            self.status.show(self._told, whole=True)

    def line_words(self) -> str:
        """How it is with the line to the server."""
        link, dot = self.visit.link, self.home.signs.dot
        if link is None:
            return "no server is connected"
        server, line = server_of(link.address), link.line
        match line.kind:
            case LineKind.CONNECTED:
                tables = self.tables
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
        invite = self.invitation(row) if isinstance(row, TableLine | KeptSeat) else ""
        seated = isinstance(row, TableLine) and self.has_seat(row.id)
        here = isinstance(row, TableLine) and self.leads_here(row)
        self.card.show(row, invite, seated=seated, here=here)

    def invitation(self, row: TableLine | KeptSeat) -> str:
        """The command with which somebody else comes to a table."""
        if isinstance(row, KeptSeat):
            return f"dvonn-tui join {row.server} --table {row.table}"
        link = self.visit.link
        return f"dvonn-tui join {server_of(link.address) if link else ''} --table {row.id}"

    def leads_here(self, row: TableLine | KeptSeat) -> bool:
        """True when that command leads everybody to his own machine."""
        link = self.visit.link
        if isinstance(row, KeptSeat):
            # What was kept in a file need not be an address.
            with suppress(ValueError):
                return address_of(row.server).here
            return False
        return link is not None and link.address.here

    def has_seat(self, id: str) -> bool:
        """True when there is a seat to take up again at a table of the server."""
        link = self.visit.link
        return link is not None and bool(self.visit.keeping.token(link.address.server, id))

    def say(self, text: str, tone: Tone = Tone.WARNING) -> None:
        """Say something in the status line until the next input."""
        self._told = ((text, tone),)
        self.show_bar()

    def on_key(self) -> None:
        """What was said before is over."""
        self._told = ()
        self.show_bar()

    # Moving about

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
