"""Questions to an engine and its answers, the same for every protocol."""

from __future__ import annotations

from dataclasses import dataclass

from dvonn_tui.core.events import Move, PiecePlaced, Place, StackMoved, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import event_token, format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import EMPTY_BOARD, Position


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an engine may think about one question. With nothing set its level decides.

    Attributes:
        movetime: milliseconds for this question.
        depth: plies.
        nodes: positions.
        clocks: milliseconds that White and Black have left for the game.
        increments: milliseconds that each gains with a move.
        infinite: until it is told to stop.
        patience: seconds that are waited for an answer when no time was set.
    """

    movetime: int | None = None
    depth: int | None = None
    nodes: int | None = None
    clocks: tuple[int, int] | None = None
    increments: tuple[int, int] = (0, 0)
    infinite: bool = False
    patience: float = 60.0

    def words(self) -> str:
        """The limits as words of the line protocol, each with a space before it."""
        text = ""
        if self.infinite:
            text += " infinite"
        if self.clocks is not None:
            white, black = self.clocks
            text += f" wtime {white} btime {black} winc {self.increments[0]} binc {self.increments[1]}"
        for name in ("movetime", "depth", "nodes"):
            value = getattr(self, name)
            if value is not None:
                text += f" {name} {value}"
        return text

    def seconds(self, side: Side) -> float | None:
        """The seconds that a side may take by these limits; None when no time was set."""
        times = []
        if self.movetime is not None:
            times.append(self.movetime / 1000)
        if self.clocks is not None:
            times.append(max(self.clocks[0 if side is Side.WHITE else 1], 0) / 1000)
        return min(times, default=None)


@dataclass(frozen=True, slots=True)
class History:
    """How a position came about: a start, and every placement, move and pass since.

    Attributes:
        start: the position before the first token.
        tokens: the plies as lower-case tokens, passes included.
        sides: the side of each.
    """

    start: Position = EMPTY_BOARD
    tokens: tuple[str, ...] = ()
    sides: tuple[Side, ...] = ()


def history_of(game: Game) -> History:
    """How the position at the head of a game came about."""
    tokens: list[str] = []
    sides: list[Side] = []
    for entry in game.path(game.head):
        event = entry.event
        if isinstance(event, (PiecePlaced, StackMoved, TurnPassed)):
            token = event_token(event)
            assert token is not None
            tokens.append(token)
            sides.append(event.by)
    return History(game.started.position, tuple(tokens), tuple(sides))


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine knows of one line at a moment.

    Attributes:
        position: the position that it thinks about.
        rank: 1 for the best line, 2 for the second...
        value: how good the line is for the side to act, in the units of the engine.
        certain: the value is a final margin that the side can be sure of.
        solved: it is the true one, with best play by both.
        depth, nodes, nps: plies, positions, and positions a second.
        line: the line as tokens, clean, legal or not.
        bound: "lower" or "upper" when the value is at least or at most that, else nothing.
        valued: the engine said how good the line is; else `value` means nothing.
    """

    position: Position
    rank: int = 1
    value: int = 0
    certain: bool = False
    solved: bool = False
    depth: int = 0
    nodes: int = 0
    nps: int = 0
    line: tuple[str, ...] = ()
    bound: str = ""
    valued: bool = True


@dataclass(frozen=True, slots=True)
class Choice:
    """What an engine chose, checked by the rules.

    Attributes:
        position: the position that it was asked about.
        action: what it wants to do.
        thought: the last that it said of its best line; None when it said nothing.
        seconds: the time from question to answer, measured here.
        allowed: the seconds that it had; None when no time was set.
        nudged: it answered only after it had been told to stop.
    """

    position: Position
    action: Place | Move
    thought: Thought | None = None
    seconds: float = 0.0
    allowed: float | None = None
    nudged: bool = False

    @property
    def token(self) -> str:
        """The action as a token."""
        return format_action(self.action)

    @property
    def late(self) -> float:
        """The seconds that the answer took too long."""
        return 0.0 if self.allowed is None else max(self.seconds - self.allowed, 0.0)


@dataclass(frozen=True, slots=True)
class Question:
    """A position to think about, and how it came about as far as that is known.

    Attributes:
        position: the position.
        history: how it came about; its last position is `position`.
    """

    position: Position
    history: History
