"""Who has a seat: at most one client, and nobody else plays from it (S10, S12)."""

from __future__ import annotations

import asyncio
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from dvonn_tui.tables import protocol
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import (
    Act,
    Claim,
    Decline,
    Done,
    Farewell,
    GiveTime,
    GiveUp,
    MakeOffer,
    Refused,
    Seated,
    SetOption,
    StandUp,
    Start,
    Watching,
)
from dvonn_tui.tables.seat_tokens import FILE, Secrets, SecretTrouble
from dvonn_tui.tables.sqlite_store import SqliteStore

from .tools import first_action, game_begun, level, play_on, running_server, seated_pair


async def test_fifty_clients_want_one_seat(tmp_path: Path) -> None:
    """S10: one has it, the others are told so and may watch."""
    async with running_server(tmp_path, limits=Limits(connections_address=100, watchers=100)) as running:
        owner = await running.client("Owner")
        table = await owner.open()
        await owner.enter(table)
        await owner.sit(table, "w")
        clients = [await running.client(f"Guest {number}") for number in range(50)]
        await asyncio.gather(*(client.enter(table) for client in clients))
        answers = await asyncio.gather(*(client.sit(table) for client in clients))
        assert sum(isinstance(answer, Seated) for answer in answers) == 1
        refused = [answer for answer in answers if isinstance(answer, Refused)]
        assert {answer.code for answer in refused} == {"seat"}
        seats = (await level(table, owner, *clients)).seats
        assert len(seats) == 2


async def test_one_client_has_one_seat(tmp_path: Path) -> None:
    """Also over a second line: it has the same seat again there, and the first line has to go."""
    async with running_server(tmp_path) as running:
        first = await running.client("Ada")
        table = await first.open()
        await first.enter(table)
        seated = await first.sit(table, "w")
        assert isinstance(seated, Seated)
        assert isinstance(await first.sit(table, "b"), Refused)
        again = await first.sit(table)
        assert isinstance(again, Seated)
        assert (again.side, again.token) == ("w", seated.token)
        second = await running.client("Ada", first.secret)
        await second.enter(table)
        assert isinstance(await second.sit(table, "b"), Refused)
        same = await second.sit(table, "w")
        assert isinstance(same, Seated)
        assert same.token == seated.token
        farewell = await first.wait_for(Farewell)
        assert not farewell.again
        assert len((await level(table, second)).seats) == 1


async def test_who_asks_for_the_other_side_keeps_his_own(tmp_path: Path) -> None:
    """Before a game and in one: he goes on playing, and is not taken to be away."""
    async with running_server(tmp_path) as running:
        white, black, table = await seated_pair(running)
        assert isinstance(await white.sit(table, "b"), Refused)
        for client in (white, black):
            assert isinstance(await client.do(table, Start()), Done)
        assert isinstance(await white.sit(table, "b"), Refused)
        assert isinstance(await black.sit(table, "w"), Refused)
        await running.server.keeper.look(await running.server.keeper.find(table))
        state = await play_on(table, white, black, 2)
        assert (state.actions, state.away) == (2, frozenset())


async def test_names_that_look_alike_are_told_apart(tmp_path: Path) -> None:
    """S10: capitals, letters of another alphabet. Chat and seats show who is meant."""
    async with running_server(tmp_path) as running:
        names = ["Ada", "ada", "\u0410da", "ADA "]
        clients = [await running.client(name) for name in names]
        table = await clients[0].open()
        for client in clients:
            await client.enter(table)
        await clients[0].sit(table)
        await clients[1].sit(table)
        state = await level(table, *clients)
        seen = [seat.name for seat in state.seats.values()]
        await running.pass_by(1)
        watching = await clients[0].wait_for(Watching)
        while len(watching.watchers) != 2:
            watching = await clients[0].wait_for(Watching)
        assert len({name.casefold() for name in (*seen, *watching.watchers)}) == 4


async def test_the_newest_line_with_the_token_plays(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        laptop = await running.client("Ada at home")
        entered = await laptop.enter(table, white.tokens[table])
        assert entered.side == "w"
        farewell = await white.wait_for(Farewell)
        assert (farewell.again, "another place" in farewell.reason) == (False, True)
        await white.closed()
        state = await play_on(table, laptop, black, 2)
        assert (state.actions, state.away) == (2, frozenset())


@pytest.mark.parametrize("token", ["", "x", "0" * 64, "é\x00" * 10])
async def test_another_ones_seat_cannot_be_taken(tmp_path: Path, token: str) -> None:
    """By a guess, by the token of the other side, by that of another table, by one that is over."""
    async with running_server(tmp_path) as running:
        white, black, table = await seated_pair(running)
        stranger = await running.client("Eve")
        other = await stranger.open()
        await stranger.enter(other)
        await stranger.sit(other, "w")
        assert (await stranger.enter(table, token)).side is None
        assert (await stranger.enter(table, stranger.tokens[other])).side is None
        old = white.tokens[table]
        assert isinstance(await white.do(table, StandUp()), Done)
        assert isinstance(await white.sit(table, "w"), Seated)
        assert white.tokens[table] != old
        assert (await stranger.enter(table, old)).side is None
        refused = await stranger.do(table, Start())
        assert isinstance(refused, Refused)
        assert refused.code == "seat"
        assert await black.do(table, Start())


async def test_no_token_and_no_secret_is_told_to_others_or_logged(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        watcher = await running.client("Wim")
        await watcher.enter(table)
        await play_on(table, white, black, 3)
        await level(table, watcher, black)
        told = "".join(map(repr, watcher.heard + black.heard)) + running.log
        for secret in (white.tokens[table], white.secret):
            assert secret not in told
        assert white.states[table].seats


@pytest.mark.parametrize(
    "deed",
    [
        Act(action="a1b2"),
        GiveUp(),
        MakeOffer(offer="takeback"),
        MakeOffer(offer="draw"),
        Decline(offer="takeback"),
        GiveTime(seconds=60),
        SetOption(option="time none"),
        Claim(),
        StandUp(),
        Start(),
    ],
    ids=lambda deed: type(deed).__name__,
)
async def test_nothing_that_a_watcher_does_changes_anything(tmp_path: Path, deed: protocol.Deed) -> None:
    """S12: while a takeback is offered that he could accept, and whatever he says of himself."""
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running, "time 10")
        await play_on(table, white, black, 1)
        await white.do(table, MakeOffer(offer="takeback"))
        watcher = await running.client("Ada")
        await watcher.enter(table)
        state = await level(table, white, black, watcher)
        wanted = Act(action=first_action(state)) if isinstance(deed, Act) else deed
        refused = await watcher.do(table, wanted)
        assert isinstance(refused, Refused)
        assert refused.code == "seat"
        assert await white.silent()
        assert (await level(table, white, black, watcher)).version == state.version


async def test_a_stranger_to_the_table_can_do_nothing_there(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        stranger = await running.client("Eve")
        state = white.states[table]
        for request in (
            stranger.command(table, Act(action=first_action(state)), seen=state.version),
            protocol.Sit(table=table, id="s"),
            protocol.Chat(table=table, text="hello"),
        ):
            await stranger.say(request)
            assert (await stranger.wait_for(Refused)).code == "table"
        assert await black.silent()


async def test_leaving_frees_the_seat_only_outside_a_game(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await seated_pair(running)
        await black.say(protocol.Leave(table=table))
        state = await white.reach(table, white.states[table].version + 1)
        assert len(state.seats) == 1
        await black.enter(table)
        assert isinstance(await black.sit(table, "b"), Seated)
        await level(table, white, black)
        for client in (white, black):
            await client.do(table, Start())
        await level(table, white, black)
        await black.say(protocol.Leave(table=table))
        state = await white.reach(table, white.states[table].version + 1)
        assert (len(state.seats), len(state.away)) == (2, 1)


def test_the_secret_of_a_server(tmp_path: Path) -> None:
    """It is made once, read again, for its owner alone; damaged it is told."""
    secrets = Secrets.of(tmp_path)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    (tmp_path / FILE).chmod(0o644)
    same = Secrets.of(tmp_path)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert same.mark("a client's secret") == secrets.mark("a client's secret")
    token = secrets.seat_token("TABLE2", 5, "holder")
    assert same.is_seat_token(token, "TABLE2", 5, "holder")
    for other in (("TABLE3", 5, "holder"), ("TABLE2", 6, "holder"), ("TABLE2", 5, "other")):
        assert not same.is_seat_token(token, *other)
    assert secrets.mark("") != secrets.mark("")
    assert secrets.mark("short") != secrets.mark("short")
    (tmp_path / FILE).write_text("nonsense")
    with pytest.raises(SecretTrouble, match="no secret of a server"):
        Secrets.of(tmp_path)
    with pytest.raises(SecretTrouble):
        Secrets.of(tmp_path / "missing")


def test_what_a_link_leads_to_keeps_its_mode(tmp_path: Path) -> None:
    """Whether it can be used or not; and what is no secret as well."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("nonsense")
    (tmp_path / FILE).symlink_to(elsewhere)
    for content in ("nonsense", "ab" * 32):
        elsewhere.write_text(content)
        elsewhere.chmod(0o644)
        with suppress(SecretTrouble):
            Secrets.of(tmp_path)
        assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644
    (tmp_path / "other" / FILE).mkdir(parents=True, mode=0o755)
    before = (tmp_path / "other" / FILE).stat().st_mode
    with pytest.raises(SecretTrouble):
        Secrets.of(tmp_path / "other")
    assert (tmp_path / "other" / FILE).stat().st_mode == before


async def test_a_store_that_is_a_link_keeps_its_mode(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.touch()
    elsewhere.chmod(0o640)
    (tmp_path / "store").symlink_to(elsewhere)
    await SqliteStore(tmp_path / "store").close()
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o640
