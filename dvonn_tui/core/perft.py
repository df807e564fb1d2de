"""Counting sequences of plies, the usual proof that two programs agree on the rules."""

from __future__ import annotations

from dvonn_tui.core.events import Action, TurnPassed, evolve
from dvonn_tui.core.notation import format_action
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import due, legal_moves, legal_placements, play


def perft(position: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` plies, 0 or more, from a position.

    A forced pass is one ply. A finished game has no continuation. The sequences of no ply are one.
    """
    if depth == 0:
        return 1
    if position.over:
        return 0
    choices = _choices(position)
    if not choices:
        return _after_due(position, depth)
    if depth == 1:
        return len(choices)
    return sum(_after(position, choice, depth) for choice in choices)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The count of `perft` after each first ply, `depth` at least 1, in the order of the tokens."""
    if position.over:
        return {}
    choices = _choices(position)
    if not choices:
        count = _after_due(position, depth)
        return {"pass": count} if count else {}
    return dict(sorted((format_action(choice), _after(position, choice, depth)) for choice in choices))


def _choices(position: Position) -> tuple[Action, ...]:
    return legal_moves(position) or legal_placements(position)


def _after(position: Position, choice: Action, depth: int) -> int:
    events, after = play(position, choice)
    left = depth - 1
    if left and any(isinstance(event, TurnPassed) for event in events):
        left -= 1
    return perft(after, left)


def _after_due(position: Position, depth: int) -> int:
    """Count from a position that was given with a pass or the end due in it."""
    event = due(position)[0]
    return perft(evolve(position, event), depth - 1) if isinstance(event, TurnPassed) else 0
