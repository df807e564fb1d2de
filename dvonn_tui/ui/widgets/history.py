"""The panel with the score over the whole game."""

from __future__ import annotations

from dvonn_tui.art.scene import Tile
from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.widgets.graph import mistake_line, score_graph, seen_mark
from dvonn_tui.ui.widgets.lines import Dressed


class History(Dressed):
    """Draws White's lead after each ply, as large as there is room."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._leads: tuple[int, ...] = (0,)
        self._here = 0
        self._mistakes: frozenset[int] = frozenset()

    def show(self, leads: tuple[int, ...], here: int, mistakes: frozenset[int]) -> None:
        """Show other leads, or another ply of them; `mistakes` are the plies that are marked."""
        if (leads, here, mistakes) != (self._leads, self._here, self._mistakes):
            self._leads, self._here, self._mistakes = leads, here, mistakes
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """A title with the lead that is seen, and the graph."""
        inks = self.inks
        lead = self._leads[self._here]
        word = "level" if lead == 0 else f"{'White' if lead > 0 else 'Black'} +{abs(lead)}"
        title = self.line(width).add(" SCORE, White up", inks.head).right(word, inks.warning)
        edge: Tile = (" ", inks.text)
        mistakes = mistake_line(len(self._leads), self._mistakes, width - 2, inks)
        rows = [title.tiles(), [edge, *mistakes, edge]]
        graph = score_graph(self._leads, self._here, width - 2, max(height - 3, 1), inks, self.signs)
        rows += [[edge, *line, edge] for line in graph]
        rows.append(seen_mark(self.line(width), self._leads, self._here, inks, self.signs))
        return rows[:height]
