"""Set-ups drawn from seeds: the same board everywhere, and the board that was promised."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn_tui.core.cells import CELLS, CENTRE, RIM, distance, opposite
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.pieces import Piece, Side
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position
from dvonn_tui.core.setups import CHOSEN_SETUPS, DRAWN_SETUPS, Setup, set_up
from dvonn_tui.core.shuffle import below, seeded_random, shuffled

from .wandering import seeds

RED, WHITE, BLACK = Piece.RED, Piece.WHITE, Piece.BLACK


def piece_at(position: Position, cell: int) -> Piece:
    """The single piece on a cell."""
    (piece,) = position.stacks[cell]
    return piece


@settings(max_examples=150)
@given(st.sampled_from(DRAWN_SETUPS), seeds)
def test_drawn_boards_are_whole(setup: Setup, seed: int) -> None:
    """All 49 pieces, White to move, the same again from the same seed."""
    position = set_up(setup, seed)
    assert position == set_up(setup, seed)
    assert [position.count(piece) for piece in (RED, WHITE, BLACK)] == [3, 23, 23]
    assert all(len(stack) == 1 for stack in position.stacks)
    assert (position.phase, position.side, position.outcome) == (Phase.MOVEMENT, Side.WHITE, None)
    assert parse_position(format_position(position)) == position


@settings(max_examples=250)
@given(seeds)
def test_balanced(seed: int) -> None:
    """An even rim, no two reds adjacent, and a nearly even neighbourhood of the reds."""
    position = set_up(Setup.BALANCED, seed)
    rim = [piece_at(position, cell) for cell in RIM]
    assert (rim.count(WHITE), rim.count(BLACK)) == (12, 12)
    reds = [cell for cell in CELLS if piece_at(position, cell) is RED]
    assert all(distance(one, other) > 1 for one in reds for other in reds if one != other)
    near = [piece_at(position, cell) for cell in CELLS if any(distance(cell, red) <= 2 for red in reds)]
    assert near.count(RED) == 3
    assert abs(near.count(WHITE) - near.count(BLACK)) <= 2


@settings(max_examples=250)
@given(seeds)
def test_symmetric(seed: int) -> None:
    """A half turn exchanges the colours; one red on f3, the other two opposite each other."""
    position = set_up(Setup.SYMMETRIC, seed)
    assert piece_at(position, CENTRE) is RED
    turned = {WHITE: BLACK, BLACK: WHITE, RED: RED}
    for cell in CELLS:
        assert piece_at(position, opposite(cell)) is turned[piece_at(position, cell)]


def test_nothing_is_always_so() -> None:
    """Over many seeds, no cell keeps a colour that the set-up does not give it."""
    for setup in DRAWN_SETUPS:
        boards = [set_up(setup, seed) for seed in range(300)]
        assert len(set(boards)) == 300
        for cell in CELLS:
            seen = {piece_at(position, cell) for position in boards}
            if setup is Setup.SYMMETRIC and cell == CENTRE:
                assert seen == {RED}
            else:
                assert seen >= {WHITE, BLACK}
                assert (RED in seen) or (setup is Setup.BALANCED and cell in RIM) or setup is Setup.SYMMETRIC


GOLDEN = {
    Setup.RANDOM: "wbwbbwwbw/wbbwbwbrbw/bbbwwwwbwbw/rbbbwbwbww/bwbbwwbwr w m",
    Setup.BALANCED: "bbwwbbwww/wwbrwrwbwb/wwwbwwbwbbw/bbbbbrwwbw/bwwbwbbbb w m",
    Setup.SYMMETRIC: "bwwbrwwww/wbwwwbbbwb/bbwbwrbwbww/wbwwwbbbwb/bbbbrwbbw w m",
}


@pytest.mark.parametrize("setup", DRAWN_SETUPS)
def test_the_same_board_on_every_python(setup: Setup) -> None:
    """A seed that somebody noted down gives the board that he saw."""
    assert format_position(set_up(setup, 20240229)) == GOLDEN[setup]


def test_manual_begins_empty() -> None:
    """Nothing is drawn, whatever seed is named."""
    assert set_up(Setup.MANUAL) == set_up(Setup.MANUAL, 5) == EMPTY_BOARD
    assert (*DRAWN_SETUPS, Setup.MANUAL) == CHOSEN_SETUPS


@pytest.mark.parametrize("setup", DRAWN_SETUPS)
@pytest.mark.parametrize("seed", [None, -1, 2**63])
def test_seeds_out_of_range(setup: Setup, seed: int | None) -> None:
    """No seed, and seeds that cannot be."""
    with pytest.raises(ValueError, match="seed"):
        set_up(setup, seed)
    assert set_up(setup, 2**63 - 1) != set_up(setup, 0)


@given(st.integers(1, 10**6), seeds)
def test_below(limit: int, seed: int) -> None:
    """In range, and nothing drawn for nothing."""
    source = seeded_random(seed)
    assert all(0 <= below(limit, source) < limit for _ in range(20))
    untouched = Random(1)
    assert below(1, untouched) == 0
    assert untouched.getstate() == Random(1).getstate()


def test_every_order_is_equally_likely() -> None:
    """All 24 orders of four things, each about a thousand times of 24 000."""
    source = seeded_random(1)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(24_000):
        order = tuple(shuffled(range(4), source))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert all(850 < count < 1150 for count in counts.values())
