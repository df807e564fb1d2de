"""Work that begins in the turn in which it comes up, and messages that are heard so."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import pytest

from dvonn_tui.tables.at_once import begin
from dvonn_tui.tables.collector import YOUNG_CHANGES, watching_young
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import Command, Done, Enter, Entered, Leave, Refused, Request, Start
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.table import EMPTY_TABLE

from .tools import command_id, running_server


async def test_what_waits_for_nothing_is_done_at_once() -> None:
    done = []

    async def work() -> None:
        done.append(1)

    assert begin(work()) is None
    assert done == [1]


async def test_the_rest_is_a_task() -> None:
    """Turns of the event loop, futures and locks are waited for as in any task."""
    steps: list[object] = []
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    lock = asyncio.Lock()
    await lock.acquire()

    async def work() -> None:
        steps.append("begun")
        await asyncio.sleep(0)
        steps.append(asyncio.current_task())
        steps.append(await told)
        async with lock:
            steps.append("locked")

    rest = begin(work())
    assert rest is not None
    assert steps == ["begun"]
    await asyncio.sleep(0.01)
    assert steps == ["begun", rest]
    told.set_result("told")
    await asyncio.sleep(0.01)
    assert steps[2:] == ["told"]
    lock.release()
    await rest
    assert steps[3:] == ["locked"]


async def test_what_goes_wrong_goes_wrong_in_the_work() -> None:
    told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    caught: list[BaseException] = []

    async def work() -> None:
        try:
            await told
        except OSError as problem:
            caught.append(problem)
        raise ValueError("afterwards")

    rest = begin(work())
    assert rest is not None
    told.set_exception(OSError("cut"))
    with pytest.raises(ValueError, match="afterwards"):
        await rest
    assert [str(problem) for problem in caught] == ["cut"]


async def test_the_rest_can_be_cancelled() -> None:
    ended = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(1)

    rest = begin(work())
    assert rest is not None
    await asyncio.sleep(0)
    rest.cancel()
    with pytest.raises(asyncio.CancelledError):
        await rest
    assert ended == [1]


async def test_what_goes_wrong_at_once_is_told_at_once() -> None:
    async def work() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        begin(work())


async def test_messages_are_handled_in_their_order_however_they_come(tmp_path: Path) -> None:
    """The first of a turn is heard at once, one that waits for the store goes on later, and those behind it
    wait for it: also when they come one by one, or all in one piece."""
    store = Dawdling(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store, limits=Limits(rate=1000, burst=1000)) as running:
        client = await running.client()
        table = await client.open()
        for pause in (0.0, 0.001, 0.02):
            asked: list[Request] = [Enter(table=table), Leave(table=table)] * 5
            asked.append(Command(table=table, id=command_id(), version=1, deed=Start()))
            for request in asked:
                await client.say(request)
                await asyncio.sleep(pause)
            answer = await client.wait_for(Done, Refused)
            assert isinstance(answer, Refused)
            # Had the last of them been entering, only the seat would be missing.
            assert answer.code == "table"
            assert sum(isinstance(heard, Entered) for heard in client.heard) == 5
            client.heard.clear()


async def test_who_goes_while_something_is_handled_has_gone_after_it(tmp_path: Path) -> None:
    """Whoever enters and cuts the line in one breath stands at no table."""
    store = Dawdling(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store, limits=Limits(rate=1000, burst=1000)) as running:
        stays = await running.client("Ada")
        table = await stays.open()
        await stays.enter(table)
        for number in range(3):
            goes = await running.client(f"Bob {number}")
            await goes.say(Enter(table=table))
            await asyncio.sleep(0.005)
            goes.cut()
        await running.left(3)
        await running.settle()
        hosted = await running.server.keeper.find(table)
        assert [place.name for place in hosted.places.values()] == ["Ada"]


class Dawdling(SqliteStore):
    """A store that takes its time to read."""

    async def log(self, table: str, since: int = 0, most: int | None = None) -> tuple[Happening, ...]:
        await asyncio.sleep(0.01)
        return await super().log(table, since, most)


async def test_new_objects_are_looked_through_every_few_changes() -> None:
    changed = watching_young()
    before = gc.get_stats()[0]["collections"]
    gc.disable()
    try:
        for _ in range(YOUNG_CHANGES * 3):
            changed("TABLE2", EMPTY_TABLE, ())
            await asyncio.sleep(0)
        looked = gc.get_stats()[0]["collections"] - before
    finally:
        gc.enable()
    assert looked == 3
