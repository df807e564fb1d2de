"""Colours as single numbers, so that comparing, mixing and caching them is quick.

A number up to ``0xFFFFFF`` is red, green and blue. Above that lie the terminal's default colour and
its own sixteen, which have names and cannot be mixed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

Colour = int
"""A packed colour: ``0xRRGGBB``, `DEFAULT`, or one of the terminal's sixteen above that."""

DEFAULT: Final[Colour] = 1 << 24

_ANSI_HUES: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_ANSI_NAMES: Final = (*_ANSI_HUES, *(f"bright_{hue}" for hue in _ANSI_HUES))

# What terminals usually show for their sixteen; only for telling which colour is nearer to which.
_ANSI_USUAL: Final = (
    *(0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5),
    *(0x6F6F6F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF),
)


@lru_cache(maxsize=1024)
def pack(text: str) -> Colour:
    """The number of a colour written ``#rrggbb``, ``ansi_red`` and its like, or ``""``.

    Raises ValueError for any other text.
    """
    if text.startswith("#") and len(text) == 7:
        return int(text[1:], 16)
    if text in ("", "ansi_default"):
        return DEFAULT
    if text.startswith("ansi_"):
        return DEFAULT + 1 + _ANSI_NAMES.index(text[5:])
    raise ValueError(f"not a colour: {text!r}")


@lru_cache(maxsize=65536)
def unpack(colour: Colour) -> str:
    """The text of a packed colour; the other way round of `pack`."""
    if colour < DEFAULT:
        return f"#{colour:06x}"
    return "ansi_" + _ANSI_NAMES[colour - DEFAULT - 1] if colour > DEFAULT else ""


def approximate(colour: Colour) -> int:
    """A colour as ``0xRRGGBB``, guessed for those that the terminal chooses (default: black)."""
    if colour < DEFAULT:
        return colour
    return _ANSI_USUAL[colour - DEFAULT - 1] if colour > DEFAULT else 0


def mix(under: Colour, over: Colour, part: float) -> Colour:
    """``over`` laid on ``under``, covering 0.0 to 1.0 of it. Both are red, green, blue."""
    weight = round(part * 256)
    rest = 256 - weight
    red_blue = ((under & 0xFF00FF) * rest + (over & 0xFF00FF) * weight) >> 8
    green = ((under & 0x00FF00) * rest + (over & 0x00FF00) * weight) >> 8
    return (red_blue & 0xFF00FF) | (green & 0x00FF00)


def luminance(colour: Colour) -> float:
    """Relative luminance as the web's accessibility guidelines define it, 0.0 to 1.0."""
    colour = approximate(colour)
    total = 0.0
    for shift, weight in ((16, 0.2126), (8, 0.7152), (0, 0.0722)):
        channel = (colour >> shift & 255) / 255
        total += weight * (channel / 12.92 if channel <= 0.03928 else ((channel + 0.055) / 1.055) ** 2.4)
    return total


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1.0 (none) to 21.0 (black on white)."""
    light, dark = sorted((luminance(pack(one)), luminance(pack(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)
