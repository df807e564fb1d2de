"""Many games in one run, settings, copies, animation, and leaving."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Offset

from dvonn_tui.art.painter import BoardPainter
from dvonn_tui.core.events import Move, StackMoved
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import HeadMoved
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.launch import LaunchOptions
from dvonn_tui.play.session import Session
from dvonn_tui.records.journal_reading import load_journal
from dvonn_tui.settings import Confirm, Keymap, Look, Paths, Settings, load
from dvonn_tui.ui.app import DvonnApp, first_choice
from dvonn_tui.ui.copies import keep_copy
from dvonn_tui.ui.farewell import command_to_go_on
from dvonn_tui.ui.keys import build_keymap
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.help import HelpScreen
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.play import PlayScreen
from dvonn_tui.ui.screens.result import ResultScreen
from dvonn_tui.ui.widgets.board import FADE_SECONDS, GLIDE_SECONDS, Board
from dvonn_tui.ui.widgets.choices import OnOff
from tests.core.tools import FULL, board
from tests.ui.tools import BALANCED, BY_HAND, QUIET, Player, at, cell, first_legal, playing

CUTS = at(board("C3=R D3=W E3=B F3=W"))
LIVELY = Settings(guide=False)


# Many games (T11) --------------------------------------------------------------------------------


async def test_ten_games_in_one_run(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        old: list[Session] = []
        announced = 0
        opened = player.app.push_screen

        def counted(screen: Any, *args: Any, **kwargs: Any) -> Any:
            nonlocal announced
            announced += isinstance(screen, ResultScreen)
            return opened(screen, *args, **kwargs)

        player.app.push_screen = counted  # type: ignore[method-assign]
        timers = len(player.table._timers)
        for number in range(10):
            await player.play(first_legal(player.game.position))
            await player.press("=")
            await player.opened(ConfirmScreen)
            await player.press("y")
            await player.opened(ResultScreen)
            assert announced == number + 1
            old.append(player.table.session)
            await player.press("tab", "tab", "tab")
            await player.click_text("New game")
            await player.opened(NewGameScreen)
            await player.press("enter")
            await player.closed()
        assert [len(session.game._listeners) for session in old] == [0] * 10
        assert len(player.game._listeners) == 2  # the screen and the file
        assert len({id(session) for session in old}) == 10
        assert len(player.table._timers) <= timers + 1
        seen = player.table.board.scene
        for session in old:
            session.undo()
        await player.pilot.pause(0.1)
        assert announced == 10
        assert player.dialog is None
        assert player.table.board.scene == seen
        saved = sorted((tmp_path / "data" / "games").iterdir())
        assert [load_journal(path).game.position.over for path in saved] == [True] * 10


async def test_the_result_offers_what_one_may_want(tmp_path: Path) -> None:
    async with playing(tmp_path, CUTS, (100, 30)) as player:
        await player.play("d3c3")
        await player.opened(ResultScreen)
        await player.click_text("Copy")
        await player.closed()
        assert (tmp_path / "data" / "copies" / "moves.txt").read_text() == "d3c3\n"
        # Once more after an undo: announced again, though the log has the end already.
        await player.press("u")
        await player.play("d3c3")
        await player.opened(ResultScreen)
        assert len(player.game.log) == 6
        await player.press("enter")
        await player.closed()
        assert "ply 0 of 1" in player.bar
        assert player.game.position.over


# Copying (X16) -----------------------------------------------------------------------------------


def messages(player: Player) -> str:
    return " ".join(notification.message for notification in player.app._notifications)


@pytest.mark.parametrize(
    ("key", "what", "content"),
    [
        ("y", "position", None),
        ("Y", "moves", "b4a3"),
        ("ctrl+b", "board", None),
    ],
)
async def test_a_copy_goes_to_the_clipboard_and_a_file(
    key: str, what: str, content: str | None, tmp_path: Path
) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        await player.press(key)
        kept = tmp_path / "data" / "copies" / f"{what}.txt"
        text = kept.read_text(encoding="utf-8")
        assert player.app.clipboard == text.removesuffix("\n")
        assert str(kept) in messages(player)
        assert "sent to the terminal's clipboard" in messages(player)
        assert "copied" not in messages(player)
        if what == "position":
            assert parse_position(text.strip()) == player.game.position
        elif content is not None:
            assert text.strip() == content
        else:
            assert text.isascii()
            assert len(text.splitlines()) > 5


async def test_a_copy_is_of_what_is_seen(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        await player.press("[", "y")
        kept = tmp_path / "data" / "copies" / "position.txt"
        assert parse_position(kept.read_text().strip()) == FULL


@pytest.mark.parametrize("key", ["y", "Y", "ctrl+b"])
async def test_a_copy_that_cannot_be_written_says_so(key: str, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    async with playing(tmp_path, at(FULL)) as player:
        await player.press(key)
        assert "not written to" in messages(player)
        assert [n.severity for n in player.app._notifications] == ["warning"]


async def test_what_is_too_long_for_a_clipboard_is_only_written(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        message, kept = keep_copy(player.app, tmp_path, "record", "x" * 60_000)
        assert kept
        assert "too long" in message
        assert player.app.clipboard == ""
        assert (tmp_path / "copies" / "record.txt").stat().st_size == 60_001


# Settings ----------------------------------------------------------------------------------------


async def test_flip_for_black(tmp_path: Path) -> None:
    settings = Settings(animation=False, guide=False, flip_for_black=True)
    async with playing(tmp_path, at(FULL), settings=settings) as player:
        for side in (Side.WHITE, Side.BLACK, Side.WHITE):
            assert player.game.position.side is side
            assert player.table.board.lattice.flipped is (side is Side.BLACK)
            await player.play(first_legal(player.game.position))


async def test_movable_signs_can_be_off(tmp_path: Path) -> None:
    for signs in (True, False):
        settings = Settings(animation=False, guide=False, movable_signs=signs)
        async with playing(tmp_path, at(FULL), settings=settings) as player:
            assert bool(player.table.board.scene.movable) is signs


async def test_a_setting_changed_in_the_dialog_is_seen_and_kept(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.press(",")
        dialog = await player.opened()
        switch = dialog.query_one("#movable_signs", OnOff)
        switch.focus()
        await player.settle()
        await player.press("space", "enter")
        await player.closed()
        assert player.table.board.scene.movable == frozenset()
        stored, problems = load(Paths.below(tmp_path))
        assert problems == ()
        assert stored.movable_signs is False
        await player.press(",")
        dialog = await player.opened()
        dialog.query_one("#movable_signs", OnOff).focus()
        await player.settle()
        await player.press("space", "escape")
        await player.closed()
        assert player.table.board.scene.movable == frozenset()


async def test_look_and_theme_are_kept_but_not_what_the_command_line_said(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, look=Look.ASCII, settings=Settings(animation=False)) as player:
        await player.press("T")
        stored, _ = load(Paths.below(tmp_path))
        assert (stored.theme, stored.look) == ("light", Look.AUTO)
        await player.press("g")
        stored, _ = load(Paths.below(tmp_path))
        assert stored.look == Look.DISCS


async def test_settings_that_cannot_be_kept_are_told_once(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    async with playing(tmp_path, BALANCED) as player:
        await player.press("T", "T", "g")
        assert len([n for n in player.app._notifications if "not saved" in n.message]) == 1
        assert player.app.settings.look == Look.GRAPH


async def test_keys_of_the_config_file(tmp_path: Path) -> None:
    settings = Settings(animation=False, guide=False, keys={"flip": "k", "undo": "ctrl+g"})
    async with playing(tmp_path, at(FULL), settings=settings) as player:
        await player.press("f")
        assert not player.table.board.lattice.flipped
        await player.press("k")
        assert player.table.board.lattice.flipped
        await player.play("b4a3")
        await player.press("u")
        assert player.game.position != FULL
        await player.press("ctrl+g")
        assert player.game.position == FULL
        await player.press("?")
        dialog = await player.opened()
        assert dialog is not None


async def test_the_vim_keys(tmp_path: Path) -> None:
    settings = Settings(animation=False, guide=False, keymap=Keymap.VIM)
    async with playing(tmp_path, at(FULL), settings=settings) as player:
        for keys, name in (("hl", "f3"), ("kj", "f3"), ("h", "e3"), ("ll", "g3"), ("y", "g4")):
            await player.press(*keys)
            assert player.table.hand.focus == cell(name), keys


async def test_a_bad_config_gives_a_message_and_the_defaults(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("look = discs\n")
    settings, problems = load(Paths.below(tmp_path))
    assert settings == Settings()
    async with playing(tmp_path, BALANCED, (100, 30), settings=settings, problems=problems) as player:
        await player.until(lambda: "default settings" in " ".join(player.text.split()))
        assert player.game.position.phase is Phase.MOVEMENT
        await player.press("T")
    assert config.read_text() == "look = discs\n"


def test_keys_that_do_not_exist_are_told() -> None:
    wishes = {"quit": "", "undo": "ctlr+z,foo", "redo": "ctrl+r,é,f5,-", "help": "slash,alt+h,esc"}
    keymap = build_keymap(wishes)
    assert [problem for problem in keymap.problems if "has no key" not in problem] == [
        "keys: no key is named for quit; it keeps its own",
        "keys: there is no key 'ctlr+z', wished for undo",
        "keys: there is no key 'foo', wished for undo",
    ]
    assert keymap.keys["quit"] == ("q", "f10")
    assert keymap.keys["undo"] == ("u", "ctrl+z")
    assert keymap.keys["redo"] == ("ctrl+r", "é", "f5", "minus")
    assert keymap.keys["help"] == ("slash", "alt+h", "escape")


@pytest.mark.parametrize("vim", [False, True])
def test_every_key_of_our_own_exists(vim: bool) -> None:
    own = build_keymap({}, vim=vim)
    again = build_keymap({name: ",".join(keys) for name, keys in own.keys.items()}, vim=vim)
    assert (again.keys, again.problems) == (own.keys, ())


async def test_wrong_keys_in_the_config_are_told(tmp_path: Path) -> None:
    settings = Settings(animation=False, keys={"fly": "k", "flip": "j", "undo": "j", "new": "f1"})
    async with playing(tmp_path, at(FULL), settings=settings) as player:
        told = messages(player)
        assert "'fly'" in told
        assert "j is wished for" in told
        await player.press("j")
        assert player.table.board.lattice.flipped
        await player.press("f1")
        await player.opened(NewGameScreen)


async def test_confirm_can_be_switched_while_a_stack_is_held(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.click("b4")
        player.app.try_settings(Settings(animation=False, confirm=Confirm.ALWAYS))
        await player.click("a3")
        assert len(player.game.log) == 1
        await player.click("a3")
        assert len(player.game.log) == 2


# Animation ---------------------------------------------------------------------------------------


class Motion:
    """The time of what moves on the board. It stands still until it is told to go by."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._due: list[tuple[float, Callable[[], object]]] = []

    def now(self) -> float:
        """The clock that the board reads."""
        return self.seconds

    def later(self, delay: float, callback: Callable[[], object]) -> None:
        """What is to be called once so many seconds have gone by."""
        self._due.append((self.seconds + delay, callback))

    def pass_by(self, seconds: float) -> None:
        """Let time go by, and call what is due then."""
        self.seconds += seconds
        due = [callback for moment, callback in self._due if moment <= self.seconds]
        self._due = [entry for entry in self._due if entry[0] > self.seconds]
        for callback in due:
            callback()


@pytest.fixture
def motion(monkeypatch: pytest.MonkeyPatch) -> Motion:
    """Glides, fading and the announcement after them go by this time, however slow the machine is."""
    motion = Motion()
    set_timer = PlayScreen.set_timer

    def timed(screen: PlayScreen, delay: float, callback: Any = None, **more: Any) -> object:
        if callback == screen._announce:
            motion.later(delay, callback)
            return None
        return set_timer(screen, delay, callback, **more)

    monkeypatch.setattr("dvonn_tui.ui.widgets.board.monotonic", motion.now)
    monkeypatch.setattr(PlayScreen, "set_timer", timed)
    return motion


async def test_input_during_a_glide_is_not_lost(motion: Motion, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), settings=LIVELY) as player:
        for move in ("b4a3", "a2a1", "a3a1", "c4b3"):
            await player.play(move)
            assert player.table.board.moving
        moved = [event for event in player.happened if isinstance(event, StackMoved)]
        assert len(moved) == 4
        await player.press("[")
        assert player.table.board.scene.stacks == player.table.hand.position.stacks
        assert not player.table.board.moving
        await player.press("]", "u", "f")
        assert player.table.board.lattice.flipped
        assert player.table.board.scene.stacks == player.game.position.stacks
        await played(player, motion)
        check_drawn(player)


async def played(player: Player, motion: Motion) -> None:
    """Let a glide come to its end."""
    motion.pass_by(GLIDE_SECONDS)
    await player.until(lambda: not player.table.board.moving)


async def test_after_a_glide_the_board_is_drawn_as_without(tmp_path: Path) -> None:
    drawn = []
    for settings in (LIVELY, QUIET):
        async with playing(tmp_path, at(FULL), settings=settings) as player:
            for move in ("b4a3", "a2a1", "a3a1"):
                await player.play(move)
            await player.until(lambda player=player: not player.table.board.moving)  # type: ignore[misc]
            drawn.append(player.text)
    assert drawn[0] == drawn[1]


async def test_what_is_cut_off_fades_and_the_end_is_announced_after_it(
    motion: Motion, tmp_path: Path
) -> None:
    async with playing(tmp_path, CUTS, settings=LIVELY) as player:
        await player.play("d3c3")
        assert player.table.board._current().glides
        motion.pass_by(GLIDE_SECONDS)
        await player.until(lambda: not player.table.board._current().glides)
        assert player.table.board._current().fading
        assert player.dialog is None
        motion.pass_by(FADE_SECONDS)
        await player.opened(ResultScreen)
        await player.press("escape")
        await player.closed()
        await player.until(lambda: not player.table.board.moving)
        check_drawn(player)


def check_drawn(player: Player) -> None:
    """The picture is that of the final scene, painted afresh."""
    shown = player.table.board
    painter = BoardPainter(player.app.look, shown.lattice, player.app.palette)
    painter.paint(shown.scene)
    drawn = "\n".join("".join(character for character, _ in row) for row in painter.rows)
    assert player.text_of(shown) == drawn


async def test_resizing_during_a_glide(motion: Motion, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (120, 40), settings=LIVELY) as player:
        await player.play("b4a3")
        assert player.table.board.moving
        for size in ((80, 24), (20, 5), (160, 50)):
            await player.resize(*size)
        await played(player, motion)
        check_drawn(player)
        assert player.table.board.scene.last == {cell("b4"), cell("a3")}


@pytest.mark.usefixtures("motion")
async def test_a_new_game_during_a_glide(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), settings=LIVELY) as player:
        await player.play("b4a3")
        assert player.table.board.moving
        player.table.use_session(Session(BY_HAND.begin()))
        await player.settle()
        assert not player.table.board.moving
        assert not any(player.table.board.scene.stacks)
        check_drawn(player)


@pytest.mark.usefixtures("motion")
@pytest.mark.parametrize("how", ["variable", "setting", "neither"])
async def test_animation_can_be_off(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "variable":
        monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none")
    settings = LIVELY if how != "setting" else QUIET
    async with playing(tmp_path, at(FULL), settings=settings) as player:
        assert player.app.animated is (how == "neither")
        await player.play("b4a3")
        assert player.table.board.moving is (how == "neither")


async def test_stepping_does_not_animate(motion: Motion, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), settings=LIVELY) as player:
        player.table.session.submit(Move(cell("b4"), cell("a3")))
        await played(player, motion)
        await player.press("[", "]", "[")
        assert not player.table.board.moving


# Leaving -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["q", "f10"])
async def test_leaving_asks_only_when_a_game_runs(key: str, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        await player.press(key)
        await player.opened(ConfirmScreen)
        await player.press("enter")
        await player.closed()
        await player.press(key)
        await player.opened(ConfirmScreen)
        await player.press("y")
        await player.until(lambda: player.app._exit)
        (saved,) = (tmp_path / "data" / "games").iterdir()
        assert player.app.farewell.endswith(f" resume {saved.name}")
    async with playing(tmp_path, at(FULL)) as player:
        await player.press(key)
        await player.until(lambda: player.app._exit)
        assert player.app.farewell == ""


@pytest.mark.parametrize("opening", ["", "n", "p", "q", ":"])
async def test_ctrl_c_leaves_from_everywhere(opening: str, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        await player.play("b4a3")
        if opening:
            await player.press(opening)
            await player.pilot.pause(0.05)
        await player.press("ctrl+c")
        await player.until(lambda: player.app._exit)
        assert player.app.return_code == 0
        assert " resume " in player.app.farewell


@pytest.mark.parametrize("delay", [0.004, 0.012])
@pytest.mark.parametrize("key", ["n", "?", ",", "p"])
async def test_leaving_while_a_dialog_opens(key: str, delay: float, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL)) as player:
        player.send(key)
        await asyncio.sleep(delay)
        player.app.leave()
    assert player.app.farewell == ""
    assert not (tmp_path / "state").exists()


def test_the_application_has_no_palette_of_its_own() -> None:
    assert not DvonnApp.ENABLE_COMMAND_PALETTE
    assert not Board.can_focus


# The news ----------------------------------------------------------------------------------------


async def test_a_dialog_opened_at_the_last_moment_only_delays_the_announcement(
    motion: Motion, tmp_path: Path
) -> None:
    last_move = board("C3=R D3=W")
    async with playing(tmp_path, at(last_move), settings=LIVELY) as player:
        await player.play("d3c3")
        assert player.table.board.moving
        await player.press("?")
        await player.opened(HelpScreen)
        motion.pass_by(GLIDE_SECONDS + FADE_SECONDS)
        await player.until(lambda: not player.table.board.moving)
        assert isinstance(player.dialog, HelpScreen)
        await player.press("escape")
        await player.opened(ResultScreen)


async def test_a_pass_is_told_again_when_the_same_move_is_played_again(tmp_path: Path) -> None:
    """The log knows move and pass already, so nothing new is recorded; it still happens."""
    alone = board("A3=RW B3=W C3=W D3=W E3=W")
    async with playing(tmp_path, at(alone)) as player:
        await player.play("e3d3")
        assert "Black has no move and passes" in player.said
        recorded = len(player.happened)
        await player.press("u")
        await player.play("e3d3")
        assert "Black has no move and passes" in player.said
        assert [event for event in player.happened[recorded:] if not isinstance(event, HeadMoved)] == []


# Starting ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "setup", "names"),
    [
        (LaunchOptions(GameChoice(seed=3)), Setup.SYMMETRIC, ("Anna", "Ben")),
        (LaunchOptions(GameChoice(seed=3), explicit=True), Setup.BALANCED, ("Anna", "Ben")),
        (LaunchOptions(GameChoice(seed=3), white="Cleo"), Setup.SYMMETRIC, ("Cleo", "Ben")),
    ],
)
def test_the_first_game_is_as_the_last_one_unless_said(
    options: LaunchOptions, setup: Setup, names: tuple[str, str]
) -> None:
    choice = first_choice(options, Settings(setup=Setup.SYMMETRIC, white="Anna", black="Ben"))
    assert (choice.setup, choice.white, choice.black) == (setup, *names)
    assert choice.seed == 3


def test_the_first_game_can_be_placed_by_hand() -> None:
    choice = first_choice(LaunchOptions(GameChoice(seed=3)), Settings(setup=Setup.MANUAL))
    assert choice == GameChoice(Setup.MANUAL, None)


async def test_two_clicks_on_a_notification_that_goes(tmp_path: Path) -> None:
    """The second finds it gone; Textual's selection of text once made an error of that."""
    async with playing(tmp_path, BALANCED, (100, 30)) as player:
        await player.press("y")
        await player.until(lambda: "clipboard" in player.text)
        y = next(row for row, text in enumerate(player.rows) if "clipboard" in text)
        place = Offset(player.rows[y].find("clipboard"), y)
        for _ in range(4):
            player.send_click(place)
        await player.settle()
        assert player.app._exception is None


def test_the_way_to_go_on_names_the_program_and_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(Game.at(FULL, white="Ada L.", black="Black"))
    line = format_position(FULL)
    monkeypatch.setattr("sys.argv", ["/somewhere/.venv/bin/dvonn-tui"])
    assert shlex.split(command_to_go_on(session)) == [
        *("/somewhere/.venv/bin/dvonn-tui", "--position", line),
        *("--white", "Ada L."),
    ]
    monkeypatch.setattr("sys.argv", ["/somewhere/dvonn_tui/__main__.py"])
    assert shlex.split(command_to_go_on(session))[:3] == [sys.executable, "-m", "dvonn_tui"]
    words = shlex.split(command_to_go_on(session, "a b.dvnlog"))
    assert words == [sys.executable, "-m", "dvonn_tui", "resume", "a b.dvnlog"]
