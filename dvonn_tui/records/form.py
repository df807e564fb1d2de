"""What a form of records is: its name, its reader, its writer and what it can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dvonn_tui.records.record import Record
from dvonn_tui.records.source import Section, Sorter


class Part(StrEnum):
    """What a record can hold beside the moves of its main line. The words are for players."""

    NAMES = "the players' names"
    TAGS = "tags"
    SEED = "the set-up's seed"
    MOVES = "the moves"
    VARIATIONS = "other lines"
    HIDDEN = "which lines are hidden"
    COMMENTS = "comments"
    MARKS = "marked cells"
    CLOCKS = "clocks and times"
    RESULT = "the result"


Reader = Callable[[Section], Iterator[Record]]
Writer = Callable[[Iterable[Record]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Form:
    """One form of records.

    Attributes:
        name: what it is called on the command line.
        title: what it is called in words.
        suffixes: how names of its files end, the usual one first, each with its dot.
        recognise: True for the first lines of a file in this form, blank ones left out.
        sorter: makes what splits a file into games.
        read: the games of a section; one but for forms that need no heading.
        write: the text of each game, with what stands between it and the one before; raises `CannotHold`.
            None for a form that is only read.
        holds: what the form keeps of a record.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[Sequence[str]], bool]
    sorter: Callable[[], Sorter]
    read: Reader
    write: Writer | None
    holds: frozenset[Part]
