"""Engines that play with a clock lose on it like everybody else, and nobody loses while they cannot play."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.play.opponent import UNHURRIED, Opponents
from dvonn_tui.play.seats import HUMAN, LevelSeat
from dvonn_tui.play.timekeeping import Halt

from .clock_tools import Time, both, move, timed
from .tools import fake, until

Make = Callable[..., Opponents]


@pytest.fixture
async def make() -> AsyncIterator[Make]:
    """Makes a game of a person, White, against a fake engine, with a clock."""
    made: list[Opponents] = []

    def against(rule: str, time: Time, mode: str, *words: object, **changes: object) -> Opponents:
        session = timed(rule, time)
        seats = {Side.WHITE: HUMAN, Side.BLACK: LevelSeat(1)}
        launch = lambda *_: fake(mode, *words)  # noqa: E731
        opponents = Opponents(session, seats, launch=launch, pace=0.0, **changes)  # type: ignore[arg-type]
        opponents.begin()
        made.append(opponents)
        return opponents

    yield against
    for opponents in made:
        await opponents.close()


def thinks(opponents: Opponents) -> bool:
    """True once the engine runs and was asked, so that its clock runs too."""
    link = opponents._links.get(Side.BLACK)
    return link is not None and link.thinking


async def test_an_engine_that_oversteps_loses(make: Make) -> None:
    """It is wanted no more, and what it answers is dropped."""
    time = Time()
    opponents = make("1", time, "slow", 5_000)
    session = opponents.session
    move(session)
    await until(lambda: thinks(opponents))
    time.wait(60)
    assert session.flag()
    outcome = session.game.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Side.WHITE, Reason.TIME)
    await until(lambda: opponents.thinking is None)


async def test_an_answer_that_comes_after_the_flag_is_the_flag(make: Make) -> None:
    """Also when nobody looked at the clock meanwhile."""
    time = Time()
    opponents = make("1", time, "slow", 50)
    session = opponents.session
    move(session)
    await until(lambda: thinks(opponents))
    time.wait(61)
    await until(lambda: session.game.position.over)
    outcome = session.game.position.outcome
    assert outcome is not None
    assert outcome.reason is Reason.TIME
    assert session.game.head.ply == 1
    assert opponents.trouble is None


async def test_the_clock_of_an_engine_that_may_not_play_stands_still(make: Make) -> None:
    time = Time()
    opponents = make("1", time, "good")
    session = opponents.session
    opponents.pause()
    move(session)
    time.wait(500)
    assert both(session) == (60, 60)
    opponents.resume()
    await until(lambda: session.game.head.ply == 2)
    assert session.clocks is not None
    assert session.clocks.running is Side.WHITE


async def test_nobody_loses_while_an_engine_has_failed(make: Make) -> None:
    time = Time()
    opponents = make("1", time, "dying")
    session = opponents.session
    move(session)
    await until(lambda: opponents.trouble is not None)
    time.wait(500)
    assert not session.flag()
    assert both(session) == (60, 60)
    opponents.change_seat(Side.BLACK, HUMAN)
    time.wait(7)
    assert both(session) == (60, 53)


async def test_an_engine_is_started_at_nobodys_expense(make: Make) -> None:
    """It may take a while until a program is there. What it takes to think is its own."""
    time = Time()
    opponents = make("1", time, "mute")  # it never says that it is there
    session = opponents.session
    move(session)
    await until(lambda: opponents.thinking is Side.BLACK)
    time.wait(500)
    assert both(session) == (60, 60)
    session.undo()
    await until(lambda: opponents.thinking is None)
    time.wait(7)
    assert both(session) == (53, 60)


async def test_a_pause_of_the_players_outlasts_that_of_the_engines(make: Make) -> None:
    time = Time()
    opponents = make("1", time, "good")
    session = opponents.session
    session.halt(Halt.PAUSED)
    opponents.pause()
    opponents.resume()
    time.wait(500)
    assert both(session) == (60, 60)


async def test_with_little_on_its_clock_an_engine_does_not_wait_for_the_eye(make: Make) -> None:
    """The courtesy of a moment's wait would be on its clock."""
    time = Time()
    opponents = make("1", time, "good", courtesy=0.3)
    assert opponents._least_time(Side.BLACK) == 0.3
    time.wait(1)
    move(opponents.session)
    time.wait(60 - UNHURRIED + 0.1)
    assert opponents._least_time(Side.BLACK) == 0.0
