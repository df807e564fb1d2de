"""The engine as a process: its own protocol and CodeCup's."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from random import Random

import pytest

from dvonn_tui.core.events import TurnPassed
from dvonn_tui.core.notation import format_action, format_position, parse_token
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position
from dvonn_tui.core.rules import legal_moves, legal_placements, play
from dvonn_tui.engine.process import run, run_codecup
from tests.core.tools import FULL

from .tools import engine

FULL_TEXT = format_position(FULL)
ONE_MOVE = "9/10/11/bbb9/rwb8 w m"


def test_introduction_and_options() -> None:
    """Who it is, what can be set, and that it is ready."""
    target = io.StringIO()
    lines = [
        "uci",
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "setoption name Level value 3",
        "isready",
        "quit",
    ]
    assert run(io.StringIO("\n".join(lines)), target) == 0
    said = target.getvalue().splitlines()
    assert said[0].startswith("id name dvonn-tui")
    assert "uciok" in said
    assert said[-1] == "readyok"


def test_search_by_depth() -> None:
    """A line for each iteration, and a legal move."""
    with engine() as running:
        running.send(f"position {FULL_TEXT}", "go depth 4")
        said = running.until("bestmove")
        infos = [line.split() for line in said if line.startswith("info depth")]
        assert [line[2] for line in infos] == ["1", "2", "3", "4"]
        for word in ("multipv", "score", "nodes", "nps", "pv"):
            assert all(word in line for line in infos)
        move = parse_token(said[-1].removeprefix("bestmove "))
        assert move in legal_moves(FULL)
        assert infos[-1][infos[-1].index("pv") + 1] == format_action(move)  # type: ignore[arg-type]


def test_moves_after_a_position() -> None:
    """Placements from the empty board, moves, passes skipped; a solved ending says so."""
    with engine() as running:
        assert len(running.ask("position startpos moves c3 d3", "go nodes 10")) == 2
        move = legal_moves(FULL)[0]
        after = play(FULL, move)[1]
        answer = running.ask(f"position {FULL_TEXT} moves {format_action(move)}", "go depth 2")
        assert parse_token(answer) in legal_moves(after)
        running.send("position 9/10/11/10/rwb6 w m", "go infinite")
        said = running.until("bestmove")
        assert any(" score margin 3 solved " in line for line in said) or said[-1] == "bestmove b1a1"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["position 9/10/11/10/(rw)b7 w m moves a1b1"], None),
        (["position 9/10/11/10/r8 w m"], "none"),
        (["position nonsense w m"], "none"),
        (["position 9/10/11/10/r8"], "none"),
    ],
)
def test_nothing_to_choose(lines: list[str], answer: str | None) -> None:
    """A finished game, or no position: none, with a word about what is wrong."""
    with engine() as running:
        running.send(*lines, "go movetime 5000")
        said = running.until("bestmove")
        if answer is not None:
            assert said[-1] == f"bestmove {answer}"


def test_faults_are_told_in_one_line() -> None:
    """Whatever is wrong, the engine lives on."""
    faults = [
        "nonsense",
        "go depth",
        "go depth x",
        "go depth 99999999999999999999999",
        "go sideways 3",
        "setoption name Hash",
        "setoption name Hash value 0",
        "setoption name Colour value 3",
        "position startpos moves zz",
        "position startpos moves a1b1",
        "position startpos a1",
        "position startpos moves resign",
    ]
    for fault in faults:
        target = io.StringIO()
        assert run(io.StringIO(f"{fault}\nisready\n"), target) == 0
        said = target.getvalue().splitlines()
        assert said[-1] == "readyok"
        assert len([line for line in said if line.startswith("info string error: ")]) == 1


def test_ready_and_stop_while_it_thinks() -> None:
    """It answers in between, stops at once, and a new position ends the old search first."""
    with engine() as running:
        running.send(f"position {FULL_TEXT}", "go infinite", "isready")
        running.until("readyok")
        time.sleep(0.2)
        begun = time.monotonic()
        running.send("stop")
        running.until("bestmove")
        assert time.monotonic() - begun < 1
        running.send("go infinite")
        time.sleep(0.1)
        running.send("position startpos")
        running.until("bestmove")
        assert len(running.ask("go")) == 2


@pytest.mark.parametrize("end", ["quit", "end of input"])
def test_it_leaves_while_it_thinks(end: str) -> None:
    """Gone within a second, by ``quit`` and when its input ends."""
    with engine() as running:
        running.send(f"position {FULL_TEXT}", "go infinite")
        running.until("info")
        if end == "quit":
            running.send("quit")
        else:
            assert running.process.stdin is not None
            running.process.stdin.close()
            running.process.stdin = None
        assert running.process.wait(timeout=2) == 0


def test_time_limits() -> None:
    """By move time and by clock, in time."""
    with engine() as running:
        running.ask("position startpos", "go nodes 1")
        for words, most in (
            ("movetime 100", 0.1),
            ("wtime 300 btime 1 winc 0", 0.3),
            ("wtime 0 btime 9", 0.0),
        ):
            begun = time.monotonic()
            assert parse_token(running.ask(f"position {FULL_TEXT}", f"go {words}")) in legal_moves(FULL)
            assert time.monotonic() - begun <= most + 0.2


def test_no_textual() -> None:
    """The process loads nothing of the screen, and no more than it needs."""
    code = "import sys, dvonn_tui.engine.process; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"textual", "rich", "asyncio", "numpy", "scipy", "json", "argparse", "socket"}


class Opponent(io.StringIO):
    """Plays random moves by the CodeCup protocol: the engine reads from it what it answers."""

    def __init__(self, seed: int, white: bool) -> None:
        super().__init__()
        self.random = Random(seed)
        self.position: Position = EMPTY_BOARD
        self.side = "w" if white else "b"
        self.waiting = [] if white else ["Start"]
        self.passes: list[str] = []
        self.heard: list[str] = []

    def write(self, text: str) -> int:
        """What the engine answers: a legal action in upper case."""
        token = text.strip()
        assert token == token.upper()
        self.heard.append(token)
        if token == "PASS":
            assert self.passes.pop(0) != self.side
        else:
            assert not self.passes
            assert str(self.position.side) != self.side
            self._play(parse_token(token))
        return len(text)

    def _play(self, action: object) -> None:
        assert action in (legal_moves(self.position) or legal_placements(self.position))
        events, self.position = play(self.position, action)  # type: ignore[arg-type]
        self.passes += [str(event.by) for event in events if isinstance(event, TurnPassed)]

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        """What the opponent says."""
        if self.waiting:
            return self.waiting.pop() + "\n"
        if self.position.phase is Phase.OVER:
            return "Quit\n"
        if self.passes:
            assert self.passes.pop(0) == self.side
            return "PASS\n"
        assert str(self.position.side) == self.side
        action = self.random.choice(legal_moves(self.position) or legal_placements(self.position))
        self._play(action)
        return format_action(action).upper() + "\n"


@pytest.mark.parametrize("white", [False, True])
def test_codecup_game(white: bool) -> None:
    """Whole games with placement and passes against random moves, won by the engine."""
    won = 0
    for seed in range(3):
        opponent = Opponent(seed, white)
        assert run_codecup(opponent, opponent, 0.6, seed) == 0
        assert opponent.position.phase is Phase.OVER
        score = opponent.position.score
        won += (score.black > score.white) if white else (score.white > score.black)
    assert won >= 2


def test_codecup_refuses_an_illegal_move(capsys: pytest.CaptureFixture[str]) -> None:
    """One line on standard error, and status 1."""
    assert run_codecup(io.StringIO("A1\nA1\n"), io.StringIO(), 1.0, 0) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
