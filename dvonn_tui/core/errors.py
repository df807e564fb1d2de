"""The three ways in which the game says no. Each message can be shown to a player as it is."""

from __future__ import annotations

from dvonn_tui.core.cells import CELL_NAMES, Cell


class DvonnError(Exception):
    """What every refusal of the core has in common.

    Attributes:
        reason: what is wrong, in words for a player, without a full stop.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotationError(DvonnError):
    """Text that cannot be read.

    Attributes:
        text: the text that was to be read.
        place: the character at which reading stopped, counted from 0.
    """

    def __init__(self, reason: str, text: str, place: int = 0) -> None:
        super().__init__(reason)
        self.text = text
        self.place = place

    def __str__(self) -> str:
        return f"{self.reason} (at character {self.place + 1})"


class IllegalAction(DvonnError):
    """An action that the rules do not allow in this position.

    Attributes:
        cell: the cell that the reason speaks of, None when it speaks of none.
    """

    def __init__(self, reason: str, cell: Cell | None = None) -> None:
        super().__init__(reason)
        self.cell = cell


class GameFinished(DvonnError):
    """An action in a game that is over."""


def cell_word(cell: int) -> str:
    """The name of a cell for a message; a number that is no cell is shown as it came."""
    return CELL_NAMES[cell] if 0 <= cell < len(CELL_NAMES) else str(cell)
