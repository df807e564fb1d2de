"""The records of boardspace.net, which look like SGF but which no reader of SGF takes.

``SU[dvonn 0]`` says the game; what a player does is a property ``P0`` or ``P1``, such as
``P0[135 Move H 4 E 4]`` and ``P0[136 Done]``: a number, a word and cells as a letter and a digit. ``Dropb``
places a piece, or sets down a stack that ``Pickb`` took up; ``Move`` does both; ``Done`` makes it final, and
until then it can be taken back by picking it up again or by ``Reset``. Who does ``Start`` is White.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from dvonn_tui.core.notation import Word
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.records.building import Findings, Player, new_game
from dvonn_tui.records.form import Form, Part
from dvonn_tui.records.limits import MOST_TOKENS
from dvonn_tui.records.movetext import Movetext
from dvonn_tui.records.record import DATE, PLAYERS, Record, fault
from dvonn_tui.records.source import Belongs, Section, Sorter

NAME: Final = "sgf"

_BEGIN: Final = re.compile(r"\s*\(\s*;")
_ITEM: Final = re.compile(
    r"\s*+(?:(?P<name>[A-Za-z]\w*+)\s*+"
    r"|\[(?P<value>[^\\\]]*+(?:\\.[^\\\]]*+)*+)(?P<end>\]?)"
    r"|(?P<sign>.))",
    re.DOTALL,
)
_OF_DVONN: Final = re.compile(r"\b(?:SU|GM)\s*\[\s*dvonn\b", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"\\(\r\n|.)", re.DOTALL)
_ACT: Final = re.compile(r"\s*(\d+)\s+([A-Za-z]+)\s*(.*)", re.DOTALL)
_ID: Final = re.compile(r'\s*id\s+"?(.*?)"?\s*', re.DOTALL)
_CELL: Final = re.compile(r"([A-Ka-k])\s+([1-5])\b")

_SILENT: Final = frozenset({"start", "edit", "time", "ranking", "country"})
"""Words that change nothing on the board."""


class _Property(NamedTuple):
    name: str
    value: str
    place: int


def recognise(head: Sequence[str]) -> bool:
    """An SGF file that says it is of DVONN."""
    text = "\n".join(head)
    return _BEGIN.match(text) is not None and _OF_DVONN.search(text) is not None


def sorter() -> Sorter:
    """A game begins with ``(;`` at the beginning of a line, once the one before is closed."""
    closed = True

    def sort(text: str) -> Belongs:
        nonlocal closed
        new = closed and _BEGIN.match(text) is not None
        told = text.rstrip()
        closed = told.endswith(")") if told else closed
        return Belongs.NEXT if new else Belongs.HERE

    return sort


def read(section: Section) -> Iterator[Record]:
    """The game of a section."""
    findings = Findings(section)
    text = Movetext(section.lines, section.lines[-1].number)
    reader = _Reader(text, findings)
    reader.read()
    yield findings.record(reader.player.game, reader.tags, NAME, section.lines[0].number)


class _Reader:
    """Follows what the players did.

    Attributes:
        tags: what is said about the game.
        player: plays what was done.
    """

    def __init__(self, text: Movetext, findings: Findings) -> None:
        self._text = text
        self._findings = findings
        self.tags: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._white = "P0"
        self._picked = ""
        self._wish = ""
        self._who = ""
        self._place = 0
        self.player = Player(new_game({}), findings)

    def read(self) -> None:
        """Read all properties in order."""
        acts = []
        for count, item in enumerate(self._properties(), 1):
            if count > MOST_TOKENS:
                self._stop(f"a game has at most {MOST_TOKENS:,} properties: the rest is not read", item)
                break
            if item.name in ("P0", "P1"):
                named = _ID.fullmatch(item.value)
                if named is not None:
                    self._names[item.name] = named[1]
                    continue
                act = _ACT.fullmatch(item.value)
                if act is not None and act[2].lower() == "start":
                    self._white = item.name
                acts.append(item)
            elif item.name == "C":
                acts.append(item)
            else:
                self.tags.setdefault(DATE if item.name == "DT" else item.name, item.value)
        black = "P1" if self._white == "P0" else "P0"
        for side, player in ((Side.WHITE, self._white), (Side.BLACK, black)):
            if player in self._names:
                self.tags[PLAYERS[side]] = self._names[player]
        self.player = Player(new_game(self.tags), self._findings)
        for item in acts:
            self._take(item)
        self._finish()

    def _properties(self) -> Iterator[_Property]:
        text, start, name, depth = self._text.text, 0, "", 0
        closed = False
        while (found := _ITEM.match(text, start)) is not None:
            start = found.end()
            if found["name"]:
                name = found["name"].upper()
            elif found["value"] is not None:
                place = found.start("value")
                if not found["end"]:
                    self._stop("this value is not closed", _Property(name, "", place))
                    return
                yield _Property(name, _ESCAPED.sub(r"\1", found["value"]), place)
            elif found["sign"] == "(":
                depth += 1
                if closed:
                    beside = _Property("(", "", found.start("sign"))
                    self._stop("lines beside the main one are not read", beside)
                    return
            elif found["sign"] == ")":
                depth -= 1
                closed = True
        if depth > 0:
            self._stop("the record is not closed: it may be cut off", _Property("", "", len(text)))

    def _stop(self, reason: str, item: _Property) -> None:
        line, column = self._text.where(item.place)
        self._findings.faults.append(fault(reason, line=line, column=column, token=item.name))

    def _take(self, item: _Property) -> None:
        """What one property does."""
        if item.name == "C":
            if item.value.strip():
                self.player.comment(item.value.strip())
            return
        act = _ACT.fullmatch(item.value)
        if act is None:
            if item.value.split()[:1] and item.value.split()[0].lower() not in _SILENT:
                self._odd("this is not known", item)
            return
        if self._wish and item.name != self._who:
            self._done()
        word, cells = act[2].lower(), [letter + digit for letter, digit in _CELL.findall(act[3])]
        self._who, self._place = item.name, item.place
        match word, cells:
            case "dropb", [cell]:
                self._drop(cell)
            case "pickb", [cell, *_]:
                self._pick(cell)
            case "move", [source, target]:
                self._picked, self._wish = "", source + target
            case (("pick" | "drop"), _):
                self._picked = ""
            case "reset", _:
                self._picked = self._wish = ""
            case (("pass" | "resign"), _):
                self._wish = "" if self._wish == word else word
            case "done", _:
                self._done()
            case _ if word in _SILENT:
                return
            case _:
                self._odd("this is not known", item)

    def _odd(self, reason: str, item: _Property) -> None:
        line, column = self._text.where(item.place)
        self._findings.remark(fault(reason, line=line, column=column, token=item.value))

    def _pick(self, cell: str) -> None:
        """Take up a stack, or what was just set down."""
        if self._wish.endswith(cell):
            self._picked, self._wish = self._wish[: -len(cell)], ""
        else:
            self._picked = cell

    def _drop(self, cell: str) -> None:
        """Set down what was taken up: in the place where it was, nothing has happened."""
        placing = self.player.game.position.phase is Phase.PLACEMENT
        self._wish = cell if placing else self._picked + cell
        if self._picked == cell and not placing:
            self._wish = ""
        self._picked = ""

    def _done(self) -> None:
        """Play what a player wanted."""
        wish, self._wish, self._picked = self._wish, "", ""
        if not wish:
            return
        line, column = self._text.where(self._place)
        if wish == Word.RESIGN:
            self.player.resign(Side.WHITE if self._who == self._white else Side.BLACK, line, column)
        else:
            self.player.play(wish, line, column)

    def _finish(self) -> None:
        if self._wish and not self.player.stopped:
            line, column = self._text.where(self._place)
            reason = "this was not confirmed and is left out"
            self._findings.remark(fault(reason, line=line, column=column, token=self._wish))
        self.player.finish()


FORM: Final = Form(
    name=NAME,
    title="boardspace.net",
    suffixes=(".sgf",),
    recognise=recognise,
    sorter=sorter,
    read=read,
    write=None,
    holds=frozenset({Part.NAMES, Part.TAGS, Part.MOVES, Part.COMMENTS}),
)
