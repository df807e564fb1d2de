"""Which tables a server has, and who opened how many of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dvonn_tui.tables.hosted import Guest
from dvonn_tui.tables.ids import draw_id
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.refusal import Refusal
from dvonn_tui.tables.store import TableEntry


class Register:
    """The tables that are open, whether they are in memory or not."""

    def __init__(self, limits: Limits) -> None:
        """Without a table."""
        self._limits = limits
        self._entries: dict[str, TableEntry] = {}
        self._opened_by: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[str]:
        """The ids of the tables, oldest first."""
        return iter(tuple(self._entries))

    def get(self, table: str) -> TableEntry | None:
        """How a table was opened; None when there is none of this id."""
        return self._entries.get(table)

    def add(self, entry: TableEntry) -> None:
        """Take in a table."""
        self._entries[entry.id] = entry
        self._opened_by.update((entry.client, entry.address))

    def remove(self, entry: TableEntry) -> None:
        """Take out a table, if it is there."""
        if self._entries.pop(entry.id, None) is not None:
            for opener in (entry.client, entry.address):
                self._opened_by[opener] -= 1
                if not self._opened_by[opener]:
                    del self._opened_by[opener]

    def opened(self, guest: Guest, command: str) -> str | None:
        """The id of the table that a client has opened by a request that comes again."""
        if not self._opened_by[guest.mark]:
            return None
        for entry in self._entries.values():
            if (entry.client, entry.command) == (guest.mark, command):
                return entry.id
        return None

    def new_entry(self, guest: Guest, command: str, at: int) -> TableEntry:
        """An entry for another table, not taken in yet. `at` is milliseconds since 1970.

        Raises:
            Refusal: there are too many, in all or of this client or address.
        """
        limits = self._limits
        if len(self._entries) >= limits.tables:
            raise Refusal("limit", f"there are {limits.tables} tables here, which is the most")
        if self._opened_by[guest.mark] >= limits.tables_client:
            raise Refusal("limit", f"you have opened {limits.tables_client} tables, which is the most")
        if self._opened_by[guest.address] >= limits.tables_address:
            raise Refusal(
                "limit", f"from your address {limits.tables_address} tables were opened, which is the most"
            )
        while (drawn := draw_id()) in self._entries:
            pass
        return TableEntry(drawn, at, guest.mark, guest.address, command)
