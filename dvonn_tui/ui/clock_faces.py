"""What is seen of the clocks: their faces, and when they look different next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.clocks import ClockRule, Clocks, clock_text

SOON: Final = 30.0
"""Seconds below which a clock warns: a sign, and bold."""

NOW: Final = 10.0
"""Seconds below which it shows tenths, and warns in reverse video while it runs."""

SHORT_SOON: Final = 4
SHORT_NOW: Final = 8
"""A short clock warns only when no more than these parts of it are left, else it would warn all the time."""

LEAST_WAIT: Final = 0.005
"""Seconds until a face is looked at again at least: timers can come a little early."""


class Urgency(IntEnum):
    """How little is left."""

    CALM = 0
    SOON = 1
    NOW = 2


@dataclass(frozen=True, slots=True)
class ClockFace:
    """One clock as it is seen.

    Attributes:
        text: what is left, rounded down.
        running: whether it runs.
        urgency: how little is left.
    """

    text: str
    running: bool = False
    urgency: Urgency = Urgency.CALM

    @property
    def marked(self) -> str:
        """The text with a sign before it when little is left."""
        return f"! {self.text}" if self.urgency else self.text


Faces = tuple[ClockFace, ClockFace]
"""The clocks of White and of Black."""


def faces(clocks: Clocks, now: float) -> Faces:
    """Both clocks as they are seen at a reading of their monotonic clock."""
    white, black = (_face(clocks, side, now) for side in Side)
    return white, black


def _face(clocks: Clocks, side: Side, now: float) -> ClockFace:
    left = clocks.left(side, now)
    return ClockFace(clock_text(left), clocks.running is side, urgency_of(left, clocks.rule))


def urgency_of(left: float, rule: ClockRule) -> Urgency:
    """How urgent it is with so many seconds left."""
    if left < min(NOW, rule.seconds / SHORT_NOW):
        return Urgency.NOW
    return Urgency.SOON if left < min(SOON, rule.seconds / SHORT_SOON) else Urgency.CALM


def next_look(clocks: Clocks, now: float) -> float | None:
    """In how many seconds the running clock looks different, or its flag falls; None when none runs."""
    if clocks.running is None or not clocks.rule.counted:
        return None
    left = clocks.left(clocks.running, now)
    step = 0.1 if left <= NOW else 1.0
    beyond = left % step
    # The face changes just below a whole step; at one, it does so at once.
    return clocks.delay_left(now) + max(beyond, LEAST_WAIT)
