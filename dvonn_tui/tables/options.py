"""What can be set at a table, in the words of the chat line: ``time 10``, ``manual``, ``watchers off``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.clocks import NO_CLOCK, ClockRule, parse_clock

LONGEST_ABSENCE: Final = 24 * 60
"""Minutes."""

LONGEST_OPTION: Final = 60
"""Characters of the text of an option."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What is set at a table.

    Attributes:
        setup: how the board is filled; `Setup.MANUAL` is BrettspielWelt's ``profi``.
        clock: how time is counted.
        absence: the minutes that a player may be away in all before the other can claim the game.
        watchers: False when nobody may watch.
        chat_apart: True when watchers do not read what the players write, and the other way round.
        log: True when the server keeps the record of each game, to be opened later by its id.
    """

    setup: Setup = Setup.BALANCED
    clock: ClockRule = NO_CLOCK
    absence: int = 5
    watchers: bool = True
    chat_apart: bool = False
    log: bool = False

    def texts(self) -> tuple[str, ...]:
        """Every option as `with_option` reads it."""
        return (
            str(self.setup),
            f"time {self.clock}",
            f"absence {self.absence}",
            f"watchers {_on_off(self.watchers)}",
            f"chat {'apart' if self.chat_apart else 'open'}",
            f"log {_on_off(self.log)}",
        )


DEFAULT_OPTIONS: Final = TableOptions()

OPTION_HELP: Final = (
    ("time 10", "minutes for each player; whoever oversteps them loses"),
    ("time 5+3", "minutes, and seconds added by every move"),
    ("time 5d3", "minutes, and seconds before the clock runs in every turn"),
    ("time 30s", "seconds for every move"),
    ("time none", "no clock"),
    ("random", "every board equally likely"),
    ("balanced", "a drawn board that is fair to both"),
    ("symmetric", "a drawn board, the same for both"),
    ("manual", "the players place the pieces"),
    ("profi", "the same, as BrettspielWelt calls it"),
    ("log", "keep the record of the game for everybody"),
    ("log off", "keep no record"),
    ("absence 5", "minutes that a player may be away in all"),
    ("watchers on", "everybody may watch"),
    ("watchers off", "nobody may watch"),
    ("chat open", "players and watchers read each other"),
    ("chat apart", "players and watchers write among themselves"),
)
"""What can be written, each with what it does; the order is that of the help."""


def with_option(options: TableOptions, text: str) -> TableOptions:
    """The options after one was set, by a text such as ``time 10``.

    Raises:
        ValueError: there is no such option or value; the text says what can be written.
    """
    words = text.lower().split()
    name, rest = (words[0] if words else ""), words[1:]
    if not words or len(text) > LONGEST_OPTION:
        raise ValueError("an option is " + ", ".join(_NAMES))
    if name in _SETUPS:
        if rest and rest != ["on"]:
            raise ValueError(f"{name} stands alone")
        return replace(options, setup=_SETUPS[name])
    change = _CHANGES.get(name)
    if change is None:
        raise ValueError(f"no option {clean_line(name)!r}: there are {', '.join(_NAMES)}")
    return change(options, rest)


def shown_option(text: str) -> str:
    """A text that `with_option` reads, as it is told: a set-up has one name wherever it is shown."""
    setup = _SETUPS.get(text.lower().strip())
    return text if setup is None else str(setup)


def _clock(options: TableOptions, rest: list[str]) -> TableOptions:
    if len(rest) != 1:
        raise ValueError("time wants one word behind it, such as 10, 5+3, 5d3, 30s or none")
    return replace(options, clock=parse_clock(rest[0]))


def _absence(options: TableOptions, rest: list[str]) -> TableOptions:
    word = rest[0] if len(rest) == 1 else ""
    if not (word.isascii() and word.isdecimal() and len(word) <= 4 and int(word) <= LONGEST_ABSENCE):
        raise ValueError(f"absence wants whole minutes, 0 to {LONGEST_ABSENCE}")
    return replace(options, absence=int(word))


def _watchers(options: TableOptions, rest: list[str]) -> TableOptions:
    return replace(options, watchers=_switch("watchers", rest))


def _log(options: TableOptions, rest: list[str]) -> TableOptions:
    return replace(options, log=_switch("log", rest))


def _chat(options: TableOptions, rest: list[str]) -> TableOptions:
    if rest not in (["apart"], ["open"]):
        raise ValueError("chat is open or apart")
    return replace(options, chat_apart=rest == ["apart"])


def _switch(name: str, rest: list[str]) -> bool:
    """A bare name switches on."""
    if rest not in ([], ["on"], ["off"]):
        raise ValueError(f"{name} is on or off")
    return rest != ["off"]


def _on_off(value: bool) -> str:
    return "on" if value else "off"


_SETUPS: Final = {
    "random": Setup.RANDOM,
    "balanced": Setup.BALANCED,
    "symmetric": Setup.SYMMETRIC,
    "profi": Setup.MANUAL,
    "manual": Setup.MANUAL,
}

_CHANGES: Final[dict[str, Callable[[TableOptions, list[str]], TableOptions]]] = {
    "time": _clock,
    "absence": _absence,
    "watchers": _watchers,
    "log": _log,
    "chat": _chat,
}

_NAMES: Final = ("time", "random", "balanced", "symmetric", "manual", "log", "absence", "watchers", "chat")
