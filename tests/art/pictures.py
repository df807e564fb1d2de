"""Scenes and ways to look at pictures that several tests of the art share."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dvonn_tui.art.colours import luminance, pack
from dvonn_tui.art.fit import BLOCKS
from dvonn_tui.art.lattice import Lattice
from dvonn_tui.art.painter import BoardPainter, Look
from dvonn_tui.art.palettes import Palette
from dvonn_tui.art.scene import Scene, Tile
from dvonn_tui.core.cells import CELL_NAMED, CELLS
from dvonn_tui.core.log import CellMark, MarkKind
from dvonn_tui.core.pieces import EMPTY, Piece, Stack

F3 = CELL_NAMED["f3"]


def stack(pieces: str) -> Stack:
    """A stack from its pieces, bottom to top."""
    return tuple(Piece(letter) for letter in pieces)


STACKS = {
    "white 1": stack("w"),
    "white 3": stack("bbw"),
    "black 3": stack("bbb"),
    "white 3 with red": stack("rbw"),
    "black 3 with red": stack("rwb"),
    "white 12": stack("b" * 11 + "w"),
    "black 12": stack("w" * 11 + "b"),
    "white 12 with red": stack("r" + "b" * 10 + "w"),
    "red": stack("r"),
    "empty": EMPTY,
}

MARKS = tuple(MarkKind)
SIGNS = ("movable", "selected", "target", "aim", "doomed", "last", "cursor", *MARKS)

COMBINATIONS = (
    *[(sign,) for sign in SIGNS],
    *[("movable", other) for other in ("selected", "target", "aim", "last", "cursor")],
    *[("cursor", other) for other in ("target", "doomed", "last")],
    *[("doomed", other) for other in ("target", "aim", "last")],
    *[("last", other) for other in ("selected", "target", "aim")],
    ("movable", "cursor", "target"),
    ("movable", "cursor", "last"),
    ("doomed", "cursor", "target"),
    *[(mark, other) for mark in MARKS for other in ("selected", "aim", "target", "doomed", "cursor")],
)


def scene(pieces: Stack, signs: tuple[str, ...] = ()) -> Scene:
    """A board with one stack, on f3, and signs on that cell."""
    stacks = tuple(pieces if cell == F3 else EMPTY for cell in CELLS)
    shown = Scene(stacks=stacks)
    one = frozenset({F3})
    for sign in signs:
        if sign == "target":
            shown = replace(shown, targets=one)
        elif sign in ("movable", "doomed", "last"):
            shown = replace(shown, **{sign: one})
        elif sign in MARKS:
            shown = replace(shown, marks=(CellMark(F3, MarkKind(sign)),))
        else:
            shown = replace(shown, **{sign: F3})
    return shown


def paint(look: Look, lattice: Lattice, palette: Palette, shown: Scene) -> list[list[Tile]]:
    """The picture of a scene by a fresh painter."""
    painter = BoardPainter(look, lattice, palette)
    painter.paint(shown)
    return painter.rows


def without_colour(rows: list[list[Tile]]) -> tuple[object, ...]:
    """Characters and attributes only."""
    return tuple((character, ink[2:]) for row in rows for character, ink in row)


def greys(rows: list[list[Tile]]) -> list[float | str]:
    """For each tile the brightness of its four sub-pixels, then its character and line if it is text."""
    found: list[float | str] = []
    for row in rows:
        for character, ink in row:
            front, back = _brightness(ink.foreground), _brightness(ink.background)
            bits = max(0, BLOCKS.find(character))
            found += [front if bits >> (3 - i) & 1 else back for i in range(4)]
            found.append("" if character in BLOCKS else character + "_" * ink.underline)
    return found


@lru_cache
def _brightness(colour: str) -> float:
    return luminance(pack(colour))


def difference(one: list[float | str], other: list[float | str]) -> int:
    """How many sub-pixels of two pictures differ in brightness by so much that it can be seen; a
    character that differs counts as four."""
    count = 0
    for a, b in zip(one, other, strict=True):
        if a != b:
            count += 4 if isinstance(a, str) or isinstance(b, str) else abs(a - b) > 0.05
    return count
