"""Replaying: by itself, and from one event to the next."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Ply
from dvonn_tui.core.pieces import Side, owner
from dvonn_tui.play.happenings import Happening, happenings_of
from dvonn_tui.play.review import Judged, Worth
from dvonn_tui.play.verdict import Loss
from dvonn_tui.ui.curves import PASS_SIGN
from tests.core.tools import FULL, board, move
from tests.ui.test_history import whole
from tests.ui.tools import BALANCED, Player, at, first_legal, playing

PASSES = at(board("A3=RW B3=W C3=W D3=W E3=W", Side.BLACK))


async def quick(player: Player) -> None:
    """Let replays run as fast as they can."""
    while player.app.company.pace:
        await player.press("j")


def found(player: Player, what: Happening) -> list[int]:
    """The plies of the line that is seen on which something happened."""
    plies = player.table.hand.view.plies
    pairs = pairwise(plies)
    return [
        index for index, (before, ply) in enumerate(pairs, 1)
        if what in happenings_of(ply, before.last.position)
    ]  # fmt: skip


async def test_a_replay_runs_to_the_end_and_changes_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        for _ in range(4):
            player.table.session.submit(move(first(player)))
        await quick(player)
        log = player.game.log
        await player.press("0")
        assert "replay, 0.1 s a ply: 0 stops" in player.said
        assert player.table.hand.view.index == 0
        await player.until(lambda: player.table.hand.view.index == 2)
        await player.until(lambda: player.table.replaying is None)
        assert player.table.hand.view.live
        assert player.said == "the replay is at its end"
        assert player.game.log == log


def first(player: Player) -> str:
    """The first legal move of the game."""
    return first_legal(player.game.position)


async def test_a_replay_stops_when_it_is_told_or_somebody_looks_elsewhere(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        for _ in range(4):
            player.table.session.submit(move(first(player)))
        for key in ("0", "escape"):
            await player.press("{", "0")
            assert player.table.replaying is not None
            await player.press(key)
            assert player.table.replaying is None
            assert "stopped" in player.said
        await quick(player)
        await player.press("{", "0", "]", "]")
        await player.until(lambda: player.table.replaying is None)
        assert player.table.hand.view.index in (2, 3)


async def test_a_replay_of_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, BALANCED) as player:
        await player.press("0")
        assert "nothing was played" in player.said


async def test_to_the_next_and_the_one_before(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        await whole(player)
        for what, on, back in (
            (Happening.CAPTURE, ">", "<"),
            (Happening.CUT_OFF, ")", "("),
            (Happening.PASS, "$", "#"),
        ):
            there = found(player, what)
            assert there or what is Happening.PASS
            await player.press("{")
            for index in there:
                await player.press(on)
                assert player.table.hand.view.index == index
            await player.press(on)
            assert f"no {what} after this ply" in player.said
            for index in reversed(there[:-1]):
                await player.press(back)
                assert player.table.hand.view.index == index
            await player.press(back)
            assert f"no {what} before this ply" in player.said


async def test_to_a_pass(tmp_path: Path) -> None:
    async with playing(tmp_path, PASSES, (80, 24)) as player:
        await player.play("e3d3")
        assert len(there := found(player, Happening.PASS)) == 2
        # The graph tells of them, but not of captures.
        signs = player.table.curve().events
        assert [index for index, sign in enumerate(signs) if sign == PASS_SIGN] == there
        await player.press("{", "$")
        assert player.table.hand.view.index == there[0]
        await player.press("$")
        assert player.table.hand.view.index == there[1]
        await player.press("#")
        assert player.table.hand.view.index == there[0]


def test_what_is_a_capture() -> None:
    """Onto a stack of the other side, not onto one's own or a red piece."""
    game = Game.at(FULL)
    game.play(move("B4-A3"))
    ply: Ply = game.plies()[1]
    on = owner(FULL.stacks[move("B4-A3").target])
    assert (Happening.CAPTURE in happenings_of(ply, FULL)) is (on is Side.BLACK)


async def test_mistakes_come_from_a_review(tmp_path: Path) -> None:
    async with playing(tmp_path, at(FULL), (80, 24)) as player:
        for _ in range(4):
            player.table.session.submit(move(first(player)))
        await player.press("{", "/")
        assert "found by a review: r reviews" in player.said
        plies = player.game.plies()
        for index, loss in ((1, Loss()), (2, Loss(pieces=4)), (3, Loss(chance=0.3))):
            judged = Judged(plies[index], Side.WHITE, "a1a2", Worth(), Worth(), loss)
            player.table.judged[plies[index].last.number] = judged
        await player.press("/")
        assert player.table.hand.view.index == 3
        await player.press("/")
        assert "no mistake after" in player.said
