"""Log files for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from dvonn_tui.core.game import Game
from dvonn_tui.records.journal_form import Content, Header, entry_contents, header_content, seal
from dvonn_tui.records.seating import Seating

BEGUN = datetime(2026, 11, 30, 15, 30, 12, tzinfo=UTC)
SEATING = Seating("human", "level 3", True)
HEADER = Header(BEGUN, SEATING)


def sealed(contents: list[Content]) -> list[bytes]:
    """The lines of contents, each with its end."""
    lines, checksum = [], 0
    for content in contents:
        line, checksum = seal(content, checksum)
        lines.append(line)
    return lines


def contents_of(game: Game, header: Header = HEADER) -> list[Content]:
    """What all lines of a game's file say."""
    return [header_content(header), *entry_contents(game.log)]


def file_of(game: Game, header: Header = HEADER) -> bytes:
    """A game's file, as if nothing had gone wrong."""
    return b"".join(sealed(contents_of(game, header)))
