"""What holds in every position that games lead to."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn_tui.core.cells import CELLS, NEIGHBOURS, RAYS, RIM, TARGETS_AT, distance, in_line
from dvonn_tui.core.errors import GameFinished, IllegalAction
from dvonn_tui.core.events import (
    GameEnded,
    GameStarted,
    Move,
    PiecePlaced,
    Place,
    StackMoved,
    StacksRemoved,
    TurnPassed,
    apply_diff,
    diff,
    evolve,
)
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.pieces import LONE_RED, PIECE_COUNTS, Piece, Side
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position, Reason, leader
from dvonn_tui.core.rules import (
    can_move,
    decide,
    due,
    is_surrounded,
    legal_moves,
    legal_placements,
    targets,
    unlinked,
    why_stuck,
)
from dvonn_tui.core.setups import INNER_CELLS, Setup

from .tools import plain_legal, plain_neighbours, plain_unlinked
from .wandering import complete_games, games, settled_positions


@settings(max_examples=60)
@given(settled_positions())
def test_legal_moves_are_what_decide_accepts(position: Position) -> None:
    """All 49 x 49 pairs of cells, against the list of moves and a second telling of the rules."""
    accepted = set()
    for source in CELLS:
        for target in CELLS:
            try:
                events = decide(position, Move(source, target))
            except (IllegalAction, GameFinished):
                continue
            assert events[0] == StackMoved(source, target, position.side)
            accepted.add((source, target))
    listed = [(move.source, move.target) for move in legal_moves(position)]
    assert accepted == set(listed)
    assert len(listed) == len(accepted)
    if position.phase is Phase.MOVEMENT:
        assert accepted == plain_legal(position)


@settings(max_examples=100)
@given(settled_positions())
def test_legal_placements_are_what_decide_accepts(position: Position) -> None:
    """All 49 cells."""
    accepted = []
    for cell in CELLS:
        try:
            decide(position, Place(cell))
        except (IllegalAction, GameFinished):
            continue
        accepted.append(Place(cell))
    assert accepted == list(legal_placements(position))
    if position.phase is Phase.PLACEMENT:
        assert accepted == [Place(cell) for cell in CELLS if not position.stacks[cell]]
    else:
        assert not accepted


@settings(max_examples=100)
@given(settled_positions())
def test_why_stuck_agrees_with_targets(position: Position) -> None:
    """A reason is given exactly for the stacks that have no target."""
    for cell in CELLS:
        found = targets(position, cell)
        assert (why_stuck(position, cell) is None) == bool(found)
        assert len(found) == len(set(found)) <= 6
        around = list(plain_neighbours(cell))
        assert is_surrounded(position.stacks, cell) == (
            len(around) == 6 and all(position.stacks[each] for each in around)
        )
    turned = Position(position.stacks, position.phase, position.side.other)
    assert [targets(turned, cell) for cell in CELLS] == [targets(position, cell) for cell in CELLS]


@given(complete_games())
def test_the_log_folds_to_every_position(game: Game) -> None:
    """Each entry holds what its event makes of the position before it; pieces are never lost."""
    position, gone, placed = EMPTY_BOARD, 0, 0
    for entry in game.path(game.head):
        event = entry.event
        before = position
        position = evolve(position, event)  # type: ignore[arg-type]
        assert entry.position == position
        match event:
            case GameStarted():
                placed = sum(len(stack) for stack in position.stacks)
            case PiecePlaced(cell, piece):
                placed += 1
                assert (before.stacks[cell], position.stacks[cell]) == ((), (piece,))
            case StacksRemoved(cells):
                assert all(before.stacks[cell] == stack for cell, stack in cells)
                assert {cell for cell, _ in cells} == plain_unlinked(before.stacks)
                gone += sum(len(stack) for _, stack in cells)
        assert placed == gone + sum(len(stack) for stack in position.stacks)
        assert position.count(Piece.RED) == min(placed, 3)
        change = diff(before, position)
        assert apply_diff(before, change) == position
        assert apply_diff(position, change.reversed()) == before
        assert change.reversed() == diff(position, before)
        assert change.reversed().reversed() == change
        assert [each.cell for each in change.cells] == [
            cell for cell in CELLS if before.stacks[cell] != position.stacks[cell]
        ]
        assert change.score == (before.score, position.score)
    assert placed == sum(PIECE_COUNTS.values())
    assert (position.over, position.phase) == (True, Phase.OVER)
    assert not can_move(position, Side.WHITE)
    assert not can_move(position, Side.BLACK)
    end = game.head.event
    assert end == GameEnded(leader(position.score), Reason.NO_MOVES, position.score)


@given(complete_games(), st.data())
def test_any_two_positions_differ_by_their_diff(game: Game, data: st.DataObject) -> None:
    """A jump works like a step; from a wrong position a diff is not applied."""
    choice = st.sampled_from(game.log)
    one, other, third = (data.draw(choice).position for _ in range(3))
    change = diff(one, other)
    assert apply_diff(one, change) == other
    assert apply_diff(other, change.reversed()) == one
    assert diff(one, one).cells == ()
    seen = [third.stacks[each.cell] == each.before for each in change.cells]
    same = (third.side, third.phase, third.outcome) == (one.side, one.phase, one.outcome)
    if not all(seen) or not same:
        with pytest.raises(ValueError, match="another position"):
            apply_diff(third, change)


@given(games())
def test_after_each_action_all_is_linked(game: Game) -> None:
    """No stack without a link to red, no pass and no end still due, and never a red piece on top."""
    for entry in game.log:
        position = game.settled(entry).position
        assert due(position) == ()
        if position.phase is Phase.MOVEMENT:
            assert plain_unlinked(position.stacks) == set(unlinked(position.stacks)) == set()
            assert can_move(position, position.side)
        assert all(stack[-1] is not Piece.RED for stack in position.stacks if len(stack) > 1)


@given(games())
def test_events_keep_their_order_and_their_sides(game: Game) -> None:
    """A move, then what it cut off, then one pass or the end; the side is never worked out."""
    order = [StackMoved, StacksRemoved, TurnPassed, GameEnded]
    for entry in game.log:
        parent = game.parent(entry)
        event = entry.event
        if parent is None or parent.action != entry.action:
            continue
        if isinstance(event, PiecePlaced):
            assert isinstance(parent.event, PiecePlaced)
        elif isinstance(parent.event, StackMoved | StacksRemoved | TurnPassed):
            assert order.index(type(event)) > order.index(type(parent.event))
        if isinstance(event, TurnPassed):
            assert event.by is parent.position.side
            assert entry.position.side is event.by.other
            assert not can_move(parent.position, event.by)
            assert can_move(parent.position, event.by.other)


@given(st.integers(0, 2**32))
def test_unlinked_on_any_heap(seed: int) -> None:
    """The search for links against one that spreads until nothing changes, on sparse boards."""
    random = Random(seed)
    kinds = [(), (), (Piece.WHITE,), (Piece.BLACK, Piece.WHITE), LONE_RED, (Piece.RED, Piece.BLACK)]
    weights = [random.randint(0, 8), 2, random.randint(1, 8), 2, random.random(), random.random() / 2]
    stacks = tuple(random.choices(kinds, weights)[0] for _ in CELLS)
    assert set(unlinked(stacks)) == plain_unlinked(stacks)


def test_geometry_against_coordinates() -> None:
    """Lines, distances and targets agree with each other on all pairs of cells."""
    for one in CELLS:
        assert set(NEIGHBOURS[one]) == set(plain_neighbours(one))
        for other in CELLS:
            ahead = [ray.index(other) + 1 for ray in RAYS[one] if other in ray]
            assert in_line(one, other) == bool(ahead)
            assert distance(one, other) == distance(other, one)
            assert not ahead or ahead == [distance(one, other)]
            assert [away for away in range(50) if other in TARGETS_AT[one][away]] == ahead


def test_white_can_be_without_a_first_move() -> None:
    """All white pieces inside: the 49th placement brings White's pass, and Black moves first."""
    game = Game.new(Setup.MANUAL)
    rim, inner = sorted(RIM), list(INNER_CELLS)
    reds = [rim.pop(), inner.pop(), inner.pop()]
    order = reds + [rim.pop() if turn % 2 == 0 else inner.pop() for turn in range(46)]
    for cell in order:
        game.play(Place(cell))
    assert isinstance(game.head.event, TurnPassed)
    assert (game.position.phase, game.position.side) == (Phase.MOVEMENT, Side.BLACK)
    assert legal_moves(game.position)
    assert parse_position(format_position(game.position)) == game.position
    assert game.undo()
    assert (game.position.phase, game.position.side) == (Phase.PLACEMENT, Side.WHITE)
