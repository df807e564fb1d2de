"""The move log: every ply of the line that is seen; a click, the wheel and keys go to one."""

from __future__ import annotations

from textual import events
from textual.message import Message

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.ui.log_rows import Item, Row
from dvonn_tui.ui.paint import Inks, Line
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines

NUMBER_WIDTH = 5
LEAST_COLUMN = 11
MOST_COLUMN = 16


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

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._listed: tuple[Row, ...] = ()
        self._title = ""
        self._zones: list[tuple[int, int, int, Item]] = []

    @property
    def listed(self) -> tuple[Row, ...]:
        """The rows that are listed, whether or not they are in sight."""
        return self._listed

    def show(self, rows: tuple[Row, ...], title: str) -> None:
        """List other rows."""
        if (rows, title) != (self._listed, self._title):
            self._listed, self._title = rows, title
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """A title and as many rows as fit, the current ply among them."""
        inks = self.inks
        self._zones = []
        drawn = [self.line(width).add(" MOVES", inks.head).right(self._title, inks.dim).tiles()]
        room = height - 1
        first = self._first_row(room)
        for y, row in enumerate(self._listed[first : first + room], 1):
            drawn.append(self._row(row, width, y))
        return [*drawn, *blank_lines(width, height - len(drawn), inks.text)][:height]

    def _first_row(self, room: int) -> int:
        """The first row in sight: the current one in the lower part, nothing empty below the end."""
        current = next(
            (
                index
                for index, row in enumerate(self._listed)
                if any(item and item.current for item in row.items)
            ),
            len(self._listed) - 1,
        )
        last_first = max(len(self._listed) - room, 0)
        return max(min(current - room * 2 // 3, last_first), 0)

    def _row(self, row: Row, width: int, y: int) -> list[Tile]:
        inks = self.inks
        line = self.line(width)
        if row.branch:
            line.to(3).add(f"{self.signs.branch} ", inks.dim)
            self._write(line, row.items[0], y, inks.link)
            return line.tiles()
        if not row.number:
            line.to(1)
            for item in row.items:
                self._write(line, item, y, inks.link if item and item.fold else inks.text)
                line.add("  ", inks.text)
            return line.tiles()
        line.add(f"{row.number:>{NUMBER_WIDTH - 1}} ", inks.dim)
        column = min(max((width - NUMBER_WIDTH) // 2, LEAST_COLUMN), MOST_COLUMN)
        for place, item in enumerate(row.items):
            line.to(NUMBER_WIDTH + place * column)
            if item is None:
                line.add(" " + self.signs.ellipsis, inks.dim)
            else:
                self._write(line, item, y, inks.dim if item.undone else inks.text)
        return line.tiles()

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
        """Go to what was clicked."""
        event.stop()
        for y, start, end, item in self._zones:
            if y == event.y and start <= event.x < end:
                if item.fold:
                    self.post_message(self.Folded())
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
