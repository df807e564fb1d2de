"""The panels: what they hold at every size, and what they say where there is little room."""

from __future__ import annotations

from pathlib import Path

import pytest

from dvonn_tui.core.events import AgreeDraw, Move, PlaceRest, Resign
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.settings import Look, Settings
from dvonn_tui.ui.log_rows import log_rows, placed_before
from dvonn_tui.ui.screens.palette import found_commands
from dvonn_tui.ui.screens.result import ResultScreen
from dvonn_tui.ui.widgets.small_board import SmallBoard
from tests.core.tools import FULL
from tests.ui.tools import BALANCED, BY_HAND, Player, at, cell, playing

LARGEST = 9_223_372_036_854_775_807
LONG = GameChoice(Setup.SYMMETRIC, LARGEST, "Anna Bella Christina Dor", "Boris Cyril Dimitri Egor")
MOVES = ("b4a3", "a2a1")
GUIDED = Settings(animation=False)
LEAST_LOG = 27


async def played(player: Player) -> None:
    for text in MOVES:
        player.table.session.submit(Move(cell(text[:2]), cell(text[2:])))
    await player.settle()


async def test_the_log_has_room_for_both_moves_at_every_width(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        await played(player)
        for lines in (23, 24, 30, 50, 70):
            for columns in (53, 60, 73, 74, 78, 79, 80, 111, 112, 113, 159, 160, 200):
                await player.resize(columns, lines)
                log = player.table.log_panel
                assert log.size.width >= LEAST_LOG, (columns, lines)
                assert "b4-a3" in player.text_of(log)
                assert "a2-a1" in player.text_of(log)
                assert player.table.region.contains_region(log.region)


@pytest.mark.parametrize("size", [(53, 16), (53, 24), (60, 70), (80, 24), (100, 30), (120, 40), (160, 50)])
async def test_long_names_are_cut_and_the_turn_is_not(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, LONG, size) as player:
        table = player.table
        assert table.arrangement is not None
        shown = player.text_of(table.card if table.arrangement.card else table.players)
        assert "Anna" in shown
        assert "Boris" in shown
        assert "▸" in shown
        if table.players.size.height > 3:
            assert "▸ to move" in shown
            assert "…" in shown or LONG.white in shown
        if table.log_panel.display:
            log = player.text_of(table.log_panel)
            assert f"seed {LONG.seed}" in log, "on a row of its own"


async def test_a_fork_at_an_end_by_agreement_shows_the_other_line(tmp_path: Path) -> None:
    for end, told in ((Resign(Side.WHITE), "resigns"), (AgreeDraw(), "draw agreed")):
        async with playing(tmp_path, at(FULL), (100, 30)) as player:
            session = player.table.session
            session.submit(end)
            session.undo()
            await played(player)
            await player.settle()
            texts = [item.text for row in player.table.log_panel.listed for item in row.items if item]
            assert told in texts, "seen from the moves"
            await player.click_text(told)
            rows = player.table.log_panel.listed
            assert any(row.branch and row.items[0] and "b4-a3" in row.items[0].text for row in rows)


async def test_the_folded_log_counts_what_lies_there(tmp_path: Path) -> None:
    async with playing(tmp_path, BY_HAND, (100, 30)) as player:
        session = player.table.session
        await player.play("a1", "b2", "c3")
        session.submit(PlaceRest(7))
        await player.settle()
        assert "p1-p49 placed" in player.text
        session.undo()
        await player.settle()
        assert "3 of 49 placed" in player.text
        await player.press("s")
        assert "p1-p49" not in player.text


async def test_placements_are_counted_from_the_pieces_at_the_start(tmp_path: Path) -> None:
    position = parse_position("rrrbw4/10/11/10/9 b p")
    async with playing(tmp_path, at(position), (100, 30)) as player:
        game = player.game
        assert placed_before(game) == 5
        for where in ("a1", "a2", "a3"):
            await player.play(where)
        rows = [row for row in log_rows(game, player.table.hand.view, unfolded=False) if row.number]
        assert [row.number for row in rows] == ["p5", "p7"]
        assert rows[0].items[0] is None
    async with playing(tmp_path, at(FULL)) as player:
        assert placed_before(player.game) == 0


@pytest.mark.parametrize("look", [Look.DISCS, Look.GRAPH, Look.ASCII])
async def test_long_hints_leave_room_for_all_signs(look: Look, tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (120, 40), settings=GUIDED, look=look) as player:
        shown = player.text_of(player.table.signs_panel).split("\n")
        assert "WHAT TO DO" in shown[0]
        last = {Look.DISCS: "lone red piece", Look.GRAPH: "the cursor", Look.ASCII: "the cursor"}[look]
        assert any(last in row for row in shown)
        signs = shown[next(y for y, row in enumerate(shown) if "SIGNS" in row) :]
        assert not any("…" in row for row in signs)


async def test_the_ply_seen_is_marked_below_the_graph(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (160, 50)) as player:
        await played(player)
        row = player.text_of(player.table.history).split("\n")[-1]
        assert row.index("▴ seen") > 6
        await player.press("[", "[")
        assert player.text_of(player.table.history).split("\n")[-1].index("▴ seen") == 2


async def test_both_bars_differ_without_colours_of_their_own(tmp_path: Path) -> None:
    for colours, black, white in (("standard", "▒", "█"), ("none", "=", "#"), ("truecolor", "█", "█")):
        async with playing(tmp_path, BALANCED, colours=colours) as player:
            shown = player.text_of(player.table.players).split("\n")
            assert black in shown[1]
            assert white in shown[3]


# Dialogs -----------------------------------------------------------------------------------------


def test_the_palette_finds_words_first_and_no_nonsense() -> None:
    commands = [
        ("Fold or unfold the placements in the log", "s", "fold"),
        ("Turn the board round", "f", "flip"),
        ("Themes of the night", "", "themes"),
        ("Next theme", "t", "theme"),
    ]

    def found(text: str) -> list[str]:
        return [action for *_, action in found_commands(commands, text)]

    assert found("theme") == ["theme", "themes"]
    assert found("THE boa") == ["flip"]
    assert found("unf") == ["fold"]
    assert found("emes") == ["themes"]
    assert found("xq") == []
    assert found(" ") == ["fold", "flip", "themes", "theme"]


@pytest.mark.parametrize("columns", [53, 64, 72, 80])
async def test_no_row_of_the_palette_wraps(columns: int, tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED, (columns, 30)) as player:
        await player.press("p")
        dialog = await player.opened()
        await player.until(lambda: "enter space" in player.text)
        top = dialog.query_one("#commands").region.y
        rows = player.rows[top:]
        assert "Pick a stack" in rows[0]
        assert "Let go" in rows[1]
        assert rows[0].index("enter") == rows[1].index("esc") == rows[2].index(" : ") + 1


async def test_the_scores_of_the_result_stand_in_a_column(tmp_path: Path) -> None:
    names = GameChoice(Setup.BALANCED, 1, "Jo", "Maximilian")
    async with playing(tmp_path, names) as player:
        player.table.session.submit(Resign(Side.WHITE))
        dialog = await player.opened(ResultScreen)
        lines = [line for line in player.rows if "Jo  " in line or "Maximilian  " in line]
        shown = [line for line in lines if "23" in line][-2:]
        assert dialog is not None
        assert shown[0].index("23") == shown[1].index("23")


async def test_the_help_names_rows_and_columns_and_draws_signs_as_the_board_does(tmp_path: Path) -> None:
    for size, scale in (((80, 24), "6x2"), ((120, 40), "10x4"), ((53, 24), "4x2")):
        async with playing(tmp_path, BALANCED, size) as player:
            await player.press("?")
            dialog = await player.opened()
            await player.press("2")
            page = dialog.query_one("#page-moves")
            await player.until(lambda page=page: page.virtual_size.height > 30)  # type: ignore[misc]
            boards = [board for board in page.query(SmallBoard) if board.display]
            assert len(boards) == 3
            for board in boards:
                board.scroll_visible(animate=False)
                await player.until(lambda board=board: board.size.width)  # type: ignore[misc]
                assert board.size.width == board.lattice.width
                shown = "".join(board.render_line(y).text for y in range(board.lattice.height))
                missing = [letter for letter in "abcdefghijk" if letter not in shown]
                assert not missing, (size, shown)
                assert all(digit in shown for digit in "12345")
            await player.press("3")
            await player.until(lambda dialog=dialog: dialog.query("#page-signs SmallBoard"))  # type: ignore[misc]
            signs = dialog.query("#page-signs SmallBoard").results(SmallBoard)
            assert {board.lattice.scale.name for board in signs} == {scale}
