"""``show``: a position as text or JSON."""

from __future__ import annotations

import json
import textwrap
from typing import Final

from dvonn_tui.art.text import board_text
from dvonn_tui.commands.positions import read_position
from dvonn_tui.commands.terminal import write_line
from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.events import GameEnded, TurnPassed, evolve
from dvonn_tui.core.notation import Word, format_action, format_position
from dvonn_tui.core.pieces import PIECE_WORDS
from dvonn_tui.core.plain import plain_winner
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import due, legal_moves, legal_placements, next_piece

WIDTH: Final = 78
"""Columns of the text at most."""


def show(text: str, *, as_json: bool, flipped: bool) -> int:
    """Print a position and return the exit status.

    Raises:
        CommandFault: the text is no position, or the output cannot be written.
    """
    position = read_position(text)
    for event in due(position):
        if isinstance(event, GameEnded):
            position = evolve(position, event)
    if as_json:
        write_line(json.dumps(plain_position(position)))
        return 0
    write_line(board_text(position.stacks, flipped=flipped).rstrip("\n"))
    write_line("")
    for line in describe(position):
        write_line(textwrap.fill(line, WIDTH, subsequent_indent="  "))
    return 0


def legal_tokens(position: Position) -> list[str]:
    """What can be played, sorted: ``pass`` alone when that is forced, nothing at the end."""
    if any(isinstance(event, TurnPassed) for event in due(position)):
        return [Word.PASS]
    return sorted(format_action(action) for action in legal_moves(position) or legal_placements(position))


def plain_position(position: Position) -> dict[str, object]:
    """A position as plain values for JSON; an end that is due has happened."""
    outcome = position.outcome
    return {
        "position": format_position(position),
        "side": position.side,
        "phase": position.phase,
        "legal": legal_tokens(position),
        "over": position.over,
        "score": list(position.score),
        "winner": plain_winner(outcome.winner) if outcome else None,
    }


def describe(position: Position) -> list[str]:
    """Side, score and what can be done, or the result, one line each."""
    score = position.score
    points = f"Score: White {score.white}, Black {score.black}."
    if position.outcome:
        winner = position.outcome.winner
        result = f"{winner.word} wins" if winner else "a draw"
        return [f"The game is over, neither side can move: {result}.", points]
    side = position.side.word
    tokens = legal_tokens(position)
    if position.phase is Phase.PLACEMENT:
        placed = len(CELLS) - len(tokens)
        piece = PIECE_WORDS[next_piece(position)]
        return [f"{side} places a {piece} piece, number {placed + 1} of {len(CELLS)}.", points]
    if tokens == [Word.PASS]:
        return [f"{side} has no move and has to pass.", points]
    moves = "1 move" if len(tokens) == 1 else f"{len(tokens)} moves"
    return [f"{side} to move.", points, f"{moves}: {' '.join(tokens)}"]
