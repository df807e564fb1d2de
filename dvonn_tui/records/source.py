"""From bytes to the lines of each game: encodings, line ends, limits.

Everything streams: of a file no more is kept than the game that is being read.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from typing import BinaryIO, Final, NamedTuple

from dvonn_tui.records.limits import HEAD, LARGEST_GAME, LONGEST_LINE
from dvonn_tui.records.record import Fault, fault

CHUNK: Final = 65_536

_ENDS: Final = re.compile(rb"\r\n|\n|\r")

_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Line(NamedTuple):
    """One line.

    Attributes:
        number: from 1.
        text: without its end.
        latin: True when it was no UTF-8 and was read as Latin-1.
        too_long: True when it is longer than `LONGEST_LINE`; the text is then its beginning.
    """

    number: int
    text: str
    latin: bool = False
    too_long: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """The lines of one game.

    Attributes:
        lines: at least one.
        cut: why lines that belong to the game are missing; None when none are.
        remarks: what was odd about its bytes.
    """

    lines: tuple[Line, ...]
    cut: Fault | None = None
    remarks: tuple[Fault, ...] = ()


class Belongs(Enum):
    """Where a line belongs."""

    HERE = auto()
    """To the game before it."""
    NEXT = auto()
    """To a new game, with the undecided lines before it."""
    UNDECIDED = auto()
    """To the same game as the line after it, and to the one before it at the end."""


Sorter = Callable[[str], Belongs]
"""Told all lines of a file in turn, it says where each belongs."""


def lines_of(source: str | bytes | BinaryIO) -> Iterator[Line]:
    """The lines of a text, of bytes, or of a stream of bytes.

    Lines end with LF, CRLF or CR. Bytes are UTF-8 with or without a byte-order mark, or UTF-16; a line
    that is neither is read as Latin-1, which every byte is.

    Raises:
        OSError: the stream cannot be read.
    """
    chunks = _chunks(source)
    first = next(chunks, b"")
    while len(first) < 3 and (more := next(chunks, b"")):
        first += more
    encoding = _UTF16.get(first[:2]) or _guess_utf16(first)
    begin = first[2:] if first[:2] in _UTF16 else first.removeprefix(codecs.BOM_UTF8)
    chunks = chain((begin,), chunks)
    if encoding is not None:
        chunks = _as_utf8(chunks, encoding)
    for number, (raw, too_long) in enumerate(_raw_lines(chunks), 1):
        if raw.isascii():
            yield Line(number, raw.decode("ascii"), False, too_long)
            continue
        try:
            yield Line(number, raw.decode("utf-8"), False, too_long)
        except UnicodeDecodeError:
            yield Line(number, raw.decode("latin-1"), not too_long, too_long)


def _chunks(source: str | bytes | BinaryIO) -> Iterator[bytes]:
    if isinstance(source, str):
        source = source.encode("utf-8", "replace")
    if isinstance(source, bytes):
        for start in range(0, len(source), CHUNK):
            yield source[start : start + CHUNK]
        return
    while chunk := source.read(CHUNK):
        yield chunk


def _guess_utf16(first: bytes) -> str | None:
    """UTF-16 without a mark has a zero byte in nearly every pair, as long as the text is English."""
    pairs = first[:256]
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        here, there = pairs[start::2], pairs[1 - start :: 2]
        if len(here) > 3 and here.count(0) > 0.9 * len(here) and not there.count(0):
            return encoding
    return None


def _as_utf8(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", True).encode("utf-8", "replace")


def _raw_lines(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each line and whether it is too long; of one that is, only the beginning is kept."""
    pending = bytearray()
    too_long = after_return = False
    for chunk in chunks:
        if after_return and chunk[:1] == b"\n":
            chunk = chunk[1:]
        after_return = chunk[-1:] == b"\r"
        pieces = _ENDS.split(chunk)
        for piece in pieces[:-1]:
            too_long = too_long or len(pending) + len(piece) > LONGEST_LINE
            yield bytes(pending + piece)[:LONGEST_LINE], too_long
            pending.clear()
            too_long = False
        too_long = too_long or len(pending) + len(pieces[-1]) > LONGEST_LINE
        if not too_long:
            pending += pieces[-1]
    if pending or too_long:
        yield bytes(pending), too_long


def head_of(lines: Iterator[Line]) -> tuple[list[Line], Iterator[Line]]:
    """The first lines, as many as are needed to recognise a form, and all lines again."""
    head: list[Line] = []
    size = 0
    for line in lines:
        head.append(line)
        size += len(line.text) + 1
        if size > HEAD:
            break
    return head, chain(head, lines)


def sections(lines: Iterable[Line], sorter: Sorter) -> Iterator[Section]:
    """The games of a file, split as the sorter says. Games without a character are left out."""
    gathered, undecided = _Gathered(), _Gathered()
    for line in lines:
        match Belongs.HERE if line.too_long else sorter(line.text):
            case Belongs.UNDECIDED:
                undecided.add(line)
                continue
            case Belongs.NEXT:
                if gathered.told:
                    yield gathered.section()
                gathered, undecided = undecided, _Gathered()
            case Belongs.HERE if undecided.lines:
                gathered.join(undecided)
                undecided = _Gathered()
        gathered.add(line)
    gathered.join(undecided)
    if gathered.told:
        yield gathered.section()


class _Gathered:
    """The lines of a game as they come, no more than the limits allow."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.told = False
        self._size = 0
        self._cut: Fault | None = None
        self._latin: Line | None = None

    def add(self, line: Line) -> None:
        """Keep a line, or note that it is not kept."""
        self.told = self.told or (bool(line.text) and not line.text.isspace())
        if self._cut is not None:
            return
        self._size += len(line.text) + 1
        if line.too_long:
            reason = f"a line has at most {LONGEST_LINE:,} bytes: it and the rest of its game are not read"
            self._cut = fault(reason, line=line.number)
        elif self._size > LARGEST_GAME:
            reason = f"a game has at most {LARGEST_GAME:,} characters: the rest of it is not read"
            self._cut = fault(reason, line=line.number)
        if self._cut is not None:
            # Where nothing of a game can be kept, its place still can.
            if not self.lines:
                self.lines.append(Line(line.number, ""))
        else:
            self.lines.append(line)
            if line.latin and self._latin is None:
                self._latin = line

    def join(self, other: _Gathered) -> None:
        """Take over lines that were kept elsewhere."""
        self.told = self.told or other.told
        for line in other.lines:
            self.add(line)
        self._cut = self._cut or other._cut

    def section(self) -> Section:
        """What was gathered."""
        remarks: tuple[Fault, ...] = ()
        if self._latin is not None:
            remarks = (fault("not UTF-8: read as Latin-1", line=self._latin.number),)
        return Section(tuple(self.lines), self._cut, remarks)
