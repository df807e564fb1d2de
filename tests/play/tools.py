"""Fake engines and positions for the tests of this folder."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.protocols import ProtocolName

FAKE = str(Path(__file__).with_name("fake_engine.py"))

FULL = set_up(Setup.BALANCED, 7)
"""A full board, White to move."""

ONE_MOVE = parse_position("9/10/2rwb6/10/9 w m")

PATIENCE = 30.0
"""Seconds to wait at most for what comes for certain; other programs may need the machine as well."""


def fake(mode: str, *words: object, name: str = "Fake", **changes: object) -> Launch:
    """How a fake engine is started."""
    protocol = ProtocolName.CODECUP if mode.startswith("codecup") else ProtocolName.OWN
    times = {"grace": 0.2, "stop_patience": 0.3, "start_patience": PATIENCE}
    command = (sys.executable, FAKE, mode, *(str(word) for word in words))
    return Launch(name, command, **{"protocol": protocol, **times, **changes})  # type: ignore[arg-type]


def exists(pid: int) -> bool:
    """True while a process is there and not only waiting to be looked at."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def children() -> set[int]:
    """The processes that this one has started and that are still there."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
            except OSError:
                continue
            if int(parent) == os.getpid() and exists(int(folder.name)):
                found.add(int(folder.name))
    return found


class Gate:
    """Engines that think about each question until they are let answer, or told to stop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def launch(self) -> Launch:
        """How such an engine is started."""
        return fake("gated", self._folder, stop_patience=PATIENCE)

    @property
    def asked(self) -> int:
        """How many questions have come to engines. A link puts one only after the answer to that before."""
        return sum(1 for _ in self._folder.glob("asked-*"))

    def open(self) -> None:
        """Let all questions be answered from now on."""
        (self._folder / "go").touch()


async def until(met: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it did not come true"
        await asyncio.sleep(0.005)
