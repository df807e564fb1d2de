"""How long a move waits until it is saved, and what is lost of what was seen when the program is killed."""

from __future__ import annotations

import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from typing import Final

from dvonn_tui.core.game import Game
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.autosave import Autosave
from dvonn_tui.play.session import Session as Play
from dvonn_tui.records.journal_reading import JournalFault, load_journal
from dvonn_tui.records.seating import Seating
from tests.benchmarks.tables import percentile, table
from tests.terminal.session import Session

SIDE_BY_SIDE: Final = 2
"""Programs that are played in and killed at the same time."""

LONGEST_LIFE: Final = 1.2
"""Seconds after its first board in which a program is killed at a random moment."""

TYPING: Final = 0.015
"""Seconds between two keys: faster than anybody types, so that a kill falls into a move as a rule."""

PAUSES: Final = (0.0, 0.05)
"""Seconds between two moves whose saving is measured."""


@dataclass
class Killed:
    """What came of programs that were killed."""

    kills: int = 0
    seen: int = 0
    """Plies that were seen on the screen in these lives."""
    missing: int = 0
    """Of those, how many are not in the file."""
    unreadable: int = 0
    torn: int = 0
    """Files with an end that was torn off."""
    unseen: int = 0
    """Plies that are in the file and were not seen yet."""
    unlike: int = 0
    """Games that were not gone on with where the file ended."""

    def add(self, other: Killed) -> None:
        """Take others in."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def saving(games: int, pause: float) -> list[float]:
    """Seconds that each move of so many games took from being played to being saved."""
    chance = random.Random(1)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        autosave = Autosave(Path(folder) / "games")
        for seed in range(games):
            session = Play(Game.new(Setup.BALANCED, seed))
            began = 0.0

            def begin(_: object) -> None:
                nonlocal began
                began = time.perf_counter()

            session.subscribe(begin)
            autosave.follow(session, Seating())
            while not session.game.position.over:
                move = chance.choice(legal_moves(session.game.position))
                time.sleep(pause)
                session.submit(move)
                # The listeners are told in their order: this one before the file, and now it is written.
                found.append(time.perf_counter() - began)
                if autosave.trouble:
                    raise AssertionError(autosave.trouble)
        autosave.close()
    return found


def reading(games: int) -> list[float]:
    """Seconds that reading one whole game takes, rules included."""
    chance = random.Random(2)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        autosave = Autosave(Path(folder) / "games")
        for seed in range(games):
            session = Play(Game.new(Setup.BALANCED, seed))
            autosave.follow(session, Seating())
            while not session.game.position.over:
                session.submit(chance.choice(legal_moves(session.game.position)))
        autosave.close()
        for path in autosave.folder.iterdir():
            began = time.perf_counter()
            load_journal(path)
            found.append(time.perf_counter() - began)
    return found


def kill(home: Path, kills: int, chance: random.Random) -> Killed:
    """Play in a folder of its own, again and again killed, and each time gone on with where it was."""
    found = Killed()
    for life in range(kills):
        unfinished = _unfinished(home)
        arguments = ["resume"] if unfinished is not None else ["--seed", str(life)]
        with Session(arguments, home=home, environment={"TEXTUAL_ANIMATIONS": "none"}) as session:
            session.wait(lambda session=session: re.search(r"ply \d+ of", session.text), "the first board")
            before = _seen(session)
            found.unlike += before != (unfinished or 0)
            _play(session, chance.uniform(0, LONGEST_LIFE))
            session.process.kill()
            session.wait_for_end()
            seen = _seen(session)
        found.kills += 1
        found.seen += seen - before
        path = _newest(home)
        try:
            read = load_journal(path) if path is not None else None
        except JournalFault:
            found.unreadable += 1
            continue
        saved = read.game.head.ply if read is not None else 0
        found.torn += bool(read is not None and read.torn)
        found.missing += max(seen - saved, 0)
        found.unseen += max(saved - seen, 0)
    return found


def _play(session: Session, seconds: float) -> None:
    """Play the first move that the keys come to, again and again, for so long."""
    end = time.monotonic() + seconds
    for key in _keys():
        left = end - time.monotonic()
        if left <= 0:
            return
        session.type(key)
        session.read(min(TYPING, left))


def _keys() -> Iterator[str]:
    while True:
        yield from ("\t", "\r", "\t", "\r")


def _seen(session: Session) -> int:
    """The ply that is seen on the screen, told at the top."""
    found = re.search(r"ply (\d+) of", session.rows[0])
    return int(found[1]) if found else 0


def _newest(home: Path) -> Path | None:
    """The file of the game that was begun last."""
    return max((home / "data" / "games").glob("*.dvnlog"), default=None)


def _unfinished(home: Path) -> int | None:
    """The plies of the game that waits; None when none does."""
    path = _newest(home)
    if path is None:
        return None
    game = load_journal(path).game
    return None if game.position.over else game.head.ply


def killing(kills: int) -> Killed:
    """Kill so many programs in all."""
    total = Killed()
    shares = [kills // SIDE_BY_SIDE + (number < kills % SIDE_BY_SIDE) for number in range(SIDE_BY_SIDE)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(SIDE_BY_SIDE) as lanes:
        homes = [Path(folder) / str(number) for number in range(SIDE_BY_SIDE)]
        for home in homes:
            home.mkdir()
        chances = [random.Random(number) for number in range(SIDE_BY_SIDE)]
        for found in lanes.map(kill, homes, shares, chances):
            total.add(found)
    return total


def report(kills: int, games: int) -> str:
    """Both tables."""
    rows = [_row(f"move to saved, {pause * 1000:g} ms apart", saving(games, pause)) for pause in PAUSES]
    rows.append(_row("file to game", reading(games)))
    times = table(["", "median ms", "p99 ms", "most ms", "count"], rows)
    found = killing(kills)
    names = ["kills", "plies seen", "missing", "unreadable", "torn", "saved, unseen", "not gone on"]
    values = [str(getattr(found, each.name)) for each in fields(Killed)]
    return f"{times}\n\n{table(names, [values])}"


def _row(name: str, seconds: Sequence[float]) -> list[str]:
    times = [each * 1000 for each in seconds]
    figures = (median(times), percentile(times, 0.99), max(times))
    return [name, *(f"{figure:.2f}" for figure in figures), str(len(times))]
