"""Which search runs, and that a stale one is noticed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dvonn_tui
import dvonn_tui.engine
from dvonn_tui.engine import backend
from dvonn_tui.engine.evaluation import FEATURE_NAMES, weight_table
from dvonn_tui.engine.stamp import stamp_of
from dvonn_tui.engine.values import FEATURES
from dvonn_tui.engine.weights import KNOTS, ROWS, WEIGHTS

PACKAGE = Path(dvonn_tui.__file__).resolve().parent
INTERPRETED = "interpreted interpreted, levels 9 and 10 are weaker"
"""The variant and the notice that goes with it."""

SAY = "from dvonn_tui.engine import backend; print(backend.VARIANT, backend.NOTICE)"


def said(folder: Path, *lines: str) -> str:
    """What a Python that finds the package in a folder says."""
    code = "\n".join([f"import sys; sys.path.insert(0, {str(folder)!r})", *lines, SAY])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def copied(folder: Path) -> Path:
    """A copy of what the engine needs; returns the folder of the engine in it."""
    for name in ("engine", "core"):
        shutil.copytree(PACKAGE / name, folder / "dvonn_tui" / name)
    shutil.copy(PACKAGE / "__init__.py", folder / "dvonn_tui")
    return folder / "dvonn_tui" / "engine"


def test_the_variant_is_told() -> None:
    """The package tells whether the compiled search runs."""
    assert backend.COMPILED == dvonn_tui.engine.COMPILED
    assert ("compiled" if backend.COMPILED else "interpreted") == backend.VARIANT
    assert not backend.interpreted_search().COMPILED


def test_interpreted_on_demand(tmp_path: Path) -> None:
    """The environment leaves the compiled search aside, and no fault is told."""
    copied(tmp_path)
    assert said(tmp_path, f"import os; os.environ[{backend.VARIABLE!r}] = 'interpreted'") == INTERPRETED


def test_interpreted_without_an_extension(tmp_path: Path) -> None:
    """No compiled file, no Cython: it runs, and says what it is."""
    for extension in (*copied(tmp_path).glob("*.so"), *copied(tmp_path / "again").glob("*.pyd")):
        extension.unlink()
    assert said(tmp_path, "sys.modules['cython'] = None") == INTERPRETED


@pytest.mark.skipif(not backend.COMPILED, reason="there is no compiled search")
@pytest.mark.parametrize("name", ["search.py", "search.pxd"])
def test_a_stale_extension_is_noticed(tmp_path: Path, name: str) -> None:
    """One more line in a source: interpreted, with a notice that tells what to do."""
    folder = copied(tmp_path)
    assert said(tmp_path) == "compiled"
    with (folder / name).open("a", encoding="utf-8") as source:
        source.write("# changed\n")
    assert said(tmp_path).startswith("interpreted the compiled engine is older than its sources")


def test_an_extension_that_does_not_load_is_noticed(tmp_path: Path) -> None:
    """A file for another machine: interpreted, with a notice."""
    folder = copied(tmp_path)
    for extension in folder.glob("*.so"):
        extension.unlink()
    suffix = ".pyd" if sys.platform == "win32" else ".abi3.so"
    (folder / f"search{suffix}").write_bytes(b"nothing that loads")
    assert said(tmp_path).startswith("interpreted the compiled engine does not load")


def test_the_stamp_ignores_line_ends(tmp_path: Path) -> None:
    """A checkout with other line ends is not stale; one without sources has no stamp."""
    (tmp_path / "search.py").write_bytes(b"a\nb\n")
    (tmp_path / "search.pxd").write_bytes(b"c\n")
    stamp = stamp_of(tmp_path)
    (tmp_path / "search.py").write_bytes(b"a\r\nb\r\n")
    assert stamp == stamp_of(tmp_path) != 0
    (tmp_path / "search.pxd").unlink()
    assert stamp_of(tmp_path) == 0


def test_weights() -> None:
    """The table is whole, fits 16 bits, and is interpolated between the knots."""
    assert set(ROWS) == set(FEATURE_NAMES)
    assert len(WEIGHTS) == 50
    assert all(len(row) == FEATURES and all(-32768 <= number < 32768 for number in row) for row in WEIGHTS)
    assert weight_table(KNOTS, ROWS) == WEIGHTS
    assert WEIGHTS[KNOTS[1]][: len(ROWS)] == [numbers[1] for numbers in ROWS.values()]
