"""The troubles of other programs of this kind, each with the value that is right."""

from __future__ import annotations

import copy
import pickle

import pytest

from dvonn_tui.core.cells import CELL_NAMES, CELLS, NEIGHBOURS, RIM, opposite
from dvonn_tui.core.errors import DvonnError, IllegalAction, NotationError
from dvonn_tui.core.events import GameEnded, Move, PiecePlaced, Place, StacksRemoved, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_position, parse_cell, parse_position, parse_token
from dvonn_tui.core.pieces import Piece, Side, holds_red, owner
from dvonn_tui.core.position import Phase, Position, Reason
from dvonn_tui.core.rules import decide, legal_moves, stacks_of, targets, why_stuck
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.core.view import View

from .tools import (
    FULL,
    board,
    cell,
    ending,
    first_legal,
    held,
    kinds,
    move,
    named,
    names,
    refusal,
    removed_by,
)

WHITE, BLACK = Side.WHITE, Side.BLACK


def moves(position: Position) -> list[str]:
    """The legal moves, sorted."""
    return named(legal_moves(position))


def test_whole_game() -> None:
    """Always the alphabetically first move, from the board filled in row order."""
    game = Game.at(FULL)
    assert game.position.score == (23, 23)
    played = []
    while not game.position.over:
        chosen = first_legal(game.position)
        played += named([chosen])
        game.play(chosen)
    assert len(played) == 34
    assert played[:4] == ["B4A3", "A2A1", "A3A1", "C4B3"]
    assert played[-3:] == ["I2H2", "H3H2", "I3H2"]
    events = [entry.event for entry in game.log]
    assert not any(isinstance(event, TurnPassed) for event in events)
    removals = [entry for entry in game.log if isinstance(entry.event, StacksRemoved)]
    assert len(removals) == 2
    assert removals[0].ply + 49 == 79
    assert played[removals[0].ply - 1] == "H5G5"
    assert removed_by([removals[0].event]) == {"G5": "WB"}
    assert sum(len(pieces) for pieces in removed_by(events).values()) == 23
    left = held(game.position)
    assert {name: (len(pieces), pieces[-1]) for name, pieces in left.items()} == {
        "E1": (11, "W"),
        "G1": (11, "B"),
        "H2": (4, "B"),
    }
    highest = max(len(pieces) for entry in game.log for pieces in entry.position.stacks)
    assert highest == 11
    assert (ending(game).score, ending(game).winner) == ((11, 15), BLACK)
    assert ending(game).reason is Reason.NO_MOVES


# D01: the board.


def test_d01_the_49_cells() -> None:
    """Rows of 9, 10, 11, 10 and 9 cells; six corners that do not exist."""
    rows = {"1": "abcdefghi", "2": "abcdefghij", "3": "abcdefghijk", "4": "bcdefghijk", "5": "cdefghijk"}
    assert list(CELL_NAMES) == [letter + row for row, letters in rows.items() for letter in letters]
    assert len(CELLS) == len(set(CELL_NAMES)) == 49


@pytest.mark.parametrize("name", ["J1", "K1", "K2", "A4", "A5", "B5", "j1", "L3", "A0", "C6"])
def test_d01_no_such_cell(name: str) -> None:
    """Corners of the frame that are no cells, typed in any form."""
    for text in (name, f"{name}A1", f"A1{name}", f"a1-{name}"):
        with pytest.raises(NotationError) as refused:
            parse_token(text)
        assert refused.value.reason == f"no such cell: {name}"
        assert refused.value.place == text.index(name)
    with refusal(NotationError, f"no such cell: {name}"):
        parse_cell(name)


@pytest.mark.parametrize("number", [49, 50, 1000, -1, -49])
def test_d01_no_such_cell_number(number: int) -> None:
    """A number that is no cell is refused as such, never counted from the end."""
    game = Game.at(FULL)
    for wrong in (Move(number, cell("A1")), Move(cell("B4"), number)):  # type: ignore[arg-type]
        with refusal(IllegalAction, f"no such cell: {number}"):
            game.play(wrong)
    assert (game.position, len(game.log)) == (FULL, 1)
    manual = Game.new(Setup.MANUAL)
    with refusal(IllegalAction, f"no such cell: {number}"):
        manual.play(Place(number))  # type: ignore[arg-type]
    assert len(manual.log) == 1


def test_d01_neighbours() -> None:
    """The six tips of the board, the rim, and that neighbours are neighbours of each other."""
    expected = {
        "A1": "A2 B1 B2",
        "I1": "H1 I2 J2",
        "A3": "A2 B3 B4",
        "K3": "J2 J3 K4",
        "C5": "B4 C4 D5",
        "K5": "J4 J5 K4",
    }
    for name, around in expected.items():
        assert " ".join(names(NEIGHBOURS[cell(name)])) == around
    assert len(RIM) == 24
    assert sum(len(around) == 6 for around in NEIGHBOURS) == 25
    assert sum(len(around) for around in NEIGHBOURS) == 240
    assert all(one in NEIGHBOURS[other] for one in CELLS for other in NEIGHBOURS[one])
    assert all(opposite(opposite(each)) == each for each in CELLS)


# D03, D05: what a stack may do.


def test_d03_a_distance_is_not_a_line() -> None:
    """D3-E5 is two steps but bent: White, with nothing else, passes by itself."""
    game = Game.at(board("D3=RW D4=B E4=B E5=B"))
    assert kinds(game.log) == ["GameStarted", "TurnPassed"]
    assert game.position.side is BLACK
    assert len(legal_moves(game.position)) == 8
    with refusal(IllegalAction, "e5 is not in a straight line from d3"):
        decide(board("D3=RW D4=B E4=B E5=B"), move("D3-E5"))


def test_d03_the_other_diagonal_is_none() -> None:
    """E2 is no neighbour of D3."""
    position = board("D2=R D3=W E2=B")
    assert moves(position) == ["D3D2"]
    with refusal(IllegalAction, "e2 is not in a straight line from d3"):
        decide(position, move("D3-E2"))


def test_d05_surrounded_by_pieces_not_by_the_board() -> None:
    """A stack is free again as soon as a neighbour has left."""
    position = board("E3=B D3=R F3=W E2=W E4=W D2=W F4=W", BLACK)
    assert legal_moves(position) == ()
    game = Game.at(Position(position.stacks, position.phase, WHITE))
    game.play(move("F3-F4"))
    assert moves(game.position) == ["E3D2", "E3D3", "E3E2", "E3E4", "E3F4"]


def test_d05_only_the_rim_moves_first() -> None:
    """On a full board the stacks that can move are those of the rim."""
    for side in Side:
        free = {each for each in stacks_of(FULL, side) if targets(FULL, each)}
        assert free == set(RIM) & set(stacks_of(FULL, side))
    assert {made.source for made in legal_moves(FULL)} <= set(RIM)


# D07, D09: what is cut off.


def test_d07_own_stacks_leave_as_well() -> None:
    """All that has lost its red goes at once, whoever owns it."""
    game = Game.at(board("C3=R D3=W E3=B F3=W"))
    entries = game.play(move("D3-C3"))
    assert kinds(entries) == ["StackMoved", "StacksRemoved", "GameEnded"]
    assert removed_by(entry.event for entry in entries) == {"E3": "B", "F3": "W"}
    assert held(game.position) == {"C3": "RW"}
    assert (game.position.score, ending(game).winner) == ((2, 0), WHITE)


def test_d09_red_travels_with_its_stack() -> None:
    """E4 and E5 lose the red that was carried off from under them."""
    position = board("E3=WRB E4=W E5=W H3=W H2=R", BLACK)
    entries = Game.at(position).play(move("E3-H3"))
    assert removed_by(entry.event for entry in entries) == {"E4": "W", "E5": "W"}
    assert held(entries[-1].position) == {"H3": "WWRB", "H2": "R"}


def test_d09_red_alone_is_nobodys() -> None:
    """White has no move; Black has one; red has none, and the reason says so."""
    game = Game.at(board("D3=R E3=B"))
    assert kinds(game.log) == ["GameStarted", "TurnPassed"]
    assert moves(game.position) == ["E3D3"]
    assert why_stuck(game.position, cell("D3")) == "a red piece never moves alone"
    assert targets(game.position, cell("D3")) == ()
    with refusal(IllegalAction, "a red piece never moves alone"):
        game.play(move("D3-E3"))
    assert moves(board("D3=RB E3=W F3=W", BLACK)) == ["D3F3"]


# D11: whose turn it is.


def test_d11_white_places_last_and_moves_first() -> None:
    """Placement in row order, and the way back over its border."""
    game = Game.new(Setup.MANUAL)
    for place in CELLS:
        placed = game.play(Place(place))[0]
        assert isinstance(placed.event, PiecePlaced)
        number = placed.ply
        assert placed.event.by is (WHITE if number % 2 else BLACK)
        own = Piece.WHITE if number % 2 else Piece.BLACK
        assert placed.event.piece is (Piece.RED if number <= 3 else own)
        if number == 48:
            assert (game.position.phase, game.position.side) == (Phase.PLACEMENT, WHITE)
    assert game.position == FULL
    assert (game.position.phase, game.position.side) == (Phase.MOVEMENT, WHITE)
    game.play(first_legal(game.position))
    assert (game.head.ply, game.position.side) == (50, BLACK)
    view = View(game)
    seen = [(view.index, view.position.phase, view.position.side)]
    while view.step(-1) and view.index >= 48:
        seen.append((view.index, view.position.phase, view.position.side))
    assert seen == [
        (50, Phase.MOVEMENT, BLACK),
        (49, Phase.MOVEMENT, WHITE),
        (48, Phase.PLACEMENT, WHITE),
    ]
    assert [ply.label for ply in game.plies()] == ["", *(f"p{number}" for number in range(1, 50)), "1"]


# D13, D15: passing, the end and the score.


def test_d13_passing_again_and_again() -> None:
    """Black cannot move and passes each time, until White cannot either."""
    game = Game.at(board("A3=RW B3=W C3=W D3=W E3=W", BLACK))
    assert kinds(game.log) == ["GameStarted", "TurnPassed"]
    assert (game.position.score, game.position.over, game.position.side) == ((6, 0), False, WHITE)
    assert len(legal_moves(game.position)) == 8
    while not game.position.over:
        entries = game.play(first_legal(game.position))
        event = entries[-1].event
        assert isinstance(event, TurnPassed | GameEnded)
        assert isinstance(event, GameEnded) or (event.by, game.position.side) == (BLACK, WHITE)
    assert len(game.plies()) > 4
    assert not any(targets(game.position, each) for each in CELLS)
    assert ending(game).winner is WHITE


@pytest.mark.parametrize("side", Side)
def test_d15_like_stacks_count_twice(side: Side) -> None:
    """Two stacks of the same pieces are two stacks."""
    game = Game.at(board("A3=WBW B3=R C3=WBW C4=WWWBB", side))
    assert kinds(game.log) == ["GameStarted", "GameEnded"]
    assert ending(game) == GameEnded(WHITE, Reason.NO_MOVES, game.position.score)
    assert game.position.score == (6, 5)


@pytest.mark.parametrize("side", Side)
def test_d15_equal_is_a_draw(side: Side) -> None:
    """Nobody wins three to three."""
    game = Game.at(board("A3=WBW B3=R C3=BWB", side))
    assert (game.position.over, game.position.score) == (True, (3, 3))
    assert ending(game).winner is None


# D18: high stacks survive every way out and in.


@pytest.mark.parametrize("letters", ["R" + "WB" * 9 + "W", "R" + "WB" * 4 + "W", "RRR" + "WB" * 22 + "W"])
def test_d18_high_stacks_round_trip(letters: str) -> None:
    """Heights 10, 20 and 48: text, copy and pickle, piece for piece."""
    position = board(f"C3={letters} D3=B")
    text = format_position(position)
    assert f"2({letters.lower()})b7" in text
    for again in (parse_position(text), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert again == position
        assert hash(again) == hash(position)
        assert held(again) == {"C3": letters, "D3": "B"}
        assert again.score == (len(letters), 1)
    game = Game.at(position)
    assert kinds(game.log) == ["GameStarted", "TurnPassed"]
    assert moves(game.position) == ["D3C3"]


# D21: stepping.


def test_d21_stepping_stops_at_both_ends() -> None:
    """Five times beyond each end; what is seen always belongs to one ply."""
    game = Game.at(FULL)
    while not game.position.over:
        game.play(first_legal(game.position))
    before = game.log
    view = View(game)
    last = len(view.plies) - 1
    assert view.index == last == 34
    for _ in range(5):
        assert not view.step(1)
        assert (view.index, view.live, view.entry) == (last, True, game.head)
    for index in range(last - 1, -1, -1):
        assert view.step(-1)
        ply = view.plies[index]
        assert (view.index, view.entry, view.position) == (index, ply.last, ply.last.position)
        assert view.entry.ply == index
        assert view.position.side is (BLACK if index % 2 else WHITE)
        assert not view.live
    for _ in range(5):
        assert not view.step(-1)
        assert (view.index, view.position) == (0, FULL)
    assert view.step(1000)
    assert view.live
    assert view.step(-1000)
    assert view.index == 0
    assert game.log == before


def test_d21_stepping_back_brings_the_removed_stacks_back() -> None:
    """E3 and F3 of D07, piece for piece."""
    start = board("C3=R D3=W E3=B F3=W")
    game = Game.at(start)
    game.play(move("D3-C3"))
    view = View(game)
    assert held(view.position) == {"C3": "RW"}
    assert view.step(-1)
    assert view.position == start
    assert view.step(1)
    assert view.position == game.position


# D27: a random start.


def test_d27_a_thousand_random_starts() -> None:
    """Whole boards, plausible rates, the seed kept."""
    red = dict.fromkeys(CELLS, 0)
    white = dict.fromkeys(CELLS, 0)
    for seed in range(1000):
        position = set_up(Setup.RANDOM, seed)
        assert [position.count(piece) for piece in (Piece.RED, Piece.WHITE, Piece.BLACK)] == [3, 23, 23]
        assert all(len(pieces) == 1 for pieces in position.stacks)
        assert (position.phase, position.side, position.score) == (Phase.MOVEMENT, WHITE, (23, 23))
        for place in CELLS:
            red[place] += position.stacks[place] == (Piece.RED,)
            white[place] += position.stacks[place] == (Piece.WHITE,)
    assert all(31 <= count <= 91 for count in red.values())
    assert all(390 <= count <= 550 for count in white.values())
    game = Game.new(Setup.RANDOM, 27)
    assert game.started.seed == 27
    assert Game.new(Setup.RANDOM, 27).log == game.log


# G07: seeing into a stack.


def test_g07_what_a_stack_holds() -> None:
    """Pieces top to bottom, owner, height, red inside and the targets."""
    position = board("C3=WWRB G3=W C4=B D4=W F3=W", BLACK)
    place = cell("C3")
    pieces = position.stacks[place]
    assert "".join(reversed(pieces)).upper() == "BRWW"
    assert (len(pieces), holds_red(pieces), owner(pieces)) == (4, True, BLACK)
    assert names(targets(position, place)) == ["G3"]
    assert targets(position, place) == targets(Position(position.stacks), place), "whoever's turn it is"
    assert why_stuck(position, place) is None
    assert not holds_red(position.stacks[cell("G3")])


def test_every_refusal_is_a_dvonn_error() -> None:
    """One class to catch."""
    assert issubclass(IllegalAction, DvonnError)
    assert issubclass(NotationError, DvonnError)
