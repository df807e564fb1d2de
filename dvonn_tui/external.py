"""Other engines, as the settings name them::

    [engines.PrimaDvonna]
    command = "/opt/prima/player --time={gametime}"
    protocol = "codecup"     # dvonn-tui, codecup, or once: a program that is started for each move
    gametime = 60            # seconds for all its moves of a game; or
    movetime = 2000          # milliseconds for a move

The command is split into words as a shell does, but no shell is asked. What may stand in braces in it is
told in `dvonn_tui.play.codecup`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from dvonn_tui.clean import clean_line

PROTOCOLS: Final = ("dvonn-tui", "codecup", "once")
"""The words of `dvonn_tui.play.protocols.ProtocolName`."""

LONGEST_NAME: Final = 40
"""Columns of the name of an engine."""

LONGEST_COMMAND: Final = 2_000
"""Characters of a command."""

LONGEST_TIME: Final = 86_400_000
"""Milliseconds or seconds that can be set at most."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How another engine is started and how long it may think.

    Attributes:
        command: the command line.
        protocol: one of `PROTOCOLS`.
        movetime: milliseconds for a move.
        gametime: seconds for all its moves of a game.
    """

    command: str
    protocol: str = PROTOCOLS[0]
    movetime: int | None = None
    gametime: int | None = None

    def words(self) -> list[str]:
        """The command, split into words as a shell does. Raises ValueError when that cannot be done."""
        import shlex

        return shlex.split(self.command)


_NAMES: Final = tuple(each.name for each in fields(EngineSettings))

Fault = tuple[str, str, str]
"""The name of a value that is wrong, the table that it is in, and what is wrong with it."""


def read_engines(value: object) -> tuple[dict[str, EngineSettings], tuple[Fault, ...]]:
    """Read the table of engines. One with a fault is left out; the others count.

    Raises:
        ValueError: it is no table.
    """
    if not isinstance(value, dict):
        raise ValueError("engines is no table: an engine begins with a line [engines.NAME]")
    engines: dict[str, EngineSettings] = {}
    faults: list[Fault] = []
    for name, table in value.items():
        place = f"engines.{name}"
        shown = clean_line(name, LONGEST_NAME)
        if not isinstance(table, dict):
            faults.append((name, "engines", f"{shown} is no table: an engine begins with [engines.NAME]"))
        elif not shown or shown != name:
            fault = f"{shown!r} is no name for an engine: a clean line of 1 to 40 columns"
            faults.append(("", place, fault))
        else:
            wrong = [(key, place, fault) for key, fault in _faults(shown, table)]
            faults.extend(wrong)
            if not wrong:
                engines[name] = EngineSettings(**table)
    return engines, tuple(faults)


def _faults(name: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with the table of one engine: the key and the fault."""
    known = ", ".join(_NAMES)
    found = [
        (key, f"unknown name {clean_line(key)}; known are {known}") for key in table if key not in _NAMES
    ]
    command = table.get("command")
    if not (isinstance(command, str) and command.strip() and len(command) <= LONGEST_COMMAND):
        found.append(("command", f"the engine {name} needs a command: a text in quotation marks"))
    else:
        try:
            EngineSettings(command).words()
        except ValueError as problem:
            found.append(("command", f"the command of {name} cannot be split into words: {problem}"))
    if table.get("protocol", PROTOCOLS[0]) not in PROTOCOLS:
        allowed = ", ".join(f'"{word}"' for word in PROTOCOLS)
        found.append(("protocol", f"the protocol of {name} can be {allowed}"))
    for key, unit in (("movetime", "milliseconds"), ("gametime", "seconds")):
        time = table.get(key, 1)
        if isinstance(time, bool) or not isinstance(time, int) or not 1 <= time <= LONGEST_TIME:
            found.append((key, f"the {key} of {name} is a whole number of {unit}, from 1"))
    if "movetime" in table and "gametime" in table:
        found.append(("gametime", f"{name} has a movetime already: one of both"))
    return found


def change_engines(
    document: Any, stored: Mapping[str, EngineSettings], engines: Mapping[str, EngineSettings]
) -> None:
    """Change the table of engines in a document of tomlkit; what did not change stays as it is written."""
    if not isinstance(document.get("engines"), dict):
        document.pop("engines", None)
        document["engines"] = {}
    table = document["engines"]
    for name in stored.keys() - engines.keys():
        table.pop(name, None)
    for name, engine in engines.items():
        if stored.get(name) == engine:
            continue
        values = {key: getattr(engine, key) for key in _NAMES if getattr(engine, key) is not None}
        if isinstance(table.get(name), dict):
            for key in [key for key in table[name] if key not in values]:
                table[name].pop(key)
            table[name].update(values)
        else:
            table[name] = values
