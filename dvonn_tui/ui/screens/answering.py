"""What all screens have in common that are opened to be answered: when they are seen, and how they close."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from textual._time import get_time
from textual.screen import Screen

from dvonn_tui.ui.fresh import FreshInput

if TYPE_CHECKING:
    from textual import events

Answer = TypeVar("Answer")


class AnsweringScreen(Screen[Answer], Generic[Answer]):
    """Is opened, seen, and closes with an answer.

    Attributes:
        shown_at: when the screen was last seen; older input is not for it (see `FreshInput`).
        typed_ahead: what was typed for it before that; None when it opens by itself.
    """

    def __init__(self, *, opens_by_itself: bool = False) -> None:
        super().__init__()
        self.shown_at = math.inf
        self.typed_ahead: list[events.Key] | None = None if opens_by_itself else []
        self._answered_with: tuple[Answer | None] | None = None

    @property
    def is_open(self) -> bool:
        """True until the screen is closed, also behind another one."""
        return self in self.app.screen_stack

    def on_screen_resume(self) -> None:
        """Shown, or shown again: only what is pressed from now on is meant for this screen."""
        if self._answered_with is not None:
            self.finish(*self._answered_with)
            return
        self.shown_at = math.inf
        self.call_after_refresh(self._seen)

    def _seen(self) -> None:
        self.shown_at = get_time()
        app: Any = self.app
        if isinstance(app, FreshInput):
            app.call_later(app.hand_over)

    def finish(self, answer: Answer | None) -> None:
        """Close with an answer. What was pressed before now does not fall through to the screen below.

        Behind another screen it closes as soon as that one has: Textual would close the other one.
        """
        if self.is_active:
            app: Any = self.app
            if isinstance(app, FreshInput):
                app.input_since = get_time()
            self.dismiss(answer)
        elif self.is_open and self._answered_with is None:
            self._answered_with = (answer,)
