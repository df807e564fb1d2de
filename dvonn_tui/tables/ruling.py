"""The rules of a table: what a deed, a moment or a cut line leads to.

All of it is pure. A function is given the table as it stands and the moment, and gives what happens; who
calls it stores that, folds it with `dvonn_tui.tables.table.evolve` and tells everybody. Things happen in
the order in which they are asked here: a move that arrives after the flag has fallen finds the flag.

What is legal on the board is asked of the core alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.notation import format_action, format_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.core.setups import DRAWN_SETUPS
from dvonn_tui.play.clocks import ClockKind, Clocks
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol as deeds
from dvonn_tui.tables.ending import ended, flag, halted
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.options import with_option
from dvonn_tui.tables.presence import (
    absence_over,
    check_claim,
    come_back,
    go_away,
    next_deadline,
    overdue,
    set_going,
)
from dvonn_tui.tables.protocol import Deed
from dvonn_tui.tables.refusal import Moment, Refusal
from dvonn_tui.tables.seating import check_open, remove, seat_bot, sit, stand_up
from dvonn_tui.tables.table import Offer, Stage, TableState, action_of, clocks_of, position_after, reading_of
from dvonn_tui.tables.takeback import can_take_back, way_back

__all__ = [
    "Moment",
    "Refusal",
    "absence_over",
    "come_back",
    "decide",
    "flag",
    "go_away",
    "idle",
    "next_deadline",
    "overdue",
    "overfull",
    "sit",
    "stand_up",
]

MOST_OFFERS: Final = 3
"""How often a side may make the same offer before somebody acts on the board."""

MOST_GIFTS: Final = 20
"""How often a side may be given time before somebody acts on the board."""

_LONELY: Final = "nobody sits opposite: wait for a player, or seat a bot"

_NOT_PLAYING: Final = {
    Stage.OPEN: "no game has begun",
    Stage.PAUSED: "the game is paused",
    Stage.ADJOURNED: "the game is adjourned: it goes on when both players have said /start",
    Stage.OVER: "the game is over",
}


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who does something, at which table and when."""

    state: TableState
    side: Side
    seen: int
    moment: Moment
    history: Callable[[], Sequence[Happening]]
    draw_seed: Callable[[], int]

    @property
    def against_bot(self) -> bool:
        seat = self.state.seats.get(self.side.other)
        return seat is not None and seat.level is not None


def decide(
    state: TableState,
    deed: Deed,
    side: Side | None,
    moment: Moment,
    *,
    seen: int,
    history: Callable[[], Sequence[Happening]],
    draw_seed: Callable[[], int],
) -> tuple[Happening, ...]:
    """What a deed leads to; at least one happening.

    A flag that has fallen comes before any deed: then the end of the game is all that happens.

    Args:
        state: the table as it stands.
        deed: what is to be done.
        side: the side of whoever does it; None for a watcher.
        moment: when it arrived.
        seen: the version of the table that whoever does it had seen.
        history: gives the log of the table, at least since its game began; asked only for takebacks.
        draw_seed: gives a new seed for a set-up that is drawn.

    Raises:
        Refusal: it cannot be done; the table is as before.
    """
    check_open(state)
    if side is None or side not in state.seats:
        raise Refusal("seat", "only the players can do that: take a seat first")
    asked = _Asked(state, side, seen, moment, history, draw_seed)
    _check_seen(asked, deed)
    fallen = flag(state, moment)
    return fallen or _decide(asked, deed)


def _decide(asked: _Asked, deed: Deed) -> tuple[Happening, ...]:
    state, side, moment = asked.state, asked.side, asked.moment
    match deed:
        case deeds.Act(action=token):
            return _act(asked, token)
        case deeds.SetOption(option=text):
            return _set_option(asked, text)
        case deeds.Start():
            return _start(asked)
        case deeds.GiveUp():
            _check_in_game(state)
            return (ended(state, Reason.RESIGNATION, side.other, moment),)
        case deeds.MakeOffer(offer=offer):
            return _offer(asked, Offer(offer))
        case deeds.Decline(offer=offer):
            return _take_off(asked, side.other, Offer(offer))
        case deeds.Withdraw(offer=offer):
            return _take_off(asked, side, Offer(offer))
        case deeds.GiveTime(seconds=seconds):
            return _give_time(asked, seconds)
        case deeds.GoOn():
            return _go_on(asked)
        case deeds.Claim():
            check_claim(state, side, moment.now)
            return (ended(state, Reason.ABSENCE, side, moment),)
        case deeds.Adjourn():
            check_claim(state, side, moment.now)
            return (happened.Adjourned(at=moment.at, clocks=halted(state, moment), by=str(side)),)
        case deeds.SeatBot(level=level, side=letter):
            return seat_bot(state, side, level, None if letter is None else Side(letter), moment)
        case deeds.Remove(side=letter):
            return remove(state, side, None if letter is None else Side(letter), moment)
        case deeds.StandUp():
            return stand_up(state, side, moment)


def idle(state: TableState, moment: Moment) -> tuple[Happening, ...]:
    """A table that nobody has used for long is closed, with whatever game stands on it."""
    if state.stage is Stage.CLOSED:
        return ()
    reason = "nobody has been here for a long time"
    return (happened.Closed(at=moment.at, clocks=halted(state, moment), reason=reason),)


def overfull(state: TableState, history: Sequence[Happening], moment: Moment) -> tuple[Happening, ...]:
    """A table whose log grows without end is closed. A game on it ends before, so that nobody can get rid
    of one that he is losing: whoever went away more often has lost it.

    Args:
        state: the table.
        history: its log, of the last game at least.
        moment: when.
    """
    left: Counter[str] = Counter()
    for event in history:
        if isinstance(event, happened.Began):
            left.clear()
        elif isinstance(event, happened.WentAway):
            left[event.side] += 1
    white, black = (left[str(side)] for side in Side)
    if state.in_game and white != black:
        return (ended(state, Reason.ABSENCE, Side.WHITE if white < black else Side.BLACK, moment),)
    return (happened.Closed(at=moment.at, clocks=halted(state, moment), reason="too much has happened here"),)


def _check_seen(asked: _Asked, deed: Deed) -> None:
    """Refuse what was meant for another position or another game, or for one under other options."""
    state, seen = asked.state, asked.seen
    if seen > state.version:
        raise Refusal("stale", f"the table is at version {state.version}, not {seen}")
    if seen < state.began:
        raise Refusal("stale", "another game has begun since")
    begins = isinstance(deed, deeds.Start) or deeds.is_offer(deed, Offer.REMATCH)
    if begins and seen < state.terms.get(asked.side, 0):
        raise Refusal("stale", "what the game is to be, or who plays it, has changed since")
    if seen >= state.played:
        return
    if isinstance(deed, deeds.Act):
        if state.last_by is asked.side and state.last == deed.action.lower().replace("-", ""):
            raise Refusal("already", "that has been played already")
        raise Refusal("stale", "the position has changed since")
    if isinstance(deed, (deeds.MakeOffer, deeds.Decline)):
        raise Refusal("stale", "the position has changed since, and the offer with it")


# On the board


def _act(asked: _Asked, token: str) -> tuple[Happening, ...]:
    state, side, moment = asked.state, asked.side, asked.moment
    _check_playing(state)
    if state.position.side is not side:
        raise Refusal("turn", f"it is {state.position.side.word}'s turn")
    try:
        text = format_action(action_of(token))
        after = position_after(state.position, text)
    except (DvonnError, ValueError) as problem:
        raise Refusal("illegal", str(problem)) from problem
    letter = str(side)
    clocks = state.clocks
    if clocks is None:
        return (happened.Acted(at=moment.at, by=letter, action=text),)
    left = reading_of(clocks, moment.now)
    spent = round(state.allotted * 1000) - left.grace - (left.white if side is Side.WHITE else left.black)
    turned = clocks.turn(side, None if after.over else after.side, moment.now)
    if after.over:
        reading = reading_of(turned, moment.now)
    else:
        reading = set_going(state, after.side, turned, moment.now)
    return (happened.Acted(at=moment.at, clocks=reading, by=letter, action=text, spent=spent),)


def _give_time(asked: _Asked, seconds: int) -> tuple[Happening, ...]:
    state, moment = asked.state, asked.moment
    _check_playing(state)
    clocks, other = state.clocks, asked.side.other
    if clocks is None:
        raise Refusal("illegal", "time is not counted in this game")
    if clocks.rule.kind is ClockKind.MOVE and state.position.side is not other:
        raise Refusal("illegal", "with so much time for every move, it can be given only to who is to act")
    if state.gifts >= MOST_GIFTS:
        raise Refusal("illegal", "time was given often enough: wait for the next action")
    before = clocks.read(moment.now)
    after = before.give(other, seconds)
    given = round((after.left(other, moment.now) - before.left(other, moment.now)) * 1000)
    if given < 1:
        raise Refusal("illegal", "that clock can hold no more time")
    reading = reading_of(after, moment.now)
    return (happened.TimeGiven(at=moment.at, clocks=reading, by=str(asked.side), given=given),)


# Before a game, and between two


def _set_option(asked: _Asked, text: str) -> tuple[Happening, ...]:
    state = asked.state
    if state.in_game:
        raise Refusal("illegal", "a game is running: options are set before and after a game")
    try:
        options = with_option(state.options, text)
    except ValueError as problem:
        raise Refusal("illegal", str(problem)) from problem
    if options == state.options:
        raise Refusal("illegal", "it is set like that already")
    written = " ".join(text.lower().split())
    return (happened.OptionSet(at=asked.moment.at, by=str(asked.side), option=written),)


def _start(asked: _Asked) -> tuple[Happening, ...]:
    """Be ready; the game begins or goes on when the other player is ready as well. A bot always is."""
    state, side, moment = asked.state, asked.side, asked.moment
    if state.stage is Stage.PLAYING:
        raise Refusal("illegal", "the game is running")
    if state.stage is Stage.PAUSED:
        raise Refusal("illegal", "the game is paused: either player can let it go on")
    if side.other not in state.seats:
        raise Refusal("illegal", _LONELY)
    if side in state.ready:
        raise Refusal("illegal", f"you are ready already: {state.seats[side.other].name} is not")
    readied = happened.Readied(at=moment.at, side=str(side))
    if not asked.against_bot and side.other not in state.ready:
        return (readied,)
    if state.stage is Stage.ADJOURNED:
        return (readied, _resumed(asked))
    return (readied, _began(asked, exchanged=False))


def _began(asked: _Asked, *, exchanged: bool) -> happened.Began:
    state, now = asked.state, asked.moment.now
    options = state.options
    names = {side: state.seats[side.other if exchanged else side].name for side in Side}
    reading = None
    if options.clock.counted:
        clocks = Clocks.full(options.clock)
        beginner = Side.BLACK if exchanged else Side.WHITE
        waits = beginner in state.away and options.absence > 0
        reading = reading_of(clocks if waits else clocks.run(Side.WHITE, now), now)
    return happened.Began(
        at=asked.moment.at,
        clocks=reading,
        number=state.game + 1,
        setup=str(options.setup),
        seed=asked.draw_seed() if options.setup in DRAWN_SETUPS else None,
        white=names[Side.WHITE],
        black=names[Side.BLACK],
        exchanged=exchanged,
    )


# Between the players


def _go_on(asked: _Asked) -> tuple[Happening, ...]:
    if asked.state.stage is not Stage.PAUSED:
        raise Refusal("illegal", "the game is not paused")
    return (_resumed(asked),)


def _resumed(asked: _Asked) -> happened.Resumed:
    state, now = asked.state, asked.moment.now
    clocks, side = state.clocks, state.position.side
    reading = None if clocks is None else set_going(state, side, clocks, now)
    return happened.Resumed(at=asked.moment.at, clocks=reading)


def _offer(asked: _Asked, offer: Offer) -> tuple[Happening, ...]:
    """Offer something, or accept what the other offers. A bot agrees to everything but a draw."""
    state, side, at = asked.state, asked.side, asked.moment.at
    _check_offer(asked, offer)
    if state.offered(side.other, offer):
        return _agreed(asked, side.other, offer)
    if state.offered(side, offer):
        raise Refusal("illegal", "you have offered that already")
    if (side, offer) in state.declined:
        raise Refusal("illegal", f"that {offer} was declined: you can offer it again after the next action")
    if state.made.count((side, offer)) >= MOST_OFFERS:
        raise Refusal("illegal", f"you have offered a {offer} often enough: wait for the next action")
    made = happened.Offered(at=at, by=str(side), offer=str(offer))
    # Before the first action nobody has to read a log.
    if offer is Offer.TAKEBACK and not (state.actions and can_take_back(asked.history(), side)):
        raise Refusal("illegal", "you have played nothing that could be taken back")
    if not asked.against_bot:
        return (made,)
    if offer is Offer.DRAW:
        return (made, happened.Withdrawn(at=at, by=str(side), offer=str(offer), declined=True))
    return (made, *_agreed(asked, side, offer))


def _check_offer(asked: _Asked, offer: Offer) -> None:
    state = asked.state
    match offer:
        case Offer.TAKEBACK | Offer.PAUSE:
            _check_playing(state)
        case Offer.DRAW:
            _check_in_game(state)
        case Offer.REMATCH:
            if state.in_game or state.game == 0:
                raise Refusal("illegal", "a rematch can be offered when a game is over")
            if asked.side.other not in state.seats:
                raise Refusal("illegal", _LONELY)


def _agreed(asked: _Asked, by: Side, offer: Offer) -> tuple[Happening, ...]:
    """What happens when both want what the side `by` has offered."""
    state, moment = asked.state, asked.moment
    match offer:
        case Offer.TAKEBACK:
            return (_taken_back(asked, by),)
        case Offer.DRAW:
            return (ended(state, Reason.AGREEMENT, None, moment),)
        case Offer.PAUSE:
            return (happened.Paused(at=moment.at, clocks=halted(state, moment)),)
        case Offer.REMATCH:
            return (_began(asked, exchanged=True),)


def _taken_back(asked: _Asked, by: Side) -> happened.TakenBack:
    """Back to before the last action of a side, with the clocks as they were when its turn began."""
    state, now = asked.state, asked.moment.now
    back = way_back(asked.history(), by)
    if back is None:
        raise Refusal("illegal", "there is nothing that could be taken back")
    reading = back.clocks
    if reading is not None:
        reading = set_going(state, by, clocks_of(reading, state.options, now), now)
    position = format_position(back.position)
    return happened.TakenBack(at=asked.moment.at, clocks=reading, actions=back.actions, position=position)


def _take_off(asked: _Asked, by: Side, offer: Offer) -> tuple[Happening, ...]:
    """An offer of the side `by` is declined or withdrawn."""
    if not asked.state.offered(by, offer):
        raise Refusal("illegal", f"no {offer} is offered")
    declined = by is not asked.side
    return (happened.Withdrawn(at=asked.moment.at, by=str(by), offer=str(offer), declined=declined),)


def _check_in_game(state: TableState) -> None:
    if not state.in_game:
        raise Refusal("illegal", _NOT_PLAYING[state.stage])


def _check_playing(state: TableState) -> None:
    if state.stage is not Stage.PLAYING:
        raise Refusal("illegal", _NOT_PLAYING[state.stage])
