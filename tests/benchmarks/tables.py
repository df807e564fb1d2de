"""Figures, and how they are printed."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one key: seconds until the last byte, seconds of computing, and how many bytes."""

    seconds: float
    computing: float
    size: int


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def summary(answers: Sequence[Answer]) -> list[str]:
    """Median and p95 of the time in ms, the median of the computing in it, median, p95 and most of the
    bytes, and how many there are."""
    if not answers:
        return ["-"] * 6 + ["0"]
    times = [answer.seconds * 1000 for answer in answers]
    sizes = [float(answer.size) for answer in answers]
    return [
        f"{median(times):.1f}",
        f"{percentile(times, 0.95):.1f}",
        f"{median(answer.computing * 1000 for answer in answers):.1f}",
        f"{median(sizes):,.0f}",
        f"{percentile(sizes, 0.95):,.0f}",
        f"{max(sizes):,.0f}",
        str(len(answers)),
    ]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with its columns lined up; all but the first to the right."""
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            text.ljust(width) if column == 0 else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def machine() -> str:
    """Where this was measured."""
    processor = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            processor = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{processor}, {os.cpu_count()} cores{load}; {platform.system()}, "
        f"Python {platform.python_version()}, Textual {version('textual')}"
    )


def computing(process: int) -> float:
    """Seconds that the first thread of a process has computed so far; 0 where that cannot be known."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0


def children_computing(process: int) -> float:
    """Seconds that all threads of the children of a process have computed so far; 0 where that is unknown."""
    ticks = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0
