"""Beginning work in the turn of the event loop in which it comes up.

A task begins one turn later, and whoever waits for a message is woken one turn later. From Python 3.12 on
asyncio can begin a task at once; this does the same with 3.11.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Coroutine, Generator
from typing import Any


def begin(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Do some work until it has to wait for something. To be called in the thread of a running event loop.

    Until it waits, no task is the current one: it must not ask for it, as `asyncio.timeout` does.

    Returns:
        None when it is done already, else a task that does the rest.
    """
    try:
        waits_for = work.send(None)
    except StopIteration:
        return None
    return asyncio.get_running_loop().create_task(_rest(work, waits_for))


async def _rest(work: Coroutine[Any, Any, None], waits_for: object) -> None:
    await _steps(work, waits_for)


@types.coroutine
def _steps(work: Coroutine[Any, Any, None], waits_for: object) -> Generator[Any, Any, None]:
    """Hand on what the work waits for, and to the work what comes of it."""
    try:
        while True:
            try:
                result = yield waits_for
            except BaseException as problem:
                waits_for = work.throw(problem)
            else:
                waits_for = work.send(result)
    except StopIteration:
        return
