"""Servers in processes of their own: started, measured, killed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

FILES = 12_000
"""Files that a process with thousands of lines has open."""

START = 30.0
"""Seconds that a server has to say where it listens."""


def allow_files() -> int:
    """Let this process have as many files open as it needs and may. Gives how many that are."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return FILES if soft == resource.RLIM_INFINITY else soft


class ServerProcess:
    """A server that runs beside.

    Attributes:
        port: where it listens.
    """

    def __init__(self, arguments: Sequence[str], log: Path | None = None) -> None:
        """Start it, and wait until it listens. Its log goes to a file, or nowhere."""
        self._log = (log or Path(os.devnull)).open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-P", *arguments],
            stdout=subprocess.PIPE,
            stderr=self._log,
            stdin=subprocess.DEVNULL,
            cwd=Path(__file__).resolve().parents[2],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline().decode()
        found = re.search(r":(\d+)", line)
        if found is None:
            self.kill()
            raise AssertionError(f"the server does not say where it listens: {line!r}")
        self.port = int(found[1])

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def kill(self) -> None:
        """``kill -9``."""
        self._process.kill()
        self._end()

    def stop(self) -> int:
        """Let it end in order, and return its status."""
        self._process.terminate()
        return self._end()

    def _end(self) -> int:
        status = self._process.wait(START)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()
        return status

    @property
    def memory(self) -> float:
        """KiB of memory that it holds now."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        assert found is not None
        return float(found[1])

    @property
    def computing(self) -> float:
        """Seconds that all its threads have computed so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.kill()


def tables_server(
    folder: Path, limits: Mapping[str, float] | None = None, port: int = 0, log: Path | None = None
) -> ServerProcess:
    """``dvonn-tui host`` with its data in a folder."""
    config = folder / "limits.toml"
    lines = [f"{name} = {value}\n" for name, value in (limits or {}).items()]
    config.write_text("[limits]\n" + "".join(lines))
    data = folder / "data"
    words = ["--bind", "127.0.0.1", "--port", str(port), "--data", str(data), "--config", str(config)]
    return ServerProcess(["-m", "dvonn_tui", "host", *words], log)


def echo_server() -> ServerProcess:
    """See `tests.benchmarks.echo_server`."""
    return ServerProcess(["-m", "tests.benchmarks.echo_server"])
