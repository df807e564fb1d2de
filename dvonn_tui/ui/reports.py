"""Reports of internal errors."""

from __future__ import annotations

import platform
import traceback
from datetime import datetime

from dvonn_tui import __version__
from dvonn_tui.core.notation import format_position
from dvonn_tui.play.session import Session
from dvonn_tui.settings import Paths
from dvonn_tui.ui.farewell import command_to_go_on


def write_report(paths: Paths, error: BaseException, session: Session, saved: str | None = None) -> str:
    """Write what happened to a file in the folder for the program's own notes.

    `saved` is the name or path of the game's file when that holds all of it.

    Returns:
        One line for the player: what happened, where the report is, how to go on.
    """
    stamp = datetime.now()
    path = paths.state / f"error-{stamp:%Y%m%d-%H%M%S-%f}.txt"
    text = "\n".join(
        [
            f"dvonn-tui {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"{stamp:%Y-%m-%d %H:%M:%S}",
            f"position: {format_position(session.game.position)}",
            "",
            "".join(traceback.format_exception(error)),
        ]
    )
    go_on = f"go on with:  {command_to_go_on(session, saved)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as problem:
        why = problem.strerror or problem
        return f"Sorry, something went wrong inside ({type(error).__name__}; no report: {why}); {go_on}"
    return f"Sorry, something went wrong inside; the report is {path}; {go_on}"
