"""Names that can be told apart: two players never look the same to a third.

Names are compared by their look: without regard to capitals, accents, spaces and signs, and with letters
of other alphabets and digits taken for the Latin letters that they look like. Unicode Technical Standard
39 calls that a skeleton and lists all such pairs; here are those that people type.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.seats import LEVELS, LevelSeat, seat_name
from dvonn_tui.tables.protocol import LONGEST_NAME

NAMELESS: Final = "Guest"
"""Whoever gives no name."""

_LOOKS_LIKE: Final = {
    "a": "АаΑα",
    "b": "ВвЬьΒβ8",
    "c": "СсϹϲ",
    "d": "Ԁԁđ",
    "e": "ЕеΕε",
    "h": "НнҺһΗ",
    "i": "ІіΙιı",
    "j": "Јј",
    "k": "КкΚκ",
    "l": "Ӏӏł1|!",
    "m": "МмΜ",
    "n": "Νη",
    "o": "ОоΟοø0",
    "p": "РрΡρ",
    "q": "Ԛԛ",
    "r": "г",
    "s": "Ѕѕ5$",
    "t": "ТтΤτ",
    "u": "μυ",
    "v": "ν",
    "w": "Ԝԝω",
    "x": "ХхΧχ",
    "y": "УуΥγ",
    "z": "Ζζ2",
    "3": "ЗзƷʒ",
}

_AS_LATIN: Final = str.maketrans(
    {character: latin for latin, alike in _LOOKS_LIKE.items() for character in alike}
)


def look(name: str) -> str:
    """What a name looks like: equal for two names that could be taken for each other."""
    spread = unicodedata.normalize("NFKD", name).translate(_AS_LATIN).casefold()
    letters = "".join(character for character in spread if character.isalnum())
    letters = letters.translate(_AS_LATIN).replace("i", "l").replace("rn", "m").replace("vv", "w")
    return letters or spread


RESERVED: Final = frozenset(
    look(name)
    for name in (
        *(side.word for side in Side),
        *(seat_name(LevelSeat(level)) for level in LEVELS),
        "Bot",
        "Server",
    )
)
"""The looks of names that nobody may have: sides, bots, and the server itself."""


def told_apart(name: str, taken: Iterable[str]) -> str:
    """A name for somebody, unlike those that are taken: cleaned, and with a number when it needs one.

    At most `LONGEST_NAME` columns wide; a name that is empty when it was cleaned becomes `NAMELESS`.
    """
    looks = RESERVED.union(map(look, taken))
    wanted = clean_line(name, LONGEST_NAME) or NAMELESS
    chosen, number = wanted, 1
    while look(chosen) in looks:
        number += 1
        suffix = f" ({number})"
        chosen = clean_line(wanted, LONGEST_NAME - len(suffix)) + suffix
    return chosen
