"""What clients and the server say to each other: JSON texts over a websocket, one message a frame.

Every message is an object whose ``say`` names its kind. Unknown kinds and fields are refused, as is
anything out of range: nothing behind `decode_request` has to look again. The first message of a client
is `Hello`; the server's answer is `Welcome`.

What a player does at a table is a `Command`: it names the table, an id of the client's own for the
command, and the version of the table that the client had seen. The server answers every command once
with `Done` or `Refused`; a command that comes again as it was, with its id and the version that was seen,
gets the same answer and is not done twice.
What it caused comes to everybody at the table as `News`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from dvonn_tui.tables.happenings import ClockReading, Count, Happening, Moment, ShortText, SideLetter

VERSION: Final = 1

DEFAULT_PORT: Final = 3866
"""D, V, O and N on the keys of a telephone."""

LARGEST_MESSAGE: Final = 64 * 1024
"""Bytes of a message that a client takes. What the server says is counted in bytes by `fitting` wherever it
could be longer: a column of a name can take twelve of them."""

LARGEST_REQUEST: Final = 4 * 1024
"""Bytes of a message that the server takes, unless it is set otherwise; none needs more."""

LONGEST_NAME: Final = 24
"""Columns of a name."""

LONGEST_CHAT: Final = 300
"""Columns of a line of chat."""

# `$` would let a line feed at the end through.
TableId = Annotated[str, Meta(pattern=r"^[A-Z2-9]{4,12}\Z")]
CommandId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z")]
Secret = Annotated[str, Meta(max_length=100)]
Said = Annotated[str, Meta(max_length=4_000)]
Token = Annotated[str, Meta(max_length=8)]
Level = Annotated[int, Meta(ge=1, le=10)]
GivenSeconds = Annotated[int, Meta(ge=1, le=600)]
OfferName = Annotated[str, Meta(pattern=r"^(takeback|draw|rematch|pause)\Z")]


class _Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="say", tag=True, kw_only=True):
    pass


class _Deed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=True, kw_only=True):
    pass


# What is done at a table


class Act(_Deed, frozen=True):
    """Place a piece or move a stack."""

    action: Token


class SetOption(_Deed, frozen=True):
    """``/option``"""

    option: ShortText


class Start(_Deed, frozen=True):
    """``/start``: be ready; the game begins, or an adjourned one goes on, when both are."""


class GiveUp(_Deed, frozen=True):
    """``/resign``"""


class MakeOffer(_Deed, frozen=True):
    """Offer something. What the other side offers already is accepted by it."""

    offer: OfferName


class Decline(_Deed, frozen=True):
    """Decline what the other side offers."""

    offer: OfferName


class Withdraw(_Deed, frozen=True):
    """Take one's own offer back."""

    offer: OfferName


class GiveTime(_Deed, frozen=True):
    """Give the other side more time."""

    seconds: GivenSeconds


class GoOn(_Deed, frozen=True):
    """End a pause."""


class Claim(_Deed, frozen=True):
    """Claim the game, because the other side has been away for longer than is allowed."""


class Adjourn(_Deed, frozen=True):
    """Leave the game for later, for the same reason."""


class SeatBot(_Deed, frozen=True):
    """``/bot``: an engine sits down on a free side."""

    level: Level
    side: SideLetter | None = None


class Remove(_Deed, frozen=True):
    """``/remove``: free the seat of a bot, or of somebody who is away before a game."""

    side: SideLetter | None = None


class StandUp(_Deed, frozen=True):
    """Free one's own seat. In a running game that is refused: resign, or just leave and come back."""


Deed = (
    Act
    | SetOption
    | Start
    | GiveUp
    | MakeOffer
    | Decline
    | Withdraw
    | GiveTime
    | GoOn
    | Claim
    | Adjourn
    | SeatBot
    | Remove
    | StandUp
)


def is_offer(deed: Deed, offer: str) -> bool:
    """True when a deed offers something."""
    return isinstance(deed, MakeOffer) and deed.offer == offer


# From a client


class Hello(_Message, frozen=True):
    """The first message. `client` is a secret of the installation; the server keeps a mark of it only."""

    version: Count
    name: Said
    client: Secret


class ListTables(_Message, frozen=True):
    """Ask for the tables; answered by `Tables`."""


class OpenTable(_Message, frozen=True):
    """Open a table; answered by `TableOpened` or `Refused`. Nobody sits there yet."""

    id: CommandId
    title: Said = ""
    options: tuple[ShortText, ...] = ()


class Enter(_Message, frozen=True):
    """Come to a table, to watch or to play; answered by `Entered` or `Refused`.

    With the token of a seat the client has that seat again. `since` is the last version that it has seen, and
    `at` the moment of that happening: what happened later is told. If the server has no such happening,
    because it lost what the client has seen, everything is told.
    """

    table: TableId
    token: Secret = ""
    since: Count = 0
    at: Moment = 0


class Sit(_Message, frozen=True):
    """Take a seat, a free one when no side is named; answered by `Seated` or `Refused`."""

    table: TableId
    id: CommandId
    side: SideLetter | None = None


class Command(_Message, frozen=True):
    """Do something at a table; answered by `Done` or `Refused`."""

    table: TableId
    id: CommandId
    version: Count
    deed: Deed


class Chat(_Message, frozen=True):
    """Write a line at a table, as a player or as a watcher."""

    table: TableId
    text: Said


class Leave(_Message, frozen=True):
    """Go away from a table. A player keeps his seat while a game is running."""

    table: TableId


class FetchRecord(_Message, frozen=True):
    """Ask for the record that is kept under an id; answered by `Record` or `Refused`."""

    id: CommandId
    record: ShortText


class Status(_Message, frozen=True):
    """Ask how the server is; answered by `Health`. May be the first message."""


Request = Hello | ListTables | OpenTable | Enter | Sit | Command | Chat | Leave | FetchRecord | Status

# From the server


class Welcome(_Message, frozen=True):
    """`name` is the server's; `you` the client's name as it is shown to others."""

    version: Count
    name: ShortText
    you: ShortText
    time: Moment


class TableLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A table in the list."""

    id: TableId
    title: ShortText
    stage: ShortText
    white: ShortText | None
    black: ShortText | None
    options: tuple[ShortText, ...]
    actions: Count
    watchers: Count


class Tables(_Message, frozen=True):
    """The tables, newest first; `more` says how many were left off."""

    tables: tuple[TableLine, ...]
    more: Count = 0


class TableOpened(_Message, frozen=True):
    """The answer to `OpenTable`."""

    id: CommandId
    table: TableId


class ChatLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of chat, clean. `side` is the writer's side; None for a watcher."""

    at: Moment
    name: ShortText
    side: SideLetter | None
    text: Annotated[str, Meta(max_length=1_000)]


class Entered(_Message, frozen=True):
    """The client is at the table; `side` is its seat. `news` follows the version `since`.

    `clocks` inside `news` are those of their moments; `now` is what the clocks show at this one.
    """

    table: TableId
    side: SideLetter | None
    since: Count
    news: tuple[Happening, ...]
    chat: tuple[ChatLine, ...]
    watchers: tuple[ShortText, ...]
    now: ClockReading | None = None


class Seated(_Message, frozen=True):
    """The client has a seat. Whoever shows the token has it again; it is told only here."""

    table: TableId
    id: CommandId
    side: SideLetter
    token: Secret


class News(_Message, frozen=True):
    """What happened at a table, numbered from `version` on.

    With `anew` everything is told from the first happening on: what the client has seen did not happen.
    """

    table: TableId
    version: Count
    news: tuple[Happening, ...]
    anew: bool = False


class Done(_Message, frozen=True):
    """A command was carried out; `version` is that of the table after it."""

    table: TableId
    id: CommandId
    version: Count


class Refused(_Message, frozen=True):
    """Something was not done. `reason` is for people; `code` is one of `CODES`."""

    id: CommandId | None
    code: ShortText
    reason: Annotated[str, Meta(max_length=400)]
    table: TableId | None = None
    version: Count = 0


class Written(_Message, frozen=True):
    """A line of chat at a table."""

    table: TableId
    line: ChatLine


class Watching(_Message, frozen=True):
    """Who watches a table now."""

    table: TableId
    watchers: tuple[ShortText, ...]


class Record(_Message, frozen=True):
    """The record of a game, in the native form."""

    id: CommandId
    record: ShortText
    text: Annotated[str, Meta(max_length=60_000)]


class Health(_Message, frozen=True):
    """How the server is."""

    version: Count
    name: ShortText
    seconds: Count
    tables: Count
    clients: Count
    games: Count


class Farewell(_Message, frozen=True):
    """The server closes the line; `again` says whether it makes sense to come back."""

    reason: Annotated[str, Meta(max_length=400)]
    again: bool


Answer = (
    Welcome
    | Tables
    | TableOpened
    | Entered
    | Seated
    | News
    | Done
    | Refused
    | Written
    | Watching
    | Record
    | Health
    | Farewell
)

CODES: Final = (
    "illegal",  # the rules of the game, or of the table, do not allow it
    "stale",  # made for a position gone by
    "already",  # this very action was just played
    "turn",  # not your turn
    "seat",  # a seat is wanted that the client does not have, or that is taken
    "table",  # no such table
    "limit",  # too much of something
    "hello",  # no hello yet, or a version that is not spoken here
    "unreadable",  # the message could not be read
    "trouble",  # the server cannot do it now
)

_REQUESTS: Final = msgspec.json.Decoder(Request)
_ANSWERS: Final = msgspec.json.Decoder(Answer)
_ENCODER: Final = msgspec.json.Encoder()


_Part = TypeVar("_Part", bound=Struct | str)


class Unreadable(Exception):
    """A message that says nothing that can be."""


def decode_request(text: str | bytes) -> Request:
    """A client's message. Raises Unreadable, whatever the text is."""
    try:
        return _REQUESTS.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Unreadable(str(problem)) from problem


def decode_answer(text: str | bytes) -> Answer:
    """A server's message. Raises Unreadable, whatever the text is."""
    try:
        return _ANSWERS.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Unreadable(str(problem)) from problem


def encode(message: Request | Answer) -> bytes:
    """A message as it is sent, in a text frame."""
    return _ENCODER.encode(message)


def fitting(parts: Iterable[_Part], room: int) -> tuple[_Part, ...]:
    """The first of some parts of a message: as many as take at most `room` bytes together when sent."""
    fit: list[_Part] = []
    for part in parts:
        room -= len(_ENCODER.encode(part)) + len(b",")
        if room < 0:
            break
        fit.append(part)
    return tuple(fit)
