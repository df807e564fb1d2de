"""What the program costs while nobody does anything."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.benchmarks.tables import table
from tests.terminal.session import Session

TENTHS: Final = 6.0
"""Seconds for which a clock can be seen to show tenths, with ten seconds for a move and the start before."""

SEEN: Final = (
    ("first board", (), "none"),
    ("a picked stack", ("\t", "\r", "\t"), "none"),
    ("help", ("?",), "none"),
    ("a running clock", (), "10"),
    ("its last ten seconds", (), "10s"),
)
"""What is looked at: how it is called, the keys that lead there, and the clock of the game."""


def report(whole: float) -> str:
    """The table: share of a core and bytes written, at the board, after a key, and with a clock."""
    rows = []
    with tempfile.TemporaryDirectory() as home:
        for name, keys, clock in SEEN:
            seconds = min(whole, TENTHS) if clock.endswith("s") else whole
            arguments = ["--seed", "1", "--clock", clock]
            with Session(arguments, home=Path(home), columns=120, lines=40) as session:
                session.start_up()
                session.press(*keys)
                session.settle()
                ticks, size = _ticks(session.process.pid), len(session.raw)
                end = time.monotonic() + seconds
                while (left := end - time.monotonic()) > 0:
                    session.read(left)
                used = (_ticks(session.process.pid) - ticks) / os.sysconf("SC_CLK_TCK")
                rows.append([name, f"{100 * used / seconds:.2f}", str(len(session.raw) - size)])
    return table([f"idle for {whole:g} s", "% of a core", "bytes"], rows)


def _ticks(process: int) -> int:
    """Clock ticks that a process has used so far, in the program and in the system."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
