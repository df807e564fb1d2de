"""Inks, signs and lines of tiles: what all panels of the screen are drawn with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from rich.cells import cell_len

from dvonn_tui.art.palettes import Palette
from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.core.pieces import Piece, Side


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters that stand for things in text. All are one column wide and never an emoji."""

    white: str
    black: str
    red: str
    dot: str
    marker: str
    fold: str
    full: str
    line: str
    floor: str
    unknown: str
    ellipsis: str
    branch: str
    opened: str
    comment: str
    plain: bool

    def of(self, side: Side | None) -> str:
        """The sign of a side; that of a red piece for nobody."""
        if side is None:
            return self.red
        return self.white if side is Side.WHITE else self.black

    def sized(self, side: Side | None, height: int) -> str:
        """A stack in a line of text: its owner's sign and its height."""
        if not self.plain:
            return f"{self.of(side)}{height}" if side else self.red
        if side is None:
            return "<D>"
        return f"({height})" if side is Side.WHITE else f"[{height}]"


SYMBOLS = Signs(
    white="○", black="●", red="◆", dot="·", marker="▸", fold="┆", full="█", line="─", floor="▁", unknown="·",
    ellipsis="…", branch="└", opened="┌", comment="»", plain=False,
)  # fmt: skip
ASCII_SIGNS = Signs(
    white="W", black="B", red="D", dot="-", marker=">", fold=":", full="#", line="-", floor="_", unknown=".",
    ellipsis="~", branch="`", opened=",", comment='"', plain=True,
)  # fmt: skip


class Inks:
    """The inks of a palette, by what they are for. Without colours, attributes tell them apart."""

    def __init__(self, palette: Palette, *, colourless: bool) -> None:
        """Make the inks of a palette; `colourless` leaves every colour to the terminal."""
        panel, app = ("", "") if colourless else (palette.panel, palette.app)

        def ink(foreground: str, background: str, *, bold: bool = False, reverse: bool = False) -> Ink:
            # Without colours a lit background is shown by reverse video instead.
            return Ink(
                "" if colourless else foreground, background, bold=bold, reverse=colourless and reverse
            )

        self.text = ink(palette.text, panel)
        self.dim = ink(palette.dim, panel)
        self.strong = ink(palette.text, panel, bold=True)
        self.faint = ink(palette.edge, panel)
        self.head = ink(palette.dim, panel, bold=True)
        self.warning = ink(palette.warning, panel, bold=True)
        self.alarm = self.warning._replace(reverse=True)
        self.accent = ink(palette.text, panel, bold=True)
        self.app = ink(palette.text, app)
        self.app_dim = ink(palette.dim, app)
        self.app_strong = ink(palette.text, app, bold=True)
        self.app_warning = ink(palette.warning, app, bold=True)
        self.key = ink(_key_colour(palette), app, bold=True)
        lit = "" if colourless else palette.tray
        lit_text = palette.label
        self.lit = Ink("" if colourless else lit_text, lit, bold=True, reverse=colourless)
        banner = "" if colourless else palette.select
        self.banner = Ink("" if colourless else palette.white_number, banner, bold=True, reverse=colourless)
        self.link = Ink("" if colourless else palette.dim, panel, underline=colourless)
        self._pieces = {
            piece: Ink("" if colourless else number, "" if colourless else disc, bold=True)
            for piece in Piece
            for disc, number, _ in [palette.disc(piece)]
        }
        self._edges = {piece: Ink("" if colourless else palette.disc(piece)[0], panel) for piece in Piece}
        self.bars = {side: ink(colour, panel) for side, colour in _bar_colours(palette).items()}
        self.colourless = colourless

    def piece(self, piece: Piece) -> Ink:
        """A piece seen from the side."""
        return self._pieces[piece]

    def edge(self, piece: Piece) -> Ink:
        """The edge of a piece against the panel."""
        return self._edges[piece]


def _key_colour(palette: Palette) -> str:
    """Keys in the foot of the screen: gold, darker on light screens."""
    if not palette.text:
        return ""
    return palette.warning if "light" in palette.name else palette.select


def _bar_colours(palette: Palette) -> dict[Side, str]:
    """The bars of the scores. On a ground that is the terminal's own only its own text is sure to show."""
    if not palette.text:
        return {Side.WHITE: "", Side.BLACK: ""}
    white = palette.white_rim if "light" in palette.name else palette.white
    return {Side.WHITE: white, Side.BLACK: palette.black_rim}


def tiles_of(text: str, ink: Ink) -> list[Tile]:
    """Text as tiles. A wide character is followed by an empty tile, a combining one joins its neighbour."""
    if text.isascii():
        return [(character, ink) for character in text]
    tiles: list[Tile] = []
    for character in text:
        width = cell_len(character)
        if width:
            tiles.append((character, ink))
            tiles.extend([("", ink)] * (width - 1))
        elif tiles:
            last = next(index for index in reversed(range(len(tiles))) if tiles[index][0])
            tiles[last] = (tiles[last][0] + character, ink)
    return tiles


class Line:
    """A line of tiles being written from the left, with a part that keeps to the right."""

    def __init__(self, width: int, blank: Ink) -> None:
        self.width = width
        self._blank = blank
        self._tiles: list[Tile] = []

    def __len__(self) -> int:
        return len(self._tiles)

    def add(self, text: str, ink: Ink) -> Self:
        """Write on."""
        self._tiles += tiles_of(text, ink)
        return self

    def to(self, column: int) -> Self:
        """Go on at a column, if it is not passed yet."""
        self._tiles += [(" ", self._blank)] * (column - len(self._tiles))
        return self

    def right(self, text: str, ink: Ink, margin: int = 1) -> Self:
        """Write text that ends `margin` columns before the right end, if there is room for it."""
        tiles = tiles_of(text, ink)
        start = self.width - margin - len(tiles)
        if start > len(self._tiles):
            self.to(start)
            self._tiles += tiles
        return self

    def tiles(self, *, centred: bool = False) -> list[Tile]:
        """The whole line, filled up or cut to its width."""
        tiles = self._tiles
        if centred and len(tiles) < self.width:
            tiles = [(" ", self._blank)] * ((self.width - len(tiles)) // 2) + tiles
        tiles = tiles[: self.width] + [(" ", self._blank)] * (self.width - len(tiles))
        if tiles and self.width < len(self._tiles) and cell_len(tiles[-1][0]) > 1:
            tiles[-1] = (" ", self._blank)
        return tiles
