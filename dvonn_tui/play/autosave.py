"""Saving a game while it is played: every entry of its log goes to its own file.

How a file is written, and what that is worth when the program or the machine ends, is told in
`dvonn_tui.records.journal`. Here is said which file, and what goes into it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dvonn_tui.core.game import Step
from dvonn_tui.core.log import Annotation
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.clocks import time_control
from dvonn_tui.play.session import Session

if TYPE_CHECKING:
    from dvonn_tui.records.journal import Journal
    from dvonn_tui.records.seating import Seating
    from dvonn_tui.records.turn_clock import TurnClock

CLOCK_KEPT: Final = 4.0
"""Seconds of a turn after which it is written down again how many are left.

The clocks are looked at once a second at least, so what a crash in the middle of a turn gives back of it is
five seconds at most. Whoever leaves, pauses or lays a game aside gets nothing back."""

LONGEST_WORD: Final = 24
"""Characters of a player's name in the name of a file at most."""


def local_time() -> datetime:
    """What the clock shows here, with its distance from UTC."""
    return datetime.now().astimezone()


def file_name(begun: datetime, white: str, black: str) -> str:
    """The name of a game's file, without its ending: it sorts by time, and is plain ASCII."""
    return f"{begun:%Y-%m-%d-%H%M%S}-{_word(white) or 'white'}-{_word(black) or 'black'}"


def _word(name: str) -> str:
    """A player's name as far as every file system takes it."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", letters)[:LONGEST_WORD].strip("-")


@dataclass(frozen=True, slots=True)
class Origin:
    """What a session's file is to be, as far as it is no new game.

    Attributes:
        journal: the file to go on with; None for a new one.
        copy_of: the name of the file that a new one goes on from.
        table: the table on another machine at which it is played, as server and id; empty when it is
            played here.
        recorded: how many entries of the game the file to go on with holds; None for all.
    """

    journal: Journal | None = None
    copy_of: str = ""
    table: str = ""
    recorded: int | None = None


class Autosave:
    """Writes the game that is played to its file.

    Attributes:
        enabled: False when nothing is to be written. Once it is True again, what was played meanwhile
            is written with the next entry.
        on_change: called when `trouble` may have become another, from any thread.
    """

    def __init__(
        self,
        folder: Path,
        *,
        now: Callable[[], datetime] = local_time,
        on_change: Callable[[], object] = lambda: None,
        enabled: bool = True,
    ) -> None:
        """Save to a folder, which comes into being with the first file."""
        self.folder = self._home = folder
        self.enabled = enabled
        self._now = now
        self.on_change = on_change
        self._journal: Journal | None = None
        self._left: list[Journal] = []
        """Files of games that were left, of which some may have to be tried again."""
        self._recorded = 0
        self._unsubscribe: Callable[[], None] = lambda: None
        self._session: Session | None = None
        self._kept: TurnClock | None = None
        """What the file tells is left in the turn; None when that has to be written down."""
        self._settled = False
        """Nothing more is told of the turn until something is played: the game was laid aside, and the line
        that says so is to be the last one, or the file is closed."""

    @property
    def trouble(self) -> str:
        """Why this game, or one that was left, is not saved; empty when all is, or nothing is to be."""
        current = () if self._journal is None or not self.enabled else (self._journal,)
        return next((journal.trouble for journal in (*current, *self._left) if journal.trouble), "")

    @property
    def path(self) -> Path | None:
        """The file of the game; None as long as it has none."""
        return self._journal.path if self._journal is not None and self._journal.exists else None

    @property
    def name(self) -> str | None:
        """What to call the file for `dvonn-tui resume`; None when it does not hold all of the game."""
        path = self.path
        if path is None or not self._up_to_date:
            return None
        return path.name if path.parent == self._home else str(path.absolute())

    @property
    def _up_to_date(self) -> bool:
        """True when the file holds the whole log of the game."""
        session = self._session
        whole = session is not None and self._recorded == len(session.game.log)
        return whole and not self.trouble

    def warm(self) -> None:
        """Load what writes files now, so that the first move need not wait for it."""
        import_module("dvonn_tui.records.journal")

    def follow(self, session: Session, seating: Seating, origin: Origin | None = None) -> None:
        """Save a session from now on, and the one before no longer."""
        self._leave()
        origin = origin or Origin()
        self._session = session
        self._seating = seating
        self._copy_of = origin.copy_of
        self._table = origin.table
        self._begun = self._now()
        self._journal = origin.journal
        if self._journal is not None:
            self._journal.on_change = self.on_change
        held = len(session.game.log) if origin.recorded is None else origin.recorded
        self._recorded = held if origin.journal is not None else 0
        self._kept = session.turn_clock
        self._settled = False
        self._unsubscribe = session.subscribe(self._on_step)

    def catch_up(self) -> None:
        """Save now what was played before the session was followed, if anything was."""
        if self._session is not None and self._session.game.log[-1].action > 0:
            self._hand_over(self._session)

    def seat(self, seating: Seating) -> None:
        """Somebody else sits down, or the board is turned round."""
        if seating == self._seating:
            return
        self._seating = seating
        if self._journal is not None and self.enabled:
            from dvonn_tui.records.journal_form import seating_content

            self._append([seating_content(seating)])

    def keep_clock(self, *, at_once: bool = False) -> None:
        """Write down what is left in the turn, so that the game is taken up again with that.

        To be called at least once a second while a clock runs, and with `at_once` when it halts; without
        that it waits until `CLOCK_KEPT` seconds are gone. A game without a file has nothing to be taken up.
        """
        session = self._session
        if session is None or self._journal is None or not self.enabled or self._settled:
            return
        left, kept = session.turn_clock, self._kept
        # What is left belongs to the turn after the last entry: that must be in the file.
        if left is None or left == kept or self._recorded != session.game.length:
            return
        if at_once or kept is None or kept.left - left.left + kept.delay - left.delay >= CLOCK_KEPT:
            from dvonn_tui.records.journal_form import seating_content

            self._kept = left
            self._append([seating_content(self._seating, left)])

    def lay_aside(self) -> None:
        """The players do not want to be asked any more whether they go on with this game."""
        if self._journal is not None and self.enabled:
            from dvonn_tui.records.journal_form import aside_content

            self.keep_clock(at_once=True)
            self._append([aside_content()])
            self._settled = True

    def move(self, folder: Path) -> str:
        """Save to another folder from now on, the present game from its start.

        Its file where it was so far stays there as it is.

        Returns:
            Why it is not saved there; empty when it is, or when nothing was played yet.
        """
        self.folder = folder
        if self._journal is not None:
            self._copy_of = self._journal.path.name if self._journal.exists else ""
            self._journal.give_up()
        self._journal = None
        self._recorded = 0
        self.catch_up()
        self.on_change()
        return self.trouble

    def close(self) -> str:
        """Save no longer, and release all files. Returns why something is not saved; empty when all is."""
        self.keep_clock(at_once=True)
        self._settled = True
        self._unsubscribe()
        journals = [*self._left, *([self._journal] if self._journal is not None else [])]
        return next(filter(None, [journal.close() for journal in journals]), "")

    def _leave(self) -> None:
        """Add nothing to the file of the present game any more. What could not be written is still tried."""
        self.keep_clock(at_once=True)
        self._unsubscribe()
        self._left = [journal for journal in self._left if journal.trouble]
        if self._journal is not None:
            self._journal.finish()
            self._left.append(self._journal)
        self._journal = None

    def _on_step(self, step: Step) -> None:
        assert self._session is not None
        self._hand_over(self._session)
        self._settled = False
        if not isinstance(step.entry.event, Annotation):
            self._kept = self._session.turn_clock

    def _hand_over(self, session: Session) -> None:
        """Write all entries that are not written yet: those of a whole action at its first step."""
        log = session.game.log
        if not self.enabled or self._recorded == len(log):
            return
        from dvonn_tui.records.journal_form import Header, entry_contents, header_content

        contents = list(entry_contents(log[self._recorded :]))
        if self._journal is None:
            timed = time_control(session.rule) if session.rule.counted else ""
            header = Header(self._begun, self._seating, self._copy_of, timed, self._table)
            contents.insert(0, header_content(header))
            self._journal = self._new_journal(session)
            self._kept = None
        self._recorded = len(log)
        self._append(contents)

    def _new_journal(self, session: Session) -> Journal:
        from dvonn_tui.records.journal import SUFFIX, Journal

        white, black = (session.name_of(side) for side in Side)
        journal = Journal(self.folder / (file_name(self._begun, white, black) + SUFFIX))
        journal.on_change = self.on_change
        return journal

    def _append(self, contents: Sequence[Mapping[str, Any]]) -> None:
        assert self._journal is not None
        if not self._journal.append(contents):
            self.on_change()
