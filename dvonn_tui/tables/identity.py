"""By what servers know this installation again: a secret in a file that nobody else can read.

Two programs that run at the same time are two players: each holds another identity, by a lock on its file
that ends with the program, however that ends. So two people can meet at a table on one machine, and a
program that begins after a crash has the identity again that the one before it had.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from dvonn_tui.records.file_lock import Lock, try_lock

MOST_PROGRAMS: Final = 8
"""Programs of one user that are told apart on one machine; what others keep lasts until they end."""

_SECRET_BYTES: Final = 32
_SHORTEST: Final = 32
_LONGEST: Final = 100


@dataclass(frozen=True, slots=True)
class Identity:
    """What one running program is to servers.

    Attributes:
        number: from 1; 0 when nothing could be written, so that it ends with the program.
    """

    number: int
    _secret: str
    _file: BinaryIO | None = None

    def secret_for(self, server: str) -> str:
        """What is told to a server. Another one for each, so that none of them can pass itself off as this
        installation elsewhere."""
        return hmac.new(self._secret.encode(), server.encode(), hashlib.sha256).hexdigest()

    def release(self) -> None:
        """Another program may have it."""
        if self._file is not None:
            self._file.close()


class Identities:
    """The identities whose files lie in a folder."""

    def __init__(
        self, folder: Path, tell: Callable[[Path, OSError], None], set_aside: Callable[[Path], bool]
    ) -> None:
        """In a folder that need not exist.

        Args:
            folder: where the files are.
            tell: is told what goes wrong with a file.
            set_aside: takes a damaged file away, and says whether it could.
        """
        self._folder = folder
        self._tell = tell
        self._set_aside = set_aside

    def take(self) -> Identity:
        """The first identity that no running program has."""
        for number in range(1, MOST_PROGRAMS + 1):
            try:
                taken = self._take(number)
            except OSError as problem:
                self._tell(self._path(number), problem)
                break
            if taken is not None:
                return taken
        return Identity(0, secrets.token_urlsafe(_SECRET_BYTES))

    def is_free(self, number: int) -> bool:
        """True when no running program has an identity."""
        try:
            with self._path(number).open("r+b") as file:
                return try_lock(file.fileno()) is not Lock.TAKEN
        except FileNotFoundError:
            return True
        except OSError:
            return False

    def _path(self, number: int) -> Path:
        return self._folder / named("installation", number)

    def _take(self, number: int) -> Identity | None:
        """An identity with its lock; None when another program has it. Raises OSError."""
        path = self._path(number)
        self._folder.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise OSError(0, "it is no file")
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        if try_lock(file.fileno()) is Lock.TAKEN:
            file.close()
            return None
        content = file.read(_LONGEST + 2)
        secret = content.decode("ascii", "replace").strip()
        if content and not (
            secret.isascii() and secret.isprintable() and _SHORTEST <= len(secret) <= _LONGEST
        ):
            file.close()
            if not self._set_aside(path):
                return Identity(0, secrets.token_urlsafe(_SECRET_BYTES))
            return self._take(number)
        if not content:
            secret = secrets.token_urlsafe(_SECRET_BYTES)
            with suppress(OSError):
                os.chmod(path, 0o600)
            file.write(secret.encode() + b"\n")
            file.flush()
        return Identity(number, secret, file)


def named(name: str, number: int) -> str:
    """The name of a file of an identity: those of the first one are plain."""
    return name if number == 1 else f"{name}-{number}"
