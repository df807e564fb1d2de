"""An index of all games in some folders, so that a list of thousands is there at once.

The index is an SQLite file that holds nothing that is not in the games' files as well: one that is missing,
damaged or of another version is made anew without a word, and where none can be written it is kept in
memory. `Library.refresh` reads only files whose size or time of writing has changed. Two applications can
use one index: each writes in short transactions and waits for the other.

SQLite is used by one thread at a time; methods may be called from any.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar

from dvonn_tui.clean import clean_line
from dvonn_tui.records.shelf import Listed, listed_games

Found = TypeVar("Found")

VERSION: Final = 1
"""Of the tables, and of what is told in them."""

PATIENCE: Final = 10.0
"""Seconds that one application waits for the other."""

BATCH_SECONDS: Final = 0.4
"""How long games are gathered before they are written."""

MOST_FILES: Final = 100_000
"""Files of all folders that are looked at."""

DELETED: Final = "deleted"
"""The folder beside a game in which it lies after it was deleted. Nothing in it is listed."""

_COLUMNS: Final = Listed._fields
_TABLES: Final = f"""
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS games;
DROP TABLE IF EXISTS files;
CREATE TABLE files (path TEXT PRIMARY KEY, size INTEGER, modified INTEGER) WITHOUT ROWID;
CREATE TABLE games ({", ".join(_COLUMNS)}, PRIMARY KEY (path, place)) WITHOUT ROWID;
PRAGMA user_version = {VERSION};
COMMIT;
"""
_ALL: Final = f"SELECT {', '.join(_COLUMNS)} FROM games ORDER BY date DESC, path DESC, place"
_INSERT: Final = f"INSERT OR REPLACE INTO games VALUES ({', '.join('?' * len(_COLUMNS))})"

_NOT_DAMAGED: Final = frozenset(
    ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_FULL",
     "SQLITE_IOERR", "SQLITE_AUTH", "SQLITE_PROTOCOL")
)  # fmt: skip
"""What is wrong with the disk or with the moment, and not with the index."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was found in a folder.

    Attributes:
        path: the file.
        size: bytes.
        modified: when it was written, in nanoseconds since 1970.
    """

    path: str
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What came of looking for changes.

    Attributes:
        changed: True when the list is another one.
        troubles: what hindered, each in one clean line.
    """

    changed: bool
    troubles: tuple[str, ...] = ()


class Library:
    """All games of some folders, from the index."""

    def __init__(self, index: Path | None) -> None:
        """`index` is the file of the index; None keeps it in memory."""
        self._index = index
        self._lock = threading.RLock()
        self._one_looks = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._made = 0
        """How many times the index was thrown away."""

    @property
    def in_memory(self) -> bool:
        """True when the index could not be written to its file, and goes with this program."""
        return self._index is None

    def games(self) -> list[Listed]:
        """All games that are known, newest first. Never raises."""

        def read(connection: sqlite3.Connection) -> list[Listed]:
            return list(map(Listed._make, connection.execute(_ALL)))

        return self._do(read)

    def refresh(
        self,
        folders: Sequence[tuple[Path, bool]],
        told: Callable[[int, int], object] = lambda done, total: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Refreshed:
        """Look at the files of folders and read those that are new or changed. Never raises.

        Args:
            folders: each folder, and whether the folders in it count as well.
            told: called now and then with the number of files that were read and that are to be read.
            stopped: asked between two games; when it is True all that was read so far is kept.
        """
        with self._one_looks:
            made = self._made
            found = self._look(folders, told, stopped)
            if self._made != made and self._index is not None and not stopped():
                # The index turned out to be damaged meanwhile: what was known before is not in the new one.
                self._look(folders, told, stopped)
                return Refreshed(True, found.troubles)
            return found

    def _look(
        self,
        folders: Sequence[tuple[Path, bool]],
        told: Callable[[int, int], object],
        stopped: Callable[[], bool],
    ) -> Refreshed:
        troubles: list[str] = []
        seen = {file.path: file for file in _files(folders, troubles)}
        known = self._do(_known)
        gone = [path for path in known if path not in seen]
        new = [file for file in seen.values() if known.get(file.path) != (file.size, file.modified)]
        # The newest first: they are what somebody looks for.
        new.sort(key=lambda file: file.modified, reverse=True)
        if gone:
            self._do(lambda connection: _forget(connection, gone))
        told(0, len(new))
        self._read(new, told, stopped)
        return Refreshed(bool(gone or new), tuple(troubles))

    def _read(
        self, files: Sequence[Seen], told: Callable[[int, int], object], stopped: Callable[[], bool]
    ) -> None:
        """Read files and write what is in them to the index, several at a time."""
        batch: list[tuple[Seen, list[Listed]]] = []
        began = monotonic()
        for done, file in enumerate(files, 1):
            found = []
            for listed in listed_games(Path(file.path), file.modified / 1e9):
                if stopped():
                    break
                found.append(listed)
            else:
                games = found[-1].games if found else 0
                batch.append((file, [listed._replace(games=games) for listed in found]))
            if stopped():
                break
            if monotonic() - began > BATCH_SECONDS:
                self._write(batch)
                batch, began = [], monotonic()
                told(done, len(files))
        self._write(batch)
        told(len(files), len(files))

    def _write(self, batch: Sequence[tuple[Seen, list[Listed]]]) -> None:
        if batch:
            self._do(lambda connection: _remember(connection, batch))

    def close(self) -> None:
        """Close the index."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _do(self, work: Callable[[sqlite3.Connection], Found]) -> Found:
        """Do something with the index; a damaged one is made anew, and where none can be it is in memory."""
        with self._lock:
            for _ in range(2):
                try:
                    return work(self._open())
                except sqlite3.Error as problem:
                    self._give_up(problem)
            self._index = None
            return work(self._open())

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            if self._index is not None:
                with suppress(OSError):
                    self._index.parent.mkdir(parents=True, exist_ok=True)
            self._connection = _connect(self._index)
        return self._connection

    def _give_up(self, problem: sqlite3.Error) -> None:
        """Take the file of the index away when it is damaged, or do without it."""
        before, self._connection = self._connection, None
        name = getattr(problem, "sqlite_errorname", "")
        if self._index is None or name.startswith(tuple(_NOT_DAMAGED)):
            memory = _connect(None)
            if before is not None:
                # What is known so far need not be read again.
                with suppress(sqlite3.Error):
                    before.backup(memory)
            self._index, self._connection = None, memory
        else:
            self._made += 1
            for suffix in ("", "-wal", "-shm", "-journal"):
                with suppress(OSError):
                    self._index.with_name(self._index.name + suffix).unlink()
        if before is not None:
            with suppress(sqlite3.Error):
                before.close()


def _connect(index: Path | None) -> sqlite3.Connection:
    """An index with its tables. Raises sqlite3.Error."""
    connection = sqlite3.connect(
        ":memory:" if index is None else index,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            connection.executescript(_TABLES)
        connection.execute(f"{_ALL} LIMIT 0")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _known(connection: sqlite3.Connection) -> dict[str, tuple[int, int]]:
    """Size and time of all files that are in the index."""
    rows = connection.execute("SELECT path, size, modified FROM files")
    return {path: (size, modified) for path, size, modified in rows}


def _remember(connection: sqlite3.Connection, batch: Iterable[tuple[Seen, list[Listed]]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for file, games in batch:
            connection.execute("DELETE FROM games WHERE path = ?", (file.path,))
            connection.executemany(_INSERT, games)
            values = (file.path, file.size, file.modified)
            connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", values)
    except sqlite3.Error:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _forget(connection: sqlite3.Connection, paths: Sequence[str]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for table in ("games", "files"):
            connection.executemany(f"DELETE FROM {table} WHERE path = ?", [(path,) for path in paths])
    except sqlite3.Error:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _files(folders: Sequence[tuple[Path, bool]], troubles: list[str]) -> Iterator[Seen]:
    """The files of folders, each once, without hidden ones and without what was deleted."""
    count = 0
    looked_at: set[str] = set()
    waiting = [(os.path.abspath(folder), deep) for folder, deep in reversed(folders)]
    while waiting:
        folder, deep = waiting.pop()
        real = os.path.realpath(folder)
        if real in looked_at:
            continue
        looked_at.add(real)
        try:
            with os.scandir(folder) as entries:
                found = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as problem:
            troubles.append(f"{clean_line(folder, 200)}: {clean_line(problem.strerror or str(problem), 200)}")
            continue
        for entry in found:
            with suppress(OSError, ValueError):
                if entry.is_dir():
                    if deep and entry.name != DELETED:
                        waiting.append((entry.path, True))
                elif entry.is_file():
                    entry.path.encode()  # a name that is no text cannot be kept in the index
                    count += 1
                    if count > MOST_FILES:
                        troubles.append(f"only the first {MOST_FILES:,} files are listed")
                        return
                    told = entry.stat()
                    yield Seen(entry.path, told.st_size, told.st_mtime_ns)


def matching(games: Sequence[Listed], text: str) -> list[Listed]:
    """The games whose words hold every word of a text, in their order, without regard to case."""
    found = list(games)
    for word in text.casefold().split():
        found = [game for game in found if word in game.words]
    return found
