"""Events and diffs as plain values: the lines that `dvonn-tui events` prints."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from dvonn_tui.core.events import AgreeDraw, Place, diff
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Mark
from dvonn_tui.core.notation import format_position
from dvonn_tui.core.plain import plain_diff, plain_step, plain_winner
from dvonn_tui.core.position import EMPTY_BOARD, Position
from dvonn_tui.core.setups import Setup

from .tools import FULL, board, cell, move
from .wandering import games

FIELDS = {
    "GameStarted": ["setup", "seed", "white", "black"],
    "PiecePlaced": ["cell", "piece", "by"],
    "StackMoved": ["source", "target", "by"],
    "StacksRemoved": ["cells"],
    "TurnPassed": ["by"],
    "GameEnded": ["winner", "reason", "score"],
}


def told(game: Game) -> list[dict[str, Any]]:
    """The lines of a game, through JSON and back."""
    before, lines = Position(), []
    for entry in game.path(game.head):
        assert not isinstance(entry.event, Mark)
        step = plain_step(entry.event, diff(before, entry.position), entry.position)
        lines.append(json.loads(json.dumps(step)))
        before = entry.position
    return lines


def test_a_move_with_all_it_causes() -> None:
    """The game of D07, word for word."""
    game = Game.at(board("C3=R D3=WW E3=W F3=R G3=B H3=WB"))
    game.play(move("E3-F3"))
    moved = told(game)[1]
    assert moved == {
        "event": "StackMoved",
        "source": "e3",
        "target": "f3",
        "by": "w",
        "diff": {
            "cells": [["e3", "w", ""], ["f3", "r", "(rw)"]],
            "side": ["w", "b"],
            "phase": ["movement", "movement"],
            "score": [[3, 3], [4, 3]],
        },
        "position": "9/10/2r(ww)1(rw)b(wb)3/10/9 b m",
    }
    game = Game.at(board("C3=R D3=W E3=B F3=WB"))
    game.play(move("D3-C3"))
    _, moved, removed, ended = told(game)
    assert moved["position"] == "9/10/2(rw)1b(wb)5/10/9 b m"
    assert removed == {
        "event": "StacksRemoved",
        "cells": {"e3": "b", "f3": "(wb)"},
        "diff": {
            "cells": [["e3", "b", ""], ["f3", "(wb)", ""]],
            "side": ["b", "b"],
            "phase": ["movement", "movement"],
            "score": [[2, 3], [2, 0]],
        },
        "position": "9/10/2(rw)8/10/9 b m",
    }
    assert ended == {
        "event": "GameEnded",
        "winner": "w",
        "reason": "no moves",
        "score": [2, 0],
        "diff": {
            "cells": [],
            "side": ["b", "b"],
            "phase": ["movement", "over"],
            "score": [[2, 0], [2, 0]],
        },
        "position": "9/10/2(rw)8/10/9 b m",
    }


def test_start_placement_pass_and_draw() -> None:
    """The other events."""
    game = Game.new(Setup.MANUAL, white="[/", black="B")
    game.play(Place(cell("C3")))
    start, placed = told(game)
    assert {key: start[key] for key in ("event", *FIELDS["GameStarted"])} == {
        "event": "GameStarted",
        "setup": "manual",
        "seed": None,
        "white": "[/",
        "black": "B",
    }
    assert (placed["cell"], placed["piece"], placed["by"]) == ("c3", "r", "w")
    assert placed["diff"]["cells"] == [["c3", "", "r"]]
    passed = told(Game.at(board("D3=RW D4=B E4=B E5=B")))[1]
    assert (passed["event"], passed["by"]) == ("TurnPassed", "w")
    game = Game.at(FULL)
    game.play(AgreeDraw())
    drawn = told(game)[-1]
    assert (drawn["winner"], drawn["reason"], drawn["score"]) == ("draw", "agreement", [23, 23])
    assert plain_winner(None) == "draw"
    assert told(Game.new(Setup.RANDOM, 3))[0]["seed"] == 3


@given(games())
def test_every_event_has_its_fields(game: Game) -> None:
    """The fields in their order, a diff and the position after."""
    for line, entry in zip(told(game), game.path(game.head), strict=True):
        assert list(line) == ["event", *FIELDS[line["event"]], "diff", "position"]
        assert line["event"] == type(entry.event).__name__
        assert line["position"] == format_position(entry.position)
        assert line["diff"]["score"][1] == list(entry.position.score)
    assert plain_diff(diff(EMPTY_BOARD, EMPTY_BOARD))["cells"] == []
