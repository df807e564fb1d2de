"""Boards as SVG: one position, or a whole game that plays by itself and begins again.

Nothing in it needs a script or a font of its own. A viewer that knows no animation shows the end of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin
from typing import Final
from xml.sax.saxutils import escape

from dvonn_tui.art.frames import Frame
from dvonn_tui.art.palettes import DARK, Palette
from dvonn_tui.core.cells import CELLS, COLUMN_LETTERS, COORDINATES, ROWS, Cell, columns_of_row
from dvonn_tui.core.log import CellMark, MarkKind
from dvonn_tui.core.pieces import EMPTY, LONE_RED, Piece, Stack, holds_red

PITCH: Final = 60.0
"""From one cell to the next in a row."""

RADIUS: Final = 25.0
"""Of a piece."""

WIDTH: Final = 740
BOARD_HEIGHT: Final = 350
CAPTION_HEIGHT: Final = 40

REST: Final = 3.0
"""Seconds for which the end of a game stays before it begins again."""

_ROW_STEP: Final = PITCH * sin(pi / 3)
_LEFT: Final = 70.0
_TOP: Final = 71.0
_HALF_COLUMNS: Final = 20
_FONT: Final = "font-family='DejaVu Sans, Helvetica, Arial, sans-serif' text-anchor='middle'"


def board_svg(frame: Frame, *, palette: Palette = DARK, flipped: bool = False) -> str:
    """One position as an SVG file."""
    drawing = _Drawing(palette, flipped)
    parts = [*drawing.ground(), *drawing.still(frame)]
    return _document(parts, palette, caption=bool(frame.caption))


def game_svg(
    frames: Sequence[Frame], seconds: float, *, palette: Palette = DARK, flipped: bool = False
) -> str:
    """A game as an SVG file that plays by itself: one frame or more, each for so many seconds."""
    drawing = _Drawing(palette, flipped)
    total = len(frames) * seconds + REST
    clock = f"<animate id='again' attributeName='x' begin='0s;again.end' dur='{total:g}s' from='0' to='0'/>"
    parts = [*drawing.ground(), f"<rect width='0' height='0'>{clock}</rect>"]
    parts += drawing.moving(frames, seconds, total)
    return _document(parts, palette, caption=any(frame.caption for frame in frames))


def _document(parts: Iterable[str], palette: Palette, *, caption: bool) -> str:
    height = BOARD_HEIGHT + CAPTION_HEIGHT * caption
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' "
        f"viewBox='0 0 {WIDTH} {height}'>\n<rect width='100%' height='100%' fill='{palette.app}'/>\n"
    )
    return f"{head}{chr(10).join(parts)}\n</svg>\n"


class _Drawing:
    def __init__(self, palette: Palette, flipped: bool) -> None:
        self._palette = palette
        self._flipped = flipped

    def place(self, column: float, row: float) -> tuple[float, float]:
        """Where a place of the lattice lies, row 5 at the top unless the board is flipped."""
        half = 2 * column + ROWS[2] - row
        if self._flipped:
            half, row = _HALF_COLUMNS - half, ROWS[0] + ROWS[-1] - row
        return _LEFT + half * PITCH / 2, _TOP + (ROWS[-1] - row) * _ROW_STEP

    def ground(self) -> Iterator[str]:
        """The tray, the empty cells and the names of columns and rows."""
        palette = self._palette
        corners = [
            (columns[side], row, -1 if side == 0 else 1)
            for row, side in ((1, 0), (1, -1), (3, -1), (5, -1), (5, 0), (3, 0))
            if (columns := columns_of_row(row))
        ]
        around = []
        for column, row, outward in corners:
            x, y = self.place(column, row)
            sign = -outward if self._flipped else outward
            down = (row < ROWS[2]) - (row > ROWS[2])
            around.append(f"{x + sign * 30:.1f},{y + (-down if self._flipped else down) * 34:.1f}")
        yield (
            f"<polygon points='{' '.join(around)}' fill='{palette.tray}' stroke='{palette.edge}' "
            f"stroke-width='14' stroke-linejoin='round'/>"
        )
        for cell in CELLS:
            x, y = self.place(*COORDINATES[cell])
            yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{RADIUS - 4:g}' fill='{palette.well}'/>"
        yield from self._names()

    def _names(self) -> Iterator[str]:
        """Digits before the rows, letters below the columns."""
        for row in ROWS:
            yield self._name(str(row), *self.place(columns_of_row(row)[0] - 1, row))
        for column, letter in enumerate(COLUMN_LETTERS):
            lowest = next(row for row in ROWS if column in columns_of_row(row))
            # Below the slanting side of the board there is room only beside the next row.
            step = 0.85 if lowest == ROWS[0] else 1
            yield self._name(letter, *self.place(column, lowest - step))

    def _name(self, text: str, x: float, y: float) -> str:
        style = f"{_FONT} font-size='15' fill='{self._palette.dim}'"
        return f"<text x='{x:.1f}' y='{y + 5:.1f}' {style}>{text}</text>"

    def still(self, frame: Frame) -> Iterator[str]:
        """Everything on the board of one frame."""
        for cell in sorted(frame.last):
            yield self._ring(cell)
        for cell in CELLS:
            if frame.stacks[cell]:
                yield self._stack(cell, frame.stacks[cell])
        for mark in frame.marks:
            yield self._mark(mark)
        if frame.caption:
            yield self._caption(frame.caption)

    def moving(self, frames: Sequence[Frame], seconds: float, total: float) -> Iterator[str]:
        """Everything that comes and goes in a game, each with when it is to be seen."""
        tracks: list[tuple[str, list[int]]] = []
        for cell in CELLS:
            shown = [self._ring(cell) if cell in frame.last else "" for frame in frames]
            tracks += _stretches(shown)
        for cell in CELLS:
            stacks = [frame.stacks[cell] for frame in frames]
            tracks += _stretches([self._stack(cell, stack) if stack != EMPTY else "" for stack in stacks])
        signs = [[self._mark(mark) for mark in frame.marks] for frame in frames]
        tracks += _stretches(["".join(each) for each in signs])
        tracks += _stretches([self._caption(frame.caption) if frame.caption else "" for frame in frames])
        for drawn, (first, end) in tracks:
            begin = first * seconds
            length = (total if end == len(frames) else end * seconds) - begin
            if end == len(frames):
                hidden = f"<set attributeName='visibility' to='hidden' begin='again.begin' dur='{begin:g}s'/>"
                yield f"<g>{hidden if begin else ''}{drawn}</g>"
                continue
            when = f"begin='again.begin+{begin:g}s' dur='{length:g}s'"
            yield f"<g visibility='hidden'><set attributeName='visibility' to='visible' {when}/>{drawn}</g>"

    def _ring(self, cell: Cell) -> str:
        x, y = self.place(*COORDINATES[cell])
        return (
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{RADIUS + 2:g}' fill='none' "
            f"stroke='{self._palette.last}' stroke-width='3'/>"
        )

    def _stack(self, cell: Cell, stack: Stack) -> str:
        """A stack: the piece on top, its height, and a red dot when there is red inside."""
        x, y = self.place(*COORDINATES[cell])
        fill, sign, rim = self._palette.disc(stack[-1])
        disc = f"r='{RADIUS - 1:g}' fill='{fill}' stroke='{rim}' stroke-width='2'"
        drawn = f"<circle cx='{x:.1f}' cy='{y:.1f}' {disc}/>"
        if stack == LONE_RED:
            points = f"{x:.1f},{y - 9:.1f} {x + 9:.1f},{y:.1f} {x:.1f},{y + 9:.1f} {x - 9:.1f},{y:.1f}"
            return f"{drawn}<polygon points='{points}' fill='{sign}'/>"
        if holds_red(stack):
            red, _, edge = self._palette.disc(Piece.RED)
            drawn += f"<circle cx='{x + 15:.1f}' cy='{y - 15:.1f}' r='8' fill='{red}' stroke='{edge}'/>"
        if len(stack) > 1:
            drawn += (
                f"<text x='{x:.1f}' y='{y + 8:.1f}' {_FONT} font-size='23' font-weight='bold' "
                f"fill='{sign}'>{len(stack)}</text>"
            )
        return drawn

    def _mark(self, mark: CellMark) -> str:
        x, y = self.place(*COORDINATES[mark.cell])
        colour = self._palette.select
        if mark.kind is MarkKind.CIRCLE:
            return (
                f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{RADIUS - 7:g}' fill='none' stroke='{colour}' "
                f"stroke-width='5'/>"
            )
        if mark.kind is MarkKind.CROSS:
            return (
                f"<path d='M{x - 13:.1f} {y - 13:.1f}l26 26m0 -26l-26 26' fill='none' stroke='{colour}' "
                f"stroke-width='6' stroke-linecap='round'/>"
            )
        points = []
        for number in range(10):
            far = 17 if number % 2 == 0 else 7
            turn = pi * number / 5
            points.append(f"{x + far * sin(turn):.1f},{y - far * cos(turn):.1f}")
        return f"<polygon points='{' '.join(points)}' fill='{colour}' stroke='{self._palette.tray}'/>"

    def _caption(self, text: str) -> str:
        return (
            f"<text x='{WIDTH / 2:g}' y='{BOARD_HEIGHT + CAPTION_HEIGHT / 2:g}' {_FONT} font-size='17' "
            f"fill='{self._palette.text}'>{escape(text)}</text>"
        )


def _stretches(drawn: Sequence[str]) -> list[tuple[str, list[int]]]:
    """What is drawn in each frame, as the stretches of frames in which it is the same; nothing left out."""
    found: list[tuple[str, list[int]]] = []
    for number, each in enumerate(drawn):
        if found and found[-1][0] == each:
            found[-1][1][1] = number + 1
        else:
            found.append((each, [number, number + 1]))
    return [stretch for stretch in found if stretch[0]]
