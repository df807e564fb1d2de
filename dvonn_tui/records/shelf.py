"""The games of a file, whether it is a log file or a record of any form, and what a list tells of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from dvonn_tui.clean import clean_line
from dvonn_tui.core.notation import format_position
from dvonn_tui.core.position import Phase
from dvonn_tui.records.forms import FORMS, read
from dvonn_tui.records.journal import SUFFIX
from dvonn_tui.records.journal_reading import JournalFault, Reading, load_journal, read_journal
from dvonn_tui.records.record import DATE, TIME_CONTROL, UNKNOWN, Record, Unreadable, fault, score_text

LOG: Final = "log"
"""What stands in the place of a form's name for a log file."""

LOG_TITLE: Final = "a log of this program"

_LOG_BEGINS: Final = re.compile(rb'[0-9a-f]{8} \{"journal":')

_DATE: Final = re.compile(r"([0-9]{4})[-./]([0-9]{2})[-./]([0-9]{2})")
_TIME: Final = re.compile(r"[0-9]{2}:[0-9]{2}")

_QUOTED: Final = re.compile(r"^[\s>|`]+")

TIME: Final = "Time"
"""The tag that tells the time of the day when a game began."""

_SUFFIXES: Final = frozenset(
    (SUFFIX, *(suffix for form in FORMS for suffix in form.suffixes if suffix not in (".txt", ".log")))
)
"""How the names of files end of which somebody expects that a game is in them."""

RESULT_WORDS: Final = {
    "1-0": "White won",
    "0-1": "Black won",
    "1/2-1/2": "draw",
    UNKNOWN: "unfinished",
}


class Listed(NamedTuple):
    """What a list tells of a game. All texts are clean.

    Attributes:
        path: the file, absolute, as the system writes it.
        place: which game of the file it is, from 1; 0 when no game could be read.
        games: how many games the file has.
        form: the name of its form, or `LOG`; empty when none was recognised.
        white, black: the players.
        setup: how it began, a value of `dvonn_tui.core.setups.Setup`.
        seed: of the set-up, as digits; empty when there is none.
        result: one of `dvonn_tui.records.record.RESULTS`.
        score: ``14-9``; empty while pieces are placed.
        plies: the label of the last ply: ``34``, while pieces are placed ``p12``; 0 before the first.
        date: ``2026-11-30 15:30``, or without the time; what the game says, else when the file was written.
        position: the last position in one line; empty when no game could be read.
        faults: what is wrong, one a line; empty when nothing is.
        words: all that is searched, in one line and without regard to case.
    """

    path: str
    place: int
    games: int
    form: str
    white: str
    black: str
    setup: str
    seed: str
    result: str
    score: str
    plies: str
    date: str
    position: str
    faults: str
    words: str

    @property
    def over(self) -> bool:
        """True when the game has a result."""
        return self.result != UNKNOWN

    @property
    def name(self) -> str:
        """The name of its file, clean."""
        return clean_line(Path(self.path).name, 200)

    @property
    def is_log(self) -> bool:
        """True for a log file of this program, which is gone on with where it lies."""
        return self.form == LOG


def expects_game(name: str) -> bool:
    """True when a file of this name is told as faulty if there is no game in it."""
    return name.lower().endswith(tuple(_SUFFIXES))


def games_of_data(data: bytes) -> Iterator[Record]:
    """The games of bytes in any form, a log file's included.

    Raises:
        Unreadable: there is no game in them.
    """
    if _LOG_BEGINS.match(data):
        try:
            yield record_of_log(read_journal(data))
        except JournalFault as problem:
            raise Unreadable(str(problem)) from problem
        return
    yield from read(data)


def games_of_paste(text: str, most: int) -> list[Record]:
    """The first games of a text that was pasted, quoted or indented perhaps.

    Raises:
        Unreadable: there is no game in it, or nothing can be read of any.
    """
    try:
        found = _some(text, most)
    except Unreadable:
        bare = "\n".join(_QUOTED.sub("", line).rstrip("` \t") for line in text.splitlines())
        try:
            found = _some(bare, most)
        except Unreadable as problem:
            raise Unreadable("this is no position and no game in a form that is known") from problem
    kept = [record for record in found if record.plies or not record.faults]
    if not kept:
        raise Unreadable(str(found[0].faults[0]))
    return kept


def _some(text: str, most: int) -> list[Record]:
    return list(islice(games_of_data(text.encode("utf-8", "replace")), most))


def games_of(path: Path) -> Iterator[Record]:
    """The games of a file, one by one as they are read.

    Raises:
        Unreadable: there is no game in it.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        begin = file.read(32)
        if not _LOG_BEGINS.match(begin) and not path.name.endswith(SUFFIX):
            file.seek(0)
            yield from read(file)
            return
    try:
        yield record_of_log(load_journal(path))
    except JournalFault as problem:
        raise Unreadable(str(problem)) from problem


def game_at(path: Path, place: int) -> Record:
    """One game of a file, by its place from 1.

    Raises:
        Unreadable: there is no such game in it, or none at all.
        OSError: it cannot be read.
    """
    for number, record in enumerate(games_of(path), 1):
        if number == place:
            return record
    raise Unreadable(f"there is no game {place} in it any more")


def record_of_log(reading: Reading) -> Record:
    """What a log file tells, as a record."""
    begun = reading.header.begun
    tags = {DATE: f"{begun:%Y.%m.%d}", TIME: f"{begun:%H:%M:%S}"}
    if reading.header.time_control:
        tags[TIME_CONTROL] = reading.header.time_control
    faults = (fault(reading.damage),) if reading.damage else ()
    remarks = (fault(reading.torn),) if reading.torn else ()
    return Record(reading.game, MappingProxyType(tags), LOG, 1, faults, remarks)


def listed_games(path: Path, modified: float) -> Iterator[Listed]:
    """What is told of each game of a file; `modified` is when it was written, in seconds since 1970.

    A file without a game gives one line with the fault if a game is expected there, else none. How
    many games there are, only the last line knows. Never raises.
    """
    place = 0
    dated = f"{datetime.fromtimestamp(modified):%Y-%m-%d %H:%M}"
    try:
        for place, record in enumerate(games_of(path), 1):
            yield listed(record, path, place, dated)
    except (Unreadable, OSError, ValueError) as problem:
        if place or expects_game(path.name):
            reason = getattr(problem, "strerror", None) or str(problem)
            yield unreadable(path, place, dated, clean_line(reason, 300))


def listed(record: Record, path: Path, place: int, modified: str) -> Listed:
    """What is told of a game."""
    started = record.game.started
    # A log tells where the game was left, a record what was played.
    end = record.game.head if record.form == LOG else record.end
    position = end.position
    placing = (position.outcome.phase if position.outcome else position.phase) is Phase.PLACEMENT
    plies = f"p{end.ply}" if placing and end.ply else str(end.ply - end.placements)
    white, black = clean_line(started.white), clean_line(started.black)
    setup, seed = str(started.setup), "" if started.seed is None else str(started.seed)
    result = record.result if record.form != LOG or position.over else UNKNOWN
    date = _date_of(record) or modified
    score = "" if placing else score_text(position)
    told = (white, black, setup, seed, result, RESULT_WORDS[result], score, date, record.form)
    faults = "\n".join(map(str, record.faults))
    words = " ".join((*told, clean_line(path.name, 200), "fault" if faults else "")).casefold()
    return Listed(
        path=str(path),
        place=place,
        games=place,
        form=record.form,
        white=white,
        black=black,
        setup=setup,
        seed=seed,
        result=result,
        score=score,
        plies=plies,
        date=date,
        position=format_position(position),
        faults=faults,
        words=words,
    )


def unreadable(path: Path, before: int, modified: str, reason: str) -> Listed:
    """What is told of a file, or of the rest of one, in which no game can be read."""
    words = f"fault {modified} {clean_line(path.name, 200)}".casefold()
    empty = ("",) * 4
    return Listed(
        str(path), 0, before, "", *empty, UNKNOWN, "", "0", modified, "", reason or "unreadable", words
    )


def _date_of(record: Record) -> str:
    """When a game was played, as far as it says so."""
    found = _DATE.search(record.tags.get(DATE, ""))
    if not found:
        return ""
    time = _TIME.search(record.tags.get(TIME, ""))
    return "-".join(found.groups()) + (f" {time[0]}" if time else "")
