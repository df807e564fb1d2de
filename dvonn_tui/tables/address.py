"""Where a server is, as people write it: ``host``, ``host:port``, ``wss://host``, ``dvonn://host/TABLE``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.tables.protocol import DEFAULT_PORT

FORMS: Final = "host, host:port, [::1]:port, wss://host:port or dvonn://host:port/TABLE"

LONGEST_ADDRESS: Final = 300
"""Characters."""

_SCHEMES: Final = {"ws": False, "wss": True, "dvonn": False, "dvonns": True}
"""The beginnings that are read, and whether the line is encrypted (TLS)."""

_FORM: Final = re.compile(
    r"(?:(?P<scheme>[a-z]+)://)?(?:\[(?P<v6>[0-9a-f:.]+(?:%[\w.-]+)?)\]|(?P<host>[^\s:/?#@\[\]%]+))"
    r"(?::(?P<port>\d{1,5}))?(?P<path>/[^\s?#]*)?",
    re.IGNORECASE,
)

_TABLE: Final = re.compile("[A-Z2-9]{4,12}")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is.

    Attributes:
        host: a name, or an address without square brackets, in lower case.
        port: 1 to 65535.
        tls: True when the line is encrypted.
        path: the path behind ``ws://`` and ``wss://``, for servers behind a web server; else ``/``.
        table: the id of a table that was named with it; else empty.
    """

    host: str
    port: int = DEFAULT_PORT
    tls: bool = False
    path: str = "/"
    table: str = ""

    @property
    def url(self) -> str:
        """What a websocket is opened to."""
        return f"{'wss' if self.tls else 'ws'}://{self._place}{self.path}"

    @property
    def here(self) -> bool:
        """True when it leads everybody to his own machine."""
        return self.host == "localhost" or self.host.startswith("127.") or self.host == "::1"

    @property
    def server(self) -> str:
        """The server without a table, in the shortest form that can be read again."""
        if self.path != "/":
            return self.url
        return f"wss://{self._place}" if self.tls else self._place

    def __str__(self) -> str:
        if not self.table:
            return self.server
        return f"{'dvonns' if self.tls else 'dvonn'}://{self._place}/{self.table}"

    @property
    def _place(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read an address; `str` of an address is the other way.

    Raises:
        ValueError: it is none; the text says what can be written.
    """
    written = text.strip()
    found = _FORM.fullmatch(written) if len(written) <= LONGEST_ADDRESS else None
    harmless = clean_line(written, LONGEST_ADDRESS) == written
    scheme = (found["scheme"] or "").lower() if found else ""
    if found is None or (scheme and scheme not in _SCHEMES) or not harmless:
        raise ValueError(f"no address {clean_line(text)!r}: it can be {FORMS}")
    port = int(found["port"] or DEFAULT_PORT)
    if not 1 <= port <= 65535:
        raise ValueError(f"no port {port}: ports are 1 to 65535")
    host = (found["v6"] or found["host"]).lower()
    path, table = found["path"] or "/", ""
    if not scheme.startswith("ws"):
        path, table = "/", parse_table(path.strip("/")) if path != "/" else ""
    return Address(host, port, _SCHEMES.get(scheme, False), path, table)


def parse_table(text: str) -> str:
    """Read the id of a table, in either case.

    Raises:
        ValueError: it is none.
    """
    table = text.strip().upper()
    if not _TABLE.fullmatch(table):
        raise ValueError(
            f"no table {clean_line(text)!r}: its id is 4 to 12 letters and digits without 0 and 1, "
            "such as KZ7Q2M"
        )
    return table
