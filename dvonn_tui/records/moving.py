"""Renaming, deleting and bringing back the file of a game. No file is ever written over or destroyed.

Deleted files lie in a folder `deleted` beside where they were; to be rid of them for good is left to
whoever looks into it.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.records.journal import in_use
from dvonn_tui.records.library import DELETED

LONGEST_NAME: Final = 100
"""Characters of a new name at most, without its ending."""

MOST_OF_A_NAME: Final = 999

_NO_NAME: Final = frozenset('/\\:*?"<>|')
"""What some system does not take in the name of a file."""


class CannotMove(Exception):
    """A file that stays where it is. The text is why, in one clean line."""

    def __init__(self, reason: str) -> None:
        super().__init__(clean_line(reason, 300))


def rename(path: Path, stem: str) -> Path:
    """Give a file another name in its folder; how the name ends stays.

    Raises:
        CannotMove: the name is none, there is such a file already, or the system refuses.
    """
    name = clean_line(stem, LONGEST_NAME)
    unusable = sorted(_NO_NAME & set(name))
    if not name or name.startswith("."):
        raise CannotMove("a name has at least one letter, and no dot before it")
    if unusable:
        raise CannotMove(f"a name of a file cannot have {' '.join(unusable)}")
    target = path.with_name(name + path.suffix)
    if target == path:
        return path
    _check_free(path)
    try:
        _move(path, target)
    except FileExistsError as problem:
        raise CannotMove(f"there is a file {target.name} already") from problem
    except OSError as problem:
        raise CannotMove(f"{path.name}: {problem.strerror or problem}") from problem
    return target


def delete(path: Path) -> Path:
    """Move a file into the folder `DELETED` beside it. Returns where it lies now. Raises CannotMove."""
    _check_free(path)
    try:
        folder = path.parent / DELETED
        folder.mkdir(exist_ok=True)
        return _move_to_free(path, folder / path.name)
    except OSError as problem:
        raise CannotMove(f"{path.name}: {problem.strerror or problem}") from problem


def bring_back(deleted: Path, path: Path) -> Path:
    """Move a deleted file to where it was, under a name with a number if another took its place meanwhile.

    Returns where it lies now. Raises CannotMove.
    """
    try:
        back = _move_to_free(deleted, path)
    except OSError as problem:
        raise CannotMove(f"{deleted.name}: {problem.strerror or problem}") from problem
    with suppress(OSError):  # others lie there as well
        deleted.parent.rmdir()
    return back


def _check_free(path: Path) -> None:
    """Raise CannotMove when an application writes to a file at present."""
    with suppress(OSError):
        if in_use(path):
            raise CannotMove(f"{path.name} is being played")


def _move_to_free(source: Path, target: Path) -> Path:
    """Move a file to a name, or to the first one with a number that is free. Raises OSError."""
    for number in range(1, MOST_OF_A_NAME + 1):
        free = target if number == 1 else target.with_stem(f"{target.stem}_{number}")
        with suppress(FileExistsError):
            _move(source, free)
            return free
    raise FileExistsError(errno.EEXIST, "there are too many files of this name")


def _move(source: Path, target: Path) -> None:
    """Give a file another name, unless there is one of that name. Raises OSError."""
    try:
        os.link(source, target, follow_symlinks=False)
    except (FileExistsError, FileNotFoundError):
        raise
    except (OSError, NotImplementedError):
        # Some file systems know no links; the moment between these two is all that is left to chance.
        if target.exists() or target.is_symlink():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        source.rename(target)
    else:
        source.unlink()
