"""What is sent of a picture shows that picture, and says no more than it has to."""

from __future__ import annotations

import re
from typing import Any

import pyte
from hypothesis import given, settings
from hypothesis import strategies as st
from pyte.screens import Char
from rich.console import Console
from textual.strip import Strip

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.ui.lean import _LeanUpdate, _Part

WIDTH, HEIGHT = 12, 5
INKS = [
    *(Ink(front, back) for front in ("#ff0000", "#00ff00", "#0000ff", "") for back in ("#102030", "#405060")),
    Ink("#ff0000", "#102030", bold=True),
    Ink("#ff0000", "#102030", underline=True),
    Ink("#00ff00", "#405060", reverse=True),
]
TILES = st.tuples(st.sampled_from(" ▀▟x"), st.sampled_from(INKS))
SEEN_ON_BLANKS = ("underscore", "reverse")


class Sheet:
    """Stands for the widget that the tiles are of."""

    see_through = False

    def get_line_filters(self) -> list[Any]:
        return []


def part(x: int, y: int, tiles: list[Tile]) -> _Part:
    return _Part(x, y, tiles, Sheet())  # type: ignore[arg-type]


def sent(parts: list[_Part]) -> str:
    """What is sent of the parts."""
    return _LeanUpdate(parts).render_segments(Console(force_terminal=True, color_system="truecolor"))


def seen(parts: list[_Part]) -> list[list[Char]]:
    """What stands then on a screen that was empty. A blank may have any foreground."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    pyte.Stream(screen).feed(sent(parts))
    assert screen.cursor.attrs == screen.default_char, "the terminal is left without any style"
    return [
        [
            character._replace(fg="")
            if character.data == " " and not any(getattr(character, name) for name in SEEN_ON_BLANKS)
            else character
            for character in (screen.buffer[y][x] for x in range(WIDTH))
        ]
        for y in range(HEIGHT)
    ]


def one_by_one(parts: list[_Part]) -> list[list[Char]]:
    """What is seen when every tile is sent by itself."""
    shown = seen([])
    for x, y, tiles, _ in parts:
        for column, tile in enumerate(tiles, start=x):
            shown[y][column] = seen([part(column, y, [tile])])[y][column]
    return shown


@st.composite
def some_parts(draw: st.DrawFn) -> list[_Part]:
    """Parts of some lines, as many as there are lines at most, from left to right and from top to bottom."""
    found = []
    for y in range(HEIGHT):
        x = 0
        while x < WIDTH and draw(st.booleans()):
            start = draw(st.integers(x, WIDTH - 1))
            tiles = draw(st.lists(TILES, min_size=1, max_size=min(5, WIDTH - start)))
            found.append(part(start, y, tiles))
            x = start + len(tiles) + 1
    return found


@given(some_parts())
@settings(deadline=None, max_examples=80)
def test_the_tiles_stand_where_they_belong_and_as_they_are(parts: list[_Part]) -> None:
    assert seen(parts) == one_by_one(parts)


def test_a_colour_is_named_once_wherever_it_is_seen() -> None:
    """Signs that come back all over the board: two styles in turn, in places far from each other."""
    first, second = INKS[0], INKS[3]
    parts = [part(x, y, [("▀", first), ("▟", second)]) for y in range(HEIGHT) for x in (0, 6, 10)]
    styles = re.findall("\x1b\\[([\\d;]*)m", sent(parts))
    assert styles == ["38;2;255;0;0;48;2;16;32;48", "38;2;0;255;0;48;2;64;80;96", "0"]


def test_a_strip_comes_with_the_tiles() -> None:
    parts = [_Part(3, 1, Strip.blank(2), None), part(0, 0, [("x", INKS[0])])]
    shown = seen(parts)
    assert shown[0][0].data == "x"
    assert {character.data for row in shown[1:] for character in row} == {" "}
