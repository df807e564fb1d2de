"""The chat panel, and the line in which one writes. Both come onto the screen when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual import events
from textual.message import Message

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.chat_log import Remark
from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.widgets.command_line import CommandLine
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines, wrapped
from dvonn_tui.ui.words import Said, Tone

WHEEL_LINES: Final = 2

MOST_KEPT: Final = 50
"""Lines that were sent, to be had again with the arrows."""


class ChatPanel(Dressed):
    """Draws what is said and what happens at a table; above it what is so at present."""

    # Where the panel stands depends on how the screen is divided: its rules begin with the screen.
    SCOPED_CSS = False
    DEFAULT_CSS = """
    TableScreen #chat { display: none; width: 1fr; height: 100%; }
    TableScreen.-chat #chat { display: block; }
    TableScreen.-chat #log { display: none; }

    TableScreen.-chat.-guide #log { display: block; width: 30; margin-right: 1; }
    TableScreen.-chat.-guide #signs { display: none; }
    TableScreen.-chat.-guide.-analysis #analysis { dock: none; width: 31; margin: 0 1 0 0; }
    TableScreen.-chat.-guide.-analysis #inspector { display: none; }

    TableScreen.-chat.-beside #chat { width: 100%; height: 1fr; }
    TableScreen.-chat.-beside.-tall-side #log { display: block; margin-bottom: 1; }
    TableScreen.-chat.-beside.-roomy #log { display: block; width: 30; margin-right: 1; }
    TableScreen.-chat.-beside.-roomy #chat { width: 1fr; height: 100%; }

    TableScreen.-chat.-waiting #inspector, TableScreen.-chat.-waiting #log,
    TableScreen.-chat.-waiting.-guide #log, TableScreen.-chat.-waiting #analysis,
    TableScreen.-chat.-waiting.-beside.-tall-side #log, TableScreen.-chat.-waiting.-beside.-roomy #log {
        display: none;
    }

    TableScreen.-chat.-line #middle { display: none; }
    TableScreen.-chat.-line #players { height: 1; }
    TableScreen.-chat.-line #panels { layout: vertical; }
    TableScreen.-chat.-line #chat { width: 100%; height: 1fr; }
    """

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._title = ""
        self._head: tuple[Said, ...] = ()
        self._remarks: tuple[Remark, ...] = ()
        self._back = 0
        """Lines by which it is scrolled back from the end."""

    def show(self, title: str, head: Sequence[Said], remarks: tuple[Remark, ...]) -> None:
        """Show other lines; `title` is at the right of the first one, `head` stays above the others."""
        shown = (title, tuple(head), remarks)
        if shown != (self._title, self._head, self._remarks):
            if remarks != self._remarks:
                self._back = 0
            self._title, self._head, self._remarks = shown
            self.repaint()

    def scroll(self, lines: int) -> None:
        """Show earlier lines, or later ones when negative."""
        width, height = self.size
        most = max(len(self._written(width)) - self._room(width, height), 0)
        back = min(max(self._back + lines, 0), most)
        if back != self._back:
            self._back = back
            self.repaint()

    def page(self, pages: int) -> None:
        """Show earlier lines by whole pages, or later ones when negative; a line of the last page stays."""
        width, height = self.size
        self.scroll(pages * max(self._room(width, height) - 1, 1))

    def show_from(self, last: int) -> None:
        """Show the first of the last so many remarks, and as much after it as fits: a long answer is read
        from its beginning."""
        width, height = self.size
        lines = sum(len(self._remark(remark, width)) for remark in self._remarks[-last:]) if width >= 8 else 0
        self._back = max(lines - self._room(width, height), 0)
        self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """A title, what is so, and as many of the last lines as fit."""
        inks = self.inks
        title = f"{self._back} more below" if self._back else self._title
        drawn = [self.line(width).add(" CHAT", inks.head).right(title, inks.dim).tiles()]
        drawn += self._head_lines(width)[: max(height - 2, 0)]
        room = height - len(drawn)
        written = self._written(width)
        end = len(written) - self._back
        drawn += written[max(end - room, 0) : end] if room > 0 else []
        return [*drawn, *blank_lines(width, height - len(drawn), inks.text)][:height]

    def _room(self, width: int, height: int) -> int:
        return height - 1 - len(self._head_lines(width))

    def _head_lines(self, width: int) -> list[list[Tile]]:
        inks = self.inks
        tones = {
            Tone.PLAIN: inks.text,
            Tone.QUIET: inks.dim,
            Tone.STRONG: inks.strong,
            Tone.WARNING: inks.warning,
        }
        drawn = []
        for said in self._head:
            text = "".join(part for part, _ in said)
            tone = said[0][1] if said else Tone.PLAIN
            drawn += [
                self.line(width).add(f" {line}", tones[tone]).tiles() for line in wrapped(text, width - 2)
            ]
        if drawn:
            drawn.append(self.line(width).add(" " + self.signs.line * max(width - 2, 0), inks.faint).tiles())
        return drawn

    def _written(self, width: int) -> list[list[Tile]]:
        """Every remark in as many lines as it needs."""
        if width < 8:
            return []
        return [line for remark in self._remarks for line in self._remark(remark, width)]

    def _remark(self, remark: Remark, width: int) -> list[list[Tile]]:
        inks, signs = self.inks, self.signs
        if not remark.name:
            texts = wrapped(remark.text, width - 4)
            first: tuple[str, Ink] = (f" {signs.dot} ", inks.dim)
            return [self._row(width, first if not row else ("   ", inks.dim), text, inks.dim)
                    for row, text in enumerate(texts)]  # fmt: skip
        sign = signs.of(Side(remark.side)) if remark.side else signs.marker
        texts = wrapped(f"{remark.name}: {remark.text}", width - 4)
        rows = []
        for row, text in enumerate(texts):
            line = self.line(width).add(f" {sign} " if not row else "   ", inks.text)
            if not row:
                name = text[: len(remark.name) + 1]
                line.add(name, inks.strong)
                text = text[len(name) :]
            rows.append(line.add(text, inks.text).tiles())
        return rows

    def _row(self, width: int, first: tuple[str, Ink], text: str, ink: Ink) -> list[Tile]:
        return self.line(width).add(*first).add(text, ink).tiles()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Earlier lines."""
        event.stop()
        self.scroll(WHEEL_LINES)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Later lines."""
        event.stop()
        self.scroll(-WHEEL_LINES)


class ChatField(CommandLine):
    """The line in which one writes to the others at the table. Hidden until it is opened.

    Up and down bring back what was sent, tab completes commands that begin with a slash, page up and page
    down scroll what was said.
    """

    class Scrolled(Message):
        """What was said is to be scrolled by pages, towards earlier lines when positive."""

        def __init__(self, pages: int) -> None:
            super().__init__()
            self.pages = pages

    DEFAULT_CSS = """
    ChatField {
        display: none; height: 1; border: none; padding: 0 1;
        background: $panel; color: $foreground;
        &:focus { border: none; background-tint: $foreground 0%; }
        &.-open { display: block; }
    }
    """
    HINT: ClassVar[str] = "say something, or / for a command; pgup, pgdn scroll"

    def __init__(self, complete: Callable[[str], tuple[str, ...]], *, id: str | None = None) -> None:
        """`complete` gives what a text that begins with a slash can become."""
        super().__init__(id=id)
        self.placeholder = self.HINT
        self._complete = complete
        self._sent: list[str] = []
        self._recalled = 0
        """How far back in `_sent` it is; 0 for what is being written."""
        self._draft = ""

    def sent(self, text: str) -> None:
        """Keep what was sent, to be had again."""
        if text and self._sent[-1:] != [text]:
            self._sent = [*self._sent, text][-MOST_KEPT:]
        self._recalled = 0
        self._draft = ""

    def edit(self, event: events.Key) -> bool:
        """Change the text by a key at once. False when the key is none that changes it."""
        if event.key in ("up", "down"):
            self._recall(1 if event.key == "up" else -1)
            return True
        if event.key in ("pageup", "pagedown"):
            self.post_message(self.Scrolled(1 if event.key == "pageup" else -1))
            return True
        return super().edit(event)

    def _recall(self, step: int) -> None:
        where = min(max(self._recalled + step, 0), len(self._sent))
        if where == self._recalled:
            return
        if not self._recalled:
            self._draft = self.value
        self._recalled = where
        self.value = self._sent[-where] if where else self._draft
        self.cursor_position = len(self.value)

    def matches(self) -> tuple[str, ...]:
        """The commands that the text so far can become; none for what is said to others."""
        typed = self.value.lstrip()
        return self._complete(typed) if typed.startswith("/") and not typed.startswith("//") else ()
