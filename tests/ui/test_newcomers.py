"""Who sits down in the middle of a game: what is seen, what is written down, what is found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from dvonn_tui.core.events import Resign
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.resuming import find_waiting, resume
from dvonn_tui.records.journal_reading import load_journal
from dvonn_tui.ui.newcomers import newcomers_line
from tests.core.tools import FULL
from tests.ui.tools import Player, at, first_legal, playing

FROM_HERE = "Black: Level 2 from here on, Bob before"


async def begun(player: Player) -> None:
    """A game of Ada and Bob of two plies, so that no engine has to act at once."""
    for _ in range(2):
        await player.play(first_legal(player.game.position))


@pytest.mark.parametrize(
    ("before", "now", "line"),
    [
        (("Ada", "Bob"), ("Ada", "Bob"), ""),
        (("Ada", "Bob"), ("Ada", "Level 3"), "Black: Level 3 from here on, Bob before"),
        (("Level 3", "Bob"), ("White", "Bob"), "White: a person from here on, Level 3 before"),
        (
            ("Ada", "Black"),
            ("Level 1", "Level 2"),
            "White: Level 1 from here on, Ada before; Black: Level 2 from here on, a person before",
        ),
    ],
)
def test_how_it_is_told(before: tuple[str, str], now: tuple[str, str], line: str) -> None:
    was, there = (dict(zip(Side, names, strict=True)) for names in (before, now))
    assert newcomers_line(was, there) == line


async def test_the_record_names_those_who_began_and_tells_who_plays_on(tmp_path: Path) -> None:
    """As a comment on the ply at which the game stood, whatever is looked at; what is written there stays."""
    async with playing(tmp_path, at(FULL, white="Ada", black="Bob")) as player:
        await begun(player)
        ply = player.game.head
        player.table.session.comment(ply, "what a move")
        await player.press("[", "[")
        player.table.reseat(("human", "level 2"))
        assert player.game.comment_of(ply) == f"what a move\n{FROM_HERE}"
        await player.press("}")
        assert "Level 2" in player.text_of(player.table.players)
        await player.press("ctrl+r")
        written = (tmp_path / "data" / "copies" / "record.dvn").read_text("utf-8")
    assert '[White "Ada"]\n[Black "Bob"]' in written
    assert FROM_HERE in written


async def test_who_leaves_before_he_has_played_is_not_told_of(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL, white="Ada", black="Bob")) as player:
        await begun(player)
        first = player.game.head
        for seat in ("level 5", "level 2"):
            player.table.reseat(("human", seat))
        assert player.game.comment_of(first) == FROM_HERE
        player.table.reseat(("human", "human"))
        assert player.game.comment_of(first) == "Black: a person from here on, Bob before"
        await player.play(first_legal(player.game.position))
        player.table.reseat(("level 1", "human"))
        assert player.game.comment_of(first) == "Black: a person from here on, Bob before"
        assert player.game.comment_of(player.game.head) == "White: Level 1 from here on, Ada before"


async def test_nobody_plays_on_in_a_game_that_is_over(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL, white="Ada", black="Bob")) as player:
        await begun(player)
        player.table.session.submit(Resign(Side.WHITE))
        await player.settle()
        player.table.reseat(("human", "level 2"))
        assert not any(player.game.comment_of(entry) for entry in player.game.log)


async def test_a_game_taken_up_is_played_by_those_who_played_last(tmp_path: Path) -> None:
    """Their names are offered, seen, and go into the rematch; the game is still that of Ada and Bob."""
    async with playing(tmp_path, at(FULL, white="Ada", black="Bob")) as player:
        await begun(player)
        player.table.reseat(("human", "level 2"))
        path = player.app.autosave.path
        assert path is not None
    waiting = find_waiting(path.parent)
    assert waiting is not None
    assert waiting.reading.seating.black_name == "Level 2"
    before = path.read_bytes()
    async with playing(tmp_path, resumed=resume(path)) as player:
        assert "Level 2" in player.text_of(player.table.players)
        assert "Bob" not in player.text_of(player.table.players)
        player.table.keep_seating()
        assert path.read_bytes() == before, "nothing has changed"
        started = player.game.started
        assert (started.white, started.black) == ("Ada", "Bob")
        player.table.rematch()
        await player.settle()
        assert (player.game.started.white, player.game.started.black) == ("Level 2", "Ada")
    assert load_journal(path).game.comment_of(load_journal(path).game.head) == FROM_HERE
