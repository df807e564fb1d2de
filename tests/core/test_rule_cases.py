"""The given positions of rules.jsonl: what is legal, what is not, and what each move leads to."""

from __future__ import annotations

from typing import Any

import pytest

from dvonn_tui.core.cells import CELL_NAMES, CELLS
from dvonn_tui.core.errors import DvonnError, GameFinished, IllegalAction
from dvonn_tui.core.events import Action, Place, TurnPassed, evolve
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import Word, format_position, parse_position, parse_token
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import decide, due, legal_moves, legal_placements, play
from dvonn_tui.core.script import Script

from .tools import lines_of, named, removed_by

CASES = lines_of("rules.jsonl")
every_case = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])


def cases_with(key: str) -> pytest.MarkDecorator:
    """Run a test for the cases that have a key."""
    found = [case for case in CASES if key in case]
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def action(text: str) -> Action:
    """The action of a token."""
    token = parse_token(text)
    assert not isinstance(token, Word)
    return token


def legal(position: Position) -> list[str]:
    """What can be done, in the words of the file."""
    if any(isinstance(event, TurnPassed) for event in due(position)):
        return ["PASS"]
    placements = [CELL_NAMES[each.cell].upper() for each in legal_placements(position)]
    return named(legal_moves(position)) + sorted(placements)


def test_all_cases_are_here() -> None:
    """The file is whole."""
    assert len(CASES) == 54
    assert sum(len(case["results"]) for case in CASES) == 464
    assert sum("line" in case for case in CASES) == 9


@every_case
def test_position_text_round_trips(case: dict[str, Any]) -> None:
    """The text of the file is the one spelling of its position."""
    assert format_position(parse_position(case["position"])) == case["position"]


@every_case
def test_legal_actions(case: dict[str, Any]) -> None:
    """Exactly the listed actions are legal."""
    assert legal(parse_position(case["position"])) == sorted(case["legal"])


@every_case
def test_state_of_the_game(case: dict[str, Any]) -> None:
    """The end, the score and the winner of the position as given."""
    position = parse_position(case["position"])
    game = Game.at(position)
    assert list(position.score) == case["score"]
    assert game.position.over is case["over"]
    outcome = game.position.outcome
    if outcome is None:
        assert case["winner"] is None
    else:
        assert case["winner"] == (outcome.winner or "draw")
        assert (game.position.phase, outcome.phase) == (Phase.OVER, Phase.MOVEMENT)
        with pytest.raises(GameFinished, match="the game is over"):
            game.play(Place(CELLS[0]))


@cases_with("illegal")
def test_tempting_moves_are_refused(case: dict[str, Any]) -> None:
    """Moves that look right and are not."""
    for text in case["illegal"]:
        with pytest.raises(IllegalAction):
            decide(parse_position(case["position"]), action(text))


@every_case
def test_all_other_cells_are_refused(case: dict[str, Any]) -> None:
    """Of all tokens that name cells only the legal ones are accepted."""
    position = Game.at(parse_position(case["position"])).position
    accepted = []
    for text in (*CELL_NAMES, *(one + other for one in CELL_NAMES for other in CELL_NAMES)):
        try:
            decide(position, action(text))
        except DvonnError:
            continue
        accepted.append(text.upper())
    assert sorted(accepted) == legal(position)


def results_of(position: Position, text: str) -> dict[str, Any]:
    """What one action leads to, in the words of the file."""
    if text == "PASS":
        events = due(position)
        assert [type(event) for event in events] == [TurnPassed]
        after = moved = evolve(position, events[0])
    else:
        events, after = play(position, action(text))
        moved = evolve(position, events[0])
    passes = text != "PASS" and any(isinstance(event, TurnPassed) for event in events)
    return {
        "removed": sorted(removed_by(events)),
        "next": None if after.over else moved.side,
        "must_pass": passes,
        "over": after.over,
        "score": list(after.score),
    }


@every_case
def test_results_of_every_action(case: dict[str, Any]) -> None:
    """What each legal action removes, whose turn follows, whether it ends the game, and the score."""
    position = parse_position(case["position"])
    assert sorted(case["results"]) == sorted(case["legal"])
    for text, expected in case["results"].items():
        found = results_of(position, text)
        assert found == {**expected, "removed": sorted(expected["removed"])}, text


@cases_with("line")
def test_played_lines(case: dict[str, Any]) -> None:
    """A played sequence; the passes written in it were recorded before they are read."""
    script = Script(Game.at(parse_position(case["position"])))
    recorded = script.game.log
    for step in case["line"]:
        if step["move"] == "PASS":
            assert any(isinstance(entry.event, TurnPassed) for entry in recorded)
            assert script.play("PASS") == ()
            assert step["removed"] == []
        else:
            recorded = script.play(step["move"])
            assert sorted(removed_by(entry.event for entry in recorded)) == sorted(step["removed"])
        assert script.game.position.over is step["over"]
