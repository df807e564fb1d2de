"""Text from outside: names, chat, files, comments, paste, what is typed on the command line.

All of it passes here where it enters. What comes out can be written to a terminal as it is: nothing in
it moves the cursor, changes colours, turns the direction of writing or hides other text, and its width
is known. Nothing here makes text safe to be read as markup: outside text is never read as markup.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

LINE_LIMIT: Final = 40
"""Columns that a line of outside text has at most, unless it is said otherwise."""

TEXT_LIMIT: Final = 1_000
"""Columns that outside text of several lines has at most, unless it is said otherwise."""

LARGEST_LIMIT: Final = 10_000

PLACEHOLDER: Final = "?"
"""Stands where something harmful was. ASCII, because it has to be one column wide everywhere and in the
look that knows nothing but ASCII; the width of signs such as the middle dot depends on the terminal."""

ELLIPSIS: Final = "…"

MOST_MARKS: Final = 2
"""Marks kept on one character. More of them climb over the lines above."""

_WHITESPACE_CONTROLS: Final = frozenset("\t\n\r")

_NEVER_SHOWN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""The categories of control codes, format characters, surrogates, private use, characters that this
Python does not know, line and paragraph separators."""

_BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs that look like nothing at all: with them a name could be empty."""

_SELECTORS: Final = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef\U0001f3fb-\U0001f3ff]")
"""Variation selectors and skin tones: they choose how the character before them is drawn. They are left
out, because how wide the result is differs from terminal to terminal."""

_JAMO_MARKS: Final = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff]")
"""Hangul vowels and finals that are drawn into the syllable before them."""

_LATELY_WIDE: Final = re.compile(
    "[\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d356\U0001d360-\U0001d376]"
)
"""Two columns wide since Unicode 16, which not every Python knows."""


def clean_line(text: str, limit: int = LINE_LIMIT) -> str:
    """One line of outside text, fit to be shown.

    White space, line breaks included, becomes single spaces, none at the ends. Harmful characters become
    a `PLACEHOLDER` each. Text wider than `limit` terminal columns, 1 to 10 000, is cut and ends with an
    ellipsis. Clean text comes out as it went in. Never raises; a limit out of range is brought into it.
    """
    return _cut(_visible(text), limit)


def clean_text(text: str, limit: int = TEXT_LIMIT) -> str:
    """Outside text of several lines, fit to be shown: like `clean_line`, but line breaks stay.

    They come out as line feeds, at most one empty line in a row and none at the ends. `limit` counts the
    columns of all lines together and one for each line break.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    visible = "\n".join("".join(_visible(line)) for line in lines)
    return _cut(re.sub("\n{3,}", "\n\n", visible).strip("\n"), limit)


def columns(character: str) -> int:
    """How many terminal columns one clean character takes at most: 0 for a mark without width, 1 or 2."""
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    wide = unicodedata.east_asian_width(character) in {"W", "F"} or _LATELY_WIDE.match(character)
    return 2 if wide else 1


def _is_mark(character: str) -> bool:
    """True for what is drawn onto the character before it."""
    return unicodedata.category(character)[0] == "M" or _JAMO_MARKS.match(character) is not None


def _visible(text: str) -> Iterator[str]:
    """The characters of one line, harmless, with single spaces between words."""
    begun = gap = False
    marks = 0
    for character in _SELECTORS.sub("", text):
        category = unicodedata.category(character)
        if category == "Zs" or character in _WHITESPACE_CONTROLS:
            gap, marks = begun, 0
            continue
        if category in _NEVER_SHOWN or character in _BLANK_LETTERS:
            character = PLACEHOLDER
        marks = marks + 1 if _is_mark(character) else 0
        if marks > MOST_MARKS:
            continue
        if gap:
            yield " "
        # A mark without a base would be drawn onto what stands before the text on the screen.
        yield character if begun or not marks else PLACEHOLDER
        begun, gap = True, False


def _cut(characters: Iterable[str], limit: int) -> str:
    """As many characters as fit, the last of them an ellipsis when not all do."""
    limit = min(max(limit, 1), LARGEST_LIMIT)
    kept: list[str] = []
    width = beside_ellipsis = 0
    for character in characters:
        width += columns(character)
        if width > limit:
            return "".join(kept[:beside_ellipsis]).rstrip() + ELLIPSIS
        kept.append(character)
        if width < limit:
            beside_ellipsis = len(kept)
    return "".join(kept)
