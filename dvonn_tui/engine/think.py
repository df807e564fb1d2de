"""Iterative deepening: from a position and limits to the best move, its value and its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from threading import Thread
from typing import Final

from dvonn_tui.core.events import Move, Place
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.shuffle import LARGEST_SEED, below, seeded_random
from dvonn_tui.engine.backend import COMPILED, Searcher, Table, now
from dvonn_tui.engine.board import code_of, move_of, set_board
from dvonn_tui.engine.levels import SECONDS_INTERPRETED, Level
from dvonn_tui.engine.placement import SAMPLES, Rated, rank_placements
from dvonn_tui.engine.values import DEEPEST, INFINITE, NO_REDUCTIONS, PROVEN, WON
from dvonn_tui.engine.weights import WEIGHTS

RESERVE: Final = 0.1
"""Seconds of a clock that are never used."""

SLIP: Final = 0.004
"""Seconds of a fixed time per move that are left for handing over the answer."""

FORCED_NODES: Final = 20_000
FORCED_SECONDS: Final = 0.02
"""What is spent on the value of a move that is the only one; the move itself needs no thought."""

NO_LIMIT: Final = 1 << 62

ASPIRATION: Final = 40
"""Half the width of the first window around the value of the iteration before."""

TABLE_BITS: Final = 19 if COMPILED else 12
"""Buckets of 64 bytes in the transposition table, as a power of two: 32 MB when compiled."""

MOST_THREADS: Final = 8
"""Threads that can be asked for. Each further one gains less than the one before."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to think. None sets no limit; without any, until stopped or solved.

    Attributes:
        depth: plies.
        nodes: positions.
        seconds: for this move.
        clock: seconds left for the whole game.
        increment: seconds added to the clock with every move.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: float | None = None
    increment: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """One of the best moves, and what is known of it.

    Attributes:
        moves: the best line from the move on; None is a pass.
        value: points from the view of the side to move, of `WON` and more when a win is certain.
        depth: plies that were searched.
        solved: the value is the true one with best play by both.
        bound: 3 for an exact value of this depth, 1 for a lower, 2 for an upper bound.
    """

    moves: tuple[Move | None, ...]
    value: int
    depth: int
    solved: bool
    bound: int

    @property
    def margin(self) -> int | None:
        """The final margin that the value stands for; None when it is an estimate."""
        if self.value > WON:
            return self.value - WON
        if self.value < -WON:
            return self.value + WON
        return 0 if self.solved else None


@dataclass(frozen=True, slots=True)
class Report:
    """What a search knows at a moment: its best lines, best first, and what it cost.

    In a finished game and where a pass is due there are no lines. While pieces are placed there are
    placements instead, best first.
    """

    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    placement: Place | None = None
    placements: tuple[Rated, ...] = ()

    @property
    def action(self) -> Move | Place | None:
        """The best action; None when there is none to choose."""
        return self.placement or (self.lines[0].moves[0] if self.lines else None)


Listener = Callable[[Report], None]


class Thinker:
    """Thinks about one position after another and remembers what it has seen."""

    def __init__(self, table_bits: int = TABLE_BITS, weights: list[list[int]] | None = None) -> None:
        """Make one with a table of 2 to the power of `table_bits` buckets of 64 bytes."""
        self.table = Table(table_bits)
        self.weights = weights or WEIGHTS
        self.searcher = Searcher(self.table, self.weights)
        self.threads = 1
        self.lines_wanted = 1
        self.level: Level | None = None
        self.seed = 0
        self._companions: list[Searcher] = []
        self._board: Searcher | None = None
        self._stop = False
        self._begun = 0.0

    def with_table(self, table_bits: int) -> Thinker:
        """Another thinker with the same options and an empty table of another size."""
        other = Thinker(table_bits)
        other.lines_wanted, other.level, other.seed = self.lines_wanted, self.level, self.seed
        other.threads = self.threads
        return other

    def forget(self) -> None:
        """Forget all positions seen, as before a new game."""
        self.table.clear()
        for searcher in (self.searcher, *self._companions):
            searcher.forget()

    def stop(self) -> None:
        """End the search that is running, from any thread; it still answers with a move."""
        self._stop = True
        self.searcher.stopped = True

    def ready(self) -> None:
        """Forget an earlier `stop`. Call it before `think`, in the thread that calls `stop`."""
        self._stop = False

    def think(self, position: Position, limits: Limits, listen: Listener | None = None) -> Report:
        """Find the best action: until a limit is reached, the value is proven, or `stop` is called.

        With a level its limits hold too (`limits_of`), and its errors are made. A move that is the only one
        is answered at once, unless there is no limit but a depth: then its value is wanted.
        """
        self._begun = now()
        searcher = self.searcher
        level = self.level
        if position.phase is Phase.PLACEMENT:
            samples = SAMPLES if level is None else level.samples
            for given, share in ((limits.clock, 0.2), (limits.seconds, 10.0)):
                if given is not None:
                    samples = min(samples, max(int(given * share * SAMPLES), SAMPLES // 20))
            # What a level misjudges and does not see is no value to tell.
            told = listen if level is None else None
            ranked = rank_placements(position, searcher, self.seed, samples, rated=told is not None)
            place = ranked[0].place if ranked else None
            report = Report((), samples, now() - self._begun, place, ranked[: self.lines_wanted])
            if told is not None:
                told(report)
            return report
        set_board(searcher, position)
        count = searcher.prepare_root() if position.phase is Phase.MOVEMENT else 0
        searcher.nodes = 0
        if not count:
            return self._report([])
        if count == 1 and limits != Limits(depth=limits.depth):
            limits = Limits(limits.depth, FORCED_NODES, FORCED_SECONDS)
        if level is not None:
            limits = limits_of(level, limits, compiled=COMPILED)
            if level.misjudgement:
                self._misjudge(count, level.misjudgement)
        searcher.blind = level.blindness if level is not None else 0
        searcher.salt = self.seed
        soft = self._set_limits(limits, position)
        if self._stop:
            searcher.stopped = True
        company = self._start_company(position) if limits.nodes is None and limits.depth is None else []
        try:
            best = self._deepen(position, limits, count, soft, listen)
        finally:
            for companion in self._companions:
                companion.stopped = True
            for thread in company:
                thread.join()
        return self._report(best or [self._unsearched()])

    def _deepen(
        self, position: Position, limits: Limits, count: int, soft: float, listen: Listener | None
    ) -> list[Line]:
        """Search deeper and deeper; returns the best lines of the deepest search that is worth something."""
        searcher = self.searcher
        best: list[Line] = []
        for depth in patient_iterations(searcher, iterations(limits.depth)):
            found = self._iteration(depth, count, best)
            if found:
                best = [self._played_out(position, line) if line.solved else line for line in found]
                if listen is not None:
                    listen(self._report(best))
            if searcher.stopped or self._stop or all(line.solved for line in best):
                break
            if soft and now() - self._begun > soft:
                break
        return best

    def _played_out(self, position: Position, line: Line) -> Line:
        """A solved line that the search broke off where the table knew the value: on to where it ends."""
        if self._board is None:
            self._board = Searcher(self.table, self.weights)
        board = self._board
        set_board(board, position)
        moves = list(line.moves)
        for move in moves:
            board.make(code_of(move) if move else 0)
        while len(moves) < DEEPEST:
            if count := board.prepare_root():
                code = board.remembered()
                if code not in [board.root_move(place) for place in range(count)]:
                    break
                moves.append(move_of(code))
                board.make(code)
            else:
                board.make(0)
                if not board.prepare_root():
                    break
                moves.append(None)
        return replace(line, moves=tuple(moves))

    def _start_company(self, position: Position) -> list[Thread]:
        """Let further threads search the same position, who tell what they find by the table only.

        What comes out then depends on who was faster, so it is not done where a result has to be the same
        every time: with a depth, with nodes, and so with a level.
        """
        while len(self._companions) < self.threads - 1:
            self._companions.append(Searcher(self.table, self.weights))
        started = []
        for number, companion in enumerate(self._companions[: self.threads - 1], 1):
            set_board(companion, position)
            companion.prepare_root()
            companion.limit_nodes(NO_LIMIT)
            companion.deadline = self.searcher.deadline
            companion.age = self.searcher.age
            companion.stopped = self.searcher.stopped
            thread = Thread(target=_accompany, args=(companion, number % 2), daemon=True)
            thread.start()
            started.append(thread)
        return started

    def _unsearched(self) -> Line:
        """The move that looks best before any search, or the only one."""
        return Line((move_of(self.searcher.root_move(0)),), self.searcher.estimate(), 0, False, 3)

    def _misjudge(self, count: int, most: int) -> None:
        """Let the estimate of every move be off by something that the seed and the position decide."""
        searcher = self.searcher
        random = seeded_random((searcher.key ^ self.seed * 0x9E3779B97F4A7C15) & LARGEST_SEED)
        for place in range(count):
            off = below(most + 1, random) + below(most + 1, random) - most
            searcher.set_root_noise(place, off)

    def _report(self, lines: list[Line]) -> Report:
        nodes = self.searcher.nodes + sum(companion.nodes for companion in self._companions)
        return Report(tuple(lines), nodes, now() - self._begun)

    def _set_limits(self, limits: Limits, position: Position) -> float:
        """Set the limits of the search itself.

        Returns:
            Seconds after which no further iteration is begun, 0 for no such limit.
        """
        searcher = self.searcher
        for companion in self._companions:
            companion.nodes = 0
        searcher.stopped = False
        searcher.age = (searcher.age + 1) & 63
        searcher.limit_nodes(NO_LIMIT if limits.nodes is None else max(limits.nodes, 1))
        soft = 0.0
        hard = []
        if limits.seconds is not None:
            hard.append(max(limits.seconds - SLIP, 0.001))
        if limits.clock is not None:
            soft, most = share_of_clock(position, limits.clock, limits.increment)
            hard.append(most)
        searcher.deadline = self._begun + min(hard) if hard else 0.0
        return soft

    def _iteration(self, depth: int, count: int, before: list[Line]) -> list[Line]:
        """Search all wanted lines to a depth; an empty list when nothing reliable came of it."""
        found: list[Line] = []
        for place in range(min(self.lines_wanted, count)):
            guess = before[place].value if place < len(before) else None
            line = search_line(self.searcher, depth, place, guess)
            if line is not None:
                found.append(line)
            if self.searcher.stopped:
                break
        if len(found) < len(before):
            if not found:
                return []
            taken = {line.moves[0] for line in found}
            found += [line for line in before if line.moves[0] not in taken][: len(before) - len(found)]
        found.sort(key=lambda line: -line.value)
        return found


def limits_of(level: Level, limits: Limits, *, compiled: bool) -> Limits:
    """What a level may spend on a move: no more than its nodes, and interpreted also no more than seconds."""
    seconds = limits.seconds
    if not compiled:
        seconds = SECONDS_INTERPRETED if seconds is None else min(seconds, SECONDS_INTERPRETED)
    return replace(limits, nodes=min(level.nodes, limits.nodes or level.nodes), seconds=seconds)


def iterations(most: int | None, begin: int = 1) -> Iterator[tuple[int, int]]:
    """How often late moves' reductions are halved, and how deep to search, one iteration after the other.

    The deepest one goes beyond the end of every game, and what is still not proven then hides behind
    reductions: they are halved until none is left. A wanted depth is searched once.
    """
    deepest = min(most or DEEPEST, DEEPEST)
    for depth in range(min(begin, deepest), deepest + 1):
        yield 0, depth
    if most is None or most > DEEPEST:
        for patience in range(1, NO_REDUCTIONS + 1):
            yield patience, DEEPEST


def patient_iterations(searcher: Searcher, steps: Iterator[tuple[int, int]]) -> Iterator[int]:
    """Set how patient a searcher is for each iteration and give the depth.

    With every halving of the reductions what was found before ages: only what is proven is then taken over.
    """
    for patience, depth in steps:
        if patience != searcher.patience and patience:
            searcher.age = (searcher.age + 1) & 63
        searcher.patience = patience
        yield depth


def _accompany(companion: Searcher, ahead: int) -> None:
    """Search deeper and deeper, beginning so many plies ahead, until stopped or solved."""
    guess = None
    for depth in patient_iterations(companion, iterations(None, 1 + ahead)):
        line = search_line(companion, depth, 0, guess)
        if companion.stopped or line is None or line.solved:
            break
        guess = line.value


def search_line(searcher: Searcher, depth: int, place: int, guess: int | None) -> Line | None:
    """Search the best of the root moves from a place on, by windows around a guess."""
    alpha, beta, width = -INFINITE, INFINITE, ASPIRATION
    if guess is not None and depth >= 4:
        alpha, beta = max(guess - width, -INFINITE), min(guess + width, INFINITE)
    line = None
    while True:
        value = searcher.iterate(depth, alpha, beta, place)
        bound = searcher.root_bound
        if searcher.root_done and bound & 1:
            moves = tuple(move_of(code) if code else None for code in searcher.line())
            solved = bound == PROVEN and searcher.root_proof == PROVEN and not searcher.stopped
            line = Line(moves, value, depth, solved, bound)
        if searcher.stopped or bound == PROVEN:
            return line
        width *= 4
        if bound == 1:
            beta = value + width if width < 2000 else INFINITE
        else:
            alpha = value - width if width < 2000 else -INFINITE
        alpha, beta = max(alpha, -INFINITE), min(beta, INFINITE)


def share_of_clock(position: Position, clock: float, increment: float) -> tuple[float, float]:
    """How much of a clock to use for one move.

    Returns:
        The seconds after which no further iteration is begun, and those at which the search ends.
    """
    usable = max(clock - RESERVE, 0.0)
    stacks = sum(1 for stack in position.stacks if stack)
    moves_left = max((stacks - 18) / 2.5, 0.0) + 2.5
    share = min(usable / moves_left + increment * 0.8, usable)
    most = min(share * 2.2, usable * 0.5 if moves_left > 2.5 else usable * 0.4 + increment * 0.5, usable)
    return share * 0.65, max(most, 0.001)
