"""What is too much for a record. A game beyond a limit is read up to there, and the limit is named."""

from __future__ import annotations

from typing import Final

LONGEST_LINE: Final = 1_000_000
"""Bytes of a line. A whole game with thousands of comments takes less."""

LARGEST_GAME: Final = 4_000_000
"""Characters of one game."""

MOST_TOKENS: Final = 100_000
"""Moves, comments, brackets and numbers of one game; a game without other lines has about 150."""

DEEPEST: Final = 1_000
"""Variations inside each other."""

MOST_FAULTS: Final = 20
"""Faults that are told of one game. Reading it ends there."""

HEAD: Final = 65_536
"""Bytes from which the form of a file is recognised."""
