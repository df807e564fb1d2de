"""Whatever is done at a table, in whatever order and at whatever time, some things are always so."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import play
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.play.clocks import ClockKind
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import ruling
from dvonn_tui.tables.protocol import Act, News, Start, decode_answer, encode
from dvonn_tui.tables.ruling import Refusal
from dvonn_tui.tables.table import EMPTY_TABLE, Stage, action_of, ending_of, evolve

from .tabling import BLACK, WHITE, Tabling
from .test_ruling import EVERY_DEED

clocks = st.sampled_from(["time none", "time 1", "time 2+3", "time 1d2", "time 20s"])
setups = st.sampled_from(["random", "balanced", "symmetric", "profi"])
absences = st.sampled_from(["absence 0", "absence 1", "absence 5"])

SECONDS = (0.0, 0.0004, 0.1, 1.7, 5.0, 29.9, 90.0)


def carry_out_some(table: Tabling, random: Random) -> None:
    """One step of many kinds. Raises nothing but Refusal."""
    side, deed = random.choice([WHITE, BLACK]), random.choice(EVERY_DEED)
    match random.randrange(16):
        case 0 | 1 | 2 | 3 | 4 | 5:
            if table.state.in_game:
                token = table.token(random.randrange(60))
                table.do(table.state.position.side, Act(action=token))
        case 6:
            table.do(random.choice([side, None]), deed)
        case 7 | 8:
            table.do(side, deed)
            table.do(side.other, deed)
        case 9:
            table.do(side, deed, max(table.state.version - random.randrange(10), 0))
        case 10:
            table.pass_time(random.choice(SECONDS))
        case 11:
            table.wait(random.choice(SECONDS))
        case 12:
            table.go_away(side)
        case 13:
            table.come_back(side)
        case 14:
            table.sit(random.choice(["Ada", "Bea", "Cem"]), random.choice([side, None]))
        case 15:
            for each in Side:
                table.come_back(each)
                table.do(each, Start())


@st.composite
def tables(draw: st.DrawFn) -> Tabling:
    """A table at which anything has happened."""
    table = Tabling(draw(setups), draw(clocks), draw(absences))
    match draw(st.sampled_from(["empty", "persons", "bot"])):
        case "persons":
            table.begin()
        case "bot":
            table.begin_with_bot()
    random = Random(draw(st.integers(0, 2**32)))
    for _ in range(random.randrange(250)):
        with suppress(Refusal):
            carry_out_some(table, random)
    return table


@given(tables())
def test_the_log_tells_everything(table: Tabling) -> None:
    """Folded again it gives the same table; sent to a client it gives the same by another clock."""
    state = EMPTY_TABLE
    for event, now in zip(table.log, table.times, strict=True):
        state = evolve(state, event, now)
    assert state == table.state
    news = decode_answer(encode(News(table="ABCD", version=1, news=tuple(table.log))))
    assert isinstance(news, News)
    assert news.news == tuple(table.log)
    there = EMPTY_TABLE
    for event, now in zip(news.news, table.times, strict=True):
        there = evolve(there, event, now + 12_345.0)
    by_own_clock = {"clocks", "away_since", "absence", "counted"}
    for name in {*TABLE_FIELDS} - by_own_clock:
        assert getattr(there, name) == getattr(state, name), name
    assert there.away == state.away
    if state.clocks is not None and there.clocks is not None:
        now = table.now
        for side in Side:
            left = there.clocks.left(side, now + 12_345.0)
            assert left == pytest.approx(state.clocks.left(side, now), abs=1e-6)


TABLE_FIELDS = EMPTY_TABLE.__struct_fields__


@given(tables())
def test_the_position_is_that_of_the_core(table: Tabling) -> None:
    """The actions that were not taken back, played from the set-up, lead to where the table stands."""
    line: list[Position] = [EMPTY_TABLE.position]
    for event in table.log:
        match event:
            case happened.Began(setup=setup, seed=seed):
                line = [set_up(Setup(setup), seed)]
            case happened.Acted(by=by, action=token):
                assert line[-1].side == by
                line.append(play(line[-1], action_of(token))[1])
            case happened.Ended(reason=reason, winner=winner):
                line.append(play(line[-1], ending_of(reason, winner))[1])
            case happened.TakenBack(actions=actions):
                assert 0 < actions < len(line)
                del line[len(line) - actions :]
    assert table.state.position == line[-1]
    assert table.state.actions == len(line) - 1


@given(tables())
def test_a_game_ends_once(table: Tabling) -> None:
    """By the rules or by what happened outside the board; and then both clocks stand still."""
    state = EMPTY_TABLE
    running = False
    for event, now in zip(table.log, table.times, strict=True):
        before = state
        state = evolve(state, event, now)
        match event:
            case happened.Began():
                assert not running
                running = True
            case happened.Acted() | happened.Ended() | happened.TakenBack():
                assert running
                assert before.stage is Stage.PLAYING or isinstance(event, happened.Ended)
                running = not state.position.over
        assert running == state.in_game
        if state.clocks is not None and not running:
            assert state.clocks.running is None
        if state.stage in (Stage.PAUSED, Stage.ADJOURNED) and state.clocks is not None:
            assert state.clocks.running is None


@given(tables())
def test_time_is_neither_lost_nor_found(table: Tabling) -> None:
    """What a side had, won and was given, less what it spent, is what is left; and it spent no more than
    went by."""
    state = EMPTY_TABLE
    ledger: dict[Side, int] = {}
    turn = 0.0
    for event, now in zip(table.log, table.times, strict=True):
        state = evolve(state, event, now)
        if event.clocks is None or state.clocks is None:
            continue
        rule = state.clocks.rule
        shown = {WHITE: event.clocks.white, BLACK: event.clocks.black}
        match event:
            case happened.Acted(by=by, spent=spent):
                side = Side(by)
                assert 0 <= spent <= (now - turn) * 1000 + 3
                ledger[side] -= spent
                if rule.kind is ClockKind.FISCHER and state.in_game:
                    ledger[side] += round(rule.extra * 1000)
                if rule.kind in (ClockKind.TOTAL, ClockKind.FISCHER):
                    assert shown == ledger
                elif rule.kind is ClockKind.DELAY:
                    assert ledger[side] <= shown[side] <= ledger[side] + rule.extra * 1000
                elif state.in_game:
                    assert set(shown.values()) == {rule.seconds * 1000}
                ledger, turn = shown, now
            case happened.TimeGiven(by=by, given=given):
                ledger[Side(by).other] += given
            case happened.Began() | happened.TakenBack():
                ledger, turn = shown, now
        # Only a clock that runs shows less than before, and none shows less than nothing.
        assert all(value >= 0 for value in shown.values())
        assert all(shown[side] <= ledger[side] for side in Side)
        assert shown[state.position.side.other] == ledger[state.position.side.other]


@settings(max_examples=40)
@given(tables())
def test_an_abandoned_game_comes_to_an_end(table: Tabling) -> None:
    """When everybody goes and time is counted, a game that is played ends by itself, in bounded time."""
    for side in Side:
        table.go_away(side)
    played = table.state.stage is Stage.PLAYING
    table.pass_time(24 * 3600)
    assert ruling.next_deadline(table.state, table.now) is None
    bot = any(seat.level is not None for seat in table.state.seats.values())
    if played and table.state.clocks is not None and not bot:
        assert table.state.stage is Stage.OVER


def test_happenings_are_told_by_their_names() -> None:
    """A log that was written by one release is read by the next: the names are the form."""
    event = happened.Acted(at=5, by="w", action="a1b1", spent=20)
    written = msgspec.json.encode(event)
    assert written == b'{"event":"Acted","by":"w","action":"a1b1","spent":20,"at":5,"clocks":null}'
