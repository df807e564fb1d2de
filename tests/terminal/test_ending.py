"""X05: however the program ends, the terminal is left as it was found."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path

import pytest

from tests.terminal.conftest import Starter
from tests.terminal.session import Session

GO_ON = r"The game can go on:  (\S*/)?dvonn-tui resume [-0-9]{17}-white-black\.dvnlog"

BROKEN_HANDLER = """
import sys
from dvonn_tui.cli import main
from dvonn_tui.ui.screens.play import PlayScreen

def broken(self):
    raise RuntimeError("broken on purpose")

PlayScreen.action_flip = broken
sys.exit(main(sys.argv[1:]))
"""

BROKEN_WORKER = """
import sys
from dvonn_tui.cli import main
from dvonn_tui.ui.screens.play import PlayScreen

async def work():
    raise RuntimeError("broken on purpose")

PlayScreen.action_flip = lambda self: self.run_worker(work())
sys.exit(main(sys.argv[1:]))
"""

BROKEN_PAINTING = """
import sys
from dvonn_tui.cli import main
from dvonn_tui.art.painter import BoardPainter
from dvonn_tui.ui.screens.play import PlayScreen

def broken(self, scene):
    raise RuntimeError("broken on purpose")

def flip(self):
    BoardPainter.paint = broken
    self.action_next_stack(1)

PlayScreen.action_flip = flip
sys.exit(main(sys.argv[1:]))
"""

MUCH_TO_WRITE = """
import sys
from dvonn_tui.cli import main
from dvonn_tui.ui.app import DvonnApp

leave = DvonnApp.leave

def leave_later(self, status=0):
    for _ in range(200):
        self._driver.write("x")
    leave(self, status)

DvonnApp.leave = leave_later
sys.exit(main(sys.argv[1:]))
"""


def check_left(session: Session) -> None:
    """The terminal is as it was found."""
    drawn = [found.end() for found in re.finditer(rb"\x1b\[\d+;\d+H", session.raw)][-1]
    left = session.raw[drawn:]
    for mode in (b"1049l", b"1000l", b"1003l", b"1006l", b"2004l", b"25h"):
        assert b"\x1b[?" + mode in left, (mode, left)
    for mode in (b"1049", b"1000", b"1003", b"1006", b"2004", b"1004", b"2048"):
        assert session.raw.rfind(b"\x1b[?" + mode + b"h") <= session.raw.rfind(b"\x1b[?" + mode + b"l"), mode
    assert session.attributes == session.before
    assert b"Traceback" not in session.raw


def last_words(session: Session) -> str:
    """What the program said after it had given the screen back."""
    end = session.raw.rindex(b"\x1b[?1049l")
    text = session.raw[end:].decode()
    return re.sub(r"\x1b\[[0-9;?<>=]*[a-zA-Z]", "", text).strip()


def test_left_after_the_question(start: Starter) -> None:
    with start("--seed", "1") as session:
        session.press("\t", "\r", "\t", "\r")
        session.wait_for("ply 1 of 1")
        session.press("q")
        session.wait_for("Leave the game?")
        session.settle()
        session.press("n")
        session.wait_until_gone("Leave the game?")
        session.press("q")
        session.wait_for("Leave the game?")
        session.settle()
        session.press("y")
        assert session.wait_for_end() == 0
        check_left(session)
        assert re.fullmatch(GO_ON, last_words(session))


def test_left_without_a_question_before_the_first_move(start: Starter) -> None:
    with start("--seed", "1") as session:
        session.press("q")
        assert session.wait_for_end() == 0
        check_left(session)
        assert last_words(session) == ""


@pytest.mark.parametrize("keys", ["\x03", "n\x03", "?\x03", ":\x03"])
def test_control_c(start: Starter, keys: str) -> None:
    with start("--seed", "1") as session:
        session.press(*keys)
        assert session.wait_for_end() == 0
        check_left(session)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals(start: Starter, number: signal.Signals, status: int) -> None:
    with start("--seed", "1") as session:
        session.press("\t", "\r", "\t", "\r")
        session.wait_for("ply 1 of 1")
        session.process.send_signal(number)
        assert session.wait_for_end() == status
        check_left(session)
        assert re.fullmatch(GO_ON, last_words(session))


@pytest.mark.parametrize("program", [BROKEN_HANDLER, BROKEN_WORKER, BROKEN_PAINTING])
def test_errors_of_our_own(start: Starter, tmp_path: Path, program: str) -> None:
    with start("--seed", "1", program=[sys.executable, "-c", program]) as session:
        session.type("f")
        assert session.wait_for_end() == 1
        check_left(session)
        words = last_words(session)
        assert words.startswith("Sorry, something went wrong inside; the report is ")
        assert "\n" not in words
        reports = list((tmp_path / "state").glob("error-*.txt"))
        assert len(reports) == 1
        assert str(reports[0]) in words
        assert "broken on purpose" in reports[0].read_text(encoding="utf-8")


def test_killed(start: Starter) -> None:
    """Nobody can clean up after that; but the next start is as any other."""
    with start("--seed", "1") as session:
        session.press("\t", "\r")
        session.process.kill()
        assert session.wait_for_end() == -signal.SIGKILL
    with start("--seed", "1") as again:
        again.press("q")
        assert again.wait_for_end() == 0
        check_left(again)


def test_left_when_the_terminal_goes_without_a_signal(start: Starter) -> None:
    """A terminal that is gone reads as empty for ever; the program must not stay and read."""
    with start("--seed", "1") as session:
        session.press("\t")
        session.hang_up()
        assert session.process.wait(timeout=20) == 128 + signal.SIGHUP


def test_left_when_more_is_written_to_a_terminal_that_is_gone(start: Starter) -> None:
    """What nobody takes must not fill what waits to be written, or the program waits with it for ever."""
    with start("--seed", "1", program=[sys.executable, "-c", MUCH_TO_WRITE]) as session:
        session.press("\t")
        session.close_terminal()
        assert session.process.wait(timeout=20) == 128 + signal.SIGHUP
