"""This floor knows no screen, and the match command loads none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import dvonn_tui.play

MODULES = sorted(path.stem for path in Path(dvonn_tui.play.__file__).parent.glob("*.py"))


def test_no_screen_is_loaded() -> None:
    names = [f"dvonn_tui.play.{name}" for name in MODULES if name != "__init__"]
    names.append("dvonn_tui.commands.match")
    code = f"import sys\nfor name in {names!r}: __import__(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"textual", "rich", "tomlkit"}
    assert not [name for name in done.stdout.split() if name.startswith(("dvonn_tui.ui", "dvonn_tui.engine"))]
