"""An application with nothing in it but one text, to see what Textual itself costs.

Run as ``python tests/benchmarks/empty.py [widgets]``; with ``widgets`` it first imports what the game
imports of Textual and of the standard library's neighbours, so that start-up can be compared.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

os.environ.setdefault("TEXTUAL_FPS", "120")

from textual import events
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Static


class _Only(Screen[None]):
    def compose(self) -> ComposeResult:
        yield Static("ready 0")

    def on_key(self, event: events.Key) -> None:
        text = self.query_one(Static)
        self.count = getattr(self, "count", 0) + 1
        text.update(f"ready {self.count}", layout=False)
        if event.key == "q":
            self.app.exit()


class Empty(App[None]):
    """Counts keys."""

    ENABLE_COMMAND_PALETTE = False

    def on_mount(self) -> None:
        """Show the only screen."""
        self.push_screen(_Only())


if __name__ == "__main__":
    if "widgets" in sys.argv:
        for name in ("containers", "content", "suggester", "theme", "widgets._input", "widgets._toast"):
            import_module(f"textual.{name}")
    Empty().run()
