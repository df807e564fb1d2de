"""What the application is started with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from random import SystemRandom
from typing import Final

from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.setups import DRAWN_SETUPS
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.clocks import ClockRule
from dvonn_tui.settings import Look

LARGEST_DRAWN_SEED: Final = 999_999_999
"""Seeds that the program draws by itself are short enough to be told to somebody else."""


def draw_seed() -> int:
    """A new seed for a set-up, 0 to `LARGEST_DRAWN_SEED`, from the randomness of the system."""
    return SystemRandom().randrange(LARGEST_DRAWN_SEED + 1)


def with_seed(choice: GameChoice) -> GameChoice:
    """The choice with a new seed, if its set-up is drawn and it has none."""
    if choice.setup in DRAWN_SETUPS and choice.seed is None:
        return replace(choice, seed=draw_seed())
    return choice


@dataclass(frozen=True, slots=True)
class Join:
    """Where to play with somebody on another machine.

    Attributes:
        server: its address as it is written, known to be one.
        table: the id of a table; empty for the list of tables.
        name: how one is called there, clean; empty for the name used last.
    """

    server: str
    table: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """What was said on the command line. None means that nothing was: the settings decide.

    Attributes:
        choice: the first game. Its seed is there whenever its set-up is drawn.
        explicit: whether the set-up, the seed or the position of the first game was said.
        white, black: the players' names if they were said, already clean; they are in `choice` too.
        clock: how time is given.
        white_seat, black_seat: who plays, if it was said, clean but not known to exist.
        look: how the board is drawn.
        theme: the name of a colour theme, clean but not known to exist.
        flip: True when the board is to be seen from Black's side.
        mouse: False when the mouse is not to be used.
        resume: the file of a saved game to go on with in place of `choice`.
        game: a game that was played before, in the place of a new one.
        look_at: the entry of it that is looked at first; None for its head, to play on.
        tags: what the record says of it beside its moves: names and values.
        notes: what is told at the start, clean.
        join: the server, and perhaps the table, to go to.
    """

    choice: GameChoice
    explicit: bool = False
    white: str | None = None
    black: str | None = None
    clock: ClockRule | None = None
    white_seat: str | None = None
    black_seat: str | None = None
    look: Look | None = None
    theme: str | None = None
    flip: bool | None = None
    mouse: bool | None = None
    resume: Path | None = None
    game: Game | None = None
    look_at: Entry | None = None
    tags: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    join: Join | None = None

    @property
    def bare(self) -> bool:
        """True when nothing was said about the game: how it begins, or who plays it."""
        said = (self.white, self.black, self.white_seat, self.black_seat, self.resume, self.game, self.join)
        return not self.explicit and all(value is None for value in said)
