"""What is shown when the screen is too small for a board."""

from __future__ import annotations

import textwrap

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from dvonn_tui.ui.layout import LEAST_COLUMNS, LEAST_LINES


class TooSmall(Widget):
    """Says which size is needed and which there is. The game is left as it is."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "TooSmall { display: none; width: 100%; height: 100%; }"

    def render_line(self, y: int) -> Strip:
        """The message, wrapped to whatever width there is, in the middle."""
        width, height = self.size
        size = self.app.size
        text = (
            f"Too small for the board: {size.width}x{size.height}, "
            f"needs {LEAST_COLUMNS}x{LEAST_LINES}. The game waits."
        )
        lines = textwrap.wrap(text, max(width, 1))[:height]
        line = y - (height - len(lines)) // 2
        if 0 <= line < len(lines):
            return Strip([Segment(lines[line].center(width)[:width], self.rich_style)], width)
        return Strip.blank(width, self.rich_style)
