"""The look "discs": smooth pieces on a tray.

Each terminal cell depends on the few board cells whose pictures reach it. Terminal cells that lie
alike to board cells and tray share what was once drawn, so that almost every tile is found and not
made, even when a board is drawn for the first time.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dvonn_tui.art import sprites
from dvonn_tui.art.colours import Colour, mix, pack
from dvonn_tui.art.fit import Quad, block, ink, prevailing
from dvonn_tui.art.lattice import Lattice
from dvonn_tui.art.palettes import Palette
from dvonn_tui.art.scene import Glide, Scene, Tile
from dvonn_tui.art.sprites import FULL, MARK_FLAGS, CellLook, Layer, Letter, Part, Sign
from dvonn_tui.art.tray import tray
from dvonn_tui.core.cells import CELLS, Cell
from dvonn_tui.core.pieces import Stack, holds_red

Drawn = tuple[Tile, Quad]
"""A tile, and the sub-pixels that it stands for."""

_EIGHTH = 1 / FULL


class _Ground:
    """What does not change while boards are drawn for one lattice and palette."""

    def __init__(self, lattice: Lattice, palette: Palette) -> None:
        self.width = lattice.width
        self.hard = palette.hard
        self.tray = tray(lattice, palette)
        self.footprint = sprites.footprint(lattice.scale)
        self.labels = {y * self.width + x: text for (x, y), text in lattice.labels.items()}
        self.label_colours = pack(palette.label), pack(palette.label_lit)
        self.parts: list[Part] = [Part()]
        self._numbers: dict[Part, int] = {Part(): 0}
        self._lattice, self._palette = lattice, palette
        self._sprites: dict[CellLook, list[int]] = {}
        self.influences, self.places = self._find_influences()
        self.drawn = self._find_alike()

    def _find_influences(self) -> tuple[list[list[tuple[Cell, int]]], list[list[int]]]:
        """For each terminal cell, the board cells that reach it, each with the number of the offset in
        the footprint; and for each board cell, the terminal cells that it reaches."""
        width, height = self._lattice.width, self._lattice.height
        influences: list[list[tuple[Cell, int]]] = [[] for _ in range(width * height)]
        places: list[list[int]] = [[] for _ in CELLS]
        upper_first = sorted(CELLS, key=lambda cell: self._lattice.place(cell)[::-1])
        for cell in upper_first:
            x, y = self._lattice.place(cell)
            for number, (across, down) in enumerate(self.footprint):
                if 0 <= x + across < width and 0 <= y + down < height:
                    index = (y + down) * width + x + across
                    influences[index].append((cell, number))
                    places[cell].append(index)
        return influences, places

    def _find_alike(self) -> list[dict[tuple[int, ...], Drawn]]:
        """For each terminal cell, the store of what was drawn there; one store for all that are alike."""
        stores: dict[object, dict[tuple[int, ...], Drawn]] = {}
        found = []
        for index, reached in enumerate(self.influences):
            kind = self.tray[index], self.labels.get(index), tuple([number for _, number in reached])
            store = stores.get(kind)
            if store is None:
                store = stores[kind] = {}
            found.append(store)
        return found

    def sprite(self, look: CellLook) -> list[int]:
        """The numbers of the parts of a look, one for each offset of the footprint; 0 is nothing."""
        numbers = self._sprites.get(look)
        if numbers is None:
            parts = sprites.sprite(look, self._lattice.scale, self._palette)
            numbers = [self._number(parts[at]) if at in parts else 0 for at in self.footprint]
            self._sprites[look] = numbers
        return numbers

    def _number(self, part: Part) -> int:
        number = self._numbers.get(part)
        if number is None:
            number = self._numbers[part] = len(self.parts)
            self.parts.append(part)
        return number

    def draw(self, index: int, key: tuple[int, ...], lit: bool) -> Drawn:
        """Draw one terminal cell from the tray and the parts that lie on it."""
        quad = self.tray[index]
        parts = [self.parts[number] for number in key if number > 0]
        letter: Letter | None = None
        for part in parts:
            if part.body:
                quad = lay(quad, part.body)
            letter = part.letter or letter
        for part in parts:
            if part.marks:
                quad = lay(quad, part.marks)
        label = self.labels.get(index)
        if label:
            letter = Letter(label, self.label_colours[lit])
        return self.tile(quad, letter, bold=label is None or lit), quad

    def tile(self, quad: Quad, letter: Letter | None, bold: bool = True) -> Tile:
        """The tile of four sub-pixels, with a character on it if there is one."""
        if letter is None:
            return block(quad, self.hard)
        paper = prevailing(quad, self.hard)
        return letter.character, ink(letter.colour, paper, bold, letter.underline)


@lru_cache(maxsize=16)
def _ground(lattice: Lattice, palette: Palette) -> _Ground:
    return _Ground(lattice, palette)


def lay(quad: Quad, layer: Layer) -> Quad:
    """Lay the colours of a layer on four sub-pixels."""
    first, second, third, fourth = layer
    return (
        _blend(quad[0], *first),
        _blend(quad[1], *second),
        _blend(quad[2], *third),
        _blend(quad[3], *fourth),
    )


def _blend(under: Colour, over: Colour, eighths: int) -> Colour:
    if eighths >= FULL:
        return over
    return mix(under, over, eighths * _EIGHTH) if eighths else under


def looks_of(scene: Scene) -> list[CellLook]:
    """The look of every cell of a scene."""
    marks = [0] * len(CELLS)
    groups: tuple[tuple[Iterable[Cell], int], ...] = (
        (scene.movable, Sign.MOVABLE.value),
        (scene.targets, Sign.TARGET.value),
        (scene.doomed, Sign.DOOMED.value),
        (scene.last, Sign.LAST.value),
    )
    for cells, sign in groups:
        for cell in cells:
            marks[cell] |= sign
    singles = (scene.selected, Sign.SELECTED), (scene.aim, Sign.AIM), (scene.cursor, Sign.CURSOR)
    for single, flag in singles:
        if single is not None:
            marks[single] |= flag.value
    for mark in scene.marks:
        marks[mark.cell] |= MARK_FLAGS[mark.kind].value
    looks = [_look(stack, signs, FULL) for stack, signs in zip(scene.stacks, marks, strict=True)]
    for cell, (stack, strength) in scene.fading.items():
        level = round(strength * FULL)
        if level > 0 and not scene.stacks[cell]:
            looks[cell] = _look(stack, marks[cell], min(level, FULL - 1))
    return looks


@lru_cache(maxsize=4096)
def _look(stack: Stack, signs: int, strength: int) -> CellLook:
    if not stack:
        return CellLook(signs=signs & ~Sign.DOOMED & ~Sign.MOVABLE)
    return CellLook(stack[-1], len(stack), holds_red(stack), signs, strength)


class DiscPicture:
    """Draws scenes as discs into rows of tiles, one after the other, touching only what changes."""

    def __init__(self, lattice: Lattice, palette: Palette) -> None:
        self._ground = _ground(lattice, palette)
        self._lattice = lattice
        self._looks: list[CellLook] = []
        self._sprites: list[list[int]] = [[] for _ in CELLS]
        self._lit: frozenset[int] = frozenset()
        self._above: dict[int, list[Part]] = {}

    def update(self, scene: Scene, rows: list[list[Tile]]) -> list[int]:
        """Bring rows to a scene; return the numbers of the tiles, in reading order, that were redrawn
        and differ from before."""
        ground = self._ground
        redraw = self._take_over(scene)
        width, influences, drawn = ground.width, ground.influences, ground.drawn
        sprites_now, lit, labels = self._sprites, self._lit, ground.labels
        changed = []
        for index in redraw:
            key = tuple([sprites_now[cell][number] for cell, number in influences[index]])
            if index in labels and index in lit:
                key += (-1,)
            found = drawn[index].get(key)
            if found is None:
                found = drawn[index][key] = ground.draw(index, key, index in lit)
            tile = found[0]
            if index in self._above:
                tile = self._glided(index, found)
            y, x = divmod(index, width)
            row = rows[y]
            if row[x] is not tile and row[x] != tile:
                row[x] = tile
                changed.append(index)
        return changed

    def _take_over(self, scene: Scene) -> list[int]:
        """Remember what a scene shows; return the tiles that may differ from the scene before."""
        ground = self._ground
        looks = looks_of(scene)
        dirty: set[int] = set()
        first = not self._looks
        for cell, look in enumerate(looks):
            if first or look != self._looks[cell]:
                self._sprites[cell] = ground.sprite(look)
                dirty.update(ground.places[cell])
        lit = self._lit_labels(scene.cursor)
        above = self._find_above(scene.glides)
        dirty |= lit ^ self._lit
        dirty.update(above)
        dirty.update(self._above)
        self._looks, self._lit, self._above = looks, lit, above
        return list(range(len(ground.tray))) if first else sorted(dirty)

    def _lit_labels(self, cursor: Cell | None) -> frozenset[int]:
        if cursor is None:
            return frozenset()
        width = self._ground.width
        return frozenset(y * width + x for x, y in self._lattice.labels_of(cursor))

    def _find_above(self, glides: tuple[Glide, ...]) -> dict[int, list[Part]]:
        """The parts of stacks on their way, by the terminal cell they lie on."""
        found: dict[int, list[Part]] = {}
        for glide in glides:
            x, y = glide_place(self._lattice, glide)
            whole = self._ground.sprite(_look(glide.stack, 0, FULL))
            for (across, down), number in zip(self._ground.footprint, whole, strict=True):
                at_x, at_y = x + across, y + down
                if number and 0 <= at_x < self._lattice.width and 0 <= at_y < self._lattice.height:
                    found.setdefault(at_y * self._lattice.width + at_x, []).append(self._ground.parts[number])
        return found

    def _glided(self, index: int, under: Drawn) -> Tile:
        """The tile of a terminal cell below stacks that are on their way."""
        quad = under[1]
        letter = None
        for part in self._above[index]:
            if part.body:
                quad = lay(quad, part.body)
            letter = part.letter
        return self._ground.tile(quad, letter)


def glide_place(lattice: Lattice, glide: Glide) -> tuple[int, int]:
    """The middle character of a stack on its way, to the nearest terminal cell."""
    from_x, from_y = lattice.place(glide.source)
    to_x, to_y = lattice.place(glide.target)
    part = min(1.0, max(0.0, glide.progress))
    return round(from_x + (to_x - from_x) * part), round(from_y + (to_y - from_y) * part)
