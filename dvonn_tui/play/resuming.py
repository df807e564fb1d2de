"""Going on with a saved game: finding the one that waits, and taking a file up."""

from __future__ import annotations

import heapq
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.game import Game
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.clocks import NO_CLOCK, ClockRule, read_time_control
from dvonn_tui.records.journal import SUFFIX, Journal, in_use, open_journal
from dvonn_tui.records.journal_form import aside_content
from dvonn_tui.records.journal_reading import JournalFault, Reading, load_journal
from dvonn_tui.records.seating import Seating
from dvonn_tui.records.turn_clock import TurnClock

MOST_LOOKED_AT: Final = 40
"""Files, those written last, among which an unfinished game is looked for when the program starts."""

_TAIL: Final = 2_000
"""Bytes at the end of a file that are looked at before all of it is."""

_HEAD: Final = 1_000
"""Bytes of the first line of a file that are looked at before all of it is."""

_ENDINGS: Final = (b'"event":"GameEnded"', b'"aside":true')
"""What the last line of a file says that nobody wants to go on with."""


class CannotResume(Exception):
    """A game that cannot be gone on with. The text is why, in one line for a player."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An unfinished game.

    Attributes:
        path: its file.
        reading: what the file tells.
        touched: when the file was written last, in seconds since 1970.
    """

    path: Path
    reading: Reading
    touched: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """A saved game that is gone on with.

    Attributes:
        game: it stands where it stood.
        choice: how it was begun, and who plays it now.
        seating: who plays it, and how the board is turned.
        journal: its file to go on with; None when what is played from now on goes to a new one.
        path: the file that was read.
        notes: what the players have to know, each in one line.
        turn: what was left in the turn in which it was left; None when nothing was told of it.
        tags: what its file says beside the moves, as a record says it.
    """

    game: Game
    choice: GameChoice
    seating: Seating
    journal: Journal | None
    path: Path
    notes: tuple[str, ...]
    turn: TurnClock | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


def find_waiting(folder: Path, has_seat: Callable[[str], bool] = lambda table: False) -> Waiting | None:
    """The unfinished game that was played last and that no application plays at present.

    Files that cannot be read, finished games and those that were laid aside are passed over, and so are
    games at tables on other machines, unless `has_seat` says of the table that there is a seat to go back
    to. None as well when there is no such folder. Never raises.
    """
    for touched, name in _newest(folder):
        try:
            if _is_settled(folder / name) or in_use(folder / name):
                continue
            reading = load_journal(folder / name)
        except (OSError, JournalFault):
            continue
        table = reading.header.table
        if not reading.game.position.over and not reading.aside and (not table or has_seat(table)):
            return Waiting(folder / name, reading, touched)
    return None


def played_elsewhere(folder: Path) -> str | None:
    """The name of a file to which an application writes at present. Never raises."""
    for _, name in _newest(folder):
        with suppress(OSError):
            if in_use(folder / name):
                return name
    return None


def _newest(folder: Path) -> list[tuple[float, str]]:
    """When the files of games that were written last were, and their names; none without such a folder."""
    try:
        with os.scandir(folder) as files:
            found = [(_touched(file), file.name) for file in files if file.name.endswith(SUFFIX)]
    except OSError:
        return []
    return heapq.nlargest(MOST_LOOKED_AT, found)


def _touched(file: os.DirEntry[str]) -> float:
    """When a file was written last; long ago when it has just gone."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _is_settled(path: Path) -> bool:
    """True when the last line of a file says that nobody wants to go on."""
    with path.open("rb") as file:
        file.seek(max(file.seek(0, os.SEEK_END) - _TAIL, 0))
        lines = file.read().splitlines()
    return bool(lines) and any(ending in lines[-1] for ending in _ENDINGS)


def _names_table(path: Path, table: str) -> bool:
    """True when the first line of a file may tell of a game at that table."""
    with path.open("rb") as file:
        return json.dumps(table).encode() in file.readline(_HEAD)


def find_file(words: str, folder: Path) -> Path:
    """The file that somebody means: as it is written, else by its name in the folder of the games."""
    path = Path(words)
    if os.path.lexists(words) or path.name != words:
        return path
    found = (folder / name for name in (words, words + SUFFIX) if os.path.lexists(folder / name))
    return next(found, path)


def resume(path: Path) -> Resumed:
    """Take up a saved game.

    Raises:
        CannotResume: nothing can be loaded.
    """
    # The start looks for a game that waits, and need not wait for the forms of records.
    from dvonn_tui.records.shelf import record_of_log

    try:
        opened = open_journal(path)
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise CannotResume(f"{_shown(path)}: {clean_line(why, 200)}") from problem
    except JournalFault as fault:
        raise CannotResume(f"{_shown(path)}: {fault}") from fault
    reading = opened.reading
    name = _shown(Path(path.name))
    notes = []
    if reading.damage:
        notes.append(
            f"{name}, {reading.damage}; the game is here up to there. The file is kept as it is, "
            "and going on writes a new one"
        )
    elif opened.hindrance:
        notes.append(f"{name}: {opened.hindrance}; you go on with a copy in a file of its own")
    elif reading.torn:
        notes.append(f"{name}: {reading.torn}")
    journal = opened.journal
    if reading.header.table and journal is not None:
        # Its file tells what was played at the table, and nothing else.
        journal.finish()
        journal = None
        notes.append(f"{name} was played at a table: here you go on with a copy, by yourself")
    choice = replace(choice_of(reading.game, reading.seating), clock=_clock_of(reading))
    return Resumed(
        reading.game,
        choice,
        reading.seating,
        journal,
        path,
        tuple(notes),
        reading.turn,
        record_of_log(reading).tags,
    )


def taken_up(folder: Path, table: str, game: Game) -> tuple[Journal, int] | None:
    """The file in which a game at a table was saved before, to go on with; and how many entries of the
    game it holds.

    None when there is none, or when something else was written into it meanwhile. Never raises.
    """
    for _, name in _newest(folder):
        try:
            if not _names_table(folder / name, table) or in_use(folder / name):
                continue
            reading = load_journal(folder / name)
            held = [entry.event for entry in reading.game.log]
            if reading.header.table != table or held != [entry.event for entry in game.log[: len(held)]]:
                continue
            journal = open_journal(folder / name).journal
        except (OSError, ValueError, JournalFault):
            continue
        if journal is not None:
            return journal, len(held)
    return None


def lay_aside(path: Path) -> None:
    """Do not offer a saved game any more. Never raises: whoever cannot write there is asked again."""
    try:
        opened = open_journal(path)
    except (OSError, JournalFault):
        return
    if opened.journal is not None:
        opened.journal.append([aside_content()])
        opened.journal.finish()


def _clock_of(reading: Reading) -> ClockRule:
    """How time was given in a game that goes on. One that is over has none: it is looked at."""
    if reading.game.position.over:
        return NO_CLOCK
    try:
        return read_time_control(reading.header.time_control)
    except ValueError:
        return NO_CLOCK


def choice_of(game: Game, seating: Seating) -> GameChoice:
    """How a game was begun, and who plays it."""
    started = game.started
    setup = Setup(started.setup)
    return GameChoice(
        setup,
        started.seed,
        *seating.names(started.white, started.black),
        seating.white,
        seating.black,
        started.position if setup is Setup.POSITION else None,
    )


def _shown(path: Path) -> str:
    return clean_line(str(path), 200)
