"""Matches of fake engines: starts, colours, faults, clocks, transcripts."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.match import Contestant, Match, MatchFault, Terms
from dvonn_tui.play.protocols import ProtocolName
from dvonn_tui.play.thoughts import Limits
from dvonn_tui.records.linear import placements_of

from .tools import FAKE, children, fake, until


@pytest.fixture(autouse=True)
async def nothing_left() -> AsyncIterator[None]:
    before = children()
    yield
    await until(lambda: children() <= before, 2.0)


def contestant(mode: str, delay: int = 0, **changes: object) -> Contestant:
    return Contestant(mode, fake(mode, delay, name=mode, **changes))


def replay(tokens: tuple[str, ...]) -> Game:
    game = Game.new(Setup.MANUAL)
    script = Script(game)
    for token in tokens:
        script.play(token)
    return game


@pytest.mark.parametrize("setup", [Setup.BALANCED, Setup.MANUAL])
async def test_each_start_twice_with_colours_changed(setup: Setup) -> None:
    match = Match(contestant("good"), contestant("good"), Terms(setup, seed=3, nodes=1), 5)
    plies = 0

    def count() -> None:
        nonlocal plies
        plies += 1

    match.on_ply = count
    await match.run(2)
    played = sorted(match.played, key=lambda game: game.number)
    assert [game.number for game in played] == [1, 2, 3, 4, 5]
    assert [game.a for game in played] == [Side.WHITE, Side.BLACK] * 2 + [Side.WHITE]
    for one, other in pairwise(played):
        same = one.number % 2 == 1
        assert (one.tokens[:49] == other.tokens[:49]) is (same or setup is Setup.MANUAL)
        assert (one.board_seed == other.board_seed) is (same or setup is Setup.MANUAL)
    # Both are the same engine: what one wins as White the other wins with the same start.
    assert played[0].points + played[1].points == 1
    assert played[0].margin == -played[1].margin
    assert plies > 5 * 30
    for game in played:
        again = replay(game.tokens)
        assert again.position.over
        assert again.position.score == game.score
        assert game.fault == ""
        moves = sum(each.moves for each in game.efforts.values())
        assert moves == sum(token != "pass" for token in game.tokens) - 49 * (setup is Setup.BALANCED)
        assert all(each.depth == 4 * each.depths for each in game.efforts.values())
    repeated = Match(contestant("good"), contestant("good"), Terms(setup, seed=3, nodes=1), 2)
    await repeated.run()
    assert [game.tokens for game in repeated.played] == [game.tokens for game in played[:2]]


def test_a_board_as_placements() -> None:
    for seed in range(20):
        position = set_up(Setup.RANDOM, seed)
        assert replay(tuple(placements_of(position))).position == position


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("dying", "dying ended with status 3: Segmentation ?[31mfault in [/b]"),
        ("illegal", "illegal wanted to play a1a1, which is illegal: "),
        ("nonsense", "nonsense talks nonsense: "),
        ("deaf", "deaf does not answer: nothing came within 0.25 s"),
    ],
)
async def test_a_fault_loses_the_game_and_is_said(mode: str, told: str) -> None:
    match = Match(contestant("good"), contestant(mode), Terms(movetime=50), 2)
    await match.run()
    assert [game.points for game in match.played] == [1.0, 1.0]
    assert all(game.fault.startswith(told) for game in match.played)


async def test_time_is_measured_outside() -> None:
    """By move and by game; the one that keeps its time wins."""
    slow = contestant("stubborn", 260, grace=1.0)
    by_move = Match(slow, contestant("good"), Terms(movetime=60), 1)
    await by_move.run()
    (game,) = by_move.played
    assert game.points == 0
    assert re.fullmatch(r"stubborn thought 0\.\d{3} s, allowed 0.06 s", game.fault)
    by_game = Match(slow, contestant("good"), Terms(gametime=0.7), 1)
    await by_game.run()
    (game,) = by_game.played
    assert game.points == 0
    assert 2 <= game.efforts[Side.WHITE].moves <= 3
    assert re.fullmatch(r"stubborn used (0\.[78]|1\.)\d+ s of 0.7 s", game.fault)
    never = Contestant("slow", fake("slow", 9_000, name="slow"), Limits(patience=0.1))
    untimed = Match(contestant("good"), never, Terms(), 1)
    await untimed.run()
    assert untimed.played[0].fault == "slow did not answer within 0.1 s"


async def test_codecup_programs_play_whole_games_only() -> None:
    codecup = contestant("codecup")
    with pytest.raises(MatchFault, match="use --setup manual"):
        Match(codecup, contestant("good"), Terms(), 2)
    match = Match(codecup, contestant("good"), Terms(Setup.MANUAL, nodes=1), 2)
    await match.run()
    assert [game.fault for game in match.played] == ["", ""]
    command = (sys.executable, FAKE, "once", "0", "{position}")
    once = Contestant("once", Launch("once", command, ProtocolName.ONCE))
    drawn = Match(once, contestant("good"), Terms(nodes=1), 1)
    running = asyncio.create_task(drawn.run())
    await asyncio.sleep(0.5)
    assert not running.done() or drawn.played[0].fault == ""
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_what_cannot_be_started_or_set_ends_the_match() -> None:
    for wrong, told in (
        (contestant("no-start"), "no-start did not start: it ended with status 1: no licence"),
        (Contestant("x", Launch("x", ("/no/such",))), "x did not start: /no/such: No such file or directory"),
    ):
        match = Match(contestant("good"), wrong, Terms(nodes=1), 4)
        with pytest.raises(MatchFault) as caught:
            await match.run(2)
        assert str(caught.value) == told
    complaining = contestant("complaining")
    match = Match(complaining, contestant("good"), Terms(nodes=1), 4)
    with pytest.raises(MatchFault, match="complaining: no such option: colour"):
        await match.run(2)


async def test_a_cancelled_match_keeps_what_was_played() -> None:
    match = Match(contestant("good"), contestant("good"), Terms(nodes=1), 1_000)
    running = asyncio.create_task(match.run(2))
    await until(lambda: len(match.played) >= 2, 20)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert 2 <= len(match.played) < 1_000
