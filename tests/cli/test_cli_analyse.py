"""The analyse command: what it prints, and what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dvonn_tui.engine.values import ONE_LOGIT
from dvonn_tui.play import verdict

from .conftest import Run

ENDING = "9/10/2rwbw5/10/9 w m"
"""White's f3e3 wins all four pieces, d3c3 two, and d3e3 draws."""

STUCK = "9/10/(rw)wwww6/10/9 b m"


def test_a_position(run: Run) -> None:
    ran = run("analyse", ENDING)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "1  solved: White +4  depth 3  f3e3 pass e3c3 pass d3c3",
        "2  solved: White +2  depth 3  d3c3",
        "3  solved: a draw  depth 3  d3e3",
    ]


@pytest.mark.parametrize("words", [[ENDING, "d3c3"], [*ENDING.split(), "D3C3"], [f"{ENDING} d3c3"]])
def test_plies_as_text(run: Run, words: list[str]) -> None:
    ran = run("analyse", *words)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        " ply  played   before   after  loss              best line",
        "   1  d3c3       W+4!    W+2!  2 pieces          f3e3 pass e3c3 pass d3c3",
    ]


def test_plies_as_json_from_standard_input(run: Run) -> None:
    ran = run("analyse", "--json", "--movetime", "200", stdin=f"{ENDING}\nd3e3".encode())
    assert (ran.status, ran.err) == (0, "")
    (line,) = map(json.loads, ran.out.splitlines())
    assert line == {
        "ply": "1",
        "side": "w",
        "played": "d3e3",
        "before": {"chance": 1.0, "margin": 4, "solved": True},
        "after": {"chance": 0.5, "margin": 0, "solved": True},
        "loss": {"chance": 0.5, "pieces": 4},
        "mark": "??",
        "best": ["f3e3", "pass", "e3c3", "pass", "d3c3"],
        "depth": 3,
    }


def test_a_pass_that_is_due_at_the_start_is_a_ply(run: Run) -> None:
    ran = run("analyse", STUCK, "--json")
    (line,) = map(json.loads, ran.out.splitlines())
    assert (line["ply"], line["played"], line["after"]["margin"]) == ("1", "pass", 6)


def test_passes_are_plies_and_the_best_move_loses_nothing(run: Run) -> None:
    ran = run("analyse", ENDING, "f3e3", "e3c3", "d3c3", "--json")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["played"] for line in lines] == ["f3e3", "pass", "e3c3", "pass", "d3c3"]
    assert [line["loss"]["chance"] for line in lines] == [0.0] * 5
    assert all(line["after"]["margin"] == 4 for line in lines)


def test_a_whole_placement_has_no_values(run: Run) -> None:
    ran = run("analyse", "a1", "c3", "k5", "--json")
    assert ran.status == 0
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [(line["ply"], line["before"], line["after"]) for line in lines] == [
        ("p1", None, None), ("p2", None, None), ("p3", None, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["9/10/2(wbw)r(bwb)6/10/9 w m"], "solved: a draw"),
        (
            ["9/10/11/10/9 w p"],
            "1  f3\nRed pieces go by rule, without a value: White spreads them, Black keeps them together.",
        ),
    ],
)
def test_where_nothing_is_to_be_chosen(run: Run, words: list[str], told: str) -> None:
    ran = run("analyse", *words, "--movetime", "100")
    assert ran.out == f"{told}\n"


def test_cells_have_estimates_and_say_what_they_are(run: Run) -> None:
    placed = "9/10/1rwr2b1r2/10/9 b p"
    ran = run("analyse", placed, "--movetime", "50")
    *cells, last = ran.out.splitlines()
    assert last == "estimates, if the rest is placed at random"
    assert len(cells) == 3
    assert all(re.fullmatch(r"[123]  (level|(White|Black) wins \d\d %)  [a-k][1-5]", line) for line in cells)
    ran = run("analyse", placed, "a1", "--movetime", "50", "--json")
    (judged,) = (json.loads(line) for line in ran.out.splitlines())
    assert judged["ply"] == "p1"
    assert 0 < judged["before"]["chance"] <= judged["after"]["chance"] < 1
    lost = judged["after"]["chance"] - judged["before"]["chance"]
    assert judged["loss"] == {"chance": pytest.approx(lost, abs=2e-4), "pieces": None}
    assert len(judged["best"]) == 1


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ([ENDING, "a1a2"], 1, "token 1 (a1a2): a1 is empty"),
        (["a1", "nonsense"], 1, "token 2 (nonsense): "),
        (["9/10/x"], 2, "position, character "),
        ([ENDING, "--movetime", "0"], 2, "dvonn-tui analyse: argument --movetime: "),
    ],
)
def test_refusals(run: Run, words: list[str], status: int, told: str) -> None:
    ran = run("analyse", *words)
    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith(told)
    assert ran.err.count("\n") == 1


def test_an_engine_that_does_not_start(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("dvonn_tui.play.engine_launch.sys.executable", str(tmp_path / "none"))
    ran = run("analyse", ENDING)
    assert ran.status == 1
    assert ran.err.startswith("dvonn-tui analyse: the engine did not start")
    assert ran.err.count("\n") == 1


def test_the_scale_is_that_of_the_engine() -> None:
    assert verdict.ONE_LOGIT == ONE_LOGIT


def test_no_screen_is_loaded() -> None:
    code = "import sys, dvonn_tui.commands.analyse\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {name.split(".")[0] for name in done.stdout.split()} & {"textual", "rich", "tomlkit"}
