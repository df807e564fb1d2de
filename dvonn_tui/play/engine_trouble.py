"""What can be wrong with an engine, in one line that can be shown as it is."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from dvonn_tui.clean import clean_line

TROUBLE_LIMIT: Final = 200
"""Columns of a trouble's line at most."""


class TroubleKind(StrEnum):
    """The ways in which an engine fails."""

    NOT_STARTED = "did not start"
    DIED = "died"
    SILENT = "silent"
    SLOW = "slow"
    NONSENSE = "nonsense"
    CHEATING = "cheating"
    UNABLE = "unable"
    """It is well, but its protocol does not let it take this position."""


class EngineTrouble(Exception):
    """An engine failed.

    Attributes:
        kind: in which way.
        line: what happened, in one clean line without a full stop.
    """

    def __init__(self, kind: TroubleKind, line: str) -> None:
        self.kind = kind
        self.line = clean_line(line, TROUBLE_LIMIT)
        super().__init__(self.line)


class Superseded(Exception):
    """The question is no longer the one: another was asked, or nobody wants an answer any more."""
