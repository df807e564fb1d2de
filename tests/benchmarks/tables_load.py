"""How long a move takes from its player to both, at a server full of tables, beside a bare echo."""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves, play
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.tables.happenings import Acted, Began, Happening
from dvonn_tui.tables.protocol import (
    Act,
    Answer,
    Command,
    Done,
    Enter,
    Entered,
    News,
    OpenTable,
    Refused,
    Seated,
    Sit,
    Start,
    TableOpened,
    encode,
)
from tests.benchmarks.processes import ServerProcess, allow_files, echo_server, tables_server
from tests.benchmarks.tables import percentile, table
from tests.benchmarks.wire import Client

AT_ONCE: Final = 40
"""Tables that are set up at the same time."""

WIDE_OPEN: Final = {
    "connections": 20_000,
    "connections_address": 20_000,
    "arrivals": 1_000_000,
    "tables": 20_000,
    "tables_address": 20_000,
}
"""Limits of a server whose clients all come from one address."""

LONGEST_WAIT: Final = 10.0
"""Seconds after which a move that has not come back is lost."""


@dataclass
class Pair:
    """Two clients at a table, and the moves that they will make.

    Attributes:
        id: the table.
        clients: White's and Black's.
        moves: who does what, in order; made as far as `made`.
        versions: the version of the table that each has seen.
        heard: how often each was told of each move.
        sent: when the move under way was sent; None when none is.
        took: the seconds that each move took until both had it.
    """

    id: str
    clients: list[Client]
    moves: list[tuple[int, bytes | str]] = field(default_factory=list)
    made: int = 0
    versions: list[int] = field(default_factory=lambda: [0, 0])
    heard: list[list[str]] = field(default_factory=lambda: [[], []])
    sent: float | None = None
    took: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def hear(self, number: int, answer: Answer, when: float) -> None:
        """A client was told something."""
        if isinstance(answer, News):
            if answer.version != self.versions[number] + 1:
                self.faults.append(f"version {answer.version} after {self.versions[number]}")
            self.versions[number] = answer.version + len(answer.news) - 1
            for event in answer.news:
                if isinstance(event, Acted):
                    self.heard[number].append(event.action)
                    self._both(when)
        elif isinstance(answer, Refused):
            self.faults.append(f"{answer.code}: {answer.reason}")

    def _both(self, when: float) -> None:
        if self.sent is not None and len(self.heard[0]) == len(self.heard[1]) == self.made:
            self.took.append(when - self.sent)
            self.sent = None

    def move(self) -> bool:
        """Make the next move. False when the one before is still under way, or none is left."""
        if self.sent is not None or self.made == len(self.moves):
            return False
        number, token = self.moves[self.made]
        assert isinstance(token, str)
        command = Command(
            table=self.id, id=f"m{self.made}", version=max(self.versions), deed=Act(action=token)
        )
        message = encode(command)
        self.made += 1
        self.sent = time.perf_counter()
        self.clients[number].wire.send(message)
        return True


@dataclass
class Measured:
    """What came of moves that were made at one server.

    Attributes:
        name: what was measured.
        took: seconds of each move.
        late: seconds that each was sent later than planned: how busy the clients were.
        held_back: moves that could not be sent since the one before was still under way.
        lost: moves that never came to both.
        faults: what was told otherwise than it should have been.
        computing: seconds that the server computed for a move.
        memory: KiB that the server needs for a pair, at rest and at the end.
        windows: the p99 of every two seconds.
    """

    name: str
    took: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    held_back: int = 0
    lost: int = 0
    faults: list[str] = field(default_factory=list)
    computing: float = 0.0
    memory: tuple[float, float] = (0.0, 0.0)
    windows: list[float] = field(default_factory=list)

    def row(self) -> list[str]:
        """As a row of the table."""
        p99 = percentile(self.took, 0.99) * 1000
        return [
            self.name,
            f"{len(self.took):,}",
            f"{median(self.took) * 1000:.2f}",
            f"{p99:.2f}",
            f"{median(self.windows) * 1000:.2f}",
            f"{max(self.took) * 1000:.0f}",
            f"{percentile(self.late, 0.99) * 1000:.1f}",
            f"{self.computing * 1e6:.0f}",
            f"{self.memory[0]:.1f}",
            f"{self.memory[1]:.1f}",
            str(self.held_back),
            str(self.lost + len(self.faults)),
        ]


HEAD: Final = [
    "",
    "moves",
    "p50 ms",
    "p99 ms",
    "p99 of 2 s",
    "most ms",
    "sent late p99",
    "CPU us",
    "KiB at rest",
    "KiB after",
    "held back",
    "lost, doubled, wrong",
]


async def drive(pairs: Sequence[Pair], rate: float, seconds: float, found: Measured) -> None:
    """Make moves at a steady rate, whatever becomes of those before; wait for the last of them."""
    turns = itertools.cycle(pairs)
    counts = [len(pair.took) for pair in pairs]
    window: list[float] = []
    begun = time.perf_counter()
    for number in range(round(rate * seconds)):
        planned = begun + number / rate
        wait = planned - time.perf_counter()
        await asyncio.sleep(max(wait, 0.0))
        found.late.append(max(time.perf_counter() - planned, 0.0))
        found.held_back += not next(turns).move()
        if number and number % round(2 * rate) == 0:
            _close_window(pairs, counts, window, found)
    end = time.perf_counter() + LONGEST_WAIT
    while any(pair.sent is not None for pair in pairs) and time.perf_counter() < end:
        await asyncio.sleep(0.01)
    _close_window(pairs, counts, window, found)


def _close_window(pairs: Sequence[Pair], counts: list[int], window: list[float], found: Measured) -> None:
    """Take in what was measured since the last time."""
    window.clear()
    for number, pair in enumerate(pairs):
        window.extend(pair.took[counts[number] :])
        counts[number] = len(pair.took)
    found.took.extend(window)
    if window:
        found.windows.append(percentile(window, 0.99))


def legal_line(setup: Setup, seed: int | None, plies: int, chance: random.Random) -> list[tuple[int, str]]:
    """Random moves that begin a game: who makes each, 0 for White, and its token."""
    position = set_up(setup, seed)
    line: list[tuple[int, str]] = []
    while len(line) < plies and not position.over:
        action = chance.choice(legal_moves(position))
        line.append((0 if position.side is Side.WHITE else 1, format_action(action)))
        position = play(position, action)[1]
    return line


async def echo_pair(port: int, number: int, plies: int) -> Pair:
    """A pair at the echo server."""
    pair = Pair("ECHO", [])
    for side in range(2):
        hear = _hearing(pair, side)
        pair.clients.append(await Client.connected(port, f"/{number}", hear=hear))
    pair.moves = [(ply % 2, "a1b1") for ply in range(plies)]
    return pair


async def table_pair(port: int, number: int, plies: int) -> Pair:
    """A pair at a table of its own, in a game that has just begun."""
    pair = Pair("", [])
    began: asyncio.Future[Began] = asyncio.get_running_loop().create_future()
    told: list[Happening] = []

    def watch(side: int) -> Callable[[Answer, float], None]:
        hear = _hearing(pair, side)

        def both(answer: Answer, when: float) -> None:
            hear(answer, when)
            if isinstance(answer, Entered):
                pair.versions[side] = answer.since + len(answer.news)
            elif isinstance(answer, News):
                told.extend(event for event in answer.news if isinstance(event, Began))
                if len(told) == 2 and not began.done():
                    assert isinstance(told[0], Began)
                    began.set_result(told[0])

        return both

    for side, letter in enumerate("wb"):
        client = await Client.connected(port, hear=watch(side))
        pair.clients.append(client)
        await client.hello(f"Player {number}{letter}", f"the secret of load client {number}{letter}")
        if not pair.id:
            opening = OpenTable(id="open", options=("time 60", "balanced"))
            pair.id = (await client.ask(opening, TableOpened)).table
        await client.ask(Enter(table=pair.id), Entered)
        await client.ask(Sit(table=pair.id, id="sit", side=letter), Seated)
    for client in pair.clients:
        await client.ask(Command(table=pair.id, id="start", version=max(pair.versions), deed=Start()), Done)
    seed = (await asyncio.wait_for(began, LONGEST_WAIT)).seed
    pair.moves = list(legal_line(Setup.BALANCED, seed, plies, random.Random(number)))
    return pair


def _hearing(pair: Pair, side: int) -> Callable[[Answer, float], None]:
    return lambda answer, when: pair.hear(side, answer, when)


async def gather_pairs(
    make: Callable[[int, int, int], Awaitable[Pair]], port: int, count: int, plies: int
) -> list[Pair]:
    """So many pairs, a few at a time."""
    numbers = iter(range(count))
    pairs: list[Pair] = []

    async def some(numbers: Iterator[int]) -> None:
        for number in numbers:
            pairs.append(await make(port, number, plies))

    await asyncio.gather(*(some(numbers) for _ in range(AT_ONCE)))
    return pairs


async def measure(
    server: ServerProcess,
    make: Callable[[int, int, int], Awaitable[Pair]],
    found: Measured,
    pairs: int,
    rate: float,
    seconds: float,
) -> list[Pair]:
    """Fill a server, and make moves there."""
    empty = server.memory
    plies = round(rate * (seconds + 2) / pairs) + 2
    filled = await gather_pairs(make, server.port, pairs, plies)
    await asyncio.sleep(1.0)
    rest = (server.memory - empty) / pairs
    with _without_collector():
        await drive(filled, rate, min(seconds, 2.0), Measured("warming up"))
        before, moves = server.computing, len(found.took)
        await drive(filled, rate, seconds, found)
    found.computing = (server.computing - before) / max(len(found.took) - moves, 1)
    found.memory = (rest, (server.memory - empty) / pairs)
    for pair in filled:
        found.lost += pair.sent is not None
        found.faults.extend(pair.faults)
        found.faults.extend(_not_once(pair))
    return filled


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep Python from looking for cycles in this process meanwhile: with thousands of clients it takes
    milliseconds, in which all that the server has said waits, and counts as the server's time."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def _not_once(pair: Pair) -> list[str]:
    """What either client was not told, or told twice, or in another order."""
    made = [token for _, token in pair.moves[: pair.made]]
    return [f"told {heard}, made {made}" for heard in pair.heard if heard != made]


def _hang_up(pairs: Sequence[Pair]) -> None:
    for pair in pairs:
        for client in pair.clients:
            client.wire.cut()


def stored_moves(path: Path) -> dict[str, list[str]]:
    """The actions at each table, as the store has them."""
    decoder = msgspec.json.Decoder(Happening)
    found: dict[str, list[str]] = {}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
        rows = store.execute("select table_id, event from happenings order by table_id, version")
        for name, text in rows:
            event = decoder.decode(text)
            if isinstance(event, Acted):
                found.setdefault(name, []).append(event.action)
    return found


async def load(pairs: int, rate: float, seconds: float) -> tuple[Measured, Measured, int]:
    """Measure an echo, a server of tables, and the echo again; and count the moves that the store lacks,
    or has too often."""
    echo, tables = Measured("echo"), Measured("tables")
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            with echo_server() as server:
                _hang_up(await measure(server, echo_pair, echo, pairs, rate, seconds / 2))
            if tables.took:
                break
            with tables_server(Path(folder), WIDE_OPEN) as server:
                filled = await measure(server, table_pair, tables, pairs, rate, seconds)
                stored = stored_moves(Path(folder) / "data" / "tables.sqlite3")
                _hang_up(filled)
        wrong = sum(
            stored.get(pair.id, []) != [token for _, token in pair.moves[: pair.made]] for pair in filled
        )
    return echo, tables, wrong


def report(pairs: int, rate: float, seconds: float) -> str:
    """The table, and the relation of the two."""
    files = allow_files()
    if files < 2 * pairs + 100:
        pairs = (files - 100) // 2
    echo, tables, wrong = asyncio.run(load(pairs, rate, seconds))
    relation = percentile(tables.took, 0.99) / percentile(echo.took, 0.99)
    windows = median(tables.windows) / median(echo.windows)
    lines = [
        f"{pairs:,} tables, {2 * pairs:,} clients, {rate:g} moves a second, from sending to both clients:",
        table(HEAD, [echo.row(), tables.row()]),
        f"p99 to that of the echo: {relation:.2f}, by windows of 2 s {windows:.2f}; "
        f"tables whose store differs: {wrong}",
    ]
    lines += [f"wrong: {fault}" for fault in [*echo.faults, *tables.faults][:5]]
    return "\n".join(lines)
