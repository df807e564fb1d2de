"""The dialog that shows what was pasted and asks whether it is to be opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.widgets import Static

from dvonn_tui.art.scene import Scene
from dvonn_tui.records.forms import BY_NAME
from dvonn_tui.records.record import Record
from dvonn_tui.records.shelf import LOG, LOG_TITLE, RESULT_WORDS, listed
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import Arrangement, FieldRow, OneOf, PushButton
from dvonn_tui.ui.widgets.game_card import plies_words, setup_words
from dvonn_tui.ui.widgets.small_board import SMALLEST, SmallBoard
from dvonn_tui.ui.words import counted

SHOWN_FAULTS: Final = 4
"""Faults that are told in words; the others are counted."""


class RecordScreen(Dialog[int]):
    """Shows one of the games of a text; answers with the number of the one to open, from 0."""

    DEFAULT_CSS = """
    RecordScreen {
        & > #frame { width: 66; }
        & #told, & #faults { width: 100%; height: auto; }
        & #faults { margin-top: 1; color: $warning; }
        & #board { margin: 1 0 0 2; }
        & FieldRow { margin-bottom: 1; }
        & FieldRow > .label { width: 8; }
        &.-short #board { display: none; }
        &.-short FieldRow { margin-bottom: 0; }
    }
    """
    AUTO_FOCUS = "#accept"
    HEADING = "Pasted"
    HINT = "enter open   esc cancel"

    def __init__(self, records: Sequence[Record], heading: str = HEADING) -> None:
        """`records` are the games of the text, at least one; `heading` tells where it comes from, clean."""
        super().__init__()
        self._heading = heading
        self._records = records

    @property
    def heading(self) -> str:
        """Where the games come from."""
        return self._heading

    def compose_body(self) -> ComposeResult:
        """Which game, what is known of it, what is wrong with it, and its last position."""
        if len(self._records) > 1:
            numbers = [(str(number), f"{number + 1} of {len(self._records)}") for number in self._numbers]
            yield FieldRow("Game", OneOf(numbers, "0", arrangement=Arrangement.STEP, id="game"))
        record = self._records[0]
        yield Static("\n".join(_told(record)), id="told", markup=False)
        faults = Static("\n".join(_faults(record)), id="faults", markup=False)
        faults.display = bool(record.faults)
        yield faults
        yield SmallBoard(Scene(stacks=record.end.position.stacks), scale=SMALLEST, id="board")

    @property
    def _numbers(self) -> range:
        return range(len(self._records))

    def compose_buttons(self) -> ComposeResult:
        """Open it, or leave it."""
        yield PushButton("Open", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def on_one_of_changed(self, event: OneOf.Changed) -> None:
        """Show another of the games."""
        event.stop()
        record = self._records[int(event.value)]
        self.query_one("#told", Static).update("\n".join(_told(record)))
        faults = self.query_one("#faults", Static)
        faults.update("\n".join(_faults(record)))
        faults.display = bool(record.faults)
        self.query_one("#board", SmallBoard).draw(Scene(stacks=record.end.position.stacks))

    def action_accept(self) -> None:
        """Answer with the game that is shown."""
        choice = self.query("#game").results(OneOf)
        self.finish(next((int(each.value) for each in choice), 0))


def _told(record: Record) -> Iterator[str]:
    """What a record is, in a few lines."""
    game = listed(record, Path(), 1, "")
    yield LOG_TITLE if record.form == LOG else BY_NAME[record.form].title
    yield f"{game.white} against {game.black}"
    words = [plies_words(game), RESULT_WORDS[game.result]]
    if game.score:
        words.append(game.score)
    yield f"{setup_words(game)}; {', '.join(words)}"


def _faults(record: Record) -> Iterator[str]:
    """What is wrong, and that the game is there up to it."""
    if record.faults:
        yield from map(str, record.faults[:SHOWN_FAULTS])
        more = len(record.faults) - SHOWN_FAULTS
        if more > 0:
            yield f"and {counted(more, 'fault')} more"
        yield "The game is here up to there."
