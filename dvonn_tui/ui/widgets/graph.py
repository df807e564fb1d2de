"""The graph over the game: above the axis it goes well for White, below it for Black."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from textual import events
from textual.message import Message

from dvonn_tui.art.scene import Tile
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.verdict import BLUNDER_MARK, MARKS, WASTE_MARK
from dvonn_tui.ui.curves import Curve, Graph
from dvonn_tui.ui.paint import Inks, Signs
from dvonn_tui.ui.widgets.lines import Dressed

LEAST_GRAPH: Final = 3
"""Lines below which a graph says nothing."""

GUIDED_FROM: Final = 8
"""Lines of a graph from which on it has a line where a game is decided."""

WIDEST: Final = 3
"""Columns that a ply has at most."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which plies the columns of a graph stand for: for each the first, and the one after the last."""

    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, count: int, width: int) -> Columns:
        """Share columns out: a short game is drawn wide, in a long one a column has several plies."""
        wide = min(width // count, WIDEST)
        if wide:
            return cls(tuple((x // wide, x // wide + 1) for x in range(count * wide)))
        return cls(tuple((x * count // width, (x + 1) * count // width) for x in range(width)))

    def of_ply(self, ply: int) -> range:
        """The columns of a ply."""
        found = [x for x, (start, end) in enumerate(self.spans) if start <= ply < end]
        return range(found[0], found[-1] + 1)


class GraphPanel(Dressed):
    """A panel with a graph in it. A click goes to a ply, one on the title changes what is shown."""

    class Chosen(Message):
        """The place of an entry in the graph was clicked."""

        def __init__(self, entry: int) -> None:
            super().__init__()
            self.entry = entry

    class Switched(Message):
        """A graph was chosen by its title."""

        def __init__(self, graph: Graph) -> None:
            super().__init__()
            self.graph = graph

    class Turned(Message):
        """The wheel was turned over the graph: so many plies back (negative) or forward."""

        def __init__(self, plies: int) -> None:
            super().__init__()
            self.plies = plies

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self.curve = Curve()
        self._titles: dict[Graph, range] = {}
        self._title_line = -1
        self._graph_lines = range(0)
        self._columns = Columns(())

    @property
    def shows_graph(self) -> bool:
        """True when there is room for the graph."""
        return bool(self._graph_lines)

    def graph(self, top: int, width: int, room: int, most: int) -> list[list[Tile]]:
        """The graph in so many lines from the line `top` on, as high as there is room: `most` at most.

        With less room it does without the sign for the ply that is seen, which is lit as well, then
        without marks, then without a title; with too little it is not there, and nothing can be clicked.
        """
        self._graph_lines, self._title_line = range(0), -1
        if room < LEAST_GRAPH:
            return []
        curve, inks = self.curve, self.inks
        edge: Tile = (" ", inks.text)
        titled = room > LEAST_GRAPH
        marked = (any(curve.marks) or any(curve.events)) and room > LEAST_GRAPH + 1
        seen = room - titled - marked > LEAST_GRAPH
        height = min(room - titled - marked - seen, most)
        self._columns = Columns.of(len(curve.heights), width - 2)
        rows: list[list[Tile]] = []
        if titled:
            self._title_line = top
            rows.append(self._title(width))
        if marked:
            rows.append([edge, *self._filled(mark_line(curve, self._columns, inks), width - 2), edge])
        self._graph_lines = range(top + titled, top + titled + marked + height + seen)
        for line in drawn(curve, self._columns, height, inks, self.signs):
            rows.append([edge, *self._filled(line, width - 2), edge])
        if seen:
            rows.append(self._seen_mark(width))
        return rows

    def _filled(self, tiles: list[Tile], width: int) -> list[Tile]:
        return tiles + [(" ", self.inks.text)] * (width - len(tiles))

    def _title(self, width: int) -> list[Tile]:
        """Both graphs by their names, the one that is shown first in sight; what it says of the ply seen."""
        inks, shown = self.inks, self.curve.graph
        line = self.line(width)
        self._titles = {}
        for graph in Graph:
            line.add(" ", inks.text)
            start = len(line)
            if graph is shown:
                line.add(graph.upper(), inks.head)
            else:
                line.add(graph, inks.link)
            self._titles[graph] = range(start, len(line))
        with_sides = len(line) + len(", White up") + len(self.curve.word) + 3 <= width
        if with_sides:
            line.add("  White up", inks.dim)
        return line.right(self.curve.word, inks.warning).tiles()

    def _seen_mark(self, width: int) -> list[Tile]:
        """The line below the graph, with a sign below the ply that is seen."""
        columns = self._columns.of_ply(self.curve.here)
        sign, word = "^" if self.signs.plain else "▴", "seen"
        place = 1 + columns[len(columns) // 2]
        line = self.line(width)
        if place + len(word) + 2 < width:
            line.to(place).add(f"{sign} {word}", self.inks.warning)
        else:
            line.to(place - len(word) - 1).add(f"{word} {sign}", self.inks.warning)
        return line.tiles()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to the ply that was clicked, or to the graph whose title was."""
        event.stop()
        if event.y == self._title_line:
            for graph, columns in self._titles.items():
                if event.x in columns and graph is not self.curve.graph:
                    self.post_message(self.Switched(graph))
        elif event.y in self._graph_lines and 0 < event.x <= len(self._columns.spans):
            start, end = self._columns.spans[event.x - 1]
            # Where a column has several plies, the one with the worst mark is what is looked for.
            ply = max(range(start, end), key=lambda ply: _weight(self.curve.marks[ply]))
            self.post_message(self.Chosen(self.curve.entries[ply]))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """One ply back."""
        self._turn(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """One ply forward."""
        self._turn(event, 1)

    def _turn(self, event: events.MouseEvent, plies: int) -> None:
        if event.y in self._graph_lines:
            event.stop()
            self.post_message(self.Turned(plies))


def _weight(mark: str) -> int:
    """How bad a mark is; 0 for none."""
    return MARKS.index(mark) + 1 if mark else 0


def mark_line(curve: Curve, columns: Columns, inks: Inks) -> list[Tile]:
    """The marks of the plies, each from the first of its columns on, as far as these go.

    Where a review has none, faint signs tell of cut-offs and passes.
    """
    tiles: list[Tile] = []
    for x, (start, end) in enumerate(columns.spans):
        mark = max(curve.marks[start:end], key=_weight)
        width = columns.spans.count((start, end)) if mark else 1
        first = x == 0 or columns.spans[x - 1] != (start, end)
        if mark and first:
            ink = inks.dim if mark == WASTE_MARK else inks.warning if mark == BLUNDER_MARK else inks.strong
            tiles += [(character, ink) for character in mark[:width]]
        elif first and len(tiles) <= x and (event := next(filter(None, curve.events[start:end]), "")):
            tiles.append((event, inks.faint))
        elif len(tiles) <= x:
            tiles.append((" ", inks.text))
    return tiles


def drawn(curve: Curve, columns: Columns, height: int, inks: Inks, signs: Signs) -> list[list[Tile]]:
    """The graph itself in `height` lines; a line has two steps, and the axis lies in the middle."""
    guide = None
    if curve.decided is not None and height >= GUIDED_FROM:
        guide = round(curve.decided * height)
    found = [_column(curve, span, height, guide, inks, signs) for span in columns.spans]
    return [[column[y] for column in found] for y in range(height)]


def bar_sign(side: Side, inks: Inks, signs: Signs) -> str:
    """What a side's bar is made of. Where both have one colour, Black's is another character."""
    if side is Side.WHITE:
        return signs.full
    if signs.plain:
        return "="
    return "▒" if inks.bars[Side.WHITE] == inks.bars[Side.BLACK] else signs.full


def _column(
    curve: Curve, span: tuple[int, int], height: int, guide: int | None, inks: Inks, signs: Signs
) -> list[Tile]:
    """One column from the top: a bar of so many steps up (White) or down (Black) from the axis."""
    start, end = span
    here = start <= curve.here < end
    heights = [curve.heights[curve.here]] if here else curve.heights[start:end]
    known = next((each for each in heights if each is not None), None)
    level = round((known or 0.0) * height)
    side = Side.WHITE if level > 0 else Side.BLACK
    ink = inks.warning if here else inks.bars[side]
    # With an even number of lines the middle lies between two of them.
    line = signs.line if height % 2 else signs.floor
    axis = line if known is not None else signs.unknown
    tiles: list[Tile] = []
    for y in range(height):
        upper, lower = (_within(step, height, level) for step in (2 * y, 2 * y + 1))
        if upper or lower:
            tiles.append((_bar(side, inks, signs)(upper, lower), ink))
        elif y == (height - 1) // 2:
            marked = here and not level
            tiles.append((signs.marker if marked else axis, inks.warning if marked else inks.faint))
        elif guide is not None and height - guide in (2 * y, 2 * y + 1, 2 * (height - 1 - y) + 1):
            tiles.append((signs.dot, inks.faint))
        else:
            tiles.append((" ", inks.text))
    return tiles


def _bar(side: Side, inks: Inks, signs: Signs) -> Callable[[bool, bool], str]:
    """How the upper and the lower step of a line are drawn for a side."""
    sign = bar_sign(side, inks, signs)
    if signs.plain:
        return lambda upper, lower: sign
    if sign != signs.full:
        return lambda upper, lower: sign if upper and lower else "░"
    return lambda upper, lower: "█" if upper and lower else "▀" if upper else "▄"


def _within(step: int, middle: int, level: int) -> bool:
    """True when a step, counted from the top, lies between the axis and the level."""
    return middle - level <= step < middle if level > 0 else middle <= step < middle - level
