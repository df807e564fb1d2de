"""Two clients at a table of a server: meeting, playing to the end, coming back, watching."""

from __future__ import annotations

from pathlib import Path

import pytest

from dvonn_tui.core.notation import format_position
from dvonn_tui.play.launch import LARGEST_DRAWN_SEED
from dvonn_tui.records import forms
from dvonn_tui.tables import keeper as keeper_module
from dvonn_tui.tables import protocol
from dvonn_tui.tables.connection import Line
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.protocol import Act, Done, GiveUp, MakeOffer, Refused, Start
from dvonn_tui.tables.server import COSTLY
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.table import Stage

from .tabling import BLACK, WHITE, Tabling
from .tools import first_action, game_begun, level, play_on, running_server, seated_pair


async def test_a_whole_game_is_the_same_on_both_sides_and_its_record_is_kept(tmp_path: Path) -> None:
    """Also the record holds the moves, the names, the server and how time was counted."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "time 5+3", "log")
        state = await play_on(table, white, black)
        assert state.stage is Stage.OVER
        assert white.logs[table] == black.logs[table]
        await black.say(protocol.FetchRecord(id="r", record=state.record.lower()))
        text = (await black.wait_for(protocol.Record)).text
    [record] = forms.read(text)
    assert not record.faults
    assert format_position(record.end.position) == format_position(state.position)
    started = record.game.started
    assert (started.white, started.black) == ("Ada", "Bob")
    assert (record.tags["Event"], record.tags["TimeControl"]) == ("Club", "300+3")


async def test_what_was_taken_back_is_not_in_the_record(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "log")
        await play_on(table, white, black, 2)
        assert isinstance(await white.do(table, MakeOffer(offer="takeback")), Done)
        await level(table, white, black)
        assert isinstance(await black.do(table, MakeOffer(offer="takeback")), Done)
        state = await level(table, white, black)
        assert state.actions == 0
        state = await play_on(table, white, black)
        await white.say(protocol.FetchRecord(id="r", record=state.record))
        [record] = forms.read((await white.wait_for(protocol.Record)).text)
    assert not record.faults
    assert len(record.game.children(record.game.log[0])) == 1
    assert record.end.position.stacks == state.position.stacks


async def test_a_rematch_changes_the_colours_and_both_keep_their_seats(tmp_path: Path) -> None:
    """Also after a line was cut: the token is still good, for the other colour."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        await white.do(table, protocol.GiveUp())
        await level(table, white, black)
        assert isinstance(await white.do(table, MakeOffer(offer="rematch")), Done)
        await level(table, white, black)
        assert isinstance(await black.do(table, MakeOffer(offer="rematch")), Done)
        state = await level(table, white, black)
        assert (state.stage, state.game) == (Stage.PLAYING, 2)
        assert isinstance(await black.do(table, Act(action=first_action(state))), Done)
        token = white.tokens[table]
        await white.close()
        again = await running.client("Ada", white.secret)
        entered = await again.enter(table, token)
        assert entered.side == "b"
        assert again.states[table].actions == 1


async def test_seeds_are_short_enough_to_be_told(tmp_path: Path) -> None:
    tabling = Tabling()
    tabling.sit("Ada", WHITE)
    tabling.sit("Bea", BLACK)
    tabling.do(WHITE, Start())
    async with running_server(tmp_path) as running:
        rule = running.server.keeper.deed_rule(Start(), BLACK, tabling.moment, tabling.state.version)
        seeds = {rule(tabling.state, lambda: tabling.log)[-1].seed for _ in range(40)}  # type: ignore[union-attr]
    assert len(seeds) == 40
    assert max(seeds) <= LARGEST_DRAWN_SEED


async def test_a_list_of_tables(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, _, table = await seated_pair(running, "profi", "time 10")
        other = await white.open(title="for beginners")
        await white.say(protocol.ListTables())
        lines = (await white.wait_for(protocol.Tables)).tables
        assert [(line.id, line.title, line.white, line.black) for line in lines] == [
            (other, "for beginners", None, None),
            (table, "Ada's table", "Ada", "Bob"),
        ]
        assert "time 10" in lines[1].options
        assert "profi" in lines[1].options or "manual" in lines[1].options


async def test_placing_by_hand_and_a_start_that_both_have_to_say(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await seated_pair(running, "profi")
        assert isinstance(await white.do(table, Start()), Done)
        assert white.states[table].stage is Stage.OPEN
        assert isinstance(await black.do(table, Start()), Done)
        state = await play_on(table, white, black, 49)
        assert state.actions == 49
        assert all(state.position.stacks)


class Reading(SqliteStore):
    """Knows since which versions all was read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.read: list[int] = []

    async def log(self, table: str, since: int = 0, most: int | None = None) -> tuple[Happening, ...]:
        if most is None:
            self.read.append(since)
        return await super().log(table, since, most)


async def test_a_takeback_reads_no_more_than_its_game_and_is_counted_as_costly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first action it reads nothing. The games before are of no use for it."""
    costs: list[float] = []
    store = Reading(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as running:
        white, black, table = await game_begun(running)
        assert isinstance(await white.do(table, MakeOffer(offer="takeback")), Refused)
        assert store.read == []
        await play_on(table, white, black, 2)
        await white.do(table, GiveUp())
        for client in (white, black):
            await level(table, white, black)
            await client.do(table, MakeOffer(offer="rematch"))
        await play_on(table, black, white, 1)
        began = white.states[table].began
        assert began > 10
        store.read.clear()
        monkeypatch.setattr(Line, "spend", lambda _, cost: costs.append(cost))
        assert isinstance(await white.do(table, MakeOffer(offer="takeback")), Refused)
        assert isinstance(await black.do(table, MakeOffer(offer="takeback")), Done)
        assert store.read == [began - 1] * 2
        assert costs == [COSTLY] * 2


async def test_every_message_of_a_long_log_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper_module, "TOLD_AT_ONCE", 5)
    costs: list[float] = []
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        version = (await play_on(table, white, black, 40)).version
        late = await running.client("Bea")
        monkeypatch.setattr(Line, "spend", lambda _, cost: costs.append(cost))
        await late.enter(table)
        assert late.states[table].version == version
        assert sum(costs) >= version // 5
