"""Points, intervals and Elo against known values."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.play.strength import Tally, elo, interval


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.5, 0.0),
        (0.75, 190.85),
        (0.25, -190.85),
        (0.64, 99.95),
        (0.76, 200.24),
        (10 / 11, 400.0),
        (0.9, 381.7),
    ],
)
def test_elo(share: float, expected: float) -> None:
    assert elo(share) == pytest.approx(expected, abs=0.01)
    assert elo(0) == -inf
    assert elo(1) == inf


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [
        (0.5, 10, 0.2366, 0.7634),
        (1.0, 10, 0.7225, 1.0),
        (0.0, 20, 0.0, 0.1611),
        (0.81, 263, 0.7585, 0.8528),
        (0.15, 148, 0.1014, 0.2163),
        (0.5, 0, 0.0, 1.0),
    ],
)
def test_wilsons_interval(share: float, games: int, low: float, high: float) -> None:
    """Known values: 5 of 10, 10 of 10, 0 of 20, and two from Newcombe (1998)."""
    assert interval(share, games) == pytest.approx((low, high), abs=0.0006)


def test_a_tally() -> None:
    tally = Tally.of([1.0] * 120 + [0.5] * 20 + [0.0] * 60)
    assert (tally.won, tally.drawn, tally.lost, tally.games) == (120, 20, 60, 200)
    assert (tally.points, tally.share) == (130.0, 0.65)
    assert tally.elo_text() == "+108 (95 %: +57 to +158)"
    assert Tally.of([1.0]).elo_text().startswith("+inf (95 %: -234 to +inf)")
    assert Tally().share == 0.5
    assert Tally().elo_text() == "+0 (95 %: -inf to +inf)"


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_the_interval_holds_the_share_and_turns_with_it(won: int, drawn: int, lost: int) -> None:
    one, other = Tally(won, drawn, lost), Tally(lost, drawn, won)
    low, high = one.interval
    assert 0 <= low <= one.share <= high <= 1
    assert (1 - high, 1 - low) == pytest.approx(other.interval)
