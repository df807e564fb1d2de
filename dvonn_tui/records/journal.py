"""Writing the log file of one game, line by line, while it is played.

**What is shown as played has been written.** `Journal.append` hands its lines to a thread of its own and
waits until the operating system has taken them, `PATIENCE` seconds at most; whoever submits a move calls it
before the screen is painted again. From then on the end of the process, by whatever means, loses nothing.
So the screen's loop does no writing, waits some 0.1 ms as a rule, and cannot be held up by a
disk or a network that does not answer: when the time is over the game goes on, and `Journal.trouble` says
that it is not saved until the answer has come. To wait here is simpler than to hold the painting back, and
it holds for everything that is shown: the board, the log, the clocks.

**Against a loss of power** the file is forced to the disk `SYNC` seconds after something was written, and at
the end. That can take long and is done in another thread, so that no move waits for it.

**When writing fails**, what was written of a line is cut off again, all lines are kept, and they are tried
again with the next one and every `RETRY` seconds. A file that was deleted meanwhile is written anew.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from dvonn_tui.clean import clean_line
from dvonn_tui.records.file_lock import Lock, try_lock
from dvonn_tui.records.journal_form import seal
from dvonn_tui.records.journal_reading import (
    LARGEST_FILE,
    JournalFault,
    Reading,
    checked_size,
    load_journal,
    read_journal,
)

SUFFIX: Final = ".dvnlog"

PATIENCE: Final = 0.1
"""Seconds that `Journal.append` waits at most."""

RETRY: Final = 3.0
SYNC: Final = 2.0
"""Seconds; see above."""

CLOSING: Final = 3.0
"""Seconds that the end of the application waits at most for the disk."""

LOCK_TRIES: Final = 4
LOCK_PAUSE: Final = 0.02
"""Seconds between them."""

MOST_OF_A_NAME: Final = 99
"""Files of the same name, numbered, at most."""

SLOW: Final = "the disk does not answer"

_NOT_BROUGHT_TO_THE_DISK: Final = {errno.EIO, errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}

_BINARY: Final = getattr(os, "O_BINARY", 0)
_WRITE: Final = os.O_RDWR | _BINARY


class Journal:
    """The log file of one game, to which lines are added. Its methods are for one thread.

    A new file comes into being with its first lines, so that a game in which nothing is played leaves
    none. It is locked as long as the journal is open.

    Attributes:
        on_change: called whenever `trouble` has become another, from any thread.
    """

    def __init__(self, path: Path) -> None:
        """A new file; a number is added to its name when there is such a file already."""
        self._path = path
        self.on_change: Callable[[], object] = lambda: None
        self._descriptor: int | None = None
        self._links = 0
        """How many names the open file had at first: where a system counts them, none means deleted."""
        self._checksum = 0
        self._lines: list[bytes] = []
        """All lines that were added; they are few, and a deleted file is made anew of them."""
        self._before = b""
        """What was in the file when it was opened."""
        self._written = 0
        """How many of the lines the system has taken."""
        self._size = 0
        """Bytes of the file that are whole."""
        self._changed = threading.Condition(threading.RLock())
        self._called = self._finishing = self._closing = self._late = False
        self._tries = 0
        self._failure = self._sync_failure = ""
        self._unsynced = False
        self._sync_at = 0.0
        self._syncing: threading.Thread | None = None
        self._thread: threading.Thread | None = None

    @classmethod
    def _going_on(cls, path: Path, descriptor: int, reading: Reading, data: bytes) -> Journal:
        """Go on with a file that is open and locked."""
        journal = cls(path)
        journal._descriptor = descriptor
        journal._links = os.fstat(descriptor).st_nlink
        journal._checksum = reading.checksum
        journal._size = reading.size
        journal._before = data[: reading.size]
        return journal

    @property
    def path(self) -> Path:
        """The file. A new one may get a number in its name when it comes into being."""
        return self._path

    @property
    def exists(self) -> bool:
        """True once something of the game is in the file."""
        return self._size > 0

    @property
    def trouble(self) -> str:
        """Why something is not saved, in words for a player; empty when everything is."""
        with self._changed:
            return self._failure or self._sync_failure or (SLOW if self._late else "")

    def append(self, contents: Iterable[Mapping[str, Any]]) -> bool:
        """Add lines, all of them or none.

        Returns:
            True when the system has taken everything; otherwise `trouble` says why not, and it is tried
            again.

        Raises:
            TypeError, ValueError: JSON cannot hold it; nothing was added.
        """
        lines = []
        checksum = self._checksum
        for content in contents:
            line, checksum = seal(content, checksum)
            lines.append(line)
        self._checksum = checksum
        with self._changed:
            self._lines += lines
            self._called = True
            if self._thread is None:
                # Of all that can keep a program from ending, a disk must not be one: hence a daemon.
                self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
                self._thread.start()
            self._changed.notify_all()
            goal, tries, late = len(self._lines), self._tries, self._late

            def answered() -> bool:
                return self._written >= goal or (bool(self._failure) and self._tries > tries)

            if not late and not self._changed.wait_for(answered, PATIENCE):
                self._late = True
            return self._written >= goal

    def finish(self) -> None:
        """Nothing is to be added any more: release the file once everything is written. Does not wait."""
        with self._changed:
            self._finishing = True
            self._changed.notify_all()
        if self._thread is None:
            self._release()

    def close(self) -> str:
        """Write what is left, force everything to the disk and release the file, or give up.

        Returns:
            Why something is not saved; empty when everything is. Waits `CLOSING` seconds at most.
        """
        self.give_up()
        if self._thread is not None:
            self._thread.join(CLOSING)
        return self.trouble

    def give_up(self) -> None:
        """Release the file after one more try. Does not wait."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is None:
            self._release()

    # In the thread of the journal

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(self._is_called, self._pause())
                closing, finishing = self._closing, self._finishing
                self._called = False
                waiting = self._written < len(self._lines)
            if waiting:
                self._try()
            if self._unsynced and not closing and monotonic() >= self._sync_at:
                self._sync_aside()
            if closing or (finishing and self._written == len(self._lines)):
                self._sync()
                self._release()
                return

    def _is_called(self) -> bool:
        """True when there is something to do, or another time to wait."""
        return self._called or self._closing or (self._finishing and self._written == len(self._lines))

    def _pause(self) -> float | None:
        """Seconds until there is something to do again, if no line comes."""
        if self._written < len(self._lines):
            return RETRY
        return max(self._sync_at - monotonic(), 0.0) if self._unsynced else None

    def _try(self) -> None:
        """Write all lines that are not written yet."""
        try:
            self._open()
            with self._changed:
                lines = self._lines[self._written :]
            whole = b"" if self._size else self._before
            self._write(whole + b"".join(lines))
        except OSError as problem:
            self._settle(_told(problem, self._path), 0)
        else:
            self._settle("", len(lines))

    def _settle(self, failure: str, written: int) -> None:
        """Tell whoever waits what came of the lines."""
        with self._changed:
            before = self.trouble
            self._written += written
            self._tries += 1
            self._failure = failure
            self._late = False
            if written and not self._unsynced:
                self._unsynced = True
                self._sync_at = monotonic() + SYNC
            self._changed.notify_all()
            changed = before != self.trouble
        if changed:
            self.on_change()

    def _open(self) -> None:
        """Make the file, if it is not there or not there any more."""
        if self._descriptor is not None:
            if not self._links or os.fstat(self._descriptor).st_nlink:
                return
            self._release()
            with self._changed:
                self._written = self._size = 0
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path, self._descriptor = _create(self._path)
        self._links = os.fstat(self._descriptor).st_nlink
        # Nobody else can know of the file yet: a system without locks is none the worse for it.
        try_lock(self._descriptor)

    def _write(self, data: bytes) -> None:
        """Put bytes behind what is whole. Raises OSError; then what was written of them is cut off again."""
        assert self._descriptor is not None
        if os.lseek(self._descriptor, 0, os.SEEK_END) != self._size:
            os.ftruncate(self._descriptor, self._size)
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            raise
        self._size += len(data)

    def _sync_aside(self) -> None:
        """Force the file to the disk in yet another thread, one at a time."""
        self._sync_at = monotonic() + SYNC
        if self._descriptor is None or (self._syncing is not None and self._syncing.is_alive()):
            return
        with suppress(OSError):
            if self._sync_failure:
                self._write_again(self._descriptor)
            copy = os.dup(self._descriptor)
            self._unsynced = False
            self._syncing = threading.Thread(target=self._sync_copy, args=(copy,), daemon=True)
            self._syncing.start()

    def _write_again(self, descriptor: int) -> None:
        """Write what is in the file over it once more: a system forgets what it could not bring to the disk,
        and then says that all is well."""
        os.lseek(descriptor, 0, os.SEEK_SET)
        left = memoryview(self._before + b"".join(self._lines[: self._written]))
        while left:
            left = left[os.write(descriptor, left) :]

    def _sync_copy(self, descriptor: int) -> None:
        failure = ""
        try:
            os.fsync(descriptor)
        except OSError as problem:
            # Others only mean that this file system knows no such wish.
            if problem.errno in _NOT_BROUGHT_TO_THE_DISK:
                failure = _told(problem, self._path)
        _sync_folder(self._path.parent)
        os.close(descriptor)
        with self._changed:
            before = self.trouble
            self._sync_failure = failure
            self._unsynced = self._called = self._unsynced or bool(failure)
            changed = before != self.trouble
            self._changed.notify_all()
        if changed:
            self.on_change()

    def _sync(self) -> None:
        if self._syncing is not None:
            self._syncing.join()
        if self._descriptor is not None:
            with suppress(OSError):
                os.fsync(self._descriptor)
            _sync_folder(self._path.parent)

    def _release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            if not self._size:
                # It was made, and then there was no room for anything in it.
                with suppress(OSError):
                    self._path.unlink()


@dataclass(frozen=True, slots=True)
class Opened:
    """A log file that somebody wants to go on with.

    Attributes:
        reading: what it tells.
        journal: its continuation; None when this file cannot be gone on with.
        hindrance: why not, in words for a player; empty when it can.
    """

    reading: Reading
    journal: Journal | None
    hindrance: str = ""


def _create(path: Path) -> tuple[Path, int]:
    """Make and open a new file, with a number in its name when the name is taken. Raises OSError.

    The number is joined so that the names are in the order of the numbers.
    """
    for number in range(1, MOST_OF_A_NAME + 1):
        free = path if number == 1 else path.with_stem(f"{path.stem}_{number}")
        with suppress(FileExistsError):
            return free, os.open(free, _WRITE | os.O_CREAT | os.O_EXCL, 0o666)
    raise FileExistsError(errno.EEXIST, "there are too many files of this name")


def open_journal(path: Path) -> Opened:
    """Open a log file to go on with it.

    Only a file that nobody else writes, that can be written and that is not damaged is gone on with;
    any other one stays as it is. What was torn off its end is written over with the first line.

    Raises:
        JournalFault: nothing can be loaded of it.
        OSError: it cannot be read.
    """
    if path.exists() and not path.is_file():
        raise JournalFault("not a file")
    try:
        descriptor = os.open(path, _WRITE)
    except OSError as problem:
        if problem.errno not in {errno.EACCES, errno.EPERM, errno.EROFS}:
            raise
        return Opened(load_journal(path), None, f"it cannot be written to ({_why(problem)})")
    lock = _lock_patiently(descriptor)
    try:
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = checked_size(file.read(LARGEST_FILE + 1))
        reading = read_journal(data)
    except BaseException:
        os.close(descriptor)
        raise
    hindrance = ""
    if lock is Lock.TAKEN:
        hindrance = "it is open in another dvonn-tui"
    elif lock is Lock.UNKNOWN:
        hindrance = "nothing tells here whether another dvonn-tui writes to it"
    elif reading.damage:
        hindrance = "it is damaged"
    if hindrance:
        os.close(descriptor)
        return Opened(reading, None, hindrance)
    return Opened(reading, Journal._going_on(path, descriptor, reading, data))


def _lock_patiently(descriptor: int) -> Lock:
    """Lock a file; whoever only asks whether it is in use holds it for a moment."""
    for _ in range(LOCK_TRIES):
        lock = try_lock(descriptor)
        if lock is not Lock.TAKEN:
            break
        sleep(LOCK_PAUSE)
    return lock


def in_use(path: Path) -> bool:
    """True when an application writes to a file at present. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | _BINARY)
    try:
        return try_lock(descriptor) is Lock.TAKEN
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Bring the name of a new file to the disk as well, where a system knows such a wish."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        with suppress(OSError):
            os.fsync(descriptor)
        os.close(descriptor)


def _told(problem: OSError, path: Path) -> str:
    """What went wrong with a file, or with the folder that it is to be in."""
    return f"{clean_line(str(problem.filename or path), 200)}: {_why(problem)}"


def _why(problem: OSError) -> str:
    return clean_line(problem.strerror or str(problem), 200)
