"""Standard output and standard error of the text commands.

Imports nothing that takes time: every start of the program passes here.
"""

from __future__ import annotations

import os
import sys
from typing import Final, TextIO

FAILED: Final = 1

BROKEN_PIPE: Final = 141
"""The status that a shell reports of a program ended by SIGPIPE: nobody read on."""

MESSAGE_LIMIT: Final = 400
"""Columns of a line on standard error at most."""


class CommandFault(Exception):
    """Ends a command.

    Attributes:
        line: what is wrong, in one line for standard error; cleaned when it is written.
        status: the exit status.
    """

    def __init__(self, line: str, status: int) -> None:
        super().__init__(line)
        self.line = line
        self.status = status


def write_line(line: str) -> None:
    """Write a line to standard output at once, so that whoever reads it need not wait.

    Characters that the encoding of the output lacks are written as escapes.

    Raises:
        BrokenPipeError: nobody reads on.
        CommandFault: it cannot be written.
    """
    output = sys.stdout
    if output is None:
        return
    try:
        try:
            output.write(f"{line}\n")
        except UnicodeEncodeError:
            encoding = output.encoding or "ascii"
            output.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        output.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as problem:
        raise CommandFault(f"cannot write to standard output: {_why(problem)}", FAILED) from problem


def complain(line: str) -> None:
    """Write one clean line to standard error, as far as there is one."""
    from dvonn_tui.clean import clean_line

    if sys.stderr is not None:
        try:
            sys.stderr.write(clean_line(line, MESSAGE_LIMIT) + "\n")
            sys.stderr.flush()
        except OSError:
            _give_up(sys.stderr)


def finish(status: int) -> int:
    """Flush both outputs, and return the exit status.

    What cannot be written any more is dropped: Python would try it again at its end and complain.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except (OSError, ValueError) as problem:
                _give_up(stream)
                status = status or (BROKEN_PIPE if isinstance(problem, BrokenPipeError) else FAILED)
    return status


def _give_up(stream: TextIO) -> None:
    """Send what a stream still holds to nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return


def _why(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem)
