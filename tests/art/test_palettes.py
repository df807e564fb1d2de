"""Colours can be read, and stand out from what they lie on."""

from __future__ import annotations

from dataclasses import fields

import pytest

from dvonn_tui.art.colours import DEFAULT, contrast, mix, pack, unpack
from dvonn_tui.art.lattice import SCALES, Lattice
from dvonn_tui.art.painter import Look
from dvonn_tui.art.palettes import DARK, LIGHT, PALETTES, SIXTEEN, XTERM_DARK, XTERM_LIGHT, Palette
from dvonn_tui.art.scene import Scene

from .pictures import paint

soft = pytest.mark.parametrize("palette", [DARK, LIGHT], ids=lambda palette: palette.name)
coloured = pytest.mark.parametrize(
    "palette", [DARK, LIGHT, XTERM_DARK, XTERM_LIGHT], ids=lambda palette: palette.name
)


def _colours(palette: Palette) -> dict[str, str]:
    found = {field.name: getattr(palette, field.name) for field in fields(palette)}
    return {name: value for name, value in found.items() if name not in ("name", "hard")}


@coloured
def test_text_can_be_read(palette: Palette) -> None:
    for text in (palette.text, palette.dim, palette.warning):
        for paper in (palette.app, palette.panel):
            assert contrast(text, paper) >= 4.5, (text, paper)
    assert contrast(palette.label, palette.tray) >= 4.5
    assert contrast(palette.label_lit, palette.tray) >= 4.5


@coloured
@pytest.mark.parametrize("sign", ["select", "target", "last", "doom", "white", "black", "red_rim"])
def test_signs_and_pieces_stand_out_from_the_tray(palette: Palette, sign: str) -> None:
    assert contrast(getattr(palette, sign), palette.tray) >= 3


@coloured
def test_numbers_stand_out_from_their_discs(palette: Palette) -> None:
    assert contrast(palette.white_number, palette.white) >= 7
    assert contrast(palette.black_number, palette.black) >= 7
    assert contrast(palette.red_sign, palette.red) >= 4.5


@coloured
def test_the_stroke_on_a_ghost_can_be_seen(palette: Palette) -> None:
    assert contrast(palette.doom_on_white, palette.ghost_white) >= 3
    assert contrast(palette.doom, palette.ghost_black) >= 3


@coloured
def test_the_side_of_a_movable_disc_differs_from_its_face_and_shadow(palette: Palette) -> None:
    assert contrast(palette.white_side, palette.white) >= 1.6
    assert contrast(palette.black_side, palette.black) >= 3
    assert contrast(palette.black_side, palette.tray) >= 1.6


@pytest.mark.parametrize("palette", [XTERM_DARK, XTERM_LIGHT], ids=lambda palette: palette.name)
def test_xterm_palettes_have_only_colours_of_the_256(palette: Palette) -> None:
    steps = (0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF)
    cube = {r << 16 | g << 8 | b for r in steps for g in steps for b in steps}
    greys = {level * 0x010101 for level in range(0x08, 0xEF, 10)}
    assert palette.hard
    for name, colour in _colours(palette).items():
        assert pack(colour) in cube | greys, name


def test_sixteen_colours_are_the_terminals_own() -> None:
    assert SIXTEEN.hard
    for name, colour in _colours(SIXTEEN).items():
        assert pack(colour) >= DEFAULT, name


def test_a_theme_changes_the_screen_but_not_the_board() -> None:
    ours = DARK.on_theme("nord", app="#2e3440", panel="#3b4252", text="#eceff4", dim="#d8dee9")
    assert (ours.name, ours.app, ours.panel, ours.text, ours.dim) == (
        *("nord", "#2e3440", "#3b4252"),
        *("#eceff4", "#d8dee9"),
    )
    same = set(_colours(DARK)) - {"app", "panel", "text", "dim"}
    assert {name: getattr(ours, name) for name in same} == {name: getattr(DARK, name) for name in same}


@pytest.mark.parametrize("look", Look)
def test_a_theme_on_the_terminals_own_background_is_not_blended_with_it(look: Look) -> None:
    ours = DARK.on_theme("own", app="ansi_black", panel="", text="", dim="")
    solid = set(_colours(DARK).values()) | {"ansi_black", ""}
    for scale in SCALES:
        rows = paint(look, Lattice(scale), ours, Scene())
        rim = {colour for row in rows for _, ink in (row[0], row[-1]) for colour in ink[:2]}
        assert rim <= solid
        if look is not Look.ASCII:
            assert "ansi_black" in rim


def test_palettes_are_found_by_name() -> None:
    assert {name: palette.name for name, palette in PALETTES.items()} == {name: name for name in PALETTES}
    assert len(PALETTES) == 5


@pytest.mark.parametrize("text", ["#000000", "#ffffff", "#4c6975", "", "ansi_black", "ansi_bright_white"])
def test_packing_can_be_undone(text: str) -> None:
    assert unpack(pack(text)) == text


@pytest.mark.parametrize("text", ["red", "#fff", "ansi_pink", "4c6975"])
def test_what_is_no_colour_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        pack(text)


def test_mixing() -> None:
    assert mix(0x000000, 0xFFFFFF, 0.0) == 0x000000
    assert mix(0x123456, 0xFEDCBA, 1.0) == 0xFEDCBA
    assert mix(0x204060, 0x406080, 0.5) == 0x305070


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)
