"""The clocks of a game at one keyboard follow its log, halt when they should, and end it once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn_tui.core.cells import CELL_NAMED
from dvonn_tui.core.errors import GameFinished, IllegalAction
from dvonn_tui.core.events import AgreeDraw, GameEnded, Move, PlaceRest, Resign, TurnPassed
from dvonn_tui.core.game import Game, rebuild
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase, Reason
from dvonn_tui.core.rules import legal_moves, legal_placements
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.clocks import parse_clock
from dvonn_tui.play.session import Session
from dvonn_tui.play.timekeeping import Halt
from dvonn_tui.records.details import AT, CLOCK, SPENT
from dvonn_tui.records.turn_clock import TurnClock
from tests.play.clock_tools import Time, both, move, timed
from tests.play.tools import FULL

WHITE, BLACK = Side.WHITE, Side.BLACK


def test_without_a_clock_there_is_none() -> None:
    session = Session(Game.at(FULL))
    session.start_clocks()
    session.halt(Halt.PAUSED)
    move(session)
    assert session.clocks is None
    assert not session.paused
    assert not session.flag()
    assert session.game.head.details == {}


def test_whites_clock_runs_from_when_the_board_is_shown() -> None:
    time = Time()
    session = timed("10", time, started=False)
    time.wait(100)
    assert both(session) == (600, 600)
    session.start_clocks()
    time.wait(4)
    assert both(session) == (596, 600)


def test_an_action_carries_what_its_side_had_left_what_it_took_and_when() -> None:
    time = Time()
    session = timed("5+3", time)
    time.wait(4.25)
    move(session)
    details = session.game.entry(1).details
    assert details == {CLOCK: 298.75, SPENT: 4.25, AT: time.wall}
    assert session.clocks is not None
    assert session.clocks.running is BLACK
    time.wait(10)
    assert both(session) == (298.75, 290)


def test_the_clock_on_the_wall_counts_nothing() -> None:
    time = Time()
    session = timed("10", time)
    for hours in (1, -2, 1):
        time.wall += hours * 3600
        time.wait(5)
        move(session)
    assert both(session) == (590, 595)
    assert [entry.details[SPENT] for entry in session.game.log if SPENT in entry.details][:3] == [5, 5, 5]


def test_whites_clock_runs_through_the_last_placement_and_the_first_move() -> None:
    time = Time()
    session = timed("10", time, Game.new(Setup.MANUAL))
    while session.game.position.phase is Phase.PLACEMENT:
        assert session.clocks is not None
        assert session.clocks.running is session.game.position.side
        time.wait(1)
        session.submit(legal_placements(session.game.position)[0])
    assert both(session) == (575, 576)
    time.wait(10)
    assert both(session) == (565, 576)


def test_pieces_placed_by_one_action_cost_its_side_its_time_once() -> None:
    time = Time()
    session = timed("10", time, Game.new(Setup.MANUAL))
    time.wait(7)
    session.submit(PlaceRest(5))
    assert both(session) == (593, 600)
    session.game.go_to(session.game.entry(20))
    assert both(session) == (593, 600)


def test_a_side_that_moves_again_after_a_pass_keeps_its_clock() -> None:
    time = Time()
    session = timed("10+2", time, Game.at(parse_position("9/10/2rwww5/10/9 w m")))
    time.wait(3)
    session.submit(Move(CELL_NAMED["f3"], CELL_NAMED["e3"]))
    assert isinstance(session.game.head.event, TurnPassed)
    assert session.clocks is not None
    assert session.clocks.running is WHITE
    assert both(session) == (599, 600)


def test_undo_and_redo_find_the_clocks_as_they_were_at_that_decision() -> None:
    time = Time()
    session = timed("10", time)
    seen = [both(session)]
    for wait in (3, 8, 20):
        time.wait(wait)
        move(session)
        seen.append(both(session))
    for before in reversed(seen[:-1]):
        time.wait(50)
        assert session.undo()
        assert both(session) == before
        assert session.clocks is not None
        assert session.clocks.running is session.game.position.side
    for after in seen[1:]:
        time.wait(50)
        assert session.redo()
        assert both(session) == after


def test_another_line_begins_with_the_clocks_of_where_it_begins() -> None:
    time = Time()
    session = timed("10", time)
    time.wait(3)
    move(session)
    fork = session.game.head
    time.wait(8)
    move(session)
    time.wait(50)
    session.submit(legal_moves(fork.position)[1], after=fork)
    assert both(session) == (597, 600)
    assert session.game.head.details[SPENT] == 0
    time.wait(4)
    assert both(session) == (593, 600)


def test_the_same_move_again_finds_the_clocks_that_it_left_before() -> None:
    time = Time()
    session = timed("10", time)
    time.wait(3)
    move(session)
    session.undo()
    time.wait(30)
    length = session.game.length
    move(session)
    assert session.game.length == length + 1, "only the head moved"
    assert both(session) == (597, 600)


def test_comments_and_marks_leave_the_clocks_alone() -> None:
    time = Time()
    session = timed("10", time)
    time.wait(3)
    session.comment(session.game.head, "hm")
    assert both(session) == (597, 600)
    time.wait(3)
    move(session)
    assert session.game.head.details[SPENT] == 6


def test_during_a_pause_the_clocks_stand_still_and_nothing_is_played() -> None:
    time = Time()
    session = timed("10", time)
    time.wait(5)
    session.halt(Halt.PAUSED)
    assert session.paused
    time.wait(1000)
    with pytest.raises(IllegalAction, match="paused"):
        move(session)
    assert both(session) == (595, 600)
    session.go_on(Halt.PAUSED)
    time.wait(5)
    move(session)
    assert both(session) == (590, 600)
    assert session.game.head.details[SPENT] == 10


def test_every_reason_to_stand_still_has_to_go() -> None:
    time = Time()
    session = timed("10", time)
    session.halt(Halt.PAUSED)
    session.halt(Halt.SUSPENDED)
    session.go_on(Halt.PAUSED)
    time.wait(60)
    assert both(session) == (600, 600)
    session.go_on(Halt.SUSPENDED)
    time.wait(60)
    assert both(session) == (540, 600)


def test_undo_in_a_pause_restores_the_clocks_and_leaves_the_pause() -> None:
    time = Time()
    session = timed("10", time)
    time.wait(5)
    move(session)
    session.halt(Halt.PAUSED)
    session.undo()
    time.wait(99)
    assert both(session) == (600, 600)
    session.go_on(Halt.PAUSED)
    time.wait(1)
    assert both(session) == (599, 600)


def test_a_flag_ends_the_game_once() -> None:
    time = Time()
    session = timed("1", time)
    action = legal_moves(FULL)[0]
    time.wait(59.999)
    assert not session.flag()
    time.wait(0.001)
    assert session.flag()
    assert not session.flag()
    outcome = session.game.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (BLACK, Reason.TIME)
    assert both(session) == (0, 60)
    with pytest.raises(GameFinished):
        session.submit(action)
    assert sum(isinstance(entry.event, GameEnded) for entry in session.game.log) == 1


@pytest.mark.parametrize("late", [0.0, 1e-6, 50.0])
def test_a_move_handed_in_when_the_flag_has_fallen_is_the_flag(late: float) -> None:
    time = Time()
    session = timed("1", time)
    time.wait(60 + late)
    move(session)
    outcome = session.game.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (BLACK, Reason.TIME)
    assert session.game.head.ply == 0


@pytest.mark.parametrize("action", [Resign(BLACK), AgreeDraw()])
def test_nothing_else_ends_a_game_that_is_lost_on_time(action: Resign | AgreeDraw) -> None:
    time = Time()
    session = timed("1", time)
    time.wait(61)
    session.submit(action)
    outcome = session.game.position.outcome
    assert outcome is not None
    assert outcome.reason is Reason.TIME


def test_a_move_just_in_time_counts_even_if_nobody_looked_at_the_clock() -> None:
    time = Time()
    session = timed("1", time)
    time.wait(59.9)
    move(session)
    time.wait(0.2)
    assert not session.flag()
    assert session.game.head.ply == 1


def test_a_pause_when_the_flag_has_fallen_saves_nobody() -> None:
    time = Time()
    session = timed("1", time)
    time.wait(61)
    session.halt(Halt.PAUSED)
    assert not session.paused
    assert session.flag()


def test_the_clocks_stand_still_when_the_game_is_over() -> None:
    time = Time()
    session = timed("5+3", time)
    time.wait(5)
    session.submit(Resign(WHITE))
    time.wait(100)
    assert both(session) == (295, 300), "no increment for the end"
    assert not session.flag()


def test_a_resignation_out_of_turn_keeps_what_both_had() -> None:
    time = Time()
    session = timed("5", time)
    time.wait(5)
    session.submit(Resign(BLACK))
    assert session.game.head.details[CLOCK] == 300


def test_taking_a_flag_back_gives_the_turn_back() -> None:
    time = Time()
    session = timed("1", time)
    time.wait(20)
    move(session)
    time.wait(60)
    assert session.flag()
    session.undo()
    assert both(session) == (40, 60)
    time.wait(1)
    assert both(session) == (40, 59)


def test_a_game_taken_up_from_its_log_has_its_clocks() -> None:
    time = Time()
    session = timed("5d2", time)
    for wait in (3, 8, 20):
        time.wait(wait)
        move(session)
    again = timed("5d2", time, rebuild(session.game.log), started=False)
    assert both(again) == both(session) == (281, 294)
    again.start_clocks()
    time.wait(3)
    assert both(again) == (281, 293)


@pytest.mark.parametrize("odd", [-1, "many", True, float("nan"), float("inf"), 1e9, None, [1]])
def test_readings_that_are_none_are_passed_over(odd: object) -> None:
    time = Time()
    game = Game.at(FULL)
    game.play(legal_moves(FULL)[0], {CLOCK: odd})
    assert both(timed("5", time, game)) == (300, 300)


@pytest.mark.parametrize("rule", ["5", "5+3", "5d3", "30s"])
def test_what_a_file_says_of_a_turn_never_gives_more_than_it_began_with(rule: str) -> None:
    time = Time()
    game = Game.at(FULL)
    move(timed(rule, time, game))
    before = both(timed(rule, time, game))
    session = Session(
        game, rule=parse_clock(rule), now=time.now, wall=time.wall_now, turn=TurnClock(9e9, 9e9)
    )
    assert both(session) == before
    session.start_clocks()
    time.wait(3)
    assert both(session) == (before[0], before[1] - (0 if "d" in rule else 3))
    session.undo()
    session.redo()
    assert both(session) == before


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["2", "2+3", "2d3", "20s"]),
    st.lists(st.tuples(st.sampled_from("mmmmurph"), st.floats(0, 12, allow_nan=False)), max_size=30),
)
def test_whatever_happens_a_game_taken_up_finds_the_clocks_of_its_turn(
    rule: str, deeds: list[tuple[str, float]]
) -> None:
    """Moves, takebacks, pauses in any order: no clock is negative, and the log alone tells all."""
    time = Time()
    session = timed(rule, time)
    for deed, wait in deeds:
        time.wait(wait)
        session.flag()
        if session.game.position.over:
            break
        match deed:
            case "m" if not session.paused:
                move(session, -1)
            case "u":
                session.undo()
            case "r":
                session.redo()
            case "p":
                session.halt(Halt.PAUSED)
            case "h":
                session.go_on(Halt.PAUSED)
        assert min(both(session)) >= 0
    session.go_on(Halt.PAUSED)
    again = timed(rule, time, rebuild(session.game.log))
    for each in (session, again):
        if not each.undo():
            return
        each.redo()
    assert both(again) == both(session)
    assert (again.clocks and again.clocks.running) is (session.clocks and session.clocks.running)
