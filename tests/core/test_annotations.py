"""What is written beside a game: comments, marked cells, and which line is the main one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import PiecePlaced, PlaceRest, TurnPassed
from dvonn_tui.core.game import Game, rebuild
from dvonn_tui.core.log import CellMark, Commented, Entry, LinePromoted, Mark, MarkKind
from dvonn_tui.core.rules import legal_placements
from dvonn_tui.core.setups import Setup

from .test_log_faults import same
from .tools import FULL, board, cell, events_of, kinds, move
from .wandering import games


def three_lines() -> tuple[Game, list[Entry]]:
    """A game with three first moves, the head on the third."""
    game = Game.at(FULL)
    firsts = []
    for text in ("B4-A3", "C5-D5", "E5-F5"):
        firsts += game.play(move(text), after=game.log[0])
    return game, firsts


def test_the_line_promoted_last_comes_first() -> None:
    """Then those promoted before it, then the others, oldest first."""
    game, (one, two, three) = three_lines()
    start = game.log[0]
    assert game.children(start) == (one, two, three)
    game.promote(two)
    assert game.children(start) == (two, one, three)
    assert game.log[-1].event == LinePromoted(two.number)
    game.promote(three)
    assert game.children(start) == game.lines(start) == (three, two, one)
    game.hide(two)
    assert game.children(start) == (three, two, one)
    assert game.lines(start) == (three, one)
    game.show(two)
    assert game.lines(start) == (three, two, one)


def test_the_main_line_takes_the_first_shown_line() -> None:
    """Wherever the head stands; a hidden line is passed over."""
    game, (one, two, three) = three_lines()
    assert game.main_line() == (game.log[0], one)
    game.promote(two)
    assert game.main_line() == (game.log[0], two)
    assert game.head is three
    game.hide(two)
    assert game.main_line() == (game.log[0], one)
    (reply,) = game.play(move("K3-K4"), after=one)
    assert game.main_line() == (game.log[0], one, reply)


def test_promoting_does_not_move_the_way_of_redo() -> None:
    """Redo goes where it went before: into the line visited last, else into the newest."""
    game, (one, two, three) = three_lines()
    game.undo()
    game.promote(one)
    assert (game.redo(), game.head) == (True, three)
    game.undo()
    game.hide(three)
    game.promote(one)
    assert (game.redo(), game.head) == (True, two)


@given(games(), st.data())
def test_promoting_changes_the_order_alone(game: Game, data: st.DataObject) -> None:
    """The others keep their order, and so do all other forks; to promote the first records nothing."""
    entries = list(events_of(game))
    before = {entry.number: game.children(entry) for entry in entries}
    chosen = data.draw(st.sampled_from(entries))
    game.promote(chosen)
    first = chosen if isinstance(chosen.event, PiecePlaced) else game.entry(chosen.action)
    fork = game.parent(first)
    for entry in entries:
        rest = [child for child in before[entry.number] if child is not first]
        expected = [first, *rest] if entry is fork else list(before[entry.number])
        assert list(game.children(entry)) == expected
    length = len(game.log)
    game.promote(chosen)
    assert len(game.log) == length


@given(games())
def test_the_main_line_is_a_line_that_is_shown(game: Game) -> None:
    """From the start to where nothing shown follows; it never stops within an action."""
    line = game.main_line()
    assert line[0] is game.log[0]
    for entry, following in pairwise(line):
        assert following is game.lines(entry)[0]
    assert not game.lines(line[-1])
    assert game.settled(line[-1]) is line[-1]


def test_a_line_from_between_pieces_of_one_action_gives_way_again() -> None:
    """The rest of the pieces can be set before the line that was set before them."""
    game = Game.new(Setup.MANUAL)
    placed = game.play(PlaceRest(7))
    tenth, eleventh = placed[9:11]
    assert isinstance(eleventh.event, PiecePlaced)
    free = next(p for p in legal_placements(tenth.position) if p.cell != eleventh.event.cell)  # type: ignore[attr-defined]
    (other,) = game.play(free, after=tenth)
    game.promote(other)
    assert game.main_line()[-1] is other
    game.promote(eleventh)
    assert game.main_line()[-1] is placed[-1]
    same(rebuild(game.log), game)


def test_a_comment_belongs_to_the_ply() -> None:
    """Whichever of its entries is named; a pass that the move caused is a ply of its own."""
    game = Game.at(board("B3=B C3=WW D3=R E3=WBW F3=W"))
    entries = game.play(move("C3-E3"))
    assert kinds(entries) == ["StackMoved", "StacksRemoved", "TurnPassed"]
    moved, removed, passed = entries
    assert isinstance(passed.event, TurnPassed)
    game.comment(moved, "cuts off")
    assert game.log[-1].event == Commented(removed.number, "cuts off")
    assert [game.comment_of(entry) for entry in entries] == ["cuts off", "cuts off", ""]
    game.comment(passed, "must pass\nagain")
    assert [game.comment_of(entry) for entry in entries] == ["cuts off", "cuts off", "must pass\nagain"]
    game.comment(removed, "")
    assert game.comment_of(moved) == ""
    game.comment(game.log[0], "a fine start")
    assert game.comment_of(game.log[0]) == "a fine start"
    same(rebuild(game.log), game)


def test_marks_on_cells() -> None:
    """One for a cell, in the order of the cells, all replaced at once."""
    game = Game.at(FULL)
    (entry,) = game.play(move("B4-A3"))
    star, cross = (CellMark(cell("C3"), kind) for kind in (MarkKind.STAR, MarkKind.CROSS))
    ring = CellMark(cell("A1"), MarkKind.CIRCLE)
    game.mark_cells(entry, [star, ring, cross])
    assert game.cell_marks(entry) == (ring, cross)
    assert game.cell_marks(game.log[0]) == ()
    game.mark_cells(entry, (star,))
    assert game.cell_marks(entry) == (star,)
    same(rebuild(game.log), game)
    game.mark_cells(entry, ())
    assert game.cell_marks(entry) == ()


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        (CellMark(Cell(49), MarkKind.STAR), "no such cell: 49"),
        (CellMark(Cell(-1), MarkKind.STAR), "no such cell: -1"),
        (CellMark(Cell(3), "square"), "no such kind of mark"),  # type: ignore[arg-type]
    ],
)
def test_marks_that_are_none(mark: CellMark, reason: str) -> None:
    """Refused, and nothing is recorded."""
    game = Game.at(FULL)
    with pytest.raises(IllegalAction, match=reason):
        game.mark_cells(game.head, [mark])
    assert len(game.log) == 1


def test_what_changes_nothing_is_not_recorded() -> None:
    """The same comment, the same marks, the first line promoted, and taking away what is not there."""
    game, (one, two, _) = three_lines()
    game.promote(two)
    game.comment(one, "good")
    game.mark_cells(one, [CellMark(cell("A1"), MarkKind.STAR)])
    length = len(game.log)
    game.promote(two)
    game.promote(game.log[0])
    game.comment(one, "good")
    game.comment(two, "")
    game.mark_cells(one, game.cell_marks(one))
    game.mark_cells(two, ())
    assert len(game.log) == length


def test_listeners_are_told_and_nothing_in_the_game_changes() -> None:
    """One step for each, without a difference; the head, undo and the plies are as before."""
    game, (one, two, _) = three_lines()
    before = (game.head, game.position, game.plies())
    told: list[Entry] = []
    game.subscribe(lambda step: told.append(step.entry) if not step.diff.cells else None)
    game.promote(two)
    game.comment(one, "good")
    game.mark_cells(one, [CellMark(cell("A1"), MarkKind.STAR)])
    assert told == list(game.log[-3:])
    assert all(isinstance(entry.event, Mark) for entry in told)
    assert (game.head, game.position, game.plies()) == before
    assert all(game.standing(entry) is game.head for entry in told)
    game.comment(game.log[-1], "about the head")
    assert game.comment_of(game.head) == "about the head"
