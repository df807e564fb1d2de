"""What the move log lists: the plies of a line, and the lines that branch off."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from dvonn_tui.clean import clean_line
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

SHOWN_PLIES = 3
"""Plies of another line that are listed as long as it is folded."""

COMMENT_COLUMNS = 120
"""Columns of a comment that a row can need at most."""


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
        unfolds: the number of the entry that a line begins with which a click folds or unfolds.
    """

    text: str
    entry: int | None = None
    current: bool = False
    undone: bool = False
    branches: int = 0
    fold: bool = False
    unfolds: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A number and up to two plies, or items over the whole width; a long row takes several lines.

    Attributes:
        number: the number of the plies; empty for all other rows.
        items: the texts.
        branch: True for plies of another line than the one that is seen.
        depth: how deep that line lies: 1 for one that begins beside the line that is seen.
        line: the number of the entry that such a line begins with, in its first row.
        opened: True when all of that line is listed.
        comment: True when the one item is a comment.
    """

    number: str
    items: tuple[Item | None, ...]
    branch: bool = False
    depth: int = 0
    line: int | None = None
    opened: bool = False
    comment: bool = False


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
            case GameEnded(winner, Reason.TIME, _) if winner is not None:
                parts.append(f"{winner.other.word} out of time")
            case GameEnded(winner, Reason.ABSENCE, _) if winner is not None:
                parts.append(f"{winner.other.word} stayed away")
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
    game: Game,
    view: View,
    *,
    unfolded: bool,
    marks: Mapping[int, str] | None = None,
    opened: Collection[int] = (),
) -> tuple[Row, ...]:
    """The rows of the log for what is seen.

    `marks` are written behind plies, by the number of their last entry. Of the other lines those in
    `opened`, by the numbers of their first entries, are listed whole.
    """
    plies = view.plies
    here = view.index
    ahead = {entry.number for entry in game.path(game.head)}
    listing = _Listing(game, plies, here, ahead, marks or {}, opened)
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
    rows += listing.below(0)
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
        self,
        game: Game,
        plies: tuple[Ply, ...],
        here: int,
        ahead: set[int],
        marks: Mapping[int, str],
        opened: Collection[int],
    ) -> None:
        self.game, self.plies, self.here, self._on_head = game, plies, here, ahead
        self._marks, self._opened = marks, opened
        self._before = placed_before(game)
        self._main = {entry.number for entry in game.main_line()}

    def pairs(self, start: int, end: int) -> list[Row]:
        """Rows of two plies each, White's and Black's, with the branches below them."""
        rows: list[Row] = []
        index = start
        while index < end:
            first = self.plies[index]
            if not first.first.begins_ply:
                rows.append(Row("", (self._item(index),)))
                rows += self.below(index)
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
                rows += self.below(each)
            index = covered[-1] + 1
        return rows

    def is_undone(self, index: int) -> bool:
        """True when a ply lies after the head."""
        return self.plies[index].last.number not in self._on_head

    def below(self, index: int) -> list[Row]:
        """What is listed below a ply: what was written about it, and the lines that begin in its place.

        The comment of the ply that is seen is shown whole elsewhere.
        """
        ply = self.plies[index]
        rows = [] if index == self.here else self._comment_rows(ply, 0)
        for other in self._others(ply.first):
            rows += self._branch_rows(other, 1)
        return rows

    def _comment_rows(self, ply: Ply, depth: int) -> list[Row]:
        comment = self.game.comment_of(ply.last)
        if not comment:
            return []
        item = Item(clean_line(comment, COMMENT_COLUMNS), ply.last.number)
        return [Row("", (item,), depth=depth, comment=True)]

    def _others(self, first: Entry) -> list[Entry]:
        """What is seen of the other lines that begin where an entry begins one."""
        parent = self.game.parent(first)
        if parent is None:
            return []
        return [child for child in self.game.lines(parent) if child.number != first.number]

    def _branch_rows(self, first: Entry, depth: int) -> list[Row]:
        """A line that begins in place of another: its first plies, or when it is opened all of it."""
        plies = [ply for ply in self.game.plies(first) if ply.first.number >= first.number]
        main = [Item("main")] if depth == 1 and self._is_main(first) else []
        if first.number not in self._opened:
            more = len(plies) - SHOWN_PLIES
            text = " ".join(ply_text(ply).split(" x")[0] for ply in plies[:SHOWN_PLIES])
            comments = any(self.game.comment_of(ply.last) for ply in plies)
            items = [Item(text, plies[0].last.number), *main]
            if more > 0 or comments or self._forks(plies):
                items.insert(1, Item(f"+{max(more, 0)}" if more > 0 else "...", unfolds=first.number))
            return [Row("", tuple(items), branch=True, depth=depth, line=first.number)]
        rows: list[Row] = []
        run: list[Item | None] = []
        begins: int | None = first.number
        for index, ply in enumerate(plies):
            text = ply_text(ply) + self._marks.get(ply.last.number, "")
            others = self._others(ply.first) if index else []
            run.append(Item(text, ply.last.number, branches=len(others)))
            below = self._comment_rows(ply, depth)
            for other in others:
                below += self._branch_rows(other, depth + 1)
            if below or index == len(plies) - 1:
                extra = main if begins is not None else []
                row = Row("", (*run, *extra), branch=True, depth=depth, line=begins, opened=True)
                rows += [row, *below]
                run, begins = [], None
        return rows

    def _forks(self, plies: list[Ply]) -> bool:
        """True when other lines begin amid the plies of a line."""
        return any(self._others(ply.first) for ply in plies[1:])

    def _is_main(self, first: Entry) -> bool:
        """True for the line that comes first of all at every fork."""
        return first.number in self._main

    def _item(self, index: int) -> Item:
        ply = self.plies[index]
        return Item(
            ply_text(ply) + self._marks.get(ply.last.number, ""),
            ply.last.number,
            current=index == self.here,
            undone=self.is_undone(index),
            branches=len(self._others(ply.first)),
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
