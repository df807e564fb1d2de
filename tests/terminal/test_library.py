"""The library and what is pasted, in a real terminal: what is opened is painted without a further key."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.records.tools import DATA
from tests.terminal.conftest import Starter
from tests.terminal.session import Session


def press_until(session: Session, key: str, word: str, *, gone: bool = False) -> None:
    """Press a key until a word is there, or gone: what is pressed before a screen is seen is not for it."""
    for _ in range(20):
        session.press(key)
        if (word in session.text) != gone:
            return
    raise AssertionError(session.text)


def test_filter_export_and_open(start: Starter, tmp_path: Path) -> None:
    games = tmp_path / "data" / "games"
    games.mkdir(parents=True)
    for name in ("little-golem.txt", "game-53360.dvg"):
        shutil.copy(DATA / name, games)
    session = start("--seed", "1")
    session.press("l")
    session.wait_for("LIBRARY", "2 games", "player one")
    press_until(session, "\x1b[F", "Dvonner")
    session.press("/", *"golem")
    session.wait_for("1 of 2 games", "little-golem.txt")
    session.press("\t", "e")
    session.wait_for("Export", "It holds all of the game.")
    press_until(session, "\r", "written to")
    assert (tmp_path / "data" / "exports" / "little-golem.dvn").exists()
    press_until(session, "\r", "LIBRARY", gone=True)
    session.wait_for("LOOKING BACK")


def test_a_pasted_position(start: Starter) -> None:
    session = start("--seed", "1")
    session.type("\x1b[200~9/10/2rwbw5/10/9 w m\x1b[201~")
    session.wait_for("Pasted", "one-line position")
    press_until(session, "\r", "one-line position", gone=True)
    session.wait_for("ply 0 of 0")
