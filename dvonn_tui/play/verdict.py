"""What a position is worth, from White's view: in words, as a chance to win, and what a move lost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Position

if TYPE_CHECKING:
    from dvonn_tui.play.thoughts import Thought

ONE_LOGIT: Final = 256
"""`dvonn_tui.engine.values.ONE_LOGIT`, here so that nothing of the engine is loaded: points of an estimate
that are one unit of log-odds."""

MISTAKE: Final = 0.10
"""Chance to win that a move has to lose at least to be marked ``?``."""

BLUNDER: Final = 0.25
"""The same for ``??``."""

AT_RANDOM: Final = "if the rest is placed at random"
"""What the value of a placement stands for, in words."""

RED_BY_RULE: Final = "Red pieces go by rule, without a value: White spreads them, Black keeps them together."
"""What is said of a red piece in place of a value."""

WASTE: Final = 3
"""Pieces of the final margin that a move has to give away at least to be marked ``~``, where both values are
solved and it costs no chance: the game stays won or lost, by more or by less."""

MISTAKE_MARK: Final = "?"
BLUNDER_MARK: Final = "??"
WASTE_MARK: Final = "~"
MARKS: Final = (WASTE_MARK, MISTAKE_MARK, BLUNDER_MARK)
"""All marks, the mildest first."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a position is worth.

    Attributes:
        value: White's final margin in pieces if `certain`, else an estimate in points.
        certain: the value is a margin that was seen at the end of the game.
        solved: it is the true one, with best play by both.
    """

    value: int
    certain: bool = False
    solved: bool = False

    @property
    def chance(self) -> float:
        """White's chance to win, 0 to 1; a draw is a half."""
        if self.certain:
            return 0.5 if self.value == 0 else float(self.value > 0)
        return 1 / (1 + math.exp(-max(min(self.value / ONE_LOGIT, 50.0), -50.0)))

    @property
    def margin(self) -> int | None:
        """White's final margin in pieces; None when it is not solved."""
        return self.value if self.solved else None

    @property
    def words(self) -> str:
        """``solved: White +7``, ``White +7, unproven`` or, of an estimate, ``White wins 64 %``."""
        if self.certain:
            margin = f"{_leader(self.value)} +{abs(self.value)}" if self.value else "a draw"
            return f"solved: {margin}" if self.solved else f"{margin}, unproven"
        side, percent = self._leading()
        return "level" if percent == 50 else f"{side.word} wins {percent} %"

    @property
    def brief(self) -> str:
        """The same as short as can be: ``W+7`` and ``W 64%``."""
        if self.certain:
            return f"{_leader(self.value)[0]}+{abs(self.value)}" if self.value else "draw"
        side, percent = self._leading()
        return f"{side.word[0]} {percent}%"

    def _leading(self) -> tuple[Side, int]:
        """Who is ahead by an estimate, and his chance in per cent; never quite a hundred."""
        side = Side.WHITE if self.value >= 0 else Side.BLACK
        chance = self.chance if side is Side.WHITE else 1 - self.chance
        return side, min(round(chance * 100), 99)


def _leader(margin: int) -> str:
    return (Side.WHITE if margin > 0 else Side.BLACK).word


def verdict_of(thought: Thought) -> Verdict | None:
    """What an engine's thought says of its position; None when it says nothing of its value."""
    if not thought.valued:
        return None
    value = thought.value if thought.position.side is Side.WHITE else -thought.value
    return Verdict(value, thought.certain, thought.solved)


def verdict_at_end(position: Position) -> Verdict:
    """What a finished game was worth by the score on the board; a resignation decides nothing here."""
    white, black = position.score
    return Verdict(white - black, certain=True, solved=True)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a move lost for the side that made it.

    Attributes:
        chance: of its chance to win, 0 to 1.
        pieces: of its final margin; None unless both values are solved.
    """

    chance: float = 0.0
    pieces: int | None = None

    @property
    def mark(self) -> str:
        """``??`` for a blunder, ``?`` for a mistake, ``~`` for margin given away, else nothing."""
        if self.chance >= BLUNDER:
            return BLUNDER_MARK
        if self.chance >= MISTAKE:
            return MISTAKE_MARK
        return WASTE_MARK if (self.pieces or 0) >= WASTE else ""

    @property
    def words(self) -> str:
        """``loses 12 %``, ``loses 3 pieces``, or nothing."""
        percent = round(self.chance * 100)
        said = [f"{percent} %"] if percent else []
        if self.pieces:
            said.append("1 piece" if self.pieces == 1 else f"{self.pieces} pieces")
        return f"loses {', '.join(said)}" if said else ""


def loss_of(side: Side, before: Verdict, after: Verdict) -> Loss:
    """What a move of a side lost between two verdicts. What it seems to have gained is no loss."""
    sign = 1 if side is Side.WHITE else -1
    chance = max(sign * (before.chance - after.chance), 0.0)
    pieces = None
    if before.margin is not None and after.margin is not None:
        pieces = max(sign * (before.margin - after.margin), 0)
    return Loss(chance, pieces)
