"""Reading records that were named on the command line, and writing what was made of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.terminal import FAILED, CommandFault, complain
from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.notation import parse_token
from dvonn_tui.records.forms import read
from dvonn_tui.records.record import Record, Unreadable

STREAM: Final = "-"
"""Standard input or standard output in the place of a file."""

_POSITION: Final = re.compile(r"[0-9wbr()]+/[0-9wbr()/]+ ")

NAME_LIMIT: Final = 200
"""Columns of the name of a file in a message."""


def shown_name(path: str | Path) -> str:
    """The name of a file for a message."""
    return "standard input" if path == STREAM else clean_line(str(path), NAME_LIMIT)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A file, or standard input, to read bytes from. Raises CommandFault when that cannot be done."""
    if path == STREAM:
        if sys.stdin is None:
            raise CommandFault("standard input is closed", FAILED)
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(open(path, "rb"))
        except (OSError, ValueError) as problem:
            raise CommandFault(f"{shown_name(path)}: {why(problem)}", FAILED) from problem
        yield file


def records_of(path: str) -> Iterator[Record]:
    """The games of a file or of standard input. Raises CommandFault when none can be read."""
    with opened(path) as stream:
        try:
            yield from read(stream)
        except Unreadable as problem:
            raise CommandFault(f"{shown_name(path)}: {problem}", FAILED) from problem
        except (OSError, ValueError) as problem:
            raise CommandFault(f"{shown_name(path)}: {why(problem)}", FAILED) from problem


def chosen_game(path: str, number: int) -> Record:
    """The game of a file with a number, from 1. Raises CommandFault when there is none."""
    found = 0
    for record in records_of(path):
        found += 1
        if found == number:
            return record
    games = "1 game" if found == 1 else f"{found} games"
    raise CommandFault(f"{shown_name(path)}: there is no game {number}, the file has {games}", FAILED)


def tell_faults(path: str, number: int, record: Record) -> None:
    """Write the faults and remarks of a record to standard error, one a line."""
    for word, found in (("", record.faults), ("note: ", record.remarks)):
        for fault in found:
            complain(f"{shown_name(path)}: {'' if number == 1 else f'game {number}: '}{word}{fault}")


def write_file(path: str, text: str, *, force: bool) -> None:
    """Write a file at once; one that is there is replaced only when that is asked for.

    Raises:
        CommandFault: there is such a file, or it cannot be written.
    """
    from dvonn_tui.whole_file import write_whole

    if not Path(path).parent.is_dir():
        raise CommandFault(f"{shown_name(path)}: there is no such folder", FAILED)
    try:
        write_whole(Path(path), text, replace=force)
    except FileExistsError as problem:
        line = f"{shown_name(path)}: there is such a file already; --force replaces it"
        raise CommandFault(line, FAILED) from problem
    except (OSError, ValueError) as problem:
        raise CommandFault(f"{shown_name(path)}: {why(problem)}", FAILED) from problem


def names_file(word: str) -> bool:
    """True for the name of a file that is there; no token and no position is taken for one."""
    try:
        parse_token(word)
    except NotationError:
        try:
            return not _POSITION.match(word) and Path(word).is_file()
        except (OSError, ValueError):
            return False
    return False


def same_file(one: str, other: str) -> bool:
    """True when two names are those of one file."""
    try:
        return one != STREAM and other != STREAM and Path(one).samefile(other)
    except OSError:
        return False


def why(problem: Exception) -> str:
    """What the system says of a problem."""
    return getattr(problem, "strerror", None) or str(problem)
