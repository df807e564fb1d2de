"""The match command: what it prints, its log, its refusals, and ctrl+c."""

from __future__ import annotations

import io
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dvonn_tui.cli import PROTOCOLS
from dvonn_tui.commands.progress import Progress
from dvonn_tui.core.game import Game
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup
from dvonn_tui.external import PROTOCOLS as ALL_PROTOCOLS
from tests.play.tools import FAKE, children

from .conftest import Run

GOOD = f"cmd:{shlex.join([sys.executable, FAKE, 'good'])}"
CODECUP = f"codecup:{shlex.join([sys.executable, FAKE, 'codecup'])}"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVONN_TUI_HOME", str(tmp_path))
    command = shlex.join([sys.executable, FAKE, "good"])
    text = f"[engines.Anna]\ncommand = {command!r}\nmovetime = 5\n"
    (tmp_path / "config.toml").write_text(text)
    return tmp_path


def test_a_match_and_its_log(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "games.txt"
    ran = run("match", GOOD, CODECUP, "--games", "2", "--nodes", "1", "--setup", "manual", "--log", str(log))
    assert ran.status == 0
    assert ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0].endswith("; 1 nodes a move")
    assert "whole games with placement, seed " in lines[0]
    assert lines[1] == "games   2 of 2"
    names = [line.split()[0] for line in lines[2:]]
    assert names == ["points", "won", "white", "black", "margin", "Elo", "A", "B"]
    assert "(95 %: " in lines[7]
    assert lines[8].startswith("A       depth 4.0, 0.0")
    assert lines[9].startswith("B       depth unknown, 0.0")
    written = log.read_text().splitlines()
    assert [line.split(":")[0] for line in written[::2]] in (
        ["# game 1", "# game 2"],
        ["# game 2", "# game 1"],
    )
    for line in written[1::2]:
        script = Script(Game.new(Setup.MANUAL))
        for token in line.split():
            assert token == token.upper()
            script.play(token)
        assert script.game.position.over


def test_engines_of_the_settings(run: Run) -> None:
    ran = run("match", "Anna", "engine Anna", "--games", "1", "--seed", "5")
    assert ran.status == 0
    assert ran.out.startswith("A = Anna, B = Anna; balanced boards, seed 5\ngames   1 of 1\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("level 3", "max", "--games", "2"),
            "max thinks as long as it may: --movetime, --gametime or --nodes",
        ),
        (("level 11", "level 3", "--games", "2"), "a level is a number from 1 to 10, not '11'; in a match: "),
        (("human", "level 3", "--games", "2"), "'human' cannot play a match"),
        (("engine Bob", "level 3", "--games", "2"), "no engine 'Bob'; known are Anna"),
        (("x", "level 3", "--games", "2"), "cannot read the seat 'x'"),
        (("max:hash", "max", "--games", "2", "--nodes", "9"), "max:hash: options are written as max:hash=64"),
        (("max:a=b c", "max", "--games", "2", "--nodes", "9"), "options are written as"),
        (("cmd:", "max", "--games", "2", "--nodes", "9"), "the command is empty"),
        (("cmd:'x", "max", "--games", "2", "--nodes", "9"), "cannot be split into words"),
        (("cmd:x", "level 3", "--games", "2"), "x needs --movetime, --gametime or --nodes"),
        (("codecup:x", "max", "--games", "2", "--nodes", "9"), "use --setup manual, or put {position}"),
        (("max", "max", "--nodes", "9"), "required: --games"),
        (("max", "max", "--games", "0"), "a number of games is a whole number from 1"),
        (("max", "--games", "2"), "required: B"),
        (("max", "max", "--games", "2", "--movetime", "5", "--nodes", "9"), "not allowed with"),
        (("max", "max", "--games", "2", "--gametime", "nan"), "a time is a number of seconds from 0.1"),
        (("max", "max", "--games", "2", "--setup", "position"), "invalid choice"),
    ],
)
def test_wrong_use(run: Run, words: tuple[str, ...], told: str) -> None:
    ran = run("match", *words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("dvonn-tui match: ")
    assert ran.err.count("\n") == 1
    assert told in ran.err


def test_what_fails(run: Run, tmp_path: Path) -> None:
    ran = run("match", GOOD, "cmd:/no/such", "--games", "2", "--nodes", "1")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "dvonn-tui match: /no/such did not start: /no/such: No such file or directory\n"
    ran = run("match", GOOD, GOOD, "--games", "2", "--nodes", "1", "--log", str(tmp_path / "no" / "log"))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.endswith("No such file or directory\n")


def test_ctrl_c_prints_what_there_is() -> None:
    before = children()
    command = [sys.executable, "-m", "dvonn_tui", "match", GOOD, GOOD, "--games", "5000", "--nodes", "1"]
    log = Path(os.environ["DVONN_TUI_HOME"]) / "log"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, "--log", str(log)], text=True, **pipes) as program:  # type: ignore[call-overload]
        import time

        end = time.monotonic() + 20
        while (not log.exists() or log.read_text().count("\n") < 4) and time.monotonic() < end:
            time.sleep(0.02)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=10)
    assert program.returncode == 130
    assert err == ""
    assert " of 5000\npoints  " in out
    assert children() <= before
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert not [line for line in found.splitlines() if FAKE in line and "5000" in line]


def test_the_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    bar = Progress(10)
    bar.show(5, "1/2  \x1b[2J", now=True)
    bar.show(6, "not so soon")
    bar.clear()
    shown = terminal.getvalue()
    assert shown.startswith("\r[##########..........] 1/2 ?[2J 0:00 left\x1b[K")
    assert "soon" not in shown
    assert shown.endswith("\r\x1b[K")
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    bar = Progress(10)
    bar.show(5, "x", now=True)
    bar.clear()
    assert pipe.getvalue() == ""


def test_the_parser_knows_all_protocols() -> None:
    assert PROTOCOLS == ALL_PROTOCOLS
