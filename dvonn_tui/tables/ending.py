"""How a game at a table ends by what is not on the board: the one place in which it does."""

from __future__ import annotations

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.tables.happenings import ClockReading, Ended
from dvonn_tui.tables.refusal import Moment
from dvonn_tui.tables.table import Stage, TableState, reading_of


def ended(state: TableState, reason: Reason, winner: Side | None, moment: Moment) -> Ended:
    """The end of the running game; both clocks stand still from then on."""
    letter = None if winner is None else str(winner)
    return Ended(at=moment.at, clocks=halted(state, moment), reason=str(reason), winner=letter)


def flag(state: TableState, moment: Moment) -> tuple[Ended, ...]:
    """The end of the game by time if the running clock is down, else nothing."""
    if state.stage is not Stage.PLAYING or state.clocks is None:
        return ()
    loser = state.clocks.fallen(moment.now)
    return () if loser is None else (ended(state, Reason.TIME, loser.other, moment),)


def halted(state: TableState, moment: Moment) -> ClockReading | None:
    """Both clocks, stopped; None when the game has none."""
    return None if state.clocks is None else reading_of(state.clocks.halt(moment.now), moment.now)
