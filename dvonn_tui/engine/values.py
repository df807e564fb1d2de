"""What the numbers of the search mean."""

from __future__ import annotations

from typing import Final

SIDE_FEATURES: Final = 32
FEATURES: Final = 72
"""Numbers that describe a position: `SIDE_FEATURES` for each side, then those of both together."""

MOST_STACKS: Final = 49

WON: Final = 20_000
"""A finished game of margin m > 0 is worth this and m more; a drawn one 0; a lost one is negative."""

ONE_LOGIT: Final = 256
"""Points of an estimate that are one unit of log-odds."""

ESTIMATE_LIMIT: Final = 15_000
"""No estimate is larger."""

INFINITE: Final = 30_000

MOST_MOVES: Final = 160
"""More moves than any position has."""

DEEPEST: Final = 60
"""Plies of the deepest iteration, more than any game has left when pieces begin to move."""

NO_REDUCTIONS: Final = 4
"""So often halved, every reduction of a search of `DEEPEST` plies is none."""

LOWER_PROVEN: Final = 1
UPPER_PROVEN: Final = 2
PROVEN: Final = 3
