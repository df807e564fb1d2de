"""Terminals of all kinds: few colours, none, no mouse, old names, no screen at all."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from tests.terminal.conftest import Starter
from tests.terminal.games import ENDING, QUIETLY, STATES
from tests.terminal.session import PROGRAM, Session

COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
"""A sequence that sets a colour."""


def _play_a_little(session: Session) -> None:
    """Pick, look at a target, play, step back and forward, turn the board."""
    session.press("\t", "\r", "\t", "\r")
    session.wait_for("ply 1 of 1")
    session.press("[")
    session.wait_for("ply 0 of 1")
    session.press("]", "f", "f", "?")
    _close(session, "Help")


def _close(session: Session, title: str) -> None:
    """Close a dialog once it is to be seen: keys that are older than it are not for it."""
    session.wait_for(title)
    session.settle()
    session.type("\x1b")
    session.wait_until_gone(title)
    session.wait(session.ready, "the board again")


def test_no_colour_at_all(start: Starter) -> None:
    with start("--position", STATES, environment={"NO_COLOR": "1"}) as session:
        _play_a_little(session)
        for key, title in (("n", "New game"), (",", "Settings"), ("p", "Commands")):
            session.type(key)
            _close(session, title)
        assert COLOUR.search(session.raw) is None


def test_no_mouse(start: Starter) -> None:
    with start("--seed", "1", "--no-mouse") as session:
        _play_a_little(session)
        session.resize(100, 30)
        session.press("q")
        session.wait_for("Leave the game?")
        session.settle()
        session.press("y")
        session.wait_for_end()
        for mode in (b"1000h", b"1002h", b"1003h", b"1006h", b"1015h", b"1016h"):
            assert b"\x1b[?" + mode not in session.raw


def test_no_animation(start: Starter) -> None:
    with start("--position", ENDING, environment=QUIETLY) as session:
        session.press(":a2a1\r")
        session.wait_for("ply 1 of 1")
        session.settle()
        size = len(session.raw)
        session.read(0.7)
        assert len(session.raw) == size


def test_animation_ends(start: Starter) -> None:
    with start("--position", ENDING) as session:
        for move in ("a2a1", "e4b1", "b2d4"):
            session.press(f":{move}\r")
        session.wait_for("ply 4 of 4", "White has no move and passes")
        session.settle(0.5)
        assert not session.read(0.5)


@pytest.mark.parametrize("depth", [None, "truecolor"], ids=["no COLORTERM", "truecolor"])
@pytest.mark.parametrize("name", ["xterm", "xterm-256color", "screen", "linux", "vt100"])
def test_names_of_terminals(start: Starter, name: str, depth: str | None) -> None:
    """T03: every kind of piece and every state is told apart."""
    theme = "light" if name in ("screen", "linux") else "dark"
    environment = {"TERM": name, "COLORTERM": depth, **QUIETLY}
    with start("--position", STATES, "--theme", theme, environment=environment) as session:
        kinds = {"empty": "k3", "white": "d3", "black": "g3", "red": "e3"}
        _check_different(session, kinds, by_colour=depth is not None or name == "xterm-256color")
        assert "2" in session.around("c3")
        session.click("d3")
        session.wait_for("d3 ", "picked")
        picked = {"picked": "d3", "target": "c3", "other": "g3", "empty": "k3"}
        _check_different(session, picked, by_colour=depth is not None or name == "xterm-256color")
        session.click("c3")
        session.wait_for("ply 1 of 1", "d3-c3")


def _check_different(session: Session, cells: dict[str, str], *, by_colour: bool) -> None:
    """Cells differ by characters and attributes, or where there are many colours by these too."""
    seen = {
        what: session.cells_around(cell) if not by_colour else session.pictures_around(cell)
        for what, cell in cells.items()
    }
    names = list(seen)
    for index, one in enumerate(names):
        for other in names[index + 1 :]:
            assert seen[one] != seen[other], f"{one} and {other} look alike\n{session.text}"


@pytest.mark.parametrize("language", ["C", "en_US.ISO-8859-1"])
def test_other_languages(start: Starter, language: str) -> None:
    with start("--seed", "1", environment={"LANG": language, "LC_ALL": language}) as session:
        _play_a_little(session)


def test_copying(start: Starter, tmp_path: Path) -> None:
    with start("--position", ENDING) as session:
        session.press("y")
        session.wait(lambda: b"\x1b]52;" in session.raw, "what goes to the clipboard")
        session.wait_for("sent to the terminal's clipboard")
        found = re.search(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)", session.raw)
        assert found is not None
        assert base64.b64decode(found.group(1)).decode() == ENDING
        copies = list(tmp_path.rglob("position.txt"))
        assert [copy.read_text(encoding="utf-8").strip() for copy in copies] == [ENDING]


HOSTILE = (
    ("\x1b]0;evil\x07Eve", "\x9b31mEve"),
    ("Eve\x1b[2J\x1b[?1049l", "[red]Eve[/"),
    ("Eve\r\n\x08\x7f", "\u202eEve"),
)


@pytest.mark.parametrize(("white", "black"), HOSTILE)
def test_hostile_names(start: Starter, white: str, black: str) -> None:
    with start("--position", ENDING, "--white", white, "--black", black, columns=120, lines=40) as session:
        session.wait_for("Eve")
        session.press("\t", "n")
        _close(session, "New game")
        assert b"\x1b]0;evil" not in session.raw
        assert b"\x1b[2J" not in session.raw
        assert b"\x1b[?1049l" not in session.raw
        text = session.raw.decode()
        assert not re.search("[\x08\x7f\x80-\x9f\u202e]", text)


def test_no_terminal_at_all(tmp_path: Path) -> None:
    environment = {**os.environ, "DVONN_TUI_HOME": str(tmp_path), "TERM": "xterm"}
    ended = subprocess.run(
        [PROGRAM], stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=60
    )
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert len(ended.stderr.splitlines()) == 1


def test_a_dumb_terminal(start: Starter) -> None:
    with start(ready=False, environment={"TERM": "dumb"}) as session:
        assert session.wait_for_end() == 2
        assert b"\x1b" not in session.raw
        assert len(session.raw.splitlines()) == 1


def test_nothing_is_written_while_nothing_happens(start: Starter) -> None:
    with start("--seed", "1", columns=120, lines=40) as session:
        session.press("\t", "\r", "\t")
        session.settle(0.5)
        size = len(session.raw)
        end = time.monotonic() + 2.0
        while (left := end - time.monotonic()) > 0:
            session.read(left)
        assert len(session.raw) == size
