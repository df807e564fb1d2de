"""Starting the game itself."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Namespace
from typing import Any, Final, TextIO

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.positions import read_position
from dvonn_tui.commands.terminal import FAILED, CommandFault
from dvonn_tui.core.setups import DRAWN_SETUPS, Setup
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.clocks import ClockRule, parse_clock
from dvonn_tui.play.launch import LaunchOptions, draw_seed
from dvonn_tui.settings import Look, Paths

BAD_USAGE: Final = 2


def run_application(options: Namespace) -> int:
    """Run the game in the terminal and return its exit status.

    Raises:
        CommandFault: the options do not go together, or there is no terminal.
    """
    return run_launch(launch_options(options))


def run_launch(launch: LaunchOptions) -> int:
    """Run the game as it is to be started. Raises CommandFault when there is no terminal."""
    _check_terminal()
    from dvonn_tui.ui import run

    return run(launch)


def run_resumed(options: Namespace) -> int:
    """Go on with a saved game in the terminal and return the exit status.

    Raises:
        CommandFault: there is no such game, it cannot be read, or there is no terminal.
    """
    from dvonn_tui.play.resuming import find_file, find_waiting, played_elsewhere
    from dvonn_tui.tables.keeping import Keeping

    paths = Paths.find()
    folder = paths.games
    if options.file is None:
        waiting = find_waiting(folder)
        if waiting is None:
            name = played_elsewhere(folder)
            if name is not None:
                line = f"{name} is played by another program; dvonn-tui resume {name} goes on with a copy"
                raise _failure(line)
            at_table = find_waiting(folder, Keeping(paths.data).has_seat_at)
            if at_table is not None:
                server, _, table = at_table.reading.header.table.rpartition("/")
                # From a file, in which anybody can write: quoted for the shell in which it is typed.
                back = shlex.join(["dvonn-tui", "join", server, "--table", table])
                raise _failure(f"no unfinished game but one at a table of a server: {back}")
            raise _failure(f"no unfinished game in {folder}; dvonn-tui begins one")
        path = waiting.path
    else:
        path = find_file(options.file, folder)
    _check_terminal()
    launch = LaunchOptions(GameChoice(), resume=path, **screen_options(options))
    from dvonn_tui.ui import run

    return run(launch)


def screen_options(options: Namespace) -> dict[str, Any]:
    """How the game is to be shown."""
    return {
        "look": None if options.look is None else Look(options.look),
        "theme": _name("--theme", options.theme),
        "flip": options.flip,
        "mouse": options.mouse,
    }


def launch_options(options: Namespace) -> LaunchOptions:
    """What the parsed options of the game mean. Raises CommandFault when they do not go together."""
    white = _name("--white", options.white)
    black = _name("--black", options.black)
    unnamed = GameChoice()
    said = (options.setup, options.seed, options.position)
    return LaunchOptions(
        choice=_choice(options, white or unnamed.white, black or unnamed.black),
        explicit=any(value is not None for value in said),
        white=white,
        black=black,
        clock=_clock(options.clock),
        white_seat=_name("--white-seat", options.white_seat),
        black_seat=_name("--black-seat", options.black_seat),
        **screen_options(options),
    )


def _choice(options: Namespace, white: str, black: str) -> GameChoice:
    if options.position is not None:
        for option, value in (("--setup", options.setup), ("--seed", options.seed)):
            if value is not None:
                raise _refusal(f"--position says where the game begins: {option} cannot stand beside it")
        position = read_position(options.position)
        return GameChoice(Setup.POSITION, None, white, black, position=position)
    setup = Setup.BALANCED if options.setup is None else Setup(options.setup)
    if setup not in DRAWN_SETUPS:
        if options.seed is not None:
            raise _refusal(f"--seed cannot stand beside --setup {setup}: nothing is drawn there")
        return GameChoice(setup, None, white, black)
    return GameChoice(setup, draw_seed() if options.seed is None else options.seed, white, black)


def _clock(text: str | None) -> ClockRule | None:
    if text is None:
        return None
    try:
        return parse_clock(text)
    except ValueError as problem:
        raise _refusal(f"--clock: {problem}") from problem


def _name(option: str, text: str | None) -> str | None:
    if text is None:
        return None
    name = clean_line(text)
    if not name:
        raise _refusal(f"{option}: the name is empty")
    return name


def _check_terminal() -> None:
    """Refuse what the full screen cannot be drawn on."""
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stdout)):
        raise _refusal(f"the game needs a terminal; {_TEXT_COMMANDS}")
    if os.environ.get("TERM") == "dumb":
        raise _refusal(f"the game needs a terminal that can do more than TERM=dumb; {_TEXT_COMMANDS}")
    if not _is_terminal(sys.stderr):  # where Textual draws
        raise _refusal("the game is drawn on standard error, which must be the terminal: leave out 2>")


_TEXT_COMMANDS: Final = "without one there are commands such as show, analyse, convert: see dvonn-tui --help"


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _failure(reason: str) -> CommandFault:
    return CommandFault(f"dvonn-tui: {reason}", FAILED)


def _refusal(reason: str) -> CommandFault:
    return CommandFault(f"dvonn-tui: {reason}", BAD_USAGE)
