"""The list of the Tables screen: seats to take up again, the tables of a server, and servers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.message import Message

from dvonn_tui.art.scene import Tile
from dvonn_tui.tables.keeping import KeptSeat
from dvonn_tui.tables.protocol import TableLine
from dvonn_tui.ui.paint import Inks, Line
from dvonn_tui.ui.widgets.lines import blank_lines, shortened
from dvonn_tui.ui.widgets.row_list import RowList

WHEEL_ROWS: Final = 3

FREE: Final = "free"
"""What stands for a player who is not there yet."""

MARGIN: Final = 3
STAGE_WIDTH: Final = 10
PLIES_WIDTH: Final = 5
WATCH_WIDTH: Final = 5

WATCH_FROM: Final = 62
"""Columns of the list from which on it is told how many watch."""
PLIES_FROM: Final = 46
"""Columns from which on it is told how many plies were played."""


@dataclass(frozen=True, slots=True)
class ServerRow:
    """A server that can be visited.

    Attributes:
        address: as it is written.
        name: what it is called; empty when that is not known.
        told: why it is listed, in a few words.
        there: True when it is connected already.
    """

    address: str
    name: str
    told: str
    there: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """What the rows below it are; `told` is said in their place when there are none.

    Attributes:
        columns: True when the columns of tables are named beside it.
    """

    text: str
    told: str = ""
    columns: bool = False


TableRow = KeptSeat | TableLine | ServerRow | Heading


def key_of(row: TableRow) -> tuple[str, str]:
    """By what a row is known again after the list was read anew."""
    match row:
        case KeptSeat(server=server, table=table):
            return ("seat", f"{server}/{table}")
        case TableLine(id=id):
            return ("table", id)
        case ServerRow(address=address):
            return ("server", address)
    return ("", "")


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where each column begins; a column that is not shown begins nowhere."""

    players: int
    stage: int
    plies: int | None
    watch: int | None
    end: int


class TableList(RowList):
    """Lists what can be gone to, of which one is chosen.

    Attributes:
        listed: all rows, headings among them.
    """

    class Moved(Message):
        """Another row is chosen."""

    class Opened(Message):
        """The chosen row is to be gone to."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self.listed: Sequence[TableRow] = ()

    @property
    def chosen(self) -> KeptSeat | TableLine | ServerRow | None:
        """The chosen row; None when there is none."""
        row = self.listed[self.cursor] if self.cursor < len(self.listed) else None
        return None if isinstance(row, Heading) else row

    @property
    def total(self) -> int:
        """How many rows there are, headings among them."""
        return len(self.listed)

    def show(self, rows: Sequence[TableRow]) -> None:
        """List other rows. What was chosen stays chosen if it is there, else what is in its place."""
        if list(rows) == list(self.listed):
            return
        chosen = self.chosen
        self.listed = tuple(rows)
        key = None if chosen is None else key_of(chosen)
        found = next((place for place, row in enumerate(rows) if key_of(row) == key), None)
        self.cursor = self._nearest(self.cursor if found is None else found, 1)
        self._into_sight()
        self.repaint()
        self.post_message(self.Moved())

    def move(self, by: int) -> None:
        """Choose a row so many further down, or up when negative."""
        self.choose(self.cursor + by, 1 if by > 0 else -1)

    def choose(self, row: int, towards: int = 1) -> None:
        """Choose a row, or the next in a direction that is no heading."""
        changed = self.cursor
        self.cursor = self._nearest(min(max(row, 0), max(len(self.listed) - 1, 0)), towards)
        self._into_sight()
        self.repaint()
        if changed != self.cursor:
            self.post_message(self.Moved())

    def _nearest(self, start: int, towards: int) -> int:
        """The row nearest to a place that can be chosen, in a direction if there is one that way."""
        last = len(self.listed) - 1
        if last < 0:
            return 0
        start = min(max(start, 0), last)
        ways = [range(start, last + 1), range(start, -1, -1)]
        for way in ways if towards > 0 else reversed(ways):
            for place in way:
                if not isinstance(self.listed[place], Heading):
                    return place
        return start

    def _into_sight(self, first: int | None = None) -> None:
        """The heading of the first row of all stays in sight with it."""
        super()._into_sight(0 if self.cursor <= self._nearest(0, 1) else first)

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """The rows in sight."""
        columns = _columns(width)
        drawn = []
        bar = self._bar(height)
        for place, row in enumerate(self.listed[self._top : self._top + height]):
            chosen = self._top + place == self.cursor
            tiles = self._row(row, width, columns, chosen=chosen and not isinstance(row, Heading))
            if bar is not None:
                tiles[-1] = (self.signs.full if place in bar else " ", self.inks.faint)
            drawn.append(tiles)
        return [*drawn, *blank_lines(width, height - len(drawn), self.inks.text)][:height]

    def _row(self, row: TableRow, width: int, columns: _Columns, *, chosen: bool) -> list[Tile]:
        if isinstance(row, Heading):
            return self._heading(row, width, columns)
        inks, signs = self.inks, self.signs
        text, quiet = inks.text, inks.dim
        if chosen:
            text = quiet = inks.lit if self.has_focus else inks.strong
        line = Line(width, text if chosen else inks.text)
        line.add(signs.marker if chosen else " ", text).to(MARGIN)
        if isinstance(row, ServerRow):
            room = columns.stage - MARGIN - 1
            line.add(shortened(row.name or row.address, room, signs), text).to(columns.stage)
            told = f"{row.told}: {row.address}" if row.name else row.told
            return line.add(shortened(told, columns.end - columns.stage, signs), quiet).tiles()
        room = columns.players - MARGIN - 1
        title = row.title or f"table {row.table if isinstance(row, KeptSeat) else row.id}"
        line.add(shortened(title, room, signs), text).to(columns.players)
        self._players(line, row.white or FREE, row.black or FREE, columns.stage - columns.players - 1, chosen)
        line.to(columns.stage)
        if isinstance(row, KeptSeat):
            told = f"your seat: {row.side.word}"
            return line.add(shortened(told, columns.end - columns.stage, signs), quiet).tiles()
        line.add(stage_word(row), text if row.stage == "open" else quiet)
        if columns.plies is not None:
            line.to(columns.plies).add(f"{row.actions or '':>{PLIES_WIDTH}}", text)
        if columns.watch is not None:
            line.to(columns.watch).add(f"{row.watchers or '':>{WATCH_WIDTH}}", quiet)
        return line.tiles()

    def _heading(self, row: Heading, width: int, columns: _Columns) -> list[Tile]:
        line, ink = self.line(width), self.inks.head
        room = columns.players - 2 if row.columns and not row.told else width - 2
        line.to(1).add(shortened(row.text, room, self.signs), ink)
        if row.told:
            line.add(f"  {row.told}", self.inks.dim)
        elif row.columns:
            line.to(columns.players).add("WHITE, BLACK", ink).to(columns.stage).add("STATE", ink)
            if columns.plies is not None:
                line.to(columns.plies).add("PLIES".rjust(PLIES_WIDTH), ink)
            if columns.watch is not None:
                line.to(columns.watch).add("WATCH".rjust(WATCH_WIDTH), ink)
        return line.tiles()

    def _players(self, line: Line, white: str, black: str, room: int, chosen: bool) -> None:
        """Both names; a long one leaves the other at least half of the room."""
        inks = self.inks
        lit = inks.lit if self.has_focus else inks.strong
        text, quiet = (lit, lit) if chosen else (inks.text, inks.dim)
        between = f" {self.signs.line} "
        half = (room - len(between)) // 2
        black_room = max(half, room - len(between) - cell_len(white))
        shown = shortened(black, black_room, self.signs)
        line.add(
            shortened(white, max(half, room - len(between) - cell_len(shown)), self.signs),
            quiet if white == FREE else text,
        )
        line.add(between, quiet).add(shown, quiet if black == FREE else text)

    # The mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Choose what was clicked."""
        event.stop()
        row = self._top + event.y
        if row < len(self.listed) and not isinstance(self.listed[row], Heading):
            self.choose(row)

    def on_click(self, event: events.Click) -> None:
        """Go to what was clicked twice."""
        event.stop()
        if event.chain == 2 and self._top + event.y == self.cursor:
            self.post_message(self.Opened())

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Some rows up."""
        event.stop()
        self.scroll(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Some rows down."""
        event.stop()
        self.scroll(WHEEL_ROWS)


def stage_word(table: TableLine) -> str:
    """What goes on at a table, in a word."""
    if table.stage == "open":
        return "waiting" if table.white is None or table.black is None else "seated"
    return table.stage


def _columns(width: int) -> _Columns:
    """The columns of a list, from the right: titles and players share what is left."""
    end = width - 2
    watch = end - WATCH_WIDTH if width >= WATCH_FROM else None
    plies = (watch or end) - PLIES_WIDTH - 2 if width >= PLIES_FROM else None
    stage = (plies or end) - STAGE_WIDTH - 1
    players = MARGIN + max((stage - MARGIN) * 9 // 20, 10)
    return _Columns(players, stage, plies, watch, end)
