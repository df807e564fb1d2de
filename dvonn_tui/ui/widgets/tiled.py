"""A widget made of tiles: it tells which of them changed, and no more than those is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from dvonn_tui.art.scene import Span, Tile
from dvonn_tui.ui.widgets.picture import strip_of


class Tiled(Widget):
    """Base of the board and of the panels. It has neither border nor padding.

    Its tiles go to the terminal in one of two ways: straight from `tiles` when only some of them changed
    (see `dvonn_tui.ui.lean`), and as strips when Textual puts whole lines together.
    """

    ALLOW_SELECT = False
    can_focus = False
    see_through = False
    """True when colours that the tiles leave open are those of the widget; else the terminal's own."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._tiles: Sequence[Sequence[Tile]] = ()
        self._strips: dict[int, Strip] = {}

    @property
    def tiles(self) -> Sequence[Sequence[Tile]]:
        """The picture that is shown, line by line."""
        return self._tiles

    def row(self, y: int, size: Size) -> Sequence[Tile] | None:
        """A line of the picture; None when the picture is not made for a widget of this size."""
        if len(self._tiles) != size.height or len(self._tiles[y]) != size.width:
            return None
        return self._tiles[y]

    def show_tiles(self, tiles: Sequence[Sequence[Tile]], changed: Iterable[Span] | None = None) -> None:
        """Show a picture; `changed` are the parts that differ from the one before, None for all of it."""
        self._tiles = tiles
        if changed is None:
            self._strips.clear()
            self.refresh()
            return
        regions = []
        for row, start, end in changed:
            self._strips.pop(row, None)
            regions.append(Region(start, row, end - start, 1))
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """A line as Textual wants it."""
        width, style = self.size.width, self.rich_style
        if y >= len(self._tiles):
            return Strip.blank(width, style)
        strip = self._strips.get(y)
        if strip is None:
            strip = self._strips[y] = strip_of(self._tiles[y])
        strip = strip.adjust_cell_length(width, style)
        return strip.apply_style(style) if self.see_through else strip
