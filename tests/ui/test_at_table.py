"""A game at a table on another machine, on the screen of every other game."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Static

from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.play.resuming import find_waiting, resume
from dvonn_tui.records.journal_reading import load_journal
from dvonn_tui.records.shelf import games_of_paste
from dvonn_tui.settings import Confirm
from dvonn_tui.tables import ruling
from dvonn_tui.tables.protocol import (
    Act,
    Claim,
    Command,
    Decline,
    GiveUp,
    GoOn,
    Leave,
    MakeOffer,
    Sit,
    Start,
    Withdraw,
)
from dvonn_tui.tables.table import Stage
from dvonn_tui.ui.screens.confirm import ConfirmScreen
from dvonn_tui.ui.screens.new_game import NewGameScreen
from dvonn_tui.ui.screens.result import ResultScreen
from dvonn_tui.ui.table_words import leaving_words
from dvonn_tui.ui.widgets.choices import TextField
from tests.play.clock_tools import Time, both
from tests.records.mutation import TREE
from tests.ui.tables_tools import Host, HostedTable, against_anna, begin, go_to, visiting
from tests.ui.tools import QUIET, Player, first_legal, playing


def first(hosted: HostedTable) -> str:
    """The alphabetically first legal move at a table."""
    return first_legal(hosted.state.position)


async def anna_plays(player: Player, host: Host, hosted: HostedTable) -> str:
    """The other player plays her first legal move; returns it."""
    move = first(hosted)
    host.do(hosted, hosted.state.position.side, Act(action=move))
    await player.settle()
    return move


def deeds(host: Host) -> list[object]:
    """What the client has sent to be done, in order."""
    return [request.deed for request in host.asked if isinstance(request, Command)]


async def test_the_way_from_an_empty_table_to_a_game(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        host, hosted, _ = await against_anna(player, "time 10", begun=False)
        for words in ("Anna's table", "Black: Dora (you)", "White: Anna", "10 min a player", "enter ready"):
            assert words in player.text, words
        assert "to move" not in player.text
        await player.press("enter")
        assert hosted.state.ready == {Side.BLACK}
        assert "waiting for Anna" in player.said
        host.do(hosted, Side.WHITE, Start())
        await player.settle()
        assert player.game.position == hosted.state.position
        assert "Anna" in player.said, "it is her turn"
        assert "10:00" in player.text
        assert "Game 1 begins" in player.text


async def test_only_the_own_side_is_played_and_only_by_the_servers_word(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, link = await against_anna(player)
        before = player.game.position
        await player.play(first(hosted))
        assert player.game.position == before
        assert "Anna's turn" in player.said
        assert not deeds(host)[1:]
        await anna_plays(player, host, hosted)
        assert player.game.position == hosted.state.position != before
        link.hold()
        moves = sorted(format_action(move) for move in legal_moves(hosted.state.position))
        await player.play(moves[0])
        shown = player.game.position
        assert player.said.startswith("sending ")
        await player.play(moves[-1])
        await player.command(moves[-1])
        assert player.game.position is shown, "nothing is shown as played before the server says so"
        await player.press("escape")
        link.let_go()
        await player.settle()
        assert player.game.position == hosted.state.position != shown
        acts = [deed for deed in deeds(host) if isinstance(deed, Act)]
        assert acts == [Act(action=moves[0])], "no second move was sent"
        # The answer to the command comes behind the news of it.
        await player.until(lambda: "sending" not in player.text)


async def test_what_a_watcher_presses_reaches_nobody(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host = Host()
        visiting(player, host)
        hosted = host.open()
        for name, side in (("Anna", Side.WHITE), ("Bela", Side.BLACK)):
            host.seat(hosted, name, side)
        begin(host, hosted)
        await go_to(player, hosted)
        version, seen = hosted.state.version, len(host.asked)
        foot = player.text_of(player.table.keys)
        assert all(word not in foot for word in ("pick", "take back", "draw"))
        assert all(word in foot for word in ("chat", "back", "leave"))
        await player.play(first(hosted))
        assert "watch" in player.said
        for key in ("u", "U", "!", "=", "k", "ctrl+a", "ctrl+n", "m", "h", "v", "C", "enter", "[", "]"):
            await player.press(key)
            assert player.dialog is None, key
        for text in ("/takeback", "/resign", "/draw", "/start", "/claim"):
            await player.press("c")
            player.send(*text, "enter")
            await player.settle()
            await player.press("escape")
        assert hosted.state.version == version
        assert all(isinstance(request, Command) for request in host.asked[seen:])
        assert "you watch" in player.bar


async def test_offers_are_a_line_with_keys_to_answer(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player)
        for offer, words in (("takeback", "to take the last move back"), ("pause", "a pause")):
            while hosted.state.actions < 2 or hosted.state.position.side is not Side.BLACK:
                host.do(hosted, hosted.state.position.side, Act(action=first(hosted)))
            await player.settle()
            host.do(hosted, Side.WHITE, MakeOffer(offer=offer))
            await player.settle()
            assert f"Anna offers {words}" in player.said
            assert "ctrl+a accept" in player.text
            await player.press("ctrl+n")
            assert not hosted.state.offers
            assert deeds(host)[-1] == Decline(offer=offer)
            # A declined offer stands again after the next action only.
            host.do(hosted, hosted.state.position.side, Act(action=first(hosted)))
            host.do(hosted, Side.WHITE, MakeOffer(offer=offer))
            await player.settle()
            actions = hosted.state.actions
            await player.press("ctrl+a")
            assert hosted.state.actions < actions or hosted.state.stage is Stage.PAUSED, offer
        assert "paused" in player.bar
        await player.press("k")
        assert isinstance(deeds(host)[-1], GoOn)
        assert hosted.state.stage is Stage.PLAYING
        await player.press("k")
        assert "You offer a pause" not in player.said
        await player.press("ctrl+n")
        assert deeds(host)[-1] == Withdraw(offer="pause")
        host.do(hosted, Side.WHITE, MakeOffer(offer="draw"))
        await player.settle()
        await player.press("ctrl+a")
        await player.opened(ResultScreen)
        assert hosted.state.position.over


async def test_undo_offers_and_a_draw_is_asked_for(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player)
        await player.press("u")
        assert "nothing to take back" in player.said
        await anna_plays(player, host, hosted)
        await player.command(first(hosted))
        actions = hosted.state.actions
        await player.press("u")
        assert hosted.state.offered(Side.BLACK, "takeback")  # type: ignore[arg-type]
        assert player.game.position == hosted.state.position
        host.do(hosted, Side.WHITE, MakeOffer(offer="takeback"))
        await player.settle()
        assert hosted.state.actions == actions - 1
        assert player.game.position == hosted.state.position
        assert "taken back" in "".join(remark.text for remark in player.table.chat_log.remarks)
        await player.press("=")
        await player.opened(ConfirmScreen)
        assert "Offer Anna a draw?" in player.text
        await anna_plays(player, host, hosted)
        await player.press("y")
        await player.closed()
        assert not hosted.state.offers
        assert "in the meantime" in player.said
        await player.press("=")
        await player.opened(ConfirmScreen)
        await player.press("left", "enter")
        await player.closed()
        assert hosted.state.offered(Side.BLACK, "draw")  # type: ignore[arg-type]
        host.do(hosted, Side.WHITE, Decline(offer="draw"))
        await anna_plays(player, host, hosted)
        host.do(hosted, Side.WHITE, MakeOffer(offer="draw"))
        await player.settle()
        await player.press("=")
        await player.opened(ConfirmScreen)
        assert "Accept the draw that Anna offers?" in player.text
        await player.press("y")
        await player.until(lambda: hosted.state.position.over)
        await player.opened(ResultScreen)
        await player.press("escape")
        await player.closed()
        foot = player.text_of(player.table.keys)
        assert foot.split()[:2] == ["/rematch", "/start"]
        assert all(word not in foot for word in ("pick", "take back", "draw"))
        await player.click_text("/rematch", last=True)
        assert hosted.state.offered(Side.BLACK, "rematch")  # type: ignore[arg-type]


async def test_a_lost_line_is_shown_and_found_again_without_a_hand(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, link = await against_anna(player)
        await anna_plays(player, host, hosted)
        link.cut()
        await player.settle()
        assert "NO LINE" in player.bar
        moved = first(hosted)
        await player.command(moved)
        assert "waits until the line is found again" in player.said
        await player.press("q")
        dialog = await player.opened(ConfirmScreen)
        asked = str(dialog.query_one("#detail", Static).content)
        unconfirmed = f"The server has not confirmed {moved[:2]}-{moved[2:]}: it may be lost."
        assert unconfirmed in asked
        assert "your seat stays yours" in asked
        await player.press("n")
        await player.closed()
        assert player.table.guest is not None
        link.find()
        await player.settle()
        assert "NO LINE" not in player.bar
        told = [remark.text for remark in player.table.chat_log.remarks]
        assert "No line: the line to the server was lost. It is tried again by itself" in told
        assert "The line is there again" in told
        assert hosted.state.last == moved, "a move made meanwhile is sent when it is still to be played"
        assert player.game.position == hosted.state.position
        assert "confirmed" not in leaving_words(player.table.guest.table)
        link.cut()
        await player.settle()
        host.do(hosted, Side.WHITE, Act(action=first(hosted)))
        link.find()
        await player.settle()
        assert player.game.position == hosted.state.position, "what happened meanwhile is there"


async def test_a_seat_that_cannot_be_written_down_is_told_of(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        player.app.paths.data.write_text("a file where the folder should be")
        await against_anna(player)
        told = [notice.message for notice in player.app._notifications if notice.title == "tables"]
        assert any("seats at tables cannot be taken up again" in each for each in told)
        assert len(set(told)) == len(told)
        assert player.table.guest is not None
        assert "as long as this program runs" in leaving_words(player.table.guest.table)


async def test_somebody_who_stays_away_is_seen_and_the_game_can_be_claimed(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(120, 40)) as player:
        host, hosted, _ = await against_anna(player, "absence 1", "time 10")
        host.happen(hosted, *ruling.go_away(hosted.state, Side.WHITE, host.moment))
        await player.settle()
        assert "Anna, away" in player.text
        assert "Anna: away 0:00 of 1:00" in player.text
        host.time += 35
        player.table.update()
        await player.settle()
        assert "away 0:35 of 1:00" in player.text
        host.time += 26
        host.happen(hosted, *ruling.absence_over(hosted.state, Side.WHITE, host.moment))
        await player.settle()
        assert "/claim wins the game, /adjourn leaves it for later" in player.said
        await player.click_text("/claim", last=True)
        assert isinstance(deeds(host)[-1], Claim)
        await player.opened(ResultScreen)
        assert "stayed away" in player.text


async def test_no_engine_helps_while_a_game_is_played(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player)
        for key in ("h", "v"):
            await player.press(key)
            assert "no engine helps while the game is played" in player.said
        assert not player.table.analysing
        host.do(hosted, Side.WHITE, GiveUp())
        await player.settle()
        await player.opened(ResultScreen)
        await player.press("escape")
        await player.closed()
        asked = len(host.asked)
        await player.press("enter", "enter")
        assert len(host.asked) == asked, "a key that was meant for the last move begins no other game"
        assert "/rematch" in player.said
        await player.press("v")
        assert player.table.analysing


async def test_a_rematch_is_offered_and_begins_another_game(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player)
        before = player.table.session
        host.do(hosted, Side.WHITE, GiveUp())
        await player.settle()
        await player.opened(ResultScreen)
        assert "New game" not in player.text
        await player.click_text("Rematch", last=True)
        await player.closed()
        assert hosted.state.offered(Side.BLACK, "rematch")  # type: ignore[arg-type]
        host.do(hosted, Side.WHITE, MakeOffer(offer="rematch"))
        await player.settle()
        assert player.table.session is not before
        assert not player.game.position.over
        assert player.table.guest is not None
        assert player.table.guest.side is Side.WHITE
        await player.command(first(hosted))
        assert hosted.state.actions == 1


async def test_a_game_here_is_proposed_to_those_who_played_here(tmp_path: Path) -> None:
    async with playing(tmp_path, seats=("human", "level 3")) as player:
        host, hosted, _ = await against_anna(player)
        host.do(hosted, Side.WHITE, GiveUp())
        await player.settle()
        await player.opened(ResultScreen)
        await player.press("escape")
        await player.closed()
        host.happen(hosted, *ruling.stand_up(hosted.state, Side.WHITE, host.moment))
        await player.settle()
        assert "Anna" in player.text_of(player.table.players), "whose game it was is still to be seen"
        await player.press("n")
        dialog = await player.opened(NewGameScreen)
        names = [dialog.query_one(f"#{side}", TextField).text for side in ("white", "black")]
        assert "Anna" not in names
        assert "Dora" not in names
        assert "level 3" in player.text


async def test_a_game_that_begins_takes_the_result_of_the_last_one_away(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player)
        host.do(hosted, Side.WHITE, GiveUp())
        await player.settle()
        await player.opened(ResultScreen)
        begin(host, hosted)
        await player.closed()
        assert not player.game.position.over


async def test_leaving_keeps_the_seat_in_a_game_and_frees_it_before(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        here = player.table.session
        host, hosted, _ = await against_anna(player, begun=False)
        await player.press("ctrl+t")
        assert player.table.guest is None
        assert player.table.session is here, "what was played here is there again"
        assert Side.BLACK not in hosted.state.seats, "the open offer is withdrawn"
        await go_to(player, hosted, side=Side.BLACK)
        begin(host, hosted)
        await player.settle()
        for key in ("ctrl+t", "n", "q"):
            await player.press(key)
            dialog = await player.opened()
            if key == "n":
                await player.press("enter")
                await player.until(lambda: isinstance(player.dialog, ConfirmScreen))
                dialog = await player.opened(ConfirmScreen)
            assert isinstance(dialog, ConfirmScreen)
            assert "your seat stays yours" in " ".join(player.text.split()).replace("│ ", "")
            await player.press("escape")
            await player.closed()
            assert player.table.guest is not None
        await player.press("ctrl+t")
        await player.opened(ConfirmScreen)
        await player.press("left", "enter")
        await player.closed()
        assert player.table.guest is None
        assert isinstance(host.asked[-1], Leave)
        assert Side.BLACK in hosted.state.seats
        await go_to(player, hosted)
        assert player.table.guest is not None
        assert player.table.guest.side is Side.BLACK, "the seat was kept"


async def test_a_record_that_was_opened_is_known_after_a_visit(tmp_path: Path) -> None:
    (record,) = games_of_paste(TREE, 1)
    async with playing(tmp_path) as player:
        player.table.open_record(record, "")
        await against_anna(player, begun=False)
        await player.press("ctrl+t")
        assert player.table.session.game is record.game
        await player.press("ctrl+r")
        copied = tmp_path / "data" / "copies" / "record.dvn"
        assert '[Event "Club' in copied.read_text("utf-8")


@pytest.mark.parametrize("saved", [True, False])
async def test_the_clocks_of_a_game_here_stand_still_while_a_table_is_visited(
    saved: bool, tmp_path: Path
) -> None:
    time = Time()
    settings = replace(QUIET, autosave=saved)
    async with playing(tmp_path, clock="5", now=time.now, settings=settings) as player:
        await player.play(first_legal(player.game.position))
        time.wait(20)
        await against_anna(player, begun=False)
        time.wait(1000)
        await player.press("ctrl+t")
        assert player.table.session.paused
        assert both(player.table.session) == (300, 280)
        assert "the game is paused: k goes on" in player.said


async def test_nobody_listens_after_ten_tables(tmp_path: Path) -> None:
    async with playing(tmp_path, settings=replace(QUIET, autosave=False)) as player:
        host = Host()
        visiting(player, host)
        tables = [host.open(f"table {letter}", id=f"TTTT{letter}") for letter in "ABCDEFGHIJ"]
        timers = len(player.table._timers)
        seen = []
        for hosted in tables:
            host.seat(hosted, "Anna", Side.WHITE)
            await go_to(player, hosted, side=Side.BLACK)
            begin(host, hosted)
            await player.settle()
            host.do(hosted, Side.WHITE, GiveUp())
            await player.settle()
            await player.opened(ResultScreen)
            assert player.text.count("White resigned") == 1
            await player.press("escape")
            await player.closed()
            seen.append(player.table.guest.table)
            await player.press("ctrl+t")
            assert player.table.guest is None
        assert not any(table._listeners for table in seen)
        gc.collect()
        assert len(player.table._timers) <= timers + 1
        assert not any(hosted.at for hosted in tables)


async def test_moves_are_confirmed_at_a_table_only_if_the_settings_say_network(tmp_path: Path) -> None:
    settings = replace(QUIET, confirm=Confirm.NETWORK)
    async with playing(tmp_path, settings=settings) as player:
        await player.play(first_legal(player.game.position))
        assert player.game.length > 1, "a game here is not asked about"
        host, hosted, _ = await against_anna(player)
        await anna_plays(player, host, hosted)
        move = first(hosted)
        await player.play(move)
        assert "again to play it" in player.said
        assert hosted.state.actions == 1
        await player.click(move[2:])
        assert hosted.state.actions == 2


async def test_the_bell_tells_of_the_other_players_move(tmp_path: Path) -> None:
    async with playing(tmp_path, settings=replace(QUIET, bell=True)) as player:
        rung = []
        player.app.bell = lambda: rung.append(1)  # type: ignore[method-assign]
        host, hosted, _ = await against_anna(player)
        await anna_plays(player, host, hosted)
        assert len(rung) == 1
        await player.command(first(hosted))
        assert len(rung) == 1


async def test_the_game_of_a_table_is_saved_here_as_well_in_one_file(tmp_path: Path) -> None:
    games = tmp_path / "data" / "games"
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player, "time 10")
        for _ in range(3):
            host.do(hosted, hosted.state.position.side, Act(action=first(hosted)))
        await player.settle()
    (path,) = games.glob("*.dvnlog")
    reading = load_journal(path)
    assert reading.game.position == hosted.state.position
    assert reading.header.table == "club.example:3866/KZ7Q2M"
    assert "600" in reading.header.time_control
    assert all("clock" in entry.details for entry in reading.game.log[1:] if entry.action == entry.number)
    assert find_waiting(games) is None, "nobody goes on with it alone"
    assert find_waiting(games, lambda table: True) is not None
    resumed = resume(path)
    assert resumed.journal is None
    assert "played at a table" in resumed.notes[0]
    async with playing(tmp_path) as player:
        visiting(player, host)
        await go_to(player, hosted)
        host.do(hosted, hosted.state.position.side, Act(action=first(hosted)))
        host.do(hosted, Side.WHITE, GiveUp())
        await player.settle()
    (path,) = games.glob("*.dvnlog")
    assert load_journal(path).game.position == hosted.state.position


async def test_a_game_of_a_table_that_waits_is_gone_back_to(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player)
        await anna_plays(player, host, hosted)
    async with playing(tmp_path, bare=True) as player:
        visiting(player, host)
        await player.opened()
        assert "Back to the table" in player.text
        assert "KZ7Q2M" in player.text
        await player.press("enter")
        await player.until(lambda: player.table.guest is not None)
        await player.settle()
        assert player.app.screen is player.table
        assert player.game.position == hosted.state.position
        await player.command(first(hosted))
        assert hosted.state.actions == 2
    async with playing(tmp_path) as player:
        assert "an unfinished game at a table waits: t shows your seat" in player.said
    player.app.visit.keeping.forget("club.example:3866", "KZ7Q2M")
    async with playing(tmp_path, bare=True) as player:
        assert player.dialog is None, "without a seat there is nothing to go back to"


async def test_looking_back_stays_here_and_plays_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host, hosted, _ = await against_anna(player)
        for _ in range(3):
            host.do(hosted, hosted.state.position.side, Act(action=first(hosted)))
        await player.settle()
        asked = len(host.asked)
        await player.press("[", "[")
        move = first_legal(player.table.hand.position)
        await player.play(move)
        assert "from the present only" in player.said
        assert len(host.asked) == asked
        assert player.dialog is None
        await player.press("}")
        await player.command(first(hosted))
        assert hosted.state.actions == 4


@pytest.mark.parametrize("size", [(53, 16), (64, 24), (100, 24), (200, 40)])
async def test_a_table_fits_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with playing(tmp_path, size=size) as player:
        host, hosted, _ = await against_anna(player, begun=False)
        assert "enter ready" in player.text
        assert "Dora (you)" in player.text
        begin(host, hosted)
        host.write(hosted, "Anna", "good luck", "w")
        await player.settle()
        assert "good luck" in player.text
        assert not player.table.chat_covers_board
        if size != (53, 16):
            await player.until(lambda: "MOVES" in player.text)
            assert ("CHAT" in player.text) == (size == (200, 40)), "both where both have room, else the log"
            return
        await player.press("left")
        assert "1 new: @" in player.text or "good luck" not in player.text
        await player.press("@")
        await player.until(lambda: "Anna: good luck" in player.text)
        assert player.table.chat_covers_board
        assert player.rows[-1].startswith(" @ board "), "how the board comes back is said first"
        log = player.game.log
        await player.press("enter", "enter")
        assert not player.table.chat_covers_board, "a key of the board shows it again, and does no more"
        assert player.game.log == log


async def test_sitting_down_by_enter(tmp_path: Path) -> None:
    async with playing(tmp_path) as player:
        host = Host()
        visiting(player, host)
        hosted = host.open()
        await go_to(player, hosted)
        assert "White and Black free" in player.said
        await player.press("enter")
        assert isinstance(host.asked[-1], Sit)
        assert hosted.state.seats[Side.WHITE].name == "Dora"
        assert "waiting for somebody" in player.said
        await player.press("&")
        copied = (tmp_path / "data" / "copies" / "invitation.txt").read_text()
        assert copied == "dvonn-tui join club.example:3866 --table KZ7Q2M\n"
