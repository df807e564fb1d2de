"""A number that changes with the sources of the compiled search, so that a stale one is noticed."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

SOURCES = ("search.py", "search.pxd")


def stamp_of(folder: Path) -> int:
    """The stamp of the sources in a folder, whatever their line ends; 0 when one is missing."""
    stamp = 0
    for name in SOURCES:
        try:
            text = (folder / name).read_bytes()
        except OSError:
            return 0
        stamp = crc32(text.replace(b"\r\n", b"\n"), stamp)
    return stamp or 1
