"""How long records take to read: a game of each form, many games, damaged ones, too much of everything."""

from __future__ import annotations

import io
import resource
import time
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from typing import BinaryIO, Final, TypeVar

from dvonn_tui.records.forms import BY_NAME, read, recognise, write
from dvonn_tui.records.record import Record, Unreadable
from dvonn_tui.records.source import head_of, lines_of, sections
from tests.benchmarks.tables import table
from tests.records.mutation import TREE, mutated, samples
from tests.records.tools import DATA

Found = TypeVar("Found")

MEGABYTE: Final = 1_000_000


class Repeated(io.BytesIO):
    """A stream of the same bytes again and again, so that a large file needs no memory."""

    def __init__(self, text: bytes, times: int, end: bytes = b"") -> None:
        super().__init__()
        self._pieces = ((end if number == times else text) for number in range(times + 1))
        self._rest = b""

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes."""
        assert size is not None
        while len(self._rest) < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._rest += piece
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def report(runs: int, games: int, mutations: int, megabytes: int) -> str:
    """The tables."""
    return "\n\n".join([_forms(runs), _many(games), _too_much(megabytes), _damaged(mutations)])


def _forms(runs: int) -> str:
    rows = []
    for name, data in samples().items():
        count = len(list(read(data)))
        times = [_timed(partial(_read_or_refuse, data))[0] / count for _ in range(2 * runs)]
        rows.append([name, f"{1000 * median(times):.2f}", f"{1000 * min(times):.2f}"])
    return table(["a game read and played", "median ms", "best ms"], rows)


def _many(games: int) -> str:
    sixty = list(read((DATA / "random60.log").read_bytes()))
    rows = []
    for name, text in (
        ("native", write(sixty, BY_NAME["dvn"]) + "\n"),
        ("transcripts", write(sixty, BY_NAME["codecup"])),
        ("native with comments of 2 kB", _commented(sixty)),
    ):
        data = text.encode()
        times = max(games // len(sixty), 1)
        size = len(data) * times / MEGABYTE
        split, _ = _timed(partial(_split, Repeated(data, times)))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        whole, found = _timed(partial(_count, Repeated(data, times)))
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
        rows.append(
            [
                f"{name}, {found:,} games, {size:.1f} MB",
                f"{size / split:.1f}",
                f"{size / whole:.2f}",
                f"{found / whole:.0f}",
                f"{grown:.1f}",
            ]
        )
    head = [
        "many games, one core, seconds of computing",
        "split MB/s",
        "played MB/s",
        "games/s",
        "more MB held",
    ]
    return table(head, rows)


def _commented(records: list[Record]) -> str:
    for record in records:
        for entry in record.game.main_line()[60:64]:
            record.game.comment(entry, "A comment of some length, as somebody writes it. " * 40)
    return write(records, BY_NAME["dvn"]) + "\n"


def _too_much(megabytes: int) -> str:
    huge = megabytes * MEGABYTE
    nested = TREE.replace("d4c4! ; rest", "(" * 100_000 + "d4c4" + ")" * 100_000)
    begin = TREE.split("{")[0].encode() + b"{"
    cases: dict[str, BinaryIO] = {
        "nesting 100,000 deep": io.BytesIO(nested.encode()),
        f"a line of {megabytes} MB": io.BytesIO(b"a1 " * (huge // 3)),
        f"a comment of {megabytes} MB": io.BytesIO(begin + b"A comment.\n" * (huge // 11)),
        f"{20_000 * megabytes:,} tokens": io.BytesIO(b"a1 b1\n" * (10_000 * megabytes)),
    }
    rows = []
    for name, stream in cases.items():
        seconds, said = _timed(partial(_first_fault, stream))
        rows.append([name, f"{seconds:.2f}", said[:70]])
    return table(["too much", "s", "what is said"], rows)


def _first_fault(stream: BinaryIO) -> str:
    try:
        return next((str(fault) for record in read(stream) for fault in record.faults[-1:]), "nothing")
    except Unreadable as problem:
        return str(problem)


def _damaged(mutations: int) -> str:
    names = list(samples())
    worst, worst_name, refused, faulty = 0.0, "", 0, 0
    for seed in range(mutations):
        name = names[seed % len(names)]
        data = mutated(samples()[name], Random(seed))
        seconds, found = _timed(partial(_read_or_refuse, data))
        refused += found is None
        faulty += found is not None and any(record.faults for record in found)
        if seconds > worst:
            worst, worst_name = seconds, f"{name}, seed {seed}"
    row = [f"{mutations:,}", f"{refused:,}", f"{faulty:,}", f"{1000 * worst:.1f}", worst_name]
    return table(["damaged files", "refused", "with faults", "worst ms", "which"], [row])


def _read_or_refuse(data: bytes) -> list[Record] | None:
    try:
        return list(read(data))
    except Unreadable:
        return None


def _split(stream: BinaryIO) -> int:
    head, lines = head_of(lines_of(stream))
    form = recognise([line.text for line in head])
    return sum(1 for _ in sections(lines, form.sorter()))


def _count(stream: BinaryIO) -> int:
    return sum(1 for _ in read(stream))


def _timed(work: Callable[[], Found]) -> tuple[float, Found]:
    """Seconds of computing, and what came of it."""
    began = time.process_time()
    found = work()
    return time.process_time() - began, found
