"""Searchers of both variants, and the engine as a process."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import legal_moves, play
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.engine import backend
from dvonn_tui.engine.board import set_board
from dvonn_tui.engine.values import DEEPEST, INFINITE, PROVEN
from dvonn_tui.engine.weights import WEIGHTS

INTERPRETED = backend.interpreted_search()

VARIANTS: dict[str, Any] = {"interpreted": INTERPRETED}
if backend.COMPILED:
    VARIANTS["compiled"] = backend

PATIENCE = 30.0
"""Seconds in which a process has to answer, on a slow machine too."""


def searcher_of(variant: str, position: Position, bits: int = 12, begin: int = 12) -> Any:
    """A searcher of a variant, set to a position, with a table that begins small."""
    module = VARIANTS[variant]
    searcher = module.Searcher(module.Table(bits, begin), WEIGHTS)
    set_board(searcher, position)
    return searcher


def deepened(searcher: Any, depth: int) -> list[tuple[int, int, int, list[int]]]:
    """What every iteration to a depth found: value, what is proven, nodes, best line."""
    found = []
    if searcher.prepare_root():
        for plies in range(1, depth + 1):
            value = searcher.iterate(plies, -INFINITE, INFINITE, 0)
            found.append((value, searcher.root_proof, searcher.nodes, searcher.line()))
            if searcher.root_proof == PROVEN:
                break
    return found


def solve(searcher: Any) -> tuple[int, int]:
    """The proven value of a position and the move that reaches it."""
    value, proof, _, line = deepened(searcher, DEEPEST)[-1]
    assert proof == PROVEN
    return value, line[0]


def middles(count: int, plies: int, seed: int) -> Iterator[Position]:
    """Positions of random games after so many plies, or shortly before their ends."""
    random = Random(seed)
    for _ in range(count):
        position = set_up(Setup.RANDOM, random.getrandbits(40))
        for _ in range(plies):
            after = play(position, random.choice(legal_moves(position)))[1]
            if after.phase is Phase.OVER:
                break
            position = after
        yield position


def read(text: str) -> Position:
    """The position of its one line."""
    return parse_position(text)


class EngineProcess:
    """The engine as a subprocess, with a thread that reads what it writes."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dvonn_tui.engine", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def send(self, *lines: str) -> None:
        """Write lines to it."""
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, start: str) -> list[str]:
        """Its lines up to one that begins like this."""
        found = []
        end = time.monotonic() + PATIENCE
        while not found or not found[-1].startswith(start):
            found.append(self.lines.get(timeout=max(end - time.monotonic(), 0.01)))
        return found

    def ask(self, *lines: str) -> str:
        """Write lines and return the answer of the search."""
        self.send(*lines)
        return self.until("bestmove")[-1].removeprefix("bestmove ")


@contextmanager
def engine(*words: str) -> Iterator[EngineProcess]:
    """An engine that is gone afterwards."""
    running = EngineProcess(*words)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()
