"""Tables know no screen, and a local game knows nothing of what tables between machines need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import dvonn_tui.tables

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path.stem for path in Path(dvonn_tui.tables.__file__).parent.glob("*.py"))
NEEDED_BY_TABLES = {"websockets", "msgspec", "zeroconf"}


def loaded_by(code: str) -> set[str]:
    """The modules that are loaded after some lines of a program."""
    program = f"import sys\n{code}\nprint(*sys.modules)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=60)
    return set(done.stdout.split())


def packages(modules: set[str]) -> set[str]:
    return {name.split(".")[0] for name in modules}


def test_no_screen_is_loaded() -> None:
    names = [f"dvonn_tui.tables.{name}" for name in MODULES if name != "__init__"]
    loaded = loaded_by(f"for name in {names!r}: __import__(name)")
    assert set(names) <= loaded
    assert not packages(loaded) & {"textual", "rich", "tomlkit", "zeroconf"}
    assert not [name for name in loaded if name.startswith("dvonn_tui.ui")]


def test_a_local_game_starts_without_them(tmp_path: Path) -> None:
    """The whole application, with the board shown and a move made."""
    loaded = loaded_by(
        f"""
import asyncio, pathlib
from tests.ui.tools import playing
async def play():
    async with playing(pathlib.Path({str(tmp_path)!r})) as player:
        await player.press("tab", "enter", "tab", "enter")
        assert len(player.game.log) > 1
asyncio.run(play())
"""
    )
    assert "dvonn_tui.ui.screens.play" in loaded
    assert not packages(loaded) & NEEDED_BY_TABLES
