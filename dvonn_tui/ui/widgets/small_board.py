"""Boards that stand still, whole or in part, drawn in the look of the application."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from textual.dom import DOMNode
from textual.geometry import Region

from dvonn_tui.art.lattice import SCALES, Lattice, Scale
from dvonn_tui.art.painter import BoardPainter, Look
from dvonn_tui.art.palettes import DARK, Palette
from dvonn_tui.art.scene import Scene
from dvonn_tui.core.cells import Cell
from dvonn_tui.ui.widgets.board import Board
from dvonn_tui.ui.widgets.picture import Picture

SMALL: Final = next(scale for scale in SCALES if scale.name == "6x2")
SMALLEST: Final = SCALES[-1]
LARGEST_SIGN: Final = next(scale for scale in SCALES if scale.name == "10x4")


def board_look(node: DOMNode) -> Look:
    """The look of the application's boards."""
    return Look(getattr(node.app, "board_look", Look.DISCS))


def board_palette(node: DOMNode) -> Palette:
    """The colours of the application's boards."""
    palette = getattr(node.app, "board_palette", DARK)
    return palette if isinstance(palette, Palette) else DARK


def board_scale(node: DOMNode) -> Scale:
    """The scale of the board on the screens below, so that signs look as they do there; none too large."""
    for screen in reversed(node.app.screen_stack):
        for board in screen.query(Board):
            scale: Scale = board.lattice.scale
            return scale if scale.pitch < LARGEST_SIGN.pitch else LARGEST_SIGN
    return SMALL


def region_of(cells: frozenset[Cell], lattice: Lattice, margin: int = 3) -> Region:
    """The part of a drawn board that shows some cells and a little around them."""
    places = [lattice.place(cell) for cell in cells]
    rows = lattice.scale.rows
    left = min(x for x, _ in places) - lattice.scale.pitch // 2 - margin
    right = max(x for x, _ in places) + lattice.scale.pitch // 2 + margin
    top = min(y for _, y in places) - max(rows // 2, 1)
    bottom = max(y for _, y in places) + max(rows // 2, 1) + 1
    whole = Region(0, 0, lattice.width, lattice.height)
    return Region(left, top, right - left + 1, bottom - top).intersection(whole)


class SmallBoard(Picture):
    """A board, or the part of it around some cells."""

    def __init__(
        self,
        scene: Scene,
        *,
        scale: Scale = SMALL,
        around: frozenset[Cell] = frozenset(),
        margin: int = 3,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Show the cells `around`; all of the board when there are none."""
        super().__init__(id=id, classes=classes)
        self.scene = scene
        self.lattice = Lattice(scale)
        whole = Region(0, 0, self.lattice.width, self.lattice.height)
        self.part = region_of(around, self.lattice, margin) if around else whole

    def on_mount(self) -> None:
        """Draw it."""
        self.draw()

    def draw(self, scene: Scene | None = None) -> None:
        """Draw it again: another scene, or the same after the look has changed."""
        if scene is not None:
            self.scene = scene
        palette = board_palette(self)
        # Dialogs are panels, so around the tray there is the panel and not the screen.
        painter = BoardPainter(board_look(self), self.lattice, replace(palette, app=palette.panel))
        painter.paint(self.scene)
        part = self.part
        self.show([row[part.x : part.right] for row in painter.rows[part.y : part.bottom]])

    def rescale(self, lattice: Lattice) -> None:
        """Draw it in another size, whole."""
        self.lattice = lattice
        self.part = Region(0, 0, lattice.width, lattice.height)
        self.draw()
