"""Picking and playing: by click and key, with and without being asked, and what is said on the way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

import pytest
from textual.geometry import Offset
from textual.widgets import Input

from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.events import GameEnded, StackMoved
from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase, Reason
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.settings import Confirm, Look, Settings
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.library import LibraryScreen
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.palette import PaletteScreen
from dvonn_tui.ui.screens.result import ResultScreen
from tests.core.tools import FULL, board, move
from tests.ui.tools import BALANCED, BY_HAND, Player, at, cell, first_legal, playing

AWAY = Offset(0, 0)
"""Beside the board."""

CAREFUL = Settings(animation=False, guide=False, confirm=Confirm.ALWAYS)


async def by_mouse(player: Player, name: str) -> None:
    await player.click(name)


async def by_keys(player: Player, name: str) -> None:
    """Tab to a cell, where it can be reached so, else the arrows; then enter."""
    for _ in range(49):
        if player.table.hand.focus == cell(name):
            break
        await player.press("tab")
    await player.press("enter")


Way = Callable[[Player, str], Awaitable[None]]
WAYS: list[Way] = [by_mouse, by_keys]


# Confirming (T13) --------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
async def test_never_confirm(way: Way, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await way(player, "b4")
        assert len(player.game.log) == 1
        assert player.table.hand.picked == cell("b4")
        await way(player, "a3")
        assert len(player.game.log) == 2


@pytest.mark.parametrize("way", WAYS)
async def test_always_confirm(way: Way, tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("C3=R D3=W E3=B F3=W")), settings=CAREFUL) as player:
        await way(player, "d3")
        await way(player, "c3")
        assert len(player.game.log) == 1
        assert "d3-c3" in player.said
        assert "cuts off 2 stacks: ○-1 ●-1" in player.said
        assert player.table.board.scene.doomed == {cell("e3"), cell("f3")}
        await way(player, "c3")
        assert player.game.position.over


async def cancel_by_escape(player: Player) -> None:
    await player.press("escape")


async def cancel_by_another_stack(player: Player) -> None:
    await player.click("d4")


async def cancel_by_an_empty_place(player: Player) -> None:
    await player.click(player.table.board.region.offset + Offset(0, 0))


async def cancel_by_right_click(player: Player) -> None:
    await player.click("a3", 3)


@pytest.mark.parametrize(
    "cancel",
    [cancel_by_escape, cancel_by_another_stack, cancel_by_an_empty_place, cancel_by_right_click],
)
@pytest.mark.parametrize("way", WAYS)
async def test_a_move_to_be_confirmed_can_be_cancelled(
    way: Way, cancel: Callable[[Player], Awaitable[None]], tmp_path: Path
) -> None:
    async with playing(tmp_path, at(FULL), settings=CAREFUL) as player:
        await way(player, "b4")
        await way(player, "a3")
        assert player.table.hand.pending is not None
        await cancel(player)
        assert player.table.hand.pending is None
        assert player.table.hand.picked is None
        assert player.game.position == FULL
        assert len(player.game.log) == 1
        assert "again" not in player.said


@pytest.mark.parametrize("confirm", Confirm)
async def test_the_first_click_on_a_stack_never_moves(confirm: Confirm, tmp_path: Path) -> None:
    settings = Settings(animation=False, guide=False, confirm=confirm)
    async with playing(tmp_path, at(FULL), settings=settings) as player:
        for where in CELLS:
            await player.click(where)
            assert len(player.game.log) == 1
            await player.press("escape")


# Keys held down and keys ahead (X14) -------------------------------------------------------------


@pytest.mark.parametrize("settings", [Settings(animation=False, guide=False), CAREFUL, Settings(guide=False)])
async def test_sixty_keys_at_once(settings: Settings, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), settings=settings) as player:
        before = len(player.game.log)
        start = monotonic()
        player.send(*["right"] * 60, *["enter"] * 60)
        await player.settle()
        assert player.text
        assert monotonic() - start < 1.5
        assert player.table.hand.focus in CELLS
        assert len(player.game.log) <= before + 1
        assert player.dialog is None


async def test_sixty_enters_on_a_stack_play_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.press("tab")
        player.send(*["enter"] * 60)
        await player.settle()
        assert len(player.game.log) == 1


async def test_sixty_enters_on_a_target_play_one_move_and_answer_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("C3=R D3=W E3=B F3=W"))) as player:
        await player.click("d3")
        await player.press("left")
        player.send(*["enter"] * 60)
        await player.settle()
        await player.opened(ResultScreen)
        assert sum(isinstance(event, StackMoved) for event in player.happened) == 1


@pytest.mark.parametrize("keys", [("p",), (*":palette", "enter")])
async def test_what_is_typed_behind_the_keys_of_a_dialog_is_typed_in_it(
    keys: tuple[str, ...], tmp_path: Path
) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        player.send(*keys, *"turn the", "enter")
        dialog = await player.opened(PaletteScreen)
        assert dialog.query_one(Input).value == "turn the"
        assert not player.table.board.lattice.flipped
        await player.press("q", "q", "down", "enter")
        assert "nothing found" in player.text
        assert player.dialog is dialog, "there is nothing to be done"
        await player.press("backspace", "backspace")
        assert "nothing found" not in player.text
        await player.press("enter")
        await player.closed()
        assert player.table.board.lattice.flipped


async def test_what_is_typed_behind_the_key_of_a_question_answers_it_but_enter_does_not(
    tmp_path: Path,
) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        player.send("=", *["enter"] * 9, "space")
        await player.opened(ConfirmScreen)
        player.send("escape")
        await player.closed()
        player.send("=", "y")
        await player.opened(ResultScreen)


@pytest.mark.parametrize("typed", [("tab", "escape", "space"), ("tab", "escape", "n", "space")])
async def test_what_is_typed_before_the_result_is_seen_does_not_answer_it(
    typed: tuple[str, ...], tmp_path: Path
) -> None:
    async with playing(tmp_path, at(board("C3=R D3=W E3=B F3=W"))) as player:
        await player.click("d3")
        await player.press("left")
        player.send("enter", *typed)
        if isinstance(await player.opened(), NewGameScreen):
            await player.press("escape")
        await player.opened(ResultScreen)
        assert player.table.hand.view.live


async def test_what_is_typed_behind_the_key_of_the_library_is_done_there(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        player.send("l", "/")
        await player.until(lambda: isinstance(player.app.screen, LibraryScreen))
        await player.until(lambda: isinstance(player.app.screen.focused, Input))
        assert not player.table.line.is_open


async def test_one_screen_update_for_many_keys(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        shown = 0
        show = player.table._show_board

        def counted(*args: object) -> None:
            nonlocal shown
            shown += 1
            show(*args)  # type: ignore[arg-type]

        player.table._show_board = counted  # type: ignore[method-assign]
        player.send(*["right"] * 30, *["left"] * 30)
        await player.settle()
        assert 1 <= shown < 30


# What is said (status line) ----------------------------------------------------------------------


async def test_a_preview_says_everything(tmp_path: Path) -> None:
    for look, sentence in (
        (None, "a2-c2  ○2 on ●3 = ○5  cuts off 2 stacks: ○-1 ●-4"),
        (Look.ASCII, "a2-c2  (2) on [3] = (5)  cuts off 2 stacks: W-1 B-4"),
    ):
        async with playing(tmp_path, at(PREVIEW), look=look) as player:
            await player.click("a2")
            await player.point("c2")
            assert player.said == sentence
            assert sentence in player.text
            assert [str(piece) for piece in player.table.inspector.shown.stack] == list("bbbrw")
            assert len(player.game.log) == 1


PREVIEW = board("A1=W A2=RW A3=BBBB C2=BBB D2=R E2=B")
"""White's a2 holds the red piece that a1 and a3 are linked to."""


async def test_a_preview_says_that_the_other_side_must_pass(tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("A3=RW B3=W C3=W D3=W E3=W"))) as player:
        await player.click("e3")
        await player.point("d3")
        assert player.said == "e3-d3  ○1 on ○1 = ○2  then Black must pass"


async def test_a_preview_says_that_the_game_ends(tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("C3=R D3=W E3=B F3=W"))) as player:
        await player.click("d3")
        await player.point("c3")
        assert player.said.endswith("ends the game 2-0")


REFUSALS = board("A1=R B1=W C1=W C2=WW D2=B E3=W D3=W F3=W E2=W E4=B D4=B F4=B A2=B E5=B")


REASONS = {
    "a1": "a red piece never moves alone",
    "d2": "d2 is Black's, and it is White's turn",
    "e3": "e3 is surrounded on all six sides",
    "k5": "k5 is empty",
    "b1 d2": "d2 is not in a straight line from b1",
    "b1 d1": "a stack of 1 moves exactly 1: d1 is 2 away",
    "c1 d1": "d1 is empty: a move ends on a piece or a stack",
}


async def test_a_refused_click_says_why(tmp_path: Path) -> None:
    async with playing(tmp_path, at(REFUSALS)) as player:
        for clicks, reason in REASONS.items():
            for name in clicks.split():
                await player.click(name)
            assert player.said == reason
            assert reason in player.text
            await player.press("escape", "right")
            assert player.said != reason


async def test_a_refused_placement_says_why(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND) as player:
        await player.click("c3")
        await player.click("c3")
        assert player.said == "c3 is taken: choose an empty cell"


async def test_after_the_end_a_click_says_so(tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("A3=WBW B3=R C3=BWB"))) as player:
        assert player.game.position.over
        await player.click("a3")
        assert player.said == "the game is over"


async def test_a_click_on_the_picked_stack_lets_go_and_on_another_picks_it(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.click("b4")
        await player.click("b4")
        assert player.table.hand.picked is None
        await player.click("b4")
        movable = sorted({each[:2] for each in _moves(player)} - {"b4", *_targets(player, "b4")})
        await player.click(movable[0])
        assert player.table.hand.picked == cell(movable[0])
        assert len(player.game.log) == 1


def _moves(player: Player) -> list[str]:
    return [format_action(each) for each in legal_moves(player.game.position)]


def _targets(player: Player, name: str) -> list[str]:
    return [each[2:] for each in _moves(player) if each[:2] == name]


@pytest.mark.parametrize("flip", [False, True])
async def test_a_direction_jumps_to_the_only_target_that_way(flip: bool, tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("C3=WWW D3=R F3=B E3=B")), flip=flip) as player:
        await player.click("c3")
        await player.press("left" if flip else "right")
        assert player.table.hand.focus == cell("f3")
        assert player.said.startswith("c3-f3")
        await player.press("enter")
        assert isinstance(player.happened[0], StackMoved)


@pytest.mark.parametrize("flip", [False, True])
async def test_six_directions_as_seen(flip: bool, tmp_path: Path) -> None:
    seen = {"a": (-1, 0), "d": (1, 0), "w": (-1, -1), "e": (1, -1), "z": (-1, 1), "x": (1, 1)}
    numbers = {"4": "a", "6": "d", "7": "w", "9": "e", "1": "z", "3": "x"}
    async with playing(tmp_path, BALANCED, (120, 40), flip=flip) as player:
        lattice = player.table.board.lattice
        for key in (*seen, *numbers):
            across, down = seen[numbers.get(key, key)]
            player.table.hand.look(cell("f3"))
            await player.press(key)
            here = player.table.hand.focus
            assert here is not None
            x, y = lattice.place(here)
            x0, y0 = lattice.place(cell("f3"))
            assert ((x > x0) - (x < x0), (y > y0) - (y < y0)) == (across, down), key
        for key, back in (("up", "down"), ("8", "2")):
            player.table.hand.look(cell("f3"))
            await player.press(key, back)
            assert player.table.hand.focus == cell("f3")


# Placing by hand ---------------------------------------------------------------------------------


async def test_placing_shows_what_is_next_and_what_is_left(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND, (100, 30)) as player:
        expected = [
            ("a1", "Black", "red", (2, 23, 23), (0, 0)),
            ("f3", "White", "red", (1, 23, 23), (0, 0)),
            ("k5", "Black", "black", (0, 23, 23), (0, 0)),
            ("a2", "White", "white", (0, 23, 22), (0, 1)),
            ("g3", "Black", "black", (0, 22, 22), (0, 1)),
        ]
        assert "White places a red piece" in player.said
        for number, (where, side, piece, left, rim) in enumerate(expected, 1):
            await player.click(where)
            await player.point(AWAY)
            assert f"{side} places a {piece} piece" in player.said
            assert f"placement {number} of 49" in player.bar
            panel = " ".join(player.text_of(player.table.players).split())
            red, white, black = left
            assert (f"{red} red" if red else f"{white} white, {black} black") in panel
            assert f"rim: White {rim[0]}, Black {rim[1]}" in panel
        assert player.table.board.scene.last == {cell("a2"), cell("g3")}
        await player.press("u")
        assert not player.game.position.stacks[cell("g3")]
        assert "White places a white piece" in player.said
        assert player.table.board.scene.last == {cell("k5"), cell("a2")}


async def test_the_rest_at_random_is_one_action(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND, (100, 30)) as player:
        for name in ("a1", "f3", "k5", "a2"):
            await player.click(name)
        before = player.game.position
        await player.press("m")
        assert player.game.position.phase is Phase.MOVEMENT
        assert player.game.position.side is Side.WHITE
        assert player.game.position.stacks[cell("a1")] == ("r",)
        await player.press("m")
        assert player.said == "all pieces are placed"
        await player.press("u")
        assert player.game.position == before
        await player.press("U")
        assert player.game.position.phase is Phase.MOVEMENT


async def test_placements_fold_and_unfold(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND, (100, 30)) as player:
        await player.click("a1")
        await player.press("m")
        assert "p1-p49 placed" in player.text
        await player.click_text("unfold")
        listed = [item.text for row in player.table.log_panel.listed for item in row.items if item]
        assert "a1 red" in listed
        assert "p1-p49 placed" not in listed
        await player.press("s")
        assert "p1-p49 placed" in player.text


@pytest.mark.parametrize(
    ("key", "word", "reason", "winner"),
    [("!", "resigned", Reason.RESIGNATION, Side.BLACK), ("=", "draw agreed", Reason.AGREEMENT, None)],
)
@pytest.mark.parametrize("choice", [BALANCED, BY_HAND])
async def test_resigning_and_agreeing_ask(
    choice: GameChoice, key: str, word: str, reason: Reason, winner: Side | None, tmp_path: Path
) -> None:
    async with playing(tmp_path, choice) as player:
        for answer in ("escape", "enter", "n"):
            await player.press(key)
            await player.opened(ConfirmScreen)
            await player.press(answer)
            await player.closed()
            assert not player.game.position.over
        await player.press(key)
        await player.opened(ConfirmScreen)
        await player.press("y")
        await player.opened(ResultScreen)
        assert word in player.text
        event = player.happened[-1]
        assert isinstance(event, GameEnded)
        assert (event.winner, event.reason) == (winner, reason)
        await player.press("escape")
        await player.closed()
        await player.press(key)
        assert player.dialog is None
        assert player.said == "the game is over"
        await player.press("u")
        assert not player.game.position.over


async def test_resigning_a_game_that_goes_on_under_the_question(tmp_path: Path) -> None:
    """An answer belongs to the position that it was asked for."""
    async with playing(tmp_path, at(FULL)) as player:
        await player.press("!")
        await player.opened(ConfirmScreen)
        player.table.session.submit(move(first_legal(player.game.position)))
        await player.press("y")
        await player.closed()
        assert not player.game.position.over
