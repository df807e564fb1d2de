"""Any size of the terminal, at any moment (T07)."""

from __future__ import annotations

from pathlib import Path

import pytest

from dvonn_tui.core.cells import CELLS
from dvonn_tui.ui.layout import LEAST_COLUMNS, LEAST_LINES
from tests.core.tools import FULL, board
from tests.ui.tools import BALANCED, Player, at, cell, playing

SEQUENCE = [(200, 60), (80, 24), (79, 23), (60, 20), (40, 12), (20, 5), (1, 1)]
CUTS = at(board("C3=R D3=W E3=B F3=W"))
GAME_KEYS = [
    "enter", "space", "tab", "left", "right", "up", "down", "w", "u", "U", "[", "]", "n", "f", "g", "m",
    "b", "i", "p", ":", "y", "escape",
]  # fmt: skip


def fits(size: tuple[int, int]) -> bool:
    return size[0] >= LEAST_COLUMNS and size[1] >= LEAST_LINES


async def picked(player: Player) -> tuple[object, ...]:
    """A stack in the hand and a target under the pointer, and all that is shown of it."""
    await player.click("d3")
    await player.point("c3")
    return state(player)


def state(player: Player) -> tuple[object, ...]:
    table = player.table
    return table.hand.picked, table.hand.focus, table.board.scene, player.said, table.inspector.shown


async def test_a_picked_stack_outlives_every_size(tmp_path: Path) -> None:
    async with playing(tmp_path, CUTS) as player:
        before = await picked(player)
        assert player.table.hand.attention.preview is not None
        for size in [*SEQUENCE, *reversed(SEQUENCE), (80, 24)]:
            await player.resize(*size)
            if fits(size):
                assert state(player) == before, size
                assert player.table.board.region.size == (
                    player.table.board.lattice.width,
                    player.table.board.lattice.height,
                )
            assert player.table.hand.picked == cell("d3")
        assert state(player) == before
        await player.click("c3")
        assert player.game.position.over


async def test_with_nothing_in_the_hand_the_cell_under_the_pointer_is_lit(tmp_path: Path) -> None:
    """Another size puts another cell, or none, where the mouse is; no move of the mouse tells so."""
    async with playing(tmp_path, at(FULL), (120, 40)) as player:
        await player.play("b4a3")
        await player.point("c3")
        await player.press("u")
        there = player.place_of("c3")
        for size in [(80, 24), (160, 50), (60, 20), (120, 40)]:
            await player.resize(*size)
            await player.pilot.pause(0.05)
            board = player.table.board
            place = there - board.region.offset
            expected = board.lattice.cell_at(*place) if board.region.contains_point(there) else None
            assert player.table.hand.focus == board.scene.cursor == expected, size
        assert player.table.hand.focus == cell("c3")


async def test_the_cursor_of_the_keys_stays_where_it_is(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (120, 40)) as player:
        await player.point("c3")
        await player.press("right")
        assert player.table.hand.focus == cell("d3")
        await player.resize(80, 24)
        assert player.table.hand.focus == cell("d3")


async def test_many_sizes_at_once(tmp_path: Path) -> None:
    """Twenty a second and more: nothing is waited for in between."""
    async with playing(tmp_path, CUTS) as player:
        before = await picked(player)
        for _ in range(2):
            for size in SEQUENCE:
                await player.pilot.resize_terminal(*size)
                if not fits(size):
                    player.send("left", "enter")
        await player.resize(80, 24)
        assert state(player) == before


@pytest.mark.parametrize("size", [(52, 40), (53, 15), (40, 12), (20, 5), (9, 9), (1, 1)])
async def test_too_small_says_so_and_takes_no_game_keys(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, CUTS) as player:
        before = await picked(player)
        log = player.game.log
        await player.resize(*size)
        words = "".join(player.text.split())
        if size[0] * size[1] > 80:
            assert f"{size[0]}x{size[1]}" in words
            assert f"{LEAST_COLUMNS}x{LEAST_LINES}" in words
        assert [len(row) for row in player.rows] == [size[0]] * size[1]
        await player.press(*GAME_KEYS)
        assert player.dialog is None
        assert not player.table.line.is_open
        assert player.game.log == log
        await player.resize(80, 24)
        assert state(player) == before
        assert not player.table.board.lattice.flipped


@pytest.mark.parametrize("key", ["n", "?", ",", "p", "q"])
async def test_a_dialog_outlives_every_size(key: str, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        await player.press(key)
        dialog = await player.opened()
        await player.press("tab")
        await player.pilot.pause(0.1)
        focused, text = dialog.focused, player.text
        for size in [*SEQUENCE, *SEQUENCE[:2]]:
            await player.resize(*size)
            assert player.dialog is dialog
        assert dialog.focused is focused
        await player.pilot.pause(0.1)
        assert player.text == text
        await player.press("escape")
        await player.closed()
        assert player.table.visible_board


async def test_a_dialog_closed_while_the_screen_is_too_small(tmp_path: Path) -> None:
    async with playing(tmp_path, CUTS) as player:
        await player.press("n")
        await player.opened()
        await player.resize(30, 10)
        await player.press("escape")
        await player.closed()
        assert "30x10" in player.text.replace("\n", " ")
        await player.resize(80, 24)
        assert "White to move" in player.text


async def test_leaving_a_screen_that_is_too_small(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await player.resize(20, 5)
        await player.press("q")
        assert player.app._exit


async def test_started_too_small(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, (30, 8)) as player:
        assert "30x8" in player.text.replace("\n", " ")
        await player.resize(53, 16)
        check_all_in_sight(player)
        await player.resize(120, 40)
        check_all_in_sight(player)


@pytest.mark.parametrize("size", [(53, 16), (54, 17), (80, 16), (200, 24), (220, 20), (53, 60), (300, 100)])
async def test_odd_sizes(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, size) as player:
        check_all_in_sight(player)
        await player.point("a3")
        assert player.said.startswith("a3")


def check_all_in_sight(player: Player) -> None:
    """The whole board, the status line and the keys are on the screen, and nothing lies over another."""
    table, screen = player.table, player.table.region
    shown = [widget for widget in (table.bar, table.board, table.status, table.keys) if widget.display]
    for widget in shown:
        assert widget.region.area > 0
        assert screen.contains_region(widget.region), widget
        assert [other for other in shown if widget.region.overlaps(other.region)] == [widget]
    assert table.board.size == (table.board.lattice.width, table.board.lattice.height)
    for where in CELLS:
        assert table.board.region.contains(*player.place_of(where))
