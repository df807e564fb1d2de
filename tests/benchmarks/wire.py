"""A light line to a server, so that thousands of them can be held and timed by one process.

The frames are made and read by the library's own protocol; what is saved is everything around it. When a
message came is read before anything is done with it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Self, TypeVar

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from dvonn_tui.tables.protocol import (
    VERSION,
    Answer,
    Hello,
    Request,
    Welcome,
    decode_answer,
    encode,
)

Wanted = TypeVar("Wanted", bound=Answer)

PATIENCE = 30.0
"""Seconds to wait for an answer at most."""


class LineEnded(ConnectionError):
    """The line was closed or cut."""


class Wire(asyncio.Protocol):
    """One line."""

    def __init__(self, url: str, hear: Callable[[bytes, float], None]) -> None:
        self._protocol = ClientProtocol(parse_uri(url), max_size=1 << 20)
        self._hear = hear
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        when = time.perf_counter()
        self._protocol.receive_data(data)
        self._flush()
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self._hear(bytes(event.data), when)
            elif isinstance(event, Response) and not self.opened.done():
                refused = self._protocol.handshake_exc
                if refused is None:
                    self.opened.set_result(None)
                else:
                    self.opened.set_exception(LineEnded(str(refused)))
        if self._protocol.close_expected():
            self.transport.close()

    def eof_received(self) -> None:
        self._protocol.receive_eof()

    def connection_lost(self, problem: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(LineEnded("closed before it was open"))
            self.opened.exception()
        if not self.ended.done():
            self.ended.set_result(None)

    def send(self, message: bytes) -> None:
        """Send a text frame."""
        self._protocol.send_text(message)
        self._flush()

    def cut(self) -> None:
        """Cut the line without a word."""
        self.transport.abort()

    def _flush(self) -> None:
        for piece in self._protocol.data_to_send():
            if piece:
                self.transport.write(piece)


class Client:
    """A line on which the protocol of tables is spoken.

    Attributes:
        wire: the line.
        hear: is told of everything that comes, with the moment at which it came.
    """

    def __init__(self, hear: Callable[[Answer, float], None] | None = None) -> None:
        self.wire: Wire
        self.hear = hear
        self._kinds: tuple[type[Answer], ...] = ()
        self._answer: asyncio.Future[Answer] | None = None

    @classmethod
    async def connected(
        cls,
        port: int,
        path: str = "/",
        *,
        source: str | None = None,
        hear: Callable[[Answer, float], None] | None = None,
    ) -> Self:
        """A client with its line open.

        Raises:
            OSError: nobody listens, or the line was refused or cut.
        """
        client = cls(hear)
        url = f"ws://127.0.0.1:{port}{path}"
        loop = asyncio.get_running_loop()
        local = None if source is None else (source, 0)
        async with asyncio.timeout(PATIENCE):
            _, client.wire = await loop.create_connection(
                lambda: Wire(url, client._take), "127.0.0.1", port, local_addr=local
            )
            await client.wire.opened
        client.wire.ended.add_done_callback(client._end)
        return client

    def _end(self, _: object) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(LineEnded("the line was cut"))

    def _take(self, message: bytes, when: float) -> None:
        answer = decode_answer(message)
        if self.hear is not None:
            self.hear(answer, when)
        if self._answer is not None and isinstance(answer, self._kinds) and not self._answer.done():
            self._answer.set_result(answer)

    def say(self, request: Request) -> None:
        """Send a message."""
        self.wire.send(encode(request))

    async def ask(self, request: Request, *kinds: type[Wanted]) -> Wanted:
        """Send a message and wait for an answer of one of some kinds.

        Raises:
            LineEnded: the line was cut meanwhile.
            TimeoutError: nothing came.
        """
        if self.wire.ended.done():
            raise LineEnded("the line was cut")
        self._kinds = kinds
        self._answer = asyncio.get_running_loop().create_future()
        self.say(request)
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._answer
        finally:
            self._answer = None
        assert isinstance(answer, kinds)
        return answer

    async def hello(self, name: str, secret: str) -> Welcome:
        """Introduce oneself."""
        return await self.ask(Hello(version=VERSION, name=name, client=secret), Welcome)
