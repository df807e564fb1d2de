"""A server in the test's own process, on a port of its own, and a client that speaks the bare protocol."""

from __future__ import annotations

import asyncio
import itertools
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves, legal_placements
from dvonn_tui.tables import protocol
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import Act, Answer, Deed, Done, Enter, Entered, News, Refused, Request, Seated
from dvonn_tui.tables.seat_tokens import Secrets
from dvonn_tui.tables.server import TableServer
from dvonn_tui.tables.service_log import LogFormat, ServiceLog
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.store import Store
from dvonn_tui.tables.table import EMPTY_TABLE, Stage, TableState, evolve

PATIENCE = 20.0
"""Seconds after which a test that waits has failed."""

_Answer = TypeVar("_Answer", bound=Answer)

_numbers = itertools.count(1)


@dataclass
class FakeAlarm:
    """Something that rings when the test's time has come so far."""

    when: float
    call: Callable[[], None]
    off: bool = False

    def cancel(self) -> None:
        self.off = True


@dataclass
class FakeTime:
    """A time that stands still until the test moves it on."""

    seconds: float = 1_000.0
    since_1970: int = 1_790_000_000_000
    alarms: list[FakeAlarm] = field(default_factory=list)

    def now(self) -> float:
        return self.seconds

    def wall(self) -> int:
        return self.since_1970 + int(self.seconds * 1000)

    def ring_at(self, when: float, call: Callable[[], None]) -> FakeAlarm:
        alarm = FakeAlarm(when, call)
        self.alarms.append(alarm)
        return alarm

    def pass_by(self, seconds: float) -> None:
        """Move on, ringing on the way whatever is due, each at its own time."""
        end = self.seconds + seconds
        while True:
            due = [alarm for alarm in self.alarms if not alarm.off and alarm.when <= end]
            if not due:
                break
            first = min(due, key=lambda alarm: alarm.when)
            self.alarms.remove(first)
            self.seconds = max(self.seconds, first.when)
            first.call()
        self.seconds = end


@dataclass
class Running:
    """A server that runs in a test."""

    server: TableServer
    port: int
    clock: Any
    lines: list[str]

    @property
    def log(self) -> str:
        """All that it logged."""
        return "".join(self.lines)

    async def client(self, name: str = "Ada", secret: str | None = None) -> RawClient:
        """A client that has introduced itself; with another secret each time unless one is given."""
        client = await RawClient.connect(self.port)
        await client.hello(name, secret)
        return client

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so at the server, and it has come to rest."""
        for _ in range(400):
            if so():
                await self.settle()
                return
            await asyncio.sleep(0.005)
        raise AssertionError("it does not come to that")

    async def left(self, number: int) -> None:
        """Wait until the server has noticed that so many clients have gone, from the beginning on."""
        await self.until(lambda: self.log.count("client-left") >= number)

    async def settle(self) -> None:
        """Wait until the server has done what it is doing beside."""
        for _ in range(200):
            if not self.server.keeper.busy:
                return
            await asyncio.sleep(0.005)
        raise AssertionError("the server does not come to rest")

    async def pass_by(self, seconds: float) -> None:
        """Move the test's time on, and let the server do what is due then."""
        await self.settle()
        self.clock.pass_by(seconds)
        await self.settle()
        # What was due can have set another alarm for a moment that has passed by now.
        self.clock.pass_by(0.0)
        await self.settle()


@asynccontextmanager
async def running_server(
    folder: Path,
    *,
    limits: Limits | None = None,
    clock: Any = None,
    store: Store | None = None,
    port: int = 0,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[Running]:
    """A server with its data in a folder. Its time stands still unless another source is given."""
    lines: list[str] = []
    source = FakeTime() if clock is None else clock
    log = ServiceLog(LogFormat.TEXT, lines.append)
    server = TableServer(
        store or SqliteStore(folder / "tables.sqlite3"),
        Secrets.of(folder),
        name="Club",
        limits=limits or Limits(),
        log=log,
        clock=source,
    )
    port = await server.start("127.0.0.1", port, tls)
    try:
        yield Running(server, port, source, lines)
    finally:
        await server.stop()


class RawClient:
    """Speaks the protocol and nothing else; folds what it is told of its tables."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.states: dict[str, TableState] = {}
        self.logs: dict[str, list[Happening]] = {}
        self.tokens: dict[str, str] = {}
        self.heard: list[Answer] = []
        self.secret = ""
        self.patience = PATIENCE

    @classmethod
    async def connect(cls, port: int, **options: Any) -> Self:
        """Only a line; nothing is said. It takes no larger message than a client of ours does."""
        url, largest = f"ws://127.0.0.1:{port}/", protocol.LARGEST_MESSAGE
        return cls(await connect(url, compression=None, max_size=largest, **options))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the line in order."""
        await self.socket.close()

    def cut(self) -> None:
        """Cut the line, as when a cable is pulled and both ends notice."""
        self.socket.transport.abort()

    # Saying and hearing

    async def say(self, *requests: Request) -> None:
        for request in requests:
            await self.socket.send(protocol.encode(request), text=True)

    async def say_raw(self, text: str | bytes) -> None:
        await self.socket.send(text)

    async def hear(self) -> Answer:
        """The next message, whatever it is; what happened at tables is folded."""
        async with asyncio.timeout(self.patience):
            message = await self.socket.recv(decode=False)
        answer = protocol.decode_answer(message)
        self.heard.append(answer)
        if isinstance(answer, Entered):
            if answer.since == 0:
                self.states.pop(answer.table, None)
                self.logs.pop(answer.table, None)
            self._fold(answer.table, answer.since + 1, answer.news)
        elif isinstance(answer, News):
            if answer.anew:
                self.states.pop(answer.table, None)
                self.logs.pop(answer.table, None)
            self._fold(answer.table, answer.version, answer.news)
        return answer

    def _fold(self, table: str, version: int, news: tuple[Happening, ...]) -> None:
        state = self.states.get(table, EMPTY_TABLE)
        assert version <= state.version + 1, f"told from {version} on, knows {state.version}"
        # Who enters where he is already can be told a second time what was on its way to him.
        missing = news[state.version + 1 - version :]
        for event in missing:
            state = evolve(state, event, 0.0)
        self.states[table] = state
        self.logs.setdefault(table, []).extend(missing)

    async def wait_for(self, *kinds: type[_Answer]) -> _Answer:
        """The next message of a kind; others are passed over."""
        while True:
            answer = await self.hear()
            if isinstance(answer, kinds):
                return answer

    async def silent(self, seconds: float = 0.05) -> bool:
        """True when nothing comes for a while."""
        try:
            async with asyncio.timeout(seconds):
                await self.hear()
        except TimeoutError:
            return True
        return False

    async def closed(self) -> ConnectionClosed:
        """Wait until the server has closed the line."""
        while True:
            try:
                await self.hear()
            except ConnectionClosed as end:
                return end

    # What clients do

    async def hello(self, name: str = "Ada", secret: str | None = None) -> protocol.Welcome:
        self.secret = f"a secret of the tests {next(_numbers)}" if secret is None else secret
        await self.say(protocol.Hello(version=protocol.VERSION, name=name, client=self.secret))
        return await self.wait_for(protocol.Welcome)

    async def open(self, *options: str, title: str = "") -> str:
        """Open a table and return its id."""
        await self.say(protocol.OpenTable(id=command_id(), title=title, options=options))
        return (await self.wait_for(protocol.TableOpened)).table

    async def enter(self, table: str, token: str = "", since: int | None = None) -> Entered:
        if since is None:
            since = self.states[table].version if table in self.states else 0
        at = self.logs[table][since - 1].at if 0 < since <= len(self.logs.get(table, ())) else 0
        await self.say(Enter(table=table, token=token, since=since, at=at))
        return await self.wait_for(Entered)

    async def sit(self, table: str, side: str | None = None) -> Seated | Refused:
        """Ask for a seat, and wait for the answer."""
        await self.say(protocol.Sit(table=table, id=command_id(), side=side))
        answer = await self.wait_for(Seated, Refused)
        if isinstance(answer, Seated):
            self.tokens[table] = answer.token
        return answer

    async def do(self, table: str, deed: Deed, *, seen: int | None = None, id_: str | None = None) -> Answer:
        """Do something, and wait for its answer."""
        await self.say(self.command(table, deed, seen=seen, id_=id_))
        return await self.wait_for(Done, Refused)

    def command(
        self, table: str, deed: Deed, *, seen: int | None = None, id_: str | None = None
    ) -> protocol.Command:
        version = self.states[table].version if seen is None else seen
        return protocol.Command(table=table, id=id_ or command_id(), version=version, deed=deed)

    async def reach(self, table: str, version: int) -> TableState:
        """Hear until a table is known up to a version."""
        while table not in self.states or self.states[table].version < version:
            await self.hear()
        return self.states[table]


def command_id() -> str:
    """An id that no other command of the tests has."""
    return f"c{next(_numbers)}"


async def seated_pair(running: Running, *options: str) -> tuple[RawClient, RawClient, str]:
    """White and Black at a table of their own, before a game."""
    white = await running.client("Ada")
    black = await running.client("Bob")
    table = await white.open(*options)
    for client, side in ((white, "w"), (black, "b")):
        await client.enter(table)
        assert isinstance(await client.sit(table, side), Seated)
    await level(table, white, black)
    return white, black, table


async def game_begun(running: Running, *options: str) -> tuple[RawClient, RawClient, str]:
    """White and Black in a game that has just begun."""
    white, black, table = await seated_pair(running, *options)
    for client in (white, black):
        assert isinstance(await client.do(table, protocol.Start()), Done)
    await level(table, white, black)
    assert white.states[table].stage is Stage.PLAYING
    return white, black, table


async def level(table: str, *clients: RawClient) -> TableState:
    """Let all clients hear what any of them knows of a table."""
    version = max(client.states[table].version for client in clients)
    for client in clients:
        await client.reach(table, version)
    return clients[0].states[table]


def first_action(state: TableState) -> str:
    """Some legal action: always the same one in the same position."""
    legal = legal_placements(state.position) or legal_moves(state.position)
    return min(format_action(action) for action in legal)


async def play_on(table: str, white: RawClient, black: RawClient, actions: int = 1_000) -> TableState:
    """Both play so many actions, or to the end."""
    for _ in range(actions):
        state = await level(table, white, black)
        if state.stage is not Stage.PLAYING:
            break
        mover = white if state.position.side is Side.WHITE else black
        done = await mover.do(table, Act(action=first_action(state)))
        assert isinstance(done, Done), done
        await mover.reach(table, done.version)
    return await level(table, white, black)
