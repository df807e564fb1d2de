"""The stack inspector: a stack seen from the side, and what it can do."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from dvonn_tui.art.scene import Tile
from dvonn_tui.core.cells import CELL_NAMES, Cell
from dvonn_tui.core.pieces import LONE_RED, Piece, Stack, holds_red, owner
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import targets, why_stuck
from dvonn_tui.play.attention import Attention
from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines
from dvonn_tui.ui.words import counted


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the inspector shows.

    Attributes:
        title: where the stack is.
        stack: its pieces, bottom to top.
        facts: what there is to say of it, one sentence each.
        pinned: True when it stays while the cursor goes on.
        hint: what is told in place of a stack.
    """

    title: str = ""
    stack: Stack = ()
    facts: tuple[str, ...] = ()
    pinned: bool = False
    hint: str = ""


def inspect(attention: Attention, cell: Cell | None, *, pinned: bool, hint: str = "") -> Inspection:
    """Look into the stack on a cell, or into the one that the considered move would make.

    `hint` is what is told when there is no stack to look into.
    """
    preview = attention.preview
    if preview is not None and not pinned:
        source, target = CELL_NAMES[preview.move.source], CELL_NAMES[preview.move.target]
        facts = [counted(len(preview.result), "piece")]
        if holds_red(preview.result):
            facts.append("holds red")
        lost = any(removed == preview.move.target for removed, _ in preview.removed)
        if lost:
            facts = ["is cut off: leaves the board"]
        return Inspection(f"{target} after {source}", preview.result, tuple(facts))
    if cell is None:
        return Inspection(hint=hint, pinned=pinned)
    stack = attention.position.stacks[cell]
    if not stack:
        return Inspection(f"{CELL_NAMES[cell]} empty", pinned=pinned)
    return Inspection(_title(cell, stack), stack, _facts(attention.position, cell, stack), pinned)


def _title(cell: Cell, stack: Stack) -> str:
    holder = owner(stack)
    if holder is None:
        return f"{CELL_NAMES[cell]} a red piece"
    return f"{CELL_NAMES[cell]} {holder.word}, {len(stack)} high"


def _facts(position: Position, cell: Cell, stack: Stack) -> tuple[str, ...]:
    facts = []
    if holds_red(stack) and stack != LONE_RED:
        reds = stack.count(Piece.RED)
        facts.append("holds red" if reds == 1 else f"holds {reds} red")
    if position.phase is Phase.PLACEMENT:
        return tuple(facts)
    stuck = why_stuck(position, cell)
    if stuck is not None:
        facts.append(f"no move: {stuck.removeprefix(CELL_NAMES[cell] + ' ')}")
    else:
        facts.append(counted(len(targets(position, cell)), "move"))
    return tuple(facts)


class Inspector(Dressed):
    """Draws an inspection: the pieces top first, folded in the middle when there are too many."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._shown = Inspection()

    @property
    def shown(self) -> Inspection:
        """What is shown."""
        return self._shown

    def show(self, inspection: Inspection) -> None:
        """Show another stack."""
        if inspection != self._shown:
            self._shown = inspection
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """A title, the stack, and the facts at the bottom."""
        inks, shown = self.inks, self._shown
        title = self.line(width).add(" " + (shown.title or "STACK"), inks.head)
        told = ("pinned", *shown.facts) if shown.pinned else shown.facts
        facts = [line for fact in _joined(told, width - 2) for line in textwrap.wrap(fact, max(width - 2, 8))]
        facts = facts[: max(height - 3, 1)]
        room = height - 1 - len(facts)
        rows = [title.tiles(), *self._pile(width, room)]
        rows += blank_lines(width, height - len(rows) - len(facts), inks.text)
        rows += [self.line(width).add(" " + fact, inks.dim).tiles() for fact in facts]
        return rows[:height]

    def _pile(self, width: int, room: int) -> list[list[Tile]]:
        if self._shown.hint:
            lines = textwrap.wrap(self._shown.hint, max(width - 2, 8))[:room]
            return [self.line(width).add(f" {line}", self.inks.text).tiles() for line in lines]
        pieces = list(reversed(self._shown.stack))
        if len(pieces) <= room:
            return [self._piece(piece, width, index) for index, piece in enumerate(pieces)]
        if room < 3:
            return [self._piece(piece, width, index) for index, piece in enumerate(pieces[:room])]
        above = room - 2
        hidden = len(pieces) - above - 1
        fold = self.line(width).to(5).add(f"{self.signs.fold} {hidden} more", self.inks.dim)
        top = [self._piece(piece, width, index) for index, piece in enumerate(pieces[:above])]
        return [*top, fold.tiles(), self._piece(pieces[-1], width, len(pieces) - 1)]

    def _piece(self, piece: Piece, width: int, index: int) -> list[Tile]:
        inks, signs = self.inks, self.signs
        sign = {Piece.WHITE: signs.white, Piece.BLACK: signs.black, Piece.RED: signs.red}[piece]
        line = self.line(width)
        if signs.plain:
            line.add(
                {Piece.WHITE: "  (  W  )", Piece.BLACK: "  [  B  ]", Piece.RED: "  <  D  >"}[piece],
                inks.strong,
            )
        else:
            line.add(" ", inks.text).add("▐", inks.edge(piece))
            line.add(sign.center(7), inks.piece(piece)).add("▌", inks.edge(piece))
        if index == 0:
            line.add(" top", inks.dim)
        elif piece is Piece.RED:
            line.add(" red", inks.dim)
        return line.tiles()


def _joined(facts: tuple[str, ...], width: int) -> list[str]:
    """Facts on one line as long as they fit."""
    lines: list[str] = []
    for fact in facts:
        if lines and len(lines[-1]) + 2 + len(fact) <= width:
            lines[-1] += ", " + fact
        else:
            lines.append(fact)
    return lines
