"""Where tables are kept, behind one small interface.

What a store promises:

- `append` returns after what it wrote cannot be lost any more by the end of this process, and never writes
  a part of it. Happenings of a table are numbered without a gap; the number is the key, so that two writers
  can never both write the same one.
- What was appended is read by every `log` that is asked for later.
- Whatever goes wrong outside (a full disk, a locked file, a line that is cut) is a `StoreTrouble`; nothing
  of what was asked is then written, and the store can be asked again.

`dvonn_tui.tables.sqlite_store.SqliteStore` keeps everything in one file. For tables that outgrow one
machine, a store over PostgreSQL needs: the same four tables (`happenings` with ``primary key (table_id,
version)``, ``event jsonb``); `append` as one transaction with the same look for the command and the same
inserts, a unique violation (SQLSTATE 23505) told as `VersionTaken`; commits collected while the one before is
under way; and, when several servers share it, a lease of each table (a row with the server's name and an
expiry that it renews, or ``pg_try_advisory_lock(hash of the table's id)`` held by the connection), so that a
table has one writer at a time. Even without the lease no log could be damaged: the second writer finds its
version taken, reads what is new, and decides again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.protocol import ChatLine

REMEMBERED: Final = 1_000
"""The last happenings of a table among which a command is looked for that may come again: some ten games.
Nobody who repeats what he said is so late, and nobody can have long logs read through for every message."""


class StoreTrouble(Exception):
    """The store cannot do it now. The text says why, clean and in one line."""


class VersionTaken(Exception):
    """Another writer has appended to this table: its log is longer than was thought."""


class AlreadyAnswered(Exception):
    """The command was carried out before.

    Attributes:
        version: the version of the table after it.
    """

    def __init__(self, version: int) -> None:
        super().__init__(f"answered at version {version}")
        self.version = version


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table that is open.

    Attributes:
        id: its name in messages.
        opened: when, in milliseconds since 1970.
        client, address: the marks of the client that opened it and of his address.
        command: his own id of the request, so that a repeated one opens no other table.
    """

    id: str
    opened: int
    client: str
    address: str
    command: str


@dataclass(frozen=True, slots=True)
class CommandKey:
    """Names a command: the mark of a client and his own id of it."""

    client: str
    command: str


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """The record of a game, in the native form.

    Attributes:
        id: its name in messages.
        at: when the game ended, in milliseconds since 1970.
        text: the record.
    """

    id: str
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Addition:
    """What is appended to the log of a table, all of it or nothing.

    Attributes:
        table: the id.
        version: the number of the first happening: one more than the table's version.
        happenings: at least one.
        key: the command that caused it; None when none did.
        record: a record to keep with it.
        closes: True when the table is closed by it: its log and chat then go, records stay.
        seen: the version of the table that whoever sent the command had seen. The command is looked for among
            what happened after that, for it cannot have been carried out before, and among the last
            `REMEMBERED`.
    """

    table: str
    version: int
    happenings: Sequence[Happening]
    key: CommandKey | None = None
    record: KeptRecord | None = None
    closes: bool = False
    seen: int = 0


class Store(Protocol):
    """Keeps tables."""

    async def open_table(self, entry: TableEntry, happenings: Sequence[Happening]) -> None:
        """Keep a new table with its first happenings.

        Raises:
            VersionTaken: there is a table of this id.
            StoreTrouble: see above.
        """

    async def tables(self) -> tuple[TableEntry, ...]:
        """The open tables, oldest first. Raises StoreTrouble."""

    async def append(self, addition: Addition) -> None:
        """Append to the log of a table.

        Raises:
            VersionTaken: one of the numbers is taken.
            AlreadyAnswered: the command was carried out before.
            StoreTrouble: see above.
        """

    async def log(self, table: str, since: int = 0, most: int | None = None) -> tuple[Happening, ...]:
        """The happenings of a table that follow a version, all or at most so many. Raises StoreTrouble."""

    async def answer(self, table: str, key: CommandKey, seen: int = 0) -> int | None:
        """The version after a command that was carried out after the version `seen`; None when it is not
        found among the last `REMEMBERED` happenings. Raises StoreTrouble."""

    async def write_chat(self, table: str, line: ChatLine, kept: int) -> None:
        """Keep a line of chat, and no more than the last `kept` of the table. Raises StoreTrouble."""

    async def chat(self, table: str, most: int) -> tuple[ChatLine, ...]:
        """The last lines of a table's chat, oldest first. Raises StoreTrouble."""

    async def record(self, record: str) -> str | None:
        """The record of an id; None when there is none. Raises StoreTrouble."""

    async def trim_records(self, kept: int) -> None:
        """Keep no more than the newest so many records. Raises StoreTrouble."""

    async def close(self) -> None:
        """Write what is still to be written, and let go of everything. Never raises."""
