"""Clocks are values: nothing is won or lost by reading them, and what is written can be read again."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.clocks import (
    LONGEST,
    MOST_EXTRA,
    NO_CLOCK,
    SHORTEST,
    ClockKind,
    ClockRule,
    Clocks,
    clock_text,
    parse_clock,
    read_time_control,
    time_control,
)

WHITE, BLACK = Side.WHITE, Side.BLACK
FIVE = ClockRule(ClockKind.TOTAL, 300)
FISCHER = ClockRule(ClockKind.FISCHER, 300, 3)
DELAY = ClockRule(ClockKind.DELAY, 300, 5)
MOVE = ClockRule(ClockKind.MOVE, 30)

seconds = st.integers(1, int(LONGEST)).map(float)
extras = st.integers(1, int(MOST_EXTRA)).map(float)
rules = st.one_of(
    st.builds(ClockRule, st.just(ClockKind.TOTAL), seconds),
    st.builds(ClockRule, st.sampled_from([ClockKind.FISCHER, ClockKind.DELAY]), seconds, extras),
    st.builds(ClockRule, st.just(ClockKind.MOVE), seconds),
)
waits = st.floats(0, 500, allow_nan=False)
deeds = st.lists(st.tuples(st.sampled_from(["read", "halt", "run", "turn", "again"]), waits), max_size=20)


@given(rules, deeds)
def test_no_clock_is_ever_negative_or_above_what_it_can_be(
    rule: ClockRule, deeds: list[tuple[str, float]]
) -> None:
    clocks, now, side = Clocks.full(rule), 1000.0, WHITE
    most = rule.seconds
    for deed, wait in deeds:
        now += wait
        match deed:
            case "read":
                clocks = clocks.read(now)
            case "halt":
                clocks = clocks.halt(now)
            case "run":
                clocks = clocks.run(side, now)
            case "turn":
                clocks = clocks.turn(side, side.other, now)
                side = side.other
            case "again":  # the other had to pass
                clocks = clocks.turn(side, side, now)
        if deed in ("turn", "again") and rule.kind is ClockKind.FISCHER:
            most = min(most + rule.extra, LONGEST)
        for each in Side:
            assert 0 <= clocks.left(each, now) <= most
        assert 0 <= clocks.delay_left(now) <= rule.extra


@given(st.lists(st.tuples(waits, st.booleans()), max_size=12))
def test_time_is_taken_from_nobody_but_the_side_whose_clock_runs(turns: list[tuple[float, bool]]) -> None:
    """What both have left and what was used is what there was, however often the clocks were read."""
    rule = ClockRule(ClockKind.TOTAL, LONGEST)
    clocks, now, side = Clocks.full(rule).run(WHITE, 0.0), 0.0, WHITE
    used = dict.fromkeys(Side, 0.0)
    for wait, halted in turns:
        if halted:
            clocks = clocks.halt(now)
            now += 77.0
            clocks = clocks.run(side, now)
        clocks = clocks.read(now + wait / 2)
        now += wait
        used[side] += wait
        clocks = clocks.turn(side, side.other, now)
        side = side.other
    for each in Side:
        assert clocks.left(each, now) == pytest.approx(LONGEST - used[each], abs=1e-6)


def test_a_flag_falls_when_nothing_is_left_and_not_before() -> None:
    clocks = Clocks.full(FIVE).run(WHITE, 10.0)
    assert clocks.seconds_to_flag(10.0) == 300
    assert clocks.fallen(math.nextafter(310.0, 0)) is None
    assert clocks.fallen(310.0) is WHITE
    assert clocks.left(BLACK, 310.0) == 300
    assert clocks.halt(400.0).fallen(500.0) is None, "a clock that stands still does not fall"


def test_an_increment_comes_after_the_action_and_not_at_the_end_of_the_game() -> None:
    clocks = Clocks.full(FISCHER).run(WHITE, 0.0)
    assert clocks.turn(WHITE, BLACK, 10.0).left(WHITE, 10.0) == 293
    assert clocks.turn(WHITE, None, 10.0).left(WHITE, 10.0) == 290
    assert clocks.turn(WHITE, None, 10.0).running is None


def test_increments_do_not_go_beyond_the_longest_clock() -> None:
    clocks = Clocks.full(ClockRule(ClockKind.FISCHER, LONGEST, 600)).run(WHITE, 0.0)
    assert clocks.turn(WHITE, BLACK, 0.0).left(WHITE, 0.0) == LONGEST


def test_a_delay_is_used_up_first_and_is_whole_again_in_the_next_turn() -> None:
    clocks = Clocks.full(DELAY).run(WHITE, 0.0)
    assert clocks.left(WHITE, 5.0) == 300
    assert clocks.left(WHITE, 6.0) == 299
    assert clocks.seconds_to_flag(2.0) == 303
    halted = clocks.halt(3.0).run(WHITE, 100.0)
    assert halted.left(WHITE, 102.0) == 300, "a halt keeps what is left of the delay"
    assert halted.left(WHITE, 103.0) == 299
    following = clocks.turn(WHITE, BLACK, 8.0)
    assert following.left(WHITE, 8.0) == 297
    assert following.left(BLACK, 13.0) == 300


def test_a_limit_for_each_action_is_whole_again_in_each_turn() -> None:
    clocks = Clocks.full(MOVE).run(WHITE, 0.0).turn(WHITE, BLACK, 29.0)
    assert (clocks.left(WHITE, 29.0), clocks.left(BLACK, 29.0)) == (30, 30)
    assert clocks.fallen(59.0) is BLACK
    assert clocks.turn(BLACK, None, 59.0).left(BLACK, 59.0) == 0, "the last reading stays"


def test_a_reading_from_before_gives_no_time_back_and_takes_none() -> None:
    clocks = Clocks.full(FIVE).run(WHITE, 100.0)
    assert clocks.read(50.0) == clocks
    assert clocks.read(50.0).left(WHITE, 110.0) == 290


@given(rules)
def test_a_rule_is_read_as_it_was_written(rule: ClockRule) -> None:
    written = parse_clock(str(rule))
    assert str(written) == str(rule)
    assert written.kind is rule.kind
    assert written.seconds == pytest.approx(rule.seconds, abs=1e-4)
    assert read_time_control(time_control(rule)) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("none", NO_CLOCK),
        ("off", NO_CLOCK),
        ("10", ClockRule(ClockKind.TOTAL, 600)),
        (" 0.5 ", ClockRule(ClockKind.TOTAL, 30)),
        ("5+3", ClockRule(ClockKind.FISCHER, 300, 3)),
        ("5 + 3", ClockRule(ClockKind.FISCHER, 300, 3)),
        ("5+0", ClockRule(ClockKind.TOTAL, 300)),
        ("5D3", ClockRule(ClockKind.DELAY, 300, 3)),
        ("30s", ClockRule(ClockKind.MOVE, 30)),
        ("1440", ClockRule(ClockKind.TOTAL, LONGEST)),
    ],
)
def test_rules_are_read(text: str, rule: ClockRule) -> None:
    assert parse_clock(text) == rule


@pytest.mark.parametrize(
    "text",
    [
        *("", "ten", "-5", "5+", "+3", "5+3+3", "5/3", "1e3", "٥", "9" * 4000, "\x1b[2J"),
        *("1441", "0.5s", "86401s", "5+601"),
    ],
)
def test_what_is_no_rule_is_refused_in_clean_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"clock|increment") as refused:
        parse_clock(text)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("-", NO_CLOCK),
        ("?", NO_CLOCK),
        ("600", ClockRule(ClockKind.TOTAL, 600)),
        ("300+3", ClockRule(ClockKind.FISCHER, 300, 3)),
        ("300d3", ClockRule(ClockKind.DELAY, 300, 3)),
        ("1/30", ClockRule(ClockKind.MOVE, 30)),
    ],
)
def test_the_time_control_of_a_record_is_read_and_written(text: str, rule: ClockRule) -> None:
    assert read_time_control(text) == rule
    assert time_control(rule) == ("-" if text == "?" else text)


@pytest.mark.parametrize("text", ["40/9000:3600", "*180", "1/30+3", "0.1", "100000", "five", "[31m"])
def test_other_time_controls_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="clock"):
        read_time_control(text)


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (0, "0:00.0"),
        (0.05, "0:00.0"),
        (9.99, "0:09.9"),
        (10, "0:10"),
        (10.9, "0:10"),
        (59.999, "0:59"),
        (60, "1:00"),
        (3599.9, "59:59"),
        (3600, "1:00:00"),
        (LONGEST, "24:00:00"),
    ],
)
def test_a_clock_shows_less_rather_than_more(left: float, text: str) -> None:
    assert clock_text(left) == text


@given(st.floats(0, LONGEST, allow_nan=False))
def test_what_a_clock_shows_is_never_more_than_there_is(left: float) -> None:
    parts = [float(part) for part in clock_text(left).split(":")]
    shown = sum(part * 60**power for power, part in enumerate(reversed(parts)))
    assert left - (0.1 if left < 10 else 1) - 1e-9 <= shown <= left + 1e-9


def test_the_words_of_a_rule() -> None:
    assert [rule.words for rule in (NO_CLOCK, FIVE, FISCHER, DELAY, MOVE)] == [
        "no clock",
        "5 min a player",
        "5 min + 3 s a move",
        "5 min, delay 5 s",
        "30 s a move",
    ]
    assert SHORTEST > 0
