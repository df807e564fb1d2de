"""The hex board: one widget that draws itself and says which cell the mouse is on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic

from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.timer import Timer

from dvonn_tui.art.lattice import SCALES, Lattice, Scale
from dvonn_tui.art.painter import BoardPainter, Look
from dvonn_tui.art.palettes import DARK, Palette
from dvonn_tui.art.scene import Glide, Scene
from dvonn_tui.core.cells import Cell
from dvonn_tui.core.pieces import EMPTY, Stack
from dvonn_tui.ui.widgets.tiled import Tiled

GLIDE_SECONDS = 0.18
FADE_SECONDS = 0.42
FRAME_SECONDS = 1 / 30


@dataclass(frozen=True, slots=True)
class Moved:
    """A move that is to be seen: the stacks before it, its cells, and what it cut off."""

    before: tuple[Stack, ...]
    source: Cell
    target: Cell
    lost: tuple[tuple[Cell, Stack], ...]


class Board(Tiled):
    """Shows scenes. What they mean is decided elsewhere; this widget only draws and reports the mouse."""

    DEFAULT_CSS = "Board { width: auto; height: auto; }"

    class Pointed(Message):
        """The mouse came onto a cell, or left all of them."""

        def __init__(self, cell: Cell | None) -> None:
            super().__init__()
            self.cell = cell

    class Pressed(Message):
        """A mouse button was clicked on a cell, or beside all of them."""

        def __init__(self, cell: Cell | None, button: int) -> None:
            super().__init__()
            self.cell = cell
            self.button = button

    class Turned(Message):
        """The wheel was turned: so many plies back (negative) or forward."""

        def __init__(self, plies: int) -> None:
            super().__init__()
            self.plies = plies

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._look = Look.DISCS
        self._palette = DARK
        self._lattice = Lattice(SCALES[-1], False)
        self._painter: BoardPainter | None = None
        self._scene = Scene()
        self._pointed: Cell | None = None
        self._mouse_at: Offset | None = None
        self._motion: _Motion | None = None
        self._frames: Timer | None = None

    @property
    def lattice(self) -> Lattice:
        """Where each cell is drawn."""
        return self._lattice

    @property
    def scene(self) -> Scene:
        """The scene that is shown, or that an animation is on its way to."""
        return self._scene

    @property
    def moving(self) -> bool:
        """True while an animation runs."""
        return self._motion is not None

    def dress(self, look: Look, scale: Scale, palette: Palette, *, flipped: bool) -> None:
        """Choose how the board is drawn. Everything is painted again if anything is different."""
        lattice = Lattice(scale, flipped)
        if (look, lattice, palette) == (self._look, self._lattice, self._palette) and self.tiles:
            return
        resized = (lattice.width, lattice.height) != (self._lattice.width, self._lattice.height)
        self._look, self._lattice, self._palette = look, lattice, palette
        self._painter = None
        # This look leaves its colours to whatever is behind it.
        self.see_through = look is Look.ASCII
        self._paint(self._current())
        self.refresh(layout=resized or not self.size)

    def show(self, scene: Scene, moved: Moved | None = None) -> None:
        """Show a scene, on the way to it the move that led there when one is given.

        Only the picture lags behind, never the game. A change of the stacks ends an animation that is
        still under way.
        """
        if scene == self._scene and self.tiles:
            return
        if self._motion and scene.stacks != self._scene.stacks:
            self._stop_motion()
        self._scene = scene
        if moved is not None:
            self._motion = _Motion(moved, monotonic())
            if self._frames is None:
                self._frames = self.set_interval(FRAME_SECONDS, self._frame)
        self._paint(self._current())

    def _frame(self) -> None:
        if self._motion is not None and self._motion.done:
            self._stop_motion()
        self._paint(self._current())

    def _stop_motion(self) -> None:
        self._motion = None
        if self._frames is not None:
            self._frames.stop()
            self._frames = None

    def _current(self) -> Scene:
        """The scene to be seen at this moment."""
        return self._motion.scene(self._scene) if self._motion else self._scene

    def _paint(self, scene: Scene) -> None:
        if self._painter is None:
            self._painter = BoardPainter(self._look, self._lattice, self._palette)
        spans = self._painter.paint(scene)
        self.show_tiles(self._painter.rows, spans if self.tiles is self._painter.rows else None)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as the board is drawn."""
        return self._lattice.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as the board is drawn."""
        return self._lattice.height

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report the cell under the pointer when it is another one."""
        self._mouse_at = event.screen_offset
        self._point(self._lattice.cell_at(int(event.x), int(event.y)))

    def under_pointer(self) -> Cell | None:
        """The cell that lies where the mouse was last, after the board itself has moved."""
        there = self.app.mouse_position
        place = there - self.region.offset
        inside = self.region.contains_point(there)
        self._pointed = self._lattice.cell_at(place.x, place.y) if inside else None
        return self._pointed

    def on_leave(self) -> None:
        """The pointer is on no cell any more, unless only the screen changed its size under it."""
        if self.app.mouse_position != self._mouse_at or not self.screen.is_current:
            self._point(None)

    def _point(self, cell: Cell | None) -> None:
        if cell != self._pointed:
            self._pointed = cell
            self.post_message(self.Pointed(cell))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A press acts at once: a click that slides a little is still a click."""
        event.stop()
        self.post_message(self.Pressed(self._lattice.cell_at(int(event.x), int(event.y)), event.button))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel steps through the game."""
        event.stop()
        self.post_message(self.Turned(-1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel steps through the game."""
        event.stop()
        self.post_message(self.Turned(1))


class _Motion:
    """An animated move: the stack glides, then what was cut off fades."""

    def __init__(self, moved: Moved, begun: float) -> None:
        self._moved = moved
        self._begun = begun

    @property
    def _elapsed(self) -> float:
        return monotonic() - self._begun

    @property
    def done(self) -> bool:
        """True when nothing is left to be shown."""
        return self._elapsed >= GLIDE_SECONDS + (FADE_SECONDS if self._moved.lost else 0)

    def scene(self, final: Scene) -> Scene:
        """The scene at this moment, on the way to the final one."""
        elapsed = self._elapsed
        if elapsed < GLIDE_SECONDS:
            stacks = list(self._moved.before)
            gliding = stacks[self._moved.source]
            stacks[self._moved.source] = EMPTY
            share = elapsed / GLIDE_SECONDS
            eased = share * share * (3 - 2 * share)
            glide = Glide(gliding, self._moved.source, self._moved.target, eased)
            return replace(
                final, stacks=tuple(stacks), glides=(glide,), movable=frozenset(), targets=frozenset(),
                selected=None, aim=None, doomed=frozenset(),
            )  # fmt: skip
        strength = 1 - (elapsed - GLIDE_SECONDS) / FADE_SECONDS
        if strength <= 0:
            return final
        fading = {cell: (stack, strength) for cell, stack in self._moved.lost}
        return replace(final, fading=fading)
