"""The tree of a game in the application: lines, comments and marked cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Offset

from dvonn_tui.core.log import CellMark, CellsMarked, Commented, LineHidden, LinePromoted, LineShown, MarkKind
from dvonn_tui.core.notation import format_action
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.records.journal_reading import load_journal
from dvonn_tui.settings import Look
from dvonn_tui.ui.screens.comment import CommentArea, CommentScreen
from dvonn_tui.ui.screens.menu import MenuScreen
from tests.core.tools import FULL
from tests.ui.tools import Player, at, cell, playing

SIZES = [(53, 24), (80, 24), (120, 40), (160, 50)]


async def forked(player: Player) -> None:
    """Two lines from the second ply on, the newer one is played and seen; the older has a fork itself."""
    session = player.table.session
    for token in ("b4a3", "a2a1", "a3a1", "c4b3"):
        await player.command(token)
    await player.press("u")
    others = sorted(format_action(move) for move in legal_moves(session.game.position))
    await player.command(next(token for token in others if token != "c4b3"))
    await player.press("u", "u", "u")
    await player.command("a2b2")


def log_text(player: Player) -> str:
    return player.text_of(player.table.log_panel)


async def comment(player: Player, text: str) -> None:
    """Write a comment in place of the one that is there."""
    await player.press('"')
    screen = await player.opened(CommentScreen)
    screen.query_one("#comment", CommentArea).clear()
    for line in text.split("\n"):
        await player.type(line)
        if line is not text.split("\n")[-1]:
            await player.press("enter")
    await player.press("ctrl+s")
    await player.closed()


@pytest.mark.parametrize("size", SIZES)
async def test_other_lines_fold_and_unfold_by_key_and_click(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), size) as player:
        await forked(player)
        folded = log_text(player)
        assert "└  a2-a1 a3-a1 " in folded
        await player.press(";")
        opened = log_text(player)
        assert "┌  a2-a1" in opened
        if size[1] > 24:
            outer, inner = (row.index("┌") for row in opened.split("\n") if "┌" in row)
            assert inner > outer
        await player.press(";")
        assert log_text(player).rstrip() == folded.rstrip()
        await player.click_text("└")
        assert "┌  a2-a1" in log_text(player)
        await player.click_text("a3-a1", last=True)
        assert "ply 3 of 4" in player.bar


async def test_promoted_lines_come_first(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await forked(player)
        assert "main" in log_text(player)
        await player.press("+")
        assert isinstance(player.happened[-1], LinePromoted)
        assert "is the first now" in player.said
        assert "main" not in log_text(player)
        log = player.game.log
        await player.press("+")
        assert "first line already" in player.said
        await player.press("{", "+")
        assert "no other line" in player.said
        assert player.game.log == log


async def test_hidden_lines_come_back(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await forked(player)
        await player.press("ctrl+l")
        assert "no line is hidden" in player.said
        await player.press("-")
        assert "the game itself stands in this line" in player.said
        await player.press("b", "-")
        assert isinstance(player.happened[-1], LineHidden)
        assert "ctrl+l lists what is hidden" in player.said
        assert "a2-a1" not in log_text(player)
        await player.press("ctrl+l")
        await player.opened(MenuScreen)
        assert "a2-a1 a3-a1" in player.text
        await player.press("enter")
        await player.closed()
        assert isinstance(player.happened[-1], LineShown)
        assert "a2-a1" in log_text(player)
        assert "ply 2 of 4" in player.bar


async def test_the_menu_of_a_ply(tmp_path: Path) -> None:
    """The right button looks at the ply and offers what can be done with it."""
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await forked(player)
        row = next(y for y, text in enumerate(player.rows) if "a2-a1" in text)
        await player.click(Offset(player.rows[row].index("a2-a1") + 1, row), 3)
        await player.opened(MenuScreen)
        assert "Ply 2  a2-a1" in player.text
        await player.click_text("Hide this line")
        await player.closed()
        await player.settle()
        assert isinstance(player.happened[-1], LineHidden)
        await player.press("f4")
        await player.opened(MenuScreen)
        await player.press("enter")
        await player.opened(CommentScreen)
        await player.press("escape")
        await player.closed()


async def test_a_comment_is_written_read_and_taken_away(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        await forked(player)
        await comment(player, "better than it looks: [b]\nsee h3")
        assert player.happened[-1] == Commented(player.game.head.number, "better than it looks: [b]\nsee h3")
        assert "» better than it looks: " in log_text(player)
        assert "see h3" in log_text(player)
        await player.press("[")
        assert "» better than it looks" in log_text(player)
        assert "see h3" not in log_text(player).split("» better")[1].split("\n")[1:]
        await player.press("]")
        await comment(player, "")
        assert player.happened[-1] == Commented(player.game.head.number, "")
        assert "»" not in log_text(player)
        log = player.game.log
        await comment(player, "")
        assert player.game.log == log


async def test_what_is_pasted_into_a_comment_is_cleaned(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        await player.press('"')
        screen = await player.opened(CommentScreen)
        area = screen.query_one("#comment", CommentArea)
        area.insert("\x1b[31mred\u202e\tand\r\nmore" + "x" * 9000)
        await player.press("ctrl+s")
        await player.closed()
        text = player.game.comment_of(player.game.head)
        assert text.startswith("?[31mred? and\nmore")
        assert len(text) <= 4000
        assert text.isprintable() or "\n" in text


async def test_escape_gives_a_comment_up_only_when_asked_twice(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        await player.press('"')
        await player.opened(CommentScreen)
        await player.type("thought")
        await player.press("escape")
        assert "Not kept yet" in player.text
        await player.press("escape")
        await player.closed()
        assert len(player.game.log) == 1


async def test_without_a_log_the_comment_is_said(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (60, 18)) as player:
        await forked(player)
        await comment(player, "a fine move")
        await player.press("[", "]")
        assert player.said == "» a fine move"


@pytest.mark.parametrize("look", [Look.DISCS, Look.GRAPH, Look.ASCII])
@pytest.mark.parametrize("colours", ["truecolor", "none"])
async def test_marked_cells_are_seen_in_every_look(look: Look, colours: str, tmp_path: Path) -> None:
    if look is Look.DISCS and colours == "none":
        pytest.skip("discs need colours")
    async with playing(tmp_path, at(FULL), (80, 24), look=look, colours=colours) as player:
        signs = []
        for _ in range(4):
            await player.click("f3", 3)
            await player.point(Offset(0, 0))
            signs.append(player.text_of(player.table.board))
        assert len(set(signs)) == 4
        assert player.game.cell_marks(player.game.head) == ()


async def test_marks_belong_to_the_ply_that_is_seen(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        await player.command("b4a3")
        await player.press("[")
        await player.click("c2", 3)
        assert player.said == "c2 is marked with a circle"
        await player.press("left", "*", "*")
        expected = (CellMark(cell("b2"), MarkKind.CROSS), CellMark(cell("c2"), MarkKind.CIRCLE))
        assert player.happened[-1] == CellsMarked(0, expected)
        assert player.table.board.scene.marks == expected
        await player.press("]")
        assert player.table.board.scene.marks == ()


async def test_a_mark_leaves_the_stack_in_the_hand(tmp_path: Path) -> None:
    """By key; the right button lets go of it first."""
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        await player.click("b4")
        await player.press("*")
        assert player.table.hand.picked == cell("b4")
        await player.click("c2", 3)
        assert player.table.hand.picked is None
        assert len(player.game.cell_marks(player.game.head)) == 1


async def test_all_of_it_is_saved_and_exported(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await forked(player)
        await player.press("*")
        await comment(player, "here")
        await player.press("+", "b", "-", "ctrl+r")
        game = player.game
        (path,) = (tmp_path / "data" / "games").iterdir()
        record = (tmp_path / "data" / "copies" / "record.dvn").read_text("utf-8")
    assert load_journal(path).game.log == game.log
    assert "{[%mark f3=circle] here}" in record
    assert record.count("(") == 2
