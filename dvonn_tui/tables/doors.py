"""Who comes in: connections are counted, in all and by address, before anything is read from them.

They are counted twice: their sockets from the first moment on, and those that have asked to be let in.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import Final

from dvonn_tui.tables.limits import Bucket, Limits

ADDRESSES_KEPT: Final = 4_096
"""Addresses whose arrivals are counted before those are forgotten that came long ago."""

UNANSWERED: Final = 2
"""More sockets than so many times `Limits.connections`, in all, or so many times
`Limits.connections_address`, from one address, are closed without an answer."""

CLOSING_SOCKETS: Final = 50
"""Sockets of those who were sent away and are about to be closed, at most."""


class Doors:
    """Counts connections.

    Attributes:
        sockets: how many are open, those included that have said nothing yet.
        most: how many of them there may be.
        gone: how many connections have been closed, ever.
    """

    def __init__(self, limits: Limits) -> None:
        """With nobody inside."""
        self.sockets = 0
        self.most = limits.connections * UNANSWERED
        self.gone = 0
        self._limits = limits
        self._inside: Counter[str] = Counter()
        self._sockets_of: Counter[str] = Counter()
        self._mute: dict[int, Callable[[], None]] = {}  # who has not asked to be let in, oldest first
        self._arrivals: dict[str, Bucket] = {}

    def opened(self, socket: int, address: str, hang_up: Callable[[], None]) -> bool:
        """Somebody has come, and is counted; False when there is no room for him.

        If there are too many in all, he takes the place of who has been here longest without a word: those
        who hold sockets open cannot keep out who has something to say.

        Args:
            socket: the number of his socket.
            address: from where he comes; behind a proxy all come from there.
            hang_up: sends him away; his socket is closed soon after.
        """
        limits = self._limits
        by_address = limits.connections_address * UNANSWERED
        if not limits.address_from_proxy and self._sockets_of[address] >= by_address:
            return False
        if self.sockets >= self.most:
            if not self._mute or self.sockets >= self.most + CLOSING_SOCKETS:
                return False
            self._mute.pop(next(iter(self._mute)))()
        self.sockets += 1
        self._sockets_of[address] += 1
        self._mute[socket] = hang_up
        return True

    def heard(self, socket: int) -> None:
        """Somebody has asked to be let in."""
        self._mute.pop(socket, None)

    def closed(self, socket: int, address: str) -> None:
        """The socket of somebody is closed."""
        self.sockets -= 1
        self._mute.pop(socket, None)
        self._sockets_of[address] -= 1
        if self._sockets_of[address] <= 0:
            del self._sockets_of[address]

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
