"""The positions that are to be solved are what they claim to be, and the command that makes them."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from itertools import islice
from typing import Any

import pytest

from dvonn_tui.core.events import StackMoved
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.engine import backend, solving
from dvonn_tui.engine.think import Limits, Thinker

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in files("dvonn_tui.engine").joinpath("solving.jsonl").read_text(encoding="utf-8").splitlines()
]

ENDING = "9/10/2rwbw5/10/9 w m"
"""White's f3e3 wins all four pieces, d3c3 two, and d3e3 draws."""

LOST = "9/10/2rwwb5/10/9 b m"
"""After Black's only move, f3e3, White's d3c3 cuts that stack off."""

OVER = "9/10/2(wbw)r(bwb)6/10/9 w m"

EASY_NODES = 400_000


def test_there_are_enough_from_different_games() -> None:
    assert Counter(case["id"].split("-")[0] for case in CASES) == {"solve22": 14, "solve24": 14}
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert len({(case["setup"], case["seed"]) for case in CASES}) == len(CASES)
    assert len({case["position"] for case in CASES}) == len(CASES)
    assert Counter(case["setup"] for case in CASES).keys() == {"random", "balanced"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_its_game_leads_to_the_position_and_leaves_a_choice(case: dict[str, Any]) -> None:
    game = Game.new(Setup(case["setup"]), case["seed"])
    script = Script(game)
    for token in case["moves"].split():
        script.play(token)
    assert format_position(game.position) == case["position"]
    moved = sum(isinstance(entry.event, StackMoved) for entry in game.path(game.head))
    assert moved == int(case["id"].removeprefix("solve").split("-")[0])
    assert not game.position.over
    assert len(legal_moves(game.position)) >= 2


@pytest.mark.skipif(not backend.COMPILED, reason="takes minutes interpreted")
def test_the_margins_of_those_that_are_solved_at_once() -> None:
    solved = {}
    for case in CASES:
        line = Thinker(16).think(parse_position(case["position"]), Limits(nodes=EASY_NODES)).lines[0]
        if line.solved:
            solved[case["id"]] = line.margin
    assert len(solved) >= 7
    assert solved == {case["id"]: case["margin"] for case in CASES if case["id"] in solved}


def test_a_game_is_made_again_alike_and_passes_are_no_moves() -> None:
    game = solving.play_game(Setup.BALANCED, 3, 6, 50)
    assert game == solving.play_game(Setup.BALANCED, 3, 6, 50)
    again = Game.new(Setup.BALANCED, 3)
    script = Script(again)
    for token in game.tokens:
        script.play(token)
    assert again.position == game.position
    assert sum(token != "pass" for token in game.tokens) == 6


def test_a_game_that_ends_early_is_not_gone_on_with() -> None:
    game = solving.play_game(Setup.RANDOM, 1, 100, 10)
    assert game.position.over


def test_seeds_come_in_order_and_only_games_without_a_choice_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def play_game(setup: Setup, seed: int, moves: int, nodes: int) -> solving.Origin:
        position = parse_position(OVER) if seed == 2402 else set_up(setup, seed)
        return solving.Origin(setup, seed, (str(moves), str(nodes)), position)

    monkeypatch.setattr(solving, "play_game", play_game)
    games = list(islice(solving.games_of("solve24", 7), 3))
    assert [(game.setup, game.seed) for game in games] == [
        (Setup.RANDOM, 2401),
        (Setup.RANDOM, 2403),
        (Setup.BALANCED, 2404),
    ]
    assert games[0].tokens == ("24", "7")


def test_a_margin_is_proven_from_both_sides() -> None:
    assert solving.prove(parse_position(ENDING), 60) == 4
    assert solving.prove(parse_position(LOST), 60) == -2
    assert solving.prove(set_up(Setup.BALANCED, 1), 0.05) is None


def test_the_command_writes_a_line_for_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solving, "EACH", 1)
    assert solving.main(["solve22", "--nodes", "10", "--most", "0.01"]) == 0
    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (line["id"], line["seed"], line["setup"]) == ("solve22-01", 2201, "random")
    assert line["position"]
    assert sum(token != "pass" for token in line["moves"].split()) == 22
