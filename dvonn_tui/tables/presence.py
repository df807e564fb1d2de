"""Players who are away: how long a game waits for them, and what their clocks do meanwhile.

In words for players: whoever loses the line loses nothing by that. When it is his turn, his clock stands
still and the game waits for him. That waiting is counted over the whole game, and only that: neither the
time in which the other thinks, nor a pause, nor the time before a game. The option ``absence`` says how
many minutes of it there are, 5 unless it is set. When they are used up, his clock runs whether he is
there or not, and the other may claim the game or leave it for later, until he is back. A line that is cut
for a few seconds gives nobody a claim. Nobody claims against a bot: it is never away.
"""

from __future__ import annotations

from typing import Final

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.clocks import Clocks
from dvonn_tui.tables.ending import flag, halted
from dvonn_tui.tables.happenings import AbsenceSpent, CameBack, ClockReading, Happening, WentAway
from dvonn_tui.tables.refusal import Moment, Refusal
from dvonn_tui.tables.table import Stage, TableState, reading_of

CLAIM_AFTER: Final = 5.0
"""Seconds at a stretch that a player is away at least before the other may claim the game: longer than a
client needs to find a line again that was cut for a moment."""

LATE: Final = 0.001
"""Seconds by which a deadline is looked at late, so that rounding never makes it early."""


def allowance_left(state: TableState, side: Side, now: float) -> float:
    """The seconds that the game would still wait for a side; 0 when the allowance is used up."""
    if side in state.absence_spent:
        return 0.0
    return max(state.options.absence * 60 - state.absence_of(side, now), 0.0)


def set_going(state: TableState, side: Side, clocks: Clocks, now: float) -> ClockReading:
    """The clocks when the game goes on and it is a side's turn: they run, unless the game waits for it."""
    waits = side in state.away and allowance_left(state, side, now) > 0
    return reading_of(clocks.halt(now) if waits else clocks.run(side, now), now)


def go_away(state: TableState, side: Side, moment: Moment) -> tuple[Happening, ...]:
    """The line to a player is cut. Nothing when that is known, or nobody sits there."""
    seat = state.seats.get(side)
    if seat is None or seat.level is not None or side in state.away or state.stage is Stage.CLOSED:
        return ()
    over = flag(state, moment)
    runs = state.clocks is not None and state.clocks.running is side
    waits = runs and not over and allowance_left(state, side, moment.now) > 0
    reading = halted(state, moment) if waits else None
    return (*over, WentAway(at=moment.at, clocks=reading, side=str(side)))


def come_back(state: TableState, side: Side, moment: Moment) -> tuple[Happening, ...]:
    """A player is there again. Nothing when he was not away."""
    if side not in state.away:
        return ()
    over = flag(state, moment)
    clocks = state.clocks
    reading = None
    if not over and clocks is not None and clocks.running is None and state.waits_for is side:
        reading = reading_of(clocks.run(side, moment.now), moment.now)
    absence = round(state.absence_of(side, moment.now) * 1000)
    return (*over, CameBack(at=moment.at, clocks=reading, side=str(side), absence=absence))


def absence_over(state: TableState, side: Side, moment: Moment) -> tuple[Happening, ...]:
    """The allowance of a player is used up and his clock runs. Nothing when that is not so, or known."""
    now = moment.now
    if state.waits_for is not side or side in state.absence_spent or allowance_left(state, side, now) > 0:
        return ()
    over = flag(state, moment)
    if over:
        return over
    reading = None if state.clocks is None else reading_of(state.clocks.run(side, now), now)
    return (AbsenceSpent(at=moment.at, clocks=reading, side=str(side)),)


def overdue(state: TableState, moment: Moment) -> tuple[Happening, ...]:
    """What happens by itself at a moment: a flag falls, or an allowance of absence is used up."""
    return flag(state, moment) or absence_over(state, state.position.side, moment)


def next_deadline(state: TableState, now: float) -> float | None:
    """The reading of the monotonic clock at which `overdue` has to be asked again; None for never."""
    deadlines = []
    if state.stage is Stage.PLAYING and state.clocks is not None:
        seconds = state.clocks.seconds_to_flag(now)
        if seconds is not None:
            deadlines.append(now + seconds)
    waited_for = state.waits_for
    if waited_for is not None and waited_for not in state.absence_spent:
        deadlines.append(now + allowance_left(state, waited_for, now))
    return min(deadlines) + LATE if deadlines else None


def check_claim(state: TableState, side: Side, now: float) -> None:
    """Say why a side cannot claim the game, or leave it for later, because the other is away.

    Raises:
        Refusal: the other is there, or has not been away for long enough.
    """
    other = side.other
    if state.stage is not Stage.PLAYING:
        raise Refusal("illegal", "no game is running that could be claimed")
    name = state.seats[other].name
    if other not in state.away:
        raise Refusal("illegal", f"{name} is here")
    left = allowance_left(state, other, now)
    if left > 0:
        raise Refusal("illegal", f"{name} may be away for {_duration(left)} more in this game")
    short = state.away_since[other] + CLAIM_AFTER - now
    if short > 0:
        raise Refusal("illegal", f"{name} has only just gone: wait {_duration(short)}")


def _duration(seconds: float) -> str:
    """A time to wait, rounded up."""
    whole = -int(-seconds // 1)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"
