"""What is pasted where nothing is typed is recognised, shown and opened; elsewhere it is typed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual import events

from dvonn_tui.core.notation import parse_position
from dvonn_tui.records.forms import write
from dvonn_tui.records.journal_reading import load_journal
from dvonn_tui.records.record import with_tags
from dvonn_tui.ui.screens import opening
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.library import LibraryScreen
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.record import RecordScreen
from dvonn_tui.ui.widgets.choices import TextField
from dvonn_tui.ui.words import plain_text
from tests.records.journal_tools import file_of
from tests.records.tools import DATA
from tests.ui.test_library import library, opened, played
from tests.ui.tools import QUIET, Player, first_legal, playing

POSITION = "9/10/2rwbw5/10/9 w m"
TWO_PEOPLE = replace(QUIET, black_seat="human")


async def paste(player: Player, text: str) -> None:
    """Paste as the terminal does, once the screen is there."""
    await player.settle()
    driver = player.app._driver
    assert driver is not None
    driver.process_message(events.Paste(text))


async def shown(player: Player, text: str) -> RecordScreen:
    """Paste a text that is recognised."""
    await paste(player, text)
    screen = await player.opened(RecordScreen)
    assert isinstance(screen, RecordScreen)
    return screen


async def test_a_position(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        await shown(player, f"\n  > `{POSITION}`\n")
        for words in ("one-line position", "from a position; 0 plies, unfinished"):
            assert words in player.text
        await player.press("enter")
        await player.closed()
        assert player.game.position == parse_position(POSITION)


@pytest.mark.parametrize("name", ["little-golem.txt", "game-53360.dvg", "game-53360.log"])
async def test_a_record_of_any_form(name: str, tmp_path: Path) -> None:
    async with playing(tmp_path, size=(80, 24)) as player:
        before = player.game
        await shown(player, (DATA / name).read_text())
        assert "against" in player.text
        assert "plies" in player.text
        await player.press("escape")
        await player.closed()
        assert player.game is before
        await shown(player, (DATA / name).read_text())
        await player.press("enter")
        await player.closed()
        assert player.game is not before
        assert player.table.hand.view.plies[-1].label in {"27", "24", "32"} or player.game.position.over


async def test_a_native_record_and_a_log_are_gone_on_with(tmp_path: Path) -> None:
    game = played(9, 4)
    for text in (write(with_tags(game)), file_of(game).decode()):
        async with playing(tmp_path, settings=TWO_PEOPLE) as player:
            await shown(player, text)
            await player.press("enter")
            await player.closed()
            assert player.game.position == game.position
            await player.command(first_legal(player.game.position))
            path = player.app.autosave.path
            assert path is not None
            assert load_journal(path).game.position == player.game.position


async def test_one_with_a_fault_is_shown_up_to_it(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        await shown(player, "A1 B1 C1 C1 D1 E1")
        told = " ".join(player.text.split())
        assert "line 1, column 10, ply p4 (C1): c1 is taken" in told
        assert "2 tokens after it not read" in told
        await player.press("enter")
        await player.closed()
        assert len(player.table.hand.view.plies) == 4
        assert "line 1, column 10, ply p4 (C1)" in " ".join(player.text.split())


async def test_one_of_several_games(tmp_path: Path) -> None:
    text = "\n".join(write(with_tags(played(seed, 2, white=f"Player {seed}"))) for seed in (1, 2, 3))
    async with playing(tmp_path, size=(120, 40)) as player:
        await shown(player, text)
        assert "1 of 3" in player.text
        await player.press("shift+tab", "right")
        assert "Player 2 against" in player.text
        await player.press("enter")
        await player.closed()
        assert player.game.started.white == "Player 2"


@pytest.mark.parametrize(
    "text", ["hello", "[/]\x1b[31m", "https://example.org/a1b2", "{}", "9/9/9 w m", "a1b2"]
)
async def test_anything_else_is_told_in_a_line(text: str, tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        before = player.game
        await paste(player, text)
        await player.until(lambda: player.said.startswith("pasted: "))
        assert player.app.screen is player.table
        assert player.game is before
        assert player.said.isprintable()


async def test_too_much_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONGEST_PASTE", 10)
    async with playing(tmp_path) as player:
        await paste(player, POSITION)
        await player.until(lambda: "longer than 10 characters" in player.said)


async def test_a_game_that_is_not_saved_is_asked_about(tmp_path: Path) -> None:
    async with playing(tmp_path, settings=replace(TWO_PEOPLE, autosave=False)) as player:
        await player.command(first_legal(player.game.position))
        before = player.game
        await shown(player, POSITION)
        await player.press("enter")
        await player.opened(ConfirmScreen)
        await player.press("n")
        await player.closed()
        assert player.game is before


async def test_where_something_is_typed_it_is_typed(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        await player.press(":")
        await paste(player, POSITION)
        await player.settle()
        assert player.table.line.value == POSITION
        await player.press("escape", "n")
        dialog = await player.opened(NewGameScreen)
        field = dialog.query_one("#white", TextField)
        field.focus()
        await player.settle()
        await paste(player, "Ada")
        await player.settle()
        assert "Ada" in field.value
        dialog.set_focus(None)
        await paste(player, POSITION)
        await player.settle()
        assert player.app.screen is dialog


async def test_over_the_library(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        await opened(player)
        await paste(player, "hello")
        await player.until(lambda: "pasted: " in plain_text(library(player).status.said))
        await shown(player, POSITION)
        await player.press("escape")
        await player.until(lambda: isinstance(player.app.screen, LibraryScreen))
        await player.settle()
        await shown(player, POSITION)
        await player.press("enter")
        await player.closed()
        assert player.game.position == parse_position(POSITION)
