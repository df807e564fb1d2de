"""What the games of a match say about strength: points, an interval for them, and Elo."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log10, sqrt
from typing import Final

SURE: Final = 1.959963985
"""Standard deviations to either side of the mean that hold 95 % of a normal distribution."""


def elo(share: float) -> float:
    """The difference in Elo that makes a share of the points, 0 to 1, the expected one."""
    if share <= 0:
        return -inf
    if share >= 1:
        return inf
    return -400 * log10(1 / share - 1)


def interval(share: float, games: int) -> tuple[float, float]:
    """The shares between which the true one lies with 95 % (Wilson's interval).

    It holds for a few games and for 0 % and 100 % as well. Draws count as half a win each; they make
    the true interval a little narrower than this one.
    """
    if games <= 0:
        return 0.0, 1.0
    square = SURE * SURE / games
    middle = (share + square / 2) / (1 + square)
    half = SURE / (1 + square) * sqrt(share * (1 - share) / games + square / (4 * games))
    # The ends are exact where all games were won or lost; rounding must not cut them off.
    return max(min(middle - half, share), 0.0), min(max(middle + half, share), 1.0)


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, points: Iterable[float]) -> Tally:
        """Count games by their points: 1, 0.5 or 0 each."""
        counted = list(points)
        return cls(counted.count(1.0), counted.count(0.5), counted.count(0.0))

    @property
    def games(self) -> int:
        """All games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A win is one point, a draw a half."""
        return self.won + self.drawn / 2

    @property
    def share(self) -> float:
        """The points, as a share of those that there were; a half when there were none."""
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The shares between which the true one lies with 95 %."""
        return interval(self.share, self.games)

    def elo_text(self) -> str:
        """The difference in Elo, with its error bars."""
        low, high = (_signed(elo(share)) for share in self.interval)
        return f"{_signed(elo(self.share))} (95 %: {low} to {high})"


def _signed(value: float) -> str:
    if value in (inf, -inf):
        return "+inf" if value > 0 else "-inf"
    return f"{round(value):+d}"
