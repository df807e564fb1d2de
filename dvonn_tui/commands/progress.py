"""A progress bar on standard error, for commands that take long. Nothing where no terminal reads it."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import suppress
from typing import Final

from dvonn_tui.clean import clean_line

BAR: Final = 20
"""Columns of the bar itself."""

PAUSE: Final = 0.2
"""Seconds between two drawings at least."""


class Progress:
    """One line that is drawn over again."""

    def __init__(self, total: int) -> None:
        self._total = max(total, 1)
        self._begun = time.monotonic()
        self._drawn = 0.0
        stream = sys.stderr
        dumb = os.environ.get("TERM") == "dumb"
        self._stream = stream if stream is not None and stream.isatty() and not dumb else None

    def show(self, done: float, text: str, *, now: bool = False) -> None:
        """Show how many of the total are done, and a text; not more often than one can read, unless `now`."""
        moment = time.monotonic()
        if self._stream is None or (not now and moment - self._drawn < PAUSE):
            return
        self._drawn = moment
        share = min(done / self._total, 1.0)
        filled = round(share * BAR)
        left = (moment - self._begun) * (1 - share) / share if share > 0.02 else None
        rest = "" if left is None else f"  {_clock(left)} left"
        line = f"[{'#' * filled}{'.' * (BAR - filled)}] {text}{rest}"
        width = shutil.get_terminal_size().columns - 1
        self._write("\r" + clean_line(line, max(width, 10)) + "\x1b[K")

    def clear(self) -> None:
        """Take the line away."""
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        if self._stream is not None:
            with suppress(OSError, ValueError):
                self._stream.write(text)
                self._stream.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
