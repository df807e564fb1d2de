"""Painting a screen with few bytes.

Textual knows which regions of the screen changed. But of a region that begins inside a widget it sends
everything from the left edge of the widget on, and with every piece of text both of its colours, even
those that the terminal has at hand. On a board of many colours that is several times what is needed, and
the terminal, or the line to it, is what a player waits for.

Naming two colours takes about thirty bytes and going to another place eight, so tiles of the same colours
are written one after the other, wherever on the screen they lie.

What is overridden here is not public in Textual, whose version is fixed for that reason, too. Without it
the screen looks the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import Compositor, CompositorUpdate
from textual._context import visible_screen_stack
from textual.color import TRANSPARENT
from textual.filter import LineFilter
from textual.strip import Strip

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.ui.widgets.picture import style_of
from dvonn_tui.ui.widgets.tiled import Tiled

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.screen import Screen
    from textual.widget import Widget

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

_ANY: Final = "any"
"""Stands for the foreground of a blank."""


class LeanCompositor(Compositor):
    """Textual's compositor with updates that say no more than what changed."""

    def render_update(
        self, full: bool = False, screen_stack: list[Screen[Any]] | None = None, simplify: bool = False
    ) -> RenderableType | None:
        """What changed, or None when nothing did. With `full`, all there is: Textual makes pictures of it."""
        if full:
            return super().render_update(full, screen_stack, simplify)
        visible_screen_stack.set(screen_stack or [])
        parts = list(self._changed())
        self._dirty_regions.clear()
        return cast("RenderableType", _LeanUpdate(parts)) if parts else None

    def _changed(self) -> Iterator[_Part]:
        """What is to be seen where something changed."""
        width, height = self.size
        rendered: dict[Widget, list[Strip]] = {}
        for y, start, end in self._regions_to_spans(self._dirty_regions):
            start, end = max(start, 0), min(end, width)
            if not 0 <= y < height or start >= end:
                continue
            # Between two cuts there is one widget from edge to edge, in front of all others.
            edges = [start, *(cut for cut in self.cuts[y] if start < cut < end), end]
            for left, right in pairwise(edges):
                layers = self.layers_visible[y]
                front = next(
                    (layer for layer in layers if layer[1].x <= left and right <= layer[1].right), None
                )
                if front is None:
                    continue
                widget, visible, region = front
                tiles = widget.row(y - region.y, region.size) if isinstance(widget, Tiled) else None
                if isinstance(widget, Tiled) and tiles is not None:
                    yield _Part(left, y, tiles[left - region.x : right - region.x], widget)
                    continue
                if widget not in rendered:
                    rendered[widget] = widget.render_lines(visible.translate(-region.offset))
                strip = rendered[widget][y - visible.y]
                yield _Part(left, y, strip.crop(left - visible.x, right - visible.x), None)


class _Part(NamedTuple):
    """A part of a line of the screen: tiles of a widget, or a strip."""

    x: int
    y: int
    content: Sequence[Tile] | Strip
    widget: Tiled | None


class _LeanUpdate(CompositorUpdate):
    """Parts of the screen that changed."""

    def __init__(self, parts: Sequence[_Part]) -> None:
        self._parts = parts

    def render_segments(self, console: Console) -> str:
        """What to send to the terminal."""
        pen = _Pen(console)
        for run in _by_style(run for part in self._parts for run in _runs(part, pen.system)):
            pen.write_run(run)
        for x, y, content, _ in self._parts:
            if isinstance(content, Strip):
                pen.move(x, y)
                pen.write(content)
        return pen.text()


class _Run(NamedTuple):
    """Neighbouring tiles that are written in one style; `blank` when no foreground is to be seen."""

    x: int
    y: int
    width: int
    text: str
    codes: _Codes
    blank: bool


def _runs(part: _Part, system: ColorSystem) -> Iterator[_Run]:
    """The tiles of a part, if it has any, as few runs. Blanks join the run before them on the same ground."""
    tiles, widget = part.content, part.widget
    if isinstance(tiles, Strip) or widget is None:
        return
    behind = widget.rich_style if widget.see_through else None
    filters = tuple(widget.get_line_filters())
    x, width, text, codes, blank = part.x, 0, "", _NO_CODES, True
    for ink, group in groupby(tiles, key=itemgetter(1)):
        characters = [character for character, _ in group]
        more = "".join(characters)
        wanted = _codes_of_ink(ink, behind, filters, system)
        empty = more.isspace() and not wanted.shown_by_blanks
        same = wanted.background == codes.background and wanted.attributes == codes.attributes
        if width and not (same and (empty or wanted.foreground == codes.foreground)):
            yield _Run(x, part.y, width, text, codes, blank)
            x, width, text = x + width, 0, ""
        if not width:
            codes, blank = wanted, empty
        width, text, blank = width + len(characters), text + more, blank and empty
    yield _Run(x, part.y, width, text, codes, blank)


def _by_style(runs: Iterable[_Run]) -> Iterator[_Run]:
    """The same runs so that as few colours as can be have to be named from one to the next.

    Those on one ground follow one another, and after them comes a ground with the last foreground on it.
    """
    grounds: dict[tuple[str, str], dict[str, list[_Run]]] = {}
    for run in runs:
        attributes, foreground, background, _ = run.codes
        colours = grounds.setdefault((attributes, background), {})
        colours.setdefault(_ANY if run.blank else foreground, []).append(run)
    uses = Counter(colour for colours in grounds.values() for colour in colours)
    uses[_ANY] = 0  # So blanks never come last, and do not stand for a colour in force.
    attributes, in_force = "", ""
    while grounds:
        near = (key for key, colours in grounds.items() if key[0] == attributes and in_force in colours)
        ground = next(near, next(iter(grounds)))
        colours = grounds.pop(ground)
        uses.subtract(colours.keys())
        for colour in sorted(colours, key=lambda each: (each != in_force, uses[each])):
            yield from colours[colour]
        attributes, in_force = ground[0], colour


class _Pen:
    """Writes text for a terminal, and of its place and style only what differs from what is in force."""

    def __init__(self, console: Console) -> None:
        self.system = COLOR_SYSTEMS.get(console.color_system or "", ColorSystem.TRUECOLOR)
        self._console = console
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
                codes = _codes(style, self.system)
                self._take_up(codes, text, blank=text.isspace() and not codes.shown_by_blanks)

    def write_run(self, run: _Run) -> None:
        """Write a run of tiles where it belongs."""
        self.move(run.x, run.y)
        self._x += run.width
        self._take_up(run.codes, run.text, blank=run.blank)

    def text(self) -> str:
        """All that was written, with the terminal left without any style."""
        if self._attributes or self._foreground or self._background:
            self._parts.append(_RESET)
        return "".join(self._parts)

    def _take_up(self, codes: _Codes, text: str, *, blank: bool) -> None:
        """Bring a style into force and write a text in it."""
        attributes, foreground, background, _ = codes
        if attributes != self._attributes:
            changes = [code for code in ("0", attributes, foreground, background) if code]
            self._attributes, self._foreground, self._background = attributes, foreground, background
        else:
            changes = []
            if foreground != self._foreground and not blank:
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


_NO_CODES: Final = _Codes("", "", "", False)


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
