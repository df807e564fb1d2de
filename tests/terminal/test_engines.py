"""Engines at the table in a real terminal: a move answered, a hint, and no process left behind."""

from __future__ import annotations

import time
from pathlib import Path

from dvonn_tui.core.cells import CELL_NAMES
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup, set_up
from tests.terminal.conftest import Starter
from tests.terminal.games import QUIETLY
from tests.terminal.session import Session

SEED = 1
GOES_WITHIN = 2.0
"""Seconds in which everything has to be gone, on a busy machine."""


def engines_of(session: Session) -> set[int]:
    """The engines that a session has started and that run."""
    return {
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and is_engine(entry) and parent_of(entry) == session.process.pid
    }


def is_engine(process: Path) -> bool:
    """Whether our engine runs as a process of /proc."""
    try:
        return b"dvonn_tui.engine" in (process / "cmdline").read_bytes()
    except OSError:
        return False


def parent_of(process: Path) -> int:
    """The number of the parent of a process of /proc, 0 when it has gone."""
    try:
        return int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def first_move(session: Session) -> None:
    """White's first legal move, typed."""
    move = legal_moves(set_up(Setup.BALANCED, SEED))[0]
    session.type(f":{CELL_NAMES[move.source]}{CELL_NAMES[move.target]}\r")


def gone(engines: set[int], seconds: float = GOES_WITHIN) -> bool:
    """Whether engines end in time."""
    deadline = time.monotonic() + seconds
    while any(is_engine(Path("/proc", str(engine))) for engine in engines):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_a_level_answers_and_hints_are_shown(start: Starter) -> None:
    with start("--seed", str(SEED), "--black-seat", "level 1", environment=QUIETLY) as session:
        first_move(session)
        session.wait_for("ply 2 of 2", "White to move")
        session.press("h")
        session.wait_for("hint 1 of 3")
        session.press("h")
        session.wait_for("hint 2 of 3")


def test_leaving_while_the_engine_thinks(start: Starter) -> None:
    with start("--seed", str(SEED), "--black-seat", "level 10", environment=QUIETLY) as session:
        first_move(session)
        session.wait(lambda: engines_of(session), "no engine was started")
        own = engines_of(session)
        begun = time.monotonic()
        session.type("\x03")
        assert session.wait_for_end() == 0
        assert time.monotonic() - begun < GOES_WITHIN
        assert gone(own)


def test_an_engine_ends_with_a_killed_application(start: Starter) -> None:
    with start("--seed", str(SEED), "--black-seat", "level 10", environment=QUIETLY) as session:
        first_move(session)
        session.wait(lambda: engines_of(session), "no engine was started")
        own = engines_of(session)
        session.process.kill()
        assert gone(own, 2 * GOES_WITHIN)


def test_a_seat_that_is_none_is_refused_before_the_screen(start: Starter) -> None:
    with start("--white-seat", "level 99", ready=False) as session:
        assert session.wait_for_end() == 2
        assert "level" in session.text
