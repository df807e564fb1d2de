"""The form of Little Golem (www.littlegolem.net): header words in brackets and numbered moves.

The 49th placement, which is forced, is left out, so that move 25 is the first of the movement phase.
Passes are written; who would have to pass can resign in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.cells import CELLS
from dvonn_tui.records.building import Findings, Player, new_game
from dvonn_tui.records.form import Form, Part
from dvonn_tui.records.linear import said_resignation, whole_line
from dvonn_tui.records.record import BLACK, EVENT, PLAYERS, SITE, WHITE, Record, fault
from dvonn_tui.records.source import Belongs, Section, Sorter

NAME: Final = "golem"

_HEADER: Final = re.compile(r"\s*([A-Za-z]\w*) \[(.*?)\](?=\s+[A-Za-z]\w* \[|\s+1\.\s|\s*$)")
_BEGINS: Final = re.compile(r"\s*[A-Za-z]\w* \[")
_WORD: Final = re.compile(r"\S+")
_NUMBER: Final = re.compile(r"\d+\.")
_LONGEST_NAME: Final = 100


def recognise(head: Sequence[str]) -> bool:
    """A header word with its value in brackets."""
    return bool(head) and _BEGINS.match(head[0]) is not None


def sorter() -> Sorter:
    """A game begins with its header, or with move 1."""
    begun = False

    def sort(text: str) -> Belongs:
        nonlocal begun
        header = _BEGINS.match(text) is not None
        new = begun and (header or text.lstrip().startswith("1. "))
        if not header or re.search(r"\]\s+1\. ", text):
            begun = bool(text.strip()) or begun
        elif new:
            begun = False
        return Belongs.NEXT if new else Belongs.HERE

    return sort


def read(section: Section) -> Iterator[Record]:
    """The game of a section."""
    findings = Findings(section)
    tags: dict[str, str] = {}
    words: list[tuple[str, int, int]] = []
    for line in section.lines:
        column = 0
        while not words and (found := _HEADER.match(line.text, column)) is not None:
            name = found[1]
            if name in tags:
                said = fault("this word was there before: the first one counts", line=line.number, token=name)
                findings.remark(said)
            tags.setdefault(name, found[2])
            column = found.end()
        for each in _WORD.finditer(line.text, column):
            if not _NUMBER.fullmatch(each[0]):
                words.append((each[0], line.number, each.start() + 1))
    player = Player(new_game(tags), findings, writes_passes=True)
    for word, number, column in words:
        player.play(word, number, column)
    player.finish()
    if not words and section.cut is None:
        findings.faults.append(fault("there are no moves", line=section.lines[-1].number))
    yield findings.record(player.game, tags, NAME, section.lines[0].number)


def write(records: Iterable[Record]) -> Iterator[str]:
    """Each game on one line."""
    for record in records:
        yield f"{_write_one(record)}\n"


def _write_one(record: Record) -> str:
    started = record.game.started
    names = {WHITE: started.white, BLACK: started.black}
    for name in (EVENT, SITE, *PLAYERS.values()):
        if name in record.tags:
            names[name] = record.tags[name]
    header = [f"{name} [{_bare(names[name])}]" for name in (EVENT, SITE, WHITE, BLACK) if name in names]
    tokens = [step.token for step in said_resignation(whole_line(record), writes_passes=True)]
    last = len(CELLS) - 1
    if len(tokens) > len(CELLS) and len(tokens[last]) == 2:
        del tokens[last]
    moves = []
    for start in range(0, len(tokens), 2):
        moves += [f"{start // 2 + 1}.", *tokens[start : start + 2]]
    return " ".join([*header, *moves])


def _bare(text: str) -> str:
    """A value that cannot be mistaken for its own end."""
    return clean_line(text, _LONGEST_NAME).replace("[", "(").replace("]", ")")


FORM: Final = Form(
    name=NAME,
    title="Little Golem",
    suffixes=(".txt",),
    recognise=recognise,
    sorter=sorter,
    read=read,
    write=write,
    holds=frozenset({Part.NAMES, Part.MOVES}),
)
