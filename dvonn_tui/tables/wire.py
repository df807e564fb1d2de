"""One open line to a server: messages out, in order, and messages in, clean. What ends it has a reason."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from dvonn_tui.tables import protocol
from dvonn_tui.tables.address import Address
from dvonn_tui.tables.cleaning import cleaned
from dvonn_tui.tables.line_state import Patience
from dvonn_tui.tables.line_trouble import LineEnded, LineLost, closing_trouble, opening_trouble
from dvonn_tui.tables.protocol import LARGEST_MESSAGE, Answer, Hello, Request, Unreadable, Welcome

MOST_WAITING: Final = 256
"""Messages that wait to be sent at most; a line that takes no more of them is lost."""

_LAST_WORDS: Final = 1.0
"""Seconds in which what was already said is sent before the line is closed."""

_LOGGER: Final = logging.getLogger("dvonn_tui.tables.wire")
# What the library logs would otherwise be written over the screen.
_LOGGER.addHandler(logging.NullHandler())
_LOGGER.propagate = False


class _Connect(connect):
    """Opens a websocket where the player said and nowhere else: what is told is meant for that server."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """A redirect is an answer like any other that is no websocket."""
        return exc


class Wire:
    """A line that is open."""

    def __init__(self, socket: ClientConnection, address: Address, patience: Patience) -> None:
        self._socket = socket
        self._address = address
        self._patience = patience
        self._outgoing: asyncio.Queue[Request] = asyncio.Queue(MOST_WAITING)
        self._writer = asyncio.create_task(self._write())

    @classmethod
    async def open(cls, address: Address, patience: Patience) -> Self:
        """Open a line. Raises LineLost or LineEnded."""
        try:
            socket = await _Connect(
                address.url,
                compression=None,
                max_size=LARGEST_MESSAGE,
                open_timeout=patience.answer,
                ping_interval=patience.pulse,
                ping_timeout=patience.pulse,
                close_timeout=_LAST_WORDS,
                user_agent_header="dvonn-tui",
                logger=_LOGGER,
            )
        except Exception as problem:
            raise opening_trouble(problem, address) from problem
        return cls(socket, address, patience)

    async def greet(self, hello: Hello) -> Welcome:
        """Introduce the client. Raises LineLost, or LineEnded when the other side is none to talk with."""
        self.post(hello)
        try:
            async with asyncio.timeout(self._patience.answer):
                answer = await self.next()
        except TimeoutError as problem:
            raise LineLost("the server does not answer") from problem
        match answer:
            case Welcome(version=protocol.VERSION):
                return answer
            case Welcome(version=version):
                raise LineEnded(_other_version(version))
            case protocol.Refused(code=code, reason=reason):
                raise (LineEnded if code in ("hello", "unreadable") else LineLost)(reason)
        raise LineEnded(f"{self._address.server} is no DVONN server")

    async def next(self) -> Answer:
        """The next message of the server. Raises LineLost or LineEnded when there is none any more."""
        try:
            answer = cleaned(protocol.decode_answer(await self._socket.recv()))
        except ConnectionClosed as closed:
            raise closing_trouble(closed) from closed
        except Unreadable as problem:
            raise LineEnded("the server said something that this program does not understand") from problem
        if isinstance(answer, protocol.Farewell):
            raise (LineLost if answer.again else LineEnded)(answer.reason)
        return answer

    def post(self, request: Request) -> bool:
        """Send something, after what was posted before. False when the line takes no more; it is lost."""
        try:
            self._outgoing.put_nowait(request)
        except asyncio.QueueFull:
            self.hang_up()
            return False
        return True

    def hang_up(self) -> None:
        """Treat the line as lost; `next` tells it."""
        self._socket.transport.abort()

    async def finish(self) -> None:
        """Send what was posted, as far as that goes quickly."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                await self._outgoing.join()

    async def close(self) -> None:
        """End the line."""
        self._writer.cancel()
        try:
            # How the writer ends does not matter here, but who is cancelled meanwhile has to learn of it.
            await asyncio.gather(self._writer, return_exceptions=True)
            await self._socket.close()
        except asyncio.CancelledError:
            self.hang_up()
            raise

    async def _write(self) -> None:
        """Send in order. The reader learns of it when the line is lost."""
        while True:
            request = await self._outgoing.get()
            await self._socket.send(protocol.encode(request), text=True)
            self._outgoing.task_done()


def _other_version(version: int) -> str:
    older = "the server" if version < protocol.VERSION else "this program"
    return f"the server speaks version {version}, this program {protocol.VERSION}: {older} has to be updated"
