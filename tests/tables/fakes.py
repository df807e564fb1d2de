"""A line to nowhere, for tables that are looked at without a server."""

from __future__ import annotations

import tempfile
from pathlib import Path

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import protocol
from dvonn_tui.tables.address import Address
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.protocol import Request
from dvonn_tui.tables.remote import RemoteTable
from tests.tables.scripted import TABLE, opened


class StillPort:
    """Takes everything and answers nothing. `up` is whether there is a line."""

    def __init__(self, folder: Path | None = None) -> None:
        self.address = Address("club.example")
        self.keeping = Keeping(folder or Path(tempfile.gettempdir()) / "dvonn-nothing-here")
        self.sent: list[Request] = []
        self.up = True
        self.clock = 1_000.0
        self.forgotten: list[RemoteTable] = []

    def now(self) -> float:
        return self.clock

    def moment_of(self, at: int) -> float:
        return at / 1000

    def hindrance(self) -> str:
        return ""

    def send(self, request: Request) -> bool:
        if self.up:
            self.sent.append(request)
        return self.up

    def new_id(self) -> str:
        return f"id-{len(self.sent)}"

    def forget(self, table: RemoteTable) -> None:
        self.forgotten.append(table)


def still_table(port: StillPort, side: Side | None, news: list[Happening] | None = None) -> RemoteTable:
    """A table that was entered, by default with a game that has just begun."""
    table = RemoteTable(TABLE, port)
    told = tuple(opened() if news is None else news)
    seat = None if side is None else str(side)
    answer = protocol.Entered(table=TABLE, side=seat, since=0, news=told, chat=(), watchers=())
    table.entered(answer, port.now())
    return table
