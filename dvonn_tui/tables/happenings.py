"""What happens at a table, past tense: the log of a table, stored by the server and sent to everybody.

A table's happenings are numbered from 1 without a gap; the number is the table's version. They are
facts: `dvonn_tui.tables.table.evolve` folds them without asking a rule, at the server and in every
client. There is nothing secret in them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Moment = Annotated[int, Meta(ge=0, le=1 << 53)]
"""Milliseconds since 1970-01-01 00:00 UTC, by the server's clock. For people; no time is counted by it."""

Milliseconds = Annotated[int, Meta(ge=0, le=1 << 40)]
Count = Annotated[int, Meta(ge=0, le=1 << 31)]
SideLetter = Annotated[str, Meta(pattern=r"^[wb]\Z")]
ShortText = Annotated[str, Meta(max_length=200)]


class ClockReading(Struct, frozen=True, forbid_unknown_fields=True):
    """What both clocks show at a moment, in milliseconds, and which of them runs."""

    white: Milliseconds
    black: Milliseconds
    running: SideLetter | None = None
    grace: Milliseconds = 0


class _Happening(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag=True, kw_only=True):
    at: Moment
    clocks: ClockReading | None = None
    """What the clocks show from now on; None when the happening leaves them alone, or there are none."""


class Opened(_Happening, frozen=True):
    """Somebody opened the table."""

    title: ShortText
    options: tuple[ShortText, ...]


class OptionSet(_Happening, frozen=True):
    """An option was set: a text that `dvonn_tui.tables.options.with_option` reads."""

    by: SideLetter
    option: ShortText


class SeatTaken(_Happening, frozen=True):
    """Somebody sat down.

    `holder` is a mark of the client that holds the seat, worthless to anybody else; of a bot it is
    empty, and `level` is there.
    """

    side: SideLetter
    name: ShortText
    holder: ShortText = ""
    level: Count | None = None


class SeatLeft(_Happening, frozen=True):
    """A seat is free again. `by` is the side that freed it, if it was not the holder."""

    side: SideLetter
    by: SideLetter | None = None


class Readied(_Happening, frozen=True):
    """A player said ``/start``."""

    side: SideLetter


class Began(_Happening, frozen=True):
    """A game began: the first, or a rematch. Seats may have changed colours with it."""

    number: Count
    setup: ShortText
    seed: Count | None
    white: ShortText
    black: ShortText
    exchanged: bool = False


class Acted(_Happening, frozen=True):
    """A side placed a piece or moved a stack; `action` is the token. `spent` is the time it took, a
    delay included and halts left out; 0 when time is not counted."""

    by: SideLetter
    action: ShortText
    spent: Milliseconds = 0


class Ended(_Happening, frozen=True):
    """A game ended by what is not on the board: resignation, agreement, time or absence."""

    reason: ShortText
    winner: SideLetter | None


class TakenBack(_Happening, frozen=True):
    """The last actions were taken back, so many; `position` is the one-line text of where the game
    stands again."""

    actions: Count
    position: ShortText


class Offered(_Happening, frozen=True):
    """A side offered something: ``takeback``, ``draw``, ``rematch`` or ``pause``."""

    by: SideLetter
    offer: ShortText


class Withdrawn(_Happening, frozen=True):
    """An offer is off: its own side took it back, or the other declined it."""

    by: SideLetter
    offer: ShortText
    declined: bool = False


class TimeGiven(_Happening, frozen=True):
    """A side gave the other time."""

    by: SideLetter
    given: Milliseconds


class Paused(_Happening, frozen=True):
    """Both agreed to a pause; the clocks stand still."""


class Resumed(_Happening, frozen=True):
    """The game goes on, after a pause or an adjournment."""


class WentAway(_Happening, frozen=True):
    """The line to a player is cut. While it is his turn his clock stands still, within his allowance."""

    side: SideLetter


class CameBack(_Happening, frozen=True):
    """A player is there again; `absence` is how long this game has waited for him in all."""

    side: SideLetter
    absence: Milliseconds


class AbsenceSpent(_Happening, frozen=True):
    """A player's allowance of absence is used up: his clock runs, and the other may claim or adjourn."""

    side: SideLetter


class Adjourned(_Happening, frozen=True):
    """The game is left for later; it goes on when both players say ``/start``."""

    by: SideLetter | None = None


class RecordKept(_Happening, frozen=True):
    """The record of the game that has just ended is kept under an id."""

    id: ShortText


class Closed(_Happening, frozen=True):
    """The table is gone."""

    reason: ShortText


Happening = (
    Opened
    | OptionSet
    | SeatTaken
    | SeatLeft
    | Readied
    | Began
    | Acted
    | Ended
    | TakenBack
    | Offered
    | Withdrawn
    | TimeGiven
    | Paused
    | Resumed
    | WentAway
    | CameBack
    | AbsenceSpent
    | Adjourned
    | RecordKept
    | Closed
)
