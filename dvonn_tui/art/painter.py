"""The painter that a board widget keeps: it holds the picture and repaints only what changed.

Each look is imported when a board is drawn in it, so that the first board need not wait for the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from dvonn_tui.art.lattice import Lattice
from dvonn_tui.art.palettes import Palette
from dvonn_tui.art.scene import Ink, Scene, Span, Tile

if TYPE_CHECKING:
    from dvonn_tui.art.ascii import AsciiPicture
    from dvonn_tui.art.discs import DiscPicture
    from dvonn_tui.art.graph import GraphPicture


class Look(StrEnum):
    """The ways in which a board can be drawn."""

    DISCS = "discs"
    GRAPH = "graph"
    ASCII = "ascii"


class BoardPainter:
    """Keeps the current picture of a board and brings it from scene to scene."""

    def __init__(self, look: Look, lattice: Lattice, palette: Palette) -> None:
        self.look, self.lattice, self.palette = look, lattice, palette
        blank: Tile = (" ", Ink())
        self.rows: list[list[Tile]] = [[blank] * lattice.width for _ in range(lattice.height)]
        """The current picture: as many rows of tiles as the lattice has lines and columns."""
        self._painted = False
        self._discs: DiscPicture | None = None
        self._text: GraphPicture | AsciiPicture
        if look is Look.DISCS:
            from dvonn_tui.art.discs import DiscPicture

            self._discs = DiscPicture(lattice, palette)
        elif look is Look.GRAPH:
            from dvonn_tui.art.graph import GraphPicture

            self._text = GraphPicture(lattice, palette)
        else:
            from dvonn_tui.art.ascii import AsciiPicture

            self._text = AsciiPicture(lattice)

    def paint(self, scene: Scene) -> list[Span]:
        """Bring `rows` to a scene; return the runs of tiles that differ from before.

        The first time these are whole rows. Going to another place costs a terminal few bytes and a
        tile many, so nothing that is as before is in a run.
        """
        if self._discs is not None:
            changed = self._discs.update(scene, self.rows)
        else:
            from dvonn_tui.art.sheet import replace_rows

            changed = replace_rows(self.rows, self._text.picture(scene))
        width = self.lattice.width
        if not self._painted:
            self._painted = True
            return [Span(row, 0, width) for row in range(self.lattice.height)]
        return list(spans(changed, width))


def spans(changed: Iterable[int], width: int) -> Iterator[Span]:
    """The runs of tiles, by number in reading order, in a picture of a width."""
    row = start = end = -1
    for index in changed:
        y, x = divmod(index, width)
        if y == row and x == end:
            end = x + 1
            continue
        if row >= 0:
            yield Span(row, start, end)
        row, start, end = y, x, x + 1
    if row >= 0:
        yield Span(row, start, end)


def runs(row: Sequence[Tile], start: int, end: int) -> Iterator[tuple[str, Ink]]:
    """The tiles of a row from ``start`` to ``end`` as texts of one ink each, as few as can be.

    A blank shows nothing of its foreground, so it joins its neighbours where the background is theirs.
    """
    text, current, open_ink = "", Ink(), True
    for character, ink in row[start:end]:
        plain = character == " " and not (ink.underline or ink.reverse or ink.strike)
        # Inks are cached by those who draw, so the same object is the usual case and quick to see.
        joins = (
            ink is current
            or ink == current
            or (
                ink.background == current.background
                and (open_ink or plain)
                and not (current.underline or current.reverse or current.strike)
            )
        )
        if text and joins:
            text += character
            if open_ink and not plain:
                current, open_ink = ink, False
            continue
        if text:
            yield text, current
        text, current, open_ink = character, ink, plain
    if text:
        yield text, current
