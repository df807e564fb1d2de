"""How long the rules take."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Final

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import Action, Event, evolve
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.perft import perft
from dvonn_tui.core.position import EMPTY_BOARD
from dvonn_tui.core.rules import decide, legal_moves, legal_placements
from dvonn_tui.core.setups import Setup
from tests.benchmarks.tables import table

PERFT: Final = Path(__file__).parents[1] / "data" / "perft.jsonl"
PLIES: Final = 83
"""49 placements and 34 moves."""


def whole_game() -> list[Action]:
    """The actions of a complete game, drawn at random, of about 83 plies."""
    for seed in range(1000):
        chance = random.Random(seed)
        position, actions = EMPTY_BOARD, []
        while not position.over:
            action = chance.choice(legal_moves(position) or legal_placements(position))
            actions.append(action)
            for event in decide(position, action):
                position = evolve(position, event)
        if len(actions) == PLIES:
            return actions
    raise AssertionError("no such game")


def replay(actions: list[Action]) -> int:
    """Decide and evolve a game; returns the number of its events."""
    position, events = EMPTY_BOARD, 0
    for action in actions:
        found: tuple[Event, ...] = decide(position, action)
        for event in found:
            position = evolve(position, event)
        events += len(found)
    return events


def log(actions: list[Action], *, listened: bool = False) -> None:
    """The same with its log, and with the diffs that a listener is told."""
    game = Game.new(Setup.MANUAL)
    if listened:
        game.subscribe(lambda step: None)
    for action in actions:
        game.play(action)


def report(runs: int) -> str:
    """The table."""
    actions = whole_game()
    first = json.loads(PERFT.read_text().splitlines()[0])
    position = parse_position(_position_of(first))
    rows = [
        _row(f"a game, {replay(actions)} events, decided and evolved", lambda: replay(actions), 10 * runs),
        _row("the same with its log", lambda: log(actions), 10 * runs),
        _row("the same with log and diffs", lambda: log(actions, listened=True), 10 * runs),
        _row(f"perft 3 of the first position: {perft(position, 3):,}", lambda: perft(position, 3), runs),
        _row("a click refused", lambda: _refused(position), 10 * runs),
    ]
    return table(["core", "median ms", "best ms"], rows)


def _position_of(record: dict[str, Any]) -> str:
    return str(record["position"])


def _refused(position: Any) -> None:
    move = legal_moves(position)[0]
    try:
        decide(position, type(move)(move.source, move.source))
    except IllegalAction:
        return


def _row(name: str, work: Callable[[], object], runs: int) -> list[str]:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return [name, f"{median(times):.2f}", f"{min(times):.2f}"]
