"""The record of a game that was played at a table, made from the table's log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from dvonn_tui.core.events import Action
from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.clocks import time_control
from dvonn_tui.records.details import AT, CLOCK, SPENT
from dvonn_tui.records.forms import write
from dvonn_tui.records.record import DATE, EVENT, TIME_CONTROL, with_tags
from dvonn_tui.tables.happenings import Acted, Began, ClockReading, Ended, Happening, TakenBack
from dvonn_tui.tables.options import TableOptions
from dvonn_tui.tables.table import action_of, ending_of

LONGEST_RECORD: Final = 60_000
"""Characters of a record that is kept, which is what a message can hold; a game takes about 6,000."""


class NoRecord(Exception):
    """No record can be made; the text says why."""


def record_of(log: Sequence[Happening], options: TableOptions, event: str) -> str:
    """The last game of a table's log as a native record.

    What was taken back is not in it, as it is not in the game any more.

    Args:
        log: the whole log of the table, or all from the beginning of its last game on.
        options: what was set when that game began.
        event: the name of the server.

    Raises:
        NoRecord: no game was begun, or its record is too long.
        DvonnError, ValueError: the log is not one that the server keeps.
    """
    began: Began | None = None
    played: list[tuple[Action, dict[str, object]]] = []
    for each in log:
        match each:
            case Began():
                began, played = each, []
            case Acted(at=at, by=by, action=token, clocks=clocks, spent=spent):
                played.append((action_of(token), _details(at, by, clocks, spent)))
            case TakenBack(actions=actions):
                del played[len(played) - actions :]
            case Ended(at=at, reason=reason, winner=winner):
                played.append((ending_of(reason, winner), {AT: at / 1000}))
    if began is None:
        raise NoRecord("no game was begun")
    game = Game.new(Setup(began.setup), began.seed, white=began.white, black=began.black)
    for action, details in played:
        game.play(action, details)
    date = datetime.fromtimestamp(began.at / 1000, UTC).strftime("%Y.%m.%d")
    text = write(with_tags(game, {EVENT: event, DATE: date, TIME_CONTROL: time_control(options.clock)}))
    if len(text) > LONGEST_RECORD:
        raise NoRecord(f"the record has {len(text)} characters, more than {LONGEST_RECORD}")
    return text


def _details(at: int, by: str, clocks: ClockReading | None, spent: int) -> dict[str, object]:
    """What rides on the entries of an action: when it came, and what the clock says."""
    details: dict[str, object] = {AT: at / 1000}
    if clocks is not None:
        left = clocks.white if Side(by) is Side.WHITE else clocks.black
        details |= {CLOCK: left / 1000, SPENT: spent / 1000}
    return details
