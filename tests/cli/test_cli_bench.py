"""The bench command: what it measures and tells."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from dvonn_tui.commands import bench as bench_command
from dvonn_tui.commands.bench import Case, Times
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.engine import backend
from tests.core.tools import lines_of

from .conftest import Run

ENDING = parse_position("9/10/2rwbw5/10/9 w m")
"""White's f3e3 wins all four pieces, d3c3 two, and d3e3 draws."""

FULL = bench_command.fixed_cases()[0].position


def given(monkeypatch: pytest.MonkeyPatch, *cases: Case) -> None:
    """Let these be the positions that come with the engine."""
    monkeypatch.setattr(bench_command, "fixed_cases", lambda: list(cases))


def test_bench(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    some = {"full-01", "end-03", "end-07", "solve24-06"}
    given(monkeypatch, *(case for case in bench_command.fixed_cases() if case.name in some))
    ran = run("bench", "--time", "50", "--most", "10" if backend.COMPILED else "0.2")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("dvonn-tui ")
    assert backend.VARIANT in lines[0]
    names = ["full-01", "all", "end-03", "end-07", "end", "solve24-06", "solve24"]
    assert [line.split()[0] for line in lines[1:]] == names
    assert "depth" in lines[1]
    assert all("nodes/s" in line for line in (*lines[1:5], lines[6]))
    if backend.COMPILED:
        assert re.fullmatch(r"end +2 of 2 solved, median \d\.\d{3} s", lines[5])
        assert re.fullmatch(r"solve24 +1 of 1 solved, median \d\.\d{3} s", lines[7])


def test_bench_tells_a_wrong_value(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Case("open-1", ENDING), Case("false-1", ENDING, 3))
    ran = run("bench")
    assert ran.status == 1
    assert "+4, but +3 is true" in ran.out


def test_what_is_not_solved_counts_as_the_limit(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Case("hard-1", FULL, 1), Case("hard-2", ENDING, 4), Case("hard-3", FULL, 1))
    ran = run("bench", "--most", "0.2")
    assert ran.status == 0
    assert ran.out.splitlines()[1].startswith("hard-1      not solved in ")
    assert ran.out.splitlines()[-1] == "hard        1 of 3 solved, median 0.200 s or more"


def test_only_some_parts(run: Run) -> None:
    ran = run("bench", "--only", "full", "--time", "5")
    assert [line.split()[0] for line in ran.out.splitlines()[1:]] == ["full-01", "full-05", "all"]
    groups = {case.group for case in bench_command.chosen(bench_command.fixed_cases(), ["solve", "end"])}
    assert groups == {"end", "solve22", "solve24"}
    ran = run("bench", "--only", "middle")
    assert ran.status == 2
    assert ran.err.startswith("dvonn-tui bench: argument --only: ")


def test_the_endings_are_those_of_the_tests() -> None:
    solved = {
        case["position"]: case["solved"]["value"] for case in lines_of("perft.jsonl") if "solved" in case
    }
    cases = bench_command.fixed_cases()
    assert {format_position(case.position): case.margin for case in cases if case.group == "end"} == solved
    assert all(case.margin is not None for case in cases if case.group not in {"full", "mid"})


def test_medians() -> None:
    assert Times([3.0, 1.0, None], 15.0).text() == "2 of 3 solved, median 3.000 s"
    assert Times([3.0, 1.0, None, None], 15.0).text() == "2 of 4 solved, median 9.000 s or more"


def test_only_what_is_needed_is_loaded() -> None:
    code = "import sys, dvonn_tui.commands.bench\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert not {name.split(".")[0] for name in loaded} & {"textual", "rich", "tomlkit", "asyncio"}
    assert "dvonn_tui.engine.solving" not in loaded
