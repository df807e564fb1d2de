"""What is said at a table can be read to its end, whatever the size of the screen."""

from __future__ import annotations

from pathlib import Path

from textual.widget import Widget

from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.words import Tone
from tests.ui.tables_tools import Host, against_anna, go_to, visiting
from tests.ui.test_chat import write
from tests.ui.tools import Player, playing

SIZES = ((120, 40), (80, 24), (60, 20), (53, 16))


def told(player: Player, widget: Widget) -> str:
    """What a widget says, in however many lines."""
    return " ".join(player.text_of(widget).split())


async def test_what_is_to_be_done_before_a_game_stands_whole_at_every_size(tmp_path: Path) -> None:
    async with playing(tmp_path, size=SIZES[0]) as player:
        host = Host()
        visiting(player, host)
        hosted = host.open()
        await go_to(player, hosted, side=Side.WHITE)

        async def shown(*needed: str) -> None:
            for size in SIZES:
                await player.resize(*size)
                row = player.text_of(player.table.status)
                assert "\n" not in row, size
                assert player.said.strip() == row.strip(), size
                for text in needed:
                    assert text in row, size
            await player.resize(*SIZES[0])

        await shown("&", "/bot 3")
        host.seat(hosted, "Somebody with a long name", Side.BLACK)
        await player.settle()
        await shown("enter", "/start")


async def test_refusals_and_answers_are_read_to_their_end(tmp_path: Path) -> None:
    refusal = "that pause was declined: you can offer it again after the next move of the other side"
    async with playing(tmp_path, size=(60, 20)) as player:
        await against_anna(player)
        for size in SIZES:
            await player.resize(*size)
            player.table.say(refusal)
            await player.until(lambda: told(player, player.table.status) == refusal)
            await write(player, "/option time 5+")
            await player.until(lambda: "30s (seconds for every move)" in told(player, player.table.keys))
            await player.press("escape", "left")
            await player.until(lambda: player.table.keys.size.height == player.table.status.size.height == 1)
        player.table.say("e\u0301 " + "long " * 60, Tone.PLAIN)
        await player.until(lambda: told(player, player.table.status).endswith("…"))


async def test_where_a_copy_lies_is_read_to_its_end(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 20)
    home.mkdir()
    async with playing(home, size=(53, 16)) as player:
        await player.press("y")
        await player.until(lambda: "sent to the terminal's clipboard" in player.text)
        toast = player.app.screen.query_one("Toast")
        assert player.app.screen.region.contains_region(toast.region)
        assert "position.txt" in player.text
