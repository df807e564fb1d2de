"""What a client has asked of a table and not heard of: one deed at most, and the wish for a seat.

Every command has an id of its own. As long as it is not answered it is sent again by the same id whenever
the line is found again, so that the server does it once, however often the line is cut. What was meant
for a position that is gone is not sent any more, as the server would not take it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.protocol import Act, Command, Decline, Deed, MakeOffer, Refused, Sit
from dvonn_tui.tables.table import TableState
from dvonn_tui.tables.words import deed_words


@dataclass(frozen=True, slots=True)
class _Sent:
    """A deed that is not known to be done.

    Attributes:
        command: how it is sent.
        reached: the version of the table with it, as the server answered; None before that.
    """

    command: Command
    reached: int | None = None


class Sending:
    """What is on its way from one client to one table.

    Attributes:
        sit: the wish for a seat.
    """

    def __init__(self) -> None:
        self.sit: Sit | None = None
        self._sent: _Sent | None = None

    @property
    def deed(self) -> Deed | None:
        """The deed that is on its way."""
        return self._sent.command.deed if self._sent else None

    @property
    def command(self) -> Command | None:
        """How it is sent."""
        return self._sent.command if self._sent else None

    @property
    def words(self) -> str:
        """The deed in words; empty when there is none."""
        return deed_words(self._sent.command.deed) if self._sent else ""

    def begin(self, command: Command) -> None:
        """A command goes on its way."""
        self._sent = _Sent(command)

    def clear(self) -> None:
        """Nothing is on its way any more."""
        self._sent = self.sit = None

    def drop(self) -> str:
        """The deed is not on its way any more; what it was, in words."""
        words, self._sent = self.words, None
        return words

    def awaits(self, id_: str) -> bool:
        """True when the answer to a command or a wish is still to come."""
        return bool((self._sent and self._sent.command.id == id_) or (self.sit and self.sit.id == id_))

    def answered(self, id_: str, version: int) -> None:
        """The server has done it; it is there when the table has reached a version."""
        if self._sent is not None and self._sent.command.id == id_:
            self._sent = replace(self._sent, reached=version)

    def arrived(self, state: TableState) -> bool:
        """True when the deed was answered and what came of it is there; it is not on its way any more."""
        sent = self._sent
        if sent is None or sent.reached is None or state.version < sent.reached:
            return False
        self._sent = None
        return True

    def is_settled_by(self, event: Happening, before: TableState, side: Side | None) -> bool:
        """True when a happening is one's own move, answered or not; it is not on its way any more.

        Args:
            event: what happens.
            before: the table before it.
            side: one's own side.
        """
        command = self.command
        if command is None or not isinstance(event, happened.Acted) or not isinstance(command.deed, Act):
            return False
        same = (event.by, event.action) == (side, command.deed.action)
        if not same or before.played > command.version:
            return False
        self._sent = None
        return True

    def overtaken(self, state: TableState) -> bool:
        """True when the deed was meant for what is no longer there."""
        if self._sent is None:
            return False
        command = self._sent.command
        bound = isinstance(command.deed, (Act, MakeOffer, Decline))
        return command.version < (state.played if bound else state.began)

    def drop_overtaken(self) -> str:
        """The deed is not on its way any more; a sentence about it for whoever did it."""
        played = isinstance(self.deed, Act)
        words = self.drop()
        if played:
            return f"your move {words} was not played: the game had gone on"
        return f"{words} came too late: the game had gone on"

    def refused(self, answer: Refused) -> str | None:
        """Take in a refusal.

        Returns:
            What is to be told, empty when nothing is; None when it is not about what is on its way.
        """
        if self.sit is not None and answer.id == self.sit.id:
            self.sit = None
            return answer.reason
        if self._sent is None or answer.id != self._sent.command.id:
            return None
        if answer.code == "stale":
            return self.drop_overtaken()
        self._sent = None
        # It was played, only not by this message.
        return "" if answer.code == "already" else answer.reason
