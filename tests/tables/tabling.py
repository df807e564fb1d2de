"""A table under the rules, with a clock that stands still until it is told: for the tests of the rules."""

from __future__ import annotations

import pytest

from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves, legal_placements
from dvonn_tui.tables import ruling
from dvonn_tui.tables.happenings import Happening, Opened
from dvonn_tui.tables.protocol import CODES, Act, Deed, SeatBot, Start
from dvonn_tui.tables.ruling import Moment, Refusal
from dvonn_tui.tables.table import EMPTY_TABLE, TableState, evolve

WHITE, BLACK = Side.WHITE, Side.BLACK


class Tabling:
    """One table as its keeper has it: the state, the whole log, and the time."""

    def __init__(self, *options: str) -> None:
        self.now = 1000.0
        self.seed = 7
        self.log: list[Happening] = []
        self.times: list[float] = []
        self.state: TableState = EMPTY_TABLE
        self.happen((Opened(at=0, title="a table", options=options),))

    @property
    def moment(self) -> Moment:
        return Moment(self.now, int(self.now * 1000))

    def happen(self, events: tuple[Happening, ...]) -> tuple[Happening, ...]:
        """Fold what happened, and keep it."""
        for event in events:
            self.state = evolve(self.state, event, self.now)
            self.log.append(event)
            self.times.append(self.now)
            assert self.state.version == len(self.log)
        return events

    def do(self, side: Side | None, deed: Deed, seen: int | None = None) -> tuple[Happening, ...]:
        """A side does something, having seen all or only up to a version."""
        return self.happen(
            ruling.decide(
                self.state,
                deed,
                side,
                self.moment,
                seen=self.state.version if seen is None else seen,
                history=lambda: self.log,
                draw_seed=self.draw_seed,
            )
        )

    def refusal(self, side: Side | None, deed: Deed, seen: int | None = None) -> Refusal:
        """The refusal of what a side would do; fails when it is done."""
        before = self.state
        with pytest.raises(Refusal) as refused:
            self.do(side, deed, seen)
        assert self.state is before
        assert refused.value.code in CODES
        assert refused.value.reason
        assert not refused.value.reason.endswith(".")
        return refused.value

    def draw_seed(self) -> int:
        self.seed += 1
        return self.seed

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def sit(self, name: str, side: Side | None = None, holder: str = "") -> Side:
        """Somebody sits down, by default at a client of the same name."""
        ruled = ruling.sit(self.state, name, holder or name, side, self.moment)
        self.happen(ruled)
        return Side(ruled[0].side)

    def begin(self) -> None:
        """Ada has White, Bea has Black, and the game begins."""
        self.sit("Ada", WHITE)
        self.sit("Bea", BLACK)
        self.do(WHITE, Start())
        self.do(BLACK, Start())

    def begin_with_bot(self, level: int = 3) -> None:
        """Ada has White, a bot has Black, and the game begins."""
        self.sit("Ada", WHITE)
        self.do(WHITE, SeatBot(level=level))
        self.do(WHITE, Start())

    def token(self, number: int = 0) -> str:
        """A legal action of the side to act."""
        position = self.state.position
        legal = (*legal_placements(position), *legal_moves(position))
        return format_action(legal[number % len(legal)])

    def act(self, number: int = 0) -> Side:
        """The side to act acts. Gives the side."""
        side = self.state.position.side
        self.do(side, Act(action=self.token(number)))
        return side

    def play_out(self) -> None:
        """Act until the game is over."""
        while self.state.in_game:
            self.act(self.state.actions)

    def go_away(self, side: Side) -> tuple[Happening, ...]:
        return self.happen(ruling.go_away(self.state, side, self.moment))

    def come_back(self, side: Side) -> tuple[Happening, ...]:
        return self.happen(ruling.come_back(self.state, side, self.moment))

    def pass_time(self, seconds: float) -> tuple[Happening, ...]:
        """Time goes by, and what is due on the way happens at its moment."""
        happened: list[Happening] = []
        until = self.now + seconds
        while (deadline := ruling.next_deadline(self.state, self.now)) is not None and deadline <= until:
            self.now = deadline
            due = self.happen(ruling.overdue(self.state, self.moment))
            assert due, "a deadline without anything due"
            happened.extend(due)
        self.now = until
        return tuple(happened)

    def left(self, side: Side) -> float:
        """What is on the clock of a side now."""
        assert self.state.clocks is not None
        return self.state.clocks.left(side, self.now)
