"""Tables that are closed while somebody comes or is there: nobody is told of what is gone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from dvonn_tui.tables import protocol
from dvonn_tui.tables.happenings import Happening, OptionSet
from dvonn_tui.tables.keeper import Keeper
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import Entered, News, Refused
from dvonn_tui.tables.ruling import Moment, Refusal, idle
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.store import Addition
from dvonn_tui.tables.table import Stage
from dvonn_tui.tables.visits import Visits

from .tools import FakeTime, game_begun, running_server


@dataclass(eq=False)
class Watcher:
    """A guest who hears what he is told."""

    name: str = "Wim"
    mark: str = "wim"
    address: str = "there"
    heard: list[bytes] = field(default_factory=list)

    def deliver(self, message: bytes) -> None:
        self.heard.append(message)

    async def send(self, message: bytes) -> None:
        self.heard.append(message)

    def dismiss(self, reason: str) -> None:
        raise AssertionError(reason)


async def nothing_else(_: Keeper) -> None:
    """No table is loaded that nobody asks for."""


@pytest.mark.parametrize("happenings", [2, 450])
async def test_a_table_that_is_closed_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, happenings: int
) -> None:
    """The server was down for longer than a table lives, and a guest is the first to ask for it."""
    clock = FakeTime()
    async with running_server(tmp_path, clock=clock) as running:
        client = await running.client()
        table = await client.open()
        store = SqliteStore(tmp_path / "tables.sqlite3")
        many = [OptionSet(at=clock.wall(), by="w", option="log")] * happenings
        await store.append(Addition(table, 2, many))
        await store.close()
    clock.pass_by(31 * 60)
    monkeypatch.setattr(Keeper, "_load_all", nothing_else)
    async with running_server(tmp_path, clock=clock) as running:
        guest = await running.client()
        await guest.say(protocol.Enter(table=table))
        assert (await guest.wait_for(Refused, Entered, News)).code == "table"  # type: ignore[union-attr]
        assert running.server.keeper.counts == (0, 0)


async def test_a_table_that_is_closed_while_a_guest_is_told_its_log(tmp_path: Path) -> None:
    """The log is gone then, and the guest is told no more of it."""
    async with running_server(tmp_path) as running:
        player = await running.client()
        table = await player.open()
        keeper = running.server.keeper
        hosted = await keeper.find(table)
        many = [OptionSet(at=running.clock.wall(), by="w", option="log")] * 450

        class Slow(Watcher):
            async def send(self, message: bytes) -> None:
                await super().send(message)
                assert len(self.heard) == 1
                await keeper.change(hosted, lambda state, _: idle(state, Moment(0.0, 0)))

        async with hosted.lock:
            await keeper.change(hosted, lambda state, _: tuple(many))
        watcher = Slow()
        with pytest.raises(Refusal) as refused:
            await Visits(keeper).enter(watcher, protocol.Enter(table=table))
        assert (refused.value.code, len(watcher.heard)) == ("table", 1)


async def test_what_happens_while_the_log_is_read_closes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest comes back who has seen everything, and a little more happens just then."""
    async with running_server(tmp_path) as running:
        player = await running.client()
        table = await player.open()
        keeper = running.server.keeper
        hosted = await keeper.find(table)
        seen, read, happened = hosted.state.version, keeper.told_next, []

        async def slowly(*wanted: Any) -> tuple[Happening, ...]:
            part = await read(*wanted)
            if not part and not happened:
                happened.append(OptionSet(at=running.clock.wall(), by="w", option="log"))
                await keeper.change(hosted, lambda state, _: tuple(happened))
            return part

        monkeypatch.setattr(keeper, "told_next", slowly)
        watcher = Watcher()
        coming = protocol.Enter(table=table, since=seen, at=hosted.last)
        await Visits(keeper).enter(watcher, coming)
        told = [protocol.decode_answer(message) for message in watcher.heard]
        assert any(isinstance(answer, Entered) for answer in told)
        news = [event for answer in told if isinstance(answer, Entered | News) for event in answer.news]
        assert news == happened


async def test_a_table_that_was_closed_is_not_looked_at_again(tmp_path: Path) -> None:
    """Not when somebody leaves it who was there, nor ever after."""
    async with running_server(tmp_path) as running:
        white, _, table = await game_begun(running)
        keeper = running.server.keeper
        keeper.limits = Limits(happenings=1)
        await keeper.look(await keeper.find(table))
        assert (await white.reach(table, white.states[table].version + 1)).stage is Stage.CLOSED
        await white.close()
        await running.left(1)
        await running.pass_by(10)
        assert running.server.keeper.counts == (0, 0)
        assert "store-trouble" not in running.log
        assert not [alarm for alarm in running.clock.alarms if not alarm.off]
