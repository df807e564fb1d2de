"""Repainting what changed gives the same picture as painting everything."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn_tui.art.lattice import SCALES, Lattice
from dvonn_tui.art.painter import BoardPainter, Look, runs, spans
from dvonn_tui.art.palettes import DARK, SIXTEEN
from dvonn_tui.art.scene import Glide, Ink, Scene, Span, Tile
from dvonn_tui.core.cells import CELL_NAMED, CELLS

from .pictures import STACKS, paint

cells = st.sampled_from(CELLS)
sets = st.frozensets(cells, max_size=12)
stacks = st.sampled_from(list(STACKS.values()))
scenes = st.builds(
    Scene,
    stacks=st.lists(stacks, min_size=49, max_size=49).map(tuple),
    movable=sets,
    selected=st.none() | cells,
    targets=sets,
    aim=st.none() | cells,
    doomed=sets,
    last=sets,
    cursor=st.none() | cells,
    glides=st.lists(
        st.builds(Glide, stack=stacks.filter(bool), source=cells, target=cells, progress=st.floats(0, 1)),
        max_size=2,
    ).map(tuple),
    fading=st.dictionaries(cells, st.tuples(stacks.filter(bool), st.floats(0, 1)), max_size=3),
)
lattices = st.builds(Lattice, st.sampled_from(SCALES), st.booleans())


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(Look),
    lattices,
    st.sampled_from([DARK, SIXTEEN]),
    st.lists(scenes, min_size=2, max_size=3),
)
def test_repainting_equals_painting(
    look: Look, lattice: Lattice, palette: object, shown: list[Scene]
) -> None:
    painter = BoardPainter(look, lattice, palette)  # type: ignore[arg-type]
    painter.paint(shown[0])
    for after in shown[1:]:
        before = [list(row) for row in painter.rows]
        told = painter.paint(after)
        assert painter.rows == paint(look, lattice, palette, after)  # type: ignore[arg-type]
        _check_spans(before, painter.rows, told)


def _check_spans(before: list[list[Tile]], after: list[list[Tile]], told: list[Span]) -> None:
    """Spans cover every difference once, and nothing else."""
    differing = {(y, x) for y, row in enumerate(after) for x, tile in enumerate(row) if tile != before[y][x]}
    covered = [(span.row, x) for span in told for x in range(span.start, span.end)]
    assert sorted(covered) == sorted(differing)


@pytest.mark.parametrize("look", Look)
def test_the_first_time_whole_rows_are_told_and_then_nothing(look: Look) -> None:
    lattice = Lattice(SCALES[2])
    painter = BoardPainter(look, lattice, DARK)
    assert painter.paint(Scene()) == [Span(row, 0, lattice.width) for row in range(lattice.height)]
    assert painter.paint(Scene()) == []


@pytest.mark.parametrize("look", Look)
def test_a_step_of_the_cursor_touches_only_its_surroundings_and_labels(look: Look) -> None:
    lattice = Lattice(SCALES[2])
    painter = BoardPainter(look, lattice, DARK)
    shown = Scene(stacks=tuple(list(STACKS.values())[cell % 9] for cell in CELLS), cursor=CELL_NAMED["c2"])
    painter.paint(shown)
    told = painter.paint(replace(shown, cursor=CELL_NAMED["d2"]))
    assert 0 < sum(span.end - span.start for span in told) <= 120
    near = [lattice.place(CELL_NAMED[name]) for name in ("c2", "d2")]
    labels = {place for name in ("c2", "d2") for place in lattice.labels_of(CELL_NAMED[name])}
    for span in told:
        for x in range(span.start, span.end):
            beside = any(abs(x - to_x) < 10 and abs(span.row - to_y) < 5 for to_x, to_y in near)
            assert beside or (x, span.row) in labels


@pytest.mark.parametrize("look", Look)
def test_labels_of_the_cursor_are_lit(look: Look) -> None:
    lattice = Lattice(SCALES[4])
    cell = CELL_NAMED["g4"]
    dark = paint(look, lattice, DARK, Scene())
    lit = paint(look, lattice, DARK, Scene(cursor=cell))
    changed = {(x, y) for x, y in lattice.labels if dark[y][x] != lit[y][x]}
    assert changed == set(lattice.labels_of(cell))
    assert {lit[y][x][0] for x, y in changed} == {"g", "4"}


def test_a_glide_moves_over_the_board_and_leaves_nothing_behind() -> None:
    lattice = Lattice(SCALES[2])
    painter = BoardPainter(Look.DISCS, lattice, DARK)
    plain = Scene(stacks=tuple(list(STACKS.values())[cell % 9] for cell in CELLS))
    painter.paint(plain)
    before = [list(row) for row in painter.rows]
    seen = set()
    for step in range(11):
        glide = Glide(STACKS["white 3"], CELL_NAMED["c3"], CELL_NAMED["g3"], step / 10)
        painter.paint(replace(plain, glides=(glide,)))
        seen.add(tuple(map(tuple, painter.rows)))
    assert len(seen) == 11
    painter.paint(plain)
    assert painter.rows == before


def test_a_fading_stack_gets_fainter_until_it_is_gone() -> None:
    lattice = Lattice(SCALES[2])
    cell = CELL_NAMED["f3"]
    x, y = lattice.place(cell)
    inks = []
    for strength in (1.0, 0.7, 0.4, 0.0):
        rows = paint(Look.DISCS, lattice, DARK, Scene(fading={cell: (STACKS["white 3"], strength)}))
        inks.append(rows[y][x - 3][1].background)
    assert len(set(inks)) == 4
    assert inks[3] == paint(Look.DISCS, lattice, DARK, Scene())[y][x - 3][1].background


def test_spans_join_neighbours() -> None:
    joined = [Span(0, 3, 5), Span(0, 8, 9), Span(0, 19, 20), Span(1, 0, 2), Span(1, 19, 20)]
    assert list(spans([3, 4, 8, 19, 20, 21, 39], 20)) == joined
    assert list(spans([], 20)) == []


def test_runs_join_tiles_of_one_ink_and_blanks_on_the_same_ground() -> None:
    one, blank, other = Ink("#000001", "#000002"), Ink("#000002", "#000002"), Ink("#000003", "#000002")
    row: list[Tile] = [("▌", one), (" ", blank), ("▐", one), ("▐", other), (" ", blank), (" ", blank)]
    assert list(runs(row, 0, 6)) == [("▌ ▐", one), ("▐  ", other)]
    assert list(runs(row, 1, 4)) == [(" ▐", one), ("▐", other)]
    assert list(runs(row, 4, 6)) == [("  ", blank)]
    underlined = Ink("#000001", "#000002", underline=True)
    assert list(runs([("1", underlined), (" ", blank)], 0, 2)) == [("1", underlined), (" ", blank)]
