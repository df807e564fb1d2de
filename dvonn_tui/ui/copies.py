"""Copying: to the terminal's clipboard, and always to a file as well."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from textual.app import App

from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Mark, Ply
from dvonn_tui.core.notation import event_token
from dvonn_tui.play.clocks import ClockRule, time_control

CLIPBOARD_LIMIT: Final = 74_994
"""Bytes, in base64, of the longest text that usual terminals take by OSC 52 (the limit of xterm)."""


def keep_copy(app: App[Any], folder: Path, what: str, text: str, suffix: str = ".txt") -> tuple[str, bool]:
    """Send a text to the terminal's clipboard and write it to a file named after `what`, with a suffix.

    Returns:
        A message for the player, and whether the file was written. Whether the terminal took the text
        nobody can know: it gives no answer.
    """
    fits = len(b64encode(text.encode())) <= CLIPBOARD_LIMIT
    if fits:
        app.copy_to_clipboard(text)
    path = folder / "copies" / f"{what}{suffix}"
    sent = f"{what} sent to the terminal's clipboard" if fits else f"{what} too long for a clipboard"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as problem:
        return f"{sent}; not written to {path}: {problem.strerror or problem}", False
    return f"{sent}, and written to {path}", True


@dataclass(frozen=True, slots=True)
class OpenedFrom:
    """What a record says beside its moves of the game that was opened from it.

    Attributes:
        tags: its tags, as they were written.
        end: the number of the last entry of the main line then.
    """

    tags: Mapping[str, str]
    end: int

    @classmethod
    def of(cls, game: Game, tags: Mapping[str, str]) -> OpenedFrom:
        """What the tags of a record say of the game that was just read from it."""
        return cls(tags, game.main_line()[-1].number)


def record_text(game: Game, said: OpenedFrom | None, rule: ClockRule) -> str:
    """A game with its lines, comments and marks as a native record, without the last line break.

    `said` is what the record said that it was opened from, None for a game that was begun here. How time
    is given is what the clocks here go by, else what the record says. The result that it tells of a game
    without an end by the rules holds only as long as nobody has played on.
    """
    from dvonn_tui.records.forms import write
    from dvonn_tui.records.record import RESULT, TERMINATION, TIME_CONTROL, with_tags

    tags = {} if said is None else dict(said.tags)
    if said is not None and said.end != game.main_line()[-1].number:
        for name in (RESULT, TERMINATION):
            tags.pop(name, None)
    if rule.counted:
        tags[TIME_CONTROL] = time_control(rule)
    return write(with_tags(game, tags)).rstrip("\n")


def game_tokens(plies: Iterable[Ply]) -> str:
    """The placements and moves of a line as tokens, ten a line, passes written out."""
    entries = (entry for ply in plies for entry in ply.entries)
    events = (entry.event for entry in entries if not isinstance(entry.event, Mark))
    tokens = [token for event in events if (token := event_token(event)) is not None]
    return "\n".join(" ".join(tokens[start : start + 10]) for start in range(0, len(tokens), 10))
