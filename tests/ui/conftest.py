"""Pilots that wait for the application, not for the clock."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from textual._context import active_app

from tests.ui.rest import at_rest


@pytest.fixture(autouse=True)
def _prompt_pilots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pilots go on when everything that was sent is worked off and painted.

    Textual's own wait 20 to 40 ms after every key, click and size, until the processor has little to do.
    """

    async def wait(min_sleep: float = 0, max_sleep: float = 1) -> None:
        await at_rest(active_app.get())

    monkeypatch.setattr("textual.app.wait_for_idle", wait)
    monkeypatch.setattr("textual.pilot.wait_for_idle", wait)


@pytest.fixture(scope="module", autouse=True)
def _leave_nothing() -> Iterator[None]:
    """Let go of the applications of a module: each takes what was there before it for what stays for ever."""
    yield
    gc.unfreeze()
    gc.collect()
