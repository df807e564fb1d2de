"""The lines of a game's log file, written and read.

Every line holds one thing as JSON, and before it a checksum::

    3f9a0c51 {"journal":1,"begun":"2026-11-30T15:30:12+01:00","white":"human","black":"level 3"}
    90b1d2aa {"n":0,"event":"GameStarted","setup":"balanced","seed":4711,...}
    1c07e4f3 {"n":1,"p":0,"event":"StackMoved","source":"a2","target":"b2","by":"w"}
    77d0934e {"n":2,"p":1,"mark":"HeadMoved","to":0}
    5d20c1b7 {"n":3,"p":0,"mark":"CellsMarked","to":1,"cells":{"b2":"circle"}}
    be51a6f0 {"seats":{"white":"human","black":"human","flipped":false}}
    40d97b12 {"seats":{"white":"human","black":"human","flipped":false},"turn":{"left":41.207,"delay":0.0}}

The first line tells the version of the form and what the game was begun with: with a clock also its
``time_control``, as records write it, and the ``table`` on another machine at which it is played, if it
is not played here; ``n`` lines are the entries
of the log, a line of ``seats`` tells that somebody else sits down (with a ``white_name`` or ``black_name``
if he is not called as the one who began), and ``aside`` that the players do not
want to be asked any more whether they go on. With the ``seats`` there can be the ``turn``: how many seconds
the side to act had left when the line was written, on its clock and of its delay. It holds until the next
turn begins. It has no line of its own because earlier versions call a file damaged in which there is a line
that they do not know; in one of ``seats`` they overlook it. Of an action with several entries each later
one names the first as ``a``, and the first says how many ``entries`` there are, so that a reader knows when
it is whole.

The checksum is the CRC-32 of the JSON behind it, begun with the checksum of the line before. So a line
that is missing, doubled or moved is found as surely as one that was changed. All lines are ASCII.

Here nothing knows of files; `dvonn_tui.records.journal_reading` puts lines together to a game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from math import inf
from typing import Any, Final
from zlib import crc32

from dvonn_tui.clean import clean_line
from dvonn_tui.core.cells import CELL_NAMED, CELL_NAMES, Cell
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import (
    Event,
    GameEnded,
    GameStarted,
    PiecePlaced,
    StackMoved,
    StacksRemoved,
    TurnPassed,
    evolve,
)
from dvonn_tui.core.log import (
    NO_DETAILS,
    CellMark,
    CellsMarked,
    Commented,
    Entry,
    HeadMoved,
    LineHidden,
    LinePromoted,
    LineShown,
    Mark,
    MarkKind,
)
from dvonn_tui.core.notation import format_position, format_stack, parse_position
from dvonn_tui.core.pieces import Piece, Side
from dvonn_tui.core.plain import DRAW, plain_event
from dvonn_tui.core.position import EMPTY_BOARD, Position, Reason, Score
from dvonn_tui.records.seating import Seating
from dvonn_tui.records.turn_clock import TurnClock

VERSION: Final = 1

DIGITS: Final = 8
"""Hexadecimal digits of a checksum."""

LONGEST_DETAIL: Final = 200
"""Columns of a text among the details of an entry at most."""

Content = dict[str, Any]
"""What one line says, as JSON knows it."""


class LineFault(Exception):
    """A line that says nothing that can be. The text is why, in words for a player."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line of a file tells.

    Attributes:
        begun: when the game was begun, with its distance from UTC.
        seating: who sat down then.
        copy_of: the name of the file that this one goes on from, empty when it is a game of its own.
        time_control: how time is given, as records write it in their tag; empty without a clock.
        table: the table on another machine at which it is played, as server and id; empty for a game
            that is played here.
    """

    begun: datetime
    seating: Seating = field(default_factory=Seating)
    copy_of: str = ""
    time_control: str = ""
    table: str = ""


# Writing


def seal(content: Mapping[str, Any], before: int) -> tuple[bytes, int]:
    """One line with its end, and its checksum, after a line with the checksum `before`, 0 for the first.

    Raises TypeError or ValueError for what JSON cannot hold.
    """
    text = json.dumps(content, separators=(",", ":"), allow_nan=False).encode("ascii")
    checksum = crc32(text, before)
    return b"%08x %b\n" % (checksum, text), checksum


def header_content(header: Header) -> Content:
    """What the first line says."""
    content = {"journal": VERSION, "begun": header.begun.isoformat(timespec="seconds")}
    said = {"copy_of": header.copy_of, "time_control": header.time_control, "table": header.table}
    return {
        **content,
        **_plain_seating(header.seating),
        **{name: text for name, text in said.items() if text},
    }


def seating_content(seating: Seating, turn: TurnClock | None = None) -> Content:
    """What a line says that tells who sits at the board, and what is left in the turn if that is given."""
    content: Content = {"seats": _plain_seating(seating)}
    return content if turn is None else content | {"turn": asdict(turn)}


def aside_content() -> Content:
    """What a line says that lays a game aside."""
    return {"aside": True}


def entry_contents(entries: Sequence[Entry]) -> Iterator[Content]:
    """What the lines of entries say, that follow each other in a log and begin with an action."""
    sizes: dict[int, int] = {}
    for entry in entries:
        sizes[entry.action] = sizes.get(entry.action, 0) + 1
    for entry in entries:
        yield _entry_content(entry, sizes[entry.action])


def _plain_seating(seating: Seating) -> Content:
    names = {"white_name": seating.white_name, "black_name": seating.black_name}
    content: Content = {"white": seating.white, "black": seating.black, "flipped": seating.flipped}
    return content | {key: name for key, name in names.items() if name}


def _entry_content(entry: Entry, size: int) -> Content:
    content: Content = {"n": entry.number}
    if entry.parent is not None:
        content["p"] = entry.parent
    if entry.action != entry.number:
        content["a"] = entry.action
    elif size > 1:
        content["entries"] = size
    event = entry.event
    if isinstance(event, Mark):
        content |= _mark_content(event)
    else:
        content |= plain_event(event)
        if isinstance(event, GameStarted):
            content["position"] = format_position(event.position)
    if entry.details:
        content["details"] = dict(entry.details)
    return content


def _mark_content(mark: Mark) -> Content:
    name = type(mark).__name__
    match mark:
        case HeadMoved(to):
            return {"mark": name, "to": to}
        case LineHidden(first) | LineShown(first) | LinePromoted(first):
            return {"mark": name, "first": first}
        case Commented(to, text):
            return {"mark": name, "to": to, "text": text}
        case CellsMarked(to, marks):
            return {"mark": name, "to": to, "cells": {CELL_NAMES[each.cell]: each.kind for each in marks}}


# Reading


def unseal(line: bytes, before: int) -> tuple[Content, int]:
    """What a line says, given without its end, and its checksum.

    Raises:
        LineFault: it is damaged, or not the line that follows one with the checksum `before`.
    """
    digits, text = line[:DIGITS], line[DIGITS + 1 :]
    checksum = crc32(text, before)
    if digits != b"%08x" % checksum or line[DIGITS : DIGITS + 1] != b" ":
        raise LineFault("the checksum is wrong: the line was changed, or another is missing before it")
    try:
        content = json.loads(text.decode("ascii"))
    except (ValueError, RecursionError) as problem:
        raise LineFault("not JSON") from problem
    if not isinstance(content, dict):
        raise LineFault("not an object")
    return content, checksum


def read_header(content: Content) -> Header:
    """What a first line tells. Raises LineFault when it is none, or of a version that is not known."""
    version = _number(content, "journal")
    if version > VERSION:
        raise LineFault(
            f"written by a newer dvonn-tui, in version {version} of the form; this one reads {VERSION}"
        )
    try:
        begun = datetime.fromisoformat(_text(content, "begun"))
    except ValueError as problem:
        raise LineFault("no time at which the game was begun") from problem
    copy_of, time_control, table = (
        clean_line(_text(content, name, ""), LONGEST_DETAIL) for name in ("copy_of", "time_control", "table")
    )
    return Header(begun, read_seating(content), copy_of, time_control, table)


def read_seating(content: Content) -> Seating:
    """Who sits where. Raises LineFault."""
    flipped = content.get("flipped", False)
    if not isinstance(flipped, bool):
        raise LineFault("flipped is neither true nor false")
    white, black = (clean_line(_text(content, name)) for name in ("white", "black"))
    names = (clean_line(_text(content, name, "")) for name in ("white_name", "black_name"))
    return Seating(white, black, flipped, *names)


def read_turn(content: Content) -> TurnClock | None:
    """What a line of seats says of the turn; None when it says nothing. Raises LineFault."""
    turn = content.get("turn")
    if turn is None:
        return None
    if not isinstance(turn, dict):
        raise LineFault("turn is no object")
    return TurnClock(_seconds(turn, "left"), _seconds(turn, "delay"))


def read_entry(content: Content, log: Sequence[Entry]) -> Entry:
    """The entry that follows a log, as a line tells it. Only `rebuild` knows whether the rules bear it out.

    Raises:
        LineFault: the line is no entry, or none that can follow this log.
    """
    number = _number(content, "n")
    if number != len(log):
        raise LineFault(f"entry {number} where entry {len(log)} belongs")
    parent = None if number == 0 else _earlier(content, "p", log)
    action = _number(content, "a", number)
    details = _details(content.get("details"))
    if parent is None:
        start = _read_event(content, EMPTY_BOARD)
        return Entry(number, None, action, start, evolve(EMPTY_BOARD, start), 0, 0, details)
    if "mark" in content:
        mark = _read_mark(content)
        seen = _earlier(content, "to", log) if isinstance(mark, HeadMoved) else parent
        return Entry(number, parent.number, action, mark, seen.position, seen.ply, seen.placements, details)
    event = _read_event(content, parent.position)
    placed = isinstance(event, PiecePlaced)
    counts = placed or isinstance(event, StackMoved | TurnPassed)
    ply, placements = parent.ply + counts, parent.placements + placed
    return Entry(
        number, parent.number, action, event, evolve(parent.position, event), ply, placements, details
    )


def size_of_action(content: Content) -> int:
    """How many entries the action has that begins with this line. Raises LineFault."""
    size = _number(content, "entries", 1)
    if size < 1:
        raise LineFault("an action without entries")
    return size


def _read_mark(content: Content) -> Mark:
    match _text(content, "mark"):
        case "HeadMoved":
            return HeadMoved(_number(content, "to"))
        case "LineHidden":
            return LineHidden(_number(content, "first"))
        case "LineShown":
            return LineShown(_number(content, "first"))
        case "LinePromoted":
            return LinePromoted(_number(content, "first"))
        case "Commented":
            return Commented(_number(content, "to"), _text(content, "text"))
        case "CellsMarked":
            return CellsMarked(_number(content, "to"), _read_cell_marks(content))
    raise LineFault(f"no mark {clean_line(content['mark'])!r} is known")


def _read_cell_marks(content: Content) -> tuple[CellMark, ...]:
    cells = content.get("cells")
    if not isinstance(cells, dict):
        raise LineFault("no cells that were marked")
    return tuple(
        CellMark(_cell({"cell": name}, "cell"), MarkKind(_word(cells, name, MarkKind))) for name in cells
    )


def _read_event(content: Content, before: Position) -> Event:
    """An event. What it took off the board is looked up in the position before it."""
    match _text(content, "event"):
        case "GameStarted":
            return _read_start(content)
        case "PiecePlaced":
            return PiecePlaced(_cell(content, "cell"), Piece(_word(content, "piece", Piece)), _by(content))
        case "StackMoved":
            return StackMoved(_cell(content, "source"), _cell(content, "target"), _by(content))
        case "StacksRemoved":
            return _read_removal(content, before)
        case "TurnPassed":
            return TurnPassed(_by(content))
        case "GameEnded":
            winner = content.get("winner")
            side = None if winner == DRAW else Side(_word(content, "winner", Side))
            return GameEnded(side, Reason(_word(content, "reason", Reason)), _score(content))
    raise LineFault(f"no event {clean_line(content['event'])!r} is known")


def _read_start(content: Content) -> GameStarted:
    try:
        position = parse_position(_text(content, "position"))
    except DvonnError as fault:
        raise LineFault(f"the position cannot be read: {fault.reason}") from fault
    seed = None if content.get("seed") is None else _number(content, "seed")
    names = {side: clean_line(_text(content, side.word.lower())) or side.word for side in Side}
    return GameStarted(position, _text(content, "setup"), seed, names[Side.WHITE], names[Side.BLACK])


def _read_removal(content: Content, before: Position) -> StacksRemoved:
    cells = content.get("cells")
    if not isinstance(cells, dict):
        raise LineFault("no stacks that were removed")
    removed = []
    for name, text in cells.items():
        cell = CELL_NAMED.get(name)
        if cell is None or format_stack(before.stacks[cell]) != text:
            raise LineFault(f"no stack {clean_line(str(text))!r} on {clean_line(name)!r}")
        removed.append((cell, before.stacks[cell]))
    return StacksRemoved(tuple(removed))


_MISSING: Final = object()


def _number(content: Content, name: str, default: int | None = None) -> int:
    value = content.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise LineFault(f"{name} is no whole number" if name in content else f"{name} is missing")
    return value


def _seconds(content: Content, name: str) -> float:
    value = content.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < inf:
        raise LineFault(f"{name} is no number of seconds" if name in content else f"{name} is missing")
    return float(value)


def _text(content: Content, name: str, default: str | None = None) -> str:
    value = content.get(name, default)
    if not isinstance(value, str):
        raise LineFault(f"{name} is no text" if name in content else f"{name} is missing")
    return value


def _word(content: Content, name: str, kind: type[StrEnum]) -> str:
    word = _text(content, name)
    if word not in set(kind):
        raise LineFault(f"{name} is {clean_line(word)!r}, not one of {', '.join(kind)}")
    return word


def _cell(content: Content, name: str) -> Cell:
    text = _text(content, name)
    if text not in CELL_NAMED:
        raise LineFault(f"{name} is {clean_line(text)!r}, which is no cell")
    return CELL_NAMED[text]


def _by(content: Content) -> Side:
    return Side(_word(content, "by", Side))


def _score(content: Content) -> Score:
    score = content.get("score")
    if not isinstance(score, list) or len(score) != 2 or not all(type(each) is int for each in score):
        raise LineFault("score is no pair of numbers")
    return Score(*score)


def _earlier(content: Content, name: str, log: Sequence[Entry]) -> Entry:
    """The entry before this one that a line names."""
    number = _number(content, name)
    if not 0 <= number < len(log):
        raise LineFault(f"{name} is {number}, and there is no such entry yet")
    return log[number]


def _details(value: object) -> Mapping[str, object]:
    """What rides on an entry: numbers, texts, true, false, null and lists of these, by their names."""
    if value is None:
        return NO_DETAILS
    if not isinstance(value, dict):
        raise LineFault("details are no object")
    details: dict[str, object] = {}
    for name, each in value.items():
        plain = [_clean(part) for part in each] if isinstance(each, list) else _clean(each)
        details[clean_line(name, LONGEST_DETAIL)] = plain
    return details


def _clean(value: object) -> object:
    if isinstance(value, dict | list):
        raise LineFault("details are nested too deep")
    return clean_line(value, LONGEST_DETAIL) if isinstance(value, str) else value
