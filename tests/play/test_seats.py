"""Seats: their text, how their engines are started, and how long they may think."""

from __future__ import annotations

import pytest

from dvonn_tui.core.pieces import Side
from dvonn_tui.external import PROTOCOLS, EngineSettings
from dvonn_tui.play.clocks import Clocks, parse_clock
from dvonn_tui.play.protocols import ProtocolName
from dvonn_tui.play.seats import (
    HUMAN,
    EngineSeat,
    LevelSeat,
    clock_values,
    launch_of,
    limits_of,
    parse_seat,
    seat_name,
)
from dvonn_tui.play.thoughts import Limits

ENGINES = {
    "Holtz": EngineSettings("/opt/holtz --time={gametime} 'two words'", "codecup", gametime=60),
    "human level 3": EngineSettings("x", movetime=500),
    "plain": EngineSettings("x"),
}


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("human", HUMAN),
        ("level 1", LevelSeat(1)),
        ("level 10", LevelSeat(10)),
        ("engine Holtz", EngineSeat("Holtz", ENGINES["Holtz"])),
        ("engine human level 3", EngineSeat("human level 3", ENGINES["human level 3"])),
    ],
)
def test_text_there_and_back(text: str, seat: object) -> None:
    assert parse_seat(text, ENGINES) == seat
    assert str(seat) == text
    assert parse_seat("  " + text.replace(" ", "   ", 1), ENGINES) == seat


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "cannot read the seat ''"),
        ("human 1", "cannot read the seat 'human 1': it can be human, level 3, engine NAME"),
        ("level", "a level is a number from 1 to 10, not ''"),
        ("level 0", "a level is a number from 1 to 10"),
        ("level 11", "a level is a number from 1 to 10"),
        ("level \u00b2", "a level is a number from 1 to 10"),
        ("engine", "cannot read the seat"),
        ("engine \x1b[2J", "no engine '?[2J'; known are Holtz, human level 3, plain"),
    ],
)
def test_what_is_no_seat(text: str, told: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        parse_seat(text, ENGINES)
    assert str(caught.value).startswith(told)


def test_no_engines_known() -> None:
    with pytest.raises(ValueError, match="known are none; they are named in the settings file"):
        parse_seat("engine Holtz", {})


def test_starting_and_limits() -> None:
    level = launch_of(LevelSeat(3), 7)
    assert (level.name, level.protocol) == ("Level 3", ProtocolName.OWN)
    assert level.options == {"level": "3", "seed": "7"}
    assert level.command[-1] == "dvonn_tui.engine"
    holtz = launch_of(EngineSeat("Holtz", ENGINES["Holtz"]), 7)
    assert holtz.command == ("/opt/holtz", "--time={gametime}", "two words")
    assert holtz.values["gametime"] == "60"
    assert holtz.protocol is ProtocolName.CODECUP
    assert seat_name(HUMAN) == "Human"
    assert limits_of(LevelSeat(3), 5.0).words() == ""
    assert limits_of(EngineSeat("Holtz", ENGINES["Holtz"]), 0.25) == Limits(clocks=(59_750, 59_750))
    assert limits_of(EngineSeat("Holtz", ENGINES["Holtz"]), 99.0) == Limits(clocks=(1, 1))
    assert limits_of(EngineSeat("x", ENGINES["human level 3"]), 9.0) == Limits(movetime=500)
    assert limits_of(EngineSeat("x", ENGINES["plain"]), 9.0) == Limits(movetime=2_000)


def clocks(rule: str, white: float = 100, black: float = 200, grace: float = 0) -> Clocks:
    """Clocks of which Black's runs, read just now."""
    return Clocks(parse_clock(rule), white, black, Side.BLACK, grace, since=5000.0)


def test_a_clock_tells_engines_what_is_left() -> None:
    """A little less than there is, so that the answer comes in time; levels have their nodes beside it."""
    for seat in (LevelSeat(3), EngineSeat("Holtz", ENGINES["Holtz"]), EngineSeat("x", ENGINES["plain"])):
        limits = limits_of(seat, 55.0, clocks("5"))
        assert limits.words() == " wtime 99900 btime 199900 winc 0 binc 0"
        assert limits_of(seat, 55.0, clocks("5+3")).words() == " wtime 99900 btime 199900 winc 3000 binc 3000"
    ready = limits_of(EngineSeat("x", ENGINES["human level 3"]), 0.0, clocks("5"))
    assert (ready.clocks, ready.movetime) == ((99_900, 199_900), 500)


def test_what_is_left_of_a_delay_belongs_to_the_turn() -> None:
    limits = limits_of(LevelSeat(3), 0.0, clocks("5d3", grace=2))
    assert limits.clocks == (99_900, 201_900)
    assert limits.increments == (0, 0), "a delay that is not used is no time for later"


def test_a_limit_for_each_move_is_not_used_up() -> None:
    assert limits_of(LevelSeat(3), 0.0, clocks("30s", 30, 20)) == Limits(movetime=15_900)
    assert limits_of(EngineSeat("x", ENGINES["human level 3"]), 0.0, clocks("30s")) == Limits(movetime=500)


def test_with_nothing_left_an_engine_is_told_to_play_at_once() -> None:
    assert limits_of(LevelSeat(3), 0.0, clocks("5", 0.05, 0.0)).clocks == (1, 1)
    assert limits_of(LevelSeat(3), 0.0, clocks("5s", 5, 0.0)).movetime == 1


def test_a_clock_fills_in_the_times_of_a_command() -> None:
    assert clock_values(parse_clock("none")) == {}
    assert clock_values(parse_clock("5+3")) == {"gametime": "300"}
    assert clock_values(parse_clock("30s")) == {"movetime": "24000", "seconds": "24"}


def test_the_protocols_have_one_list_of_names() -> None:
    assert tuple(ProtocolName) == PROTOCOLS
