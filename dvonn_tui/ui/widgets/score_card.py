"""The card beside the board on large screens: both scores in large digits."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from dvonn_tui.art.scene import Tile
from dvonn_tui.art.stamps import number
from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.clock_faces import Faces
from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.widgets.clock_places import ClockPlaces
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines
from dvonn_tui.ui.widgets.players import Standing

DIGIT_LINES = 3
"""Lines that a large number takes: five pixels, two a line."""
SIDE_LINES = DIGIT_LINES + 3
"""Lines that a side takes: who it is, its name, its score, and whose turn it is with its clock."""


class ScoreCard(Dressed):
    """The side at the top of the board above, the one below it at the foot, facts between them."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._shown = Standing()
        self._top = Side.BLACK
        self._clocks = ClockPlaces()

    def show(self, shown: Standing, top: Side) -> None:
        """Show another standing, with the card of one side on top."""
        if (shown, top) != (self._shown, self._top):
            self._shown, self._top = shown, top
            self.repaint()

    def show_clocks(self, clocks: Faces) -> None:
        """Show other clocks, and all else as it is."""
        before, self._shown = self._shown.clocks, replace(self._shown, clocks=clocks)
        self._clocks.change(self, before, clocks)

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """Both sides, and what else there is to know in the middle."""
        inks, shown = self.inks, self._shown
        self._clocks.clear()
        above = [self.line(width).tiles(), *self._side(self._top, width, 1)]
        below_at = max(height - SIDE_LINES - 1, len(above))
        below = [*self._side(self._top.other, width, below_at), self.line(width).tiles()]
        told = [(text, inks.warning) for text in shown.result] + [(text, inks.dim) for text in shown.facts]
        middle = [
            self.line(width).add(f" {text}", ink).tiles()
            for fact, ink in told
            for text in textwrap.wrap(fact, max(width - 2, 8))
        ]
        room = max(height - len(above) - len(below), 0)
        middle = middle[:room]
        space = blank_lines(width, (room - len(middle)) // 2, inks.text)
        rows = [*above, *space, *middle]
        rows += blank_lines(width, height - len(rows) - len(below), inks.text)
        return [*rows, *below][:height]

    def _side(self, side: Side, width: int, y: int) -> list[list[Tile]]:
        """The lines of a side, of which the first one has the number `y`."""
        inks, shown = self.inks, self._shown
        to_act = shown.turn is side
        head = self.line(width).add(f" {self.signs.of(side)} {side.word}", inks.strong)
        name = shown.name(side) if shown.name(side) != side.word else ""
        clock = shown.clock(side)
        turn = (
            ""
            if not to_act
            else f" {self.signs.marker} to move"
            if clock is None
            else f" {self.signs.marker}"
        )
        foot = self.line(width).add(turn, inks.warning)
        if clock is not None:
            self._clocks.write(foot.to(3), y + SIDE_LINES - 1, side, clock, inks)
        return [
            head.tiles(),
            self.line(width).add(f"   {name}", inks.text if to_act else inks.dim).tiles(),
            *self._digits(shown.score.of(side), width),
            foot.tiles(),
        ]

    def _digits(self, score: int, width: int) -> list[list[Tile]]:
        """The score in large digits, or as plain text where only ASCII may be shown."""
        inks = self.inks
        if self.signs.plain:
            plain = self.line(width).to(3).add(str(score), inks.strong).tiles()
            return [plain, *blank_lines(width, DIGIT_LINES - 1, inks.text)]
        # The stamp lies around its middle, two sub-pixels to a column and two to a line.
        lit = {(across // 2, down) for across, down, *_ in number(score, False)}
        left = min(across for across, _ in lit)
        top = min(down for _, down in lit)
        right = max(across for across, _ in lit)
        rows = []
        for line in range(DIGIT_LINES):
            tiles = self.line(width).to(3)
            for across in range(left, right + 1):
                upper = (across, top + 2 * line) in lit
                lower = (across, top + 2 * line + 1) in lit
                tiles.add(_HALVES[upper, lower], inks.strong)
            rows.append(tiles.tiles())
        return rows


_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
