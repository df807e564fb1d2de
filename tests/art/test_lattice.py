"""Where cells and labels lie, and which cell a pointer is on."""

from __future__ import annotations

import pytest

from dvonn_tui.art.lattice import SCALES, Lattice, Scale, ScreenDirection, scale_for
from dvonn_tui.core.cells import CELL_NAMED, CELL_NAMES, CELLS, NEIGHBOURS

LATTICES = [Lattice(scale, flipped) for scale in SCALES for flipped in (False, True)]
every_lattice = pytest.mark.parametrize(
    "lattice", LATTICES, ids=lambda lat: f"{lat.scale.name}-{lat.flipped}"
)


def test_sizes_are_those_of_the_table() -> None:
    sizes = {scale.name: (scale.width, scale.height) for scale in SCALES}
    assert sizes == {
        "14x6": (163, 32),
        "12x5": (141, 27),
        "10x4": (119, 22),
        "8x3": (97, 17),
        "6x3": (73, 17),
        "6x2": (73, 11),
        "4x2": (51, 11),
    }


@pytest.mark.parametrize(
    ("columns", "lines", "name"),
    [
        (400, 99, "14x6"),
        (163, 32, "14x6"),
        (162, 32, "12x5"),
        (119, 22, "10x4"),
        (73, 16, "6x2"),
        (51, 11, "4x2"),
    ],
)
def test_the_largest_scale_that_fits(columns: int, lines: int, name: str) -> None:
    scale = scale_for(columns, lines)
    assert scale is not None
    assert scale.name == name


@pytest.mark.parametrize(("columns", "lines"), [(50, 11), (51, 10), (400, 10)])
def test_no_scale_fits_a_screen_too_small(columns: int, lines: int) -> None:
    assert scale_for(columns, lines) is None


@every_lattice
def test_row_five_is_at_the_top_unless_flipped(lattice: Lattice) -> None:
    a1, a3, k5 = (lattice.place(CELL_NAMED[name]) for name in ("a1", "a3", "k5"))
    upper, lower = (a1, k5) if lattice.flipped else (k5, a1)
    assert upper[1] < a3[1] < lower[1]
    assert (a3[0] < k5[0]) is not lattice.flipped


@every_lattice
def test_rows_and_neighbours_are_evenly_spaced(lattice: Lattice) -> None:
    assert len(set(lattice.places)) == 49
    for cell in CELLS:
        x, y = lattice.place(cell)
        for other in NEIGHBOURS[cell]:
            to_x, to_y = lattice.place(other)
            step = abs(to_x - x), abs(to_y - y)
            assert step in {(lattice.scale.pitch, 0), (lattice.scale.pitch // 2, lattice.scale.rows)}


def _characters_of_disc(lattice: Lattice, scale: Scale, x: int, y: int) -> list[tuple[int, int]]:
    """The characters whose middle lies on the disc around a middle character."""
    found = []
    for across in range(-8, 9):
        for down in range(-4, 5):
            up = (2 * down + 1 - scale.middle) / scale.radius_y
            if (across / scale.radius_x) ** 2 + up**2 <= 1:
                found.append((x + across, y + down))
    return found


@every_lattice
def test_every_character_of_a_disc_hits_its_cell(lattice: Lattice) -> None:
    for cell in CELLS:
        x, y = lattice.place(cell)
        characters = _characters_of_disc(lattice, lattice.scale, x, y)
        assert len(characters) >= 3
        for character in {(x, y), (x - 1, y), (x + 1, y), *characters}:
            assert lattice.cell_at(*character) == cell, (CELL_NAMES[cell], character)


@every_lattice
def test_nothing_is_hit_well_off_the_board(lattice: Lattice) -> None:
    width, height = lattice.width, lattice.height
    for place in [
        (0, 0),
        (width - 1, 0),
        (0, height - 1),
        (width - 1, height - 1),
        (-9, -9),
        (width + 50, 5),
    ]:
        assert lattice.cell_at(*place) is None
    assert lattice.cell_at(width // 2, -lattice.scale.rows) is None
    assert lattice.cell_at(width // 2, height + lattice.scale.rows) is None


@every_lattice
def test_hits_agree_with_the_nearest_cell(lattice: Lattice) -> None:
    scale = lattice.scale
    for y in range(lattice.height):
        for x in range(lattice.width):
            hit = lattice.cell_at(x, y)

            def away(cell: int, x: int = x, y: int = y) -> float:
                to_x, to_y = lattice.places[cell]
                down = (y + 0.5 - to_y - scale.middle / 2) / scale.rows / 1.1547
                return ((x - to_x) / scale.pitch) ** 2 + down**2

            nearest = min(away(cell) for cell in CELLS)
            if hit is None:
                assert nearest >= 0.4
            else:
                assert away(hit) == pytest.approx(nearest)


@every_lattice
def test_labels_are_on_the_picture_and_on_no_cell(lattice: Lattice) -> None:
    assert "".join(sorted(lattice.labels.values())) == "12345abcdefghijk"
    for x, y in lattice.labels:
        assert 0 <= x < lattice.width
        assert 0 <= y < lattice.height
    middles = {(x + d, y) for x, y in lattice.places for d in (-1, 0, 1)}
    assert not middles & set(lattice.labels)


def test_letters_continue_their_columns() -> None:
    lattice = Lattice(SCALES[2])
    step = lattice.scale.pitch // 2
    for index, name in enumerate(("a1", "b1", "i1")):
        x, _ = lattice.place(CELL_NAMED[name])
        assert lattice.letters[(0, 1, 8)[index]] == (x + step, lattice.height - 1)
    for letter, beside in ((9, "i1"), (10, "j2")):
        x, y = lattice.place(CELL_NAMED[beside])
        assert lattice.letters[letter] == (x + step + 2, y)
    for digit, first in enumerate(("a1", "a2", "a3", "b4", "c5")):
        x, y = lattice.place(CELL_NAMED[first])
        assert lattice.digits[digit] == (x - step - 2, y)


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
def test_a_flipped_board_is_turned_by_half_a_turn(scale: Scale) -> None:
    plain, flipped = Lattice(scale), Lattice(scale, flipped=True)
    for (x, y), (turned_x, turned_y) in zip(plain.places, flipped.places, strict=True):
        assert turned_x == scale.width - 1 - x
        assert turned_y - flipped.place(CELL_NAMED["f3"])[1] == plain.place(CELL_NAMED["f3"])[1] - y
    assert all(y == 0 for _, y in flipped.letters[:9])
    assert [x for x, _ in flipped.letters] == [scale.width - 1 - x for x, _ in plain.letters]
    assert [x for x, _ in flipped.digits] == [scale.width - 1 - x for x, _ in plain.digits]


SIGNS = {
    ScreenDirection.LEFT: (-1, 0),
    ScreenDirection.RIGHT: (1, 0),
    ScreenDirection.UP_LEFT: (-1, -1),
    ScreenDirection.UP_RIGHT: (1, -1),
    ScreenDirection.DOWN_LEFT: (-1, 1),
    ScreenDirection.DOWN_RIGHT: (1, 1),
}


@every_lattice
@pytest.mark.parametrize("direction", ScreenDirection)
def test_neighbours_lie_where_the_direction_points(lattice: Lattice, direction: ScreenDirection) -> None:
    found = 0
    for cell in CELLS:
        other = lattice.neighbour_on_screen(cell, direction)
        if other is None:
            continue
        found += 1
        x, y = lattice.place(cell)
        to_x, to_y = lattice.place(other)
        assert other in NEIGHBOURS[cell]
        assert ((to_x > x) - (to_x < x), (to_y > y) - (to_y < y)) == SIGNS[direction]
    assert found == (44 if direction in (ScreenDirection.LEFT, ScreenDirection.RIGHT) else 38)


def test_each_cell_has_as_many_ways_as_neighbours() -> None:
    lattice = Lattice(SCALES[0])
    for cell in CELLS:
        ways = {lattice.neighbour_on_screen(cell, direction) for direction in ScreenDirection}
        assert ways - {None} == set(NEIGHBOURS[cell])
