"""What is known of the row that is chosen on the Tables screen, in words."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.core.pieces import Side
from dvonn_tui.tables.asked import options_words
from dvonn_tui.tables.keeping import KeptSeat
from dvonn_tui.tables.protocol import TableLine
from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.table_words import options_of
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines, wrapped
from dvonn_tui.ui.widgets.table_list import FREE, ServerRow, stage_word
from dvonn_tui.ui.words import counted

WHOLE: Final = 8
"""Lines from which on the card tells what the list tells as well."""

Row = KeptSeat | TableLine | ServerRow


class TableCard(Dressed):
    """Tells of one row: the seats, what is set, what goes on, and what enter does."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._row: Row | None = None
        self._invite = ""
        self._seated = self._here = False

    def show(self, row: Row | None, invite: str, *, seated: bool, here: bool = False) -> None:
        """Tell of another row. `invite` brings somebody to the table, with `here` only on this machine;
        `seated` when one has a seat there."""
        if (row, invite, seated, here) != (self._row, self._invite, self._seated, self._here):
            self._row, self._invite, self._seated, self._here = row, invite, seated, here
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """As much as there is room for."""
        drawn: list[list[Tile]] = []
        for text, ink in self._parts(height):
            drawn += [self.line(width).add(f" {line}", ink).tiles() for line in wrapped(text, width - 2)]
        return [*drawn[:height], *blank_lines(width, height - len(drawn), self.inks.text)][:height]

    def _parts(self, height: int) -> list[tuple[str, Ink]]:
        inks, whole = self.inks, height >= WHOLE
        match self._row:
            case KeptSeat() as seat:
                return self._seat(seat, whole)
            case TableLine() as table:
                return self._table(table, whole)
            case ServerRow(address=address, name=name, told=told, there=there):
                head = [(name, inks.strong)] if name else []
                address_ink = inks.text if name else inks.strong
                enter = "its tables stand above" if there else "enter connects"
                return [*head, (address, address_ink), (told, inks.dim), (enter, inks.dim)]
        return [("Type a server's address (/), or choose one of the list.", inks.dim)]

    def _seat(self, seat: KeptSeat, whole: bool) -> list[tuple[str, Ink]]:
        inks = self.inks
        when = datetime.fromtimestamp(seat.at)
        parts = [(f"Your seat as {seat.side.word}", inks.strong)]
        if whole:
            parts += self._sides(seat.white, seat.black)
        parts.append((f"at {seat.server}, table {seat.table}", inks.text))
        parts.append((f"last there {when:%A}, {when.day} {when:%B, %H:%M}", inks.dim))
        return [*parts, ("enter takes it up again", inks.dim)]

    def _table(self, table: TableLine, whole: bool) -> list[tuple[str, Ink]]:
        inks = self.inks
        parts = []
        if whole:
            parts += [
                (table.title or f"table {table.id}", inks.strong),
                *self._sides(table.white, table.black),
            ]
            parts.append(("", inks.text))
        parts.append((options_words(options_of(table.options)), inks.text))
        played = f", {counted(table.actions, 'action')} played" if table.actions else ""
        watch = f", {table.watchers} watching" if table.watchers else ""
        parts.append((f"{stage_word(table)}{played}{watch}", inks.dim))
        parts.append((self._enter(table), inks.dim))
        if whole:
            parts += [
                ("", inks.text),
                (f"Invite somebody{' on this machine' if self._here else ''} (& copies it):", inks.dim),
                (self._invite, inks.text),
            ]
        return parts

    def _enter(self, table: TableLine) -> str:
        """What enter does."""
        if self._seated:
            return "enter takes your seat up again"
        watchers = options_of(table.options).watchers
        if table.white is None or table.black is None:
            return f"enter sits down, {'w watches' if watchers else 'nobody may watch'}"
        return "enter watches" if watchers else "nobody may watch"

    def _sides(self, white: str | None, black: str | None) -> list[tuple[str, Ink]]:
        named = {Side.WHITE: white, Side.BLACK: black}
        return [(f"{self.signs.of(side)} {name or FREE}", self.inks.text) for side, name in named.items()]
