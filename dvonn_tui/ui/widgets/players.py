"""Who plays, whose turn it is, and how the game stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from dvonn_tui.art.scene import Tile
from dvonn_tui.core.cells import RIM
from dvonn_tui.core.pieces import PIECE_COUNTS, PIECE_OF, Piece, Side
from dvonn_tui.core.position import Phase, Position, Score
from dvonn_tui.core.rules import moves_of, next_piece
from dvonn_tui.ui.clock_faces import ClockFace, Faces
from dvonn_tui.ui.curves import Curve, Graph
from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.widgets.clock_places import ClockPlaces
from dvonn_tui.ui.widgets.graph import LEAST_GRAPH, GraphPanel, bar_sign
from dvonn_tui.ui.widgets.lines import blank_lines, shortened
from dvonn_tui.ui.words import counted, outcome_reason, outcome_title

MEANING: Final = "score: pieces in own stacks"
NO_SCORE: Final = Score(0, 0)
MOST_GRAPH: Final = 8
LOW: Final = 18
"""Lines below which other things make way for a graph of the value: that it is shown was wished for."""
WITHOUT_BARS: Final = 12
"""Lines below which the bars make way."""
GOOD_GRAPH: Final = 8
"""Lines of a graph with all that belongs to it from which on other things have room beside it."""
CLOCK_COLUMNS: Final = 8
"""What a clock takes in one line, whatever it shows, so that nothing beside it moves: ``! 0:09.8``."""
ONE_LINE_AROUND: Final = 20
"""Columns of the players in one line beside their names and the result."""
PIECES_IN_PLAY = sum(PIECE_COUNTS.values())


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands.

    Attributes:
        names: the names of White and Black.
        turn: the side to act; None when the game is over.
        score: the live score.
        facts: what else there is to know, one short sentence each.
        result: who won and why; nothing while the game goes on.
        clocks: what the clocks show; None without any.
    """

    names: tuple[str, str] = ("White", "Black")
    turn: Side | None = None
    score: Score = NO_SCORE
    facts: tuple[str, ...] = ()
    result: tuple[str, ...] = ()
    clocks: Faces | None = None

    def clock(self, side: Side) -> ClockFace | None:
        """The clock of a side."""
        return None if self.clocks is None else self.clocks[0 if side is Side.WHITE else 1]

    def name(self, side: Side) -> str:
        """The name of a side's player."""
        return self.names[0 if side is Side.WHITE else 1]


def standing(position: Position, white: str, black: str) -> Standing:
    """How a position stands for two players."""
    outcome = position.outcome
    result = () if outcome is None else (outcome_title(outcome), outcome_reason(outcome))
    return Standing(
        (white, black), None if outcome else position.side, position.score, _facts(position), result
    )


def _facts(position: Position) -> tuple[str, ...]:
    if position.phase is Phase.PLACEMENT:
        piece = next_piece(position)
        following = "a red piece" if piece is Piece.RED else f"{position.side.word}'s piece"
        return (f"next: {following}", f"left: {_left(position)}", _rim(position))
    white, black = position.score
    lead = (
        "level"
        if white == black
        else f"{'White' if white > black else 'Black'} leads by {abs(white - black)}"
    )
    moves = [sum(1 for _ in moves_of(position, side)) for side in Side]
    stacks = sum(1 for stack in position.stacks if stack)
    gone = PIECES_IN_PLAY - sum(len(stack) for stack in position.stacks)
    return (
        lead,
        f"moves: White {moves[0]}, Black {moves[1]}",
        f"{counted(stacks, 'stack')}, {gone} pieces off" if gone else counted(stacks, "stack"),
    )


def _left(position: Position) -> str:
    """What is still to be placed, in few words."""
    left = {piece: most - position.count(piece) for piece, most in PIECE_COUNTS.items()}
    if left[Piece.RED]:
        return f"{left[Piece.RED]} red, {left[Piece.WHITE] + left[Piece.BLACK]} others"
    return f"{left[Piece.WHITE]} white, {left[Piece.BLACK]} black"


def _rim(position: Position) -> str:
    """How many pieces of each side lie on the rim, where stacks can always move."""
    white, black = (sum(1 for cell in RIM if position.stacks[cell] == (PIECE_OF[side],)) for side in Side)
    return f"rim: White {white}, Black {black}"


class Players(GraphPanel):
    """Draws a standing: names, turn, live score with a bar each, facts, and a graph below them."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._shown = Standing()
        self._clocks = ClockPlaces()

    def show(self, shown: Standing, curve: Curve) -> None:
        """Show another standing or curve."""
        if (shown, curve) != (self._shown, self.curve):
            self._shown, self.curve = shown, curve
            self.repaint()

    def show_clocks(self, clocks: Faces) -> None:
        """Show other clocks, and all else as it is."""
        before, self._shown = self._shown.clocks, replace(self._shown, clocks=clocks)
        self._clocks.change(self, before, clocks)

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """Two lines a player, Black on top as on a board seen by White; one line in all when low."""
        self._clocks.clear()
        if height < 4:
            self.graph(0, width, 0, 0)
            return [self._one_line(width), *blank_lines(width, height - 1, self.inks.text)]
        if self.curve.graph is Graph.VALUE and height < LOW:
            rows = self._heads(width, height)
        else:
            rows = self._all(width, height)
            if height - len(rows) > LEAST_GRAPH + 1:
                rows.append(self.line(width).tiles())
        rows += self.graph(len(rows), width, height - len(rows), MOST_GRAPH)
        return [*rows, *blank_lines(width, height - len(rows), self.inks.text)][:height]

    def _heads(self, width: int, height: int) -> list[list[Tile]]:
        """The players, who won, and the facts, so that a graph has room below them."""
        if height < WITHOUT_BARS:
            sides = (Side.BLACK, Side.WHITE)
            rows = [self._head_of(side, width, y, scored=True) for y, side in enumerate(sides)]
        else:
            rows = self._both(width)
        told = [(text, self.inks.warning) for text in self._shown.result[:1]]
        told += [(text, self.inks.dim) for text in self._shown.facts]
        # The same number with a result and without, so that the graph keeps its place while one walks on it.
        for text, ink in told[: min(max(height - len(rows) - GOOD_GRAPH, 0), len(self._shown.facts))]:
            rows.append(self.line(width).add(f" {text}", ink).tiles())
        return rows

    def _all(self, width: int, height: int) -> list[list[Tile]]:
        """The players with their bars, the result, the facts, and what the score is."""
        rows = self._both(width)
        if height - len(rows) > len(self._shown.result) + len(self._shown.facts):
            rows.append(self.line(width).tiles())
        rows += [self.line(width).add(f" {text}", self.inks.warning).tiles() for text in self._shown.result]
        rows += [self.line(width).add(f" {fact}", self.inks.dim).tiles() for fact in self._shown.facts]
        if len(rows) < height:
            rows.append(self.line(width).add(f" {MEANING}", self.inks.dim).tiles())
        return rows[:height]

    def _both(self, width: int) -> list[list[Tile]]:
        rows = self._player(Side.BLACK, width, 0)
        return rows + self._player(Side.WHITE, width, len(rows))

    def _player(self, side: Side, width: int, y: int) -> list[list[Tile]]:
        inks, signs = self.inks, self.signs
        score = self._shown.score.of(side)
        length = max(width - 8, 1)
        filled = min(round(score * length / PIECES_IN_PLAY), length)
        bar = self.line(width).to(3).add(bar_sign(side, inks, signs) * filled, inks.bars[side])
        bar.add(signs.line * (length - filled), inks.dim).right(f"{score:>2}", inks.strong)
        return [self._head_of(side, width, y), bar.tiles()]

    def _head_of(self, side: Side, width: int, y: int, *, scored: bool = False) -> list[Tile]:
        """A player's line, the one with the number `y`: who it is and whether it is his turn; his score as
        well if there is no bar."""
        inks, signs, shown = self.inks, self.signs, self._shown
        to_act = shown.turn is side
        line = self.line(width).add(f" {signs.of(side)} ", inks.strong)
        line.add(side.word, inks.strong if to_act else inks.text)
        name = shown.name(side)
        score = f"{shown.score.of(side):>2}" if scored else ""
        clock = shown.clock(side)
        turn = "" if not to_act else f"{signs.marker} to move" if clock is None else f"{signs.marker} "
        length = len(turn) + (len(clock.marked) if clock is not None else 0)
        if name != side.word:
            room = width - len(line) - 2 - len(score) - (length + 1 + scored if length else 0)
            line.add(f" {shortened(name, room, signs)}", inks.text if to_act else inks.dim)
        margin = 2 + len(score) if scored else 1
        if clock is not None:
            line.to(width - margin - length).add(turn, inks.warning)
            self._clocks.write(line, y, side, clock, inks)
        elif turn:
            line.right(turn, inks.warning, margin)
        if scored:
            line.right(score, inks.strong)
        return line.tiles()

    def _one_line(self, width: int) -> list[Tile]:
        inks, signs, shown = self.inks, self.signs, self._shown
        line = self.line(width)
        told = shown.result[0] if shown.result else ""
        clocks = 2 * (CLOCK_COLUMNS + 1)
        timed = shown.clocks is not None and (not told or width - ONE_LINE_AROUND - len(told) - clocks >= 10)
        room = (width - ONE_LINE_AROUND - len(told) - (clocks if timed else 0)) // 2
        for side in Side:
            line.add(f" {signs.marker if shown.turn is side else ' '}{signs.of(side)} ", inks.strong)
            name = shortened(shown.name(side), min(max(room, 5), 14), signs)
            line.add(f"{name} ", inks.text).add(str(shown.score.of(side)), inks.strong).add("  ", inks.text)
            clock = shown.clock(side) if timed else None
            if clock is not None:
                end = len(line) + CLOCK_COLUMNS
                self._clocks.write(line, 0, side, clock, inks)
                line.to(end).add(" ", inks.text)
        if told:
            line.add(f" {told}", inks.warning)
        elif shown.facts:
            line.right(shown.facts[0], inks.dim)
        return line.tiles()
