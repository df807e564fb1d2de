"""What is damaged is read up to the fault, and the fault is told with its place."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn_tui.core.log import Entry
from dvonn_tui.records.forms import BY_NAME, read, write
from dvonn_tui.records.limits import LONGEST_LINE, MOST_FAULTS
from dvonn_tui.records.record import Record, Unreadable
from dvonn_tui.records.tree import tree_of

from .mutation import mutated, samples
from .tools import DATA, clean, faults, only, tokens

TAGS = '[Event "Club"]\n[Setup "position"]\n[Layout "9/1wb7/2rwbw5/wb8/9 w m"]\n'

FAULTS = {
    "an illegal move": (
        "1. a2b2 a2b2 d4c4 *",
        ["a2b2"],
        "line 5, column 9, ply 2 (a2b2): a2 is empty",
    ),
    "no such cell": ("1. a2b2 b3z9 *", ["a2b2"], "line 5, column 9, ply 2 (b3z9): no such cell: z9"),
    "no token": ("1. a2b2 xyzzy *", ["a2b2"], "line 5, column 9, ply 2 (xyzzy): cannot read 'xyzzy'"),
    "an open comment": (
        "1. a2b2 {good d4c4 *",
        ["a2b2"],
        "line 5, column 9, ply 1 (good d4c4 *): this comment is not closed",
    ),
    "an open variation": ("1. a2b2 (d3c3 *", ["a2b2"], "line 5, column 15, ply 2 (*): a result"),
    "a closed one too much": ("1. a2b2 ) d4c4 *", ["a2b2", "d4c4"], "line 5, column 9, ply 2 ()): no"),
    "no result": ("1. a2b2 d4c4", ["a2b2", "d4c4"], "line 5, column 13, ply 3: the result (1-0"),
    "a pass of one who can move": (
        "1. a2b2 pass *",
        ["a2b2"],
        "line 5, column 9, ply 2 (pass): nobody",
    ),
    "cut off what it does not": (
        "1. a2b2 {[%rm a1]} d4c4 *",
        ["a2b2", "d4c4"],
        "line 5, column 4, ply 1 (a2b2): said to cut off a1; by the rules it cuts off nothing",
    ),
    "a fault in a variation": (
        "1. a2b2 (d3c3 d3c3 (x y) z) d4c4 *",
        ["a2b2", "d4c4"],
        "line 5, column 15, ply 2 (d3c3): d3 is empty",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_native_faults(name: str) -> None:
    """Line, column, ply, token and reason; all before it is there."""
    moves, played, told = FAULTS[name]
    text = f'{TAGS}[Result "*"]\n{moves}'
    record = only(text)
    assert faults(record)[0].startswith(told)
    assert tokens(record.game) == played


HEADERS = {
    '[Event "Club': "a tag is written as",
    "[Event Club]": "a tag is written as",
    '[Layout "9/9 w m"]': "layout, character",
    '[Setup "balanced seed 99999999999999999999"]': "",
    '[Setup "position"]': "the layout is missing",
    '[Result "1-0"]': "the result is said to be 1-0 above and * here",
    '[Score "9-9"]': "the score is said to be 9-9, but the moves lead to 0-0",
}


@pytest.mark.parametrize("header", HEADERS)
def test_odd_headers(header: str) -> None:
    """Told, and the other tags are there."""
    record = only(f'[Site "here"]\n{header}\n[Round "3"]\n\n1. a1 b1 *\n')
    assert (record.tags["Site"], record.tags["Round"]) == ("here", "3")
    said = [*faults(record), *map(str, record.remarks)]
    assert said
    assert HEADERS[header] in said[0]


def test_repeated_headers() -> None:
    """The first one counts, and it is said."""
    record = clean('[Event "one"]\n[Event "two"]\n\n1. a1 *\n')
    assert record.tags["Event"] == "one"
    assert "this tag was there before" in str(record.remarks[0])


def test_what_follows_a_fault_is_counted() -> None:
    """Nothing is left out without a word."""
    record = only("A1 B1 C1 C1 D1 E1")
    assert tokens(record.game) == ["a1", "b1", "c1"]
    assert faults(record) == [
        "line 1, column 10, ply p4 (C1): c1 is taken: choose an empty cell",
        "2 tokens after it not read",
    ]


def test_many_faults() -> None:
    """Reading a game ends when there are too many; the next game is read."""
    text = f"{TAGS}\n1. a2b2 {'(zz) ' * 100} d4c4 *\n\n{TAGS}\n1. a2b2 *\n"
    one, two = read(text)
    assert len(one.faults) <= MOST_FAULTS + 1
    assert str(MOST_FAULTS) in str(one.faults[-1])
    assert not two.faults


@pytest.mark.parametrize("name", ["little-golem.txt", "game-53360.dvg", "game-53360.log"])
def test_truncated_files(name: str) -> None:
    """Everything before the cut is there; where a form has an end, its absence is told."""
    text = (DATA / name).read_text("ascii")
    whole = tokens(clean(text).game)
    for length in range(120, len(text), 7):
        try:
            record = only(text[:length])
        except Unreadable:
            continue
        played = tokens(record.game)
        assert whole[: len(played)] == played
        if name.endswith("dvg") and "BREAK" not in text[:length]:
            assert record.faults


def test_truncated_native_files() -> None:
    """Wherever one is cut, it is told."""
    text = write(clean((DATA / "little-golem.txt").read_text("ascii")))
    whole = tokens(clean(text).game)
    for length in range(20, len(text) - 3, 9):
        record = only(text[:length])
        played = tokens(record.game)
        assert record.faults
        assert whole[: len(played)] == played


@settings(max_examples=200)
@given(st.integers(0, 2**32), st.sampled_from(list(samples())))
def test_mutated_files(seed: int, name: str) -> None:
    """Only clean errors, and a game that can be walked through and written."""
    data = mutated(samples()[name], Random(seed))
    for record in read_mutated(data):
        check(record)


def read_mutated(data: bytes) -> list[Record]:
    """The games of damaged bytes; none when they are refused in words."""
    try:
        return list(read(data))
    except Unreadable:
        return []


def check(record: Record) -> None:
    """Nothing in a record can do harm, and it can be written."""
    for fault in (*record.faults, *record.remarks):
        assert str(fault).isprintable()
    entries: tuple[Entry, ...] = record.game.main_line()
    assert entries[-1] == record.end
    again = list(read(write(record, BY_NAME["dvn"])))
    assert len(again) == 1
    assert tokens(again[0].game) == tokens(record.game)
    assert tree_of(record.game).token == ""


@pytest.mark.parametrize("name", list(samples()))
def test_a_first_line_that_is_too_long(name: str) -> None:
    """Whatever the form: the limit is named, or it is said that there is no game; nothing else."""
    begin = samples()[name].split(b"\n")[0] or b"A1"
    for record in read_mutated(begin + b" " + b"a1 " * LONGEST_LINE):
        assert f"a line has at most {LONGEST_LINE:,} bytes" in faults(record)[-1]
        assert tokens(record.game) == []
