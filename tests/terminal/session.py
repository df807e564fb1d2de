"""A program in a pseudo-terminal: what it writes, what its user sees, and what he types."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pyte
from pyte.screens import Char

from dvonn_tui.art.lattice import SCALES, Lattice
from dvonn_tui.core.cells import CELL_NAMES, Cell

PROGRAM: Final = str(Path(sys.executable).with_name("dvonn-tui"))
"""The installed program, beside the Python that runs the tests."""

QUIET: Final = 0.025
"""Seconds without output after which a screen is taken to be settled: several frames of the application."""

LOOK: Final = 0.005
"""Seconds between two looks whether it has."""

PATIENCE: Final = 20.0
"""Seconds to wait at most; other programs may need the machine as well."""

_SEQUENCE: Final = re.compile(
    rb"\x1b(?:"
    rb"\[[0-?]*[ -/]*[@-~]"  # control sequences
    rb"|\][^\x07\x1b]*(?:\x07|\x1b\\)"  # operating system commands: title, pointer, clipboard
    rb"|[P_^X][^\x1b]*\x1b\\"  # device control and other strings
    rb"|[ -/]+[0-~]"
    rb"|[0-OQ-WYZ\\`-~])"
)
_FOREIGN: Final = re.compile(rb"\x1b(?:\[[<=>][0-?]*[ -/]*[@-~]|\[[0-?]*[ -/]+[@-~]|[\]P_^X])")
"""Sequences that `pyte` writes out as text instead of leaving them out."""


class SessionFault(AssertionError):
    """The program did not do what was waited for; the text shows the screen."""


class Session:
    """A program that runs in a pseudo-terminal of its own.

    Attributes:
        raw: every byte that it wrote.
        home: the folder of all its files.
        before: the attributes of the terminal before the program began, as ``stty`` shows them.
    """

    def __init__(
        self,
        arguments: Sequence[str] = (),
        *,
        home: Path,
        columns: int = 80,
        lines: int = 24,
        program: Sequence[str] = (PROGRAM,),
        environment: Mapping[str, str | None] | None = None,
    ) -> None:
        """Start the program. A value of None takes a variable out of its environment."""
        self.columns, self.lines = columns, lines
        self.home = home
        self.raw = b""
        self._seen = 0
        self._rows: list[str] = []
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._outer, self._inner = pty.openpty()
        self._open = [self._outer, self._inner]
        self._set_size(columns, lines)
        self.before = termios.tcgetattr(self._inner)
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdin=self._inner,
            stdout=self._inner,
            # Textual writes to standard error, so this has to be the pseudo-terminal as well.
            stderr=self._inner,
            env=_environment(home, environment or {}),
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def hang_up(self) -> None:
        """Take the terminal away. The program has it from us, so no signal tells it."""
        while self._open:
            os.close(self._open.pop())

    def close(self) -> None:
        """End the program if it still runs, and close the terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        while self._open:
            os.close(self._open.pop())

    def close_terminal(self) -> None:
        """Close the terminal while the program runs, as closing its window does."""
        while self._open:
            os.close(self._open.pop())
        # It is not the session's leader that the kernel would tell; a terminal's window does it.
        self.process.send_signal(signal.SIGHUP)

    # What the program writes

    def read(self, seconds: float) -> bool:
        """Take what there is. False when nothing came in this time."""
        if not select.select([self._outer], [], [], seconds)[0]:
            return False
        self.raw += os.read(self._outer, 65_536)
        return True

    def settle(self, quiet: float = QUIET, most: float = 3.0) -> None:
        """Read until nothing has come for a moment, and the program has nothing to do.

        Where other programs have the machine, one that writes nothing may only be waiting for its turn.
        """
        heard = rested = now = time.monotonic()
        end, turns = now + most, self._turns()
        while now < end:
            written = self.read(LOOK)
            before, turns = turns, self._turns()
            now = time.monotonic()
            if written:
                heard = now
            if written or turns is None or turns != before:
                rested = now
            if now - heard >= quiet and now - rested >= min(quiet, QUIET):
                return

    def _turns(self) -> int | None:
        """How often the program has come to rest; None while it runs or waits for its turn to run.

        Always 0 where the machine does not tell.
        """
        threads = Path(f"/proc/{self.process.pid}/task")
        if not threads.exists():
            return 0
        with suppress(OSError):
            states = [
                (thread / "stat").read_text().rsplit(")", 1)[1].split()[0] for thread in threads.iterdir()
            ]
            if "R" in states:
                return None
            # Only of the first thread: that which reads the terminal looks round ten times a second.
            status = (threads / str(self.process.pid) / "status").read_text()
            return int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
        return 0

    def wait(self, there: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
        """Read until something is there. Raises SessionFault when it does not come."""
        end = time.monotonic() + seconds
        while not there():
            heard = self.read(0.05)
            # Looking at the screen takes longer than reading: take what comes in one go.
            while self.read(0.01):
                pass
            gone = not heard and self.process.poll() is not None
            if (gone or time.monotonic() > end) and not there():
                raise SessionFault(f"{what} did not come; status {self.process.poll()}\n{self.text}")

    def wait_for(self, *words: str) -> None:
        """Read until all words are on the screen."""
        self.wait(lambda: self.shows(*words), f"the words {words}")

    def wait_until_gone(self, word: str) -> None:
        """Read until a word is not on the screen any more."""
        self.wait(lambda: not self.shows(word), f"a screen without {word!r}")

    def start_up(self) -> None:
        """Wait for the first board."""
        self.wait(self.ready, "the first board")
        self.settle()

    def ready(self) -> bool:
        """True when the keys at the foot and the board are on the screen."""
        return self.shows("DVONN", "leave") and self.board() is not None

    # What its user sees

    @property
    def screen(self) -> pyte.Screen:
        """The screen with all that was written so far."""
        data = self.raw[self._seen :]
        safe = _complete(data)
        if safe:
            self._seen += safe
            self._stream.feed(_known(data[:safe]))
            self._rows = []
        return self._screen

    @property
    def rows(self) -> list[str]:
        """The lines of the screen."""
        screen = self.screen
        if not self._rows:
            self._rows = list(screen.display)
        return self._rows

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(row.rstrip() for row in self.rows)

    def shows(self, *words: str) -> bool:
        """True when all words are on the screen."""
        text = self.text
        return all(word in text for word in words)

    def board(self) -> tuple[Lattice, int, int] | None:
        """Where the board is: its lattice, and the column and line of its upper left corner."""
        rows = self.rows
        for scale in SCALES:
            for flipped in (False, True):
                lattice = Lattice(scale, flipped)
                corner = _corner(lattice, rows)
                if corner is not None:
                    return lattice, *corner
        return None

    def place(self, cell: str) -> tuple[int, int]:
        """The column and line of the middle of a cell, from 0."""
        found = self.board()
        if found is None:
            raise SessionFault(f"no board on the screen\n{self.text}")
        lattice, left, top = found
        x, y = lattice.place(_cell(cell))
        return left + x, top + y

    def around(self, cell: str) -> str:
        """The characters of a cell on the screen, from one line above to one below its middle."""
        return "\n".join("".join(character.data for character in row) for row in self.pictures_around(cell))

    def pictures_around(self, cell: str) -> tuple[tuple[Char, ...], ...]:
        """The same with colours and attributes."""
        lattice, _, _ = self.board() or (Lattice(SCALES[-1]), 0, 0)
        x, y = self.place(cell)
        reach = lattice.scale.pitch // 2 - 1
        buffer = self.screen.buffer
        return tuple(
            tuple(buffer[line][column] for column in range(x - reach, x + reach + 1))
            for line in range(y - 1, y + 2)
        )

    def cells_around(self, cell: str) -> tuple[tuple[Char, ...], ...]:
        """The same with attributes and without colours."""
        return tuple(
            tuple(character._replace(fg="", bg="") for character in row) for row in self.pictures_around(cell)
        )

    # What he does

    def type(self, keys: str | bytes) -> None:
        """Type keys, without waiting for an answer."""
        os.write(self._outer, keys.encode() if isinstance(keys, str) else keys)

    def press(self, *keys: str | bytes) -> None:
        """Type keys one after the other, each after the answer to the one before."""
        for key in keys:
            self.type(key)
            self.settle()

    def mouse(self, button: int, x: int, y: int, *, pressed: bool = True) -> None:
        """Send a report of the mouse, as terminals write it in SGR mode."""
        self.type(f"\x1b[<{button};{x + 1};{y + 1}{'M' if pressed else 'm'}")

    def point(self, cell: str) -> None:
        """Move the pointer onto a cell."""
        self.mouse(35, *self.place(cell))
        self.settle()

    def click(self, cell: str) -> None:
        """Click a cell with the left button."""
        self.click_at(*self.place(cell))

    def click_at(self, x: int, y: int) -> None:
        """Click a place of the screen, counted from 0."""
        self.mouse(35, x, y)
        self.mouse(0, x, y)
        self.mouse(0, x, y, pressed=False)
        self.settle()

    def click_word(self, word: str) -> None:
        """Click the last place on the screen where a word stands."""
        for y, row in reversed(list(enumerate(self.rows))):
            if word in row:
                self.click_at(row.rindex(word), y)
                return
        raise SessionFault(f"no {word!r} on the screen\n{self.text}")

    def resize(self, columns: int, lines: int) -> None:
        """Make the terminal larger or smaller, as its window would."""
        screen = self.screen
        self.columns, self.lines = columns, lines
        screen.resize(lines, columns)
        # What is left of the old picture must not be taken for the new one.
        screen.erase_in_display(2)
        self._rows = []
        self._set_size(columns, lines)
        self.process.send_signal(signal.SIGWINCH)
        self.settle()

    # How it ends

    def wait_for_end(self, seconds: float = PATIENCE) -> int:
        """Wait until the program has ended and all it wrote is read; returns its exit status."""
        self.wait(lambda: self.process.poll() is not None, "the end", seconds)
        while self.read(0.05):
            pass
        return int(self.process.returncode)

    @property
    def attributes(self) -> list[object]:
        """The attributes of the terminal at present."""
        return termios.tcgetattr(self._inner)

    def _set_size(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._inner, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


def _environment(home: Path, changes: Mapping[str, str | None]) -> dict[str, str]:
    """The environment of a program: nothing of the terminal in which the tests run."""
    foreign = (
        *("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES", "TERM_PROGRAM", "TMUX"),
        "PYTHONDONTWRITEBYTECODE",
    )
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in foreign and not name.startswith("TEXTUAL")
    }
    environment |= {
        "DVONN_TUI_HOME": str(home),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
    }
    for name, value in changes.items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value
    return environment


def _complete(data: bytes) -> int:
    """How much of what was written ends with a whole sequence."""
    start = data.rfind(b"\x1b")
    if start < 0 or _SEQUENCE.match(data, start):
        return len(data)
    # The end of a string is an escape itself: then the string has to be whole, too.
    before = data.rfind(b"\x1b", 0, start)
    return before if before >= 0 and data[before + 1 : before + 2] in b"]P_^X" else start


def _known(data: bytes) -> bytes:
    """The data without the sequences that `pyte` does not know."""
    return _SEQUENCE.sub(lambda match: b"" if _FOREIGN.match(match.group()) else match.group(), data)


def _corner(lattice: Lattice, rows: Sequence[str]) -> tuple[int, int] | None:
    """Where the upper left corner of a board has to be so that all its labels stand on the screen."""
    (first_x, first_y), letter = next(iter(lattice.labels.items()))
    for y, row in enumerate(rows):
        for x in (place for place, character in enumerate(row) if character == letter):
            left, top = x - first_x, y - first_y
            if all(_character(rows, left + i, top + j) == text for (i, j), text in lattice.labels.items()):
                return left, top
    return None


def _character(rows: Sequence[str], x: int, y: int) -> str:
    return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else ""


def _cell(name: str) -> Cell:
    return Cell(CELL_NAMES.index(name))
