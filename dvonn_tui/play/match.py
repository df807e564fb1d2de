"""Games of engines against each other, refereed: time is measured here, and nothing is believed.

Each start is played twice with colours changed. Who oversteps the time, plays what is illegal, dies or
falls silent loses that game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import leader
from dvonn_tui.core.setups import DRAWN_SETUPS, Setup
from dvonn_tui.play.codecup import takes_position
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.engine_trouble import EngineTrouble, TroubleKind
from dvonn_tui.play.protocols import ProtocolName
from dvonn_tui.play.thoughts import Choice, Limits, history_of
from dvonn_tui.records.linear import placements_of

TOLERANCE: Final = 0.1
"""Seconds by which a move may take longer than the time that was set for each move."""

PATIENCE: Final = 600.0
"""Seconds that are waited for a move when no time was set."""

SEED_BITS: Final = 30

HOPELESS: Final = frozenset({TroubleKind.NOT_STARTED, TroubleKind.UNABLE})
"""Troubles after which further games make no sense."""


class MatchFault(Exception):
    """The match cannot be played. The text says why in one line."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One of the two.

    Attributes:
        name: what it is called.
        launch: how it is started.
        limits: how long it may think when the match sets no time.
        gametime: seconds for the game when the match sets no time; None without such a clock.
    """

    name: str
    launch: Launch
    limits: Limits = field(default_factory=Limits)
    gametime: float | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played.

    Attributes:
        setup: how boards are filled; with `Setup.MANUAL` the engines place the pieces.
        seed: what all boards and the seeds of the engines are drawn from.
        movetime: milliseconds for each move.
        gametime: seconds for all moves of a side.
        nodes: positions for each move.
        tolerance: seconds that a move may take longer than `movetime`.
    """

    setup: Setup = Setup.BALANCED
    seed: int = 0
    movetime: int | None = None
    gametime: float | None = None
    nodes: int | None = None
    tolerance: float = TOLERANCE

    @property
    def timed(self) -> bool:
        """True when the match says how long engines think."""
        return (self.movetime, self.gametime, self.nodes) != (None, None, None)


@dataclass(slots=True)
class Effort:
    """What the choices of one side in one game took."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    depths: int = 0
    depth: int = 0

    def add(self, choice: Choice) -> None:
        """Count a choice."""
        self.moves += 1
        self.seconds += choice.seconds
        self.longest = max(self.longest, choice.seconds)
        if choice.thought is not None and choice.thought.depth:
            self.depths += 1
            self.depth += choice.thought.depth


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game.

    Attributes:
        number: from 1.
        a: the colour of the first contestant.
        board_seed: what the board was drawn from; None when it was placed.
        tokens: the whole game from the first placement, passes included.
        winner: None for a draw.
        score: of White and Black, when it ended.
        fault: why the loser lost without being beaten; empty when he was.
        efforts: what the choices of each side took.
    """

    number: int
    a: Side
    board_seed: int | None
    tokens: tuple[str, ...]
    winner: Side | None
    score: tuple[int, int]
    fault: str
    efforts: dict[Side, Effort]

    @property
    def points(self) -> float:
        """The points of the first contestant: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner is self.a)

    @property
    def margin(self) -> int:
        """By how much the first contestant has more than the other, at the end."""
        white, black = self.score
        return white - black if self.a is Side.WHITE else black - white


class Match:
    """A match, from the first game to the last or until it is cancelled.

    Attributes:
        played: the games that are finished, in the order in which they ended.
    """

    def __init__(self, a: Contestant, b: Contestant, terms: Terms, games: int) -> None:
        """Make a match of a number of games.

        Raises:
            MatchFault: one of them cannot begin on drawn boards.
        """
        self.a, self.b, self.terms, self.games = a, b, terms, games
        self.played: list[Played] = []
        self.on_game: Callable[[Played], None] | None = None
        self.on_ply: Callable[[], None] | None = None
        self._waiting = iter(range(1, games + 1))
        draw = Random(terms.seed)
        pairs = range((games + 1) // 2)
        self._seeds = [(draw.getrandbits(SEED_BITS), draw.getrandbits(SEED_BITS)) for _ in pairs]
        for each in (a, b):
            any_board = each.launch.protocol is ProtocolName.OWN or takes_position(each.launch.command)
            if terms.setup in DRAWN_SETUPS and not any_board:
                raise MatchFault(
                    f"{each.name} speaks CodeCup's protocol, which begins with the first placement: "
                    "use --setup manual, or put {position} or {state} into its command"
                )

    async def run(self, jobs: int = 1) -> None:
        """Play all games, so many at a time. When cancelled, what was played stays in `played`.

        Raises:
            MatchFault: an engine cannot be started, or cannot do what is asked.
        """
        workers = [asyncio.create_task(self._work()) for _ in range(min(jobs, self.games))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                if not worker.cancelling():
                    worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self) -> None:
        """Play one game after the other."""
        links = (EngineLink(self.a.launch), EngineLink(self.b.launch))
        try:
            for number in self._waiting:
                game = await self._game(number, links)
                self.played.append(game)
                if self.on_game is not None:
                    self.on_game(game)
        finally:
            await asyncio.gather(*(link.close() for link in links))

    async def _game(self, number: int, links: tuple[EngineLink, EngineLink]) -> Played:
        board_seed, engine_seed = self._seeds[(number - 1) // 2]
        a = Side.WHITE if number % 2 else Side.BLACK
        drawn = self.terms.setup in DRAWN_SETUPS
        game = Game.new(self.terms.setup, board_seed if drawn else None)
        seated = {a: links[0], a.other: links[1]}
        contestants = {a: self.a, a.other: self.b}
        for side, link in seated.items():
            await self._prepare(link, contestants[side], engine_seed)
        efforts = {side: Effort() for side in Side}
        loser, fault = await self._play(game, seated, contestants, efforts)
        history = history_of(game)
        tokens = (*placements_of(game.started.position), *history.tokens) if drawn else history.tokens
        score = game.position.score
        winner = leader(score) if loser is None else loser.other
        return Played(number, a, board_seed if drawn else None, tokens, winner, score, fault, efforts)

    async def _prepare(self, link: EngineLink, contestant: Contestant, seed: int) -> None:
        terms = self.terms
        movetime = terms.movetime or contestant.limits.movetime
        gametime = self._gametime(contestant)
        values = {"seed": str(seed)}
        if movetime is not None:
            values |= {"movetime": str(movetime), "seconds": f"{movetime / 1000:g}"}
        if gametime is not None:
            values["gametime"] = f"{gametime:g}"
        options = {} if "seed" in contestant.launch.options else {"seed": str(seed)}
        link.new_game(options, values)
        try:
            await link.start()
        except EngineTrouble as trouble:
            raise MatchFault(trouble.line) from trouble
        # Another engine need not have a seed.
        wrong = [line for line in link.complaints if "option: seed" not in line.lower()]
        if wrong:
            raise MatchFault(f"{contestant.name}: {wrong[0]}")

    def _gametime(self, contestant: Contestant) -> float | None:
        return self.terms.gametime if self.terms.timed else contestant.gametime

    async def _play(
        self,
        game: Game,
        seated: dict[Side, EngineLink],
        contestants: dict[Side, Contestant],
        efforts: dict[Side, Effort],
    ) -> tuple[Side | None, str]:
        """Play a game to its end.

        Returns:
            Who lost without being beaten, and why; None and nothing when it ended by the rules.
        """
        while not game.position.over:
            side = game.position.side
            contestant = contestants[side]
            limits = self._limits(contestants, efforts, side)
            try:
                choice = await seated[side].choose(game.position, limits, history_of(game))
            except EngineTrouble as trouble:
                if trouble.kind in HOPELESS:
                    raise MatchFault(trouble.line) from trouble
                return side, trouble.line
            efforts[side].add(choice)
            gametime = self._gametime(contestant)
            if gametime is not None and efforts[side].seconds > gametime:
                return side, f"{contestant.name} used {efforts[side].seconds:.3f} s of {gametime:g} s"
            if gametime is None and choice.late > self.terms.tolerance:
                return side, f"{contestant.name} thought {choice.seconds:.3f} s, allowed {choice.allowed:g} s"
            if choice.nudged:
                return side, f"{contestant.name} did not answer within {limits.patience:g} s"
            game.play(choice.action)
            if self.on_ply is not None:
                self.on_ply()
        return None, ""

    def _limits(self, contestants: dict[Side, Contestant], efforts: dict[Side, Effort], side: Side) -> Limits:
        """How long a side may think now."""
        terms = self.terms
        contestant = contestants[side]
        if self._gametime(contestant) is not None:
            left = []
            for each in Side:
                seconds = self._gametime(contestants[each]) or self._gametime(contestant) or 0.0
                left.append(max(int((seconds - efforts[each].seconds) * 1000), 1))
            return Limits(clocks=(left[0], left[1]), nodes=terms.nodes)
        if not terms.timed:
            return contestant.limits
        movetime = terms.movetime
        if contestant.launch.protocol is not ProtocolName.OWN and not _told_time(contestant.launch):
            # It cannot know of the time and takes its own.
            movetime = None
        return Limits(movetime=movetime, nodes=terms.nodes, patience=PATIENCE)


def _told_time(launch: Launch) -> bool:
    return any(place in word for word in launch.command for place in ("{movetime}", "{seconds}"))
