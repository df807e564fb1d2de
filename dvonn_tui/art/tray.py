"""The tray: the board without anything on it, as sub-pixels."""

from __future__ import annotations

from functools import lru_cache

from dvonn_tui.art.colours import DEFAULT, Colour, mix, pack
from dvonn_tui.art.fit import Quad
from dvonn_tui.art.lattice import HALF_COLUMNS, Lattice
from dvonn_tui.art.palettes import Palette

_EDGE = 0.6
"""How thick the rim of the tray is, in pixels."""

_SLANT = 0.9
"""How much the sides slant, as a part of the lattice's slant: less, so that all letters lie on it."""


@lru_cache(maxsize=32)
def tray(lattice: Lattice, palette: Palette) -> tuple[Quad, ...]:
    """The four sub-pixels of every terminal cell of the empty tray, in reading order."""
    lines = [_half_line(lattice, palette, line) for line in range(2 * lattice.height)]
    quads: list[Quad] = []
    for upper, lower in zip(lines[::2], lines[1::2], strict=True):
        quads += zip(upper[::2], upper[1::2], lower[::2], lower[1::2], strict=True)
    return tuple(quads)


def _half_line(lattice: Lattice, palette: Palette, line: int) -> list[Colour]:
    """The sub-pixels of one half line: screen, rim, tray, rim, screen."""
    app, edge, slab = pack(palette.app), pack(palette.edge), pack(palette.tray)
    width, height = 2 * lattice.width, 2 * lattice.height
    outside, inside = _left_side(lattice, line, 0.0), _left_side(lattice, line, _EDGE)
    if line in (0, height - 1):
        slab = edge if palette.hard else mix(slab, edge, _EDGE)
    # Only around the slanting line is there anything to work out.
    start, end = max(0, int(outside) - 1), max(0, min(width // 2, int(inside) + 2))
    half = [app] * start
    for across in range(start, end):
        # How much of the sub-pixel lies right of either side of the rim.
        on_tray = min(1.0, max(0.0, across + 1 - outside))
        on_slab = min(1.0, max(0.0, across + 1 - inside))
        if palette.hard or app >= DEFAULT:
            half.append(slab if on_slab > 0.5 else edge if on_tray > 0.5 else app)
        else:
            half.append(mix(mix(app, edge, on_tray), slab, on_slab) if on_tray else app)
    half += [slab] * (width // 2 - end)
    return half + half[::-1]


def _left_side(lattice: Lattice, line: int, inset: float) -> float:
    """Where the left side of the tray's hexagon crosses a half line, in sub-pixels."""
    scale = lattice.scale
    left, y = min(lattice.at(0, 3), lattice.at(HALF_COLUMNS, 3))
    tip = scale.pitch / 2 + 3.4 + (1 if scale.roomy else 0) - inset
    slope = _SLANT * scale.pitch / (4 * scale.rows)
    return 2 * (left + 0.5 - tip + abs(line + 0.5 - 2 * y - scale.middle) * slope)
