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
from typing import Final

from dvonn_tui.clean import clean_line

LONGEST_VALUE: Final = 200
"""Columns of a value."""

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
    ) -> None:
        """By default to standard error, with the time of the machine; `wall` gives seconds since 1970."""
        self._form = form
        self._write = _to_standard_error if write is None else write
        self._wall = wall

    def event(self, event: str, **about: Value) -> None:
        """Write a line. `event` is a word of our own; what is None is left out. Never raises."""
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
