"""Two clients and the real server, in one process, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from sqlite3 import connect

import pytest

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import AgreeDraw
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.core.rules import legal_moves, legal_placements
from dvonn_tui.records import forms
from dvonn_tui.tables import keeper
from dvonn_tui.tables.address import Address
from dvonn_tui.tables.asked import carry_out
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.link import LineKind, LinkTrouble, TableLink
from dvonn_tui.tables.protocol import Start
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables.remote_session import RemoteSession
from dvonn_tui.tables.slash import SlashCommand, read
from dvonn_tui.tables.table import Stage
from tests.tables.scripted import PATIENCE, QUICK, Diary, until
from tests.tables.test_client_folding import direct_games
from tests.tables.tools import FakeTime, Running, running_server

EAGER = Limits(rate=1_000, burst=1_000)
"""Of a server whose clients do not wait until they may speak again."""


@dataclass
class Player:
    """Somebody at the table of a test."""

    link: TableLink
    table: RemoteTable
    diary: Diary

    @property
    def session(self) -> RemoteSession:
        assert self.table.session is not None
        return self.table.session

    def write(self, line: str) -> tuple[str, ...]:
        """Write a slash command into the chat line."""
        command = read(line)
        assert isinstance(command, SlashCommand)
        return carry_out(command, self.table)

    def cut(self) -> None:
        """Pull the plug."""
        assert self.link._wire is not None
        self.link._wire.hang_up()


async def link_to(running: Running, folder: Path, name: str, keeping: Keeping | None = None) -> TableLink:
    address = Address("127.0.0.1", running.port)
    kept = keeping or Keeping(folder / name)
    link = TableLink(address, name, kept, now=running.clock.now, patience=QUICK)
    link.start()
    return link


async def come(
    running: Running, folder: Path, name: str, table: str, keeping: Keeping | None = None
) -> Player:
    link = await link_to(running, folder, name, keeping)
    entered = await link.enter(table)
    return Player(link, entered, Diary(entered))


@asynccontextmanager
async def pair(running: Running, folder: Path, *options: str) -> AsyncIterator[tuple[Player, Player]]:
    """Ada, with White, and Bob at a table on which nothing has begun."""
    opener = await link_to(running, folder, "Ada")
    table = await opener.open_table("Club evening", options)
    ada_table = await opener.enter(table)
    ada = Player(opener, ada_table, Diary(ada_table))
    bob = await come(running, folder, "Bob", table)
    try:
        ada.write("/join white")
        await holds(lambda: ada.table.side is Side.WHITE)
        bob.write("/join")
        await holds(lambda: bob.table.side is Side.BLACK)
        yield ada, bob
    finally:
        await ada.link.close()
        await bob.link.close()


async def holds(condition: object) -> None:
    """Wait until something is so."""
    assert callable(condition)
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.002)


async def start(*players: Player) -> None:
    await at_rest(*players)
    for player in players:
        player.table.do(Start())
    await holds(lambda: all(player.table.state.stage is Stage.PLAYING for player in players))
    await at_rest(*players)


async def at_rest(*players: Player) -> None:
    """Everybody knows the same, and nothing is on its way."""
    await holds(
        lambda: (
            all(player.table.sending is None for player in players)
            and len({player.table.state.version for player in players}) == 1
        )
    )


async def act(*players: Player, number: int = 0) -> None:
    """Whoever is to act acts; then all know it."""
    position = players[0].session.game.position
    choices = legal_placements(position) or legal_moves(position)
    mover = next(player for player in players if player.table.side is position.side)
    mover.session.submit(choices[number % len(choices)])
    await holds(lambda: all(player.session.game.position != position for player in players))
    await at_rest(*players)


def same_games(*players: Player) -> bool:
    return len({player.session.game.log for player in players}) == 1


async def test_a_whole_game_with_placement_and_a_rematch(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=EAGER) as running, pair(running, tmp_path) as (ada, bob):
        ada.write("/option profi")
        await holds(lambda: "manual" in bob.table.state.options.texts()[0])
        ada.write("/option log")
        await at_rest(ada, bob)
        eve = await come(running, tmp_path, "Eve", ada.table.id)
        await start(ada, bob)
        await holds(lambda: eve.table.session is not None)
        number = 0
        while not ada.session.game.position.over:
            number += 1
            await act(ada, bob, eve, number=number * 7)
        assert number > 60
        assert same_games(ada, bob, eve)
        assert ada.session.game.position == ada.table.state.position
        await holds(lambda: ada.table.state.record)
        record = await eve.link.record(ada.table.state.record)
        (kept,) = forms.read(record)
        assert kept.game.position == ada.session.game.position
        first = ada.session
        ada.write("/rematch")
        await holds(lambda: bob.table.state.offers)
        bob.write("/accept")
        await holds(lambda: eve.table.state.game == 2)
        await at_rest(ada, bob, eve)
        assert ada.session is not first
        assert (ada.table.side, bob.table.side) == (Side.BLACK, Side.WHITE)
        assert ada.session.name_of(Side.BLACK) == "Ada"
        await act(ada, bob, eve)
        assert same_games(ada, bob, eve)
        await running.pass_by(0.2)
        await holds(lambda: eve.table.watchers)
        assert eve.write("/who") == ("White: Bob", "Black: Ada", "watching: Eve")
        await eve.link.close()


async def test_takeback_draw_and_refusals(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running, pair(running, tmp_path) as (ada, bob):
        await start(ada, bob)
        assert not ada.session.undo()
        begun = ada.session.game.position
        await act(ada, bob)
        await act(ada, bob)
        assert ada.session.undo()
        await holds(lambda: bob.table.state.offers)
        assert bob.table.say("no problem")
        bob.write("/accept takeback")
        await holds(lambda: ada.session.game.position == bob.session.game.position == begun)
        await at_rest(ada, bob)
        assert same_games(ada, bob)
        await holds(lambda: [line.text for line in ada.table.chat] == ["no problem"])
        ada.session.submit(AgreeDraw())
        await holds(lambda: bob.table.state.offers)
        bob.session.submit(AgreeDraw())
        await holds(lambda: ada.table.state.stage is Stage.OVER)
        await at_rest(ada, bob)
        assert same_games(ada, bob)
        bob.write("/resign")
        assert await bob.diary.until("refused") == "the game is over"


async def test_the_flag_falls_once_for_everybody(tmp_path: Path) -> None:
    """S06, S08: the clocks of the clients are those of the server, before and after the end."""
    async with running_server(tmp_path) as running, pair(running, tmp_path, "time 1+2") as (ada, bob):
        clock: FakeTime = running.clock
        await start(ada, bob)
        await running.pass_by(10)
        await act(ada, bob)
        for player in (ada, bob):
            clocks = player.session.clocks
            assert clocks is not None
            assert [clocks.left(side, player.session.now()) for side in Side] == [52, 60]
        clock.pass_by(59.5)
        assert bob.session.clocks is not None
        assert bob.session.clocks.left(Side.BLACK, bob.session.now()) == pytest.approx(0.5)
        await running.pass_by(0.6)
        await holds(lambda: ada.session.game.position.over and bob.session.game.position.over)
        outcome = ada.session.game.position.outcome
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (Side.WHITE, Reason.TIME)
        assert same_games(ada, bob)
        shown = [bob.session.clocks.left(side, bob.session.now()) for side in Side]
        clock.pass_by(100)
        assert [bob.session.clocks.left(side, bob.session.now()) for side in Side] == shown == [52, 0]
        assert len(ada.session.game.log) == len({entry.number for entry in ada.session.game.log})


async def test_cut_and_back_with_a_move_in_between(tmp_path: Path) -> None:
    """S03: the other side moves, the own move typed meanwhile is refused in words, the next one goes."""
    async with running_server(tmp_path) as running, pair(running, tmp_path, "time 5") as (ada, bob):
        await start(ada, bob)
        bob.cut()
        await until(bob.link, LineKind.LOST)
        await holds(lambda: Side.BLACK in ada.table.state.away)
        await act(ada)
        assert ada.session.game.position.side is Side.BLACK
        with pytest.raises(IllegalAction, match="White's turn"):
            bob.session.submit(legal_moves(bob.session.game.position)[0])
        await holds(lambda: bob.session.game.position == ada.session.game.position)
        await holds(lambda: not ada.table.state.away)
        await act(ada, bob)
        # A move that is under way when the plug is pulled.
        ada.session.submit(legal_moves(ada.session.game.position)[0])
        ada.cut()
        await holds(lambda: bob.session.game.position.side is Side.BLACK)
        await holds(lambda: ada.session.game.position.side is Side.BLACK and ada.table.sending is None)
        await at_rest(ada, bob)
        assert same_games(ada, bob)
        assert ada.diary.of("refused") == bob.diary.of("refused") == []


async def test_a_crash_of_the_client(tmp_path: Path) -> None:
    """Another start of the program has the seat again, from the token that was kept."""
    async with running_server(tmp_path) as running, pair(running, tmp_path) as (ada, bob):
        await start(ada, bob)
        await act(ada, bob)
        await bob.link.close()
        (kept,) = Keeping(tmp_path / "Bob").seats()
        assert (kept.table, kept.side) == (bob.table.id, Side.BLACK)
        assert (kept.title, kept.white, kept.black) == ("Club evening", "Ada", "Bob")
        again = await come(running, tmp_path, "Bob", kept.table)
        assert again.table.side is Side.BLACK
        await holds(lambda: not ada.table.state.away)
        await act(ada, again)
        assert same_games(ada, again)
        await again.link.close()


async def test_a_second_line_takes_the_seat_over(tmp_path: Path) -> None:
    """The same installation twice: the newest one plays, and the older one is told so and stays away."""
    async with running_server(tmp_path) as running, pair(running, tmp_path) as (ada, bob):
        await start(ada, bob)
        again = await come(running, tmp_path, "Bob", bob.table.id, bob.link.keeping)
        await until(bob.link, LineKind.REFUSED)
        assert "from another place" in bob.link.line.reason
        assert again.table.side is Side.BLACK
        await act(ada, again)
        await again.link.close()


async def test_two_programs_of_one_user_are_two_players(tmp_path: Path) -> None:
    """In two terminals of one machine, with one data folder; and again after both were killed."""
    async with running_server(tmp_path) as running:
        first = await link_to(running, tmp_path, "Ada", Keeping(tmp_path / "one"))
        table = await first.open_table("At home")
        ada = await first.enter(table)
        ada.sit(Side.WHITE)
        await holds(lambda: ada.side is Side.WHITE)
        second = await link_to(running, tmp_path, "Ada", Keeping(tmp_path / "one"))
        bob = await second.enter(table)
        assert bob.side is None
        bob.sit()
        await holds(lambda: bob.side is Side.BLACK)
        await holds(lambda: len(ada.state.seats) == 2)
        assert [seat.name for seat in ada.state.seats.values()] == ["Ada", "Ada (2)"]
        assert first.line.kind is LineKind.CONNECTED
        await first.close()
        await second.close()
        sides = []
        links = [await link_to(running, tmp_path, "Ada", Keeping(tmp_path / "one")) for _ in range(2)]
        for link in links:
            await until(link, LineKind.CONNECTED)
        for link in links:
            sides.append((await link.enter(table)).side)
        assert sides == [Side.WHITE, Side.BLACK]
        for link in links:
            await link.close()


async def test_a_restart_of_the_server(tmp_path: Path) -> None:
    """S03: both are there again by themselves, and the game goes on where it was."""
    async with AsyncExitStack() as players:
        async with running_server(tmp_path) as running:
            ada, bob = await players.enter_async_context(pair(running, tmp_path, "time 5"))
            await start(ada, bob)
            await act(ada, bob)
            before = ada.session.game.position
        await until(ada.link, LineKind.LOST)
        clock = FakeTime(running.clock.seconds + 60, running.clock.since_1970)
        async with running_server(tmp_path, clock=clock, port=running.port):
            await until(ada.link, LineKind.CONNECTED)
            await holds(lambda: bob.table.state.version == ada.table.state.version > 0)
            await holds(lambda: not ada.table.state.away and not bob.table.state.away)
            await at_rest(ada, bob)
            assert ada.session.game.position == bob.session.game.position == before
            for player in (ada, bob):
                clocks = player.session.clocks
                assert clocks is not None
                assert clocks.left(Side.BLACK, player.session.now()) == 300  # the outage costs nobody time
            await act(ada, bob)
            assert same_games(ada, bob)


async def test_rooms_without_watchers_and_tables_that_are_gone(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running, pair(running, tmp_path, "watchers off") as (ada, bob):
        eve = await link_to(running, tmp_path, "Eve")
        with pytest.raises(LinkTrouble, match="nobody may watch at this table"):
            await eve.enter(ada.table.id)
        with pytest.raises(LinkTrouble, match="there is no such table here"):
            await eve.enter("ABCDEF")
        with pytest.raises(LinkTrouble, match="there is no record"):
            await eve.record("ABCDEF")
        (line,) = (await eve.tables()).tables
        assert (line.title, line.white, line.black) == ("Club evening", "Ada", "Bob")
        await eve.close()
        assert bob.table.invite == f"dvonn-tui join 127.0.0.1:{running.port} --table {ada.table.id}"


@pytest.mark.parametrize("at_once", [200, 3])
@pytest.mark.parametrize("lost", [1, 2, 6])
async def test_what_the_server_lost_with_the_power_did_not_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int, lost: int
) -> None:
    """Also when other things have happened in its place, and however long the log is. Seats are kept."""
    monkeypatch.setattr(keeper, "TOLD_AT_ONCE", at_once)
    clock, copy = FakeTime(), tmp_path / "copy"
    async with AsyncExitStack() as stack:
        async with running_server(tmp_path, clock=clock) as running:
            ada, bob = await stack.enter_async_context(pair(running, tmp_path))
            await start(ada, bob)
            before = ada.session.game.position
            with closing(connect(tmp_path / "tables.sqlite3")) as kept, closing(connect(copy)) as copied:
                kept.backup(copied)
            for _ in range(lost):
                clock.seconds += 1
                await act(ada, bob)
        for file in tmp_path.glob("tables.sqlite3*"):
            file.unlink()
        copy.rename(tmp_path / "tables.sqlite3")
        clock.seconds += 1
        async with running_server(tmp_path, clock=clock, port=running.port) as running:
            hosted = await running.server.keeper.find(ada.table.id)
            for player in (ada, bob):
                await holds(lambda player=player: player.table.there)
            await holds(lambda: not hosted.state.away)
            await holds(lambda: ada.table.state.version == bob.table.state.version == hosted.state.version)
            assert ada.session.game.position == bob.session.game.position == before
            ada.cut()
            await holds(lambda: not ada.table.there)
            await holds(lambda: ada.table.there)
            assert ada.table.side is Side.WHITE
            await act(ada, bob)
            await stack.aclose()


async def test_a_long_log_is_there_whole_when_the_table_is_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In several messages; what comes first is not taken for all of it."""
    monkeypatch.setattr(keeper, "TOLD_AT_ONCE", 10)
    async with running_server(tmp_path) as running, pair(running, tmp_path, "time 5") as (ada, bob):
        await start(ada, bob)
        while ada.table.state.version < 45:
            running.clock.pass_by(1.0)  # so that they never send more than they may
            await act(ada, bob)
            bob_moved = ada.session.game.position.side is Side.WHITE
            mover = bob if bob_moved else ada
            assert mover.session.undo()
            other = ada if bob_moved else bob
            await holds(lambda other=other: other.table.state.offers)
            other.write("/accept")
            await holds(lambda: not ada.table.state.offers)
            await at_rest(ada, bob)
        eve = await come(running, tmp_path, "Eve", ada.table.id)
        assert eve.table.state.version == ada.table.state.version
        assert eve.session.game.log == ada.session.game.log
        assert eve.session.clocks is not None
        assert ada.session.clocks is not None
        now = running.clock.now()
        assert eve.session.clocks.left(Side.WHITE, now) == ada.session.clocks.left(Side.WHITE, now)
        await eve.link.close()


@pytest.mark.parametrize(("minutes", "left"), [(0.5, 600), (4, 600), (8, 420)])
async def test_a_long_absence(tmp_path: Path, minutes: float, left: float) -> None:
    """S03: 30 seconds, 4 minutes, 8 minutes; the clock runs only when the allowance of 5 is spent."""
    async with running_server(tmp_path) as running, pair(running, tmp_path, "time 10") as (ada, bob):
        await start(ada, bob)
        await act(ada, bob)
        there, bob.link.address = bob.link.address, Address("127.0.0.1", 1)
        bob.cut()
        await holds(lambda: Side.BLACK in ada.table.state.away)
        # Once right behind the allowance, so that what is due then happens at its time.
        await running.pass_by(min(minutes * 60, 300.01))
        await running.pass_by(max(minutes * 60 - 300.01, 0))
        bob.link.address = there
        await holds(lambda: not ada.table.state.away)
        await at_rest(ada, bob)
        for player in (ada, bob):
            now, state = running.clock.now(), player.table.state
            assert player.session.clocks is not None
            assert player.session.clocks.left(Side.BLACK, now) == pytest.approx(left, abs=0.02)
            assert state.absence_of(Side.BLACK, now) == pytest.approx(minutes * 60, abs=0.01)
            assert bool(state.absence_spent) == (minutes > 5)
        await act(ada, bob)
        assert same_games(ada, bob)


async def test_lines_that_are_cut_all_the_time(tmp_path: Path) -> None:
    """A whole game in which a plug is pulled at every third ply, before, during and after a move."""
    random = Random(3)
    async with running_server(tmp_path) as running, pair(running, tmp_path) as (ada, bob):
        await start(ada, bob)
        cuts = 0
        while not ada.table.state.position.over:
            position, version = ada.table.state.position, ada.table.state.actions
            mover = ada if position.side is ada.table.side else bob
            await holds(lambda mover=mover, position=position: mover.session.game.position == position)
            await holds(lambda mover=mover: mover.table.sending is None)
            mover.session.submit(random.choice(legal_moves(position)))
            if random.random() < 0.4:
                await asyncio.sleep(random.choice((0, 0.001, 0.003)))
                for player in random.sample((ada, bob), random.randint(1, 2)):
                    if player.link.line.kind is LineKind.CONNECTED:
                        player.cut()
                        cuts += 1
            await holds(lambda version=version: ada.table.state.actions > version)
        await at_rest(ada, bob)
        assert cuts > 5
        assert same_games(ada, bob)
        log = await running.server.keeper.store.log(ada.table.id)
        assert ada.session.game.position == direct_games(list(log))[-1].position
        assert ada.session.game.log == direct_games(list(log))[-1].log
        assert ada.diary.of("refused") == bob.diary.of("refused") == []
