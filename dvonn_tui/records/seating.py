"""Who sits at a board. Apart, so that the first board need not wait for what reads and writes files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits at the board, and from where it is seen.

    Attributes:
        white, black: the seats, as `dvonn_tui.play.seats` writes them. Not known to exist.
        flipped: the board is turned round.
        white_name, black_name: how they are called, where others sat down after the game had begun; empty
            for those who began it.
    """

    white: str = "human"
    black: str = "human"
    flipped: bool = False
    white_name: str = ""
    black_name: str = ""

    def names(self, white: str, black: str) -> tuple[str, str]:
        """How White and Black are called now, in a game that players of these names began."""
        return self.white_name or white, self.black_name or black
