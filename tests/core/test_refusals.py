"""The sentences that a player reads when the game says no."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.errors import DvonnError, GameFinished, IllegalAction, NotationError
from dvonn_tui.core.events import Action, AgreeDraw, Forfeit, Place, PlaceRest, Resign, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_position, parse_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position, Reason
from dvonn_tui.core.rules import check_move, check_placement, check_source, decide, why_stuck
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup

from .tools import FULL, board, cell, move, refusal

NO_PASS = "nobody passes here: a side that can move must move"

RING = "C3=B E3=B C2=B D2=R D4=B E4=B"
"""Six pieces around D3."""

STACKS = board("D3=WBW E3=R F3=B E4=B C3=W D4=W")

MOVES = [
    (board(f"{RING} D3=W"), "D3-E3", "d3 is surrounded on all six sides", "D3"),
    (board(f"{RING} D3=WW"), "D3-F3", "d3 is surrounded on all six sides", "D3"),
    (board("D3=R E3=W"), "D3-E3", "a red piece never moves alone", "D3"),
    (board("C5=RWW E5=W"), "C5-E5", "a stack of 3 moves exactly 3: e5 is 2 away", "E5"),
    (STACKS, "D3-E3", "a stack of 3 moves exactly 3: e3 is 1 away", "E3"),
    (STACKS, "D3-D3", "a stack of 3 moves exactly 3: d3 is where it stands", "D3"),
    (STACKS, "D3-G3", "g3 is empty: a move ends on a piece or a stack", "G3"),
    (STACKS, "D3-F2", "f2 is not in a straight line from d3", "F2"),
    (STACKS, "C3-D2", "d2 is not in a straight line from c3", "D2"),
    (STACKS, "C3-C4", "c4 is empty: a move ends on a piece or a stack", "C4"),
    (STACKS, "F3-E3", "f3 is Black's, and it is White's turn", "F3"),
    (board("D3=W E3=R", Side.BLACK), "D3-E3", "d3 is White's, and it is Black's turn", "D3"),
    (board(f"{RING} D3=W", Side.BLACK), "D3-E3", "d3 is White's, and it is Black's turn", "D3"),
    (STACKS, "A1-B1", "a1 is empty", "A1"),
    (EMPTY_BOARD, "A1-B1", "the pieces are still being placed: choose an empty cell", None),
]


@pytest.mark.parametrize(("position", "text", "sentence", "place"), MOVES, ids=[case[2] for case in MOVES])
def test_moves(position: Position, text: str, sentence: str, place: str | None) -> None:
    """Each rule that a move can break has its sentence, and the cell that it speaks of."""
    for refuse in (lambda: decide(position, move(text)), lambda: check_move(position, *_cells(text))):
        with pytest.raises(IllegalAction) as refused:
            refuse()
        assert refused.value.reason == str(refused.value) == sentence
        assert refused.value.cell == (None if place is None else cell(place))


def _cells(text: str) -> tuple[Cell, Cell]:
    made = move(text)
    return made.source, made.target


STUCK = [
    (board("A3=RW B3=W"), "A3", "a3 finds no stack exactly 2 away in a straight line"),
    (board(f"{RING} D3=W"), "D3", "d3 is surrounded on all six sides"),
    (board("D3=R E3=W"), "D3", "a red piece never moves alone"),
    (STACKS, "A1", "a1 is empty"),
]


@pytest.mark.parametrize(("position", "name", "sentence"), STUCK)
def test_stacks_that_cannot_move(position: Position, name: str, sentence: str) -> None:
    """Why a stack is not even picked up."""
    assert why_stuck(position, cell(name)) == sentence
    with refusal(IllegalAction, sentence):
        check_source(position, cell(name))


def test_sources() -> None:
    """A stack of the side to move with a target is picked up; other sources are refused."""
    check_source(STACKS, cell("C3"))
    with refusal(IllegalAction, "f3 is Black's, and it is White's turn"):
        check_source(STACKS, cell("F3"))
    with refusal(IllegalAction, "no such cell: 99"):
        check_source(STACKS, 99)  # type: ignore[arg-type]
    with refusal(IllegalAction, "the pieces are still being placed: choose an empty cell"):
        check_source(EMPTY_BOARD, cell("C3"))


def test_placements() -> None:
    """A taken cell, and placing when all is placed."""
    position = board("C3=R", Side.BLACK, Phase.PLACEMENT)
    with pytest.raises(IllegalAction) as refused:
        decide(position, Place(cell("C3")))
    assert (refused.value.reason, refused.value.cell) == ("c3 is taken: choose an empty cell", cell("C3"))
    for action in (Place(cell("C3")), PlaceRest(1)):
        with refusal(IllegalAction, "all pieces are placed: move a stack"):
            decide(FULL, action)


@pytest.mark.parametrize("seed", [-1, 2**63, 10**4000])
def test_a_seed_out_of_range(seed: int) -> None:
    """The rest cannot be placed from any number; the game is as before."""
    game = Game.new(Setup.MANUAL)
    with pytest.raises(IllegalAction, match="a seed is a whole number from 0 to 9223372036854775807"):
        game.play(PlaceRest(seed))
    assert len(game.log) == 1
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Game.new(Setup.RANDOM, seed)


def finished() -> list[Game]:
    """Games over by the rules, by resignation and forfeit in each phase and by agreement."""
    games = [Game.at(board("A3=WBW B3=R C3=BWB"))]
    for position, action in (
        (FULL, Resign(Side.WHITE)),
        (EMPTY_BOARD, Resign(Side.BLACK)),
        (FULL, AgreeDraw()),
        (FULL, Forfeit(Side.BLACK, Reason.TIME)),
        (EMPTY_BOARD, Forfeit(Side.WHITE, Reason.ABSENCE)),
    ):
        game = Game.at(position)
        game.play(action)
        games.append(game)
    return games


ACTIONS: list[Action] = [
    Place(cell("A1")),
    PlaceRest(1),
    move("B4-A3"),
    move("A3-B3"),
    Resign(Side.WHITE),
    AgreeDraw(),
    Forfeit(Side.WHITE, Reason.TIME),
]


@pytest.mark.parametrize("reason", [Reason.NO_MOVES, Reason.RESIGNATION, Reason.AGREEMENT])
def test_a_game_is_forfeited_by_time_or_absence_only(reason: Reason) -> None:
    """What else ends a game has its own action, or none."""
    game = Game.at(FULL)
    with pytest.raises(IllegalAction, match=f"no game is forfeited by {reason}"):
        game.play(Forfeit(Side.WHITE, reason))
    assert len(game.log) == 1


@pytest.mark.parametrize("game", finished())
def test_a_finished_game(game: Game) -> None:
    """Whatever is done, and however it is asked, the answer is that the game is over."""
    before = game.log
    asked: list[Callable[[], object]] = [
        lambda: check_move(game.position, *_cells("B4-A3")),
        lambda: check_source(game.position, cell("A1")),
        lambda: check_placement(game.position, cell("A1")),
        lambda: Script(game).play("pass"),
        lambda: Script(game).play("b4a3"),
    ]
    for action in ACTIONS:
        asked += [lambda action=action: game.play(action)]  # type: ignore[misc]
    for ask in asked:
        with pytest.raises(GameFinished) as refused:
            ask()
        assert refused.value.reason == "the game is over"
    assert game.log == before


TEXTS = [
    ("", "there is nothing to read: a placement is c3, a move a1b2, or pass, resign, draw", 0),
    ("hello", "cannot read 'hello': a placement is c3, a move a1b2, or pass, resign, draw", 0),
    ("j1", "no such cell: j1", 0),
    ("a1j1", "no such cell: j1", 2),
    ("a1-j1", "no such cell: j1", 3),
    ("\x1b[31m", "cannot read '?[31m': a placement is c3, a move a1b2, or pass, resign, draw", 0),
]


@pytest.mark.parametrize(("text", "sentence", "place"), TEXTS)
def test_texts(text: str, sentence: str, place: int) -> None:
    """Text that cannot be read: the place and the reason."""
    with pytest.raises(NotationError) as refused:
        parse_token(text)
    assert (refused.value.reason, refused.value.place, refused.value.text) == (sentence, place, text)
    assert str(refused.value) == f"{sentence} (at character {place + 1})"


def test_passing_is_not_done_by_a_player() -> None:
    """A pass is read right where one was recorded, once, and nowhere else."""
    script = Script(Game.at(board("A3=RW B3=W C3=W D3=W E3=W", Side.BLACK)))
    assert script.play("pass") == ()
    with refusal(IllegalAction, NO_PASS):
        script.play("pass")
    script.play("e3d3")
    script.play("PASS")
    later = Script(script.game)
    assert later.play("pass") == ()
    with refusal(IllegalAction, NO_PASS):
        Script(Game.new(Setup.MANUAL)).play("pass")


def test_a_refused_token_uses_no_pass_up() -> None:
    """A slip of the finger before the pass is written."""
    script = Script(Game.at(board("A3=RW B3=W C3=W D3=W E3=W", Side.BLACK)))
    for slip in ("e3e4", "x", "e3"):
        with pytest.raises(DvonnError):
            script.play(slip)
    assert script.play("pass") == ()


def test_an_old_pass_is_no_pass_here() -> None:
    """A game that goes on after a pass long ago."""
    game = Game.at(parse_position("b8/1bb7/1bwb7/1rb7/9 w m"))
    assert isinstance(game.head.event, TurnPassed)
    game.play(move("C4-C5"))
    assert not game.position.over
    with refusal(IllegalAction, NO_PASS):
        Script(game).play("pass")


def test_resigning_in_tokens() -> None:
    """The side to act resigns; where passes are written, the side that would write one."""
    start = board("A3=RW B3=W C3=W D3=W E3=W", Side.BLACK)
    winners = []
    for tokens in (
        ["resign"],
        ["pass", "resign"],
        ["pass", "e3d3", "resign"],
        ["e3d3", "resign"],
        ["pass", "e3d3", "d3b3", "resign"],
    ):
        script = Script(Game.at(start))
        for token in tokens:
            script.play(token)
        outcome = script.game.position.outcome
        assert outcome is not None
        winners.append(outcome.winner)
    assert winners == [Side.BLACK, Side.BLACK, Side.WHITE, Side.BLACK, Side.BLACK]
