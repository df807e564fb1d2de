"""Everything a cell can show is told apart without colour, in every look and at every scale."""

from __future__ import annotations

import unicodedata
from itertools import combinations

import pytest

from dvonn_tui.art.fit import BLOCKS
from dvonn_tui.art.lattice import SCALES, Lattice, Scale
from dvonn_tui.art.painter import BoardPainter, Look
from dvonn_tui.art.palettes import DARK, LIGHT, SIXTEEN, XTERM_DARK, Palette
from dvonn_tui.art.scene import Glide, Scene, Tile
from dvonn_tui.art.stamps import number
from dvonn_tui.core.cells import CELL_NAMED, CELLS
from dvonn_tui.core.pieces import EMPTY

from .pictures import (
    COMBINATIONS,
    F3,
    MARKS,
    SIGNS,
    STACKS,
    difference,
    greys,
    paint,
    scene,
    stack,
    without_colour,
)

every_scale = pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
TEXT_LOOKS = [Look.GRAPH, Look.ASCII]
LETTERS = "0123456789abcdefghijk"
GLYPHS = {
    Look.DISCS: set(BLOCKS + LETTERS + "◆×◎╳*"),
    Look.GRAPH: set(BLOCKS + LETTERS + "○●◇◆×·◦─╱╲▸◂▾▴╵◎╳*"),
    Look.ASCII: set(LETTERS + " ()[]<>D*x>'^.o-/\\OX#"),
}


def _cases() -> dict[str, Scene]:
    """Every stack without signs, and three of them with all signs and combinations of signs."""
    found = {name: scene(pieces) for name, pieces in STACKS.items()}
    for name in ("white 3", "black 12", "white 12 with red"):
        for signs in COMBINATIONS:
            found[f"{name}: {', '.join(signs)}"] = scene(STACKS[name], signs)
    for sign in ("last", "cursor"):
        found[f"empty: {sign}"] = scene(EMPTY, (sign,))
    for mark in MARKS:
        found[f"empty: {mark}"] = scene(EMPTY, (mark,))
    found["empty: last, cursor"] = scene(EMPTY, ("last", "cursor"))
    return found


def _same_by_meaning(one: str, other: str) -> bool:
    """True for two cases whose difference is not shown: a doomed stack shows its owner, not its height."""
    return (
        "doomed" in one
        and "doomed" in other
        and one.split()[0] == other.split()[0]
        and (one.split(": ")[1] == other.split(": ")[1])
    )


@every_scale
@pytest.mark.parametrize("look", TEXT_LOOKS)
def test_text_looks_tell_everything_apart_without_colour(look: Look, scale: Scale) -> None:
    box = _box(scale)
    pictures = {
        name: without_colour(_cut(paint(look, Lattice(scale), DARK, shown), box))
        for name, shown in _cases().items()
    }
    for one, other in combinations(pictures, 2):
        if not _same_by_meaning(one, other):
            assert pictures[one] != pictures[other], f"{one} looks like {other}"


@every_scale
@pytest.mark.parametrize("palette", [DARK, LIGHT, XTERM_DARK, SIXTEEN], ids=lambda palette: palette.name)
def test_discs_tell_everything_apart_in_grey(scale: Scale, palette: Palette) -> None:
    box = _box(scale)
    painter = BoardPainter(Look.DISCS, Lattice(scale), palette)
    pictures = {}
    for name, shown in _cases().items():
        painter.paint(shown)
        pictures[name] = greys(_cut(painter.rows, box))
    for one, other in combinations(pictures, 2):
        bare = ":" not in one and ":" not in other
        same_stack = one.split(":")[0] == other.split(":")[0]
        if bare or same_stack:
            apart = difference(pictures[one], pictures[other])
            assert apart >= 2, f"{one} looks like {other}: {apart}"


def _box(scale: Scale) -> tuple[int, int, int, int]:
    """The columns and lines around f3 in which its picture lies."""
    x, y = Lattice(scale).place(F3)
    return x - 10, y - 4, x + 11, y + 6


def _cut(rows: list[list[Tile]], box: tuple[int, int, int, int]) -> list[list[Tile]]:
    left, top, right, bottom = box
    return [row[left:right] for row in rows[max(top, 0) : bottom]]


@every_scale
@pytest.mark.parametrize("palette", [DARK, SIXTEEN], ids=lambda palette: palette.name)
@pytest.mark.parametrize("name", ["white 3", "black 3"])
def test_signs_on_discs_differ_in_shape(scale: Scale, palette: Palette, name: str) -> None:
    """Where a sign changes the picture is a shape of its own, whatever its colour."""
    lattice, box = Lattice(scale), _box(scale)
    bare = _cut(paint(Look.DISCS, lattice, palette, scene(STACKS[name])), box)
    shapes = {}
    for sign in SIGNS:
        rows = _cut(paint(Look.DISCS, lattice, palette, scene(STACKS[name], (sign,))), box)
        shapes[sign] = frozenset(
            (x, y, tile[0]) for y, row in enumerate(rows) for x, tile in enumerate(row) if tile != bare[y][x]
        )
        assert shapes[sign], sign
    for one, other in combinations(shapes, 2):
        assert shapes[one] != shapes[other], f"{one} has the shape of {other}"


@every_scale
@pytest.mark.parametrize("look", Look)
def test_a_movable_stack_is_marked_only_when_asked(look: Look, scale: Scale) -> None:
    lattice = Lattice(scale)
    plain, marked = (paint(look, lattice, DARK, scene(STACKS["white 3"], s)) for s in ((), ("movable",)))
    rows = zip(plain, marked, strict=True)
    changed = sum(a != b for one, other in rows for a, b in zip(one, other, strict=True))
    assert 1 <= changed <= 30


def _crowded() -> list[Scene]:
    """Scenes in which everything there is to draw appears somewhere."""
    pieces = list(STACKS.values())
    stacks = tuple(pieces[cell % len(pieces)] for cell in CELLS)
    some = [frozenset(cell for cell in CELLS if cell % step == 0) for step in (2, 3, 4, 5)]
    busy = Scene(
        stacks=stacks, movable=some[0], targets=some[1], doomed=some[2], last=some[3],
        selected=CELL_NAMED["c2"], aim=CELL_NAMED["e4"], cursor=CELL_NAMED["g3"],
        glides=(Glide(STACKS["white 12 with red"], CELL_NAMED["a1"], CELL_NAMED["d4"], 0.4),),
        fading={CELL_NAMED["k5"]: (stack("w"), 0.7)},
    )  # fmt: skip
    fading = {cell: (stack("bw"), 0.5) for cell in some[0]}
    empty = Scene(last=some[1], cursor=CELL_NAMED["a1"], fading=fading)
    return [busy, empty]


@every_scale
@pytest.mark.parametrize("look", Look)
@pytest.mark.parametrize("flipped", [False, True])
def test_only_known_characters_one_column_wide_are_drawn(look: Look, scale: Scale, flipped: bool) -> None:
    drawn = set()
    for shown in _crowded():
        for palette in (DARK, SIXTEEN):
            rows = paint(look, Lattice(scale, flipped), palette, shown)
            assert [len(row) for row in rows] == [scale.width] * scale.height
            drawn |= {character for row in rows for character, _ in row}
    assert drawn <= GLYPHS[look]
    assert all(len(character) == 1 for character in drawn)
    assert all(unicodedata.east_asian_width(character) not in "WF" for character in drawn)


@every_scale
def test_the_ascii_look_needs_neither_colour_nor_other_characters(scale: Scale) -> None:
    for shown in _crowded():
        for row in paint(Look.ASCII, Lattice(scale), DARK, shown):
            assert "".join(character for character, _ in row).isascii()
            assert all(ink.foreground == ink.background == "" for _, ink in row)


@pytest.mark.parametrize("palette", [XTERM_DARK, SIXTEEN], ids=lambda palette: palette.name)
@every_scale
@pytest.mark.parametrize("look", [Look.DISCS, Look.GRAPH])
def test_hard_palettes_are_never_blended(look: Look, scale: Scale, palette: Palette) -> None:
    own = {getattr(palette, name) for name in palette.__dataclass_fields__} | {""}
    for shown in _crowded():
        for row in paint(look, Lattice(scale), palette, shown):
            assert {colour for _, ink in row for colour in ink[:2]} <= own


@every_scale
@pytest.mark.parametrize("look", Look)
@pytest.mark.parametrize("pieces", ["{}w", "{}b", "r{}w"])
def test_two_digit_heights_can_be_read(look: Look, scale: Scale, pieces: str) -> None:
    lattice = Lattice(scale)
    x, y = lattice.place(F3)
    plain = Scene()
    for height in (10, 11, 18, 24, 37, 48, 49):
        full = stack(pieces.format("b" * (height - len(pieces) + 2)))
        rows = paint(look, lattice, DARK, scene(full))
        if look is Look.DISCS and scale.pixel_digits:
            colour = DARK.red_sign if "r" in pieces else DARK.disc(full[-1])[1]
            assert _dots(rows, x, y, colour) == set(number(height, scale.pitch < 12))
        else:
            line = "".join(character for character, _ in rows[y])
            assert str(height) in line[x - 2 : x + 3]
        assert rows != paint(look, lattice, DARK, plain)


def _dots(rows: list[list[Tile]], x: int, y: int, colour: str) -> set[tuple[int, int]]:
    """The sub-pixels around a middle character, five half lines, that have exactly a colour."""
    found = set()
    for line in range(-1, 4):
        for across in range(-9, 11):
            character, ink = rows[y + (line >> 1)][x + (across >> 1)]
            bit = BLOCKS.index(character) >> (3 - (line & 1) * 2 - (across & 1)) & 1
            if (ink.foreground if bit else ink.background) == colour:
                found.add((across, line))
    return found


@every_scale
def test_two_digits_in_pixels_keep_off_the_rim(scale: Scale) -> None:
    if not scale.pixel_digits:
        return
    for height in range(10, 50):
        for across, line in number(height, scale.pitch < 12):
            x, y = abs((across + 0.5) / 2 - 0.5) + 0.25, abs(line + 0.5 - scale.middle) + 0.5
            assert (x / scale.radius_x) ** 2 + (y / scale.radius_y) ** 2 <= 1, height


def test_no_two_digits_look_alike() -> None:
    for narrow in (False, True):
        shapes = [number(height, narrow) for height in range(1, 50)]
        for one, other in combinations(shapes, 2):
            assert len(set(one) ^ set(other)) >= 2
