"""Writing to the terminal, in a thread of its own, also when the terminal is gone."""

from __future__ import annotations

from queue import Full
from typing import Final

from textual.drivers._writer_thread import WriterThread

PATIENCE: Final = 2.0
"""Seconds to wait at most, on leaving, until the terminal has taken what was written."""


class LastingWriter(WriterThread):
    """Textual's thread that writes, which goes on when nothing can be written any more.

    Textual's own ends with the first error. Then nobody takes what is written from the queue, which is
    soon full, and the program waits for room in it for ever, deaf to all signals.
    """

    def run(self) -> None:
        """Write what comes until `stop`; what a terminal that is gone does not take is dropped."""
        while (text := self._queue.get()) is not None:
            try:
                self._file.write(text)
                if self._queue.empty():
                    self._file.flush()
            except (OSError, ValueError):  # a closed file is a ValueError
                continue

    def stop(self) -> None:
        """Wait until everything is written, but not for ever: a terminal can stand still."""
        try:
            self._queue.put(None, timeout=PATIENCE)
        except Full:
            return
        self.join(PATIENCE)
