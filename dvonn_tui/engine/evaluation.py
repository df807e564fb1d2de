"""What the evaluation knows: the names of its features, and the weights of every number of stacks.

`Searcher.describe` in `search.py` writes the features in this order: those of the side to move, those of the
other side, those of both together. Their weighted sum is the logarithm of the odds to win. The weights are
fitted for some numbers of stacks on the board, the knots; between these they are interpolated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dvonn_tui.engine.values import FEATURES, MOST_STACKS, SIDE_FEATURES

SIDE_FEATURE_NAMES: Final = (
    "stacks",
    "stacks with red",
    "stacks beside red",
    "stacks two steps from red",
    "stacks on the rim",
    "singles",
    "free singles",
    "free singles beside red",
    "surrounded singles beside red",
    "moves of singles",
    "moves of singles onto the enemy",
    "moves of singles onto red",
    "moves of towers",
    "moves of towers onto the enemy",
    "moves of towers onto red",
    "moves of surrounded towers",
    "towers that can move",
    "towers without a target",
    "height of towers without a target",
    "towers of two",
    "towers of three",
    "towers of four",
    "height of towers",
    "enemy stacks in reach",
    "stacks hanging on one neighbour",
    "stacks that hold the board together",
    "can move",
    "movable stacks up to three",
    "movable towers with red",
    "free singles two steps from red",
    "moves of towers at red",
    "enemy stacks with red in reach",
)
"""A tower is a stack of two or more; free is what is not surrounded on all six sides."""

SHARED_FEATURE_NAMES: Final = ("to move", "lead", "lone reds")

FEATURE_NAMES: Final = (
    *(f"my {name}" for name in SIDE_FEATURE_NAMES),
    *(f"their {name}" for name in SIDE_FEATURE_NAMES),
    *SHARED_FEATURE_NAMES,
)

assert len(SIDE_FEATURE_NAMES) == SIDE_FEATURES
assert len(FEATURE_NAMES) <= FEATURES


def weight_table(knots: Sequence[int], rows: Mapping[str, Sequence[int]]) -> list[list[int]]:
    """For each number of stacks, 0 to 49, the weights of all features, interpolated between the knots.

    Args:
        knots: numbers of stacks, rising.
        rows: for the name of every feature its weight at each knot.
    """
    columns = [rows[name] for name in FEATURE_NAMES]
    padding = [0] * (FEATURES - len(columns))
    table = []
    for stacks in range(MOST_STACKS + 1):
        inside = min(max(stacks, knots[0]), knots[-1])
        right = next(place for place in range(1, len(knots)) if inside <= knots[place])
        width = knots[right] - knots[right - 1]
        part = inside - knots[right - 1]
        table.append(
            [(row[right - 1] * (width - part) + row[right] * part) // width for row in columns] + padding
        )
    return table
