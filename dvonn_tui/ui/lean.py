"""Painting a screen with few bytes.

Textual knows which regions of the screen changed. But of a region that begins inside a widget it sends
everything from the left edge of the widget on, and with every piece of text both of its colours, even
those that the terminal has at hand. On a board of many colours that is several times what is needed, and
the terminal, or the line to it, is what a player waits for.

What is overridden here is not public in Textual, whose version is fixed for that reason, too. Without it
the screen looks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.color import TRANSPARENT
from textual.filter import LineFilter
from textual.geometry import Region
from textual.strip import Strip

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.ui.widgets.picture import style_of
from dvonn_tui.ui.widgets.tiled import Tiled

_RESET: Final = "\x1b[0m"

_ATTRIBUTES: Final = (
    ("bold", "1"),
    ("dim", "2"),
    ("italic", "3"),
    ("underline", "4"),
    ("blink", "5"),
    ("blink2", "6"),
    ("reverse", "7"),
    ("conceal", "8"),
    ("strike", "9"),
    ("underline2", "21"),
    ("overline", "53"),
)
_SEEN_ON_BLANKS: Final = frozenset(("4", "7", "9", "21", "53"))
"""Attributes with which a blank shows its foreground."""


class LeanCompositor(Compositor):
    """Textual's compositor with updates that say no more than what changed."""

    def render_partial_update(self) -> ChopsUpdate | None:
        """What changed, or None when nothing did."""
        painted, others = [], set()
        for y, start, end in self._regions_to_spans(self._dirty_regions):
            found = self._find_tiles(y, start, end)
            if found is None:
                others.add(Region(start, y, end - start, 1))
            else:
                painted.append(found)
        self._dirty_regions = others
        update = super().render_partial_update()
        if update is None:
            return _LeanChops((), [], [], painted) if painted else None
        return _LeanChops(update.chops, update.spans, update.chop_ends, painted)

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        """The whole screen."""
        update = super().render_full_update(simplify)
        return _LeanLayout(update.strips, update.region)

    def _find_tiles(self, y: int, start: int, end: int) -> _Painted | None:
        """The tiles of a part of a line, when nothing else than one widget of tiles is to be seen there."""
        if not 0 <= y < self.size.height:
            return None
        for widget, visible, region in self.layers_visible[y]:
            if visible.x < end and start < visible.right:
                if not isinstance(widget, Tiled) or visible != region:
                    return None
                row = widget.row(y - region.y, region.size)
                if row is None or start < region.x or end > region.right:
                    return None
                return _Painted(start, y, row[start - region.x : end - region.x], widget)
        return None


class _Painted(NamedTuple):
    """Tiles of a widget, and where they are on the screen."""

    x: int
    y: int
    tiles: Sequence[Tile]
    widget: Tiled


class _LeanChops(ChopsUpdate):
    """Parts of lines: tiles, and whatever else there is as strips."""

    def __init__(
        self,
        chops: Sequence[Mapping[int, Strip | None]],
        spans: list[tuple[int, int, int]],
        chop_ends: list[list[int]],
        painted: Iterable[_Painted],
    ) -> None:
        super().__init__(chops, spans, chop_ends)
        self._painted = painted

    def render_segments(self, console: Console) -> str:
        """What to send to the terminal."""
        pen = _Pen(console)
        for x, y, tiles, widget in self._painted:
            pen.move(x, y)
            pen.write_tiles(tiles, widget)
        for y, start, end in self.spans:
            for x, strip in self.chops[y].items():
                if strip is None or x >= end:
                    continue
                cropped = strip.crop(start - x, end - x)
                if cropped.cell_length:
                    pen.move(max(x, start), y)
                    pen.write(cropped)
        return pen.text()


class _LeanLayout(LayoutUpdate):
    """Whole lines."""

    def render_segments(self, console: Console) -> str:
        """What to send to the terminal."""
        pen = _Pen(console)
        for y, strips in enumerate(self.strips, self.region.y):
            pen.move(self.region.x, y)
            for strip in strips:
                pen.write(strip)
        return pen.text()


class _Pen:
    """Writes text for a terminal, and of its place and style only what differs from what is in force."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._system = COLOR_SYSTEMS.get(console.color_system or "", ColorSystem.TRUECOLOR)
        self._parts: list[str] = []
        self._attributes = self._foreground = self._background = ""
        self._x = self._y = -1

    def move(self, x: int, y: int) -> None:
        """Go on at a place."""
        if y == self._y and x >= self._x:
            if x > self._x:
                self._parts.append(f"\x1b[{x - self._x}C")
        else:
            self._parts.append(f"\x1b[{y + 1};{x + 1}H")
        self._x, self._y = x, y

    def write(self, strip: Strip) -> None:
        """Write a strip from here on."""
        self._x += strip.cell_length
        for text, style, control in strip:
            if style is None or control or style.link:
                self._write_as_it_is(Segment(text, style, control))
            elif text:
                self._take_up(_codes(style, self._system), text)

    def write_tiles(self, tiles: Sequence[Tile], widget: Tiled) -> None:
        """Write tiles of a widget from here on."""
        self._x += len(tiles)
        behind = widget.rich_style if widget.see_through else None
        filters = tuple(widget.get_line_filters())
        text, current = "", None
        for character, ink in tiles:
            # Inks are cached by those who draw, so the same object is the usual case and quick to see.
            if ink is not current:
                if text and current is not None:
                    self._take_up(_codes_of_ink(current, behind, filters, self._system), text)
                text, current = "", ink
            text += character
        if text and current is not None:
            self._take_up(_codes_of_ink(current, behind, filters, self._system), text)

    def text(self) -> str:
        """All that was written, with the terminal left without any style."""
        if self._attributes or self._foreground or self._background:
            self._parts.append(_RESET)
        return "".join(self._parts)

    def _take_up(self, codes: _Codes, text: str) -> None:
        """Bring a style into force and write a text in it."""
        attributes, foreground, background, shown_by_blanks = codes
        if attributes != self._attributes:
            changes = [code for code in ("0", attributes, foreground, background) if code]
            self._attributes, self._foreground, self._background = attributes, foreground, background
        else:
            changes = []
            if foreground != self._foreground and (shown_by_blanks or not text.isspace()):
                changes.append(foreground or "39")
                self._foreground = foreground
            if background != self._background:
                changes.append(background or "49")
                self._background = background
        if changes:
            self._parts.append(f"\x1b[{';'.join(changes)}m")
        self._parts.append(text)

    def _write_as_it_is(self, segment: Segment) -> None:
        """Leave a text that is more than text to Rich."""
        if self._attributes or self._foreground or self._background:
            self._parts.append(_RESET)
        self._attributes = self._foreground = self._background = ""
        self._parts.append(Strip([segment]).render(self._console))


class _Codes(NamedTuple):
    """What to send for a style."""

    attributes: str
    foreground: str
    background: str
    shown_by_blanks: bool
    """Whether blanks show the foreground."""


@lru_cache(maxsize=64 * 1024)
def _codes(style: Style, system: ColorSystem) -> _Codes:
    """The codes of a style in a terminal that knows so many colours."""
    attributes = [code for name, code in _ATTRIBUTES if getattr(style, name)]
    foreground, background = (
        "" if colour is None else ";".join(colour.downgrade(system).get_ansi_codes(foreground=front))
        for colour, front in ((style.color, True), (style.bgcolor, False))
    )
    return _Codes(";".join(attributes), foreground, background, not _SEEN_ON_BLANKS.isdisjoint(attributes))


@lru_cache(maxsize=64 * 1024)
def _codes_of_ink(
    ink: Ink, behind: Style | None, filters: tuple[LineFilter, ...], system: ColorSystem
) -> _Codes:
    """The codes of an ink, laid on a style and sent through the filters of the application."""
    style = style_of(ink) if behind is None else behind + style_of(ink)
    segments = [Segment(" ", style)]
    for each in filters:
        segments = each.apply(segments, TRANSPARENT)
    return _codes(segments[0].style or Style.null(), system)
