"""The application started with the game of a record."""

from __future__ import annotations

from pathlib import Path

import pytest

from dvonn_tui.cli import _open_parser, _view_parser
from dvonn_tui.commands import view as view_command
from dvonn_tui.core.events import Resign
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.launch import LaunchOptions
from dvonn_tui.play.resuming import resume
from dvonn_tui.records.shelf import games_of_paste
from dvonn_tui.settings import Paths
from dvonn_tui.ui.app import DvonnApp
from dvonn_tui.ui.themes import Terminal
from tests.records.mutation import TREE

from .tools import QUIET, Player, first_legal, playing


def launched(path: Path, monkeypatch: pytest.MonkeyPatch, *words: str, play_on: bool) -> LaunchOptions:
    """What the application is started with by ``view`` or ``open``."""
    found: list[LaunchOptions] = []

    def keep(launch: LaunchOptions) -> int:
        found.append(launch)
        return 0

    monkeypatch.setattr(view_command, "run_launch", keep)
    parser = _open_parser() if play_on else _view_parser()
    assert view_command.view(parser.parse_args([str(path), *words]), play_on=play_on) == 0
    return found[0]


@pytest.mark.parametrize("play_on", [True, False])
async def test_a_record_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, play_on: bool) -> None:
    """Opened, it stands at its end and goes on; viewed, it is seen from its start. All lines are there."""
    path = tmp_path / "x.dvn"
    path.write_text(TREE.replace("4-3", "5-3"), encoding="utf-8")
    launch = launched(path, monkeypatch, play_on=play_on)
    app = DvonnApp(launch, QUIET, Paths.below(tmp_path), terminal=Terminal("truecolor"))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        player = Player(app, pilot)
        await pilot.pause()
        view = player.table.hand.view
        assert view.live == play_on
        assert "Zoë" in player.text
        assert "the score is said to be 5-3" in player.text
        assert len(player.game.children(player.game.log[0])) == 2
        assert app.table.choice.white_seat == app.table.choice.black_seat == "human"
        if play_on:
            await player.press(":", *"d3c3", "enter")
            assert player.game.head.ply == 3
        else:
            assert view.index == 0
            await player.press("]")
            assert view.index == 1


async def test_a_clock_that_is_asked_for_begins_full_whatever_the_record_says_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(tmp_path, clock="0.3", seats=("human", "human")) as player:
        await player.command(first_legal(player.game.position))
        await player.command(first_legal(player.game.position))
        await player.press("ctrl+r")
        copied = tmp_path / "data" / "copies" / "record.dvn"
        written = copied.read_text("utf-8")
    assert '[TimeControl "18"]' in written
    assert "[%clk 0:00:1" in written
    launch = launched(copied, monkeypatch, "--clock", "1+1", play_on=True)
    app = DvonnApp(launch, QUIET, Paths.below(tmp_path / "again"), terminal=Terminal("truecolor"))
    clocks = app.table.session.clocks
    assert clocks is not None
    assert [clocks.left(side, app.now()) for side in Side] == [60, 60]
    assert app.table.session.game.head.ply == 2


async def copied(player: Player, folder: Path) -> str:
    """The record that is copied of the game on the screen."""
    await player.press("ctrl+r")
    return (folder / "data" / "copies" / "record.dvn").read_text("utf-8")


async def finished(folder: Path) -> Path:
    """The file of a game with a clock that one side gave up."""
    async with playing(folder, clock="5+3") as player:
        await player.command(first_legal(player.game.position))
        player.table.session.submit(Resign(Side.BLACK))
        await player.settle()
        path = player.app.autosave.path
        assert path is not None
        return path


async def test_a_finished_game_that_is_opened_again_is_copied_with_its_clock(tmp_path: Path) -> None:
    """When the program starts with it, and from the library."""
    path = await finished(tmp_path)
    async with playing(tmp_path, resumed=resume(path)) as player:
        assert player.table.session.clocks is None
        first = await copied(player, tmp_path)
    assert '[TimeControl "300+3"]' in first
    assert '[Date "20' in first
    async with playing(tmp_path) as player:
        assert "TimeControl" not in await copied(player, tmp_path), "a game of its own, without a clock"
        assert player.table.go_on_with(path)
        assert await copied(player, tmp_path) == first
        player.table.rematch()
        await player.settle()
        assert "TimeControl" not in await copied(player, tmp_path)


async def test_a_record_is_copied_with_all_that_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened from a file, pasted, or from a copy of a copy; a clock that is asked for takes its place."""
    text = TREE.replace("[White", '[Round "3"]\n[TimeControl "40/7200:3600"]\n[White')
    path = tmp_path / "x.dvn"
    path.write_text(text, encoding="utf-8")
    said = ('[Event "Club \\"evening\\""]', '[Round "3"]', '[TimeControl "40/7200:3600"]')
    for words in ((), ("--clock", "5")):
        launch = launched(path, monkeypatch, *words, play_on=True)
        app = DvonnApp(launch, QUIET, Paths.below(tmp_path), terminal=Terminal("truecolor"))
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            written = await copied(Player(app, pilot), tmp_path)
        assert all(line in written for line in said[:2])
        assert (said[2] in written) == (not words)
        assert ('[TimeControl "300"]' in written) == bool(words)
    async with playing(tmp_path) as player:
        for _ in range(2):
            (record,) = games_of_paste(text, 1)
            player.table.open_record(record, "")
            await player.settle()
            text = await copied(player, tmp_path)
            assert all(line in text for line in said)


async def test_a_result_that_was_agreed_on_holds_until_somebody_plays_on(tmp_path: Path) -> None:
    """The rules do not tell it: only the record does, and only of its own moves."""
    text = TREE.replace('[Result "*"]', '[Result "1-0"]\n[Termination "adjudication"]').replace(
        "\n*", "\n1-0"
    )
    (record,) = games_of_paste(text, 1)
    async with playing(tmp_path) as player:
        player.table.open_record(record, "")
        await player.settle()
        written = await copied(player, tmp_path)
        assert '[Result "1-0"]' in written
        assert '[Termination "adjudication"]' in written
        await player.press("}")
        await player.command("f3e3")
        written = await copied(player, tmp_path)
        assert '[Result "*"]' in written
        assert '[Termination "unterminated"]' in written
