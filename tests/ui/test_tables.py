"""The Tables screen: servers, their tables, seats to take up again, and the way to a table."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.widgets import Static

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.clocks import ClockKind
from dvonn_tui.settings import Look, Paths, load
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables.address import Address, parse_address
from dvonn_tui.tables.finding import FindingTrouble, Found
from dvonn_tui.tables.protocol import TableLine
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables.table import Stage
from dvonn_tui.tables_settings import MOST_SERVERS, TablesSettings, read_tables
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.help import HelpScreen
from dvonn_tui.ui.screens.open_table import OpenTableScreen
from dvonn_tui.ui.screens.seat import SeatScreen
from dvonn_tui.ui.screens.table import TableScreen
from dvonn_tui.ui.screens.tables import TablesScreen
from dvonn_tui.ui.widgets.choices import OneOf, TextField
from dvonn_tui.ui.widgets.table_list import stage_word
from dvonn_tui.ui.words import plain_text
from tests.ui.tables_tools import FakeLink, Host, begin, go_to, visiting
from tests.ui.tools import QUIET, Player, playing

CLUB = replace(QUIET, tables=TablesSettings("Dora", ("club.example",)))


def lobby(player: Player) -> TablesScreen:
    """The Tables screen, whatever lies over it."""
    return next(screen for screen in player.app.screen_stack if isinstance(screen, TablesScreen))


def said(player: Player) -> str:
    """What its status line says."""
    return plain_text(lobby(player).status.said)


def house() -> Host:
    """A server with three tables: one that waits, one at which a game is played, an empty one."""
    host = Host()
    host.seat(host.open("Anna's table", "time 10", "log on"), "Anna", Side.WHITE)
    club = host.open("Sunday club", "profi", id="CLUB22")
    for name, side in (("Bela", Side.WHITE), ("Carla", Side.BLACK)):
        host.seat(club, name, side)
    begin(host, club)
    host.open("", id="QQQQ22")
    return host


@asynccontextmanager
async def in_lobby(
    home: Path, host: Host, size: tuple[int, int] = (120, 40), *, connected: bool = True, **how: Any
) -> AsyncIterator[tuple[Player, list[FakeLink]]]:
    """The application with the Tables screen opened, by default connected to a host."""
    async with playing(home, size=size, settings=how.pop("settings", CLUB), **how) as player:
        made = visiting(player, host)
        await opened(player)
        if connected:
            await player.press("/", "enter")
            await listed(player)
        yield player, made


async def opened(player: Player) -> None:
    """Open the Tables screen and wait until keys reach it."""
    await player.press("t")
    await player.until(lambda: isinstance(player.app.screen, TablesScreen))
    await player.until(lambda: math.isfinite(lobby(player).shown_at))
    await player.settle()


async def listed(player: Player) -> None:
    """Wait until the tables of the server are listed."""
    await player.until(lambda: lobby(player).tables is not None)
    await player.settle()


async def at_table(player: Player) -> None:
    """Wait until the game screen shows a table."""
    await player.until(lambda: player.app.screen is player.table and player.table.guest is not None)
    await player.settle()


async def test_tables_are_listed_with_what_there_is_to_know(tmp_path: Path) -> None:
    async with in_lobby(tmp_path, house()) as (player, _):
        assert "club.example · connected · 3 tables" in player.bar
        for words in (
            *("TABLES AT Test house", "Anna ─ free", "waiting", "Sunday club", "Bela ─ Carla", "playing"),
            *("table QQQQ22", "balanced, 10 min a player", "enter sits down, w watches"),
            *("dvonn-tui join club.example --table KZ7Q2M", "connected"),
        ):
            assert words in player.text, words
        await player.press("down")
        assert "manual, no clock" in player.text
        assert "enter watches" in player.text
        await player.press("?")
        await player.opened(HelpScreen)
        await player.until(lambda: "Open a table" in player.text)
        await player.press("escape")
        await player.until(lambda: isinstance(player.app.screen, TablesScreen))
        await player.settle()
        await player.press("escape")
        assert player.app.screen is player.table


@pytest.mark.parametrize("server", ["localhost", "club.example"])
async def test_an_invitation_that_leads_nobody_here_says_so(tmp_path: Path, server: str) -> None:
    here = server != "club.example"
    settings = replace(CLUB, tables=TablesSettings("Dora", (server,)))
    async with in_lobby(tmp_path, house(), settings=settings) as (player, _):
        assert f"dvonn-tui join {server}" in player.text
        assert ("on this machine" in player.text) is here
        await player.press("&")
        (notice,) = player.app._notifications
        assert ("for this machine alone" in notice.message) is here
        await player.press("enter")
        await player.opened(SeatScreen)
        await player.press("enter")
        await at_table(player)
        await player.press("&")
        (notice,) = player.app._notifications
        assert ("for this machine alone" in notice.message) is here


async def test_what_enter_does_is_told_as_it_is(tmp_path: Path) -> None:
    host = house()
    for table in host.tables.values():
        host.happen(table, happened.OptionSet(at=host.moment.at, by="w", option="watchers off"))
    async with in_lobby(tmp_path, host) as (player, made):
        assert "enter sits down, nobody may watch" in player.text
        await player.press("enter")
        await player.opened(SeatScreen)
        assert "just watch" not in player.text
        await player.press("escape")
        await player.until(lambda: player.app.screen is lobby(player))
        await player.settle()
        await player.press("down")
        assert "nobody may watch" in player.text
        assert "enter watches" not in player.text
        await player.press("end")
        assert "its tables stand above" in player.text
        assert "used before" not in player.text
        made[-1].cut()
        await player.until(lambda: "used before" in player.text)
        assert "enter connects" in player.text


async def test_a_field_shows_what_is_used(tmp_path: Path) -> None:
    async with in_lobby(tmp_path, house()) as (player, made):
        await player.press("m", "ctrl+u")
        await player.type("   ")
        await player.press("enter")
        assert "the name is empty" in said(player)
        assert len(made) == 1
        await player.press("escape")
        assert lobby(player).called.value == "Dora"
        await player.press("/", "ctrl+u")
        await player.type("club.example/abc")
        await player.press("enter")
        assert "no table 'abc'" in said(player)
        assert lobby(player).server.value == "club.example/abc"
        await player.press("escape")
        assert lobby(player).server.value == "club.example"
        await player.press("m", "ctrl+u")
        await player.type("Eva")
        await player.press("enter")
        await player.until(lambda: len(made) == 2)
        assert made[-1].name == lobby(player).called.value == "Eva"


async def test_the_list_follows_the_server_and_keeps_what_is_chosen(tmp_path: Path) -> None:
    host = house()
    async with in_lobby(tmp_path, host) as (player, made):
        await player.press("down")
        host.open("a new one", id="NEWN22")
        host.tables.pop("KZ7Q2M")
        await player.press("r")
        await player.until(lambda: "a new one" in player.text)
        assert getattr(lobby(player).list.chosen, "id", "") == "CLUB22"
        made[-1].cut()
        await player.settle()
        assert "no line, again in 5 s" in player.bar
        assert "the line to the server was lost" in said(player)
        made[-1].find()
        await player.settle()
        assert "connected" in player.bar
        assert said(player) == ""


async def test_an_address_is_typed_and_remembered(tmp_path: Path) -> None:
    async with in_lobby(tmp_path, house(), connected=False, settings=QUIET) as (player, made):
        assert "no server is connected" in player.bar
        await player.press("n")
        assert "connect to a server first" in said(player)
        await player.press("/")
        await player.type("not an address")
        await player.press("enter")
        await player.until(lambda: "no address" in said(player))
        assert not made
        await player.press("ctrl+u")
        await player.type("dvonn.example:4000")
        await player.press("tab")
        assert isinstance(player.app.screen.focused, TextField)
        await player.type("qtnw")
        await player.press("enter")
        await listed(player)
        assert (made[-1].address.server, made[-1].name) == ("dvonn.example:4000", "qtnw")
    stored, problems = load(Paths.below(tmp_path))
    assert stored.tables == TablesSettings("qtnw", ("dvonn.example:4000",))
    assert not problems


async def test_a_seat_is_taken_and_one_that_was_kept_taken_up_again(tmp_path: Path) -> None:
    host = house()
    hosted = host.tables["KZ7Q2M"]
    async with in_lobby(tmp_path, host) as (player, _):
        await player.press("enter")
        dialog = await player.opened(SeatScreen)
        assert [value for value, _ in dialog.query_one(OneOf).choices] == ["b", "watch"]
        await player.press("enter")
        await at_table(player)
        assert hosted.state.seats[Side.BLACK].name == "Dora"
        begin(host, hosted)
        await player.settle()
        assert player.game.position == hosted.state.position
    async with in_lobby(tmp_path, host, connected=False) as (player, _):
        assert "YOUR SEATS" in player.text
        assert "your seat: Black" in player.text
        await player.press("home", "enter")
        await at_table(player)
        assert player.table.guest is not None
        assert player.table.guest.side is Side.BLACK
        await opened(player)
        await listed(player)
        await player.press("enter")
        await at_table(player)
        assert player.table.session is player.table.guest.table.session, "it is the same table"
        await opened(player)
        await player.press("home", "d")
        assert "forgotten" in said(player)
        assert "YOUR SEATS" not in player.text


async def test_a_table_is_opened_with_its_options(tmp_path: Path) -> None:
    host = house()
    async with in_lobby(tmp_path, host) as (player, _):
        await player.press("n")
        dialog = await player.opened(OpenTableScreen)
        assert dialog.query_one("#title", TextField).text == "Dora's table"
        await player.press("down", "right", "right", "right")
        assert "manual" in player.text
        assert "profi" not in player.text.lower()
        await player.press("down")
        await player.type("ten")
        told = str(dialog.query_one("#explained", Static).content)
        for size in ((53, 16), (80, 24), (120, 40)):
            await player.resize(*size)
            await player.press("up", "enter")
            assert "no clock 'ten'" in player.text
            assert player.text.count("move)") == told.count("move)") == 2, "to its last word"
        await player.press("ctrl+u")
        await player.type("5+3")
        await player.press("down", "right", "enter")
        await at_table(player)
        hosted = host.tables["TABLE5"]
        assert hosted.state.title == "Dora's table"
        assert hosted.state.options.setup is Setup.MANUAL
        assert hosted.state.options.clock.kind is ClockKind.FISCHER
        assert hosted.state.seats[Side.WHITE].name == "Dora"
        assert "waiting for somebody" in player.said


async def test_watching_and_changing_tables(tmp_path: Path) -> None:
    host = house()
    async with in_lobby(tmp_path, host) as (player, _):
        await player.press("down", "enter")
        await at_table(player)
        club = host.tables["CLUB22"]
        assert player.game.position == club.state.position
        assert len(club.at) == 1
        await opened(player)
        await listed(player)
        await player.press("home", "w")
        await player.until(lambda: player.app.screen is player.table and not club.at)
        await player.settle()
        assert player.table.guest is not None
        assert player.table.guest.table.id == "KZ7Q2M"
        assert host.tables["KZ7Q2M"].state.stage is Stage.OPEN


async def test_a_table_that_comes_while_the_keys_are_read_waits_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may be slow: neither is the help closed for it, nor does the list stay over the table."""
    comes = asyncio.Event()
    enter = FakeLink.enter

    async def slow(link: FakeLink, id: str) -> RemoteTable:
        await comes.wait()
        return await enter(link, id)

    monkeypatch.setattr(FakeLink, "enter", slow)
    async with in_lobby(tmp_path, house()) as (player, made):
        await player.press("down", "w")
        await player.until(lambda: "going to the table" in said(player))
        await player.press("?")
        await player.until(lambda: isinstance(player.app.screen, HelpScreen))
        comes.set()
        await player.until(lambda: made[-1].host.tables["CLUB22"].at or made[-1].host.tables["KZ7Q2M"].at)
        await player.pilot.pause(0.05)
        assert isinstance(player.app.screen, HelpScreen)
        await player.press("escape")
        await player.until(lambda: isinstance(player.app.screen, TableScreen))
        assert not [screen for screen in player.app.screen_stack if isinstance(screen, TablesScreen)]


async def test_another_server_is_asked_about_when_a_game_is_played(tmp_path: Path) -> None:
    host = house()
    async with playing(tmp_path, size=(120, 40), settings=CLUB) as player:
        made = visiting(player, host)
        hosted = host.tables["KZ7Q2M"]
        await go_to(player, hosted, side=Side.BLACK)
        begin(host, hosted)
        await player.settle()
        await opened(player)
        await player.press("/")
        await player.type("other.example")
        await player.press("enter")
        await player.until(lambda: isinstance(player.dialog, ConfirmScreen))
        await player.opened(ConfirmScreen)
        await player.press("escape")
        await player.until(lambda: isinstance(player.app.screen, TablesScreen))
        await player.settle()
        assert len(made) == 1
        await player.press("/")
        await player.press("enter")
        await player.until(lambda: isinstance(player.dialog, ConfirmScreen))
        await player.opened(ConfirmScreen)
        await player.press("left", "enter")
        await player.until(lambda: len(made) == 2)
        assert player.table.guest is None
        assert Side.BLACK in hosted.state.seats


async def test_servers_on_the_local_network_are_listed_as_they_call_themselves(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40), settings=CLUB) as player:
        visiting(player, house())
        asked = []

        async def find(seconds: float) -> list[Found]:
            asked.append(seconds)
            return [Found("[b]club[/", Address("10.0.0.7")), Found("other", Address("club.example"))]

        player.app.visit.find = find
        await opened(player)
        await player.until(lambda: "on this network" in player.text)
        for words in ("[b]club[/", "10.0.0.7", "other"):
            assert words in player.text, words
        assert "used before" not in player.text, "each server once"
        await player.press("home", "enter")
        await listed(player)
        assert "10.0.0.7 · connected" in player.bar
        await player.press("escape")

        async def not_installed(seconds: float) -> list[Found]:
            raise FindingTrouble("pip install 'dvonn-tui[lan]'")

        player.app.visit.find = not_installed
        await opened(player)
        await player.until(lambda: "pip install 'dvonn-tui[lan]'" in player.text)


@pytest.mark.parametrize(
    ("size", "how"),
    [
        ((53, 16), {"look": Look.ASCII}),
        ((53, 16), {"colours": "none"}),
        ((80, 24), {}),
        ((160, 50), {"look": Look.ASCII}),
    ],
)
async def test_it_fits_and_keeps_to_ascii(tmp_path: Path, size: tuple[int, int], how: dict[str, Any]) -> None:
    async with in_lobby(tmp_path, house(), size, **how) as (player, _):
        for words in ("TABLES", "connected", "Anna's table", "waiting", "esc"):
            assert words in player.text, words
        assert all(cell_len(row) == size[0] for row in player.rows)
        assert how == {} or player.text.isascii() or how == {"colours": "truecolor"}
        await player.press("end", "home")
        await player.press("enter")
        await player.opened(SeatScreen)
        assert "Black" in player.text


async def test_the_mouse_chooses_and_opens(tmp_path: Path) -> None:
    async with in_lobby(tmp_path, house()) as (player, _):
        await player.click_text("Sunday club")
        assert "manual, no clock" in player.text
        await player.click_text("watch", last=True)
        await at_table(player)
        assert player.table.guest is not None
        assert player.table.guest.table.id == "CLUB22"


def test_what_is_remembered_of_servers_has_its_bounds() -> None:
    settings = TablesSettings()
    for number in range(MOST_SERVERS + 3):
        settings = settings.used(f"host{number}", "Dora")
    assert len(settings.servers) == MOST_SERVERS
    assert settings.used("host5", "Dora").servers[0] == "host5"
    names: list[object] = [{"name": 1}, {"name": "x" * 99}, {"other": 1}]
    for wrong in (*names, {"servers": "x"}, {"servers": ["a\x1b"]}, []):
        with pytest.raises(ValueError, match="tables"):
            read_tables(wrong)
    assert read_tables({"name": "Dora", "servers": ["a", "a"]}) == TablesSettings("Dora", ("a",))
    assert parse_address("club.example").server == "club.example:3866"


@pytest.mark.parametrize(("black", "word"), [(None, "waiting"), ("Bela", "seated")])
def test_a_table_without_a_game_waits_for_players_or_for_their_word(black: str | None, word: str) -> None:
    line = TableLine("KZ7Q2M", "A table", "open", "Anna", black, (), 0, 0)
    assert stage_word(line) == word
