"""``view`` and ``open``: the application with the game of a file."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from dataclasses import replace

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.application import launch_options, run_launch
from dvonn_tui.commands.files import STREAM, chosen_game, shown_name
from dvonn_tui.commands.terminal import FAILED, CommandFault
from dvonn_tui.core.log import Entry
from dvonn_tui.play.timekeeping import without_readings
from dvonn_tui.records.record import Record


def view(options: Namespace, *, play_on: bool) -> int:
    """Run the application with a game: looking at its beginning, or at its end to play on.

    Raises:
        CommandFault: there is no such game, or no terminal.
    """
    if options.file == STREAM and sys.stdin is not None and sys.stdin.isatty():
        raise CommandFault("standard input is the terminal: name a file", FAILED)
    record = chosen_game(options.file, options.game)
    if options.file == STREAM:
        _back_to_the_terminal()
    said = tuple(str(fault) for fault in record.faults)
    launched = launch_options(options)
    if launched.clock is not None and launched.clock.counted:
        # What the record says of other clocks is not what is left on these.
        record = replace(record, game=without_readings(record.game))
    launch = replace(
        launched,
        explicit=True,
        white=record.game.started.white,
        black=record.game.started.black,
        game=record.game,
        tags=tuple(record.tags.items()),
        look_at=None if play_on else _beginning(record),
        notes=(f"{shown_name(options.file)}: {clean_line(said[0], 200)}",) if said else (),
    )
    return run_launch(launch)


def _beginning(record: Record) -> Entry:
    """The entry that is looked at first: where all pieces are placed, else the first one."""
    line = record.game.main_line()
    return next((entry for entry in line if entry.position.phase != "placement"), line[0])


def _back_to_the_terminal() -> None:
    """Have keys come from the terminal once standard input was read."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
        os.dup2(terminal, 0)
        os.close(terminal)
    except OSError as problem:
        line = "there is no terminal beside standard input: write it to a file first"
        raise CommandFault(line, FAILED) from problem
