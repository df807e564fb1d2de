"""How input that is older than a dialog is kept from it."""

from __future__ import annotations

from typing import Final, TypeVar

from textual import events
from textual.app import App

Returned = TypeVar("Returned")

LEAVING_KEY: Final = "ctrl+c"
"""Leaves at once, whatever is on the screen."""


class FreshInput(App[Returned]):
    """An application in which nobody answers a question before seeing it.

    Textual hands keys that were queued to whatever screen is open by the time they are looked at, and
    looks up bindings only when a key has bubbled up to the application, which may be long after it
    was pressed. So here is the only place that sees every key on each of its ways, and here input
    goes no further that was made before the present dialog was shown, or before the last one closed.
    """

    input_since: float = 0.0
    """Keys, clicks and pastes made before this moment are dropped (as `textual.events` count time)."""

    async def on_event(self, event: events.Event) -> None:
        """Drop input that is older than what is on the screen; leave the rest to Textual."""
        if self.is_stale(event):
            event.stop()
            return
        await super().on_event(event)

    def is_stale(self, event: events.Event) -> bool:
        """True for input that is older than what is on the screen. Leaving is no answer: it always goes."""
        if isinstance(event, events.Key) and event.key == LEAVING_KEY:
            return False
        if not isinstance(event, (events.Key, events.MouseDown, events.MouseUp, events.Click, events.Paste)):
            return False
        since = self.input_since
        if self._screen_stack:
            # Only dialogs have it; their module is not imported before the first of them is opened.
            since = max(since, getattr(self.screen, "shown_at", since))
        return event.time < since
