"""What values mean: chances, margins, and the marks of what was lost."""

from __future__ import annotations

import pytest

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.verdict import BLUNDER, MARKS, MISTAKE, WASTE, Verdict, loss_of


def solved(margin: int) -> Verdict:
    return Verdict(margin, certain=True, solved=True)


@pytest.mark.parametrize(
    ("side", "before", "after", "mark"),
    [
        (Side.WHITE, solved(9), solved(9 - WASTE), "~"),
        (Side.WHITE, solved(9), solved(10 - WASTE), ""),
        (Side.WHITE, solved(-2), solved(-2 - WASTE), "~"),
        (Side.BLACK, solved(-9), solved(WASTE - 9), "~"),
        (Side.BLACK, solved(-9), solved(-12), ""),
        (Side.WHITE, solved(9), solved(0), "??"),
        (Side.WHITE, solved(1), solved(-1), "??"),
        (Side.WHITE, solved(9), Verdict(3, certain=True), ""),
        (Side.WHITE, Verdict(9, certain=True), solved(3), ""),
        (Side.WHITE, Verdict(0), Verdict(-110), "?"),
        (Side.BLACK, Verdict(0), Verdict(110), "?"),
        (Side.WHITE, Verdict(0), Verdict(-60), ""),
        (Side.WHITE, Verdict(0), Verdict(-400), "??"),
    ],
)
def test_marks(side: Side, before: Verdict, after: Verdict, mark: str) -> None:
    """Margin counts only where both values are solved, and never as a mistake."""
    assert loss_of(side, before, after).mark == mark


def test_marks_differ_and_grow() -> None:
    assert len(set(MARKS)) == len(MARKS)
    assert all(mark.isascii() for mark in MARKS)
    assert 0 < MISTAKE < BLUNDER < 1
