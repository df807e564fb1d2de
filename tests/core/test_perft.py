"""Counts of ply sequences that other programs found as well."""

from __future__ import annotations

from typing import Any

import pytest

from dvonn_tui.core.events import GameEnded, GameStarted, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.perft import divide, perft
from dvonn_tui.core.position import EMPTY_BOARD

from .tools import board, lines_of

MOST_PLAYED = 25_000
"""Positions played for one count: the leaves of the last ply are counted, not played."""

CASES = lines_of("perft.jsonl")
every_case = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])


def test_all_cases_are_here() -> None:
    """The file is whole."""
    assert len(CASES) == 15


@every_case
def test_counts(case: dict[str, Any]) -> None:
    """Every depth that is counted in short time, three at least."""
    counts = case["perft"]
    depths = [depth for depth in range(1, len(counts) + 1) if sum(counts[: depth - 1]) <= MOST_PLAYED]
    assert len(depths) >= 3
    for depth in depths:
        assert perft(parse_position(case["position"]), depth) == counts[depth - 1]


@every_case
def test_divide_sums_to_the_count(case: dict[str, Any]) -> None:
    """The counts after each first ply add up; the keys are the legal tokens, sorted."""
    position = parse_position(case["position"])
    for depth in (1, 2):
        counts = divide(position, depth)
        assert sum(counts.values()) == case["perft"][depth - 1]
        assert list(counts) == sorted(counts)
    assert all(text == text.lower() and len(text) == 4 for text in counts)
    assert set(divide(position, 1).values()) == {1}


def test_no_ply_is_one_sequence() -> None:
    """Depth 0 is 1, even when the game is over."""
    over = Game.at(board("F3=R")).position
    assert over.over
    assert (perft(EMPTY_BOARD, 0), perft(over, 0), perft(over, 1), divide(over, 1)) == (1, 1, 0, {})


def test_placements_are_plies() -> None:
    """The first two placements of a game: 49 times 48."""
    assert (perft(EMPTY_BOARD, 1), perft(EMPTY_BOARD, 2)) == (49, 49 * 48)


def test_a_forced_pass_is_one_ply() -> None:
    """Given with a pass due, and with one that a move causes."""
    stuck = board("D3=RW D4=B E4=B E5=B")
    assert [perft(stuck, depth) for depth in (1, 2)] == [1, 8]
    assert divide(stuck, 2) == {"pass": 8}
    assert divide(stuck, 1) == {"pass": 1}
    game = Game.at(stuck)
    assert [type(entry.event) for entry in game.log] == [GameStarted, TurnPassed]
    assert perft(game.position, 1) == 8


def test_a_game_that_is_due_to_end_has_no_continuation() -> None:
    """A position given with the end due in it."""
    position = board("A3=WBW B3=R C3=BWB")
    assert (perft(position, 0), perft(position, 1), divide(position, 1)) == (1, 0, {})
    assert isinstance(Game.at(position).head.event, GameEnded)
