"""What engines say, read; CodeCup's way from the first placement to the end; one move a start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import EMPTY_BOARD
from dvonn_tui.core.rules import decide, legal_moves, legal_placements
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.codecup import CodeCupProtocol, fill_in, takes_position
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.engine_trouble import EngineTrouble, TroubleKind
from dvonn_tui.play.protocols import ProtocolName, read_thought
from dvonn_tui.play.thoughts import History, Limits, Question, Thought, history_of
from dvonn_tui.records.states import state_text

from .tools import FAKE, FULL, fake

SOON = Limits(movetime=50)
RECORDS = Path(__file__).parents[1] / "data" / "records"
QUESTION = Question(FULL, History(FULL))


@pytest.mark.parametrize(
    ("line", "thought"),
    [
        (
            "depth 7 multipv 2 score points -31 nodes 9 nps 80 time 4 pv a1b2 pass",
            Thought(FULL, 2, -31, False, False, 7, 9, 80, ("a1b2", "pass")),
        ),
        ("depth 9 score margin 7 solved pv a1b2", Thought(FULL, 1, 7, True, True, 9, 0, 0, ("a1b2",))),
        ("depth 9 score margin 7 pv a1b2", Thought(FULL, 1, 7, True, False, 9, 0, 0, ("a1b2",))),
        ("score 5 lowerbound", Thought(FULL, 1, 5, bound="lower")),
        ("score 5 pv \x1b[2J", Thought(FULL, 1, 5, line=("?[2J",))),
        ("score", None),
        ("score points", None),
        ("score margin x pv a1b2", None),
        ("score 9999999999999999999999", None),
        ("depth ² score 1", None),
        ("depth 5", None),
        ("string error: score 5", None),
        ("", None),
    ],
)
def test_reading_thoughts(line: str, thought: Thought | None) -> None:
    assert read_thought(QUESTION, line.split()) == thought


async def test_what_codecup_programs_are_told() -> None:
    """A recorded game with passes, seen by both sides."""
    tokens = (RECORDS / "random60.log").read_text().split("\n")[0].split()[1:]
    for side, first in ((Side.WHITE, "Start"), (Side.BLACK, "H2")):
        said: list[str] = []
        protocol = CodeCupProtocol("Fake", said.append)
        script = Script(game := Game.new(Setup.MANUAL))
        rest = list(tokens)
        known = 0
        while rest:
            position = game.position
            if position.side is side:
                question = Question(position, history_of(game))
                assert protocol.fits(question)
                search = protocol.ask(question, SOON, None)
                history = history_of(game)
                news = zip(history.tokens[known:], history.sides[known:], strict=True)
                for _ in range(list(news).count(("pass", side))):
                    protocol.hear("PASS", 0.0)
                    assert not search.answer.done()
                protocol.hear(rest[0].upper(), 0.0)
                assert search.answer.result().token == rest[0]
                known = len(history.tokens) + 1
            script.play(rest.pop(0))
            if rest and rest[0] == "pass":
                script.play(rest.pop(0))
        history = history_of(game)
        assert history.tokens == tuple(tokens)
        theirs = [t.upper() for t, by in zip(history.tokens, history.sides, strict=True) if by is not side]
        expected = (["Start"] if side is Side.WHITE else []) + theirs
        assert said == expected[: len(said)]
        assert len(expected) - len(said) <= 3
        assert said[0] == first


async def test_a_whole_game_between_codecup_and_our_own_lines() -> None:
    for white, black in (("codecup", "good"), ("good", "codecup")):
        links = {Side.WHITE: EngineLink(fake(white)), Side.BLACK: EngineLink(fake(black))}
        game = Game.new(Setup.MANUAL)
        asked = Limits(depth=1)
        while not game.position.over:
            link = links[game.position.side]
            game.play((await link.choose(game.position, asked, history_of(game))).action)
        for link in links.values():
            await link.close()
        assert game.head.ply > 60


async def test_a_codecup_program_goes_on_only_with_what_it_has_followed() -> None:
    link = EngineLink(fake("codecup"))
    with pytest.raises(EngineTrouble) as caught:
        await link.choose(FULL, SOON)
    assert caught.value.kind is TroubleKind.UNABLE
    assert "only go on with a game that it has followed from the first placement" in caught.value.line
    game = Game.new(Setup.MANUAL)
    game.play(legal_placements(game.position)[5])
    game.play((await link.choose(game.position, SOON, history_of(game))).action)
    first = link.pid
    game.play(legal_placements(game.position)[9])
    game.play((await link.choose(game.position, SOON, history_of(game))).action)
    assert link.pid == first
    game.undo()
    game.undo()
    game.play(legal_placements(game.position)[11])
    with pytest.raises(EngineTrouble, match="only go on with"):
        await link.choose(game.position, SOON, history_of(game))
    while game.undo():
        pass
    game.play(legal_placements(game.position)[7])
    assert (await link.choose(game.position, SOON, history_of(game))).action
    assert link.pid != first
    await link.close()


async def test_a_cheating_codecup_program() -> None:
    link = EngineLink(fake("codecup-illegal"))
    game = Game.new(Setup.MANUAL)

    async def play_on() -> None:
        while True:
            action = legal_placements(game.position)[0]
            if game.position.side is Side.WHITE:
                action = (await link.choose(game.position, SOON, history_of(game))).action
            game.play(action)

    with pytest.raises(EngineTrouble) as caught:
        await play_on()
    assert caught.value.kind is TroubleKind.CHEATING
    assert caught.value.line == "Fake wanted to play a1, which is illegal: a1 is taken: choose an empty cell"
    await link.close()


async def test_one_move_a_start() -> None:
    command = (sys.executable, FAKE, "once", "{movetime}", "{position}")
    link = EngineLink(Launch("Fake", command, ProtocolName.ONCE, values={"movetime": "5"}))
    await link.start()
    assert not link.running
    for position in (FULL, EMPTY_BOARD):
        decide(position, (await link.choose(position, SOON)).action)
    await link.close()


def test_places_in_commands() -> None:
    values = {"movetime": "200", "seed": "7"}
    filled = fill_in(["x", "--t={movetime}", "{seed}{state}", "{position}"], QUESTION, values)
    assert filled == ["x", "--t=200", "7" + str(state_text(FULL)), format_position(FULL)]
    assert takes_position(["x", "--state={state}"])
    assert not takes_position(["x", "state"])


def test_the_state_that_primadvonna_reads() -> None:
    assert state_text(EMPTY_BOARD) == "A" * 50
    stuck = parse_position("9/10/3(rwb)7/10/9 b m")
    text = state_text(stuck)
    assert text is not None
    assert text[0] == "D"
    # Height 3, red inside, Black: 4 * 3 + 2 + 1 - 2.
    assert text[1 + 19 + 3] == "N"
    assert text.count("A") == 48
    full = state_text(FULL)
    assert full is not None
    assert {digit: full[1:].count(digit) for digit in "BCD"} == {"B": 3, "C": 23, "D": 23}
    assert full[0] == "C"
    assert len(legal_moves(FULL)) > 0
