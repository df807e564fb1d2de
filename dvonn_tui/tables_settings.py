"""What is remembered of tables on other machines, as the settings name it::

[tables]               # play with people on other machines
name = "Anna"          # how one is called there
servers = ["play.example.org", "192.168.1.20:3866"]   # those used last, the latest first
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from dvonn_tui.clean import clean_line

TABLE: Final = "tables"
NAME: Final = "name"
SERVERS: Final = "servers"

LONGEST_NAME: Final = 24
"""Columns of a name at most: what servers take."""

LONGEST_SERVER: Final = 200
"""Columns of an address at most."""

MOST_SERVERS: Final = 8


@dataclass(frozen=True, slots=True)
class TablesSettings:
    """What is remembered of other machines.

    Attributes:
        name: how one is called there, clean; empty as long as nothing was said.
        servers: the addresses used last as they were written, the latest first, clean and not known to be
            any.
    """

    name: str = ""
    servers: tuple[str, ...] = ()

    def used(self, server: str, name: str) -> TablesSettings:
        """The same after a server was used under a name."""
        others = tuple(other for other in self.servers if other != server)
        return replace(self, name=name, servers=(server, *others)[:MOST_SERVERS])

    def without(self, server: str) -> TablesSettings:
        """The same without a server."""
        return replace(self, servers=tuple(other for other in self.servers if other != server))


def read_tables(value: object) -> TablesSettings:
    """Read the table. Raises ValueError with what is wrong and what is allowed."""
    if not isinstance(value, dict):
        raise ValueError(f"{TABLE} is no table: it begins with a line [{TABLE}]")
    unknown = [key for key in value if key not in (NAME, SERVERS)]
    if unknown:
        raise ValueError(f"unknown name {clean_line(unknown[0])} in [{TABLE}]; known are {NAME}, {SERVERS}")
    name, servers = value.get(NAME, ""), value.get(SERVERS, [])
    if not isinstance(name, str) or clean_line(name, LONGEST_NAME) != name:
        raise ValueError(f"{NAME} in [{TABLE}] is a text of at most {LONGEST_NAME} columns")
    if not isinstance(servers, list) or not all(map(_is_server, servers)):
        raise ValueError(f'{SERVERS} in [{TABLE}] is a list such as ["play.example.org", "10.0.0.2:3866"]')
    if len(servers) > MOST_SERVERS:
        raise ValueError(f"{SERVERS} in [{TABLE}] has more than {MOST_SERVERS} addresses")
    return TablesSettings(name, tuple(dict.fromkeys(servers)))


def _is_server(text: object) -> bool:
    """True for a text that can be an address and can be shown as it is."""
    return isinstance(text, str) and bool(text) and clean_line(text, LONGEST_SERVER) == text


def change_tables(document: Any, settings: TablesSettings) -> None:
    """Change the table in a document of tomlkit."""
    if not isinstance(document.get(TABLE), Mapping):
        document.pop(TABLE, None)
        document[TABLE] = {}
    document[TABLE][NAME] = settings.name
    document[TABLE][SERVERS] = list(settings.servers)
