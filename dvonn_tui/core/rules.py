"""The rules of DVONN (Kris Burm, GIPF project): what is legal, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dvonn_tui.core.cells import (
    BITS,
    CELLS,
    NEIGHBOURS,
    ONE_ARC,
    RING,
    TARGETS_AT,
    Cell,
    distance,
    in_line,
    spread,
)
from dvonn_tui.core.errors import GameFinished, IllegalAction, cell_word
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
    StacksRemoved,
    TurnPassed,
    evolve,
)
from dvonn_tui.core.pieces import (
    LONE_RED,
    PIECE_COUNTS,
    PIECE_OF,
    Piece,
    Side,
    Stack,
    owner,
)
from dvonn_tui.core.position import Phase, Position, Reason, leader
from dvonn_tui.core.shuffle import seeded_random, shuffled

FORFEITS: Final = frozenset({Reason.TIME, Reason.ABSENCE})
"""What a game can be lost by outside the board."""


def is_surrounded(stacks: Sequence[Stack], cell: Cell) -> bool:
    """True when all six neighbours of a cell are occupied. Cells of the rim never are."""
    around = NEIGHBOURS[cell]
    return len(around) == 6 and all(stacks[neighbour] for neighbour in around)


def targets(position: Position, cell: Cell) -> tuple[Cell, ...]:
    """Where the stack on a cell may move if it is its owner's turn; nothing for other stacks.

    In the order of the six directions. Whose turn it is does not matter here, and neither does the
    phase: it is what the stack could do.
    """
    stacks = position.stacks
    stack = stacks[cell]
    if not stack or stack[-1] is Piece.RED:
        return ()
    found = tuple(target for target in TARGETS_AT[cell][len(stack)] if stacks[target])
    return () if found and is_surrounded(stacks, cell) else found


def stacks_of(position: Position, side: Side) -> Iterator[Cell]:
    """The cells of the stacks that a side owns."""
    top = PIECE_OF[side]
    for cell, stack in enumerate(position.stacks):
        if stack and stack[-1] is top:
            yield CELLS[cell]


def moves_of(position: Position, side: Side) -> Iterator[Move]:
    """The moves of a side if it were its turn, in the order of their source cells."""
    for source in stacks_of(position, side):
        for target in targets(position, source):
            yield Move(source, target)


def can_move(position: Position, side: Side) -> bool:
    """True when a side has at least one move."""
    return next(moves_of(position, side), None) is not None


def legal_moves(position: Position) -> tuple[Move, ...]:
    """The moves of the side to move; empty outside the movement phase."""
    return tuple(moves_of(position, position.side)) if position.phase is Phase.MOVEMENT else ()


def legal_placements(position: Position) -> tuple[Place, ...]:
    """The cells that are still free; empty outside the placement phase."""
    if position.phase is not Phase.PLACEMENT:
        return ()
    return tuple(Place(cell) for cell in CELLS if not position.stacks[cell])


def next_piece(position: Position) -> Piece:
    """The piece that is placed next: the three red ones first, then the own colour of each side."""
    # Nothing is stacked while pieces are placed, so that every red piece lies alone.
    if position.stacks.count(LONE_RED) < PIECE_COUNTS[Piece.RED]:
        return Piece.RED
    return PIECE_OF[position.side]


def unlinked(stacks: Sequence[Stack]) -> tuple[Cell, ...]:
    """The cells of all stacks without a link, through occupied neighbours, to a red piece."""
    occupied = red = 0
    for stack, bit in zip(stacks, BITS, strict=True):
        if stack:
            occupied |= bit
            if Piece.RED in stack:
                red |= bit
    lost = occupied & ~spread(red, occupied)
    return tuple(cell for cell in CELLS if BITS[cell] & lost) if lost else ()


def _may_cut_off(stacks: Sequence[Stack], source: Cell) -> bool:
    """True when the stack of a cell could cut something off by leaving: then the whole board is looked at.

    It cannot when those around it are linked with each other without it and it takes no red piece along:
    whatever was linked over it stays linked.
    """
    around = 0
    for neighbour, bit in RING[source]:
        if stacks[neighbour]:
            around |= bit
    return Piece.RED in stacks[source] or not ONE_ARC[around]


def decide(position: Position, action: Action) -> tuple[Event, ...]:
    """What an action causes, in the order in which it happens.

    A move can be followed by the removal of what it cut off, by the forced pass of the other side,
    and by the end of the game.

    Raises:
        IllegalAction: the rules do not allow it; the reason says which rule.
        GameFinished: the game is over.
    """
    return play(position, action)[0]


def play(position: Position, action: Action) -> tuple[tuple[Event, ...], Position]:
    """What an action causes, and the position after all of it. Raises what `decide` raises."""
    _check_going_on(position)
    match action:
        case Move(source, target):
            check_move(position, source, target)
            return _move(position, source, target)
        case Place(cell):
            check_placement(position, cell)
            return _place(position, (cell,))
        case PlaceRest(seed):
            _check_placing(position)
            free = [place.cell for place in legal_placements(position)]
            try:
                drawn_from = seeded_random(seed)
            except ValueError as problem:
                raise IllegalAction(str(problem)) from problem
            return _place(position, shuffled(free, drawn_from))
        case Resign(side):
            ended = GameEnded(side.other, Reason.RESIGNATION, position.score)
        case AgreeDraw():
            ended = GameEnded(None, Reason.AGREEMENT, position.score)
        case Forfeit(side, reason):
            if reason not in FORFEITS:
                raise IllegalAction(f"no game is forfeited by {reason}")
            ended = GameEnded(side.other, reason, position.score)
    return (ended,), evolve(position, ended)


def due(position: Position) -> tuple[Event, ...]:
    """What happens without anybody's doing: the pass of a side that cannot move, or the end."""
    if position.phase is not Phase.MOVEMENT or can_move(position, position.side):
        return ()
    if can_move(position, position.side.other):
        return (TurnPassed(position.side),)
    score = position.score
    return (GameEnded(leader(score), Reason.NO_MOVES, score),)


def _move(position: Position, source: Cell, target: Cell) -> tuple[tuple[Event, ...], Position]:
    may_cut_off = _may_cut_off(position.stacks, source)
    events: list[Event] = [StackMoved(source, target, position.side)]
    position = evolve(position, events[0])
    cut_off = unlinked(position.stacks) if may_cut_off else ()
    if cut_off:
        removal = StacksRemoved(tuple((cell, position.stacks[cell]) for cell in cut_off))
        events.append(removal)
        position = evolve(position, removal)
    return _with_due(events, position)


def _place(position: Position, cells: Sequence[Cell]) -> tuple[tuple[Event, ...], Position]:
    events: list[Event] = []
    for cell in cells:
        event = PiecePlaced(cell, next_piece(position), position.side)
        events.append(event)
        position = evolve(position, event)
    return _with_due(events, position)


def _with_due(events: Sequence[Event], position: Position) -> tuple[tuple[Event, ...], Position]:
    """What happened and then happens by itself, and the position after it."""
    following = due(position)
    for event in following:
        position = evolve(position, event)
    return (*events, *following), position


def _check_going_on(position: Position) -> None:
    if position.over:
        raise GameFinished("the game is over")


def check_cells(*cells: Cell) -> None:
    """Refuse numbers that are no cells. Raises IllegalAction."""
    for cell in cells:
        if not 0 <= cell < len(CELLS):
            raise IllegalAction(f"no such cell: {cell_word(cell)}")


def _check_placing(position: Position) -> None:
    _check_going_on(position)
    if position.phase is not Phase.PLACEMENT:
        raise IllegalAction("all pieces are placed: move a stack")


def _check_moving(position: Position) -> None:
    _check_going_on(position)
    if position.phase is not Phase.MOVEMENT:
        raise IllegalAction("the pieces are still being placed: choose an empty cell")


def check_placement(position: Position, cell: Cell) -> None:
    """Say why a piece cannot be placed on a cell.

    Raises:
        IllegalAction: the rules do not allow it.
        GameFinished: the game is over.
    """
    _check_placing(position)
    check_cells(cell)
    if position.stacks[cell]:
        raise IllegalAction(f"{cell_word(cell)} is taken: choose an empty cell", cell)


def why_stuck(position: Position, cell: Cell) -> str | None:
    """Why the stack on a cell cannot move whoever's turn it is; None when it can."""
    stack = position.stacks[cell]
    name = cell_word(cell)
    if not stack:
        return f"{name} is empty"
    if stack == LONE_RED:
        return "a red piece never moves alone"
    if is_surrounded(position.stacks, cell):
        return f"{name} is surrounded on all six sides"
    if not targets(position, cell):
        return f"{name} finds no stack exactly {len(stack)} away in a straight line"
    return None


def check_source(position: Position, source: Cell) -> None:
    """Say why the side to move cannot move the stack on a cell.

    Raises:
        IllegalAction: the rules do not allow it.
        GameFinished: the game is over.
    """
    _check_moving(position)
    check_cells(source)
    _check_owner(position, source)
    stuck = why_stuck(position, source)
    if stuck is not None:
        raise IllegalAction(stuck, source)


def _check_owner(position: Position, source: Cell) -> None:
    holder = owner(position.stacks[source])
    if holder is position.side.other:
        turn = f"it is {position.side.word}'s turn"
        raise IllegalAction(f"{cell_word(source)} is {holder.word}'s, and {turn}", source)


def check_move(position: Position, source: Cell, target: Cell) -> None:
    """Say why the side to move cannot make a move.

    Raises:
        IllegalAction: the rules do not allow it.
        GameFinished: the game is over.
    """
    if position.phase is Phase.MOVEMENT:
        check_cells(source, target)
        stack = position.stacks[source]
        if (
            stack
            and stack[-1] is PIECE_OF[position.side]
            and position.stacks[target]
            and target in TARGETS_AT[source][len(stack)]
            and not is_surrounded(position.stacks, source)
        ):
            return
    _refuse_move(position, source, target)


def _refuse_move(position: Position, source: Cell, target: Cell) -> None:
    """Find the rule that a move breaks. The nearest fault to what the player meant comes first."""
    _check_moving(position)
    stack = position.stacks[source]
    height = len(stack)
    name = cell_word(target)
    if stack and stack != LONE_RED and not is_surrounded(position.stacks, source):
        _check_owner(position, source)
        if source == target:
            raise IllegalAction(
                f"a stack of {height} moves exactly {height}: {name} is where it stands", target
            )
        if not in_line(source, target):
            raise IllegalAction(f"{name} is not in a straight line from {cell_word(source)}", target)
        away = distance(source, target)
        if away != height:
            raise IllegalAction(f"a stack of {height} moves exactly {height}: {name} is {away} away", target)
        raise IllegalAction(f"{name} is empty: a move ends on a piece or a stack", target)
    check_source(position, source)
