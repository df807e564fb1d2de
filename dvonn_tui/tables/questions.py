"""What was asked of a server, who waits for the answer, and how long answers take."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from dvonn_tui.tables import protocol
from dvonn_tui.tables.protocol import Answer, Request

LISTING: Final = "the list of tables"
"""The key of the one question that has neither an id nor a table."""

_TRIPS: Final = 8
"""Round trips that are remembered."""


class LinkTrouble(Exception):
    """What was asked for could not be had.

    Attributes:
        reason: why, in words for people, clean.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Questions:
    """Joins questions with their answers, by keys: the id of a request, or what `key_of` gives."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now` is a monotonic clock, in seconds."""
        self._now = now
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._asked_at: dict[str, float] = {}
        self._trips: deque[float] = deque(maxlen=_TRIPS)

    def sent(self, request: Request) -> None:
        """A question goes out."""
        key = key_of(request)
        if key:
            self._asked_at.setdefault(key, self._now())

    def is_open(self, key: str) -> bool:
        """True when a question was sent on this line and is not answered."""
        return key in self._asked_at

    def came(self, answer: Answer) -> None:
        """Something came in; if it is an answer, it tells how long the way there and back is."""
        asked = self._asked_at.pop(key_of(answer), None)
        if asked is not None:
            self.took(self._now() - asked)

    def took(self, seconds: float) -> None:
        """A message and its answer took so long."""
        self._trips.append(max(seconds, 0.0))

    def closed(self, key: str) -> None:
        """A question was refused."""
        self._asked_at.pop(key, None)

    @property
    def way(self) -> float:
        """How many seconds a message takes one way: half of the shortest of the last round trips."""
        return min(self._trips, default=0.0) / 2

    def wait_for(self, key: str) -> tuple[asyncio.Future[Any], bool]:
        """What the answer will be put into, and True when nobody has asked for it yet."""
        future = self._waiting.get(key)
        if future is not None:
            return future, False
        future = self._waiting[key] = asyncio.get_running_loop().create_future()
        return future, True

    def waits(self, key: str) -> bool:
        """True when somebody waits for an answer."""
        return key in self._waiting

    def answer(self, key: str, answer: Answer) -> None:
        """Give an answer to whoever waits for it."""
        future = self._waiting.pop(key, None)
        if future is not None and not future.done():
            future.set_result(answer)

    def fail(self, key: str, reason: str) -> None:
        """Tell whoever waits for an answer that there will be none."""
        self._asked_at.pop(key, None)
        future = self._waiting.pop(key, None)
        if future is not None and not future.done():
            future.set_exception(LinkTrouble(reason))
            future.exception()  # whoever waited may have gone

    def give_up(self, reason: str) -> None:
        """Nobody answers what was asked on a line that is gone."""
        self._asked_at.clear()
        for key in tuple(self._waiting):
            self.fail(key, reason)


def entering_key(table: str) -> str:
    """The key of the question to come to a table."""
    return f"enter {table}"


def key_of(message: Request | Answer) -> str:
    """By what a request and its answer are known to belong together; empty for other messages."""
    match message:
        case protocol.ListTables() | protocol.Tables():
            return LISTING
        case protocol.Enter(table=table) | protocol.Entered(table=table):
            return entering_key(table)
        case (
            protocol.OpenTable(id=id_)
            | protocol.TableOpened(id=id_)
            | protocol.FetchRecord(id=id_)
            | protocol.Record(id=id_)
            | protocol.Command(id=id_)
            | protocol.Done(id=id_)
            | protocol.Sit(id=id_)
            | protocol.Seated(id=id_)
        ):
            return id_
    return ""
