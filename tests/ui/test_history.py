"""Looking back: every part of the screen belongs to the same ply, and the game stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Offset

from dvonn_tui.core.events import StackMoved, StacksRemoved, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import HeadMoved
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.settings import Look
from dvonn_tui.ui.log_rows import Item
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.result import ResultScreen
from tests.core.tools import FULL, board, move
from tests.ui.tools import BALANCED, BY_HAND, Player, at, cell, first_legal, playing

D07 = at(board("C3=R D3=W E3=B F3=W"))
PASSES = at(board("A3=RW B3=W C3=W D3=W E3=W", Side.BLACK))


async def played(player: Player, plies: int) -> None:
    """So many plies, each the first that is legal, straight through the session."""
    for _ in range(plies):
        if player.game.position.over:
            break
        player.table.session.submit(move(first_legal(player.game.position)))
        await player.settle()


async def whole(player: Player) -> None:
    """The whole game, its announcement closed."""
    await played(player, 99)
    await player.opened(ResultScreen)
    await player.press("escape")
    await player.closed()


def current(player: Player) -> list[Item]:
    """The items of the log that are marked as seen."""
    return [item for row in player.table.log_panel.listed for item in row.items if item and item.current]


def check_ply(player: Player, number: int, last: int) -> None:
    """Board, score, side, log and bar all show one ply."""
    game, table = player.game, player.table
    ply = game.plies()[number]
    position = ply.last.position
    assert table.board.scene.stacks == position.stacks
    assert [item.entry for item in current(player)] == [ply.last.number]
    marked = [row for row in player.text_of(table.log_panel).split("\n") if "▸" in row]
    assert len(marked) == 1
    if isinstance(ply.first.event, StackMoved):
        assert table.board.scene.last == {ply.first.event.source, ply.first.event.target}
    bar = player.text_of(table.bar)
    assert f"ply {number} of {last}" in bar
    if position.over:
        assert "the game is over" in bar
    else:
        assert f"{position.side.word} to move" in bar
    assert ("LOOKING BACK" in bar) == (ply.last is not game.head)
    shown = player.text_of(table.players).split("\n")
    for side in Side:
        mine = next(y for y, row in enumerate(shown) if side.word in row)
        assert shown[mine + 1].split()[-1] == str(position.score.of(side))
        assert ("to move" in shown[mine]) == (side is position.side and not position.over)


async def test_every_ply_of_a_whole_game_back_and_forward(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await whole(player)
        log = player.game.log
        last = len(player.game.plies()) - 1
        assert last == 34
        for number in reversed(range(last)):
            await player.press("[")
            check_ply(player, number, last)
        for number in range(1, last + 1):
            await player.press("pagedown")
            check_ply(player, number, last)
        assert player.game.log == log


async def test_no_step_goes_beyond_an_end(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await played(player, 4)
        log_at = player.table.log_panel.region.offset + Offset(2, 4)
        for keys in (("[",) * 9, ("pageup",) * 2, ("{", "{", "home")):
            await player.press(*keys)
            check_ply(player, 0, 4)
        for where in (None, log_at):
            await player.wheel(-5, where)
            check_ply(player, 0, 4)
        for keys in (("]",) * 9, ("pagedown",) * 2, ("}", "}", "end")):
            await player.press(*keys)
            check_ply(player, 4, 4)
        for where in (None, log_at):
            await player.wheel(5, where)
            check_ply(player, 4, 4)
        await player.press("]")
        assert "end" in player.said


async def test_a_click_in_the_log_goes_to_that_ply(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await played(player, 4)
        texts = ["from a given position", "b4-a3", "a2-a1", "a3-a1", "c4-b3"]
        for number in (2, 0, 4, 4, 1, 3, 0, 0):
            await player.click_text(texts[number])
            check_ply(player, number, 4)


async def test_a_typed_number_goes_to_that_ply(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await played(player, 4)
        for number in (2, 0, 4):
            await player.command(str(number))
            check_ply(player, number, 4)
        await player.command("5")
        assert "no ply 5" in player.said
        check_ply(player, 4, 4)


async def test_stepping_back_brings_back_what_was_cut_off(tmp_path: Path) -> None:
    async with playing(tmp_path, D07, (100, 30)) as player:
        before = player.game.position.stacks
        await player.play("d3c3")
        await player.opened(ResultScreen)
        assert "White  2" in player.text
        assert "Black  0" in player.text
        await player.press("escape")
        await player.closed()
        assert [bool(stack) for stack in player.table.board.scene.stacks].count(True) == 1
        removed = next(e for e in player.happened if isinstance(e, StacksRemoved))
        assert [where for where, _ in removed.cells] == [cell("e3"), cell("f3")]
        assert "d3-c3 x2" in player.text
        await player.press("[")
        assert player.table.board.scene.stacks == before


async def test_looking_back_with_a_stack_in_the_hand_lets_it_go(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await played(player, 2)
        await player.click(cell(first_legal(player.game.position)[:2]))
        assert player.table.hand.picked is not None
        await player.press("[")
        assert player.table.hand.picked is None


async def test_returning_by_key_escape_and_click(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await played(player, 3)
        for back in ("}", "end", "escape"):
            await player.press("[", "[")
            assert "LOOKING BACK" in player.bar
            await player.press(back)
            assert "LOOKING BACK" not in player.bar
        await player.press("[")
        await player.click_text("present", last=True)
        assert player.table.hand.view.live


async def test_playing_from_an_earlier_ply_asks_and_begins_another_line(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await played(player, 4)
        old = player.game.log
        await player.press("[", "[", "[")
        # The same move again is only a step forward.
        await player.play("a2a1")
        assert player.dialog is None
        check_ply(player, 2, 4)
        await player.press("[")
        for answer in ("escape", "n", "enter"):
            await player.play("a2b2")
            await player.opened(ConfirmScreen)
            await player.press(answer)
            await player.closed()
            assert player.game.log == old
            check_ply(player, 1, 4)
        await player.play("a2b2")
        await player.opened(ConfirmScreen)
        await player.press("y")
        await player.closed()
        assert player.game.log[: len(old)] == old
        assert player.table.hand.view.live
        check_ply(player, 2, 2)
        branches = [row for row in player.table.log_panel.listed if row.branch]
        assert [row.items[0].text for row in branches if row.items[0]] == ["a2-a1 a3-a1 c4-b3"]
        await player.click_text("a2-a1 a3-a1")
        assert player.table.hand.view.entry == old[2]
        assert "ply 2 of 4" in player.bar
        await player.press("b")
        assert "ply 2 of 2" in player.bar
        assert player.table.hand.view.live
        await player.press("b", "]", "]")
        assert player.table.hand.view.entry == old[4]
        assert player.table.hand.position == old[4].position


async def test_b_without_another_line_says_so(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await played(player, 2)
        await player.press("b")
        assert "only this line" in player.said


async def test_undo_and_redo(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await played(player, 3)
        head = player.game.head
        await player.press("u", "ctrl+z")
        assert player.game.head == player.game.log[1]
        assert "ply 1 of 3" in player.bar
        await player.press("U", "ctrl+y")
        assert player.game.head == head
        check_ply(player, 3, 3)
        await player.press("U")
        assert "nothing to redo" in player.said
        await player.press("u", "u", "u", "u")
        assert "nothing to undo" in player.said
        check_undone(player.game)


def check_undone(game: Game) -> None:
    assert game.position == FULL
    assert sum(isinstance(entry.event, HeadMoved) for entry in game.log) == 4 + 3


async def test_undo_while_looking_back_says_what_to_do(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await played(player, 3)
        log = player.game.log
        await player.press("[", "u")
        assert "looking back" in player.said
        await player.press("U")
        assert "looking back" in player.said
        assert player.game.log == log


async def test_undo_takes_back_the_forced_pass_with_the_move(tmp_path: Path) -> None:
    async with playing(tmp_path, PASSES, (100, 30)) as player:
        assert isinstance(player.happened[-1], TurnPassed)
        assert "pass" in player.text_of(player.table.log_panel)
        start = player.game.head
        await player.play("e3d3")
        assert isinstance(player.happened[-1], TurnPassed)
        assert player.said == "Black has no move and passes"
        await player.press("u")
        assert player.game.head == start
        assert player.game.position.side is Side.WHITE
        await player.press("U")
        assert isinstance(player.game.head.event, TurnPassed)


async def test_a_new_game_while_one_runs_says_that_it_is_left(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await player.press("n")
        await player.opened()
        assert "will be left" not in player.text
        await player.press("escape")
        await player.closed()
        await played(player, 1)
        log = player.game.log
        await player.press("n")
        await player.opened()
        assert "will be left" in player.text
        await player.press("escape")
        await player.closed()
        assert player.game.log == log
        for answer in ("n", "y"):
            # Enter alone, as one who hurries presses it, gives up nothing.
            await player.press("n")
            await player.opened(NewGameScreen)
            await player.press("enter")
            await player.opened(ConfirmScreen)
            assert " resume " in " ".join(player.text.split())
            await player.press(answer)
            await player.closed()
            assert (player.game.log == log) is (answer == "n")
        assert len(player.game.log) == 1
        assert player.game.position.phase is Phase.MOVEMENT


async def test_what_was_taken_back_is_still_a_game_in_progress(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await played(player, 2)
        await player.press("u", "u", "q")
        await player.opened(ConfirmScreen)


async def test_looking_ahead_of_the_game_is_called_so(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await played(player, 2)
        await player.press("u", "]")
        assert player.bar.startswith(" LOOKING AHEAD")
        await player.press("[", "[")
        assert player.bar.startswith(" LOOKING BACK")


async def test_b_finds_a_fork_that_lies_ahead(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3", "a2a1")
        await player.press("u")
        await player.play("a2b3")
        await player.press("{", "b")
        assert "only this line" not in player.said
        assert player.table.hand.view.index == 2


async def test_going_on_at_the_end_of_another_line_begins_none(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 30)) as player:
        await player.play("b4a3", "a2a1")
        await player.press("u")
        await player.play("a2b3")
        await player.press("b")
        await player.command(first_legal(player.table.hand.position))
        await player.opened(ConfirmScreen)
        text = " ".join(player.text.split())
        assert "goes on from here" in text
        assert "another line" not in text


async def test_the_same_piece_placed_again_is_only_a_step(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND) as player:
        await player.click("a1")
        await player.click("b1")
        log = player.game.log
        await player.press("[")
        await player.click("b1")
        assert player.dialog is None
        assert player.game.log == log
        assert player.table.hand.view.live


async def test_a_game_begun_in_the_middle_of_the_placement_counts_what_lies_there(tmp_path: Path) -> None:
    begun = board("A1=R B1=R C1=R D1=B E1=W", Side.BLACK, Phase.PLACEMENT)
    async with playing(tmp_path, at(begun)) as player:
        assert "placement 5 of 49" in player.bar
        await player.click("f1")
        assert "placement 6 of 49" in player.bar


@pytest.mark.parametrize("keys", ["[", "u"])
async def test_the_end_is_announced_once_more_only_when_played_again(keys: str, tmp_path: Path) -> None:
    async with playing(tmp_path, D07) as player:
        await player.play("d3c3")
        await player.opened(ResultScreen)
        await player.press("escape")
        await player.closed()
        await player.press(keys)
        await player.press("}")
        await player.pilot.pause(0.1)
        assert player.dialog is None


async def test_positions_from_elsewhere_are_shown_as_they_are(tmp_path: Path) -> None:
    """D18: a stack of 20, its height readable on the board; only Black can move."""
    tall = parse_position(f"9/10/2({'r' + 'wb' * 9 + 'w'})b7/10/9 b m")
    for look in Look:
        async with playing(tmp_path, at(tall), (120, 40), look=look) as player:
            assert player.text_of(player.table.players).count("20") == 1
            await player.point("c3")
            assert "20" in player.said
            assert [str(item) for item in player.table.inspector.shown.stack] == list("r" + "wb" * 9 + "w")
            await player.play("d3c3")
            assert player.game.position.score == (0, 21)
            await player.opened(ResultScreen)
