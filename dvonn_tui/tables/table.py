"""A table as everybody at it knows it: a value, folded from what happened there.

The server and every client fold the same happenings with the same `evolve`, so they cannot differ. The
position is worked out by the rules of the core; nothing else here decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from dvonn_tui.core.events import Action, AgreeDraw, Forfeit, Resign
from dvonn_tui.core.notation import parse_position, parse_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import EMPTY_BOARD, Position, Reason
from dvonn_tui.core.rules import play
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.play.clocks import Clocks
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables.happenings import ClockReading, Happening
from dvonn_tui.tables.options import DEFAULT_OPTIONS, TableOptions, with_option


class Stage(StrEnum):
    """What goes on at a table."""

    OPEN = "open"
    """No game has begun: people sit down and set options."""
    PLAYING = "playing"
    PAUSED = "paused"
    ADJOURNED = "adjourned"
    """Left for later."""
    OVER = "over"
    """The last game has ended: a rematch, or ``/start`` for another one."""
    CLOSED = "closed"


class Offer(StrEnum):
    """What a side can offer the other."""

    TAKEBACK = "takeback"
    DRAW = "draw"
    REMATCH = "rematch"
    PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class TableSeat:
    """Somebody on a side.

    Attributes:
        name: clean.
        since: the version of the table at which the seat was taken.
        holder: the mark of the client that holds it; empty for a bot.
        level: a bot's level, 1 to 10; None for a person.
    """

    name: str
    since: int
    holder: str = ""
    level: int | None = None


class TableState(Struct, frozen=True):
    """What is so at a table.

    Attributes:
        version: the number of the last happening.
        title: what the table is called, clean.
        stage: what goes on.
        options: what is set.
        seats: who sits; a free side is missing.
        ready: the sides that said ``/start`` since it last mattered.
        terms: for each side, the version at which the other side last set an option or sat down: who
            has not seen that has not agreed to a game.
        game: the number of the game, from 1; 0 before the first.
        position: where the game stands.
        began: the version of the happening that this game began with.
        actions: how many placements and moves lie behind it.
        played: the version of the last happening that changed the position.
        last: the token of the last action, empty after a takeback and at the start.
        last_by: who did it.
        clocks: by the reader's own monotonic clock; None when the game has none.
        allotted: the seconds, a delay included, that the side to act had when its turn began and was
            given since; 0 when time is not counted.
        offers: what is offered by whom.
        made: every offer that was made since the last action, in order.
        declined: the offers that were declined since then.
        gifts: how often time was given since then.
        away_since: the sides whose line is cut, and since when by the reader's own monotonic clock.
        absence: how many seconds the game has waited for each side that was away, up to `counted`.
        counted: the reading of the reader's own monotonic clock up to which `absence` is counted.
        absence_spent: the sides whose allowance is used up.
        record: the id of the record of the last game, empty when none was kept.
    """

    version: int = 0
    title: str = ""
    stage: Stage = Stage.OPEN
    options: TableOptions = DEFAULT_OPTIONS
    seats: Mapping[Side, TableSeat] = field(default_factory=lambda: MappingProxyType({}))
    ready: frozenset[Side] = frozenset()
    terms: Mapping[Side, int] = field(default_factory=lambda: MappingProxyType({}))
    game: int = 0
    began: int = 0
    position: Position = EMPTY_BOARD
    actions: int = 0
    played: int = 0
    last: str = ""
    last_by: Side | None = None
    clocks: Clocks | None = None
    allotted: float = 0.0
    offers: frozenset[tuple[Side, Offer]] = frozenset()
    made: tuple[tuple[Side, Offer], ...] = ()
    declined: frozenset[tuple[Side, Offer]] = frozenset()
    gifts: int = 0
    away_since: Mapping[Side, float] = field(default_factory=lambda: MappingProxyType({}))
    absence: Mapping[Side, float] = field(default_factory=lambda: MappingProxyType({}))
    counted: float = 0.0
    absence_spent: frozenset[Side] = frozenset()
    record: str = ""

    @property
    def in_game(self) -> bool:
        """True while a game is neither over nor not begun."""
        return self.stage in (Stage.PLAYING, Stage.PAUSED, Stage.ADJOURNED)

    @property
    def away(self) -> frozenset[Side]:
        """The sides whose line is cut."""
        return frozenset(self.away_since)

    @property
    def waits_for(self) -> Side | None:
        """The side to act, when it is away and the game cannot go on without it."""
        side = self.position.side
        return side if self.stage is Stage.PLAYING and side in self.away_since else None

    def offered(self, side: Side, offer: Offer) -> bool:
        """True when a side's offer stands."""
        return (side, offer) in self.offers

    def absence_of(self, side: Side, now: float) -> float:
        """How many seconds the game has waited for a side in all, up to `now`."""
        known = self.absence.get(side, 0.0)
        return known + max(now - self.counted, 0.0) if self.waits_for is side else known


_NOTHING: Final[frozenset[Any]] = frozenset()
"""Made once: a table has several, and Python looks through each new one."""

EMPTY_TABLE: Final = TableState()


def evolve(state: TableState, event: Happening, now: float) -> TableState:
    """The table after a happening, read at `now` on the reader's own monotonic clock, in seconds.

    Raises:
        DvonnError, ValueError: the happening cannot follow; a log that the server kept never does that.
    """
    waited_for = state.waits_for
    if waited_for is not None:
        absence = MappingProxyType({**state.absence, waited_for: state.absence_of(waited_for, now)})
        state = replace(state, absence=absence)
    version = state.version + 1
    after = _evolve(state, event, version, now)
    if event.clocks is None:
        return replace(after, version=version, counted=now)
    clocks = clocks_of(event.clocks, after.options, now)
    allotted = after.allotted
    if after.played == version:
        allotted = clocks.left(after.position.side, now) + clocks.delay_left(now)
    elif isinstance(event, happened.TimeGiven) and event.by != after.position.side:
        allotted += event.given / 1000
    return replace(after, version=version, counted=now, clocks=clocks, allotted=allotted)


@lru_cache(maxsize=256)
def position_after(position: Position, token: str) -> Position:
    """The position after a placement or a move, with all that it causes.

    Everything at a table is asked twice, by the rules whether it can be done and by the fold what comes of
    it; so the last answers are remembered.

    Raises:
        DvonnError, ValueError: it is not legal, or no token of one.
    """
    return play(position, action_of(token))[1]


def _evolve(state: TableState, event: Happening, version: int, now: float) -> TableState:
    match event:
        case happened.Acted(by=by, action=token):
            return _moved_on(state, position_after(state.position, token), version, token, Side(by))
        case happened.Ended(reason=reason, winner=winner):
            _, position = play(state.position, ending_of(reason, winner))
            return _moved_on(state, position, version)
        case happened.TakenBack(actions=actions, position=text):
            back = parse_position(text)
            state = replace(state, stage=Stage.PLAYING, actions=state.actions - actions)
            return _moved_on(replace(state, actions=state.actions - 1), back, version)
        case happened.Began():
            return _began(state, event, version)
        case happened.Opened(title=title, options=options):
            chosen = DEFAULT_OPTIONS
            for text in options:
                chosen = with_option(chosen, text)
            return replace(state, title=title, options=chosen)
        case happened.OptionSet(by=by, option=text):
            state = _agreed_anew(state, Side(by).other, version)
            return replace(state, options=with_option(state.options, text))
        case happened.SeatTaken() | happened.SeatLeft() | happened.Readied():
            return _seated(state, event, version)
        case happened.Offered(by=by, offer=offer):
            made = (Side(by), Offer(offer))
            return replace(state, offers=state.offers | {made}, made=(*state.made, made))
        case happened.Withdrawn(by=by, offer=offer, declined=declined):
            off = {(Side(by), Offer(offer))}
            refused = state.declined | off if declined else state.declined
            return replace(state, offers=state.offers - off, declined=refused)
        case happened.WentAway() | happened.CameBack() | happened.AbsenceSpent():
            return _present(state, event, now)
        case happened.RecordKept(id=record):
            return replace(state, record=record)
        case happened.TimeGiven():
            return replace(state, gifts=state.gifts + 1)
    return _halted(state, event)


@lru_cache(maxsize=4_096)
def action_of(token: str) -> Action:
    """The placement or move of a token. Raises NotationError or ValueError."""
    action = parse_token(token)
    if isinstance(action, str):
        raise ValueError(f"{action} is no placement and no move")
    return action


def ending_of(reason: str, winner: str | None) -> Action:
    """The action that ends a game as an `Ended` tells. Raises ValueError for another reason."""
    if reason == Reason.AGREEMENT:
        return AgreeDraw()
    loser = Side(winner or "").other
    return Resign(loser) if reason == Reason.RESIGNATION else Forfeit(loser, Reason(reason))


def clocks_of(reading: ClockReading, options: TableOptions, now: float) -> Clocks:
    """The clocks of a reading that was made at `now`."""
    running = None if reading.running is None else Side(reading.running)
    return Clocks(
        options.clock, reading.white / 1000, reading.black / 1000, running, reading.grace / 1000, now
    )


def reading_of(clocks: Clocks, now: float) -> ClockReading:
    """What the clocks show now, rounded down to milliseconds."""
    white, black = clocks.left(Side.WHITE, now), clocks.left(Side.BLACK, now)
    return ClockReading(
        _milliseconds(white), _milliseconds(black), clocks.running, _milliseconds(clocks.delay_left(now))
    )


def _milliseconds(seconds: float) -> int:
    """Rounded down, but whole milliseconds stay what they are, however often they are read."""
    return int(seconds * 1000 + 1e-6)


def _moved_on(
    state: TableState, position: Position, version: int, token: str = "", by: Side | None = None
) -> TableState:
    return replace(
        state,
        position=position,
        actions=state.actions + 1,
        played=version,
        last=token,
        last_by=by,
        stage=Stage.OVER if position.over else state.stage,
        ready=_NOTHING,
        offers=_NOTHING,
        made=(),
        declined=_NOTHING,
        gifts=0,
    )


def _began(state: TableState, event: happened.Began, version: int) -> TableState:
    setup = Setup(event.setup)
    seats, away = dict(state.seats), dict(state.away_since)
    if event.exchanged:
        seats = {side.other: seat for side, seat in seats.items()}
        away = {side.other: since for side, since in away.items()}
    return replace(
        state,
        stage=Stage.PLAYING,
        seats=MappingProxyType(seats),
        ready=_NOTHING,
        game=event.number,
        began=version,
        position=set_up(setup, event.seed),
        actions=0,
        played=version,
        last="",
        last_by=None,
        clocks=None,
        allotted=0.0,
        offers=_NOTHING,
        made=(),
        declined=_NOTHING,
        gifts=0,
        away_since=MappingProxyType(away),
        absence=MappingProxyType({}),
        absence_spent=_NOTHING,
        record="",
    )


def _seated(
    state: TableState, event: happened.SeatTaken | happened.SeatLeft | happened.Readied, version: int
) -> TableState:
    side = Side(event.side)
    seats = dict(state.seats)
    match event:
        case happened.Readied():
            return replace(state, ready=state.ready | {side})
        case happened.SeatTaken(name=name, holder=holder, level=level):
            seats[side] = TableSeat(name, version, holder, level)
            if level is None:
                state = _agreed_anew(state, side.other, version)
        case happened.SeatLeft():
            seats.pop(side, None)
    state = replace(state, seats=MappingProxyType(seats), away_since=_without(state.away_since, side))
    return _agreed_anew(state)


def _agreed_anew(state: TableState, unseen_by: Side | None = None, version: int = 0) -> TableState:
    """Another game than the one that was offered or agreed to; one side has not seen that yet."""
    terms = state.terms if unseen_by is None else MappingProxyType({**state.terms, unseen_by: version})
    return replace(state, terms=terms, ready=_NOTHING, offers=_NOTHING, made=(), declined=_NOTHING)


def _present(
    state: TableState, event: happened.WentAway | happened.CameBack | happened.AbsenceSpent, now: float
) -> TableState:
    side = Side(event.side)
    match event:
        case happened.WentAway():
            since = MappingProxyType({**state.away_since, side: now})
            return replace(state, away_since=since, ready=state.ready - {side})
        case happened.AbsenceSpent():
            return replace(state, absence_spent=state.absence_spent | {side})
        case happened.CameBack(absence=absence):
            known = MappingProxyType({**state.absence, side: absence / 1000})
            return replace(state, away_since=_without(state.away_since, side), absence=known)


def _without(times: Mapping[Side, float], side: Side) -> Mapping[Side, float]:
    return MappingProxyType({other: time for other, time in times.items() if other is not side})


def _halted(
    state: TableState, event: happened.Paused | happened.Resumed | happened.Adjourned | happened.Closed
) -> TableState:
    match event:
        case happened.Paused():
            stage = Stage.PAUSED
        case happened.Resumed():
            stage = Stage.PLAYING
        case happened.Adjourned():
            stage = Stage.ADJOURNED
        case happened.Closed():
            stage = Stage.CLOSED
    return replace(state, stage=stage, ready=_NOTHING, offers=_NOTHING)
