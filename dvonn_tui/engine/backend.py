"""Chooses the compiled search when there is one that fits its sources, else the interpreted one."""

from __future__ import annotations

import os
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from dvonn_tui.engine.stamp import stamp_of

if TYPE_CHECKING:
    from dvonn_tui.engine.search import Searcher, Table, now

FOLDER: Final = Path(__file__).resolve().parent

VARIABLE: Final = "DVONN_TUI_ENGINE"
"""An environment variable; ``interpreted`` leaves the compiled search aside."""


def interpreted_search() -> ModuleType:
    """The search as a module that is interpreted even if there is a compiled one."""
    name = "dvonn_tui.engine.search_interpreted"
    if name not in sys.modules:
        loader = SourceFileLoader(name, str(FOLDER / "search.py"))
        spec = spec_from_loader(name, loader)
        assert spec is not None
        module = module_from_spec(spec)
        loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def _choose() -> tuple[ModuleType, str]:
    """The search to use, and why a compiled one was left aside against the user's will, if it was."""
    if os.environ.get(VARIABLE) == "interpreted":
        return interpreted_search(), ""
    try:
        from dvonn_tui.engine import search
    except ImportError as problem:  # made for another Python or another machine
        return interpreted_search(), f"the compiled engine does not load ({problem}); "
    stamp = stamp_of(FOLDER)
    if search.COMPILED and stamp and search.built_from() != stamp:
        return (
            interpreted_search(),
            "the compiled engine is older than its sources: install again to rebuild it; ",
        )
    return search, ""


_module, _reason = _choose()

COMPILED: Final[bool] = _module.COMPILED

NOTICE: Final = "" if COMPILED else f"{_reason}interpreted, levels 9 and 10 are weaker"
"""One line for people, empty when there is nothing to say."""

VARIANT: Final = "compiled" if COMPILED else "interpreted"

if not TYPE_CHECKING:
    Searcher = _module.Searcher
    Table = _module.Table
    now = _module.now

__all__ = ["COMPILED", "NOTICE", "VARIABLE", "VARIANT", "Searcher", "Table", "interpreted_search", "now"]
