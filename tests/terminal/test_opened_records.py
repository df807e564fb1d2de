"""Records looked at and played on in a terminal."""

from __future__ import annotations

from pathlib import Path

from tests.records.tools import DATA
from tests.terminal.conftest import Starter
from tests.terminal.games import QUIETLY

OPEN = '[White "Ada"]\n[Black "Bo"]\n[Layout "9/1wb7/2rwbw5/wb8/9 w m"]\n\n1. a2b2 *\n'


def test_a_record_is_viewed(start: Starter) -> None:
    """From the beginning of the movement, by keys, with the names of the players."""
    record = str(DATA / "little-golem.txt")
    with start("view", record, ready=False, columns=120, lines=40, environment=QUIETLY) as session:
        session.wait_for("player one", "player two", "placement 49 of 49")
        session.settle()
        session.press("]", "]")
        session.wait_for("ply 2 of 27")


def test_a_record_is_played_on(start: Starter, tmp_path: Path) -> None:
    """The move goes on from the end of the main line."""
    path = tmp_path / "x.dvn"
    path.write_text(OPEN)
    with start("open", str(path), columns=120, lines=40, environment=QUIETLY) as session:
        session.wait_for("Ada", "Bo", "ply 1 of 1")
        session.press(":", "d4c4\r")
        session.wait_for("ply 2 of 2")
