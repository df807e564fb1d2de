"""A game as an asciinema recording, version 2: what a terminal would have been sent, and when.

The form is described at docs.asciinema.org/manual/asciicast/v2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from dvonn_tui.art.frames import Frame
from dvonn_tui.art.lattice import SCALES, Lattice
from dvonn_tui.art.painter import BoardPainter, Look, runs
from dvonn_tui.art.palettes import DARK, Palette
from dvonn_tui.art.scene import Ink, Scene
from dvonn_tui.clean import clean_line

REST: Final = 3.0
"""Seconds after the last frame."""

_SCALE: Final = next(scale for scale in SCALES if scale.name == "8x3")


def cast(frames: Sequence[Frame], seconds: float, *, title: str, palette: Palette = DARK) -> str:
    """A recording of frames, each for so many seconds. There is at least one frame; the title is clean."""
    lattice = Lattice(_SCALE)
    head = {
        "version": 2,
        "width": lattice.width + 2,
        "height": lattice.height + 3,
        "title": title,
        "env": {"TERM": "xterm-256color"},
    }
    lines = [json.dumps(head)]
    painter = BoardPainter(Look.DISCS, lattice, palette)
    clear = f"{_sgr(Ink(palette.text, palette.app))}\x1b[2J\x1b[?25l"
    for number, frame in enumerate(frames):
        drawn = "".join(_drawn(painter, frame, lattice))
        lines.append(json.dumps([round(number * seconds, 3), "o", drawn if number else clear + drawn]))
    lines.append(json.dumps([round(len(frames) * seconds + REST, 3), "o", "\x1b[0m\x1b[?25h"]))
    return "\n".join(lines) + "\n"


def _drawn(painter: BoardPainter, frame: Frame, lattice: Lattice) -> Iterator[str]:
    """What changes the picture to a frame."""
    for span in painter.paint(Scene(stacks=frame.stacks, last=frame.last)):
        yield f"\x1b[{span.row + 2};{span.start + 2}H"
        for text, ink in runs(painter.rows[span.row], span.start, span.end):
            yield _sgr(ink) + text
    caption = clean_line(frame.caption, lattice.width) if frame.caption else ""
    words = _sgr(Ink(painter.palette.text, painter.palette.app))
    yield f"\x1b[{lattice.height + 3};2H{words}\x1b[2K{caption}"


def _sgr(ink: Ink) -> str:
    """The escape sequence that makes a terminal write in an ink."""
    attributes = {"1": ink.bold, "4": ink.underline, "7": ink.reverse, "9": ink.strike}
    codes = ["0", *(code for code, on in attributes.items() if on)]
    for code, colour in (("38", ink.foreground), ("48", ink.background)):
        if colour.startswith("#"):
            red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
            codes.append(f"{code};2;{red};{green};{blue}")
    return f"\x1b[{';'.join(codes)}m"
