"""Seeing into a stack (G07)."""

from __future__ import annotations

from pathlib import Path

import pytest

from dvonn_tui.play.choice import GameChoice
from tests.core.tools import FULL, board
from tests.ui.tools import BY_HAND, Player, at, cell, playing

MIXED = at(board("C3=WWRB G3=B C2=W D3=R H3=W"))
TALL = at(board(f"C3={'R' + 'WB' * 9 + 'W'} D3=B"))


def panel(player: Player) -> list[str]:
    """The lines of the inspector, without the blanks around them."""
    return [line.strip() for line in player.text_of(player.table.inspector).split("\n")]


@pytest.mark.parametrize("by", ["mouse", "keys"])
async def test_the_pieces_top_to_bottom_and_the_facts(by: str, tmp_path: Path) -> None:
    async with playing(tmp_path, MIXED, (100, 30)) as player:
        if by == "mouse":
            await player.point("c3")
        else:
            await player.press("left", "left", "left")
            assert player.table.hand.focus == cell("c3")
        lines = panel(player)
        assert "c3 Black, 4 high" in lines[0]
        pieces = [sign for line in lines[1:] for sign in line if sign in "○●◆"]
        assert pieces == ["●", "◆", "○", "○"]
        rest = " ".join(lines)
        assert "holds red" in rest
        assert "1 move" in rest
        assert "top" in lines[1]
        assert "holds red" in player.said
        assert "could go to g3" in player.said
        assert player.table.board.scene.targets == {cell("g3")}


@pytest.mark.parametrize("size", [(100, 30), (80, 24), (120, 40), (160, 50)])
async def test_a_tall_stack_is_folded_not_cut(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, TALL, size) as player:
        await player.point("c3")
        lines = panel(player)
        pieces = [sign for line in lines for sign in line if sign in "○●◆"]
        folded = [int(word) for line in lines if "more" in line for word in line.split() if word.isdigit()]
        assert len(pieces) + sum(folded) == 20
        assert pieces[0] == "○"
        if folded:
            assert pieces[-1] == "◆", "the bottom stays in sight"
        assert "20 high" in lines[0]


@pytest.mark.parametrize(
    ("choice", "name", "why"),
    [
        (at(FULL), "d3", "is surrounded on all six sides"),
        (MIXED, "d3", "a red piece never moves alone"),
        (MIXED, "c3", "1 move"),
        (at(board("C3=RWW D3=B")), "c3", "finds no stack exactly 3 away"),
    ],
)
async def test_why_a_stack_has_no_move(choice: GameChoice, name: str, why: str, tmp_path: Path) -> None:
    async with playing(tmp_path, choice, (100, 30)) as player:
        await player.point(name)
        assert why in " ".join(panel(player))


async def test_the_preview_shows_the_stack_that_would_be(tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("C3=R D3=W E3=B F3=W")), (100, 30)) as player:
        await player.click("d3")
        await player.point("c3")
        lines = panel(player)
        assert "c3 after d3" in lines[0]
        assert [sign for line in lines for sign in line if sign in "○●◆"] == ["○", "◆"]
        assert "holds red" in " ".join(lines)


async def test_the_preview_says_when_the_moved_stack_is_lost(tmp_path: Path) -> None:
    """b3 is the only link of c3 to red, and moves there."""
    async with playing(tmp_path, at(board("A3=RB B3=W C3=B C2=W")), (100, 30)) as player:
        await player.click("b3")
        await player.point("c3")
        assert "leaves the board" in " ".join(panel(player))
        assert "itself" in player.said


async def test_pinned_the_inspector_stays(tmp_path: Path) -> None:
    async with playing(tmp_path, MIXED, (100, 30)) as player:
        await player.point("c3")
        await player.press("i")
        before = player.table.inspector.shown
        assert before.pinned
        assert "pinned" in player.text_of(player.table.inspector)
        for name in ("h3", "c2", "a1", "d3"):
            await player.point(name)
            assert player.table.inspector.shown == before
        await player.click("c2")
        await player.point("d3")
        assert player.table.inspector.shown.stack == before.stack
        await player.press("escape", "i")
        await player.point("h3")
        assert not player.table.inspector.shown.pinned
        assert "h3" in panel(player)[0]


async def test_a_pin_does_not_outlive_its_game(tmp_path: Path) -> None:
    async with playing(tmp_path, MIXED, (100, 30)) as player:
        await player.point("c3")
        await player.press("i", "n")
        await player.opened()
        await player.press("enter")
        await player.closed()
        assert player.table.hand.pinned is None


async def test_what_is_picked_stays_in_sight_when_the_pointer_leaves(tmp_path: Path) -> None:
    async with playing(tmp_path, MIXED, (100, 30)) as player:
        await player.click("h3")
        await player.point(player.table.bar.region.offset)
        assert "h3" in panel(player)[0]
        await player.press("escape")


async def test_an_empty_cell_is_said_to_be_empty(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND, (100, 30)) as player:
        await player.point("c3")
        assert "c3 empty" in panel(player)[0]
