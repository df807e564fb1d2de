"""States of 50 characters, as the program PrimaDvonna writes them, alone or in its protocol of a game.

The first character is twice the phase (0 placement, 1 movement) plus the side to act (0 White, 1 Black);
then come a1 to k5 row by row, each a digit of ``A-Z a-z 0-9``: 0 an empty cell, 1 a red piece alone, else
four times the height, plus two when the stack holds red, plus one when it is Black's, minus two. Stacks of
more than 15 pieces cannot be written, and what lies below the top is not told.

In a protocol each state follows the token that led to it: `` --D2-->`` for White's, ``<--C1--`` for Black's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.log import Entry
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.pieces import EMPTY, LONE_RED, PIECE_COUNTS, PIECE_OF, Piece, Side, Stack, holds_red
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position
from dvonn_tui.records.building import Findings, Player, new_game
from dvonn_tui.records.form import Form, Part
from dvonn_tui.records.record import CannotHold, Record, fault, label_after
from dvonn_tui.records.source import Belongs, Line, Section, Sorter

NAME: Final = "state"

_DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_NUMBERS: Final = {digit: number for number, digit in enumerate(_DIGITS)}
_STATE: Final = re.compile(r"\s*([A-D][A-Za-z0-9]{49})\s*")
_ARROW: Final = re.compile(r"\s*(?:--([A-Za-z0-9]+)-->|<--([A-Za-z0-9]+)--)\s*")


def state_text(position: Position) -> str | None:
    """A position as a state; None when a stack is too high for that."""
    phase = position.outcome.phase if position.outcome else position.phase
    numbers = [2 * (phase is Phase.MOVEMENT) + (position.side is Side.BLACK)]
    numbers += [_number(stack) for stack in position.stacks]
    if max(numbers) >= len(_DIGITS):
        return None
    return "".join(_DIGITS[number] for number in numbers)


def _number(stack: Stack) -> int:
    if not stack or stack == LONE_RED:
        return len(stack)
    return 4 * len(stack) + 2 * holds_red(stack) + (stack[-1] is PIECE_OF[Side.BLACK]) - 2


def parse_state(text: str) -> Position:
    """A position that a state may stand for: what lies below the top of a stack is made up.

    Raises:
        NotationError: there is no such position.
    """
    if len(text) != len(CELLS) + 1 or any(digit not in _NUMBERS for digit in text):
        raise NotationError(f"a state has {len(CELLS) + 1} letters and digits", text)
    head, *numbers = (_NUMBERS[digit] for digit in text)
    if head > 3:
        raise NotationError("a state begins with A, B, C or D", text)
    left = dict(PIECE_COUNTS)
    for number in numbers:
        if number == 1:
            left[Piece.RED] -= 1
        elif number > 1:
            left[PIECE_OF[_side(number)]] -= 1
            left[Piece.RED] -= _has_red(number)
    stacks = tuple(_stack(number, left) for number in numbers)
    phase = Phase.MOVEMENT if head >= 2 else Phase.PLACEMENT
    position = Position(stacks, phase, Side.BLACK if head % 2 else Side.WHITE)
    if min(left.values()) < 0:
        raise NotationError("a state with more pieces than the game has", text)
    return parse_position(format_position(position))


def _side(number: int) -> Side:
    return Side.BLACK if number % 2 else Side.WHITE


def _has_red(number: int) -> bool:
    return (number + 2) % 4 >= 2


def _stack(number: int, left: dict[Piece, int]) -> Stack:
    """A stack of a number; the pieces below its top are taken from those that are left."""
    if number < 2:
        return LONE_RED if number else EMPTY
    height = (number + 2) // 4
    bottom = [Piece.RED] if _has_red(number) else []
    if not height or len(bottom) >= height:
        raise NotationError("a state with a stack that cannot be", _DIGITS[number])
    for _ in range(height - 1 - len(bottom)):
        piece = max((Piece.WHITE, Piece.BLACK), key=lambda each: left[each])
        left[piece] -= 1
        bottom.append(piece)
    return (*bottom, PIECE_OF[_side(number)])


def recognise(head: Sequence[str]) -> bool:
    """A line that is a state."""
    return any(_STATE.fullmatch(line) for line in head)


def sorter() -> Sorter:
    """A state that follows no token begins a game."""
    stated = False

    def sort(text: str) -> Belongs:
        nonlocal stated
        if _ARROW.fullmatch(text):
            stated = False
        elif _STATE.fullmatch(text):
            new, stated = stated, True
            return Belongs.NEXT if new else Belongs.HERE
        return Belongs.HERE

    return sort


def read(section: Section) -> Iterator[Record]:
    """The game or the position of a section. Its states are held against the moves; other lines are kept
    as comments."""
    findings = Findings(section)
    reader = _Reader(findings)
    for line in section.lines:
        reader.take(line)
    reader.player.finish()
    yield findings.record(reader.player.game, {}, NAME, section.lines[0].number)


class _Reader:
    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.player = Player(new_game({}), findings)
        self._begun = False
        self._notes: list[str] = []

    def take(self, line: Line) -> None:
        """Read a line."""
        state, arrow = _STATE.fullmatch(line.text), _ARROW.fullmatch(line.text)
        if arrow is not None:
            token = arrow[1] or arrow[2]
            self.player.play(token, line.number, line.text.index(token) + 1)
            self._begun = True
        elif state is None:
            if line.text.strip():
                self._note(line.text.strip())
        elif not self._begun:
            self._begin(state[1], line)
        else:
            self._check(state[1], line)

    def _note(self, text: str) -> None:
        if self._begun:
            self.player.comment(text)
        else:
            self._notes.append(text)

    def _begin(self, state: str, line: Line) -> None:
        self._begun = True
        try:
            position = parse_state(state)
        except NotationError as problem:
            self.player.stop(fault(problem.reason, line=line.number, token=state))
            return
        if position != EMPTY_BOARD:
            self.player = Player(new_game({}, position), self._findings)
        if any(len(stack) > 1 + holds_red(stack) for stack in position.stacks):
            reason = "a state does not tell what lies below the top of a stack: that was made up"
            self._findings.remark(fault(reason, line=line.number))
        for note in self._notes:
            self.player.comment(note)

    def _check(self, state: str, line: Line) -> None:
        if self.player.stopped:
            return
        entry: Entry = self.player.game.end_of_ply(self.player.last)
        if state_text(entry.position) not in (state, None):
            reason = "the state is not that of the moves: what follows is not read"
            ply = label_after(entry)
            self.player.stop(fault(reason, line=line.number, ply=ply, token=state))


def write(records: Iterable[Record]) -> Iterator[str]:
    """The position at the end of each main line. Raises CannotHold when a stack is too high."""
    for record in records:
        state = state_text(record.end.position)
        if state is None:
            raise CannotHold("a stack has more than 15 pieces, and a state can tell no more")
        yield f"{state}\n"


FORM: Final = Form(
    name=NAME,
    title="state of 50 characters",
    suffixes=(".state",),
    recognise=recognise,
    sorter=sorter,
    read=read,
    write=write,
    holds=frozenset[Part](),
)
