"""Every look at every size: all of it there, in its place, and in characters that any terminal has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.style import Style

from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.settings import Look, Settings
from dvonn_tui.ui.themes import detect_terminal
from tests.core.tools import FULL, board
from tests.ui.tools import BALANCED, QUIET, Player, at, cell, first_legal, playing

SIZES = [(53, 16), (80, 24), (100, 30), (120, 40), (160, 50), (220, 60)]
DRAWN_LOOKS = [Look.DISCS, Look.GRAPH, Look.ASCII]
NAMED = GameChoice(Setup.BALANCED, 4711, "Anna", "Boris")
GUIDED = Settings(animation=False)
DIALOGS = ["?", "n", ",", "p", "q"]


async def busy(player: Player) -> None:
    """Every kind of sign: a last move, a picked stack, targets, a considered move."""
    await player.play(first_legal(player.game.position))
    move = first_legal(player.game.position)
    await player.click(move[:2])
    await player.point(move[2:])


def check_characters(player: Player, *, ascii_only: bool) -> None:
    rows = player.rows
    width = player.app.size.width
    for row in rows:
        assert cell_len(row) == width
        assert all(cell_len(character) == 1 for character in row), row
        assert not ascii_only or row.isascii(), row
        assert "\ufe0f" not in row
        assert not any(character >= "\U0001f000" or "☀" <= character <= "⟿" for character in row), row


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("look", DRAWN_LOOKS)
async def test_every_look_at_every_size(look: Look, size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, NAMED, size, look=look, settings=GUIDED) as player:
        for stage in ("fresh", "busy", "back"):
            if stage == "busy":
                await busy(player)
            if stage == "back":
                await player.press("escape", "[")
            check_characters(player, ascii_only=look is Look.ASCII)
            table, text = player.table, player.text
            area = table.board.region
            assert table.region.contains_region(area)
            assert all(area.contains(*player.place_of(where)) for where in CELLS)
            assert f"{player.table.hand.position.side.word} to move" in text
            assert "Anna" in text
            assert "Boris" in text
            check_scores(player)
            foot = player.text_of(table.keys)
            assert len(foot) == size[0]
            assert foot.rstrip().endswith("leave")
            assert not foot.endswith("leav")


def check_scores(player: Player) -> None:
    """Both scores are in sight as numbers: in the panel, in its single line, or on the card."""
    table = player.table
    score = table.hand.position.score
    card = table.arrangement is not None and table.arrangement.card
    shown = player.text_of(table.card if card else table.players)
    if card and not table.home.signs.plain:
        assert "█" in shown, "large digits"
        return
    for side in Side:
        assert re.search(rf"\b{score.of(side)}\b", shown), shown


@pytest.mark.parametrize("look", DRAWN_LOOKS)
async def test_dialogs_keep_to_the_characters_of_the_look(look: Look, tmp_path: Path) -> None:
    async with playing(tmp_path, NAMED, (80, 24), look=look) as player:
        await player.play(first_legal(player.game.position))
        for key in DIALOGS:
            await player.press(key)
            await player.opened()
            for _ in range(6):
                check_characters(player, ascii_only=look is Look.ASCII)
                await player.press("tab")
            await player.press("escape")
            await player.closed()
        await player.press(":", "a")
        check_characters(player, ascii_only=look is Look.ASCII)
        await player.press("escape", "y")
        check_characters(player, ascii_only=look is Look.ASCII)
        await player.press("=")
        await player.opened()
        await player.press("y")
        await player.opened()
        check_characters(player, ascii_only=look is Look.ASCII)


async def test_columns_of_the_cells_are_the_same_in_every_look(tmp_path: Path) -> None:
    """T05."""
    places = []
    async with playing(tmp_path, BALANCED, (120, 40)) as player:
        for _ in DRAWN_LOOKS:
            places.append([player.place_of(where) for where in CELLS])
            await player.press("g")
    assert places[0] == places[1] == places[2]


async def test_heights_can_be_read_on_the_board(tmp_path: Path) -> None:
    """D18, G07: every height from 2 on, two digits too, with a sign for red inside."""
    tall = parse_position(f"9/10/2({'r' + 'wb' * 9 + 'w'})b7/10/9 b m")
    for look in (Look.GRAPH, Look.ASCII):
        for size in ((53, 16), (120, 40)):
            async with playing(tmp_path, at(tall), size, look=look) as player:
                drawn = player.text_of(player.table.board)
                if look is Look.ASCII or size != (120, 40):
                    assert "20" in drawn, (look, size)
                if look is Look.ASCII:
                    assert "*" in drawn


@pytest.mark.parametrize("colours", ["truecolor", "256", "standard", "none"])
async def test_owner_and_signs_differ_in_characters_or_attributes(colours: str, tmp_path: Path) -> None:
    """T03, at the level of the screen: without any colour the cells still differ."""
    async with playing(tmp_path, at(FULL), (80, 24), colours=colours, look=Look.ASCII) as player:
        kinds = {"white": "b4", "black": "a2", "red": "a1"}
        drawn = {kind: shape(player, name) for kind, name in kinds.items()}
        await player.play("b4a3")
        drawn["empty"] = shape(player, "b4")
        assert len(set(drawn.values())) == 4, drawn
        plain = shape(player, "c2")
        await player.click("a2")
        picked, target = shape(player, "a2"), shape(player, "a1")
        await player.point("a1")
        aimed = shape(player, "a1")
        assert len({picked, drawn["black"], plain}) == 3 or picked != drawn["black"]
        assert target != drawn["red"]
        assert aimed != target


def shape(player: Player, name: str) -> tuple[tuple[str, bool, bool, bool], ...]:
    """What is drawn at a cell, colours left out."""
    board_widget = player.table.board
    x, y = board_widget.lattice.place(cell(name))
    found = []
    column = 0
    for segment in board_widget.render_line(y):
        style = segment.style or Style.null()
        for character in segment.text:
            if abs(column - x) <= 2:
                found.append((character, bool(style.bold), bool(style.reverse), bool(style.strike)))
            column += 1
    return tuple(found)


@pytest.mark.parametrize("size", [(53, 16), (80, 24), (120, 40), (160, 50)])
async def test_no_color_means_no_colour(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert detect_terminal().colourless
    async with playing(tmp_path, NAMED, size, colours="none", settings=GUIDED) as player:
        check_colourless(player)
        await busy(player)
        check_colourless(player)
        await player.press("escape", "[")
        check_colourless(player)
        await player.press("g")
        check_colourless(player)
        await player.press("}", "y")
        check_colourless(player)
        for key in DIALOGS:
            await player.press(key)
            await player.opened()
            check_colourless(player)
            await player.press("escape")
            await player.closed()
        await player.press(":", "a")
        check_colourless(player)


def check_colourless(player: Player) -> None:
    player.app.screen._on_timer_update()
    for strip in player.app.screen._compositor.render_strips():
        for segment in strip:
            style = segment.style
            if style is not None:
                for colour in (style.color, style.bgcolor):
                    assert colour is None or colour.is_default, segment


@pytest.mark.parametrize("look", DRAWN_LOOKS)
async def test_a_finished_game_at_every_look(look: Look, tmp_path: Path) -> None:
    async with playing(tmp_path, at(board("A3=WBW B3=R C3=BWB")), look=look) as player:
        assert "A draw" in player.text
        assert "the game is over" in player.text
        check_characters(player, ascii_only=look is Look.ASCII)


async def test_themes_follow_one_another(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, settings=QUIET) as player:
        names = player.app.theme_names
        for _ in names:
            await player.press("T")
            assert player.app.settings.theme in player.said
            assert player.text
        assert player.app.settings.theme == "dark"
