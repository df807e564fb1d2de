"""The review of a finished game: what every ply lost, marked in the log and said when it is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dvonn_tui.core.events import PiecePlaced
from dvonn_tui.core.log import Ply
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.session import Session
from dvonn_tui.play.verdict import MARKS
from dvonn_tui.ui.curves import Graph
from dvonn_tui.ui.keys import Keymap
from dvonn_tui.ui.screens.analysing import AnalysingScreen
from dvonn_tui.ui.widgets.analysis import Findings, long_form
from dvonn_tui.ui.words import Tone

if TYPE_CHECKING:
    from dvonn_tui.play.review import Judged

REVIEW_MILLISECONDS: Final = 400
"""How long each position is thought about; a solved one takes less."""


class ReviewingScreen(AnalysingScreen):
    """Reviews the line that is seen, while everything else goes on.

    Attributes:
        judged: what is known of plies, by the number of their last entry.
        reviewed: how much of the review that is under way is done, 0 to 1; None when none is.
    """

    def __init__(self, session: Session, keymap: Keymap) -> None:
        super().__init__(session, keymap)
        self.judged: dict[int, Judged] = {}
        self.reviewed: float | None = None
        self._review_trouble = ""

    def use_session(self, session: Session) -> None:
        """Show another game. Nothing is known of it."""
        self._stop_review()
        self.judged = {}
        self._review_trouble = ""
        super().use_session(session)

    def action_review(self) -> None:
        """Review the finished game that is seen, or stop doing so."""
        self.heard()
        if self.reviewed is not None:
            self._stop_review()
            self.say("the review is stopped", Tone.QUIET)
            return
        plies = self.hand.view.plies
        if not plies[-1].last.position.over:
            self.say("a review is of a finished game: this one goes on", Tone.QUIET)
            return
        if not self.analysing:
            self.action_analysis()
        self.open_analyst().look(None)
        self.reviewed = 0.0
        self._review_trouble = ""
        if self._graph_has_room:
            self.graph = Graph.VALUE
        self.run_worker(self._review(plies), group="review", exclusive=True)
        self.update()

    def _stop_review(self) -> None:
        if self.reviewed is not None:
            self.reviewed = None
            self.workers.cancel_group(self, "review")

    async def _review(self, plies: tuple[Ply, ...]) -> None:
        """Judge one ply after the other, and show each at once."""
        from dvonn_tui.play.engine_trouble import EngineTrouble, Superseded
        from dvonn_tui.play.review import review

        link = self.open_analyst().link
        count = 0
        try:
            async with aclosing(review(link, plies, REVIEW_MILLISECONDS)) as found:
                async for judged in found:
                    count += 1
                    self._learn(judged, plies[count - 1])
                    self.reviewed = count / (len(plies) - 1)
                    self.update()
            self.say(summary([self.judged[ply.last.number] for ply in plies[1:]]), Tone.STRONG)
        except Superseded:
            pass  # the application ends
        except EngineTrouble as trouble:
            self._review_trouble = trouble.line
        self.reviewed = None
        self.update()

    def _learn(self, judged: Judged, ply_before: Ply) -> None:
        """Keep what was found of a ply, and of the positions before and after it."""
        self.judged[judged.ply.last.number] = judged
        found = [(judged.ply, judged.after)]
        if not isinstance(judged.ply.first.event, PiecePlaced):
            # Before a placement stands what its best cell is worth, after the one before it what that was.
            found.append((ply_before, judged.before))
        for ply, worth in found:
            if worth.verdict is not None:
                self.values.note(ply.last.number, worth.verdict, worth.depth)

    @property
    def wants_analysis(self) -> bool:
        """A review has the engine for itself."""
        return super().wants_analysis and self.reviewed is None

    def marks(self) -> Mapping[int, str]:
        """The marks of what was not the best, by the number of the last entry of their ply."""
        return {number: judged.loss.mark for number, judged in self.judged.items()}

    def findings(self) -> Findings:
        """What is known of the position, and of the ply that led to it."""
        judged = self.judged_here
        told = "" if judged is None else judgement(judged)
        if self.reviewed is not None:
            verdict = judged.after.verdict if judged is not None else None
            return Findings(self.variant, verdict, told=told, review=self.reviewed)
        found = super().findings()
        trouble = found.trouble or self._review_trouble
        return replace(found, told=told or found.told, trouble=trouble)

    @property
    def judged_here(self) -> Judged | None:
        """What is known of the ply that is seen."""
        if not self.judged:
            return None
        view = self.hand.view
        return self.judged.get(view.plies[view.index].last.number)

    def action_step(self, plies: int) -> None:
        """Look some plies further on, or back."""
        super().action_step(plies)
        self._say_mistake()

    def look_at(self, number: int) -> None:
        """Look at an entry of the log."""
        super().look_at(number)
        self._say_mistake()

    def _say_mistake(self) -> None:
        """Say of a ply with a mark what was better."""
        judged = self.judged_here
        if judged is not None and judged.loss.mark and not self._said:
            self.say(judgement(judged))


def judgement(judged: Judged) -> str:
    """What a ply lost and what was better: ``a1-b2 ? loses 12 %; better: c3-d4``."""
    if judged.before.verdict is None or not judged.before.line or not judged.token:
        return ""
    played = long_form(judged.token)
    if judged.token == judged.before.line[0]:
        what = "cell" if isinstance(judged.ply.first.event, PiecePlaced) else "move"
        return f"{played} is the best {what}" if judged.token != "pass" else ""
    if judged.after.verdict is None:
        return ""
    if not judged.loss.words:
        return f"{played} loses nothing"
    mark = f" {judged.loss.mark}" if judged.loss.mark else ""
    return f"{played}{mark} {judged.loss.words}; better: {long_form(judged.before.line[0])}"


def summary(judged: list[Judged]) -> str:
    """How many marks of each kind each side has."""
    parts = []
    for side in Side:
        marks = [each.loss.mark for each in judged if each.side is side]
        parts.append(f"{side.word} {', '.join(f'{mark} {marks.count(mark)}' for mark in MARKS)}")
    return f"reviewed: {'; '.join(parts)}"
