"""The positions that ``dvonn-tui bench`` is to solve, from games of the engine against itself.

``python -m dvonn_tui.engine.solving > solving.jsonl`` plays the games and solves each position where it
breaks off. The boards are drawn from seeds in order, random and balanced by turns, and every position is
taken that leaves a choice: none is picked because it is easy. Both sides think by nodes, so the same engine
makes the same games again; another one plays others, which is why each line holds its moves. With the default
numbers a game takes about ten seconds where four million nodes a second are searched, and each position at
most `--most` seconds more.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from dvonn_tui.core.events import Move, StackMoved
from dvonn_tui.core.notation import event_token, format_position
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import legal_moves, play
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.engine.think import Limits, Thinker

GROUPS: Final = {"solve22": 22, "solve24": 24}
"""After how many moves of stacks, passes not counted, the games of a group are broken off."""

EACH: Final = 14
"""Positions of a group."""

SETUPS: Final = (Setup.RANDOM, Setup.BALANCED)
"""How the boards are filled, by turns."""

SEEDS: Final = 100
"""The seeds of a group begin at its number of moves times this, plus one."""

NODES: Final = 2_000_000
"""Positions that are searched for each move of a game: more than level 10 has."""

PROOF_TABLE: Final = 22
"""Buckets of the table for solving, as a power of two: 256 MB."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A game that was broken off.

    Attributes:
        setup: how the board was filled.
        seed: what it was drawn from.
        tokens: what was played, passes included.
        position: the position in which it was broken off, or at the end if that came first.
    """

    setup: Setup
    seed: int
    tokens: tuple[str, ...]
    position: Position


def play_game(setup: Setup, seed: int, moves: int, nodes: int) -> Origin:
    """Let the engine play both sides of a drawn board for a number of moves, passes not counted."""
    position = set_up(setup, seed)
    thinker = Thinker()
    tokens: list[str] = []
    made = 0
    while made < moves and not position.over:
        move = thinker.think(position, Limits(nodes=nodes)).action
        assert isinstance(move, Move)
        events, position = play(position, move)
        tokens += [token for event in events if (token := event_token(event)) is not None]
        made += sum(isinstance(event, StackMoved) for event in events)
    return Origin(setup, seed, tuple(tokens), position)


def games_of(group: str, nodes: int) -> Iterator[Origin]:
    """The games of a group, in the order of their seeds, without those that leave no choice."""
    moves = GROUPS[group]
    for number in count(1):
        setup = SETUPS[(number - 1) % len(SETUPS)]
        game = play_game(setup, SEEDS * moves + number, moves, nodes)
        if len(legal_moves(game.position)) > 1:
            yield game


def prove(position: Position, seconds: float) -> int | None:
    """The true final margin for the side to move; None when it is not proven in so many seconds."""
    line = Thinker(PROOF_TABLE).think(position, Limits(seconds=seconds)).lines[0]
    return line.margin if line.solved else None


def case_of(name: str, game: Origin, margin: int | None) -> dict[str, object]:
    """A position as ``dvonn-tui bench`` reads it."""
    case: dict[str, object] = {
        "id": name,
        "position": format_position(game.position),
        "margin": margin,
        "setup": game.setup.value,
        "seed": game.seed,
        "moves": " ".join(game.tokens),
    }
    return {key: value for key, value in case.items() if value is not None}


def main(arguments: list[str]) -> int:
    """Play, solve and write the positions to standard output, one JSON object a line."""
    parser = argparse.ArgumentParser(prog="python -m dvonn_tui.engine.solving", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)} (default: all)")
    parser.add_argument("--nodes", type=int, default=NODES, help="positions searched for each move")
    parser.add_argument("--most", type=float, default=600.0, help="seconds after which solving is given up")
    options = parser.parse_args(arguments)
    for group in options.groups or GROUPS:
        if group not in GROUPS:
            parser.error(f"no group {group!r}; there are {', '.join(GROUPS)}")
        for number, game in zip(range(1, EACH + 1), games_of(group, options.nodes), strict=False):
            margin = prove(game.position, options.most)
            name = f"{group}-{number:02}"
            print(json.dumps(case_of(name, game, margin)), flush=True)
            print(f"{name}: seed {game.seed}, margin {margin}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
