"""What cells are worth while the board is being filled."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from dvonn_tui.core.events import Place, PlaceRest
from dvonn_tui.core.notation import parse_cell, parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import EMPTY_BOARD
from dvonn_tui.core.rules import legal_placements, play
from dvonn_tui.engine.board import set_board
from dvonn_tui.engine.levels import level
from dvonn_tui.engine.placement import choose_placement, rank_placements
from dvonn_tui.engine.think import Limits, Report, Thinker

PLACING = parse_position("2w6/3b6/1wr1r1b1r2/3b6/4w4 b p")
"""Three red, three white and three black pieces lie there; Black places."""


@pytest.mark.parametrize("move", ["", "a3"])
def test_what_a_cell_is_worth(move: str) -> None:
    """It is the mean value of boards on which the piece lies there and the rest at random."""
    position = play(PLACING, Place(parse_cell(move)))[1] if move else PLACING
    searcher = Thinker(10).searcher
    ranked = rank_placements(position, searcher, 1, 2_000, rated=True)
    assert {rated.place for rated in ranked} == set(legal_placements(position))
    values = [rated.value for rated in ranked if rated.value is not None]
    assert len(values) == len(ranked)
    assert values == sorted(values, reverse=True)
    sign = 1 if position.side is Side.WHITE else -1
    for rated in (ranked[0], ranked[-1]):
        after = play(position, rated.place)[1]
        found = []
        for seed in range(300):
            set_board(searcher, play(after, PlaceRest(seed))[1])
            found.append(sign * searcher.estimate())
        assert rated.value is not None
        # Both are means of random boards; the value is one of two such means.
        assert abs(rated.value - mean(found)) < 5 * stdev(found) * (1 / 300 + 2 / 200) ** 0.5
    assert choose_placement(position, searcher, 1, 2_000) == ranked[0].place


def test_levels_and_red_pieces_tell_no_value() -> None:
    told: list[Report] = []
    thinker = Thinker(10)
    thinker.lines_wanted = 3
    red = thinker.think(EMPTY_BOARD, Limits(), told.append)
    assert [(rated.place, rated.value) for rated in told.pop().placements] == [(red.action, None)]
    thinker.think(PLACING, Limits(), told.append)
    assert [rated.value is not None for rated in told.pop().placements] == [True] * 3
    thinker.level = level(3)
    assert thinker.think(PLACING, Limits(), told.append).action in legal_placements(PLACING)
    assert not told


def test_the_last_piece_is_worth_what_the_board_is() -> None:
    position = PLACING
    while len(legal_placements(position)) > 1:
        position = play(position, legal_placements(position)[0])[1]
    thinker = Thinker(10)
    (rated,) = rank_placements(position, thinker.searcher, 1, rated=True)
    set_board(thinker.searcher, play(position, rated.place)[1])
    assert rated.value == thinker.searcher.estimate()
