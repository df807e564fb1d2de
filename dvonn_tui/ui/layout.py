"""How the screen is divided, by its size alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dvonn_tui.art.lattice import SCALES, Scale, scale_for

LEAST_COLUMNS: Final = 53
LEAST_LINES: Final = 16

LINES_AROUND: Final = 3
"""The bar on top, the status line and the keys."""
PANEL_LINES: Final = 9
"""What the panels below the board have at least."""
FOLD_BELOW: Final = 23
"""Screens lower than this fold the panels into one line."""
ACROSS_BELOW: Final = 79
"""Narrower screens have the players across the panels, so that both moves of a row fit into the log."""
ROOMY_LINES: Final = 16
"""Lines for the panels from which on players that lie across them have more than one line."""
CARD_FROM: Final = 160
CARD_COLUMNS: Final = 19
GUIDE_FROM: Final = 113
ROOMY_SIDE: Final = 82
"""Columns beside the board from which on the panels there stand side by side."""
SIDE_COLUMNS: Final = 34
"""What panels beside the board need."""


class Panels(StrEnum):
    """Where the panels are."""

    BELOW = "below"
    ACROSS = "across"
    """Below the board, with the players across all of the width."""
    BESIDE = "beside"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How a screen is divided.

    Attributes:
        scale: the scale of the board.
        panels: where the panels are.
        card: True when a card with the scores stands beside the board.
        guide: True when there is room for the list of signs.
        roomy: True when panels beside the board can stand side by side themselves, or when players
            across have more than a line.
    """

    scale: Scale
    panels: Panels
    card: bool
    guide: bool
    roomy: bool = False


def arrange(columns: int, lines: int) -> Arrangement | None:
    """Divide a screen; None when it is too small. The board takes what it can get."""
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        return None
    beside = scale_for(columns - SIDE_COLUMNS, lines - LINES_AROUND)
    if lines < FOLD_BELOW:
        folded = scale_for(columns, lines - LINES_AROUND - 1) or SCALES[-1]
        if beside is not None and beside.width >= folded.width:
            return _beside(beside, columns)
        return Arrangement(folded, Panels.LINE, card=False, guide=False)
    card = columns >= CARD_FROM
    width = columns - (CARD_COLUMNS if card else 0)
    below = scale_for(width, lines - LINES_AROUND - PANEL_LINES) or SCALES[-1]
    if beside is not None and beside.width > below.width:
        return _beside(beside, columns)
    if columns < ACROSS_BELOW:
        roomy = lines - LINES_AROUND - below.height >= ROOMY_LINES
        return Arrangement(below, Panels.ACROSS, card=False, guide=False, roomy=roomy)
    return Arrangement(below, Panels.BELOW, card=card, guide=columns >= GUIDE_FROM)


def _beside(scale: Scale, columns: int) -> Arrangement:
    roomy = columns - scale.width >= ROOMY_SIDE
    return Arrangement(scale, Panels.BESIDE, card=False, guide=False, roomy=roomy)
