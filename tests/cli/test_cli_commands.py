"""The text commands: show, events and perft."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest

from dvonn_tui.cli import main
from dvonn_tui.commands.events import read_tokens
from dvonn_tui.commands.show import legal_tokens
from dvonn_tui.commands.terminal import write_line
from dvonn_tui.core.cells import CELL_NAMES
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup

from .conftest import Run

BOARD = "bwwbwwrww/bbbwwbbwbw/bbwbwwbbwwb/bbwwbbrbbb/bwrwwbwww w m"
CUT = "9/10/2rwbw5/10/9 w m"
"""White's d3c3 cuts off e3 and f3 and ends the game."""

STUCK = "9/10/(rw)wwww6/10/9 b m"
"""Black has no move and passes, again and again."""

PIPE = subprocess.PIPE
EVENTS = [sys.executable, "-m", "dvonn_tui", "events"]


def test_show_as_json(run: Run) -> None:
    assert run("show", CUT, "--json") == (
        0,
        '{"position": "9/10/2rwbw5/10/9 w m", "side": "w", "phase": "movement", '
        '"legal": ["d3c3", "d3e3", "f3e3"], "over": false, "score": [2, 1], "winner": null}\n',
        "",
    )


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (STUCK, {"side": "b", "phase": "movement", "legal": ["pass"], "over": False, "winner": None}),
        ("9/10/(wbw)rb8/10/9 b m", {"phase": "movement", "legal": ["c3b3"], "score": [3, 1]}),
        (
            "9/1(wwwbb)8/(wbw)r(wbw)8/10/9 w m",
            {"phase": "over", "legal": [], "over": True, "score": [6, 5], "winner": "w"},
        ),
        ("9/10/(wbw)r(bwb)8/10/9 b m", {"phase": "over", "over": True, "score": [3, 3], "winner": "draw"}),
        ("9/10/3(rwb)7/10/9 w m", {"phase": "over", "side": "w", "score": [0, 3], "winner": "b"}),
        ("9/10/11/10/9 w p", {"phase": "placement", "legal": sorted(CELL_NAMES), "score": [0, 0]}),
    ],
)
def test_what_json_says(run: Run, position: str, expected: dict[str, object]) -> None:
    ran = run("show", position, "--json")
    assert ran.status == 0
    shown = json.loads(ran.out)
    assert list(shown) == ["position", "side", "phase", "legal", "over", "score", "winner"]
    assert shown["position"] == position
    assert {name: shown[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (CUT, "White to move.\nScore: White 2, Black 1.\n3 moves: d3c3 d3e3 f3e3\n"),
        (STUCK, "Black has no move and has to pass.\nScore: White 6, Black 0.\n"),
        ("9/10/rwb8/10/9 b m", "Black to move.\nScore: White 1, Black 1.\n1 move: c3b3\n"),
        ("9/10/3(rwb)7/10/9 w m", "neither side can move: Black wins.\nScore: White 0, Black 3.\n"),
        ("9/10/(wbw)r(bwb)8/10/9 b m", "neither side can move: a draw.\nScore: White 3, Black 3.\n"),
        ("9/10/r10/10/9 b p", "Black places a red piece, number 2 of 49.\nScore: White 0, Black 0.\n"),
        ("9/10/rrrb7/10/9 w p", "White places a white piece, number 5 of 49.\nScore: White 0, Black 1.\n"),
    ],
)
def test_show_in_words(run: Run, position: str, words: str) -> None:
    status, out, err = run("show", position)
    assert (status, err) == (0, "")
    assert out.endswith(words)
    assert max(len(line) for line in out.splitlines()) <= 79


def test_show_from_the_other_side(run: Run) -> None:
    assert run("show", BOARD).out != run("show", BOARD, "--flip").out


@pytest.mark.parametrize("command", [["show"], ["events", "--position"], ["--position"]])
def test_a_bad_position(run: Run, command: list[str]) -> None:
    told = "position, character 16: a red piece is never on top of a stack\n"
    assert run(*command, "9/10/3(rwb)7/(wr)9/9 w m") == (2, "", told)


def test_every_event_of_a_movement(run: Run) -> None:
    status, out, err = run("events", "--position", CUT, "d3c3")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        '{"event": "GameStarted", "setup": "position", "seed": null, "white": "White", "black": "Black", '
        '"diff": {"cells": [["c3", "", "r"], ["d3", "", "w"], ["e3", "", "b"], ["f3", "", "w"]], '
        '"side": ["w", "w"], "phase": ["placement", "movement"], "score": [[0, 0], [2, 1]]}, '
        '"position": "9/10/2rwbw5/10/9 w m"}',
        '{"event": "StackMoved", "source": "d3", "target": "c3", "by": "w", '
        '"diff": {"cells": [["c3", "r", "(rw)"], ["d3", "w", ""]], '
        '"side": ["w", "b"], "phase": ["movement", "movement"], "score": [[2, 1], [3, 1]]}, '
        '"position": "9/10/2(rw)1bw5/10/9 b m"}',
        '{"event": "StacksRemoved", "cells": {"e3": "b", "f3": "w"}, '
        '"diff": {"cells": [["e3", "b", ""], ["f3", "w", ""]], '
        '"side": ["b", "b"], "phase": ["movement", "movement"], "score": [[3, 1], [2, 0]]}, '
        '"position": "9/10/2(rw)8/10/9 b m"}',
        '{"event": "GameEnded", "winner": "w", "reason": "no moves", "score": [2, 0], '
        '"diff": {"cells": [], "side": ["b", "b"], "phase": ["movement", "over"], '
        '"score": [[2, 0], [2, 0]]}, "position": "9/10/2(rw)8/10/9 b m"}',
    ]


def test_every_event_of_a_placement(run: Run) -> None:
    assert run("events", "C3").out.splitlines() == [
        '{"event": "GameStarted", "setup": "manual", "seed": null, "white": "White", "black": "Black", '
        '"diff": {"cells": [], "side": ["w", "w"], "phase": ["placement", "placement"], '
        '"score": [[0, 0], [0, 0]]}, "position": "9/10/11/10/9 w p"}',
        '{"event": "PiecePlaced", "cell": "c3", "piece": "r", "by": "w", '
        '"diff": {"cells": [["c3", "", "r"]], "side": ["w", "b"], "phase": ["placement", "placement"], '
        '"score": [[0, 0], [0, 0]]}, "position": "9/10/2r8/10/9 b p"}',
    ]


def events_of(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_forced_passes(run: Run) -> None:
    status, out, err = run("events", "--position", STUCK, "pass", "e3d3", "a3c3", "PASS")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[1] == (
        '{"event": "TurnPassed", "by": "b", "diff": {"cells": [], "side": ["b", "w"], '
        '"phase": ["movement", "movement"], "score": [[6, 0], [6, 0]]}, '
        '"position": "9/10/(rw)wwww6/10/9 w m"}'
    )
    names = [event["event"] for event in events_of(out)]
    assert names == ["GameStarted", "TurnPassed", "StackMoved", "TurnPassed", "StackMoved", "TurnPassed"]


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        (["c3", "c3"], "token 2 (c3): c3 is taken: choose an empty cell"),
        (["c3", "d3", "a1b9"], "token 3 (a1b9): no such cell: b9"),
        (["c3", "j1"], "token 2 (j1): no such cell: j1"),
        (["c3", "pass"], "token 2 (pass): nobody passes here: a side that can move must move"),
        (["c3", "resign", "d3"], "token 3 (d3): the game is over"),
        (["c3", "x" * 5_000], f"token 2 ({'x' * 23}…): cannot read"),
        (["c3", ""], "token 2 (): there is nothing to read"),
    ],
)
def test_an_illegal_token(run: Run, tokens: list[str], told: str) -> None:
    status, out, err = run("events", *tokens)
    assert status == 1
    assert err.startswith(told)
    assert err.count("\n") == 1
    assert [event["event"] for event in events_of(out)][:2] == ["GameStarted", "PiecePlaced"]
    if told.endswith("b9"):
        assert err == f"{told}\n"


@pytest.mark.parametrize("bad", ["d3f3", "e3d3", "c3d3", "d3d3", "d3d4", "pass"])
def test_an_illegal_move(run: Run, bad: str) -> None:
    status, out, err = run("events", "--position", CUT, bad)
    assert (status, len(out.splitlines())) == (1, 1)
    assert err.startswith(f"token 1 ({bad}): ")


@pytest.mark.parametrize(
    ("token", "winner", "reason"), [("resign", "w", "resignation"), ("draw", "draw", "agreement")]
)
def test_the_players_end_the_game(run: Run, token: str, winner: str, reason: str) -> None:
    ran = run("events", "c3", token)
    assert ran.status == 0
    ended = events_of(ran.out)[-1]
    assert (ended["event"], ended["winner"], ended["reason"]) == ("GameEnded", winner, reason)
    assert ended["score"] == [0, 0]


def first_moves() -> list[str]:
    """Placements in the order of the rows, then always the first legal move in the alphabet."""
    game = Game.new(Setup.MANUAL)
    script = Script(game)
    tokens = list(CELL_NAMES)
    for cell in tokens:
        script.play(cell)
    while not game.position.over:
        tokens.append(legal_tokens(game.position)[0])
        script.play(tokens[-1])
    return tokens


def test_a_whole_game(run: Run) -> None:
    tokens = first_moves()
    moves = tokens[49:]
    assert len(moves) == 34
    assert moves[:4] == ["b4a3", "a2a1", "a3a1", "c4b3"]
    assert moves[-3:] == ["i2h2", "h3h2", "i3h2"]
    ran = run("events", *tokens)
    assert (ran.status, ran.err) == (0, "")
    events = events_of(ran.out)
    assert events[49]["position"].endswith(" w m")
    removed = [event for event in events if event["event"] == "StacksRemoved"]
    assert len(removed) == 2
    assert removed[0]["cells"] == {"g5": "(wb)"}
    assert not [event for event in events if event["event"] == "TurnPassed"]
    ended = events[-1]
    assert (ended["event"], ended["winner"], ended["score"]) == ("GameEnded", "b", [11, 15])
    position = parse_position(ended["position"])
    heights = {name: len(stack) for name, stack in zip(CELL_NAMES, position.stacks, strict=True) if stack}
    assert {name: heights[name] for name in ("e1", "g1", "h2")} == {"e1": 11, "g1": 11, "h2": 4}
    for before, after in pairwise(events):
        for name in ("side", "phase", "score"):
            assert before["diff"][name][1] == after["diff"][name][0]
    assert run("events", stdin="\n".join(tokens).encode()) == ran
    assert run("events", " ".join(tokens)) == ran


@pytest.mark.parametrize(
    ("stdin", "status", "lines", "told"),
    [
        (b"", 0, 1, ""),
        (b" \n\t ", 0, 1, ""),
        (b"\xef\xbb\xbfc3\r\nd3", 0, 3, ""),
        (b"c3 # d3", 0, 2, ""),
        (b"# a comment\nc3 #d3\n#\ne3", 0, 3, ""),
        (b"c3 \xff\xfe\x00\x1b[2J", 1, 2, "token 2 (\ufffd\ufffd??[2J): cannot read"),
        (b"c3 " + b"x" * 10_000_000, 1, 2, "token 2 (xxxxxxxxxxxxxxxxxxxxxxx…): cannot read"),
        ("c3 d3".encode("utf-16"), 1, 1, "token 1 (\ufffd\ufffdc?3?): "),
    ],
)
def test_tokens_on_standard_input(run: Run, stdin: bytes, status: int, lines: int, told: str) -> None:
    ran = run("events", stdin=stdin)
    assert (ran.status, len(ran.out.splitlines())) == (status, lines)
    assert ran.err.startswith(told)
    assert bool(ran.err) == bool(told)


def test_tokens_are_read_as_they_come() -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(1)

    assert list(read_tokens(Slow(b" a1\nb2c3  x" + b"y" * 99 + b" d4"))) == [
        *("a1", "b2c3"),
        "x" + "y" * 99,
        "d4",
    ]


def test_an_endless_stream_works_line_by_line() -> None:
    with subprocess.Popen(EVENTS, stdin=PIPE, stdout=PIPE, text=True) as program:
        assert program.stdin
        assert program.stdout
        assert json.loads(program.stdout.readline())["event"] == "GameStarted"
        for cell in ("c3", "d3"):
            program.stdin.write(f"{cell}\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["cell"] == cell
        program.stdin.close()
        assert program.wait(10) == 0


def test_a_closed_pipe_ends_it_silently() -> None:
    with subprocess.Popen(EVENTS, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as program:
        assert program.stdin
        assert program.stdout
        assert program.stderr
        program.stdout.readline()
        program.stdout.close()
        program.stdin.write("c3\n")
        program.stdin.close()
        assert program.wait(10) == 141
        assert program.stderr.read() == ""


def test_an_interrupt_ends_it_silently() -> None:
    with subprocess.Popen(EVENTS, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as program:
        assert program.stdout
        assert program.stderr
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        assert program.wait(10) == 130
        assert program.stderr.read() == ""


def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run([*EVENTS, "c3"], stdout=full, stderr=PIPE, text=True)
    assert ran.returncode == 1
    assert ran.stderr == "cannot write to standard output: No space left on device\n"


def test_an_output_that_knows_few_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(output, encoding="ascii"))
    write_line("é●")
    assert output.getvalue() == b"\\xe9\\u25cf\n"


@pytest.mark.parametrize(
    ("position", "depth", "number"),
    [(BOARD, 0, 1), (BOARD, 1, 50), (BOARD, 2, 1793), (STUCK, 1, 1), (STUCK, 2, 8), (CUT, 2, 1)],
)
def test_perft(run: Run, position: str, depth: int, number: int) -> None:
    assert run("perft", position, str(depth)) == (0, f"{number}\n", "")


def test_perft_divided(run: Run) -> None:
    lines = run("perft", BOARD, "2", "--divide").out.splitlines()
    assert lines[-1] == "total 1793"
    parts = [line.split() for line in lines[:-1]]
    assert len(parts) == 50
    assert parts == sorted(parts)
    assert sum(int(number) for _, number in parts) == 1793
    assert run("perft", STUCK, "2", "--divide").out == "pass 8\ntotal 8\n"
    assert run("perft", BOARD, "0", "--divide").out == "1\n"
    assert run("perft", "9/10/3(rwb)7/10/9 w m", "3", "--divide").out == "total 0\n"


def test_perft_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("dvonn_tui.commands.perft.perft", interrupted)
    assert main(["perft", BOARD, "60"]) == 130
    assert capsys.readouterr() == ("", "")
