"""The score over the game: above the axis White leads, below it Black."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dvonn_tui.art.scene import Tile
from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.paint import Inks, Signs

FLAT = 6
"""The lead that fills the graph when no larger one occurred, so that one piece is no mountain."""


def plies_across(count: int, width: int) -> list[range]:
    """The plies that each of so many columns stands for; none where a short game has ended."""
    if count > width:
        return [range(x * count // width, (x + 1) * count // width) for x in range(width)]
    wide = min(width // count, 3)
    return [range(x // wide, x // wide + 1) if x < count * wide else range(0) for x in range(width)]


def mistake_line(count: int, mistakes: Collection[int], width: int, inks: Inks) -> list[Tile]:
    """A line below the graph of so many plies, with a sign below those that are mistakes."""
    return [
        ("?", inks.warning) if any(ply in mistakes for ply in plies) else (" ", inks.text)
        for plies in plies_across(count, width)
    ]


def score_graph(
    leads: Sequence[int], here: int, width: int, height: int, inks: Inks, signs: Signs
) -> list[list[Tile]]:
    """Draw White's lead after each ply in `height` lines of `width` tiles; the ply seen is marked.

    A line has two steps; the axis lies in the middle. `leads` has at least one element, and `here` is
    an index into it. A short game is drawn wide, a long one keeps every so many plies.
    """
    most = max(FLAT, *(abs(lead) for lead in leads))
    columns = [
        _column(
            round(leads[plies[0]] / most * height) if plies else 0,
            height,
            here in plies,
            inks,
            signs,
        )
        for plies in plies_across(len(leads), width)
    ]
    return [[column[y] for column in columns] for y in range(height)]


def _column(level: int, height: int, here: bool, inks: Inks, signs: Signs) -> list[Tile]:
    """One column from the top: a bar of so many steps up (White) or down (Black) from the axis."""
    side = Side.WHITE if level > 0 else Side.BLACK
    ink = inks.warning if here else inks.bars[side]
    tiles: list[Tile] = []
    for y in range(height):
        upper, lower = (_within(step, height, level) for step in (2 * y, 2 * y + 1))
        on_axis = y == (height - 1) // 2
        if signs.plain and (upper or lower):
            tiles.append(("#" if side is Side.WHITE else "=", ink))
        elif upper or lower:
            tiles.append(("█" if upper and lower else "▀" if upper else "▄", ink))
        elif on_axis:
            tiles.append((signs.marker if here else signs.line, inks.warning if here else inks.faint))
        else:
            tiles.append((" ", inks.text))
    return tiles


def _within(step: int, middle: int, level: int) -> bool:
    """True when a step, counted from the top, lies between the axis and the level."""
    return middle - level <= step < middle if level > 0 else middle <= step < middle - level
