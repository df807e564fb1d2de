"""A game as it was read, with all that was said about it and all that was wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Outcome, Phase, Position, Reason
from dvonn_tui.records.tree import end_of

TOKEN_LIMIT: Final = 24
"""Columns of a token in a fault."""

REASON_LIMIT: Final = 300
"""Columns of a reason."""

UNKNOWN: Final = "*"
"""The result of a game that has none."""

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", UNKNOWN)
"""The results that a record can tell: White won, Black won, a draw, none."""

NO_TAGS: Final[Mapping[str, str]] = MappingProxyType({})

EVENT: Final = "Event"
SITE: Final = "Site"
DATE: Final = "Date"
WHITE: Final = "White"
BLACK: Final = "Black"
SETUP: Final = "Setup"
LAYOUT: Final = "Layout"
TIME_CONTROL: Final = "TimeControl"
RESULT: Final = "Result"
SCORE: Final = "Score"
TERMINATION: Final = "Termination"
FORMAT: Final = "Format"

DERIVED: Final = frozenset({FORMAT, WHITE, BLACK, SETUP, LAYOUT, RESULT, SCORE, TERMINATION})
"""Tags that a writer takes from the game itself, as far as the game knows."""

PLAYERS: Final = {Side.WHITE: WHITE, Side.BLACK: BLACK}


class Unreadable(Exception):
    """There is no game in what was to be read. The text says why, clean and in one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(clean_line(reason, REASON_LIMIT))


class CannotHold(Exception):
    """A form cannot hold a game at all. The text says why, clean and in one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(clean_line(reason, REASON_LIMIT))


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong in a record, or odd. All texts are clean.

    Attributes:
        line: the line, from 1; 0 when it is the whole of it.
        column: the character of the line, from 1; 0 when it is the whole line.
        ply: the label of the ply that should have followed: ``p12``, ``7``; empty before the first.
        token: what stands there; empty when nothing does.
        reason: what is wrong, without a full stop.
    """

    line: int
    column: int
    ply: str
    token: str
    reason: str

    def __str__(self) -> str:
        place = [f"line {self.line}"] if self.line else []
        place += [f"column {self.column}"] if self.column else []
        place += [f"ply {self.ply}"] if self.ply else []
        where = ", ".join(place)
        token = f" ({self.token})" if self.token else ""
        return f"{where}{token}: {self.reason}" if where or token else self.reason


def fault(reason: str, *, line: int = 0, column: int = 0, ply: str = "", token: str = "") -> Fault:
    """A fault with its texts cleaned."""
    return Fault(line, column, ply, clean_line(token, TOKEN_LIMIT), clean_line(reason, REASON_LIMIT))


@dataclass(frozen=True, slots=True)
class Record:
    """One game of a file.

    The record itself does not change; the game in it is an ordinary one that can be played on.

    Attributes:
        game: the tree, its head at the end of the main line. Comments, marked cells, promoted and hidden
            lines are in it, clocks in the details of its entries.
        tags: names and values in the order of the file, as they were written; whoever shows them cleans
            them.
        form: the name of the form that it was read from; empty when it was not read.
        line: where it begins in the file, from 1.
        faults: what could not be read or is wrong; the game holds everything up to there.
        remarks: what is odd but was read all the same.
    """

    game: Game
    tags: Mapping[str, str] = field(default_factory=lambda: NO_TAGS)
    form: str = ""
    line: int = 1
    faults: tuple[Fault, ...] = ()
    remarks: tuple[Fault, ...] = ()

    @property
    def end(self) -> Entry:
        """The last entry of the main line, as a record writes it."""
        return end_of(self.game)

    @property
    def plies(self) -> int:
        """How many placements, moves and passes the main line has."""
        return self.end.ply

    @property
    def result(self) -> str:
        """One of `RESULTS`: what the rules make of the main line, else what the record says."""
        outcome = self.end.position.outcome
        if outcome is not None:
            return result_of(outcome)
        said = self.tags.get(RESULT, UNKNOWN)
        return said if said in RESULTS else UNKNOWN


def result_of(outcome: Outcome) -> str:
    """An outcome as a result."""
    if outcome.winner is None:
        return "1/2-1/2"
    return "1-0" if outcome.winner is Side.WHITE else "0-1"


def termination_of(outcome: Outcome | None, said: str) -> str:
    """How a game ended: by its outcome, else as was said."""
    if outcome is None:
        return said or "unterminated"
    return "normal" if outcome.reason is Reason.NO_MOVES else str(outcome.reason)


def score_text(position: Position) -> str:
    """The score as records write it: White's, a hyphen, Black's."""
    return f"{position.score.white}-{position.score.black}"


def label_after(entry: Entry) -> str:
    """The label of the ply that would follow an entry."""
    if entry.position.phase is Phase.PLACEMENT:
        return f"p{sum(map(bool, entry.position.stacks)) + 1}"
    return str(entry.ply - entry.placements + 1)


def with_tags(game: Game, tags: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> Record:
    """A record of a game that was played here."""
    return Record(game, MappingProxyType(dict(tags)))
