"""Writing native records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.events import PiecePlaced, StackMoved, TurnPassed
from dvonn_tui.core.log import Entry
from dvonn_tui.core.notation import format_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.core.setups import DRAWN_SETUPS, Setup
from dvonn_tui.records.record import (
    BLACK,
    DATE,
    DERIVED,
    EVENT,
    FORMAT,
    LAYOUT,
    PLAYERS,
    RESULT,
    SCORE,
    SETUP,
    SITE,
    TERMINATION,
    TIME_CONTROL,
    WHITE,
    Record,
    score_text,
    termination_of,
)
from dvonn_tui.records.tree import Node, tree_of
from dvonn_tui.records.words import commands, escape_comment, quoted

VERSION: Final = "1"

WIDTH: Final = 78
"""Columns of a line of moves; comments are never broken, since their line breaks are their own."""

ORDER: Final = (
    FORMAT,
    EVENT,
    SITE,
    DATE,
    WHITE,
    BLACK,
    SETUP,
    LAYOUT,
    TIME_CONTROL,
    RESULT,
    SCORE,
    TERMINATION,
)
"""The order in which tags are written; others follow in their own."""

_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_]")


def write(records: Iterable[Record]) -> Iterator[str]:
    """The text of each game, from the second on with a blank line before it."""
    for number, record in enumerate(records):
        yield ("\n" if number else "") + _write_one(record)


def _write_one(record: Record) -> str:
    tags = tags_of(record)
    lines = [f"[{name} {quoted(value)}]" for name, value in tags.items()]
    moves = _wrapped([*_Words(record).words, tags[RESULT]])
    return "\n".join([*lines, "", *moves]) + "\n"


def tags_of(record: Record) -> dict[str, str]:
    """All tags that are written, what the game knows in place of what was said."""
    game, started = record.game, record.game.started
    end = record.end.position
    known = {FORMAT: VERSION, RESULT: record.result}
    for side, name in ((Side.WHITE, started.white), (Side.BLACK, started.black)):
        written = record.tags.get(PLAYERS[side], "")
        known[PLAYERS[side]] = written if clean_line(written) == name else name
    known[SETUP] = started.setup
    if started.setup in DRAWN_SETUPS:
        known[SETUP] += f" seed {started.seed}"
    if started.setup != Setup.MANUAL:
        known[LAYOUT] = format_position(game.log[0].position)
    if end.phase is not Phase.PLACEMENT:
        known[SCORE] = score_text(end)
    known[TERMINATION] = termination_of(end.outcome, record.tags.get(TERMINATION, ""))
    said = {name: value for name, value in record.tags.items() if name not in DERIVED}
    tags: dict[str, str] = {name: (known | said)[name] for name in ORDER if name in known or name in said}
    for name, value in said.items():
        letters = _NO_NAME.sub("", name)
        tags.setdefault(letters if letters[:1].isalpha() else f"Tag{letters}", value)
    return tags


class _Words:
    """The words of the moves; a comment is one word, however long."""

    def __init__(self, record: Record) -> None:
        self.words: list[str] = []
        root = tree_of(record.game)
        self._comment(root)
        self._line(root)

    def _line(self, node: Node) -> None:
        """A line with the variations that begin in it, which are nested no deeper than a game is long."""
        numbered = True
        while node.children:
            first, *others = node.children
            said = self._ply(first, numbered)
            for other in others:
                self.words.append("(")
                self._ply(other, True)
                self._line(other)
                self.words.append(")")
            numbered = said or bool(others)
            node = first

    def _ply(self, node: Node, numbered: bool) -> bool:
        """One ply with its comment. True when there is one."""
        number, white = _number(node.entry)
        token = _token(node)
        if number and (white or numbered):
            token = f"{number}. {token}" if white else f"{number}... {token}"
        self.words.append(token)
        return self._comment(node)

    def _comment(self, node: Node) -> bool:
        said = commands(node.details, node.removed, node.marks)
        if node.hidden:
            said.append("[%hidden]")
        if node.comment:
            said.append(escape_comment(node.comment))
        if said:
            self.words.append(f"{{{' '.join(said)}}}")
        return bool(said)


def _token(node: Node) -> str:
    """The token; who resigns or loses is said when it is not the side whose turn it is."""
    token, loser = node.token, node.resigned
    if node.forfeit is not None:
        loser, token = node.forfeit
    return token if loser in (None, node.entry.position.side) else f"{token}-{loser}"


def _number(entry: Entry) -> tuple[int, bool]:
    """The number before a ply, 0 for what ends a game, and whether the ply is White's."""
    event = entry.event
    if not isinstance(event, (PiecePlaced, StackMoved, TurnPassed)):
        return 0, False
    white = event.by is Side.WHITE
    if isinstance(event, PiecePlaced):
        placed = sum(map(bool, entry.position.stacks))
        return (placed + 1) // 2, white
    played = entry.ply - entry.placements
    return (played + 1 + (played % 2 == 0 and white)) // 2, white


def _wrapped(words: Sequence[str]) -> Iterator[str]:
    """The words in lines of `WIDTH` columns at most, as far as they are not longer themselves."""
    line, column = "", 0
    for word in words:
        glued = line.endswith("(") or word == ")"
        wide = column + 1 + len(word.split("\n", 1)[0]) > WIDTH
        if line and wide and not glued:
            yield line
            line, column = word, len(word)
        else:
            line += word if glued or not line else f" {word}"
            column += len(word) + (not glued)
        if "\n" in word:
            column = len(word) - word.rindex("\n") - 1
    if line:
        yield line
