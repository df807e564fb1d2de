"""The line to a server: opened, kept, and found again when it is lost, without anybody's doing."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from dvonn_tui.tables import protocol
from dvonn_tui.tables.address import Address, parse_address, parse_table
from dvonn_tui.tables.cleaning import cleaned
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.line_trouble import LineEnded, LineLost, closing_trouble, opening_trouble
from dvonn_tui.tables.protocol import LARGEST_MESSAGE, Answer, Request, Tables, Unreadable
from dvonn_tui.tables.remote import RemoteTable, Unfollowable

_Wanted = TypeVar("_Wanted")

MOST_WAITING: Final = 256
"""Messages that wait to be sent at most; a line that takes no more of them is lost."""

_LAST_WORDS: Final = 1.0
"""Seconds in which what was already said is sent before the line is closed."""

_LOGGER: Final = logging.getLogger("dvonn_tui.tables.link")
# What the library logs would otherwise be written over the screen.
_LOGGER.addHandler(logging.NullHandler())
_LOGGER.propagate = False


class LinkTrouble(Exception):
    """What was asked for could not be had.

    Attributes:
        reason: why, in words for people, clean.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LineKind(StrEnum):
    """How it is with the line."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    LOST = "lost"
    """It is tried again by itself."""
    REFUSED = "refused"
    """It makes no sense to try again."""
    CLOSED = "closed"
    """Not begun, or ended by this side."""


@dataclass(frozen=True, slots=True)
class LineState:
    """How it is with the line.

    Attributes:
        kind: what is going on.
        reason: why it is lost or refused, in words for people, clean.
        retry_at: when it is tried again, on the clock of `TableLink.now`; None when it is not.
    """

    kind: LineKind
    reason: str = ""
    retry_at: float | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the link waits, in seconds.

    Attributes:
        answer: for an answer, and for the line to be opened.
        first: after a loss, before the first attempt; each further one waits twice as long.
        most: before an attempt at most.
        steady: a line that held for so long was a good one: the next loss begins with `first` again.
        pulse: between two signs of life that are asked of the server.
    """

    answer: float = 10.0
    first: float = 0.5
    most: float = 15.0
    steady: float = 10.0
    pulse: float = 10.0


class TableLink:
    """The line to one server, and the tables at it.

    Attributes:
        address: where the server is.
        keeping: where the secrets of this installation lie.
        line: how it is with the line.
        server: the server's own name, clean; empty before it has told.
        you: the client's name as the server shows it to others.
    """

    def __init__(
        self,
        address: Address | str,
        name: str,
        keeping: Keeping,
        now: Callable[[], float] = time.monotonic,
        *,
        patience: Patience = Patience(),
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """A link that is not begun yet.

        Args:
            address: where the server is.
            name: the player's name.
            keeping: where tokens are kept.
            now: a monotonic clock, in seconds.
            patience: how long is waited for what.
            jitter: numbers from 0 to 1, so that not all clients come back at the same moment.

        Raises:
            ValueError: the text is no address.
        """
        self.address = parse_address(address) if isinstance(address, str) else address
        self.keeping = keeping
        self.line = LineState(LineKind.CLOSED)
        self.server = ""
        self.you = name
        self._name = name
        self._clock = now
        self._patience = patience
        self._jitter = jitter
        self._tables: dict[str, RemoteTable] = {}
        self._coming: set[str] = set()  # the tables that are being entered for the first time
        self._listeners: dict[object, Callable[[LineState], None]] = {}
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._asked_at: dict[str, float] = {}
        self._trips: deque[float] = deque(maxlen=8)
        self._server_behind = 0.0  # seconds from the server's calendar clock to the monotonic clock here
        self._ids = 0
        self._id_start = secrets.token_hex(6)
        self._outgoing: asyncio.Queue[Request] | None = None
        self._socket: ClientConnection | None = None
        self._settled = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # The line

    def start(self) -> None:
        """Open the line, and keep it until `close`. To be called with an event loop running.

        A line that was refused can be begun anew by it; one that is open stays as it is.
        """
        if self._task is None or self._task.done():
            self._set_line(LineState(LineKind.CONNECTING))
            self._task = asyncio.create_task(self._keep_open(), name=f"line to {self.address.server}")
            self._task.add_done_callback(self._task_ended)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        """A listener that fails must not leave a line that only looks as if it were there."""
        problem = None if task.cancelled() else task.exception()
        if problem is not None:
            self._give_up("the line to the server is closed")
            self._set_line(LineState(LineKind.CLOSED, "the line to the server is closed"))
            words = "a listener of a line to a server failed"
            task.get_loop().call_exception_handler({"message": words, "exception": problem, "task": task})

    async def close(self) -> None:
        """End the line. Seats are kept as by `RemoteTable.leave`, and nothing is tried again."""
        task, self._task = self._task, None
        if task is not None:
            if self._outgoing is not None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LAST_WORDS):
                        await self._outgoing.join()
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task  # what went wrong in it was told by `_task_ended`
        self._give_up("the line to the server is closed")
        self._set_line(LineState(LineKind.CLOSED))

    def subscribe(self, listener: Callable[[LineState], None]) -> Callable[[], None]:
        """Tell a listener whenever `line` changes. Returns what ends that."""
        key = object()
        self._listeners[key] = listener

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    # What is asked of the server

    async def tables(self) -> Tables:
        """The tables there are. Raises LinkTrouble."""
        return await self._ask(protocol.ListTables(), _LIST, Tables)

    async def open_table(self, title: str = "", options: tuple[str, ...] = ()) -> str:
        """Open a table and return its id; nobody sits there, and one has to `enter` it.

        Raises:
            LinkTrouble: the server does not want that, or does not answer.
        """
        id = self.new_id()
        request = protocol.OpenTable(id=id, title=title, options=options)
        return (await self._ask(request, id, protocol.TableOpened)).table

    async def enter(self, id: str) -> RemoteTable:
        """Come to a table: with the seat that is kept for it, else to watch or to sit down there.

        Raises:
            LinkTrouble: there is no such table, or the server does not answer.
        """
        try:
            id = parse_table(id)
        except ValueError as problem:
            raise LinkTrouble(str(problem)) from problem
        table = self._tables.get(id)
        if table is not None and id not in self._coming:
            return table
        if table is None:
            table = self._tables[id] = RemoteTable(id, self)
            self._coming.add(id)
        try:
            await self._ask(table.entering, _enter_key(id), protocol.Entered)
        except BaseException:
            self.forget(table)
            raise
        finally:
            self._coming.discard(id)
        return table

    async def record(self, id: str) -> str:
        """The record that the server keeps under an id, in the native form. It is text from outside.

        Raises:
            LinkTrouble: there is none, or the server does not answer.
        """
        key = self.new_id()
        request = protocol.FetchRecord(id=key, record=id[:200])
        return (await self._ask(request, key, protocol.Record)).text

    # What tables need

    def now(self) -> float:
        """The monotonic clock, in seconds."""
        return self._clock()

    def moment_of(self, at: int) -> float:
        """When it was, on that clock, that the server's calendar clock showed so many milliseconds."""
        return at / 1000 + self._server_behind

    def hindrance(self) -> str:
        """Why nothing can be sent, now or later, in words; empty when it can or will be."""
        if self.line.kind in (LineKind.REFUSED, LineKind.CLOSED):
            return self.line.reason or "the line to the server is closed"
        return ""

    def new_id(self) -> str:
        """An id that no other command has, of any client."""
        self._ids += 1
        return f"{self._id_start}-{self._ids}"

    def send(self, request: Request) -> bool:
        """Send something now. False when there is no line at present."""
        if self.line.kind is not LineKind.CONNECTED or self._outgoing is None:
            return False
        key = _key_of(request)
        if key:
            self._asked_at.setdefault(key, self.now())
        if isinstance(request, (protocol.Command, protocol.Sit)):
            loop = asyncio.get_running_loop()
            loop.call_later(self._patience.answer, self._check_answered, request, self._socket)
        try:
            self._outgoing.put_nowait(request)
        except asyncio.QueueFull:
            self._hang_up()
            return False
        return True

    def forget(self, table: RemoteTable) -> None:
        """Do not come back to a table when the line is found again."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]

    # How the line is kept

    async def _keep_open(self) -> None:
        wait = self._patience.first
        while True:
            begun = self.now()
            try:
                await self._open_once()
            except LineEnded as end:
                self._give_up(str(end))
                self._set_line(LineState(LineKind.REFUSED, str(end)))
                return
            except LineLost as loss:
                steady = self.line.kind is LineKind.CONNECTED and self.now() - begun >= self._patience.steady
                wait = self._patience.first if steady else wait
                delay = wait * (0.75 + 0.5 * self._jitter())
                wait = min(2 * wait, self._patience.most)
                self._give_up(str(loss))
                self._set_line(LineState(LineKind.LOST, str(loss), self.now() + delay))
            await asyncio.sleep(delay)
            self._set_line(LineState(LineKind.CONNECTING, self.line.reason))

    async def _open_once(self) -> None:
        """Open the line and stay on it. Ends only by LineLost or LineEnded."""
        patience = self._patience
        try:
            socket = await connect(
                self.address.url,
                compression=None,
                max_size=LARGEST_MESSAGE,
                open_timeout=patience.answer,
                ping_interval=patience.pulse,
                ping_timeout=patience.pulse,
                close_timeout=1,
                user_agent_header="dvonn-tui",
                logger=_LOGGER,
            )
        except Exception as problem:
            raise opening_trouble(problem, self.address) from problem
        self._socket = socket
        try:
            await self._greet(socket)
            await self._converse(socket)
        except ConnectionClosed as closed:
            raise closing_trouble(closed) from closed
        except Unreadable as problem:
            raise LineEnded("the server said something that this program does not understand") from problem
        except Unfollowable as problem:
            raise LineEnded(str(problem)) from problem
        finally:
            self._socket = self._outgoing = None
            await socket.close()

    async def _greet(self, socket: ClientConnection) -> None:
        secret = self.keeping.secret_for(self.address.server)
        hello = protocol.Hello(version=protocol.VERSION, name=self._name, client=secret)
        asked = self.now()
        await socket.send(protocol.encode(hello), text=True)
        try:
            async with asyncio.timeout(self._patience.answer):
                answer = self._read(await socket.recv())
        except TimeoutError as problem:
            raise LineLost("the server does not answer") from problem
        match answer:
            case protocol.Welcome(version=protocol.VERSION):
                self.server, self.you = answer.name, answer.you
                self._trips.append(max(self.now() - asked, 0.0))
                self._server_behind = self._read_at() - answer.time / 1000
            case protocol.Welcome(version=version):
                raise LineEnded(_other_version(version))
            case protocol.Refused(code=code, reason=reason):
                raise (LineEnded if code in ("hello", "unreadable") else LineLost)(reason)
            case protocol.Farewell(reason=reason, again=again):
                raise (LineLost if again else LineEnded)(reason)
            case _:
                raise LineEnded(f"{self.address.server} is no DVONN server")

    async def _converse(self, socket: ClientConnection) -> None:
        outgoing: asyncio.Queue[Request] = asyncio.Queue(MOST_WAITING)
        self._outgoing = outgoing
        writer = asyncio.create_task(_write(socket, outgoing))
        try:
            self._set_line(LineState(LineKind.CONNECTED))
            for table in tuple(self._tables.values()):
                if table.id not in self._coming:
                    self.send(table.entering())
            while True:
                self._take(self._read(await socket.recv()))
                # A server that floods shall not keep the screen from being painted.
                await asyncio.sleep(0)
        finally:
            writer.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await writer

    def _read(self, message: str | bytes) -> Answer:
        """A message of the server, clean. Raises Unreadable."""
        return cleaned(protocol.decode_answer(message))

    def _take(self, answer: Answer) -> None:
        """Hand a message on to whom it is for. Raises Unfollowable, LineLost or LineEnded."""
        self._measure(answer)
        match answer:
            case protocol.Farewell(reason=reason, again=again):
                raise (LineLost if again else LineEnded)(reason)
            case protocol.Refused():
                self._refused(answer)
            case protocol.Tables():
                self._answer(_LIST, answer)
            case protocol.TableOpened(id=id) | protocol.Record(id=id):
                self._answer(id, answer)
            case protocol.Welcome() | protocol.Health():
                pass
            case _:
                self._take_at_table(answer)

    def _take_at_table(self, answer: Answer) -> None:
        assert isinstance(
            answer,
            protocol.Entered
            | protocol.Seated
            | protocol.News
            | protocol.Done
            | protocol.Written
            | protocol.Watching,
        )
        table = self._tables.get(answer.table)
        if table is None:
            return  # left in the meantime
        match answer:
            case protocol.News():
                table.news(answer, self._read_at())
            case protocol.Done():
                table.done(answer)
            case protocol.Written(line=line):
                table.written(line)
            case protocol.Watching(watchers=watchers):
                table.watching(watchers)
            case protocol.Seated():
                table.seated(answer)
            case protocol.Entered():
                table.entered(answer, self._read_at())
                self._answer(_enter_key(table.id), answer)

    def _refused(self, answer: protocol.Refused) -> None:
        if answer.id is not None and answer.id in self._waiting:
            self._fail(answer.id, answer.reason)
            return
        table = self._tables.get(answer.table or "")
        if table is None:
            if answer.id is None and _LIST in self._waiting:
                self._fail(_LIST, answer.reason)
            return
        if answer.id is None and _enter_key(table.id) in self._asked_at:
            self._entering_refused(table, answer)
            return
        if answer.id is None and answer.code in _NO_PLACE:
            self.forget(table)  # sent away
        table.refused(answer)

    def _entering_refused(self, table: RemoteTable, answer: protocol.Refused) -> None:
        """The client may not come to a table, or not with the token that it kept."""
        self._asked_at.pop(_enter_key(table.id), None)
        if answer.code in _NO_PLACE:
            self.keeping.forget(self.address.server, table.id)
        if _enter_key(table.id) in self._waiting:
            self._fail(_enter_key(table.id), answer.reason)
        else:
            self.forget(table)
            table.refused(answer)

    # Questions and answers

    async def _ask(
        self, request: Request | Callable[[], Request], key: str, wanted: type[_Wanted]
    ) -> _Wanted:
        """Ask, wait for the line if there is none, and wait for the answer."""
        try:
            async with asyncio.timeout(self._patience.answer):
                await self._connected()
                future = self._waiting.get(key)
                if future is None:
                    future = self._waiting[key] = asyncio.get_running_loop().create_future()
                    self.send(request() if callable(request) else request)
                answer = await asyncio.shield(future)
        except TimeoutError as problem:
            self._waiting.pop(key, None)
            reason = self.line.reason if self.line.kind is not LineKind.CONNECTED else ""
            raise LinkTrouble(reason or f"{self.address.server} does not answer") from problem
        assert isinstance(answer, wanted)
        return answer

    async def _connected(self) -> None:
        """Wait for the line. Raises LinkTrouble when there will be none."""
        while self.line.kind is not LineKind.CONNECTED:
            if hindrance := self.hindrance():
                raise LinkTrouble(hindrance)
            self._settled.clear()
            await self._settled.wait()

    def _answer(self, key: str, answer: Answer) -> None:
        future = self._waiting.pop(key, None)
        if future is not None and not future.done():
            future.set_result(answer)

    def _fail(self, key: str, reason: str) -> None:
        future = self._waiting.pop(key, None)
        if future is not None and not future.done():
            future.set_exception(LinkTrouble(reason))
            future.exception()  # whoever waited may have gone

    def _give_up(self, reason: str) -> None:
        """Nobody answers what was asked on a line that is gone."""
        self._asked_at.clear()
        for key in tuple(self._waiting):
            self._fail(key, reason)

    def _check_answered(
        self, request: protocol.Command | protocol.Sit, socket: ClientConnection | None
    ) -> None:
        """A line on which a command is not answered is as good as lost; the command is sent again."""
        table = self._tables.get(request.table)
        if socket is self._socket and table is not None and table.awaits(request.id):
            self._hang_up()

    def _hang_up(self) -> None:
        if self._socket is not None:
            self._socket.transport.abort()

    def _measure(self, answer: Answer) -> None:
        """Learn from an answer how long a message takes to the server and back."""
        asked = self._asked_at.pop(_key_of(answer), None)
        if asked is not None:
            self._trips.append(max(self.now() - asked, 0.0))

    def _read_at(self) -> float:
        """When the server read the clocks in the message that has just come, on this machine's clock:
        half of the shortest of the last round trips ago."""
        return self.now() - min(self._trips, default=0.0) / 2

    def _set_line(self, line: LineState) -> None:
        if line == self.line:
            return
        self.line = line
        self._settled.set()
        for key, listener in tuple(self._listeners.items()):
            if key in self._listeners:
                listener(line)
        for table in tuple(self._tables.values()):
            table.line_changed()


_LIST: Final = "the list"

_NO_PLACE: Final = frozenset({"seat", "table"})
"""The codes of refusals that say that somebody cannot be at a table."""


def _enter_key(table: str) -> str:
    return f"enter {table}"


def _key_of(message: Request | Answer) -> str:
    """By what a request and its answer are known to belong together; empty for other messages."""
    match message:
        case protocol.ListTables() | protocol.Tables():
            return _LIST
        case protocol.Enter(table=table) | protocol.Entered(table=table):
            return _enter_key(table)
        case (
            protocol.OpenTable(id=id)
            | protocol.TableOpened(id=id)
            | protocol.FetchRecord(id=id)
            | protocol.Record(id=id)
            | protocol.Command(id=id)
            | protocol.Done(id=id)
            | protocol.Sit(id=id)
            | protocol.Seated(id=id)
        ):
            return id
    return ""


async def _write(socket: ClientConnection, outgoing: asyncio.Queue[Request]) -> None:
    """Send what is asked for, in order. The reader learns of it when the line is lost."""
    while True:
        request = await outgoing.get()
        await socket.send(protocol.encode(request), text=True)
        outgoing.task_done()


def _other_version(version: int) -> str:
    older = "the server" if version < protocol.VERSION else "this program"
    return f"the server speaks version {version}, this program {protocol.VERSION}: {older} has to be updated"
