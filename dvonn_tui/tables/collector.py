"""Python's search for cycles, at a server full of connections.

By itself Python looks through everything now and then. With thousands of connections that takes a second, in
which nobody's move is answered. Here new objects are looked through often and a few at a time, and all of
them only when enough connections have gone: they are what leaves cycles behind.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
from typing import Final

from dvonn_tui.tables.doors import Doors
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.keeper import Listener
from dvonn_tui.tables.table import TableState

YOUNG: Final = 2_000
"""New objects after which they are looked through; older ones practically never by themselves."""

NEVER: Final = 1_000_000_000

YOUNG_CHANGES: Final = 8
"""Changes of tables after which new objects are looked through as well."""

TIDIED_EVERY: Final = 60.0
"""Seconds after which it is looked whether it is worth while to look through everything."""

WORTH_IT: Final = 2_000
"""Connections that have gone since the last time: about 30 MB."""


def tame() -> None:
    """Let only new objects be looked through, for as long as the process runs."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


def watching_young() -> Listener:
    """What is told of each change of a table, and looks through new objects after some. To be asked for in a
    running event loop.

    Python counts how many more objects came than went, and what a move makes takes the place of what the move
    before made: left to itself, Python would wait for hundreds of thousands, and take a tenth of a second.
    """
    changes = itertools.count(1)
    loop = asyncio.get_running_loop()

    def changed(_: str, __: TableState, ___: tuple[Happening, ...]) -> None:
        if next(changes) % YOUNG_CHANGES == 0:
            # Not before everybody has been told of this one.
            loop.call_soon(gc.collect, 0)

    return changed


async def tidy(doors: Doors) -> None:
    """Free what closed connections leave behind, once it is worth the pause; does not end."""
    tidied = 0
    while True:
        await asyncio.sleep(TIDIED_EVERY)
        gone = doors.gone - tidied
        if gone >= WORTH_IT or (gone and not doors.sockets):
            tidied += gone
            gc.collect()


def retire() -> None:
    """The process ends: what thousands of connections leave behind need not be looked through once more."""
    gc.disable()
    gc.freeze()
