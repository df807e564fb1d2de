"""How long others wait for their moves while somebody floods the server, and others come and never read.

The attackers come from other addresses than the players, as they would from elsewhere, and run in a process
of their own: ``python -m tests.benchmarks.tables_flood PORT TABLE`` is that process.
"""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Final

from dvonn_tui.tables.protocol import Enter, Entered, ListTables, encode
from tests.benchmarks.processes import ServerProcess, tables_server
from tests.benchmarks.tables import percentile, table
from tests.benchmarks.tables_load import Measured, Pair, drive, gather_pairs, table_pair
from tests.benchmarks.wire import Client

SILENT: Final = 50
"""Attackers that open a line and say nothing."""

DEAF: Final = 20
"""Attackers that watch a table, ask for much, and never read."""

JUNK: Final = b'{"say":"Command","table":"' + b"x" * 60 + b'","deed":[[[[[[[[1' + b"0" * 400

LIMITS: Final = {"connections_address": 400, "arrivals": 600, "tables_address": 200}
"""The players all come from one address; everything else is as it is by default."""

PIECE: Final = 64
"""Frames of junk that are sent at once."""

FULL: Final = 1 << 18
"""Bytes of junk that may wait."""

STALLED: Final = 20
"""Hundredths of a second after which a line that takes nothing is given up for another one."""


ROUNDS: Final = 3
"""Quiet times, and as many attacks."""

SETTLING: Final = 2.0
"""Seconds for which an attack is under way before it is measured, and until it is over, if the whole lasts
so long."""


# The attackers


async def flood(port: int) -> None:
    """Send junk as fast as it is taken; begin anew when it is not taken any more, or when thrown out."""
    while True:
        with suppress(OSError, TimeoutError):
            client = await Client.connected(port, source="127.0.0.2")
            await client.hello("Flooder", "the secret of somebody who floods")
            transport = client.wire.transport
            stalled = 0
            while not transport.is_closing() and stalled < STALLED:
                if transport.get_write_buffer_size() < FULL:
                    stalled = 0
                    for _ in range(PIECE):
                        client.wire.send(JUNK)
                    await asyncio.sleep(0)
                else:
                    stalled += 1
                    await asyncio.sleep(0.01)
            client.wire.cut()
        await asyncio.sleep(0.001)


async def be_silent(port: int) -> None:
    """Open a line and say nothing; come back when it was closed."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.3", 0))
            await reader.read()
            writer.close()
        await asyncio.sleep(0.1)


async def be_deaf(port: int, watched: str, number: int) -> None:
    """Watch a table, ask for the list of tables again and again, and read nothing."""
    while True:
        with suppress(OSError, TimeoutError):
            client = await Client.connected(port, source="127.0.0.4")
            await client.hello(f"Deaf {number}", f"the secret of somebody deaf {number}")
            await client.ask(Enter(table=watched), Entered)
            connection = client.wire.transport.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.wire.transport.pause_reading()
            # Who reads nothing does not hear either that he was thrown out: he notices by writing.
            while not client.wire.transport.is_closing():
                client.wire.send(encode(ListTables()))
                await asyncio.sleep(0.2)
        await asyncio.sleep(0.1)


async def attack(port: int, watched: str) -> None:
    """All of them, until the process is ended."""
    deaf = (be_deaf(port, watched, number) for number in range(DEAF))
    await asyncio.gather(flood(port), *(be_silent(port) for _ in range(SILENT)), *deaf)


# The players


@contextmanager
def attackers(port: int, watched: str) -> Iterator[None]:
    """Attackers, as long as this lasts."""
    command = [sys.executable, "-m", "tests.benchmarks.tables_flood", str(port), watched]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def measure(pairs: int, rate: float, seconds: float) -> tuple[Measured, Measured, str]:
    """Moves in quiet times and under attack, by turns; and what the server says of the attackers."""
    quiet, attacked = Measured("quiet"), Measured("attacked")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "server.log"
        settling = min(SETTLING, seconds)
        with tables_server(folder, LIMITS, log=log) as server:
            plies = round(rate * (seconds + 1) / pairs) + 2
            filled = await gather_pairs(table_pair, server.port, pairs, plies)
            await drive(filled, rate, min(seconds, 1.0), Measured("warming up"))
            for turn in range(ROUNDS * 2):
                found = attacked if turn % 2 else quiet
                if turn % 2:
                    with attackers(server.port, filled[0].id):
                        await asyncio.sleep(settling)
                        await _measure(server, filled, found, rate, seconds / ROUNDS / 2)
                    await asyncio.sleep(settling)
                else:
                    await _measure(server, filled, found, rate, seconds / ROUNDS / 2)
            for pair in filled:
                attacked.lost += pair.sent is not None
                attacked.faults.extend(pair.faults)
            memory = server.memory
            for pair in filled:
                for client in pair.clients:
                    client.wire.cut()
        dropped = Counter(re.findall(r"client-dropped .*why=(\S+)", log.read_text()))
    told = ", ".join(f"{count:,} {why}" for why, count in dropped.most_common())
    return quiet, attacked, f"dropped: {told or 'nobody'}; the server has {memory / 1024:.0f} MiB"


async def _measure(
    server: ServerProcess, pairs: list[Pair], found: Measured, rate: float, seconds: float
) -> None:
    computing, moves = server.computing, len(found.took)
    await drive(pairs, rate, seconds, found)
    found.computing = (server.computing - computing) / max(len(found.took) - moves, 1)


def report(pairs: int, rate: float, seconds: float) -> str:
    """The table, and the relation of the two."""
    quiet, attacked, told = asyncio.run(measure(pairs, rate, seconds))
    relation = percentile(attacked.took, 0.99) / percentile(quiet.took, 0.99)
    rows = [_row(found) for found in (quiet, attacked)]
    return "\n".join(
        [
            f"{pairs} tables, {rate:g} moves a second, while one client floods, {SILENT} say nothing and "
            f"{DEAF} ask and never read:",
            table(["", "moves", "p50 ms", "p99 ms", "most ms", "CPU us", "lost or wrong"], rows),
            f"p99 under attack to the quiet one: {relation:.2f}; {told}",
        ]
    )


def _row(found: Measured) -> list[str]:
    took = [each * 1000 for each in found.took]
    figures = (median(took), percentile(took, 0.99), max(took))
    return [
        found.name,
        f"{len(took):,}",
        *(f"{figure:.2f}" for figure in figures),
        f"{found.computing * 1e6:.0f}",
        str(found.lost + len(found.faults)),
    ]


if __name__ == "__main__":
    asyncio.run(attack(int(sys.argv[1]), sys.argv[2]))
