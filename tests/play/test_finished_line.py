"""The line that was played to its end is the game that the library and records show."""

from __future__ import annotations

from dvonn_tui.core.events import Resign
from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.play.session import Session
from dvonn_tui.records.record import with_tags
from tests.play.clock_tools import Time, move, timed
from tests.play.tools import FULL


def test_what_was_taken_back_is_a_line_beside_the_game_once_that_is_over() -> None:
    session = Session(Game.at(FULL))
    first, second = legal_moves(FULL)[:2]
    taken_back = session.submit(first)[0]
    session.undo()
    played = session.submit(second)[0]
    assert session.game.main_line()[-1].number == taken_back.number, "while it goes on nothing is judged"
    session.submit(Resign(Side.BLACK))
    record = with_tags(session.game)
    assert record.result == "1-0"
    assert record.end == session.game.head
    assert session.game.children(session.game.log[0])[0] == played
    # A line that is tried afterwards leaves the game what it is.
    session.submit(first, after=session.game.log[0])
    session.submit(Resign(Side.WHITE))
    assert with_tags(session.game).result == "1-0"


def test_a_flag_ends_a_line_as_well() -> None:
    time = Time()
    session = timed("10", time)
    move(session)
    session.undo()
    move(session, 1)
    time.wait(601)
    assert session.flag()
    assert with_tags(session.game).result == "1-0"
