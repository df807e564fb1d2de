"""What the screen says in words: the status line, the banner, the result.

The status line is the one place that says every preview in words, for those who cannot see the board
or do not want to decode it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from dvonn_tui.core.cells import CELL_NAMES, Cell
from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import LONE_RED, PIECE_COUNTS, PIECE_WORDS, Piece, Side, holds_red, owner
from dvonn_tui.core.position import Outcome, Phase, Position, Reason
from dvonn_tui.core.rules import next_piece, why_stuck
from dvonn_tui.play.attention import Attention, Preview
from dvonn_tui.ui.paint import Signs


class Tone(StrEnum):
    """How a part of a sentence is said."""

    PLAIN = "plain"
    QUIET = "quiet"
    STRONG = "strong"
    WARNING = "warning"


Said = tuple[tuple[str, Tone], ...]
"""A sentence in parts, each with its tone."""


def plain_text(said: Said) -> str:
    """The sentence without its tones."""
    return "".join(part for part, _ in said)


def counted(count: int, noun: str) -> str:
    """A number and a noun: ``1 stack``, ``2 stacks``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def names(cells: Iterable[Cell]) -> str:
    """Cells in words, in alphabetical order."""
    return " ".join(sorted(CELL_NAMES[cell] for cell in cells))


def say_preview(preview: Preview, signs: Signs, *, ask: bool) -> Said:
    """What a move would do; with `ask` also how to confirm it."""
    moved, under = len(preview.moved), len(preview.under)
    side = preview.before.side
    target = signs.sized(owner(preview.under), under)
    equation = f"{signs.sized(side, moved)} on {target} = {signs.sized(side, moved + under)}"
    said: list[tuple[str, Tone]] = [
        (format_action(preview.move, "-"), Tone.STRONG),
        (f"  {equation}", Tone.PLAIN),
    ]
    if preview.removed:
        losses = "".join(f" {signs.of(loser)}-{lost}" for loser in Side if (lost := preview.lost_by(loser)))
        itself = any(cell == preview.move.target for cell, _ in preview.removed)
        cut_off = f"cuts off {counted(len(preview.removed), 'stack')}"
        if itself and len(preview.removed) == 1:
            cut_off = "cuts itself off"
        elif itself:
            cut_off += ", itself too"
        said.append((f"  {cut_off}:{losses}", Tone.WARNING))
    if preview.end is not None:
        white, black = preview.end.score
        said.append((f"  ends the game {white}-{black}", Tone.STRONG))
    elif preview.passes is not None:
        said.append((f"  then {preview.passes.word} must pass", Tone.STRONG))
    if ask:
        said.append(("  again to play it, esc to take it back", Tone.QUIET))
    return tuple(said)


def say_attention(attention: Attention, signs: Signs, *, live: bool = True) -> Said:
    """What is to be said about the cell in focus and the picked stack."""
    position = attention.position
    if position.phase is Phase.PLACEMENT:
        return _say_placement(attention, signs)
    if attention.picked is not None:
        stack = position.stacks[attention.picked]
        where = CELL_NAMES[attention.picked]
        said = [(where, Tone.STRONG), (f" {signs.sized(position.side, len(stack))} picked: ", Tone.PLAIN)]
        choices = counted(len(attention.targets), "target")
        return (*said, (f"it moves exactly {len(stack)}, to {names(attention.targets)}", Tone.PLAIN),
                (f"  ({choices})", Tone.QUIET))  # fmt: skip
    if attention.focus is None:
        return _say_turn(position, signs) if live else ()
    return _say_stack(attention, attention.focus, signs)


def _say_turn(position: Position, signs: Signs) -> Said:
    if position.outcome is not None:
        return say_outcome(position)
    turn = f"{signs.of(position.side)} {position.side.word}"
    return ((turn, Tone.STRONG), (" to move: pick a stack, then choose where it lands", Tone.PLAIN))


def _say_stack(attention: Attention, cell: Cell, signs: Signs) -> Said:
    position = attention.position
    stack = position.stacks[cell]
    name = (CELL_NAMES[cell], Tone.STRONG)
    if not stack:
        return (name, (" empty", Tone.QUIET))
    holder = owner(stack)
    if stack == LONE_RED:
        return (
            name,
            (f" {signs.sized(None, 1)} red: what is linked to it lives; it never moves alone", Tone.PLAIN),
        )
    assert holder is not None
    red = ", holds red" if holds_red(stack) else ""
    what = (f" {signs.sized(holder, len(stack))} {holder.word}{red}: ", Tone.PLAIN)
    stuck = why_stuck(position, cell)
    if stuck is not None:
        return (name, what, (stuck.removeprefix(f"{CELL_NAMES[cell]} "), Tone.QUIET))
    if position.over:
        return (name, (what[0].removesuffix(": "), Tone.PLAIN))
    if holder is not position.side:
        return (name, what, (f"could go to {names(attention.targets)}", Tone.QUIET))
    return (name, what, (f"can go to {names(attention.targets)}", Tone.PLAIN))


def _say_placement(attention: Attention, signs: Signs) -> Said:
    position = attention.position
    piece = next_piece(position)
    kind = "a red piece" if piece is Piece.RED else f"a {PIECE_WORDS[piece]} piece"
    who = (f"{signs.of(position.side)} {position.side.word}", Tone.STRONG)
    left = PIECE_COUNTS[piece] - position.count(piece)
    said: Said = (who, (f" places {kind}", Tone.PLAIN), (f", {left} left", Tone.QUIET))
    if attention.focus is None:
        return (*said, ("; choose any empty cell", Tone.PLAIN))
    name = CELL_NAMES[attention.focus]
    if position.stacks[attention.focus]:
        return (*said, (f"; {name} is taken", Tone.QUIET))
    return (*said, (f"; on {name}?", Tone.PLAIN))


def say_outcome(position: Position) -> Said:
    """The result with both totals and the reason; nothing while the game goes on."""
    if position.outcome is None:
        return ()
    white, black = position.score
    head = outcome_title(position.outcome)
    totals = f"  White {white} - Black {black}"
    return ((head, Tone.STRONG), (totals, Tone.PLAIN), (f"  {outcome_reason(position.outcome)}", Tone.QUIET))


def outcome_title(outcome: Outcome) -> str:
    """Who won, in two words."""
    return "A draw" if outcome.winner is None else f"{outcome.winner.word} wins"


def outcome_reason(outcome: Outcome) -> str:
    """Why a game ended, in words."""
    match outcome.reason:
        case Reason.NO_MOVES:
            return "neither side can move"
        case Reason.RESIGNATION:
            return f"{_loser(outcome)} resigned"
        case Reason.AGREEMENT:
            return "draw agreed"
        case Reason.TIME:
            return f"{_loser(outcome)} ran out of time"
        case Reason.ABSENCE:
            return f"{_loser(outcome)} stayed away"


def _loser(outcome: Outcome) -> str:
    return outcome.winner.other.word if outcome.winner else ""
