"""What tells one client from another, and proves that somebody holds a seat.

All of it is worked out from one secret of the server, so that nothing has to be stored and nothing that
is stored or sent to others lets anybody in.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line

FILE: Final = "secret"

BYTES: Final = 32
"""Bytes of the server's secret."""

SHORTEST_CLIENT: Final = 16
"""Characters of the secret of a client; a shorter one could be guessed, and counts as none."""

_MARK: Final = 16
"""Hexadecimal digits of a mark: 64 bits."""


class SecretTrouble(Exception):
    """The server's secret cannot be read or made. The text says which file and why, in one line."""


class Secrets:
    """Makes marks and tokens."""

    def __init__(self, secret: bytes) -> None:
        """With at least 16 bytes that nobody else knows."""
        if len(secret) < 16:
            raise ValueError("the secret of a server has at least 16 bytes")
        self._secret = secret

    @classmethod
    def of(cls, folder: Path) -> Secrets:
        """The secret that is kept in a folder, made when there is none. Only its owner can read the file,
        unless it is a link to one that lies elsewhere.

        Raises:
            SecretTrouble: it cannot be read or written, or is none.
        """
        path = folder / FILE
        shown = clean_line(str(path), 200)
        try:
            with suppress(FileExistsError):
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with open(descriptor, "w", encoding="ascii") as file:
                    file.write(secrets.token_hex(BYTES) + "\n")
                    file.flush()
                    os.fsync(file.fileno())
            made = cls(bytes.fromhex(path.read_text("ascii").strip()))
            # A copied folder may have lost the mode. What a link leads to is not ours to change.
            if not path.is_symlink():
                path.chmod(0o600)
            return made
        except OSError as problem:
            raise SecretTrouble(f"{shown}: {problem.strerror or 'cannot be read'}") from problem
        except ValueError as problem:
            reason = "this is no secret of a server; once it is deleted, another one is made"
            raise SecretTrouble(f"{shown}: {reason}") from problem

    def mark(self, client: str) -> str:
        """The mark of a client: it tells him from others, and proves nothing.

        A client without a secret of its own gets another mark each time.
        """
        secret = client if len(client) >= SHORTEST_CLIENT else secrets.token_hex()
        return self._digest("client", secret)[:_MARK]

    def address_mark(self, address: str) -> str:
        """The mark of an address, so that the address itself is kept nowhere."""
        return self._digest("address", address)[:_MARK]

    def seat_token(self, table: str, since: int, holder: str) -> str:
        """What proves that a client holds the seat that was taken with the table's happening `since`.

        It holds until the seat is left, also when both sides change colours.
        """
        return self._digest("seat", table, str(since), holder)

    def is_seat_token(self, token: str, table: str, since: int, holder: str) -> bool:
        """Whether a token is that of a seat. It takes equally long whatever is wrong with it."""
        return hmac.compare_digest(token.encode(), self.seat_token(table, since, holder).encode())

    def _digest(self, kind: str, *parts: str) -> str:
        text = "\0".join((kind, *parts)).encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, text, hashlib.sha256).hexdigest()
