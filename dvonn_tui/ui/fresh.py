"""How input that is older than a dialog is kept from it, and what was typed for it is not lost."""

from __future__ import annotations

import math
from typing import Final, Protocol, TypeVar, cast

from textual import events
from textual.app import App

Returned = TypeVar("Returned")

LEAVING_KEY: Final = "ctrl+c"
"""Leaves at once, whatever is on the screen."""


class Shown(Protocol):
    """What is known of a dialog.

    Attributes:
        shown_at: when it was seen, as `textual.events` count time; infinite before that.
        typed_ahead: the keys that wait for it to be seen; None when it opens by itself.
    """

    shown_at: float
    typed_ahead: list[events.Key] | None


class FreshInput(App[Returned]):
    """An application in which nobody answers a question before seeing it.

    Textual hands keys that were queued to whatever screen is open by the time they are looked at, and
    looks up bindings only when a key has bubbled up to the application, which may be long after it
    was pressed. So here is the only place that sees every key on each of its ways, and here input
    goes no further that was made before the present dialog was shown, or before the last one closed.

    What is typed behind the key that opens a dialog is meant for it, though: it waits until the dialog is
    there. Only a dialog that opens by itself takes nothing from before, and none takes what would answer any
    question: enter, and the space bar where no text is typed.
    """

    input_since: float = 0.0
    """Keys, clicks and pastes made before this moment are dropped (as `textual.events` count time)."""

    async def on_event(self, event: events.Event) -> None:
        """Drop input that is older than what is on the screen; leave the rest to Textual."""
        dialog = self._dialog
        if dialog is not None and isinstance(event, events.Key) and self._is_typed_ahead(event, dialog):
            assert dialog.typed_ahead is not None
            dialog.typed_ahead.append(event)
            await self.hand_over()
            return
        if self.is_stale(event):
            event.stop()
            return
        await self.hand_over()
        await super().on_event(event)

    async def hand_over(self) -> None:
        """Give the dialog what was typed ahead for it, as soon as it is seen."""
        dialog = self._dialog
        if dialog is None or not dialog.typed_ahead or math.isinf(dialog.shown_at):
            return
        from textual.widgets import Input

        keys, dialog.typed_ahead = dialog.typed_ahead, []
        for key in keys:
            if key.key == "enter" or (key.key == "space" and not isinstance(self.focused, Input)):
                continue
            key.time = dialog.shown_at
            await super().on_event(key)

    @property
    def _dialog(self) -> Shown | None:
        """The dialog on top, if there is one."""
        # Their module is not imported before the first of them is opened.
        if not self._screen_stack or not hasattr(self.screen, "shown_at"):
            return None
        return cast("Shown", self.screen)

    def _is_typed_ahead(self, event: events.Key, dialog: Shown) -> bool:
        """True for a key on its way down that was pressed before its dialog was seen."""
        return (
            dialog.typed_ahead is not None
            and not event.is_forwarded
            and event.key != LEAVING_KEY
            and self.input_since <= event.time < dialog.shown_at
        )

    def is_stale(self, event: events.Event) -> bool:
        """True for input that is older than what is on the screen. Leaving is no answer: it always goes."""
        if isinstance(event, events.Key) and event.key == LEAVING_KEY:
            return False
        if not isinstance(event, (events.Key, events.MouseDown, events.MouseUp, events.Click, events.Paste)):
            return False
        dialog = self._dialog
        return event.time < max(self.input_since, dialog.shown_at if dialog is not None else 0.0)
