"""Letters are text where text is typed, and commands elsewhere, whatever the keyboard (X11)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import Input

from dvonn_tui.core.events import StackMoved
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.help import HelpScreen
from tests.core.tools import FULL, board
from tests.ui.tools import BY_HAND, Player, at, cell, playing

TEXT = "quit undo resign? n f g i y [ ] { } ! = b s m U Y q"


async def test_in_the_line_letters_are_text(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        log, scene = player.game.log, player.table.board.scene
        await player.press(":")
        await player.type(TEXT)
        assert player.table.line.value == TEXT
        assert player.dialog is None
        assert (player.game.log, player.table.board.scene) == (log, scene)
        assert not player.table.board.lattice.flipped
        await player.press("escape")
        assert not player.table.line.is_open
        assert player.dialog is None
        assert player.game.log == log


async def test_what_is_typed_is_completed_by_no_task_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        begun: list[object] = []
        monkeypatch.setattr(type(player.table.line), "run_worker", lambda _, work, **how: begun.append(work))
        await player.press(":")
        await player.type("HE")
        assert begun == [], "leaving the program just now would leave it unfinished"
        assert player.text_of(player.table.line).strip() == "HElp"
        await player.press("right")
        assert player.table.line.value == "help"
        await player.type("x")
        assert player.text_of(player.table.line).strip() == "helpx"


KEYS_OF_THE_GAME = [
    "ctrl+z", "ctrl+y", "pageup", "pagedown", "shift+tab", "ctrl+b", "up", "down", "home", "end",
]  # fmt: skip


async def test_in_the_line_no_key_plays(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        await player.press("u", "U")
        log, entry = player.game.log, player.table.hand.view.entry
        focus = player.table.hand.focus
        await player.press(":", "c")
        for key in KEYS_OF_THE_GAME:
            await player.press(key)
            assert player.game.log == log, key
            assert player.table.hand.view.entry == entry, key
            assert player.table.hand.focus == focus, key
            assert player.table.line.value == "c", key


@pytest.mark.parametrize("opening", ["n", "p"])
async def test_in_dialogs_letters_are_text(opening: str, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        log = player.game.log
        await player.press(opening)
        dialog = await player.opened()
        field = dialog.query_one("#white" if opening == "n" else "#search", Input)
        field.focus()
        await player.settle()
        typed = "quit undo resign?"
        await player.press("backspace")
        await player.type(typed)
        assert field.value == typed
        assert player.dialog is dialog
        assert player.game.log == log


async def test_cyrillic_letters_act_by_their_place(tmp_path: Path) -> None:
    """й ц у / ф в / я ч are q w e / a d / z x; т г а ш з are n u f i p."""
    async with playing(tmp_path, at(FULL), (120, 40)) as player:
        await check_letters(player, {"w": "ц", "e": "у", "a": "ф", "d": "в", "z": "я", "x": "ч"})
        await player.press("tab", "enter")
        assert player.table.hand.picked is not None
        await player.press("escape")
        await player.play("b4a3")
        await player.press("г")
        assert player.game.position == FULL
        await player.press("Г")
        assert player.game.position != FULL
        await player.press("а")
        assert player.table.board.lattice.flipped
        await player.press("т")
        await player.opened()
        await player.press("escape")
        await player.closed()
        await player.press("f1")
        await player.opened(HelpScreen)
        await player.press("escape")
        await player.closed()
        for letter in "йЙ":
            await player.press(letter)
            await player.opened(ConfirmScreen)
            await player.press("escape")
            await player.closed()
        await player.press("й")
        await player.opened(ConfirmScreen)
        await player.press("left", "enter")
        await player.until(lambda: player.app._exit)


async def test_greek_letters_act_by_their_place(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (120, 40)) as player:
        await check_letters(player, {"w": "ς", "e": "ε", "a": "α", "d": "δ", "z": "ζ", "x": "χ"})
        await player.play("b4a3")
        await player.press("θ")
        assert player.game.position == FULL
        await player.press("φ")
        assert player.table.board.lattice.flipped
        await player.press("ν")
        await player.opened()
        await player.press("escape")
        await player.closed()
        await player.press("U")
        await player.press("f10")
        await player.opened(ConfirmScreen)


async def test_caps_lock_makes_no_difference(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (120, 40)) as player:
        await check_letters(player, {letter: letter.upper() for letter in "weadzx"})
        await player.press("F")
        assert player.table.board.lattice.flipped
        await player.press("N")
        await player.opened()
        await player.press("escape")
        await player.closed()
        await player.play("b4a3")
        await player.press("Q")
        await player.opened(ConfirmScreen)
        await player.press("Y")
        await player.until(lambda: player.app._exit)


async def check_letters(player: Player, same: dict[str, str]) -> None:
    for letter, other in same.items():
        reached = []
        for key in (letter, other):
            player.table.hand.look(cell("f3"))
            await player.press(key)
            reached.append(player.table.hand.focus)
        assert reached[0] == reached[1] != cell("f3"), (letter, other)


# The line ----------------------------------------------------------------------------------------


async def test_the_line_lists_what_matches_and_completes_it(tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("C3=R D3=W E3=B F3=W")), (120, 40)) as player:
        await player.press(":")
        await player.type("d3")
        keys = player.text_of(player.table.keys)
        assert "d3c3" in keys
        assert "d3e3" in keys
        assert "f3e3" not in keys
        await player.type("c")
        await player.press("tab")
        assert player.table.line.value == "d3c3"
        await player.press("enter")
        assert isinstance(player.happened[0], StackMoved)


async def test_ways_to_write_a_move(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        for text in ("b4a3", "B4-A3", " b4a3 ", "b4-a3"):
            await player.command(text)
            event = player.game.head.event
            assert isinstance(event, StackMoved), text
            assert (event.source, event.target) == (cell("b4"), cell("a3"))
            await player.press("u")


REFUSED = {
    "j1": "no such cell: j1",
    "a5b5": "no such cell: a5",
    "a1a2": "a red piece never moves alone",
    "pass": "a pass happens by itself",
    **dict.fromkeys(["[/", "[red]hi", "x" * 300, "é🙂", "c3", "99999", "٣"], ""),
}


async def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        nothing = player.said
        for text, words in REFUSED.items():
            await player.command(text)
            assert words in player.said
            assert player.said not in ("", nothing), text
            assert len(player.game.log) == 1
            assert player.text
            assert player.table.line.is_open, "what was typed is not lost"
            assert player.table.line.value.strip() == text[: player.table.line.LONGEST]
            await player.press("escape")
            assert not player.table.line.is_open


@pytest.mark.parametrize("columns", [53, 80, 120])
async def test_an_error_in_typing_is_told_and_can_be_mended(columns: int, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (columns, 24)) as player:
        await player.command("b4a4")
        foot = player.text_of(player.table.keys)
        told = " ".join(player.said.split())
        assert told == "no such cell: a4"
        assert foot.strip().startswith(told)
        assert "esc close" in foot
        assert player.table.line.value == "b4a4"
        await player.press("backspace")
        assert "b4a3" in player.text_of(player.table.keys), "what matches is listed again"
        await player.press("3", "enter")
        assert not player.table.line.is_open
        assert isinstance(player.game.head.event, StackMoved)
        assert player.said != told


async def test_a_cell_is_a_placement_while_placing(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND) as player:
        await player.command("C3")
        assert player.game.position.stacks[cell("c3")]
        await player.command("c3")
        assert player.said == "c3 is taken: choose an empty cell"


@pytest.mark.parametrize(
    "word", ["undo", "new", "flip", "look", "help", "palette", "settings", "cursor.right", "leave", "quit"]
)
async def test_typed_commands(word: str, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        before = (len(player.game.log), player.app.look, player.table.board.lattice, player.table.hand.focus)
        await player.command(word)
        after = (len(player.game.log), player.app.look, player.table.board.lattice, player.table.hand.focus)
        assert before != after or player.dialog is not None


async def test_pasted_text_goes_into_the_line_as_one_clean_line(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.press(":")
        player.app.post_message(Paste("b4\x1b]52;c;QUJD\x07a3\nu"))
        await player.settle()
        assert "\x1b" not in player.text
        assert "\x07" not in player.text
        assert len(player.game.log) == 1


LEFT_OUT = {
    "x" * 1_000: "only 300 characters fit",
    "é" * 301: "only 300 characters fit",
    "b4a3\na2a1": "only the first line was taken",
    "🙂" * 300: "",
    "x" * 300: "",
}


async def test_what_is_left_out_of_a_pasted_text_is_told(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (120, 40)) as player:
        for text, words in LEFT_OUT.items():
            await player.press(":")
            player.app.post_message(Paste(text))
            await player.settle()
            foot = player.text_of(player.table.keys)
            assert words in foot
            assert ("left out" in foot) == bool(words)
            assert player.table.line.value == text.splitlines()[0][:300]
            await player.press("escape")


async def test_a_click_on_the_board_closes_the_line(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.press(":")
        await player.type("b4")
        await player.click("b4")
        assert not player.table.line.is_open
        assert player.table.hand.picked == cell("b4")


async def test_every_typed_word_in_one_go(tmp_path: Path) -> None:
    """Keys typed faster than the screen follows are not taken for commands."""
    async with playing(tmp_path, at(FULL)) as player:
        player.send(*":flip", "enter")
        await player.settle()
        assert player.table.board.lattice.flipped
        assert not player.table.line.is_open
        assert len(player.game.log) == 1
