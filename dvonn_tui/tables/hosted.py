"""A table in the memory of the server: how it stands, and who is there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import ChatLine, Refused, TableLine, fitting
from dvonn_tui.tables.store import CommandKey, TableEntry
from dvonn_tui.tables.table import EMPTY_TABLE, Stage, TableState, evolve
from dvonn_tui.tables.timing import Alarm

WATCHERS_BYTES: Final = 16_000
"""Bytes of the names of those who watch, in a message: 50 of the longest and widest, 600 usual ones."""

REFUSALS_KEPT: Final = 16
"""Refusals of a table that are remembered, so that a repeated command gets the same one."""


class Guest(Protocol):
    """Somebody with a line to the server.

    Attributes:
        name: as he gave it, clean; at a table he may be called a little differently.
        mark: tells his installation from others.
        address: the mark of his address.
    """

    name: str
    mark: str
    address: str

    def deliver(self, message: bytes) -> None:
        """Send a message without waiting; who does not read is dropped."""

    async def send(self, message: bytes) -> None:
        """Send a message, and wait until there is room for another one."""

    def dismiss(self, reason: str) -> None:
        """Tell him that he is not wanted any more, and close his line."""


@dataclass(slots=True, eq=False)
class Place:
    """Somebody at a table.

    Attributes:
        guest: who.
        name: how he is called at this table.
        seat: the version at which his seat was taken; 0 when he has none.
    """

    guest: Guest
    name: str
    seat: int = 0


class HostedTable:
    """A table and those who are there.

    What is done at it is done by whoever holds `lock`, in the order in which that was asked for.

    Attributes:
        entry: how it was opened.
        state: how it stands: never more than what is stored.
        last: when something last happened, in milliseconds since 1970.
        places: who is there.
        refused: the last refusals, by their commands.
        alarm: what looks at the table next, and `rings`, the monotonic reading at which it does.
        watchers_told: whether everybody knows who watches.
    """

    __slots__ = ("alarm", "entry", "last", "lock", "places", "refused", "rings", "state", "watchers_told")

    def __init__(self, entry: TableEntry) -> None:
        self.entry = entry
        self.state: TableState = EMPTY_TABLE
        self.last = entry.opened
        self.lock = asyncio.Lock()
        self.places: dict[Guest, Place] = {}
        self.refused: dict[CommandKey, Refused] = {}
        self.alarm: Alarm | None = None
        self.rings = 0.0
        self.watchers_told = True

    @property
    def id(self) -> str:
        """The name of the table in messages."""
        return self.entry.id

    def side_of(self, place: Place) -> Side | None:
        """The side on which somebody sits now; colours may have changed since he sat down."""
        if not place.seat:
            return None
        return next((side for side, seat in self.state.seats.items() if seat.since == place.seat), None)

    def place_of_seat(self, since: int) -> Place | None:
        """Who plays from a seat now; None while he is away."""
        return next((place for place in self.places.values() if place.seat == since), None)

    def here(self, side: Side) -> bool:
        """Whether somebody plays from a side's seat now; a bot always does."""
        seat = self.state.seats[side]
        return seat.level is not None or self.place_of_seat(seat.since) is not None

    def watching(self) -> list[Place]:
        """Those who have no seat."""
        return [place for place in self.places.values() if self.side_of(place) is None]

    def watchers(self) -> tuple[str, ...]:
        """The names of those who watch, as they are told: as many as fit into a message."""
        return fitting((place.name for place in self.watching()), WATCHERS_BYTES)

    def names_beside(self, guest: Guest) -> list[str]:
        """The names of all others at the table, whether they are here or away."""
        seated = [seat.name for seat in self.state.seats.values() if seat.holder != guest.mark]
        return seated + [place.name for place in self.places.values() if place.guest.mark != guest.mark]

    def reads(self, place: Place, line: ChatLine) -> bool:
        """Whether somebody reads a line of chat: players and watchers may be kept apart."""
        apart = self.state.options.chat_apart
        return not apart or (self.side_of(place) is None) == (line.side is None)

    def tell(self, message: bytes, places: Iterable[Place] | None = None) -> None:
        """Send a message to everybody, or to some; nobody waits for anybody."""
        for place in list(self.places.values() if places is None else places):
            place.guest.deliver(message)

    def remember(self, key: CommandKey, refusal: Refused) -> None:
        """Keep the refusal of a command, and not too many."""
        self.refused[key] = refusal
        while len(self.refused) > REFUSALS_KEPT:
            del self.refused[next(iter(self.refused))]

    def line(self) -> TableLine:
        """The table in the list of tables."""
        state = self.state
        white, black = (state.seats[side].name if side in state.seats else None for side in Side)
        return TableLine(
            id=self.id,
            title=state.title,
            stage=str(state.stage),
            white=white,
            black=black,
            options=state.options.texts(),
            actions=state.actions,
            watchers=len(self.watching()),
        )

    def life(self, limits: Limits) -> float:
        """For how many seconds after `last` the table stays open as it is now."""
        longest = limits.idle_days * 86_400
        if any(place.seat for place in self.places.values()) or self.state.in_game:
            return longest
        over = self.state.stage is Stage.OVER
        short = limits.over_hours * 3600 if over else limits.idle_minutes * 60
        return longest if self.places and not over else min(short, longest)


def folded(state: TableState, events: Sequence[Happening], now: float) -> TableState:
    """A table after some happenings. Raises DvonnError or ValueError as `evolve` does."""
    for event in events:
        state = evolve(state, event, now)
    return state
