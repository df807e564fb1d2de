"""The engine as a process of its own, driven line by line over standard input and output.

The protocol is in the manner of UCI. What is read:

- ``uci``: who it is and its options, then ``uciok``. ``isready``: ``readyok``, also while it thinks.
- ``position POSITION [moves TOKEN ...]``: the one-line form of a position (``startpos`` is the empty board)
  and the actions since. A position in which a pass is due is taken after that pass.
- ``go [depth N] [nodes N] [movetime MS] [wtime MS btime MS [winc MS] [binc MS]] [infinite]``; ``stop``.
- ``setoption name NAME value VALUE``: Hash (megabytes), Threads, MultiPV, Level (0 is full strength), Seed.
- ``quit``, or the end of the input.

What is written: ``info depth N multipv K score points V | score margin M [solved] nodes N nps N time MS pv
TOKEN ...``, values from the view of the side to move, a margin once the end of the game is certain. Of a
placement the score is an estimate for boards on which the rest is placed at random, the nodes are those
boards, and a red piece, which is placed by rule, has no score;
``bestmove TOKEN``, or ``bestmove none`` where there is nothing to choose; ``info string TEXT`` for people.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from threading import Lock, Thread
from time import process_time
from typing import Final, TextIO

from dvonn_tui import __version__
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import Event, Move, Place, TurnPassed, evolve
from dvonn_tui.core.notation import Word, format_action, parse_position, parse_token, shown
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position
from dvonn_tui.core.rules import due, play
from dvonn_tui.core.shuffle import LARGEST_SEED
from dvonn_tui.engine.backend import COMPILED, NOTICE, VARIANT, now
from dvonn_tui.engine.levels import LEVELS, level
from dvonn_tui.engine.placement import Rated
from dvonn_tui.engine.think import MOST_THREADS, TABLE_BITS, Limits, Line, Report, Thinker

MOST_LINES: Final = 64
LARGEST_HASH: Final = 1024
"""Megabytes."""

LONGEST: Final = 10**9
"""No number of a command is larger."""


class Fault(Exception):
    """What is wrong with a command, in words."""


class Engine:
    """Answers the commands of the line protocol."""

    def __init__(self, write: Callable[[str], None]) -> None:
        """Make one that hands every line of its answers to `write`, from whichever thread."""
        self._write = write
        self._lock = Lock()
        self._thinker = Thinker()
        self._position: Position | None = EMPTY_BOARD
        self._thread: Thread | None = None

    def _say(self, line: str) -> None:
        with self._lock:
            self._write(line)

    def command(self, line: str) -> bool:
        """Carry out one command. False when it was ``quit``."""
        words = line.split()
        if not words:
            return True
        try:
            match words[0].lower():
                case "quit":
                    self.halt()
                    return False
                case "uci":
                    self._introduce()
                case "isready":
                    self._say("readyok")
                case "stop":
                    self.halt()
                case "ucinewgame":
                    self.halt()
                    self._thinker.forget()
                case "position":
                    self.halt()
                    self._position = None
                    self._position = read_position(words[1:])
                case "go":
                    self.halt()
                    self._go(words[1:])
                case "setoption":
                    self.halt()
                    self._set(words[1:])
                case other:
                    raise Fault(f"no such command: {shown(other)}")
        except (Fault, DvonnError) as fault:
            self._say(f"info string error: {fault}")
        return True

    def halt(self) -> None:
        """End the search that is running, and wait until it has answered."""
        if self._thread is not None:
            self._thinker.stop()
            self._thread.join()
            self._thread = None

    def wait(self) -> None:
        """Wait until the search that is running has answered by itself."""
        if self._thread is not None:
            self._thread.join()

    def _introduce(self) -> None:
        self._say(f"id name dvonn-tui {__version__} ({VARIANT})")
        if NOTICE:
            self._say(f"info string {NOTICE}")
        self._say(
            f"option name Hash type spin default {(1 << TABLE_BITS) * 64 >> 20} min 1 max {LARGEST_HASH}"
        )
        self._say(f"option name Threads type spin default 1 min 1 max {MOST_THREADS}")
        self._say(f"option name MultiPV type spin default 1 min 1 max {MOST_LINES}")
        self._say(f"option name Level type spin default 0 min 0 max {len(LEVELS)}")
        self._say(f"option name Seed type spin default 0 min 0 max {LARGEST_SEED}")
        self._say("uciok")

    def _set(self, words: list[str]) -> None:
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise Fault("an option is set by: setoption name NAME value VALUE")
        thinker = self._thinker
        match words[1].lower():
            case "hash":
                megabytes = number(words[3], 1, LARGEST_HASH)
                self._thinker = thinker.with_table((megabytes * 16384).bit_length() - 1)
            case "threads":
                wanted = number(words[3], 1, MOST_THREADS)
                thinker.threads = wanted if COMPILED else 1  # interpreted ones would only take turns
            case "multipv":
                thinker.lines_wanted = number(words[3], 1, MOST_LINES)
            case "level":
                chosen = number(words[3], 0, len(LEVELS))
                thinker.level = level(chosen) if chosen else None
            case "seed":
                thinker.seed = number(words[3], 0, LARGEST_SEED)
            case _:
                raise Fault(f"no such option: {shown(words[1])}")

    def _go(self, words: list[str]) -> None:
        position = self._position
        if position is None:
            self._say("bestmove none")
            raise Fault("there is no position to think about")
        limits = read_limits(words, position.side)
        self._thinker.ready()
        self._thread = Thread(target=self._think, args=(self._thinker, position, limits), daemon=True)
        self._thread.start()

    def _think(self, thinker: Thinker, position: Position, limits: Limits) -> None:
        report = thinker.think(position, limits, self._tell)
        action = report.action
        self._say(f"bestmove {format_action(action) if action else 'none'}")

    def _tell(self, report: Report) -> None:
        for place, line in enumerate(report.lines, 1):
            self._say(info_line(place, line, report))
        for place, rated in enumerate(report.placements, 1):
            self._say(placement_line(place, rated, report))


def info_line(place: int, line: Line, report: Report) -> str:
    """A line of a report as the protocol writes it."""
    margin = line.margin
    score = f"points {line.value}" if margin is None else f"margin {margin}"
    if line.solved:
        score += " solved"
    moves = " ".join(format_action(move) if move else Word.PASS for move in line.moves)
    return f"info depth {line.depth} multipv {place} score {score} {_cost(report)} pv {moves}"


def placement_line(place: int, rated: Rated, report: Report) -> str:
    """A placement of a report as the protocol writes it; one by rule has no score."""
    score = "" if rated.value is None else f"score points {rated.value} "
    return f"info depth 0 multipv {place} {score}{_cost(report)} pv {format_action(rated.place)}"


def _cost(report: Report) -> str:
    rate = int(report.nodes / max(report.seconds, 1e-6))
    return f"nodes {report.nodes} nps {rate} time {int(report.seconds * 1000)}"


def number(text: str, least: int, most: int) -> int:
    """Read a whole number.

    Raises:
        Fault: it is none, or out of range.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= 20 and least <= int(text) <= most):
        raise Fault(f"a whole number from {least} to {most} is wanted, not {shown(text)}")
    return int(text)


def read_position(words: Sequence[str]) -> Position:
    """The position of a ``position`` command.

    Raises:
        Fault, DvonnError: it cannot be read, or an action is not legal.
    """
    if words and words[0] == "startpos":
        position, rest = EMPTY_BOARD, list(words[1:])
    else:
        position, rest = parse_position(" ".join(words[:3])), list(words[3:])
    position = settled(position)
    if rest and rest[0] != "moves":
        raise Fault(f"moves are wanted after the position, not {shown(rest[0])}")
    for word in rest[1:]:
        token = parse_token(word)
        if isinstance(token, Word):
            if token is Word.PASS:
                continue  # passes are made by the rules
            raise Fault(f"{token} is not a move")
        position = play(position, token)[1]
    return position


def settled(position: Position) -> Position:
    """The position after the pass or the end that is due in it."""
    for event in due(position):
        position = evolve(position, event)
    return position


def read_limits(words: Sequence[str], side: Side) -> Limits:
    """The limits of a ``go`` command, for the side to move.

    Raises:
        Fault: they cannot be read.
    """
    given: dict[str, int] = {}
    names = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc")
    rest = list(words)
    while rest:
        name = rest.pop(0)
        if name == "infinite":
            continue
        if name not in names or not rest:
            raise Fault(f"cannot read {shown(name)} after go")
        given[name] = number(rest.pop(0), 0, LONGEST)
    clock = given.get(f"{side}time")
    return Limits(
        depth=max(given["depth"], 1) if "depth" in given else None,
        nodes=given.get("nodes"),
        seconds=given["movetime"] / 1000 if "movetime" in given else None,
        clock=None if clock is None else clock / 1000,
        increment=given.get(f"{side}inc", 0) / 1000,
    )


def run(source: TextIO, target: TextIO) -> int:
    """Answer commands until ``quit`` or the end of the input, and return the exit status."""

    def write(line: str) -> None:
        try:
            target.write(line + "\n")
            target.flush()
        except (OSError, ValueError):
            pass  # nobody reads on; the end of the input follows

    engine = Engine(write)
    for line in source:
        if not engine.command(line):
            break
    engine.halt()
    return 0


DEFAULT_GAME_TIME: Final = 10.0
"""Seconds for all moves of a game by the CodeCup protocol."""


def run_codecup(source: TextIO, target: TextIO, seconds: float, seed: int) -> int:
    """Play one game by the CodeCup protocol and return the exit status.

    The opponent's moves are lines such as ``C3``, ``A1B2`` and ``PASS``; the first line is ``Start`` for
    the one who begins. ``Quit`` ends the game.
    """
    thinker = Thinker()
    thinker.seed = seed
    position = EMPTY_BOARD
    left = seconds - process_time()  # the start counts as well
    begun = now()
    mine: Side | None = None
    passes: list[Side] = []
    while True:
        if mine is not None and not passes and position.side is mine and position.phase is not Phase.OVER:
            thinker.ready()
            action = thinker.think(position, Limits(clock=max(left - (now() - begun), 0.0))).action
            assert action is not None
            _answer(target, format_action(action))
            position, passes = _after(position, action)
            continue
        if passes and passes[0] is mine:
            passes.pop(0)
            _answer(target, Word.PASS)
            continue
        left -= now() - begun
        line = source.readline()
        begun = now()
        text = line.strip()
        if not line or text.lower() == "quit":
            return 0
        if not text:
            continue
        if mine is None:
            mine = Side.WHITE if text.lower() == "start" else Side.BLACK
            if mine is Side.WHITE:
                continue
        try:
            token = parse_token(text)
            if passes and token is Word.PASS:
                passes.pop(0)
            elif isinstance(token, Place | Move):
                position, passes = _after(position, token)
        except DvonnError as problem:
            sys.stderr.write(f"{shown(text)}: {problem}\n")
            return 1


def serve(*, codecup: bool = False, seconds: float = DEFAULT_GAME_TIME, seed: int = 0) -> int:
    """Be the engine on standard input and output until it is told to quit; returns the exit status."""
    if codecup:
        return run_codecup(sys.stdin, sys.stdout, seconds, seed)
    return run(sys.stdin, sys.stdout)


def _after(position: Position, action: Place | Move) -> tuple[Position, list[Side]]:
    """The position after an action, and the sides that pass then."""
    events: tuple[Event, ...]
    events, position = play(position, action)
    return position, [event.by for event in events if isinstance(event, TurnPassed)]


def _answer(target: TextIO, text: str) -> None:
    target.write(text.upper() + "\n")
    target.flush()
