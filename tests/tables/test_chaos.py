"""Cut lines, repeated and reordered commands and a killed server: nothing is lost, doubled or different.

The same at length: ``python -m tests.benchmarks tables``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.benchmarks.tables_chaos import chaos


@pytest.mark.skipif(sys.platform == "win32", reason="the server is killed by a signal")
async def test_everybody_knows_the_same_in_the_end(tmp_path: Path) -> None:
    """Players, watchers and the store, after all of that; and every command was carried out once."""
    outcome = await chaos(tmp_path, tables=3, cuts=24, kills=2)
    assert outcome.wrong == []
    assert (outcome.counts.cuts, outcome.counts.kills) == (24, 2)
    assert outcome.counts.repeated > 10
    assert outcome.counts.acted > 30
