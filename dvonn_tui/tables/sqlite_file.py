"""The file of the tables: its form, and how it is opened, made, or taken over from an earlier version."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.tables.store import StoreTrouble

SCHEMA: Final = 2
"""The version of the tables below, kept as SQLite's ``user_version``."""

CACHE: Final = 16_000
"""KiB of pages that are kept in memory. Each table writes to pages of its own, one or two for a move."""

LARGEST_LOG: Final = 64_000_000
"""Bytes of the write-ahead log that are kept when it begins anew; it is longer when somebody reads the file
for long."""

GIVES_WAY: Final = 0.05
"""Seconds that whoever moves the log waits for somebody who reads the file: meanwhile nobody can write."""

PATIENCE: Final = 2.0
"""Seconds to wait for a file that somebody else has locked."""

_TABLES: Final = """
create table tables (
    id text primary key, opened integer not null, client text not null, address text not null,
    command text not null
) without rowid;
create table happenings (
    table_id text not null, version integer not null, event text not null, client text, command text,
    primary key (table_id, version)
) without rowid;
create table chat (
    table_id text not null, number integer not null, line text not null,
    primary key (table_id, number)
) without rowid;
create table records (id text primary key, at integer not null, text text not null) without rowid;
create index records_at on records (at);
"""

_FROM_1: Final = """
create index answers_at on answers (table_id, version);
alter table happenings add column client text;
alter table happenings add column command text;
update happenings set (client, command) = (
    select client, command from answers
    where answers.table_id = happenings.table_id and answers.version = happenings.version
);
drop table answers;
"""
"""Makes a file of the first form one of this: which command was carried out stood in a table of its own."""


def opened(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection, sqlite3.Connection]:
    """The connections that write, that read, and that move the log. Raises StoreTrouble."""
    with ExitStack() as ready:
        try:
            connections = [ready.enter_context(closing(_connection(path))) for _ in range(3)]
            writing, reading, moving = connections
            with suppress(OSError):
                # What a link leads to is not ours to change.
                if not path.is_symlink():
                    path.chmod(0o600)
            writing.execute("pragma journal_mode = wal")
            _take_over(writing, path)
            # What was left behind by a process that was killed would only grow.
            writing.execute("pragma wal_checkpoint(truncate)").fetchone()
            for connection in connections:
                connection.execute("pragma synchronous = normal")
                connection.execute(f"pragma journal_size_limit = {LARGEST_LOG}")
            writing.execute(f"pragma cache_size = -{CACHE}")
            # The loop waits for nobody, and the moving is done beside.
            writing.execute("pragma busy_timeout = 0")
            writing.execute("pragma wal_autocheckpoint = 0")
            reading.execute("pragma query_only = on")
            moving.execute(f"pragma busy_timeout = {round(GIVES_WAY * 1000)}")
        except sqlite3.Error as problem:
            raise trouble(path, problem) from problem
        ready.pop_all()
        return writing, reading, moving


def _connection(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def _take_over(connection: sqlite3.Connection, path: Path) -> None:
    """Give the file the form of this version. Raises StoreTrouble and sqlite3.Error."""
    [version] = connection.execute("pragma user_version").fetchone()
    making = {0: _TABLES, 1: _FROM_1}.get(version)
    if making is not None:
        connection.executescript(f"begin immediate; {making} pragma user_version = {SCHEMA}; commit;")
    elif version != SCHEMA:
        shown = clean_line(str(path), 200)
        raise StoreTrouble(f"{shown} was made by a later version of the program (form {version})")


def trouble(path: Path, problem: sqlite3.Error) -> StoreTrouble:
    """What went wrong with the file, for people."""
    return StoreTrouble(f"{clean_line(str(path), 200)}: {clean_line(str(problem), 200)}")
