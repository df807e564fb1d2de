"""The engine: searching, learned evaluation, levels, and the process that plays.

``COMPILED`` tells whether the compiled search runs. It is looked up when it is asked for, so that importing
this package costs nothing.
"""

from __future__ import annotations

COMPILED: bool


def __getattr__(name: str) -> object:
    """Look up `COMPILED`, the only name of this package."""
    if name == "COMPILED":
        from dvonn_tui.engine.backend import COMPILED

        return COMPILED
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
