"""A server with tables and people at them, for the pictures that show tables.

The server is a process of the installed program. Whoever is not seen in a picture comes by the client's
own link, without a screen.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from dvonn_tui.core.notation import parse_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.link import TableLink
from dvonn_tui.tables.protocol import SeatBot, Start
from dvonn_tui.tables.remote import RemoteTable

PATIENCE = 20.0
"""Seconds to wait for the server at most."""

Result = TypeVar("Result")


class Club:
    """A server and those who are there by its links. To be used with ``with``."""

    def __init__(self, program: Sequence[str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._links: list[TableLink] = []
        data = str(Path(self._folder.name) / "server")
        command = [*program, "host", "--port", "0", "--data", data, "--name", "DVONN Club"]
        self._server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._server.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", self._server.stdout.readline())
        if found is None:
            raise SystemExit("the server did not start")
        self.address = f"localhost:{found[1]}"
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for link in self._links:
            self._wait(link.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._server.terminate()
        self._server.wait(PATIENCE)
        self._folder.cleanup()

    def guest(self, name: str) -> Guest:
        """Somebody comes."""

        async def come() -> TableLink:
            link = TableLink(self.address, name, Keeping(Path(self._folder.name) / name))
            link.start()
            await link.tables()
            return link

        link = self._wait(come())
        self._links.append(link)
        return Guest(self, link)

    def at(self, table: RemoteTable, act: Callable[[], object], until: Callable[[], object]) -> None:
        """Do something at a table, and wait until something holds there."""

        async def call() -> None:
            act()

        self._wait(call())
        self.until(table, until)

    def until(self, table: RemoteTable, holds: Callable[[], object]) -> None:
        """Wait until something holds at a table."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > deadline:
                raise SystemExit(f"table {table.id} did not come so far: {table.state.actions} actions")
            time.sleep(0.01)

    def wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Let the loop of the links do something, and wait for what comes of it."""
        return self._wait(work)

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)


class Guest:
    """Somebody who is at the club without a screen."""

    def __init__(self, club: Club, link: TableLink) -> None:
        self._club, self._link = club, link

    def opens(self, title: str, *options: str) -> RemoteTable:
        """Open a table, and come to it."""
        return self.comes_to(self._club.wait(self._link.open_table(title, options)))

    def comes_to(self, id: str) -> RemoteTable:
        """Come to a table, to watch so far."""
        return self._club.wait(self._link.enter(id))

    def sits(self, table: RemoteTable, side: Side) -> None:
        """Sit down."""
        self._club.at(table, lambda: table.sit(side), lambda: table.side is side)

    def starts(self, table: RemoteTable) -> None:
        """Be ready."""
        side = table.side
        self._club.at(table, lambda: table.do(Start()), lambda: side in table.state.ready or table.session)

    def calls_engine(self, table: RemoteTable, level: int, side: Side) -> None:
        """Give a seat to an engine."""
        self._club.at(table, lambda: table.do(SeatBot(level, str(side))), lambda: side in table.state.seats)

    def plays(self, table: RemoteTable, token: str) -> None:
        """Place a piece, or move a stack."""
        played = table.state.actions
        session = table.session
        assert session is not None
        self._club.at(table, lambda: session.submit(parse_token(token)), lambda: table.state.actions > played)

    def says(self, table: RemoteTable, text: str) -> None:
        """Write a line of chat."""
        said = len(table.chat)
        self._club.at(table, lambda: table.say(text), lambda: len(table.chat) > said)
