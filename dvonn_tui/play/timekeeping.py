"""The clocks of a game that is played here: they follow its log, and end it when a flag falls.

What the clocks show is worked out from the log alone: every action carries what its side had left after it
(`dvonn_tui.records.details`), so that a step back, a step forward, another line and a game taken up from its
file all find the clocks as they were when the turn there began. Of a turn that was broken off by leaving the
game its file tells as well what was left in it (`TurnClock`), so that nobody wins time by leaving.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from math import floor
from typing import Final

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import (
    Action,
    Forfeit,
    GameEnded,
    Move,
    PiecePlaced,
    Place,
    PlaceRest,
    Resign,
    StackMoved,
)
from dvonn_tui.core.game import Game, Step, rebuild
from dvonn_tui.core.log import Annotation, Entry
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Position, Reason
from dvonn_tui.core.rules import play
from dvonn_tui.play.clocks import LONGEST, ClockKind, ClockRule, Clocks
from dvonn_tui.records.details import AT, CLOCK, SPENT
from dvonn_tui.records.turn_clock import TurnClock

PAUSED: Final = "the game is paused"
"""Why nothing can be played during a pause."""


class Halt(StrEnum):
    """Why the clocks stand still although somebody is to act. There can be several reasons at a time."""

    START = "start"
    """The board is not shown yet."""
    PAUSED = "paused"
    """The players pause: nothing can be played meanwhile."""
    ENGINE = "engine"
    """The engine that is to act waits, or has failed."""
    SUSPENDED = "suspended"
    """The program itself stands still."""


class Timekeeper:
    """Keeps the clocks of a game. Its clocks run from `Halt.START`'s end, or from the first action."""

    def __init__(
        self,
        game: Game,
        rule: ClockRule,
        *,
        now: Callable[[], float],
        wall: Callable[[], float],
        turn: TurnClock | None = None,
    ) -> None:
        """Keep a game's clocks, as they are where it stands.

        Args:
            now: a monotonic clock, in seconds; all time is counted by it.
            wall: seconds since 1970, written down beside each action; no time is counted by it.
            turn: what was left when the turn was broken off; None for one that begins. It can come from a
                file, and never gives more than the turn began with.
        """
        self._game = game
        self._rule = rule
        self._now = now
        self._wall = wall
        self._halts: set[Halt] = {Halt.START}
        self._clocks = self._turn = Clocks.full(rule)
        self._begin_turn()
        if turn is not None:
            self._clocks = self._run(_broken_off(self._turn, game.position.side, turn))
        game.subscribe(self._follow)

    @property
    def clocks(self) -> Clocks:
        """The clocks, to be read by the same monotonic clock."""
        return self._clocks

    @property
    def turn_clock(self) -> TurnClock | None:
        """What the side to act has left now, rounded down to thousandths; None when the game is over."""
        position, now = self._game.position, self._now()
        if position.over:
            return None
        left, delay = self._clocks.left(position.side, now), self._clocks.delay_left(now)
        return TurnClock(_thousandths(left), _thousandths(delay))

    @property
    def halts(self) -> frozenset[Halt]:
        """Why the clocks stand still."""
        return frozenset(self._halts)

    def halt(self, reason: Halt) -> None:
        """Let both clocks stand still. Time that is up by now stays up."""
        if self._clocks.fallen(self._now()) is None:
            self._halts.add(reason)
            self._clocks = self._clocks.halt(self._now())

    def go_on(self, reason: Halt) -> None:
        """A reason to stand still is gone; without another one the clock of the turn runs again."""
        if reason not in self._halts:
            return
        self._halts.discard(reason)
        self._clocks = self._run(self._clocks.halt(self._now()))

    def submit(self, action: Action, after: Entry | None) -> tuple[Entry, ...]:
        """Carry out an action in time; one that comes when a flag has fallen is the flag.

        Returns:
            The entries that follow: of the action, or of the loss on time.

        Raises:
            IllegalAction, GameFinished: as `Game.play`, or the game is paused.
        """
        flag = self.flag()
        if flag:
            return flag
        if Halt.PAUSED in self._halts and isinstance(action, Place | PlaceRest | Move):
            raise IllegalAction(PAUSED)
        return self._play(action, after)

    def flag(self) -> tuple[Entry, ...]:
        """End the game if a flag has fallen. Returns what is recorded then, nothing while there is time."""
        fallen = self._clocks.fallen(self._now())
        return () if fallen is None else self._play(Forfeit(fallen, Reason.TIME), None)

    def _play(self, action: Action, after: Entry | None) -> tuple[Entry, ...]:
        now = self._now()
        start = self._game.head if after is None else self._game.settled(after)
        _, reached = play(start.position, action)
        side = _acting(action, start.position)
        # Elsewhere the turn begins with the action itself: nobody has thought there in this game.
        here = start is self._game.head
        begun = self._turn if here else clocks_at(self._game, start, self._rule)
        clocks = self._clocks.read(now) if here else begun
        spent = begun.left(side, now) - clocks.left(side, now) + begun.grace - clocks.grace
        left = clocks.turn(side, None if reached.over else reached.side, now).left(side, now)
        details = {CLOCK: _thousandths(left), SPENT: _thousandths(spent), AT: _thousandths(self._wall())}
        self._halts.discard(Halt.START)
        return self._game.play(action, details, after=after)

    def _follow(self, step: Step) -> None:
        if not isinstance(step.entry.event, Annotation):
            self._begin_turn()

    def _begin_turn(self) -> None:
        """Take the clocks as they are where the game stands now."""
        self._turn = replace(clocks_at(self._game, self._game.head, self._rule), since=self._now())
        self._clocks = self._run(self._turn)

    def _run(self, clocks: Clocks) -> Clocks:
        position = self._game.position
        return clocks if self._halts or position.over else clocks.run(position.side, clocks.since)


def clocks_at(game: Game, entry: Entry, rule: ClockRule) -> Clocks:
    """Both clocks as they were when the turn after an entry began; none runs.

    They are what the actions on the way there carry. A side that carries nothing has all its time.
    """
    left = dict.fromkeys(Side, rule.seconds)
    over = entry.position.over
    for each in game.path(entry):
        if each.action != each.number:
            continue
        seconds = _reading(each.details)
        if seconds is not None and (rule.kind is not ClockKind.MOVE or (over and each is entry)):
            left[_actor(game, each)] = seconds
    return replace(Clocks.full(rule), white=left[Side.WHITE], black=left[Side.BLACK])


def _broken_off(begun: Clocks, side: Side, turn: TurnClock) -> Clocks:
    """The clocks of a turn in which a side has no more left than this."""
    left, grace = min(turn.left, begun.left(side, begun.since)), min(turn.delay, begun.grace)
    if side is Side.WHITE:
        return replace(begun, white=left, grace=grace)
    return replace(begun, black=left, grace=grace)


def without_readings(game: Game) -> Game:
    """A copy of a game that knows nothing of its clocks: it can go on with full ones of another rule."""
    known = {CLOCK, SPENT}
    return rebuild(
        replace(entry, details={name: value for name, value in entry.details.items() if name not in known})
        for entry in game.log
    )


def _reading(details: Mapping[str, object]) -> float | None:
    """The reading that an entry carries, which may come from a file; None when it is none."""
    seconds = details.get(CLOCK)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LONGEST:
        return None
    return float(seconds)


def _acting(action: Action, position: Position) -> Side:
    """The side that an action is one of."""
    return action.side if isinstance(action, Resign | Forfeit) else position.side


def _actor(game: Game, entry: Entry) -> Side:
    """The side whose action an entry begins."""
    match entry.event:
        case PiecePlaced(by=side) | StackMoved(by=side):
            return side
        case GameEnded(winner=winner, reason=reason) if winner is not None and reason is not Reason.NO_MOVES:
            return winner.other
    before = game.parent(entry)
    return (before or entry).position.side


def _thousandths(seconds: float) -> float:
    """Seconds as they are written down: rounded down, never negative."""
    return max(floor(seconds * 1000) / 1000, 0.0)
