"""What one board cell looks like in discs: its body, and the signs on and around it.

A sprite is flattened once for each look, scale and palette, and cut into parts, one for each terminal
cell it touches. Drawing is then only laying parts over each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from functools import lru_cache
from math import ceil, sqrt
from typing import Final, NamedTuple

from dvonn_tui.art import stamps
from dvonn_tui.art.colours import Colour, mix, pack
from dvonn_tui.art.lattice import Scale
from dvonn_tui.art.palettes import Palette
from dvonn_tui.art.sheet import MARK_SIGNS
from dvonn_tui.art.stamps import Stamp
from dvonn_tui.core.log import MarkKind
from dvonn_tui.core.pieces import Piece

FULL = 8
"""Coverage is counted in eighths, so that few different colours arise."""

_HARD_EDGE = 0.4
"""Where colours must not blend, a sub-pixel belongs to a shape that covers this much of it."""

_ARCS_FROM = {14: 0.5, 12: 0.5, 8: 0.5}
"""From which part of both radii on the arcs of a target are drawn, by pitch; 0.4 elsewhere. They are
as short as their shape allows, because every step of a cursor may repaint a dozen of them."""

_SHORT = 0.7
"""How far up and down, in half lines, the short arcs reach that speak of the last move."""


class Sign(IntFlag):
    """The signs that a board cell can bear beside its stack."""

    MOVABLE = 1
    SELECTED = 2
    TARGET = 4
    AIM = 8
    DOOMED = 16
    LAST = 32
    CURSOR = 64
    CIRCLE = 128
    CROSS = 256
    STAR = 512


MARK_FLAGS: Final = {
    MarkKind.CIRCLE: Sign.CIRCLE,
    MarkKind.CROSS: Sign.CROSS,
    MarkKind.STAR: Sign.STAR,
}
_ALL_MARKS: Final = Sign.CIRCLE | Sign.CROSS | Sign.STAR


class CellLook(NamedTuple):
    """Everything that the picture of one board cell depends on."""

    top: Piece | None = None
    """The piece on top; None on an empty cell."""
    height: int = 0
    red: bool = False
    """True when a red piece is in the stack."""
    signs: int = 0
    """A sum of `Sign`s."""
    strength: int = FULL
    """How much of a fading stack is left, in eighths."""


class Letter(NamedTuple):
    """A character of text on a sprite."""

    character: str
    colour: Colour
    underline: bool = False


Layer = tuple[tuple[Colour, int], tuple[Colour, int], tuple[Colour, int], tuple[Colour, int]]
"""Colour and coverage in eighths for the four sub-pixels of a terminal cell, upper left first."""


class Part(NamedTuple):
    """What a sprite lays on one terminal cell."""

    body: Layer | None = None
    letter: Letter | None = None
    marks: Layer | None = None


Offset = tuple[int, int]
"""A terminal cell, counted from the middle character of a board cell: (across, down)."""


@dataclass(slots=True)
class _Film:
    """Sub-pixels with colour and coverage, on which shapes are laid."""

    hard: bool
    dots: dict[tuple[int, int], tuple[Colour, float]] = field(default_factory=dict)

    def lay(self, stamp: Stamp, colour: Colour, strength: float = 1.0, down: int = 0) -> None:
        """Lay a shape on what is there, ``down`` half lines lower than it was made."""
        dots, hard = self.dots, self.hard
        for (across, line), cover in stamp.items():
            at = across, line + down
            cover *= strength
            if hard:
                if cover >= _HARD_EDGE:
                    dots[at] = colour, 1.0
                continue
            under = dots.get(at)
            if under is None or cover >= 1.0:
                dots[at] = colour, cover
            else:
                whole = cover + under[1] * (1 - cover)
                dots[at] = mix(under[0], colour, cover / whole), whole

    def cut(self, stamp: Stamp) -> None:
        """Take away everything where a shape is."""
        for at in stamp:
            self.dots.pop(at, None)

    def layers(self, strength: int = FULL) -> dict[Offset, Layer]:
        """The film cut into terminal cells, fainter if it is fading."""
        eighths: dict[Offset, list[tuple[Colour, int]]] = {}
        for (across, line), (colour, cover) in self.dots.items():
            level = round(cover * strength)
            if level:
                four = eighths.setdefault((across >> 1, line >> 1), [(0, 0)] * 4)
                four[(line & 1) * 2 + (across & 1)] = colour, level
        return {at: (four[0], four[1], four[2], four[3]) for at, four in eighths.items()}


@dataclass(frozen=True, slots=True)
class Gauge:
    """The sizes, in pixels, that the shapes of one scale share."""

    scale: Scale

    @property
    def gap(self) -> float:
        """How far the rings of choice stand out from a disc."""
        return 1.25 if self.scale.roomy else 0.95

    @property
    def outer(self) -> tuple[float, float]:
        """Half the width and height of everything around a cell."""
        return self.scale.radius_x + self.gap, self.scale.radius_y + self.gap


@lru_cache(maxsize=64)
def footprint(scale: Scale) -> tuple[Offset, ...]:
    """The terminal cells that a sprite of a scale may touch, in reading order."""
    outer_x, outer_y = Gauge(scale).outer
    dots = set(stamps.ellipse(outer_x, outer_y, scale.middle))
    dots |= {(x, y + 1) for x, y in stamps.ellipse(scale.radius_x, scale.radius_y, scale.middle)}
    dots |= set(_side(scale)) | {(0, 0)}
    places = {(x >> 1, y >> 1) for x, y in dots} | {mark_offset(scale)}
    return tuple(sorted(places, key=lambda at: (at[1], at[0])))


def mark_offset(scale: Scale) -> Offset:
    """Where a mark lies: just outside the disc, above it to the right; on small discs beside the number."""
    if not scale.roomy:
        return 1, 0
    line = (-1.0 - scale.middle) / scale.radius_y
    return ceil(scale.radius_x * sqrt(1 - line * line)), -1


def sprite(look: CellLook, scale: Scale, palette: Palette) -> dict[Offset, Part]:
    """The parts of a board cell's picture by where they lie."""
    layers = body(look, scale, palette)
    marks = signs(look, scale, palette)
    letters = dict(text(look, scale, palette)) | _mark(look, scale, palette)
    places = layers.keys() | marks.keys() | letters.keys()
    return {at: Part(layers.get(at), letters.get(at), marks.get(at)) for at in places}


# ------------------------------------------------------------------ bodies


@lru_cache(maxsize=512)
def body(look: CellLook, scale: Scale, palette: Palette) -> dict[Offset, Layer]:
    """The stack of a cell without the signs around it; for an empty cell, its well."""
    film = _Film(palette.hard or not scale.roomy)
    middle = scale.middle
    if look.top is None:
        well = (scale.radius_x * 0.42, scale.radius_y * 0.42) if scale.roomy else (0.8, 0.8)
        film.lay(stamps.ellipse(*well, middle), pack(palette.well))
        return film.layers()
    if palette.hard and look.strength < FULL:
        _shrunk(film, look, scale, palette)
        return film.layers()
    if look.signs & Sign.DOOMED:
        _ghost(film, look.top, scale, palette)
    else:
        film.dots = dict(_plain(look.top, look.red and look.height > 1, look.height > 9, scale, palette).dots)
        if scale.pixel_digits:
            _pixels(film, look, scale, palette)
    return film.layers(look.strength)


def _pixels(film: _Film, look: CellLook, scale: Scale, palette: Palette) -> None:
    """The number or sign of a stack, drawn in pixels."""
    assert look.top is not None
    piece = Piece.RED if look.red else look.top
    colour = pack(palette.disc(piece)[1])
    if look.top is Piece.RED:
        shape = stamps.diamond(scale.radius_x * 0.6, scale.radius_y * 0.64, scale.middle)
        film.lay(stamps.crisp(shape), colour)
    else:
        film.lay(stamps.number(look.height, scale.pitch < 12), colour)


@lru_cache(maxsize=64)
def _plain(top: Piece, red: bool, wide: bool, scale: Scale, palette: Palette) -> _Film:
    """A disc without its number. ``red`` = on a red core; ``wide`` = room for two digits on it."""
    film = _Film(palette.hard or not scale.roomy)
    radius_x, radius_y, middle = scale.radius_x, scale.radius_y, scale.middle
    base, _, rim = (pack(colour) for colour in palette.disc(top))
    disc = stamps.ellipse(radius_x, radius_y, middle)
    if scale.roomy and not palette.hard:
        film.lay(disc, mix(pack(palette.tray), 0, 0.5), down=1)
        _shade(film, disc, base, rim, scale)
    else:
        film.lay(disc, base)
    if top is Piece.RED:
        film.lay(stamps.crisp(stamps.ring(radius_x, radius_y, 0.85 if scale.roomy else 0.6, middle)), rim)
    if red:
        film.lay(_core(wide, scale, palette.hard), pack(palette.red))
    return film


def _core(wide: bool, scale: Scale, hard: bool) -> Stamp:
    """The red heart of a stack that holds a red piece."""
    radius_x, radius_y, middle = scale.radius_x, scale.radius_y, scale.middle
    if not scale.roomy:
        return stamps.ellipse(1.5, 1.0, middle, 12.0)
    if not scale.pixel_digits:
        return stamps.ellipse(radius_x - 1.15, radius_y - 0.95, middle, 3.0)
    if hard:
        height = stamps.whole_lines(radius_y - 0.85, middle)
        return stamps.ellipse(radius_x - 1.0, height, middle, 4.0 if wide else 2.6)
    if wide:
        return stamps.ellipse(radius_x - 1.0, radius_y - 0.8, middle, 4.0)
    return stamps.ellipse(radius_x - 1.15, radius_y - 0.85, middle)


def _shade(film: _Film, disc: Stamp, base: Colour, rim: Colour, scale: Scale) -> None:
    """A disc lit from above: a little lighter towards the top, more so along its edge."""
    for at, cover in disc.items():
        x, y = stamps.offset(*at, scale.middle)
        u, v = x / scale.radius_x, y / scale.radius_y
        light = round(2 - 2 * v) / 4
        edge = u * u + v * v > 0.68
        colour = mix(base, rim, light * (0.5 if edge else 0.14))
        film.lay({at: cover}, colour)


def _ghost(film: _Film, top: Piece, scale: Scale, palette: Palette) -> None:
    """A stack that would be cut off: faint, ringed and struck out."""
    radius_x, radius_y, middle = scale.radius_x, scale.radius_y, scale.middle
    white = top is Piece.WHITE
    film.lay(stamps.ellipse(radius_x, radius_y, middle), pack(palette.doom))
    fill = pack(palette.ghost_white if white else palette.ghost_black)
    width = 1.1 if palette.hard and scale.roomy else 0.9 if scale.roomy else 0.75
    film.lay(stamps.ellipse(radius_x - width, radius_y - width, middle), fill)
    if scale.roomy:
        line = pack(palette.doom_on_white if white else palette.doom)
        film.lay(stamps.slash(radius_x - 0.6, radius_y - 0.6, 0.55, middle), line)


def _shrunk(film: _Film, look: CellLook, scale: Scale, palette: Palette) -> None:
    """A fading stack where colours must not blend: smaller instead of fainter."""
    part = look.strength / FULL
    shape = stamps.ellipse(max(0.6, scale.radius_x * part), max(0.6, scale.radius_y * part), scale.middle)
    film.lay(shape, pack(palette.ghost_white if look.top is Piece.WHITE else palette.ghost_black))


@lru_cache(maxsize=512)
def text(look: CellLook, scale: Scale, palette: Palette) -> dict[Offset, Letter]:
    """The characters of a stack's number or sign, on the scales where these are text."""
    top = look.top
    if top is None or look.strength < (FULL if palette.hard else FULL // 2):
        return {}
    doomed = bool(look.signs & Sign.DOOMED)
    if scale.roomy and (doomed or scale.pixel_digits):
        return {}
    piece = Piece.RED if look.red and not doomed else top
    colour = pack(palette.disc(piece)[1])
    if doomed and top is not Piece.WHITE:
        colour = pack(palette.doom)
    word = "×" if doomed else "◆" if top is Piece.RED else str(look.height)
    underline = bool(look.signs & Sign.LAST) and not scale.roomy
    left = -(len(word) // 2)
    return {(left + i, 0): Letter(character, colour, underline) for i, character in enumerate(word)}


def _mark(look: CellLook, scale: Scale, palette: Palette) -> dict[Offset, Letter]:
    """The mark that somebody put on a cell. On a small disc it is written like the number beside it."""
    kind = next((kind for kind, flag in MARK_FLAGS.items() if look.signs & flag), None)
    if kind is None:
        return {}
    colour = palette.mark
    if not scale.roomy and look.top is not None:
        core = look.red and not look.signs & Sign.DOOMED and look.top is not Piece.RED
        colour = palette.disc(look.top)[1] if not core else palette.red_sign
    return {mark_offset(scale): Letter(MARK_SIGNS[kind], pack(colour))}


# ------------------------------------------------------------------- signs


@lru_cache(maxsize=64)
def _side(scale: Scale) -> Stamp:
    """The side of a disc, seen below its face when it stands up a little: it can be moved."""
    face = stamps.crisp(stamps.ellipse(scale.radius_x, scale.radius_y, scale.middle))
    return {(x, y + 1): 1.0 for x, y in face if (x, y + 1) not in face}


def signs(look: CellLook, scale: Scale, palette: Palette) -> dict[Offset, Layer]:
    """The rings, arcs and bars around a cell."""
    bits = look.signs & ~_ALL_MARKS
    if look.top is None:
        bits &= ~Sign.DOOMED
    return _signs(bits, look.top, scale, palette) if bits else {}


@lru_cache(maxsize=512)
def _signs(bits: int, top: Piece | None, scale: Scale, palette: Palette) -> dict[Offset, Layer]:
    # Signs have sharp edges in every palette: they are clearer for it, and a step of the cursor sends less.
    film = _Film(hard=True)
    arcs_only = bits & Sign.TARGET and not bits & (Sign.SELECTED | Sign.AIM | Sign.CURSOR)
    if bits & Sign.LAST:
        _last(film, bits, top, scale, palette)
    if not arcs_only:
        _choice(film, bits, scale, palette)
    if bits & Sign.MOVABLE and top is not None and not bits & Sign.DOOMED:
        film.lay(_side(scale), pack(palette.white_side if top is Piece.WHITE else palette.black_side))
    if arcs_only:
        # These leave the middle of the disc's side free; rings would hide it and lie below it.
        _choice(film, bits, scale, palette)
    return film.layers()


def _last(film: _Film, bits: int, top: Piece | None, scale: Scale, palette: Palette) -> None:
    """The sign of the last move, where it is a shape; a small number is underlined instead."""
    radius_x, radius_y, middle = scale.radius_x, scale.radius_y, scale.middle
    colour = pack(palette.last)
    if top is None:
        height = stamps.whole_lines(radius_y * 0.8, middle)
        film.lay(stamps.ring(radius_x * 0.75, height, 0.8 if scale.roomy else 0.6, middle), colour)
    elif scale.roomy and bits & Sign.TARGET:
        film.lay(stamps.flanks(radius_x + 1.0, radius_y + 1.0, 0.8, middle, _SHORT), colour)
    elif scale.roomy:
        film.lay(stamps.ring(radius_x + 1.0, radius_y + 1.0, 0.8, middle), colour)


def _choice(film: _Film, bits: int, scale: Scale, palette: Palette) -> None:
    """The signs of choosing: selected, cursor, target, and the target aimed at."""
    middle = scale.middle
    outer_x, outer_y = Gauge(scale).outer
    thick = outer_x - scale.radius_x + 0.1
    select, target = pack(palette.select), pack(palette.target)
    ring = stamps.ring(outer_x, outer_y, thick, middle)
    thin = stamps.ring(outer_x - 0.3, outer_y - 0.3, 0.8, middle)
    flanks = stamps.flanks(outer_x, outer_y, thick, middle, 1.6 if scale.roomy else 1.1)
    start = _ARCS_FROM.get(scale.pitch, 0.4)
    arcs = stamps.corners(outer_x, outer_y, thick, middle, start, start)
    if bits & Sign.SELECTED:
        film.lay(ring, select)
    elif bits & Sign.AIM:
        # The four arcs of a target, joined: by a thin ring, or above and below where that is too fine.
        film.lay(thin if scale.roomy else {at: c for at, c in ring.items() if at not in flanks}, target)
        film.lay(arcs, target)
    else:
        if bits & Sign.CURSOR:
            film.lay(thin if scale.roomy and not bits & Sign.TARGET else flanks, select)
        if bits & Sign.TARGET:
            film.lay(arcs, target)
    if bits & Sign.LAST and scale.roomy and bits & (Sign.SELECTED | Sign.AIM | Sign.CURSOR):
        # The ring of choice hides that of the last move, and is open at both sides instead.
        film.cut(stamps.flanks(outer_x, outer_y, thick, middle, _SHORT))
