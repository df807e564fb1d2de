"""``bench --beside``: the positions that are to be solved, by our engine and by another program in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.bench import (
    NAMED,
    Case,
    Times,
    by_group,
    chosen,
    fixed_cases,
    is_wrong,
    margin_text,
    think,
    write_heading,
)
from dvonn_tui.commands.programs import command_words
from dvonn_tui.commands.progress import Progress
from dvonn_tui.commands.terminal import FAILED, CommandFault, write_line
from dvonn_tui.play.codecup import PLACES, takes_position
from dvonn_tui.play.engine_trouble import EngineTrouble
from dvonn_tui.play.solver import Solver, time_to_solve

BAD_USAGE: Final = 2

WIDE: Final = 22
"""Columns of what is told of each."""


LONGEST_SHOWN: Final = 200
"""Columns of the command in the heading at most."""


def bench_beside(command: str, sign: str, most: float, only: Collection[str] = (), threads: int = 1) -> int:
    """Print how long our engine and another program take for each position, and the ratio of the medians.

    Both get the same time for a position, one after the other, ours first.

    Args:
        command: how the other is started, with the places of `dvonn_tui.play.codecup`.
        sign: what the other writes once a position is solved.
        most: seconds after which a position is given up.
        only: the beginnings of the groups that are wanted; all that are to be solved when empty.
        threads: threads with which ours searches.

    Returns:
        The exit status: 1 when a value that we call solved is not the true one.

    Raises:
        CommandFault: there is nothing to solve, or the other cannot be started, is given no position or
            fails.
    """
    words = command_words("bench", command)
    if not takes_position(words):
        places = " or ".join(PLACES)
        raise _refusal(f"{clean_line(command)}: holds no {places}, so it cannot know what to solve")
    if not sign:
        raise _refusal("--solved-sign is empty: it is what the other program writes once it has solved")
    cases = [case for case in chosen(fixed_cases(), only) if case.margin is not None]
    if not cases:
        raise _refusal("none of these positions is to be solved: --beside needs end or solve")
    solver = Solver(clean_line(words[0]), words, sign, most)
    write_heading(threads)
    write_line(f"beside {clean_line(command, LONGEST_SHOWN)}; up to {most:g} s for each position")
    write_line(f"{'':<{NAMED}} {'ours':<{WIDE}} the other")
    return _run(solver, cases, threads)


def _run(solver: Solver, cases: list[Case], threads: int) -> int:
    progress = Progress(len(cases))
    most = solver.seconds
    done = 0
    wrong = False
    for group, members in by_group(cases).items():
        ours: list[float | None] = []
        theirs: list[float | None] = []
        for case in members:
            if not solver.reads(case.position):
                done += 1
                write_line(f"{case.name:<{NAMED}} skipped: a stack is too high for {{state}}")
                continue
            progress.show(done, case.name, now=True)
            report = think(case.position, most, threads)
            progress.show(done + 0.5, case.name, now=True)
            try:
                spent = asyncio.run(time_to_solve(solver, case.position))
            except EngineTrouble as trouble:
                raise CommandFault(f"dvonn-tui bench: {case.name}: {trouble.line}", FAILED) from trouble
            finally:
                progress.clear()
            done += 1
            wrong = wrong or is_wrong(case, report)
            ours.append(report.seconds if report.lines[0].solved else None)
            theirs.append(spent)
            told = _seconds(ours[-1]) + margin_text(case, report)
            write_line(f"{case.name:<{NAMED}} {told:<{WIDE}} {_seconds(spent)}")
        if ours:
            write_lines_of_group(group, Times(ours, most), Times(theirs, most))
    return FAILED if wrong else 0


def write_lines_of_group(group: str, ours: Times, theirs: Times) -> None:
    """Say how many of a group each solved, the medians, and their ratio."""
    write_line(f"{group:<{NAMED}} ours {ours.text()}; the other {theirs.text()}")
    write_line(f"{group:<{NAMED}} ratio of the medians, ours to the other's: {ratio_text(ours, theirs)}")


def ratio_text(ours: Times, theirs: Times) -> str:
    """The ratio of two medians, as far as it is known."""
    if ours.bounded and theirs.bounded:
        return "unknown"
    bound = "at least " if ours.bounded else "at most " if theirs.bounded else ""
    return f"{bound}{ours.median / max(theirs.median, 1e-6):.3g}"


def _seconds(spent: float | None) -> str:
    return "not solved" if spent is None else f"{spent:.3f} s"


def _refusal(reason: str) -> CommandFault:
    return CommandFault(f"dvonn-tui bench: {reason}", BAD_USAGE)
