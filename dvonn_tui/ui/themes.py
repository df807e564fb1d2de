"""From what a terminal can show and what the player chose to palettes and Textual themes."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Final

from rich.console import Console
from textual import constants
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from dvonn_tui.art.painter import Look
from dvonn_tui.art.palettes import COLOURLESS, DARK, LIGHT, SIXTEEN, XTERM_DARK, XTERM_LIGHT, Palette

OWN_THEMES: Final = ("dark", "light")
OWN_PREFIX: Final = "dvonn-"
ANSI_THEME: Final = "ansi-dark"

OTHER_THEMES: Final = tuple(
    sorted(name for name in BUILTIN_THEMES if "ansi" not in name and name not in OWN_THEMES)
)

LEGIBLE: Final = 4.5
"""The contrast that text needs at least (WCAG 2.1, level AA)."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """What the terminal can show.

    Attributes:
        colours: truecolor, 256, standard (sixteen), or none.
    """

    colours: str

    @property
    def colourless(self) -> bool:
        """True when no colour may be sent at all: NO_COLOR is set, or the terminal has none."""
        return self.colours == "none"

    @property
    def own_colours(self) -> bool:
        """True when the terminal's own colours are used, never mixed ones."""
        return self.colours in ("none", "standard")


def detect_terminal() -> Terminal:
    """Ask the environment what the terminal can show, just as Textual does."""
    if os.environ.get("NO_COLOR"):
        return Terminal("none")
    system = None if constants.COLOR_SYSTEM == "auto" else constants.COLOR_SYSTEM
    found = system or Console(force_terminal=True).color_system or "none"
    return Terminal("truecolor" if found == "windows" else found)


def theme_names(terminal: Terminal) -> tuple[str, ...]:
    """The themes to choose from."""
    return OWN_THEMES if terminal.own_colours else (*OWN_THEMES, *OTHER_THEMES)


def look_for(wish: str, terminal: Terminal) -> Look:
    """The look that a wish (auto, discs, graph, ascii) gives in a terminal. Discs need colours."""
    if terminal.colourless:
        return Look.GRAPH if wish == Look.GRAPH else Look.ASCII
    return Look.DISCS if wish == "auto" else Look(wish)


def palette_for(theme: str, terminal: Terminal) -> Palette:
    """The palette of a theme in a terminal. An unknown theme is the dark one."""
    if terminal.colourless:
        return COLOURLESS
    if terminal.own_colours:
        return SIXTEEN
    few = terminal.colours == "256"
    if theme == "light":
        return XTERM_LIGHT if few else LIGHT
    if theme not in BUILTIN_THEMES:
        return XTERM_DARK if few else DARK
    return _on_builtin(BUILTIN_THEMES[theme], few)


def _on_builtin(theme: Theme, few: bool) -> Palette:
    """Our board on the screen of one of Textual's own themes; with few colours only light or dark."""
    kind = "dark" if theme.dark else "light"
    if few:
        return replace(XTERM_DARK if theme.dark else XTERM_LIGHT, name=f"{theme.name} {kind}")
    base = DARK if theme.dark else LIGHT
    colours = theme.to_color_system().generate()
    panel = Color.parse(colours["surface"])
    text = _legible(Color.parse(colours["foreground"]), panel)
    shown = base.on_theme(
        f"{theme.name} {kind}",
        app=Color.parse(colours["background"]).hex6.lower(),
        panel=panel.hex6.lower(),
        text=text.hex6.lower(),
        dim=_legible(panel.blend(text, 0.62), panel).hex6.lower(),
    )
    return replace(shown, warning=_legible(Color.parse(base.warning), panel).hex6.lower())


def _legible(colour: Color, ground: Color) -> Color:
    """The colour, moved towards black or white until it can be read on a ground."""
    goal = Color.parse("#ffffff") if ground.brightness < 0.5 else Color.parse("#000000")
    for step in range(11):
        moved = colour.blend(goal, step / 10)
        if contrast(moved, ground) >= LEGIBLE:
            return moved
    return goal


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1)."""
    parts = [value / 255 for value in (colour.r, colour.g, colour.b)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def textual_theme(palette: Palette) -> Theme:
    """The Textual theme for dialogs and text fields that goes with a palette."""
    light = "light" in palette.name
    return Theme(
        OWN_PREFIX + palette.name.replace(" ", "-"),
        primary=palette.edge,
        secondary=palette.tray,
        accent=palette.warning if light else palette.select,
        foreground=palette.text,
        background=palette.app,
        surface=palette.panel,
        panel=palette.panel,
        warning=palette.warning,
        error=palette.red,
        success=palette.target,
        dark=not light,
        variables={
            "text-muted": palette.dim,
            "border": palette.panel,
            "scrollbar": palette.tray,
            "scrollbar-background": palette.panel,
            "scrollbar-corner-color": palette.panel,
            "block-cursor-background": palette.tray,
            "block-cursor-foreground": palette.label,
            "block-cursor-blurred-background": palette.tray,
            "block-cursor-blurred-foreground": palette.label,
        },
    )
