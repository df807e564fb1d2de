"""The score over the game: above the axis White leads, below it Black."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dvonn_tui.art.scene import Tile
from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.paint import Inks, Line, Signs

FLAT = 6
"""The lead that fills the graph when no larger one occurred, so that one piece is no mountain."""


def score_graph(
    leads: Sequence[int], here: int, width: int, height: int, inks: Inks, signs: Signs
) -> list[list[Tile]]:
    """Draw White's lead after each ply in `height` lines of `width` tiles; the ply seen is marked.

    A line has two steps; the axis lies in the middle. `leads` has at least one element, and `here` is
    an index into it. A short game is drawn wide, a long one keeps every so many plies.
    """
    shown, end = _plies_shown(len(leads), width)
    most = max(FLAT, *(abs(lead) for lead in leads))
    columns = [
        _column(
            round(leads[index] / most * height) if x < end else 0,
            height,
            index == here and x < end,
            inks,
            signs,
        )
        for x, index in enumerate(shown)
    ]
    return [[column[y] for column in columns] for y in range(height)]


def _plies_shown(count: int, width: int) -> tuple[list[int], int]:
    """Which of so many plies each of `width` columns shows, and how many columns the graph takes."""
    wide = max(min(width // count, 3), 1)
    shown = [min(x // wide, count - 1) if count * wide <= width else x * count // width for x in range(width)]
    return shown, min(count * wide, width)


def mistake_line(count: int, mistakes: Collection[int], width: int, inks: Inks) -> list[Tile]:
    """A line beside the graph of so many plies, with a sign where those are that are mistakes."""
    shown, end = _plies_shown(count, width)
    after = [*shown[1:end], count]
    marked = [
        x < end and any(shown[x] <= ply < max(after[x], shown[x] + 1) for ply in mistakes)
        for x in range(width)
    ]
    return [("?", inks.warning) if each else (" ", inks.text) for each in marked]


def seen_mark(line: Line, leads: Sequence[int], here: int, inks: Inks, signs: Signs) -> list[Tile]:
    """The line below a graph that is one column narrower at both sides: a sign below the ply seen."""
    shown, end = _plies_shown(len(leads), line.width - 2)
    places = [x for x, index in enumerate(shown[:end]) if index == here]
    if places:
        sign, word = "^" if signs.plain else "▴", "seen"
        place = 1 + places[len(places) // 2]
        if place + len(word) + 2 < line.width:
            line.to(place).add(f"{sign} {word}", inks.warning)
        else:
            line.to(place - len(word) - 1).add(f"{word} {sign}", inks.warning)
    return line.tiles()


def bar_sign(side: Side, inks: Inks, signs: Signs) -> str:
    """What a side's bar is made of. Where both have one colour, Black's is another character."""
    if side is Side.WHITE:
        return signs.full
    if signs.plain:
        return "="
    return "▒" if inks.bars[Side.WHITE] == inks.bars[Side.BLACK] else signs.full


def _column(level: int, height: int, here: bool, inks: Inks, signs: Signs) -> list[Tile]:
    """One column from the top: a bar of so many steps up (White) or down (Black) from the axis."""
    side = Side.WHITE if level > 0 else Side.BLACK
    ink = inks.warning if here else inks.bars[side]
    tiles: list[Tile] = []
    for y in range(height):
        upper, lower = (_within(step, height, level) for step in (2 * y, 2 * y + 1))
        on_axis = y == (height - 1) // 2
        if signs.plain and (upper or lower):
            tiles.append((bar_sign(side, inks, signs), ink))
        elif side is Side.BLACK and (upper or lower) and bar_sign(side, inks, signs) != signs.full:
            tiles.append(("▒" if upper and lower else "░", ink))
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
