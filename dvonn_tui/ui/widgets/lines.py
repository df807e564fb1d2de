"""The three single lines of the screen: the bar on top, the status line, the keys at the foot.

The last two take more lines for what has to be read to its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.message import Message

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.ui.paint import SYMBOLS, Inks, Line, Signs
from dvonn_tui.ui.widgets.painted import Painted
from dvonn_tui.ui.words import Said, Tone, plain_text

MOST_LINES: Final = 3
"""Lines that something which is said takes at most."""


def shortened(text: str, columns: int, signs: Signs) -> str:
    """Text that is cut to so many columns, with a sign that it is."""
    if cell_len(text) <= columns:
        return text
    kept = text
    while kept and cell_len(kept) > columns - 1:
        kept = kept[:-1]
    return kept + signs.ellipsis if columns > 0 else ""


def wrapped(text: str, columns: int) -> list[str]:
    """Clean text in lines of so many columns at most, broken between words where that is possible."""
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(joined) <= columns:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for character in word:
            if cell_len(lines[-1] + character) > columns:
                lines.append("")
            lines[-1] += character
    return lines


class PanelLine(Line):
    """A line of a panel: what has no room in it ends with a sign for that."""

    def __init__(self, width: int, inks: Inks, signs: Signs) -> None:
        super().__init__(width, inks.text)
        self._cut: Tile = (signs.ellipsis, inks.dim)

    def tiles(self, *, centred: bool = False) -> list[Tile]:
        """The whole line, filled up or cut to its width."""
        tiles = super().tiles(centred=centred)
        beyond = self._tiles[self.width :]
        if tiles and any(text.strip() for text, _ in beyond):
            half = not tiles[-1][0]  # of a wide character
            tiles[-2 if half else -1 :] = [self._cut, (" ", self._blank)][: 2 if half else 1]
        return tiles


class Dressed(Painted):
    """A panel that knows its inks and signs."""

    def __init__(self, inks: Inks, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.inks = inks
        self.signs: Signs = SYMBOLS

    def dress(self, inks: Inks, signs: Signs) -> None:
        """Choose the inks and signs to draw with."""
        self.inks, self.signs = inks, signs
        self.forget()

    def line(self, width: int) -> Line:
        """A line of the panel, still empty."""
        return PanelLine(width, self.inks, self.signs)


class TopBar(Dressed):
    """What is played, which ply is seen and whose turn it is. Lit as a banner when looking back."""

    DEFAULT_CSS = "TopBar { height: 1; }"

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._content: tuple[str, str, str, bool, str] = ("", "", "", False, "")

    def show(self, head: str, middle: str, right: str, *, banner: bool, alarm: str = "") -> None:
        """Show three texts; `banner` lights the whole line. An `alarm` has its room before all others."""
        if (head, middle, right, banner, alarm) != self._content:
            self._content = (head, middle, right, banner, alarm)
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """One line."""
        head, middle, right, banner, alarm = self._content
        inks = self.inks
        strong = inks.banner if banner else inks.strong
        text = inks.banner if banner else inks.text
        quiet = inks.banner if banner else inks.dim
        line = Line(width, text).add(f" {head}  ", strong)
        if alarm:
            line.add(f" {alarm} ", inks.warning if not banner else inks.banner).add(" ", text)
        line.add(f" {middle}", text).right(right, quiet)
        return [line.tiles()]


class StatusLine(Dressed):
    """Every preview and every refusal in words."""

    DEFAULT_CSS = "StatusLine { height: 1; }"

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self.said: Said = ()
        self._whole = False

    def show(self, said: Said, *, whole: bool = False) -> None:
        """Say something else. With `whole` it takes more lines where one is too short for it.

        Without it the line stays one, so that nothing moves while previews come and go.
        """
        if (said, whole) != (self.said, self._whole):
            self.said, self._whole = said, whole
            self._take_room()
            self.repaint()

    def on_resize(self) -> None:
        """Another width needs other lines."""
        self._take_room()
        super().on_resize()

    def _take_room(self) -> None:
        take_lines(self, self._lines(self.size.width) if self._whole else 1)

    def _lines(self, width: int) -> int:
        return min(len(wrapped(plain_text(self.said), width - 2)), MOST_LINES) if width > 2 else 1

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """Lines in the middle; too long a sentence is cut with a sign for it."""
        inks = self.inks
        tones = {
            Tone.PLAIN: inks.app,
            Tone.QUIET: inks.app_dim,
            Tone.STRONG: inks.app_strong,
            Tone.WARNING: inks.app_warning,
        }
        if height > 1 and self._whole:
            rows = self._wrapped(width, height, tones)
            return [*rows, *blank_lines(width, height - len(rows), inks.app)]
        line = Line(width, inks.app)
        if cell_len(plain_text(self.said)) < width - 1:
            for text, tone in self.said:
                line.add(text, tones[tone])
            return [line.tiles(centred=True)]
        line.add(" ", inks.app)
        for text, tone in self.said:
            line.add(text, tones[tone])
        tiles = line.tiles()
        if len(line) > width:
            tiles[-1] = (self.signs.ellipsis, inks.app_dim)
        return [tiles]

    def _wrapped(self, width: int, height: int, tones: Mapping[Tone, Ink]) -> list[list[Tile]]:
        """The sentence in lines, every part of it in its tone."""
        sentence = plain_text(self.said)
        inks = [tones[tone] for text, tone in self.said for _ in text]
        texts, rows, start = wrapped(sentence, width - 2), list[list[Tile]](), 0
        for text in texts[:height]:
            start = sentence.index(text, start)
            line = Line(width, self.inks.app)
            letters = zip(text, inks[start : start + len(text)], strict=True)
            for ink, part in groupby(letters, key=itemgetter(1)):
                line.add("".join(letter for letter, _ in part), ink)
            if len(texts) > height == len(rows) + 1:
                line.add(self.signs.ellipsis, self.inks.app_dim)
            rows.append(line.tiles(centred=True))
            start += len(text)
        return rows


class KeyBar(Dressed):
    """The keys at the foot of the screen; each can be clicked. What has no room is left out.

    What is told in their place takes more lines where one is too short for it.
    """

    DEFAULT_CSS = "KeyBar { height: 1; }"

    class Chosen(Message):
        """A key was clicked."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._hints: tuple[tuple[str, str, str], ...] = ()
        self._told = ""
        self._zones: list[tuple[int, int, str]] = []

    def show(self, hints: tuple[tuple[str, str, str], ...], told: str = "") -> None:
        """Show hints: each key, what it does in a word, and its action. `told` is said before them."""
        if (hints, told) != (self._hints, self._told):
            self._hints, self._told = hints, told
            self._take_room()
            self.repaint()

    def on_resize(self) -> None:
        """Another width needs other lines."""
        self._take_room()
        super().on_resize()

    def _take_room(self) -> None:
        take_lines(self, len(self._told_lines(self.size.width)[:MOST_LINES]) if self._told else 1)

    def _told_lines(self, width: int) -> list[str]:
        return wrapped(self._told, max(width - 2, 1))

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """One line. The last hint, which leaves the game, always has its room, unless something is told."""
        rows: list[list[Tile]] = []
        line = Line(width, self.inks.app)
        self._zones = []
        if self._told:
            told = self._told_lines(width)
            for text in told[: height - 1]:
                rows.append(Line(width, self.inks.app).add(f" {text}", self.inks.app_warning).tiles())
            rest = shortened(" ".join(told[height - 1 :]), width - 1, self.signs)
            line.add(f" {rest}", self.inks.app_warning).add(" ", self.inks.app)
            for hint in self._hints:
                if len(line) + _hint_width(hint) <= width:
                    self._write(line, hint)
            rows.append(line.tiles())
            return [*rows, *blank_lines(width, height - len(rows), self.inks.app)]
        if not self._hints:
            return [line.tiles()]
        *hints, last = self._hints
        reserved = _hint_width(last)
        for hint in hints:
            if len(line) + _hint_width(hint) + reserved <= width:
                self._write(line, hint)
        self._write(line, last)
        return [line.tiles()]

    def _write(self, line: Line, hint: tuple[str, str, str]) -> None:
        key, word, action = hint
        start = len(line)
        line.add(" ", self.inks.app).add(key, self.inks.key).add(f" {word} ", self.inks.app)
        self._zones.append((start, len(line), action))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Do what the key does."""
        event.stop()
        last = max(self.size.height - 1, 0)
        for start, end, action in self._zones:
            if start <= event.x < end and event.y == last:
                self.post_message(self.Chosen(action))


def _hint_width(hint: tuple[str, str, str]) -> int:
    key, word, _ = hint
    return len(key) + len(word) + 3


def blank_lines(width: int, count: int, ink: Ink) -> list[list[Tile]]:
    """So many empty lines."""
    return [[(" ", ink)] * width for _ in range(count)]


def take_lines(widget: Painted, lines: int) -> None:
    """Give a widget so many lines; nothing is laid out anew when it has them already."""
    height = widget.styles.height
    if height is None or height.value != lines:
        widget.styles.height = lines
