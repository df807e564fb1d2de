"""Who plays at the screen's table: seats by their names, and the engines behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Position
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.session import Session
from dvonn_tui.settings import Settings

if TYPE_CHECKING:
    from dvonn_tui.play.analyst import Analyst
    from dvonn_tui.play.engine_launch import Launch
    from dvonn_tui.play.engine_link import EngineLink
    from dvonn_tui.play.opponent import Opponents, SeatTrouble
    from dvonn_tui.play.seats import Seat
    from dvonn_tui.play.verdict import Verdict

HUMAN = "human"
DEFAULT_NAMES = {Side.WHITE: "White", Side.BLACK: "Black"}
ADVICES = 3
"""How many actions are advised."""
ADVICE_MILLISECONDS = 1000
COURTESY = 0.45
"""Seconds that an engine takes at least, so that a person sees his own move glide first."""
PACES = (0.0, 0.5, 1.5, 4.0)
"""Seconds between two plies when engines play each other, by turns."""


def seat_of(text: str, settings: Settings) -> Seat:
    """The seat of a name. Raises ValueError when there is none."""
    from dvonn_tui.play.seats import parse_seat

    return parse_seat(text, settings.engines)


def seat_fault(text: str | None, settings: Settings) -> str | None:
    """Why a name is that of no seat; None when it is, or when nothing was said."""
    if text is None or text == HUMAN:
        return None
    try:
        seat_of(text, settings)
    except ValueError as problem:
        return str(problem)
    return None


def seat_choices(settings: Settings) -> list[tuple[str, str]]:
    """Every seat that can be chosen: as it is written, and as it is shown."""
    # Not needed, and so not loaded at the start, before seats are chosen.
    from dvonn_tui.engine.backend import COMPILED
    from dvonn_tui.engine.levels import CUT_SHORT

    weaker = () if COMPILED else CUT_SHORT
    levels = [
        (f"level {level}", f"engine, level {level}{' (interpreted: weaker)' if level in weaker else ''}")
        for level in range(1, 11)
    ]
    others = [(f"engine {name}", name) for name in sorted(settings.engines)]
    return [(HUMAN, "a person"), *levels, *others]


def with_names(choice: GameChoice, settings: Settings) -> GameChoice:
    """The choice with engines under their own names, unless they were given others."""
    engines = {f"Level {level}" for level in range(1, 11)} | set(settings.engines)

    def name(side: Side, given: str, seat: str) -> str:
        if seat == HUMAN:
            return DEFAULT_NAMES[side] if given in engines else given
        # Not needed, and so not loaded at the start, when people play.
        from dvonn_tui.play.seats import seat_name

        return seat_name(seat_of(seat, settings)) if given in engines | {DEFAULT_NAMES[side]} else given

    return replace(
        choice,
        white=name(Side.WHITE, choice.white, choice.white_seat),
        black=name(Side.BLACK, choice.black, choice.black_seat),
    )


def with_colours_changed(choice: GameChoice) -> GameChoice:
    """The same players with their colours changed, on a new board of the same kind."""
    names = {choice.white: DEFAULT_NAMES[Side.BLACK], choice.black: DEFAULT_NAMES[Side.WHITE]}
    unnamed = set(DEFAULT_NAMES.values())
    return replace(
        choice,
        seed=None,
        white=names[choice.black] if choice.black in unnamed else choice.black,
        black=names[choice.white] if choice.white in unnamed else choice.white,
        white_seat=choice.black_seat,
        black_seat=choice.white_seat,
    )


@dataclass(frozen=True, slots=True)
class Advice:
    """An action that is advised.

    Attributes:
        token: the action.
        verdict: what the position is worth with it; None when the engine does not say.
    """

    token: str
    verdict: Verdict | None


class Company:
    """The players of the game on the screen. Nothing of engines is loaded before one has a seat."""

    def __init__(
        self,
        on_change: Callable[[], None],
        on_trouble: Callable[[str, bool], None],
        seed: Callable[[], int],
        analyst_link: EngineLink | None = None,
    ) -> None:
        """`on_trouble` is told a line, and whether the game waits for somebody to do something.

        The analyst uses the engine of `analyst_link`, by default one of this program.
        """
        self._on_change = on_change
        self._on_trouble = on_trouble
        self._seed = seed
        self._opponents: Opponents | None = None
        self._adviser: EngineLink | None = None
        self._analyst: Analyst | None = None
        self._analyst_link = analyst_link
        self._pace = 1

    @property
    def engaged(self) -> bool:
        """True when an engine has a seat."""
        return self._opponents is not None and (self._opponents.against_engine or self._opponents.watching)

    @property
    def watching(self) -> bool:
        """True when engines play each other."""
        return self._opponents is not None and self._opponents.watching

    @property
    def thinking(self) -> Side | None:
        """The side whose engine thinks."""
        return self._opponents.thinking if self._opponents else None

    @property
    def paused(self) -> bool:
        """True when engines wait."""
        return self._opponents is not None and self._opponents.paused

    def is_person(self, side: Side) -> bool:
        """True when a person plays a side."""
        if self._opponents is None:
            return True
        from dvonn_tui.play.seats import Human

        return isinstance(self._opponents.seat(side), Human)

    def seat(self, session: Session, choice: GameChoice, settings: Settings) -> None:
        """Take the seats of a game that begins."""
        courtesy = COURTESY if settings.animation else 0.0
        if self._opponents is None and choice.white_seat == choice.black_seat == HUMAN:
            return
        seats = {
            Side.WHITE: seat_of(choice.white_seat, settings),
            Side.BLACK: seat_of(choice.black_seat, settings),
        }
        if self._opponents is not None:
            self._opponents.courtesy = courtesy
            self._opponents.new_game(session, seats, self._seed())
            return
        from dvonn_tui.play.opponent import Opponents

        self._opponents = Opponents(
            session,
            seats,
            seed=self._seed(),
            launch=_yielding,
            on_trouble=self._tell,
            on_change=self._on_change,
        )
        self._opponents.pace = PACES[self._pace]
        self._opponents.courtesy = courtesy
        self._opponents.begin()

    def change(self, session: Session, side: Side, seat: str, settings: Settings) -> None:
        """Put somebody else on a side of the running game."""
        if self._opponents is None:
            white, black = (seat if each is side else HUMAN for each in Side)
            self.seat(session, GameChoice(white_seat=white, black_seat=black), settings)
        else:
            self._opponents.change_seat(side, seat_of(seat, settings))

    def undo(self, session: Session) -> bool:
        """Take back, against an engine up to one's own last decision."""
        return self._opponents.undo() if self._opponents else session.undo()

    def redo(self, session: Session) -> bool:
        """Play again what was taken back."""
        return self._opponents.redo() if self._opponents else session.redo()

    def pause(self) -> None:
        """Let engines wait."""
        if self._opponents is not None:
            self._opponents.pause()

    def go_on(self) -> None:
        """Let engines play again."""
        if self._opponents is not None:
            self._opponents.resume()

    def next_pace(self) -> float:
        """Go to the next pace, and return it in seconds."""
        self._pace = (self._pace + 1) % len(PACES)
        if self._opponents is not None:
            self._opponents.pace = PACES[self._pace]
        return PACES[self._pace]

    @property
    def pace(self) -> float:
        """Seconds between two plies that nobody at the screen plays."""
        return PACES[self._pace]

    def play_now(self) -> bool:
        """Let the engine that thinks play what it has. False when none thinks."""
        if self._opponents is None or self._opponents.thinking is None:
            return False
        self._opponents.play_now()
        return True

    def restart(self) -> bool:
        """Start an engine that failed anew. False when none did."""
        if self._opponents is None or self._opponents.trouble is None:
            return False
        self._opponents.restart()
        return True

    async def advise(self, position: Position) -> tuple[Advice, ...]:
        """The best actions in a position, best first, from an engine of its own.

        Raises:
            EngineTrouble: the engine failed.
        """
        from dvonn_tui.play.engine_launch import analyst_launch
        from dvonn_tui.play.engine_link import EngineLink
        from dvonn_tui.play.thoughts import Limits
        from dvonn_tui.play.verdict import verdict_of

        if self._adviser is None:
            self._adviser = EngineLink(analyst_launch(yields=True))
        best: dict[int, Advice] = {}
        limits = Limits(movetime=ADVICE_MILLISECONDS)
        async with aclosing(self._adviser.analyse(position, ADVICES, limits)) as thoughts:
            async for thought in thoughts:
                if thought.line:
                    best[thought.rank] = Advice(thought.line[0], verdict_of(thought))
        return tuple(best[rank] for rank in sorted(best))

    def analyst(self, on_change: Callable[[], None]) -> Analyst:
        """The analyst, with an engine of his own that starts with the first question."""
        from dvonn_tui.play.analyst import Analyst

        if self._analyst is None:
            self._analyst = Analyst(on_change, self._analyst_link)
        return self._analyst

    async def close(self) -> None:
        """End all engines, at the same time: each may take a moment."""
        engines = (self._analyst, self._adviser, self._opponents)
        await asyncio.gather(*(each.close() for each in engines if each is not None))

    def _tell(self, trouble: SeatTrouble) -> None:
        self._on_trouble(trouble.trouble.line, trouble.waiting)


def _yielding(seat: Seat, seed: int) -> Launch:
    """How an engine at the table is started: the screen comes first."""
    from dvonn_tui.play.seats import Human, launch_of

    assert not isinstance(seat, Human)
    return replace(launch_of(seat, seed), yields=True)
