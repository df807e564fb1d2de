"""Tables in one SQLite file.

What is appended is written at once, in a transaction of its own, in the turn of the loop that asks for it.
The file is in WAL mode with ``synchronous = NORMAL``: a commit hands its pages to the operating system and
waits for no disk. It takes some tens of microseconds, less than handing it to a thread and back, which on a
busy machine takes milliseconds. When `append` returns, killing the server loses nothing.

A thread does what waits for the disk (`dvonn_tui.tables.housekeeping`): within two seconds it forces the
write-ahead log to it, as is done with the games of one machine, and it moves what is in the log to its place
in the file. ``FULL`` would force each commit: 4 ms on a good disk, a tenth of a second on the memory card of
a small computer at home, before every move is seen. What is lost with the power is at most the last two
seconds, of both players alike; the file is never damaged by it.

Another connection, in a thread of its own, reads. When somebody else has locked the file, a thread waits
for it, and the loop does not.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.housekeeping import Housekeeper
from dvonn_tui.tables.protocol import ChatLine
from dvonn_tui.tables.sqlite_file import PATIENCE, opened, trouble
from dvonn_tui.tables.store import (
    REMEMBERED,
    Addition,
    AlreadyAnswered,
    CommandKey,
    KeptRecord,
    StoreTrouble,
    TableEntry,
    VersionTaken,
)

_INSERT: Final = """
insert into happenings select ?1, ?2, ?3, ?4, ?5
where ?2 = 1 or exists (select 1 from happenings where table_id = ?1 and version = ?2 - 1)
"""
"""Writes a happening, unless it would leave a gap."""

_ANSWER: Final = f"""
select version from (
    select version, client, command from happenings where table_id = ? and version > ?
    order by version desc limit {REMEMBERED}
)
where client = ? and command = ? order by version limit 1
"""

_OF_A_TABLE: Final = (
    ("happenings", "table_id"),
    ("chat", "table_id"),
    ("tables", "id"),
)
"""What goes with a table, and by which column."""

_Row = tuple[str, int, str, str | None, str | None]
"""A happening as `_INSERT` takes it: the command stands with the last one that came of it."""

_Work = Callable[[sqlite3.Connection], Any]

_ENCODE: Final = msgspec.json.Encoder().encode
_HAPPENING: Final = msgspec.json.Decoder(Happening)
_CHAT: Final = msgspec.json.Decoder(ChatLine)


class SqliteStore:
    """See `dvonn_tui.tables.store.Store`."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            StoreTrouble: it cannot be opened or made, or is of another kind or a later version.
        """
        self._path = path
        self._locked = asyncio.Lock()
        self._closed = False
        self._writing, self._reading, moving = opened(path)
        self._reader = ThreadPoolExecutor(1, "tables-reader")
        self._housekeeper = Housekeeper(path, moving)

    # Writing

    async def open_table(self, entry: TableEntry, happenings: Sequence[Happening]) -> None:
        """See `Store`."""
        rows = _rows(entry.id, 1, happenings)

        def work(connection: sqlite3.Connection) -> None:
            try:
                connection.execute(
                    "insert into tables values (?, ?, ?, ?, ?)",
                    (entry.id, entry.opened, entry.client, entry.address, entry.command),
                )
                _insert(connection, rows)
            except sqlite3.IntegrityError as taken:
                raise VersionTaken from taken

        await self._written(work)

    async def append(self, addition: Addition) -> None:
        """See `Store`."""
        rows = _rows(addition.table, addition.version, addition.happenings, addition.key)

        def work(connection: sqlite3.Connection) -> None:
            _append(connection, addition, rows)

        # A statement is a transaction by itself, and most moves are no more than one.
        await self._written(work, whole=not (len(rows) == 1 and _is_row_only(addition)))

    async def write_chat(self, table: str, line: ChatLine, kept: int) -> None:
        """See `Store`."""
        text = _ENCODE(line).decode()

        def work(connection: sqlite3.Connection) -> None:
            [last] = connection.execute(
                "select coalesce(max(number), 0) from chat where table_id = ?", (table,)
            ).fetchone()
            connection.execute("insert into chat values (?, ?, ?)", (table, last + 1, text))
            connection.execute(
                "delete from chat where table_id = ? and number <= ?", (table, last + 1 - kept)
            )

        await self._written(work)

    async def trim_records(self, kept: int) -> None:
        """See `Store`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "delete from records where id in (select id from records order by at desc limit -1 offset ?)",
                (kept,),
            )

        await self._written(work)

    # Reading

    async def tables(self) -> tuple[TableEntry, ...]:
        """See `Store`."""
        rows = await self._read("select id, opened, client, address, command from tables order by opened, id")
        return tuple(TableEntry(*row) for row in rows)

    async def log(self, table: str, since: int = 0, most: int | None = None) -> tuple[Happening, ...]:
        """See `Store`."""
        rows = await self._read(
            "select event from happenings where table_id = ? and version > ? order by version limit ?",
            (table, since, -1 if most is None else most),
        )
        try:
            return tuple(_HAPPENING.decode(text) for (text,) in rows)
        except msgspec.MsgspecError as problem:
            raise StoreTrouble(f"the log of table {table} is damaged: {problem}") from problem

    async def answer(self, table: str, key: CommandKey, seen: int = 0) -> int | None:
        """See `Store`."""
        rows = await self._read(_ANSWER, (table, seen, key.client, key.command))
        return int(rows[0][0]) if rows else None

    async def chat(self, table: str, most: int) -> tuple[ChatLine, ...]:
        """See `Store`."""
        rows = await self._read(
            "select line from chat where table_id = ? order by number desc limit ?", (table, most)
        )
        return tuple(_CHAT.decode(text) for (text,) in reversed(rows))

    async def record(self, record: str) -> str | None:
        """See `Store`."""
        rows = await self._read("select text from records where id = ?", (record,))
        return str(rows[0][0]) if rows else None

    async def close(self) -> None:
        """See `Store`."""
        if self._closed:
            return
        self._closed = True
        async with self._locked:
            pass  # those who wait for the file have had their turn
        await asyncio.to_thread(self._housekeeper.end)
        self._reader.shutdown()
        for connection in (self._reading, self._writing):
            with suppress(sqlite3.Error):
                connection.close()

    async def _read(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        if self._closed:
            raise StoreTrouble("the server is closing")

        def rows() -> list[Any]:
            return self._reading.execute(query, values).fetchall()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, rows)
        except sqlite3.Error as problem:
            raise trouble(self._path, problem) from problem

    async def _written(self, work: _Work, *, whole: bool = True) -> None:
        """Write something at once. Where the file is locked, a thread waits for it, and others queue up.

        `whole` is False for a single statement.
        """
        if self._closed:
            raise StoreTrouble("the server is closing")
        until = time.monotonic() + PATIENCE
        try:
            if self._locked.locked() or not self._is_written(work, whole):
                async with self._locked:
                    # Those who have queued up behind one that waited need no thread.
                    if not self._is_written(work, whole):
                        # They have waited as long as he has, and when all is to end nobody waits any more.
                        patience = 0.0 if self._closed else until - time.monotonic()
                        await asyncio.to_thread(self._patient_transaction, work, whole, patience)
        except sqlite3.Error as problem:
            raise trouble(self._path, problem) from problem

    def _is_written(self, work: _Work, whole: bool) -> bool:
        """Do it; False when somebody else had locked the file. Raises what it raises, and sqlite3.Error."""
        try:
            self._transaction(work, whole=whole)
        except sqlite3.OperationalError as problem:
            if not _is_locked(problem):
                raise
            return False
        return True

    def _transaction(self, work: _Work, *, whole: bool) -> None:
        """Do all of something or nothing. Raises what it raises, and sqlite3.Error."""
        connection = self._writing
        if whole:
            try:
                connection.execute("begin immediate")
                work(connection)
                connection.execute("commit")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.rollback()
                raise
        else:
            work(connection)
        self._housekeeper.wrote()

    def _patient_transaction(self, work: _Work, whole: bool, patience: float) -> None:
        """The same, and wait so many seconds for others who have locked the file. In a thread; nobody writes
        meanwhile."""
        self._writing.execute(f"pragma busy_timeout = {max(round(patience * 1000), 0)}")
        try:
            self._transaction(work, whole=whole)
        finally:
            self._writing.execute("pragma busy_timeout = 0")


def _is_locked(problem: sqlite3.Error) -> bool:
    """True when somebody else had locked the file."""
    return getattr(problem, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _rows(
    table: str, version: int, happenings: Sequence[Happening], key: CommandKey | None = None
) -> list[_Row]:
    """Happenings as they are written."""
    rows: list[_Row] = [
        (table, number, _ENCODE(event).decode(), None, None)
        for number, event in enumerate(happenings, version)
    ]
    if key is not None:
        rows[-1] = (*rows[-1][:3], key.client, key.command)
    return rows


def _may_be_repeated(addition: Addition) -> bool:
    """True when the command could have been carried out before: something has happened since it was sent."""
    return addition.key is not None and addition.seen + 1 < addition.version


def _is_row_only(addition: Addition) -> bool:
    """True when an addition writes its happenings and needs nothing else."""
    return not (addition.record or addition.closes or _may_be_repeated(addition))


def _append(connection: sqlite3.Connection, addition: Addition, rows: Sequence[_Row]) -> None:
    """Write an addition. Raises VersionTaken or AlreadyAnswered."""
    table, key = addition.table, addition.key
    if key is not None and _may_be_repeated(addition):
        known = connection.execute(_ANSWER, (table, addition.seen, key.client, key.command)).fetchone()
        if known is not None:
            raise AlreadyAnswered(known[0])
    try:
        _insert(connection, rows)
    except sqlite3.IntegrityError as taken:
        raise VersionTaken from taken
    if addition.record is not None:
        _keep(connection, addition.record)
    if addition.closes:
        for name, column in _OF_A_TABLE:
            connection.execute(f"delete from {name} where {column} = ?", (table,))


def _insert(connection: sqlite3.Connection, rows: Sequence[_Row]) -> None:
    """Write happenings. Raises IntegrityError when a number is taken, or when they leave a gap."""
    for row in rows:
        if connection.execute(_INSERT, row).rowcount != 1:
            raise sqlite3.IntegrityError("a gap in the log")


def _keep(connection: sqlite3.Connection, record: KeptRecord) -> None:
    try:
        connection.execute("insert into records values (?, ?, ?)", (record.id, record.at, record.text))
    except sqlite3.IntegrityError as taken:
        raise VersionTaken from taken
