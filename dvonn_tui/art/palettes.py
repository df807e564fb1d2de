"""The colours that boards are drawn with.

The tray stays a mid-tone whatever the theme, so that white and black pieces both stand out on it
and bright marks work. A palette for any theme is one of these with `on_theme`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final

from dvonn_tui.core.pieces import Piece


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by what they are for, each as `Ink` writes them."""

    name: str
    app: str
    """The screen around the board."""
    panel: str
    text: str
    dim: str
    tray: str
    edge: str
    """The rim of the tray."""
    well: str
    """Empty cells."""
    white: str
    white_number: str
    white_rim: str
    white_side: str
    """The side of a white disc that stands up because it can be moved."""
    black: str
    black_number: str
    black_rim: str
    black_side: str
    red: str
    red_sign: str
    """The diamond on a lone red piece, and numbers on red."""
    red_rim: str
    label: str
    label_lit: str
    """Labels of the cell under the cursor."""
    select: str
    target: str
    last: str
    doom: str
    """What would be cut off: its ring on the tray and its slash on a black ghost."""
    doom_on_white: str
    """The slash on a white ghost."""
    ghost_white: str
    ghost_black: str
    mark: str
    """The signs that people put on cells."""
    warning: str
    """Text on the panel that speaks of what would be cut off."""
    hard: bool = False
    """True when these colours must be used as they are, without blending."""

    def disc(self, piece: Piece) -> tuple[str, str, str]:
        """The colour of a piece, of the number or sign on it, and of its rim."""
        if piece is Piece.WHITE:
            return self.white, self.white_number, self.white_rim
        if piece is Piece.BLACK:
            return self.black, self.black_number, self.black_rim
        return self.red, self.red_sign, self.red_rim

    def on_theme(self, name: str, *, app: str, panel: str, text: str, dim: str) -> Palette:
        """The same board on the screen of another theme; the tray and the pieces stay."""
        return replace(self, name=name, app=app, panel=panel, text=text, dim=dim)


DARK: Final = Palette(
    "dark",
    app="#0e1217", panel="#151b22", text="#d9e1e8", dim="#8593a0",
    tray="#4c6975", edge="#5f7d8a", well="#3a525d",
    white="#f4ecda", white_number="#1b1813", white_rim="#ffffff", white_side="#b3a98f",
    black="#121519", black_number="#eef2f6", black_rim="#59636e", black_side="#8b98a5",
    red="#d2303b", red_sign="#ffffff", red_rim="#ffb9b9",
    label="#e6eef2", label_lit="#ffe08a",
    select="#ffcf56", target="#72d6ff", last="#c9d8de",
    doom="#ffac6a", doom_on_white="#7a2c08", ghost_white="#aab0aa", ghost_black="#2c3b43",
    mark="#ffb3f0",
    warning="#ff9142",
)  # fmt: skip

LIGHT: Final = Palette(
    "light",
    app="#f6f4ee", panel="#e9e6dd", text="#20262b", dim="#5a656a",
    tray="#516b74", edge="#425d68", well="#3d555f",
    white="#fffcf4", white_number="#1b1813", white_rim="#ffffff", white_side="#b9b39f",
    black="#15181c", black_number="#f3f6f8", black_rim="#4b545c", black_side="#8b98a5",
    red="#c9232f", red_sign="#ffffff", red_rim="#ffb4b4",
    label="#f4f9fb", label_lit="#ffeaa6",
    select="#ffd54a", target="#9fe6ff", last="#dce7eb",
    doom="#ffbd85", doom_on_white="#84300a", ghost_white="#b4bcbb", ghost_black="#33434b",
    mark="#ffc9f5",
    warning="#a13c00",
)  # fmt: skip

XTERM_DARK: Final = Palette(
    "xterm-256 dark",
    app="#121212", panel="#262626", text="#dadada", dim="#949494",
    tray="#5f5f87", edge="#5f87af", well="#444444",
    white="#ffffd7", white_number="#121212", white_rim="#ffffff", white_side="#afaf87",
    black="#121212", black_number="#eeeeee", black_rim="#5f5f5f", black_side="#949494",
    red="#d70000", red_sign="#ffffff", red_rim="#ffafaf",
    label="#ffffff", label_lit="#ffff87",
    select="#ffd700", target="#87ffff", last="#d7d7ff",
    doom="#ffaf00", doom_on_white="#870000", ghost_white="#afafaf", ghost_black="#303030",
    mark="#ffafff",
    warning="#ffaf00", hard=True,
)  # fmt: skip

XTERM_LIGHT: Final = replace(
    XTERM_DARK,
    name="xterm-256 light",
    app="#eeeeee", panel="#dadada", text="#1c1c1c", dim="#4e4e4e", edge="#444444", warning="#870000",
)  # fmt: skip

SIXTEEN: Final = Palette(
    "sixteen",
    app="", panel="", text="", dim="",
    tray="ansi_bright_black", edge="ansi_bright_black", well="ansi_black",
    white="ansi_bright_white", white_number="ansi_black", white_rim="ansi_bright_white",
    white_side="ansi_yellow",
    black="ansi_black", black_number="ansi_bright_white", black_rim="ansi_black", black_side="ansi_blue",
    red="ansi_red", red_sign="ansi_bright_white", red_rim="ansi_bright_white",
    label="ansi_bright_white", label_lit="ansi_bright_yellow",
    select="ansi_bright_yellow", target="ansi_bright_cyan", last="ansi_white",
    doom="ansi_yellow", doom_on_white="ansi_red", ghost_white="ansi_white", ghost_black="ansi_black",
    mark="ansi_bright_magenta",
    warning="ansi_red", hard=True,
)  # fmt: skip

_NO_COLOURS: Final[dict[str, Any]] = {
    each.name: "" for each in fields(Palette) if each.name not in ("name", "hard")
}
COLOURLESS: Final = Palette("colourless", **_NO_COLOURS, hard=True)
"""Every colour left to the terminal: what is drawn is told apart by characters and attributes."""

PALETTES: Final = {palette.name: palette for palette in (DARK, LIGHT, XTERM_DARK, XTERM_LIGHT, SIXTEEN)}
"""All palettes by name."""
