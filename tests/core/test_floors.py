"""The core is the ground floor: the standard library only, and nothing that depends on the day."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import dvonn_tui

ROOT = Path(dvonn_tui.__file__).resolve().parent
MODULES = sorted((ROOT / "core").glob("*.py"))

ALLOWED = {"__future__", "collections.abc", "dataclasses", "enum", "types", "typing"}
"""What any module of the core may import besides the core itself."""

RANDOM_ALLOWED = {"shuffle.py", "setups.py"}
"""Where `random.Random`, always with a seed, may be named."""

FORBIDDEN_CALLS = {"open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint", "hash"}


def imported(tree: ast.AST) -> set[str]:
    """The modules that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_imports(path: Path) -> None:
    """No clock, no file, no other floor."""
    tree = ast.parse(path.read_text("utf-8"))
    allowed = ALLOWED | ({"random"} if path.name in RANDOM_ALLOWED else set())
    foreign = {name for name in imported(tree) if not name.startswith("dvonn_tui.core.")} - allowed
    assert not foreign
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            assert [alias.name for alias in node.names] == ["Random"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_calls(path: Path) -> None:
    """Nothing is opened or printed, and no random source begins without a seed."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS
            assert node.func.id != "Random" or node.args, "a random source without a seed"


def test_nothing_else_is_loaded() -> None:
    """Importing all of the core loads no terminal, no event loop and no paths."""
    names = [f"dvonn_tui.core.{path.stem}" for path in MODULES if path.stem != "__init__"]
    code = f"""
import sys
sys.path.insert(0, {str(ROOT.parent)!r})
before = set(sys.modules)
for name in {names!r}:
    __import__(name)
print(*sorted(set(sys.modules) - before))
"""
    call = [sys.executable, "-c", code]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stdout.split())
    assert set(names) <= loaded
    forbidden = {"textual", "rich", "platformdirs", "tomlkit", "asyncio", "socket", "subprocess", "pathlib"}
    assert not forbidden & {name.split(".")[0] for name in loaded}
    own = {name for name in loaded if name.startswith("dvonn_tui.")} - {"dvonn_tui.core"}
    assert own == set(names)
