"""What this installation keeps about tables: its secret, and the tokens of its seats.

Both lie in the user's data folder and can be read by nobody else. A token is what a seat belongs to:
whoever shows it to the server has the seat again, after a crash as well. Neither is ever part of a
message to people.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side
from dvonn_tui.whole_file import write_whole

MOST_SEATS: Final = 200
"""Seats that are kept; the oldest go first."""

LARGEST_FILE: Final = 500_000
"""Bytes that are read at most."""

_SECRET_BYTES: Final = 32
_LONGEST_SECRET: Final = 100
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


class Keeping:
    """The files of one installation. Nothing here raises: what cannot be kept is told in `problems`."""

    def __init__(self, folder: Path, wall: Callable[[], float] = time.time) -> None:
        """Keep everything in a folder, which need not exist; `wall` gives seconds since 1970."""
        self._folder = folder
        self._wall = wall
        self._secret = ""
        self._unwritten: dict[tuple[str, str], KeptSeat | None] = {}
        self._problems: list[str] = []

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong with the files so far, each in one line for a player."""
        return tuple(self._problems)

    def secret_for(self, server: str) -> str:
        """By what a server knows this installation again. Another one for each server, so that none
        of them can pass itself off as this installation elsewhere."""
        key = self._installation().encode()
        return hmac.new(key, server.encode(), hashlib.sha256).hexdigest()

    def token(self, server: str, table: str) -> str:
        """The token of the seat that is kept; empty when there is none."""
        return next((seat.token for seat in self.seats() if (seat.server, seat.table) == (server, table)), "")

    def seats(self) -> tuple[KeptSeat, ...]:
        """The seats that can be taken up again, newest first."""
        kept = {(seat.server, seat.table): seat for seat in self._read()}
        for key, seat in self._unwritten.items():
            kept.pop(key, None)
            if seat is not None:
                kept[key] = seat
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
        """Keep a seat, in the place of what was kept of the same table."""
        title, white, black = (clean_line(text) for text in (title, white, black))
        seat = KeptSeat(server, table, side, title, white, black, self._wall(), token)
        self._change((server, table), seat)

    def forget(self, server: str, table: str) -> None:
        """Keep nothing of a table."""
        if self.token(server, table):
            self._change((server, table), None)

    def _change(self, key: tuple[str, str], seat: KeptSeat | None) -> None:
        """Read what is there now, since another program may have written, and put the change into it."""
        self._unwritten[key] = seat
        # A last-minute write of two programs at once can lose a seat; the one that holds it still has it.
        kept = self.seats()[:MOST_SEATS]
        text = json.dumps({"form": 1, "seats": [asdict(each) for each in kept]}, indent=1, ensure_ascii=True)
        if self._write(self._seats_file, text + "\n"):
            self._unwritten.clear()

    @property
    def _seats_file(self) -> Path:
        return self._folder / "seats.json"

    @property
    def _secret_file(self) -> Path:
        return self._folder / "installation"

    def _installation(self) -> str:
        if not self._secret:
            self._secret = self._read_secret() or self._new_secret()
        return self._secret

    def _read_secret(self) -> str:
        content = self._content(self._secret_file)
        if not content:
            return ""
        try:
            secret = content.decode("ascii").strip()
        except UnicodeDecodeError:
            secret = ""
        if 32 <= len(secret) <= _LONGEST_SECRET and secret.isprintable():
            return secret
        self._set_aside(self._secret_file)
        return ""

    def _new_secret(self) -> str:
        """A secret that was written by nobody else in the meantime; without a file it lasts as long as
        the program runs."""
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        with suppress(OSError):
            if self._secret_file.stat().st_size == 0:
                self._secret_file.unlink()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._secret_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return self._read_secret() or secret
        except OSError as problem:
            self._tell(self._secret_file, problem)
            return secret
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(secret + "\n")
        return secret

    def _read(self) -> tuple[KeptSeat, ...]:
        content = self._content(self._seats_file)
        if not content:
            return ()
        try:
            seats = json.loads(content)["seats"]
            if not isinstance(seats, list):
                raise TypeError
            return tuple(_seat_of(seat) for seat in seats[:MOST_SEATS])
        except (ValueError, KeyError, TypeError, RecursionError):
            self._set_aside(self._seats_file)
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

    def _set_aside(self, path: Path) -> None:
        aside = path.with_name(f"{path.name}.damaged")
        try:
            os.replace(path, aside)
        except OSError as problem:
            self._tell(path, problem)
            return
        self._say(f"{_shown(path)} was damaged: it is now {aside.name}, and another one is begun")

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
