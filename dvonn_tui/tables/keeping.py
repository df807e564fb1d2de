"""What this installation keeps about tables: by what servers know it, and the tokens of its seats.

All of it lies in the user's data folder and can be read by nobody else. A token is what a seat belongs to:
whoever shows it to the server has the seat again, after a crash as well. Secrets and tokens are never
part of a message to people.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side
from dvonn_tui.tables.identity import MOST_PROGRAMS, Identities, Identity, named
from dvonn_tui.whole_file import write_whole

MOST_SEATS: Final = 200
"""Seats that a program keeps; the oldest go first."""

LARGEST_FILE: Final = 500_000
"""Bytes that are read at most."""

_LONGEST_TEXT: Final = 300


@dataclass(frozen=True, slots=True)
class KeptSeat:
    """A seat that can be taken up again.

    Attributes:
        server: its address, as `Address.server` writes it.
        table: the table's id.
        side: the side of the seat.
        title: what the table is called, clean.
        white, black: the players' names, clean; empty for a free seat.
        at: when it was kept last, in seconds since 1970.
        token: the secret of the seat.
    """

    server: str
    table: str
    side: Side
    title: str
    white: str
    black: str
    at: float
    token: str = field(repr=False)

    @property
    def place(self) -> tuple[str, str]:
        """The table at its server."""
        return self.server, self.table


class Keeping:
    """The files of one installation. Nothing here raises: what cannot be kept is told in `problems`.

    While a line to a server is held open (`hold`), the identity of this program and the seats that it keeps
    belong to no other program. Seats of programs that have ended can be taken up by any.
    """

    def __init__(self, folder: Path, wall: Callable[[], float] = time.time) -> None:
        """Keep everything in a folder, which need not exist; `wall` gives seconds since 1970."""
        self._folder = folder
        self._wall = wall
        self._identities = Identities(folder, self._tell, self._set_aside)
        self._identity: Identity | None = None
        self._held = 0
        self._unwritten: dict[tuple[str, str], KeptSeat | None] = {}
        self._problems: list[str] = []

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong with the files so far, each in one line for a player."""
        return tuple(self._problems)

    # Who this is

    def hold(self) -> None:
        """A line is opened: this program needs an identity of its own until as many `release`."""
        self._held += 1

    def release(self) -> None:
        """A line is closed. After the last one another program may have the identity."""
        self._held = max(self._held - 1, 0)
        self._let_go()

    def secret_for(self, server: str) -> str:
        """By what a server knows this program again."""
        with self._own() as identity:
            return identity.secret_for(server)

    @contextmanager
    def _own(self) -> Iterator[Identity]:
        """The identity of this program; without a line that is held open just for this moment."""
        if self._identity is None:
            self._identity = self._identities.take()
        try:
            yield self._identity
        finally:
            self._let_go()

    def _let_go(self) -> None:
        # An identity that could not be written is nobody else's, and stays as long as the program runs.
        if self._held == 0 and self._identity is not None and self._identity.number > 0:
            self._identity.release()
            self._identity = None

    # Seats

    def token(self, server: str, table: str) -> str:
        """The token of the seat that can be taken up at a table; empty when there is none."""
        return next((seat.token for seat in self.seats() if seat.place == (server, table)), "")

    def has_seat_at(self, place: str) -> bool:
        """True when there is a seat to take up at a table that is given as server and id, ``host/KZ7Q2M``."""
        server, _, table = place.rpartition("/")
        return bool(self.token(server, table))

    def outlives(self, server: str, table: str) -> bool:
        """False when what is known of a table could not be written, and is gone when this program ends."""
        return (server, table) not in self._unwritten

    def seats(self) -> tuple[KeptSeat, ...]:
        """The seats that can be taken up again, newest first, one of each table: this program's own
        before those of programs that have ended."""
        kept: dict[tuple[str, str], KeptSeat] = {}
        for number in self._numbers():
            for seat in self._read(number):
                known = kept.get(seat.place)
                if known is None or seat.at > known.at:
                    kept[seat.place] = seat
        if self._identity is not None:
            kept.update((seat.place, seat) for seat in self._read(self._identity.number))
        for place, change in self._unwritten.items():
            kept.pop(place, None)
            if change is not None:
                kept[place] = change
        return tuple(sorted(kept.values(), key=lambda seat: seat.at, reverse=True))

    def keep(
        self,
        server: str,
        table: str,
        token: str,
        side: Side,
        *,
        title: str = "",
        white: str = "",
        black: str = "",
    ) -> None:
        """Keep a seat, in the place of what this program kept of the same table."""
        title, white, black = (clean_line(text) for text in (title, white, black))
        seat = KeptSeat(server, table, side, title, white, black, self._wall(), token)
        with self._own() as identity:
            self._change(identity.number, seat.place, seat)

    def forget(self, server: str, table: str) -> None:
        """Keep nothing of a table any more, as far as no other running program does."""
        for number in self._numbers():
            if any(seat.place == (server, table) for seat in self._read(number)):
                self._change(number, (server, table), None)
        if (server, table) in self._unwritten:
            self._unwritten[server, table] = None

    def _numbers(self) -> list[int]:
        """The identities whose seats can be taken up: this program's own, and those nobody has."""
        own = self._identity.number if self._identity is not None else 0
        return [
            number
            for number in range(1, MOST_PROGRAMS + 1)
            if number == own or (self._file(number).exists() and self._identities.is_free(number))
        ]

    def _change(self, number: int, place: tuple[str, str], seat: KeptSeat | None) -> None:
        """Change what is kept of a table in the file of an identity."""
        if number == 0:
            self._unwritten[place] = seat
            return
        kept = [each for each in self._read(number) if each.place != place]
        kept += [] if seat is None else [seat]
        kept = sorted(kept, key=lambda each: each.at, reverse=True)[:MOST_SEATS]
        text = json.dumps({"form": 1, "seats": [asdict(each) for each in kept]}, indent=1)
        if self._write(self._file(number), text + "\n"):
            self._unwritten.pop(place, None)
        else:
            self._unwritten[place] = seat

    # Files

    def _file(self, number: int) -> Path:
        return self._folder / f"{named('seats', number)}.json"

    def _read(self, number: int) -> tuple[KeptSeat, ...]:
        content = self._content(self._file(number))
        if not content:
            return ()
        try:
            seats = json.loads(content)["seats"]
            if not isinstance(seats, list):
                raise TypeError
            return tuple(_seat_of(seat) for seat in seats[:MOST_SEATS])
        except (ValueError, KeyError, TypeError, RecursionError):
            self._set_aside(self._file(number))
            return ()

    def _content(self, path: Path) -> bytes:
        """The content of a file; nothing when there is none, or when it cannot be read, which is told."""
        try:
            if path.exists() and not path.is_file():
                raise OSError(0, "it is no file")
            with path.open("rb") as file:
                return file.read(LARGEST_FILE)
        except FileNotFoundError:
            return b""
        except OSError as problem:
            self._tell(path, problem)
            return b""

    def _write(self, path: Path, text: str) -> bool:
        """Put a text into a file that nobody else can read."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # The file that replaces it takes over who may read it.
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
            os.chmod(path, 0o600)
            write_whole(path, text)
        except OSError as problem:
            self._tell(path, problem)
            return False
        return True

    def _set_aside(self, path: Path) -> bool:
        """Give a damaged file another name. False, and told, when that cannot be."""
        aside = path.with_name(f"{path.name}.damaged")
        try:
            os.replace(path, aside)
        except OSError as problem:
            self._tell(path, problem)
            return False
        self._say(f"{_shown(path)} was damaged: it is now {aside.name}, and another one is begun")
        return True

    def _tell(self, path: Path, problem: OSError) -> None:
        why = clean_line(problem.strerror or type(problem).__name__, 100)
        self._say(f"{_shown(path)}: {why}; seats at tables cannot be taken up again after a restart")

    def _say(self, words: str) -> None:
        if words not in self._problems:
            self._problems.append(words)


def _seat_of(kept: object) -> KeptSeat:
    """A seat of the file. Raises ValueError, KeyError or TypeError for what is none."""
    if not isinstance(kept, dict):
        raise TypeError
    texts = [kept[name] for name in ("server", "table", "side", "title", "white", "black", "token")]
    if not all(isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in texts):
        raise ValueError
    at = kept["at"]
    if not isinstance(at, (int, float)) or not 0 <= at < 1e11:
        raise ValueError
    server, table, side, title, white, black, token = texts
    server, table = clean_line(server, _LONGEST_TEXT), clean_line(table)
    title, white, black = (clean_line(text) for text in (title, white, black))
    return KeptSeat(server, table, Side(side), title, white, black, float(at), token)


def _shown(path: Path) -> str:
    return clean_line(str(path), 200)
