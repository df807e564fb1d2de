"""From the start of the program to the first painted board."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from tests.benchmarks.tables import table
from tests.terminal.session import PROGRAM, Session

_EMPTY: Final = str(Path(__file__).with_name("empty.py"))


def report(runs: int) -> str:
    """The table: the game and two empty applications, started in turn."""
    programs = {
        "empty application": ((sys.executable, _EMPTY), "ready"),
        "empty, with the same widgets": ((sys.executable, _EMPTY, "widgets"), "ready"),
        "dvonn-tui": ((PROGRAM, "--seed", "1"), ""),
    }
    with tempfile.TemporaryDirectory() as home:
        times: dict[str, list[float]] = {name: [] for name in programs}
        for run in range(runs + 1):
            for name, (program, word) in programs.items():
                seconds = _start(program, word, Path(home))
                if run:  # The first one reads the files from the disk.
                    times[name].append(seconds)
    medians = {name: median(found) for name, found in times.items()}
    floor = medians["empty, with the same widgets"]
    rows = [
        [name, f"{medians[name] * 1000:.0f}", f"{min(found) * 1000:.0f}", f"{medians[name] / floor:.2f}"]
        for name, found in times.items()
    ]
    return table(["start -> first board, 120x40", "median ms", "best ms", "times"], rows)


def _start(program: tuple[str, ...], word: str, home: Path) -> float:
    """Seconds until the screen is complete."""
    began = time.perf_counter()
    with Session(home=home, columns=120, lines=40, program=program) as session:
        # Looking at the screen costs time: first wait for bytes that only the last row has.
        marks = (b"leave",) if not word else (word.encode(),)
        session.wait(lambda: all(mark in session.raw for mark in marks), "the first screen")
        last = time.perf_counter()
        while session.read(0.2):
            pass
        if not word and not session.ready():
            session.wait(session.ready, "the board")
            last = time.perf_counter()
        session.type("q")
        session.wait_for_end()
    return last - began
