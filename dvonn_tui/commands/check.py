"""``check``: whether files hold games that can be read and played by the rules."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from dvonn_tui.commands.files import STREAM, opened, shown_name, why
from dvonn_tui.commands.progress import Progress
from dvonn_tui.commands.terminal import FAILED, CommandFault, complain, write_line
from dvonn_tui.records.forms import BY_NAME, recognise
from dvonn_tui.records.record import Fault, Unreadable
from dvonn_tui.records.source import Section, head_of, lines_of, sections

BATCH: Final = 40
"""Games that a process is given at a time."""

WAITING: Final = 4
"""Batches that wait for each process."""

SHOWN_FAULTS: Final = 200
"""Faults that are told in words before the others are only counted."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one game.

    Attributes:
        path: the file, as it was named.
        form: the name of its form.
        game: its number in the file, from 1.
        line: where it begins.
        plies: placements, moves and passes of the main line.
        result: one of `dvonn_tui.records.record.RESULTS`.
        faults, remarks: what is wrong and what is odd.
    """

    path: str
    form: str
    game: int
    line: int
    plies: int
    result: str
    faults: tuple[Fault, ...]
    remarks: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class _Task:
    """A section that is to be read."""

    path: str
    form: str
    section: Section


def check(paths: Sequence[str], jobs: int | None, *, as_json: bool) -> int:
    """Read all games of files, of folders and what is in them, and of standard input; tell what is wrong.

    Returns:
        The exit status: 1 when something is wrong, or a file that was named holds no game.
    """
    files = list(_files(paths))
    report = _Report(len(files), as_json=as_json)
    tasks = _tasks(files, report)
    workers = jobs or _cores()
    try:
        for done in _inline(tasks) if workers == 1 or len(files) < 2 else _spread(tasks, workers):
            report.add(done)
    finally:
        report.clear()
    report.finish()
    return FAILED if report.wrong else 0


def _files(paths: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Each file, and whether it was named itself; in folders those that are not hidden.

    Pipes and devices in folders are left out: reading them could wait for ever.
    """
    for path in paths:
        if path == STREAM or not Path(path).is_dir():
            yield path, True
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                file = Path(folder) / name
                if not name.startswith(".") and (file.is_file() or not file.exists()):
                    yield str(file), False


def _tasks(files: Iterable[tuple[str, bool]], report: _Report) -> Iterator[_Task]:
    """The games of the files, not yet read: splitting files is quick."""
    for path, named in files:
        report.begin(path)
        try:
            with opened(path) as stream:
                head, lines = head_of(lines_of(stream))
                form = recognise([line.text for line in head])
                for section in sections(lines, form.sorter()):
                    yield _Task(path, form.name, section)
        except Unreadable as problem:
            report.refuse(path, str(problem), named=named)
        except CommandFault as problem:
            report.refuse(path, problem.line.removeprefix(f"{shown_name(path)}: "), named=True)
        except (OSError, ValueError) as problem:
            report.refuse(path, why(problem), named=True)


def _read(tasks: Sequence[_Task]) -> list[list[Checked]]:
    """Read sections: what a process does. Numbers of games are given later."""
    found = []
    for task in tasks:
        records = BY_NAME[task.form].read(task.section)
        found.append(
            [
                Checked(
                    task.path,
                    record.form,
                    0,
                    record.line,
                    record.plies,
                    record.result,
                    record.faults,
                    record.remarks,
                )
                for record in records
            ]
        )
    return found


def _inline(tasks: Iterable[_Task]) -> Iterator[list[Checked]]:
    for task in tasks:
        yield from _read([task])


def _spread(tasks: Iterable[_Task], workers: int) -> Iterator[list[Checked]]:
    """Read on several cores; results come in the order of the games."""
    waiting: deque[Future[list[list[Checked]]]] = deque()
    batch: list[_Task] = []
    with ProcessPoolExecutor(workers) as pool:
        try:
            for task in tasks:
                batch.append(task)
                if len(batch) == BATCH:
                    waiting.append(pool.submit(_read, batch))
                    batch = []
                if len(waiting) > WAITING * workers:
                    yield from waiting.popleft().result()
            if batch:
                waiting.append(pool.submit(_read, batch))
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Report:
    """What is told: a line for each file, and the faults below it.

    Attributes:
        wrong: True when something is wrong.
    """

    def __init__(self, files: int, *, as_json: bool) -> None:
        self.wrong = False
        self._files = files
        self._json = as_json
        self._progress = Progress(files)
        self._begun = 0
        self._games = self._faulty = self._told = 0
        self._others: list[str] = []
        self._path = ""
        self._current: list[Checked] = []
        self._count = 0
        self._plies = 0

    def begin(self, path: str) -> None:
        """A file is opened."""
        self._begun += 1
        self._progress.show(self._begun - 1, f"{self._games} games, {self._faulty} with faults")

    def refuse(self, path: str, reason: str, *, named: bool) -> None:
        """A file holds no game, or cannot be read. In a folder that is no fault."""
        if not named:
            self._others.append(path)
            return
        self.wrong = True
        self._progress.clear()
        if self._json:
            write_line(json.dumps({"file": path, "error": reason}))
        else:
            complain(f"{shown_name(path)}: {reason}")

    def add(self, games: list[Checked]) -> None:
        """The games of a section."""
        for game in games:
            if game.path != self._path:
                self._flush()
                self._path = game.path
            self._games += 1
            self._count += 1
            self._plies += game.plies
            if game.faults:
                self._faulty += 1
                self.wrong = True
            if self._json:
                self._progress.clear()
                write_line(json.dumps(_plain(game, self._count)))
            elif game.faults or game.remarks or self._count == 1:
                self._current.append(_numbered(game, self._count))
        self._progress.show(self._begun, f"{self._games} games, {self._faulty} with faults")

    def _flush(self) -> None:
        """Tell of a file all of whose games were read, and begin with the next."""
        if self._current:
            self._tell()
        self._current, self._count, self._plies = [], 0, 0

    def _tell(self) -> None:
        """A line for the file, and its faults below."""
        self._progress.clear()
        first, count = self._current[0], self._count
        plies = "1 ply" if self._plies == 1 else f"{self._plies:,} plies"
        what = f"{plies}, {first.result}" if count == 1 else f"{count} games, {plies}"
        faulty = sum(bool(game.faults) for game in self._current)
        verdict = "ok" if not faulty else "faults" if count == 1 else f"{faulty} with faults"
        write_line(f"{shown_name(first.path)}: {first.form}, {what}, {verdict}")
        for game in self._current:
            which = "" if count == 1 else f"game {game.game}, "
            for word, found in (("", game.faults), ("note: ", game.remarks)):
                for fault in found:
                    self._told += 1
                    if self._told <= SHOWN_FAULTS:
                        write_line(f"  {word}{which}{fault}")

    def clear(self) -> None:
        """Take the progress bar away."""
        self._progress.clear()

    def finish(self) -> None:
        """Tell the sum."""
        if self._json:
            return
        self._flush()
        if self._told > SHOWN_FAULTS:
            write_line(f"{self._told - SHOWN_FAULTS} more are not shown: --json tells all")
        if self._files != 1:
            others = _others(len(self._others))
            faulty = f"{self._faulty} with faults" if self._faulty else "no faults"
            games = "1 game" if self._games == 1 else f"{self._games:,} games"
            read = self._files - len(self._others)
            write_line(f"{games} in {'1 file' if read == 1 else f'{read:,} files'}, {faulty}{others}")


def _numbered(game: Checked, number: int) -> Checked:
    from dataclasses import replace

    return replace(game, game=number)


def _plain(game: Checked, number: int) -> dict[str, object]:
    return {
        "file": game.path,
        "form": game.form,
        "game": number,
        "line": game.line,
        "plies": game.plies,
        "result": game.result,
        "faults": [asdict(fault) for fault in game.faults],
        "remarks": [asdict(fault) for fault in game.remarks],
    }


def _others(count: int) -> str:
    """How many files of folders hold no games, in words."""
    if not count:
        return ""
    return "; 1 file holds no games" if count == 1 else f"; {count} files hold no games"
