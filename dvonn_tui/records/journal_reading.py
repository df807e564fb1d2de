"""From the lines of a log file back to the game that they tell.

What was written last may be torn: the program was killed, or the disk was full, in the middle of a line
or of an action. That piece tells of nothing that anybody was shown as saved; it is told and left out, and
whoever goes on with the file writes over it. Any other fault is damage: what stands before it is
loaded, and such a file must not be written to, because what stands behind the fault would be lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dvonn_tui.core.game import Game, LogFault, rebuild
from dvonn_tui.core.log import Annotation, Entry
from dvonn_tui.records.journal_form import (
    Content,
    Header,
    LineFault,
    read_entry,
    read_header,
    read_seating,
    read_turn,
    size_of_action,
    unseal,
)
from dvonn_tui.records.seating import Seating
from dvonn_tui.records.turn_clock import TurnClock

LARGEST_FILE: Final = 64 * 1024 * 1024
"""Bytes of a log file that are read at most; a game of a long evening has some ten thousand."""


class JournalFault(Exception):
    """A log file of which nothing can be loaded. The text is why, in one line for a player.

    Attributes:
        begun: False when it is only a beginning that was torn off, before anything was played.
    """

    def __init__(self, reason: str, *, begun: bool = True) -> None:
        super().__init__(reason)
        self.begun = begun


@dataclass(frozen=True, slots=True)
class Reading:
    """What a log file tells.

    Attributes:
        header: its first line.
        seating: who sits at the board now.
        game: the game, up to the last whole action before any fault.
        aside: the players laid the game aside, and nothing was played since.
        size: how many bytes of the file tell all this; behind them is nothing, or what is torn or damaged.
        checksum: that of the last line in them, with which the next one begins.
        torn: what was torn off at the end and is left out, in words for a player; empty when nothing was.
        damage: the first fault, with its line; empty when there is none.
        turn: what was left in the turn that was broken off; None when nothing is told of it.
    """

    header: Header
    seating: Seating
    game: Game
    aside: bool
    size: int
    checksum: int
    torn: str = ""
    damage: str = ""
    turn: TurnClock | None = None


@dataclass(frozen=True, slots=True)
class _Mark:
    """How much is known to be whole at the end of a line."""

    entries: int
    seating: Seating
    aside: bool
    line: int
    size: int
    checksum: int
    turn: TurnClock | None


class _Reader:
    """Goes through the lines of a file until they end or one is wrong."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = self._line = self._checksum = 0
        self._missing = 0
        """Entries of the running action that are still to come."""
        self.entries: list[Entry] = []
        self.ends: list[_Mark] = []
        """Where something whole ended, the header first."""
        self.header: Header | None = None
        self.damage = ""

    def read(self) -> None:
        """Read all lines that are whole, or all before the first fault."""
        while (end := self._data.find(b"\n", self._at)) >= 0:
            self._line += 1
            try:
                content, self._checksum = unseal(self._data[self._at : end], self._checksum)
                self._at = end + 1
                self._take(content)
            except LineFault as fault:
                self.damage = f"line {self._line}: {fault}"
                return

    def _take(self, content: Content) -> None:
        if self.header is None:
            self.header = read_header(content)
            self._whole(self.header.seating, None, aside=False)
            return
        seating, turn = self.ends[-1].seating, self.ends[-1].turn
        if "n" in content:
            self._take_entry(content)
            if not self._missing:
                begun = not isinstance(self.entries[-1].event, Annotation)
                self._whole(seating, None if begun else turn, aside=False)
        elif self._missing:
            raise LineFault("the action before it is not finished")
        elif "seats" in content:
            seats = content["seats"]
            seating = read_seating(seats if isinstance(seats, dict) else {})
            self._whole(seating, read_turn(content) or turn, aside=False)
        elif content.get("aside") is True:
            self._whole(seating, turn, aside=True)
        else:
            raise LineFault("it tells nothing that is known")

    def _take_entry(self, content: Content) -> None:
        entry = read_entry(content, self.entries)
        if entry.action == entry.number:
            if self._missing:
                raise LineFault("the action before it is not finished")
            self._missing = size_of_action(content)
        elif not self._missing:
            raise LineFault("it belongs to an action that is finished")
        self._missing -= 1
        self.entries.append(entry)

    def _whole(self, seating: Seating, turn: TurnClock | None, *, aside: bool) -> None:
        end = _Mark(len(self.entries), seating, aside, self._line, self._at, self._checksum, turn)
        self.ends.append(end)

    @property
    def torn(self) -> str:
        """What was torn off at the end; empty when nothing was."""
        left = len(self._data) - self.ends[-1].size
        if not left or self.damage:
            return ""
        what = "an unfinished action" if self._missing else "an unfinished line"
        return f"{what} at the end was left out ({left} bytes after line {self.ends[-1].line})"


def read_journal(data: bytes) -> Reading:
    """The game that the bytes of a log file tell. The rules are asked again; nothing stored is believed.

    Raises:
        JournalFault: not even the start of a game can be loaded.
    """
    reader = _Reader(data)
    reader.read()
    if reader.header is None:
        raise JournalFault(reader.damage or "it ends in its first line", begun=bool(reader.damage))
    damage, torn = reader.damage, reader.torn
    ends = [end for end in reader.ends if end.entries]
    game = None
    while ends and game is None:
        try:
            game = rebuild(reader.entries[: ends[-1].entries])
        except LogFault as fault:
            # The entry that the rules do not bear out begins an action: all before it are whole.
            wrong = next(end for end in ends if end.entries > fault.entry)
            damage, torn = f"line {wrong.line}: {fault.reason}", ""
            ends = [end for end in ends if end.entries <= fault.entry]
    if game is None:
        raise JournalFault(damage or "it ends before the start of the game", begun=bool(damage))
    last = ends[-1]
    whole = (last.seating, game, last.aside, last.size, last.checksum)
    return Reading(reader.header, *whole, torn, damage, last.turn)


def load_journal(path: Path) -> Reading:
    """Read a log file.

    Raises:
        JournalFault: as `read_journal`, or the file is too large.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return read_journal(checked_size(file.read(LARGEST_FILE + 1)))


def checked_size(data: bytes) -> bytes:
    """The bytes of a file. Raises JournalFault when they are more than `LARGEST_FILE`."""
    if len(data) > LARGEST_FILE:
        raise JournalFault(f"larger than {LARGEST_FILE // 1024**2} MB, more than any game needs")
    return data
