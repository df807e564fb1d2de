"""Time that passes when a test says so."""

from __future__ import annotations

from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.play.clocks import parse_clock
from dvonn_tui.play.session import Session
from tests.play.tools import FULL


class Time:
    """A monotonic clock, and one on the wall, that both stand still by themselves."""

    def __init__(self) -> None:
        self.monotonic = 5000.0
        self.wall = 1_700_000_000.0

    def now(self) -> float:
        """The monotonic clock."""
        return self.monotonic

    def wall_now(self) -> float:
        """The one on the wall."""
        return self.wall

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.monotonic += seconds
        self.wall += seconds


def timed(rule: str, time: Time, game: Game | None = None, *, started: bool = True) -> Session:
    """A session with a clock."""
    session = Session(game or Game.at(FULL), rule=parse_clock(rule), now=time.now, wall=time.wall_now)
    if started:
        session.start_clocks()
    return session


def move(session: Session, which: int = 0) -> None:
    """Play one of the legal moves."""
    session.submit(legal_moves(session.game.position)[which])


def both(session: Session) -> tuple[float, float]:
    """What White and Black have left now, in thousandths as they are recorded."""
    clocks = session.clocks
    assert clocks is not None
    white, black = (round(clocks.left(side, session.now()), 3) for side in Side)
    return white, black
