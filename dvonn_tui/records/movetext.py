"""The moves of a native record as tokens with their places."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import accumulate
from typing import Final, NamedTuple

from dvonn_tui.records.record import RESULTS
from dvonn_tui.records.source import Line


class Kind(Enum):
    """What a token is."""

    PLY = auto()
    """A placement, a move or a word, or what cannot be read."""
    SIGN = auto()
    """A judgement: ``!``, ``?!``, ``$2``."""
    COMMENT = auto()
    OPEN_COMMENT = auto()
    """A comment without its end."""
    OPEN = auto()
    CLOSE = auto()
    RESULT = auto()


class Token(NamedTuple):
    """A token.

    Attributes:
        kind: what it is.
        text: the token; of a comment what stands between its ends.
        place: its first character in the text of the game.
    """

    kind: Kind
    text: str
    place: int


_TOKEN: Final = re.compile(
    r"\s*+(?:"
    r"(?P<ply>(?:\d+\.+)?+[A-Za-z][A-Za-z0-9-]*+)(?P<sign>[!?]+)?+(?=[\s(){};]|$)"
    r"|\{(?P<comment>[^\\}]*+(?:\\(?:u\{[0-9A-Fa-f]{1,6}\}|.)[^\\}]*+)*+)(?P<end>\}?)"
    r"|;(?P<rest>[^\n]*+)"
    r"|(?P<open>\()|(?P<close>\))"
    r"|(?P<other>[^\s(){};]++)"
    r"|(?P<stray>.)"
    r")",
    re.DOTALL,
)

_NUMBER: Final = re.compile(r"\d+\.*|\.+")
_NUMBERED: Final = re.compile(r"\d+\.+")
_SIGN: Final = re.compile(r"\$\d+|[!?]+")


class Movetext:
    """The text of a game's moves, and where in the file each character of it stands."""

    def __init__(self, lines: Sequence[Line], last: int) -> None:
        """Take lines, none if there are no moves; `last` is the number of the last line of the game."""
        self.text = "\n".join(line.text for line in lines)
        self._lines = lines or (Line(last, ""),)
        self._begins = list(accumulate((len(line.text) + 1 for line in lines), initial=0))

    def where(self, place: int) -> tuple[int, int]:
        """The line and the column, both from 1, of a character of the text."""
        index = min(bisect_right(self._begins, place) - 1, len(self._lines) - 1)
        return self._lines[index].number, place - self._begins[index] + 1

    def tokens(self, start: int = 0) -> Iterator[Token]:
        """All tokens from a place on. Numbers of moves are left out: they say nothing new."""
        text = self.text
        while (found := _TOKEN.match(text, start)) is not None:
            start = found.end()
            kind = found.lastgroup
            place = found.start(kind) if kind else start
            if found["ply"]:
                yield _ply(found["ply"], found.start("ply"))
                if found["sign"]:
                    yield Token(Kind.SIGN, found["sign"], found.start("sign"))
            elif found["comment"] is not None:
                closed = Kind.COMMENT if found["end"] else Kind.OPEN_COMMENT
                yield Token(closed, found["comment"], found.start("comment") - 1)
            elif found["rest"] is not None:
                yield Token(Kind.COMMENT, found["rest"].replace("\\", "\\\\"), place)
            elif kind == "open":
                yield Token(Kind.OPEN, "(", place)
            elif kind == "close":
                yield Token(Kind.CLOSE, ")", place)
            elif found["other"] in RESULTS:
                yield Token(Kind.RESULT, found["other"], place)
            elif _NUMBER.fullmatch(found[0].strip()):
                continue
            elif _SIGN.fullmatch(found[0].strip()):
                yield Token(Kind.SIGN, found[0].strip(), place)
            else:
                yield _ply(found[0].strip(), place)


def _ply(text: str, place: int) -> Token:
    number = _NUMBERED.match(text)
    if number is not None and number.end() < len(text):
        return Token(Kind.PLY, text[number.end() :], place + number.end())
    return Token(Kind.PLY, text, place)
