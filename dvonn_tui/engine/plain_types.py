"""What `search.pxd` gives the compiled search, for the interpreted one."""

from __future__ import annotations

from time import monotonic as clock

u8 = int
i16 = int
i32 = int
i64 = int
u64 = int

sources_stamp = 0
"""The interpreted search is never stale."""

__all__ = [
    "clock",
    "ctz",
    "i16",
    "i32",
    "i64",
    "new_slots",
    "popcount",
    "prefetch",
    "release_slots",
    "sources_stamp",
    "u8",
    "u64",
]


def ctz(bits: int) -> int:
    """The number of the lowest set bit."""
    return (bits & -bits).bit_length() - 1


def popcount(bits: int) -> int:
    """How many bits are set."""
    return bits.bit_count()


def prefetch(slots: list[int], place: int) -> None:
    """Nothing: there is no cache to warm."""


def new_slots(count: int) -> list[int]:
    """Memory of so many words, all 0."""
    return [0] * count


def release_slots(slots: list[int]) -> None:
    """Nothing: the interpreter frees it."""
