"""The troubles of other programs with records, each with what is right."""

from __future__ import annotations

import codecs
import io
import time

import pytest

from dvonn_tui.core.cells import CELL_NAMES
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.forms import BY_NAME, FORMS, read, write
from dvonn_tui.records.limits import LONGEST_LINE, MOST_TOKENS
from dvonn_tui.records.record import Unreadable, with_tags
from dvonn_tui.records.tree import tree_of
from tests.core.tools import FULL, board, move

from .tools import DATA, clean, faults, final, only, shape, tokens

IN_ORDER = list(CELL_NAMES)
"""Placements in row order: the board that they make is FULL."""


def native(moves: str, *tags: str) -> str:
    """A native record."""
    return "\n".join([*tags, "", moves, ""])


# D20: a forced last placement left out; pass and resign among the moves; both cases.


@pytest.mark.parametrize("last", [[], ["k5"]])
@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_d20_the_last_placement_may_be_left_out(last: list[str], case: object) -> None:
    """Filled in as White's piece; the move after it is ply 50, by White."""
    words = [*IN_ORDER[:48], *last, "k5k4"]
    if case is str.upper:
        words = [word.upper() for word in words]
    numbered = " ".join(
        f"{start // 2 + 1}. " + " ".join(words[start : start + 2]) for start in range(0, len(words), 2)
    )
    header = "Event [x] Site [www.littlegolem.net] White [a] Black [b] "
    for text in (" ".join(words), header + numbered, numbered + " *"):
        record = clean(text)
        assert tokens(record.game) == [*IN_ORDER, "k5k4"]
        moved = record.end
        assert (moved.ply, moved.placements) == (50, 49)
        before = record.game.parent(moved)
        assert before is not None
        assert before.position == FULL
        assert before.position.side is Side.WHITE


def test_d20_words_in_both_cases_and_a_pass_with_moves_left() -> None:
    """``pass``, ``PASS`` and ``resign`` are read; a pass of somebody who can move is told with its ply."""
    text = (DATA / "little-golem.txt").read_text("ascii")
    upper = text.replace("pass", "PASS").replace("resign", "RESIGN")
    assert tokens(clean(upper).game) == tokens(clean(text).game)
    record = only(" ".join([*IN_ORDER, "PASS", "K5K4"]))
    assert tokens(record.game) == IN_ORDER
    first, rest = faults(record)
    assert first.endswith("ply 1 (PASS): nobody passes here: a side that can move must move")
    assert rest == "1 token after it not read"


# R01: byte-order marks and line ends.


RECORD = native(
    "1. a2b2 {a remark\nof two lines} d4c4 *",
    '[Event "Club"]',
    '[White "Zoë"]',
    '[Setup "position"]',
    '[Layout "9/1wb7/2rwbw5/wb8/9 w m"]',
)


def variants(text: str) -> dict[str, bytes]:
    """The same record as many programs save it."""
    lf = text.encode()
    lines = lf.split(b"\n")
    mixed = b"".join(line + (b"\n", b"\r\n", b"\r")[number % 3] for number, line in enumerate(lines))
    return {
        "plain": lf,
        "mark": codecs.BOM_UTF8 + lf,
        "crlf": lf.replace(b"\n", b"\r\n"),
        "cr": lf.replace(b"\n", b"\r"),
        "mixed": mixed,
        "blanks": b"  \n".join(lines),
        "no final newline": lf.rstrip(b"\n"),
        "blank lines before": b"\n\n\n" + lf,
        "utf-16": text.encode("utf-16"),
        "utf-16-be": codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        "utf-16 without a mark": text.encode("utf-16-le"),
    }


@pytest.mark.parametrize("name", variants(""))
def test_r01_the_same_record_however_it_is_saved(name: str) -> None:
    """The same header, moves, comment and position; from bytes and from a stream."""
    expected = clean(RECORD)
    data = variants(RECORD)[name]
    for source in (data, io.BytesIO(data)):
        record = clean(source)
        assert dict(record.tags) == dict(expected.tags)
        assert (tokens(record.game), final(record)) == (tokens(expected.game), final(expected))
        if name != "blanks":
            assert shape(tree_of(record.game)) == shape(tree_of(expected.game))


def test_r01_what_is_exported() -> None:
    """UTF-8 without a mark, and LF."""
    text = write(clean(RECORD))
    assert "\r" not in text
    assert not text.startswith("\ufeff")
    assert text.endswith("\n")


@pytest.mark.parametrize("form", [form.name for form in FORMS if form.write])
@pytest.mark.parametrize("end", ["\r\n", "\r", "\n\n", " \n"])
def test_r01_all_forms(form: str, end: str) -> None:
    """Line ends make no difference to any form."""
    record = clean((DATA / "game-53360.log").read_text("ascii"))
    text = write(record, BY_NAME[form])
    assert final(clean(text.replace("\n", end))) == final(clean(text))


# R02: blank lines, games without a blank line between, other encodings.


@pytest.mark.parametrize("blank", [0, 1, 2, 5])
def test_r02_blank_lines_between_header_and_moves(blank: int) -> None:
    """Any number."""
    head, moves = RECORD.split("\n\n")
    record = clean(f"{head}\n{chr(10) * blank}{moves}")
    assert tokens(record.game) == ["a2b2", "d4c4"]


def test_r02_two_games_without_a_blank_line() -> None:
    """A tag after moves begins another game; so do moves after a result."""
    both = list(read(RECORD.rstrip("\n") + "\n" + RECORD.replace("Club", "Two")))
    assert [record.tags["Event"] for record in both] == ["Club", "Two"]
    assert [tokens(record.game) for record in both] == [["a2b2", "d4c4"]] * 2
    untagged = list(read("1. a1 b1 2. c1 * 1. d1 e1 1-0\n1. f1 *"))
    assert [tokens(record.game) for record in untagged] == [["a1", "b1", "c1"], ["d1", "e1"], ["f1"]]


def test_r02_latin_1() -> None:
    """A name in Latin-1 is read as such, and it is said; the rest of the file stays UTF-8."""
    data = RECORD.encode().replace("Zoë".encode(), b"Zo\xeb")
    record = clean(data)
    assert record.tags["White"] == "Zoë"
    assert list(map(str, record.remarks)) == ["line 2: not UTF-8: read as Latin-1"]
    log = (DATA / "game-53360.log").read_bytes().replace(b"PrimaDvonna", b"Prima\xe9")
    assert "Primaé" in clean(log).game.comment_of(clean(log).game.log[0])


@pytest.mark.parametrize("place", [0, 40, 130, -3])
def test_r02_zero_bytes(place: int) -> None:
    """Never an empty game that looks like a success."""
    data = bytearray(RECORD.encode())
    data[place:place] = b"\0"
    records = list(read(bytes(data)))
    assert records
    assert all(record.faults or tokens(record.game) == ["a2b2", "d4c4"] for record in records)


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"\0" * 40, b"hello", b'{"a": 1}', b"\xff\xfe", b"\x89PNG\r\n\x1a\n"]
)
def test_r02_what_is_no_record(data: bytes) -> None:
    """Refused in words."""
    with pytest.raises(Unreadable, match=r"empty|no DVONN game|no game"):
        list(read(data))


# R04: brackets and backslashes. The texts themselves are in test_native_trees.


@pytest.mark.parametrize("name", ["]", "\\", "\\]", "[3d?]: hi", "}", '"', ";", "a1b2 pass", "1. a1"])
def test_r04_names_are_no_moves(name: str) -> None:
    """In the header of Little Golem, too, which knows no escapes: brackets become round there."""
    game = Game.new(Setup.MANUAL, white=name)
    for cell in ("a1", "b1", "c1"):
        game.play(next(place for place in _places(game) if CELL_NAMES[place.cell] == cell))
    record = with_tags(game, {"Event": name})
    golem = clean(write(record, BY_NAME["golem"]))
    assert tokens(golem.game) == ["a1", "b1", "c1"]
    assert golem.tags["White"] == golem.tags["Event"] == name.replace("[", "(").replace("]", ")")
    again = clean(write(record))
    assert (again.tags["White"], again.tags["Event"], tokens(again.game)) == (name, name, ["a1", "b1", "c1"])


def _places(game: Game) -> object:
    from dvonn_tui.core.rules import legal_placements

    return legal_placements(game.position)


# R06: passes that are not written; versions.


def test_r06_passes_are_inferred_and_written_out() -> None:
    """The position of D13: White moves again and again."""
    start = format_position(board("A3=RW B3=W C3=W D3=W E3=W", Side.BLACK))
    moves = ["b3a3", "c3a3"]
    game = Game.at(parse_position(start))
    played = []
    while not game.position.over:
        action = _first(game)
        played.append(f"{CELL_NAMES[action.source]}{CELL_NAMES[action.target]}")
        game.play(action)
    assert len(played) > len(moves)
    record = clean(f"{start} {' '.join(played)}")
    assert record.end.position == game.position
    text = write(record)
    assert text.count("pass") == len(played)
    assert tokens(clean(text).game) == tokens(record.game)


def _first(game: Game) -> object:
    from tests.core.tools import first_legal

    return first_legal(game.position)


def test_r06_a_later_version_is_refused() -> None:
    """With a message, and nothing of it is believed; version 1 is read for ever."""
    assert clean('[Format "1"]\n' + RECORD).tags["Format"] == "1"
    record = only('[Format "2"]\n' + RECORD)
    assert faults(record) == ["line 1: this record is of version 2, and only version 1 is known here"]
    assert tokens(record.game) == []


VERSION_1 = """\
[Format "1"]
[Event "Club \\"evening\\" \\\\ 7"]
[Date "2026.11.30"]
[White "Ada"]
[Black "engine level 5"]
[Setup "position"]
[Layout "9/1wb7/2rwbw5/wb8/9 w m"]
[TimeControl "600"]
[Result "*"]
[Score "4-3"]
[Termination "unterminated"]
[Annotator "Bo"]

{Before the first move.} 1. a2b2 {[%clk 0:09:41] [%emt 0:00:18.250]
[%at 2026-11-30T18:04:05Z] [%mark a1=star k5=cross] good \\{really\\}} (1. d3c3
{[%rm e3 f3] [%hidden] takes the red piece} 1... d4c4) 1... d4c4 *
"""
"""Version 1 as it was first written. It is not changed any more."""


def test_r06_version_1() -> None:
    """Everything in it, and written again letter by letter."""
    record = clean(VERSION_1)
    assert record.tags["Event"] == 'Club "evening" \\ 7'
    assert record.tags["Annotator"] == "Bo"
    root = tree_of(record.game)
    assert root.comment == "Before the first move."
    first, other = root.children
    assert first.comment == "good {really}"
    assert first.details == {"clock": 581.0, "spent": 18.25, "at": 1796061845.0}
    signs = {CELL_NAMES[mark.cell]: str(mark.kind) for mark in first.marks}
    assert signs == {"a1": "star", "k5": "cross"}
    assert (other.token, other.hidden, other.comment) == ("d3c3", True, "takes the red piece")
    assert tokens(record.game) == ["a2b2", "d4c4"]
    again = write(record)
    assert again.split() == VERSION_1.split()


# R07: size and depth. Speed is measured by the benchmarks.


def test_r07_deep_nesting() -> None:
    """5,000 and 100,000 brackets: refused with the limit named, and no recursion goes too deep."""
    for depth in (5_000, 100_000):
        record = only(RECORD.replace("d4c4 *", "(" * depth + " d4c4 " + ")" * depth + " d4c4 *"))
        assert "nested 1,000 deep at most" in faults(record)[0]
        assert tokens(record.game) == ["a2b2"]
    nested = RECORD.replace("d4c4 *", "d4c4 " + "(e3d3 " * 900 + ")" * 900 + " *")
    assert tokens(clean(nested).game) == ["a2b2", "d4c4"]


def test_r07_many_comments() -> None:
    """20,000 of them."""
    text = RECORD.replace("d4c4 *", "d4c4 " + "{x}" * 20_000 + " *")
    assert clean(text).game.comment_of(clean(text).end).count("x") == 20_000


def test_r07_a_million_tokens() -> None:
    """Refused with the limit named."""
    record = only(RECORD.replace("d4c4 *", "d4c4 " + "$1 " * 1_000_000 + "*"))
    assert f"a line has at most {LONGEST_LINE:,} bytes" in faults(record)[-1]
    record = only(RECORD.replace("d4c4 *", "d4c4 " + "$1\n" * 200_000 + "*"))
    assert f"a game has at most {MOST_TOKENS:,} tokens" in faults(record)[0]


def test_r07_one_long_line() -> None:
    """The game of the line is cut there, with the limit named; the next game is read."""
    text = f"{RECORD}\n\n" + RECORD.replace("a remark", "y" * 3 * LONGEST_LINE) + "\n" + RECORD
    one, two, three = read(text)
    assert not one.faults
    assert f"a line has at most {LONGEST_LINE:,} bytes" in faults(two)[0]
    assert (tokens(two.game), two.tags["Event"]) == ([], "Club")
    assert not three.faults


def test_r07_games_come_one_by_one() -> None:
    """The first of many is there before the others are read."""

    class Endless(io.RawIOBase):
        """Games without end."""

        served = 0

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            self.served += size
            return (RECORD.encode() * (size // len(RECORD) + 1))[: size // len(RECORD) * len(RECORD.encode())]

    stream = Endless()
    games = read(stream)  # type: ignore[arg-type]
    for _ in range(50):
        assert next(games).plies == 2
    assert stream.served < 500_000


# D18: high stacks. D27: seeds.


def test_d18_a_stack_of_twenty() -> None:
    """Piece by piece, bottom to top, in the forms that tell them; a state cannot hold it."""
    high = board("C3=R" + "WB" * 9 + "W D3=B", Side.BLACK)
    record = with_tags(Game.at(high))
    for form in ("dvn", "position"):
        assert clean(write(record, BY_NAME[form])).end.position == high
    with pytest.raises(Exception, match="more than 15 pieces"):
        write(record, BY_NAME["state"])
    game = Game.at(high)
    game.play(move("D3-C3"))
    assert tokens(clean(write(with_tags(game))).game) == ["d3c3"]


def test_d27_the_seed_is_in_the_record() -> None:
    """And the board is drawn again from it; a layout that is another is told."""
    for setup in (Setup.RANDOM, Setup.BALANCED, Setup.SYMMETRIC):
        game = Game.new(setup, 4711)
        text = write(with_tags(game))
        assert f'[Setup "{setup} seed 4711"]' in text
        assert clean(text).game.started == game.started
        without = "\n".join(line for line in text.split("\n") if "Layout" not in line)
        assert clean(without).game.started == game.started
        wrong = only(text.replace("4711", "4712"))
        assert "another board than the layout" in faults(wrong)[0]
        assert wrong.game.position == game.position
    assert time.monotonic() > 0
