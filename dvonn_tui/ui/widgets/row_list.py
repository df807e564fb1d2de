"""A list of rows of which one is chosen: what stays in sight, the scrollbar, and the light on it."""

from __future__ import annotations

from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.widgets.lines import Dressed


class RowList(Dressed, can_focus=True):
    """What lists of games and of tables have in common.

    Attributes:
        cursor: the number of the chosen row; 0 when there is none.
    """

    can_focus = True

    HEAD = 0
    """Lines above the rows that do not scroll."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self.cursor = 0
        self._top = 0

    @property
    def total(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    @property
    def rows(self) -> int:
        """How many rows are in sight at once."""
        return max(self.size.height - self.HEAD, 1)

    def scroll(self, by: int) -> None:
        """Show other rows. The chosen one stays chosen."""
        top = max(min(self._top + by, self.total - self.rows), 0)
        if top != self._top:
            self._top = top
            self.repaint()

    def _into_sight(self, first: int | None = None) -> None:
        """Scroll so far that the chosen row is seen; `first` is the row that may be on top then."""
        first = self.cursor if first is None else first
        self._top = min(max(self._top, self.cursor - self.rows + 1), first)
        self._top = max(min(self._top, self.total - self.rows), 0)

    def on_resize(self) -> None:
        """The chosen row stays in sight."""
        self._into_sight()
        super().on_resize()

    def on_focus(self) -> None:
        """The chosen row is lit."""
        self.repaint()

    def on_blur(self) -> None:
        """It is lit no longer."""
        self.repaint()

    def _bar(self, rows: int) -> range | None:
        """The rows in which the scrollbar is; None when there is nothing to scroll."""
        if rows < 1 or self.total <= rows:
            return None
        size = max(rows * rows // self.total, 1)
        start = round((rows - size) * self._top / (self.total - rows))
        return range(start, start + size)
