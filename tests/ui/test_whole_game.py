"""The same whole game by mouse, by keys and by typing: the same log, the same end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from dvonn_tui.core.cells import CELL_NAMES, CELLS
from dvonn_tui.core.events import GameEnded, Move, Place, StackMoved, StacksRemoved
from dvonn_tui.core.game import Game
from dvonn_tui.core.position import Phase
from dvonn_tui.ui.screens.result import ResultScreen
from tests.ui.tools import BY_HAND, Player, cell, first_legal, playing


def whole_game() -> Game:
    """The whole-game check: placements in row order, then always the alphabetically first move."""
    game = Game.new(BY_HAND.setup)
    for where in CELLS:
        game.play(Place(where))
    while not game.position.over:
        move = first_legal(game.position)
        game.play(Move(cell(move[:2]), cell(move[2:])))
    return game


async def by_mouse(player: Player) -> None:
    for where in CELLS:
        await player.click(where)
    while not player.game.position.over:
        await player.play(first_legal(player.game.position))


async def by_keys(player: Player) -> None:
    """With arrows, tab and enter only."""
    await player.press("down", "down", *["left"] * 8, "enter")
    while player.game.position.phase is Phase.PLACEMENT:
        await player.press("tab", "enter")
    while not player.game.position.over:
        move = first_legal(player.game.position)
        for name in (move[:2], move[2:]):
            await tab_to(player, name)
            await player.press("enter")


async def tab_to(player: Player, name: str) -> None:
    for _ in range(49):
        if player.table.hand.focus == cell(name):
            return
        await player.press("tab")
    raise AssertionError(f"tab does not come to {name}")


async def by_typing(player: Player) -> None:
    for where in CELLS:
        await player.command(CELL_NAMES[where].upper())
    while not player.game.position.over:
        await player.command(first_legal(player.game.position))


@pytest.mark.parametrize("way", [by_mouse, by_keys, by_typing])
async def test_whole_game(way: Callable[[Player], Awaitable[None]], tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND) as player:
        await way(player)
        assert player.game.log == whole_game().log
        await player.opened(ResultScreen)
        for words in ("Black wins", "White  11", "Black  15", "neither side can move"):
            assert words in player.text, words


def test_the_game_is_the_known_one() -> None:
    events = [entry.event for entry in whole_game().log]
    moves = [CELL_NAMES[e.source] + CELL_NAMES[e.target] for e in events if isinstance(e, StackMoved)]
    assert moves[:4] + moves[-3:] == ["b4a3", "a2a1", "a3a1", "c4b3", "i2h2", "h3h2", "i3h2"]
    assert len(moves) == 34
    assert sum(isinstance(event, StacksRemoved) for event in events) == 2
    assert isinstance(events[-1], GameEnded)
    assert tuple(events[-1].score) == (11, 15)
