"""Saving while a game is played: what is told of it, and going on with a game that waits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from dvonn_tui.core.events import AgreeDraw
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.resuming import resume
from dvonn_tui.records import journal as journal_module
from dvonn_tui.records.journal_reading import Reading, load_journal
from dvonn_tui.records.seating import Seating
from dvonn_tui.settings import Look
from dvonn_tui.ui.reports import write_report
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.result import ResultScreen
from dvonn_tui.ui.screens.resume import ResumeScreen
from dvonn_tui.ui.screens.save import SaveScreen
from dvonn_tui.ui.widgets.choices import TextField
from tests.core.tools import FULL
from tests.records.journal_tools import HEADER, file_of
from tests.terminal.games import ENDING
from tests.ui.tools import BALANCED, QUIET, Player, at, first_legal, playing

TWO_PEOPLE = replace(QUIET, black_seat="human")
ALARM = "! NOT SAVED"
SAVED_AGAIN = "the game is saved again"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other programs may need the machine as well."""
    monkeypatch.setattr(journal_module, "PATIENCE", 5.0)


def games(folder: Path) -> list[Path]:
    """All saved games, oldest first."""
    return sorted((folder / "data" / "games").glob("*.dvnlog"))


def saved(folder: Path) -> Reading:
    """The only saved game."""
    (path,) = games(folder)
    return load_journal(path)


async def play(player: Player, plies: int = 1) -> None:
    """Some moves, typed: a notification can lie on a small board."""
    for _ in range(plies):
        await player.command(first_legal(player.game.position))


async def left_in_the_middle(folder: Path, **how: Any) -> Game:
    """A game of three plies, one of them taken back, that somebody left."""
    async with playing(folder, BALANCED, **how) as player:
        await play(player, 3)
        await player.press("u")
        return player.game


# Saving -------------------------------------------------------------------------------------------


async def test_every_move_is_in_the_file_when_it_is_seen(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        assert games(tmp_path) == []
        for ply in range(1, 4):
            await play(player)
            assert f"ply {ply} of {ply}" in player.bar
            assert saved(tmp_path).game.log == player.game.log
        await player.press("u")
        assert saved(tmp_path).game.log == player.game.log
        await player.press("[", "[")
        await play(player)
        await player.opened(ConfirmScreen)
        await player.press("y")
        await player.closed()
        assert len(player.game.log) == 7
        assert saved(tmp_path).game.log == player.game.log


async def test_nothing_played_leaves_no_file(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await player.press("f", "tab", "enter", "escape")
    assert not (tmp_path / "data").exists()


async def test_seats_and_the_turned_board_are_kept(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await play(player)
        assert saved(tmp_path).seating == Seating()
        await player.press("f")
        assert saved(tmp_path).seating == Seating(flipped=True)
        await player.press("C")
        await player.opened()
        await player.press("right", "enter")
        await player.closed()
        assert saved(tmp_path).seating == Seating("level 1", "human", True, "Level 1")


async def test_another_game_is_another_file(tmp_path: Path) -> None:
    """The question says that the one in progress is kept; it is not offered after that."""
    async with playing(tmp_path, BALANCED, settings=TWO_PEOPLE) as player:
        await play(player)
        await player.press("n")
        await player.opened(NewGameScreen)
        await player.press("enter")
        await player.opened(ConfirmScreen)
        (first,) = games(tmp_path)
        assert "It is saved. To go on with it later:" in " ".join(player.text.split())
        assert first.name in "".join(player.text.split())
        await player.press("y")
        await player.closed()
        await play(player)
        assert len(games(tmp_path)) == 2
        player.table.session.submit(AgreeDraw())
        await player.opened(ResultScreen)
    async with playing(tmp_path, BALANCED, settings=TWO_PEOPLE, bare=True) as player:
        await player.pilot.pause(0.05)
        assert player.dialog is None
    assert [load_journal(path).game.position.over for path in games(tmp_path)] == [False, True]


async def test_switched_off(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, settings=replace(QUIET, autosave=False)) as player:
        await play(player, 2)
        assert ALARM not in player.bar
        player.app.leave()
        assert "--position" in player.app.farewell
    assert games(tmp_path) == []


async def test_a_game_of_engines_is_a_readable_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dvonn_tui.ui.company.PACES", (0.0,) * 4)
    choice = at(parse_position(ENDING), white="Level 1", black="Level 2")
    async with playing(tmp_path, choice, seats=("level 1", "level 2")) as player:
        await player.opened(ResultScreen)
        reading = saved(tmp_path)
        assert reading.game.position.over
        assert reading.game.log == player.game.log
        assert reading.seating == Seating("level 1", "level 2")


# Not saved ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "colours", "look"),
    [((53, 16), "truecolor", None), ((80, 24), "none", Look.ASCII), ((160, 50), "256", Look.GRAPH)],
)
async def test_what_is_not_saved_is_said_and_stays_visible(
    size: tuple[int, int], colours: str, look: Look | None, tmp_path: Path
) -> None:
    """In words, at every size and without colours, until it works again; the game goes on meanwhile."""
    (tmp_path / "data").mkdir()
    hindrance = tmp_path / "data" / "games"
    hindrance.write_text("in the way")
    async with playing(tmp_path, BALANCED, size, colours=colours, look=look) as player:
        assert ALARM not in player.bar
        await play(player)
        assert ALARM in player.bar
        (told,) = [note.message for note in player.app._notifications]
        assert told.startswith(str(hindrance))
        assert "The game goes on, and is saved as soon as that works" in told
        await player.press("[")
        assert ALARM in player.bar
        await player.press("]")
        player.app.clear_notifications()
        await play(player)
        assert ALARM in player.bar
        assert not list(player.app._notifications), "told once"
        hindrance.unlink()
        await play(player)
        assert ALARM not in player.bar
        assert [note.message for note in player.app._notifications] == [SAVED_AGAIN]
        assert len(player.game.log) == 4
        assert saved(tmp_path).game.log == player.game.log


async def test_saved_again_without_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "RETRY", 0.05)
    (tmp_path / "data").mkdir()
    hindrance = tmp_path / "data" / "games"
    hindrance.write_text("in the way")
    async with playing(tmp_path, BALANCED) as player:
        await play(player)
        assert ALARM in player.bar
        hindrance.unlink()
        await player.until(lambda: ALARM not in player.bar)
        assert saved(tmp_path).game.log == player.game.log


async def test_leaving_what_is_not_saved(tmp_path: Path) -> None:
    """The position can be played on, and why there is no file is said."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games").write_text("in the way")
    async with playing(tmp_path, BALANCED) as player:
        await play(player)
        await player.press("q")
        await player.opened(ConfirmScreen)
        for words in ("It is not saved", "printed."):
            assert words in player.text
        await player.press("y")
        await player.until(lambda: player.app._exit)
        assert player.app.farewell.startswith(f"The game is not saved ({tmp_path / 'data' / 'games'}")
        assert "--position" in player.app.farewell


async def test_a_disk_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign is there with the move; in words it is told when it lasts."""
    answer = Event()
    write = journal_module.os.write

    def slow(descriptor: int, data: bytes) -> int:
        answer.wait(10)
        return write(descriptor, data)

    monkeypatch.setattr(journal_module.os, "write", slow)
    monkeypatch.setattr(journal_module, "PATIENCE", 0.02)
    monkeypatch.setattr("dvonn_tui.ui.screens.keeping.SLOW_AFTER", 0.1)
    async with playing(tmp_path, BALANCED) as player:
        await play(player)
        assert ALARM in player.bar
        assert "ply 1 of 1" in player.bar
        await player.until(lambda: list(player.app._notifications))
        assert journal_module.SLOW in next(iter(player.app._notifications)).message
        answer.set()
        await player.until(lambda: ALARM not in player.bar)


async def test_saving_in_another_folder(tmp_path: Path) -> None:
    """The message names the key; the dialog says what hinders; then all of the game is there."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games").write_text("in the way")
    async with playing(tmp_path, BALANCED) as player:
        await play(player)
        assert "ctrl+s saves it in another folder" in next(iter(player.app._notifications)).message
        await player.press("ctrl+s")
        await player.opened(SaveScreen)
        assert "Not saved: " in player.text
        field = player.app.screen.query_one("#folder", TextField)
        field.value = str(tmp_path / "other")
        await player.press("enter")
        await player.closed()
        assert ALARM not in player.bar
        (path,) = (tmp_path / "other").iterdir()
        assert load_journal(path).game.log == player.game.log
        player.app.leave()
        assert player.app.farewell.endswith(f" resume {path}")


# Going on -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["enter", "click"])
async def test_a_game_that_waits_is_offered(how: str, tmp_path: Path) -> None:
    """Game, head, seats and the turned board; what is played then goes to the same file."""
    before = await left_in_the_middle(tmp_path, flip=True)
    async with playing(tmp_path, BALANCED, (100, 30), settings=TWO_PEOPLE, bare=True) as player:
        await player.opened(ResumeScreen)
        for words in ("White against Black", "Ply 2, White to move", "balanced board, seed 4711"):
            assert words.lower() in player.text.lower()
        if how == "enter":
            await player.press("enter")
        else:
            await player.click_text("Go on")
        await player.closed()
        assert player.game.log == before.log
        assert player.game.head == before.head
        assert player.table.board.lattice.flipped
        assert "ply 2 of 3" in player.bar
        await player.press("U")
        await play(player)
        assert saved(tmp_path).game.log == player.game.log
        assert len(player.game.log) == len(before.log) + 2


async def test_another_game_instead(tmp_path: Path) -> None:
    """The one that waits stays in its file, and is not offered again."""
    before = await left_in_the_middle(tmp_path)
    async with playing(tmp_path, BALANCED, settings=TWO_PEOPLE, bare=True) as player:
        await player.opened(ResumeScreen)
        await player.press("n")
        await player.closed()
        assert len(player.game.log) == 1
    async with playing(tmp_path, BALANCED, settings=TWO_PEOPLE, bare=True) as player:
        await player.pilot.pause(0.05)
        assert player.dialog is None
    assert saved(tmp_path).game.log == before.log


async def test_undecided(tmp_path: Path) -> None:
    """Escape decides nothing: the next start asks again."""
    await left_in_the_middle(tmp_path)
    for _ in range(2):
        async with playing(tmp_path, BALANCED, settings=TWO_PEOPLE, bare=True) as player:
            await player.opened(ResumeScreen)
            await player.press("escape")
            await player.closed()
            assert len(player.game.log) == 1


async def test_whoever_says_how_to_begin_is_not_asked(tmp_path: Path) -> None:
    """One line says that a game waits, and how to take it up."""
    await left_in_the_middle(tmp_path)
    async with playing(tmp_path, BALANCED) as player:
        await player.pilot.pause(0.05)
        assert player.dialog is None
        assert player.said == "an unfinished game waits: dvonn-tui resume takes it up"
        await player.press("tab")
        assert "waits" not in player.said


@pytest.mark.parametrize("size", [(53, 16), (80, 24), (120, 40)])
async def test_the_offer_fits(size: tuple[int, int], tmp_path: Path) -> None:
    await left_in_the_middle(tmp_path)
    async with playing(tmp_path, BALANCED, size, settings=TWO_PEOPLE, bare=True) as player:
        await player.opened(ResumeScreen)
        for words in ("A game waits", "White against Black", "Ply 2", "Go on", "New game"):
            assert words in player.text


async def test_no_engine_plays_before_it_is_decided(tmp_path: Path) -> None:
    """Neither in the game that waits nor in the fresh one behind the question."""
    async with playing(tmp_path, BALANCED, seats=("human", "level 1")) as player:
        await play(player)
        await player.until(lambda: len(player.game.log) == 3)
        await player.press("u")
        await player.settle()
        before = player.game.log
    seated = replace(QUIET, white_seat="level 1", black_seat="level 1")
    async with playing(tmp_path, BALANCED, settings=seated, bare=True) as player:
        await player.opened(ResumeScreen)
        assert "Level 1" in player.text
        await player.pilot.pause(0.3)
        assert len(player.game.log) == 1
        await player.press("enter")
        await player.closed()
        assert player.game.log == before
        assert player.app.company.is_person(Side.WHITE)
        assert not player.app.company.is_person(Side.BLACK)
        await play(player)
        await player.until(lambda: player.game.position.side is Side.WHITE)
    assert saved(tmp_path).game.log[: len(before)] == before


async def test_a_seat_that_is_gone_is_taken_by_a_person(tmp_path: Path) -> None:
    """It is told, and the file keeps whose it was."""
    folder = tmp_path / "data" / "games"
    folder.mkdir(parents=True)
    game = Game.at(FULL)
    game.undo()
    path = folder / "one.dvnlog"
    path.write_bytes(file_of(game, replace(HEADER, seating=Seating("human", "engine Gone", False))))
    async with playing(tmp_path, resumed=resume(path)) as player:
        await player.until(lambda: "no engine" in player.text)
        assert player.app.company.is_person(Side.BLACK)
        await play(player)
        assert load_journal(path).seating.black == "engine Gone"


async def test_what_was_torn_off_or_damaged_is_told(tmp_path: Path) -> None:
    await left_in_the_middle(tmp_path)
    (path,) = games(tmp_path)
    path.write_bytes(path.read_bytes()[:-4])
    async with playing(tmp_path, BALANCED, settings=TWO_PEOPLE, bare=True) as player:
        await player.opened(ResumeScreen)
        await player.press("enter")
        await player.closed()
        await player.until(lambda: "left out" in player.text)
        assert "ply 3 of 3" in player.bar
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"n":2', b'"n":7'))
    async with playing(tmp_path, resumed=resume(path)) as player:
        await player.until(lambda: "checksum" in player.text)
        assert "ply 1 of 1" in player.bar
        await play(player)
    assert path.read_bytes() == data.replace(b'"n":2', b'"n":7')
    copy = next(each for each in games(tmp_path) if each != path)
    assert load_journal(copy).header.copy_of == path.name


async def test_a_file_that_goes_before_the_answer(tmp_path: Path) -> None:
    """Told, and the fresh game is there to be played."""
    await left_in_the_middle(tmp_path)
    async with playing(tmp_path, BALANCED, settings=TWO_PEOPLE, bare=True) as player:
        await player.opened(ResumeScreen)
        games(tmp_path)[0].unlink()
        await player.press("enter")
        await player.closed()
        assert len(player.game.log) == 1
        await player.until(lambda: "cannot go on" in player.text)
        await play(player)
        assert "ply 1 of 1" in player.bar


async def test_a_rematch_after_going_on(tmp_path: Path) -> None:
    """The choice of the saved game is the one that is played again with colours changed."""
    game = Game.new(Setup.SYMMETRIC, 3, white="Ada", black="Bob")
    folder = tmp_path / "data" / "games"
    folder.mkdir(parents=True)
    path = folder / "one.dvnlog"
    path.write_bytes(file_of(game, replace(HEADER, seating=Seating())))
    async with playing(tmp_path, at(FULL), resumed=resume(path)) as player:
        player.table.rematch()
        await player.settle()
        started = player.game.started
        assert (started.setup, started.white, started.black) == (Setup.SYMMETRIC, "Bob", "Ada")


async def test_a_report_of_an_error_names_the_file(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await play(player)
        line = write_report(player.app.paths, RuntimeError("x"), player.app.session, player.app.autosave.name)
        assert line.endswith(f" resume {games(tmp_path)[0].name}")
