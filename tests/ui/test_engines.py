"""Engines at the table: their turns, hints, seats, undo, troubles, and leaving while they think."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dvonn_tui.core.events import StackMoved
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.external import EngineSettings
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.launch import LaunchOptions
from dvonn_tui.settings import Paths, Settings
from dvonn_tui.ui.app import DvonnApp
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.result import ResultScreen
from dvonn_tui.ui.screens.seats import SeatsScreen
from dvonn_tui.ui.themes import Terminal
from tests.core.tools import FULL, board
from tests.ui.tools import BALANCED, QUIET, Player, at, first_legal, playing

AGAINST_ONE = ("human", "level 1")
PATIENCE = 30.0
"""Seconds in which an engine has played on a busy machine."""


async def answered(player: Player, plies: int) -> None:
    """Wait until so many plies are played."""
    await player.until(lambda: player.game.head.ply >= plies, PATIENCE)
    await player.settle()


def engines_of(process: int) -> list[str]:
    """The command lines of the processes that a process has started and that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (OSError, ValueError):
                continue
            if parent == process and "dvonn_tui.engine" in command:
                found.append(command)
    return found


async def test_a_level_answers_every_move(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), seats=AGAINST_ONE) as player:
        await player.play(first_legal(player.game.position))
        await answered(player, 2)
        event = player.game.log[2].event
        assert isinstance(event, StackMoved)
        assert event.by is Side.BLACK
        assert player.game.position.side is Side.WHITE
        assert "Level 1" in player.text


async def test_a_game_against_level_1_goes_to_its_end(tmp_path: Path) -> None:
    """The person always plays the first legal move; passes of either side happen by themselves."""
    async with playing(tmp_path, at(FULL), seats=AGAINST_ONE) as player:
        while not player.game.position.over:
            await player.until(
                lambda: player.game.position.over or player.game.position.side is Side.WHITE, PATIENCE
            )
            if not player.game.position.over:
                await player.command(first_legal(player.game.position))
        await player.opened(ResultScreen)


async def test_nobody_moves_the_stacks_of_an_engine(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), seats=("level 10", "human")) as player:
        await player.until(lambda: player.app.company.thinking is Side.WHITE, PATIENCE)
        await player.click("b4")
        assert player.table.hand.picked is None
        assert player.said == "Level 10 is thinking"
        assert player.happened == []


async def test_undo_goes_back_to_ones_own_last_decision(tmp_path: Path) -> None:
    """G05: the answer of the engine is taken back as well, and it does not play again by itself."""
    async with playing(tmp_path, at(FULL), seats=AGAINST_ONE) as player:
        await player.play(first_legal(player.game.position))
        await answered(player, 2)
        await player.press("u")
        assert player.game.position == FULL
        await player.pilot.pause(0.3)
        assert player.game.position == FULL
        assert player.game.position.side is Side.WHITE


async def test_undo_while_the_engine_thinks(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), seats=("human", "level 10")) as player:
        await player.play(first_legal(player.game.position))
        await player.until(lambda: player.app.company.thinking is Side.BLACK, PATIENCE)
        await player.press("u")
        assert player.game.position == FULL
        assert player.app.company.thinking is None
        await player.pilot.pause(0.5)
        assert player.game.position == FULL


async def test_the_screen_lives_while_the_engine_thinks(tmp_path: Path) -> None:
    """T09: cursor, help and looking back work; the move comes all the same."""
    async with playing(tmp_path, at(FULL), seats=("human", "level 8")) as player:
        await player.play(first_legal(player.game.position))
        await player.until(lambda: player.app.company.thinking is Side.BLACK, PATIENCE)
        await player.press("left", "left", "[")
        assert not player.table.hand.view.live
        await answered(player, 2)
        assert not player.table.hand.view.live
        await player.press("}")
        assert player.table.hand.view.live


async def test_a_hint_shows_the_best_move_and_then_the_next(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.press("h")
        await player.until(lambda: player.said.startswith("hint 1 of 3"), PATIENCE)
        first = player.table.board.scene.aim
        assert first is not None
        await player.press("h")
        assert player.said.startswith("hint 2 of 3")
        assert player.happened == []
        await player.press("enter")
        assert len(player.happened) == 1


async def test_a_hint_while_placing_says_what_its_value_is(tmp_path: Path) -> None:
    position = parse_position("2w6/3b6/1wr1r1b1r2/3b6/4w4 b p")
    async with playing(tmp_path, at(position)) as player:
        await player.press("h")
        await player.until(lambda: player.said.startswith("hint 1 of 3: place on "), PATIENCE)
        first = player.table.hand.focus
        assert " wins " in player.said
        assert player.said.endswith(" % if the rest is placed at random")
        await player.press("h")
        assert player.said.startswith("hint 2 of 3: place on ")
        assert player.table.hand.focus != first
        await player.press("enter")
        assert player.happened


async def test_nobody_types_a_move_for_an_engine(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), seats=("level 10", "human")) as player:
        await player.until(lambda: player.app.company.thinking, PATIENCE)
        await player.command(first_legal(FULL))
        assert player.said == "Level 10 is thinking"
        assert player.table.line.value == first_legal(FULL)
        assert not player.happened


async def test_every_engine_at_the_table_yields_to_the_screen(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (120, 40), seats=("human", "level 1")) as player:
        company = player.app.company
        assert company.analyst(lambda: None).link.launch.yields
        await player.press("h")
        await player.until(lambda: player.said.startswith("hint 1"), PATIENCE)
        assert company._adviser is not None
        assert company._adviser.launch.yields
        assert company._opponents is not None
        assert company._opponents._links[Side.BLACK].launch.yields


async def test_a_late_hint_is_dropped(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.press("h")
        await player.command("b4a3")
        await player.pilot.pause(1.6)
        assert "hint" not in player.said
        assert player.table.hand.picked is None


async def test_the_only_best_move_of_a_solved_position_says_so(tmp_path: Path) -> None:
    last = board("C3=R D3=W E3=B F3=W")
    async with playing(tmp_path, at(last)) as player:
        await player.press("h")
        await player.until(lambda: "hint 1 of" in player.said, PATIENCE)
        assert "solved" in player.said


async def test_seats_change_in_the_middle_of_a_game(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        await player.press("C")
        await player.opened(SeatsScreen)
        await player.press("down", "right", "enter")
        await player.closed()
        assert player.table.choice.black_seat == "level 1"
        await answered(player, 2)


async def test_a_new_game_against_an_engine_is_remembered(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await player.press("n")
        dialog = await player.opened(NewGameScreen)
        dialog.query_one("#black-seat").focus()
        await player.press("right", "right", "enter")
        await player.closed()
        assert player.table.choice.black_seat == "level 2"
        assert player.app.settings.black_seat == "level 2"
        assert player.table.session.name_of(Side.BLACK) == "Level 2"


async def test_engines_play_each_other_and_wait(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), seats=("level 1", "level 1")) as player:
        await answered(player, 2)
        await player.press("k")
        assert player.app.company.paused
        stands = player.game.head
        await player.pilot.pause(1.0)
        assert player.game.head is stands
        await player.press("k")
        await answered(player, stands.ply + 1)


async def test_a_broken_engine_is_told_and_the_game_waits(tmp_path: Path) -> None:
    broken = {"Broken": EngineSettings(f"{sys.executable} -c 'import sys; sys.exit(3)'")}
    settings = replace(QUIET, engines=broken)
    async with playing(tmp_path, at(FULL), settings=settings, seats=("human", "engine Broken")) as player:
        await player.play("b4a3")
        await player.until(lambda: "ctrl+e" in " ".join(player.text.split()), PATIENCE)
        assert player.game.head.ply == 1
        assert player.game.position.side is Side.BLACK
        await player.press("u")
        assert player.game.position == FULL


@pytest.mark.parametrize("seats", [("level 11", None), (None, "engine Nobody")])
async def test_a_seat_that_is_none_is_told(seats: tuple[str | None, str | None], tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), seats=seats) as player:
        assert player.table.choice.white_seat == player.table.choice.black_seat == "human"
        told = " ".join(player.text.split())
        assert "level" in told or "Nobody" in told


async def test_leaving_while_an_engine_thinks_leaves_no_process(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), seats=("human", "level 10")) as player:
        await player.play(first_legal(player.game.position))
        await player.until(lambda: player.app.company.thinking is Side.BLACK, PATIENCE)
        assert engines_of(os.getpid())
        player.app.leave()
    assert engines_of(os.getpid()) == []


async def test_started_with_nothing_level_3_plays_black(tmp_path: Path) -> None:
    app = DvonnApp(
        LaunchOptions(GameChoice(seed=3)),
        Settings(animation=False),
        Paths.below(tmp_path),
        terminal=Terminal("truecolor"),
    )
    async with app.run_test(size=(100, 30)):
        assert (app.table.choice.white_seat, app.table.choice.black_seat) == ("human", "level 3")
        assert app.session.name_of(Side.BLACK) == "Level 3"


@pytest.mark.parametrize("bell", [True, False])
async def test_the_bell_tells_that_an_engine_played(
    bell: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[str] = []
    monkeypatch.setattr(DvonnApp, "bell", lambda app: rung.append("bell"))
    async with playing(tmp_path, at(FULL), settings=replace(QUIET, bell=bell), seats=AGAINST_ONE) as player:
        await player.play(first_legal(player.game.position))
        await answered(player, 2)
        assert rung == ["bell"] * bell


async def test_a_rematch_changes_colours(tmp_path: Path) -> None:
    last = board("C3=R D3=W")
    async with playing(tmp_path, at(last), seats=AGAINST_ONE) as player:
        await player.play("d3c3")
        await player.opened(ResultScreen)
        await player.click_text("Rematch")
        await player.closed()
        assert (player.table.choice.white_seat, player.table.choice.black_seat) == ("level 1", "human")
        assert player.table.session.name_of(Side.WHITE) == "Level 1"
        assert player.table.session.name_of(Side.BLACK) == "Black"
        await answered(player, 1)
