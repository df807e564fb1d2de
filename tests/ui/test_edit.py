"""The editor: positions set up by hand, and games from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Offset

from dvonn_tui.core.notation import format_position
from dvonn_tui.core.position import Phase
from dvonn_tui.core.setups import Setup
from dvonn_tui.settings import Look
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.edit import EditScreen
from dvonn_tui.ui.screens.help import HelpScreen
from dvonn_tui.ui.screens.new_game import NewGameScreen
from tests.core.tools import FULL
from tests.ui.tools import BALANCED, Player, at, cell, first_legal, playing


async def opened(player: Player) -> EditScreen:
    """The editor on an empty board, opened by key."""
    await player.press("f9")
    screen = await player.opened(EditScreen)
    assert isinstance(screen, EditScreen)
    await player.press("c")
    return screen


def place(screen: EditScreen, name: str) -> Offset:
    """The middle of a cell of the editor's board."""
    return screen.board.region.offset + Offset(*screen.board.lattice.place(cell(name)))


async def test_a_position_by_keys_is_played_with_chosen_seats(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        screen = await opened(player)
        await player.press("r", "w", "right", "b", "w", "left", "left", "b", "s")
        assert format_position(screen.draft.position) == "9/10/4b(rw)(bw)4/10/9 b m"
        assert "This position can be played." in player.text
        await player.press("enter")
        await player.opened(NewGameScreen)
        assert "The position that was set up." in player.text
        await player.press("enter")
        await player.closed()
        assert player.game.started.setup is Setup.POSITION
        assert format_position(player.game.log[0].position) == "9/10/4b(rw)(bw)4/10/9 b m"


async def test_by_mouse(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, (120, 40)) as player:
        screen = await opened(player)
        await player.click_text("red", last=True)
        await player.click(place(screen, "f3"))
        await player.click_text("black", last=True)
        await player.click(place(screen, "f3"))
        await player.click(place(screen, "g3"))
        await player.click(place(screen, "g3"))
        await player.click(place(screen, "g3"), 3)
        await player.click_text("Black's turn")
        assert format_position(screen.draft.position) == "9/10/5(rb)b4/10/9 b m"
        await player.click_text("Clear")
        assert not any(screen.draft.stacks)


async def test_what_cannot_be_is_told_and_marked(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        screen = await opened(player)
        await player.press("w", "r", "right", "right", "b", "b")
        assert [fault.cells for fault in screen.draft.faults] == [(cell("f3"),), (cell("h3"),)]
        assert "a red piece is never on top of a stack" in player.text
        assert "not linked to a red piece: h3" in player.text
        assert {mark.cell for mark in screen.board.scene.marks} == {cell("f3"), cell("h3")}
        await player.press("enter", "v")
        assert player.dialog is screen
        await player.press("x", "u", "u", "u", "left", "left", "w")
        assert format_position(screen.draft.position) == "9/10/5(wrw)5/10/9 w m"


async def test_the_phase_follows_and_the_turn_is_told(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        screen = await opened(player)
        assert screen.draft.position.phase is Phase.PLACEMENT
        await player.press("r", "right", "r", "right", "r", "right", "b")
        assert "placement, White's turn" in player.text
        assert not screen.draft.faults
        await player.press("s")
        assert "after 4 placements it is White's turn" in player.text
        await player.press("s", "left", "w")
        assert screen.draft.position.phase is Phase.MOVEMENT


async def test_analysing_begins_at_once_and_asks_before_a_game_is_left(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.command(first_legal(player.game.position))
        log = player.game.log
        for answer in ("n", "y"):
            await opened(player)
            await player.press("r", "w", "right", "b", "v")
            await player.opened(ConfirmScreen)
            await player.press(answer)
            await player.closed()
            assert (player.game.log == log) is (answer == "n")
            assert player.table.analysing is (answer == "y")
        assert format_position(player.game.log[0].position) == "9/10/5(rw)b4/10/9 w m"


async def test_from_the_dialog_for_a_new_game(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, (100, 30)) as player:
        await player.press("n")
        await player.opened(NewGameScreen)
        await player.click_text("position")
        assert "you set it up next" in player.text
        await player.press("enter")
        screen = await player.opened(EditScreen)
        assert isinstance(screen, EditScreen)
        assert screen.draft.stacks == player.game.position.stacks
        await player.press("delete", "enter")
        await player.closed()
        assert player.game.position.stacks[cell("f3")] == ()
        assert player.game.started.setup is Setup.POSITION


async def test_leaving_changes_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        log = player.game.log
        await opened(player)
        await player.press("escape")
        await player.closed()
        assert player.game.log == log


@pytest.mark.parametrize("size", [(53, 16), (80, 24), (120, 40), (160, 50)])
@pytest.mark.parametrize("look", [Look.DISCS, Look.GRAPH, Look.ASCII])
async def test_it_fits(size: tuple[int, int], look: Look, tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, size, look=look) as player:
        screen = await opened(player)
        for part in ("#edit-board", "#about", "#piece", "#faults", "#accept", "#cancel"):
            assert screen.region.contains_region(screen.query_one(part).region), part
            assert screen.query_one(part).region.height
        assert "This position can be played." in player.text
        for button in ("Play", "Analyse", "Clear", "Cancel"):
            assert button in player.text


@pytest.mark.parametrize("size", [(53, 16), (60, 30), (80, 24), (120, 20)])
async def test_the_keys_are_told_at_every_size(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, size) as player:
        screen = await opened(player)
        assert any("w b r put" in row and "…" not in row for row in player.rows)
        assert screen.region.contains_region(screen.query_one("#hint").region)
        assert screen.region.contains_region(screen.query_one("#accept").region)
        before = screen.draft
        await player.press("?")
        await player.opened(HelpScreen)
        assert "Take the top piece off" in player.text
        await player.press("escape")
        await player.until(lambda: player.dialog is screen)
        assert screen.draft == before
