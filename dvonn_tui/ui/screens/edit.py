"""The editor: a position is set up by hand, and then played or analysed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center
from textual.geometry import Size
from textual.widgets import Static

from dvonn_tui.art.lattice import SCALES, ScreenDirection, scale_for
from dvonn_tui.art.painter import Look
from dvonn_tui.art.scene import Scene
from dvonn_tui.core.cells import CELL_NAMES, CENTRE, COORDINATES, Cell
from dvonn_tui.core.log import CellMark, MarkKind
from dvonn_tui.core.notation import format_stack
from dvonn_tui.core.pieces import PIECE_WORDS, Piece
from dvonn_tui.core.position import Position
from dvonn_tui.play.setting_up import Draft
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.board import Board
from dvonn_tui.ui.widgets.choices import OneOf, PushButton
from dvonn_tui.ui.widgets.small_board import board_look, board_palette

LINES_AROUND: Final = 9
"""Lines beside the board: the frame, what lies on the cell, piece and side, faults, buttons."""
LINES_AROUND_SHORT: Final = 5
COLUMNS_AROUND: Final = 4

LEFT_BUTTON: Final = 1

_PIECES: Final = {"w": Piece.WHITE, "b": Piece.BLACK, "r": Piece.RED}

KEYS: Final = (
    ("arrows", "Move the cursor"),
    ("w b r", "Put a white, a black or a red piece on the cell, on top of what lies there"),
    ("space", "Put a piece of the chosen colour"),
    ("backspace", "Take the top piece off"),
    ("x del", "Take everything off the cell"),
    ("s", "The other side is to act"),
    ("c", "Begin with an empty board"),
    ("p", "Begin with the position that the game stands at"),
    ("u", "Take the last change back"),
    ("v", "Analyse the position"),
    ("enter", "Play from the position"),
    ("esc", "Back to the game"),
)
"""The keys and what they do, for the help."""


@dataclass(frozen=True, slots=True)
class Edited:
    """What the editor answers: the position, and whether it is to be analysed rather than played."""

    position: Position
    analyse: bool


class EditBoard(Board, can_focus=True):
    """A board with a cursor that takes pieces by keys and by the mouse."""

    # The keys themselves are those of the screen; up and down would else go to the next field.
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, f"screen.go('{key}')", show=False, id=f"edit.{key}")
            for key in ("left", "right", "up", "down")
        ),
        Binding("space", "screen.put('')", "Put", show=False, id="edit.put"),
    ]


class EditScreen(Dialog[Edited]):
    """A board to put pieces on, with everything that is wrong with it in words and on the cells."""

    DEFAULT_CSS = """
    EditScreen {
        & > #frame { width: 100%; height: 100%; padding: 0 1; }
        & #body { height: 1fr; overflow: hidden; }
        & Center { height: auto; }
        & #about, & #faults { width: 100%; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & #faults { height: 3; color: $warning; text-wrap: wrap; }
        & #faults.-sound { color: $text-muted; }
        & #piece { width: 100%; height: 1; }
        & #side { width: 100%; height: 1; }
        & #buttons { margin-top: 0; }
        & #buttons PushButton { margin-left: 1; }
        & #hint { margin-top: 0; }
        &.-short > #frame { border: none; padding: 0; }
        &.-short #faults { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
        &.-short #side { display: none; }
        &.-short #hint { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(f"{key},{key.upper()}", f"put('{key}')", show=False) for key in _PIECES),
        Binding("backspace", "take", "Take off", show=False, id="edit.take"),
        Binding("delete,x,X", "empty", "Empty the cell", show=False, id="edit.empty"),
        Binding("s,S", "turn", "The other side", show=False, id="edit.turn"),
        Binding("c,C", "clear", "Clear", show=False, id="edit.clear"),
        Binding("p,P", "begin_again", "The present position", show=False, id="edit.present"),
        Binding("u,U,ctrl+z", "undo", "Undo", show=False, id="edit.undo"),
        Binding("v,V", "analyse", "Analyse", show=False, id="edit.analyse"),
        Binding("question_mark,f1", "help", "Help", show=False, id="edit.help"),
    ]
    AUTO_FOCUS = "#edit-board"
    HEADING = "Set up a position"
    HINT = "w b r put  backspace take  x empty  s side  c clear  p present  u undo"
    NARROW_HINT: ClassVar[str] = "w b r put  x empty  s side  c clear  ? all keys"

    def __init__(self, position: Position, *, flipped: bool = False) -> None:
        """Begin with a position, seen from one of the sides."""
        super().__init__()
        self.draft = self._present = Draft.of(position)
        self._before: list[Draft] = []
        self._flipped = flipped
        self._cursor: Cell = CENTRE

    def compose_body(self) -> ComposeResult:
        """The board, what lies on the cell, what is put on it, and the faults."""
        with Center():
            yield EditBoard(id="edit-board")
        yield Static(id="about", markup=False)
        pieces = [(key, PIECE_WORDS[piece]) for key, piece in _PIECES.items()]
        yield OneOf(pieces, "w", id="piece")
        yield OneOf([("w", "White's turn"), ("b", "Black's turn")], self.draft.side, id="side")
        yield Static(id="faults", markup=False)

    def compose_buttons(self) -> ComposeResult:
        """Play, analyse, and the rest."""
        yield PushButton("Play", id="accept", main=True)
        yield PushButton("Analyse", id="analyse")
        yield PushButton("Clear", id="clear")
        yield PushButton("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Show the position."""
        self._dress(self.app.size)
        self.show()

    @property
    def board(self) -> EditBoard:
        """The board."""
        return self.query_one("#edit-board", EditBoard)

    @property
    def piece(self) -> Piece:
        """What is put on a cell by a click."""
        return Piece(self.query_one("#piece", OneOf).value)

    def _dress(self, size: Size) -> None:
        low = size.height < 22
        around = LINES_AROUND_SHORT if low else LINES_AROUND
        columns = size.width - (0 if low else COLUMNS_AROUND)
        scale = scale_for(columns, size.height - around) or SCALES[-1]
        self.query_one("#hint", Static).update(self.HINT if columns >= len(self.HINT) else self.NARROW_HINT)
        palette = board_palette(self)
        # Dialogs are panels, so around the tray there is the panel and not the screen.
        palette = replace(palette, app=palette.panel)
        self.board.dress(Look(board_look(self)), scale, palette, flipped=self._flipped)

    def fit_body(self, size: Size) -> None:
        """The board takes what it can get."""
        self._dress(size)

    def follow_look(self) -> None:
        """Draw everything anew after the look has changed."""
        self._dress(self.app.size)
        super().follow_look()

    def show(self) -> None:
        """Bring everything in line with the draft."""
        draft, faults = self.draft, self.draft.faults
        wrong = sorted({cell for fault in faults for cell in fault.cells})
        marks = tuple(CellMark(cell, MarkKind.CROSS) for cell in wrong)
        self.board.show(Scene(stacks=draft.stacks, cursor=self._cursor, marks=marks))
        stack = draft.stacks[self._cursor]
        here = f"{CELL_NAMES[self._cursor]} {format_stack(stack) or 'empty'}"
        left = ", ".join(f"{PIECE_WORDS[piece]} {draft.left(piece)}" for piece in Piece)
        phase = "placement" if draft.placing else "movement"
        self.query_one("#about", Static).update(
            f"{here}    left: {left}    {phase}, {draft.side.word}'s turn"
        )
        self.query_one("#side", OneOf).choose(draft.side)
        told = self.query_one("#faults", Static)
        told.update("\n".join(fault.reason for fault in faults) or "This position can be played.")
        told.set_class(not faults, "-sound")
        for name in ("#accept", "#analyse"):
            self.query_one(name, PushButton).disabled = bool(faults)

    def _change(self, draft: Draft) -> None:
        """Go on with another draft; the one before can be gone back to."""
        if draft != self.draft:
            self._before.append(self.draft)
            self.draft = draft
        self.show()

    # Keys

    def action_go(self, direction: str) -> None:
        """Move the cursor as seen on the board; up and down to and fro."""
        lattice = self.board.lattice
        ways = {
            "left": (ScreenDirection.LEFT,),
            "right": (ScreenDirection.RIGHT,),
            "up": (ScreenDirection.UP_RIGHT, ScreenDirection.UP_LEFT),
            "down": (ScreenDirection.DOWN_RIGHT, ScreenDirection.DOWN_LEFT),
        }[direction]
        # Right from odd rows and left from even ones: so up and down undo each other.
        order = ways if COORDINATES[self._cursor][1] % 2 else tuple(reversed(ways))
        steps = (lattice.neighbour_on_screen(self._cursor, way) for way in order)
        self._cursor = next((step for step in steps if step is not None), self._cursor)
        self.show()

    def action_put(self, key: str) -> None:
        """Put a piece on the cell, on top of what lies there; without a key the chosen one."""
        if key:
            self.query_one("#piece", OneOf).choose(key)
        self._change(self.draft.add(self._cursor, self.piece))

    def action_take(self) -> None:
        """Take the top piece off."""
        self._change(self.draft.take(self._cursor))

    def action_empty(self) -> None:
        """Take everything off the cell."""
        self._change(self.draft.empty(self._cursor))

    def action_turn(self) -> None:
        """The other side is to act."""
        self._change(self.draft.turned())

    def action_clear(self) -> None:
        """Begin with an empty board."""
        self._change(self.draft.cleared())

    def action_begin_again(self) -> None:
        """Begin with the position that the game stands at."""
        self._change(self._present)

    def action_undo(self) -> None:
        """Take the last change back."""
        if self._before:
            self.draft = self._before.pop()
            self.show()

    def action_help(self) -> None:
        """Tell the keys of this dialog."""
        from dvonn_tui.ui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen([(self.HEADING, KEYS)], "keys"))

    # The mouse

    def on_board_pressed(self, message: Board.Pressed) -> None:
        """The left button puts the chosen piece on a cell, another one takes the top piece off."""
        message.stop()
        if message.cell is None:
            return
        self._cursor = message.cell
        if message.button == LEFT_BUTTON:
            self._change(self.draft.add(message.cell, self.piece))
        else:
            self._change(self.draft.take(message.cell))

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """The cursor follows the mouse."""
        message.stop()
        if message.cell is not None:
            self._cursor = message.cell
            self.show()

    def on_one_of_changed(self, message: OneOf.Changed) -> None:
        """Another piece or the other side was chosen."""
        message.stop()
        if message.one_of.id == "side" and message.value != self.draft.side:
            self._change(self.draft.turned())

    def on_push_button_pressed(self, event: PushButton.Pressed) -> None:
        """The buttons of this dialog."""
        if event.button.id == "analyse":
            event.stop()
            self.action_analyse()
        elif event.button.id == "clear":
            event.stop()
            self.action_clear()

    def action_accept(self) -> None:
        """Play from the position, if it can be."""
        self._answer(analyse=False)

    def action_analyse(self) -> None:
        """Analyse the position, if it can be."""
        self._answer(analyse=True)

    def _answer(self, *, analyse: bool) -> None:
        if not self.draft.faults:
            self.finish(Edited(self.draft.position, analyse))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Nothing scrolls here."""
        event.stop()
