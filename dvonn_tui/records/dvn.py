"""The native form ``.dvn``: tags, numbered moves, comments in braces, variations in brackets.

It is shaped like chess's PGN and holds everything that a game has. Version 1 is what is described in the
project's README; a record that says it is of a later version is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final

from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import EMPTY_BOARD, Position
from dvonn_tui.core.setups import DRAWN_SETUPS, Setup
from dvonn_tui.records.building import Findings, TooManyFaults, name_of, new_game
from dvonn_tui.records.dvn_moves import read_moves
from dvonn_tui.records.dvn_writer import VERSION, write
from dvonn_tui.records.form import Form, Part
from dvonn_tui.records.movetext import Movetext
from dvonn_tui.records.record import FORMAT, LAYOUT, SETUP, Record, fault
from dvonn_tui.records.source import Belongs, Line, Section, Sorter
from dvonn_tui.records.words import unescape

NAME: Final = "dvn"

_TAG: Final = re.compile(r'\s*\[\s*([A-Za-z]\w*)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_TAG_LINE: Final = re.compile(r'\s*\[\s*[A-Za-z]\w*\s*"', re.ASCII)
_BROKEN_TAG: Final = re.compile(r"\s*\[\s*([A-Za-z]\w*)\b(?!\s*\[)")
_NUMBERED: Final = re.compile(r"\s*1\.+\s*[A-Ka-k][1-5]")
_DRAWN: Final = re.compile(r"(random|balanced|symmetric) seed (\d{1,19})")


def recognise(head: Sequence[str]) -> bool:
    """A tag, or moves with numbers, at the beginning."""
    return any(_TAG_LINE.match(line) for line in head) or any(_NUMBERED.match(line) for line in head[:1])


def sorter() -> Sorter:
    """A game begins with its first tag after the moves of the one before, or with a tag said again after
    a blank line."""
    moved = blank = False
    seen: set[str] = set()

    def sort(text: str) -> Belongs:
        nonlocal moved, blank
        first = text.lstrip()[:1]
        found = _TAG_LINE.match(text) if first == "[" else None
        if found is None:
            moved = moved or first not in ("", "[")
            blank = blank or not moved
            return Belongs.HERE
        name = found[0].strip(' \t["')
        new = moved or (blank and name in seen)
        if new:
            seen.clear()
        seen.add(name)
        moved = blank = False
        return Belongs.NEXT if new else Belongs.HERE

    return sort


def read(section: Section) -> Iterator[Record]:
    """The games of a section: more than one when games without tags follow each other."""
    findings = Findings(section)
    tags, moves = _read_tags(section.lines, findings)
    line = section.lines[0].number
    game = new_game(tags)
    try:
        if not _known_version(tags):
            reason = f"this record is of version {tags[FORMAT]}, and only version {VERSION} is known here"
            findings.fault(fault(reason, line=line))
            yield findings.record(game, MappingProxyType({}), NAME, line)
            return
        begun = _begin(tags, findings, line)
        if begun is None:
            yield findings.record(game, tags, NAME, line)
            return
        game = begun
    except TooManyFaults:
        yield findings.record(game, tags, NAME, line)
        return
    text = Movetext(moves, section.lines[-1].number)
    start: int | None = 0
    while start is not None:
        start = read_moves(game, text, start, findings, tags)
        yield findings.record(game, tags, NAME, line)
        if start is not None:
            line, tags = text.where(start)[0], {}
            findings, game = Findings(Section(())), new_game(tags)


def _read_tags(lines: Sequence[Line], findings: Findings) -> tuple[dict[str, str], list[Line]]:
    """The tags, and the lines after them."""
    tags: dict[str, str] = {}
    for index, line in enumerate(lines):
        text, column = line.text, 0
        while (found := _TAG.match(text, column)) is not None:
            name, value = found[1], unescape(found[2])
            if name in tags and tags[name] != value:
                said = fault("this tag was there before: the first one counts", line=line.number, token=name)
                findings.remarks.append(said)
            tags.setdefault(name, value)
            column = found.end()
        rest = text[column:]
        if not rest.strip():
            continue
        broken = _BROKEN_TAG.match(rest)
        if broken is None:
            return tags, [Line(line.number, " " * column + rest), *lines[index + 1 :]]
        reason = 'a tag is written as [Name "value"]: this one is not read'
        findings.faults.append(fault(reason, line=line.number, column=column + 1, token=rest.strip()))
    return tags, []


def _known_version(tags: dict[str, str]) -> bool:
    said = tags.get(FORMAT, VERSION).strip()
    return said == VERSION or not (said.isascii() and said.isdecimal())


def _begin(tags: dict[str, str], findings: Findings, line: int) -> Game | None:
    """The game at its beginning; None when it cannot be known."""
    layout = _layout(tags, findings, line)
    said = tags.get(SETUP, "").strip().lower()
    drawn = _DRAWN.fullmatch(said)
    names = [name_of(tags, side) for side in Side]
    if drawn is not None:
        try:
            game = Game.new(Setup(drawn[1]), int(drawn[2]), white=names[0], black=names[1])
        except ValueError as problem:
            findings.fault(fault(str(problem), line=line, token=said))
            return None if layout is None else new_game(tags, layout)
        if layout is None or layout == game.position:
            return game
        reason = "this seed gives another board than the layout, which is taken"
        findings.fault(fault(reason, line=line, token=said))
        return new_game(tags, layout)
    if said and said not in (Setup.MANUAL, Setup.POSITION):
        known = ", ".join(f"{setup} seed N" for setup in DRAWN_SETUPS)
        reason = f"a set-up is {known}, manual or position"
        findings.remark(fault(reason, line=line, token=said))
    if layout is not None and layout != EMPTY_BOARD:
        return new_game(tags, layout)
    if (LAYOUT in tags and layout is None) or (said == Setup.POSITION and layout is None):
        return None
    return new_game(tags)


def _layout(tags: dict[str, str], findings: Findings, line: int) -> Position | None:
    """The position of the tag; None when there is none that can be read."""
    if LAYOUT not in tags:
        if tags.get(SETUP, "").strip().lower() == Setup.POSITION:
            findings.fault(fault("the layout is missing: the moves are not read", line=line, token=SETUP))
        return None
    try:
        return parse_position(tags[LAYOUT].strip())
    except NotationError as problem:
        findings.fault(fault(f"layout, character {problem.place + 1}: {problem.reason}", line=line))
        return None


FORM: Final = Form(
    name=NAME,
    title="DVONN record",
    suffixes=(".dvn",),
    recognise=recognise,
    sorter=sorter,
    read=read,
    write=write,
    holds=frozenset(Part),
)
