"""What happens and what is so at a table, in words. Names come clean from the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.options import DEFAULT_OPTIONS, TableOptions, shown_option, with_option
from dvonn_tui.tables.table import Offer, Stage, TableState
from dvonn_tui.tables.words import deed_words

if TYPE_CHECKING:
    from dvonn_tui.tables.remote import RemoteTable

Names = Mapping[Side, str]

OFFER_WORDS: Final = {
    Offer.TAKEBACK: "to take the last move back",
    Offer.DRAW: "a draw",
    Offer.REMATCH: "a rematch",
    Offer.PAUSE: "a pause",
}

SEAT_GIVEN_UP: Final = "Your seat becomes free, and somebody else can sit down there."
"""What leaving means for a player when no game goes on."""

FOR_THIS_MACHINE: Final = (
    "for this machine alone: for others put its own address there, as dvonn-tui host --bind 0.0.0.0 tells it"
)
"""What is said of an invitation that leads everybody to his own machine."""

WIDE: Final = 200
"""Columns in which every sentence has room."""

STAGE_WORDS: Final = {
    Stage.OPEN: "waiting",
    Stage.PLAYING: "playing",
    Stage.PAUSED: "paused",
    Stage.ADJOURNED: "adjourned",
    Stage.OVER: "over",
    Stage.CLOSED: "closed",
}


def names_of(state: TableState) -> dict[Side, str]:
    """Who sits on each side; the word of the side where nobody does."""
    return {side: state.seats[side].name if side in state.seats else side.word for side in Side}


def options_of(texts: tuple[str, ...]) -> TableOptions:
    """The options of texts as a table's list tells them; what cannot be read is left as usual."""
    options = DEFAULT_OPTIONS
    for text in texts:
        try:
            options = with_option(options, text)
        except ValueError:
            continue
    return options


def happening_words(event: Happening, before: Names, after: Names, own: Side | None) -> str:
    """What happened, in a short sentence; empty for what the board and its log show.

    `before` and `after` are the names at the table then and now; `own` is one's own side.
    """

    def who(letter: str | None, names: Names = before) -> str:
        return "Somebody" if letter is None else names[Side(letter)]

    match event:
        case happened.SeatTaken(side=side, level=level):
            plays = "" if level is None else f", level {level},"
            return f"{who(side, after)}{plays} takes {Side(side).word}"
        case happened.SeatLeft(side=side, by=by):
            if by is not None and by != side:
                return f"{who(by)} frees {Side(side).word}'s seat"
            return f"{who(side)} leaves {Side(side).word}'s seat"
        case happened.OptionSet(by=by, option=option):
            return f"{who(by)} sets: {shown_option(option)}"
        case happened.Readied(side=side):
            return f"{who(side)} is ready"
        case happened.Began(number=number, exchanged=exchanged):
            return f"Game {number} begins{', colours changed' if exchanged else ''}"
        case happened.Offered(by=by, offer=offer):
            return f"{who(by)} offers {OFFER_WORDS[Offer(offer)]}"
        case happened.Withdrawn(by=by, offer=offer, declined=declined):
            what = OFFER_WORDS[Offer(offer)]
            if declined:
                return f"{who(Side(by).other)} declines {_short(what)}"
            return f"{who(by)} takes the offer of {_short(what)} back"
    return _later_words(event, before, own)


def _later_words(event: Happening, names: Names, own: Side | None) -> str:
    match event:
        case happened.TakenBack(actions=actions):
            return "The last move is taken back" if actions == 1 else f"{actions} moves are taken back"
        case happened.TimeGiven(by=by, given=given):
            return f"{names[Side(by)]} gives {names[Side(by).other]} {given / 1000:g} s"
        case happened.Paused():
            return "The game is paused: /goon goes on"
        case happened.Resumed():
            return "The game goes on"
        case happened.WentAway(side=side):
            return "" if own is Side(side) else f"{names[Side(side)]} is away: the line is cut"
        case happened.CameBack(side=side):
            return "You are back" if own is Side(side) else f"{names[Side(side)]} is back"
        case happened.AbsenceSpent(side=side):
            return f"{names[Side(side)]} has been away too long: the clock runs"
        case happened.Adjourned(by=by):
            who = "The game" if by is None else f"{names[Side(by)]}: the game"
            return f"{who} is adjourned; it goes on when both say /start"
        case happened.RecordKept(id=record):
            return f"The record is kept: /record {record} opens it"
        case happened.Closed(reason=reason):
            return f"The table is closed: {reason}"
        case happened.Ended(reason=reason, winner=winner):
            return _end_words(reason, winner, names)
    return ""


def _end_words(reason: str, winner: str | None, names: Names) -> str:
    if winner is None:
        return "A draw is agreed"
    loser = names[Side(winner).other]
    told = {
        Reason.RESIGNATION: "resigns",
        Reason.TIME: "is out of time",
        Reason.ABSENCE: "stayed away: the game is claimed",
    }
    return f"{loser} {told.get(Reason(reason), reason)}"


def _short(what: str) -> str:
    return what.removeprefix("a ").removeprefix("to take the last move back") or "a takeback"


def absence_words(state: TableState, side: Side, now: float) -> str:
    """How long the game has waited for a side that is away, and how long it may: ``away 0:35 of 5:00``.

    While it is not its turn, or no game is played, nobody waits: then only that it is away, and how long.
    """
    if side not in state.away:
        return ""
    if side in state.absence_spent:
        return "away too long"
    if state.waits_for is side:
        waited = int(state.absence_of(side, now))
        return f"away {waited // 60}:{waited % 60:02} of {state.options.absence}:00"
    gone = max(int(now - state.away_since[side]), 0)
    return f"away {gone // 60}:{gone % 60:02}"


def seat_lines(state: TableState, own: Side | None) -> list[str]:
    """A line for each side of a table before a game: who sits there, and whether he is ready."""
    lines = []
    for side in Side:
        seat = state.seats.get(side)
        if seat is None:
            lines.append(f"{side.word}: free")
            continue
        told = seat.name if seat.level is None else f"{seat.name} (level {seat.level})"
        told += " (you)" if side is own else ""
        told += ", away" if side in state.away else ", ready" if side in state.ready else ""
        lines.append(f"{side.word}: {told}")
    return lines


def what_next(state: TableState, own: Side | None, columns: int = WIDE) -> str:
    """What one can do at a table at which no game runs, in one sentence; empty while a game runs.

    The sentence is the longest one that so many columns hold, else the shortest there is.
    """
    forms = _what_next(state, own)
    return next((form for form in forms if cell_len(form) <= columns), forms[-1])


def _what_next(state: TableState, own: Side | None) -> tuple[str, ...]:
    """What `what_next` says, the longest form first. The shortest fits the smallest screen."""
    if state.stage is Stage.CLOSED:
        return ("the table is closed: ctrl+t leaves it",)
    if state.stage is Stage.ADJOURNED:
        if own is None or own in state.ready:
            return ("adjourned: it goes on when both players say /start", "adjourned until both say /start")
        return (
            "adjourned: enter, or /start, and it goes on when the other side is ready too",
            "adjourned: enter, or /start, when you are ready",
        )
    if state.in_game:
        return ("",)
    free = [side for side in Side if side not in state.seats]
    words = " and ".join(side.word for side in free)
    if own is None:
        if free and state.stage is Stage.OVER:
            return (f"{words} free: /join sits down",)
        if free:
            return (f"{words} free: enter, or /join, sits down",)
        return ("you watch: the game begins when both players are ready", "you watch: both have to be ready")
    if state.stage is Stage.OVER and not free and own not in state.ready:
        return (
            "/rematch offers another game with colours changed, /start one as it was",
            "/rematch changes colours, /start keeps them",
        )
    if free:
        return (
            "waiting for somebody to sit down; & copies the invitation, /bot 3 seats an engine",
            "waiting for somebody: & copies the invitation, /bot 3 an engine",
            "a seat is free: & invites, /bot 3 seats an engine",
        )
    if own in state.ready:
        name = state.seats[own.other].name
        return (f"you are ready; waiting for {name}", "you are ready, the other is not")
    return (
        "enter, or /start, when you are ready; /option says what can be set",
        "enter, or /start, when you are ready",
    )


def leaving_words(table: RemoteTable | None) -> str:
    """What becomes of one's own game at a table when one leaves, and the way back; empty for a watcher and
    when no game is played."""
    if table is None or table.side is None or not table.state.in_game:
        return ""
    stays = (
        "stays yours"
        if table.seat_outlives
        else "stays yours as long as this program runs (it was not saved)"
    )
    told = f"The game goes on, and your seat {stays}. Back to it:  {table.invite}"
    if table.sending is None:
        return told
    return f"The server has not confirmed {deed_words(table.sending)}: it may be lost. {told}"
