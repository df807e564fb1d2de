"""The score over the game: above the axis White leads, below it Black."""

from __future__ import annotations

from collections.abc import Sequence

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.paint import Inks, Signs

FLAT = 6
"""The lead that fills the graph when no larger one occurred, so that one piece is no mountain."""


def score_graph(
    leads: Sequence[int], here: int, width: int, height: int, inks: Inks, signs: Signs
) -> list[list[Tile]]:
    """Draw White's lead after each ply in lines of tiles; the ply that is seen is marked.

    Each line has two steps. `leads` has at least one element, `here` is an index into it.
    """
    count = max(len(leads), 1)
    most = max(FLAT, *(abs(lead) for lead in leads))
    steps = 2 * height
    rows: list[list[Tile]] = [[] for _ in range(height)]
    for x in range(width):
        index = min(x * count // width, count - 1) if count > width else x if x < count else -1
        lead = leads[index] if index >= 0 else 0
        level = round(lead / most * height)
        at_here = index == here or (count > width and here * width // count == x)
        for y in range(height):
            rows[y].append(_tile(y, steps, level, at_here, index < 0, inks, signs))
    return rows


def _tile(y: int, steps: int, level: int, here: bool, empty: bool, inks: Inks, signs: Signs) -> Tile:
    """One tile: the two steps at 2y and 2y+1 from the top; the axis lies in the middle."""
    middle = steps // 2
    filled = [not empty and _within(step, middle, level) for step in (2 * y, 2 * y + 1)]
    side = Side.WHITE if level > 0 else Side.BLACK
    ink = inks.bars[side]
    if signs.plain:
        if any(filled):
            return ("#" if side is Side.WHITE else "=", inks.text)
        axis = y == (middle - 1) // 2
        return ("|" if here else "-" if axis else " ", inks.dim)
    if all(filled):
        return ("█", ink)
    if filled[0]:
        return ("▀", ink)
    if filled[1]:
        return ("▄", ink)
    if here:
        return ("│", inks.dim)
    on_axis = 2 * y <= middle - 1 <= 2 * y + 1
    return ("─" if on_axis and not empty else "·" if on_axis else " ", _axis(inks))


def _axis(inks: Inks) -> Ink:
    return inks.dim


def _within(step: int, middle: int, level: int) -> bool:
    """True when a step, counted from the top, lies between the axis and the level."""
    return middle - level <= step < middle if level > 0 else middle <= step < middle - level
