"""The guide beside the log: what the signs on the board mean, and what to do next."""

from __future__ import annotations

import textwrap

from dvonn_tui.art.painter import Look
from dvonn_tui.art.scene import Tile
from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines

_DISC_SIGNS = (
    ("raised edge", "can move"),
    ("thick gold ring", "picked"),
    ("thin gold ring", "the cursor"),
    ("blue corners", "can land there"),
    ("blue ring", "about to land"),
    ("slash", "to be cut off"),
    ("pale ring", "the last move"),
    ("red core", "red inside"),
    ("red, diamond", "lone red piece"),
)
_GRAPH_SIGNS = (
    ("○ ● ◆", "White Black red"),
    ("lines", "what is linked"),
    ("╵ below", "can move"),
    ("▾ above", "picked, aimed at"),
    ("▸ ◂", "can land there"),
    ("×", "would be cut off"),
    ("◇, red digit", "red piece inside"),
    ("underlined", "the last move"),
    ("▴ below", "the cursor"),
)
_ASCII_SIGNS = (
    ("(2) [2] <D>", "White Black red"),
    ("' below", "can move"),
    ("reversed", "picked"),
    (">", "can land there"),
    ("x", "would be cut off"),
    ("*", "red piece inside"),
    ("underlined", "the last move"),
    ("^ below", "the cursor"),
)

LEAST_HINTS = 4
"""Lines of the hints, with their title, that stay whatever the signs need."""


class SignsPanel(Dressed):
    """Shows hints for newcomers and the signs of the present look."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._look = Look.DISCS
        self._hints: tuple[str, ...] = ()

    def show(self, look: Look, hints: tuple[str, ...]) -> None:
        """Show the signs of a look, below hints if there are any."""
        if (look, hints) != (self._look, self._hints):
            self._look, self._hints = look, hints
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """Hints first, cut where they would leave no room for all signs, then the signs."""
        inks = self.inks
        signs = {Look.DISCS: _DISC_SIGNS, Look.GRAPH: _GRAPH_SIGNS, Look.ASCII: _ASCII_SIGNS}[self._look]
        rows = self._told(width, max(height - 1 - len(signs), LEAST_HINTS)) if self._hints else []
        rows.append(self.line(width).add(" SIGNS", inks.head).tiles())
        column = max(len(sign) for sign, _ in signs) + 2
        for sign, meaning in signs:
            rows.append(self.line(width).add(f" {sign}", inks.text).to(column).add(meaning, inks.dim).tiles())
        rows += blank_lines(width, height - len(rows), inks.text)
        return rows[:height]

    def _told(self, width: int, room: int) -> list[list[Tile]]:
        """The hints with their title, in so many lines at most; blank lines where there is room for them."""
        inks = self.inks
        columns = max(width - 2, 10)
        wrapped = [textwrap.wrap(hint, columns) for hint in self._hints]
        texts = [text for hint in wrapped for text in (*hint, "")]
        if len(texts) + 1 > room:
            texts = [text for text in texts if text]
        if len(texts) + 1 > room:
            texts = texts[: room - 1]
            texts[-1] = texts[-1][: columns - 1].rstrip(".") + self.signs.ellipsis
        title = self.line(width).add(" WHAT TO DO", inks.head).tiles()
        return [title, *(self.line(width).add(f" {text}", inks.text).tiles() for text in texts)]
