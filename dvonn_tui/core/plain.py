"""Events and diffs as plain values, ready for JSON.

Cells are names, sides and pieces letters, stacks as in the position text, an empty cell ``""``. A game
without a winner has the winner ``"draw"``.
"""

from __future__ import annotations

from dvonn_tui.core.cells import CELL_NAMES
from dvonn_tui.core.events import (
    Diff,
    Event,
    GameEnded,
    GameStarted,
    PiecePlaced,
    StackMoved,
    StacksRemoved,
    TurnPassed,
)
from dvonn_tui.core.notation import format_position, format_stack
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Position

Plain = str | int | None | list["Plain"] | dict[str, "Plain"]

DRAW = "draw"


def plain_winner(winner: Side | None) -> str:
    """The letter of the winner, or ``draw``."""
    return DRAW if winner is None else str(winner)


def plain_event(event: Event) -> dict[str, Plain]:
    """The name of an event and its fields."""
    fields: dict[str, Plain]
    match event:
        case GameStarted(_, setup, seed, white, black):
            fields = {"setup": str(setup), "seed": seed, "white": white, "black": black}
        case PiecePlaced(cell, piece, by):
            fields = {"cell": CELL_NAMES[cell], "piece": str(piece), "by": str(by)}
        case StackMoved(source, target, by):
            fields = {"source": CELL_NAMES[source], "target": CELL_NAMES[target], "by": str(by)}
        case StacksRemoved(cells):
            fields = {"cells": {CELL_NAMES[cell]: format_stack(stack) for cell, stack in cells}}
        case TurnPassed(by):
            fields = {"by": str(by)}
        case GameEnded(winner, reason, score):
            fields = {"winner": plain_winner(winner), "reason": str(reason), "score": list(score)}
    return {"event": type(event).__name__, **fields}


def plain_diff(diff: Diff) -> dict[str, Plain]:
    """A diff: changed cells as [cell, before, after], and side, phase and score as [before, after]."""
    return {
        "cells": [
            [CELL_NAMES[change.cell], format_stack(change.before), format_stack(change.after)]
            for change in diff.cells
        ],
        "side": [str(side) for side in diff.side],
        "phase": [str(phase) for phase in diff.phase],
        "score": [list(score) for score in diff.score],
    }


def plain_step(event: Event, diff: Diff, after: Position) -> dict[str, Plain]:
    """One line of an event stream: the event, the diff it made and the position after it."""
    return {**plain_event(event), "diff": plain_diff(diff), "position": format_position(after)}
