"""Clocks: how time is given to two players, and how much of it is left.

Nothing here reads a clock. Whoever keeps the time hands in readings of one monotonic clock, in seconds;
only differences between them count. A `Clocks` is a value: every change gives another one, so that what
a takeback restores is simply the value from before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side

SHORTEST: Final = 1.0
"""Seconds on a clock, or for a move, at least."""

LONGEST: Final = 24 * 3600.0
"""Seconds on a clock at most; time that is given or won beyond it is lost."""

MOST_EXTRA: Final = 600.0
"""Seconds of increment or delay at most."""


class ClockKind(StrEnum):
    """How time is counted."""

    NONE = "none"
    """Nobody counts it."""
    TOTAL = "total"
    """Each player has so much for the whole game; whoever oversteps it loses at once."""
    FISCHER = "fischer"
    """The same, and every action adds an increment."""
    DELAY = "delay"
    """The same, and in every turn the clock begins to run after a delay."""
    MOVE = "move"
    """So much for every action; what is not used is gone."""


@dataclass(frozen=True, slots=True)
class ClockRule:
    """How time is given.

    Attributes:
        kind: how it is counted.
        seconds: what is on each clock at the start; for `ClockKind.MOVE` what there is for each action.
        extra: the increment of `ClockKind.FISCHER` or the delay of `ClockKind.DELAY`, in seconds.
    """

    kind: ClockKind = ClockKind.NONE
    seconds: float = 0.0
    extra: float = 0.0

    @property
    def counted(self) -> bool:
        """False when there is no clock."""
        return self.kind is not ClockKind.NONE

    def __str__(self) -> str:
        minutes = _plain(self.seconds / 60)
        match self.kind:
            case ClockKind.NONE:
                return "none"
            case ClockKind.TOTAL:
                return minutes
            case ClockKind.FISCHER:
                return f"{minutes}+{_plain(self.extra)}"
            case ClockKind.DELAY:
                return f"{minutes}d{_plain(self.extra)}"
            case ClockKind.MOVE:
                return f"{_plain(self.seconds)}s"

    @property
    def words(self) -> str:
        """The rule as people say it."""
        minutes = f"{self.seconds / 60:g} min"
        match self.kind:
            case ClockKind.NONE:
                return "no clock"
            case ClockKind.TOTAL:
                return f"{minutes} a player"
            case ClockKind.FISCHER:
                return f"{minutes} + {self.extra:g} s a move"
            case ClockKind.DELAY:
                return f"{minutes}, delay {self.extra:g} s"
            case ClockKind.MOVE:
                return f"{self.seconds:g} s a move"


NO_CLOCK: Final = ClockRule()

_FORM: Final = r"(?a)(\d{1,5}(?:\.\d{1,6})?)(?:\s*(s)|\s*([+d])\s*(\d{1,3}(?:\.\d{1,3})?))?"
"""Compiled when it is needed: the start of a game need not wait for it."""

FORMS: Final = (
    "none, 10 (minutes a player), 5+3 (and seconds a move), 5d3 (and a delay), 30s (seconds for every move)"
)


def parse_clock(text: str) -> ClockRule:
    """Read a rule: ``none``, ``10``, ``5+3``, ``5d3`` or ``30s``; `str` of a rule is the other way.

    Raises:
        ValueError: it is none, or out of range; the text says what can be written.
    """
    word = text.strip().lower()
    if word in ("none", "off", "no", "0"):
        return NO_CLOCK
    found = re.fullmatch(_FORM, word)
    if found is None:
        raise ValueError(f"no clock {clean_line(text)!r}: it can be {FORMS}")
    number, for_a_move, sign, extra = found.groups()
    return _rule(float(number) * (1 if for_a_move else 60), bool(for_a_move), sign, extra)


def time_control(rule: ClockRule) -> str:
    """A rule as records write it in their tag TimeControl, in seconds.

    ``600``, ``300+3`` and ``-`` for no clock are PGN's (section 9.6 of its standard), as is ``1/30`` for
    one move in each 30 seconds. PGN knows no delay; ``300d3`` is how chess servers write it.
    """
    seconds, extra = _plain(rule.seconds), _plain(rule.extra)
    match rule.kind:
        case ClockKind.NONE:
            return "-"
        case ClockKind.TOTAL:
            return seconds
        case ClockKind.FISCHER:
            return f"{seconds}+{extra}"
        case ClockKind.DELAY:
            return f"{seconds}d{extra}"
        case ClockKind.MOVE:
            return f"1/{seconds}"


_TIME_CONTROL: Final = r"(?a)(1/)?(\d{1,5}(?:\.\d{1,6})?)(?:\s*([+d])\s*(\d{1,3}(?:\.\d{1,3})?))?"


def read_time_control(text: str) -> ClockRule:
    """The rule of a tag TimeControl: what `time_control` writes; ``-`` and ``?`` are no clock.

    Raises:
        ValueError: it is another form, such as PGN's for several periods, or out of range.
    """
    word = text.strip().lower()
    if word in ("", "-", "?", "0"):
        return NO_CLOCK
    found = re.fullmatch(_TIME_CONTROL, word)
    if found is None or (found[1] and found[3]):
        raise ValueError(f"no clock of this program: {clean_line(text, 60)!r}")
    for_a_move, number, sign, extra = found.groups()
    return _rule(float(number), bool(for_a_move), sign, extra)


def _rule(seconds: float, for_a_move: bool, sign: str | None, extra: str | None) -> ClockRule:
    """The rule of what was written. Raises ValueError when it is out of range."""
    added = float(extra or 0)
    if for_a_move:
        return _in_range(ClockRule(ClockKind.MOVE, seconds))
    if added == 0:
        return _in_range(ClockRule(ClockKind.TOTAL, seconds))
    return _in_range(ClockRule(ClockKind.FISCHER if sign == "+" else ClockKind.DELAY, seconds, added))


def _in_range(rule: ClockRule) -> ClockRule:
    if not SHORTEST <= rule.seconds <= LONGEST:
        raise ValueError(f"a clock has {SHORTEST:g} second to {LONGEST / 3600:g} hours")
    if rule.extra > MOST_EXTRA:
        raise ValueError(f"an increment or a delay has {MOST_EXTRA:g} seconds at most")
    return rule


def _plain(number: float) -> str:
    """A number with the digits that the forms take, and no more than it needs."""
    return f"{number:.6f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Clocks:
    """Two clocks, of which at most one runs.

    Attributes:
        rule: how time is given.
        white, black: the seconds that were left at `since`, 0 or more.
        running: whose clock runs.
        grace: the seconds of delay that were left in this turn at `since`.
        since: the reading of the monotonic clock at which all this was so.
    """

    rule: ClockRule
    white: float
    black: float
    running: Side | None = None
    grace: float = 0.0
    since: float = 0.0

    @classmethod
    def full(cls, rule: ClockRule) -> Clocks:
        """Both clocks as at the start of a game; none runs."""
        grace = rule.extra if rule.kind is ClockKind.DELAY else 0.0
        return cls(rule, rule.seconds, rule.seconds, grace=grace)

    def left(self, side: Side, now: float) -> float:
        """The seconds that a side has left: never negative, never more than at `since`."""
        kept = self.white if side is Side.WHITE else self.black
        used = now - self.since - self.grace
        if side is not self.running or used <= 0:
            return kept
        return max(kept - used, 0.0)

    def delay_left(self, now: float) -> float:
        """The seconds of delay that are left in this turn."""
        used = now - self.since
        if not self.grace or self.running is None or used <= 0:
            return self.grace
        return max(self.grace - used, 0.0)

    def fallen(self, now: float) -> Side | None:
        """The side whose time is up."""
        if self.running is None or not self.rule.counted or self.left(self.running, now) > 0:
            return None
        return self.running

    def seconds_to_flag(self, now: float) -> float | None:
        """In how many seconds the flag of the running clock falls; None when no clock runs."""
        if not self.rule.counted or self.running is None:
            return None
        return self.left(self.running, now) + self.delay_left(now)

    def read(self, now: float) -> Clocks:
        """The same clocks with what is left now."""
        return self._read(now, self.running)

    def _read(self, now: float, running: Side | None) -> Clocks:
        """The same with another clock running, or none. Made anew, which costs half of a `replace`: a
        server of tables does it for every move."""
        if running is self.running and now <= self.since:
            return self
        white, black = self.left(Side.WHITE, now), self.left(Side.BLACK, now)
        # A reading from before `since` is none: what was counted once is not given back.
        since = max(now, self.since)
        return Clocks(self.rule, white, black, running, self.delay_left(now), since)

    def run(self, side: Side, now: float) -> Clocks:
        """Let the clock of a side run, for the first time in its turn or again after a halt."""
        return self._read(now, side)

    def halt(self, now: float) -> Clocks:
        """Stop both clocks; `run` lets the turn go on where it was."""
        return self._read(now, None)

    def turn(self, mover: Side, following: Side | None, now: float) -> Clocks:
        """A side has acted, and the turn of another, or again of the same, begins.

        With `following` None the game is over and both clocks stand still.
        """
        rule, grace = self.rule, self.delay_left(now)
        white, black = self.left(Side.WHITE, now), self.left(Side.BLACK, now)
        if rule.kind is ClockKind.FISCHER and following is not None:
            added = rule.extra
            white, black = (white + added, black) if mover is Side.WHITE else (white, black + added)
            white, black = min(white, LONGEST), min(black, LONGEST)
        elif rule.kind is ClockKind.DELAY:
            grace = rule.extra
        elif rule.kind is ClockKind.MOVE and following is not None:
            white = black = rule.seconds
        return Clocks(rule, white, black, following, grace, max(now, self.since))

    def give(self, side: Side, seconds: float) -> Clocks:
        """Give a side more time. To be asked of clocks that were just read."""
        if side is Side.WHITE:
            return replace(self, white=min(self.white + seconds, LONGEST))
        return replace(self, black=min(self.black + seconds, LONGEST))


def clock_text(seconds: float) -> str:
    """What a clock shows: ``1:02:03``, ``4:05``, below ten seconds ``0:09.8``. Rounded down."""
    if seconds < 10:
        tenths = int(max(seconds, 0.0) * 10)
        return f"0:{tenths // 10:02}.{tenths % 10}"
    whole = int(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
