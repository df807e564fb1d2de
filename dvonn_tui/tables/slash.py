"""Slash commands: what can be written into the chat line besides what is said.

`COMMANDS` is the one table of them: reading, completing, the help and the list in the README follow it.
The same commands are understood at a table and, where they make sense, in a local game. Nothing here
needs what a table between machines needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.seats import LEVELS
from dvonn_tui.tables.options import DEFAULT_OPTIONS, OPTION_HELP, with_option

OFFERS: Final = ("takeback", "draw", "rematch", "pause")
"""What can be offered, accepted, declined and withdrawn."""

GIVEN_SECONDS: Final = range(1, 601)
"""Seconds that can be given at once."""

_TABLE_OPTIONS: Final = frozenset({"absence", "watchers", "log", "chat"})
"""Options that mean nothing in a local game."""


class Where(StrEnum):
    """Where something is written."""

    TABLE = "table"
    """At a table between machines, before, in and after a game."""
    LOCAL = "local"
    """In a game at one keyboard or against an engine."""


class SlashTrouble(ValueError):
    """A command that cannot be read, or not here. The text says what can be written."""


@dataclass(frozen=True, slots=True)
class Said:
    """No command: something that is said.

    Attributes:
        text: without spaces around it, and without the slash that escaped one.
    """

    text: str


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command that was read.

    Attributes:
        name: its whole name.
        side: the side that was named.
        number: a level or seconds.
        text: an option, an offer, the id of a record, the name of a command; empty when none was named.
    """

    name: str
    side: Side | None = None
    number: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A command as it is told to people.

    Attributes:
        name: its whole name.
        form: what can stand behind it.
        at_table: what it does at a table; empty when it makes no sense there.
        locally: the same for a local game.
        read: reads what stands behind the name. Raises SlashTrouble with what can.
        choices: what can stand behind it, for completion.
        whole: True when the name has to be written out, because a slip could not be taken back.
    """

    name: str
    form: str
    at_table: str
    locally: str
    read: Callable[[str, list[str]], SlashCommand]
    choices: tuple[str, ...] = ()
    whole: bool = False

    def does(self, where: Where) -> str:
        """What it does somewhere; empty when it makes no sense there."""
        return self.at_table if where is Where.TABLE else self.locally

    @property
    def written(self) -> str:
        """How it is written, with what can stand behind it."""
        return f"/{self.name} {self.form}".rstrip()


def read(text: str, where: Where | None = None) -> SlashCommand | Said:
    """Read what was written into the chat line.

    A text that begins with ``/`` is a command; of its name the beginning is enough when no other begins
    like it. ``//`` begins a text that is said and starts with a slash.

    Args:
        text: what was written.
        where: where it was written; None when any command will do.

    Raises:
        SlashTrouble: there is no such command, it makes no sense there, or what stands behind it is wrong.
    """
    words = text.split()
    if not text.lstrip().startswith("/"):
        return Said(text.strip())
    if text.lstrip().startswith("//"):
        return Said(text.strip()[1:])
    entry = _entry_of(words[0][1:].lower(), where)
    command = entry.read(entry.name, words[1:])
    if where is Where.LOCAL and command.name == "option" and command.text:
        _check_local_option(command.text)
    return command


def complete(text: str, where: Where) -> tuple[str, ...]:
    """Whole lines that begin with what is written so far, in the order of the help; none for what is said."""
    written = text.lstrip()
    if not written.startswith("/") or written.startswith("//"):
        return ()
    name, space, rest = written[1:].partition(" ")
    if not space:
        return tuple(f"/{entry.name}" for entry in entries(where) if entry.name.startswith(name.lower()))
    try:
        entry = _entry_of(name.lower(), where)
    except SlashTrouble:
        return ()
    begun = " ".join(rest.lower().split()) + (" " if rest.endswith(" ") and rest.strip() else "")
    return tuple(f"/{entry.name} {choice}" for choice in _choices(entry, where) if choice.startswith(begun))


def entries(where: Where) -> tuple[Entry, ...]:
    """The commands that make sense somewhere, in the order of the help."""
    return tuple(entry for entry in COMMANDS if entry.does(where))


def help_lines(where: Where, name: str = "") -> tuple[str, ...]:
    """The commands that make sense somewhere, each in a line; with a name all about that one.

    Raises:
        SlashTrouble: there is no command of that name.
    """
    if name:
        entry = _entry_of(name.lower().removeprefix("/"), where, exactly=False)
        options = option_lines(where) if entry.name == "option" else ()
        return (f"{entry.written}: {entry.does(where)}", *options)
    shown = entries(where)
    width = max(len(entry.written) for entry in shown)
    return tuple(f"{entry.written:<{width}}  {entry.does(where)}" for entry in shown)


def option_lines(where: Where) -> tuple[str, ...]:
    """What can be set, each in a line with what it does."""
    shown = [(option, does) for option, does in OPTION_HELP if _makes_sense(option, where)]
    width = max(len(option) for option, _ in shown)
    return tuple(f"/option {option:<{width}}  {does}" for option, does in shown)


def readme_lines() -> tuple[str, ...]:
    """The commands as the rows of the table in the README."""
    rows = ["| command | at a table | in a local game |", "|---|---|---|"]
    for entry in COMMANDS:
        form = entry.written.replace("|", "\\|")
        rows.append(f"| `{form}` | {entry.at_table or '-'} | {entry.locally or '-'} |")
    return tuple(rows)


def _entry_of(name: str, where: Where | None, *, exactly: bool = True) -> Entry:
    """The command of a name, or of the beginning of one. With `exactly` some have to be written out."""
    if not name:
        raise SlashTrouble("behind the / stands a command: /help lists them")
    shown = clean_line(name)
    found = [entry for entry in COMMANDS if entry.name.startswith(name) and (not where or entry.does(where))]
    found = [entry for entry in found if entry.name == name] or found
    if not found:
        there = any(entry.name == name for entry in COMMANDS)
        raise SlashTrouble(_elsewhere(name, where) if there else f"no command /{shown}: /help lists them")
    if len(found) > 1:
        several = ", ".join(f"/{entry.name}" for entry in found)
        raise SlashTrouble(f"/{shown} could be {several}")
    if exactly and found[0].whole and found[0].name != name:
        raise SlashTrouble(f"/{found[0].name} has to be written out")
    return found[0]


def _elsewhere(name: str, where: Where | None) -> str:
    place = "at a table between two machines" if where is Where.LOCAL else "in a local game"
    return f"/{name} makes sense only {place}"


def _choices(entry: Entry, where: Where) -> tuple[str, ...]:
    if entry.name == "help":
        return tuple(each.name for each in entries(where))
    if entry.name == "option":
        return tuple(choice for choice in entry.choices if _makes_sense(choice, where))
    return entry.choices


def _makes_sense(option: str, where: Where) -> bool:
    return where is Where.TABLE or option.split()[0] not in _TABLE_OPTIONS


def _check_local_option(option: str) -> None:
    if not _makes_sense(option, Where.LOCAL):
        name = option.split()[0]
        raise SlashTrouble(f"the option {name} makes sense only at a table between two machines")


# What stands behind the names


def _nothing(name: str, words: list[str]) -> SlashCommand:
    if words:
        raise SlashTrouble(f"behind /{name} stands nothing")
    return SlashCommand(name)


def _side(name: str, words: list[str]) -> SlashCommand:
    sides = [side for word in words if (side := _side_of(word)) is not None]
    if len(words) > 1 or len(sides) != len(words):
        raise SlashTrouble(f"behind /{name} stands white, black, or nothing")
    return SlashCommand(name, side=sides[0] if sides else None)


def _side_of(word: str) -> Side | None:
    """The side of a word: ``white``, ``black`` or the beginning of one."""
    return next((side for side in Side if side.word.lower().startswith(word.lower())), None)


def _bot(name: str, words: list[str]) -> SlashCommand:
    """A level, and a side before or behind it."""
    levels = [number for word in words if (number := _number_of(word)) in LEVELS]
    sides = [side for word in words if (side := _side_of(word)) is not None]
    if len(levels) != 1 or len(sides) > 1 or len(words) != 1 + len(sides):
        raise SlashTrouble(
            f"behind /{name} stands a level from {LEVELS[0]} to {LEVELS[-1]}, then white or black"
        )
    return SlashCommand(name, sides[0] if sides else None, levels[0])


def _seconds(name: str, words: list[str]) -> SlashCommand:
    seconds = _number_of(words[0]) if len(words) == 1 else None
    if seconds not in GIVEN_SECONDS:
        raise SlashTrouble(f"behind /{name} stand the seconds, {GIVEN_SECONDS[0]} to {GIVEN_SECONDS[-1]}")
    return SlashCommand(name, number=seconds)


def _number_of(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= 4 else None


def _option(name: str, words: list[str]) -> SlashCommand:
    text = " ".join(words).lower()
    if text:
        try:
            with_option(DEFAULT_OPTIONS, text)
        except ValueError as problem:
            raise SlashTrouble(str(problem)) from problem
    return SlashCommand(name, text=text)


def _offer(name: str, words: list[str]) -> SlashCommand:
    offers = [offer for word in words for offer in OFFERS if offer.startswith(word.lower())]
    if len(words) > 1 or len(offers) != len(words):
        raise SlashTrouble(f"behind /{name} stands {_listed(OFFERS)}, or nothing")
    return SlashCommand(name, text=offers[0] if offers else "")


def _record(name: str, words: list[str]) -> SlashCommand:
    if len(words) > 1 or len("".join(words)) > 40:
        raise SlashTrouble(f"behind /{name} stands the id of a record, or nothing for the last game here")
    return SlashCommand(name, text=clean_line("".join(words)))


def _command(name: str, words: list[str]) -> SlashCommand:
    if len(words) > 1:
        raise SlashTrouble(f"behind /{name} stands one command, or nothing")
    return SlashCommand(name, text=clean_line("".join(words).removeprefix("/").lower()))


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


_SIDES: Final = tuple(side.word.lower() for side in Side)
_BOTS: Final = (
    *(str(level) for level in LEVELS),
    *(f"{level} {side}" for level in LEVELS for side in _SIDES),
)

_HELP: Final = "list the commands, or tell about one"

COMMANDS: Final = (
    Entry(
        "join",
        "[white|black]",
        "sit down; without a colour on a free side",
        "take a colour; the other player, person or engine, has the other",
        _side,
        _SIDES,
    ),
    Entry(
        "start", "", "be ready: the game begins, or goes on, when both are", "begin the next game", _nothing
    ),
    Entry(
        "option",
        "[TEXT]",
        "set an option; without one, list what is set and what can be",
        "set an option of the next game; without one, list what is set and what can be",
        _option,
        tuple(option for option, _ in OPTION_HELP),
    ),
    Entry(
        "remove",
        "[white|black]",
        "free the seat of a bot, or of a player who is away before a game",
        "take the engine off its seat",
        _side,
        _SIDES,
        whole=True,
    ),
    Entry(
        "bot",
        "LEVEL [white|black]",
        "give a free seat to an engine of a level from 1 to 10",
        "let an engine of a level from 1 to 10 play a side",
        _bot,
        _BOTS,
    ),
    Entry(
        "takeback",
        "",
        "offer to take your last move back",
        "take the last move back, or your own and the answer",
        _nothing,
    ),
    Entry("draw", "", "offer a draw", "agree on a draw", _nothing),
    Entry("accept", "[OFFER]", "accept what the other side offers", "", _offer, OFFERS),
    Entry("decline", "[OFFER]", "decline what the other side offers", "", _offer, OFFERS),
    Entry("withdraw", "[OFFER]", "take your own offer back", "", _offer, OFFERS),
    Entry("resign", "", "give the game up", "give the game up", _nothing, whole=True),
    Entry(
        "rematch",
        "",
        "offer another game with colours exchanged",
        "play again with colours exchanged",
        _nothing,
    ),
    Entry("pause", "", "offer a pause: the clocks stand still", "pause: the clocks stand still", _nothing),
    Entry("goon", "", "end the pause", "end the pause", _nothing),
    Entry("addtime", "SECONDS", "give the other side time, 600 seconds at most", "", _seconds, ("30", "60")),
    Entry("claim", "", "claim the game when the other has been away for too long", "", _nothing),
    Entry("adjourn", "", "leave the game for later, in the same case", "", _nothing),
    Entry("watch", "", "stand up, when no game is running, and watch", "", _nothing),
    Entry(
        "leave",
        "",
        "go away from the table; in a running game your seat is kept",
        "",
        _nothing,
        whole=True,
    ),
    Entry("who", "", "list who plays, who is away and who watches", "list who plays", _nothing),
    Entry(
        "record", "[ID]", "open a record that the server keeps, by default that of the last game", "", _record
    ),
    Entry("help", "[COMMAND]", _HELP, _HELP, _command),
)
"""Every command, in the order of the help."""
