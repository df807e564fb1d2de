"""The way from this application to servers: one line at a time, and the table that one is at."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.tables.address import Address, parse_address
from dvonn_tui.tables.finding import Found, find
from dvonn_tui.tables.keeping import Keeping, KeptSeat
from dvonn_tui.tables.link import LineKind, TableLink
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables_settings import LONGEST_NAME

NOBODY: Final = "guest"


class Visit:
    """Keeps the line to the server that is visited.

    Attributes:
        keeping: the secrets of this installation, and the seats that can be taken up again.
        link: the line; None before the first visit.
        find: looks for servers on the local network, or raises FindingTrouble.
        table: the table that one has come to last; None when one has left it.
    """

    def __init__(
        self,
        folder: Path,
        connect: Callable[..., TableLink] = TableLink,
        find: Callable[[float], Awaitable[list[Found]]] = find,
    ) -> None:
        """Keep secrets in a folder; `connect` makes links, `find` looks for servers so many seconds."""
        self.find = find
        self.keeping = Keeping(folder)
        self.link: TableLink | None = None
        self.table: RemoteTable | None = None
        self._connect = connect
        self._name = ""
        self._told: set[str] = set()

    def leads_to(self, address: Address, name: str) -> bool:
        """True when the line there is leads to a server under a name, and has not come to its end."""
        link = self.link
        if link is None or link.line.kind in (LineKind.REFUSED, LineKind.CLOSED):
            return False
        return (link.address.server, self._name) == (address.server, name)

    async def go(self, address: Address, name: str) -> TableLink:
        """The line to a server under a name: the one there is if it leads there, else another one."""
        link = self.link
        if link is not None and self.leads_to(address, name):
            return link
        await self.close()
        self._name = name
        self.link = self._connect(address, name, self.keeping)
        self.link.start()
        return self.link

    async def enter(self, id: str) -> RemoteTable:
        """Come to a table of the server. Raises LinkTrouble."""
        assert self.link is not None
        self.table = await self.link.enter(id)
        return self.table

    def abandon(self, table: RemoteTable, at: RemoteTable | None) -> None:
        """Go away from a table that is not to be shown, unless it is the one that is shown already."""
        if table is not at:
            table.leave()
            self.table = at

    def left(self, table: RemoteTable) -> None:
        """A table was left."""
        if self.table is table:
            self.table = None

    def seats(self) -> tuple[KeptSeat, ...]:
        """The seats that can be taken up again, the latest first."""
        return self.keeping.seats()

    def new_problems(self) -> tuple[str, ...]:
        """What went wrong with what is kept and was not asked for before, each in one line for a player."""
        found = tuple(problem for problem in self.keeping.problems if problem not in self._told)
        self._told.update(found)
        return found

    async def close(self) -> None:
        """End the line. A seat in a running game is kept, one at a table that waits is given back."""
        link, self.link = self.link, None
        table, self.table = self.table, None
        if table is not None and not table.state.in_game:
            table.leave()
        if link is not None:
            # Whoever waits for this may think better of it; the line is closed all the same.
            await asyncio.shield(link.close())


def server_of(address: Address) -> str:
    """The server of an address as one would write it: without the usual port."""
    return address.server.removesuffix(f":{Address(address.host).port}")


def address_of(text: str) -> Address:
    """The address that somebody wrote. Raises ValueError with what can be written."""
    return parse_address(text)


def usual_name() -> str:
    """How somebody is called who has not said it: as this machine knows him."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return clean_line(name, LONGEST_NAME) or NOBODY
