"""Who comes in: connections are counted, in all and by address, before anything is read from them."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import Final, Protocol

from dvonn_tui.tables.limits import Bucket, Limits

ADDRESSES_KEPT: Final = 4_096
"""Addresses whose arrivals are counted before those are forgotten that came long ago."""

UNANSWERED: Final = 2
"""With more than so many times `Limits.connections` open, those are closed that have waited longest to be let
in."""


class Caller(Protocol):
    """Somebody at the door."""

    def turn_away(self) -> None:
        """Close the connection at once, without a word."""


class Doors:
    """Counts connections: from the moment they are opened, and again once they are let in.

    Attributes:
        gone: how many have been closed, ever.
    """

    def __init__(self, limits: Limits, sockets: int | None = None) -> None:
        """With nobody inside. `sockets` is how many the system allows, if that is less than is wanted."""
        wanted = limits.connections * UNANSWERED
        self.gone = 0
        self._most = wanted if sockets is None else min(wanted, sockets)
        self._limits = limits
        self._waiting: dict[Caller, str] = {}  # the oldest first, and the address of each
        self._inside: dict[Caller, str] = {}
        self._waiting_from: Counter[str] = Counter()
        self._inside_from: Counter[str] = Counter()
        self._arrivals: dict[str, Bucket] = {}

    @property
    def sockets(self) -> int:
        """How many connections are open, those included that have said nothing yet."""
        return len(self._waiting) + len(self._inside)

    def came(self, caller: Caller, address: str) -> None:
        """Somebody opened a connection and has said nothing yet.

        He is turned away when as many wait already from his address as may be inside from it. When far too
        many are open in all, whoever has waited longest is: he has had his time to say something.

        Args:
            caller: who.
            address: from where, as `address_of` tells it; empty when that is not known yet.
        """
        if address and self._waiting_from[address] >= self._limits.connections_address:
            caller.turn_away()
            return
        self._waiting[caller] = address
        self._waiting_from[address] += 1
        if self.sockets > self._most:
            longest = next(iter(self._waiting))
            self._waits_no_more(longest)
            longest.turn_away()

    def refusal(self, caller: Caller, address: str, now: float) -> str | None:
        """Why somebody from an address cannot come in, in words; else None, and he is inside."""
        limits = self._limits
        if len(self._inside) >= limits.connections:
            return "the server is full: try again later"
        if self._inside_from[address] >= limits.connections_address:
            return f"there are {limits.connections_address} connections from your address, which is the most"
        if not self._bucket(address, now).allows(now):
            return "too many connections from your address: wait a moment"
        self._waits_no_more(caller)
        self._inside[caller] = address
        self._inside_from[address] += 1
        return None

    def left(self, caller: Caller) -> None:
        """Somebody has gone, whether he was let in or not."""
        self.gone += 1
        self._waits_no_more(caller)
        _take_out(caller, self._inside, self._inside_from)

    def _waits_no_more(self, caller: Caller) -> None:
        _take_out(caller, self._waiting, self._waiting_from)

    def _bucket(self, address: str, now: float) -> Bucket:
        bucket = self._arrivals.get(address)
        if bucket is None:
            if len(self._arrivals) >= ADDRESSES_KEPT:
                self._arrivals = {kept: each for kept, each in self._arrivals.items() if not each.full(now)}
            bucket = Bucket(self._limits.arrivals / 60, self._limits.arrivals, now)
            self._arrivals[address] = bucket
        return bucket


def _take_out(caller: Caller, callers: dict[Caller, str], by_address: Counter[str]) -> None:
    """Somebody is not among some callers any more, if he was."""
    address = callers.pop(caller, None)
    if address is None:
        return
    by_address[address] -= 1
    if by_address[address] <= 0:
        del by_address[address]


def address_of(peer: object, forwarded: str | None) -> str:
    """What counts as one address: of IPv6 the first 64 bits, which belong to one household.

    Args:
        peer: what the socket says of the other end.
        forwarded: the value of ``X-Forwarded-For``, when a proxy is trusted; its last address is the one
            that the proxy has seen.
    """
    text = str(peer[0]) if isinstance(peer, tuple) and peer else ""
    if forwarded:
        text = forwarded.rpartition(",")[2].strip()
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    return str(address)
