"""How to go on with a game that is left."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from dvonn_tui.core.notation import format_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.session import Session

PROGRAM = "dvonn-tui"


def command_to_go_on(session: Session, saved: str | None = None) -> str:
    """What to type to play on: with the saved game of that name or path; if there is none, from the position
    that the game stands at, with the same names."""
    if saved is not None:
        return shlex.join([*program(), "resume", saved])
    words = [*program(), "--position", format_position(session.game.position)]
    for side, option in ((Side.WHITE, "--white"), (Side.BLACK, "--black")):
        if session.name_of(side) != side.word:
            words += [option, session.name_of(side)]
    return shlex.join(words)


def program() -> list[str]:
    """How the program was started: by its name, by a path, or as a module."""
    started = Path(sys.argv[0])
    if started.name != PROGRAM:
        return [sys.executable, "-m", "dvonn_tui"]
    found = shutil.which(PROGRAM)
    same = found is not None and started.exists() and Path(found).samefile(started)
    return [PROGRAM if same else str(started)]
