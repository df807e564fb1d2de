"""Names that people can read to each other: of tables and of records."""

from __future__ import annotations

import secrets
from typing import Final

ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without I, O, 0 and 1, which are taken for each other."""

LENGTH: Final = 6
"""Characters: a thousand million names, so that nobody finds a table or a record by guessing."""


def draw_id() -> str:
    """A new name, such as ``7QK3M9``. It is not known to be free."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def is_id(text: str) -> bool:
    """True for what `draw_id` could have drawn."""
    return len(text) == LENGTH and set(text) <= set(ALPHABET)
