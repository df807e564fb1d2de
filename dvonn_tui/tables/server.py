"""The server of tables: a websocket at which clients introduce themselves and say what they want.

One process, one event loop. `TableServer` understands messages and hands them on: to the `Keeper` what
concerns the list of tables, to `Visits` what guests do at them. No client's text goes further than to where
it is cleaned.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Coroutine
from functools import partial
from http import HTTPStatus
from typing import Any, Final, cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request as HttpRequest
from websockets.http11 import Response

from dvonn_tui.clean import clean_line
from dvonn_tui.tables.at_once import begin
from dvonn_tui.tables.bots import Bots
from dvonn_tui.tables.connection import CLOSING, Line
from dvonn_tui.tables.doors import Doors, address_of
from dvonn_tui.tables.keeper import TROUBLE, Keeper
from dvonn_tui.tables.limits import Bucket, Limits
from dvonn_tui.tables.names import NAMELESS
from dvonn_tui.tables.protocol import (
    VERSION,
    Answer,
    Chat,
    Command,
    Enter,
    Farewell,
    FetchRecord,
    Health,
    Hello,
    Leave,
    ListTables,
    OpenTable,
    Record,
    Refused,
    Request,
    Sit,
    Status,
    TableOpened,
    Unreadable,
    Welcome,
    decode_request,
    encode,
    is_offer,
)
from dvonn_tui.tables.ruling import Refusal
from dvonn_tui.tables.seat_tokens import Secrets
from dvonn_tui.tables.service_log import ServiceLog, library_logger
from dvonn_tui.tables.store import Store, StoreTrouble
from dvonn_tui.tables.table import Offer
from dvonn_tui.tables.timing import TimeSource
from dvonn_tui.tables.visits import Visits

QUEUE_IN: Final = 8
"""Frames of a client that wait to be handled before no more of it are read."""

BACKLOG: Final = 256
"""Connections that may wait at the port, and that are opened in one turn of the event loop."""

COSTLY: Final = 3
"""Messages as which a question counts, beside itself, whose answer is long or takes long."""

HEALTH_PATH: Final = "/healthz"


class Client:
    """A client that has introduced itself; a `Guest`.

    Attributes:
        name, mark, address: see `Guest`.
    """

    __slots__ = ("_line", "address", "chatting", "mark", "name")

    def __init__(self, line: Line, name: str, mark: str, address: str, chatting: Bucket) -> None:
        self._line = line
        self.name = name
        self.mark = mark
        self.address = address
        self.chatting = chatting

    def deliver(self, message: bytes) -> None:
        """See `Guest`."""
        self._line.deliver(message)

    async def send(self, message: bytes) -> None:
        """See `Guest`. What takes several messages to tell counts as that many."""
        self._line.spend(1.0)
        await self._line.send_slowly(message)

    def dismiss(self, reason: str) -> None:
        """See `Guest`."""
        self._line.dismiss(reason, again=False, why="replaced")

    def answer(self, message: Answer) -> None:
        """Send a message."""
        self.deliver(encode(message))


class TableServer:
    """Serves tables on one port.

    Attributes:
        limits, clock, doors, tls: see `House`.
        keeper: the tables.
    """

    def __init__(
        self,
        store: Store,
        secrets: Secrets,
        *,
        name: str,
        limits: Limits,
        log: ServiceLog,
        clock: TimeSource,
        sockets: int | None = None,
    ) -> None:
        """With the tables of a store.

        Args:
            store: where they are kept.
            secrets: what marks and tokens are made with.
            name: how the server is called by its clients, clean.
            limits: what it allows.
            log: what it tells.
            clock: its time.
            sockets: how many connections the system allows; None when that is enough.
        """
        self.limits = limits
        self.clock = clock
        self.tls: ssl.SSLContext | None = None
        self.doors = Doors(limits, sockets)
        self.keeper = Keeper(store, secrets, limits, log, clock, name)
        self._visits = Visits(self.keeper)
        self._bots: Bots | None = None
        if limits.bots:
            self._bots = Bots(limits.bots, self.keeper.act, clock.now, log.fault)
            self.keeper.subscribe(self._bots.follow)
        self._secrets = secrets
        self._name = name
        self._log = log
        self._clients: dict[Line, Client] = {}
        self._speaking: list[Line] = []
        self._sent_soon = False
        self._began = clock.now()
        self._server: Server | None = None

    # The whole

    async def start(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> int:
        """Begin to serve, and return the port: another one only when it was 0.

        Raises:
            StoreTrouble: the tables cannot be read.
            OSError: there is no such address here, or its port is taken.
        """
        self._began = self.clock.now()
        await self.keeper.start()
        limits = self.limits
        self.tls = tls
        self._server = await serve(
            self._converse,
            host,
            port,
            # A page in somebody's browser has no business here, and says where it comes from.
            origins=[None],
            compression=None,
            process_request=self._admit,
            server_header=None,
            open_timeout=limits.hello,
            ping_interval=limits.ping,
            ping_timeout=limits.ping_timeout,
            close_timeout=CLOSING,
            max_size=limits.message,
            max_queue=QUEUE_IN,
            logger=library_logger(self._log),
            create_connection=cast(type[ServerConnection], partial(Line, self)),
            backlog=BACKLOG,
        )
        bound = int(next(iter(self._server.sockets)).getsockname()[1])
        self._log.event("started", port=bound, tables=self.keeper.counts[0])
        return bound

    async def stop(self, reason: str = "the server is being stopped; it will be back") -> None:
        """Tell all clients, close their lines and the store."""
        self.keeper.closing = True
        farewell = encode(Farewell(reason=reason, again=True))
        for line in list(self._clients):
            line.part(farewell)
        if self._server is not None:
            self._server.close()
            try:
                await asyncio.wait_for(self._server.wait_closed(), CLOSING)
            except TimeoutError:
                for line in list(self._clients):
                    line.transport.abort()
        if self._bots is not None:
            await self._bots.close()
        await self.keeper.close()
        self._log.event("stopped")

    def dropped(self, line: Line, why: str) -> None:
        """See `House`."""
        client = self._clients.get(line)
        self._log.event("client-dropped", client=None if client is None else client.mark, why=why)

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """See `House`."""
        self.keeper.spawn(work)

    def speaks(self, line: Line) -> None:
        """See `House`."""
        self._speaking.append(line)
        if not self._sent_soon:
            self._sent_soon = True
            line.loop.call_soon(self.send_out)

    def send_out(self) -> None:
        """See `House`."""
        self._sent_soon = False
        lines, self._speaking = self._speaking, []
        for line in lines:
            line.send_out()

    # A client

    def _admit(self, connection: ServerConnection, request: HttpRequest) -> Response | None:
        """Let a connection in, or tell why not, or how the server is."""
        line = cast(Line, connection)
        if request.path == HEALTH_PATH:
            response = line.respond(HTTPStatus.OK, json.dumps({"status": "ok", **self._counts()}) + "\n")
            del response.headers["Content-Type"]
            response.headers["Content-Type"] = "application/json"
            return response
        forwarded = None
        if self.limits.address_from_proxy:
            forwarded = ",".join(request.headers.get_all("X-Forwarded-For"))
        address = address_of(line.remote_address, forwarded)
        refusal = self.doors.refusal(line, address, self.clock.now())
        if refusal is not None:
            self._log.event("turned-away", address=self._secrets.address_mark(address), reason=refusal)
            return line.respond(HTTPStatus.SERVICE_UNAVAILABLE, refusal + "\n")
        line.address = address
        return None

    async def _converse(self, connection: ServerConnection) -> None:
        """Talk with a client until it has gone."""
        line = cast(Line, connection)
        client = await self._introduced(line)
        if client is None:
            return
        self._clients[line] = client
        self._log.event("client-came", client=client.mark, address=client.address)
        try:
            line.hear_at_once(partial(self._hear_at_once, line, client))
            while (message := await line.next_message()) is not None:
                await self._hear(line, client, message)
        finally:
            del self._clients[line]
            if not self.keeper.closing:
                await self._visits.gone(client)
                self._log.event("client-left", client=client.mark)

    async def _introduced(self, line: Line) -> Client | None:
        """The client, once it has said `Hello`; None when it has not."""
        try:
            async with asyncio.timeout(self.limits.hello):
                while (message := await line.next_message()) is not None:
                    try:
                        request = decode_request(message)
                    except Unreadable:
                        break
                    if isinstance(request, Hello):
                        return self._welcomed(line, request)
                    if not isinstance(request, Status):
                        break
                    line.deliver(encode(self._health()))
        except TimeoutError:
            line.dismiss("you did not say who you are", again=False, why="silent")
            return None
        line.dismiss("the first message has to be a hello", again=False, why="no hello")
        return None

    def _welcomed(self, line: Line, hello: Hello) -> Client | None:
        if hello.version != VERSION:
            older = "your program" if hello.version < VERSION else "the server"
            reason = f"{older} is too old: version {VERSION} is spoken here, and yours is {hello.version}"
            line.deliver(encode(Refused(id=None, code="hello", reason=reason)))
            line.dismiss(reason, again=False, why="other version")
            return None
        limits, now = self.limits, self.clock.now()
        name = clean_line(hello.name, limits.name) or NAMELESS
        mark, address = self._secrets.mark(hello.client), self._secrets.address_mark(line.address)
        chatting = Bucket(limits.chat_minute / 60, max(limits.chat_minute / 3, 1), now)
        client = Client(line, name, mark, address, chatting)
        client.answer(Welcome(version=VERSION, name=self._name, you=name, time=self.clock.wall()))
        return client

    def _hear_at_once(self, line: Line, client: Client, message: bytes) -> asyncio.Task[None] | None:
        """Hear a message in the turn in which it came, and send what is said to it before anything else."""
        # What is said until it waits goes out below, without a turn of the event loop for that.
        self._sent_soon = True
        try:
            return begin(self._hear(line, client, message))
        finally:
            self.send_out()

    async def _hear(self, line: Line, client: Client, message: bytes) -> None:
        """Understand a message and answer it. Nothing that a client sends ends the server."""
        try:
            request = decode_request(message)
        except Unreadable as problem:
            line.spend(COSTLY)
            reason = clean_line(str(problem), 200)
            client.answer(Refused(id=None, code="unreadable", reason=reason))
            return
        refused: Refused
        try:
            await self._do(line, client, request)
            return
        except Refusal as refusal:
            refused = Refused(
                id=getattr(request, "id", None),
                code=refusal.code,
                reason=clean_line(refusal.reason, 400),
                table=getattr(request, "table", None),
            )
        except ConnectionClosed:
            return  # It has gone while it was told something long.
        except Exception as problem:
            self._log.fault(type(request).__name__, problem, client=client.mark)
            refused = Refused(
                id=getattr(request, "id", None),
                code="trouble",
                reason=TROUBLE,
                table=getattr(request, "table", None),
            )
        client.answer(refused)

    async def _do(self, line: Line, client: Client, request: Request) -> None:
        """Carry out a request. Raises Refusal."""
        match request:
            case Command():
                if is_offer(request.deed, Offer.TAKEBACK):
                    line.spend(COSTLY)
                await self._visits.command(client, request)
            case Chat():
                if not client.chatting.allows(self.clock.now()):
                    raise Refusal("limit", "you write too much: wait a moment")
                await self._visits.chat(client, request)
            case Enter():
                line.spend(COSTLY)
                await self._visits.enter(client, request)
            case Sit():
                await self._visits.sit(client, request)
            case Leave(table=table):
                await self._visits.leave(client, table)
            case ListTables():
                line.spend(COSTLY)
                client.answer(self.keeper.listed())
            case OpenTable(id=command, title=title, options=options):
                line.spend(COSTLY)
                table = await self.keeper.open_table(client, command, title, options)
                client.answer(TableOpened(id=command, table=table))
            case FetchRecord(id=command, record=record):
                line.spend(COSTLY)
                await self._fetch(client, command, record)
            case Status():
                client.answer(self._health())
            case Hello():
                raise Refusal("hello", "you have said who you are already")

    async def _fetch(self, client: Client, command: str, record: str) -> None:
        wanted = record.strip().upper()
        try:
            text = await self.keeper.store.record(wanted)
        except StoreTrouble as trouble:
            self._log.event("store-trouble", reason=str(trouble))
            raise Refusal("trouble", "the records cannot be read now") from trouble
        if text is None:
            raise Refusal("table", f"there is no record {clean_line(wanted, 20)} here")
        client.answer(Record(id=command, record=wanted, text=text))

    def _counts(self) -> dict[str, int]:
        tables, games = self.keeper.counts
        seconds = int(self.clock.now() - self._began)
        return {"seconds": seconds, "tables": tables, "clients": len(self._clients), "games": games}

    def _health(self) -> Health:
        return Health(version=VERSION, name=self._name, **self._counts())
