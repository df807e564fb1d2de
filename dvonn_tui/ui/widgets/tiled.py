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

    def show_tiles(
        self,
        tiles: Sequence[Sequence[Tile]],
        changed: Iterable[Span] | None = None,
        *,
        at_once: bool = False,
    ) -> None:
        """Show a picture; `changed` are the parts that differ from the one before, None for all of it.

        With `at_once` these parts are painted in this moment if nothing else is to be painted with them.
        """
        self._tiles = tiles
        if changed is None:
            self._strips.clear()
            self.refresh()
            return
        regions = []
        for row, start, end in changed:
            self._strips.pop(row, None)
            regions.append(Region(start, row, end - start, 1))
        if regions and not (at_once and self._paint_now(regions)):
            self.refresh(*regions)

    def _paint_now(self, regions: Iterable[Region]) -> bool:
        """Paint parts of the picture now. False when that cannot be: another screen is in front, or something
        else is to be painted with them or to be shared out anew.

        As a rule a widget tells its screen, which tells a timer, which tells it back. That collects what
        changes at a time, and costs several times what a few tiles do; where some change ten times a second
        it is most of what the program does. What is called here is not public in Textual, whose version is
        fixed; `dvonn_tui.ui.lean` says more of that.
        """
        app, screen = self.app, self.screen
        if (
            screen is not app.screen
            or app._batch_count
            or screen._layout_required
            or screen._scroll_required
            or screen._repaint_required
            or screen._dirty_widgets
            or self._repaint_required
        ):
            return False
        self._set_dirty(*regions)
        screen._compositor.update_widgets({self})
        app._display(screen, screen._compositor.render_update(screen_stack=app._background_screens))
        return True

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
