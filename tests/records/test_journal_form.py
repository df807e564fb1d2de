"""A game's log file says all that the log says, and what was done to it does not go unseen."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.core.events import GameEnded, PlaceRest, StackMoved, StacksRemoved, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import CellMark, CellsMarked, Commented, Entry, HeadMoved, MarkKind
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.journal_form import (
    Header,
    LineFault,
    aside_content,
    header_content,
    read_header,
    read_seating,
    seal,
    seating_content,
)
from dvonn_tui.records.journal_reading import JournalFault, Reading, read_journal
from dvonn_tui.records.seating import Seating
from dvonn_tui.records.turn_clock import TurnClock
from tests.core.test_log_faults import same
from tests.core.tools import FULL, cell, move
from tests.core.wandering import games
from tests.records.journal_tools import BEGUN, HEADER, SEATING, contents_of, file_of, sealed
from tests.terminal.games import ENDING, ENDING_MOVES


def played() -> Game:
    """A game with a cut-off, a pass, an end, two lines, a comment and marked cells."""
    game = Game.at(parse_position(ENDING), white="Zoë", black="[/")
    for token in ENDING_MOVES:
        game.play(move(token))
    game.undo()
    game.undo()
    game.play(legal_moves(game.position)[0])
    game.comment(game.head, "two\nlines, “quoted” {braced} \ud800 \x1b[2J")
    game.mark_cells(game.head, [CellMark(cell("f3"), MarkKind.STAR)])
    kinds = {type(entry.event) for entry in game.log}
    assert {StacksRemoved, TurnPassed, GameEnded, HeadMoved, Commented, CellsMarked} <= kinds
    return game


def whole(data: bytes) -> Reading:
    """What a file tells that has no fault."""
    reading = read_journal(data)
    assert (reading.torn, reading.damage, reading.size) == ("", "", len(data))
    return reading


@given(games())
def test_every_log_comes_back(game: Game) -> None:
    """Any tree with all its marks: the log, the head, the order of lines, comments and marked cells."""
    data = file_of(game)
    reading = whole(data)
    same(reading.game, game)
    for entry in game.log:
        assert reading.game.comment_of(entry) == game.comment_of(entry)
        assert reading.game.cell_marks(entry) == game.cell_marks(entry)
    assert reading.game.main_line() == game.main_line()
    assert (reading.header, reading.seating) == (HEADER, SEATING)
    assert data.isascii()
    assert data.count(b"\n") == len(game.log) + 1


def test_comments_and_names_come_back_letter_by_letter() -> None:
    """Whatever is in a comment; names are those that the screen can show."""
    game = played()
    again = whole(file_of(game)).game
    assert again.comment_of(again.head) == game.comment_of(game.head)
    assert (again.started.white, again.started.black) == ("Zoë", "[/")


plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
details = st.dictionaries(st.sampled_from(["clock", "sent by", "wall"]), plain | st.lists(plain, max_size=3))


@given(details)
def test_details_come_back(riding: dict[str, object]) -> None:
    """Clock readings and the like, with the entries that they ride on."""
    game = Game.at(FULL)
    game.play(move("B4-A3"), riding)
    game.undo()
    again = whole(file_of(game)).game
    assert [dict(entry.details) for entry in again.log] == [dict(entry.details) for entry in game.log]


def test_text_among_the_details_is_cleaned() -> None:
    """It may be shown one day."""
    game = Game.at(FULL)
    game.play(move("B4-A3"), {"sent by": "Eve\x1b[2J\n"})
    entry = whole(file_of(game)).game.log[1]
    assert entry.details == {"sent by": "Eve?[2J"}


@pytest.mark.parametrize("wrong", [object(), float("nan"), {1, 2}])
def test_what_json_cannot_hold_is_refused(wrong: object) -> None:
    """Before anything is written."""
    game = Game.at(FULL)
    game.play(move("B4-A3"), {"clock": wrong})
    with pytest.raises((TypeError, ValueError)):
        file_of(game)


def test_seats_change_and_a_game_is_laid_aside() -> None:
    """The last word counts; whoever plays on takes the game up again."""
    game = Game.at(FULL)
    game.play(move("B4-A3"))
    contents = contents_of(game)
    unnamed, named = (Seating("level 10", "engine Holtz", False, *names) for names in ((), ("", "Holtz")))
    for other in (unnamed, named):
        assert whole(b"".join(sealed([*contents, seating_content(other)]))).seating == other
    assert set(seating_content(unnamed)["seats"]) == {"white", "black", "flipped"}
    assert whole(b"".join(sealed([*contents, aside_content()]))).aside
    contents = [*contents, aside_content()]
    game.undo()
    assert not whole(b"".join(sealed([*contents, contents_of(game)[-1]]))).aside


def test_what_is_left_in_a_turn_comes_back() -> None:
    """The last word counts, a line of seats without it leaves it, and whoever reads only seats finds them."""
    game = Game.at(FULL)
    game.play(move("B4-A3"))
    contents = contents_of(game)
    line = seating_content(SEATING, TurnClock(41.207, 2.5))
    assert read_seating(line["seats"]) == SEATING
    turned = seating_content(Seating(flipped=True))
    for last in ([line], [seating_content(SEATING, TurnClock(50)), line], [line, turned, aside_content()]):
        assert whole(b"".join(sealed([*contents, *last]))).turn == TurnClock(41.207, 2.5)
    assert whole(b"".join(sealed(contents))).turn is None


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        (3, "turn is no object"),
        ({"left": 3}, "delay is missing"),
        ({"left": -1, "delay": 0}, "left is no number of seconds"),
        ({"left": 1, "delay": "0"}, "delay is no number of seconds"),
        ({"left": True, "delay": 0}, "left is no number of seconds"),
        ({"left": 1e999, "delay": 0}, "left is no number of seconds"),
    ],
)
def test_what_cannot_be_left_in_a_turn(turn: object, reason: str) -> None:
    game = Game.at(FULL)
    lines = sealed([*contents_of(game), seating_content(SEATING)])
    text = json.dumps({**seating_content(SEATING), "turn": turn}).replace("Infinity", "1e999").encode()
    checksum = crc32(text, int(lines[-1][:8], 16))
    reading = read_journal(b"".join(lines) + b"%08x %b\n" % (checksum, text))
    assert reading.damage == f"line 4: {reason}"


def test_the_time_comes_back_with_its_distance_from_utc() -> None:
    begun = datetime.fromisoformat("2026-11-30T15:30:12+05:45")
    header = Header(begun, Seating(), "2026-11-29-101500-ada-bob.dvnlog")
    assert read_header(header_content(header)) == header
    assert read_header(header_content(header)).begun.utcoffset() == begun.utcoffset()


def test_a_table_on_another_machine_comes_back_and_is_told_only_where_there_is_one() -> None:
    begun = datetime.fromisoformat("2026-11-30T15:30:12+01:00")
    header = Header(begun, Seating(), table="play.example.org:3866/KZ7Q2M")
    assert read_header(header_content(header)) == header
    assert "table" not in header_content(Header(begun))
    assert read_header({**header_content(header), "table": "a\x1b[2J/X"}).table == "a?[2J/X"


# Torn off -----------------------------------------------------------------------------------------


def test_every_beginning_of_a_file_loads_to_a_whole_action() -> None:
    """Cut at every byte: what was written whole is there, what was not is told, and nothing else happens."""
    game = played()
    lines = sealed(contents_of(game))
    data = b"".join(lines)
    ends = [0]
    for line in lines:
        ends.append(ends[-1] + len(line))
    for size in range(len(data) + 1):
        entries = sum(end <= size for end in ends[1:]) - 1
        while entries > 0 and entries < len(game.log) and game.log[entries].action != entries:
            entries -= 1
        if entries <= 0:
            with pytest.raises(JournalFault) as fault:
                read_journal(data[:size])
            assert not fault.value.begun
            continue
        reading = read_journal(data[:size])
        assert reading.game.log == game.log[:entries]
        assert reading.size == ends[entries + 1]
        assert reading.damage == ""
        assert bool(reading.torn) == (size > reading.size)
        if reading.torn:
            assert f"({size - reading.size} bytes after line {entries + 1})" in reading.torn


def test_half_of_a_placement_at_random_is_no_action() -> None:
    """The rules would take 20 placements; but somebody saw 49 placed, or none."""
    game = Game.new(Setup.MANUAL)
    game.play(PlaceRest(5))
    lines = sealed(contents_of(game))
    reading = read_journal(b"".join(lines[:20]))
    assert len(reading.game.log) == 1
    assert reading.torn.startswith("an unfinished action at the end was left out")


def test_zeros_at_the_end_are_torn_off() -> None:
    """As some file systems leave them after a loss of power."""
    data = file_of(played())
    reading = read_journal(data + bytes(500))
    assert reading.size == len(data)
    assert reading.torn
    assert not reading.damage


# Damaged ------------------------------------------------------------------------------------------


def test_a_changed_byte_never_makes_another_game() -> None:
    """Each byte of a file in turn: the game is the same up to the line with the fault."""
    game = played()
    data = file_of(game)
    for place in range(len(data)):
        wrong = bytearray(data)
        wrong[place] ^= 1 << place % 8
        line = data.count(b"\n", 0, place) + 1
        try:
            reading = read_journal(bytes(wrong))
        except JournalFault:
            assert line <= 2
            continue
        assert reading.game.log == game.log[: len(reading.game.log)]
        assert len(reading.game.log) < line
        assert reading.damage.startswith(f"line {line}: ") or reading.torn


@pytest.mark.parametrize("what", ["missing", "doubled", "exchanged", "of another game"])
def test_whole_lines_in_a_wrong_place_are_found(what: str) -> None:
    """Each of them has the right checksum, in its own place."""
    lines = sealed(contents_of(played()))
    here = lines.index(next(line for line in lines if b"StackMoved" in line))
    other = Game.at(FULL)
    other.play(move("B4-A3"))
    middle = {
        "missing": [],
        "doubled": [lines[here], lines[here]],
        "exchanged": [lines[here + 1], lines[here]],
        "of another game": [sealed(contents_of(other))[-1]],
    }[what]
    rest = lines[here + 2 :] if what == "exchanged" else lines[here + 1 :]
    reading = read_journal(b"".join([*lines[:here], *middle, *rest]))
    known = here + 1 if what == "doubled" else here
    assert len(reading.game.log) == known - 1
    assert reading.damage.startswith(f"line {known + 1}: the checksum is wrong")


def test_the_rules_are_asked_again() -> None:
    """A line that is whole and tells of something that cannot be."""
    game = Game.at(FULL)
    for text in ("B4-A3", "K3-K4"):
        game.play(move(text))
    for place, change in (
        (2, {"target": "c3"}),
        (3, {"by": "w"}),
        (3, {"p": 0}),
        (2, {"event": "TurnPassed", "by": "w"}),
    ):
        contents = contents_of(game)
        contents[place] = {**contents[place], **change}
        reading = read_journal(b"".join(sealed(contents)))
        assert reading.damage.startswith(f"line {place + 1}: entry {place - 1}: ")
        assert reading.game.log == game.log[: place - 1]
        assert reading.size == sum(len(line) for line in sealed(contents)[:place])


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"n": 7}, "entry 7 where entry 1 belongs"),
    ({"n": True}, "n is no whole number"),
    ({"p": 1}, "p is 1, and there is no such entry yet"),
    ({"p": "0"}, "p is no whole number"),
    ({"a": 0}, "it belongs to an action that is finished"),
    ({"entries": 0}, "an action without entries"),
    ({"event": "Castled"}, "no event 'Castled' is known"),
    ({"event": 3}, "event is no text"),
    ({"source": "a9"}, "source is 'a9', which is no cell"),
    ({"by": "x"}, "by is 'x', not one of w, b"),
    ({"details": 3}, "details are no object"),
    ({"details": {"a": {"b": {}}}}, "details are nested too deep"),
    ({"mark": "Erased"}, "no mark 'Erased' is known"),
    ({"mark": "CellsMarked", "to": 0}, "no cells that were marked"),
    ({"mark": "CellsMarked", "to": 0, "cells": {"z9": "star"}}, "cell is 'z9', which is no cell"),
    ({"mark": "CellsMarked", "to": 0, "cells": {"a1": "moon"}}, "a1 is 'moon', not one of"),
    ({"mark": "HeadMoved", "to": 9}, "to is 9, and there is no such entry yet"),
    ({"event": "StacksRemoved", "cells": {"a1": "w"}}, "no stack 'w' on 'a1'"),
    ({"event": "StacksRemoved", "cells": [1]}, "no stacks that were removed"),
    ({"event": "GameEnded", "winner": "w", "reason": "boredom", "score": [1, 2]}, "reason is 'boredom'"),
    ({"event": "GameEnded", "winner": "w", "reason": "no moves", "score": [1]}, "score is no pair"),
    ({"event": "GameStarted", "setup": "random"}, "position is missing"),
    ({"event": "GameStarted", "position": "9 w m"}, "the position cannot be read"),
]


@pytest.mark.parametrize(("change", "reason"), WRONG)
def test_a_line_that_says_nothing_that_can_be(change: dict[str, Any], reason: str) -> None:
    """It is named, with why, and everything before it is loaded."""
    game = Game.at(FULL)
    game.play(move("B4-A3"))
    contents = contents_of(game)
    contents[-1] = {**contents[-1], **change}
    reading = read_journal(b"".join(sealed(contents)))
    assert reading.damage.startswith(f"line 3: {reason}")
    assert reading.game.log == game.log[:1]


@pytest.mark.parametrize("content", [{"what": 1}, {"seats": 3}, {"seats": {"white": 1}}, {"aside": 1}])
def test_a_line_of_no_known_kind(content: dict[str, Any]) -> None:
    game = Game.at(FULL)
    assert read_journal(b"".join(sealed([*contents_of(game), content]))).damage.startswith("line 3: ")


def test_a_line_that_is_no_object() -> None:
    """Nested deeper than any reader goes, or nothing that JSON knows."""
    data = file_of(Game.at(FULL))
    checksum = int(data.splitlines()[-1][:8], 16)
    for text in (b"[" * 100_000, b"3", b"{", b'{"n":' + b"9" * 10_000 + b"}", b"\xff"):
        line = b"%08x %b\n" % (crc32(text, checksum), text)
        reading = read_journal(data + line)
        assert reading.damage.startswith("line 3: not ")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"hello\n", "line 1: the checksum is wrong"),
        (seal({"n": 0}, 0)[0], "line 1: journal is missing"),
        (seal({**header_content(HEADER), "journal": 2}, 0)[0], "line 1: written by a newer dvonn-tui"),
        (seal({**header_content(HEADER), "begun": "today"}, 0)[0], "line 1: no time"),
        (seal({**header_content(HEADER), "flipped": 1}, 0)[0], "line 1: flipped is neither"),
        (b"", "it ends in its first line"),
        (seal(header_content(HEADER), 0)[0], "it ends before the start of the game"),
    ],
)
def test_a_file_of_which_nothing_can_be_loaded(data: bytes, reason: str) -> None:
    with pytest.raises(JournalFault, match=f"^{reason}"):
        read_journal(data)


def test_a_wrong_seed_leaves_nothing() -> None:
    """The board is drawn again; without the right start there is no game."""
    contents = contents_of(Game.new(Setup.BALANCED, 4711))
    contents[1]["seed"] = 4712
    with pytest.raises(JournalFault, match="line 2: entry 0: the seed gives another board"):
        read_journal(b"".join(sealed(contents)))


def test_names_are_cleaned() -> None:
    """A file is text from outside."""
    contents = contents_of(Game.at(FULL))
    contents[1] |= {"white": "Eve\x1b[2J", "black": "\n"}
    contents[0] |= {"black": "level\n3"}
    reading = whole(b"".join(sealed(contents)))
    assert (reading.game.started.white, reading.game.started.black) == ("Eve?[2J", "Black")
    assert reading.seating.black == "level 3"


def test_an_entry_that_is_not_the_games_is_told_apart_by_its_position() -> None:
    """What is read is compared with what the rules make, position and all."""
    game = Game.at(FULL)
    (entry,) = game.play(move("B4-A3"))
    assert isinstance(entry.event, StackMoved)
    again = whole(file_of(game)).game.log[1]
    assert format_position(again.position) == format_position(entry.position)
    assert again != replace(entry, position=FULL)
    assert isinstance(again, Entry)


def test_the_checksum_begins_with_that_of_the_line_before() -> None:
    """So equal lines have other checksums in other places, and fit nowhere else."""
    first, checksum = seal({"aside": True}, 0)
    second, _ = seal({"aside": True}, checksum)
    assert first != second
    from dvonn_tui.records.journal_form import unseal

    assert unseal(second[:-1], checksum)[0] == {"aside": True}
    with pytest.raises(LineFault):
        unseal(second[:-1], 0)


def test_a_time_of_no_zone_is_read() -> None:
    assert read_header({**header_content(HEADER), "begun": BEGUN.isoformat()}).begun == BEGUN
