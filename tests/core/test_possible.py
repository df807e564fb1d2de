"""What shows that a position can never be: all of it, and where."""

from __future__ import annotations

import pytest
from hypothesis import given

from dvonn_tui.core.cells import CELL_NAMES, CELLS
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.pieces import EMPTY, Piece, Side, Stack
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position
from dvonn_tui.core.possible import faults_of, fitting_phase
from tests.core.wandering import settled_positions


def stacks_of(**cells: str) -> tuple[Stack, ...]:
    """A board from the pieces on its cells."""
    return tuple(
        tuple(Piece(letter) for letter in cells[name]) if name in cells else EMPTY for name in CELL_NAMES
    )


def told(stacks: tuple[Stack, ...], side: Side = Side.WHITE, phase: Phase | None = None) -> list[str]:
    """Every fault with the cells it speaks of."""
    position = Position(stacks, phase or fitting_phase(stacks), side)
    return [
        f"{fault.reason} @ {' '.join(CELL_NAMES[cell] for cell in fault.cells)}".removesuffix(" @ ")
        for fault in faults_of(position)
    ]


@given(settled_positions())
def test_whatever_can_be_played_has_no_fault(position: Position) -> None:
    if position.over:
        return
    assert faults_of(position) == ()
    # A few pieces that all lie alone can be of both phases.
    if position.phase is Phase.PLACEMENT or any(len(stack) > 1 for stack in position.stacks):
        assert fitting_phase(position.stacks) is position.phase


def test_all_faults_are_told_at_once() -> None:
    stacks = stacks_of(a1="r", b1="wr", c1="rw", d1="rb", f3="w", k5="bb")
    assert told(stacks) == [
        "a red piece is never on top of a stack @ b1",
        "4 red pieces: the game has 3 @ a1 b1 c1 d1",
        "not linked to a red piece: f3, k5 @ f3 k5",
    ]


def test_too_many_of_a_colour() -> None:
    stacks = tuple([(Piece.RED,)] + [(Piece.WHITE,)] * 24 + [(Piece.BLACK,)] * 24)
    assert told(stacks) == ["24 white pieces: the game has 23", "24 black pieces: the game has 23"]


def test_no_red() -> None:
    assert told(stacks_of(a1="ww", b1="b")) == [
        "there is no red piece, and in the movement phase red pieces never leave the board"
    ]


def test_the_first_move() -> None:
    pieces = [Piece.RED] * 3 + [Piece.WHITE] * 23 + [Piece.BLACK] * 23
    untouched = tuple((piece,) for piece in pieces)
    assert told(untouched, Side.BLACK) == ["White makes the first move"]
    assert told(untouched, Side.WHITE) == []


@pytest.mark.parametrize(
    ("cells", "phase"),
    [
        ({}, Phase.PLACEMENT),
        ({"a1": "r", "k5": "r", "f3": "r", "c1": "b"}, Phase.PLACEMENT),
        ({"a1": "r", "b1": "w"}, Phase.MOVEMENT),
        ({"a1": "rw"}, Phase.MOVEMENT),
    ],
)
def test_the_phase_follows_from_the_stacks(cells: dict[str, str], phase: Phase) -> None:
    assert fitting_phase(stacks_of(**cells)) is phase


def test_the_turn_while_placing() -> None:
    stacks = stacks_of(a1="r", k5="r", f3="r", c1="b")
    assert told(stacks, Side.BLACK) == ["after 4 placements it is White's turn"]
    assert told(stacks, Side.WHITE) == []


def test_a_full_board_is_no_placement() -> None:
    pieces = [Piece.RED] * 3 + [Piece.WHITE] * 23 + [Piece.BLACK] * 23
    full = tuple((piece,) for piece, _ in zip(pieces, CELLS, strict=True))
    assert fitting_phase(full) is Phase.MOVEMENT
    assert told(full) == []
    assert told(full, phase=Phase.PLACEMENT) == ["all pieces are placed: the phase is m"]


def test_what_has_no_fault_can_be_written_and_read() -> None:
    for position in (EMPTY_BOARD, Position(stacks_of(a1="rw", b1="b"), Phase.MOVEMENT, Side.BLACK)):
        assert faults_of(position) == ()
        assert parse_position(format_position(position)) == position
