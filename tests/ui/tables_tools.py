"""A server in the same loop, for tests of the screen: the real rules and the real client's table, no line.

What is asked is answered in a turn of the loop of its own, unless the line is held: so a test decides when
an answer comes, and a cut line loses it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol, ruling
from dvonn_tui.tables.address import Address, parse_address
from dvonn_tui.tables.cleaning import cleaned
from dvonn_tui.tables.finding import Found
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.link import LineKind, LineState, LinkTrouble
from dvonn_tui.tables.protocol import ChatLine, TableLine, Tables
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables.ruling import Moment, Refusal
from dvonn_tui.tables.table import EMPTY_TABLE, Stage, TableState, evolve, reading_of
from dvonn_tui.ui.visit import Visit
from tests.ui.tools import Player

SEED = 4711
START = 1_796_000_000_000
"""When everything happens, in milliseconds since 1970."""


@dataclass
class HostedTable:
    """A table at the server of a test."""

    id: str
    state: TableState = EMPTY_TABLE
    log: list[Happening] = field(default_factory=list)
    chat: list[ChatLine] = field(default_factory=list)
    at: list[FakeLink] = field(default_factory=list)


class Host:
    """A server without a line. `time` is its clock and that of all its clients, in seconds."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.tables: dict[str, HostedTable] = {}
        self.records: dict[str, str] = {}
        self.asked: list[protocol.Request] = []

    @property
    def moment(self) -> Moment:
        """Now."""
        return Moment(self.time, START + int(self.time * 1000))

    def open(self, title: str = "Anna's table", *options: str, id: str = "KZ7Q2M") -> HostedTable:
        """Open a table."""
        table = self.tables[id] = HostedTable(id)
        self.happen(table, happened.Opened(at=self.moment.at, title=title, options=options))
        return table

    def happen(self, table: HostedTable, *news: Happening) -> None:
        """Let something happen, and tell everybody at the table."""
        first = table.state.version + 1
        for event in news:
            table.state = evolve(table.state, event, self.time)
            table.log.append(event)
            if isinstance(event, happened.Began) and event.exchanged:
                for link in table.at:
                    if table.id in link.seats:
                        link.seats[table.id] = link.seats[table.id].other
        for link in table.at:
            link.tell(protocol.News(table=table.id, version=first, news=news))

    def seat(self, table: HostedTable, name: str, side: Side) -> None:
        """Somebody without a screen sits down."""
        self.happen(table, *ruling.sit(table.state, name, f"holder of {name}", side, self.moment))

    def do(self, table: HostedTable, side: Side, *deeds: protocol.Deed) -> None:
        """Somebody without a screen does something."""
        for deed in deeds:
            self.happen(table, *self.decide(table, side, deed, table.state.version))

    def decide(
        self, table: HostedTable, side: Side | None, deed: protocol.Deed, seen: int
    ) -> tuple[Happening, ...]:
        """What a deed leads to. Raises Refusal."""
        return ruling.decide(
            table.state,
            deed,
            side,
            self.moment,
            seen=seen,
            history=lambda: table.log,
            draw_seed=lambda: SEED,
        )

    def write(self, table: HostedTable, name: str, text: str, side: str | None = None) -> None:
        """Somebody writes a line of chat."""
        line = ChatLine(at=self.moment.at, name=name, side=side, text=text)
        table.chat.append(line)
        for link in table.at:
            link.tell(protocol.Written(table=table.id, line=line))

    def listed(self) -> Tables:
        """The list of the tables."""
        lines = []
        for table in self.tables.values():
            state = table.state
            white, black = (state.seats[side].name if side in state.seats else None for side in Side)
            lines.append(
                TableLine(
                    id=table.id,
                    title=state.title,
                    stage=str(state.stage),
                    white=white,
                    black=black,
                    options=state.options.texts(),
                    actions=state.actions,
                    watchers=sum(1 for link in table.at if link.side_at(table) is None),
                )
            )
        return Tables(tables=tuple(lines))


class FakeLink:
    """What `dvonn_tui.tables.link.TableLink` is, without a line."""

    def __init__(self, host: Host, address: Address | str, name: str, keeping: Keeping) -> None:
        self.host = host
        self.address = parse_address(address) if isinstance(address, str) else address
        self.keeping = keeping
        self.name = self.you = name
        self.server = "Test house"
        self.line = LineState(LineKind.CLOSED)
        self.held: list[Callable[[], None]] | None = None
        self.seats: dict[str, Side] = {}
        self._tables: dict[str, RemoteTable] = {}
        self._listeners: dict[object, Callable[[LineState], None]] = {}
        self._ids = 0

    # As the real one

    def start(self) -> None:
        self._set_line(LineState(LineKind.CONNECTED))

    async def close(self) -> None:
        for table in self.host.tables.values():
            if self in table.at:
                table.at.remove(self)
        self._set_line(LineState(LineKind.CLOSED))

    def subscribe(self, listener: Callable[[LineState], None]) -> Callable[[], None]:
        key = object()
        self._listeners[key] = listener
        return lambda: (self._listeners.pop(key, None), None)[1]

    async def tables(self) -> Tables:
        await self._there()
        return cleaned(self.host.listed())

    async def open_table(self, title: str = "", options: tuple[str, ...] = ()) -> str:
        await self._there()
        return self.host.open(title, *options, id=f"TABLE{2 + len(self.host.tables)}").id

    async def enter(self, id: str) -> RemoteTable:
        await self._there()
        if id not in self.host.tables:
            raise LinkTrouble(f"there is no table {id}")
        hosted = self.host.tables[id]
        table = self._tables.get(id) or RemoteTable(id, self)
        self._tables[id] = table
        if self not in hosted.at:
            hosted.at.append(self)
        token = self.keeping.token(self.address.server, id)
        if token:
            self.seats[id] = Side(token[-1])
        self._enter(table)
        return table

    async def record(self, id: str) -> str:
        await self._there()
        if id not in self.host.records:
            raise LinkTrouble(f"there is no record {id}")
        return self.host.records[id]

    def now(self) -> float:
        return self.host.time

    def moment_of(self, at: int) -> float:
        return (at - START) / 1000

    def hindrance(self) -> str:
        return "" if self.line.kind is not LineKind.CLOSED else "the line to the server is closed"

    def new_id(self) -> str:
        self._ids += 1
        return f"{self.name}-{self._ids}"

    def forget(self, table: RemoteTable) -> None:
        self._tables.pop(table.id, None)

    def send(self, request: protocol.Request) -> bool:
        if self.line.kind is not LineKind.CONNECTED:
            return False
        self.host.asked.append(request)
        self._later(lambda: self._answer(request))
        return True

    # What tests do

    def cut(self) -> None:
        """The line is lost, with everything that is on its way."""
        self.held = None
        self._set_line(LineState(LineKind.LOST, "the line to the server was lost", self.host.time + 5))

    def find(self) -> None:
        """It is found again."""
        self._set_line(LineState(LineKind.CONNECTED))
        for table in tuple(self._tables.values()):
            self._enter(table)

    def hold(self) -> None:
        """Let answers wait until `let_go`."""
        self.held = []

    def let_go(self) -> None:
        """Let the answers come."""
        held, self.held = self.held or [], None
        for act in held:
            act()

    def side_at(self, table: HostedTable) -> Side | None:
        """The side that is held here at a table."""
        side = self.seats.get(table.id)
        return side if side is not None and side in table.state.seats else None

    def tell(self, answer: protocol.Answer) -> None:
        """Something comes from the server."""
        if self.line.kind is LineKind.CONNECTED:
            self._later(lambda: self._take(cleaned(answer)))

    # The server's part

    async def _there(self) -> None:
        await asyncio.sleep(0)
        if self.line.kind is not LineKind.CONNECTED:
            raise LinkTrouble(self.line.reason or "the line to the server is closed")

    def _later(self, act: Callable[[], None]) -> None:
        if self.held is not None:
            self.held.append(act)
        else:
            asyncio.get_running_loop().call_soon(act)

    def _enter(self, table: RemoteTable) -> None:
        hosted = self.host.tables[table.id]
        since, side, state = table.state.version, self.side_at(hosted), hosted.state
        clocks = None if state.clocks is None else reading_of(state.clocks, self.host.time)
        watchers = tuple(link.you for link in hosted.at if link.side_at(hosted) is None)
        entered = protocol.Entered(
            table=table.id,
            side=None if side is None else str(side),
            since=since,
            news=tuple(hosted.log[since:]),
            chat=tuple(hosted.chat),
            watchers=watchers,
            now=clocks,
        )
        table.entered(cleaned(entered), self.host.time)

    def _answer(self, request: protocol.Request) -> None:
        hosted = self.host.tables.get(getattr(request, "table", ""))
        if hosted is None:
            return
        try:
            self._do(hosted, request)
        except Refusal as refusal:
            version = hosted.state.version
            id = getattr(request, "id", None)
            told = protocol.Refused(
                id=id, code=refusal.code, reason=refusal.reason, table=hosted.id, version=version
            )
            self.tell(told)

    def _do(self, hosted: HostedTable, request: protocol.Request) -> None:
        host, side = self.host, self.side_at(hosted)
        match request:
            case protocol.Command(deed=deed, id=id, version=seen):
                host.happen(hosted, *host.decide(hosted, side, deed, seen))
                self.tell(protocol.Done(table=hosted.id, id=id, version=hosted.state.version))
            case protocol.Sit(id=id, side=letter):
                wanted = None if letter is None else Side(letter)
                news = ruling.sit(hosted.state, self.name, f"holder of {self.name}", wanted, host.moment)
                taken = Side(news[0].side)
                self.seats[hosted.id] = taken
                self.tell(protocol.Seated(table=hosted.id, id=id, side=str(taken), token=f"token of {taken}"))
                host.happen(hosted, *news)
            case protocol.Chat(text=text):
                host.write(hosted, self.you, text, None if side is None else str(side))
            case protocol.Leave() if self in hosted.at:
                hosted.at.remove(self)
                if side is not None and hosted.state.stage in (Stage.OPEN, Stage.OVER):
                    host.happen(hosted, *ruling.stand_up(hosted.state, side, host.moment))
                    self.seats.pop(hosted.id, None)

    def _take(self, answer: protocol.Answer) -> None:
        table = self._tables.get(getattr(answer, "table", None) or "")
        if table is None or self.line.kind is not LineKind.CONNECTED:
            return
        match answer:
            case protocol.News():
                table.news(answer, self.host.time)
            case protocol.Done():
                table.done(answer)
            case protocol.Seated():
                table.seated(answer)
            case protocol.Refused():
                table.refused(answer)
            case protocol.Written(line=line):
                table.written(line)

    def _set_line(self, line: LineState) -> None:
        self.line = line
        for listener in tuple(self._listeners.values()):
            listener(line)
        for table in tuple(self._tables.values()):
            table.line_changed()


def connect_to(host: Host, made: list[FakeLink]) -> Callable[..., Any]:
    """What makes links to a host; each is noted."""

    def connect(address: Address, name: str, keeping: Keeping) -> FakeLink:
        made.append(FakeLink(host, address, name, keeping))
        return made[-1]

    return connect


def visiting(player: Player, host: Host) -> list[FakeLink]:
    """Let the application reach a host, and find nothing else. Returns the links that it makes."""
    made: list[FakeLink] = []

    async def nothing(seconds: float) -> list[Found]:
        return []

    visit = Visit(player.app.paths.data, connect_to(host, made), nothing)
    player.app.__dict__["visit"] = visit
    return made


async def go_to(
    player: Player, hosted: HostedTable, name: str = "Dora", side: Side | None = None
) -> FakeLink:
    """Come to a table, and sit down if a side is named."""
    visit = player.app.visit
    link = await visit.go(parse_address("club.example"), name)
    table = await visit.enter(hosted.id)
    player.table.come_to(link, table)
    await player.settle()
    if side is not None:
        table.sit(side)
        await player.settle()
    assert isinstance(link, FakeLink)
    return link


def begin(host: Host, hosted: HostedTable) -> None:
    """Both players are ready."""
    for side in Side:
        host.do(hosted, side, protocol.Start())


async def against_anna(
    player: Player, *options: str, side: Side = Side.BLACK, begun: bool = True
) -> tuple[Host, HostedTable, FakeLink]:
    """Dora comes to Anna's table and sits opposite; by default the game begins."""
    host = Host()
    visiting(player, host)
    hosted = host.open("Anna's table", *options)
    host.seat(hosted, "Anna", side.other)
    link = await go_to(player, hosted, side=side)
    if begun:
        begin(host, hosted)
        await player.settle()
    return host, hosted, link
