"""The list of the library: one line a game, of which only those in sight are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.message import Message

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.library_settings import LibrarySettings, Sort
from dvonn_tui.records.record import UNKNOWN
from dvonn_tui.records.shelf import Listed
from dvonn_tui.ui.paint import Inks, Line
from dvonn_tui.ui.widgets.lines import blank_lines, shortened
from dvonn_tui.ui.widgets.row_list import RowList

WHEEL_ROWS: Final = 3

SETUP_FROM: Final = 62
"""Columns of the list from which on the set-up is told."""
TIME_FROM: Final = 76
"""Columns from which on the date has the time of the day."""

DAY_WIDTH: Final = 10
TIME_WIDTH: Final = 16
SETUP_WIDTH: Final = 9
RESULT_WIDTH: Final = 10
PLIES_WIDTH: Final = 5
MARK_WIDTH: Final = 3

SHORT_RESULTS: Final = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "draw", UNKNOWN: ""}


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where each column begins; a column that is not shown begins nowhere."""

    players: int
    setup: int | None
    result: int
    plies: int
    date: int
    end: int

    def heads(self) -> list[tuple[int, Sort, str]]:
        """The heads from left to right: where each begins, what it sorts by, and what it says."""
        found = [(self.players, Sort.PLAYERS, "WHITE, BLACK")]
        if self.setup is not None:
            found.append((self.setup, Sort.SETUP, "SET-UP"))
        found.append((self.result, Sort.RESULT, "RESULT"))
        found.append((self.plies, Sort.PLIES, "PLIES"))
        return [*found, (self.date, Sort.DATE, "DATE")]


class GameList(RowList):
    """Lists games, of which one is chosen.

    Attributes:
        games: all games that are listed.
        sorted_by: the order that they come in, to be shown in the head.
    """

    HEAD = 1

    class Moved(Message):
        """Another game is chosen."""

    class Opened(Message):
        """The chosen game is to be opened."""

    class Headed(Message):
        """The head of a column was clicked."""

        def __init__(self, sort: Sort) -> None:
            super().__init__()
            self.sort = sort

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self.sorted_by = LibrarySettings()
        self.games: Sequence[Listed] = ()
        self.empty = ""

    @property
    def chosen(self) -> Listed | None:
        """The chosen game; None when none is listed."""
        return self.games[self.cursor] if self.games else None

    @property
    def sorts(self) -> list[Sort]:
        """What the columns in sight can be sorted by, from left to right."""
        return [sort for _, sort, _ in _columns(self.size.width).heads()]

    @property
    def total(self) -> int:
        """How many games are listed."""
        return len(self.games)

    def show(self, games: Sequence[Listed], empty: str, chosen: tuple[str, int] | None = None) -> None:
        """List other games; `empty` is said when there are none.

        The game of the path and place `chosen` is chosen if it is there, else the one in its row.
        """
        keys = chosen
        if keys is None and self.chosen is not None:
            keys = (self.chosen.path, self.chosen.place)
        before = self.cursor - self._top
        self.games, self.empty = games, empty
        found = next((row for row, game in enumerate(games) if (game.path, game.place) == keys), None)
        self.cursor = min(self.cursor, max(len(games) - 1, 0)) if found is None else found
        self._top = self.cursor - before
        self._into_sight()
        self.repaint()
        self.post_message(self.Moved())

    def move(self, by: int) -> None:
        """Choose a game so many rows further down, or up when negative."""
        self.choose(self.cursor + by)

    def choose(self, row: int) -> None:
        """Choose the game of a row, or the nearest one that there is."""
        row = min(max(row, 0), max(len(self.games) - 1, 0))
        changed = row != self.cursor
        self.cursor = row
        self._into_sight()
        self.repaint()
        if changed:
            self.post_message(self.Moved())

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """The head of the table and the rows in sight."""
        columns = _columns(width)
        drawn = [self._head(width, columns)]
        if not self.games:
            line = self.line(width).to(columns.players).add(self.empty, self.inks.dim)
            drawn += [*blank_lines(width, 1, self.inks.text), line.tiles()]
        shown = self.games[self._top : self._top + height - 1]
        bar = self._bar(height - 1)
        for row, game in enumerate(shown):
            tiles = self._row(game, width, columns, chosen=self._top + row == self.cursor)
            if bar is not None:
                tiles[-1] = (self.signs.full if row in bar else " ", self.inks.faint)
            drawn.append(tiles)
        return [*drawn, *blank_lines(width, height - len(drawn), self.inks.text)][:height]

    def _head(self, width: int, columns: _Columns) -> list[Tile]:
        line = self.line(width)
        up, down = ("^", "v") if self.signs.plain else ("▴", "▾")
        for start, sort, text in columns.heads():
            line.to(start)
            if sort is self.sorted_by.sort:
                # Dates and lengths go down as they usually are, everything else goes up.
                rising = (sort in (Sort.DATE, Sort.PLIES)) is self.sorted_by.reverse
                line.add(f"{text}{up if rising else down}", self.inks.strong)
            else:
                line.add(text, self.inks.head)
        return line.tiles()

    def _row(self, game: Listed, width: int, columns: _Columns, *, chosen: bool) -> list[Tile]:
        inks, signs = self.inks, self.signs
        text, quiet, warning = inks.text, inks.dim, inks.warning
        if chosen:
            text = quiet = warning = inks.lit if self.has_focus else inks.strong
        line = Line(width, text if chosen else inks.text)
        line.add(signs.marker if chosen else " ", text)
        line.add("!" if game.faults else " ", warning).to(columns.players)
        room = (columns.setup or columns.result) - columns.players - 2
        if not game.place:
            line.add(shortened(game.name, room, signs), text)
            line.to(columns.setup or columns.result).add("cannot be read", warning)
        else:
            self._players(line, game, room, text, quiet)
            if columns.setup is not None:
                line.to(columns.setup).add(game.setup, quiet)
            self._result(line.to(columns.result), game, text, quiet)
            line.to(columns.plies).add(game.plies.rjust(PLIES_WIDTH), text)
        line.to(columns.date).add(game.date[: columns.end - columns.date], quiet)
        return line.tiles()

    def _players(self, line: Line, game: Listed, room: int, text: Ink, quiet: Ink) -> None:
        """Both names; a long one leaves the other at least half of the room."""
        between = f" {self.signs.line} "
        half = (room - len(between)) // 2
        black = shortened(game.black, max(half, room - len(between) - cell_len(game.white)), self.signs)
        white = shortened(game.white, max(half, room - len(between) - cell_len(black)), self.signs)
        line.add(white, text).add(between, quiet).add(black, text)

    def _result(self, line: Line, game: Listed, text: Ink, quiet: Ink) -> None:
        """Who won and the score; of an unfinished game the score alone, quietly."""
        if game.over:
            line.add(f"{SHORT_RESULTS[game.result]:<5}", text).add(game.score, text)
        else:
            line.add(f"{'':<5}{game.score}", quiet)

    # The mouse

    def _head_at(self, x: int) -> Sort | None:
        """What the column at a place is sorted by."""
        heads = [sort for start, sort, _ in _columns(self.size.width).heads() if start <= x]
        return heads[-1] if heads else None

    def _row_at(self, y: int) -> int | None:
        row = self._top + y - 1
        return row if y > 0 and row < len(self.games) else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Choose what was clicked; beside the rows scroll, on the head of a column sort by it."""
        event.stop()
        row = self._row_at(event.y)
        sort = self._head_at(event.x) if event.y == 0 else None
        if sort is not None:
            self.post_message(self.Headed(sort))
            return
        if event.x == self.size.width - 1 and self._bar(self.rows) is not None and event.y > 0:
            share = (event.y - 1) / max(self.rows - 1, 1)
            self.scroll(round(share * (len(self.games) - self.rows)) - self._top)
        elif row is not None:
            self.choose(row)

    def on_click(self, event: events.Click) -> None:
        """Open what was clicked twice."""
        event.stop()
        if event.chain == 2 and self._row_at(event.y) == self.cursor and event.x < self.size.width - 1:
            self.post_message(self.Opened())

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Some rows up."""
        event.stop()
        self.scroll(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Some rows down."""
        event.stop()
        self.scroll(WHEEL_ROWS)


def _columns(width: int) -> _Columns:
    """The columns of a list, from the right: the players have what is left."""
    end = width - 2
    date = end - (TIME_WIDTH if width >= TIME_FROM else DAY_WIDTH)
    plies = date - PLIES_WIDTH - 2
    result = plies - RESULT_WIDTH - 1
    setup = result - SETUP_WIDTH - 2 if width >= SETUP_FROM else None
    return _Columns(MARK_WIDTH, setup, result, plies, date, end)
