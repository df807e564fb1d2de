"""The library: a thousand games, found, opened, moved away and brought back, written to files."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.geometry import Offset

from dvonn_tui.core.game import Game
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from dvonn_tui.library_settings import LibrarySettings, Sort
from dvonn_tui.records.forms import write
from dvonn_tui.records.journal_form import Header
from dvonn_tui.records.journal_reading import load_journal
from dvonn_tui.records.record import with_tags
from dvonn_tui.records.seating import Seating
from dvonn_tui.settings import Paths, load
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.export import ExportScreen
from dvonn_tui.ui.screens.folders import FoldersScreen
from dvonn_tui.ui.screens.help import HelpScreen
from dvonn_tui.ui.screens.library import LibraryScreen
from dvonn_tui.ui.screens.rename import RenameScreen
from dvonn_tui.ui.widgets.choices import OneOf, TextField
from dvonn_tui.ui.words import plain_text
from tests.records.journal_tools import file_of
from tests.records.tools import DATA, only
from tests.ui.tools import QUIET, Player, first_legal, playing

SAMPLE = DATA / "little-golem.txt"


def folder_of(home: Path) -> Path:
    """Where the saved games lie."""
    folder = home / "data" / "games"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def played(seed: int = 1, plies: int = 3, white: str = "Ada", black: str = "Bela") -> Game:
    """A game in which the first legal move was played so many times, or until it was over."""
    game = Game.new(Setup.BALANCED, seed, white=white, black=black)
    while plies and not game.position.over:
        game.play(legal_moves(game.position)[0])
        plies -= 1
    return game


def keep(home: Path, game: Game, day: int = 1, name: str = "") -> Path:
    """Write a game's log file, as if it was begun on a day of November."""
    begun = datetime(2026, 11, 1, 12, tzinfo=UTC) + timedelta(days=day - 1)
    path = folder_of(home) / f"{begun:%Y-%m-%d-%H%M%S}-{name or 'game'}.dvnlog"
    path.write_bytes(file_of(game, Header(begun, Seating())))
    return path


@asynccontextmanager
async def in_library(home: Path, size: tuple[int, int] = (120, 40), **how: Any) -> AsyncIterator[Player]:
    """The application with the library opened and everything read."""
    async with playing(home, size=size, **how) as player:
        await opened(player)
        yield player


async def opened(player: Player) -> None:
    """Open the library and wait until all is read."""
    await player.press("l")
    await player.until(lambda: isinstance(player.app.screen, LibraryScreen))
    await read_all(player)


async def read_all(player: Player) -> None:
    """Wait until nothing is being read."""

    def read() -> bool:
        looks = [worker for worker in player.app.workers if worker.group == "look"]
        return library(player)._listed and all(worker.is_finished for worker in looks)

    await player.until(read, 20)
    await player.settle()


def library(player: Player) -> LibraryScreen:
    """The screen of the library, whatever lies over it."""
    return next(screen for screen in player.app.screen_stack if isinstance(screen, LibraryScreen))


def names(player: Player) -> list[str]:
    """The files of all listed games, from the top."""
    return [game.name for game in library(player).list.games]


def said(player: Player) -> str:
    """What the status line of the library says."""
    return plain_text(library(player).status.said)


async def until_listed(player: Player, *files: str) -> None:
    """Wait until just these files are listed, in any order."""
    await player.until(lambda: sorted(names(player)) == sorted(files))
    await player.settle()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Three logs, the newest the third, and a record with a fault."""
    keep(tmp_path, played(1), 1, "first")
    keep(tmp_path, played(2, 99, white="Carla"), 2, "second")
    keep(tmp_path, played(3, 5, black="[b]Dora"), 3, "third")
    text = write(with_tags(played(4, 4, white="Emil"), {"Date": "2025.01.01"}))
    (folder_of(tmp_path) / "faulty.dvn").write_text(text.replace(text.split()[-2], "a1k5"))
    return tmp_path


FIRST, SECOND, THIRD = (
    f"2026-11-0{day}-120000-{name}.dvnlog" for day, name in ((1, "first"), (2, "second"), (3, "third"))
)
FAULTY = "faulty.dvn"


async def test_the_newest_game_is_first_and_shown(home: Path) -> None:
    async with in_library(home) as player:
        assert names(player) == [THIRD, SECOND, FIRST, FAULTY]
        assert "4 games" in player.bar
        for words in ("Ada ─ [b]Dora", "balanced 3", "unfinished", "5 plies", "2026-11-03", THIRD):
            assert words in player.text, words
        await player.press("down")
        assert library(player).list.chosen is not None
        assert "Carla" in player.text_of(library(player).card)
        assert "won" in player.text_of(library(player).card)
        await player.press("end")
        card = player.text_of(library(player).card)
        assert "Emil" in card
        assert "(a1k5)" in " ".join(card.split())
        await player.press("escape")
        await player.closed()


async def test_a_thousand_games(tmp_path: Path) -> None:
    """All are listed, few are drawn, and every letter of a filter is answered."""
    data = file_of(played(5))
    folder = folder_of(tmp_path)
    for number in range(999):
        (folder / f"2026-10-01-120000-game-{number:03}.dvnlog").write_bytes(data)
    keep(tmp_path, played(6, 2, white="Zoe"), 1, "sought")
    async with in_library(tmp_path) as player:
        await player.until(lambda: len(names(player)) == 1000, 60)
        screen = library(player)
        assert "1,000 games" in player.bar
        await player.press("end")
        assert screen.list.cursor == 999
        assert len(screen.list.tiles) == screen.list.size.height
        await player.press("pageup", "home")
        assert screen.list.cursor == 0
        await player.press("slash")
        for typed, count in (("z", 1), ("zo", 1), ("zoe ", 1), ("zoe n", 1), ("zoe nobody", 0)):
            await player.type(typed[len(screen.filter.value) :])
            assert len(names(player)) == count
        assert "0 of 1,000 games" in player.bar
        assert "No game has all these words" in player.text
        await player.press("escape")
        assert len(names(player)) == 1000
        await player.press("slash")
        await player.type("zoe")
        assert names(player) == ["2026-11-01-120000-sought.dvnlog"]
        await player.press("enter")
        await player.closed()
        assert player.game.started.white == "Zoe"


async def test_an_unfinished_game_goes_on_in_its_own_file(home: Path) -> None:
    async with in_library(home) as player:
        await player.press("enter")
        await player.closed()
        assert player.game.log == played(3, 5, black="[b]Dora").log
        await player.command(first_legal(player.game.position))
        path = player.app.autosave.path
        assert path == folder_of(home) / THIRD
        assert load_journal(path).game.log == player.game.log


async def test_a_finished_game_is_looked_at_and_not_changed(home: Path) -> None:
    path = folder_of(home) / SECOND
    before = path.read_bytes()
    async with in_library(home) as player:
        await player.press("down", "enter")
        await player.closed()
        assert player.game.started.white == "Carla"
        assert player.table.hand.view.index == 0
        assert "LOOKING BACK" in player.bar
        assert "this game is over" in player.said
        await player.press("]", "]", "}")
        assert player.table.hand.view.live
    assert path.read_bytes() == before


async def test_a_record_is_opened_as_a_copy(home: Path) -> None:
    """Its faults are told with their place; what is played goes to a file of its own."""
    path = folder_of(home) / FAULTY
    before = path.read_bytes()
    async with in_library(home, settings=replace(QUIET, black_seat="human")) as player:
        await player.press("end", "enter")
        await player.until(lambda: player.game.started.white == "Emil")
        await player.closed()
        told = " ".join(player.text.split())
        for words in ("faulty.dvn, line", "column", "ply 4", "(a1k5)", "The game is here up to there."):
            assert words in told, words
        assert player.table.hand.view.index == 3
        assert player.app.autosave.path is None
        await player.command(first_legal(player.game.position))
        new = player.app.autosave.path
        assert new is not None
        assert new.suffix == ".dvnlog"
        assert load_journal(new).header.copy_of == FAULTY
        assert load_journal(new).game.log == player.game.log
    assert path.read_bytes() == before


async def test_the_game_that_is_left_is_kept_or_asked_about(home: Path) -> None:
    two = replace(QUIET, black_seat="human")
    async with in_library(home, settings=two) as player:
        await player.press("escape")
        await player.closed()
        await player.command(first_legal(player.game.position))
        left = player.app.autosave.path
        assert left is not None
        await opened(player)
        await player.until(lambda: len(names(player)) == 5)
        await player.press("slash")
        await player.type("third")
        await player.press("enter")
        await player.closed()
        assert load_journal(left).game.head.ply == 1
        assert not load_journal(left).aside
    async with in_library(home, settings=replace(two, autosave=False)) as player:
        await player.press("escape")
        await player.closed()
        await player.command(first_legal(player.game.position))
        game = player.game
        await opened(player)
        await player.press("enter")
        await player.opened(ConfirmScreen)
        assert "It is not saved" in player.text
        await player.press("n")
        await player.closed()
        assert player.game is game


async def test_what_is_deleted_can_be_brought_back(home: Path) -> None:
    async with in_library(home) as player:
        await player.press("down", "d")
        await until_listed(player, THIRD, FIRST, FAULTY)
        assert "u brings it back" in said(player)
        assert (folder_of(home) / "deleted" / SECOND).exists()
        chosen = library(player).list.chosen
        assert chosen is not None
        assert chosen.name == FIRST
        await player.press("d")
        await until_listed(player, THIRD, FAULTY)
        await player.press("u", "u")
        await until_listed(player, THIRD, SECOND, FIRST, FAULTY)
        await player.press("u")
        assert "nothing was deleted" in said(player)
    assert not (folder_of(home) / "deleted").exists()


async def test_a_file_with_several_games_is_asked_about(home: Path) -> None:
    shutil.copy(DATA / "engine-games.log", folder_of(home))
    async with in_library(home) as player:
        await player.press("slash")
        await player.type("engine-games")
        await player.press("tab", "d")
        await player.opened(ConfirmScreen)
        assert "Delete all 19 games of this file?" in player.text
        await player.press("n")
        await player.until(lambda: player.app.screen is library(player))
        assert len(names(player)) == 19
        await player.press("d")
        await player.opened(ConfirmScreen)
        await player.press("y")
        await player.until(lambda: not names(player))
        assert (folder_of(home) / "deleted" / "engine-games.log").exists()


async def test_the_game_that_is_played_stays_where_it_is(home: Path) -> None:
    async with in_library(home) as player:
        await player.press("enter")
        await player.closed()
        await player.command(first_legal(player.game.position))
        await opened(player)
        assert names(player)[0] == THIRD
        for key in ("d", "r"):
            await player.press(key)
            assert "this game is being played" in said(player)
        await player.press("enter")
        await player.closed()
        assert "being played" in player.said


async def test_rename(home: Path) -> None:
    async with in_library(home) as player:
        await player.press("r")
        await player.opened(RenameScreen)
        await player.press("backspace")
        await player.type(SECOND.removesuffix(".dvnlog"))
        await player.press("enter")
        assert "already" in player.text
        await player.press("ctrl+u")
        await player.type("best")
        await player.press("enter")
        await player.until(lambda: player.app.screen is library(player))
        await until_listed(player, "best.dvnlog", SECOND, FIRST, FAULTY)
        chosen = library(player).list.chosen
        assert chosen is not None
        assert chosen.name == "best.dvnlog"
        assert "is now best.dvnlog" in said(player)
    assert not (folder_of(home) / THIRD).exists()


async def test_copy(home: Path) -> None:
    async with in_library(home) as player:
        await player.press("c")
        copy = home / "data" / "copies" / "game.txt"
        await player.until(copy.exists)
        await player.until(lambda: "game sent to the terminal's clipboard" in player.text)
        assert player.app.clipboard + "\n" == copy.read_text()
        record = only(copy.read_text())
        assert record.game.started.black == "[b]Dora"
        assert record.plies == 5


async def test_folders_are_added_and_taken_away(home: Path, tmp_path: Path) -> None:
    others = tmp_path / "others"
    (others / "deep").mkdir(parents=True)
    shutil.copy(SAMPLE, others / "deep")
    async with in_library(home) as player:
        await player.press("o")
        await player.opened(FoldersScreen)
        await player.type("/no/such")
        await player.press("enter")
        assert "there is no folder /no/such" in player.text
        await player.press("ctrl+u")
        await player.type(str(others))
        await player.press("enter")
        await player.press("enter")
        await until_listed(player, THIRD, SECOND, FIRST, FAULTY, SAMPLE.name)
        settings, _ = load(Paths.below(home))
        assert settings.library == LibrarySettings((str(others),))
        await player.press("o")
        await player.opened(FoldersScreen)
        await player.press("shift+tab", "space")
        await player.settle()
        await player.press("tab", "enter")
        await until_listed(player, THIRD, SECOND, FIRST, FAULTY)
        assert load(Paths.below(home))[0].library.folders == ()
    assert (others / "deep" / SAMPLE.name).exists()


async def test_a_folder_that_is_not_there_is_told(home: Path) -> None:
    settings = replace(QUIET, library=LibrarySettings(("/no/such",)))
    async with in_library(home, settings=settings) as player:
        await player.until(lambda: "/no/such" in said(player))
        assert len(names(player)) == 4


async def test_the_mouse(home: Path) -> None:
    async with in_library(home) as player:
        screen = library(player)
        place = screen.list.region.offset + Offset(5, 3)
        await player.click(place)
        assert screen.list.cursor == 2
        await player.wheel(1, place)
        await player.click_text("/ filter")
        assert screen.focused is screen.filter
        await player.click_text("esc close")
        assert screen.focused is screen.list
        await player.click_text("? help")
        help_screen = await player.opened(HelpScreen)
        assert "Move the file into the folder of deleted games" in player.text
        help_screen.action_cancel()
        await player.until(lambda: player.app.screen is screen)
        await player.settle()
        await player.click(place)
        player.send_click(place)
        await player.until(lambda: player.app.screen is player.table)
        assert player.game.log == played(1).log


async def test_the_wheel_and_the_scrollbar(tmp_path: Path) -> None:
    for day in range(1, 29):
        keep(tmp_path, played(day, 1), day)
    async with in_library(tmp_path, size=(80, 24)) as player:
        await player.until(lambda: len(names(player)) == 28)
        games = library(player).list
        assert "2026-11-28" in player.text
        await player.wheel(3, games.region.offset + Offset(5, 3))
        assert "2026-11-28 " not in player.text_of(games)
        assert games.cursor == 0
        await player.click(games.region.offset + Offset(games.size.width - 1, games.size.height - 1))
        assert "2026-11-01 " in player.text_of(games)
        assert games.cursor == 0


@pytest.mark.parametrize("size", [(53, 16), (53, 30), (80, 24), (120, 40), (160, 50)])
async def test_sizes(size: tuple[int, int], home: Path) -> None:
    keep(home, played(7, white="日本語の名前です長い名前", black="W" * 40), 9)
    async with in_library(home, size=size) as player:
        screen = library(player)
        assert screen.board.display == (size[1] > 16)
        for row in player.rows:
            assert cell_len(row) == size[0], row
        assert screen.foot.region.bottom == size[1]
        assert "esc close" in player.rows[-1]
        await player.press("end")
        assert "a1k5" in player.text.replace("\n", "")
        await player.resize(100, 30)
        await player.resize(*size)
        assert "esc close" in player.rows[-1]


async def test_no_games_yet(tmp_path: Path) -> None:
    async with in_library(tmp_path) as player:
        await player.until(lambda: "No games yet" in player.text)
        for key in ("enter", "c", "e", "d", "r"):
            await player.press(key)
            assert "no game is chosen" in said(player)


async def test_a_file_that_cannot_be_read_is_listed_with_its_fault(tmp_path: Path) -> None:
    (folder_of(tmp_path) / "torn.dvnlog").write_bytes(b"nothing")
    async with in_library(tmp_path) as player:
        await player.until(lambda: names(player) == ["torn.dvnlog"])
        assert "cannot be read" in player.text
        await player.press("enter")
        assert "there is no game to open" in said(player)
        await player.press("d")
        await player.until(lambda: not names(player))


async def test_colours_and_looks(home: Path) -> None:
    for colours in ("truecolor", "none"):
        async with in_library(home, colours=colours) as player:
            assert "Carla" in player.text
            if colours == "none":
                assert all(character.isascii() for row in player.rows[:4] for character in row)


async def test_the_command_and_the_palette_know_it(home: Path) -> None:
    async with playing(home) as player:
        await player.command("library")
        await player.until(lambda: isinstance(player.app.screen, LibraryScreen))


# Export -----------------------------------------------------------------------------------------


async def exporting(player: Player, *keys: str) -> ExportScreen:
    """Open the dialog for the chosen game, and press keys there."""
    await player.press("e")
    screen = await player.opened(ExportScreen)
    assert isinstance(screen, ExportScreen)
    await player.press(*keys)
    return screen


async def test_export_in_the_native_form(home: Path) -> None:
    exports = home / "data" / "exports"
    async with in_library(home) as player:
        screen = await exporting(player)
        assert "It holds all of the game." in player.text
        suggested = exports / Path(THIRD).with_suffix(".dvn")
        assert screen.query_one("#path", TextField).value == str(suggested)
        await player.press("enter")
        await player.until(lambda: player.app.screen is library(player))
        (written,) = exports.iterdir()
        assert only(written.read_bytes()).game.started.seed == 3
        screen = await exporting(player)
        assert "_2.dvn" in screen.query_one("#path", TextField).value, "no name is suggested that is taken"


async def test_what_a_form_cannot_hold_is_named(home: Path) -> None:
    async with in_library(home) as player:
        screen = await exporting(player, "down")
        assert screen.query_one("#form", OneOf).value != "dvn"
        names_lost = " ".join(player.text.split())
        assert "It does not hold" in names_lost
        for key in ["down"] * 9:
            await player.press(key)
            assert str(screen.query_one("#path", TextField).value)


async def test_pictures_are_exported_too(home: Path) -> None:
    async with in_library(home) as player:
        screen = await exporting(player)
        form = screen.query_one("#form", OneOf)
        for name, begins in (("svg", "<svg"), ("board", " "), ("animation", "<svg"), ("cast", "{")):
            form.choose(name)
            screen._choose()
            path = Path(screen.query_one("#path", TextField).value)
            screen.action_accept()
            await player.until(lambda: player.app.screen is library(player))
            assert path.read_text().startswith(begins)
            await player.settle()
            screen = await exporting(player)
            form = screen.query_one("#form", OneOf)


async def test_no_file_is_written_over(home: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.dvn"
    mine.write_text("mine")
    async with in_library(home) as player:
        screen = await exporting(player)
        field = screen.query_one("#path", TextField)
        for path, told in ((mine, "there is such a file already"), (tmp_path, "it is a folder")):
            field.value = str(path)
            await player.settle()
            screen.action_accept()
            await player.settle()
            assert told in player.text
        assert mine.read_text() == "mine"


def whites(player: Player) -> list[str]:
    """The white players as they are listed."""
    return [game.white for game in library(player).list.games]


async def test_sorted_by_any_column_by_key_and_by_click(tmp_path: Path) -> None:
    keep(tmp_path, played(1, 9, "cleo", "Dan"), day=1)
    keep(tmp_path, played(2, 3, "Ada", "Bela"), day=2)
    keep(tmp_path, played(3, 99, "Bea", "Carl"), day=3)
    async with in_library(tmp_path) as player:
        assert whites(player) == ["Bea", "Ada", "cleo"]
        await player.press("down", "s")
        assert whites(player) == ["Ada", "Bea", "cleo"]
        assert "WHITE, BLACK▴" in player.text
        assert library(player).list.chosen is not None
        assert library(player).list.chosen.white == "Ada", "the chosen game stays chosen"
        await player.press("S")
        assert whites(player) == ["cleo", "Bea", "Ada"]
        await player.click_text("PLIES")
        assert whites(player) == ["Bea", "cleo", "Ada"]
        await player.click_text("PLIES")
        assert whites(player) == ["Ada", "cleo", "Bea"]
        await player.click_text("RESULT")
        assert whites(player)[0] == "Bea", "the only one that is over"
        await player.press("/", *"cleo")
        assert whites(player) == ["cleo"]
    kept = load(Paths.below(tmp_path))[0]
    assert kept.library == LibrarySettings((), Sort.RESULT)
    async with in_library(tmp_path, settings=replace(QUIET, library=kept.library)) as player:
        assert "RESULT▴" in player.text
        await player.press("s", "s")
        assert whites(player) == ["Bea", "Ada", "cleo"]
        assert "DATE▾" in player.text


async def test_only_columns_that_are_seen_are_sorted_by(tmp_path: Path) -> None:
    keep(tmp_path, played())
    async with in_library(tmp_path, (53, 16)) as player:
        assert Sort.SETUP not in library(player).list.sorts
        await player.press("s", "s")
        assert "RESULT▴" in player.text
