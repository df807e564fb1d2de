"""From what is looked at to what the board shows."""

from __future__ import annotations

from dvonn_tui.art.scene import Scene
from dvonn_tui.core.cells import Cell
from dvonn_tui.core.events import PiecePlaced, StackMoved
from dvonn_tui.core.log import CellMark, Ply
from dvonn_tui.core.position import Phase
from dvonn_tui.play.attention import Attention, movable_stacks

LAST_PLACEMENTS = 2


def scene_of(
    attention: Attention,
    plies: tuple[Ply, ...],
    *,
    movable_signs: bool,
    own_turn: bool = True,
    marks: tuple[CellMark, ...] = (),
) -> Scene:
    """The scene for an attention; `plies` are those up to the one that is seen, `marks` are on cells."""
    position = attention.position
    quiet = attention.picked is not None or not movable_signs or not own_turn
    return Scene(
        stacks=position.stacks,
        movable=frozenset() if quiet else frozenset(movable_stacks(position)),
        selected=attention.picked,
        targets=attention.targets,
        aim=attention.aim,
        doomed=attention.doomed,
        last=last_cells(plies, placing=position.phase is Phase.PLACEMENT),
        cursor=attention.focus,
        marks=marks,
    )


def last_cells(plies: tuple[Ply, ...], *, placing: bool) -> frozenset[Cell]:
    """The cells of the last move; while pieces are placed, of the last placement of each side."""
    cells: list[Cell] = []
    for ply in reversed(plies):
        event = ply.first.event
        if isinstance(event, StackMoved):
            return frozenset((event.source, event.target))
        if isinstance(event, PiecePlaced) and placing:
            cells.append(event.cell)
            if len(cells) == LAST_PLACEMENTS:
                break
    return frozenset(cells)
