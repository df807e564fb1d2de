"""Painting a screen with few bytes.

Textual knows which regions of the screen changed. But of a region that begins inside a widget it sends
everything from the left edge of the widget on, and with every piece of text both of its colours, even
those that the terminal has at hand. On a board of many colours that is several times what is needed, and
the terminal, or the line to it, is what a player waits for.

What is overridden here is not public in Textual, whose version is fixed for that reason, too. Without it
the screen looks the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.strip import Strip

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
        update = super().render_partial_update()
        return None if update is None else _LeanChops(update.chops, update.spans, update.chop_ends)

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        """The whole screen."""
        update = super().render_full_update(simplify)
        return _LeanLayout(update.strips, update.region)


class _LeanChops(ChopsUpdate):
    """Parts of lines."""

    def render_segments(self, console: Console) -> str:
        """What to send to the terminal."""
        pen = _Pen(console)
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
                self._take_up(style, blank=text.isspace())
                self._parts.append(text)

    def text(self) -> str:
        """All that was written, with the terminal left without any style."""
        if self._attributes or self._foreground or self._background:
            self._parts.append(_RESET)
        return "".join(self._parts)

    def _take_up(self, style: Style, *, blank: bool) -> None:
        """Bring a style into force."""
        attributes, foreground, background, visible = _codes(style, self._system)
        if attributes != self._attributes:
            codes = ["0", attributes, foreground, background]
        else:
            if blank and not visible:
                foreground = self._foreground
            codes = []
            if foreground != self._foreground:
                codes.append(foreground or "39")
            if background != self._background:
                codes.append(background or "49")
        if codes:
            self._parts.append(f"\x1b[{';'.join(filter(None, codes))}m")
        self._attributes, self._foreground, self._background = attributes, foreground, background

    def _write_as_it_is(self, segment: Segment) -> None:
        """Leave a text that is more than text to Rich."""
        if self._attributes or self._foreground or self._background:
            self._parts.append(_RESET)
        self._attributes = self._foreground = self._background = ""
        self._parts.append(Strip([segment]).render(self._console))


@lru_cache(maxsize=64 * 1024)
def _codes(style: Style, system: ColorSystem) -> tuple[str, str, str, bool]:
    """The codes of a style: attributes, foreground, background, and whether blanks show the foreground."""
    attributes = [code for name, code in _ATTRIBUTES if getattr(style, name)]
    foreground, background = (
        "" if colour is None else ";".join(colour.downgrade(system).get_ansi_codes(foreground=front))
        for colour, front in ((style.color, True), (style.bgcolor, False))
    )
    return ";".join(attributes), foreground, background, not _SEEN_ON_BLANKS.isdisjoint(attributes)
