"""The board of the search against the rules of the core."""

from __future__ import annotations

from operator import mul
from random import Random
from typing import Any

import pytest

from dvonn_tui.core.events import TurnPassed
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.core.rules import legal_moves, play
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.engine.board import code_of, move_of, set_board
from dvonn_tui.engine.values import ESTIMATE_LIMIT
from dvonn_tui.engine.weights import WEIGHTS
from tests.core.tools import lines_of

from .tools import VARIANTS, middles, searcher_of

CASES = lines_of("perft.jsonl")

MOST_COUNTED = {"compiled": 30_000_000, "interpreted": 4_000}

GAMES = {"compiled": 2_000, "interpreted": 120}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_counts_of_sequences(variant: str, case: dict[str, Any]) -> None:
    """All depths that are counted quickly, two at least, and depth 0."""
    searcher = searcher_of(variant, parse_position(case["position"]))
    depths = [
        depth for depth, count in enumerate(case["perft"], 1) if depth <= 2 or count <= MOST_COUNTED[variant]
    ]
    assert [searcher.perft(depth) for depth in depths] == [case["perft"][depth - 1] for depth in depths]
    assert searcher.perft(0) == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games(variant: str) -> None:
    """Moves, removals, passes, score and key of every ply of random games are those of the core."""
    random = Random(7)
    setups = (Setup.RANDOM, Setup.BALANCED, Setup.SYMMETRIC)
    plies = 0
    position = set_up(Setup.RANDOM, 1)
    kept = searcher_of(variant, position, 4)
    fresh = searcher_of(variant, position, 4)
    for number in range(GAMES[variant]):
        position = set_up(setups[number % 3], random.getrandbits(40))
        set_board(kept, position)
        while position.phase is Phase.MOVEMENT:
            moves = legal_moves(position)
            count = kept.prepare_root()
            assert {move_of(kept.root_move(place)) for place in range(count)} == set(moves)
            move = random.choice(moves)
            kept.make(code_of(move))
            events, position = play(position, move)
            for event in events:
                if isinstance(event, TurnPassed):
                    assert kept.prepare_root() == 0
                    kept.make(0)
            set_board(fresh, position)
            if position.phase is Phase.OVER and kept.side != fresh.side:
                kept.make(0)
            assert kept.board() == fresh.board()
            assert kept.recounted() == (kept.key, kept.diff) == (fresh.key, fresh.diff)
            score = position.score
            white_lead = kept.diff if position.side is Side.WHITE else -kept.diff
            assert white_lead == score.white - score.black
            plies += 1
        assert kept.prepare_root() == 0
        kept.make(0)
        assert kept.prepare_root() == 0
    assert plies > 25 * GAMES[variant]


@pytest.mark.parametrize("variant", VARIANTS)
def test_features_are_the_same_from_both_sides(variant: str) -> None:
    """What is mine for one side is theirs for the other."""
    for case in CASES:
        position = parse_position(case["position"])
        searcher = searcher_of(variant, position)
        stacks, mine = searcher.features()
        white, black, red, heights, side = searcher.board()
        searcher.set_position(white, black, red, heights, 1 - side)
        again, theirs = searcher.features()
        assert stacks == again == sum(1 for stack in position.stacks if stack)
        assert mine[:32] == theirs[32:64]
        assert mine[32:64] == theirs[:32]
        assert (mine[64], mine[65], mine[66]) == (theirs[64], -theirs[65], theirs[66])


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_estimate_is_the_weighted_sum_of_the_features(variant: str) -> None:
    """What the search adds up by itself is what the features that are learned from give."""
    compared = 0
    for plies in (0, 6, 14, 24, 34):
        for position in middles(4, plies, plies):
            searcher = searcher_of(variant, position)
            if not searcher.prepare_root():
                continue
            stacks, features = searcher.features()
            total = sum(map(mul, features, WEIGHTS[stacks])) >> 2
            assert searcher.estimate() == max(min(total, ESTIMATE_LIMIT), -ESTIMATE_LIMIT)
            compared += 1
    assert compared >= 15
