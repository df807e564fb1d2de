"""Copying: to the terminal's clipboard, and always to a file as well."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from textual.app import App

from dvonn_tui.core.log import Mark, Ply
from dvonn_tui.core.notation import event_token

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


def game_tokens(plies: Iterable[Ply]) -> str:
    """The placements and moves of a line as tokens, ten a line, passes written out."""
    entries = (entry for ply in plies for entry in ply.entries)
    events = (entry.event for entry in entries if not isinstance(entry.event, Mark))
    tokens = [token for event in events if (token := event_token(event)) is not None]
    return "\n".join(" ".join(tokens[start : start + 10]) for start in range(0, len(tokens), 10))
