"""Who comes in: connections are counted, in all and by address, before anything is read from them."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import Final

from dvonn_tui.tables.limits import Bucket, Limits

ADDRESSES_KEPT: Final = 4_096
"""Addresses whose arrivals are counted before those are forgotten that came long ago."""

UNANSWERED: Final = 2
"""More than so many times `Limits.connections` are closed without an answer."""


class Doors:
    """Counts connections.

    Attributes:
        sockets: how many are open, those included that have said nothing yet.
        gone: how many have been closed, ever.
    """

    def __init__(self, limits: Limits) -> None:
        """With nobody inside."""
        self.sockets = 0
        self.gone = 0
        self._limits = limits
        self._inside: Counter[str] = Counter()
        self._arrivals: dict[str, Bucket] = {}

    @property
    def overrun(self) -> bool:
        """True when there are so many sockets that another one is not even answered."""
        return self.sockets > self._limits.connections * UNANSWERED

    def refusal(self, address: str, now: float) -> str | None:
        """Why somebody from an address cannot come in, in words; else None, and he is counted."""
        limits = self._limits
        if self._inside.total() >= limits.connections:
            return "the server is full: try again later"
        if self._inside[address] >= limits.connections_address:
            return f"there are {limits.connections_address} connections from your address, which is the most"
        if not self._bucket(address, now).allows(now):
            return "too many connections from your address: wait a moment"
        self._inside[address] += 1
        return None

    def left(self, address: str) -> None:
        """Somebody who was let in has gone."""
        self._inside[address] -= 1
        if self._inside[address] <= 0:
            del self._inside[address]

    def _bucket(self, address: str, now: float) -> Bucket:
        bucket = self._arrivals.get(address)
        if bucket is None:
            if len(self._arrivals) >= ADDRESSES_KEPT:
                self._arrivals = {kept: each for kept, each in self._arrivals.items() if not each.full(now)}
            bucket = Bucket(self._limits.arrivals / 60, self._limits.arrivals, now)
            self._arrivals[address] = bucket
        return bucket


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
