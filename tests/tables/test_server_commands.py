"""Commands that come twice, late or out of order (S01), and what happens when they cannot be kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dvonn_tui.tables.happenings import Acted, Happening
from dvonn_tui.tables.protocol import Act, Done, GiveUp, MakeOffer, News, Refused, Start
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.store import Addition, StoreTrouble, TableEntry
from dvonn_tui.tables.table import Stage

from .tools import RawClient, first_action, game_begun, level, play_on, running_server, seated_pair


async def answers(client: RawClient, number: int) -> list[Done | Refused]:
    return [await client.wait_for(Done, Refused) for _ in range(number)]


async def test_a_move_that_is_sent_three_times_is_played_once(tmp_path: Path) -> None:
    """S01: with other ids the others are told that it has been played already."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "time 10")
        act = Act(action=first_action(white.states[table]))
        before = white.states[table].version
        await white.say(*(white.command(table, act) for _ in range(3)))
        first, *others = await answers(white, 3)
        assert isinstance(first, Done)
        assert [(type(other), getattr(other, "code", "")) for other in others] == [(Refused, "already")] * 2
        state = await level(table, white, black)
        assert (state.version, state.actions) == (before + 1, 1)


async def test_a_command_that_comes_again_gets_the_answer_it_had(tmp_path: Path) -> None:
    """Done or refused, also over another line and after another move."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        act = Act(action=first_action(white.states[table]))
        played = white.command(table, act, id_="same")
        early = black.command(table, act, id_="early")
        await black.say(early)
        [refused] = await answers(black, 1)
        assert isinstance(refused, Refused)
        assert refused.code == "turn"
        await white.say(played, played)
        first, second = await answers(white, 2)
        assert isinstance(first, Done)
        assert second == first
        await play_on(table, white, black, 1)
        await black.say(early)
        assert await answers(black, 1) == [refused]
        white.cut()
        again = await running.client("Ada", white.secret)
        await again.enter(table, white.tokens[table])
        await again.say(played)
        assert await answers(again, 1) == [first]
        assert again.states[table].actions == 2


async def test_an_id_is_one_clients_own(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        for client in (white, black):
            state = await level(table, white, black)
            done = await client.do(table, Act(action=first_action(state)), id_="x")
            assert isinstance(done, Done)
        assert (await level(table, white, black)).actions == 2


async def test_a_command_for_a_position_gone_by_is_refused_with_where_the_table_is(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        seen = white.states[table].version
        state = await play_on(table, white, black, 2)
        refused = await white.do(table, Act(action=first_action(state)), seen=seen)
        assert isinstance(refused, Refused)
        assert (refused.code, refused.version) == ("stale", state.version)
        ahead = await white.do(table, Act(action=first_action(state)), seen=state.version + 5)
        assert isinstance(ahead, Refused)
        assert ahead.code == "stale"


async def test_what_many_say_at_once_is_done_in_one_order(tmp_path: Path) -> None:
    """Both players and both commands of each: whatever comes, everybody has the same log."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        watcher = await running.client("Wim")
        await watcher.enter(table)
        for _ in range(10):
            state = await level(table, white, black)
            act = Act(action=first_action(state))
            await asyncio.gather(
                *(client.say(*(client.command(table, act) for _ in range(2))) for client in (white, black))
            )
            for client in (white, black):
                await answers(client, 2)
        await level(table, white, black, watcher)
        assert white.logs[table] == black.logs[table] == watcher.logs[table]
        assert white.states[table].actions == 10


class Failing(SqliteStore):
    """A store that cannot write while it is told so."""

    failing = False

    async def append(self, addition: Addition) -> None:
        if self.failing:
            raise StoreTrouble("disk full")
        await super().append(addition)

    async def open_table(self, entry: TableEntry, happenings: Sequence[Happening]) -> None:
        if self.failing:
            raise StoreTrouble("disk full")
        await super().open_table(entry, happenings)


async def test_what_cannot_be_kept_has_not_happened(tmp_path: Path) -> None:
    """A full disk: the move is refused, nobody sees it, and it can be made later by the same command."""
    store = Failing(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as running:
        white, black, table = await game_begun(running)
        version = white.states[table].version
        move = white.command(table, Act(action=first_action(white.states[table])))
        store.failing = True
        await white.say(move)
        [refused] = await answers(white, 1)
        assert isinstance(refused, Refused)
        assert refused.code == "trouble"
        assert await black.silent()
        store.failing = False
        await white.say(move)
        [done] = await answers(white, 1)
        assert done == Done(table=table, id=move.id, version=version + 1)
        assert (await level(table, white, black)).actions == 1
    assert "store-trouble" in running.log


async def test_who_goes_while_nothing_can_be_kept_is_away_once_it_can(tmp_path: Path) -> None:
    store = Failing(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as running:
        white, black, table = await game_begun(running, "time 10")
        store.failing = True
        await white.close()
        await running.settle()
        assert await black.silent()
        store.failing = False
        await running.pass_by(5)
        state = await black.reach(table, black.states[table].version + 1)
        assert len(state.away) == 1


async def test_another_writer_is_noticed_and_taken_in(tmp_path: Path) -> None:
    """Somebody else has appended to the log: the command is refused, and everybody learns what is there."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        state = white.states[table]
        foreign = Acted(at=1, by="w", action=first_action(state))
        other = SqliteStore(tmp_path / "tables.sqlite3")
        await other.append(Addition(table, state.version + 1, (foreign,)))
        await other.close()
        refused = await white.do(table, Act(action=first_action(state)))
        assert isinstance(refused, Refused)
        assert refused.code == "trouble"
        assert (await level(table, white, black)).last == foreign.action
        state = await play_on(table, white, black, 1)
        assert (state.stage, state.actions) == (Stage.PLAYING, 2)


async def test_a_takeback_reads_the_log_of_its_game_only(tmp_path: Path) -> None:
    """However much has happened at the table before."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        await white.do(table, GiveUp())
        await level(table, white, black)
        for client in (white, black):
            assert isinstance(await client.do(table, Start()), Done)
        await play_on(table, white, black, 2)
        read: list[int] = []
        store = running.server.keeper.store
        log = store.log

        async def watched(*arguments: Any) -> Any:
            happenings = await log(*arguments)
            read.append(len(happenings))
            return happenings

        store.log = watched  # type: ignore[method-assign]
        assert isinstance(await white.do(table, MakeOffer(offer="takeback")), Done)
        state = await level(table, white, black)
        assert read == [state.version - state.began]
        assert isinstance(await black.do(table, MakeOffer(offer="takeback")), Done)
        assert (await level(table, white, black)).actions == 0


async def test_news_come_before_the_answer(tmp_path: Path) -> None:
    """So that whoever has the answer knows the position."""
    async with running_server(tmp_path) as running:
        white, _, table = await seated_pair(running)
        while await white.silent() is False:
            pass
        await white.say(white.command(table, Start()))
        assert [type(await white.hear()) for _ in range(2)] == [News, Done]
