"""What the positions of a game are worth, as far as that is known, and what is known of their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dvonn_tui.core.log import Ply
from dvonn_tui.core.position import Reason
from dvonn_tui.core.rules import due
from dvonn_tui.play.verdict import Verdict, verdict_at_end


@dataclass(frozen=True, slots=True)
class _Known:
    verdict: Verdict
    depth: int


class Values:
    """Gathers verdicts of positions, by the number of the entry after which each stands.

    Attributes:
        version: another number whenever something else is known.
    """

    def __init__(self) -> None:
        self.version = 0
        self._known: dict[int, _Known] = {}

    def note(self, number: int, verdict: Verdict, depth: int) -> None:
        """Take a verdict down, unless what is known already is deeper or solved."""
        before = self._known.get(number)
        if before is not None and (before.verdict.solved or before.depth > depth):
            return
        if before is None or before.verdict != verdict:
            self.version += 1
        self._known[number] = _Known(verdict, depth)

    def along(self, plies: Sequence[Ply]) -> tuple[Verdict | None, ...]:
        """The verdict after each ply of a line; None where it is not known.

        The end of a game by the rules says itself what it is worth. Before a forced pass a position is
        worth what it is after it.
        """
        found: list[Verdict | None] = []
        after: Verdict | None = None
        for ply in reversed(plies):
            position, known = ply.last.position, self._known.get(ply.last.number)
            if position.outcome is not None and position.outcome.reason is Reason.NO_MOVES:
                after = verdict_at_end(position)
            elif known is not None:
                after = known.verdict
            elif not due(position):
                after = None
            found.append(after)
        return tuple(reversed(found))
