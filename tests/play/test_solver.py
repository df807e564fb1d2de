"""Timing another program that solves: when it has solved, when not, and that none is left behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dvonn_tui.core.notation import parse_position
from dvonn_tui.play.codecup import state_text
from dvonn_tui.play.engine_trouble import EngineTrouble, TroubleKind
from dvonn_tui.play.solver import Solver, time_to_solve

from .tools import ONE_MOVE, children

HIGH = parse_position("9/10/2r(wwwwwwwwwwwwwwww)wb5/10/9 w m")
"""A stack of sixteen."""


def solver(program: str, *words: str, seconds: float = 10.0) -> Solver:
    return Solver("Fake", (sys.executable, "-c", f"import sys, time\n{program}", *words), "(exact)", seconds)


@pytest.mark.parametrize(
    "program",
    [
        "print('value 3 (exact)')",
        "sys.stderr.write('value (exact)')",
        "for part in ('v' * 9_000, '(ex', 'act)'): sys.stderr.write(part), time.sleep(0.02)",
        "print('(exact)', flush=True)\ntime.sleep(600)",
    ],
)
async def test_the_sign_ends_it(program: str) -> None:
    spent = await time_to_solve(solver(program), ONE_MOVE)
    assert spent is not None
    assert 0 < spent < 10
    assert children() == set()


@pytest.mark.parametrize("program", ["print('exact')", "print('(exact) '[:-2])"])
async def test_one_that_ends_without_the_sign_has_not_solved(program: str) -> None:
    assert await time_to_solve(solver(program), ONE_MOVE) is None


async def test_one_that_takes_too_long_has_not_solved_and_is_ended() -> None:
    slow = solver("time.sleep(600)\nprint('(exact)')", seconds=0.2)
    assert await time_to_solve(slow, ONE_MOVE) is None
    assert children() == set()


async def test_its_command_is_filled_in(tmp_path: Path) -> None:
    said = tmp_path / "said"
    words = (str(said), "{state}", "{position}", "{seconds}", "{movetime}")
    program = "open(sys.argv[1], 'w').write('|'.join(sys.argv[2:]))\nprint('(exact)')"
    assert await time_to_solve(solver(program, *words, seconds=7.5), ONE_MOVE) is not None
    assert said.read_text() == f"{state_text(ONE_MOVE)}|9/10/2rwb6/10/9 w m|7.5|7500"


async def test_failures_are_told() -> None:
    with pytest.raises(EngineTrouble) as died:
        await time_to_solve(solver("sys.exit('no \\x1b[31mlicence')"), ONE_MOVE)
    assert died.value.kind is TroubleKind.DIED
    assert died.value.line == "Fake ended with status 1: no ?[31mlicence"
    with pytest.raises(EngineTrouble) as missing:
        await time_to_solve(Solver("Fake", ("/no/such/program",), "(exact)", 1.0), ONE_MOVE)
    assert missing.value.kind is TroubleKind.NOT_STARTED


def test_high_stacks_fit_in_no_state() -> None:
    assert solver("", "{state}").reads(ONE_MOVE)
    assert not solver("", "{state}").reads(HIGH)
    assert solver("", "{position}").reads(HIGH)
