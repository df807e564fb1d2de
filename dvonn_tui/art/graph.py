"""The look "graph": stacks as labels on the lattice, joined by lines where they touch.

Being linked to a red piece is what the game is about, and here it can be seen. A label begins with
the sign of the stack's owner, so that nothing depends on colour: ``○`` white, ``●`` black, with a red
piece inside ``◇`` and ``◆``; a red piece alone is ``◆`` without a number.
"""

from __future__ import annotations

from typing import Final

from dvonn_tui.art.colours import unpack
from dvonn_tui.art.discs import glide_place
from dvonn_tui.art.fit import block, prevailing
from dvonn_tui.art.lattice import Lattice
from dvonn_tui.art.palettes import Palette
from dvonn_tui.art.scene import Ink, Scene, Tile
from dvonn_tui.art.sheet import MARK_SIGNS, CellState, Sheet, links, mark_place
from dvonn_tui.art.tray import tray
from dvonn_tui.core.cells import CELLS, Cell
from dvonn_tui.core.pieces import LONE_RED, Piece, Stack, holds_red

_LINES: Final = "─╱╲"
_OWNER: Final = {Piece.WHITE: "○", Piece.BLACK: "●", Piece.RED: "◆"}
_OWNER_WITH_RED: Final = {Piece.WHITE: "◇", Piece.BLACK: "◆", Piece.RED: "◆"}
_UNMARKED: Final = CellState(False, False, False, False, False, False, False)


class GraphPicture:
    """Draws scenes as a graph on the tray."""

    def __init__(self, lattice: Lattice, palette: Palette) -> None:
        self._lattice, self._palette = lattice, palette
        self._wide = lattice.scale.roomy
        quads = tray(lattice, palette)
        tiles = [block(quad, palette.hard) for quad in quads]
        width = lattice.width
        self._ground = [tiles[start : start + width] for start in range(0, len(tiles), width)]
        self._label_papers = {
            (x, y): unpack(prevailing(quads[y * width + x], palette.hard)) for x, y in lattice.labels
        }

    def picture(self, scene: Scene) -> list[list[Tile]]:
        """The rows of tiles of a scene."""
        lattice, palette = self._lattice, self._palette
        sheet = Sheet([list(row) for row in self._ground])
        lit = lattice.labels_of(scene.cursor) if scene.cursor is not None else ()
        for (x, y), label in lattice.labels.items():
            bright = (x, y) in lit
            colour = palette.label_lit if bright else palette.label
            sheet.write(x, y, label, Ink(colour, self._label_papers[x, y], bold=bright))
        self._write_links(sheet, scene)
        for cell in CELLS:
            self._write_cell(sheet, scene, cell)
        for glide in scene.glides:
            x, y = glide_place(lattice, glide)
            self._write_stack(sheet, x, y, glide.stack, _UNMARKED)
        return sheet.rows

    def _write_links(self, sheet: Sheet, scene: Scene) -> None:
        """The lines between stacks that touch; those that would go with a doomed stack in its colour."""
        palette = self._palette
        sound, broken = Ink(palette.last, palette.tray), Ink(palette.doom, palette.tray)
        for link in links(self._lattice):
            if scene.stacks[link.one] and scene.stacks[link.other]:
                ink = broken if link.one in scene.doomed or link.other in scene.doomed else sound
                for x, y in link.places:
                    sheet.write(x, y, _LINES[link.slope], ink)

    def _write_cell(self, sheet: Sheet, scene: Scene, cell: Cell) -> None:
        """The stack of a cell and the signs around it."""
        palette = self._palette
        x, y = self._lattice.place(cell)
        stack, state = scene.stacks[cell], CellState.of(scene, cell)
        if stack:
            self._write_stack(sheet, x, y, stack, state)
        elif cell in scene.fading and scene.fading[cell][1] >= 0.25:
            sheet.write(x, y, "×", Ink(palette.doom, palette.tray, bold=True))
        else:
            sheet.write(x, y, "◦" if state.last else "·", Ink(palette.last, palette.tray, bold=state.last))
        if state.target:
            ink = Ink(palette.target, palette.tray, bold=True)
            side = 3 if self._wide else 2
            sheet.write(x - side, y, "▸", ink)
            if self._lattice.scale.pitch > 4:
                sheet.write(x + side, y, "◂", ink)
        if state.selected or state.aim:
            colour = palette.select if state.selected else palette.target
            sheet.write(x, y - 1, "▾", Ink(colour, palette.tray, bold=True))
        if state.cursor:
            sheet.write(x, y + 1, "▴", Ink(palette.select, palette.tray, bold=True))
        elif state.movable and stack:
            sheet.write(x, y + 1, "╵", Ink(palette.last, palette.tray))
        if state.mark is not None:
            there = mark_place(self._lattice, cell)
            sheet.write(*there, MARK_SIGNS[state.mark], Ink(palette.mark, palette.tray, bold=True))

    def _write_stack(self, sheet: Sheet, x: int, y: int, stack: Stack, state: CellState) -> None:
        """The label of a stack: its owner's sign, then its height."""
        palette, top = self._palette, stack[-1]
        red = holds_red(stack) and stack != LONE_RED
        paper, number, _ = palette.disc(top)
        number_paper = paper
        sign = number
        if red:
            number_paper, number, sign = palette.red, palette.red_sign, palette.red
        if state.doomed:
            paper = number_paper = palette.ghost_white if top is Piece.WHITE else palette.ghost_black
            sign = number = palette.doom_on_white if top is Piece.WHITE else palette.doom
        elif state.selected or state.aim:
            paper = palette.select if state.selected else palette.target
            sign = palette.white_number
            if not red:
                number_paper, number = paper, sign
        bold, underline, strike = state.movable, state.last, state.doomed
        if stack == LONE_RED:
            word = " × " if state.doomed else " ◆ "
        else:
            owner = (_OWNER_WITH_RED if red else _OWNER)[top]
            word = owner + f"{'×' if state.doomed else len(stack):>2}"
        if self._wide:
            sheet.write(x - 2, y, "     ", Ink("", paper))
        sheet.write(x - 1, y, word[0], Ink(sign, paper, False, underline, False, strike))
        sheet.write(x, y, word[1:], Ink(number, number_paper, bold, underline, False, strike))
