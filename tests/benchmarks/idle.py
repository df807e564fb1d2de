"""What the program costs while nobody does anything."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from tests.benchmarks.tables import table
from tests.terminal.session import Session


def report(seconds: float) -> str:
    """The table: share of a core and bytes written, at the board and after a key."""
    rows = []
    with tempfile.TemporaryDirectory() as home:
        for name, keys in (("first board", ()), ("a picked stack", ("\t", "\r", "\t")), ("help", ("?",))):
            with Session(["--seed", "1"], home=Path(home), columns=120, lines=40) as session:
                session.start_up()
                session.press(*keys)
                session.settle(0.5)
                ticks, size = _ticks(session.process.pid), len(session.raw)
                end = time.monotonic() + seconds
                while (left := end - time.monotonic()) > 0:
                    session.read(left)
                used = (_ticks(session.process.pid) - ticks) / os.sysconf("SC_CLK_TCK")
                rows.append([name, f"{100 * used / seconds:.2f}", str(len(session.raw) - size)])
    return table([f"idle for {seconds:g} s", "% of a core", "bytes"], rows)


def _ticks(process: int) -> int:
    """Clock ticks that a process has used so far, in the program and in the system."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
