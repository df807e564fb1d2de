"""The panel of the analyst: what the position is worth, and the best lines as they come in."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message

from dvonn_tui.art.scene import Tile
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.notation import Word, format_action, parse_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.play.verdict import Verdict, verdict_of
from dvonn_tui.ui.paint import Inks, Line
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines

if TYPE_CHECKING:
    from dvonn_tui.play.thoughts import Thought


@dataclass(frozen=True, slots=True)
class Findings:
    """What the panel shows.

    Attributes:
        variant: how the engine runs: ``compiled`` or ``interpreted``.
        verdict: what the position is worth, as far as it is known.
        thoughts: the best lines, best first.
        shown: which of them is shown on the board; None for none.
        told: what is said in place of lines, or below them.
        trouble: what is wrong with the engine, in one line.
        review: how much of a review is done, 0 to 1; None when none is under way.
    """

    variant: str = ""
    verdict: Verdict | None = None
    thoughts: tuple[Thought, ...] = ()
    shown: int | None = None
    told: str = ""
    trouble: str = ""
    review: float | None = None


def long_form(token: str) -> str:
    """A token of a line as the screen shows it: ``a1-b2``. One that is none is shown as it is."""
    try:
        action = parse_token(token)
    except DvonnError:
        return token
    return str(action) if isinstance(action, Word) else format_action(action, "-")


def short_count(count: int) -> str:
    """A number in four columns or so: ``950``, ``12k``, ``1.5M``."""
    if count < 1_000:
        return str(count)
    if count < 1_000_000:
        return f"{count // 1_000}k"
    return f"{count / 1_000_000:.1f}M"


class AnalysisPanel(Dressed):
    """Draws what was found. A click on a line shows it on the board."""

    class Chosen(Message):
        """A line was clicked: 0 for the best."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._findings = Findings()
        self._zones: dict[int, int] = {}

    @property
    def findings(self) -> Findings:
        """What is shown."""
        return self._findings

    def show(self, findings: Findings) -> None:
        """Show something else."""
        if findings != self._findings:
            self._findings = findings
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """A title, the value as a bar and in words, what it cost, the lines, and what is told."""
        inks, found = self.inks, self._findings
        rows = [Line(width, inks.text).add(" ANALYSIS", inks.head).right(found.variant, inks.dim).tiles()]
        if found.trouble:
            rows.append(self._cut(found.trouble, width))
        elif found.verdict is not None:
            rows.append(self._bar(found.verdict, width))
            rows.append(Line(width, inks.text).add(f" {found.verdict.words}", inks.strong).tiles())
        if found.thoughts and not found.trouble:
            rows.append(self._cost(found.thoughts[0], width))
        self._zones = {}
        for place, thought in enumerate(found.thoughts):
            self._zones[len(rows)] = place
            rows.append(self._line(place, thought, width))
        if found.review is not None:
            rows.append(self._progress(found.review, width))
        for text in textwrap.wrap(found.told, max(width - 2, 8)):
            rows.append(Line(width, inks.text).add(f" {text}", inks.text).tiles())
        return [*rows, *blank_lines(width, height - len(rows), inks.text)][:height]

    def _cut(self, text: str, width: int) -> list[Tile]:
        """A warning in one line, with a sign where it is cut."""
        tiles = Line(width, self.inks.text).add(f" {text}", self.inks.warning).tiles()
        if len(text) + 1 > width:
            tiles[-1] = (self.signs.ellipsis, self.inks.dim)
        return tiles

    def _bar(self, verdict: Verdict, width: int) -> list[Tile]:
        """White's chance from the left, Black's from the right."""
        inks, room = self.inks, max(width - 2, 1)
        white = round(verdict.chance * room)
        full, light = ("#", "=") if self.signs.plain else ("█", "░")
        line = Line(width, inks.text).add(" ", inks.text)
        line.add(full * white, inks.bars[Side.WHITE])
        return line.add(light * (room - white), inks.bars[Side.BLACK]).tiles()

    def _cost(self, thought: Thought, width: int) -> list[Tile]:
        if thought.position.phase is Phase.PLACEMENT:
            boards = f" {short_count(thought.nodes)} random boards" if thought.valued else ""
            return Line(width, self.inks.text).add(boards, self.inks.dim).tiles()
        text = f" depth {thought.depth}"
        rate = f" {self.signs.dot} {short_count(thought.nps)}"
        unit = " nodes/s" if len(text + rate) + 8 < width else "/s"
        return Line(width, self.inks.text).add(f"{text}{rate}{unit}", self.inks.dim).tiles()

    def _progress(self, share: float, width: int) -> list[Tile]:
        text = f" review {round(share * 100):3} % "
        room = max(width - len(text) - 1, 1)
        done = round(share * room)
        line = (
            Line(width, self.inks.text)
            .add(text, self.inks.text)
            .add(self.signs.full * done, self.inks.strong)
        )
        return line.add(self.signs.line * (room - done), self.inks.faint).tiles()

    def _line(self, place: int, thought: Thought, width: int) -> list[Tile]:
        """A line: its number, its value, and as many of its moves as there is room for."""
        inks = self.inks
        lit = self._findings.shown == place
        text = inks.lit if lit else inks.text
        line = Line(width, text).add(
            f"{self.signs.marker if lit else ' '}{place + 1} ", text if lit else inks.dim
        )
        verdict = verdict_of(thought)
        if verdict is not None:
            line.add(f"{verdict.brief:<5}", text if lit else inks.strong)
        return line.add(fitting(thought.line, width - len(line) - 1, self.signs.ellipsis), text).tiles()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Show the line that was clicked."""
        event.stop()
        if event.y in self._zones:
            self.post_message(self.Chosen(self._zones[event.y]))


def fitting(tokens: Sequence[str], room: int, ellipsis: str) -> str:
    """As many moves as fit in so many columns, each whole; a sign that some are left out, if it fits."""
    text = ""
    for token in tokens:
        move = f" {long_form(token)}"
        if len(text) + len(move) > room:
            return f"{text} {ellipsis}" if len(text) + 2 <= room else text
        text += move
    return text
