"""From drawn tiles to what Textual shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from dvonn_tui.art.painter import runs
from dvonn_tui.art.scene import Ink, Tile

PictureRows = Sequence[Sequence[Tile]]
"""A drawn picture, from the top line down."""


@lru_cache(maxsize=64 * 1024)
def style_of(ink: Ink) -> Style:
    """The style of an ink. A default colour is left open, so that a widget can lay its own under it."""
    return Style(
        color=_colour(ink.foreground),
        bgcolor=_colour(ink.background),
        bold=ink.bold or None,
        underline=ink.underline or None,
        reverse=ink.reverse or None,
        strike=ink.strike or None,
    )


@lru_cache(maxsize=4096)
def _colour(name: str) -> Color | None:
    """The colour of a name as `Ink` writes it; None for the terminal's default."""
    if name in ("", "ansi_default"):
        return None
    return Color.parse(name.removeprefix("ansi_"))


def strip_of(tiles: Sequence[Tile]) -> Strip:
    """One line of a picture, in as few segments as its inks allow."""
    segments = [Segment(text, style_of(ink)) for text, ink in runs(tiles, 0, len(tiles))]
    return Strip(segments, len(tiles))


class Picture(Widget):
    """A drawn picture that stands still: a small board, a sign."""

    DEFAULT_CSS = """
    Picture {
        width: auto;
        height: auto;
    }
    """
    ALLOW_SELECT = False

    def __init__(
        self,
        rows: PictureRows = (),
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._strips = [strip_of(row) for row in rows]

    def show(self, rows: PictureRows) -> None:
        """Show another picture. A picture of the same size is repainted without a new layout."""
        before = self._extent
        self._strips = [strip_of(row) for row in rows]
        self.refresh(layout=self._extent != before)

    @property
    def _extent(self) -> Size:
        return Size(max((strip.cell_length for strip in self._strips), default=0), len(self._strips))

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The width of the longest line."""
        return self._extent.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The number of lines."""
        return self._extent.height

    def render_line(self, y: int) -> Strip:
        """One line, with the widget's own colours wherever the picture leaves them open."""
        style = self.rich_style
        if y < len(self._strips):
            return self._strips[y].apply_style(style).adjust_cell_length(self.size.width, style)
        return Strip.blank(self.size.width, style)
