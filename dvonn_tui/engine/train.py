"""Learning the weights of the evaluation from games that the engine plays against itself.

``python -m dvonn_tui.engine.train --minutes N`` plays games from random boards, keeps the features of every
position together with the final margin, and fits the weights by logistic regression. It needs numpy and
scipy (``pip install 'dvonn-tui[train]'``). Playing ends when the minutes are over; fitting, and playing the
new weights against the old ones, takes about one more. The weights are written as a table of Python that the
evaluation imports, with what they scored.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

from dvonn_tui.core.setups import DRAWN_SETUPS, Setup, set_up
from dvonn_tui.engine.backend import FOLDER, VARIANT, Searcher, Table
from dvonn_tui.engine.board import set_board
from dvonn_tui.engine.evaluation import FEATURE_NAMES, weight_table
from dvonn_tui.engine.values import DEEPEST, FEATURES, INFINITE, ONE_LOGIT, PROVEN, WON
from dvonn_tui.engine.weights import WEIGHTS

KNOTS: Final = (6, 14, 22, 30, 40, 49)
"""Numbers of stacks for which weights are fitted; between them they are interpolated."""

WEIGHT_SCALE: Final = 4 * ONE_LOGIT
"""What the evaluation divides by, times the points of one logit."""

LARGEST_WEIGHT: Final = 32_000

TRUST: Final = 0.4
PULL: Final = 1e-5
SMOOTH: Final = 1e-4
"""What `fit` is told; found by playing weights against each other."""


ASIDE: Final = 0.5
"""How often a position beside the game, after a random move, is looked at."""


COMPARED: Final = 100
"""Boards on which new weights are played against the old ones."""


@dataclass(frozen=True)
class Sample:
    """Positions as rows: the number of stacks, the features, the value of a search and the final margin."""

    stacks: Any
    features: Any
    values: Any
    margins: Any


def play_games(seconds: float, seed: int, nodes: int, weights: list[list[int]]) -> tuple[list[Any], int]:
    """Play games against itself for so long.

    Returns:
        For every position without a proven result (stacks, features, value, final margin), all from the
        view of the side to move, and the number of games.
    """
    random = Random(seed)
    searcher = Searcher(Table(12), weights)
    rows: list[Any] = []
    games = 0
    end = monotonic() + seconds
    while monotonic() < end:
        position = set_up(random.choice(DRAWN_SETUPS), random.getrandbits(40))
        set_board(searcher, position)
        rows += _one_game(searcher, random, nodes)
        games += 1
    return rows, games


def _one_game(searcher: Searcher, random: Random, nodes: int) -> list[Any]:
    """Play one game from the position that was set: some random moves, then the search with few errors."""
    rows: list[Any] = []
    kept: list[tuple[int, list[int], int, int]] = []
    loose = random.choice((0, 1, 2, 4, 6, 10, 16, 22))
    passed = False
    ply = 0
    while True:
        count = searcher.prepare_root()
        if not count:
            if passed:
                break
            passed = True
            searcher.make(0)
            continue
        passed = False
        ply += 1
        if ply <= loose or random.random() < 0.03:
            searcher.make(searcher.root_move(random.randrange(count)))
            continue
        stacks, features = searcher.features()
        value, move, proven = _search(searcher, nodes)
        if proven:
            margin = value - WON if value > 0 else value + WON if value else 0
            rows += _labelled(kept, margin, searcher.side)
            return rows
        kept.append((stacks, features, value, searcher.side))
        if random.random() < ASIDE:
            rows += _aside(searcher, random, count, nodes)
        searcher.make(move)
    return _labelled(kept, searcher.diff, searcher.side)


def _aside(searcher: Searcher, random: Random, count: int, nodes: int) -> list[Any]:
    """What follows from a random move: the positions that a search sees are mostly of this kind."""
    board = searcher.board()
    searcher.make(searcher.root_move(random.randrange(count)))
    rows: list[Any] = []
    if searcher.prepare_root():
        stacks, features = searcher.features()
        value, _, _ = _search(searcher, nodes)
        rows.append((stacks, features, value, float("nan")))
    searcher.set_position(*board)
    searcher.prepare_root()
    return rows


def _search(searcher: Searcher, nodes: int) -> tuple[int, int, bool]:
    """The value and the best move after about so many nodes, and whether the value is proven."""
    searcher.stopped = False
    searcher.deadline = 0.0
    searcher.limit_nodes(1 << 62)
    searcher.age = (searcher.age + 1) & 63
    value = 0
    for depth in range(1, DEEPEST):
        value = searcher.iterate(depth, -INFINITE, INFINITE, 0)
        if searcher.root_proof == PROVEN:
            return value, searcher.root_move(0), True
        if searcher.nodes >= nodes:
            break
    return value, searcher.root_move(0), False


def _labelled(kept: list[tuple[int, list[int], int, int]], margin: int, side: int) -> list[Any]:
    return [
        (stacks, features, value, margin if mover == side else -margin)
        for stacks, features, value, mover in kept
    ]


def as_sample(rows: list[Any]) -> Sample:
    """The rows as arrays."""
    import numpy as np

    return Sample(
        np.array([row[0] for row in rows], dtype=np.int8),
        np.array([row[1] for row in rows], dtype=np.float32),
        np.array([row[2] for row in rows], dtype=np.float32),
        np.array([row[3] for row in rows], dtype=np.float32),
    )


def knot_shares(stacks: Any) -> Any:
    """For each number of stacks, the share that the weights of each knot have in it."""
    import numpy as np

    knots = np.array(KNOTS, dtype=np.float32)
    inside = np.clip(np.asarray(stacks, dtype=np.float32), knots[0], knots[-1])
    shares = np.zeros((len(inside), len(knots)), dtype=np.float32)
    right = np.clip(np.searchsorted(knots, inside), 1, len(knots) - 1)
    part = (inside - knots[right - 1]) / (knots[right] - knots[right - 1])
    each = np.arange(len(inside))
    shares[each, right - 1] = 1 - part
    shares[each, right] = part
    return shares


def calibrated(sample: Sample, won: Any) -> Any:
    """The chance to win that the value of the search stands for, by how games with such values ended."""
    import numpy as np
    from scipy.optimize import minimize_scalar

    known = np.abs(sample.values) > WON - 1
    ended = ~np.isnan(sample.margins)
    out = np.where(known, 20 * np.sign(sample.values), 0.0)
    shares = knot_shares(sample.stacks)
    slopes = []
    for knot in range(len(KNOTS)):
        near = ended & ~known & (shares[:, knot] > 0.3)
        values, wanted = sample.values[near] / ONE_LOGIT, won[near]

        def cost(slope: float, values: Any = values, wanted: Any = wanted) -> float:
            return float(np.mean(np.logaddexp(0, slope * values) - wanted * slope * values))

        found = minimize_scalar(cost, bounds=(0.05, 20), method="bounded").x if near.sum() > 50 else 1.0
        slopes.append(float(found))
    out = np.where(known, out, sample.values / ONE_LOGIT * (shares @ np.array(slopes)))
    return 1 / (1 + np.exp(-np.clip(out, -20, 20)))


def fit(sample: Sample, trust: float, pull: float, smooth: float) -> tuple[Any, float]:
    """Fit weights for each knot by logistic regression.

    Args:
        trust: the part of the label that the value of the search has; the rest is how the game ended.
        pull: strength of the pull of the weights to zero.
        smooth: strength of the pull of the weights of neighbouring knots to each other.

    Returns:
        The weights, knot by feature in logits, and the cross-entropy on the tenth that was held back.
    """
    import numpy as np

    won = 0.5 + 0.5 * np.sign(np.nan_to_num(sample.margins))
    ended = 0.5 * won + 0.5 / (1 + np.exp(-sample.margins / 4))
    seen = calibrated(sample, won)
    label = np.where(np.isnan(sample.margins), seen, (1 - trust) * ended + trust * seen)
    shares = knot_shares(sample.stacks).astype(np.float64)
    scale = sample.features.std(axis=0) + 1e-3
    features = (sample.features / scale).astype(np.float64)
    size = len(KNOTS) * FEATURES
    test = np.zeros(len(label), dtype=bool)
    test[len(label) - len(label) // 10 :] = True  # the last games
    weights = np.zeros((len(KNOTS), FEATURES))
    penalty = _penalty(pull, smooth) * (len(label) - test.sum())
    right = np.clip(np.searchsorted(KNOTS, sample.stacks), 1, len(KNOTS) - 1)
    for _ in range(12):
        out = np.clip(((features @ weights.T) * shares).sum(axis=1), -30, 30)
        chance = 1 / (1 + np.exp(-out))
        hessian = penalty.copy()
        slope = penalty @ weights.ravel()
        for last in range(1, len(KNOTS)):
            rows = (right == last) & ~test
            part = slice((last - 1) * FEATURES, (last + 1) * FEATURES)
            both = np.hstack(
                [features[rows] * shares[rows, last - 1, None], features[rows] * shares[rows, last, None]]
            )
            hessian[part, part] += both.T @ (both * (chance[rows] * (1 - chance[rows]) + 1e-6)[:, None])
            slope[part] += both.T @ (chance[rows] - label[rows])
        step = np.linalg.solve(hessian + 1e-9 * np.eye(size), slope)
        weights -= step.reshape(weights.shape)
        if np.abs(step).max() < 1e-3:
            break
    out = ((features[test] @ weights.T) * shares[test]).sum(axis=1)
    entropy = float(np.mean(np.logaddexp(0, out) - label[test] * out))
    return weights / scale, entropy


def _penalty(pull: float, smooth: float) -> Any:
    """The matrix that pulls weights to zero, and those of neighbouring knots to each other."""
    import numpy as np

    knots = np.eye(len(KNOTS)) * pull
    for knot in range(len(KNOTS) - 1):
        knots[knot : knot + 2, knot : knot + 2] += smooth * np.array([[1, -1], [-1, 1]])
    return np.kron(knots, np.eye(FEATURES))


def compare(new: list[list[int]], old: list[list[int]], pairs: int, nodes: int, seed: int) -> float:
    """Play new weights against old ones, every random board twice with colours changed.

    Returns:
        The part of the points, 0 to 1, that the new weights got.
    """
    random = Random(seed)
    points = 0.0
    for _ in range(pairs):
        position = set_up(Setup.RANDOM, random.getrandbits(40))
        for mine in (0, 1):
            players = [Searcher(Table(12), old), Searcher(Table(12), old)]
            players[mine].set_weights(new)
            for player in players:
                set_board(player, position)
            lead = _play_out(players, nodes)
            points += 0.5 if lead == 0 else float((lead > 0) == (mine == 0))
    return points / (2 * pairs)


def _play_out(players: list[Searcher], nodes: int) -> int:
    """Play a game to its end, White by the first searcher; returns White's final margin."""
    passed = False
    turn = 0
    while True:
        player = players[turn]
        count = player.prepare_root()
        if not count and passed:
            return player.diff if turn == 0 else -player.diff
        passed = not count
        move = _search(player, nodes)[1] if count else 0
        for each in players:
            each.make(move)
        turn = 1 - turn


def rows_of(weights: Any) -> dict[str, tuple[int, ...]]:
    """The fitted weights as whole numbers, for the name of every feature one a knot."""
    import numpy as np

    whole = np.clip(np.rint(weights * WEIGHT_SCALE), -LARGEST_WEIGHT, LARGEST_WEIGHT).astype(int)
    return {name: tuple(int(number) for number in whole[:, at]) for at, name in enumerate(FEATURE_NAMES)}


def written(rows: dict[str, tuple[int, ...]], about: str) -> str:
    """The text of the module that holds the weights."""
    lines = "\n".join(f'    "{name}": {numbers},' for name, numbers in rows.items())
    return (
        f'"""The learned weights. Written by ``python -m dvonn_tui.engine.train``.\n\n{about}\n"""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        "from dvonn_tui.engine.evaluation import weight_table\n\n"
        f"KNOTS: Final = {KNOTS}\n\n"
        f"ROWS: Final = {{\n{lines}\n}}\n\n"
        'WEIGHTS: Final = weight_table(KNOTS, ROWS)\n"""For each number of stacks, 0 to 49."""\n'
    )


def main(words: list[str]) -> int:
    """Play, fit and write; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m dvonn_tui.engine.train", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long games are played (default: 5)")
    parser.add_argument("--nodes", type=int, default=1500, help="positions looked at for a move")
    parser.add_argument("--seed", type=int, default=1, help="what the games are drawn from")
    parser.add_argument("--trust", type=float, default=TRUST, help="part of the search in the labels, 0 to 1")
    parser.add_argument("--output", type=Path, default=FOLDER / "weights.py", help="where the weights go")
    options = parser.parse_args(words)
    print(f"playing for {options.minutes} minutes ({VARIANT})", flush=True)
    rows, games = play_games(options.minutes * 60, options.seed, options.nodes, WEIGHTS)
    print(f"fitting {len(rows)} positions of {games} games", flush=True)
    weights, entropy = fit(as_sample(rows), options.trust, PULL, SMOOTH)
    fitted = rows_of(weights)
    points = compare(weight_table(KNOTS, fitted), WEIGHTS, COMPARED, options.nodes, options.seed)
    about = (
        f"Fitted to {len(rows)} positions of {games} games with {options.nodes} positions a move;\n"
        f"cross-entropy on the tenth that was held back: {entropy:.4f}. Against the weights before:\n"
        f"{100 * points:.1f} % of the points in {2 * COMPARED} games at {options.nodes} positions a move."
    )
    options.output.write_text(written(fitted, about), encoding="utf-8")
    print(about)
    print(f"written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
