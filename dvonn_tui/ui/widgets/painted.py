"""A widget that draws its own tiles and sends only those that changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from dvonn_tui.art.scene import Span, Tile
from dvonn_tui.ui.widgets.picture import strip_of

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


class Painted(Widget):
    """Base of the panels. Subclasses say in `draw` what the widget shows."""

    ALLOW_SELECT = False
    can_focus = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: list[list[Tile]] = []
        self._strips: list[Strip] = []

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """The lines of the widget: at most `height`, each of exactly `width` tiles."""
        raise NotImplementedError

    def repaint(self) -> None:
        """Draw again and send what differs from what is shown."""
        width, height = self.size
        if not self.is_mounted or not width or not height:
            return
        rows = self.draw(width, height)
        whole = len(rows) != len(self._rows) or any(
            len(was) != len(now) for was, now in zip(self._rows, rows, strict=True)
        )
        if whole:
            self._rows = rows
            self._strips = [strip_of(row) for row in rows]
            self.refresh()
            return
        regions = []
        for y, (was, now) in enumerate(zip(self._rows, rows, strict=True)):
            if was != now:
                regions += [
                    Region(span.start, y, span.end - span.start, 1) for span in changed_spans(y, was, now)
                ]
                self._strips[y] = strip_of(now)
        if regions:
            self._rows = rows
            self.refresh(*regions)

    def forget(self) -> None:
        """Draw everything again: the size, the colours or the look changed."""
        self._rows = []
        self.repaint()

    def on_mount(self) -> None:
        """Show something as soon as there is a size."""
        self.call_after_refresh(self.repaint)

    def on_resize(self) -> None:
        """The lines depend on the size."""
        self.forget()

    def render_line(self, y: int) -> Strip:
        """A line as Textual wants it."""
        if y < len(self._strips) and self._strips[y].cell_length == self.size.width:
            return self._strips[y]
        return Strip.blank(self.size.width, self.rich_style)
