"""The best block character for four sub-pixels.

A terminal cell shows two colours, so of its four sub-pixels (upper left, upper right, lower left,
lower right) some take the foreground and the others the background.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from dvonn_tui.art.colours import DEFAULT, Colour, approximate, unpack
from dvonn_tui.art.scene import Ink, Tile

Quad = tuple[Colour, Colour, Colour, Colour]

BLOCKS: Final = " ▗▖▄▝▐▞▟▘▚▌▙▀▜▛█"
"""The character whose foreground covers a set of sub-pixels, by the bits of the set: 8 for the upper
left, 4 for the upper right, 2 for the lower left, 1 for the lower right."""

_HALVES: Final = (
    (0b1100, (0, 1), 1 / 2, 1 / 2),
    (0b1010, (0, 2), 1 / 2, 1 / 2),
    (0b1001, (0, 3), 1 / 2, 1 / 2),
    (0b1000, (0,), 1.0, 1 / 3),
    (0b0100, (1,), 1.0, 1 / 3),
    (0b0010, (2,), 1.0, 1 / 3),
    (0b0001, (3,), 1.0, 1 / 3),
)
"""Every way to part four sub-pixels in two: the bits, the places of one part, one over both sizes."""


@lru_cache(maxsize=16384)
def ink(foreground: Colour, background: Colour, bold: bool = False, underline: bool = False) -> Ink:
    """The one `Ink` of these colours; the same object each time, so that comparing is quick."""
    return Ink(unpack(foreground), unpack(background), bold, underline)


@lru_cache(maxsize=65536)
def block(quad: Quad, hard: bool) -> Tile:
    """The tile nearest to four sub-pixels. With ``hard`` it only has colours that are in the quad."""
    colours = set(quad)
    if len(colours) == 1:
        return " ", ink(quad[0], quad[0])
    if len(colours) == 2:
        return _tile(max(colours), min(colours), quad)
    if hard or max(colours) >= DEFAULT:
        return _nearest_two(quad, sorted(colours))
    return _best_halves(quad)


def _tile(foreground: Colour, background: Colour, quad: Quad) -> Tile:
    """The tile of a quad that has only these two colours."""
    first, second, third, fourth = quad
    bits = (
        8 * (first == foreground)
        + 4 * (second == foreground)
        + 2 * (third == foreground)
        + (fourth == foreground)
    )
    return BLOCKS[bits], ink(foreground, background)


def _nearest_two(quad: Quad, colours: list[Colour]) -> Tile:
    """The two colours of a quad that the others are nearest to, and their block."""
    best: tuple[int, Quad] | None = None
    for index, one in enumerate(colours):
        for other in colours[index + 1 :]:
            chosen = [one if _apart(c, one) <= _apart(c, other) else other for c in quad]
            error = sum(_apart(c, to) for c, to in zip(quad, chosen, strict=True))
            if best is None or error < best[0]:
                best = error, (chosen[0], chosen[1], chosen[2], chosen[3])
    assert best is not None
    return _tile(max(best[1]), min(best[1]), best[1])


def _apart(one: Colour, other: Colour) -> int:
    """The squared distance of two colours."""
    one, other = approximate(one), approximate(other)
    red = (one >> 16) - (other >> 16)
    green = (one >> 8 & 255) - (other >> 8 & 255)
    blue = (one & 255) - (other & 255)
    return red * red + green * green + blue * blue


def _best_halves(quad: Quad) -> Tile:
    """The parting in two whose averages differ least from the four colours."""
    reds, greens, blues = zip(*[(c >> 16, c >> 8 & 255, c & 255) for c in quad], strict=True)
    all_red, all_green, all_blue = sum(reds), sum(greens), sum(blues)
    best, best_bits = -1.0, 0
    # The error is least where the squared sums of both parts, each over its size, are largest.
    for bits, inside, share, rest in _HALVES:
        red = green = blue = 0
        for i in inside:
            red += reds[i]
            green += greens[i]
            blue += blues[i]
        value = (red * red + green * green + blue * blue) * share + (
            (all_red - red) ** 2 + (all_green - green) ** 2 + (all_blue - blue) ** 2
        ) * rest
        if value > best:
            best, best_bits = value, bits
    inner = average(tuple(c for i, c in enumerate(quad) if best_bits >> (3 - i) & 1))
    outer = average(tuple(c for i, c in enumerate(quad) if not best_bits >> (3 - i) & 1))
    if inner == outer:
        return " ", ink(inner, inner)
    if inner > outer:
        return BLOCKS[best_bits], ink(inner, outer)
    return BLOCKS[15 - best_bits], ink(outer, inner)


def average(colours: tuple[Colour, ...]) -> Colour:
    """The mean of some colours; a little coarse unless they are all equal, so that inks repeat."""
    first = colours[0]
    if colours.count(first) == len(colours):
        return first
    size = len(colours)
    red = sum(c >> 16 for c in colours) // size
    green = sum(c >> 8 & 255 for c in colours) // size
    blue = sum(c & 255 for c in colours) // size
    return (red << 16 | green << 8 | blue) & 0xF8F8F8 | 0x040404


def prevailing(quad: Quad, hard: bool) -> Colour:
    """The one colour that stands for a quad, behind a character of text."""
    if hard or max(quad) >= DEFAULT:
        return max(quad, key=quad.count)
    return average(quad)
