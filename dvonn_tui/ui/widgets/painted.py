"""A widget that draws its own tiles and sends only those that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dvonn_tui.art.scene import Span, Tile
from dvonn_tui.ui.widgets.tiled import Tiled

JOINED_GAP = 6
"""Runs of changed tiles this near to each other are sent as one: moving the cursor costs as much."""


def changed_spans(row: int, before: Sequence[Tile], after: Sequence[Tile]) -> Iterator[Span]:
    """The runs of tiles in which two lines of the same length differ."""
    start = end = -1
    for column, (was, now) in enumerate(zip(before, after, strict=True)):
        if was == now:
            continue
        if start >= 0 and column - end > JOINED_GAP:
            yield Span(row, start, end)
            start = column
        elif start < 0:
            start = column
        end = column + 1
    if start >= 0:
        yield Span(row, start, end)


def _changes(before: Sequence[Sequence[Tile]], after: Sequence[Sequence[Tile]]) -> list[Span]:
    """The runs of tiles in which two pictures of the same size differ."""
    return [
        span
        for y, (was, now) in enumerate(zip(before, after, strict=True))
        if was is not now and was != now
        for span in changed_spans(y, was, now)
    ]


class Painted(Tiled):
    """Base of the panels. Subclasses say in `draw` what the widget shows."""

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """The lines of the widget: at most `height`, each of exactly `width` tiles."""
        raise NotImplementedError

    def repaint(self) -> None:
        """Draw again and send what differs from what is shown."""
        width, height = self.size
        if not self.is_mounted or not width or not height:
            return
        rows, before = self.draw(width, height), self.tiles
        if list(map(len, rows)) != list(map(len, before)):
            self.show_tiles(rows)
            return
        self.show_tiles(rows, _changes(before, rows))

    def repaint_lines(self, lines: Mapping[int, Sequence[Tile]]) -> None:
        """Show some lines anew, by their numbers, and all others as they are; at once if that can be.

        For what changes often: nothing else is drawn. Each line is as wide as the one that is shown there.
        """
        before = self.tiles
        rows = [lines.get(y, row) for y, row in enumerate(before)]
        self.show_tiles(rows, _changes(before, rows), at_once=True)

    def forget(self) -> None:
        """Draw everything again: the size, the colours or the look changed."""
        self._tiles = ()
        self.repaint()

    def on_mount(self) -> None:
        """Show something as soon as there is a size."""
        self.call_after_refresh(self.repaint)

    def on_resize(self) -> None:
        """The lines depend on the size."""
        self.forget()
