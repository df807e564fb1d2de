"""How native records write text, times and marks inside tags and comments, and read them back.

Backslashes begin escapes: ``\\\\``, ``\\"``, ``\\{``, ``\\}``, ``\\[`` stand for the character itself and
``\\u{1f600}`` for the character with that number. A backslash before anything else stands for itself. What
could move a cursor or cannot be seen is always written as a number, so that a record can be shown as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, TypeGuard

from dvonn_tui.core.cells import CELL_NAMES, Cell
from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.log import CellMark, MarkKind
from dvonn_tui.core.notation import parse_cell
from dvonn_tui.records.details import AT, CLOCK, SPENT

_ESCAPED: Final = re.compile(r'\\(?:u\{([0-9A-Fa-f]{1,6})\}|([\\"{}\[]))')
_SPECIAL: Final = re.compile(r"[\\{}]")
_QUOTED: Final = re.compile(r'[\\"]')
_PLAIN: Final = re.compile(r"[ -~]*")
_NUMBERED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ENDS: Final = " \t\n"

KNOWN: Final = ("clk", "emt", "at", "rm", "mark", "hidden")
"""The commands that comments of ours hold; others stay in the text."""

_COMMAND: Final = re.compile(r"\\[\\\[]|\[%([a-z]+)\b([^\]\\{}]*)\]")
_LIKE_COMMAND: Final = re.compile(rf"\[(?=%(?:{'|'.join(KNOWN)})\b)")
_LIKE_TAG: Final = re.compile(r'^([ \t]*)\[(?=[ \t]*[A-Za-z]\w*\s*")', re.MULTILINE)
_TIME: Final = re.compile(r"(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)")

LONGEST_TIME: Final = 3_000_000_000.0
"""Seconds that a clock can show: six digits of hours."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def unescape(text: str) -> str:
    """The text that an escaped one stands for. Never fails."""
    return _ESCAPED.sub(_unescaped, text) if "\\" in text else text


def _unescaped(found: re.Match[str]) -> str:
    if found[2] is not None:
        return found[2]
    number = int(found[1], 16)
    return chr(number) if number <= 0x10FFFF else found[0]


def quoted(text: str) -> str:
    """The value of a tag in its quotation marks, on one line."""
    escaped = _QUOTED.sub(r"\\\g<0>", text)
    return f'"{_visible(escaped, "")}"'


def escape_comment(text: str) -> str:
    """The text of a comment as it stands between braces."""
    text = _SPECIAL.sub(r"\\\g<0>", text)
    text = _LIKE_COMMAND.sub(r"\\[", text)
    text = _LIKE_TAG.sub(r"\1\\[", text)
    begins = len(text) - len(text.lstrip(_ENDS))
    ends = len(text.rstrip(_ENDS)) if begins < len(text) else len(text)
    inner = _visible(text[begins:ends], "\n\t")
    return f"{_numbered(text[:begins])}{inner}{_numbered(text[ends:])}"


def _visible(text: str, kept: str) -> str:
    """The text with everything that cannot be seen, but for some white space, written as numbers."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(
        character
        if character in kept or unicodedata.category(character) not in _NUMBERED
        else _numbered(character)
        for character in text
    )


def _numbered(text: str) -> str:
    return "".join(f"\\u{{{ord(character):x}}}" for character in text)


@dataclass(slots=True)
class Remark:
    """A comment taken apart.

    Attributes:
        texts: what is not a command, as it was written, of each comment.
        details: clock readings and times.
        marks: marked cells; None when nothing is said about them.
        removed: the cells that are said to be cut off, None when nothing is said.
        hidden: True when the line is said to be hidden.
        odd: commands that could not be read and stayed in the text.
    """

    texts: list[str] = field(default_factory=list)
    details: dict[str, object] = field(default_factory=dict)
    marks: list[CellMark] | None = None
    removed: list[Cell] | None = None
    hidden: bool = False
    odd: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All texts, one below the other."""
        return "\n".join(text for text in self.texts if text)

    def add(self, other: Remark) -> None:
        """Join the comment that follows."""
        self.texts += other.texts
        self.details |= other.details
        if other.marks is not None:
            self.marks = (self.marks or []) + other.marks
        if other.removed is not None:
            self.removed = (self.removed or []) + other.removed
        self.hidden = self.hidden or other.hidden
        self.odd += other.odd


def read_comment(raw: str) -> Remark:
    """Take apart what stands between braces."""
    remark = Remark()
    if "[%" not in raw:
        remark.texts.append(unescape(raw.strip(_ENDS)))
        return remark
    pieces, begun = [], 0
    for found in _COMMAND.finditer(raw):
        name = found[1]
        if name is None or name not in _READERS:
            continue
        try:
            _READERS[name](remark, found[2].strip())
        except (ValueError, NotationError, OverflowError):
            remark.odd.append(found[0])
            continue
        pieces.append(raw[begun : found.start()])
        begun = found.end()
    pieces.append(raw[begun:])
    stripped = (piece.strip(_ENDS) for piece in pieces)
    remark.texts.append(" ".join(unescape(piece) for piece in stripped if piece))
    return remark


def _read_clock(remark: Remark, text: str) -> None:
    remark.details[CLOCK] = read_time(text)


def _read_spent(remark: Remark, text: str) -> None:
    remark.details[SPENT] = read_time(text)


def _read_moment(remark: Remark, text: str) -> None:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a moment without its time zone")
    remark.details[AT] = (moment - _EPOCH) // timedelta(milliseconds=1) / 1000


def _read_removed(remark: Remark, text: str) -> None:
    cells = [parse_cell(name) for name in text.replace(",", " ").split()]
    remark.removed = (remark.removed or []) + cells


def _read_marks(remark: Remark, text: str) -> None:
    marks = []
    for word in text.replace(",", " ").split():
        name, _, kind = word.partition("=")
        marks.append(CellMark(parse_cell(name), MarkKind(kind or MarkKind.CIRCLE)))
    remark.marks = (remark.marks or []) + marks


def _read_hidden(remark: Remark, text: str) -> None:
    if text:
        raise ValueError("nothing is said with it")
    remark.hidden = True


_READERS: Final[Mapping[str, Callable[[Remark, str], None]]] = {
    "clk": _read_clock,
    "emt": _read_spent,
    "at": _read_moment,
    "rm": _read_removed,
    "mark": _read_marks,
    "hidden": _read_hidden,
}


def commands(
    details: Mapping[str, object], removed: tuple[Cell, ...], marks: tuple[CellMark, ...]
) -> list[str]:
    """What a comment says in commands about a ply."""
    said = []
    for key, name in ((CLOCK, "clk"), (SPENT, "emt")):
        seconds = details.get(key)
        if is_time(seconds):
            said.append(f"[%{name} {time_text(seconds)}]")
    moment = moment_text(details.get(AT))
    if moment:
        said.append(f"[%at {moment}]")
    if removed:
        said.append(f"[%rm {' '.join(CELL_NAMES[cell] for cell in removed)}]")
    if marks:
        said.append(f"[%mark {' '.join(f'{CELL_NAMES[mark.cell]}={mark.kind}' for mark in marks)}]")
    return said


def is_time(value: object) -> TypeGuard[float]:
    """True for seconds that a clock can show."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= LONGEST_TIME


def read_time(text: str) -> float:
    """Seconds of ``1:02:03``, ``02:03`` or ``1:02:03.250``. Raises ValueError."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError("a time is written as 1:02:03")
    minutes = int(found[1] or 0) * 60 + int(found[2])
    whole, _, part = found[3].partition(".")
    return (minutes * 60_000 + int(whole) * 1000 + int(part.ljust(3, "0"))) / 1000


def time_text(seconds: float) -> str:
    """Seconds as ``0:09:41``, with thousandths when there are some."""
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    hours, minutes = divmod(minutes, 60)
    whole, part = divmod(rest, 1000)
    return f"{hours}:{minutes:02}:{whole:02}" + (f".{part:03}" if part else "")


def moment_text(value: object) -> str:
    """A moment, in seconds since 1970, as ``2026-11-30T18:04:05Z``; empty for what is none."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=round(value * 1000))
    except (OverflowError, ValueError):
        return ""
    digits = "milliseconds" if moment.microsecond else "seconds"
    return moment.isoformat(timespec=digits).replace("+00:00", "Z")
