"""Where clocks stand in a picture, so that one that runs is written over without drawing all the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.clock_faces import ClockFace, Faces, Urgency
from dvonn_tui.ui.paint import Inks, Line, tiles_of
from dvonn_tui.ui.widgets.lines import Dressed


class Place(NamedTuple):
    """Where a clock stands: its line, its first column, and the one after the last."""

    line: int
    start: int
    end: int


class ClockPlaces:
    """The clocks of a picture. Whoever draws it anew begins with `clear` and writes the clocks here."""

    def __init__(self) -> None:
        self._places: dict[Side, Place] = {}

    def clear(self) -> None:
        """Nothing is drawn yet."""
        self._places.clear()

    def write(self, line: Line, y: int, side: Side, clock: ClockFace, inks: Inks) -> None:
        """Write a clock into the line `y` of the picture, as `clock_ink` says."""
        start = len(line)
        line.add(clock.marked, clock_ink(clock, inks))
        if len(line) <= line.width:
            self._places[side] = Place(y, start, len(line))

    def change(self, panel: Dressed, before: Faces | None, now: Faces) -> None:
        """Show other clocks in a panel, whose picture these are the places of, and all else as it is."""
        if now == before:
            return
        lines = None if before is None else self._written_over(panel.tiles, before, now, panel.inks)
        if lines is None:
            panel.repaint()
        else:
            panel.repaint_lines(lines)

    def _written_over(
        self, picture: Sequence[Sequence[Tile]], before: Faces, now: Faces, inks: Inks
    ) -> Mapping[int, Sequence[Tile]] | None:
        """The lines of a picture in which clocks show something else now, by their numbers.

        None when it has to be drawn anew: one takes more or less room than before, or has no place in it.
        """
        lines: dict[int, list[Tile]] = {}
        for side, was, clock in zip(Side, before, now, strict=True):
            if clock == was:
                continue
            place, tiles = self._places.get(side), tiles_of(clock.marked, clock_ink(clock, inks))
            if place is None or place.end - place.start != len(tiles):
                return None
            line = lines.setdefault(place.line, list(picture[place.line]))
            line[place.start : place.end] = tiles
        return lines


def clock_ink(clock: ClockFace, inks: Inks) -> Ink:
    """One with little left is bold, with a sign in its text; near its end, running, it is reversed."""
    if clock.urgency is Urgency.CALM:
        return inks.strong if clock.running else inks.text
    return inks.alarm if clock.running and clock.urgency is Urgency.NOW else inks.warning
