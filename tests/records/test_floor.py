"""This floor knows the game and nothing above it, and no other package of its own floor."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import dvonn_tui.records

MODULES = sorted(path.stem for path in Path(dvonn_tui.records.__file__).parent.glob("*.py"))


def test_nothing_else_is_loaded() -> None:
    names = [f"dvonn_tui.records.{name}" for name in MODULES if name != "__init__"]
    code = f"import sys\nfor name in {names!r}: __import__(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert not {name.split(".")[0] for name in loaded} & {"textual", "rich", "tomlkit", "asyncio"}
    own = {name.split(".")[1] for name in loaded if name.startswith("dvonn_tui.")}
    assert own == {"core", "records", "clean"}
