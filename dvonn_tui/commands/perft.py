"""``perft``: counting sequences of plies."""

from __future__ import annotations

from dvonn_tui.commands.positions import read_position
from dvonn_tui.commands.terminal import write_line
from dvonn_tui.core.perft import divide, perft


def count(text: str, depth: int, *, divided: bool) -> int:
    """Print the count, or that after each first ply and then the whole, and return the exit status.

    Raises:
        CommandFault: the text is no position, or the output cannot be written.
    """
    position = read_position(text)
    if not divided or depth == 0:
        write_line(str(perft(position, depth)))
        return 0
    parts = divide(position, depth)
    for token, number in parts.items():
        write_line(f"{token} {number}")
    write_line(f"total {sum(parts.values())}")
    return 0
