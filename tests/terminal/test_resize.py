"""The size of the terminal changes."""

from __future__ import annotations

from tests.terminal.conftest import Starter
from tests.terminal.games import ENDING

SIZES = ((200, 60), (80, 24), (79, 23), (60, 20), (53, 16), (120, 40))
TOO_SMALL = ((52, 16), (53, 15), (40, 12), (20, 5), (1, 1))


def test_a_picked_stack_stays_picked(start: Starter) -> None:
    with start("--position", ENDING) as session:
        session.click("a2")
        session.wait_for("a2 ●1 picked")
        for columns, lines in SIZES:
            session.resize(columns, lines)
            session.wait(session.ready, f"the board at {columns}x{lines}")
            session.wait_for("a2 ●1 picked")
        session.click("a1")
        session.wait_for("a2-a1")


def test_too_small_and_back(start: Starter) -> None:
    with start("--position", ENDING) as session:
        session.click("a2")
        session.point("a1")
        session.wait_for("a2-a1")
        for columns, lines in TOO_SMALL:
            session.resize(columns, lines)
            if columns >= 20:
                session.wait_for(f"{columns}x{lines}")
                assert "53x16" in " ".join(session.text.split()), session.text
            assert session.board() is None
            session.press("\r", " ", "u", "[")
            session.resize(80, 24)
            session.wait(session.ready, "the board again")
            assert session.shows("ply 0 of 0"), session.text
        session.wait_for("a2")
        session.click("a1")
        session.wait_for("ply 1 of 1")


def test_many_sizes_at_once(start: Starter) -> None:
    """T07: a window that is being dragged."""
    with start("--position", ENDING) as session:
        session.click("a2")
        for step in range(12):
            session.resize(*((200, 60), (40, 12), (80, 24), (1, 1))[step % 4])
        session.resize(80, 24)
        session.wait(session.ready, "the board again")
        session.wait_for("a2 ●1 picked")


def test_an_open_dialog_stays_open(start: Starter) -> None:
    with start("--seed", "1") as session:
        session.press("n")
        session.wait_for("New game")
        for columns, lines in ((120, 40), (40, 12), (80, 24)):
            session.resize(columns, lines)
            session.settle(0.3)
        session.wait_for("New game")
        session.settle()
        session.press("\x1b")
        session.wait(session.ready, "the board again")
