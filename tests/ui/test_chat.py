"""The chat: its line, its panel, and the commands that begin with a slash, at a table and elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.cells import cell_len
from textual.widgets import Static

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.clocks import ClockKind
from dvonn_tui.tables.protocol import Chat, ChatLine, Command, SeatBot, SetOption, Start
from dvonn_tui.ui.chat_log import MOST_LINES, ChatLog
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.help import HelpScreen
from dvonn_tui.ui.screens.record import RecordScreen
from dvonn_tui.ui.widgets.chat import ChatField
from tests.records.tools import DATA
from tests.ui.tables_tools import START, Host, against_anna, begin, go_to, visiting
from tests.ui.tools import QUIET, Player, first_legal, playing

HOSTILE = (
    *("[/", "[b]x[/i]", "[1]", "[red]hi", "[$error]"),
    *("\x1b]52;c;QUJD\x07", "\x1b]0;x\x07", "\x1b[2J", "\x1b[6n", "\x9b31m", "a\u202eb", "a\u200bb"),
    "e" + "\u0301" * 200,
)
"""What must be shown as it is, or as placeholders, and never reach the terminal."""


async def write(player: Player, text: str) -> None:
    """Open the chat line, write a text and send it."""
    await player.press("c")
    player.send(*text, "enter")
    await player.settle()


def field(player: Player) -> ChatField:
    """The chat line."""
    found = player.table.open_line
    assert isinstance(found, ChatField)
    return found


def line(text: str, name: str = "Anna") -> ChatLine:
    """A line of chat."""
    return ChatLine(at=START, name=name, side="w", text=text)


async def test_what_is_written_is_said_and_runs_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        host, hosted, _ = await against_anna(player)
        log = player.game.log
        await player.press("c")
        await player.type("quit undo resign? !=nqtl")
        assert player.app.screen is player.table
        assert field(player).value == "quit undo resign? !=nqtl"
        assert player.game.log == log
        await player.press("enter")
        assert player.table.open_line is None
        assert host.asked[-1] == Chat(table=hosted.id, text="quit undo resign? !=nqtl")
        assert "Dora: quit undo resign? !=nqtl" in player.text
        await write(player, "//start is a command")
        assert hosted.chat[-1].text == "/start is a command"
        await player.press("c", "x", "escape")
        assert player.table.open_line is None
        assert len(hosted.chat) == 2


async def test_up_and_down_bring_back_what_was_sent(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        await against_anna(player)
        for text in ("one", "two"):
            await write(player, text)
        await player.press("c")
        await player.type("dra")
        await player.press("up")
        assert field(player).value == "two"
        await player.press("up", "up")
        assert field(player).value == "one"
        await player.press("down", "down")
        assert field(player).value == "dra"


async def test_commands_are_completed_and_their_matches_shown(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(100, 24)) as player:
        host, _, _ = await against_anna(player, begun=False)
        await player.press("c")
        await player.type("/op")
        assert "/option" in player.rows[-1]
        await player.press("tab")
        assert field(player).value == "/option"
        await player.type(" sym")
        await player.press("tab", "enter")
        command = host.asked[-1]
        assert isinstance(command, Command)
        assert command.deed == SetOption(option="symmetric")
        assert "sets: symmetric" in player.text
        await write(player, "/option profi")
        assert "sets: manual" in player.text
        assert "manual, no clock" in player.text
        await player.press("c")
        await player.type("/start")
        await player.click_text("/start", last=True)
        command = host.asked[-1]
        assert isinstance(command, Command)
        assert isinstance(command.deed, Start)


async def test_what_can_be_set_is_read_to_its_end_and_then_gone(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(80, 24)) as player:
        for _ in range(2):
            for asked in ("/option", "/help option"):
                await write(player, asked)
                await player.opened(HelpScreen)
                await player.press("end")
                assert "the players place the pieces" in player.text
                await player.press("escape")
                await player.closed()
                assert not player.app._notifications
            if player.table.guest is None:
                await against_anna(player)
        await write(player, "/option")
        await player.opened(HelpScreen)
        assert "set: balanced, time none" in player.text
        await player.resize(53, 16)
        assert "chat open, log off" in player.text


async def test_what_cannot_be_done_stays_in_the_line_with_the_reason(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(100, 24)) as player:
        host, _, _ = await against_anna(player)
        asked = len(host.asked)
        for text, reason in (
            ("/frobnicate", "no command"),
            ("/bot 99", "a level from 1 to 10"),
            ("/res", "out"),
        ):
            await write(player, text)
            assert field(player).value == text
            assert reason in player.rows[-1]
            await player.press("escape")
        assert len(host.asked) == asked


async def test_commands_at_a_table(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        host = Host()
        visiting(player, host)
        hosted = host.open()
        await go_to(player, hosted)
        await write(player, "/join black")
        assert hosted.state.seats[Side.BLACK].name == "Dora"
        await write(player, "/option time 5+3")
        assert hosted.state.options.clock.kind is ClockKind.FISCHER
        await write(player, "/who")
        assert "watching: " in player.text
        await write(player, "/bot 3")
        command = host.asked[-1]
        assert isinstance(command, Command)
        assert command.deed == SeatBot(level=3, side=None)
        assert hosted.state.seats[Side.WHITE].level == 3
        await write(player, "/help")
        dialog = await player.opened(HelpScreen)
        assert dialog is not None
        await player.until(lambda: "/addtime" in player.text)
        await player.press("escape")
        await player.closed()
        await write(player, "/start")
        assert player.game.position == hosted.state.position
        await write(player, "/resign")
        await player.opened(ConfirmScreen)
        await player.press("escape")
        await player.closed()
        await write(player, "/leave")
        await player.opened(ConfirmScreen)
        await player.press("left", "enter")
        await player.closed()
        assert player.table.guest is None


async def test_a_record_of_the_server_is_fetched_kept_and_opened(tmp_path: Path) -> None:
    text = (DATA / "little-golem.txt").read_text()
    async with playing(tmp_path) as player:
        host, _, _ = await against_anna(player)
        host.records["abc-1"] = text
        games = tmp_path / "data" / "games"
        games.mkdir(parents=True, exist_ok=True)
        (games / "record-abc-1.dvn").write_text("of the same id at another server")
        await write(player, "/record nothing")
        await player.until(lambda: "no record nothing" in player.said)
        await write(player, "/record")
        assert "no record is kept" in player.rows[-1]
        await player.press("escape")
        await write(player, "/record abc-1")
        await player.opened(RecordScreen)
        kept = {path.name: path.read_text() for path in games.glob("record-*.dvn")}
        assert kept == {"record-abc-1.dvn": "of the same id at another server", "record-abc-1-2.dvn": text}
        await player.press("enter")
        await player.until(lambda: isinstance(player.dialog, ConfirmScreen))
        await player.opened(ConfirmScreen)
        await player.press("left", "enter")
        await player.until(lambda: player.table.guest is None)
        assert player.game.length > 50


async def test_a_seat_is_not_given_up_for_a_record_without_asking(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player, begun=False)
        host.records["abc-1"] = (DATA / "little-golem.txt").read_text()
        for answer in ("n", "y"):
            await write(player, "/record abc-1")
            await player.opened(RecordScreen)
            await player.press("enter")
            dialog = await player.opened(ConfirmScreen)
            assert "Your seat becomes free" in str(dialog.query_one("#detail", Static).content)
            assert Side.BLACK in hosted.state.seats
            await player.press(answer)
            await player.closed()
        await player.until(lambda: player.table.guest is None)
        assert Side.BLACK not in hosted.state.seats


async def test_commands_in_a_game_that_is_played_here(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(100, 24)) as player:
        await write(player, "hello?")
        assert field(player).value == "hello?"
        assert "nobody else is at this board" in player.rows[-1]
        await player.press("escape")
        await write(player, "/claim")
        assert "only at a table between two machines" in player.rows[-1]
        await player.press("escape")
        await write(player, "/option symmetric")
        await write(player, "/option time 5+3")
        await write(player, "/start")
        assert player.game.started.setup == Setup.SYMMETRIC
        assert player.table.session.rule.kind is ClockKind.FISCHER
        await write(player, "/bot 2 black")
        assert player.table.choice.black_seat == "level 2"
        assert player.game.started.black == "Level 2", "nothing was played: so it is in the game's file"
        assert player.table.session.rule.kind is ClockKind.FISCHER
        await player.command(first_legal(player.game.position))
        await write(player, "/bot 3 black")
        await write(player, "/who")
        assert "Black: Level 3 (level 3)" in player.said
        assert "Level 3" in player.text_of(player.table.players)
        await write(player, "/bot 2 black")
        await write(player, "/join black")
        await write(player, "/who")
        assert "White: Level 2 (level 2); Black: Black (human)" in player.said
        assert (player.table.choice.white_seat, player.table.choice.black_seat) == ("level 2", "human")
        await write(player, "/remove")
        assert player.table.choice.white_seat == "human"
        await write(player, "/who")
        assert "White" in player.said
        await write(player, "/takeback")
        await write(player, "/resign")
        await player.opened(ConfirmScreen)
        await player.press("escape")
        await player.closed()
        await write(player, "/help")
        await player.opened(HelpScreen)
        await player.until(lambda: "/takeback" in player.text)
        assert "/claim" not in player.text


async def test_what_others_write_is_shown_literally_and_harms_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(160, 50)) as player:
        host = Host()
        visiting(player, host)
        hosted = host.open("[b]table[/")
        host.seat(hosted, "[red]Anna", Side.WHITE)
        await go_to(player, hosted, "[/", Side.BLACK)
        for text in HOSTILE:
            host.write(hosted, "[$error]", text, "w")
        await player.settle()
        begin(host, hosted)
        await player.settle()
        shown = player.text
        for text in ("[b]table[/", "[red]Anna", "[$error]: [/", "[b]x[/i]", "[$error]: [1]", "[red]hi"):
            assert text in shown, text
        assert not any(character in shown for character in "\x1b\x07\x9b\u202e\u200b")
        assert all(cell_len(row) == 160 for row in player.rows)
        player.table.say("x")
        await player.press("c")
        await player.type("[/ [b]x[/i]")
        assert player.text


def test_the_log_of_a_chat_keeps_the_last_lines_and_counts_the_unread() -> None:
    log = ChatLog()
    lines = [line(str(number)) for number in range(5)]
    log.hear(lines[:3])
    log.note("Anna is ready")
    log.hear(lines)
    log.hear([*lines[2:], line("mine", "Dora")], "Dora")
    assert [remark.text for remark in log.remarks] == ["0", "1", "2", "Anna is ready", "3", "4", "mine"]
    assert log.unread == 5
    log.read()
    assert log.unread == 0
    log.hear([line(f"new {number}") for number in range(MOST_LINES + 20)])
    assert len(log.remarks) == MOST_LINES
    assert log.remarks[-1].text == f"new {MOST_LINES + 19}"


async def test_unread_lines_are_counted_where_the_panel_has_no_room(tmp_path: Path) -> None:
    async with playing(tmp_path, settings=replace(QUIET, bell=False)) as player:
        host, hosted, _ = await against_anna(player)
        assert "MOVES" in player.text
        for text in ("first", "second"):
            host.write(hosted, "Anna", text, "w")
        await player.settle()
        assert "2 new: @" in player.bar
        assert "Anna: second" in player.said
        await write(player, "hello")
        assert player.said == "Dora: hello"
        assert "2 new: @" in player.bar, "what was said here is not new"
        await player.press("@")
        assert "new: @" not in player.bar
        await player.until(lambda: "Anna: first" in player.text)
        assert "MOVES" not in player.text
        await player.press("@")
        assert "MOVES" in player.text


async def test_long_answers_are_read_from_their_beginning_and_pages_scroll_the_chat(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        host, hosted, _ = await against_anna(player)
        head = player.game.head
        for number in range(60):
            host.write(hosted, "Anna", f"line {number}.", "w")
        await player.settle()
        await write(player, "/option")
        assert "set: balanced" in player.text
        assert "more below" in player.text
        await player.press("c", "pagedown", "pagedown", "pagedown", "pagedown")
        assert "chat apart" in player.text
        assert "more below" not in player.text
        for _ in range(12):
            await player.press("pageup")
        assert "Anna: line 0." in player.text
        assert player.table.hand.view.entry is head, "the game is not stepped through meanwhile"
        await player.press("escape")
        host.write(hosted, "Anna", "and now?", "w")
        await player.until(lambda: "Anna: and now?" in player.text)
        # Where the panel has no room, the first page brings it.
        await player.resize(80, 24)
        await player.until(lambda: "CHAT" not in player.text)
        await player.press("c", "pageup")
        await player.until(lambda: "Anna: and now?" in player.text)
