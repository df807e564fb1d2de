"""What can be wrong with the line to a server, in words for people."""

from __future__ import annotations

import errno
import re
import socket
import ssl
from typing import Final

from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidProxy,
    InvalidStatus,
    InvalidURI,
    ProxyError,
    SecurityError,
)

from dvonn_tui.clean import clean_line
from dvonn_tui.tables.address import Address


class LineLost(Exception):
    """The line is lost, or there was none; it makes sense to try again. The text is why."""


class LineEnded(Exception):
    """There is no line, and it makes no sense to try again. The text is why."""


_UNREADABLE: Final = frozenset({1002, 1003, 1007, 1009})
"""The codes by which this side closes a line on which something came that cannot be."""

_LONGEST_PAGE: Final = 200

_BUSY: Final = frozenset({408, 425, 429})
"""HTTP states that pass, beside those from 500 on."""


def opening_trouble(problem: Exception, address: Address) -> LineLost | LineEnded:
    """Why the line could not be opened."""
    where = address.server
    match problem:
        case ssl.SSLCertVerificationError():
            why = clean_line(problem.verify_message or "it is not trusted", 120)
            return LineEnded(
                f"the certificate of {where} is not trusted: {why}. For a certificate of your own, "
                "set SSL_CERT_FILE to its file"
            )
        case ssl.SSLError():
            return LineEnded(f"{where} does not speak TLS: without it the address begins with ws://")
        case socket.gaierror():
            return LineLost(f"no server by the name of {clean_line(address.host)} is known")
        case TimeoutError():
            return LineLost(f"{where} does not answer")
        case OSError() if errno.ECONNREFUSED in _numbers(problem):
            return LineLost(f"at {where} no server is running")
        case InvalidStatus():
            status = problem.response.status_code
            if status >= 500 or status in _BUSY:
                said = _page(problem.response.body) or "it is not there at present"
                return LineLost(f"{where}: {said} (HTTP {status})")
            return LineEnded(f"{where} is no DVONN server (HTTP {status})")
        case ProxyError() | InvalidProxy() | ImportError():
            return LineLost(f"the proxy that this machine is set to does not lead to {where}")
        case InvalidMessage() | SecurityError() | InvalidHandshake() | InvalidURI():
            return _unlike(problem, address)
        case ConnectionError():
            return _closed_at_once(address)
        case OSError():
            return LineLost(f"{where} cannot be reached: {_why(problem)}")
    return LineEnded(f"{where} cannot be reached: {clean_line(str(problem), 120)}")


def _unlike(problem: Exception, address: Address) -> LineLost | LineEnded:
    """The other side did not answer as a websocket does."""
    if isinstance(problem.__cause__, EOFError | ConnectionError):
        return _closed_at_once(address)
    return LineEnded(f"{address.server} is no DVONN server")


def _closed_at_once(address: Address) -> LineLost:
    hint = "it may not speak TLS" if address.tls else "it may want TLS (wss://)"
    return LineLost(f"{address.server} has closed the line at once: {hint}, or be busy")


def closing_trouble(closed: ConnectionClosed) -> LineLost | LineEnded:
    """Why an open line came to its end."""
    sent, received = closed.sent, closed.rcvd
    if sent is not None and sent.code in _UNREADABLE and not closed.rcvd_then_sent:
        return LineEnded("the server said something that cannot be read")
    reason = clean_line(received.reason, 200) if received is not None else ""
    return LineLost(
        f"the server has closed the line: {reason}" if reason else "the line to the server was lost"
    )


def _page(body: bytes | bytearray | None) -> str:
    """What a server says about a state that passes, if it says that in a line of plain text."""
    if not body or len(body) > _LONGEST_PAGE or b"<" in body:
        return ""
    return clean_line(body.decode("utf-8", "replace"), _LONGEST_PAGE)


def _numbers(problem: OSError) -> frozenset[int]:
    """What went wrong, by the numbers of the operating system. Several addresses of one name give several,
    which asyncio tells in the text only."""
    if problem.errno is not None:
        return frozenset({problem.errno})
    return frozenset(int(number) for number in re.findall(r"\[Errno (\d+)\]", str(problem)))


def _why(problem: OSError) -> str:
    known = {errno.EHOSTUNREACH: "there is no way to it", errno.ENETUNREACH: "there is no network"}
    for number in _numbers(problem):
        if number in known:
            return known[number]
    return clean_line(problem.strerror or str(problem), 120)
