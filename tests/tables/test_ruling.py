"""What players may do at a table, and what it leads to."""

from __future__ import annotations

import pytest

from dvonn_tui.core.events import TurnPassed
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.position import Phase
from dvonn_tui.core.rules import decide as rules_decide
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.tables.happenings import Acted, Began, Ended, Offered, Readied, TakenBack, Withdrawn
from dvonn_tui.tables.protocol import (
    Act,
    Adjourn,
    Claim,
    Decline,
    Deed,
    GiveTime,
    GiveUp,
    GoOn,
    MakeOffer,
    Remove,
    SeatBot,
    SetOption,
    StandUp,
    Start,
    Withdraw,
)
from dvonn_tui.tables.ruling import Moment, Refusal, decide, idle, sit
from dvonn_tui.tables.table import Offer, Stage, action_of
from dvonn_tui.tables.takeback import way_back

from .tabling import BLACK, WHITE, Tabling

EVERY_DEED: tuple[Deed, ...] = (
    Act(action="a1b1"),
    SetOption(option="time 10"),
    Start(),
    GiveUp(),
    *(MakeOffer(offer=str(offer)) for offer in Offer),
    *(Decline(offer=str(offer)) for offer in Offer),
    *(Withdraw(offer=str(offer)) for offer in Offer),
    GiveTime(seconds=60),
    GoOn(),
    Claim(),
    Adjourn(),
    SeatBot(level=5),
    Remove(),
    Remove(side="w"),
    StandUp(),
)


@pytest.fixture
def table() -> Tabling:
    """A game of ten minutes each, just begun."""
    tabling = Tabling("time 10")
    tabling.begin()
    return tabling


# Who may do anything


def test_a_watcher_changes_nothing(table: Tabling) -> None:
    """Whatever is offered, and whoever is away: only players do something."""
    table.do(WHITE, MakeOffer(offer="draw"))
    for stage in ("playing", "over"):
        if stage == "over":
            table.do(WHITE, GiveUp())
        for deed in EVERY_DEED:
            assert table.refusal(None, deed).code == "seat"


def test_who_stood_up_is_a_watcher() -> None:
    """The server may still think of him as a player for a moment."""
    table = Tabling()
    table.sit("Ada", WHITE)
    table.do(WHITE, StandUp())
    assert not table.state.seats
    for deed in EVERY_DEED:
        assert table.refusal(WHITE, deed).code == "seat"


def test_nothing_happens_at_a_closed_table(table: Tabling) -> None:
    """Not even a seat is taken there."""
    table.happen(idle(table.state, table.moment))
    assert table.state.stage is Stage.CLOSED
    assert table.state.clocks is not None
    assert table.state.clocks.running is None
    for deed in EVERY_DEED:
        assert table.refusal(WHITE, deed).code == "table"
    with pytest.raises(Refusal) as refused:
        sit(table.state, "Cem", "c", None, table.moment)
    assert refused.value.code == "table"
    assert idle(table.state, table.moment) == ()


# Before a game


@pytest.mark.parametrize("setup", ["random", "balanced", "symmetric", "profi"])
def test_the_game_begins_when_both_are_ready(setup: str) -> None:
    """With the board that everybody can draw again from the seed, and White's clock running."""
    table = Tabling()
    table.sit("Ada")
    table.sit("Bea")
    if setup != "balanced":
        table.do(WHITE, SetOption(option=setup.upper()))
    table.do(BLACK, SetOption(option="Time  5+3"))
    assert [type(event) for event in table.do(BLACK, Start())] == [Readied]
    assert table.state.ready == {BLACK}
    assert table.refusal(BLACK, Start()).code == "illegal"
    assert [type(event) for event in table.do(WHITE, Start())] == [Readied, Began]
    assert table.state.stage is Stage.PLAYING
    began = table.log[-1]
    assert isinstance(began, Began)
    assert (began.white, began.black, began.number) == ("Ada", "Bea", 1)
    chosen = Setup.MANUAL if setup == "profi" else Setup(setup)
    assert began.seed == (None if setup == "profi" else 8)
    assert table.state.position == set_up(chosen, began.seed)
    clocks = table.state.clocks
    assert clocks is not None
    assert (clocks.white, clocks.black, clocks.running) == (300, 300, WHITE)


def test_without_a_clock_none_is_there() -> None:
    """And giving time makes no sense."""
    table = Tabling()
    table.begin()
    assert table.state.clocks is None
    assert "not counted" in table.refusal(WHITE, GiveTime(seconds=60)).reason
    table.play_out()
    assert all(event.clocks is None for event in table.log)


@pytest.mark.parametrize("deed", [SetOption(option="time 3"), StandUp(), "sit", "away"])
def test_what_changes_makes_nobody_ready(deed: Deed | str) -> None:
    """Nobody finds himself in a game under other conditions, or against another, than he agreed to."""
    table = Tabling()
    table.sit("Ada", WHITE)
    table.sit("Bea", BLACK)
    table.do(WHITE, Start())
    if deed == "away":
        table.go_away(WHITE)
    elif deed == "sit":
        table.do(BLACK, StandUp())
        table.sit("Cem", BLACK)
    else:
        assert not isinstance(deed, str)
        table.do(BLACK, deed)
    assert not table.state.ready
    assert table.state.stage is Stage.OPEN


def test_alone_nobody_begins() -> None:
    """The reason says what to do."""
    table = Tabling()
    table.sit("Ada", BLACK)
    assert "bot" in table.refusal(BLACK, Start()).reason


@pytest.mark.parametrize("text", ["", "time", "time x", "tempo 3", "balanced", "absence 5", "\x1b[2J"])
def test_options_that_are_none(text: str) -> None:
    """What cannot be read, and what is so already."""
    table = Tabling()
    table.sit("Ada")
    refusal = table.refusal(WHITE, SetOption(option=text))
    assert refusal.code == "illegal"
    assert "\x1b" not in refusal.reason


def test_a_running_game_is_left_as_it_is(table: Tabling) -> None:
    """Options, seats and readiness are for before and after, in every stage of a game."""
    for stage in ("playing", "paused"):
        if stage == "paused":
            table.do(WHITE, MakeOffer(offer="pause"))
            table.do(BLACK, MakeOffer(offer="pause"))
        assert table.state.stage == stage
        for deed in (SetOption(option="time 3"), Start(), SeatBot(level=3), Remove(), StandUp()):
            assert table.refusal(WHITE, deed).code == "illegal"
        with pytest.raises(Refusal):
            sit(table.state, "Cem", "c", None, table.moment)


# Seats


def test_one_seat_a_client() -> None:
    """The same client does not sit twice, whatever it calls itself."""
    table = Tabling()
    table.sit("Ada", WHITE, "ada's")
    with pytest.raises(Refusal) as refused:
        table.sit("Bea", BLACK, "ada's")
    assert refused.value.code == "seat"


def test_a_taken_seat_is_taken() -> None:
    """And when both are, there is none without a name either."""
    table = Tabling()
    assert table.sit("Ada") is WHITE
    with pytest.raises(Refusal) as refused:
        table.sit("Bea", WHITE)
    assert refused.value.code == "seat"
    assert "Ada" in refused.value.reason
    assert table.sit("Bea") is BLACK
    with pytest.raises(Refusal) as refused:
        table.sit("Cem")
    assert refused.value.code == "seat"


def test_players_with_one_look_are_told_apart() -> None:
    """Cyrillic letters look like Latin ones."""
    table = Tabling()
    table.sit("Ada", WHITE, "1")
    table.sit("\u0410d\u0430", BLACK, "2")
    assert table.state.seats[BLACK].name == "\u0410d\u0430 (2)"


def test_one_bot_opposite_a_person() -> None:
    """It is always ready; it can be removed, and a person can sit there instead."""
    table = Tabling()
    table.sit("Ada", BLACK)
    table.do(BLACK, SeatBot(level=4))
    assert (table.state.seats[WHITE].name, table.state.seats[WHITE].level) == ("Level 4", 4)
    for side in (None, "w", "b"):
        assert table.refusal(BLACK, SeatBot(level=5, side=side)).code == "seat"
    table.do(BLACK, Remove())
    assert WHITE not in table.state.seats
    assert table.refusal(BLACK, Remove()).code == "seat"
    table.do(BLACK, SeatBot(level=1, side="w"))
    table.do(BLACK, Start())
    assert table.state.stage is Stage.PLAYING
    table.do(WHITE, Act(action=table.token()))
    table.do(BLACK, GiveUp())
    table.do(BLACK, Remove(side="w"))
    assert table.sit("Bea") is WHITE


def test_only_who_is_away_is_removed() -> None:
    """Neither somebody who is here, nor oneself; and not during a game."""
    table = Tabling()
    table.sit("Ada", WHITE)
    table.sit("Bea", BLACK)
    assert table.refusal(WHITE, Remove()).code == "seat"
    assert table.refusal(WHITE, Remove(side="w")).code == "seat"
    table.go_away(BLACK)
    table.do(WHITE, Remove())
    assert set(table.state.seats) == {WHITE}
    assert not table.state.away


# On the board


def test_a_move_is_done_once(table: Tabling) -> None:
    """Sent three times it is played once; another one for the same position comes too late."""
    seen = table.state.version
    token, other = table.token(), table.token(1)
    table.do(WHITE, Act(action=token), seen)
    table.wait(1)
    for again in (token, token.upper(), f"{token[:2]}-{token[2:]}"):
        assert table.refusal(WHITE, Act(action=again), seen).code == "already"
    assert table.refusal(WHITE, Act(action=other), seen).code == "stale"
    assert table.refusal(WHITE, Act(action=other)).code == "turn"
    assert table.refusal(BLACK, Act(action=token), seen).code == "stale"
    assert table.state.actions == 1
    assert table.left(WHITE) == 600


def test_the_last_move_is_done_once() -> None:
    """Also when it has ended the game."""
    table = Tabling()
    table.begin()
    while table.state.in_game:
        seen, token, side = table.state.version, table.token(3), table.state.position.side
        table.do(side, Act(action=token), seen)
    assert table.refusal(side, Act(action=token), seen).code == "already"
    assert table.refusal(side, Act(action=token)).code == "illegal"


def test_nothing_is_done_for_the_future(table: Tabling) -> None:
    """A version that the table has not reached is none that anybody has seen."""
    assert table.refusal(WHITE, Act(action=table.token()), table.state.version + 1).code == "stale"


def test_nothing_reaches_the_next_game(table: Tabling) -> None:
    """What was sent in the game before does not hit the new one."""
    seen = table.state.version
    table.do(WHITE, GiveUp())
    table.do(WHITE, MakeOffer(offer="rematch"))
    table.do(BLACK, MakeOffer(offer="rematch"))
    for deed in EVERY_DEED:
        assert table.refusal(WHITE, deed, seen).code == "stale"


@pytest.mark.parametrize(
    "token", ["", "z9", "a1", "pass", "resign", "draw", "a1a1", "c3c9", "\ud800", "a1e5"]
)
def test_the_core_says_what_is_illegal(table: Tabling, token: str) -> None:
    """In words; the game goes on as before."""
    assert table.refusal(WHITE, Act(action=token)).code == "illegal"


def test_placing_gives_white_two_turns() -> None:
    """White places the last piece and moves first; his clock goes on running."""
    table = Tabling("profi", "time 10")
    table.begin()
    sides = []
    while table.state.position.phase is Phase.PLACEMENT:
        table.wait(1)
        sides.append(table.act())
    assert sides == [WHITE, BLACK] * 24 + [WHITE]
    assert table.state.position.side is WHITE
    assert table.state.clocks is not None
    assert table.state.clocks.running is WHITE
    assert (table.left(WHITE), table.left(BLACK)) == (575, 576)
    assert table.act() is WHITE


def test_a_forced_pass_gives_the_turn_back() -> None:
    """The clock of the side that acts again runs on, and nobody has to say that the other passes."""
    for seed in range(40):
        table = Tabling("time 10", "random")
        table.seed = seed
        table.begin()
        while table.state.in_game:
            side, token = table.state.position.side, table.token(table.state.actions)
            passed = TurnPassed(side.other) in rules_decide(table.state.position, action_of(token))
            table.do(side, Act(action=token))
            if passed and table.state.in_game:
                assert table.state.position.side is side
                assert table.state.clocks is not None
                assert table.state.clocks.running is side
                assert table.refusal(side.other, Act(action=table.token())).code == "turn"
                return
    raise AssertionError("no game with a pass in it")


# Clocks


def test_times_are_told_with_the_moves() -> None:
    """What a move took, and what is left: nothing is lost between."""
    table = Tabling("time 5+3")
    table.begin()
    for seconds in (2.5, 10, 0.25, 61.125):
        table.wait(seconds)
        side = table.act()
        acted = table.log[-1]
        assert isinstance(acted, Acted)
        assert acted.spent == seconds * 1000
        assert table.state.clocks is not None
        assert table.state.clocks.running is side.other
    assert table.left(WHITE) == 300 - 2.5 - 0.25 + 6
    assert table.left(BLACK) == 300 - 10 - 61.125 + 6


def test_the_time_of_a_turn_includes_its_delay() -> None:
    """Which is not taken from the clock."""
    table = Tabling("time 5d3")
    table.begin()
    for seconds, left in ((2, 300), (4, 299)):
        table.wait(seconds)
        side = table.act()
        acted = table.log[-1]
        assert isinstance(acted, Acted)
        assert acted.spent == seconds * 1000
        assert table.left(side) == left


def test_halts_are_not_thinking() -> None:
    """Neither a pause nor an absence belongs to the time of a move."""
    table = Tabling("time 10")
    table.begin()
    table.wait(2)
    table.do(WHITE, MakeOffer(offer="pause"))
    table.do(BLACK, MakeOffer(offer="pause"))
    table.wait(100)
    table.do(WHITE, GoOn())
    table.wait(3)
    table.go_away(WHITE)
    table.wait(100)
    table.come_back(WHITE)
    table.do(BLACK, GiveTime(seconds=60))
    table.wait(4)
    table.act()
    acted = table.log[-1]
    assert isinstance(acted, Acted)
    assert acted.spent == 9_000
    assert table.left(WHITE) == 600 + 60 - 9


def test_the_wall_clock_counts_no_time(table: Tabling) -> None:
    """Set on or back by an hour between two moves, it changes nothing that is left."""
    for hours in (1, -2):
        table.wait(5)
        moment = Moment(table.now, int(table.now * 1000) + hours * 3_600_000)
        side = table.state.position.side
        deed = Act(action=table.token())
        seen = table.state.version
        table.happen(decide(table.state, deed, side, moment, seen=seen, history=list, draw_seed=lambda: 0))
        assert table.left(side) == 595


def test_a_move_after_the_flag_finds_the_flag(table: Tabling) -> None:
    """By arrival: the game has ended, and it has ended once."""
    table.wait(600)
    assert [type(event) for event in table.do(WHITE, Act(action=table.token()))] == [Ended]
    outcome = table.state.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (BLACK, "time")
    assert table.refusal(BLACK, GiveUp()).code == "illegal"
    assert (table.left(WHITE), table.left(BLACK)) == (0, 600)


@pytest.mark.parametrize("early", [0.0, 0.01])
def test_resigning_in_the_moment_of_the_flag(table: Tabling, early: float) -> None:
    """One result, that of what came first; the winner's clock stands still."""
    table.wait(600 - early)
    table.do(BLACK, GiveUp())
    assert table.pass_time(1000) == ()
    assert len([event for event in table.log if isinstance(event, Ended)]) == 1
    assert table.state.position.outcome is not None
    assert table.state.position.outcome.reason == ("resignation" if early else "time")
    assert table.state.clocks is not None
    assert table.state.clocks.running is None
    assert table.left(BLACK) == 600


def test_the_end_by_the_rules_stops_the_clocks() -> None:
    """Nothing falls afterwards."""
    table = Tabling("time 10")
    table.begin()
    table.play_out()
    assert table.state.position.outcome is not None
    assert table.state.clocks is not None
    assert table.state.clocks.running is None
    assert table.pass_time(10_000) == ()


def test_giving_time(table: Tabling) -> None:
    """To the other, up to what a clock holds, and only while the game is played."""
    table.wait(10)
    table.do(BLACK, GiveTime(seconds=60))
    assert table.left(WHITE) == 650
    assert table.left(BLACK) == 600
    table.do(WHITE, GiveUp())
    assert table.refusal(BLACK, GiveTime(seconds=60)).code == "illegal"
    full = Tabling("time 1440")
    full.begin()
    assert "no more" in full.refusal(WHITE, GiveTime(seconds=60)).reason
    full.wait(10)
    full.do(BLACK, GiveTime(seconds=60))
    assert full.left(WHITE) == 24 * 3600


def test_time_for_every_move_is_given_in_its_turn() -> None:
    """Given in the own turn it would be gone with it."""
    table = Tabling("time 30s")
    table.begin()
    assert table.refusal(WHITE, GiveTime(seconds=10)).code == "illegal"
    table.do(BLACK, GiveTime(seconds=10))
    assert table.left(WHITE) == 40
    table.act()
    assert (table.left(WHITE), table.left(BLACK)) == (30, 30)


# Between the players


def test_a_takeback_goes_to_before_the_own_decision() -> None:
    """Over the reply of the other and over passes, with position, count and clocks of that moment."""
    table = Tabling("time 10", "random")
    table.begin()
    marks = []
    for number in range(25):
        marks.append((table.state.position, table.state.actions, table.left(WHITE), table.left(BLACK)))
        table.wait(2)
        table.act(number)
    asking = table.state.position.side
    last = max(number for number, mark in enumerate(marks) if mark[0].side is asking)
    assert table.refusal(asking.other, Decline(offer="takeback")).code == "illegal"
    table.do(asking, MakeOffer(offer="takeback"))
    table.do(asking, MakeOffer(offer="draw"))
    table.wait(1)
    (back,) = table.do(asking.other, MakeOffer(offer="takeback"))
    assert isinstance(back, TakenBack)
    assert back.actions == 25 - last
    state = table.state
    assert (state.position, state.actions, table.left(WHITE), table.left(BLACK)) == marks[last]
    assert state.clocks is not None
    assert state.clocks.running is asking
    assert not state.offers
    assert state.last == ""
    table.act()
    table.do(asking, MakeOffer(offer="takeback"))
    table.do(asking.other, MakeOffer(offer="takeback"))
    assert (table.state.position, table.state.actions) == marks[last][:2]


def test_both_can_be_taken_back_to_the_start(table: Tabling) -> None:
    """Takeback upon takeback, until there is nothing left to take back."""
    first = table.state.position
    for _ in range(6):
        table.act()
    for _ in range(3):
        table.do(WHITE, MakeOffer(offer="takeback"))
        table.do(BLACK, MakeOffer(offer="takeback"))
    assert (table.state.position, table.state.actions) == (first, 0)
    assert table.refusal(WHITE, MakeOffer(offer="takeback")).code == "illegal"
    assert way_back(table.log, WHITE) is None


def test_only_own_actions_are_taken_back(table: Tabling) -> None:
    """Those of this game, not of the one before."""
    table.act()
    assert table.refusal(BLACK, MakeOffer(offer="takeback")).code == "illegal"
    table.act()
    table.do(WHITE, GiveUp())
    assert table.refusal(BLACK, MakeOffer(offer="takeback")).code == "illegal"
    table.do(WHITE, MakeOffer(offer="rematch"))
    table.do(BLACK, MakeOffer(offer="rematch"))
    assert table.refusal(BLACK, MakeOffer(offer="takeback")).code == "illegal"


def test_the_position_of_a_takeback_can_be_read_again() -> None:
    """In every phase: the happening alone tells it."""
    table = Tabling("profi")
    table.begin()
    for number in range(70):
        table.act(number)
        side = table.state.position.side
        back = way_back(table.log, side) if number else None
        if back is not None:
            table.do(side, MakeOffer(offer="takeback"))
            (event,) = table.do(side.other, MakeOffer(offer="takeback"))
            assert isinstance(event, TakenBack)
            assert parse_position(event.position) == back.position == table.state.position
            table.act(number)
            if table.state.position.side is not side:
                table.act(number)


def test_offers_are_answered(table: Tabling) -> None:
    """Declined, withdrawn, or accepted by offering the same."""
    table.do(WHITE, MakeOffer(offer="draw"))
    assert table.state.offered(WHITE, Offer.DRAW)
    assert table.refusal(WHITE, MakeOffer(offer="draw")).code == "illegal"
    assert table.refusal(WHITE, Decline(offer="draw")).code == "illegal"
    assert table.refusal(BLACK, Withdraw(offer="draw")).code == "illegal"
    table.do(WHITE, Withdraw(offer="draw"))
    table.do(WHITE, MakeOffer(offer="draw"))
    (ended,) = table.do(BLACK, MakeOffer(offer="draw"))
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.winner) == ("agreement", None)
    assert table.state.stage is Stage.OVER


def test_what_was_declined_is_not_asked_again_at_once(table: Tabling) -> None:
    """But after the next action, and the other may offer it himself."""
    table.do(WHITE, MakeOffer(offer="draw"))
    (off,) = table.do(BLACK, Decline(offer="draw"))
    assert isinstance(off, Withdrawn)
    assert off.declined
    assert "declined" in table.refusal(WHITE, MakeOffer(offer="draw")).reason
    table.do(BLACK, MakeOffer(offer="draw"))
    table.do(BLACK, Withdraw(offer="draw"))
    table.act()
    table.do(WHITE, MakeOffer(offer="draw"))


def test_nobody_offers_without_end(table: Tabling) -> None:
    """Offering and withdrawing is nagging as well."""
    for _ in range(3):
        table.do(WHITE, MakeOffer(offer="draw"))
        table.do(WHITE, Withdraw(offer="draw"))
    assert table.refusal(WHITE, MakeOffer(offer="draw")).code == "illegal"


def test_an_action_ends_offers(table: Tabling) -> None:
    """An answer that comes later does not become an offer of its own."""
    table.do(WHITE, MakeOffer(offer="draw"))
    seen = table.state.version
    table.act()
    assert not table.state.offers
    assert table.refusal(BLACK, MakeOffer(offer="draw"), seen).code == "stale"


def test_a_pause_halts_everything(table: Tabling) -> None:
    """Until one of the two goes on; the turn goes on where it was."""
    table.wait(5)
    table.do(BLACK, MakeOffer(offer="pause"))
    table.do(WHITE, MakeOffer(offer="pause"))
    assert table.pass_time(5000) == ()
    assert table.left(WHITE) == 595
    for deed in (Act(action=table.token()), MakeOffer(offer="pause"), MakeOffer(offer="takeback")):
        assert "paused" in table.refusal(WHITE, deed).reason
    assert table.refusal(BLACK, GiveTime(seconds=5)).code == "illegal"
    table.do(BLACK, GoOn())
    assert table.refusal(BLACK, GoOn()).code == "illegal"
    assert table.state.clocks is not None
    assert table.state.clocks.running is WHITE
    table.act()


def test_a_paused_game_can_be_given_up_or_drawn(table: Tabling) -> None:
    """Nobody has to go on for that."""
    table.do(BLACK, MakeOffer(offer="pause"))
    table.do(WHITE, MakeOffer(offer="pause"))
    table.do(BLACK, MakeOffer(offer="draw"))
    table.do(BLACK, GiveUp())
    assert table.state.position.outcome is not None
    assert table.state.position.outcome.winner is WHITE


def test_a_rematch_exchanges_colours(table: Tabling) -> None:
    """Options stay, the board is another one, and the seats stay with their holders."""
    assert table.refusal(WHITE, MakeOffer(offer="rematch")).code == "illegal"
    table.do(WHITE, GiveUp())
    first = set_up(Setup.BALANCED, 8)
    table.do(BLACK, MakeOffer(offer="rematch"))
    (began,) = table.do(WHITE, MakeOffer(offer="rematch"))
    assert isinstance(began, Began)
    assert (began.white, began.black, began.exchanged, began.number) == ("Bea", "Ada", True, 2)
    seats = table.state.seats
    assert (seats[WHITE].holder, seats[BLACK].holder) == ("Bea", "Ada")
    assert table.state.position != first
    assert table.left(WHITE) == table.left(BLACK) == 600


def test_another_game_as_they_sit(table: Tabling) -> None:
    """Both say /start again; options can be changed before."""
    table.play_out()
    table.do(WHITE, SetOption(option="time none"))
    table.do(BLACK, Start())
    _, began = table.do(WHITE, Start())
    assert isinstance(began, Began)
    assert (began.white, began.black, began.exchanged, began.number) == ("Ada", "Bea", False, 2)
    assert table.state.clocks is None


def test_a_rematch_that_was_offered_is_not_one_under_other_options(table: Tabling) -> None:
    """It has to be offered again by somebody who has seen them."""
    table.do(BLACK, GiveUp())
    table.do(WHITE, MakeOffer(offer="rematch"))
    seen = table.state.version
    table.do(BLACK, SetOption(option="time 1s"))
    table.do(BLACK, MakeOffer(offer="rematch"))
    assert table.state.stage is Stage.OVER
    assert table.refusal(WHITE, MakeOffer(offer="rematch"), seen).code == "stale"
    table.do(WHITE, MakeOffer(offer="rematch"))
    assert table.state.stage is Stage.PLAYING


@pytest.mark.parametrize("option", ["time 1s", "absence 0", "profi"])
def test_start_is_said_to_the_options_that_were_seen(option: str) -> None:
    """Also when the other side changes them while it is on its way; who sets one has seen it."""
    table = Tabling()
    table.sit("Ada", WHITE)
    table.sit("Bea", BLACK)
    seen = table.state.version
    table.do(BLACK, SetOption(option=option))
    table.do(BLACK, Start(), seen)
    assert table.refusal(WHITE, Start(), seen).code == "stale"
    table.do(WHITE, Start())
    assert table.state.stage is Stage.PLAYING


def test_start_is_said_to_whoever_sat_opposite(table: Tabling) -> None:
    """Not to somebody who takes the seat while it is on its way; a bot is seated by the player himself."""
    table.do(BLACK, GiveUp())
    seen = table.state.version
    table.do(BLACK, StandUp())
    table.sit("Cem", BLACK)
    table.do(BLACK, Start())
    assert table.refusal(WHITE, Start(), seen).code == "stale"
    table.do(BLACK, StandUp())
    seen = table.state.version
    table.do(WHITE, SeatBot(level=3))
    table.do(WHITE, Start(), seen)
    assert table.state.stage is Stage.PLAYING


def test_no_rematch_without_the_other(table: Tabling) -> None:
    """Whoever left is gone."""
    table.do(WHITE, GiveUp())
    table.do(WHITE, MakeOffer(offer="rematch"))
    table.do(BLACK, StandUp())
    assert not table.state.offers
    assert table.refusal(WHITE, MakeOffer(offer="rematch")).code == "illegal"
    table.sit("Cem", BLACK)
    table.do(BLACK, MakeOffer(offer="rematch"))
    assert table.state.stage is Stage.OVER


def test_a_bot_agrees_to_all_but_a_draw() -> None:
    """And answers at once."""
    table = Tabling("time 10")
    table.begin_with_bot()
    start = table.state.position
    table.act()
    assert [type(event) for event in table.do(WHITE, MakeOffer(offer="takeback"))] == [Offered, TakenBack]
    assert table.state.position == start
    assert [type(event) for event in table.do(WHITE, MakeOffer(offer="draw"))] == [Offered, Withdrawn]
    assert not table.state.offers
    table.do(WHITE, MakeOffer(offer="pause"))
    assert table.state.stage is Stage.PAUSED
    table.do(WHITE, GoOn())
    table.do(WHITE, GiveUp())
    table.do(WHITE, MakeOffer(offer="rematch"))
    assert table.state.stage is Stage.PLAYING
    assert table.state.seats[WHITE].level == 3
    assert table.state.clocks is not None
    assert table.state.clocks.running is WHITE
