"""The analysis panel: values and lines of the position that is seen, as they come in."""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.external import EngineSettings
from dvonn_tui.play.analyst import PAUSE, Analyst
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.settings import Look
from tests.core.tools import FULL
from tests.play.tools import children, fake
from tests.ui.tools import BY_HAND, QUIET, Player, at, cell, first_legal, playing

ENDING = parse_position("9/10/2rwbw5/10/9 w m")
"""White's d3c3 ends the game with two pieces for White; f3e3 wins all four."""

PEOPLE = replace(QUIET, white_seat="human", black_seat="human")

SEEN_IN = [
    ((120, 40), Look.DISCS), ((160, 50), Look.DISCS), ((80, 24), Look.DISCS), ((80, 24), Look.ASCII),
]  # fmt: skip


@pytest.fixture(autouse=True)
async def nothing_left() -> AsyncIterator[None]:
    """After every test no process that it started is there."""
    before = children()
    yield
    for _ in range(200):
        if children() <= before:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("an engine is left behind")


@asynccontextmanager
async def analysing(
    folder: Path,
    choice: GameChoice = at(FULL),  # noqa: B008
    size: tuple[int, int] = (120, 40),
    *,
    mode: str = "good",
    look: Look | None = None,
    colours: str = "truecolor",
) -> AsyncIterator[Player]:
    """The application with a fake engine for the analyst."""
    link = EngineLink(fake(mode))
    async with playing(
        folder, choice, size, settings=PEOPLE, look=look, colours=colours, analyst=link
    ) as player:
        yield player


def panel(player: Player) -> str:
    return player.text_of(player.table.analysis_panel)


async def seen(player: Player, text: str, seconds: float = 5.0) -> None:
    await player.until(lambda: text in panel(player), seconds)


@pytest.mark.parametrize(("size", "look"), SEEN_IN)
async def test_on_and_off(size: tuple[int, int], look: Look, tmp_path: Path) -> None:
    async with analysing(tmp_path, size=size, look=look) as player:
        assert "ANALYSIS" not in player.text
        before = player.text
        await player.press("v")
        await seen(player, "depth")
        assert "ANALYSIS" in player.text
        assert "SIGNS" not in player.text
        assert "MOVES" in player.text
        assert (size[0] < 112) == (player.table.inspector.size.width == 0)
        shown = panel(player)
        assert "solved: White +7" in shown or "White wins" in shown
        assert "50k" in shown
        assert shown.isascii() == (look is Look.ASCII)
        assert len(player.game.log) == 1
        link = player.app.company.analyst(lambda: None).link
        await player.press("v")
        assert player.text == before
        await player.until(lambda: not link.thinking)


async def test_without_colour(tmp_path: Path) -> None:
    async with analysing(tmp_path, colours="none") as player:
        await player.press("v")
        await seen(player, "#")
        assert panel(player).isascii()


async def test_the_real_engine_solves_an_ending(tmp_path: Path) -> None:
    async with playing(tmp_path, at(ENDING), (120, 40), settings=PEOPLE) as player:
        await player.press("v")
        await seen(player, "solved: White +4", 15.0)
        assert "compiled" in panel(player) or "interpreted" in panel(player)
        lines = [line for line in panel(player).split("\n") if line[1:3] in ("1 ", "2 ", "3 ")]
        assert "f3-e3 pass e3-c3" in lines[0]
        assert "W+2" in lines[1]
        assert len(lines) == 3
        await player.click_text(lines[1].split()[2])
        assert player.said.startswith("line 2, ply 1 of 1: d3-c3")
        assert player.table.hand.picked is not None
        assert len(player.game.log) == 1
        await player.press("f5")
        assert player.said.startswith("line 1, ply 1 of 5: f3-e3 pass e3-c3")
        assert player.table.hand.attention.preview is not None
        await player.press("f6", "enter")
        await player.until(lambda: player.game.position.over)
        await seen(player, "the game is over")


async def test_a_line_is_walked_and_the_game_untouched(tmp_path: Path) -> None:
    async with playing(tmp_path, at(ENDING), (120, 40), settings=PEOPLE) as player:
        await player.press("v")
        await seen(player, "solved: White +4", 15.0)
        board = player.table.board
        await player.press("f5", "f5")
        assert "LINE 1" in player.bar
        assert player.said.startswith("line 1, ply 2 of 5: pass e3-c3")
        await player.press("]")
        assert board.scene.stacks[cell("c3")] == ("r", "b", "w")
        assert board.scene.last == {cell("e3"), cell("c3")}
        assert player.table.hand.position == ENDING
        await player.press("[", "[")
        assert player.said.startswith("line 1, ply 1 of 5")
        assert board.scene.stacks == ENDING.stacks
        for leave in ("escape", "enter", "click"):
            await player.press("f5", "f5", "f5")
            assert board.scene.stacks != ENDING.stacks
            if leave == "click":
                await player.click("d3")
            else:
                await player.press(leave)
            assert board.scene.stacks == ENDING.stacks
            assert "LINE" not in player.bar
            assert player.table.hand.picked is None
        await player.press(*["f5"] * 6)
        assert player.said == "this is the end of the line"
        assert board.scene.stacks == ENDING.stacks
        assert len(player.game.log) == 1


async def test_the_position_that_is_seen(tmp_path: Path) -> None:
    async with analysing(tmp_path) as player:
        await player.press("v")
        await seen(player, "depth")
        analyst = player.app.company.analyst(lambda: None)
        await player.command(first_legal(FULL))
        assert analyst.analysis.position is player.game.position
        await seen(player, "1 ")
        await player.press("[")
        assert player.table.hand.position == FULL
        assert analyst.analysis.position is player.table.hand.position
        assert "thinking" in panel(player), "what was found elsewhere is not shown here"
        await seen(player, "depth")
        assert len(player.game.log) == 2


PLACING = parse_position("2w6/3b6/1wr1r1b1r2/3b6/4w4 b p")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (160, 50)])
async def test_cells_have_estimates_while_placing(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, at(PLACING), size, settings=PEOPLE) as player:
        await player.press("v")
        await seen(player, "random boards", 15.0)
        await seen(player, "\n 3 ", 15.0)
        told = " ".join(panel(player).split())
        assert "An estimate, if the rest is placed at random." in told
        assert "depth" not in told
        assert " wins " in told
        lines = [line for line in panel(player).split("\n") if line[1:3] in ("1 ", "2 ", "3 ")]
        assert len(lines) == 3
        best = lines[0].split()[-1]
        await player.press("f5")
        assert player.said.startswith(f"line 1, ply 1 of 1: {best}  ")
        assert player.table.hand.focus == cell(best)
        assert player.game.position == PLACING
        assert player.table.values.along(player.game.plies())[0] is not None
        await player.press("enter")
        assert player.game.position.stacks[cell(best)] == ("b",)


async def test_red_pieces_have_no_value(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND, (120, 40), settings=PEOPLE) as player:
        await player.press("v")
        await seen(player, "Red pieces go by rule", 15.0)
        assert "%" not in panel(player)
        await player.press("f5")
        assert player.said.startswith("line 1, ply 1 of 1: f3")
        assert player.table.values.along(player.game.plies()) == (None,)


async def test_keys_say_when_there_is_nothing(tmp_path: Path) -> None:
    async with analysing(tmp_path) as player:
        await player.press("f5")
        assert player.said == "the analysis is off"
    async with analysing(tmp_path, size=(80, 20)) as player:
        await player.press("v")
        assert player.said == "the screen is too low for the analysis"
        await player.resize(80, 21)
        assert player.said == "the screen is too low for the analysis"
        await player.resize(80, 24)
        assert "too low" not in player.said


@pytest.mark.parametrize(("mode", "words"), [("dying", "fault"), ("nothing", ""), ("no-start", "licence")])
async def test_trouble_is_one_line_in_the_panel(mode: str, words: str, tmp_path: Path) -> None:
    async with analysing(tmp_path, mode=mode, size=(160, 50)) as player:
        await player.press("v")
        await player.until(lambda: player.table.analysis_panel.findings.trouble or mode == "nothing")
        trouble = player.table.analysis_panel.findings.trouble
        assert words in trouble
        assert "\n" not in trouble
        await player.command(first_legal(FULL))
        assert len(player.game.log) == 2, "the game goes on"


async def test_leaving_while_it_thinks(tmp_path: Path) -> None:
    async with analysing(tmp_path) as player:
        await player.press("v")
        await seen(player, "depth")
        begun = time.monotonic()
        player.app.leave()
    assert time.monotonic() - begun < 1.0


async def test_leaving_when_three_engines_do_not_end_by_themselves(tmp_path: Path) -> None:
    link = EngineLink(fake("stays"))
    settings = replace(
        PEOPLE, engines={"Anna": EngineSettings(shlex.join(fake("stays").command), movetime=50)}
    )
    async with playing(
        tmp_path, at(FULL), (120, 40), settings=settings, analyst=link, seats=("human", "engine Anna")
    ) as player:
        await player.press("v")
        await seen(player, "depth")
        await player.command(first_legal(FULL))
        await player.until(lambda: len(player.game.log) == 3)
        await player.press("h")
        await player.until(lambda: player.said.startswith("hint 1"))
        begun = time.monotonic()
        player.app.leave()
    assert time.monotonic() - begun < 1.0


async def test_reports_are_few_and_late_answers_are_dropped() -> None:
    """Whatever the engine says, the screen hears of it four times a second, and of one position only."""
    moments: list[float] = []
    positions = []
    analyst: Analyst

    def heard() -> None:
        moments.append(time.monotonic())
        positions.append({thought.position for thought in analyst.analysis.thoughts})

    analyst = Analyst(heard, EngineLink(fake("good")))
    analyst.look(FULL)
    await _until(lambda: len(moments) > 3)
    assert all(later - earlier > PAUSE * 0.9 for earlier, later in pairwise(moments))
    assert all(found == {FULL} for found in positions)
    positions.clear()
    analyst.look(ENDING)
    assert not analyst.analysis.thoughts
    await _until(lambda: positions)
    assert all(found == {ENDING} for found in positions)
    analyst.look(None)
    count = len(moments)
    await asyncio.sleep(2 * PAUSE)
    assert len(moments) == count
    assert legal_moves(ENDING)
    await analyst.close()


async def _until(holds: Callable[[], object], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.01)
