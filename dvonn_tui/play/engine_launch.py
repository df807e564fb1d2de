"""How an engine is started and spoken to."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dvonn_tui.play.protocols import ProtocolName

START_PATIENCE: Final = 10.0
"""Seconds that an engine has to say that it is there."""

GRACE: Final = 1.0
"""Seconds over its limit after which an engine is told to stop."""

STOP_PATIENCE: Final = 2.0
"""Seconds that an engine has to answer once it was told to stop."""


ANALYST_THREADS: Final = 2
"""Threads that analyse where so many cores are there. They prove values in two thirds of the time of one; the
move that is played is no better for them, so a seat has one."""


def cores() -> int:
    """The processor cores that this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def own_command() -> tuple[str, ...]:
    """The command of the engine of this program."""
    return (sys.executable, "-P", "-m", "dvonn_tui.engine")


@dataclass(frozen=True, slots=True)
class Launch:
    """How an engine is started and spoken to.

    Attributes:
        name: what it is called in messages, clean.
        command: the program and its arguments, with the places of `dvonn_tui.play.codecup` in them.
        protocol: how it is spoken to.
        options: what it is set to, if its protocol has options.
        values: what else is filled into the command.
        yields: it computes only where others leave it room: a person waits for the screen beside it.
        grace, stop_patience, start_patience: as the constants of this module.
    """

    name: str = "the engine"
    command: tuple[str, ...] = field(default_factory=own_command)
    protocol: ProtocolName = ProtocolName.OWN
    options: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    yields: bool = False
    grace: float = GRACE
    stop_patience: float = STOP_PATIENCE
    start_patience: float = START_PATIENCE

    def environment(self) -> dict[str, str] | None:
        """The environment of the process: its own engine finds this package wherever it was started."""
        if self.command[:4] != own_command():
            return None
        root = str(Path(__file__).resolve().parents[2])
        before = os.environ.get("PYTHONPATH")
        path = f"{before}{os.pathsep}{root}" if before else root
        return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"}


def analyst_launch(*, yields: bool = False) -> Launch:
    """How the engine of this program is started to analyse, at full strength.

    Args:
        yields: it gives way to what is on the screen.
    """
    return Launch(options={"threads": str(min(cores(), ANALYST_THREADS))}, yields=yields)
