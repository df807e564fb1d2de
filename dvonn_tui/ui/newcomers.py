"""What is written down when somebody else sits down in the middle of a game.

A record has one name for each side. It stays that of who began: it is part of how a game started, and its
file and the library go by it. Who plays on is told where that began, as a comment on the ply at which the
game stood: every form that tells more than moves has comments, and a tag could not say from where on it
holds. It is a comment like any other: it is seen in the log, and can be changed or taken away. How everybody
is called now is in the game's file, with the seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dvonn_tui.core.pieces import Side
from dvonn_tui.play.session import Session


@dataclass(frozen=True, slots=True)
class Noted:
    """A change of players that was written down.

    Attributes:
        session: the game.
        ply: the number of the last entry of the ply about which it is written.
        before: who played until then.
        line: what is written; empty when the same play on after all.
    """

    session: Session
    ply: int
    before: Mapping[Side, str]
    line: str


def note_newcomers(
    session: Session, before: Mapping[Side, str], now: Mapping[Side, str], last: Noted | None
) -> Noted | None:
    """Write down who plays from where the game stands on, below what is written about that ply already.

    Who sits down there after others that have not played (as `last` tells) takes their place in the comment.

    Returns:
        What was written; None in a game that is over, which nobody plays on.
    """
    game = session.game
    if game.position.over:
        return None
    ply = game.end_of_ply(game.head)
    lines = game.comment_of(ply).split("\n")
    if last is not None and last.session is session and last.ply == ply.number:
        before = last.before
        if last.line and last.line in lines:
            lines.remove(last.line)
    line = newcomers_line(before, now)
    text = "\n".join([*lines, line]) if any(lines) else line
    session.comment(ply, text.removesuffix("\n"))
    return Noted(session, ply.number, before, line)


def newcomers_line(before: Mapping[Side, str], now: Mapping[Side, str]) -> str:
    """Who plays from here on in the place of whom: ``Black: Level 3 from here on, Ada before``.

    Empty when nobody is another. Whoever has no name but that of his side is a person.
    """

    def who(side: Side, name: str) -> str:
        return "a person" if name == side.word else name

    told = (
        f"{side.word}: {who(side, now[side])} from here on, {who(side, before[side])} before"
        for side in Side
        if now[side] != before[side]
    )
    return "; ".join(told)
