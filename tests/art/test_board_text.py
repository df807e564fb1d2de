"""The board as plain text."""

from __future__ import annotations

from dvonn_tui.art.text import board_text
from dvonn_tui.core.cells import CELL_NAMED, CELLS
from dvonn_tui.core.pieces import EMPTY, Stack

from .pictures import stack


def _stacks(**pieces: str) -> list[Stack]:
    found: list[Stack] = [EMPTY] * len(CELLS)
    for name, letters in pieces.items():
        found[CELL_NAMED[name]] = stack(letters)
    return found


STACKS = _stacks(a1="w", b1="wb", b2="r", c5="b" * 11 + "w", d5="r" + "b" * 9 + "w", k5="rb")


def test_board_with_row_five_at_the_top() -> None:
    lines = board_text(STACKS).split("\n")
    assert lines == [
        "       5   (12)--(11*)  .     .     .     .     .     .    [2*]",
        "",
        "    4    .     .     .     .     .     .     .     .     .     .",
        "",
        " 3    .     .     .     .     .     .     .     .     .     .     .",
        "",
        "    2    .    <D>    .     .     .     .     .     .     .     .    k",
        "             /   \\",
        "       1   (1)---[2]    .     .     .     .     .     .     .    j",
        "               a     b     c     d     e     f     g     h     i",
    ]


def test_flipped_board_has_row_one_at_the_top() -> None:
    lines = board_text(STACKS, flipped=True).split("\n")
    assert lines[0].split() == list("ihgfedcba")
    assert lines[1].split()[-3:] == [".", "[2]---(1)", "1"]
    assert lines[-1].split()[-1] == "5"


def test_text_is_ascii_without_blanks_at_line_ends() -> None:
    for flipped in (False, True):
        text = board_text(STACKS, flipped=flipped)
        assert text.isascii()
        assert all(line == line.rstrip() for line in text.split("\n"))
        assert max(map(len, text.split("\n"))) <= 73
