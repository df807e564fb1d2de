"""The texts of the help: how DVONN is played, with the positions drawn beside them, and the signs.

The positions are real ones: where a stack may go and what would be cut off is asked of the rules, so
that a picture cannot say anything else than the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dvonn_tui.art.scene import Scene
from dvonn_tui.core.cells import CELL_NAMED, CELLS, Cell
from dvonn_tui.core.events import Move
from dvonn_tui.core.log import CellMark, MarkKind
from dvonn_tui.core.pieces import EMPTY, Piece, Side, Stack
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import play, targets
from dvonn_tui.core.setups import Setup, set_up


@dataclass(frozen=True)
class Figure:
    """A position to be drawn, with a stack that is picked and perhaps a move that is considered."""

    stacks: str
    """``cell:pieces``, bottom to top, with blanks between: ``d3:r e3:bw``."""
    picked: str = ""
    aim: str = ""

    @cached_property
    def position(self) -> Position:
        """The position. White is to move."""
        placed: dict[Cell, Stack] = {}
        for part in self.stacks.split():
            name, pieces = part.split(":")
            placed[CELL_NAMED[name]] = tuple(Piece(piece) for piece in pieces)
        return Position(tuple(placed.get(cell, EMPTY) for cell in CELLS), Phase.MOVEMENT, Side.WHITE)

    @property
    def scene(self) -> Scene:
        """What is drawn: the signs follow from the rules."""
        position = self.position
        if not self.picked:
            return Scene(position.stacks)
        source = CELL_NAMED[self.picked]
        aim = CELL_NAMED[self.aim] if self.aim else None
        return Scene(
            position.stacks,
            selected=source,
            targets=frozenset(targets(position, source)),
            aim=aim,
            doomed=self._doomed(source, aim) if aim is not None else frozenset(),
            cursor=aim,
        )

    def _doomed(self, source: Cell, aim: Cell) -> frozenset[Cell]:
        after = play(self.position, Move(source, aim))[1]
        left = (cell for cell in CELLS if self.position.stacks[cell] and not after.stacks[cell])
        return frozenset(left) - {source}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a few sentences, and perhaps a drawn position."""

    heading: str
    text: str
    figure: Figure | None = None
    whole: Scene | None = None
    """A whole board instead of a part of one."""


TARGETS: Final = Figure("e3:bw d3:r c3:b e4:b f4:w g4:b g3:w e5:b d2:b c1:w d1:w e1:b", picked="e3")
SURROUNDED: Final = Figure("f3:w e3:b g3:w f4:b g4:r e2:w f2:b", picked="f3")
CUT_OFF: Final = Figure("d3:r d4:b c2:w e3:w f3:b g3:wb f2:w", picked="e3", aim="d3")

GAME: Final = (
    Section(
        "The aim",
        "Two players, White and Black, build stacks. Whoever owns the most pieces when nobody can move "
        "any more wins. A stack belongs to the colour on its top, and everything beneath counts.",
        whole=Scene(set_up(Setup.BALANCED, 7).stacks),
    ),
    Section(
        "Placing the pieces",
        "There are 49 cells and 49 pieces: 23 white, 23 black and 3 red ones, the DVONN pieces, which "
        "belong to nobody. The board is drawn for you, unless you choose to place by hand: first the "
        "red pieces, White, Black and White again; then each his own, Black first, wherever a cell is "
        "free. White places the last piece and makes the first move too.",
    ),
    Section(
        "How the game ends",
        "If you have no move you must pass, and that happens by itself; if you have one you must make "
        "it. When neither side can move, the game is over: put all your stacks on top of each other, "
        "and the taller tower wins. Equal towers are a draw.",
    ),
    Section(
        "Clocks",
        "A game can have clocks, chosen with the new game: minutes for each player (10), with seconds "
        "won by every move (5+3) or with seconds that pass in each turn before the clock runs (5d3), or "
        "seconds for each move (30s). White's clock runs as soon as the board is there. Whoever has no "
        "time left loses, whatever lies on the board. Looking back and questions do not halt a clock; "
        "the pause does, and undo gives back the time of what is taken back.",
    ),
    Section(
        "With people on other machines",
        "You meet at a table of a server: t lists servers and their tables, n opens one there, and & copies "
        "the line that invites somebody. At a table c opens the chat line, and /help in it lists what else "
        "can be said. A server of your own is started by dvonn-tui host.",
    ),
)

MOVES: Final = (
    Section(
        "Moving a stack",
        "In your turn you move one stack with your colour on top. It goes in a straight line, in one of "
        "six directions, exactly as many cells as it is high, and lands on another stack: on yours, on "
        "the other side's or on a red piece. What lies between is no hindrance, but it never lands on "
        "an empty cell.\n\n"
        "White's stack of 2 has five targets here. The sixth cell, g5, is empty.",
        TARGETS,
    ),
    Section(
        "Surrounded stacks wait",
        "A stack with neighbours on all six sides cannot move, whatever its height; so the game begins "
        "at the rim. A red piece never moves alone, but once somebody stands on it, it goes along.",
        SURROUNDED,
    ),
    Section(
        "Stay linked to red",
        "After each move every stack that has no link to a red piece, neighbour by neighbour, leaves "
        "the board at once and counts for nobody. Before you move you see what would go.\n\n"
        "White steps from e3 onto the red piece: the gap that is left behind cuts off two black stacks "
        "and a white one.",
        CUT_OFF,
    ),
    Section(
        "A first plan",
        "Early on, moves are many: go for stacks near the red pieces and keep some single pieces free "
        "to move. Tall stacks need a target far away and are soon stuck. Count who will have the last "
        "moves: that side decides what is still linked in the end.",
    ),
)


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign of the board and what it means. It is drawn on the cell `SIGN_CELL`."""

    name: str
    meaning: str
    scene: Scene


SIGN_CELL: Final = CELL_NAMED["f3"]


def _alone(pieces: str) -> tuple[Stack, ...]:
    """A board with nothing but one stack."""
    stack = tuple(Piece(piece) for piece in pieces)
    return tuple(stack if cell == SIGN_CELL else EMPTY for cell in CELLS)


def _marked(kind: MarkKind) -> Scene:
    """A marked stack."""
    return Scene(_alone("w"), marks=(CellMark(SIGN_CELL, kind),))


_HERE: Final = frozenset({SIGN_CELL})

SIGNS: Final = (
    Sign("White", "a stack with white on top, and its height", Scene(_alone("bw"))),
    Sign("Black", "a stack with black on top, and its height", Scene(_alone("wwb"))),
    Sign("Tall", "any height up to 49", Scene(_alone("wb" * 5 + "ww"))),
    Sign("Red", "a DVONN piece alone: it cannot move", Scene(_alone("r"))),
    Sign("Red inside", "a stack that holds a DVONN piece", Scene(_alone("rbw"))),
    Sign("Empty", "no stack can land here", Scene()),
    Sign("May move", "its side is to move, and it has a target", Scene(_alone("w"), movable=_HERE)),
    Sign("Picked", "the stack that you are moving", Scene(_alone("bw"), selected=SIGN_CELL)),
    Sign("Target", "the picked stack may land here", Scene(_alone("b"), targets=_HERE)),
    Sign(
        "Aimed at",
        "the target under the pointer or cursor",
        Scene(_alone("b"), targets=_HERE, aim=SIGN_CELL),
    ),
    Sign("White falls", "would be cut off by this move", Scene(_alone("w"), doomed=_HERE)),
    Sign("Black falls", "would be cut off by this move", Scene(_alone("b"), doomed=_HERE)),
    Sign("Last move", "where it came from and where it went", Scene(_alone("b"), last=_HERE)),
    Sign("Cursor", "where the keys are", Scene(_alone("b"), cursor=SIGN_CELL)),
    Sign("Circle", "a cell that you marked", _marked(MarkKind.CIRCLE)),
    Sign("Cross", "a cell that you marked", _marked(MarkKind.CROSS)),
    Sign("Star", "a cell that you marked", _marked(MarkKind.STAR)),
)
