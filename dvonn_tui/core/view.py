"""What somebody looks at: the game as it stands, or an earlier ply of it.

A view is its owner's own. Looking back never changes the game.
"""

from __future__ import annotations

from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry, Ply
from dvonn_tui.core.position import Position


class View:
    """A place in a game to look at. As long as it is not moved it follows the head."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._entry: Entry | None = None
        self._found: tuple[tuple[int, int], tuple[Ply, ...], int] | None = None

    @property
    def entry(self) -> Entry:
        """The entry that is looked at."""
        return self.game.head if self._entry is None else self._entry

    @property
    def position(self) -> Position:
        """The position that is looked at."""
        return self.entry.position

    @property
    def live(self) -> bool:
        """True when the view stands at the head of the game and follows it."""
        return self._entry is None

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The plies of the line that is looked at; element 0 is the start."""
        return self._line()[0]

    @property
    def index(self) -> int:
        """Which element of `plies` is looked at."""
        return self._line()[1]

    def _line(self) -> tuple[tuple[Ply, ...], int]:
        """The plies and the place in them. They are asked for many times between two changes.

        The log only grows, and the line through an entry follows from the log alone: its length and the
        entry tell whether what was found is still so.
        """
        key = self.game.length, self.entry.number
        if self._found is None or self._found[0] != key:
            plies = self.game.plies(self.entry)
            self._found = key, plies, _place_of(self.entry.number, plies)
        return self._found[1], self._found[2]

    def step(self, count: int) -> bool:
        """Look so many plies further on, back when negative; stops at both ends of the line.

        Returns:
            True when the view moved.
        """
        plies = self.plies
        here = self.index
        there = min(max(here + count, 0), len(plies) - 1)
        self.look_at(plies[there].last)
        return there != here

    def look_at(self, entry: Entry) -> None:
        """Look at an entry of the game; at the head the view follows again."""
        entry = self.game.standing(entry)
        self._entry = None if entry.number == self.game.head.number else entry

    def present(self) -> None:
        """Look at the head again and follow it."""
        self._entry = None


def _place_of(number: int, plies: tuple[Ply, ...]) -> int:
    """Which ply an entry of a number belongs to."""
    for index, ply in enumerate(plies):
        if number <= ply.last.number and any(entry.number == number for entry in ply.entries):
            return index
    raise AssertionError("an entry lies on the line through it")
