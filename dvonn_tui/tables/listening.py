"""Where a server listens: sockets that count who comes as soon as the system hands him over.

That is before anything is encrypted or said: nothing later in the way of a connection sees those that
never come so far. Where asyncio accepts by other means, on Windows, they are not counted.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from contextlib import suppress
from typing import Any, Final

from dvonn_tui.tables.doors import Doors, address_of

_NOT_HERE: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
"""What the system says of an address of a kind that this machine does not have, such as IPv6."""


class Caller(socket.socket):
    """The socket of somebody who came; counted until it is closed."""

    doors: Doors | None = None
    address = ""

    def close(self) -> None:
        """See `socket.socket`."""
        doors, self.doors = self.doors, None
        if doors is not None:
            doors.closed(self.fileno(), self.address)
        super().close()

    def hang_up(self) -> None:
        """End the connection; the event loop notices and closes the socket."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)


class Door(socket.socket):
    """A socket that listens."""

    def __init__(self, family: int, doors: Doors) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self._doors = doors

    def accept(self) -> tuple[socket.socket, Any]:
        """See `socket.socket`. Who is one too many is closed without a word, and the next one is taken."""
        while True:
            plain, peer = super().accept()
            address = address_of(peer, None)
            caller = Caller(plain.family, plain.type, plain.proto, plain.detach())
            if self._doors.opened(caller.fileno(), address, caller.hang_up):
                caller.doors, caller.address = self._doors, address
                return caller, peer
            caller.close()


async def listen(host: str, port: int, doors: Doors) -> list[Door]:
    """Sockets bound to all addresses of a host, on one port; an empty host is all of this machine's.

    Raises:
        OSError: there is no such address here, or its port is taken.
    """
    found = await asyncio.get_running_loop().getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    listening: list[Door] = []
    missing: OSError | None = None
    for family, address in dict.fromkeys((family, address) for family, _, _, _, address in found):
        try:
            listening.append(_bound(family, (address[0], port, *address[2:]), doors))
        except OSError as problem:
            if problem.errno not in _NOT_HERE:
                for door in listening:
                    door.close()
                raise
            missing = problem
        else:
            port = listening[-1].getsockname()[1]
    if missing is not None and not listening:
        raise missing
    return listening


def _bound(family: int, address: tuple[Any, ...], doors: Doors) -> Door:
    door = Door(family, doors)
    try:
        if os.name == "posix":
            # A server that starts again does not wait for what is left of its old connections.
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        door.bind(address)
    except BaseException:
        door.close()
        raise
    return door
