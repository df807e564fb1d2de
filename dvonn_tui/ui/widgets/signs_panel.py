"""The guide beside the log: what the signs on the board mean, and what to do next."""

from __future__ import annotations

import textwrap

from dvonn_tui.art.painter import Look
from dvonn_tui.art.scene import Tile
from dvonn_tui.ui.paint import Inks, Line
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines

_DISC_SIGNS = (
    ("raised edge", "can move"),
    ("gold ring", "picked, or here"),
    ("blue corners", "can land there"),
    ("blue ring", "about to land"),
    ("slash", "would be cut off"),
    ("pale ring", "the last move"),
    ("red core", "red piece inside"),
    ("red, diamond", "a lone red piece"),
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
        """Hints first, then signs, as far as there is room."""
        inks = self.inks
        rows: list[list[Tile]] = []
        if self._hints:
            rows.append(Line(width, inks.text).add(" WHAT TO DO", inks.head).tiles())
            for hint in self._hints:
                for text in textwrap.wrap(hint, max(width - 2, 10)):
                    rows.append(Line(width, inks.text).add(f" {text}", inks.text).tiles())
                rows.append(Line(width, inks.text).tiles())
        signs = {Look.DISCS: _DISC_SIGNS, Look.GRAPH: _GRAPH_SIGNS, Look.ASCII: _ASCII_SIGNS}[self._look]
        rows.append(Line(width, inks.text).add(" SIGNS", inks.head).tiles())
        for sign, meaning in signs:
            rows.append(
                Line(width, inks.text).add(f" {sign}", inks.text).to(14).add(meaning, inks.dim).tiles()
            )
        rows += blank_lines(width, height - len(rows), inks.text)
        return rows[:height]
