"""Starts the installed program in a pseudo-terminal, plays a little, and leaves it.

Run as ``python tests/smoke.py [PROGRAM]``; without a program the one beside this Python is taken. The exit
status is 0 when the board appeared, keys were taken, and the terminal was left as it was found.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pyte

COLUMNS: Final = 80
ROWS: Final = 24
START_TIME: Final = 30.0
"""Seconds in which the board has to appear, on a slow machine too."""
QUIET: Final = 0.3
"""Seconds without output after which the screen is taken to be settled."""
LEAVE_TIME: Final = 10.0

MODES: Final = (1000, 1003, 1049, 2004)
"""Mouse, mouse movement, the other screen and paste: whatever was switched on is off again at the end."""


class Failure(Exception):
    """What the program did wrong, in words."""


class Terminal:
    """A program in a pseudo-terminal, with the screen as its user sees it."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.output = b""
        self._stream = pyte.ByteStream(self.screen)
        self._outer, self._inner = pty.openpty()
        fcntl.ioctl(self._inner, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.attributes = termios.tcgetattr(self._inner)
        # A session of its own, so that the pseudo-terminal, not the one around it, is in control.
        self.program = subprocess.Popen(
            arguments,
            stdin=self._inner,
            stdout=self._inner,
            stderr=self._inner,
            env=environment,
            start_new_session=True,
        )

    def read(self, seconds: float) -> bool:
        """Take what the program writes. False when nothing came in this time."""
        if not select.select([self._outer], [], [], seconds)[0]:
            return False
        written = os.read(self._outer, 65_536)
        self.output += written
        self._stream.feed(written)
        return True

    def settle(self) -> None:
        """Read until the program has been quiet for a moment."""
        end = time.monotonic() + 3.0
        while self.read(QUIET) and time.monotonic() < end:
            pass

    def wait(self, what: str, seconds: float, there: Callable[[], bool]) -> None:
        """Read until something is there. Raises Failure when it does not come."""
        end = time.monotonic() + seconds
        while not there():
            if time.monotonic() > end:
                raise Failure(f"{what} did not come within {seconds:.0f} s")
            if self.program.poll() is not None and not self.read(0.1):
                raise Failure(f"the program ended with status {self.program.returncode} before {what} came")
            self.read(0.1)

    def press(self, keys: bytes) -> None:
        """Type keys and let the program answer."""
        os.write(self._outer, keys)
        self.settle()

    def shows(self, *words: str) -> bool:
        """True when all words are on the screen."""
        return all(word in "\n".join(self.screen.display) for word in words)

    def ended(self) -> bool:
        """True when the program has ended and all that it wrote has been read."""
        return self.program.poll() is not None and not self.read(0.1)

    def attributes_now(self) -> list[object]:
        """The attributes of the terminal, as stty shows them."""
        return termios.tcgetattr(self._inner)

    def close(self) -> None:
        """End the program if it still runs, and close the terminal."""
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        os.close(self._outer)
        os.close(self._inner)


def leave(terminal: Terminal) -> None:
    """Press ``q``, and say yes if the program asks. Raises Failure when it stays."""
    for keys in (b"q", b"y", b"\r"):
        if not terminal.ended():
            terminal.press(keys)
    terminal.wait("the end after q and yes", LEAVE_TIME, terminal.ended)


def check_left(terminal: Terminal) -> None:
    """Check that the terminal is as it was found. Raises Failure."""
    if terminal.program.returncode != 0:
        raise Failure(f"exit status {terminal.program.returncode}")
    for mode in MODES:
        if terminal.output.rfind(b"\x1b[?%dl" % mode) < terminal.output.rfind(b"\x1b[?%dh" % mode):
            raise Failure(f"terminal mode {mode} is still on")
    if terminal.output.rfind(b"\x1b[?25h") < terminal.output.rfind(b"\x1b[?25l"):
        raise Failure("the cursor is still hidden")
    for mode in (1049, 25):
        if b"\x1b[?%d" % mode not in terminal.output:
            raise Failure(f"terminal mode {mode} was never set: this was no full-screen program")
    if terminal.attributes_now() != terminal.attributes:
        raise Failure("the attributes of the terminal are not those from before")


def play(terminal: Terminal) -> None:
    """Start, look about and leave. Raises Failure."""
    terminal.wait("the board", START_TIME, lambda: terminal.shows("DVONN", "White"))
    terminal.settle()
    first = list(terminal.screen.display)
    for keys in (b"\t", b"\x1b[C", b"\x1b[A", b"f", b"f", b"?"):
        terminal.press(keys)
    if list(terminal.screen.display) == first:
        raise Failure("no key changed anything on the screen")
    terminal.press(b"\x1b")
    time.sleep(QUIET)
    if not terminal.shows("DVONN", "White"):
        raise Failure("the board was not there any more after the help was closed")
    leave(terminal)
    check_left(terminal)


def main() -> int:
    """Run the program once; tell what went wrong together with what was on the screen."""
    program = sys.argv[1] if len(sys.argv) > 1 else str(Path(sys.executable).with_name("dvonn-tui"))
    with tempfile.TemporaryDirectory() as home:
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        environment |= {"DVONN_TUI_HOME": home, "TERM": "xterm-256color"}
        began = time.monotonic()
        terminal = Terminal([program, "--seed", "1"], environment)
        try:
            play(terminal)
        except Failure as failure:
            print(f"smoke: {failure}; the screen:", file=sys.stderr)
            print("\n".join(line.rstrip() for line in terminal.screen.display), file=sys.stderr)
            return 1
        finally:
            terminal.close()
    seconds = time.monotonic() - began
    print(f"smoke: the board came, keys were taken, the terminal is as it was found ({seconds:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
