"""The benchmarks need pseudo-terminals."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    collect_ignore_glob = ["test_*.py"]
