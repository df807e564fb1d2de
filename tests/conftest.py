"""How the tests are shared among the processes that run them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

REAL_TIME: Final = frozenset(("benchmarks", "play", "terminal"))
"""Folders whose tests wait for other programs, most of them with a limit."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Never run two tests at once that wait for programs: each of these has a core beside it."""
    if not config.pluginmanager.hasplugin("xdist"):
        return
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and item.path.relative_to(here).parts[0] in REAL_TIME:
            item.add_marker(pytest.mark.xdist_group("real time"))
