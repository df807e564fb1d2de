"""Who sits where: a person, our engine at a level, or another engine.

A seat as text, on the command line and in the settings: ``human``, ``level 3``, ``engine NAME``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side
from dvonn_tui.external import LONGEST_NAME, EngineSettings
from dvonn_tui.play.clocks import ClockKind, ClockRule, Clocks
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.protocols import ProtocolName
from dvonn_tui.play.thoughts import Limits

LEVELS: Final = range(1, 11)

LEVEL_PATIENCE: Final = 30.0
"""Seconds after which a level, which thinks by nodes and not by time, is told to play what it has."""

MOVETIME: Final = 2_000
"""Milliseconds that another engine has for a move when its settings say nothing."""


SHARE_OF_MOVE: Final = 0.8
"""How much of the time for one move an engine is given: it may take a little longer than it is told."""

ON_THE_WAY: Final = 0.1
"""Seconds of a clock that a question and its answer may take on their way."""


@dataclass(frozen=True, slots=True)
class Human:
    """A person at this keyboard."""

    def __str__(self) -> str:
        return "human"


@dataclass(frozen=True, slots=True)
class LevelSeat:
    """Our engine at a level, 1 to 10."""

    level: int

    def __str__(self) -> str:
        return f"level {self.level}"


@dataclass(frozen=True, slots=True)
class EngineSeat:
    """Another engine, by the name that it has in the settings."""

    name: str
    engine: EngineSettings

    def __str__(self) -> str:
        return f"engine {self.name}"


Seat = Human | LevelSeat | EngineSeat

HUMAN: Final = Human()


def parse_seat(text: str, engines: Mapping[str, EngineSettings]) -> Seat:
    """Read a seat.

    Raises:
        ValueError: it is none, there is no such level, or no engine of that name in the settings.
    """
    words = text.split(maxsplit=1)
    kind = words[0].lower() if words else ""
    rest = words[1].strip() if len(words) > 1 else ""
    if kind == "human" and not rest:
        return HUMAN
    if kind == "level":
        if rest.isascii() and rest.isdecimal() and len(rest) < 3 and int(rest) in LEVELS:
            return LevelSeat(int(rest))
        raise ValueError(f"a level is a number from {LEVELS[0]} to {LEVELS[-1]}, not {clean_line(rest)!r}")
    if kind == "engine" and rest:
        if rest in engines:
            return EngineSeat(rest, engines[rest])
        known = ", ".join(sorted(engines)) or "none; they are named in the settings file"
        raise ValueError(f"no engine {clean_line(rest, LONGEST_NAME)!r}; known are {known}")
    raise ValueError(f"cannot read the seat {clean_line(text)!r}: it can be human, level 3, engine NAME")


def seat_name(seat: Seat) -> str:
    """What a seat is called at the board."""
    match seat:
        case Human():
            return "Human"
        case LevelSeat(level):
            return f"Level {level}"
        case EngineSeat(name, _):
            return name


def launch_of(seat: LevelSeat | EngineSeat, seed: int) -> Launch:
    """How the engine of a seat is started. The seed varies how a level plays."""
    match seat:
        case LevelSeat(level):
            return Launch(seat_name(seat), options={"level": str(level), "seed": str(seed)})
        case EngineSeat(name, engine):
            movetime = MOVETIME if engine.movetime is None else engine.movetime
            values = {
                "movetime": str(movetime),
                "seconds": f"{movetime / 1000:g}",
                "gametime": str(engine.gametime or 0),
                "seed": str(seed),
            }
            protocol = ProtocolName(engine.protocol)
            return Launch(name, tuple(engine.words()), protocol, values=values)


def clock_values(rule: ClockRule) -> dict[str, str]:
    """What a game's clock says in place of an engine's own times, where its command has room for them.

    Such an engine cannot be told what is left: of an increment or a delay it learns nothing.
    """
    if rule.kind is ClockKind.MOVE:
        seconds = rule.seconds * SHARE_OF_MOVE
        return {"movetime": str(int(seconds * 1000)), "seconds": f"{seconds:g}"}
    return {"gametime": f"{rule.seconds:g}"} if rule.counted else {}


def limits_of(seat: LevelSeat | EngineSeat, used: float, clocks: Clocks | None = None) -> Limits:
    """How long the engine of a seat may think now.

    Args:
        used: the seconds that it has used in this game. They count for an engine with a time of its own.
        clocks: the clocks of the game, just read, of which the engine's runs; None without any. A level
            thinks by nodes and so takes less time than it has; the clock keeps it from taking more.
    """
    if clocks is not None:
        return _limits_by_clock(seat, clocks)
    if isinstance(seat, LevelSeat):
        return Limits(patience=LEVEL_PATIENCE)
    engine = seat.engine
    if engine.gametime is not None:
        left = max(round((engine.gametime - used) * 1000), 1)
        # People have no clock; an engine looks at its own only.
        return Limits(clocks=(left, left))
    return Limits(movetime=MOVETIME if engine.movetime is None else engine.movetime)


def _limits_by_clock(seat: LevelSeat | EngineSeat, clocks: Clocks) -> Limits:
    rule, now = clocks.rule, clocks.since
    own = seat.engine.movetime if isinstance(seat, EngineSeat) else None
    white, black = (clocks.left(side, now) + (clocks.grace if side is clocks.running else 0) for side in Side)
    if rule.kind is ClockKind.MOVE:
        left = white if clocks.running is Side.WHITE else black
        movetime = max(round((left * SHARE_OF_MOVE - ON_THE_WAY) * 1000), 1)
        return Limits(movetime=movetime if own is None else min(own, movetime))
    left_white, left_black = (max(round((left - ON_THE_WAY) * 1000), 1) for left in (white, black))
    gained = round(rule.extra * 1000) if rule.kind is ClockKind.FISCHER else 0
    return Limits(movetime=own, clocks=(left_white, left_black), increments=(gained, gained))
