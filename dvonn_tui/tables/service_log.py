"""The log of a server: one line for an event, on standard error, for a person or for a program.

Nothing that a client wrote gets into it, and no secret: clients are named by their marks, what they did
by words of our own. Whatever is written is cleaned all the same.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.tables.limits import Bucket

LONGEST_VALUE: Final = 200
"""Columns of a value."""

ANYBODYS: Final = frozenset({"client-dropped", "fault", "library", "turned-away"})
"""Events that anybody can cause who reaches the server, as often as he likes."""

LINES_AT_ONCE: Final = 50
"""Lines about such an event that are written one after the other, for each reason it has."""

LINES_A_SECOND: Final = 0.5
"""And in the long run. Others are counted, and the next line that is written says how many were not."""

Value = str | int | float | bool | None


class LogFormat(StrEnum):
    """How a line is written."""

    TEXT = "text"
    JSON = "json"


class ServiceLog:
    """Writes events as lines."""

    def __init__(
        self,
        form: LogFormat = LogFormat.TEXT,
        write: Callable[[str], object] | None = None,
        wall: Callable[[], float] | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """By default to standard error, with the time of the machine; `wall` gives seconds since 1970, and
        `now` is a monotonic clock, in seconds."""
        self._form = form
        self._write = _to_standard_error if write is None else write
        self._wall = wall
        self._now = now
        self._buckets: dict[tuple[Value, ...], Bucket] = {}
        self._unwritten: dict[tuple[Value, ...], int] = {}

    def event(self, event: str, **about: Value) -> None:
        """Write a line. `event` is a word of our own; what is None is left out. Never raises.

        So that nobody fills the disk, not every line about one of `ANYBODYS` is written when there are many.
        """
        if event in ANYBODYS:
            why = (event, *(about.get(name) for name in ("during", "kind", "why", "reason", "name")))
            if not self._may_write(why):
                return
            about["unwritten"] = self._unwritten.pop(why, None)
        moment = datetime.now(UTC) if self._wall is None else datetime.fromtimestamp(self._wall(), UTC)
        at = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        told = {name: _clean(value) for name, value in about.items() if value is not None}
        if self._form is LogFormat.JSON:
            line = json.dumps({"time": at, "event": event, **told})
        else:
            line = " ".join([at, event, *(f"{name}={_word(value)}" for name, value in told.items())])
        try:
            self._write(line + "\n")
        except (OSError, ValueError):
            # Nobody reads on; the server lives on.
            return

    def _may_write(self, why: tuple[Value, ...]) -> bool:
        """Whether another line about something is written; else it is counted."""
        now = self._now()
        bucket = self._buckets.setdefault(why, Bucket(LINES_A_SECOND, LINES_AT_ONCE, now))
        if not bucket.allows(now):
            self._unwritten[why] = self._unwritten.get(why, 0) + 1
            return False
        return True

    def fault(self, where: str, problem: BaseException, **about: Value) -> None:
        """Write that something went wrong that should not have: what and where, in one line."""
        place = problem.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        at = None
        if place is not None:
            at = f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
        self.event("fault", during=where, kind=type(problem).__name__, at=at, **about)


class LibraryLog(logging.Handler):
    """Passes on what a library complains of: that it does, not what, which may be anything."""

    def __init__(self, log: ServiceLog) -> None:
        super().__init__(logging.ERROR)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        problem = record.exc_info[1] if record.exc_info else None
        if problem is not None:
            self._log.fault(record.name, problem)
        else:
            self._log.event("library", name=record.name, level=record.levelname)


def library_logger(log: ServiceLog) -> logging.Logger:
    """A logger to hand to a library; it belongs to nobody else."""
    logger = logging.Logger("websockets", logging.ERROR)
    logger.addHandler(LibraryLog(log))
    return logger


def _to_standard_error(line: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(line)
        sys.stderr.flush()


def _clean(value: Value) -> Value:
    # Marks and words of our own are most of it, and are clean by their looks.
    if not isinstance(value, str) or (value.isascii() and value.isalnum() and len(value) <= LONGEST_VALUE):
        return value
    return clean_line(value, LONGEST_VALUE)


def _word(value: Value) -> str:
    """A value in a line of words: in quotation marks where it is not one plain word."""
    if isinstance(value, str) and value and value.isascii() and not set(value) & set(' "=\\'):
        return value
    return json.dumps(value)
