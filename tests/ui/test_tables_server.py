"""The screen against the real client and the real server, over a real line."""

from __future__ import annotations

from pathlib import Path

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.launch import Join
from dvonn_tui.tables import protocol
from dvonn_tui.tables.link import LineKind
from dvonn_tui.ui.screens.tables import TablesScreen
from tests.tables.tools import running_server
from tests.ui.tools import Player, first_legal, playing

HOSTILE = "[/ \x1b]52;c;QUJD\x07 \x9b31m a\u202eb"


async def at_table(player: Player) -> None:
    """Wait until the game screen shows a table."""
    await player.until(lambda: player.app.screen is player.table and player.table.guest is not None)
    await player.settle()


async def test_a_game_over_a_real_line_that_is_lost_and_found(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    async with playing(tmp_path / "home", size=(120, 40)) as player:
        async with running_server(folder) as running:
            port = running.port
            anna = await running.client("Anna")
            table = await anna.open("time 10", title="[b]Anna's")
            await anna.enter(table)
            await anna.sit(table, "w")
            player.table.join(Join(f"127.0.0.1:{port}", table, "Dora"))
            await at_table(player)
            await player.press("enter")
            await player.until(lambda: "Black: Dora (you)" in player.text)
            await player.until(
                lambda: player.table.guest is not None and player.table.guest.table.sending is None
            )
            await player.press("enter")
            await player.until(lambda: "you are ready" in player.said)
            assert player.table.guest is not None
            await anna.reach(table, player.table.guest.table.state.version)
            await anna.do(table, protocol.Start())
            await player.until(lambda: "White to move" in player.bar)
            state = anna.states[table]
            await anna.do(table, protocol.Act(action=first_legal(state.position)))
            await anna.say(protocol.Chat(table=table, text=HOSTILE))
            await player.until(lambda: "Black to move" in player.bar and "Anna: [/" in player.text)
            assert not any(character in player.text for character in "\x1b\x07\x9b\u202e")
            assert "[b]Anna's" in player.text
            await player.command(first_legal(player.game.position))
            await player.until(lambda: "White to move" in player.bar)
            position = player.game.position
            await anna.close()
        await player.until(lambda: "NO LINE" in player.bar)
        async with running_server(folder, port=port) as running:
            await player.until(lambda: "NO LINE" not in player.bar, 15)
            assert player.game.position == position
            assert player.app.visit.link is not None
            assert player.app.visit.link.line.kind is LineKind.CONNECTED
            assert player.table.guest is not None
            assert player.table.guest.side is Side.BLACK
            await player.until(lambda: "Anna, away" in player.text)
            await player.press("t")
            await player.until(
                lambda: isinstance(player.app.screen, TablesScreen) and "your seat" in player.text
            )
