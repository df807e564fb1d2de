"""Who may sit where at a table, and who may free a seat. Seats change only while no game is running."""

from __future__ import annotations

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.seats import LevelSeat, seat_name
from dvonn_tui.tables.happenings import SeatLeft, SeatTaken
from dvonn_tui.tables.names import told_apart
from dvonn_tui.tables.refusal import Moment, Refusal
from dvonn_tui.tables.table import Stage, TableState


def sit(
    state: TableState, name: str, holder: str, side: Side | None, moment: Moment
) -> tuple[SeatTaken, ...]:
    """A client takes a seat: the one it names, or else a free one, White's first.

    Args:
        state: the table.
        name: the client's name; told apart from the other player's if they look alike.
        holder: the mark of the client, not empty.
        side: the side that is wanted.
        moment: when.

    Raises:
        Refusal: the seat is taken, the client has one already, or a game is running.
    """
    check_open(state)
    if any(seat.holder == holder for seat in state.seats.values()):
        raise Refusal("seat", "you sit at this table already")
    if state.in_game:
        raise Refusal("seat", "a game is running here: you can watch it")
    free = _free(state, side)
    other = state.seats.get(free.other)
    shown = told_apart(name, () if other is None else (other.name,))
    return (SeatTaken(at=moment.at, side=str(free), name=shown, holder=holder),)


def seat_bot(
    state: TableState, by: Side, level: int, side: Side | None, moment: Moment
) -> tuple[SeatTaken, ...]:
    """The player of a side lets an engine sit down opposite, at a level from 1 to 10.

    Raises:
        Refusal: no side is free, or a game is running.
    """
    _check_no_game(state)
    free = _free(state, by.other if side is None else side)
    name = seat_name(LevelSeat(level))
    return (SeatTaken(at=moment.at, side=str(free), name=name, level=level),)


def stand_up(state: TableState, side: Side, moment: Moment) -> tuple[SeatLeft, ...]:
    """A player frees his own seat.

    Raises:
        Refusal: a game is running, or nobody sits there.
    """
    if state.in_game:
        raise Refusal("illegal", "a game is running: resign first, or just leave and come back later")
    if side not in state.seats:
        raise Refusal("seat", f"nobody sits on {side.word}'s side")
    return (SeatLeft(at=moment.at, side=str(side)),)


def remove(state: TableState, by: Side, side: Side | None, moment: Moment) -> tuple[SeatLeft, ...]:
    """The player of a side frees the seat opposite: of a bot, or of somebody who is away.

    Raises:
        Refusal: the seat is free or one's own, its player is here, or a game is running.
    """
    _check_no_game(state)
    side = by.other if side is None else side
    if side is by:
        raise Refusal("seat", "that is your own seat: stand up to free it")
    seat = state.seats.get(side)
    if seat is None:
        raise Refusal("seat", f"{side.word}'s side is free already")
    if seat.level is None and side not in state.away:
        raise Refusal("seat", f"{seat.name} is here: only a bot, or who is away, can be removed")
    return (SeatLeft(at=moment.at, side=str(side), by=str(by)),)


def check_open(state: TableState) -> None:
    """Raises Refusal when the table is closed."""
    if state.stage is Stage.CLOSED:
        raise Refusal("table", "this table is closed")


def _check_no_game(state: TableState) -> None:
    if state.in_game:
        raise Refusal("illegal", "a game is running: that can be done before and after a game")


def _free(state: TableState, side: Side | None) -> Side:
    """The side that is wanted, or any, if it is free. Raises Refusal."""
    if side is not None and side in state.seats:
        raise Refusal("seat", f"{side.word} is taken by {state.seats[side].name}")
    free = [each for each in Side if each not in state.seats] if side is None else [side]
    if not free:
        raise Refusal("seat", "both seats are taken: you can watch")
    return free[0]
