"""From a key to the last byte of the answer, in a real pseudo-terminal."""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from dvonn_tui.core.events import Action
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_position
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import legal_moves, play
from dvonn_tui.core.setups import Setup
from tests.benchmarks.tables import Answer, children_computing, computing, summary, table
from tests.terminal.session import Session

EMPTY: Final = (sys.executable, str(Path(__file__).with_name("empty.py")))

QUIET: Final = 0.025
"""Seconds without a byte after which an answer is taken to be complete."""

NO_ANSWER: Final = 0.25
"""Seconds after which a key is taken to change nothing on the screen; it is not counted."""

MIDDLE_PLIES: Final = 14
SEED: Final = 5

LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"


@dataclass(frozen=True, slots=True)
class Setting:
    """One terminal to measure in."""

    name: str
    columns: int
    lines: int
    environment: dict[str, str | None]


TRUECOLOUR: Final[dict[str, str | None]] = {"COLORTERM": "truecolor"}
SETTINGS: Final = (
    Setting("80x24 truecolour", 80, 24, TRUECOLOUR),
    Setting("120x40 truecolour", 120, 40, TRUECOLOUR),
    Setting("160x50 truecolour", 160, 50, TRUECOLOUR),
    Setting("120x40 256 colours", 120, 40, {"COLORTERM": None}),
)


def wandering(count: int) -> list[str]:
    """Cursor keys that go all over the board and seldom against its edge, the same each time."""
    up, down = [UP, UP, *[RIGHT] * 3], [DOWN, *[LEFT] * 7, DOWN, *[RIGHT] * 8]
    return list(islice(cycle([*up, *down, *down, *[UP] * 4, *[LEFT] * 3]), count))


def middle_game() -> Position:
    """A position in the middle of a game, with stacks of several heights."""
    position = Game.new(Setup.BALANCED, SEED).position
    chance = random.Random(SEED)
    for _ in range(MIDDLE_PLIES):
        move: Action = chance.choice(legal_moves(position))
        position = play(position, move)[1]
    return position


def answer(session: Session, key: str, aside: Region | None = None) -> Answer | None:
    """Press a key and wait until the answer is complete. None when there was none.

    What is written in the region `aside` alone, which changes without a key, is no answer.
    """
    while session.read(0.0):
        pass
    before, computed = len(session.raw), computing(session.process.pid)
    began = last = time.perf_counter()
    session.type(key)
    while session.read(QUIET if len(session.raw) > before else NO_ANSWER):
        last = time.perf_counter()
    written = session.raw[before:]
    if not written or (aside is not None and aside.holds(written)):
        return None
    return Answer(last - began, computing(session.process.pid) - computed, len(written))


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the screen, from a line and a column on, counted from 0, to its lower right corner."""

    line: int
    column: int

    def holds(self, written: bytes) -> bool:
        """True when everything that was written begins in it."""
        places = [(int(line), int(column)) for line, column in _PLACE.findall(written)]
        return bool(places) and all(line > self.line and column > self.column for line, column in places)


_PLACE: Final = re.compile(rb"\x1b\[(\d+);(\d+)H")


def answers(session: Session, keys: Sequence[str], aside: Region | None = None) -> list[Answer]:
    """The answers to keys."""
    found = [answer(session, key, aside) for key in keys]
    return [each for each in found if each is not None]


def measure(setting: Setting, count: int, plies: int) -> Iterator[tuple[str, list[Answer]]]:
    """Measure all that is done at a board in one setting; with what it was called."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for name, arguments in _boards():
            with _started(setting, home, arguments) as session:
                yield from _at_a_board(session, name, count, None)
        with _started(setting, home, ["--seed", str(SEED)]) as session:
            _play(session, plies)
            yield "steps back", answers(session, ["["] * plies)
            yield "steps forward", answers(session, ["]"] * plies)


def _boards() -> tuple[tuple[str, list[str]], ...]:
    """The boards that are looked at, by name, and how the program is called for them."""
    middle = format_position(middle_game())
    return ("opening", ["--seed", str(SEED)]), ("middle", ["--position", middle])


def _at_a_board(
    session: Session, name: str, count: int, aside: Region | None
) -> Iterator[tuple[str, list[Answer]]]:
    yield f"{name}: cursor", answers(session, wandering(count), aside)
    yield f"{name}: stack to stack", answers(session, ["\t"] * (count // 3), aside)
    yield f"{name}: picked, targets", answers(session, _picking(count // 2), aside)
    yield f"{name}: pointer", _pointer(session, count, aside)


def measure_thinking(setting: Setting, count: int, plies: int) -> Iterator[tuple[str, list[Answer], float]]:
    """The same while the analysis is on and its engine thinks all the time, with what it takes by default.

    The steps go back only so far that no position is solved at once. With each the cores that all engines of
    the program used meanwhile, on average.
    """
    few = min(plies, MIDDLE_PLIES)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for name, arguments in _boards():
            with _started(setting, home, arguments) as session:
                aside = _analysing(session)
                yield from _with_use(session, _at_a_board(session, name, count, aside))
        with _started(setting, home, ["--seed", str(SEED)]) as session:
            _play(session, few)
            aside = _analysing(session)
            steps = (("steps back", "["), ("steps forward", "]"))
            found = ((name, answers(session, [key] * few, aside)) for name, key in steps)
            yield from _with_use(session, found)


def _analysing(session: Session) -> Region:
    """Switch the analysis on, wait until something was found, and return where its panel is."""
    session.type("v")
    session.wait_for("ANALYSIS", "depth")
    line, row = next((line, row) for line, row in enumerate(session.rows) if "ANALYSIS" in row)
    return Region(line, row.index("ANALYSIS") - 1)


def _with_use(
    session: Session, measured: Iterator[tuple[str, list[Answer]]]
) -> Iterator[tuple[str, list[Answer], float]]:
    began, used = time.perf_counter(), children_computing(session.process.pid)
    for name, found in measured:
        now, use = time.perf_counter(), children_computing(session.process.pid)
        yield name, found, (use - used) / (now - began)
        began, used = now, use


def _picking(count: int) -> list[str]:
    """Pick a stack, look at its targets one after the other, let go, go to the next stack."""
    return list(islice(cycle(["\r", "\t", "\t", "\t", "\t", "\x7f", "\t", "\t"]), count))


def _pointer(session: Session, count: int, aside: Region | None = None) -> list[Answer]:
    """Move the pointer across the board."""
    _, left, top = session.board() or (None, 0, 0)
    chance = random.Random(3)
    x, y = left + 30, top + 6
    keys = []
    for _ in range(count // 2):
        x = min(max(x + chance.choice((-9, -5, 5, 9)), left + 6), left + 60)
        y = min(max(y + chance.choice((-2, 0, 2)), top + 2), top + 11)
        keys.append(f"\x1b[<35;{x + 1};{y + 1}M")
    return answers(session, keys, aside)


def _started(setting: Setting, home: Path, arguments: list[str]) -> Session:
    session = Session(
        [*arguments, "--look", "discs"],
        home=home,
        columns=setting.columns,
        lines=setting.lines,
        environment={**setting.environment, "TEXTUAL_ANIMATIONS": "none"},
    )
    session.start_up()
    return session


def _play(session: Session, plies: int) -> None:
    """Play the first move that the keys come to, again and again."""
    for _ in range(plies):
        for key in ("\t", "\r", "\t", "\r"):
            answer(session, key)
    session.settle()
    answer(session, "\x1b")


def measure_empty(setting: Setting, count: int) -> list[Answer]:
    """The same keys for an application that only counts them."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session(
            home=Path(folder),
            columns=setting.columns,
            lines=setting.lines,
            program=EMPTY,
            environment=setting.environment,
        )
        with session:
            session.wait_for("ready")
            session.settle()
            return answers(session, wandering(count))


HEAD: Final = ("key -> painted", "median ms", "p95 ms", "CPU ms", "median B", "p95 B", "most B", "keys")


def report(count: int, plies: int, settings: Sequence[Setting] = SETTINGS) -> str:
    """The table of all settings."""
    rows = []
    for setting in settings:
        rows.append([f"{setting.name}: empty application", *summary(measure_empty(setting, count // 2))])
        every: list[Answer] = []
        for name, found in measure(setting, count, plies):
            every += found
            rows.append([f"{setting.name}: {name}", *summary(found)])
        rows.append([f"{setting.name}: ALL", *summary(every)])
    return table(HEAD, rows)


def report_thinking(count: int, plies: int, settings: Sequence[Setting]) -> str:
    """The table while the engine thinks, the column on the right being the cores that it used."""
    rows = []
    for setting in settings:
        empty = summary(measure_empty(setting, count // 2))
        rows.append([f"{setting.name}: empty application, no engine", *empty, ""])
        every: list[Answer] = []
        for name, found, cores in measure_thinking(setting, count, plies):
            every += found
            rows.append([f"{setting.name}: {name}", *summary(found), f"{cores:.2f}"])
        rows.append([f"{setting.name}: ALL, thinking", *summary(every), ""])
    head = [
        "key -> painted",
        "median ms",
        "p95 ms",
        "CPU ms",
        "median B",
        "p95 B",
        "most B",
        "keys",
        "engine",
    ]
    return table(head, rows)
