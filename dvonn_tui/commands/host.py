"""``host``: serve tables to others."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.terminal import FAILED, CommandFault, write_line
from dvonn_tui.settings import Paths
from dvonn_tui.tables.hosting import Hosting, HostTrouble, default_name, run_host
from dvonn_tui.tables.limits import DEFAULT_LIMITS, LimitsFault, read_limits
from dvonn_tui.tables.service_log import LogFormat

BAD_USAGE = 2

FOLDER = "tables"
"""The folder of a server in the user's data folder."""


def host(options: Namespace) -> int:
    """Serve until told to stop, and return the exit status.

    Raises:
        CommandFault: the options do not go together, or the server cannot run.
    """
    if options.tls_key is not None and options.tls_cert is None:
        raise _wrong("--tls-key wants --tls-cert beside it", BAD_USAGE)
    name = default_name() if options.name is None else clean_line(options.name)
    if not name:
        raise _wrong("--name: the name is empty", BAD_USAGE)
    try:
        limits = DEFAULT_LIMITS if options.config is None else read_limits(Path(options.config))
    except LimitsFault as fault:
        raise _wrong(str(fault), FAILED) from fault
    hosting = Hosting(
        bind=options.bind,
        port=options.port,
        data=Paths.find().data / FOLDER if options.data is None else Path(options.data).absolute(),
        name=name,
        certificate=None if options.tls_cert is None else Path(options.tls_cert),
        key=None if options.tls_key is None else Path(options.tls_key),
        limits=limits,
        log_format=LogFormat(options.log_format),
    )
    try:
        run_host(hosting, write_line)
    except HostTrouble as trouble:
        raise _wrong(str(trouble), FAILED) from trouble
    return 0


def _wrong(line: str, status: int) -> CommandFault:
    return CommandFault(f"dvonn-tui host: {line}", status)
