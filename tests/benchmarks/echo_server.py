"""The least that a server of tables could be: it reads a command, and sends what would be its news and its
answer. It knows no rules, no tables and no store. What it takes is what websockets and msgspec take.

``python -m tests.benchmarks.echo_server`` prints the port and serves until it is killed. The two clients of a
pair ask for the same path.
"""

from __future__ import annotations

import asyncio
import sys

from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

from dvonn_tui.tables.happenings import Acted, ClockReading
from dvonn_tui.tables.protocol import Act, Command, Done, News, decode_request, encode
from tests.benchmarks.processes import allow_files


async def main() -> None:
    """Serve."""
    pairs: dict[str, set[ServerConnection]] = {}

    async def converse(connection: ServerConnection) -> None:
        assert connection.request is not None
        pair = pairs.setdefault(connection.request.path, set())
        pair.add(connection)
        try:
            async for message in connection:
                command = decode_request(message)
                assert isinstance(command, Command)
                assert isinstance(command.deed, Act)
                reading = ClockReading(white=600_000, black=600_000, running="w")
                action = command.deed.action
                acted = Acted(at=1_790_000_000_000, clocks=reading, by="w", action=action, spent=2_000)
                news = encode(News(table=command.table, version=command.version + 1, news=(acted,)))
                broadcast(pair, news, text=True)
                done = Done(table=command.table, id=command.id, version=command.version + 1)
                broadcast((connection,), encode(done), text=True)
        except ConnectionClosed:
            pass
        finally:
            pair.discard(connection)

    server = await serve(converse, "127.0.0.1", 0, compression=None, backlog=1024)
    print(f"echo listens: 127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    allow_files()
    sys.exit(asyncio.run(main()))
