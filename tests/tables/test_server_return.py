"""Cut lines, restarts and clocks: S03, S08."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dvonn_tui.core.notation import format_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.tables import protocol
from dvonn_tui.tables.happenings import AbsenceSpent, Adjourned, Ended, OptionSet, RecordKept
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import Act, Claim, Done, Entered, Farewell, GiveUp, Refused
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.store import Addition
from dvonn_tui.tables.table import Stage

from .tools import (
    FakeTime,
    RawClient,
    first_action,
    game_begun,
    level,
    play_on,
    running_server,
    seated_pair,
)


async def come_back(port_of: object, client: RawClient, table: str) -> tuple[RawClient, Entered]:
    """The same client over another line, with its token and the last version that it has seen."""
    again = await port_of.client("Ada", client.secret)  # type: ignore[attr-defined]
    again.states, again.logs, again.tokens = client.states, client.logs, client.tokens
    return again, await again.enter(table, client.tokens[table])


@pytest.mark.parametrize("seconds", [2, 30, 600])
async def test_a_line_that_is_cut(tmp_path: Path, seconds: float) -> None:
    """S03: the other moves meanwhile; afterwards both know the same, and only what was missing was told."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "time 30")
        await play_on(table, white, black, 1)
        white.cut()
        state = await black.reach(table, black.states[table].version + 1)
        assert state.away == {Side.WHITE}
        await black.do(table, Act(action=first_action(state)))
        seen = white.states[table].version
        await running.pass_by(seconds)
        white, entered = await come_back(running, white, table)
        assert (entered.side, entered.since) == ("w", seen)
        state = await level(table, white, black)
        assert white.logs[table] == black.logs[table]
        assert state.away == frozenset()
        assert (await play_on(table, white, black, 2)).actions == 4


async def test_a_move_made_offline_is_sent_later_or_refused(tmp_path: Path) -> None:
    """S03: for the position it was made in it is played, for one that has changed it is refused."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        command = white.command(table, Act(action=first_action(white.states[table])))
        white.cut()
        white, _ = await come_back(running, white, table)
        await white.say(command)
        assert isinstance(await white.wait_for(Done, Refused), Done)
        late = white.command(table, Act(action="a1a2"))
        state = await play_on(table, white, black, 2)
        await white.say(late)
        refused = await white.wait_for(Done, Refused)
        assert isinstance(refused, Refused)
        assert refused.code == "stale"
        assert (await level(table, white, black)).version == state.version


async def test_the_clock_stands_still_while_its_player_is_away(tmp_path: Path) -> None:
    """Within the allowance; then it runs, and the other may claim the game."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "time 10", "absence 1")
        await running.pass_by(30)
        white.cut()
        await running.left(1)
        await running.pass_by(50)
        white, entered = await come_back(running, white, table)
        assert entered.now is not None
        assert entered.now.white == 570_000
        white.cut()
        await running.left(2)
        state = await black.reach(table, white.states[table].version + 1)
        assert isinstance(await black.do(table, Claim()), Refused)
        await running.pass_by(11)
        state = await black.reach(table, state.version + 1)
        assert any(isinstance(event, AbsenceSpent) for event in black.logs[table])
        assert isinstance(await black.do(table, Claim()), Done)
        assert black.states[table].position.outcome is not None
        assert black.states[table].position.outcome.reason is Reason.ABSENCE


async def test_a_flag_falls_by_itself_and_once(tmp_path: Path) -> None:
    """S08: nobody sends anything, one player is away; the game ends at its limit, and both clocks stand."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "time 1", "log")
        black.cut()
        await running.left(1)
        await running.pass_by(59)
        assert running.server.keeper.counts == (1, 1)
        await running.pass_by(2)
        state = await white.reach(table, white.states[table].version + 3)
        assert state.stage is Stage.OVER
        outcome = state.position.outcome
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (Side.BLACK, Reason.TIME)
        assert state.clocks is not None
        assert state.clocks.running is None
        assert sum(isinstance(event, Ended) for event in white.logs[table]) == 1
        assert sum(isinstance(event, RecordKept) for event in white.logs[table]) == 1
        await running.pass_by(600)
        assert await white.silent()


async def test_both_are_gone_and_the_game_still_ends(tmp_path: Path) -> None:
    """S08: first the allowance passes, then the clock."""
    async with running_server(tmp_path) as running:
        white, black, _ = await game_begun(running, "time 5", "absence 5")
        for client in (white, black):
            client.cut()
        await running.left(2)
        await running.pass_by(301)
        await running.pass_by(298)
        assert running.server.keeper.counts == (1, 1)
        await running.pass_by(3)
        assert running.server.keeper.counts == (1, 0)


async def test_a_resignation_and_a_flag_at_the_same_moment_end_the_game_once(tmp_path: Path) -> None:
    """S08"""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "time 1", "log")
        running.clock.pass_by(61)
        await asyncio.gather(
            white.say(white.command(table, GiveUp())), black.say(black.command(table, GiveUp()))
        )
        await running.settle()
        for client in (white, black):
            await client.wait_for(Done, Refused)
        await level(table, white, black)
        ends = [event for event in white.logs[table] if isinstance(event, (Ended, RecordKept))]
        assert [type(end) for end in ends] == [Ended, RecordKept]
        assert isinstance(ends[0], Ended)
        assert (ends[0].reason, ends[0].winner) == ("time", "b")


async def test_after_a_restart_every_table_stands_where_it_was(tmp_path: Path) -> None:
    """Nobody is charged for the outage; all count as away until they are back."""
    clock = FakeTime()
    async with running_server(tmp_path, clock=clock) as running:
        white, black, table = await game_begun(running, "time 10")
        await running.pass_by(20)
        state = await play_on(table, white, black, 2)
        waiting = await running.client("Wim")
        other = await waiting.open(title="not begun")
        assert state.clocks is not None
        left = {side: state.clocks.left(side, 0.0) for side in Side}
    assert (await white.wait_for(Farewell)).again
    clock.pass_by(60)
    async with running_server(tmp_path, clock=clock) as running:
        black, entered = await come_back(running, black, table)
        assert entered.side == "b"
        again = await black.reach(table, state.version + 2)
        assert again.away <= {Side.WHITE}
        assert format_position(again.position) == format_position(state.position)
        white, entered = await come_back(running, white, table)
        assert entered.now is not None
        assert (entered.now.white, entered.now.black) == (
            int(left[Side.WHITE] * 1000),
            int(left[Side.BLACK] * 1000),
        )
        await level(table, white, black)
        assert white.logs[table] == black.logs[table]
        done = await play_on(table, white, black)
        assert done.stage is Stage.OVER
        assert (await white.enter(other)).side is None


async def test_an_adjourned_game_is_taken_up_again_after_a_restart(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "absence 0")
        white.cut()
        await running.left(1)
        await running.pass_by(10)
        state = await black.reach(table, black.states[table].version + 2)
        done = await black.do(table, protocol.Adjourn())
        assert isinstance(done, Done), (done, state)
        assert any(isinstance(event, Adjourned) for event in black.logs[table])
    async with running_server(tmp_path) as running:
        white, _ = await come_back(running, white, table)
        black, _ = await come_back(running, black, table)
        for client in (white, black):
            await level(table, white, black)
            assert isinstance(await client.do(table, protocol.Start()), Done)
        assert (await play_on(table, white, black, 2)).actions == 2


async def test_a_client_that_knows_more_than_the_server_begins_anew(tmp_path: Path) -> None:
    """As after a loss of power at the server."""
    async with running_server(tmp_path) as running:
        white, _, table = await game_begun(running)
        watcher = await running.client("Wim")
        entered = await watcher.enter(table, since=10_000)
        assert entered.since == 0
        assert watcher.logs[table] == white.logs[table]


async def test_a_long_log_comes_in_pieces(tmp_path: Path) -> None:
    """News first, and at the end `Entered` with the rest; who plays meanwhile does not wait for that."""
    async with running_server(tmp_path) as running:
        white, black, table = await seated_pair(running)
        state = await level(table, white, black)
        store = SqliteStore(tmp_path / "tables.sqlite3")
        toggles = ("log on", "log off")
        many = [OptionSet(at=1, by="w", option=toggles[number % 2]) for number in range(450)]
        await store.append(Addition(table, state.version + 1, many))
        await store.close()
        # The next thing that is done at the table finds out that there is more.
        await white.do(table, protocol.Start())
        watcher = await running.client("Wim")
        entered = await watcher.enter(table)
        assert (entered.since, watcher.states[table].version) == (400, state.version + 450)
        fresh = await running.client("Eve")
        assert (await fresh.enter(table, since=10_000)).since == 400
        assert fresh.logs[table] == watcher.logs[table]


async def test_tables_that_nobody_uses_are_closed(tmp_path: Path) -> None:
    """One without a game soon, one whose game is over later, one with a game after a long time."""
    limits = Limits(idle_minutes=30, over_hours=24, idle_days=7, tables_client=10)
    async with running_server(tmp_path, limits=limits) as running:
        white, black, table = await game_begun(running)
        idle = await white.open()
        await white.open()
        kept = await white.open()
        await white.enter(kept)
        await running.pass_by(31 * 60)
        assert running.server.keeper.counts == (2, 1)
        await white.say(protocol.Leave(table=kept))
        await running.until(lambda: running.server.keeper.counts == (1, 1))
        await black.do(table, GiveUp())
        await level(table, white, black)
        for client in (white, black):
            await client.close()
        await running.left(2)
        await running.pass_by(23 * 3600)
        assert running.server.keeper.counts[0] == 1
        await running.pass_by(2 * 3600)
        assert running.server.keeper.counts == (0, 0)
        late = await running.client("Ada")
        await late.say(protocol.Enter(table=idle))
        assert (await late.wait_for(Refused)).code == "table"


async def test_a_table_whose_log_grows_without_end_is_closed(tmp_path: Path) -> None:
    """By a line that is cut again and again; `Limits.happenings` is the measure."""
    async with running_server(tmp_path, limits=Limits(happenings=5)) as running:
        white, black, table = await game_begun(running)
        await play_on(table, white, black, 4)
        for number in range(1, 9):
            white.cut()
            await running.left(number)
            if running.server.keeper.counts[0] == 0:
                break
            white, _ = await come_back(running, white, table)
        assert running.server.keeper.counts == (0, 0)
        while black.states[table].stage is not Stage.CLOSED:
            await black.hear()
        *_, end, _ = black.logs[table]
        assert isinstance(end, Ended)
        assert (end.reason, end.winner) == ("absence", "b")


async def test_a_game_that_nobody_goes_on_with_is_closed_after_a_long_time(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, _, table = await game_begun(running)
        await running.pass_by(6 * 86_400)
        assert running.server.keeper.counts == (1, 1)
        await running.pass_by(2 * 86_400)
        assert running.server.keeper.counts == (0, 0)
        state = await white.reach(table, white.states[table].version + 1)
        assert state.stage is Stage.CLOSED
