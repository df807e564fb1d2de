"""``python -m dvonn_tui`` is the same as ``dvonn-tui``."""

from __future__ import annotations

import sys

from dvonn_tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
