"""Positions, moves and surroundings for sessions in a terminal."""

from __future__ import annotations

from typing import Final

ENDING: Final = "2b6/2(rwb)(bww)r5/(ww)b9/b(rb)(bbww)7/ww7 b m"
"""Four moves before the end of a game, Black to move."""

ENDING_MOVES: Final = ("a2a1", "e4b1", "b2d4", "e5d4")
"""The moves to the end; the third cuts something off and makes White pass."""

RESULT: Final = ("Black wins", "neither side can move")

STATES: Final = "9/10/r1(wb)wr(bw)b4/3w(bb)5/9 w m"
"""All kinds of pieces, stacks of two, and empty cells."""

QUIETLY: Final = {"TEXTUAL_ANIMATIONS": "none"}
"""An environment in which no move glides."""
