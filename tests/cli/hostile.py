"""Text that means harm, and how it is known to have been made harmless."""

from __future__ import annotations

import unicodedata
from typing import Final

HOSTILE: Final = (
    "\x1b]52;c;QUJD\x07",
    "\x1b]0;x\x07",
    "\x1b[2J",
    "\x1b[6n",
    "\x9b31m",
    "\u202eabc",
    "a\u200b\u2060b",
    "a" + "\u0301" * 200,
    "two\nlines\rhere",
    "\ud800",
    "\udc9b31m",
    "\U000e0041",
    "\u2028",
)

MARKUP: Final = ("[/", "[b]x[/i]", "[1]", "[red]hi", "[$error]")


def is_harmless(text: str) -> bool:
    """True when no character of the lines does anything but stand there."""
    return "\u0301" * 3 not in text and all(
        unicodedata.category(character)[0] != "C" for character in text.replace("\n", "")
    )
