"""What is known of the game that is chosen in the library, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rich.cells import cell_len

from dvonn_tui.art.scene import Ink, Tile
from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.forms import BY_NAME
from dvonn_tui.records.shelf import LOG, LOG_TITLE, RESULT_WORDS, Listed
from dvonn_tui.ui.paint import Inks
from dvonn_tui.ui.widgets.lines import Dressed, blank_lines, shortened

CARD_LINES: Final = 7
"""Lines that the card has when there is room; with fewer it leaves out what the list tells as well."""


class GameCard(Dressed):
    """Tells of one game: players, result, beginning, file, faults."""

    def __init__(self, inks: Inks, *, id: str | None = None) -> None:
        super().__init__(inks, id=id)
        self._game: Listed | None = None

    def show(self, game: Listed | None) -> None:
        """Tell of another game; of none when it is None."""
        if game is not self._game:
            self._game = game
            self.repaint()

    def draw(self, width: int, height: int) -> list[list[Tile]]:
        """As much as there is room for; faults before what the list tells as well."""
        game, inks = self._game, self.inks
        if game is None:
            return blank_lines(width, height, inks.text)
        parts: list[tuple[str, Ink]] = []
        if game.place and height >= CARD_LINES:
            parts += self._players(game)
            parts += [(self._result(game), inks.text), (setup_words(game), inks.dim), ("", inks.text)]
        elif game.place:
            parts.append((f"{setup_words(game)}, {self._result(game)}", inks.text))
        if height < CARD_LINES:
            parts.append((_file_words(game), inks.dim))
        else:
            parts += [(line, inks.dim) for line in wrapped(_file_words(game), width - 2)]
        # What the list tells as well gives way to faults.
        faults = [line for fault in game.faults.splitlines() for line in wrapped(fault, width - 2)]
        spare = max(len(parts) + len(faults) - height, 0)
        parts = parts[min(spare, len(parts) - 1) :]
        parts += [(line, inks.warning) for line in faults]
        if height >= CARD_LINES:
            folder = clean_line(str(Path(game.path).parent), 400)
            parts += [(line, inks.faint) for line in wrapped(folder, width - 2)]
        drawn = [
            self.line(width).add(f" {shortened(text, width - 2, self.signs)}", ink).tiles()
            for text, ink in parts
        ]
        return [*drawn, *blank_lines(width, height - len(drawn), inks.text)][:height]

    def _players(self, game: Listed) -> list[tuple[str, Ink]]:
        names = {Side.WHITE: game.white, Side.BLACK: game.black}
        return [(f"{self.signs.of(side)} {name}", self.inks.strong) for side, name in names.items()]

    def _result(self, game: Listed) -> str:
        """Who won, the score, and after how many plies."""
        words = " ".join(filter(None, (RESULT_WORDS[game.result], game.score)))
        return f"{words}, {plies_words(game)}"


def plies_words(game: Listed) -> str:
    """How many plies were played: ``34 plies``, ``12 placed``."""
    if game.plies.startswith("p"):
        return f"{game.plies[1:]} placed"
    return "1 ply" if game.plies == "1" else f"{game.plies} plies"


def setup_words(game: Listed) -> str:
    """How the game began."""
    words = {Setup.MANUAL: "placed by hand", Setup.POSITION: "from a position"}
    told = words.get(Setup(game.setup), game.setup)
    return f"{told} {game.seed}" if game.seed else told


def _file_words(game: Listed) -> str:
    """The name of the file, its form, and which of its games this is."""
    parts = [game.name]
    if game.games > 1:
        parts.append(f"game {game.place} of {game.games:,}")
    if game.form and game.form != LOG:
        parts.append(BY_NAME[game.form].title)
    elif game.form:
        parts.append(LOG_TITLE)
    return ", ".join(parts)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of so many columns at most, between words where that is possible."""
    lines: list[str] = []
    for word in text.split(" "):
        while cell_len(word) > width > 0:
            head = word
            while cell_len(head) > width:
                head = head[:-1]
            if not head:
                break
            lines.append(head)
            word = word[len(head) :]
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
