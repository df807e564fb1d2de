"""What the review finds of placements. Moves are judged in the tests of the screen and of ``analyse``."""

from __future__ import annotations

from contextlib import aclosing

import pytest

from dvonn_tui.core.events import Forfeit, Place, PlaceRest
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_cell, parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.review import Judged, review, think
from dvonn_tui.play.verdict import verdict_of

from .tools import FULL


async def reviewed(game: Game) -> list[Judged]:
    link = EngineLink()
    try:
        async with aclosing(review(link, game.plies(), 20)) as found:
            return [judged async for judged in found]
    finally:
        await link.close()


async def test_placements_are_judged_by_cells_and_what_was_drawn_is_not() -> None:
    game = Game.at(parse_position("2w6/3b6/1wr1r1b1r2/3b6/4w4 b p"))
    link = EngineLink()
    cells = await think(link, game.position, 20, 49)
    await link.close()
    best, worst = cells[0], cells[-1]
    assert len(cells) == 40
    game.play(Place(parse_cell(worst.line[0])))
    game.play(PlaceRest(7))
    judged = await reviewed(game)
    first = judged[0]
    assert first.before.line == best.line
    assert first.before.verdict == verdict_of(best)
    assert first.after.verdict == verdict_of(worst)
    assert first.before.verdict is not None
    assert first.after.verdict is not None
    lost = first.after.verdict.chance - first.before.verdict.chance
    assert (first.loss.chance, first.loss.pieces) == (lost, None)
    assert lost > 0.01
    drawn = judged[1:]
    assert len(drawn) == 39
    assert all(each.after.verdict is not None for each in drawn)
    assert not any(each.loss.chance for each in drawn)


@pytest.mark.parametrize("reason", [Reason.TIME, Reason.ABSENCE])
async def test_a_loss_outside_the_board_is_no_mistake_on_it(reason: Reason) -> None:
    """The position is worth what it was; nobody chose the end."""
    game = Game.at(FULL)
    game.play(legal_moves(game.position)[0])
    game.play(Forfeit(Side.BLACK, reason))
    moved, ended = await reviewed(game)
    assert (ended.side, ended.token) == (None, "")
    assert ended.before == ended.after == moved.after
    assert not ended.loss.mark


async def test_red_pieces_are_not_judged() -> None:
    game = Game.at(parse_position("9/10/11/10/9 w p"))
    for name in ("a1", "a2", "a3"):
        game.play(Place(parse_cell(name)))
    judged = await reviewed(game)
    assert [each.token for each in judged] == ["a1", "a2", "a3"]
    assert all(each.before.verdict is None and each.before.line for each in judged)
    assert not any(each.loss.chance or each.loss.mark for each in judged)
