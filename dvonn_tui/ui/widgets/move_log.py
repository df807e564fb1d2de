"""The move log: every ply of the line that is seen, what was written about it, and the other lines.

A click, the wheel and keys go to a ply.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.ui.log_rows import Item, Row
from dvonn_tui.ui.paint import Inks, Line
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines, shortened, wrapped

NUMBER_WIDTH = 5
LEAST_COLUMN = 11
MOST_COLUMN = 16
INDENT = 2
"""Columns by which a line is indented that begins within another one."""
DEEPEST = 4
"""From this depth on no line is indented any more."""
RIGHT_BUTTON = 3


class MoveLog(Dressed):
    """Draws the rows of the log around the current ply."""

    class Chosen(Message):
        """An entry of the log was clicked."""

        def __init__(self, entry: int) -> None:
            super().__init__()
            self.entry = entry

    class Folded(Message):
        """The placements are to be folded or unfolded."""

    class Turned(Message):
        """The wheel was turned: so many plies back (negative) or forward."""

        def __init__(self, plies: int) -> None:
            super().__init__()
            self.plies = plies

    class Unfolded(Message):
        """Another line is to be folded or unfolded.

        Attributes:
            first: the number of the entry that it begins with.
        """

        def __init__(self, first: int) -> None:
            super().__init__()
            self.first = first

    class Asked(Message):
        """It is asked what can be done with an entry: the right button was clicked on it."""

        def __init__(self, entry: int) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._listed: tuple[Row, ...] = ()
        self._title = ""
        self._comment = ""
        self._zones: list[tuple[int, int, int, Item]] = []

    @property
    def listed(self) -> tuple[Row, ...]:
        """The rows that are listed, whether or not they are in sight."""
        return self._listed

    def show(self, rows: tuple[Row, ...], title: str, comment: str = "") -> None:
        """List other rows. `comment` is that of the ply that is seen, of one or more clean lines."""
        if (rows, title, comment) != (self._listed, self._title, self._comment):
            self._listed, self._title, self._comment = rows, title, comment
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """A title, as many rows as fit, the current ply among them, and at the foot its comment."""
        inks = self.inks
        self._zones = []
        drawn = [self.line(width).add(" MOVES", inks.head).right(self._title, inks.dim).tiles()]
        comment = self._comment_lines(width, height)
        lines = [line for row in self._listed for line in _lines(row, width)]
        room = height - 1 - len(comment)
        first = _first_line(lines, room)
        for y, line in enumerate(lines[first : first + room], 1):
            drawn.append(self._line(line, width, y))
        drawn += blank_lines(width, height - len(drawn) - len(comment), inks.text)
        return [*drawn, *comment][:height]

    def _comment_lines(self, width: int, height: int) -> list[list[Tile]]:
        """The comment of the ply that is seen, in a third of the height at most."""
        columns, most = width - 4, max(height // 3, 1)
        if not self._comment or columns < 1:
            return []
        texts = [text for line in self._comment.split("\n") for text in wrapped(line, columns)]
        shown = texts[:most]
        if len(texts) > most:
            shown[-1] = shortened(shown[-1] + " " * columns, columns, self.signs)
        found = []
        for number, text in enumerate(shown):
            line = self.line(width).add(f" {self.signs.comment} " if not number else "   ", self.inks.head)
            found.append(line.add(text, self.inks.strong).tiles())
        return found

    def _line(self, line: _Line, width: int, y: int) -> list[Tile]:
        inks, row, written = self.inks, line.row, self.line(width)
        if row.comment:
            written.to(_indent(row)).add(self.signs.comment, inks.dim)
            self._write(written, row.items[0], y, inks.dim)
            return written.tiles()
        if row.branch:
            written.to(_indent(row) - 2)
            if line.first and row.line is not None:
                sign = self.signs.opened if row.opened else self.signs.branch
                start = len(written)
                written.add(f"{sign} ", inks.dim)
                self._zones.append((y, start, len(written), Item(sign, unfolds=row.line)))
            else:
                written.add("  ", inks.dim)
            for item in line.items:
                self._write(written, item, y, inks.dim if item and item.entry is None else inks.link)
            return written.tiles()
        if not row.number:
            written.to(1)
            for item in row.items:
                self._write(written, item, y, inks.link if item and item.fold else inks.text)
                written.add("  ", inks.text)
            return written.tiles()
        written.add(f"{row.number:>{NUMBER_WIDTH - 1}} ", inks.dim)
        column = min(max((width - NUMBER_WIDTH) // 2, LEAST_COLUMN), MOST_COLUMN)
        for place, item in enumerate(row.items):
            written.to(NUMBER_WIDTH + place * column)
            if item is None:
                written.add(" " + self.signs.ellipsis, inks.dim)
            else:
                self._write(written, item, y, inks.dim if item.undone else inks.text)
        return written.tiles()

    def _write(self, line: Line, item: Item | None, y: int, ink: Ink) -> None:
        if item is None:
            return
        start = len(line)
        text = f"{item.text}{'+' if item.branches else ''}"
        if item.current:
            line.add(f"{self.signs.marker}{text} ", self.inks.lit)
        else:
            line.add(f" {text} ", ink)
        self._zones.append((y, start, len(line), item))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to what was clicked; the right button asks what can be done with it."""
        event.stop()
        for y, start, end, item in self._zones:
            if y == event.y and start <= event.x < end:
                if event.button == RIGHT_BUTTON:
                    if item.entry is not None:
                        self.post_message(self.Asked(item.entry))
                elif item.fold:
                    self.post_message(self.Folded())
                elif item.unfolds is not None:
                    self.post_message(self.Unfolded(item.unfolds))
                elif item.entry is not None:
                    self.post_message(self.Chosen(item.entry))
                return

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """One ply back."""
        event.stop()
        self.post_message(self.Turned(-1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """One ply forward."""
        event.stop()
        self.post_message(self.Turned(1))


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the log.

    Attributes:
        row: the row that it belongs to.
        items: what of the row it shows.
        first: True for the first line of the row.
    """

    row: Row
    items: tuple[Item | None, ...]
    first: bool = True


def _indent(row: Row) -> int:
    """The column where the text of a row of another line, or of a comment, begins."""
    return NUMBER_WIDTH + INDENT * min(max(row.depth - 1, 0), DEEPEST)


def _lines(row: Row, width: int) -> list[_Line]:
    """A row in as many lines as it needs. Only another line that is listed whole needs more than one."""
    if not row.opened:
        return [_Line(row, row.items)]
    lines: list[_Line] = []
    room = width - _indent(row)
    items: list[Item | None] = []
    used = 0
    for item in row.items:
        needed = len(item.text) + 3 if item else 0
        if items and used + needed > room:
            lines.append(_Line(row, tuple(items), not lines))
            items, used = [], 0
        items.append(item)
        used += needed
    return [*lines, _Line(row, tuple(items), not lines)]


def _first_line(lines: list[_Line], room: int) -> int:
    """The first line in sight: the current one in the lower part, nothing empty below the end."""
    current = next(
        (index for index, line in enumerate(lines) if any(item and item.current for item in line.items)),
        len(lines) - 1,
    )
    last_first = max(len(lines) - room, 0)
    return max(min(current - room * 2 // 3, last_first), 0)
