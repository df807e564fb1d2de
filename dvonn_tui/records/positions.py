"""One-line positions, one a line, each with tokens after it if it is played on from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.records.building import Findings, Player, new_game
from dvonn_tui.records.form import Form, Part
from dvonn_tui.records.record import Record, fault
from dvonn_tui.records.source import Belongs, Section, Sorter

NAME: Final = "position"

_ROWS: Final = re.compile(r"\s*[0-9wbr()]+/[0-9wbr()/]+")
_SHAPE: Final = re.compile(r"\S+(?: +\S+){0,2}")
_WORD: Final = re.compile(r"\S+")


def recognise(head: Sequence[str]) -> bool:
    """Rows with slashes between."""
    return bool(head) and _ROWS.match(head[0]) is not None


def sorter() -> Sorter:
    """Each position begins a game."""
    return lambda text: Belongs.NEXT if _ROWS.match(text) else Belongs.HERE


def read(section: Section) -> Iterator[Record]:
    """The position of a section, and what is played from it."""
    findings = Findings(section)
    first = next((line for line in section.lines if line.text.strip()), section.lines[0])
    start = len(first.text) - len(first.text.lstrip())
    shape = _SHAPE.match(first.text, start)
    text = shape[0] if shape else ""
    player = Player(new_game({}), findings)
    try:
        position = parse_position(text)
    except NotationError as problem:
        column = start + problem.place + 1
        token = text[problem.place :]
        findings.faults.append(fault(problem.reason, line=first.number, column=column, token=token))
    else:
        player = Player(new_game({}, position), findings)
        for line in section.lines:
            for word in _WORD.finditer(line.text, start + len(text) if line is first else 0):
                player.play(word[0], line.number, word.start() + 1)
        player.finish()
    yield findings.record(player.game, {}, NAME, section.lines[0].number)


def write(records: Iterable[Record]) -> Iterator[str]:
    """The position at the end of each main line."""
    for record in records:
        yield f"{format_position(record.end.position)}\n"


FORM: Final = Form(
    name=NAME,
    title="one-line position",
    suffixes=(".pos",),
    recognise=recognise,
    sorter=sorter,
    read=read,
    write=write,
    holds=frozenset[Part](),
)
