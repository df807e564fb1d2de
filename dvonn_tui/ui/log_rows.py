"""What the move log lists: the plies of a line, and the lines that branch off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dvonn_tui.core.cells import CELL_NAMES, CELLS
from dvonn_tui.core.events import (
    GameEnded,
    GameStarted,
    PiecePlaced,
    StackMoved,
    StacksRemoved,
    TurnPassed,
)
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry, Ply
from dvonn_tui.core.pieces import Piece, Side
from dvonn_tui.core.position import Phase, Reason
from dvonn_tui.core.setups import Setup
from dvonn_tui.core.view import View

LONGEST_START = 25
"""Characters of the text of the start that fit into one row of the narrowest log."""


@dataclass(frozen=True, slots=True)
class Item:
    """One text of the log that can be clicked.

    Attributes:
        text: what it says.
        entry: the number of the entry that a click goes to; None when it goes nowhere.
        current: True for the ply that is seen.
        undone: True when it lies after the head.
        branches: how many other lines begin at the same place.
        fold: True when a click folds or unfolds the placements.
    """

    text: str
    entry: int | None = None
    current: bool = False
    undone: bool = False
    branches: int = 0
    fold: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the log: a number and up to two plies, or one item over the whole width."""

    number: str
    items: tuple[Item | None, ...]
    branch: bool = False


def ply_text(ply: Ply) -> str:
    """A ply in words as short as a log needs them: ``a2-c2 x3`` cuts off three stacks."""
    parts = []
    for entry in ply.entries:
        match entry.event:
            case PiecePlaced(cell, piece, _):
                parts.append(CELL_NAMES[cell] + (" red" if piece is Piece.RED else ""))
            case StackMoved(source, target, _):
                parts.append(f"{CELL_NAMES[source]}-{CELL_NAMES[target]}")
            case StacksRemoved(cells):
                parts.append(f"x{len(cells)}")
            case TurnPassed():
                parts.append("pass")
            case GameEnded(_, Reason.RESIGNATION, _):
                parts.append("resigns")
            case GameEnded(_, Reason.AGREEMENT, _):
                parts.append("draw agreed")
            case _:
                pass
    return " ".join(parts)


def start_text(started: GameStarted) -> str:
    """How the board was filled."""
    if started.setup == Setup.POSITION:
        return "from a given position"
    if started.setup == Setup.MANUAL:
        return "placed by hand"
    return f"{started.setup} board, seed {started.seed}"


def placed_before(game: Game) -> int:
    """How many pieces lay on the board when a game began in the middle of the placement; else 0."""
    start = game.log[0].position
    return sum(1 for stack in start.stacks if stack) if start.phase is Phase.PLACEMENT else 0


def log_rows(
    game: Game, view: View, *, unfolded: bool, marks: Mapping[int, str] | None = None
) -> tuple[Row, ...]:
    """The rows of the log for what is seen.

    `marks` are written behind plies, by the number of their last entry.
    """
    plies = view.plies
    here = view.index
    ahead = {entry.number for entry in game.path(game.head)}
    listing = _Listing(game, plies, here, ahead, marks or {})
    placements = [index for index, ply in enumerate(plies) if isinstance(ply.first.event, PiecePlaced)]
    rows = list(_start_rows(listing, placements, unfolded=unfolded))
    first_move = (placements[-1] if placements else 0) + 1
    rows += listing.pairs(first_move, len(plies))
    return tuple(rows)


def _start_rows(listing: _Listing, placements: list[int], *, unfolded: bool) -> list[Row]:
    start = listing.plies[0]
    started = start.first.event
    assert isinstance(started, GameStarted)
    text = start_text(started)
    at_start = listing.here == 0
    texts = [text] if len(text) <= LONGEST_START else text.split(", ")
    rows = [
        Row("", (Item(text, start.last.number, current=at_start and text is texts[0]),)) for text in texts
    ]
    rows += listing.branch_rows(0)
    if not placements:
        return rows
    before = placed_before(listing.game)
    moving = placements[-1] + 1 < len(listing.plies) or before + len(placements) == len(CELLS)
    if moving and not unfolded:
        last = listing.plies[placements[-1]].last
        inside = listing.here in placements
        end = before + len(placements)
        undone = sum(1 for index in placements if listing.is_undone(index))
        folded = f"{end - undone} of {end} placed" if undone else f"p{before + 1}-p{end} placed"
        rows.append(Row("", (Item(folded, last.number, current=inside), Item("unfold", fold=True))))
        return rows
    if moving:
        rows.append(Row("", (Item("fold the placements", fold=True),)))
    return rows + listing.pairs(placements[0], placements[-1] + 1)


class _Listing:
    """Makes rows of the plies of one line."""

    def __init__(
        self, game: Game, plies: tuple[Ply, ...], here: int, ahead: set[int], marks: Mapping[int, str]
    ) -> None:
        self.game, self.plies, self.here, self._on_head = game, plies, here, ahead
        self._marks = marks
        self._before = placed_before(game)

    def pairs(self, start: int, end: int) -> list[Row]:
        """Rows of two plies each, White's and Black's, with the branches below them."""
        rows: list[Row] = []
        index = start
        while index < end:
            first = self.plies[index]
            if not first.first.begins_ply:
                rows.append(Row("", (self._item(index),)))
                rows += self.branch_rows(index)
                index += 1
                continue
            number, column = _number_and_column(first, self._before)
            items: list[Item | None] = [None] * column + [self._item(index)]
            covered = [index]
            if column == 0 and index + 1 < end and self.plies[index + 1].first.begins_ply:
                items.append(self._item(index + 1))
                covered.append(index + 1)
            rows.append(Row(number, tuple(items)))
            for each in covered:
                rows += self.branch_rows(each)
            index = covered[-1] + 1
        return rows

    def is_undone(self, index: int) -> bool:
        """True when a ply lies after the head."""
        return self.plies[index].last.number not in self._on_head

    def branch_rows(self, index: int) -> list[Row]:
        """The lines that begin in place of a ply."""
        return [
            Row("", (Item(self._branch_text(other), self._end_of_ply(other).number),), branch=True)
            for other in self._others(index)
        ]

    def _others(self, index: int) -> list[Entry]:
        parent = self.game.parent(self.plies[index].first)
        if parent is None:
            return []
        own = self.plies[index].first.number
        return [child for child in self.game.lines(parent) if child.number != own]

    def _end_of_ply(self, first: Entry) -> Entry:
        """The last entry of the ply that an entry begins."""
        return next(ply.last for ply in self.game.plies(first) if ply.first.number == first.number)

    def _branch_text(self, first: Entry) -> str:
        plies = [ply for ply in self.game.plies(first) if ply.first.number >= first.number]
        shown = " ".join(ply_text(ply).split(" x")[0] for ply in plies[:3])
        more = len(plies) - 3
        return f"{shown} +{more}" if more > 0 else shown

    def _item(self, index: int) -> Item:
        ply = self.plies[index]
        return Item(
            ply_text(ply) + self._marks.get(ply.last.number, ""),
            ply.last.number,
            current=index == self.here,
            undone=self.is_undone(index),
            branches=len(self._others(index)),
        )


def _number_and_column(ply: Ply, before: int) -> tuple[str, int]:
    """The number of the row and the column of a ply: White's left, Black's right.

    `before` pieces lay on the board already when the game began.
    """
    event = ply.first.event
    assert isinstance(event, (PiecePlaced, StackMoved, TurnPassed))
    column = 0 if event.by is Side.WHITE else 1
    if isinstance(event, PiecePlaced):
        return f"p{before + ply.first.placements - column}", column
    counted = ply.first.ply - ply.first.placements
    return str((counted + 1 + (counted % 2 == 0 and column == 0)) // 2), column
