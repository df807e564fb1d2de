"""What a newcomer is told, step by step, in a first game."""

from __future__ import annotations

from dvonn_tui.core.pieces import Piece, Side
from dvonn_tui.core.position import Phase
from dvonn_tui.core.rules import can_move, next_piece
from dvonn_tui.play.attention import Attention


def hints(attention: Attention, *, ply: int) -> tuple[str, ...]:
    """What to do now, and why; `ply` counts the plies played so far."""
    position = attention.position
    if position.over:
        return ("The game is over. Press n for a new one, or step back with [ to see how it went.",)
    if position.phase is Phase.PLACEMENT:
        return _placing(attention)
    if attention.preview is not None:
        return _about_to_move(attention)
    if attention.picked is not None:
        return (
            "Now choose where it lands. A stack moves as far as it is high, in a straight line, "
            "and ends on another piece or stack.",
            "Point at a target to see what it would do before you play it.",
        )
    if ply == 0:
        return (
            f"{position.side.word} begins. Pick one of your stacks: those marked below can move. "
            "Pieces with six neighbours are stuck.",
            "Who has more pieces in his stacks at the end wins. The colour on top owns a stack.",
        )
    if not can_move(position, position.side.other):
        return (f"{position.side.other.word} cannot move and will have to pass until that changes.",)
    return (
        f"{position.side.word}'s turn. Stay linked to a red piece: what loses its link leaves the board.",
        "Keep stacks that can move. Who runs out of moves must watch.",
    )


def _placing(attention: Attention) -> tuple[str, ...]:
    position = attention.position
    if next_piece(position) is Piece.RED:
        return (
            "The three red pieces come first: White, Black, White. Any empty cell will do.",
            "Stacks must stay linked to red, so where red lies decides where life is.",
        )
    return (
        f"{position.side.word} places a piece of his own. Cells on the rim can always move; "
        "cells near red live longest.",
        "Press m to place the rest at random.",
    )


def _about_to_move(attention: Attention) -> tuple[str, ...]:
    preview = attention.preview
    assert preview is not None
    if preview.removed:
        own = preview.lost_by(attention.position.side)
        theirs = preview.lost_by(attention.position.side.other)
        if own > theirs:
            verdict = "That costs you more than it costs the other side."
        elif own == theirs:
            verdict = "That costs both sides the same."
        else:
            verdict = "A good catch."
        return (
            "The struck-out stacks would lose their link to red and leave the board at once, "
            "whoever owns them.",
            verdict,
        )
    if preview.end is None and preview.passes is not None:
        other = Side(preview.passes)
        return (f"After this {other.word} cannot move and has to pass: you move again.",)
    return ("Choose it again or press enter to play. Esc lets go.",)
