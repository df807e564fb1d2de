"""A board as plain text, for a terminal without a screen, a file or a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dvonn_tui.art.ascii import AsciiPicture
from dvonn_tui.art.lattice import SCALES, Lattice
from dvonn_tui.art.scene import Scene
from dvonn_tui.core.pieces import Stack

_SCALE: Final = next(scale for scale in SCALES if scale.name == "6x2")


def board_text(stacks: Sequence[Stack], *, flipped: bool = False) -> str:
    """The 49 stacks of a board as lines of ascii characters, without blanks at their ends.

    Row 5 is at the top unless the board is flipped. The signs are those of the look "ascii".
    """
    picture = AsciiPicture(Lattice(_SCALE, flipped)).picture(Scene(stacks=tuple(stacks)))
    lines = ["".join(character for character, _ in row).rstrip() for row in picture]
    return "\n".join(lines).strip("\n")
