"""S06: clocks at a table show the server's time, whatever the line does to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol
from dvonn_tui.tables.happenings import ClockReading
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.link import TableLink
from dvonn_tui.tables.remote import RemoteTable
from tests.tables.scripted import AT, QUICK, TABLE, Diary, Peer, opened, scripted


@dataclass
class Far:
    """A client whose line takes time that the test lets go by."""

    peer: Peer
    link: TableLink
    table: RemoteTable
    diary: Diary
    seconds: list[float]

    def wait(self, seconds: float) -> None:
        self.seconds[0] += seconds

    @property
    def now(self) -> float:
        return self.seconds[0]

    def shown(self, side: Side = Side.WHITE) -> float:
        session = self.table.session
        assert session is not None
        assert session.clocks is not None
        return session.clocks.left(side, session.now())

    async def ask(self, there: float, back: float) -> None:
        """A question that takes some time there and back."""
        asked = asyncio.create_task(self.link.tables())
        await self.peer.hear(protocol.ListTables)
        self.wait(there + back)
        await self.peer.say(protocol.Tables(tables=()))
        await asked

    async def told(self, reading: ClockReading, delay: float) -> None:
        """The server tells its clocks, which takes some time."""
        self.wait(delay)
        event = happened.TimeGiven(at=AT, by="b", given=0, clocks=reading)
        count = len(self.diary.of("news"))
        await self.peer.say(protocol.News(table=TABLE, version=self.table.state.version + 1, news=(event,)))
        await self.diary.until("news", count + 1)


@asynccontextmanager
async def far(folder: Path, there: float = 0.0, back: float = 0.0) -> AsyncIterator[Far]:
    """At a table with 60 seconds for each, White's running."""
    seconds = [100.0]
    async with scripted() as server:
        link = TableLink(server.address, "Ada", Keeping(folder), now=lambda: seconds[0], patience=QUICK)
        link.start()
        entering = asyncio.create_task(link.enter(TABLE))
        peer = await server.peer()
        await peer.hear(protocol.Hello)
        seconds[0] += there + back
        await peer.say(protocol.Welcome(version=protocol.VERSION, name="Club", you="Ada", time=AT))
        entered = await peer.hear(protocol.Enter)
        seconds[0] += there + back
        reading = ClockReading(60_000, 60_000, "w")
        await peer.say(
            protocol.Entered(
                table=TABLE,
                side="w",
                since=entered.since,
                news=tuple(opened("time 1")),
                chat=(),
                watchers=(),
                now=reading,
            )
        )
        table = await entering
        yield Far(peer, link, table, Diary(table), seconds)
        await link.close()


async def test_half_of_the_way_is_taken_into_account(tmp_path: Path) -> None:
    async with far(tmp_path, 0.3, 0.3) as client:
        assert client.shown() == pytest.approx(59.7, abs=0.01)
        client.wait(10)
        assert client.shown() == pytest.approx(49.7, abs=0.01)
        await client.told(ClockReading(50_000, 60_000, "w"), 0.3)
        assert client.shown() == pytest.approx(49.7, abs=0.01)
        assert client.shown(Side.BLACK) == 60


async def test_a_line_that_is_now_fast_and_now_slow(tmp_path: Path) -> None:
    """300 ms and up to 200 ms more or less: off by less than half a second, never more than was told."""
    random = Random(7)

    def delay() -> float:
        return 0.3 + random.uniform(-0.2, 0.2)

    async with far(tmp_path, delay(), delay()) as client:
        left = 59.0
        for _ in range(40):
            await client.ask(delay(), delay())
            on_its_way = delay()
            await client.told(ClockReading(int(left * 1000), 60_000, "w"), on_its_way)
            for _ in range(5):
                assert client.shown() <= left
                assert abs(client.shown() - max(left - on_its_way, 0.0)) < 0.5
                client.wait(0.1)
                left -= 0.1
            left -= on_its_way


async def test_a_clock_that_stands_still_shows_what_was_told(tmp_path: Path) -> None:
    async with far(tmp_path, 0.3, 0.3) as client:
        await client.told(ClockReading(12_345, 60_000), 5.0)
        assert client.shown() == 12.345
        client.wait(3600)
        assert client.shown() == 12.345


async def test_a_lost_line_shows_what_is_known(tmp_path: Path) -> None:
    """The clock goes on: that it was halted is not known here."""
    async with far(tmp_path) as client:
        client.peer.cut()
        client.wait(20)
        assert client.shown() == pytest.approx(40, abs=0.01)


async def test_the_wall_clock_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with far(tmp_path) as client:
        before = client.shown()
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() + 3600)
        assert client.shown() == before
        monkeypatch.setattr(time, "time", lambda: real() - 3600)
        await client.told(ClockReading(30_000, 60_000, "w"), 0.0)
        assert client.shown() == pytest.approx(30, abs=0.01)
