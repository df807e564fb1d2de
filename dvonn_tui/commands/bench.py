"""``bench``: how fast the engine is on this machine, by itself or beside another program that solves."""

from __future__ import annotations

import json
import platform
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Final

from dvonn_tui import __version__
from dvonn_tui.commands.progress import Progress
from dvonn_tui.commands.terminal import FAILED, complain, write_line
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.position import Position
from dvonn_tui.engine.backend import NOTICE, VARIANT, now
from dvonn_tui.engine.think import Limits, Report, Thinker

FILES: Final = ("bench.jsonl", "solving.jsonl")
"""Where the positions are, in the folder of the engine."""

NAMED: Final = 11
"""Columns of the name of a position."""


@dataclass(frozen=True, slots=True)
class Case:
    """A position that comes with the engine.

    Attributes:
        name: its group, a hyphen and a number.
        position: the position; there is a choice in it.
        margin: its true final margin for the side to move; None when it is not to be solved.
    """

    name: str
    position: Position
    margin: int | None = None

    @property
    def group(self) -> str:
        """What kind of position it is."""
        return self.name.partition("-")[0]


@dataclass(frozen=True, slots=True)
class Times:
    """How long it took to solve each of some positions.

    Attributes:
        seconds: of each; None when it was not solved.
        most: the seconds after which one was given up, and as which it counts.
    """

    seconds: Sequence[float | None]
    most: float

    @property
    def solved(self) -> int:
        """How many were solved."""
        return sum(each is not None for each in self.seconds)

    @property
    def _counted(self) -> list[float]:
        return [self.most if each is None else each for each in self.seconds]

    @property
    def median(self) -> float:
        """The median; where `bounded`, it is only known to be at least this."""
        return statistics.median(self._counted)

    @property
    def bounded(self) -> bool:
        """True when a position that was not solved has a part in the median."""
        ordered = sorted(self.seconds, key=lambda each: (each is None, each or 0.0))
        return ordered[len(ordered) // 2] is None

    def text(self) -> str:
        """How many were solved, and the median."""
        more = " or more" if self.bounded else ""
        return f"{self.solved} of {len(self.seconds)} solved, median {self.median:.3f} s{more}"


def bench(seconds: float, most: float, only: Collection[str] = (), threads: int = 1) -> int:
    """Print nodes a second and depth on fixed positions and the time to solve others.

    Args:
        seconds: for each position that is not to be solved.
        most: seconds after which a position that is to be solved is given up.
        only: the beginnings of the groups that are wanted; all when empty.
        threads: threads that search.

    Returns:
        The exit status: 1 when a solved value is not the true one.
    """
    cases = chosen(fixed_cases(), only)
    write_heading(threads)
    progress = Progress(len(cases))
    open_ones = [case for case in cases if case.margin is None]
    _measure(open_ones, seconds, threads, progress)
    wrong = False
    done = len(open_ones)
    for group, members in by_group(case for case in cases if case.margin is not None).items():
        spent: list[float | None] = []
        nodes = 0
        for case in members:
            progress.show(done, case.name, now=True)
            report = think(case.position, most, threads)
            progress.clear()
            done += 1
            nodes += report.nodes
            solved = report.lines[0].solved
            spent.append(report.seconds if solved else None)
            wrong = wrong or is_wrong(case, report)
            how = f"solved in {report.seconds:.3f} s" if solved else f"not solved in {report.seconds:.2f} s"
            write_line(f"{case.name:<{NAMED}} {how}  {rate(report)}{margin_text(case, report)}")
        write_line(f"{group:<{NAMED}} {Times(spent, most).text()}")
    return FAILED if wrong else 0


def _measure(cases: Sequence[Case], seconds: float, threads: int, progress: Progress) -> None:
    """Print the depth after so many seconds, and nodes a second."""
    reports = []
    for done, case in enumerate(cases):
        progress.show(done, case.name, now=True)
        report = think(case.position, seconds, threads)
        progress.clear()
        reports.append(report)
        depth = report.lines[0].depth
        write_line(f"{case.name:<{NAMED}} depth {depth:>2} after {report.seconds:.2f} s  {rate(report)}")
    if reports:
        nodes, spent = sum(each.nodes for each in reports), sum(each.seconds for each in reports)
        depth_text = f"{statistics.fmean(report.lines[0].depth for report in reports):.1f}"
        write_line(f"{'all':<{NAMED}} depth {depth_text}  {per_second(nodes, spent)}")


def fixed_cases() -> list[Case]:
    """The positions that come with the engine."""
    folder = files("dvonn_tui.engine")
    text = "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in FILES)
    read = map(json.loads, text.splitlines())
    return [Case(case["id"], parse_position(case["position"]), case.get("margin")) for case in read]


def chosen(cases: Iterable[Case], only: Collection[str]) -> list[Case]:
    """Those whose group begins with one of some words; all when there are none."""
    return [case for case in cases if not only or case.group.startswith(tuple(only))]


def by_group(cases: Iterable[Case]) -> Mapping[str, list[Case]]:
    """The cases of each group, in their order."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    return groups


def write_heading(threads: int) -> None:
    """Say what is measured."""
    if NOTICE:
        complain(NOTICE)
    several = f", {threads} threads" if threads > 1 else ""
    write_line(f"dvonn-tui {__version__}, engine {VARIANT}{several}, Python {platform.python_version()}")


def think(position: Position, seconds: float, threads: int) -> Report:
    """Think about a position with nothing remembered from another. Making the table counts as well."""
    begun = now()
    thinker = Thinker()
    thinker.threads = threads
    report = thinker.think(position, Limits(seconds=seconds))
    return replace(report, seconds=now() - begun)


def is_wrong(case: Case, report: Report) -> bool:
    """True when a value is called solved that is not the true one."""
    line = report.lines[0]
    return line.solved and line.margin != case.margin


def margin_text(case: Case, report: Report) -> str:
    """The margin that was found, and what is wrong with it; nothing when it was not."""
    line = report.lines[0]
    if not line.solved:
        return ""
    return f"  {line.margin:+d}" + (f", but {case.margin:+d} is true" if is_wrong(case, report) else "")


def rate(report: Report) -> str:
    """The nodes a second of a search."""
    return per_second(report.nodes, report.seconds)


def per_second(nodes: int, seconds: float) -> str:
    """Nodes a second in words."""
    return f"{round(nodes / max(seconds, 1e-6)):,} nodes/s"
