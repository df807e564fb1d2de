"""Levels 1 to 10: how far an opponent looks, and how well he knows what he sees.

A level is made of nodes and knowledge, not of time, so it plays alike on every machine; only where the
engine is interpreted do the last ones stop before all their nodes are searched. Low levels see little and err
like people: they look only a move or two ahead, misjudge, and overlook what a move cuts off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """What an opponent of a level can do.

    Attributes:
        number: 1 to 10.
        nodes: positions that he looks at for a move.
        misjudgement: points by which his estimate of a move is off, at most, to either side.
        blindness: of 256 moves that cut off stacks and that he should foresee, how many he overlooks.
        samples: random ways to fill the board that he tries for a placement; 0 places anywhere.
    """

    number: int
    nodes: int
    misjudgement: int
    blindness: int
    samples: int


LEVELS: Final = (
    Level(1, 70, 400, 240, 0),
    Level(2, 110, 260, 215, 20),
    Level(3, 220, 180, 180, 50),
    Level(4, 480, 125, 138, 100),
    Level(5, 1_100, 90, 98, 200),
    Level(6, 2_500, 65, 62, 400),
    Level(7, 8_500, 40, 22, 800),
    Level(8, 22_000, 28, 0, 1_500),
    Level(9, 150_000, 20, 0, 3_000),
    Level(10, 1_200_000, 3, 0, 4_000),
)
"""The levels in order, the gentlest first."""

SECONDS_INTERPRETED: Final = 3.0
"""No level thinks longer about a move where the engine is interpreted. On most machines that cuts short only
those of `CUT_SHORT`."""

CUT_SHORT: Final = (9, 10)


def level(number: int) -> Level:
    """The level of a number.

    Raises:
        ValueError: there is no such level.
    """
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"a level is a number from 1 to {len(LEVELS)}")
    return LEVELS[number - 1]
