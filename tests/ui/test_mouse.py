"""From the mouse to the cell, whichever way the board is turned and however large it is (T01)."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

import pytest

from dvonn_tui.core.cells import CELL_NAMES, CELLS
from dvonn_tui.core.events import StackMoved
from dvonn_tui.core.pieces import Side
from dvonn_tui.settings import Look
from tests.core.tools import FULL, board
from tests.ui.tools import BALANCED, BY_HAND, at, cell, first_legal, playing

SIZES = [(53, 16), (80, 24), (100, 30), (120, 40), (220, 60)]


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("size", SIZES)
async def test_the_middle_of_every_cell_is_that_cell(
    size: tuple[int, int], flip: bool, tmp_path: Path
) -> None:
    async with playing(tmp_path, at(FULL), size, look=Look.ASCII) as player:
        if flip:
            await player.press("f")
        assert player.table.board.lattice.flipped is flip
        for where in CELLS:
            await player.point(where)
            assert player.said.startswith(f"{CELL_NAMES[where]} ")
            await player.click(where)
            hand = player.table.hand
            assert hand.cursor == where
            assert hand.focus == where
            assert player.table.board.scene.cursor == where
            await player.press("escape")
        assert len(player.game.log) == 1


async def test_a_click_places_where_the_mouse_is_flipped_or_not(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND) as player:
        for number, where in enumerate(CELLS):
            if number % 5 == 0:
                await player.press("f")
            await player.click(where)
            assert player.game.position.stacks[where]
            assert len(player.game.log) == number + 2


async def test_labels_turn_with_the_board(tmp_path: Path) -> None:
    """On the screen row 5 is on top; turned, it is row 1."""
    async with playing(tmp_path, BALANCED, look=Look.ASCII) as player:
        for keys, rows in (((), "54321"), (("f",), "12345"), (("f",), "54321")):
            await player.press(*keys)
            drawn = player.text_of(player.table.board).split("\n")
            places = sorted(player.table.board.lattice.digits, key=lambda place: place[1])
            assert "".join(drawn[y][x] for x, y in places) == rows


async def test_last_move_marks_turn_with_the_board(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.press("f")
        await player.play("b4a3")
        assert player.table.board.scene.last == {cell("b4"), cell("a3")}
        await player.press("f")
        assert player.table.board.scene.last == {cell("b4"), cell("a3")}


async def test_after_turning_a_new_game_is_as_any_other(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await player.press("f")
        await player.press("n")
        await player.opened()
        await player.press("enter")
        await player.closed()
        assert player.table.board.lattice.flipped
        assert player.game.position.side is Side.WHITE
        move = first_legal(player.game.position)
        await player.play(move)
        moved = player.happened[-1]
        assert isinstance(moved, StackMoved)
        assert (CELL_NAMES[moved.source] + CELL_NAMES[moved.target], moved.by) == (move, Side.WHITE)


async def test_clicks_while_a_dialog_opens_and_closes(tmp_path: Path) -> None:
    """Twenty clicks on two cells that would make a move; a dialog comes and goes meanwhile."""
    async with playing(tmp_path, BALANCED) as player:
        move = first_legal(player.game.position)
        for key in ("?", "n", ",", "p"):
            player.send(key)
            for number in range(20):
                player.send_click(player.place_of(move[:2] if number % 2 else move[2:]))
                if number == 10:
                    player.send("escape")
            await player.settle()
            await player.pilot.pause(0.05)
            # It may be on its way out, too.
            await player.until(lambda: player.dialog is None or isfinite(player.dialog.shown_at))
            await player.settle()
            if player.dialog is not None:
                await player.press("escape")
                await player.closed()
            assert len(player.game.log) == 1, key


async def test_with_a_dialog_open_the_board_takes_no_clicks(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await player.press("?")
        await player.opened()
        for where in CELLS:
            player.send_click(player.place_of(where))
        await player.settle()
        assert player.table.hand.picked is None
        assert len(player.game.log) == 1


async def test_a_stack_under_the_pointer_shows_its_targets(tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("C3=R D3=W E3=B F3=W"))) as player:
        await player.point("d3")
        assert player.table.board.scene.targets == {cell("c3"), cell("e3")}
        assert player.table.board.scene.selected is None
        assert "can go to c3 e3" in player.said
        await player.point(player.table.bar.region.offset)
        assert player.table.board.scene.targets == frozenset()


@pytest.mark.parametrize("button", [2, 3])
async def test_another_button_lets_go(button: int, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.click("b4")
        await player.click("a3", button)
        assert player.table.hand.picked is None
        assert len(player.game.log) == 1


async def test_the_keys_at_the_foot_can_be_clicked(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (120, 40)) as player:
        await player.play("b4a3")
        await player.click_text("u undo")
        assert player.game.position == FULL
        await player.click_text("f flip")
        assert player.table.board.lattice.flipped
        await player.click_text("? help")
        await player.opened()
        await player.press("escape")
        await player.closed()
        await player.click_text(": move")
        assert player.table.line.is_open
        await player.type("b4")
        await player.click_text("b4a3", last=True)
        assert player.game.position != FULL
