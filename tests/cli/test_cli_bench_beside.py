"""The bench command beside another program: what it measures of both, and what it refuses."""

from __future__ import annotations

import re
import shlex
import sys

import pytest

from dvonn_tui.commands import bench_beside
from dvonn_tui.commands.bench import Case, Times, fixed_cases
from dvonn_tui.core.notation import parse_position

from .conftest import Run

ENDING = parse_position("9/10/2rwbw5/10/9 w m")
"""White's f3e3 wins all four pieces, d3c3 two, and d3e3 draws."""

HIGH = parse_position("9/10/2r(wwwwwwwwwwwwwwww)wb5/10/9 w m")
"""A stack of sixteen."""

FULL = fixed_cases()[0].position


def given(monkeypatch: pytest.MonkeyPatch, *cases: Case) -> None:
    """Let these be the positions that come with the engine."""
    monkeypatch.setattr(bench_beside, "fixed_cases", lambda: list(cases))


def python(program: str) -> str:
    """A command that runs a program and gets the position."""
    return shlex.join((sys.executable, "-c", f"import sys\n{program}", "{state}"))


def test_ratios() -> None:
    fast, half, never = Times([1.0], 15.0), Times([3.0, None], 15.0), Times([None], 15.0)
    assert bench_beside.ratio_text(fast, Times([4.0], 15.0)) == "0.25"
    assert bench_beside.ratio_text(fast, never) == "at most 0.0667"
    assert bench_beside.ratio_text(half, fast) == "at least 9"
    assert bench_beside.ratio_text(half, never) == "unknown"


def test_beside_another(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given(
        monkeypatch,
        Case("full-1", FULL),
        Case("end-1", ENDING, 4),
        Case("end-2", HIGH, 0),
        Case("solve-1", ENDING, 4),
        Case("solve-2", ENDING, 4),
    )
    ran = run(
        "bench", "--beside", python("print(len(sys.argv[1]), 'solved!')"), "--solved-sign", "50 solved!"
    )
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[1].endswith("; up to 15 s for each position")
    assert lines[2].split() == ["ours", "the", "other"]
    time = r"\d\.\d{3} s"
    for line, wanted in zip(
        lines[3:],
        [
            rf"end-1 +{time}  \+4 +{time}",
            r"end-2 +skipped: a stack is too high for \{state\}",
            rf"end +ours 1 of 1 solved, median {time}; the other 1 of 1 solved, median {time}",
            r"end +ratio of the medians, ours to the other's: \d.*",
            rf"solve-1 +{time}  \+4 +{time}",
            rf"solve-2 +{time}  \+4 +{time}",
            rf"solve +ours 2 of 2 solved, median {time}; the other 2 of 2 solved, median {time}",
            r"solve +ratio of the medians, ours to the other's: \d.*",
        ],
        strict=True,
    ):
        assert re.fullmatch(wanted, line), line


def test_beside_one_that_does_not_solve(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Case("end-1", ENDING, 4))
    ran = run("bench", "--beside", python("print('exact')"), "--most", "2")
    assert ran.status == 0
    assert ran.out.splitlines()[3].endswith("  +4            not solved")
    assert "the other 0 of 1 solved, median 2.000 s or more" in ran.out
    assert ran.out.splitlines()[-1].rsplit(": ")[1].startswith("at most ")


def test_beside_tells_our_own_wrong_value(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Case("end-1", ENDING, 3))
    ran = run("bench", "--beside", python("print('(exact)')"))
    assert ran.status == 1
    assert "+4, but +3 is true" in ran.out


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["--beside", "player"], 2, "player: holds no {position} or {state}"),
        (["--beside", ""], 2, "the command is empty"),
        (["--beside", "'player {state}"], 2, "'player {state}: cannot be split into words"),
        (["--beside", "player {state}", "--solved-sign", ""], 2, "--solved-sign is empty"),
        (["--beside", "player {state}", "--only", "full"], 2, "none of these positions is to be solved"),
        (["--beside", "/no/such/player {state}"], 1, "end-1: /no/such/player did not start"),
        (["--beside", python("sys.exit(3)")], 1, "end-1: "),
    ],
)
def test_refusals(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, told: str
) -> None:
    given(monkeypatch, Case("full-1", FULL), Case("end-1", ENDING, 4))
    ran = run("bench", *words)
    assert ran.status == status
    assert ran.err.startswith(f"dvonn-tui bench: {told}")
    assert ran.err.count("\n") == 1
