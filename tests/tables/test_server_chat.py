"""Chat and watchers: who reads what, what is kept, who may stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from dvonn_tui.tables import protocol
from dvonn_tui.tables.happenings import TimeGiven
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import Chat, Done, Enter, Refused, SetOption, StandUp, Watching, Written

from .tools import RawClient, first_action, game_begun, level, running_server, seated_pair


async def written(client: RawClient) -> list[str]:
    """The lines that have come to a client, and that come while it waits a moment."""
    while not await client.silent():
        pass
    return [answer.line.text for answer in client.heard if isinstance(answer, Written)]


async def test_everybody_at_the_table_reads_what_is_written(tmp_path: Path) -> None:
    """With who wrote it and on which side he sits; nobody elsewhere does."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        watcher = await running.client("Wim")
        await watcher.enter(table)
        elsewhere = await running.client("Eve")
        for client, text in ((white, "hello"), (black, "[b]hi[/b]"), (watcher, "go  on")):
            await client.say(Chat(table=table, text=text))
            await client.wait_for(Written)
        for client in (white, black, watcher):
            assert await written(client) == ["hello", "[b]hi[/b]", "go on"]
        lines = [answer.line for answer in watcher.heard if isinstance(answer, Written)]
        assert [(line.name, line.side) for line in lines] == [("Ada", "w"), ("Bob", "b"), ("Wim", None)]
        assert await written(elsewhere) == []


async def test_players_and_watchers_can_be_kept_apart(tmp_path: Path) -> None:
    """Also on entering, and by what is kept."""
    async with running_server(tmp_path) as running:
        white, black, table = await seated_pair(running, "chat apart")
        watcher = await running.client("Wim")
        await watcher.enter(table)
        await watcher.say(Chat(table=table, text="he is winning"))
        await watcher.wait_for(Written)
        await white.say(Chat(table=table, text="a secret plan"))
        assert await written(black) == ["a secret plan"]
        assert await written(watcher) == ["he is winning"]
        second = await running.client("Eve")
        assert [line.text for line in (await second.enter(table)).chat] == ["he is winning"]
        again = await running.client("Bob")
        entered = await again.enter(table, black.tokens[table])
        assert [line.text for line in entered.chat] == ["a secret plan"]


async def test_the_last_lines_are_told_on_entering_and_outlive_the_server(tmp_path: Path) -> None:
    limits = Limits(chat_minute=1_000, chat_kept=60, rate=1_000, burst=1_000)
    async with running_server(tmp_path, limits=limits) as running:
        white, _, table = await seated_pair(running)
        for number in range(70):
            await white.say(Chat(table=table, text=f"line {number}"))
            await white.wait_for(Written)
    async with running_server(tmp_path, limits=limits) as running:
        late = await running.client("Eve")
        entered = await late.enter(table)
        assert [line.text for line in entered.chat] == [f"line {number}" for number in range(20, 70)]
        assert len(await running.server.keeper.store.chat(table, 1_000)) == 60


async def test_long_chat_fits_into_the_message(tmp_path: Path) -> None:
    """Fifty lines of wide characters: only the last of them are told, and the client can take it."""
    limits = Limits(chat_minute=1_000, rate=1_000, burst=1_000)
    async with running_server(tmp_path, limits=limits) as running:
        white, _, table = await seated_pair(running)
        for _ in range(50):
            await white.say(Chat(table=table, text="\u8a9e" * 150))
            await white.wait_for(Written)
        late = await running.client("Eve")
        entered = await late.enter(table)
        assert 10 < len(entered.chat) < 50
        assert len(protocol.encode(entered)) < protocol.LARGEST_MESSAGE


async def test_an_empty_line_is_passed_over(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await seated_pair(running)
        await white.say(Chat(table=table, text=" \n\t "), Chat(table=table, text="x"))
        assert await written(black) == ["x"]


async def test_who_watches_is_told_once_for_all_that_come_together(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, _, table = await game_begun(running)
        await running.pass_by(1)
        while not await white.silent():
            pass
        watchers = [await running.client(f"W{number}") for number in range(5)]
        for watcher in watchers:
            await watcher.enter(table)
        await running.pass_by(1)
        while not await white.silent():
            pass
        told = [answer.watchers for answer in white.heard if isinstance(answer, Watching)]
        assert told[-1] == ("W0", "W1", "W2", "W3", "W4")
        await watchers[0].say(protocol.Leave(table=table))
        watchers[1].cut()
        await running.left(1)
        await running.pass_by(1)
        assert (await white.wait_for(Watching)).watchers == ("W2", "W3", "W4")


async def test_where_nobody_may_watch(tmp_path: Path) -> None:
    """Whoever watches is asked to leave, nobody comes in; a free seat can be taken all the same."""
    async with running_server(tmp_path) as running:
        white, black, table = await seated_pair(running)
        watcher = await running.client("Wim")
        await watcher.enter(table)
        assert isinstance(await white.do(table, SetOption(option="watchers off")), Done)
        refused = await watcher.wait_for(Refused)
        assert (refused.id, refused.table, refused.code) == (None, table, "seat")
        await watcher.say(Chat(table=table, text="still here"))
        assert (await watcher.wait_for(Refused)).code == "table"
        await watcher.say(Enter(table=table))
        assert (await watcher.wait_for(Refused)).code == "seat"
        await level(table, white, black)
        await black.do(table, StandUp())
        await watcher.enter(table)
        assert isinstance(await watcher.sit(table), protocol.Seated)
        refused = await black.wait_for(Refused)
        assert refused.reason == "nobody may watch at this table"
        again = await running.client("Ada")
        assert (await again.enter(table, white.tokens[table])).side == "w"


@pytest.mark.parametrize("behind", [201, -1_000_000])
async def test_a_long_game_is_as_private_as_a_short_one(tmp_path: Path, behind: int) -> None:
    """Nothing of its log and its chat is told before it is asked who may come in."""
    async with running_server(tmp_path, limits=Limits(rate=1_000, burst=1_000)) as running:
        white, _, table = await game_begun(running, "watchers off")
        await white.say(Chat(table=table, text="between us"))
        keeper = running.server.keeper
        hosted = await keeper.find(table)
        given = TimeGiven(at=running.clock.wall(), by="w", given=1)
        async with hosted.lock:
            await keeper.change(hosted, lambda state, _: (given,) * 250)
        stranger = await running.client("Eve")
        await stranger.say(Enter(table=table, since=hosted.state.version - behind))
        assert isinstance(await stranger.hear(), Refused)


async def test_bots_sit_down_unless_the_server_has_none(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=Limits(bots=0)) as running:
        white, _, table = await seated_pair(running)
        refused = await white.do(table, protocol.SeatBot(level=1))
        assert isinstance(refused, Refused)
        assert refused.code == "limit"


async def test_a_bot_plays_at_a_table(tmp_path: Path) -> None:
    """It answers, also after the server was started anew."""
    async with running_server(tmp_path) as running:
        white = await running.client("Ada")
        white.patience = 60.0  # An engine has the lowest priority of all.
        table = await white.open()
        await white.enter(table)
        await white.sit(table, "b")
        assert isinstance(await white.do(table, protocol.SeatBot(level=1)), Done)
        await white.do(table, protocol.Start())
        state = white.states[table]
        while state.actions < 1:
            await white.hear()
            state = white.states[table]
        assert state.last_by is not None
    async with running_server(tmp_path) as running:
        again = await running.client("Ada")
        again.patience = 60.0
        again.states[table] = state
        assert (await again.enter(table, white.tokens[table])).side == "b"
        state = again.states[table]
        done = await again.do(table, protocol.Act(action=first_action(state)))
        assert isinstance(done, Done), done
        while again.states[table].actions < 3:
            await again.hear()
