"""Engines at tables: they play by the rules of the table, and what goes wrong with one is mended."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.seats import LevelSeat
from dvonn_tui.tables.bots import ALONE, Bots, limits_of_turn, wants_bot
from dvonn_tui.tables.happenings import Acted
from dvonn_tui.tables.protocol import Act, Deed, GiveTime, GiveUp, GoOn, MakeOffer
from dvonn_tui.tables.ruling import Refusal
from dvonn_tui.tables.table import Stage

from ..play.tools import PATIENCE, Gate, children, exists, fake, until
from .tabling import BLACK, WHITE, Tabling


class House:
    """Some tables, and the engines that play at them."""

    def __init__(
        self,
        size: int = 1,
        launch: Callable[[LevelSeat, int], Launch] | None = None,
        idle: float = 2 * PATIENCE,
    ) -> None:
        self.tables: dict[str, Tabling] = {}
        self.troubles: list[str] = []
        self.refusals: list[Refusal] = []
        self.launches: list[Launch] = []
        more = {} if launch is None else {"launch": launch}
        self.bots = Bots(
            size,
            self.do,
            lambda: 1000.0,
            lambda what, problem: self.troubles.append(f"{what}: {problem}"),
            again=0.02,
            idle=idle,
            **more,
        )

    async def do(self, table: str, side: Side, deed: Deed, seen: int) -> None:
        """As the server does it: the log is written, then everybody is told."""
        await asyncio.sleep(0)
        if self.refusals:
            raise self.refusals.pop()
        self.tables[table].do(side, deed, seen)
        self.tell(table)

    def tell(self, table: str) -> None:
        """The table has changed."""
        self.bots.follow(table, self.tables[table].state, ())

    def open(self, table: str, *options: str, level: int = 1) -> Tabling:
        """A game against a bot that has Black."""
        tabling = self.tables[table] = Tabling(*options)
        tabling.begin_with_bot(level)
        self.tell(table)
        return tabling

    def by(self, table: str, side: Side, deed: Deed) -> None:
        """Somebody does something at a table."""
        self.tables[table].do(side, deed)
        self.tell(table)

    def act(self, table: str) -> None:
        """The person acts."""
        tabling = self.tables[table]
        assert not wants_bot(tabling.state)
        tabling.act()
        self.tell(table)

    async def answered(self, table: str) -> None:
        """Wait until it is not the bot's turn."""
        await until(lambda: not wants_bot(self.tables[table].state))


@pytest.fixture
async def house() -> AsyncIterator[House]:
    """One engine of our own for all tables."""
    house = House()
    yield house
    await house.bots.close()


@pytest.fixture(autouse=True)
async def nothing_left() -> AsyncIterator[None]:
    """After every test no process that it started is there."""
    before = children()
    yield
    await until(lambda: children() <= before)


def engines(before: set[int]) -> set[int]:
    """The engines that were started since."""
    return {each for each in children() - before if exists(each)}


async def test_games_to_their_end(house: House) -> None:
    """Placing and moving, at two tables with one engine, whatever happens first."""
    before = children()
    for name, options in (("AAAA", ("profi",)), ("BBBB", ("random", "time 10"))):
        house.open(name, *options, level=2)
    while any(tabling.state.in_game for tabling in house.tables.values()):
        for name, tabling in house.tables.items():
            if tabling.state.in_game and not wants_bot(tabling.state):
                house.act(name)
        assert len(engines(before)) <= 1
        await asyncio.sleep(0.002)
    for tabling in house.tables.values():
        assert tabling.state.position.outcome is not None
        assert tabling.state.position.outcome.reason == "no moves"
        assert any(isinstance(event, Acted) and event.by == "b" for event in tabling.log)
    assert not house.troubles
    assert house.bots.waiting == 0


async def test_nothing_is_started_for_people() -> None:
    """Nor for a bot before its turn."""
    before = children()
    house = House()
    tabling = Tabling()
    tabling.begin()
    house.bots.follow("AAAA", tabling.state, ())
    house.open("BBBB")
    await asyncio.sleep(0.02)
    assert not engines(before)
    await house.bots.close()


async def test_it_rests_when_nobody_plays() -> None:
    """And is there again when somebody does."""
    before = children()
    house = House(idle=0.05)
    house.open("AAAA")
    for _ in range(2):
        house.act("AAAA")
        await house.answered("AAAA")
        await until(lambda: not engines(before))
    assert not house.troubles
    await house.bots.close()


async def test_an_engine_that_is_killed_is_mended(house: House) -> None:
    """Between two moves and in the middle of one."""
    before = children()
    house.open("AAAA", level=6)
    for _ in range(2):
        house.act("AAAA")
        await until(lambda: engines(before))
        os.kill(min(engines(before)), signal.SIGKILL)
        await house.answered("AAAA")
    assert house.tables["AAAA"].state.actions == 4


async def test_an_engine_that_always_fails_harms_nobody() -> None:
    """It is tried again and again, more and more seldom, and the person can still leave."""
    house = House(launch=lambda seat, seed: fake("dying"))
    house.open("AAAA")
    house.act("AAAA")
    await until(lambda: len(house.troubles) >= 2)
    assert "asking an engine: Fake ended with status 3" in house.troubles[0]
    house.by("AAAA", WHITE, GiveUp())
    assert house.bots.waiting == 0
    await house.bots.close()


async def test_a_takeback_while_it_thinks(tmp_path: Path) -> None:
    """The answer to the old question does not count."""
    gate = Gate(tmp_path)
    house = House(launch=lambda seat, seed: gate.launch())
    tabling = house.open("AAAA")
    house.act("AAAA")
    await until(lambda: gate.asked == 1)
    house.by("AAAA", WHITE, MakeOffer(offer="takeback"))
    assert tabling.state.actions == 0
    tabling.act(5)
    house.tell("AAAA")
    await until(lambda: gate.asked == 2)
    assert tabling.state.actions == 1
    gate.open()
    await house.answered("AAAA")
    assert tabling.state.actions == 2
    assert not house.troubles
    await house.bots.close()


async def test_what_does_not_change_the_position_does_not_disturb(tmp_path: Path) -> None:
    """An offer, or time that is given: the question stands, and is asked once."""
    gate = Gate(tmp_path)
    house = House(launch=lambda seat, seed: gate.launch())
    tabling = house.open("AAAA", "time 10")
    house.act("AAAA")
    await until(lambda: gate.asked == 1)
    house.by("AAAA", WHITE, MakeOffer(offer="draw"))
    house.by("AAAA", WHITE, GiveTime(seconds=60))
    gate.open()
    await house.answered("AAAA")
    assert tabling.state.actions == 2
    assert gate.asked == 1
    await house.bots.close()


async def test_a_pause_stops_it_and_ends_again(tmp_path: Path) -> None:
    """Nothing is played meanwhile."""
    gate = Gate(tmp_path)
    house = House(launch=lambda seat, seed: gate.launch())
    tabling = house.open("AAAA")
    house.act("AAAA")
    await until(lambda: gate.asked == 1)
    house.by("AAAA", WHITE, MakeOffer(offer="pause"))
    assert tabling.state.stage is Stage.PAUSED
    assert house.bots.waiting == 0
    house.by("AAAA", WHITE, GoOn())
    await until(lambda: gate.asked == 2)
    assert tabling.state.actions == 1
    gate.open()
    await house.answered("AAAA")
    assert tabling.state.actions == 2
    await house.bots.close()


@pytest.mark.parametrize("size", [1, 2])
async def test_in_order_and_at_most_so_many(size: int) -> None:
    """Who asked first is asked about first; not more engines are there than allowed."""
    before = children()
    asked: list[int] = []

    def launch(seat: LevelSeat, seed: int) -> Launch:
        asked.append(seat.level)
        return fake("slow", 20)

    house = House(size=size, launch=launch)
    for level in range(1, 7):
        house.open(f"AAA{level}", level=level)
        house.act(f"AAA{level}")
    await until(lambda: house.bots.waiting == 0)
    assert len(engines(before)) == size
    assert asked == [1, 2, 3, 4, 5, 6]
    assert all(tabling.state.actions == 2 for tabling in house.tables.values())
    await house.bots.close()


async def test_a_store_in_trouble_is_asked_again(house: House) -> None:
    """The move is not lost; anything else that is refused has been overtaken."""
    tabling = house.open("AAAA")
    house.refusals = [Refusal("trouble", "the disk is full"), Refusal("trouble", "the disk is full")]
    house.act("AAAA")
    await house.answered("AAAA")
    assert tabling.state.actions == 2
    assert not house.troubles


async def test_an_answer_to_a_closed_house(tmp_path: Path) -> None:
    """Closing ends the engines also while they think, and later news start none."""
    before = children()
    gate = Gate(tmp_path)
    house = House(launch=lambda seat, seed: gate.launch())
    house.open("AAAA")
    house.act("AAAA")
    await until(lambda: gate.asked == 1)
    async with asyncio.timeout(ALONE / 2):
        await house.bots.close()
    assert not engines(before)
    house.tell("AAAA")
    assert house.bots.waiting == 0


async def test_it_gives_way_and_varies() -> None:
    """A lower priority than the server's, and another seed for another table."""
    launches: list[int] = []

    def launch(seat: LevelSeat, seed: int) -> Launch:
        launches.append(seed)
        return fake("slow", 20)

    before = children()
    house = House(launch=launch)
    for name in ("AAAA", "BBBB"):
        house.open(name)
        house.act(name)
        await house.answered(name)
    assert len(set(launches)) == 2
    (pid,) = engines(before)
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
    await house.bots.close()


@pytest.mark.parametrize(
    ("option", "waits", "words"),
    [
        ("time none", 0, " movetime 8000"),
        ("time 5+3", 60, " wtime 303000 btime 240000 winc 3000 binc 3000 movetime 8000"),
        ("time 5d3", 60, " wtime 300000 btime 243000 winc 0 binc 0 movetime 8000"),
        ("time 5d3", 1, " wtime 300000 btime 300000 winc 2000 binc 2000 movetime 8000"),
        ("time 10s", 2, " movetime 2400"),
        ("time 10s", 10, " movetime 1"),
    ],
)
def test_its_clock_is_heeded(option: str, waits: float, words: str) -> None:
    """The engine is told what is left, and uses a part of it."""
    table = Tabling(option)
    table.begin_with_bot()
    table.act()
    table.wait(waits)
    assert limits_of_turn(table.state, table.now, 8.0).words() == words


def test_whose_turn_it_is() -> None:
    """Only while a game is played, and only a bot's."""
    table = Tabling()
    assert not wants_bot(table.state)
    table.begin_with_bot()
    assert not wants_bot(table.state)
    table.do(WHITE, Act(action=table.token()))
    assert wants_bot(table.state)
    table.do(WHITE, GiveUp())
    assert not wants_bot(table.state)
    assert BLACK in table.state.seats
