"""What is done beside for the file of the tables: forcing it to the disk, and moving its log."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

FORCED_AFTER: Final = 1.5
"""Seconds after which what was written is forced to the disk; with the two looks before it, two at most."""

LOOKED_AFTER: Final = 0.25
"""Seconds between two looks at what is to be done, once something was written."""

MOVED_AFTER: Final = 10_000
"""Commits after which the write-ahead log is moved into the file: some 50 MB. The disk is kept busy by it, so
that it is not done more often than it has to, and a page that was written often is moved once."""

LONG_LOG: Final = 10_000
"""Pages in the write-ahead log, 40 MB, with which it has to begin anew. By itself it does that in any pause
between two commits; when there is none for so long, the commits wait for it once."""

_sync: Final = getattr(os, "fdatasync", os.fsync)


class Housekeeper:
    """A thread that waits for the disk, so that nobody else does."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Begin, with a connection to the file that is used by nobody else and closed at the end."""
        self._path = path
        self._connection = connection
        self._commits = 0
        self._written_to = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._keep_house, name="tables-housekeeper", daemon=True)
        self._thread.start()

    def wrote(self) -> None:
        """Something was committed."""
        self._commits += 1
        if not self._written_to.is_set():
            self._written_to.set()

    def end(self) -> None:
        """Force what was written to the disk, and wait for that."""
        self._ending.set()
        self._written_to.set()
        self._thread.join()

    def _keep_house(self) -> None:
        moved = 0
        unforced: float | None = None
        while not self._ending.is_set():
            self._written_to.wait(None if unforced is None else LOOKED_AFTER)
            if self._written_to.is_set():
                self._written_to.clear()
                unforced = time.monotonic() + FORCED_AFTER if unforced is None else unforced
                self._ending.wait(LOOKED_AFTER)
            if unforced is not None and time.monotonic() >= unforced:
                self._force()
                unforced = None
            if self._commits - moved >= MOVED_AFTER:
                moved = self._commits
                self._move()
        self._force()
        self._connection.close()

    def _force(self) -> None:
        """Force the write-ahead log to the disk. What fails here is no loss unless the power fails, too."""
        with suppress(OSError):
            descriptor = os.open(f"{self._path}-wal", os.O_RDWR)
            try:
                _sync(descriptor)
            finally:
                os.close(descriptor)

    def _move(self) -> None:
        """Move the write-ahead log into the file, beside those who write; a long one so that it begins anew.

        Then the commits wait: for what came meanwhile, which is little, and for somebody who has been reading
        the file for long, but for him no longer than the connection has patience.
        """
        with suppress(sqlite3.Error):
            [_, pages, _] = self._connection.execute("pragma wal_checkpoint(passive)").fetchone()
            if pages >= LONG_LOG:
                self._connection.execute("pragma wal_checkpoint(passive)").fetchone()
                self._connection.execute("pragma wal_checkpoint(restart)").fetchone()
