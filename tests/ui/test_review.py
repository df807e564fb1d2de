"""The review: every ply of a finished game gets its loss, mistakes are marked and the better move is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.position import Position
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.review import Judged
from dvonn_tui.ui.screens.result import ResultScreen
from dvonn_tui.ui.screens.reviewing import REVIEW_MILLISECONDS
from tests.play.tools import children, fake
from tests.ui.test_analysis import ENDING, PEOPLE, panel, seen
from tests.ui.tools import Player, at, playing

LONGER = parse_position("2b6/2(rwb)(bww)r5/(ww)b9/b(rb)(bbww)7/ww7 b m")
"""Four moves and a pass before the end."""

WON = parse_position("9/10/b(wb)rbb6/b(bww)8/9 b m")
"""Black wins by 9; a3a2 wins by 3."""

LOST = parse_position("9/10/rb(wb)(wb)(bw)(bw)5/b(bww)8/9 w m")
"""White loses by 6; e3c3 loses by 12."""


async def finish(player: Player, *moves: str) -> None:
    for move in moves:
        await player.command(move)
    await player.opened(ResultScreen)
    await player.press("escape")
    await player.closed()


async def reviewed(player: Player) -> None:
    """Wait for the end of the review, and until the screen shows it."""
    await player.until(lambda: player.table.reviewed is None, 15.0)
    await player.settle()


def marks(player: Player) -> list[str]:
    """The texts of the log that end with a mark."""
    items = [item for row in player.table.log_panel.listed for item in row.items if item]
    return [item.text for item in items if item.text.endswith(("?", "~"))]


@pytest.mark.parametrize("size", [(160, 50), (80, 24)])
async def test_a_blunder_is_marked_and_the_better_move_said(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, at(ENDING), size, settings=PEOPLE) as player:
        await finish(player, "d3e3")
        log = len(player.game.log)
        await player.press("r")
        await reviewed(player)
        assert player.said == "reviewed: White ~ 0, ? 0, ?? 1; Black ~ 0, ? 0, ?? 0"
        assert marks(player) == ["d3-e3 x2??"]
        if size == (160, 50):
            above = player.text_of(player.table.history).split("\n")[1]
            assert above.strip() == "??"
        told = " ".join(panel(player).split())
        assert "d3-e3 ?? loses 50 %, 4 pieces; better: f3-e3" in told
        await player.press("[")
        assert "better" not in " ".join(panel(player).split())
        await player.press("]")
        assert player.said == "d3-e3 ?? loses 50 %, 4 pieces; better: f3-e3"
        assert len(player.game.log) == log


@pytest.mark.parametrize(("position", "move"), [(WON, "a3a2"), (LOST, "e3c3")])
async def test_margin_given_away_is_no_mistake(position: Position, move: str, tmp_path: Path) -> None:
    """Black stays the winner by 3 instead of 9; White stays the loser by 12 instead of 6."""
    async with playing(tmp_path, at(position), (120, 40), settings=PEOPLE) as player:
        await player.command(move)
        await player.press("!")
        await player.opened()
        await player.press("y")
        await player.opened(ResultScreen)
        await player.press("escape")
        await player.closed()
        await player.press("r")
        await reviewed(player)
        judged = next(each for each in player.table.judged.values() if each.token == move)
        assert (judged.loss.chance, judged.loss.pieces, judged.loss.mark) == (0.0, 6, "~")
        who, other = ("Black", "White") if position is WON else ("White", "Black")
        assert f"{who} ~ 1, ? 0, ?? 0" in player.said
        assert f"{other} ~ 0, ? 0, ?? 0" in player.said
        assert len(marks(player)) == 1
        assert marks(player)[0].endswith("~")
        await player.press("{", "]")
        assert player.said.startswith(f"{move[:2]}-{move[2:]} ~ loses 6 pieces; better: ")


async def test_every_ply_is_judged_and_the_analysis_goes_on_after_it(tmp_path: Path) -> None:
    async with playing(tmp_path, at(LONGER), (120, 40), settings=PEOPLE) as player:
        await finish(player, "a2a1", "e4b1", "b2d4", "e5d4")
        await player.press("r")
        await reviewed(player)
        judged = list(player.table.judged.values())
        assert len(judged) == 5
        assert all(isinstance(each, Judged) and each.after.verdict is not None for each in judged)
        assert [each.token for each in judged] == ["a2a1", "e4b1", "b2d4", "pass", "e5d4"]
        await player.press("{")
        await seen(player, "depth")


async def test_a_progress_bar_and_stopping(tmp_path: Path) -> None:
    link = EngineLink(fake("good"))
    async with playing(tmp_path, at(LONGER), (120, 40), settings=PEOPLE, analyst=link) as player:
        await finish(player, "a2a1", "e4b1", "b2d4", "e5d4")
        await player.press("r")
        await seen(player, "review  20 %", REVIEW_MILLISECONDS / 1000 * 4 + 5)
        assert player.table.reviewed is not None
        await player.press("r")
        assert player.said == "the review is stopped"
        assert "review" not in panel(player)
        await player.press("{")
        await seen(player, "depth")


async def test_a_game_that_goes_on_is_not_reviewed(tmp_path: Path) -> None:
    async with playing(tmp_path, at(ENDING), (120, 40), settings=PEOPLE) as player:
        await player.press("r")
        assert player.said == "a review is of a finished game: this one goes on"
        assert player.table.reviewed is None


async def test_trouble_ends_the_review(tmp_path: Path) -> None:
    before = children()
    link = EngineLink(fake("dying"))
    async with playing(tmp_path, at(LONGER), (120, 40), settings=PEOPLE, analyst=link) as player:
        await finish(player, "a2a1", "e4b1", "b2d4", "e5d4")
        await player.press("r")
        await player.until(lambda: player.table.reviewed is None)
        await player.settle()
        assert "fault in" in player.table.analysis_panel.findings.trouble
        assert marks(player) == []
    assert children() <= before
