"""Pilots that wait for the application, not for the clock."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Final

import pytest
from textual._context import active_app

from tests.ui.rest import at_rest

MOST_KEPT: Final = 1_500_000
"""Objects of applications that are kept at most after a module: about 200 applications, or 200 MB."""


@pytest.fixture(autouse=True)
def _prompt_pilots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pilots go on when everything that was sent is worked off and painted.

    Textual's own wait 20 to 40 ms after every key, click and size, until the processor has little to do.
    """

    async def wait(min_sleep: float = 0, max_sleep: float = 1) -> None:
        await at_rest(active_app.get())

    monkeypatch.setattr("textual.app.wait_for_idle", wait)
    monkeypatch.setattr("textual.pilot.wait_for_idle", wait)


class _Heap:
    """What is there for ever: each application takes all that was there before it for that."""

    def __init__(self) -> None:
        self._needed = len(gc.get_objects()) + gc.get_freeze_count()

    def clear(self) -> None:
        """Let go of the applications that were, once they are many: to look for them takes a second."""
        if gc.get_freeze_count() - self._needed > MOST_KEPT:
            gc.unfreeze()
            gc.collect()
            self._needed = len(gc.get_objects())


@pytest.fixture(scope="session")
def _heap() -> _Heap:
    return _Heap()


@pytest.fixture(scope="module", autouse=True)
def _leave_nothing(_heap: _Heap) -> Iterator[None]:
    """Do not keep all applications of all modules."""
    yield
    _heap.clear()
