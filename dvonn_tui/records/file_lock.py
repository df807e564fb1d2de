"""A lock on an open file, held until the file is closed or its process is gone, however that ends.

POSIX systems lock by ``flock``, Windows by ``msvcrt.locking`` of one byte far behind the end, since there
a locked byte cannot be read by others.
"""

from __future__ import annotations

import errno
import sys
from enum import Enum, auto

if sys.platform == "win32":
    import msvcrt
    import os
else:
    import fcntl

BEHIND_THE_END = 0x7FFF_0000


class Lock(Enum):
    """What came of the wish to lock a file."""

    HELD = auto()
    """Nobody else holds it."""
    TAKEN = auto()
    """Another application, or another part of this one, holds it."""
    UNKNOWN = auto()
    """The file system knows no locks."""


def try_lock(descriptor: int) -> Lock:
    """Lock an open file without waiting. Never raises."""
    try:
        if sys.platform == "win32":
            place = os.lseek(descriptor, 0, os.SEEK_CUR)
            try:
                os.lseek(descriptor, BEHIND_THE_END, os.SEEK_SET)
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(descriptor, place, os.SEEK_SET)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        taken = problem.errno in {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
        return Lock.TAKEN if taken else Lock.UNKNOWN
    return Lock.HELD
