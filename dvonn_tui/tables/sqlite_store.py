"""Tables in one SQLite file.

What is appended is written at once, in a transaction of its own, in the turn of the loop that asks for it.
The file is in WAL mode with ``synchronous = NORMAL``: a commit hands its pages to the operating system and
waits for no disk. It takes some tens of microseconds, less than handing it to a thread and back, which on a
busy machine takes milliseconds. When `append` returns, killing the server loses nothing.

A thread does what waits for the disk: within `FORCED_AFTER` seconds it forces the write-ahead log to it, as
is done with the games of one machine, and it moves what is in the log to its place in the file. ``FULL``
would force each commit: 4 ms on a good disk, a tenth of a second on the memory card of a small computer at
home, before every move is seen. What is lost with the power is at most the last two seconds, of both
players alike; the file is never damaged by it.

Another connection, in a thread of its own, reads. When somebody else has locked the file, a thread waits
for it, and the loop does not.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from dvonn_tui.clean import clean_line
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.protocol import ChatLine
from dvonn_tui.tables.store import (
    Addition,
    AlreadyAnswered,
    CommandKey,
    KeptRecord,
    StoreTrouble,
    TableEntry,
    VersionTaken,
)

SCHEMA: Final = 1
"""The version of the tables below, kept as SQLite's ``user_version``."""

PAGE: Final = 1_024
"""Bytes of a page of a new file. A move changes two or three pages; of the usual size they are twice as much
to write."""

FORCED_AFTER: Final = 2.0
"""Seconds after which what was written is forced to the disk."""

LOOKED_AFTER: Final = 0.25
"""Seconds between two looks of the thread at what is to be moved, once something was written."""

MOVED_AFTER: Final = 2_000
"""Commits after which the write-ahead log is moved into the file: some 11 MB. The disk is kept busy by it,
so that it is not done more often than it has to."""

LONG_LOG: Final = 64_000
"""Pages in the write-ahead log, 64 MB, with which it has to begin anew. By itself it does that in any pause
between two commits; when there is none for so long, the commits wait for it once."""

PATIENCE: Final = 2.0
"""Seconds to wait for a file that somebody else has locked."""

_TABLES: Final = """
create table tables (
    id text primary key, opened integer not null, client text not null, address text not null,
    command text not null
) without rowid;
create table happenings (
    table_id text not null, version integer not null, event text not null,
    primary key (table_id, version)
) without rowid;
create table answers (
    table_id text not null, client text not null, command text not null, version integer not null,
    primary key (table_id, client, command)
) without rowid;
create table chat (
    table_id text not null, number integer not null, line text not null,
    primary key (table_id, number)
) without rowid;
create table records (id text primary key, at integer not null, text text not null) without rowid;
create index records_at on records (at);
"""

_OF_A_TABLE: Final = (
    ("happenings", "table_id"),
    ("answers", "table_id"),
    ("chat", "table_id"),
    ("tables", "id"),
)
"""What goes with a table, and by which column."""

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
        self._writing, self._reading, moving = _opened(path)
        self._reader = ThreadPoolExecutor(1, "tables-reader")
        self._commits = 0
        self._written_to = threading.Event()
        self._ending = threading.Event()
        self._housekeeper = threading.Thread(
            target=self._keep_house, args=(moving,), name="tables-housekeeper", daemon=True
        )
        self._housekeeper.start()

    # Writing

    async def open_table(self, entry: TableEntry, happenings: Sequence[Happening]) -> None:
        """See `Store`."""
        events = [_ENCODE(event).decode() for event in happenings]

        def work(connection: sqlite3.Connection) -> None:
            try:
                connection.execute(
                    "insert into tables values (?, ?, ?, ?, ?)",
                    (entry.id, entry.opened, entry.client, entry.address, entry.command),
                )
                _insert(connection, entry.id, 1, events)
            except sqlite3.IntegrityError as taken:
                raise VersionTaken from taken

        await self._written(work)

    async def append(self, addition: Addition) -> None:
        """See `Store`."""
        events = [_ENCODE(event).decode() for event in addition.happenings]

        def work(connection: sqlite3.Connection) -> None:
            _append(connection, addition, events)

        await self._written(work)

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

    async def answer(self, table: str, key: CommandKey) -> int | None:
        """See `Store`."""
        rows = await self._read(
            "select version from answers where table_id = ? and client = ? and command = ?",
            (table, key.client, key.command),
        )
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
        self._ending.set()
        self._written_to.set()
        await asyncio.to_thread(self._housekeeper.join)
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
            raise _trouble(self._path, problem) from problem

    async def _written(self, work: _Work) -> None:
        """Write something at once. Where the file is locked, a thread waits for it, and others queue up."""
        if self._closed:
            raise StoreTrouble("the server is closing")
        try:
            if not self._locked.locked():
                try:
                    self._transaction(work)
                    return
                except sqlite3.OperationalError as problem:
                    if not _is_locked(problem):
                        raise
            async with self._locked:
                await asyncio.get_running_loop().run_in_executor(None, self._patient_transaction, work)
        except sqlite3.Error as problem:
            raise _trouble(self._path, problem) from problem

    def _transaction(self, work: _Work) -> None:
        """Do all of something or nothing. Raises what it raises, and sqlite3.Error."""
        connection = self._writing
        try:
            connection.execute("begin immediate")
            work(connection)
            connection.execute("commit")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.rollback()
            raise
        self._commits += 1
        if not self._written_to.is_set():
            self._written_to.set()

    def _patient_transaction(self, work: _Work) -> None:
        """The same, and wait for others who have locked the file. In a thread; nobody writes meanwhile."""
        self._writing.execute(f"pragma busy_timeout = {round(PATIENCE * 1000)}")
        try:
            self._transaction(work)
        finally:
            self._writing.execute("pragma busy_timeout = 0")

    # In the thread that waits for the disk

    def _keep_house(self, connection: sqlite3.Connection) -> None:
        """Force what was written to the disk in time, and move it into the file, until the end."""
        moved = 0
        unforced: float | None = None
        while not self._ending.is_set():
            self._written_to.wait(None if unforced is None else LOOKED_AFTER)
            if self._written_to.is_set():
                self._written_to.clear()
                unforced = time.monotonic() + FORCED_AFTER if unforced is None else unforced
                self._ending.wait(LOOKED_AFTER)
            if self._commits - moved >= MOVED_AFTER:
                moved = self._commits
                _move(connection)
            if unforced is not None and time.monotonic() >= unforced:
                self._force()
                unforced = None
        self._force()
        connection.close()

    def _force(self) -> None:
        """Force the write-ahead log to the disk. What fails here is no loss unless the power fails, too."""
        with suppress(OSError):
            descriptor = os.open(f"{self._path}-wal", os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _move(connection: sqlite3.Connection) -> None:
    """Move the write-ahead log into the file, beside those who write; a long one so that it begins anew."""
    with suppress(sqlite3.Error):
        [_, pages, _] = connection.execute("pragma wal_checkpoint(passive)").fetchone()
        if pages >= LONG_LOG:
            # What came meanwhile is little: the commits wait for that only.
            connection.execute("pragma wal_checkpoint(passive)").fetchone()
            connection.execute("pragma wal_checkpoint(restart)").fetchone()


def _is_locked(problem: sqlite3.Error) -> bool:
    """True when somebody else had locked the file."""
    return getattr(problem, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _append(connection: sqlite3.Connection, addition: Addition, events: Sequence[str]) -> None:
    """Write an addition. Raises VersionTaken or AlreadyAnswered."""
    table, key = addition.table, addition.key
    if key is not None:
        last = addition.version + len(events) - 1
        try:
            connection.execute(
                "insert into answers values (?, ?, ?, ?)", (table, key.client, key.command, last)
            )
        except sqlite3.IntegrityError as known:
            [version] = connection.execute(
                "select version from answers where table_id = ? and client = ? and command = ?",
                (table, key.client, key.command),
            ).fetchone()
            raise AlreadyAnswered(version) from known
    try:
        _insert(connection, table, addition.version, events)
    except sqlite3.IntegrityError as taken:
        raise VersionTaken from taken
    if addition.record is not None:
        _keep(connection, addition.record)
    if addition.closes:
        for name, column in _OF_A_TABLE:
            connection.execute(f"delete from {name} where {column} = ?", (table,))


def _insert(connection: sqlite3.Connection, table: str, version: int, events: Sequence[str]) -> None:
    """Write happenings. Raises IntegrityError when a number is taken, or when they leave a gap."""
    if (
        version > 1
        and not connection.execute(
            "select 1 from happenings where table_id = ? and version = ?", (table, version - 1)
        ).fetchone()
    ):
        raise sqlite3.IntegrityError("a gap in the log")
    connection.executemany(
        "insert into happenings values (?, ?, ?)",
        [(table, number, event) for number, event in enumerate(events, version)],
    )


def _keep(connection: sqlite3.Connection, record: KeptRecord) -> None:
    try:
        connection.execute("insert into records values (?, ?, ?)", (record.id, record.at, record.text))
    except sqlite3.IntegrityError as taken:
        raise VersionTaken from taken


def _opened(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection, sqlite3.Connection]:
    """The connections that write, that read, and that move the log. Raises StoreTrouble."""
    try:
        writing, reading, moving = (
            sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            for _ in range(3)
        )
        with suppress(OSError):
            # What a link leads to is not ours to change.
            if not path.is_symlink():
                path.chmod(0o600)
        writing.execute(f"pragma page_size = {PAGE}")
        writing.execute("pragma journal_mode = wal")
        writing.execute("pragma synchronous = normal")
        [version] = writing.execute("pragma user_version").fetchone()
        if version == 0:
            writing.executescript(f"begin; {_TABLES} pragma user_version = {SCHEMA}; commit;")
        elif version != SCHEMA:
            raise StoreTrouble(
                f"{clean_line(str(path), 200)} was made by a later version of the program (form {version})"
            )
        # The loop waits for nobody, and the moving is done beside.
        writing.execute("pragma busy_timeout = 0")
        writing.execute("pragma wal_autocheckpoint = 0")
        reading.execute("pragma query_only = on")
    except sqlite3.Error as problem:
        raise _trouble(path, problem) from problem
    return writing, reading, moving


def _trouble(path: Path, problem: sqlite3.Error) -> StoreTrouble:
    return StoreTrouble(f"{clean_line(str(path), 200)}: {clean_line(str(problem), 200)}")
