"""The tokens of CodeCup's DVONN competition: ``A1``, ``A1B2``, ``PASS``, with comments after ``#``.

Many games can follow each other, as ``dvonn-tui match --log`` writes them. A game may begin with its final
score, ``7-18``, which is held against the moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.records.building import Findings, Player, new_game
from dvonn_tui.records.form import Form, Part
from dvonn_tui.records.linear import said_resignation, whole_line
from dvonn_tui.records.record import SCORE, Record, fault
from dvonn_tui.records.source import Belongs, Section, Sorter

NAME: Final = "codecup"

WIDTH: Final = 78
"""Columns of a line of tokens."""

COMMENT_LIMIT: Final = 1_000
"""Columns of a line of a comment."""

_MOVE: Final = re.compile(r"[A-Ka-k][1-5]-?[A-Ka-k][1-5]")
_CELL: Final = re.compile(r"[A-Ka-k][1-5]")
_SCORE: Final = re.compile(r"\d{1,2}-\d{1,2}")
_HEADING: Final = re.compile(r"# game \d+:")
_WORD: Final = re.compile(r"\S+")


def recognise(head: Sequence[str]) -> bool:
    """A line that begins with a token or a score, after comments if there are any."""
    lines = [line for line in head if not line.lstrip().startswith("#")]
    first = lines[0].split()[0] if lines else ""
    return any(shape.fullmatch(first) for shape in (_MOVE, _CELL, _SCORE))


def sorter() -> Sorter:
    """A game begins with its score, with a heading, or with a placement after the moves of the one before.

    Comments belong to the game whose tokens follow, and at the end to the last.
    """
    moved = begun = heading = False

    def sort(text: str) -> Belongs:
        nonlocal moved, begun, heading
        words = text.split("#")[0].split()
        if not words:
            heading = heading or _HEADING.match(text) is not None
            return Belongs.UNDECIDED
        scored = _SCORE.fullmatch(words[0]) is not None
        new = begun and (scored or heading or (moved and _CELL.fullmatch(words[0]) is not None))
        begun, heading = True, False
        moved = any(_MOVE.fullmatch(word) for word in words) or (moved and not new)
        return Belongs.NEXT if new else Belongs.HERE

    return sort


def read(section: Section) -> Iterator[Record]:
    """The game of a section."""
    findings = Findings(section)
    tags: dict[str, str] = {}
    player = Player(new_game(tags), findings)
    for line in section.lines:
        tokens, sign, comment = line.text.partition("#")
        for word in _WORD.finditer(tokens):
            if not player.begun and not tags and _SCORE.fullmatch(word[0]):
                tags[SCORE] = word[0]
            else:
                player.play(word[0], line.number, word.start() + 1)
        if sign and comment.strip():
            player.comment(comment.strip())
    player.finish()
    if not player.begun and section.cut is None:
        findings.faults.append(fault("there are no moves", line=section.lines[-1].number))
    yield findings.record(player.game, tags, NAME, section.lines[0].number)


def write(records: Iterable[Record]) -> Iterator[str]:
    """Games one after the other; when there are several, each has a heading."""
    waiting = iter(records)
    first = next(waiting, None)
    if first is None:
        return
    second = next(waiting, None)
    if second is None:
        yield _write_one(first)
        return
    for number, record in enumerate(chain((first, second), waiting), 1):
        yield _write_one(record, number)


def _write_one(record: Record, number: int | None = None) -> str:
    lines: list[str] = []
    game = record.game
    first = _comment_lines(game.comment_of(game.log[0]))
    if number is not None and not (first and _HEADING.match(first[0])):
        names = f"{game.started.white} - {game.started.black}"
        lines.append(clean_line(f"# game {number}: {names}", COMMENT_LIMIT))
    lines += first
    row = ""
    for step in said_resignation(whole_line(record), writes_passes=False):
        token = step.token.upper()
        if row and len(row) + 1 + len(token) > WIDTH:
            lines.append(row)
            row = ""
        row = f"{row} {token}" if row else token
        comment = _comment_lines(step.node.comment) if step.node is not None else []
        if comment:
            lines += [row, *(_no_heading(line) for line in comment)]
            row = ""
    return "\n".join([*lines, row] if row else lines) + "\n"


def _no_heading(line: str) -> str:
    """A line of a comment that would be taken for the heading of another game gets one more space."""
    return line.replace("# ", "#  ", 1) if _HEADING.match(line) else line


def _comment_lines(comment: str) -> list[str]:
    lines = (clean_line(line, COMMENT_LIMIT) for line in comment.split("\n"))
    return [f"# {line}" for line in lines if line]


FORM: Final = Form(
    name=NAME,
    title="CodeCup transcript",
    suffixes=(".log",),
    recognise=recognise,
    sorter=sorter,
    read=read,
    write=write,
    holds=frozenset({Part.MOVES, Part.COMMENTS}),
)
