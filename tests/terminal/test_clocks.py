"""The clocks of the real program: time that it is stopped for is nobody's."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

from dvonn_tui.records.details import SPENT
from dvonn_tui.records.journal_reading import load_journal
from tests.terminal.conftest import Starter
from tests.terminal.games import ENDING, ENDING_MOVES

STOPPED = 1.5
"""Seconds for which the program is stopped."""


def test_a_clock_is_seen_to_run(start: Starter) -> None:
    """Its tenths are painted by themselves, apart from all else that is painted."""
    session = start("--seed", "1", "--clock", "10s")
    seen: set[str] = set()

    def runs() -> bool:
        seen.update(re.findall(r"0:0[0-9]\.[0-9]", "\n".join(session.rows)))
        return len(seen) >= 3

    session.wait(runs, "three different tenths")
    session.press("?")
    session.wait_for("close")
    rows = session.rows
    session.read(0.4)
    assert session.rows == rows, "nothing is painted over the help"


def test_a_stopped_program_costs_nobody_time(start: Starter, tmp_path: Path) -> None:
    """As by ``kill -TSTP``, or by a shell. All that the player took lies outside the stop."""
    begun = time.monotonic()
    session = start("--position", ENDING, "--clock", "5")
    os.kill(session.process.pid, signal.SIGTSTP)
    time.sleep(STOPPED)
    os.kill(session.process.pid, signal.SIGCONT)
    session.settle(0.3)
    session.press(":", ENDING_MOVES[0], "\r")
    session.wait_for("ply 1 of 1")
    (path,) = (tmp_path / "data" / "games").iterdir()
    taken = time.monotonic() - begun
    spent = load_journal(path).game.log[1].details[SPENT]
    assert isinstance(spent, float)
    assert 0 < spent < taken - STOPPED + 0.3
