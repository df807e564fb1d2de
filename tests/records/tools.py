"""Reading and comparing records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.notation import format_position
from dvonn_tui.records.forms import read
from dvonn_tui.records.record import Record
from dvonn_tui.records.tree import Node, main_line, tree_of

DATA = Path(__file__).resolve().parent.parent / "data" / "records"


def only(source: str | bytes | BinaryIO) -> Record:
    """The single game of a source."""
    (record,) = read(source)
    return record


def clean(source: str | bytes | BinaryIO) -> Record:
    """The single game of a source in which nothing is wrong."""
    record = only(source)
    assert list(map(str, record.faults)) == []
    return record


def faults(record: Record) -> list[str]:
    """The faults as people read them."""
    return list(map(str, record.faults))


def tokens(game: Game) -> list[str]:
    """The tokens of the main line."""
    return [node.token for node in main_line(tree_of(game))]


def final(record: Record) -> str:
    """The position at the end of the main line."""
    return format_position(record.end.position)


Shape = tuple[str, object, str, object, Mapping[str, object], bool, tuple["Shape", ...]]


def shape(node: Node) -> Shape:
    """All that a record is to keep of a ply and of what follows it."""
    children = tuple(shape(child) for child in node.children)
    who = node.resigned, node.forfeit
    return (node.token, who, node.comment, node.marks, dict(node.details), node.hidden, children)


def entries_of(game: Game) -> Iterator[Entry]:
    """The entries of the main line without the start."""
    yield from game.main_line()[1:]
