"""``events``: tokens played, events as JSON."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.files import STREAM, chosen_game, names_file
from dvonn_tui.commands.positions import read_position
from dvonn_tui.commands.terminal import FAILED, CommandFault, write_line
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import Event, diff
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.plain import plain_step
from dvonn_tui.core.position import EMPTY_BOARD
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.record import Record

LONGEST_TOKEN: Final = 100
"""Bytes after which a token is not read on: none that means something is so long."""

SHOWN_TOKEN: Final = 24
"""Columns of a token in a message."""

CHUNK: Final = 65_536


def events(tokens: Sequence[str], start: str | None) -> int:
    """Play tokens, or those on standard input when there are none, and print all events.

    Args:
        tokens: placements, moves and words; white space in one separates several. The name of a file, or
            `STREAM` for standard input, stands for the first game in it, in any form. Without any,
            tokens are read from standard input, and each is played as soon as it has come.
        start: the position to begin from; None is the first placement.

    Raises:
        CommandFault: the position or a token is refused, or something cannot be read or written.
    """
    if start is None:
        record = _record(tokens)
        if record is not None:
            return _replay(record)
    game = Game.new(Setup.MANUAL) if start is None else Game.at(read_position(start))
    script = Script(game)
    _print(game, game.log)
    for number, token in enumerate(split_tokens(tokens) if tokens else standard_input(), 1):
        try:
            entries = script.play(token)
        except DvonnError as problem:
            line = f"token {number} ({clean_line(token, SHOWN_TOKEN)}): {problem.reason}"
            raise CommandFault(line, FAILED) from problem
        _print(game, entries)
    return 0


def _record(tokens: Sequence[str]) -> Record | None:
    """The game of a file that is named in the place of tokens; None when none is."""
    named = len(tokens) == 1 and (tokens[0] == STREAM or names_file(tokens[0]))
    return chosen_game(tokens[0], 1) if named else None


def _replay(record: Record) -> int:
    """Print the events of a record's main line, and what was wrong with it."""
    _print(record.game, record.game.main_line())
    if record.faults:
        raise CommandFault(str(record.faults[0]), FAILED)
    return 0


def _print(game: Game, entries: Iterable[Entry]) -> None:
    for entry in entries:
        parent = game.parent(entry)
        before = parent.position if parent else EMPTY_BOARD
        assert isinstance(entry.event, Event)
        write_line(json.dumps(plain_step(entry.event, diff(before, entry.position), entry.position)))


def split_tokens(tokens: Iterable[str]) -> Iterator[str]:
    """Each token by itself, where white space in one separates several; one that is empty is kept."""
    for token in tokens:
        yield from token.split() or [""]


def standard_input() -> Iterator[str]:
    """The tokens on standard input. Raises CommandFault when it cannot be read."""
    if sys.stdin is None:
        return
    try:
        yield from read_tokens(sys.stdin.buffer)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise CommandFault(f"cannot read standard input: {reason}", FAILED) from problem


def read_tokens(stream: BinaryIO) -> Iterator[str]:
    """The tokens of a stream, separated by white space, each as soon as it has come.

    Bytes that are no UTF-8 are replaced. Of a token that is much too long only the beginning is read, and
    the rest of a line after a ``#`` is a comment.
    """
    rest = b""
    first = True
    comment = False
    while chunk := _available(stream):
        if first:
            chunk, first = chunk.removeprefix(codecs.BOM_UTF8), False
        chunk, comment = _without_comments(chunk, comment)
        words = (rest + chunk).split()
        rest = words.pop() if words and not chunk[-1:].isspace() else b""
        for word in words:
            yield word[:LONGEST_TOKEN].decode("utf-8", "replace")
        if len(rest) > LONGEST_TOKEN:
            yield rest[:LONGEST_TOKEN].decode("utf-8", "replace")
            rest = b""
    if rest:
        yield rest.decode("utf-8", "replace")


def _without_comments(chunk: bytes, comment: bool) -> tuple[bytes, bool]:
    """A chunk without its comments, and whether it ends within one."""
    kept = []
    while chunk:
        text, sign, chunk = chunk.partition(b"\n" if comment else b"#")
        kept.append(b"" if comment else text)
        if sign:
            comment = not comment
            kept.append(b"\n")
    return b"".join(kept), comment


def _available(stream: BinaryIO) -> bytes:
    """What has come, without waiting for more; nothing at the end."""
    read: bytes = getattr(stream, "read1", stream.read)(CHUNK)
    return read
