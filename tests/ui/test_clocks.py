"""Clocks on the screen: what they show and when, warnings, pauses, the flag, and games that go on."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dvonn_tui.art.scene import Tile
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.play.clocks import Clocks, parse_clock
from dvonn_tui.play.resuming import resume
from dvonn_tui.play.session import Session
from dvonn_tui.records.journal_reading import load_journal
from dvonn_tui.records.turn_clock import TurnClock
from dvonn_tui.settings import Look, Paths, load
from dvonn_tui.ui.app import DvonnApp
from dvonn_tui.ui.clock_faces import LEAST_WAIT, Urgency, faces, next_look, urgency_of
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.result import ResultScreen
from dvonn_tui.ui.widgets.choices import OneOf, TextField
from tests.core.tools import FULL
from tests.play.clock_tools import Time, timed
from tests.ui.tools import BALANCED, BY_HAND, QUIET, Player, at, playing

SIZES = [(53, 16), (53, 24), (70, 40), (80, 24), (100, 30), (120, 40), (160, 50), (200, 60)]


def clocks(left: float, rule: str = "10", now: float = 0.0) -> Clocks:
    """Clocks of which White's runs and has so much left."""
    return replace(Clocks.full(parse_clock(rule)), white=left).run(Side.WHITE, now)


def running(player: Player) -> Side | None:
    """Whose clock runs."""
    there = player.table.session.clocks
    assert there is not None
    return there.running


async def pass_time(player: Player, time: Time, seconds: float) -> None:
    """Let time pass, and the clocks be looked at as their timer does."""
    time.wait(seconds)
    player.table.look_at_clocks()
    await player.settle()


# Faces


@given(st.floats(0, 700, allow_nan=False))
def test_a_clock_is_looked_at_again_when_it_shows_something_else(left: float) -> None:
    """No more often than that, and so ten times a second at most."""
    step = 0.1 if left <= 10 else 1.0
    assume(0.02 < left % step < step - 0.02)
    there = clocks(left)
    wait = next_look(there, 0.0)
    assert wait is not None
    assert LEAST_WAIT <= wait <= step
    shown = faces(there, 0.0)[0].text
    assert faces(there, wait - 0.01)[0].text == shown
    assert faces(there, wait + 0.01)[0].text != shown or left < step


def test_nothing_is_looked_at_while_no_clock_runs() -> None:
    assert next_look(clocks(30).halt(1.0), 1.0) is None
    assert next_look(Clocks.full(parse_clock("none")), 0.0) is None


def test_during_a_delay_nothing_changes() -> None:
    there = Clocks.full(parse_clock("5d3")).run(Side.WHITE, 0.0)
    wait = next_look(there, 0.0)
    assert wait is not None
    assert math.isclose(wait, 3 + LEAST_WAIT)


@pytest.mark.parametrize(
    ("rule", "left", "urgency"),
    [
        ("10", 30, Urgency.CALM),
        ("10", 29.9, Urgency.SOON),
        ("10", 10, Urgency.SOON),
        ("10", 9.9, Urgency.NOW),
        ("1", 16, Urgency.CALM),
        ("30s", 29, Urgency.CALM),
        ("30s", 7, Urgency.SOON),
        ("30s", 3, Urgency.NOW),
    ],
)
def test_a_warning_comes_when_little_is_left_of_what_there_is(
    rule: str, left: float, urgency: Urgency
) -> None:
    assert urgency_of(left, parse_clock(rule)) is urgency


def test_the_faces_of_both_clocks() -> None:
    white, black = faces(clocks(25), 0.5)
    assert (white.text, white.marked, white.running, white.urgency) == ("0:24", "! 0:24", True, Urgency.SOON)
    assert (black.text, black.marked, black.running, black.urgency) == (
        "10:00",
        "10:00",
        False,
        Urgency.CALM,
    )


# The screen


@pytest.mark.parametrize("size", SIZES)
async def test_both_clocks_are_seen_at_every_size(size: tuple[int, int], tmp_path: Path) -> None:
    time = Time()
    async with playing(
        tmp_path, at(FULL, white="Adalbert", black="Berta"), size, clock="5", now=time.now
    ) as player:
        await pass_time(player, time, 0.5)
        assert "4:59" in player.text
        assert "5:00" in player.text
        await pass_time(player, time, 272)
        assert "! 0:27" in player.text
        await pass_time(player, time, 20)
        assert "! 0:07.5" in player.text
        assert "5:00" in player.text
        await player.play("b4a3")
        assert running(player) is Side.BLACK
        await pass_time(player, time, 2)
        assert "4:58" in player.text
        assert "! 0:07.5" in player.text


async def test_no_clock_is_seen_without_one(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        assert player.table._clock_timer is None
        assert ":00" not in player.text
        assert "to move" in player.text_of(player.table.players)


@pytest.mark.parametrize("colours", ["truecolor", "none"])
async def test_a_warning_is_not_colour_alone(colours: str, tmp_path: Path) -> None:
    """A sign and bold first, reverse video at the end while the clock runs."""
    time = Time()
    async with playing(
        tmp_path, at(FULL), clock="5", now=time.now, colours=colours, look=Look.ASCII
    ) as player:

        def inks(text: str) -> set[tuple[bool, bool]]:
            found = set()
            for row in player.table.players.tiles:
                line = "".join(part for part, _ in row)
                if text in line:
                    start = line.index(text)
                    found |= {(ink.bold, ink.reverse) for _, ink in row[start : start + len(text)]}
            return found

        await pass_time(player, time, 275)
        assert inks("! 0:25") == {(True, False)}
        await pass_time(player, time, 20)
        assert inks("! 0:05.0") == {(True, True)}
        await player.play("b4a3")
        assert inks("! 0:05.0") == {(True, False)}, "it does not run"


async def test_only_the_cells_of_a_clock_are_painted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), (120, 40), clock="5", now=time.now) as player:
        await pass_time(player, time, 0.5)
        painted: list[int] = []
        players = player.table.players
        original = players.show_tiles

        def show(tiles: object, changed: object = None, **how: bool) -> None:
            spans = list(changed) if changed is not None else None  # type: ignore[call-overload]
            painted.append(sum(end - start for _, start, end in spans) if spans is not None else 10_000)
            original(tiles, spans, **how)  # type: ignore[arg-type]

        monkeypatch.setattr(players, "show_tiles", show)
        monkeypatch.setattr(player.table, "_update", lambda: painted.append(20_000))
        for _ in range(3):
            await pass_time(player, time, 1)
        assert len(painted) == 3
        assert max(painted) <= 4


@pytest.mark.parametrize("size", SIZES)
async def test_a_clock_written_over_is_what_is_drawn_anew(size: tuple[int, int], tmp_path: Path) -> None:
    """Through all that it can look like: wider and narrower, with a sign, reversed; for both sides."""
    time = Time()
    names = at(FULL, white="Adalbert", black="Berta")
    async with playing(tmp_path, names, size, clock="11", now=time.now) as player:
        table = player.table
        assert table.arrangement is not None
        panel = table.card if table.arrangement.card else table.players
        for side in (Side.WHITE, Side.BLACK):
            for seconds in (0.5, 1, 59.6, 540, 30.2, 18.8, 0.1, 0.1, 1):
                await pass_time(player, time, seconds)
                shown = [list(row) for row in panel.tiles]
                assert clock_text_of(player, side) in text_of(shown)
                assert shown == panel.draw(*panel.size)
            await player.play("b4a3")


def clock_text_of(player: Player, side: Side) -> str:
    """What the clock of a side is to show."""
    shown = player.table.clock_faces()
    assert shown is not None
    return shown[0 if side is Side.WHITE else 1].marked


def text_of(rows: Sequence[Sequence[Tile]]) -> str:
    """The characters of a picture."""
    return "\n".join("".join(character for character, _ in row) for row in rows)


async def test_a_clock_behind_a_question_goes_on_and_paints_nothing_over_it(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), (100, 30), clock="5", now=time.now) as player:
        await player.press("!")
        dialog = await player.opened()
        await pass_time(player, time, 290.5)
        assert player.dialog is dialog
        assert "0:09.5" in text_of(player.table.players.tiles)
        await player.press("escape")
        await player.closed()
        assert "0:09.5" in player.text
        await pass_time(player, time, 0.05)
        assert "0:09.4" in player.text


async def test_a_flag_ends_the_game_and_is_told(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), (100, 30), clock="1", now=time.now) as player:
        await player.play("b4a3")
        time.wait(60)
        player.table.look_at_clocks()
        await player.opened(ResultScreen)
        assert "Black ran out of time" in player.text
        outcome = player.game.position.outcome
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (Side.WHITE, Reason.TIME)
        await player.press("escape")
        await player.closed()
        assert "Black ran out of time" in player.said
        assert "Black out of time" in player.text_of(player.table.log_panel)
        assert "0:00.0" in player.text
        assert player.table._clock_timer is None
        await player.press("u")
        assert not player.game.position.over
        assert running(player) is Side.BLACK


async def test_a_flag_is_seen_by_whoever_looks_back(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="1", now=time.now) as player:
        await player.play("b4a3")
        await player.press("[")
        time.wait(30)
        assert running(player) is Side.BLACK, "looking back does not halt"
        time.wait(30)
        player.table.look_at_clocks()
        await player.opened(ResultScreen)
        assert player.table.hand.view.live


async def test_a_move_too_late_is_the_flag(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="1", now=time.now) as player:
        await player.click("b4")
        time.wait(60)
        await player.click("a3")
        await player.opened(ResultScreen)
        assert "White ran out of time" in player.text


async def test_the_timer_itself_lets_a_flag_fall(tmp_path: Path) -> None:
    """Nobody touches anything. The game is almost over when it is shown, so that no test waits for long."""
    time = Time()
    async with playing(tmp_path, at(FULL), (53, 16), clock="1", now=time.now) as player:
        time.wait(59.99)
        player.table.look_at_clocks()
        time.wait(1)
        await player.opened(ResultScreen)


async def test_a_flag_falls_on_a_screen_that_is_too_small(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="1", now=time.now) as player:
        await player.resize(30, 10)
        await player.press("x")
        time.wait(60)
        player.table.look_at_clocks()
        await player.settle()
        assert player.game.position.over


async def test_a_pause_halts_refuses_moves_and_hides_nothing(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="5", now=time.now) as player:
        await pass_time(player, time, 10)
        await player.press("k")
        assert "the game is paused: k goes on" in player.said
        assert "paused" in player.bar
        time.wait(500)
        await player.play("b4a3")
        assert "the game is paused: k goes on" in player.said
        assert player.game.head.ply == 0
        assert "4:50" in player.text
        await player.press("[", "k")
        assert "the game goes on" in player.said
        assert "paused" not in player.bar
        await player.press("}")
        await player.play("b4a3")
        assert player.game.head.ply == 1


async def test_a_question_does_not_halt(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="1", now=time.now) as player:
        await player.press("!")
        await player.opened()
        time.wait(60)
        player.table.look_at_clocks()
        await player.press("y")
        await player.opened(ResultScreen)
        assert "White ran out of time" in player.text


async def test_the_pause_of_a_finished_game_is_none(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="1", now=time.now) as player:
        time.wait(61)
        player.table.look_at_clocks()
        await player.opened(ResultScreen)
        await player.press("escape")
        await player.closed()
        await player.press("k")
        assert player.said == "the game is over"


async def test_undo_restores_the_clocks(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="5", now=time.now) as player:
        await pass_time(player, time, 20)
        await player.play("b4a3")
        assert "4:40" in player.text
        await pass_time(player, time, 60)
        await player.press("u")
        assert player.text.count("5:00") == 2
        await player.press("U")
        assert "4:40" in player.text
        assert "5:00" in player.text


async def test_a_suspended_program_costs_nobody_time(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="5", now=time.now) as player:
        player.app.app_suspend_signal.publish(player.app)
        time.wait(1000)
        player.app.app_resume_signal.publish(player.app)
        await pass_time(player, time, 1)
        assert "4:59" in player.text


@pytest.mark.parametrize("bell", [True, False])
async def test_the_bell_rings_once_when_little_is_left(
    bell: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[str] = []
    monkeypatch.setattr(DvonnApp, "bell", lambda app: rung.append("bell"))
    time = Time()
    settings = replace(QUIET, bell=bell)
    async with playing(tmp_path, at(FULL), settings=settings, clock="5+20", now=time.now) as player:
        for seconds in (280, 9, 2, 1, 1):
            await pass_time(player, time, seconds)
        assert rung == ["bell"] * bell
        await player.play("b4a3")
        await pass_time(player, time, 1)
        await player.press("u")
        await pass_time(player, time, 291)
        assert len(rung) == 2 * bell


async def test_placing_by_hand_with_a_clock(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, BY_HAND, clock="5", now=time.now) as player:
        await pass_time(player, time, 3)
        await player.click("c3")
        assert running(player) is Side.BLACK
        await player.press("m")
        assert running(player) is Side.WHITE
        assert "4:57" in player.text


# Games that begin, and games that go on


async def test_a_game_taken_up_is_paused(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, BALANCED, clock="5+3", now=time.now) as player:
        await pass_time(player, time, 20)
        player.table.session.submit(legal_moves(player.game.position)[0])
        await player.settle()
        path = player.app.autosave.path
        assert path is not None
    time.wait(10_000)
    async with playing(tmp_path, resumed=resume(path), now=time.now) as player:
        assert "the game is paused: k goes on" in player.said
        await pass_time(player, time, 500)
        assert "4:43" in player.text
        assert "5:00" in player.text
        assert running(player) is None
        await player.press("k")
        await pass_time(player, time, 1)
        assert "4:59" in player.text
        assert player.table.choice.clock == parse_clock("5+3")


async def test_leaving_and_coming_back_wins_no_time(tmp_path: Path) -> None:
    """A turn goes on with what was left of it when the program was left."""
    time = Time()
    async with playing(tmp_path, at(FULL), clock="5", now=time.now) as player:
        await pass_time(player, time, 20)
        await player.play("b4a3")
        await pass_time(player, time, 120)
        time.wait(2)
        path = player.app.autosave.path
        assert path is not None
    time.wait(10_000)
    async with playing(tmp_path, resumed=resume(path), now=time.now) as player:
        assert "2:58" in player.text
        assert "4:40" in player.text
        await player.press("k")
        await pass_time(player, time, 1)
        assert "2:57" in player.text


async def test_what_is_left_is_written_down_while_it_runs_and_when_it_halts(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), clock="5", now=time.now) as player:
        await player.play("b4a3")
        path = player.app.autosave.path
        assert path is not None
        await pass_time(player, time, 3)
        assert load_journal(path).turn is None
        await pass_time(player, time, 3)
        assert load_journal(path).turn == TurnClock(294)
        time.wait(1)
        await player.press("k")
        assert load_journal(path).turn == TurnClock(293)


async def test_a_running_clock_is_looked_at_once_a_second_in_its_delay_too(tmp_path: Path) -> None:
    """That is how often it is asked whether what is left has to be written down."""
    time = Time()
    async with playing(tmp_path, at(FULL), clock="5d60", now=time.now) as player:
        timer = player.table._clock_timer
        assert timer is not None
        assert timer.when() - asyncio.get_running_loop().time() <= 1


async def test_a_clock_is_chosen_remembered_and_kept_for_the_rematch(tmp_path: Path) -> None:
    time = Time()
    async with playing(tmp_path, at(FULL), now=time.now) as player:
        await player.press("n")
        dialog = await player.opened(NewGameScreen)
        assert dialog.query_one("#clock", OneOf).value == "none"
        dialog.query_one("#clock", OneOf).focus()
        await player.press("right", "right", "enter")
        await player.closed()
        assert player.table.choice.clock == parse_clock("10")
        assert running(player) is Side.WHITE
        assert load(Paths.below(tmp_path))[0].clock == "10"
        player.table.rematch()
        await player.settle()
        assert player.table.session.rule == parse_clock("10")
        assert running(player) is Side.WHITE


async def test_a_clock_can_be_typed_and_what_is_none_is_told(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (100, 40), clock="7+2") as player:
        await player.press("n")
        dialog = await player.opened(NewGameScreen)
        assert dialog.query_one("#clock", OneOf).value == "typed"
        field = dialog.query_one("#clock-typed", TextField)
        assert field.text == "7+2"
        field.focus()
        await player.settle()
        await player.type("7x")
        assert "no clock '7x': it can be none, 10" in player.text
        assert dialog.query_one("#accept").disabled
        await player.press("enter")
        assert player.dialog is dialog
        await player.press("backspace", "s", "enter")
        await player.closed()
        assert player.table.session.rule == parse_clock("7s")


async def test_a_bare_start_has_the_clock_of_the_last_game(tmp_path: Path) -> None:
    settings = replace(QUIET, clock="5+3", black_seat="human")
    async with playing(tmp_path, settings=settings, bare=True) as player:
        assert player.table.session.rule == parse_clock("5+3")
    async with playing(tmp_path, settings=settings) as player:
        assert player.table.session.clocks is None
    async with playing(tmp_path, settings=replace(settings, clock="soon"), bare=True) as player:
        assert player.table.session.clocks is None
        assert "no clock 'soon'" in player.text


async def test_clocks_of_any_session_are_shown(tmp_path: Path) -> None:
    """Those of a table too, whose authority is elsewhere: `clocks` and `now` are all that is asked."""
    time = Time()

    class Elsewhere(Session):
        shown = clocks(65, "10", time.now())

        @property
        def clocks(self) -> Clocks:
            return self.shown

        def now(self) -> float:
            return time.now()

    async with playing(tmp_path, at(FULL)) as player:
        session = Elsewhere(timed("none", time).game)
        player.table.use_session(session)
        await player.settle()
        assert "1:05" in player.text
        await pass_time(player, time, 6)
        assert "0:59" in player.text
        await pass_time(player, time, 100)
        assert "0:00.0" in player.text
        assert not player.game.position.over, "that is not for the screen to decide"
