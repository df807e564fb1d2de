"""``host`` as a process: what it tells, how it ends, and why it does not begin."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake

from dvonn_tui import cli
from dvonn_tui.core.notation import format_position
from dvonn_tui.tables import protocol
from dvonn_tui.tables.hosting import Hosting, listening, warn_of_folder
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import DEFAULT_PORT, Done, Farewell
from dvonn_tui.tables.service_log import LogFormat, ServiceLog

from ..tables.tools import RawClient, level, play_on
from .conftest import Run


class Hosted:
    """A server in a process of its own."""

    def __init__(self, *options: str) -> None:
        call = [sys.executable, "-m", "dvonn_tui", "host", "--port", "0", *options]
        self.process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.told = self.process.stdout.readline()
        found = re.search(r":(\d+)|port (\d+)", self.told)
        assert found is not None, self.told + (self.process.stderr.read() if self.process.stderr else "")
        self.port = int(found[1] or found[2])

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal, and return the status and the log."""
        self.process.send_signal(number)
        _, log = self.process.communicate(timeout=10)
        return self.process.returncode, log


@contextmanager
def hosted(*options: str) -> Iterator[Hosted]:
    server = Hosted(*options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


def test_the_port_and_the_formats_of_the_parser() -> None:
    assert cli.TABLES_PORT == DEFAULT_PORT
    assert tuple(LogFormat) == cli.LOG_FORMATS


async def test_a_server_tells_where_it_listens_and_how_it_is(tmp_path: Path) -> None:
    """Also by plain HTTP; told to stop, it tells its clients, and ends with 0 within two seconds."""
    data = tmp_path / "data"
    with hosted("--data", str(data), "--name", "Club", "--log-format", "json") as server:
        assert server.told.startswith(f"Club listens: dvonn-tui join 127.0.0.1:{server.port} (this machine")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        assert head.startswith(b"HTTP/1.1 200 ")
        assert json.loads(body) == {"status": "ok", "seconds": 0, "tables": 0, "clients": 0, "games": 0}
        client = await RawClient.connect(server.port)
        assert (await client.hello("Eve")).name == "Club"
        begun = time.monotonic()
        status, log = await asyncio.to_thread(server.end)
        assert status == 0
        assert time.monotonic() - begun < 2
        farewell = await client.wait_for(Farewell)
        assert farewell.again
    events = [json.loads(line) for line in log.splitlines()]
    assert [event["event"] for event in events][:2] == ["started", "client-came"]
    assert events[-1]["event"] == "stopped"
    assert "Eve" not in log
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    for name in ("secret", "tables.sqlite3"):
        assert stat.S_IMODE((data / name).stat().st_mode) == 0o600


async def test_killed_in_the_middle_of_a_game_nothing_is_lost(tmp_path: Path) -> None:
    """S03: kill -9 while both are there; started anew, the table stands where it was, and both play on."""
    positions = []
    white = black = table = None
    for attempt in range(3):
        with hosted("--data", str(tmp_path)) as server:
            if white is None or black is None or table is None:
                white, black = [await RawClient.connect(server.port) for _ in range(2)]
                await white.hello("Ada")
                await black.hello("Bob")
                table = await white.open("time 10")
                for client in (white, black):
                    await client.enter(table)
                    await client.sit(table)
                await level(table, white, black)
                for client in (white, black):
                    assert isinstance(await client.do(table, protocol.Start()), Done)
            else:
                returned = []
                for client in (white, black):
                    again = await RawClient.connect(server.port)
                    await again.hello("Ada", client.secret)
                    again.states, again.logs, again.tokens = client.states, client.logs, client.tokens
                    entered = await again.enter(table, client.tokens[table])
                    assert entered.side is not None
                    returned.append(again)
                white, black = returned
                state = await level(table, white, black)
                assert format_position(state.position) == positions[-1]
            state = await play_on(table, white, black, 5)
            assert state.actions == 5 * (attempt + 1)
            assert white.logs[table] == black.logs[table]
            positions.append(format_position(state.position))
            server.end(signal.SIGKILL)


def test_a_second_interruption_ends_it_at_once(tmp_path: Path) -> None:
    """One is enough in an ordinary way, too."""
    with hosted("--data", str(tmp_path)) as server:
        assert server.end(signal.SIGINT)[0] == 0
    with hosted("--data", str(tmp_path)) as server:
        for _ in range(2):
            server.process.send_signal(signal.SIGINT)
        assert server.end(signal.SIGINT)[0] in (0, -signal.SIGINT, 130)


def test_two_servers_on_one_folder_and_on_one_port(tmp_path: Path, run: Run) -> None:
    with hosted("--data", str(tmp_path / "one")) as server:
        ran = run("host", "--port", "0", "--data", str(tmp_path / "one"))
        assert (ran.status, ran.out) == (1, "")
        assert "one: another server uses this folder; --data names another one" in ran.err
        ran = run("host", "--port", str(server.port), "--data", str(tmp_path / "two"))
        assert (ran.status, ran.out) == (1, "")
        told = ran.err.splitlines()[-1]
        assert told.startswith(f"dvonn-tui host: cannot listen on 127.0.0.1, port {server.port}: ")
        assert "another program listens there" in told


def test_a_folder_that_cannot_be_used(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").touch()
    ran = run("host", "--port", "0", "--data", str(tmp_path / "file" / "data"))
    assert ran.status == 1
    assert "Not a directory; --data names another folder" in ran.err
    (tmp_path / "secret").write_text("nonsense")
    assert "no secret of a server" in run("host", "--port", "0", "--data", str(tmp_path)).err
    (tmp_path / "secret").unlink()
    (tmp_path / "tables.sqlite3").write_bytes(b"no database" * 100)
    assert "not a database" in run("host", "--port", "0", "--data", str(tmp_path)).err


def test_what_stands_in_its_way(tmp_path: Path, run: Run) -> None:
    data = ["--data", str(tmp_path)]
    bad = tmp_path / "limits.toml"
    bad.write_text("[limits]\nwatchers = -1\n")
    for arguments, status, told in (
        (["--port", "70000"], 2, "a port is a whole number from 0 to 65535, not '70000'"),
        (["--bind", "192.0.2.99", "--port", "0"], 1, "cannot listen on 192.0.2.99, port 0: "),
        (["--bind", "no such host\x1b[2J", "--port", "0"], 1, "cannot listen on no such host?[2J"),
        (["--tls-key", "x.pem"], 2, "--tls-key wants --tls-cert beside it"),
        (["--tls-cert", str(tmp_path / "no.pem")], 1, "no.pem: No such file or directory"),
        (["--tls-cert", str(bad)], 1, "PEM files that belong together"),
        (["--config", str(bad)], 1, "limits.toml: watchers is -1; it can be a number from 0 to 200"),
        (["--config", str(tmp_path / "no.toml")], 1, "no.toml: No such file or directory"),
        (["--name", " "], 2, "--name: the name is empty"),
        (["--log-format", "xml"], 2, "invalid choice"),
    ):
        ran = run("host", *data, *arguments)
        assert (ran.status, ran.out) == (status, ""), arguments
        assert told in ran.err
        assert "Traceback" not in ran.err
        assert "\x1b" not in ran.err


def test_how_others_join() -> None:
    hosting = Hosting("0.0.0.0", 0, Path("x"), "Club")
    assert listening(hosting, 5).startswith("Club listens on port 5")
    assert "[::" not in listening(hosting, 5)
    encrypted = Hosting("192.0.2.7", 0, Path("x"), "Club", certificate=Path("y"))
    assert listening(encrypted, 5) == "Club listens: dvonn-tui join wss://192.0.2.7:5"
    local = Hosting("::1", 0, Path("x"), "Club")
    assert listening(local, 5).startswith("Club listens: dvonn-tui join [::1]:5 (this machine only")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_an_encrypted_line(tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-keyout", key, "-out", certificate, "-days", "2", "-nodes", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )
    options = ["--data", str(tmp_path / "data"), "--tls-cert", str(certificate), "--tls-key", str(key)]
    with hosted(*options) as server:
        assert "join wss://127.0.0.1:" in server.told
        trusted = ssl.create_default_context(cafile=str(certificate))
        client = RawClient(await connect(f"wss://127.0.0.1:{server.port}/", ssl=trusted))
        await client.hello()
        table = await client.open()
        await client.enter(table)
        await client.sit(table)
        await client.close()
        with pytest.raises((OSError, InvalidHandshake)):
            await RawClient.connect(server.port)
        # Who does not even begin to encrypt is counted as well: no more of them than may be inside.
        mute = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(60)]
        async with asyncio.timeout(5):
            for reader, _ in mute[Limits().connections_address :]:
                with suppress(ConnectionError):
                    assert await reader.read() == b""
        for _, writer in mute:
            writer.close()


@pytest.mark.skipif(os.name != "posix", reason="rights of files")
def test_a_folder_into_which_everybody_can_write_is_told(tmp_path: Path) -> None:
    lines: list[str] = []
    log = ServiceLog(LogFormat.TEXT, lines.append)
    for mode, told in ((0o700, 0), (0o775, 0), (0o777, 1)):
        tmp_path.chmod(mode)
        warn_of_folder(tmp_path, log)
        assert len(lines) == told
    assert "chmod o-w" in lines[0]


def test_what_is_loaded_to_host(tmp_path: Path) -> None:
    """The server needs no screen, and the command line nothing of the server."""
    program = (
        "import sys; from dvonn_tui.cli import main; main(['host', '--help']); print(*sys.modules)",
        "import sys; import dvonn_tui.commands.host; print(*sys.modules)",
    )
    loaded = [
        set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split())
        for code in program
    ]
    assert not loaded[0] & {"websockets", "msgspec", "asyncio", "dvonn_tui.tables", "sqlite3"}
    assert "dvonn_tui.tables.server" in loaded[1]
    assert not loaded[1] & {"textual", "rich", "dvonn_tui.ui"}


def test_room_for_as_many_connections_as_are_allowed(tmp_path: Path) -> None:
    """The limit of open files is raised as far as the system lets it be."""
    if not Path("/proc/self/limits").exists():
        pytest.skip("only Linux tells the limits of a process")
    config = tmp_path / "limits.toml"
    config.write_text("[limits]\nconnections = 400\n")
    with hosted("--data", str(tmp_path / "data"), "--config", str(config)) as server:
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        soft = re.search(r"Max open files\s+(\d+|unlimited)", limits)
        assert soft is not None
        assert soft[1] == "unlimited" or int(soft[1]) >= 500


def test_a_port_of_its_own_is_free_again(tmp_path: Path) -> None:
    """A server can be started again on its port right after it was stopped."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(2):
        with hosted("--data", str(tmp_path), "--port", str(port)) as server:
            assert server.port == port
            with socket.create_connection(("127.0.0.1", port)):
                assert server.end()[0] == 0
