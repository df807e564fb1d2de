"""The dialogs, by keys alone and by mouse alone, at every size, and with text that means harm."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from rich.cells import cell_len
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget

from dvonn_tui.art.painter import Look
from dvonn_tui.core.cells import CELL_NAMED
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.rules import is_surrounded, targets
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.core.shuffle import LARGEST_SEED
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.settings import Confirm, Keymap, Settings
from dvonn_tui.settings import Look as LookSetting
from dvonn_tui.ui.how_to_play import CUT_OFF, SURROUNDED, TARGETS
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.screens.help import PAGES, HelpScreen
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.settings import SettingsScreen
from dvonn_tui.ui.widgets.choices import OneOf, PushButton, TextField
from tests.ui.dialogs.harness import MISSING, Below, Harness

SIZES = [(53, 16), (80, 24), (120, 40)]
HOSTILE = ["[/", "[b]x[/i]", "[1]", "[red]hi", "[$error]"]
KEYS = [
    ("Moving", [("arrows", "move the cursor"), ("[ ]", "step back, forward")]),
    ("[/]", [("q", "[b]leave")]),
]
PLAIN = GameChoice()
THEMES = ["slate", "nord", "gruvbox"]
ONE_OF_EACH = ("new", "settings", "confirm", "help-moves")
Make = Callable[[], Dialog[Any]]
DrivenBy = Pilot[None]


def new_game(choice: GameChoice = PLAIN, running: bool = False) -> Make:
    seeds = iter(range(1000, 2000))
    return lambda: NewGameScreen(choice, running, draw=lambda: next(seeds))


def settings_screen(told: list[Settings] | None = None) -> Make:
    told = [] if told is None else told
    return lambda: SettingsScreen(
        Settings(theme="slate"), THEMES, path="/home/anna/settings.toml", on_change=told.append
    )


def confirm() -> Dialog[Any]:
    return ConfirmScreen("Leave the game?", "Leave", "Stay", "It is saved.")


ALL: dict[str, Make] = {
    "new": new_game(running=True),
    "settings": settings_screen(),
    "confirm": confirm,
    **{f"help-{name}": partial(HelpScreen, KEYS, name) for name, _ in PAGES},
}


@asynccontextmanager
async def opened(
    make: Make, size: tuple[int, int] = (80, 24), look: Look = Look.DISCS
) -> AsyncIterator[tuple[Harness, DrivenBy]]:
    app = Harness(make, look)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("n")
        await shown(app, pilot)
        yield app, pilot


async def shown(app: Harness, pilot: DrivenBy) -> None:
    """Wait until there is a dialog that can be seen, and answers keys."""
    for _ in range(200):
        if isinstance(app.screen, Dialog) and math.isfinite(app.screen.shown_at):
            await pilot.pause()
            return
        await pilot.pause(0.01)
    raise AssertionError("no dialog was shown")


async def click_choice(pilot: DrivenBy, app: Harness, selector: str, value: str) -> None:
    """Click the middle of a choice."""
    one_of = app.screen.query_one(selector, OneOf)
    number = [each for each, _ in one_of.choices].index(value)
    place = next(place for place in one_of._places(one_of.size.width) if place.number == number)
    one_of.scroll_visible(animate=False)
    await pilot.pause()
    await pilot.click(one_of, offset=(place.x + cell_len(place.text) // 2, place.y))


async def to(pilot: DrivenBy, app: Harness, selector: str) -> Widget:
    """Tab to a control."""
    wanted = app.screen.query_one(selector)
    for _ in range(30):
        if app.focused is wanted:
            return wanted
        await pilot.press("tab")
    raise AssertionError(f"tab does not come to {selector}")


# Every dialog ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ONE_OF_EACH)
async def test_fits_and_can_be_cancelled(name: str, size: tuple[int, int]) -> None:
    async with opened(ALL[name], size) as (app, pilot):
        frame = app.screen.query_one("#frame")
        assert app.screen.region.contains_region(frame.region)
        for button in app.screen.query(PushButton):
            if button.parent is app.screen.query_one("#buttons"):
                assert app.screen.region.contains_region(button.region)
                assert any(button.label in row for row in app.rows)
        await pilot.press("escape")
        assert app.answer in (None, False)
        assert app.screen is app.below


@pytest.mark.parametrize("name", ONE_OF_EACH)
async def test_second_key_and_button_cancel(name: str) -> None:
    async with opened(ALL[name]) as (app, pilot):
        await pilot.press("ctrl+g")
        assert app.answer in (None, False)
        app.answer = MISSING
        await pilot.press("n")
        await shown(app, pilot)
        await pilot.click("#cancel")
        assert app.answer in (None, False)
        assert app.screen is app.below


@pytest.mark.parametrize("size", [SIZES[0], SIZES[2]])
@pytest.mark.parametrize("name", ALL)
async def test_ascii_only(name: str, size: tuple[int, int]) -> None:
    async with opened(ALL[name], size, Look.ASCII) as (app, pilot):
        for _ in range(3):
            assert all(row.isascii() for row in app.rows), app.rows
            await pilot.press("tab", "down")


@pytest.mark.parametrize("name", ALL)
async def test_every_character_is_one_column_wide(name: str) -> None:
    async with opened(ALL[name], (120, 40)) as (app, _):
        text = "".join(app.rows)
        assert all(cell_len(character) == 1 for character in set(text))
        assert "\ufe0f" not in text


@pytest.mark.parametrize("name", ONE_OF_EACH)
async def test_keys_do_not_reach_the_game(name: str) -> None:
    async with opened(ALL[name]) as (app, pilot):
        for key in ("u", "x", "left", "right", "down", "up", "colon", "tab", "pagedown"):
            await pilot.press(key)
        await pilot.click(offset=(1, 22))
        below = app.below.query_one(Below)
        assert (app.below.actions, below.clicks, below.enters) == (0, 0, 0)


@pytest.mark.parametrize("name", ONE_OF_EACH)
async def test_queued_keys_do_not_answer(name: str) -> None:
    """The key that opens the dialog and 60 times enter, all before there is anything to be seen."""
    app = Harness(ALL[name])
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for key, character in [
            ("n", "n"),
            *[("enter", "\r")] * 30,
            ("y", "y"),
            ("x", "x"),
            *[("enter", "\r")] * 30,
        ]:
            app.post_message(events.Key(key, character))
        await shown(app, pilot)
        assert app.answer is MISSING
        for field in app.screen.query(TextField):
            assert "x" not in field.value
        assert len(app.screen_stack) == 3
        await pilot.press("escape")
        assert app.answer in (None, False)


async def test_keys_queued_for_a_dialog_do_not_fall_through() -> None:
    async with opened(confirm) as (app, pilot):
        for key in ("y", "enter", "enter", "u"):
            app.post_message(events.Key(key, None))
        await pilot.pause(0.2)
        assert app.answer is True
        assert app.below.actions == 0
        assert app.below.query_one(Below).enters == 0
        await pilot.press("u")
        assert app.below.actions == 1


async def test_clicks_while_dialogs_open_and_close() -> None:
    app = Harness(confirm)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for round_ in range(20):
            app.post_message(events.Key("n" if round_ % 2 == 0 else "escape", None))
            await pilot.click(offset=(round_ * 3 + 2, 12))
        await pilot.pause()
        assert app.below.actions == 0


@pytest.mark.parametrize("name", ONE_OF_EACH)
async def test_any_size_and_back(name: str) -> None:
    async with opened(ALL[name]) as (app, pilot):
        await pilot.pause(0.05)
        before = app.rows
        for size in ((200, 60), (79, 23), (60, 20), (40, 12), (20, 5), (1, 1), (80, 24)):
            await pilot.resize_terminal(*size)
        await pilot.pause(0.05)
        assert app.rows == before


# New game ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
async def test_new_game_by_keys(size: tuple[int, int]) -> None:
    async with opened(new_game(), size) as (app, pilot):
        await pilot.press("right", "space")
        await to(pilot, app, "#seed")
        await pilot.press(*"12345")
        await to(pilot, app, "#white")
        await pilot.press(*"quit", "question_mark", "colon", "space", *"ab")
        await pilot.press("enter")
        assert app.answer == GameChoice(Setup.SYMMETRIC, 12345, "quit?: ab", "Black")


@pytest.mark.parametrize("size", SIZES)
async def test_new_game_by_mouse(size: tuple[int, int]) -> None:
    async with opened(new_game(GameChoice(white="Anna", black="Ben")), size) as (app, pilot):
        await click_choice(pilot, app, "#setup", "random")
        await pilot.click("#draw")
        await pilot.click("#swap")
        await pilot.click("#accept")
        assert app.answer == GameChoice(Setup.RANDOM, 1001, "Ben", "Anna")


async def test_new_game_manual_draws_nothing() -> None:
    async with opened(new_game(GameChoice(seed=5)), (120, 40)) as (app, pilot):
        await pilot.press("left", "left")
        assert any("Nothing is drawn" in row for row in app.rows)
        assert app.screen.query_one("#seed").disabled
        await pilot.press("enter")
        assert app.answer == GameChoice(Setup.MANUAL, None)


async def test_new_game_refuses_what_is_no_seed() -> None:
    async with opened(new_game()) as (app, pilot):
        field = app.screen.query_one("#seed", TextField)
        field.focus()
        for text in ("x", "-1", "1.5", str(LARGEST_SEED + 1), "1 2", "\u0661"):
            field.value = text
            await pilot.pause()
            assert any("whole number" in row for row in app.rows)
            await pilot.press("enter")
            assert app.answer is MISSING
        field.value = str(LARGEST_SEED)
        await pilot.press("enter")
        assert app.answer.seed == LARGEST_SEED


async def test_new_game_previews_what_it_starts() -> None:
    async with opened(new_game(), (120, 40)) as (app, pilot):
        preview = app.screen.query_one("#preview")
        assert preview.display
        assert preview.scene.stacks == set_up(Setup.BALANCED, 1000).stacks  # type: ignore[attr-defined]
        await pilot.press("ctrl+r", "right")
        assert preview.scene.stacks == set_up(Setup.RANDOM, 1001).stacks  # type: ignore[attr-defined]


async def test_new_game_from_a_position_offers_it_again_or_a_drawn_board() -> None:
    position = parse_position(format_position(set_up(Setup.RANDOM, 3)))
    choice = GameChoice(Setup.POSITION, position=position)
    async with opened(new_game(choice)) as (app, pilot):
        await pilot.press("enter")
        assert app.answer == choice
    async with opened(new_game(choice)) as (app, pilot):
        await pilot.press("right", "enter")
        assert app.answer == GameChoice(Setup.BALANCED, 1000)


async def test_hostile_names() -> None:
    async with opened(new_game()) as (app, pilot):
        white, black = (app.screen.query_one(name, TextField) for name in ("#white", "#black"))
        black.focus()
        for name in HOSTILE:
            white.value, black.value = name, ""
            await pilot.pause()
            app.post_message(events.Paste(name))
            await pilot.pause()
            assert sum(name in row for row in app.rows) == 2
        await pilot.press("enter")
        assert (app.answer.white, app.answer.black) == (name, name)


async def test_pasted_control_codes_are_cleaned() -> None:
    async with opened(new_game(GameChoice(white="\x1b]0;evil\x07\x1b[31mA"))) as (app, pilot):
        field = app.screen.query_one("#black", TextField)
        field.value = ""
        field.focus()
        await pilot.pause()
        app.post_message(events.Paste("\x1b]52;c;eA==\x07\x1b[2J\u202eBob\nsecond line"))
        await pilot.pause()
        assert "\x1b" not in "".join(app.rows)
        await pilot.press("enter")
        for text in (app.answer.white, app.answer.black):
            assert text.isprintable()
            assert cell_len(text) <= 20


async def test_long_and_empty_names() -> None:
    async with opened(new_game(GameChoice(white="x" * 99, black=""))) as (app, pilot):
        await to(pilot, app, "#black")
        await pilot.press("space", "enter")
        assert cell_len(app.answer.white) <= 20
        assert app.answer.black == "Black"


async def test_pasting_nothing_is_harmless() -> None:
    async with opened(new_game()) as (app, pilot):
        await to(pilot, app, "#white")
        for text in ("\n", "\r\n\n", "", "\x00"):
            app.post_message(events.Paste(text))
        await pilot.pause()
        assert isinstance(app.screen, NewGameScreen)


# Settings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
async def test_settings_by_keys(size: tuple[int, int]) -> None:
    told: list[Settings] = []
    async with opened(settings_screen(told), size) as (app, pilot):
        await pilot.press("right", "down", "right", "down", "space")
        assert told[-1] == Settings(look=LookSetting.DISCS, theme="nord", animation=False)
        await to(pilot, app, "#confirm")
        await pilot.press("left", "left")
        await to(pilot, app, "#keymap")
        await pilot.press("right", "enter")
        assert app.answer == Settings(
            look=LookSetting.DISCS, theme="nord", animation=False, confirm=Confirm.ALWAYS, keymap=Keymap.VIM
        )


@pytest.mark.parametrize("size", SIZES)
async def test_settings_by_mouse(size: tuple[int, int]) -> None:
    async with opened(settings_screen(), size) as (app, pilot):
        await click_choice(pilot, app, "#look", "graph")
        await pilot.click("#flip_for_black", offset=(1, 0))
        theme = app.screen.query_one("#theme", OneOf)
        await pilot.click(theme, offset=(0, 0))
        await pilot.click("#accept")
        assert app.answer == Settings(look=LookSetting.GRAPH, theme="gruvbox", flip_for_black=True)


async def test_settings_cancel_restores() -> None:
    told: list[Settings] = []
    async with opened(settings_screen(told)) as (app, pilot):
        await pilot.press("right", "right", "escape")
        assert app.answer is None
        assert told[-1] == Settings(theme="slate")


async def test_settings_keep_an_unknown_theme() -> None:
    make = lambda: SettingsScreen(Settings(theme="[/]"), THEMES)  # noqa: E731
    async with opened(make) as (app, pilot):
        assert any("[/]" in row for row in app.rows)
        await pilot.press("enter")
        assert app.answer.theme == "[/]"


# Help --------------------------------------------------------------------------------------------


async def test_help_pages() -> None:
    async with opened(lambda: HelpScreen(KEYS)) as (app, pilot):

        def page() -> str:
            return next(name for name, _ in PAGES if app.screen.query_one(f"#page-{name}").display)

        assert page() == "play"
        await pilot.press("right")
        assert page() == "moves"
        await pilot.press("4")
        assert page() == "keys"
        assert any("[b]leave" in row for row in app.rows)
        await pilot.press("right", "left", "left")
        assert page() == "signs"
        await click_choice(pilot, app, "#tabs", "moves")
        assert page() == "moves"
        scrolled = app.screen.query_one("#page-moves")
        await pilot.press("down", "pagedown")
        assert scrolled.scroll_y > 1
        await pilot.press("end")
        assert scrolled.scroll_y == scrolled.max_scroll_y
        assert not any("more below" in row for row in app.rows)
        await pilot.press("home")
        assert any("more below" in row for row in app.rows)


def test_figures_say_what_the_texts_say() -> None:
    for figure in (TARGETS, SURROUNDED, CUT_OFF):
        position = figure.position
        assert parse_position(format_position(position)) == position
    assert len(targets(TARGETS.position, CELL_NAMED["e3"])) == 5
    assert is_surrounded(SURROUNDED.position.stacks, CELL_NAMED["f3"])
    assert CUT_OFF.scene.doomed == {CELL_NAMED[name] for name in ("f3", "g3", "f2")}


# Confirm -----------------------------------------------------------------------------------------


async def test_confirm() -> None:
    answers = {
        "enter": False,
        "n": False,
        "N": False,
        "y": True,
        "Y": True,
        "left enter": True,
        "shift+tab enter": True,
        "up space": True,
    }
    async with opened(confirm) as (app, pilot):
        for keys, answer in answers.items():
            await pilot.press(*keys.split())
            assert app.answer is answer, keys
            app.ask()
            await shown(app, pilot)


async def test_confirm_by_mouse() -> None:
    async with opened(confirm) as (app, pilot):
        await pilot.click("#accept")
        assert app.answer is True


async def test_confirm_shows_texts_as_they_are() -> None:
    text = " ".join(HOSTILE)
    async with opened(lambda: ConfirmScreen(text, "[/]", "[b]Stay", text), (120, 40)) as (app, _):
        assert sum(text in row for row in app.rows) == 2
        assert any("[/]" in row and "[b]Stay" in row for row in app.rows)
