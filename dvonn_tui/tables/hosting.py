"""Running a server of tables on this machine: its folder, its port, its certificate, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import ssl
import stat
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.records.file_lock import Lock, try_lock
from dvonn_tui.tables import collector
from dvonn_tui.tables.doors import UNANSWERED
from dvonn_tui.tables.finding import FindingTrouble, announce
from dvonn_tui.tables.limits import DEFAULT_LIMITS, Limits
from dvonn_tui.tables.seat_tokens import Secrets, SecretTrouble
from dvonn_tui.tables.server import BACKLOG, TableServer
from dvonn_tui.tables.service_log import LogFormat, ServiceLog
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.store import StoreTrouble
from dvonn_tui.tables.timing import SystemTime

FILE: Final = "tables.sqlite3"
LOCK: Final = "lock"

OTHER_FILES: Final = 100 + 2 * BACKLOG
"""Files that a server needs open beside its connections: its own, and, at two ports at most, connections that
have come in one turn of the event loop and are not counted yet."""

LAST_WORDS: Final = 0.5
"""Seconds for taking back what was told to the local network."""

RENEWED: Final = 3600.0
"""Seconds after which a certificate is looked at again."""

ANYWHERE: Final = ("0.0.0.0", "::", "")
"""Addresses to bind to that mean all of this machine's."""


class HostTrouble(Exception):
    """A server cannot run. The text says what is wrong, where, and what helps, in one line."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """How a server is to run.

    Attributes:
        bind: the address to listen on.
        port: 1 to 65535; 0 lets the system choose.
        data: the folder of its files; made when it is not there.
        name: how it is called, clean.
        certificate, key: files for TLS; the key can be in the file of the certificate.
        limits: what it allows.
        log_format: how it logs.
    """

    bind: str
    port: int
    data: Path
    name: str
    certificate: Path | None = None
    key: Path | None = None
    limits: Limits = DEFAULT_LIMITS
    log_format: LogFormat = LogFormat.TEXT


def run_host(hosting: Hosting, tell: Callable[[str], None]) -> None:
    """Serve until the process is told to stop, by SIGTERM, SIGHUP or ctrl+c.

    Args:
        hosting: how.
        tell: is given a line for people once it listens.

    Raises:
        HostTrouble: it cannot begin.
    """
    with _folder(hosting.data):
        asyncio.run(_serve(hosting, tell))


async def _serve(hosting: Hosting, tell: Callable[[str], None]) -> None:
    log = ServiceLog(hosting.log_format)
    warn_of_folder(hosting.data, log)
    sockets = _allow_files(hosting.limits, log)
    tls = _tls(hosting)
    store = None
    try:
        secrets = Secrets.of(hosting.data)
        store = SqliteStore(hosting.data / FILE)
        server = TableServer(
            store,
            secrets,
            name=hosting.name,
            limits=hosting.limits,
            log=log,
            clock=SystemTime(),
            sockets=sockets,
        )
        port = await server.start(hosting.bind, hosting.port, tls)
    except (SecretTrouble, StoreTrouble) as trouble:
        if store is not None:
            await store.close()
        raise HostTrouble(str(trouble)) from trouble
    except OSError as problem:
        if store is not None:
            await store.close()
        raise HostTrouble(_why_not(hosting, problem)) from problem
    _report_to(log)
    collector.tame()
    server.keeper.subscribe(collector.watching_young())
    told_to_stop = _stop_signals()
    works = [collector.tidy(server.doors), *_works_beside(hosting, port, tls, log)]
    beside = [asyncio.create_task(work) for work in works]
    tell(listening(hosting, port))
    try:
        await told_to_stop.wait()
    finally:
        for task in beside:
            task.cancel()
        await server.stop()
        await asyncio.wait(beside, timeout=LAST_WORDS)
        collector.retire()


@contextlib.contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """Make the folder, and hold it for this server alone. Raises HostTrouble."""
    shown = clean_line(str(folder), 200)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / LOCK).open("ab")
    except OSError as problem:
        reason = f"{shown}: {problem.strerror or 'cannot be used'}; --data names another folder"
        raise HostTrouble(reason) from problem
    with lock:
        if try_lock(lock.fileno()) is Lock.TAKEN:
            raise HostTrouble(f"{shown}: another server uses this folder; --data names another one")
        yield


def warn_of_folder(folder: Path, log: ServiceLog) -> None:
    """Whoever can write into the folder can put another secret or other tables there: tell that."""
    if os.name == "posix" and folder.stat().st_mode & stat.S_IWOTH:
        log.event("open-folder", folder=str(folder), advice="everybody here can write into it: chmod o-w")


def _tls(hosting: Hosting) -> ssl.SSLContext | None:
    """What encrypts the lines; None when they are not. Raises HostTrouble."""
    if hosting.certificate is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    _load_certificate(context, hosting)
    return context


def _load_certificate(context: ssl.SSLContext, hosting: Hosting) -> None:
    """Read the certificate and its key. Raises HostTrouble."""
    assert hosting.certificate is not None
    key = hosting.key or hosting.certificate
    for what, path in (("certificate", hosting.certificate), ("key", key)):
        try:
            path.open("rb").close()
        except OSError as problem:
            shown = clean_line(str(path), 200)
            raise HostTrouble(f"the {what} {shown}: {problem.strerror or 'cannot be read'}") from problem
    try:
        # A key with a password would be asked for on the terminal, where nobody may be.
        context.load_cert_chain(hosting.certificate, key, password=lambda: b"")
    except (ssl.SSLError, ValueError) as problem:
        shown, of = clean_line(str(hosting.certificate), 200), clean_line(str(key), 200)
        reason = "they have to be PEM files that belong together, the key without a password"
        raise HostTrouble(f"the certificate {shown} with the key {of} cannot be used: {reason}") from problem


def _works_beside(
    hosting: Hosting, port: int, tls: ssl.SSLContext | None, log: ServiceLog
) -> list[Coroutine[None, None, None]]:
    """What goes on while a server runs, beside serving."""
    works = []
    if tls is not None:
        works.append(_renew(hosting, tls, log))
    if not _is_alone(hosting.bind):
        works.append(_announce(hosting, port, log))
    return works


def _is_alone(bind: str) -> bool:
    """Whether only this machine reaches what is bound to an address."""
    return bind.startswith("127.") or bind in ("::1", "localhost")


async def _announce(hosting: Hosting, port: int, log: ServiceLog) -> None:
    """Tell the local network of the server until that is cancelled."""
    try:
        async with announce(hosting.name, port, tls=hosting.certificate is not None):
            log.event("announced")
            await asyncio.Event().wait()
    except FindingTrouble as trouble:
        log.event("not-announced", reason=str(trouble))


async def _renew(hosting: Hosting, context: ssl.SSLContext, log: ServiceLog) -> None:
    """Take up a certificate that was renewed."""
    known = _changed_at(hosting)
    while True:
        await asyncio.sleep(RENEWED)
        now = _changed_at(hosting)
        if now == known:
            continue
        try:
            _load_certificate(context, hosting)
        except HostTrouble as trouble:
            log.event("certificate-trouble", reason=str(trouble))
        else:
            known = now
            log.event("certificate-renewed")


def _changed_at(hosting: Hosting) -> list[float]:
    """When the files of the certificate were last changed."""
    times = []
    for path in (hosting.certificate, hosting.key):
        with contextlib.suppress(OSError):
            if path is not None:
                times.append(path.stat().st_mtime)
    return times


def _why_not(hosting: Hosting, problem: OSError) -> str:
    """Why a port cannot be listened on."""
    where = f"{clean_line(hosting.bind, 60)}, port {hosting.port}"
    reason = problem.strerror or str(problem)
    lowered = reason.lower()
    if "in use" in lowered:
        advice = "another program listens there; --port names another one, and 0 takes any that is free"
    elif "permission" in lowered:
        advice = "only the system's own programs may listen there; --port names another one"
    else:
        advice = "--bind wants an address of this machine, 127.0.0.1 for it alone or 0.0.0.0 for all"
    return f"cannot listen on {where}: {clean_line(reason, 120)}; {advice}"


def _stop_signals() -> asyncio.Event:
    """An event that is set when the process is told to stop; told twice by ctrl+c, it ends at once."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        told.set()
        if number == signal.SIGINT:
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)

    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            # Windows knows no such handlers: there ctrl+c ends the program by itself.
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, stop, number)
    return told


def _report_to(log: ServiceLog) -> None:
    """Let what the event loop complains of be logged in one line as well."""

    def report(_: asyncio.AbstractEventLoop, about: dict[str, object]) -> None:
        problem = about.get("exception")
        if isinstance(problem, BaseException):
            log.fault("event loop", problem)
        else:
            log.event("fault", during="event loop")

    asyncio.get_running_loop().set_exception_handler(report)


def _allow_files(limits: Limits, log: ServiceLog) -> int | None:
    """Let the process have as many files open as there may be connections, as far as it is allowed.

    Returns:
        How many connections may be open; None when the system sets no bound.
    """
    try:
        import resource
    except ImportError:  # Windows
        return None
    wanted = limits.connections * UNANSWERED + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if soft == resource.RLIM_INFINITY:
        return None
    if soft < limits.connections + OTHER_FILES:
        log.event("few-files", allowed=soft, wanted=wanted)
    return max(soft - OTHER_FILES, soft // 2)


def listening(hosting: Hosting, port: int) -> str:
    """The line that tells people where a server listens, and how others join."""
    if hosting.bind not in ANYWHERE:
        shown = _join_word(hosting, hosting.bind, port)
        hint = " (this machine only; --bind 0.0.0.0 lets others in)" if _is_alone(hosting.bind) else ""
        return f"{hosting.name} listens: dvonn-tui join {shown}{hint}"
    words = [_join_word(hosting, address, port) for address in own_addresses(hosting.bind)]
    others = f"; others join: dvonn-tui join {' or '.join(words)}" if words else ""
    return f"{hosting.name} listens on port {port}{others}"


def _join_word(hosting: Hosting, address: str, port: int) -> str:
    host = f"[{address}]" if ":" in address else address
    return f"{'wss://' if hosting.certificate else ''}{host}:{port}"


def own_addresses(bind: str) -> list[str]:
    """The addresses of this machine by which others reach what is bound to one of `ANYWHERE`, as far as
    they can be found out."""
    found: list[str] = []
    # Nothing is sent: the system only says from which address it would send. Nobody has these addresses
    # (RFC 5737 and 3849).
    for family, elsewhere, other in (
        (socket.AF_INET, "192.0.2.1", "::"),
        (socket.AF_INET6, "2001:db8::1", "0.0.0.0"),
    ):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((elsewhere, 9))
            if bind != other:
                found.append(str(asking.getsockname()[0]))
    return [address for address in found if not address.startswith(("127.", "::1", "fe80"))]


def default_name() -> str:
    """How a server is called when nobody says."""
    return clean_line(f"DVONN at {socket.gethostname() or os.name}")
