"""The line to one client: what it may send and how fast, and what waits to be sent to it.

What comes in is counted frame by frame before anybody looks into it. A client that sends more than it may
is read as fast as it may and no faster; one that goes on, or that floods, is dropped. What goes out never
makes anybody wait: it is handed to the operating system, and when more than `Limits.queue` bytes wait
there to be taken, the client is dropped.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import DATA_OPCODES, CloseCode, Frame, Opcode
from websockets.protocol import State

from dvonn_tui.tables.doors import Doors, address_of
from dvonn_tui.tables.limits import Bucket, Limits
from dvonn_tui.tables.protocol import Farewell, encode
from dvonn_tui.tables.timing import TimeSource

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from websockets.http11 import Request, Response

PIECE: Final = 1024
"""Bytes that are taken apart at a time: about 170 of the smallest frames."""

READ_AT_ONCE: Final = 16_384
"""Bytes that are taken from the system at a time."""

FLOOD: Final = 4
"""A client that is ahead of what it may send by so many times `Limits.burst` is dropped at once."""

CLOSING: Final = 0.7
"""Seconds that a client has to say farewell as well."""

PATIENCE_BACK: Final = 0.1
"""Seconds of slow reading that are forgotten in a second."""


Hearer = Callable[[bytes], "asyncio.Task[None] | None"]
"""Begins to handle a message; what is left of that to be done is the task, if anything is."""


class House(Protocol):
    """What a line belongs to."""

    limits: Limits
    clock: TimeSource
    doors: Doors
    tls: ssl.SSLContext | None

    def dropped(self, line: Line, why: str) -> None:
        """A line was cut off by the server; `why` is a word for the log."""

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Let something be done beside."""

    def speaks(self, line: Line) -> None:
        """Something waits to be sent on a line: call `Line.send_out` soon."""

    def send_out(self) -> None:
        """Send what waits, on all lines."""


class Line(ServerConnection):
    """A connection that counts what comes in.

    Attributes:
        address: from where it comes, once that is known and it was let in; else empty.
    """

    def __init__(self, house: House, *arguments: Any, **named: Any) -> None:
        """For a house; the rest is what `ServerConnection` wants."""
        super().__init__(*arguments, **named)
        now = house.clock.now()
        self.address = ""
        self._house = house
        self._begun = self._lost = self._ended = False
        self._held = bytearray()
        self._outgoing: list[bytes] = []
        self._waiting = False
        self._hearer: Hearer | None = None
        self._idle = self._first = False
        self._rest: asyncio.Task[None] | None = None
        self._bucket = Bucket(house.limits.rate, house.limits.burst, now)
        self._patience = Bucket(PATIENCE_BACK, house.limits.slowed, now)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`. It is counted at once; only then it is encrypted, where it has to be."""
        self._opened_by = cast(asyncio.Transport, transport)
        # The event loop's own transports make room for that much before each reading, 256 KiB: so much is
        # asked of the system and given back every time, which takes longer than the reading.
        if hasattr(transport, "max_size"):
            transport.max_size = READ_AT_ONCE
        own = transport.get_extra_info("socket")
        if own is not None:
            # What the system keeps for a client that does not read is bounded as well.
            with suppress(OSError):
                own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._house.limits.queue)
        # A trusted proxy tells the address with the request.
        proxied = self._house.limits.address_from_proxy
        address = "" if proxied else address_of(transport.get_extra_info("peername"), None)
        self._house.doors.came(self, address)
        if self._opened_by.is_closing():
            return
        if self._house.tls is None:
            self._begin(self._opened_by)
        else:
            # What comes early is held back until the line has begun.
            self._waiting = True
            self._opened_by.pause_reading()
            self._house.spawn(self._encrypt(self._opened_by, self._house.tls))

    async def _encrypt(self, transport: asyncio.Transport, tls: ssl.SSLContext) -> None:
        """Agree with the client on a secret, within the time for a hello, and begin then."""
        encrypted = None
        with suppress(OSError):
            encrypted = await self.loop.start_tls(
                transport,
                self,
                tls,
                server_side=True,
                ssl_handshake_timeout=self._house.limits.hello,
                ssl_shutdown_timeout=CLOSING,
            )
        if encrypted is None or encrypted.is_closing():
            # A line that is lost before it is encrypted is told to nobody else.
            transport.abort()
            self.connection_lost(None)
        else:
            self._begin(encrypted)

    def _begin(self, transport: asyncio.Transport) -> None:
        """The client can speak."""
        self._begun = True
        super().connection_made(transport)
        # The queue of messages stops the reading as well, and would let it go on at any time.
        self.recv_messages.resume = self._read_on
        if self._waiting:
            self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        if self._lost:
            return
        self._lost = True
        self._house.doors.left(self)
        if self._begun:
            super().connection_lost(exc)

    def eof_received(self) -> None:
        """See `asyncio.Protocol`."""
        if self._begun:
            super().eof_received()

    def turn_away(self) -> None:
        """See `Caller`."""
        self._opened_by.abort()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`. A little at a time: as soon as a client is ahead of what it may send, the
        rest is held back, unread, and nothing more is taken from the system."""
        if self._waiting:
            self._held += data
        else:
            self._take(data)

    def _take(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            if self._ended and self.transport.is_closing():
                return
            self._first = start == 0
            super().data_received(data[start : start + PIECE] if len(data) > PIECE else data)
            if self._bucket.overdrawn:
                self._hold(data[start + PIECE :])
                return

    def _hold(self, rest: bytes) -> None:
        """Wait until the client may send again."""
        now = self._house.clock.now()
        wait = self._bucket.spend(now, 0.0)
        if self._patience.spend(now, wait):
            self.dismiss("you send too much", again=True, why="too much")
        self._held += rest
        self._waiting = True
        self.transport.pause_reading()
        self.loop.call_later(wait, self._go_on)

    def _go_on(self) -> None:
        """Take what was held back, and then what comes."""
        held, self._held, self._waiting = bytes(self._held), bytearray(), False
        if self.transport.is_closing():
            return
        self._take(held)
        if not self.recv_messages.paused:
            self._read_on()

    def _read_on(self) -> None:
        """Read on, unless the client has to wait."""
        if not self._waiting:
            self.transport.resume_reading()

    def process_event(self, event: Request | Response | Frame) -> None:
        """Count what comes in, pings as well."""
        limits = self._house.limits
        if self._bucket.spend(self._house.clock.now()) * limits.rate > FLOOD * limits.burst:
            self.drop("flood")
        elif self._hearer is not None and self._is_heard_at_once(event):
            self._first = False
            self._rest = self._hearer(bytes(cast(Frame, event).data))
        else:
            if isinstance(event, Frame) and event.opcode in DATA_OPCODES:
                self._idle = False
            super().process_event(event)

    def _is_heard_at_once(self, event: Request | Response | Frame) -> bool:
        """True for a whole message that is the first in its turn, when all before it are done with."""
        return (
            self._idle
            and self._first
            and not self._ended
            and (self._rest is None or self._rest.done())
            and isinstance(event, Frame)
            and event.opcode is Opcode.TEXT
            and event.fin
        )

    def hear_at_once(self, hearer: Hearer) -> None:
        """Let what comes while `next_message` waits be heard in the turn in which it comes. The others are
        told by `next_message`: of those that come together, all but the first."""
        self._hearer = hearer

    def spend(self, cost: float) -> None:
        """Count something that was asked as so many messages more."""
        self._bucket.spend(self._house.clock.now(), cost)

    async def next_message(self) -> bytes | None:
        """What the client says next; None when it has gone, or is dropped. What was said before is then done
        with."""
        message = None
        self._idle = True
        with suppress(ConnectionClosed):
            message = await self.recv(decode=False)
        self._idle = False
        if self._rest is not None:
            await asyncio.wait((self._rest,))
            self._rest = None
        return None if self._ended else message

    def deliver(self, message: bytes) -> None:
        """Send a message without waiting. Who does not read is dropped.

        What is said on the way goes out together: each call of the system costs as much as the rules of a
        move.
        """
        if not self._outgoing:
            self._house.speaks(self)
        self._outgoing.append(message)

    def send_out(self, *, closing: bool = False) -> None:
        """Hand what was delivered to the system."""
        messages, self._outgoing = self._outgoing, []
        if self.state is not State.OPEN or not messages:
            return
        frames = [_framed(message) for message in messages]
        if closing:
            self.protocol.send_close(CloseCode.GOING_AWAY)
            frames.extend(self.protocol.data_to_send())
        self.transport.write(b"".join(frames))
        if self.transport.get_write_buffer_size() > self._house.limits.queue:
            self.drop("slow")

    async def send_slowly(self, message: bytes) -> None:
        """Send a message after those that were delivered, and wait until there is room for another one.

        Raises:
            ConnectionClosed: the client has gone.
        """
        # The others do not wait as well.
        self._house.send_out()
        await self.send(message.decode())

    def drop(self, why: str) -> None:
        """End the connection at once; `why` is a word for the log."""
        if not self._ended:
            self._ended = True
            self._house.dropped(self, why)
        self.transport.abort()

    def dismiss(self, reason: str, *, again: bool, why: str) -> None:
        """Say farewell, and close the connection soon; `why` is a word for the log."""
        if not self._ended and self.state is State.OPEN:
            self.part(encode(Farewell(reason=reason, again=again)))
            self._house.dropped(self, why)
            self.loop.call_later(CLOSING, self.transport.abort)

    def part(self, farewell: bytes) -> None:
        """Say the last message, and that the connection is closed; who it belongs to has to end it."""
        if not self._ended and self.state is State.OPEN:
            self._outgoing.append(farewell)
            self.send_out(closing=True)
            self._ended = True


@lru_cache(maxsize=16)
def _framed(message: bytes) -> bytes:
    """A message as a frame of text. Several clients are told the same."""
    return Frame(Opcode.TEXT, message).serialize(mask=False)
