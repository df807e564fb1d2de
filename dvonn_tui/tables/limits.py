"""What a server of tables allows: one value, each of its numbers with a range and a safe default.

The defaults suit a club of some hundred people. A file changes them::

    [limits]
    connections_address = 500    # a school behind one address
    idle_days = 30
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from dvonn_tui.clean import clean_line
from dvonn_tui.tables.protocol import LARGEST_REQUEST, LONGEST_CHAT, LONGEST_NAME

TABLE: Final = "limits"

LARGEST_FILE: Final = 100_000
"""Bytes of a file of limits."""


def _limit(default: float, least: float, most: float, what: str) -> Any:
    """A number that can be set; it is a whole one when its default is."""
    return field(default=default, metadata={"least": least, "most": most, "what": what})


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server allows. Every field says in its metadata what it is, in which unit, and its range."""

    message: int = _limit(LARGEST_REQUEST, 1024, 65_536, "bytes of a message from a client")
    rate: float = _limit(20.0, 1, 10_000, "messages a second from a client, in the long run")
    burst: int = _limit(40, 5, 10_000, "messages that may come at once")
    slowed: float = _limit(
        10.0, 1, 600, "seconds for which a client that sends more is read slowly; then it is dropped"
    )
    connections: int = _limit(1_000, 1, 100_000, "connections in all")
    connections_address: int = _limit(50, 1, 100_000, "connections from one address")
    arrivals: int = _limit(120, 1, 1_000_000, "new connections a minute from one address")
    address_from_proxy: bool = field(
        default=False,
        metadata={
            "what": "true behind a proxy of your own: a client's address is the last of X-Forwarded-For"
        },
    )
    hello: float = _limit(10.0, 1, 120, "seconds in which a client has to introduce itself")
    ping: float = _limit(20.0, 1, 600, "seconds between two signs of life that are asked of a client")
    ping_timeout: float = _limit(20.0, 1, 600, "seconds to wait for one")
    queue: int = _limit(
        65_536, 65_536, 1 << 24, "bytes that may wait for a client; one that reads too slowly is dropped"
    )
    tables: int = _limit(2_000, 1, 100_000, "tables in all")
    tables_address: int = _limit(20, 1, 100_000, "tables opened from one address")
    tables_client: int = _limit(5, 1, 100_000, "tables opened by one client")
    at_tables: int = _limit(10, 1, 1_000, "tables at which a connection is at once")
    watchers: int = _limit(50, 0, 200, "watchers of a table")
    happenings: int = _limit(
        5_000, 500, 100_000, "happenings of a table, after which no other game begins at it"
    )
    name: int = _limit(LONGEST_NAME, 3, LONGEST_NAME, "columns of a name")
    title: int = _limit(40, 3, 60, "columns of a table's title")
    chat: int = _limit(LONGEST_CHAT, 20, 300, "columns of a line of chat")
    chat_minute: int = _limit(30, 1, 1_000, "lines of chat a minute from a client")
    chat_kept: int = _limit(200, 0, 5_000, "lines of chat kept of a table")
    bots: int = _limit(1, 0, 64, "engines that think at the same time, a process each")
    records: int = _limit(50_000, 0, 10_000_000, "records of games kept; the oldest go first")
    idle_minutes: float = _limit(
        30.0, 0.1, 1e6, "minutes after which a table without a game is closed when nobody is there"
    )
    over_hours: float = _limit(24.0, 0.1, 1e6, "hours after which a table whose game is over is closed")
    idle_days: float = _limit(7.0, 0.1, 1e4, "days without a move after which any table is closed")


DEFAULT_LIMITS: Final = Limits()


class LimitsFault(Exception):
    """A file of limits cannot be used. The text says which, where and why, clean and in one line."""


def read_limits(path: Path) -> Limits:
    """The limits of a file; what it does not set has its default.

    A server that was told its limits must not run without them, so that nothing is passed over.

    Raises:
        LimitsFault: the file cannot be read, or something in it is wrong.
    """
    shown = clean_line(str(path), 200)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise LimitsFault(f"{shown}: larger than {LARGEST_FILE} bytes")
        parsed = tomllib.loads(content.decode("utf-8-sig"))
    except OSError as problem:
        raise LimitsFault(f"{shown}: {problem.strerror or 'cannot be read'}") from problem
    except UnicodeDecodeError as problem:
        raise LimitsFault(f"{shown}: not UTF-8") from problem
    except (ValueError, RecursionError) as problem:
        raise LimitsFault(f"{shown}: not TOML: {clean_line(str(problem), 100)}") from problem
    other = [key for key in parsed if key != TABLE]
    if other:
        raise LimitsFault(f"{shown}: unknown name {clean_line(other[0])}; known is the table [{TABLE}]")
    try:
        return limits_from(parsed.get(TABLE, {}))
    except ValueError as problem:
        raise LimitsFault(f"{shown}: {problem}") from problem


def limits_from(values: object) -> Limits:
    """The limits of a parsed table. Raises ValueError with the key, what is wrong and what is allowed."""
    if not isinstance(values, Mapping):
        raise ValueError(f"{TABLE} is no table: it begins with a line [{TABLE}]")
    known = {each.name: each for each in fields(Limits)}
    chosen: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise ValueError(f"unknown name {clean_line(str(key))}; known are {', '.join(known)}")
        chosen[key] = _checked(key, value, known[key].default, known[key].metadata)
    return Limits(**chosen)


def _checked(key: str, value: object, default: object, about: Mapping[str, Any]) -> object:
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        raise ValueError(f"{key} is true or false, not {clean_line(str(value))}")
    least, most = about["least"], about["most"]
    allowed = f"a number from {least:g} to {most:g}: {about['what']}"
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ValueError(f"{key} is {clean_line(str(value))}; it can be {allowed}")
    if isinstance(default, int) and value != int(value):
        raise ValueError(f"{key} is {value:g}; it can be {allowed}, whole")
    return int(value) if isinstance(default, int) else float(value)


class Bucket:
    """Counts how much of something comes: so much at once, so much a second in the long run.

    It holds `burst` at first, and is filled again by `rate` a second. What is spent beyond that is a
    debt, which the same rate pays off.
    """

    __slots__ = ("_at", "_burst", "_level", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._at = now

    def spend(self, now: float, cost: float = 1.0) -> float:
        """Take something out, and tell for how many seconds one has to wait until the debt is paid: 0
        when there is none."""
        self._level = min(self._level + (now - self._at) * self._rate, self._burst) - cost
        self._at = now
        return max(-self._level, 0.0) / self._rate

    @property
    def overdrawn(self) -> bool:
        """True when there was a debt when something was last taken out."""
        return self._level < 0

    def full(self, now: float) -> bool:
        """True when as much is in it as at first."""
        return self._level + (now - self._at) * self._rate >= self._burst

    def allows(self, now: float, cost: float = 1.0) -> bool:
        """Take something out if it is there; else everything stays."""
        if self.spend(now, cost) <= 0:
            return True
        self._level += cost
        return False
