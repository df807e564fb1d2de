"""What players choose before a game begins."""

from __future__ import annotations

from dataclasses import dataclass

from dvonn_tui.core.game import Game
from dvonn_tui.core.position import Position
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.clocks import NO_CLOCK, ClockRule


@dataclass(frozen=True, slots=True)
class GameChoice:
    """How a new game is to begin.

    Attributes:
        setup: how the board is filled.
        seed: what a set-up is drawn from; manual games and given positions need none.
        white, black: the players' names, already clean.
        white_seat, black_seat: who plays, as `dvonn_tui.play.seats` writes it.
        position: where to begin when `setup` is `Setup.POSITION`.
        clock: how time is given.
    """

    setup: Setup = Setup.BALANCED
    seed: int | None = None
    white: str = "White"
    black: str = "Black"
    white_seat: str = "human"
    black_seat: str = "human"
    position: Position | None = None
    clock: ClockRule = NO_CLOCK

    def begin(self) -> Game:
        """Begin the game. Raises ValueError when a seed is needed and there is none, or it is wrong."""
        if self.position is not None:
            return Game.at(self.position, white=self.white, black=self.black)
        return Game.new(self.setup, self.seed, white=self.white, black=self.black)
