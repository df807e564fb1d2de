"""Smooth shapes on sub-pixels.

A terminal cell is two by two sub-pixels. A stamp says how much of each sub-pixel around the middle of
a board cell a shape covers, from 0.0 to 1.0. Sub-pixels are counted from the upper left corner of
the middle character; lengths are in pixels, one column wide and half a line tall, which are nearly
square. Coverage comes from the distance to the outline, which is as smooth as sampling and far
quicker.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

Stamp = dict[tuple[int, int], float]
"""Coverage by sub-pixel (across, down)."""


def offset(across: int, down: int, middle: float) -> tuple[float, float]:
    """Where the middle of a sub-pixel lies from the centre of a disc, in pixels."""
    return (across + 0.5) / 2 - 0.5, down + 0.5 - middle


def whole_lines(radius_y: float, middle: float) -> float:
    """The radius nearest to this at which a shape ends between two half lines and not within one."""
    return round(radius_y - middle % 1) + middle % 1


@lru_cache(maxsize=256)
def ellipse(radius_x: float, radius_y: float, middle: float, power: float = 2.0) -> Stamp:
    """A filled ellipse; with a power above 2 its corners fill up towards a rectangle."""
    found: Stamp = {}
    reach = int(radius_x * 2) + 3
    for down in range(math.floor(middle - radius_y) - 1, math.ceil(middle + radius_y) + 1):
        for across in range(1, reach):
            x, y = offset(across, down, middle)
            u, v = x / radius_x, abs(y) / radius_y
            value = (u**power + v**power) ** (1 / power)
            if value < 1e-6:
                cover = 1.0
            else:
                # The distance to the outline, and how wide a sub-pixel is in its direction.
                slope_x = (u / value) ** (power - 1) / radius_x
                slope_y = (v / value) ** (power - 1) / radius_y
                cover = 0.5 - (value - 1) / (0.5 * slope_x + slope_y)
            if cover > 0.02:
                found[across, down] = found[1 - across, down] = min(1.0, cover)
    return found


@lru_cache(maxsize=256)
def ring(radius_x: float, radius_y: float, width: float, middle: float) -> Stamp:
    """What an ellipse has more than one that is smaller by ``width`` on all sides."""
    inner = ellipse(radius_x - width, radius_y - width, middle)
    found = {}
    for at, cover in ellipse(radius_x, radius_y, middle).items():
        left = cover * (1 - inner.get(at, 0.0))
        if left > 0.02:
            found[at] = left
    return found


@lru_cache(maxsize=64)
def corners(
    radius_x: float, radius_y: float, width: float, middle: float, from_x: float, from_y: float
) -> Stamp:
    """The four diagonal arcs of a ring: what lies beyond these parts, 0 to 1, of both radii."""
    found = {}
    for at, cover in ring(radius_x, radius_y, width, middle).items():
        x, y = offset(*at, middle)
        if abs(x) > from_x * radius_x and abs(y) > from_y * radius_y:
            found[at] = cover
    return found


@lru_cache(maxsize=64)
def flanks(radius_x: float, radius_y: float, width: float, middle: float, reach: float) -> Stamp:
    """The left and the right arc of a ring, up to so many half lines above and below its middle."""
    found = {}
    for at, cover in ring(radius_x, radius_y, width, middle).items():
        x, y = offset(*at, middle)
        if abs(y) < reach and abs(x) > radius_x / 2:
            found[at] = cover
    return found


@lru_cache(maxsize=64)
def slash(radius_x: float, radius_y: float, width: float, middle: float) -> Stamp:
    """A bar from lower left to upper right, kept inside an ellipse."""
    found = {}
    for at, cover in ellipse(radius_x, radius_y, middle).items():
        x, y = offset(*at, middle)
        bar = min(1.0, 0.5 - (abs(x + y) - width) / 1.5) * cover
        if bar > 0.02:
            found[at] = bar
    return found


@lru_cache(maxsize=64)
def diamond(radius_x: float, radius_y: float, middle: float) -> Stamp:
    """A square that stands on its corner."""
    return ellipse(radius_x, radius_y, middle, 1.0)


def crisp(stamp: Stamp, edge: float = 0.45) -> Stamp:
    """A stamp without half-covered sub-pixels: what is covered less than ``edge`` is left out."""
    return {at: 1.0 for at, cover in stamp.items() if cover >= edge}


# One string a half line, two characters a pixel: strokes are one pixel wide, corners round off by half.
_WIDE: Final = {
    "0": (" XXXX ", "XX  XX", "XX  XX", "XX  XX", " XXXX "),
    "1": ("  XX  ", " XXX  ", "  XX  ", "  XX  ", " XXXX "),
    "2": ("XXXXX ", "    XX", " XXXX ", "XX    ", "XXXXXX"),
    "3": ("XXXXX ", "    XX", " XXXX ", "    XX", "XXXXX "),
    "4": ("XX  XX", "XX  XX", "XXXXXX", "    XX", "    XX"),
    "5": ("XXXXXX", "XX    ", "XXXXX ", "    XX", "XXXXX "),
    "6": (" XXXX ", "XX    ", "XXXXX ", "XX  XX", " XXXX "),
    "7": ("XXXXXX", "    XX", "   XX ", "  XX  ", "  XX  "),
    "8": (" XXXX ", "XX  XX", " XXXX ", "XX  XX", " XXXX "),
    "9": (" XXXX ", "XX  XX", " XXXXX", "    XX", " XXXX "),
}
_NARROW: Final = {
    "0": (" XXX ", "XX XX", "XX XX", "XX XX", " XXX "),
    "1": (" XX", "XXX", " XX", " XX", " XX"),
    "2": ("XXXX ", "   XX", " XXX ", "XX   ", "XXXXX"),
    "3": ("XXXX ", "   XX", " XXX ", "   XX", "XXXX "),
    "4": ("XX XX", "XX XX", "XXXXX", "   XX", "   XX"),
    "5": ("XXXXX", "XX   ", "XXXX ", "   XX", "XXXX "),
    "6": (" XXX ", "XX   ", "XXXX ", "XX XX", " XXX "),
    "7": ("XXXXX", "   XX", "  XX ", " XX  ", " XX  "),
    "8": (" XXX ", "XX XX", " XXX ", "XX XX", " XXX "),
    "9": (" XXX ", "XX XX", " XXXX", "   XX", " XXX "),
}


@lru_cache(maxsize=128)
def number(height: int, narrow: bool) -> Stamp:
    """A height of 1 to 49 in pixels, five half lines tall, its middle a pixel below the upper edge.

    ``narrow`` makes two digits fit a disc of four pixels' radius.
    """
    text = str(height)
    font = _NARROW if narrow and len(text) > 1 else _WIDE
    glyphs = [font[digit] for digit in text]
    gap = 1 if narrow else 2
    left = 1 - (sum(len(glyph[0]) for glyph in glyphs) + gap * (len(glyphs) - 1)) // 2
    found: Stamp = {}
    for glyph in glyphs:
        for line, dots in enumerate(glyph):
            for index, dot in enumerate(dots):
                if dot == "X":
                    found[left + index, line - 1] = 1.0
        left += len(glyph[0]) + gap
    return found
