"""The form ``.dvg`` of the program Dvonner: two tokens a line, two spaces between, ``BREAK`` at the end.

The movement begins a new line, so that the 49th placement stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dvonn_tui.core.cells import CELLS
from dvonn_tui.records.building import Findings, Player, new_game
from dvonn_tui.records.form import Form, Part
from dvonn_tui.records.linear import said_resignation, whole_line
from dvonn_tui.records.record import Record, fault
from dvonn_tui.records.source import Belongs, Section, Sorter

NAME: Final = "dvg"
BREAK: Final = "BREAK"

_PAIR: Final = re.compile(r"[A-Ka-k][1-5]  [A-Ka-k][1-5]\s*")
_WORD: Final = re.compile(r"\S+")


def recognise(head: Sequence[str]) -> bool:
    """Two placements with two spaces between, and nothing else on the line."""
    return bool(head) and _PAIR.fullmatch(head[0]) is not None


def sorter() -> Sorter:
    """A game ends with its ``BREAK``."""
    ended = False

    def sort(text: str) -> Belongs:
        nonlocal ended
        new = ended and bool(text.strip())
        ended = BREAK in text.upper().split() or (ended and not new)
        return Belongs.NEXT if new else Belongs.HERE

    return sort


def read(section: Section) -> Iterator[Record]:
    """The game of a section."""
    findings = Findings(section)
    player = Player(new_game({}), findings)
    ended = False
    for line in section.lines:
        for word in _WORD.finditer(line.text):
            if word[0].upper() == BREAK:
                ended = True
            elif ended and not player.stopped:
                player.stop(fault(f"nothing follows {BREAK}", line=line.number, token=word[0]))
            else:
                player.play(word[0], line.number, word.start() + 1)
    player.finish()
    if not ended and not player.stopped and section.cut is None:
        last = section.lines[-1].number
        findings.faults.append(fault(f"{BREAK} is missing at the end: the record may be cut off", line=last))
    yield findings.record(player.game, {}, NAME, section.lines[0].number)


def write(records: Iterable[Record]) -> Iterator[str]:
    """Games one after the other."""
    for record in records:
        yield _write_one(record)


def _write_one(record: Record) -> str:
    steps = said_resignation(whole_line(record), writes_passes=False)
    tokens = [step.token.upper() for step in steps]
    placed, moved = tokens[: len(CELLS)], tokens[len(CELLS) :]
    pairs = [phase[start : start + 2] for phase in (placed, moved) for start in range(0, len(phase), 2)]
    return "".join("  ".join(pair) + "\n" for pair in (*pairs, (BREAK,)))


FORM: Final = Form(
    name=NAME,
    title="Dvonner",
    suffixes=(".dvg",),
    recognise=recognise,
    sorter=sorter,
    read=read,
    write=write,
    holds=frozenset({Part.MOVES}),
)
