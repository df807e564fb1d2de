"""Players whose line is cut: what their clocks do, how long a game waits, and what the other may do."""

from __future__ import annotations

import pytest

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.tables.happenings import AbsenceSpent, Began, CameBack, Closed, Ended, Resumed, WentAway
from dvonn_tui.tables.presence import CLAIM_AFTER
from dvonn_tui.tables.protocol import (
    Act,
    Adjourn,
    Claim,
    GiveTime,
    GiveUp,
    GoOn,
    MakeOffer,
    Remove,
    StandUp,
    Start,
)
from dvonn_tui.tables.ruling import (
    MOST_GIFTS,
    absence_over,
    come_back,
    flag,
    go_away,
    next_deadline,
    overfull,
)
from dvonn_tui.tables.table import EMPTY_TABLE, Stage, evolve

from .tabling import BLACK, WHITE, Tabling


def playing(*options: str) -> Tabling:
    """A game just begun, White to act."""
    table = Tabling(*options)
    table.begin()
    return table


def running(table: Tabling) -> Side | None:
    """Whose clock runs."""
    assert table.state.clocks is not None
    return table.state.clocks.running


def test_the_clock_of_who_is_away_stands_still() -> None:
    """In his turn; it runs on from where it was."""
    table = playing("time 10")
    table.wait(10)
    table.go_away(WHITE)
    assert table.pass_time(200) == ()
    assert (table.left(WHITE), running(table)) == (590, None)
    (back,) = table.come_back(WHITE)
    assert isinstance(back, CameBack)
    assert back.absence == 200_000
    assert running(table) is WHITE
    table.wait(5)
    assert table.left(WHITE) == 585


def test_it_does_not_begin_to_run_either() -> None:
    """When the turn of somebody comes who is away already."""
    table = playing("time 10")
    table.go_away(BLACK)
    assert running(table) is WHITE
    table.wait(60)
    table.act()
    assert running(table) is None
    table.wait(60)
    assert table.left(BLACK) == 600
    (back,) = table.come_back(BLACK)
    assert isinstance(back, CameBack)
    assert back.absence == 60_000
    assert running(table) is BLACK


def test_only_the_waiting_counts() -> None:
    """Neither the other's thinking, nor a pause, nor the time after a game."""
    table = playing("absence 1")
    table.go_away(BLACK)
    table.wait(1000)
    table.act()
    table.wait(10)
    assert table.state.absence_of(BLACK, table.now) == 10
    table.come_back(BLACK)
    table.act()
    table.do(WHITE, MakeOffer(offer="pause"))
    table.do(BLACK, MakeOffer(offer="pause"))
    table.go_away(WHITE)
    assert table.pass_time(1000) == ()
    table.do(BLACK, GoOn())
    table.wait(20)
    table.come_back(WHITE)
    table.go_away(WHITE)
    table.wait(15)
    assert table.state.absence_of(WHITE, table.now) == 35
    assert [type(event) for event in table.pass_time(26)] == [AbsenceSpent]
    table.wait(CLAIM_AFTER)
    table.do(BLACK, Claim())
    table.wait(1000)
    assert table.state.absence_of(WHITE, table.now) == pytest.approx(60 + 1 + CLAIM_AFTER)


def test_after_the_allowance_the_clock_runs() -> None:
    """And whoever comes back is in the game again, with what is left."""
    table = playing("time 10", "absence 2")
    table.go_away(WHITE)
    (spent,) = table.pass_time(130)
    assert isinstance(spent, AbsenceSpent)
    assert table.left(WHITE) == pytest.approx(590, abs=0.01)
    table.come_back(WHITE)
    assert table.refusal(BLACK, Claim()).code == "illegal"
    assert running(table) is WHITE
    table.go_away(WHITE)
    assert running(table) is WHITE, "nothing is left of the allowance"
    table.come_back(WHITE)
    table.act()
    assert table.left(WHITE) == pytest.approx(590, abs=0.01)


@pytest.mark.parametrize("clock", ["time 10", "time none"])
def test_claiming(clock: str) -> None:
    """When the allowance is used up, and not before; also without a clock."""
    table = playing(clock, "absence 3")
    assert table.refusal(BLACK, Claim()).code == "illegal"
    table.go_away(WHITE)
    table.pass_time(100)
    assert "1 min 20 s" in table.refusal(BLACK, Claim()).reason
    table.pass_time(100)
    (ended,) = table.do(BLACK, Claim())
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.winner) == (Reason.ABSENCE, "b")
    assert table.pass_time(10_000) == ()


def test_the_claim_stands_in_the_own_turn_too() -> None:
    """Whoever is asked to move against nobody need not move first."""
    table = playing("absence 1")
    table.act()
    table.go_away(BLACK)
    table.pass_time(61)
    table.come_back(BLACK)
    table.act()
    table.go_away(BLACK)
    table.wait(CLAIM_AFTER)
    assert table.state.position.side is WHITE
    table.do(WHITE, Claim())


def test_a_short_cut_gives_no_claim() -> None:
    """Even where no absence is allowed: a client finds a lost line again by itself."""
    table = playing("absence 0")
    table.go_away(WHITE)
    assert [type(event) for event in table.pass_time(1)] == [AbsenceSpent]
    assert "only just gone" in table.refusal(BLACK, Claim()).reason
    assert "only just gone" in table.refusal(BLACK, Adjourn()).reason
    table.wait(CLAIM_AFTER)
    table.do(BLACK, Claim())


def test_without_an_allowance_the_clock_runs_on() -> None:
    """At once, and the flag falls."""
    table = playing("time 1", "absence 0")
    table.go_away(WHITE)
    events = table.pass_time(100)
    assert [type(event) for event in events] == [AbsenceSpent, Ended]
    assert table.log[-1].at == pytest.approx((1000 + 60) * 1000, abs=10)


def test_both_gone_the_game_still_ends() -> None:
    """With a clock at its limit, after the allowance; without one nobody claims anything."""
    table = playing("time 10", "absence 5")
    table.act()
    table.go_away(WHITE)
    table.go_away(BLACK)
    events = table.pass_time(5000)
    assert [type(event) for event in events] == [AbsenceSpent, Ended]
    assert table.log[-1].at == pytest.approx((1000 + 300 + 600) * 1000, abs=10)
    assert table.state.position.outcome is not None
    assert table.state.position.outcome.winner is WHITE
    untimed = playing()
    untimed.go_away(WHITE)
    untimed.go_away(BLACK)
    assert [type(event) for event in untimed.pass_time(100_000)] == [AbsenceSpent]
    assert untimed.state.stage is Stage.PLAYING


def test_leaving_for_later() -> None:
    """An adjourned game goes on when both are ready, with the clocks as they were."""
    table = playing("time 10", "absence 1")
    table.wait(10)
    table.go_away(WHITE)
    table.pass_time(70)
    table.do(BLACK, Adjourn())
    left = table.left(WHITE)
    assert table.pass_time(100_000) == ()
    assert table.refusal(BLACK, Claim()).code == "illegal"
    assert table.refusal(BLACK, Act(action=table.token())).code == "illegal"
    for deed in (StandUp(), Remove()):
        assert table.refusal(BLACK, deed).code == "illegal"
    table.do(BLACK, Start())
    table.come_back(WHITE)
    table.wait(100)
    assert table.left(WHITE) == left
    _, resumed = table.do(WHITE, Start())
    assert isinstance(resumed, Resumed)
    assert table.state.stage is Stage.PLAYING
    assert (table.left(WHITE), running(table)) == (left, WHITE)
    assert table.state.actions == 0


def test_an_adjourned_game_can_be_given_up() -> None:
    """Whoever does not want to go on says so."""
    table = playing("absence 0")
    table.go_away(WHITE)
    table.pass_time(CLAIM_AFTER + 1)
    table.do(BLACK, Adjourn())
    table.do(BLACK, GiveUp())
    assert table.state.position.outcome is not None
    assert table.state.position.outcome.winner is WHITE


def test_the_ready_one_who_leaves_is_not_ready() -> None:
    """An adjourned game does not begin to run against somebody who has gone again."""
    table = playing("absence 0")
    table.go_away(WHITE)
    table.pass_time(CLAIM_AFTER + 1)
    table.do(BLACK, Adjourn())
    table.come_back(WHITE)
    table.do(WHITE, Start())
    table.go_away(WHITE)
    table.do(BLACK, Start())
    assert table.state.stage is Stage.ADJOURNED


def test_what_is_known_happens_once() -> None:
    """A cut line that is reported twice is one cut, and nobody comes back who was there."""
    table = playing("time 10")
    assert len(table.go_away(WHITE)) == 1
    assert table.go_away(WHITE) == ()
    assert len(table.come_back(WHITE)) == 1
    assert table.come_back(WHITE) == ()
    assert absence_over(table.state, WHITE, table.moment) == ()
    table.do(WHITE, GiveUp())
    assert flag(table.state, table.moment) == ()


def test_a_bot_is_never_away() -> None:
    """And nobody sits on a free side to go from there."""
    table = Tabling("absence 0")
    table.sit("Ada", WHITE)
    assert go_away(table.state, BLACK, table.moment) == ()
    table = Tabling("absence 0")
    table.begin_with_bot()
    assert table.go_away(BLACK) == ()
    table.act()
    assert table.pass_time(1000) == ()
    assert "Level 3 is here" in table.refusal(WHITE, Claim()).reason


def test_a_cut_line_does_not_hide_a_flag() -> None:
    """Pulling the plug in the last moment comes too late when the time was up before."""
    table = playing("time 1")
    table.wait(60)
    assert [type(event) for event in table.go_away(WHITE)] == [Ended, WentAway]
    assert table.state.away == {WHITE}
    again = playing("time 1", "absence 0")
    again.go_away(WHITE)
    again.wait(61)
    assert [type(event) for event in come_back(again.state, WHITE, again.moment)] == [Ended, CameBack]
    assert [type(event) for event in absence_over(again.state, WHITE, again.moment)] == [Ended]


def test_a_takeback_for_who_is_away() -> None:
    """His offer stands, and when it is accepted the game waits for him."""
    table = playing("time 10")
    table.act()
    table.do(WHITE, MakeOffer(offer="takeback"))
    table.go_away(WHITE)
    table.do(BLACK, MakeOffer(offer="takeback"))
    assert running(table) is None
    table.wait(30)
    assert table.state.absence_of(WHITE, table.now) == 30
    table.come_back(WHITE)
    assert (table.left(WHITE), running(table)) == (600, WHITE)


def test_a_rematch_with_who_is_away() -> None:
    """The absence goes with the player to the other colour, and its allowance is whole again."""
    table = playing("time 10", "absence 1")
    table.act()
    table.go_away(BLACK)
    table.pass_time(100)
    table.do(WHITE, GiveUp())
    table.come_back(BLACK)
    table.do(BLACK, MakeOffer(offer="rematch"))
    table.go_away(BLACK)
    (began,) = table.do(WHITE, MakeOffer(offer="rematch"))
    assert isinstance(began, Began)
    assert table.state.away == {WHITE}
    assert running(table) is None
    assert not table.state.absence_spent
    (spent,) = table.pass_time(61)
    assert isinstance(spent, AbsenceSpent)
    assert (spent.side, running(table)) == ("w", WHITE)


@pytest.mark.parametrize(("absence", "runs"), [("absence 0", WHITE), ("absence 1", None)])
def test_a_game_begins_against_who_is_away(absence: str, runs: Side | None) -> None:
    """It waits for its first move as it would for any other."""
    table = playing("time 10", absence)
    table.do(WHITE, GiveUp())
    table.do(BLACK, MakeOffer(offer="rematch"))
    table.go_away(BLACK)
    table.do(WHITE, MakeOffer(offer="rematch"))
    assert running(table) is runs


def test_a_restart_is_charged_to_nobody() -> None:
    """The log is folded at one moment on a new clock; everybody counts as away from there on."""
    table = playing("time 10", "absence 5")
    table.wait(20)
    table.act()
    table.wait(30)
    table.go_away(BLACK)
    state = EMPTY_TABLE
    table.now = 5.0
    for event in table.log:
        state = evolve(state, event, table.now)
    table.state = state
    table.go_away(WHITE)
    table.wait(60)
    assert (table.left(WHITE), table.left(BLACK)) == (580, 570)
    assert table.state.absence_of(BLACK, table.now) == 60
    deadline = next_deadline(table.state, table.now)
    assert deadline == pytest.approx(5 + 300, abs=0.01)
    table.come_back(BLACK)
    assert running(table) is BLACK


@pytest.mark.parametrize("loser", [WHITE, BLACK])
def test_a_game_at_a_table_that_is_overfull_is_lost_by_who_went_away_more_often(loser: Side) -> None:
    """What was in the game before does not count."""
    table = Tabling()
    table.begin()
    for _ in range(5):
        table.go_away(loser.other)
        table.come_back(loser.other)
    table.do(WHITE, GiveUp())
    table.do(WHITE, Start())
    table.do(BLACK, Start())
    for side in (loser, loser, loser.other):
        table.go_away(side)
        table.come_back(side)
    (end,) = table.happen(overfull(table.state, table.log, table.moment))
    assert isinstance(end, Ended)
    assert (end.reason, end.winner) == ("absence", str(loser.other))
    (closed,) = overfull(table.state, table.log, table.moment)
    assert isinstance(closed, Closed)


def test_a_game_of_two_who_went_away_as_often_is_closed_with_its_table() -> None:
    table = Tabling()
    table.begin()
    (closed,) = overfull(table.state, table.log, table.moment)
    assert isinstance(closed, Closed)


def test_time_is_given_only_so_often_before_somebody_acts() -> None:
    table = Tabling("time 10")
    table.begin()
    for _ in range(MOST_GIFTS):
        table.do(BLACK, GiveTime(seconds=1))
    for side in (WHITE, BLACK):
        assert table.refusal(side, GiveTime(seconds=1)).code == "illegal"
    table.act()
    table.do(BLACK, GiveTime(seconds=1))
