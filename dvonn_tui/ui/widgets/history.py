"""The panel with the graph over the whole game."""

from __future__ import annotations

from dvonn_tui.art.scene import Tile
from dvonn_tui.ui.curves import Curve
from dvonn_tui.ui.widgets.graph import GraphPanel
from dvonn_tui.ui.widgets.lines import blank_lines


class History(GraphPanel):
    """Draws the graph as large as there is room."""

    def show(self, curve: Curve) -> None:
        """Show another curve, or another ply of it."""
        if curve != self.curve:
            self.curve = curve
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """A title, the marks, the graph, and where the ply that is seen is."""
        rows = self.graph(0, width, height, height)
        return [*rows, *blank_lines(width, height - len(rows), self.inks.text)][:height]
