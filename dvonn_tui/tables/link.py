"""The line to a server: opened, kept, and found again when it is lost, without anybody's doing."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from typing import Final, TypeVar

from dvonn_tui.clean import clean_line
from dvonn_tui.tables import protocol
from dvonn_tui.tables.address import Address, parse_address, parse_table
from dvonn_tui.tables.cleaning import LONGEST_TITLE
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.line_state import PATIENCE, LineKind, LineState, Patience
from dvonn_tui.tables.line_trouble import LineEnded, LineLost
from dvonn_tui.tables.protocol import Answer, Request, Tables
from dvonn_tui.tables.questions import LISTING, LinkTrouble, Questions, entering_key
from dvonn_tui.tables.remote import RemoteTable, Unfollowable
from dvonn_tui.tables.wire import Wire

__all__ = ["LineKind", "LineState", "LinkTrouble", "Patience", "TableLink"]

_Wanted = TypeVar("_Wanted")

_AtTable = (
    protocol.Entered | protocol.Seated | protocol.News | protocol.Done | protocol.Written | protocol.Watching
)

_NO_PLACE: Final = frozenset({"seat", "table"})
"""The codes of refusals that say that somebody cannot be at a table."""


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
        patience: Patience = PATIENCE,
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
        self._name = clean_line(name, protocol.LONGEST_NAME)
        self._clock = now
        self._patience = patience
        self._jitter = jitter
        self._tables: dict[str, RemoteTable] = {}
        self._coming: set[str] = set()  # the tables that are being entered for the first time
        self._listeners: dict[object, Callable[[LineState], None]] = {}
        self._questions = Questions(now)
        self._server_behind = 0.0  # seconds from the server's calendar clock to the monotonic clock here
        self._ids = 0
        self._id_start = secrets.token_hex(6)
        self._wire: Wire | None = None
        self._settled = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # The line

    def start(self) -> None:
        """Open the line, and keep it until `close`. To be called with an event loop running.

        A line that was refused can be begun anew by it; one that is open stays as it is.
        """
        if self._task is None or self._task.done():
            if self._task is None:
                self.keeping.hold()
            self._set_line(LineState(LineKind.CONNECTING))
            self._task = asyncio.create_task(self._keep_open(), name=f"line to {self.address.server}")
            self._task.add_done_callback(self._task_ended)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        """A listener that fails must not leave a line that only looks as if it were there."""
        problem = None if task.cancelled() else task.exception()
        if problem is not None:
            self._questions.give_up("the line to the server is closed")
            self._set_line(LineState(LineKind.CLOSED, "the line to the server is closed"))
            words = "a listener of a line to a server failed"
            task.get_loop().call_exception_handler({"message": words, "exception": problem, "task": task})

    async def close(self) -> None:
        """End the line. Seats are kept as by `RemoteTable.leave`, and nothing is tried again."""
        task, self._task = self._task, None
        if task is not None:
            if self._wire is not None:
                await self._wire.finish()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)  # `_task_ended` told what went wrong in it
            self.keeping.release()
        self._questions.give_up("the line to the server is closed")
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
        return await self._ask(protocol.ListTables(), LISTING, Tables)

    async def open_table(self, title: str = "", options: tuple[str, ...] = ()) -> str:
        """Open a table and return its id; nobody sits there, and one has to `enter` it.

        Raises:
            LinkTrouble: the server does not want that, or does not answer.
        """
        id_ = self.new_id()
        request = protocol.OpenTable(id=id_, title=clean_line(title, LONGEST_TITLE), options=options)
        return (await self._ask(request, id_, protocol.TableOpened)).table

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
            await self._ask(table.entering, entering_key(id), protocol.Entered)
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
        wire = self._wire
        if self.line.kind is not LineKind.CONNECTED or wire is None:
            return False
        self._questions.sent(request)
        if isinstance(request, (protocol.Command, protocol.Sit, protocol.Enter)):
            loop = asyncio.get_running_loop()
            loop.call_later(self._patience.answer, self._check_answered, request, wire)
        return wire.post(request)

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
                self._questions.give_up(str(end))
                self._set_line(LineState(LineKind.REFUSED, str(end)))
                return
            except LineLost as loss:
                steady = self.line.kind is LineKind.CONNECTED and self.now() - begun >= self._patience.steady
                wait = self._patience.first if steady else wait
                delay = wait * (0.75 + 0.5 * self._jitter())
                wait = min(2 * wait, self._patience.most)
                self._questions.give_up(str(loss))
                self._set_line(LineState(LineKind.LOST, str(loss), self.now() + delay))
            await asyncio.sleep(delay)
            self._set_line(LineState(LineKind.CONNECTING, self.line.reason))

    async def _open_once(self) -> None:
        """Open the line and stay on it. Ends only by LineLost or LineEnded."""
        wire = await Wire.open(self.address, self._patience)
        try:
            await self._greet(wire)
            self._wire = wire
            self._set_line(LineState(LineKind.CONNECTED))
            for table in tuple(self._tables.values()):
                if table.id not in self._coming:
                    self.send(table.entering())
            while True:
                self._take(await wire.next())
                # A server that floods shall not keep the screen from being painted.
                await asyncio.sleep(0)
        except Unfollowable as problem:
            raise LineEnded(str(problem)) from problem
        finally:
            self._wire = None
            await wire.close()

    async def _greet(self, wire: Wire) -> None:
        secret = self.keeping.secret_for(self.address.server)
        asked = self.now()
        hello = protocol.Hello(version=protocol.VERSION, name=self._name, client=secret)
        welcome = await wire.greet(hello)
        self._questions.took(self.now() - asked)
        self._server_behind = self._read_at() - welcome.time / 1000
        self.server, self.you = welcome.name, welcome.you

    def _take(self, answer: Answer) -> None:
        """Hand a message on to whom it is for. Raises Unfollowable or LineLost."""
        self._questions.came(answer)
        match answer:
            case protocol.Refused():
                self._refused(answer)
            case protocol.Tables():
                self._questions.answer(LISTING, answer)
            case protocol.TableOpened(id=id) | protocol.Record(id=id):
                self._questions.answer(id, answer)
            case protocol.Welcome() | protocol.Health() | protocol.Farewell():
                pass
            case _:
                self._take_at_table(answer)

    def _take_at_table(self, answer: _AtTable) -> None:
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
                self._questions.answer(entering_key(table.id), answer)

    def _refused(self, answer: protocol.Refused) -> None:
        if answer.id is not None and self._questions.waits(answer.id):
            self._questions.fail(answer.id, answer.reason)
            return
        table = self._tables.get(answer.table or "")
        if table is None:
            if answer.id is None and self._questions.waits(LISTING):
                self._questions.fail(LISTING, answer.reason)
            return
        if answer.id is None and self._questions.is_open(entering_key(table.id)):
            self._entering_refused(table, answer)
            return
        if answer.id is None and answer.code in _NO_PLACE:
            self.forget(table)  # sent away
        table.refused(answer)

    def _entering_refused(self, table: RemoteTable, answer: protocol.Refused) -> None:
        """The client may not come to a table, or not with the token that it kept."""
        self._questions.closed(entering_key(table.id))
        if answer.code in _NO_PLACE:
            self.keeping.forget(self.address.server, table.id)
        if self._questions.waits(entering_key(table.id)):
            self._questions.fail(entering_key(table.id), answer.reason)
        elif answer.code == "trouble":
            raise LineLost(answer.reason)  # which passes, and is tried again as for any other loss
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
                future, is_first = self._questions.wait_for(key)
                if is_first:
                    self.send(request() if callable(request) else request)
                answer = await asyncio.shield(future)
        except TimeoutError as problem:
            self._questions.fail(key, "")
            reason = self.line.reason if self.line.kind is not LineKind.CONNECTED else ""
            raise LinkTrouble(reason or f"{self.address.server} does not answer") from problem
        if not isinstance(answer, wanted):
            # Ids join questions with answers, and a server may answer anything by them.
            raise LinkTrouble(f"{self.address.server} answered something else than was asked")
        return answer

    async def _connected(self) -> None:
        """Wait for the line. Raises LinkTrouble when there will be none."""
        while self.line.kind is not LineKind.CONNECTED:
            if hindrance := self.hindrance():
                raise LinkTrouble(hindrance)
            self._settled.clear()
            await self._settled.wait()

    def _check_answered(self, request: protocol.Command | protocol.Sit | protocol.Enter, wire: Wire) -> None:
        """A line on which a table does not answer is as good as lost; all is asked again on another one."""
        table = self._tables.get(request.table)
        if wire is not self._wire or table is None:
            return
        if not table.there if isinstance(request, protocol.Enter) else table.awaits(request.id):
            wire.hang_up()

    def _read_at(self) -> float:
        """When the server read the clocks in the message that has just come, on this machine's clock:
        as long ago as a message takes."""
        return self.now() - self._questions.way

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
