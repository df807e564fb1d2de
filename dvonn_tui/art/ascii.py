"""The look "ascii": a board of plain characters in the terminal's own colours.

======  ===========================================================
``(3)``   a white stack of three; two digits on the smallest scale: ``(12``
``[3]``   a black one
``<D>``   a red piece alone
``*``     beside or above the number: the stack holds a red piece
``x``     instead of the number: would be cut off
``>``     before a stack: a target; the target aimed at is in reverse, too
``'``     below a stack: it can be moved; its number is bold
``^``     below a cell: the cursor
``O X #`` above a cell to the right: a circle, a cross or a star that somebody put there
``.``     an empty cell; ``o`` when the last move came from it
======  ===========================================================

The selected stack is in reverse, the last one moved underlined. Lines join stacks that touch.
"""

from __future__ import annotations

from typing import Final

from dvonn_tui.art.discs import glide_place
from dvonn_tui.art.lattice import Lattice
from dvonn_tui.art.scene import Ink, Scene, Tile
from dvonn_tui.art.sheet import CellState, Sheet, links, mark_place
from dvonn_tui.core.cells import CELLS, Cell
from dvonn_tui.core.log import MarkKind
from dvonn_tui.core.pieces import LONE_RED, Piece, Stack, holds_red

_PLAIN: Final = Ink()
_BOLD: Final = Ink(bold=True)
_LINES: Final = "-/\\"
_BRACKETS: Final = {Piece.WHITE: ("(", ")"), Piece.BLACK: ("[", "]"), Piece.RED: ("<", ">")}

_MARKS: Final = {MarkKind.CIRCLE: "O", MarkKind.CROSS: "X", MarkKind.STAR: "#"}
"""Characters that stand for nothing else on this board."""


class AsciiPicture:
    """Draws scenes in ascii characters, with bold, underline and reverse as the only attributes."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice

    def picture(self, scene: Scene) -> list[list[Tile]]:
        """The rows of tiles of a scene."""
        lattice = self._lattice
        sheet = Sheet([[(" ", _PLAIN)] * lattice.width for _ in range(lattice.height)])
        lit = lattice.labels_of(scene.cursor) if scene.cursor is not None else ()
        for (x, y), label in lattice.labels.items():
            sheet.write(x, y, label, _BOLD if (x, y) in lit else _PLAIN)
        for link in links(lattice):
            if scene.stacks[link.one] and scene.stacks[link.other]:
                for x, y in link.places:
                    sheet.write(x, y, _LINES[link.slope], _PLAIN)
        for cell in CELLS:
            self._write_cell(sheet, scene, cell)
        for glide in scene.glides:
            x, y = glide_place(lattice, glide)
            self._write_stack(sheet, x, y, glide.stack, _BOLD, doomed=False)
        return sheet.rows

    def _write_cell(self, sheet: Sheet, scene: Scene, cell: Cell) -> None:
        """The stack of a cell and the signs around it."""
        x, y = self._lattice.place(cell)
        stack, state = scene.stacks[cell], CellState.of(scene, cell)
        reverse = state.selected or state.aim
        if stack:
            ink = Ink(bold=state.movable, underline=state.last, reverse=reverse)
            self._write_stack(sheet, x, y, stack, ink, state.doomed)
        else:
            remains = cell in scene.fading and scene.fading[cell][1] >= 0.25
            sign = "x" if remains else "o" if state.last else "."
            sheet.write(x, y, sign, Ink(reverse=reverse))
        if state.target:
            sheet.write(x - 2, y, ">", _BOLD)
        if state.cursor:
            sheet.write(x, y + 1, "^", _BOLD)
        elif state.movable and stack:
            sheet.write(x, y + 1, "'", _PLAIN)
        if state.mark is not None:
            sheet.write(*mark_place(self._lattice, cell), _MARKS[state.mark], _BOLD)

    def _write_stack(self, sheet: Sheet, x: int, y: int, stack: Stack, ink: Ink, doomed: bool) -> None:
        """A stack in brackets, from one column left of its middle on."""
        opening, closing = _BRACKETS[stack[-1]]
        star = holds_red(stack) and stack != LONE_RED
        number = "x" if doomed else "D" if stack == LONE_RED else str(len(stack))
        if self._lattice.scale.pitch > 4:
            sheet.write(x - 1, y, f"{opening}{number}{'*' if star else ''}{closing}", ink)
        else:
            # Four columns a cell, one of them for the link: the star moves up, a bracket gives way.
            sheet.write(x - 1, y, f"{opening}{number}{closing}"[:3], ink)
            if star:
                sheet.write(x, y - 1, "*", _BOLD)
