"""``bench``: how fast the engine is on this machine."""

from __future__ import annotations

import json
import platform
import statistics
from importlib.resources import files
from typing import Any

from dvonn_tui import __version__
from dvonn_tui.commands.progress import Progress
from dvonn_tui.commands.terminal import FAILED, complain, write_line
from dvonn_tui.core.notation import parse_position
from dvonn_tui.engine.backend import NOTICE, VARIANT
from dvonn_tui.engine.think import Limits, Report, Thinker


def bench(seconds: float, most: float) -> int:
    """Print nodes a second and depth on fixed positions and the time to solve endings.

    Args:
        seconds: for each position that is not to be solved.
        most: seconds after which an ending is given up.

    Returns:
        The exit status: 1 when a solved value is not the true one.
    """
    cases = fixed_cases()
    open_ones = [case for case in cases if "margin" not in case]
    endings = [case for case in cases if "margin" in case]
    progress = Progress(len(cases))
    if NOTICE:
        complain(NOTICE)
    write_line(f"dvonn-tui {__version__}, engine {VARIANT}, Python {platform.python_version()}")
    reports = []
    for done, case in enumerate(open_ones):
        progress.show(done, case["id"], now=True)
        report = think(case["position"], seconds)
        progress.clear()
        reports.append(report)
        depth = report.lines[0].depth
        write_line(f"{case['id']:<8} depth {depth:>2} after {report.seconds:.2f} s  {rate(report)}")
    nodes, spent = sum(each.nodes for each in reports), sum(each.seconds for each in reports)
    write_line(f"{'all':<8} depth {mean_depth(reports):.1f}  {per_second(nodes, spent)}")
    times, wrong = [], False
    for done, case in enumerate(endings, len(open_ones)):
        progress.show(done, case["id"], now=True)
        report = think(case["position"], most)
        progress.clear()
        line = report.lines[0]
        if not line.solved:
            write_line(f"{case['id']:<8} not solved in {report.seconds:.2f} s  {rate(report)}")
            continue
        times.append(report.seconds)
        right = line.margin == case["margin"]
        wrong = wrong or not right
        told = f"{line.margin:+d}" if right else f"{line.margin:+d}, but {case['margin']:+d} is true"
        write_line(f"{case['id']:<8} solved in {report.seconds:.3f} s  {rate(report)}  {told}")
    if times:
        median = statistics.median(times)
        write_line(
            f"{'all':<8} {len(times)} of {len(endings)} solved, {sum(times):.2f} s, median {median:.3f} s"
        )
    return FAILED if wrong else 0


def fixed_cases() -> list[dict[str, Any]]:
    """The positions: ``id``, ``position``, and ``margin`` of endings, for the side to move."""
    text = files("dvonn_tui.engine").joinpath("bench.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def think(position: str, seconds: float) -> Report:
    """Think about a position with nothing remembered from another."""
    return Thinker().think(parse_position(position), Limits(seconds=seconds))


def rate(report: Report) -> str:
    """The nodes a second of a search."""
    return per_second(report.nodes, report.seconds)


def per_second(nodes: int, seconds: float) -> str:
    """Nodes a second in words."""
    return f"{round(nodes / max(seconds, 1e-6)):,} nodes/s"


def mean_depth(reports: list[Report]) -> float:
    """The mean of the depths of the best lines."""
    return statistics.fmean(report.lines[0].depth for report in reports)
