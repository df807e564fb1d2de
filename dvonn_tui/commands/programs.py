"""Reading the command of another program that was given on the command line."""

from __future__ import annotations

import shlex
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.terminal import CommandFault

BAD_COMMAND: Final = 2


def command_words(asked: str, line: str) -> tuple[str, ...]:
    """A command, split into words as a shell does; no shell runs.

    Args:
        asked: the command of ours that it was given to, for the message.

    Raises:
        CommandFault: it cannot be split, or is empty.
    """
    try:
        words = tuple(shlex.split(line))
    except ValueError as problem:
        reason = f"{clean_line(line)}: cannot be split into words: {problem}"
        raise CommandFault(f"dvonn-tui {asked}: {reason}", BAD_COMMAND) from problem
    if not words:
        raise CommandFault(f"dvonn-tui {asked}: the command is empty", BAD_COMMAND)
    return words
