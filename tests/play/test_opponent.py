"""Engines at a table: turns, late answers, undo (G05), a live loop (T09), troubles, engine against engine."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable

import pytest

from dvonn_tui.core.events import PlaceRest, Resign, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import legal_moves, legal_placements
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.engine_trouble import TroubleKind
from dvonn_tui.play.opponent import Opponents, SeatTrouble
from dvonn_tui.play.seats import HUMAN, LevelSeat, Seat
from dvonn_tui.play.session import Session

from .tools import FULL, children, fake, until

WHITE, BLACK = Side.WHITE, Side.BLACK
Make = Callable[..., Opponents]


@pytest.fixture
async def make() -> AsyncIterator[Make]:
    """Makes opponents from modes of fake engines; afterwards no process may be left."""
    before = children()
    made: list[Opponents] = []

    def make_opponents(
        white: str | None, black: str | None, game: Game | None = None, delay: int = 0, **changes: object
    ) -> Opponents:
        modes = {1: white, 2: black}

        def launch(seat: Seat, seed: int) -> Launch:
            assert isinstance(seat, LevelSeat)
            return fake(modes[seat.level] or "", delay)

        seats: dict[Side, Seat] = {
            WHITE: LevelSeat(1) if white else HUMAN,
            BLACK: LevelSeat(2) if black else HUMAN,
        }
        session = Session(game or Game.at(FULL))
        opponents = Opponents(session, seats, launch=launch, pace=0.0, **changes)  # type: ignore[arg-type]
        made.append(opponents)
        return opponents

    yield make_opponents
    for opponents in made:
        begun = time.perf_counter()
        await opponents.close()
        assert time.perf_counter() - begun < 1.0
        assert not opponents.session.game._listeners
    await until(lambda: children() <= before, 2.0)


def human_plays(opponents: Opponents, index: int = 0) -> None:
    assert opponents.may_act()
    position = opponents.session.game.position
    opponents.session.submit((legal_placements(position) or legal_moves(position))[index])


async def test_the_engine_answers_in_both_phases(make: Make) -> None:
    opponents = make(None, "good", Game.new(Setup.MANUAL))
    game = opponents.session.game
    opponents.begin()
    for ply in range(0, 6, 2):
        human_plays(opponents)
        assert not opponents.may_act()
        await until(opponents.may_act)
        assert game.head.ply == ply + 2
    opponents.session.submit(PlaceRest(5))
    assert opponents.may_act()
    human_plays(opponents)
    await until(opponents.may_act)
    assert game.head.ply == 51
    assert opponents.thinking is None


async def test_white_can_be_the_engine_and_moves_twice_around_the_last_placement(make: Make) -> None:
    opponents = make("good", None, Game.new(Setup.MANUAL))
    opponents.begin()
    for _ in range(24):
        await until(opponents.may_act)
        human_plays(opponents, -1)
    await until(opponents.may_act)
    assert opponents.session.game.head.ply == 50


async def test_undo_goes_back_to_the_own_last_decision(make: Make) -> None:
    """G05: after the reply; while it thinks; nothing to take back; redo."""
    opponents = make(None, "good")
    game = opponents.session.game
    opponents.begin()
    start = game.position
    assert not opponents.undo()
    human_plays(opponents)
    await until(opponents.may_act)
    second = game.position
    assert opponents.undo()
    assert game.position == start
    assert opponents.may_act()
    assert isinstance(opponents.seat(WHITE), type(HUMAN))
    await asyncio.sleep(0.1)
    assert game.position == start
    assert opponents.thinking is None
    assert opponents.redo()
    assert game.position == second
    human_plays(opponents)
    await until(opponents.may_act)
    assert opponents.undo()
    assert game.position == second
    assert opponents.undo()
    assert game.position == start
    assert not opponents.undo()


async def test_undo_while_it_thinks(make: Make) -> None:
    opponents = make(None, "stubborn", delay=120)
    game = opponents.session.game
    opponents.begin()
    start = game.position
    human_plays(opponents)
    await until(lambda: opponents.thinking is BLACK)
    await asyncio.sleep(0.05)
    assert opponents.undo()
    assert game.position == start
    assert opponents.thinking is None
    await asyncio.sleep(0.2)
    assert game.position == start, "a late answer was played"
    human_plays(opponents, 3)
    await until(opponents.may_act)
    assert game.head.ply == 2


async def test_undo_goes_over_forced_passes(make: Make) -> None:
    """White has to pass twice while the engine moves: one undo returns to White's last move."""
    for start in positions_with_a_pass():
        opponents = make(None, "good", Game.at(start))
        game = opponents.session.game
        opponents.begin()
        human_plays(opponents)
        await until(lambda o=opponents: o.may_act() or o.session.game.position.over)
        passes = [e for e in game.path(game.head) if e.event == TurnPassed(WHITE)]
        assert passes
        assert opponents.undo()
        assert game.position == start
        assert opponents.may_act()


def positions_with_a_pass() -> list[Position]:
    """Positions of White in which the first moves of both, played on, make White pass."""
    found = []
    draw = random.Random(3)
    while len(found) < 2:
        game = Game.new(Setup.RANDOM, draw.randrange(10**6))
        while not game.position.over and len(found) < 2:
            position = game.position
            if position.side is WHITE:
                trial = Game.at(position)
                trial.play(legal_moves(position)[0])
                passed = False
                while not trial.position.over and trial.position.side is BLACK:
                    trial.play(legal_moves(trial.position)[0])
                    passed = passed or any(e.event == TurnPassed(WHITE) for e in trial.log)
                if passed and any(e.event == TurnPassed(WHITE) for e in trial.path(trial.head)):
                    found.append(position)
                    break
            game.play(draw.choice(legal_moves(position)))
    return found


async def test_undo_of_giving_up(make: Make) -> None:
    opponents = make(None, "good")
    game = opponents.session.game
    opponents.begin()
    human_plays(opponents)
    await until(opponents.may_act)
    before = game.position
    opponents.session.submit(Resign(WHITE))
    assert game.position.over
    assert opponents.undo()
    assert game.position == before


async def test_between_people_undo_is_one_action(make: Make) -> None:
    opponents = make(None, None)
    opponents.begin()
    human_plays(opponents)
    human_plays(opponents)
    assert opponents.undo()
    assert opponents.session.game.head.ply == 1


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("dying", TroubleKind.DIED),
        ("illegal", TroubleKind.CHEATING),
        ("nonsense", TroubleKind.NONSENSE),
        ("no-start", TroubleKind.NOT_STARTED),
        ("codecup", TroubleKind.UNABLE),
    ],
)
async def test_troubles_are_told_once_and_a_restart_is_possible(
    make: Make, mode: str, kind: TroubleKind
) -> None:
    told: list[SeatTrouble] = []
    opponents = make(None, mode, on_trouble=told.append)
    opponents.begin()
    human_plays(opponents)
    await until(lambda: told)
    await asyncio.sleep(0.1)
    (trouble,) = told
    assert (trouble.side, trouble.seat, trouble.trouble.kind, trouble.waiting) == (
        BLACK,
        LevelSeat(2),
        kind,
        True,
    )
    assert opponents.trouble is trouble
    assert opponents.thinking is None
    opponents.restart()
    assert opponents.trouble is None
    await until(lambda: len(told) == 2)
    assert opponents.undo()
    assert opponents.may_act()
    await asyncio.sleep(0.02)
    assert opponents.trouble is None
    opponents.change_seat(BLACK, HUMAN)
    human_plays(opponents)
    assert opponents.may_act()


async def test_a_slow_engine_plays_and_is_told(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[SeatTrouble] = []
    from dvonn_tui.play import opponent
    from dvonn_tui.play.thoughts import Limits

    monkeypatch.setattr(opponent, "limits_of", lambda *_: Limits(movetime=50))
    opponents = make(None, "slow", delay=5_000, on_trouble=told.append)
    opponents.begin()
    human_plays(opponents)
    await until(lambda: told)
    assert told[0].trouble.kind is TroubleKind.SLOW
    assert not told[0].waiting
    assert opponents.may_act()
    assert opponents.trouble is None


async def test_the_loop_lives_while_it_thinks(make: Make) -> None:
    """T09: everything that a person does then takes effect at once."""
    opponents = make(None, "deaf")
    opponents.begin()
    human_plays(opponents)
    await until(lambda: opponents.thinking is BLACK)
    worst = 0.0
    for _ in range(50):
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        worst = max(worst, time.perf_counter() - before)
    assert worst < 0.1
    before = time.perf_counter()
    assert opponents.undo()
    assert time.perf_counter() - before < 0.05
    assert opponents.may_act()


async def test_new_games_leave_nothing_behind(make: Make) -> None:
    """T11: ten games in one run; the engine stays, and nobody listens to an old game."""
    opponents = make(None, "good")
    opponents.begin()
    games = []
    for number in range(10):
        human_plays(opponents, number % 3)
        if number % 2:
            await until(opponents.may_act)
        games.append(opponents.session.game)
        opponents.new_game(Session(Game.at(FULL)))
    await asyncio.sleep(0.1)
    assert len(children()) == 1
    assert not any(game._listeners for game in games)
    assert len(opponents.session.game.log) == 1
    opponents.new_game(Session(Game.at(FULL)), {WHITE: LevelSeat(2), BLACK: HUMAN})
    await until(opponents.may_act)
    assert opponents.session.game.position.side is BLACK


async def test_seats_change_in_a_live_game(make: Make) -> None:
    opponents = make(None, "good")
    opponents.begin()
    opponents.change_seat(WHITE, LevelSeat(2))
    assert opponents.watching
    await until(lambda: opponents.session.game.head.ply >= 4)
    opponents.change_seat(BLACK, HUMAN)
    await until(opponents.may_act)
    assert opponents.session.game.position.side is BLACK
    assert opponents.against_engine


async def test_engine_against_engine_pause_pace_and_the_end(make: Make) -> None:
    changes: list[bool] = []
    opponents = make("good", "good")
    opponents.on_change = lambda: changes.append(opponents.paused)
    opponents.pace = 0.1
    game = opponents.session.game
    opponents.begin()
    begun = time.perf_counter()
    await until(lambda: game.head.ply >= 3)
    assert time.perf_counter() - begun > 0.25
    opponents.pause()
    await asyncio.sleep(0.15)
    ply = game.head.ply
    assert opponents.paused
    assert opponents.thinking is None
    assert opponents.undo()
    await asyncio.sleep(0.15)
    assert game.head.ply == ply - 1
    opponents.pace = 0.0
    opponents.resume()
    await until(lambda: game.position.over, 20)
    assert opponents.thinking is None
    assert True in changes


async def test_one_legal_move_and_none(make: Make) -> None:
    start = parse_position("9/10/2rwb6/10/9 w m")
    opponents = make("good", None, Game.at(start))
    opponents.begin()
    game = opponents.session.game
    await until(lambda: opponents.may_act() or game.position.over)
    over = make("good", "good", Game.at(parse_position("9/10/2r8/10/9 w m")))
    over.begin()
    await asyncio.sleep(0.05)
    assert over.thinking is None


async def test_playing_from_an_earlier_ply_asks_the_engine_there(make: Make) -> None:
    opponents = make(None, "good")
    game = opponents.session.game
    opponents.begin()
    start = game.head
    human_plays(opponents)
    await until(opponents.may_act)
    opponents.session.submit(legal_moves(start.position)[5], after=start)
    await until(lambda: opponents.may_act() and game.head.ply == 2)


async def test_an_engine_takes_its_time_against_a_person(make: Make) -> None:
    opponents = make(None, "good", courtesy=0.2)
    opponents.begin()
    human_plays(opponents)
    before = time.perf_counter()
    await until(opponents.may_act)
    assert time.perf_counter() - before > 0.15
    human_plays(opponents)
    await asyncio.sleep(0.1)
    assert opponents.thinking is BLACK
    assert opponents.undo()
    await asyncio.sleep(0.25)
    assert opponents.session.game.head.ply == 2
