"""Random order from a seed, the same on every Python.

Only `random.Random.getrandbits` is used: its results are documented to be reproducible for a seed,
which those of `random.shuffle` are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar

Item = TypeVar("Item")

LARGEST_SEED: Final = 2**63 - 1


def seeded_random(seed: int) -> Random:
    """A source of random bits for a seed, 0 to `LARGEST_SEED`.

    Raises:
        ValueError: the seed is out of range.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"a seed is a whole number from 0 to {LARGEST_SEED}")
    return Random(seed)


def below(limit: int, source: Random) -> int:
    """A number from 0 to limit - 1, each equally likely: draws too large are thrown away."""
    bits = (limit - 1).bit_length()
    while True:
        drawn = source.getrandbits(bits) if bits else 0
        if drawn < limit:
            return drawn


def shuffled(items: Sequence[Item], source: Random) -> list[Item]:
    """The items in random order, every order equally likely (Fisher and Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1, source)
        order[last], order[chosen] = order[chosen], order[last]
    return order
