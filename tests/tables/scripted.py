"""A server that says what a test tells it to, over real sockets on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from websockets.asyncio.server import Server, ServerConnection, serve

from dvonn_tui.core.setups import Setup
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol
from dvonn_tui.tables.address import Address
from dvonn_tui.tables.changes import TableChange
from dvonn_tui.tables.happenings import ClockReading, Happening
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.link import LineKind, Patience, TableLink
from dvonn_tui.tables.protocol import Answer, Request
from dvonn_tui.tables.remote import RemoteTable

_Wanted = TypeVar("_Wanted", bound=Request)

TABLE = "KZ7Q2M"
PATIENCE = 20.0
"""Seconds after which a test that waits has failed."""

QUICK = Patience(answer=4.0, first=0.01, most=0.05, steady=5.0, pulse=20.0)
HURRIED = replace(QUICK, answer=0.1)
"""For servers that do not answer."""
SEED = 7
AT = 1_790_000_000_000


class Peer:
    """One client's line, seen from the server."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.over = asyncio.Event()

    async def hear(self, wanted: type[_Wanted]) -> _Wanted:
        """The next message, which is of a kind."""
        async with asyncio.timeout(PATIENCE):
            request = protocol.decode_request(await self.socket.recv())
        assert isinstance(request, wanted), request
        return request

    async def silent(self, seconds: float = 0.05) -> bool:
        """True when nothing comes for a while."""
        try:
            async with asyncio.timeout(seconds):
                await self.socket.recv()
        except TimeoutError:
            return True
        return False

    async def say(self, *answers: Answer) -> None:
        for answer in answers:
            await self.socket.send(protocol.encode(answer), text=True)

    async def say_raw(self, text: str | bytes) -> None:
        await self.socket.send(text)

    async def greet(self, name: str = "Club") -> protocol.Hello:
        hello = await self.hear(protocol.Hello)
        await self.say(protocol.Welcome(version=protocol.VERSION, name=name, you=hello.name, time=AT))
        return hello

    async def let_in(
        self,
        news: Iterable[Happening] = (),
        *,
        side: str | None = None,
        chat: tuple[protocol.ChatLine, ...] = (),
        watchers: tuple[str, ...] = (),
        now: ClockReading | None = None,
    ) -> protocol.Enter:
        """Answer somebody who enters; `news` is the whole log, of which he gets what he lacks."""
        enter = await self.hear(protocol.Enter)
        told = tuple(news)[enter.since :]
        await self.say(
            protocol.Entered(
                table=enter.table,
                side=side,
                since=enter.since,
                news=told,
                chat=chat,
                watchers=watchers,
                now=now,
            )
        )
        return enter

    def cut(self) -> None:
        """Pull the plug."""
        self.socket.transport.abort()
        self.over.set()


class Scripted:
    """The server: whoever comes is a `Peer`, in the order of coming."""

    def __init__(self) -> None:
        self._server: Server | None = None
        self._peers: asyncio.Queue[Peer] = asyncio.Queue()
        self.port = 0

    async def open(self) -> None:
        """Open, at the port of before if there was one."""
        self._server = await serve(self._come, "127.0.0.1", self.port, compression=None, close_timeout=0.1)
        self.port = next(iter(self._server.sockets)).getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def _come(self, socket: ServerConnection) -> None:
        peer = Peer(socket)
        self._peers.put_nowait(peer)
        waits = [asyncio.create_task(socket.wait_closed()), asyncio.create_task(peer.over.wait())]
        _, rest = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()

    async def peer(self) -> Peer:
        async with asyncio.timeout(PATIENCE):
            return await self._peers.get()

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port)


@asynccontextmanager
async def scripted() -> AsyncIterator[Scripted]:
    server = Scripted()
    await server.open()
    try:
        yield server
    finally:
        await server.close()


@asynccontextmanager
async def linked(
    server: Scripted, folder: Path, name: str = "Ada", patience: Patience = QUICK
) -> AsyncIterator[TableLink]:
    """A link that is being opened."""
    link = TableLink(server.address, name, Keeping(folder), patience=patience, jitter=lambda: 0.5)
    link.start()
    try:
        yield link
    finally:
        await link.close()


async def connected(link: TableLink) -> None:
    await until(link, LineKind.CONNECTED)


async def until(link: TableLink, kind: LineKind) -> None:
    """Wait until the line is of a kind."""
    there = asyncio.Event()
    unsubscribe = link.subscribe(lambda line: there.set())
    async with asyncio.timeout(PATIENCE):
        while link.line.kind is not kind:
            await there.wait()
            there.clear()
    unsubscribe()


class Diary:
    """What a table told its listeners."""

    def __init__(self, table: RemoteTable) -> None:
        self.changes: list[tuple[str, str]] = []
        self._told = asyncio.Event()
        table.subscribe(self._write)
        self.table = table

    def _write(self, change: TableChange) -> None:
        self.changes.append((str(change.kind), change.text))
        self._told.set()

    def of(self, kind: str) -> list[str]:
        return [text for each, text in self.changes if each == kind]

    async def until(self, kind: str, count: int = 1) -> str:
        """Wait for a change of a kind; its text."""
        async with asyncio.timeout(PATIENCE):
            while len(self.of(kind)) < count:
                self._told.clear()
                await self._told.wait()
        return self.of(kind)[count - 1]


def opened(*options: str) -> list[Happening]:
    """A table with two players, and a game that has just begun on the board of `SEED`."""
    return [
        happened.Opened(at=AT, title="Club evening", options=options),
        happened.SeatTaken(at=AT, side="w", name="Ada", holder="1"),
        happened.SeatTaken(at=AT, side="b", name="Bob", holder="2"),
        happened.Readied(at=AT, side="w"),
        happened.Readied(at=AT, side="b"),
        began(),
    ]


def began(number: int = 1, **changes: object) -> happened.Began:
    fields = {
        "at": AT,
        "number": number,
        "setup": str(Setup.BALANCED),
        "seed": SEED,
        "white": "Ada",
        "black": "Bob",
    }
    return happened.Began(**(fields | changes))  # type: ignore[arg-type]
