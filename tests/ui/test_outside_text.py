"""Text from outside is shown as it is, and nothing in it is obeyed (X01)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.widgets import Input

from dvonn_tui.clean import clean_line
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.settings import Look, Paths, Settings, load
from dvonn_tui.ui.screens.result import ResultScreen
from tests.ui.tools import QUIET, Player, first_legal, playing

MARKUP = [("[/", "[b]x[/i]"), ("[1]", "[red]hi"), ("[$error]", "\\[b]"), ("[@click=app.quit]x[/]", "[/]")]
HARMFUL = [
    ("\x1b]0;x\x07", "\x1b[2J"),
    ("a\u202eb", "\x9b31m"),
    ("x\u200by", "e" + "\u0301" * 200),
    ("\ufeff", "\x1b]52;c;QUJD\x07"),
]


async def every_screen(player: Player) -> list[str]:
    """What all screens and dialogs show, one after another."""
    seen = [player.text]
    await player.play(first_legal(player.game.position))
    for key in ("?", "n", ",", "p", "q", "!"):
        await player.press(key)
        await player.opened()
        seen.append(player.text)
        await player.press("escape")
        await player.closed()
    for key in ("y", "Y", "ctrl+b", "g", "g", "g", "[", "}"):
        await player.press(key)
        seen.append(player.text)
    player.app.clear_notifications()
    await player.press("=")
    await player.opened()
    await player.press("y")
    await player.opened(ResultScreen)
    seen.append(player.text)
    return seen


@pytest.mark.parametrize("names", MARKUP)
async def test_markup_in_names_is_literal_everywhere(names: tuple[str, str], tmp_path: Path) -> None:
    assert names == (clean_line(names[0]), clean_line(names[1]))
    choice = GameChoice(Setup.BALANCED, 4711, *names)
    async with playing(tmp_path, choice, (120, 40)) as player:
        seen = await every_screen(player)
        for name in names:
            assert name[:9] in seen[0]
            assert re.search(rf"[○●] {re.escape(name)}  +\d+\b", seen[-1]), "the result"


@pytest.mark.parametrize("names", HARMFUL)
async def test_control_codes_in_names_never_reach_the_screen(names: tuple[str, str], tmp_path: Path) -> None:
    choice = GameChoice(Setup.BALANCED, 4711, clean_line(names[0]), clean_line(names[1]))
    async with playing(tmp_path, choice, (120, 40)) as player:
        for text in await every_screen(player):
            assert not any(code in text for code in "\x1b\x07\x9b\u202e\u200b\ufeff")
            assert "\u0301" * 3 not in text


@pytest.mark.parametrize("size", [(53, 16), (80, 24), (160, 50)])
@pytest.mark.parametrize("name", ["日本語の名前です長い名前", "W" * 40, "e\u0301\u0302" * 20])
async def test_wide_and_long_names_move_nothing(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    choice = GameChoice(Setup.BALANCED, 4711, clean_line(name), clean_line(name))
    async with playing(tmp_path, choice, size) as player:
        for row in player.rows:
            assert cell_len(row) == size[0], row
        assert player.table.keys.region.bottom == size[1]


async def test_markup_in_the_config_file_is_shown_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('"[/" = 1\nlook = "[b]x[/i]"\n[keys]\n"[red]hi" = "[$error]"\n')
    settings, problems = load(Paths.below(tmp_path))
    assert problems
    async with playing(tmp_path, size=(120, 40), settings=settings, problems=problems) as player:
        await player.until(lambda: "[red]hi" in player.text)
        for words in ("[/", "[b]x[/i]", "[red]hi"):
            assert words in player.text


async def test_names_typed_in_the_dialog_are_cleaned_and_kept(tmp_path: Path) -> None:
    async with playing(tmp_path, settings=QUIET, size=(120, 40)) as player:
        await player.press("n")
        dialog = await player.opened()
        field = dialog.query_one("#white", Input)
        field.focus()
        await player.settle()
        await player.press("backspace")
        await player.type("[b]x[/i]")
        await player.press("enter")
        await player.closed()
        assert player.table.session.game.started.white == "[b]x[/i]"
        assert "[b]x[/i]" in player.text
    assert "[b]x[/i]" in (tmp_path / "config.toml").read_text()


async def test_a_theme_and_a_look_from_outside_do_no_harm(tmp_path: Path) -> None:
    settings = Settings(theme="[/", look=Look.DISCS, animation=False)
    async with playing(tmp_path, settings=settings) as player:
        await player.press(",")
        await player.opened()
        assert "[/" in player.text
        await player.press("escape")
        await player.closed()
        await player.press("T")
        assert player.text
