"""Text forms: the one place that reads and writes cells, actions and positions.

A cell is ``a1``; a placement ``c3``; a move ``a1b2``, also read as ``a1-b2``; the words ``pass``,
``resign`` and ``draw`` stand for themselves. Upper case is read, lower case is written.

A position is one line: the rows 5/4/3/2/1 as they lie on the screen, left to right, with ``w`` ``b``
``r`` for single pieces, ``(rwb)`` for a stack from bottom to top and a number for so many empty cells;
then the side to act ``w|b`` and the phase ``p|m``: ``9/10/3(rwb)7/10/9 w m``. Only this one spelling of
a position is read, and only positions that can be.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from dvonn_tui.core.cells import CELL_AT, CELL_NAMED, CELL_NAMES, CELLS, ROWS, Cell, columns_of_row
from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.events import (
    Action,
    AgreeDraw,
    Event,
    Forfeit,
    GameEnded,
    Move,
    PiecePlaced,
    Place,
    PlaceRest,
    Resign,
    StackMoved,
    TurnPassed,
)
from dvonn_tui.core.pieces import EMPTY, Piece, Side, Stack
from dvonn_tui.core.position import Phase, Position, Reason
from dvonn_tui.core.possible import RED_ON_TOP, faults_of

LONGEST_POSITION: Final = 200
"""No position needs more characters; longer text is refused unread."""

_DIGITS: Final = "0123456789"
_SCREEN_ROWS: Final = tuple(
    tuple(CELL_AT[column, row] for column in columns_of_row(row)) for row in reversed(ROWS)
)
_PHASES: Final = {"p": Phase.PLACEMENT, "m": Phase.MOVEMENT}


class Word(StrEnum):
    """Tokens that are words and need a side, or nothing, to become an action."""

    PASS = "pass"
    RESIGN = "resign"
    DRAW = "draw"


Token = Place | Move | Word

_WORDS: Final = {str(word): word for word in Word}


def shown(text: str) -> str:
    """Text from outside inside an error message: shortened, and without characters that do harm."""
    harmless = "".join(character if character.isprintable() else "?" for character in text[:24])
    return harmless + "..." if len(text) > 24 else harmless


def parse_cell(text: str) -> Cell:
    """Read the name of a cell, in either case.

    Raises:
        NotationError: it is not the name of a cell.
    """
    return _cell_at(text, 0, len(text))


def _cell_at(text: str, start: int, end: int) -> Cell:
    name = text[start:end]
    cell = CELL_NAMED.get(name.lower()) if name.isascii() else None
    if cell is None:
        raise NotationError(f"no such cell: {shown(name)}" if name else "a cell is missing", text, start)
    return cell


def parse_token(text: str) -> Token:
    """Read a placement, a move or one of the words, in either case.

    Raises:
        NotationError: it is none of these, or names a cell that does not exist.
    """
    lower = text.lower() if text.isascii() else text
    word = _WORDS.get(lower)
    if word is not None:
        return word
    if len(text) == 2:
        return Place(parse_cell(text))
    hyphen = len(text) == 5 and text[2] == "-"
    if len(text) == 4 or hyphen:
        return Move(_cell_at(text, 0, 2), _cell_at(text, 3 if hyphen else 2, len(text)))
    problem = f"cannot read {shown(text)!r}" if text else "there is nothing to read"
    raise NotationError(f"{problem}: a placement is c3, a move a1b2, or pass, resign, draw", text)


def format_action(action: Action, separator: str = "") -> str:
    """The token of an action; `separator` goes between the cells of a move.

    `PlaceRest` has no token of its own: what it places is written cell by cell. Its text is for people.
    """
    match action:
        case Place(cell):
            return CELL_NAMES[cell]
        case Move(source, target):
            return f"{CELL_NAMES[source]}{separator}{CELL_NAMES[target]}"
        case Resign():
            return Word.RESIGN
        case AgreeDraw():
            return Word.DRAW
        case PlaceRest(seed):
            return f"place the rest at random, seed {seed}"
        case Forfeit(side, reason):
            return f"{side.word.lower()} loses by {reason}"


def event_token(event: Event) -> str | None:
    """The token of an event; None for what follows from another by itself and for the loss of a game by what
    lies outside the board, which nobody plays."""
    match event:
        case PiecePlaced(cell, _, _):
            return format_action(Place(cell))
        case StackMoved(source, target, _):
            return format_action(Move(source, target))
        case TurnPassed():
            return Word.PASS
        case GameEnded(_, Reason.RESIGNATION, _):
            return Word.RESIGN
        case GameEnded(_, Reason.AGREEMENT, _):
            return Word.DRAW
    return None


def format_stack(stack: Stack) -> str:
    """A stack as in the position text; an empty cell is the empty text."""
    return f"({''.join(stack)})" if len(stack) > 1 else "".join(stack)


def format_position(position: Position) -> str:
    """The one line of a position.

    The line does not hold an outcome. Of a position that is over by the rules it can be read back as
    one in which the end is due; after any other end the line is that of the position in which it
    happened.
    """
    rows = []
    for cells in _SCREEN_ROWS:
        row, gap = "", 0
        for cell in cells:
            stack = position.stacks[cell]
            if not stack:
                gap += 1
                continue
            row += (str(gap) if gap else "") + format_stack(stack)
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    phase = position.outcome.phase if position.outcome else position.phase
    return f"{'/'.join(rows)} {position.side} {'p' if phase is Phase.PLACEMENT else 'm'}"


def parse_position(text: str) -> Position:
    """Read the one line of a position.

    Raises:
        NotationError: with the reason and the place of the first fault.
    """
    if len(text) > LONGEST_POSITION:
        raise NotationError(f"a position has at most {LONGEST_POSITION} characters", text, LONGEST_POSITION)
    if text[:1].isspace():
        raise NotationError("a position does not begin with a space", text, 0)
    stacks, place = _parse_rows(text)
    side, phase = _parse_side_and_phase(text, place)
    position = Position(stacks, phase, side)
    faults = faults_of(position)
    if faults:
        raise NotationError(faults[0].reason, text, len(text))
    return position


def _parse_rows(text: str) -> tuple[tuple[Stack, ...], int]:
    stacks = [EMPTY] * len(CELLS)
    place = 0
    for row, cells in zip(reversed(ROWS), _SCREEN_ROWS, strict=True):
        filled = 0
        after_number = False
        while place < len(text) and text[place] not in "/ ":
            if text[place] in _DIGITS:
                if after_number:
                    raise NotationError(f"row {row}: {len(cells)} cells at most", text, place)
                count, place = _parse_gap(text, place)
                filled += count
                after_number = True
            else:
                stack, end = _parse_stack(text, place)
                if filled < len(cells):
                    stacks[cells[filled]] = stack
                    place = end
                filled += 1
                after_number = False
            if filled > len(cells):
                raise NotationError(f"row {row} has more than {len(cells)} cells", text, place)
        if filled < len(cells):
            raise NotationError(f"row {row} has {filled} of {len(cells)} cells", text, place)
        if row > ROWS[0]:
            place = _expect(text, place, "/", "the next row")
    return tuple(stacks), place


def _parse_gap(text: str, place: int) -> tuple[int, int]:
    if text[place] == "0":
        raise NotationError("a number of empty cells does not begin with 0", text, place)
    end = place + 1
    while end < len(text) and end < place + 2 and text[end] in _DIGITS:
        end += 1
    return int(text[place:end]), end


def _parse_stack(text: str, place: int) -> tuple[Stack, int]:
    if text[place] in set(Piece):
        return (Piece(text[place]),), place + 1
    if text[place] != "(":
        found = shown(text[place])
        raise NotationError(f"a piece is w, b or r, a stack stands in brackets; found {found!r}", text, place)
    end = text.find(")", place)
    if end < 0:
        raise NotationError("the closing bracket of a stack is missing", text, place)
    for inside in range(place + 1, end):
        if text[inside] not in set(Piece):
            raise NotationError(f"a stack holds w, b and r only; found {shown(text[inside])!r}", text, inside)
    stack = tuple(Piece(letter) for letter in text[place + 1 : end])
    if len(stack) < 2:
        raise NotationError("a stack in brackets has at least two pieces", text, place)
    if stack[-1] is Piece.RED:
        raise NotationError(RED_ON_TOP, text, end - 1)
    return stack, end + 1


def _parse_side_and_phase(text: str, place: int) -> tuple[Side, Phase]:
    place = _expect(text, place, " ", "a space and the side to act")
    if text[place : place + 1] not in {"w", "b"}:
        raise NotationError("the side to act is w or b", text, place)
    side = Side(text[place])
    place = _expect(text, place + 1, " ", "a space and the phase")
    if text[place : place + 1] not in _PHASES:
        raise NotationError("the phase is p, placement, or m, movement", text, place)
    if place + 1 < len(text):
        space = text[place + 1 :].isspace()
        reason = "a position does not end with a space" if space else "nothing follows the phase"
        raise NotationError(reason, text, place + 1)
    return side, _PHASES[text[place]]


def _expect(text: str, place: int, character: str, what: str) -> int:
    if text[place : place + 1] != character:
        raise NotationError(f"{what} is missing", text, place)
    return place + 1
