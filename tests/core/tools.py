"""Building positions, playing games and a second, plain telling of the rules to hold the core against."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dvonn_tui.core.cells import CELL_NAMED, CELL_NAMES, CELLS, COORDINATES, Cell
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import (
    AgreeDraw,
    Event,
    Forfeit,
    GameEnded,
    Move,
    Place,
    PlaceRest,
    Resign,
    StacksRemoved,
    evolve,
)
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import CellMark, Entry, Mark, MarkKind
from dvonn_tui.core.notation import format_stack
from dvonn_tui.core.pieces import EMPTY, Piece, Side, Stack
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position, Reason
from dvonn_tui.core.rules import legal_moves, legal_placements

DATA = Path(__file__).resolve().parent.parent / "data"

FULL_STACKS: tuple[Stack, ...] = tuple(
    (Piece.RED,) if cell < 3 else ((Piece.BLACK, Piece.WHITE)[(cell - 3) % 2],) for cell in CELLS
)
FULL = Position(FULL_STACKS, Phase.MOVEMENT, Side.WHITE)
"""All cells filled in row order with R, R, R and then B, W, B, W and so on."""


def cell(name: str) -> Cell:
    """The cell of a name in either case."""
    return CELL_NAMED[name.lower()]


def stack(letters: str) -> Stack:
    """A stack from letters bottom to top."""
    return tuple(Piece(letter) for letter in letters.lower())


def board(cells: str, side: Side = Side.WHITE, phase: Phase = Phase.MOVEMENT) -> Position:
    """A position from ``C3=WRB D3=W`` and the like, stacks bottom to top."""
    stacks = [EMPTY] * len(CELLS)
    for name, letters in re.findall(r"(\w\d)=(\w+)", cells):
        stacks[cell(name)] = stack(letters)
    return Position(tuple(stacks), phase, side)


def held(position: Position) -> dict[str, str]:
    """The occupied cells in upper case and their stacks bottom to top, as `board` takes them."""
    return {
        CELL_NAMES[place].upper(): "".join(pieces).upper()
        for place, pieces in enumerate(position.stacks)
        if pieces
    }


def move(text: str) -> Move:
    """A move from ``D3-C3`` or ``D3C3``."""
    source, target = re.findall(r"\w\d", text)
    return Move(cell(source), cell(target))


def named(moves: Iterable[Move]) -> list[str]:
    """Moves as sorted upper-case text."""
    return sorted((CELL_NAMES[each.source] + CELL_NAMES[each.target]).upper() for each in moves)


def names(cells: Iterable[int]) -> list[str]:
    """Cells as sorted upper-case text."""
    return sorted(CELL_NAMES[each].upper() for each in cells)


def kinds(entries: Iterable[Entry]) -> list[str]:
    """The names of the events of entries."""
    return [type(entry.event).__name__ for entry in entries]


def choices_of(position: Position) -> tuple[Move | Place, ...]:
    """The moves or placements of the side to act."""
    return legal_moves(position) or legal_placements(position)


def removed_by(events: Iterable[Event | Mark]) -> dict[str, str]:
    """What the events took off the board."""
    return {
        CELL_NAMES[place].upper(): format_stack(pieces).strip("()").upper()
        for event in events
        if isinstance(event, StacksRemoved)
        for place, pieces in event.cells
    }


@contextmanager
def refusal(kind: type[DvonnError], sentence: str) -> Iterator[None]:
    """Expect a refusal of a kind with exactly this reason."""
    with pytest.raises(kind) as refused:
        yield
    assert refused.value.reason == sentence


def lines_of(name: str) -> list[dict[str, Any]]:
    """The records of a JSON-lines file of the data folder."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines() if line]


def fold(entries: Iterable[Entry]) -> Position:
    """The position that the events of entries lead to, from nothing."""
    position = EMPTY_BOARD
    for entry in entries:
        assert not isinstance(entry.event, Mark)
        position = evolve(position, entry.event)
    return position


def first_legal(position: Position) -> Move:
    """The alphabetically first legal move."""
    return min(legal_moves(position), key=lambda each: (CELL_NAMES[each.source], CELL_NAMES[each.target]))


def play_some(game: Game, random: Random, most: int = 500) -> None:
    """Play random moves and placements, so many at most, or until the game is over."""
    for _ in range(most):
        if game.position.over:
            return
        game.play(random.choice(choices_of(game.position)))


# The rules once more, told from coordinates alone and without care for speed.

_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))


def plain_neighbours(place: Cell) -> Iterator[Cell]:
    """The cells one step away, straight from the coordinates."""
    column, row = COORDINATES[place]
    for right, up in _STEPS:
        if (column + right, row + up) in COORDINATES:
            yield Cell(COORDINATES.index((column + right, row + up)))


def plain_legal(position: Position) -> set[tuple[Cell, Cell]]:
    """All legal moves, by the letter of the rules."""
    found = set()
    for source in CELLS:
        pieces = position.stacks[source]
        if not pieces or str(pieces[-1]) != str(position.side):
            continue
        around = list(plain_neighbours(source))
        if len(around) == 6 and all(position.stacks[each] for each in around):
            continue
        column, row = COORDINATES[source]
        for right, up in _STEPS:
            there = (column + right * len(pieces), row + up * len(pieces))
            if there in COORDINATES and position.stacks[COORDINATES.index(there)]:
                found.add((source, Cell(COORDINATES.index(there))))
    return found


def plain_unlinked(stacks: tuple[Stack, ...]) -> set[Cell]:
    """The stacks without a link to red, by letting the link spread until nothing changes."""
    linked = {place for place in CELLS if Piece.RED in stacks[place]}
    while True:
        wider = {each for place in linked for each in plain_neighbours(place) if stacks[each]} | linked
        if wider == linked:
            return {place for place in CELLS if stacks[place]} - linked
        linked = wider


# Games that wander: moves, steps back and forth, branches, hidden lines, early ends.


def events_of(game: Game) -> Iterator[Entry]:
    """The entries of a game that are events, marks left out."""
    return (entry for entry in game.log if not isinstance(entry.event, Mark))


COMMENTS = ("", "good", "two\nlines", "} (a1b2) \\ [%clk 0:00:01]", "[/ ;")


def wander(game: Game, script: bytes) -> None:
    """Lead a game as the bytes say; two bytes are one deed."""
    for deed, choice in zip(script[::2], script[1::2], strict=False):
        places = list(events_of(game))
        chosen = places[choice * len(places) // 256]
        here = game.position
        match deed % 25:
            case 11:
                game.undo()
            case 12:
                game.redo()
            case 13:
                game.go_to(chosen)
            case 14:
                game.hide(chosen)
            case 15:
                game.show(chosen)
            case 16 if not game.settled(chosen).position.over:
                game.play(_choice(game.settled(chosen).position, deed), after=chosen)
            case 17 if here.phase is Phase.PLACEMENT:
                game.play(PlaceRest(choice))
            case 18 if not here.over and choice > 200:
                game.play(Resign(Side.WHITE if choice % 2 else Side.BLACK))
            case 19 if not here.over and choice > 220:
                game.play(AgreeDraw())
            case 24 if not here.over and choice > 220:
                loser = Side.WHITE if choice % 2 else Side.BLACK
                game.play(Forfeit(loser, Reason.TIME if choice % 4 > 1 else Reason.ABSENCE))
            case 20 | 21:
                game.promote(chosen)
            case 22:
                game.comment(chosen, COMMENTS[choice % len(COMMENTS)])
            case 23:
                kinds_drawn = (MarkKind.CIRCLE, MarkKind.CROSS, MarkKind.STAR)
                cells = sorted({choice % 49, choice // 5 % 49})
                marks = [CellMark(Cell(place), kinds_drawn[place % 3]) for place in cells]
                game.mark_cells(chosen, marks if choice % 4 else ())
            case _ if not here.over:
                game.play(_choice(here, choice))


def _choice(position: Position, number: int) -> Move | Place:
    choices = choices_of(position)
    return choices[number % len(choices)]


def ending(game: Game) -> GameEnded:
    """The event that ended a game."""
    event = game.head.event
    assert isinstance(event, GameEnded)
    return event
