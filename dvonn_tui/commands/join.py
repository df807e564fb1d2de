"""Going to a table on another machine."""

from __future__ import annotations

from argparse import Namespace

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.application import run_launch, screen_options
from dvonn_tui.commands.terminal import FAILED, CommandFault
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.launch import Join, LaunchOptions, with_seed
from dvonn_tui.tables_settings import LONGEST_NAME


def join(options: Namespace) -> int:
    """Open the application at a server or a table, and return the exit status.

    A server that cannot be reached is shown on the screen, where it is tried again.

    Raises:
        CommandFault: the address, the table or the name is none, or there is no terminal.
    """
    from dvonn_tui.tables.address import parse_address, parse_table

    try:
        address = parse_address(options.address)
        table = address.table if options.table is None else parse_table(options.table)
    except ValueError as fault:
        raise CommandFault(f"dvonn-tui join: {fault}", FAILED) from fault
    name = "" if options.name is None else clean_line(options.name, LONGEST_NAME)
    if options.name is not None and not name:
        raise CommandFault("dvonn-tui join: --name: the name is empty", FAILED)
    where = Join(address.server, table, name)
    return run_launch(LaunchOptions(with_seed(GameChoice()), join=where, **screen_options(options)))
