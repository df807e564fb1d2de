"""The full-screen application. Importing this module does not import Textual; running it does."""

from __future__ import annotations

import gc
import os
import sys
from typing import Final

from dvonn_tui.play.launch import LaunchOptions
from dvonn_tui.settings import Paths, load

FRAMES: Final = "120"
"""Frames a second. After a rest Textual paints at once; it waits for the next frame when it has just
painted, as under a held key or when two widgets answer one after the other. Twice its own 60 halves that."""


def run(options: LaunchOptions) -> int:
    """Run the application until it is left; returns the exit status."""
    os.environ.setdefault("TEXTUAL_FPS", FRAMES)
    # Nearly all that is made while starting stays for good: looking it through for garbage, again and
    # again, takes a good part of the time. The application starts the collector when the board is seen.
    gc.disable()
    from dvonn_tui.ui.app import DvonnApp
    from dvonn_tui.ui.company import seat_fault
    from dvonn_tui.ui.themes import detect_terminal, theme_names

    terminal = detect_terminal()
    known = theme_names(terminal)
    if options.theme is not None and options.theme not in known:
        print(f"dvonn-tui: no theme {options.theme!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    paths = Paths.find()
    settings, problems = load(paths)
    for side, seat in (("white", options.white_seat), ("black", options.black_seat)):
        fault = seat_fault(seat, settings)
        if fault:
            print(f"dvonn-tui: --{side}-seat: {fault}", file=sys.stderr)
            return 2
    resumed = None
    if options.resume is not None:
        from dvonn_tui.play.resuming import CannotResume, resume

        try:
            resumed = resume(options.resume)
        except CannotResume as fault:
            print(f"dvonn-tui: {fault}", file=sys.stderr)
            return 1
    app = DvonnApp(options, settings, paths, problems, terminal=terminal, resumed=resumed)
    mouse = settings.mouse if options.mouse is None else options.mouse
    app.run(mouse=mouse)
    if app.farewell:
        stream = sys.stdout if app.return_code == 0 else sys.stderr
        print(app.farewell, file=stream)
    return app.return_code or 0
