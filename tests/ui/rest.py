"""When an application has nothing left to do."""

from __future__ import annotations

import asyncio
from time import process_time
from typing import Any, Final

from textual.app import App
from textual.screen import Screen

QUIET_TURNS: Final = 20
"""So many turns of the event loop without a message in any queue mean that everything is worked off."""

LONGEST: Final = 10.0
"""Seconds of computing after which an application that is still at work will not come to rest."""


async def worked_off(app: App[Any], *others: Screen[Any]) -> None:
    """Wait until everything that was sent is worked off. What waits for a timer, as painting does, is not.

    `others` are screens that count though they do not lie on the stack.
    """
    quiet, deadline = 0, process_time() + LONGEST
    while quiet < QUIET_TURNS and app._exception is None:
        assert process_time() < deadline, "the application does not come to rest"
        await asyncio.sleep(0)
        quiet = 0 if _is_busy(app, others) else quiet + 1


async def at_rest(app: App[Any]) -> None:
    """Wait until everything that was sent is worked off and painted, without waiting for the next frame."""
    while True:
        await worked_off(app)
        if app._exception is not None or not app._running or not app._screen_stack:
            return
        if app._resize_timer is not None:
            # Textual takes the last of several sizes, 8 ms after the first of them.
            app._resize_timer.stop()
            app._check_resize()
        elif _waits(app.screen):
            app.screen._on_timer_update()
        else:
            return


def _is_busy(app: App[Any], others: tuple[Screen[Any], ...]) -> bool:
    nodes = (
        node for screen in {*others, *app._screen_stack} for node in screen.walk_children(with_self=True)
    )
    return any(not node._message_queue.empty() for node in (app, *nodes))


def _waits(screen: Screen[Any]) -> bool:
    """True when a screen has something to lay out or to paint with its next frame."""
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )
