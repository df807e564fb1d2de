"""Reading a position that was given on the command line."""

from __future__ import annotations

from typing import Final

from dvonn_tui.commands.terminal import CommandFault
from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.position import Position

BAD_POSITION: Final = 2


def read_position(text: str) -> Position:
    """The position of a text. Raises CommandFault, with the place and the reason, when it is none."""
    try:
        return parse_position(text)
    except NotationError as problem:
        line = f"position, character {problem.place + 1}: {problem.reason}"
        raise CommandFault(line, BAD_POSITION) from problem
