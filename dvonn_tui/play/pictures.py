"""Pictures of records: a board as text or SVG, a game that plays by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from dvonn_tui.art.frames import Frame
from dvonn_tui.art.text import board_text
from dvonn_tui.core.cells import Cell
from dvonn_tui.core.events import GameStarted, PiecePlaced, StackMoved
from dvonn_tui.core.log import Ply, plies_of
from dvonn_tui.core.notation import event_token
from dvonn_tui.core.position import Phase
from dvonn_tui.records.record import Record, result_of, score_text, termination_of

SECONDS: Final = 1.0
"""For each frame of a game."""

PLACEMENT_SECONDS: Final = 0.25


class NoSuchPly(Exception):
    """The record has no such ply. The text says which it has."""


def board(record: Record, label: str | None) -> str:
    """A board as text with what is to be said about it below."""
    ply = _ply(record, label)
    return f"{board_text(ply.last.position.stacks)}\n\n{_frame(record, ply).caption}\n"


def svg(record: Record, label: str | None) -> str:
    """A position as SVG."""
    from dvonn_tui.art.svg import board_svg

    return board_svg(_frame(record, _ply(record, label)))


def animation(record: Record) -> str:
    """A game as an SVG that plays by itself."""
    from dvonn_tui.art.svg import game_svg

    return game_svg(_frames(record), SECONDS)


def cast(record: Record) -> str:
    """A game as an asciinema recording."""
    from dvonn_tui.art.cast import cast as asciicast

    return asciicast(_frames(record), SECONDS, title=_players(record))


def _frames(record: Record) -> list[Frame]:
    """The start, each ply of the movement, and each placement if all there is is placements."""
    plies = plies_of(record.game.main_line())
    if any(isinstance(ply.first.event, StackMoved) for ply in plies):
        placed = (ply.last.position.phase is Phase.PLACEMENT for ply in plies)
        plies = plies[sum(placed) :]
    return [_frame(record, ply) for ply in plies]


def _ply(record: Record, label: str | None) -> Ply:
    """The ply with a label, by default the last one. Raises NoSuchPly."""
    plies = plies_of(record.game.main_line())
    if label is None:
        return plies[-1]
    found = next((ply for ply in plies if ply.label == label.lower()), None)
    if found is None and label == "0":
        return plies[0]
    if found is None:
        labels = [ply.label for ply in plies if ply.label]
        known = f"{labels[0]} to {labels[-1]}" if labels else "none"
        raise NoSuchPly(f"there is no ply {label}: the game has {known}, and 0 is its beginning")
    return found


def _frame(record: Record, ply: Ply) -> Frame:
    event, position = ply.first.event, ply.last.position
    last: frozenset[Cell] = frozenset()
    if isinstance(event, StackMoved):
        last = frozenset({event.source, event.target})
    elif isinstance(event, PiecePlaced):
        last = frozenset({event.cell})
    return Frame(position.stacks, last, record.game.cell_marks(ply.last), _caption(record, ply))


def _caption(record: Record, ply: Ply) -> str:
    """The players, the ply, and the score or the result."""
    position, event = ply.last.position, ply.first.event
    said = [_players(record)]
    if not isinstance(event, GameStarted):
        token = event_token(event)  # type: ignore[arg-type]
        said.append(f"{ply.label} {token}".strip() if token else "")
    if position.phase is not Phase.PLACEMENT:
        said.append(score_text(position))
    outcome = position.outcome
    if outcome is not None:
        said.append(f"{result_of(outcome)} ({termination_of(outcome, '')})")
    return ", ".join(part for part in said if part)


def _players(record: Record) -> str:
    started = record.game.started
    return f"{started.white} - {started.black}"


@dataclass(frozen=True, slots=True)
class Picture:
    """A way to show a game in a file.

    Attributes:
        title: what it is called in words.
        suffix: how the names of its files end.
        draw: the text of the file.
        lost: what cannot be read back from it, in words.
    """

    title: str
    suffix: str
    draw: Callable[[Record], str]
    lost: str


_LAST: Final = "anything but the last position"
_SHOWN: Final = "other lines, comments and clocks; it is to be looked at and cannot be opened"

PICTURES: Final[Mapping[str, Picture]] = {
    "board": Picture("board as text", ".board", lambda record: board(record, None), _LAST),
    "svg": Picture("picture", ".svg", lambda record: svg(record, None), _LAST),
    "animation": Picture("animated picture", ".svg", animation, _SHOWN),
    "cast": Picture("asciinema recording", ".cast", cast, _SHOWN),
}
"""All pictures, by the names that `dvonn-tui convert` has for them."""
