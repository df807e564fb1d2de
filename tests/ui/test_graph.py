"""The graph over the game: the score, or what the positions are worth, and ways to walk on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Offset

from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.script import Script
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.values import Values
from dvonn_tui.play.verdict import Verdict, verdict_at_end
from dvonn_tui.settings import Look
from dvonn_tui.ui.curves import Curve, Graph, score_curve, value_curve, value_height
from dvonn_tui.ui.paint import SYMBOLS
from dvonn_tui.ui.widgets.graph import Columns, GraphPanel, mark_line
from tests.core.tools import FULL
from tests.play.tools import fake
from tests.ui.test_analysis import ENDING, PEOPLE, panel, seen
from tests.ui.test_review import LONGER, finish, reviewed
from tests.ui.tools import BALANCED, Player, at, playing

SIZES = [(80, 24), (120, 40), (160, 50), (64, 50), (110, 24)]

verdicts = st.builds(Verdict, st.integers(-15_000, 15_000)) | st.integers(-49, 49).map(
    lambda margin: Verdict(margin, certain=True, solved=True)
)


def worth(verdict: Verdict) -> tuple[float, int]:
    """What orders values: an estimate is worth less than any certain win."""
    if not verdict.certain:
        return (verdict.chance - 0.5) * 1.98, 0
    return (1.0 if verdict.value > 0 else -1.0 if verdict.value else 0.0), verdict.value


@given(verdicts, verdicts)
def test_what_is_better_for_white_is_drawn_no_lower(one: Verdict, other: Verdict) -> None:
    low, high = sorted((one, other), key=worth)
    assert -1 <= value_height(low, 49) <= value_height(high, 49) <= 1


@given(st.integers(1, 200), st.integers(1, 60))
def test_every_ply_has_its_place_in_the_graph(count: int, width: int) -> None:
    columns = Columns.of(count, width)
    assert len(columns.spans) <= width
    assert columns.spans[0][0] == 0
    assert columns.spans[-1][1] == count
    assert all(there == here or there[0] == here[1] for here, there in pairwise(columns.spans))
    for ply in range(count):
        assert all(start <= ply < end for start, end in (columns.spans[x] for x in columns.of_ply(ply)))


@pytest.mark.parametrize(
    ("marks", "width", "shown"),
    [
        (("", "??", "?", "~"), 12, "   ?? ?  ~  "),
        (("", "??", "?", "~"), 8, "  ??? ~ "),
        (("", "??", "?", "~"), 4, " ??~"),
        (("~", "??", "?", "~"), 2, "??"),
        (("~", "", "", "~"), 2, "~~"),
    ],
)
async def test_marks_stand_above_their_plies(
    marks: tuple[str, ...], width: int, shown: str, tmp_path: Path
) -> None:
    """Where a column has several plies it shows the worst mark, and one character of it."""
    async with playing(tmp_path, BALANCED) as player:
        line = mark_line(Curve(marks=marks), Columns.of(4, width), player.app.inks)
        assert "".join(text for text, _ in line) == shown


def test_values_are_kept_by_depth_and_carried_over_passes() -> None:
    game = Game.at(LONGER)
    script = Script(game)
    for token in ("a2a1", "e4b1", "b2d4"):
        script.play(token)
    plies = game.plies()
    assert [ply.label for ply in plies] == ["", "1", "2", "3", "4"]
    values = Values()
    assert values.along(plies) == (None,) * 5
    values.note(plies[4].last.number, Verdict(-100), 5)
    version = values.version
    values.note(plies[4].last.number, Verdict(-50), 4)
    assert values.version == version
    before_pass, after_pass = values.along(plies)[3:]
    assert before_pass == after_pass == Verdict(-100)
    values.note(plies[4].last.number, Verdict(-6, certain=True, solved=True), 2 + 5)
    values.note(plies[4].last.number, Verdict(-6), 40)
    assert values.along(plies)[4] == Verdict(-6, certain=True, solved=True)
    assert values.version > version
    script.play("e5d4")
    assert values.along(game.plies())[-1] == verdict_at_end(game.position), "the end needs no engine"


def test_the_score_and_the_value_have_the_same_plies() -> None:
    game = Game.at(LONGER)
    Script(game).play("a2a1")
    plies = game.plies()
    marks = {plies[1].last.number: "??"}
    score = score_curve(plies, 1, marks)
    value = value_curve(plies, 1, marks, (Verdict(256), None))
    assert (score.entries, score.here, score.marks) == (value.entries, value.here, value.marks)
    assert value.heights[0] is not None
    assert value.heights[0] > 0
    assert value.heights[1] is None
    assert (value.word, value.decided) == ("", None)


def graph_of(player: Player) -> GraphPanel:
    """The panel with the graph."""
    history = player.table.history
    return history if history.size.width else player.table.players


def title(player: Player) -> tuple[int, str]:
    """The line of the title in the panel, and what it says."""
    rows = player.text_of(graph_of(player)).split("\n")
    return next((y, row) for y, row in enumerate(rows) if "score VALUE" in row or "SCORE value" in row)


async def test_the_value_is_shown_after_a_review_and_can_be_walked_on(tmp_path: Path) -> None:
    for size in SIZES:
        async with playing(tmp_path, at(ENDING), size, settings=PEOPLE) as player:
            await finish(player, "d3e3")
            log = player.game.log
            await player.press("r")
            await reviewed(player)
            graph = graph_of(player)
            y, words = title(player)
            assert "score VALUE" in words, size
            assert graph.shows_graph
            assert len(graph.curve.heights) == 2
            assert graph.curve.marks == ("", "??")
            assert all(height is not None for height in graph.curve.heights)
            below = graph.region.offset + Offset(0, y + 2)
            await player.click(below + Offset(1, 0))
            assert player.table.hand.view.index == 0, size
            await player.click(below + Offset(4, 0))
            assert player.table.hand.view.index == 1
            assert player.said == "d3-e3 ?? loses 50 %, 4 pieces; better: f3-e3"
            await player.click(below + Offset(20, 0))
            assert player.table.hand.view.index == 1, "there is no ply"
            await player.wheel(-1, below + Offset(1, 0))
            assert player.table.hand.view.index == 0
            for _ in range(2):
                await player.press("f8")
                assert ("score VALUE" in player.text) == (player.table.graph is Graph.VALUE)
            assert player.table.graph is Graph.VALUE
            await player.click(graph.region.offset + Offset(words.index("score") + 1, y))
            assert player.table.graph is Graph.SCORE
            assert "score VALUE" not in player.text
            assert player.game.log == log


async def test_the_analysis_gathers_values_of_what_is_looked_at(tmp_path: Path) -> None:
    async with playing(
        tmp_path, at(FULL), (160, 50), settings=PEOPLE, analyst=EngineLink(fake("good"))
    ) as player:
        await player.press("f8")
        assert "no value is known yet: v analyses" in player.said
        await player.press("v")
        await player.command("b4a3")
        await seen(player, "depth")
        await player.press("[")
        await seen(player, "depth")
        await player.until(lambda: None not in player.table.history.curve.heights)
        curve = player.table.history.curve
        assert curve.graph is Graph.VALUE
        assert len(curve.heights) == 2
        word = curve.word
        assert word
        assert word in title(player)[1]
        await player.press("u", "}")
        assert player.table.values.along(player.table.hand.view.plies)[0] is not None
        player.table.rematch()
        await player.settle()
        assert player.table.graph is Graph.SCORE
        assert player.table.values.along(player.table.hand.view.plies) == (None,)


async def test_a_review_does_not_insist_on_the_value(tmp_path: Path) -> None:
    async with playing(tmp_path, at(LONGER), (120, 40), settings=PEOPLE) as player:
        await finish(player, "a2a1", "e4b1", "b2d4", "e5d4")
        await player.press("r", "f8")
        assert player.table.graph is Graph.SCORE
        await reviewed(player)
        assert player.table.graph is Graph.SCORE


@pytest.mark.parametrize("size", [(80, 20), (60, 24)])
async def test_a_screen_without_room_says_so(size: tuple[int, int], tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), size, settings=PEOPLE) as player:
        await player.press("f8")
        assert player.said == "the screen is too low for the graph"
        assert player.table.graph is Graph.SCORE
        await player.resize(120, 40)
        assert "too low" not in player.said


@pytest.mark.parametrize(("colours", "look"), [("none", None), ("truecolor", Look.ASCII)])
async def test_the_graph_in_plain_characters(colours: str, look: Look | None, tmp_path: Path) -> None:
    for size in ((80, 24), (160, 50)):
        async with playing(
            tmp_path, at(ENDING), size, settings=replace(PEOPLE), colours=colours, look=look
        ) as player:
            await finish(player, "d3e3")
            await player.press("r")
            await reviewed(player)
            shown = player.text_of(graph_of(player))
            assert shown.isascii()
            assert player.app.signs.full * 3 in shown
            assert "??" in shown


async def test_the_graph_of_the_value_keeps_the_scores_in_sight(tmp_path: Path) -> None:
    async with playing(tmp_path, at(ENDING, white="Ada", black="Grace"), settings=PEOPLE) as player:
        await finish(player, "d3e3")
        await player.press("r")
        await reviewed(player)
        rows = player.text_of(player.table.players).split("\n")
        score = player.game.position.score
        assert rows[0].split() == [SYMBOLS.of(Side.BLACK), "Black", "Grace", str(score.of(Side.BLACK))]
        assert rows[1].split() == [SYMBOLS.of(Side.WHITE), "White", "Ada", str(score.of(Side.WHITE))]
        await player.press("{")
        assert "to move" in player.text_of(player.table.players)
        assert "ANALYSIS" in panel(player)
