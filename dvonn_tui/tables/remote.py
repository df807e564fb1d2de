"""A table at a server, as one of those at it sees it.

Nothing is shown as done before the server says so: a deed is `RemoteTable.sending` until then. What the
server tells is folded by `dvonn_tui.tables.table.evolve`, and the game of the table is played from the
same happenings, so that it is the same on all sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from msgspec.structs import replace

from dvonn_tui.clean import clean_line
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import Action
from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.details import AT, CLOCK, SPENT
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol
from dvonn_tui.tables.address import Address
from dvonn_tui.tables.changes import Kind, Listener, TableChange
from dvonn_tui.tables.happenings import ClockReading, Happening
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.protocol import ChatLine, Deed
from dvonn_tui.tables.remote_session import RemoteSession
from dvonn_tui.tables.sending import Sending
from dvonn_tui.tables.table import EMPTY_TABLE, TableState, action_of, clocks_of, ending_of, evolve

__all__ = ["Kind", "Listener", "RemoteTable", "TableChange", "TablePort", "Unfollowable"]

MOST_CHAT: Final = 300
"""Lines of chat that are kept; the oldest go first."""

MOST_WATCHERS: Final = 200
"""Names of watchers that are kept."""

MOST_HAPPENINGS: Final = 200_000
"""Happenings that a table may have. Servers begin no more games long before that."""

MOST_OFFERS: Final = 1_000
"""Offers between two actions that are believed; servers allow few."""

LONGEST_LOG: Final = 10_000
"""Entries that the log of a game at a table may have. No game of two people comes near it."""


class Unfollowable(Exception):
    """The server said what cannot be. The text is what, for people."""


class TablePort(Protocol):
    """What a table needs of the line to its server."""

    address: Address
    keeping: Keeping

    def now(self) -> float:
        """The monotonic clock, in seconds."""

    def moment_of(self, at: int) -> float:
        """When it was, on that clock, that the server's calendar clock showed so many milliseconds."""

    def hindrance(self) -> str:
        """Why nothing can be sent, now or later, in words; empty when it can or will be."""

    def send(self, request: protocol.Request) -> bool:
        """Send something now. False when there is no line at present."""

    def new_id(self) -> str:
        """An id that no other command has."""

    def forget(self, table: RemoteTable) -> None:
        """Do not come back to a table when the line is found again."""


class RemoteTable:
    """A table, and one's own place at it.

    Attributes:
        id: the table's id.
        state: what is so at the table, as far as the server has told.
        side: one's own side; None for a watcher.
        session: the game that is played or was played last; another object for each game.
        chat: the last lines, oldest first, clean.
        watchers: the names of those who watch, clean.
        there: True while the server tells this client what happens. Before, and while the line is lost,
            what it tells is of the past.
    """

    def __init__(self, id: str, port: TablePort) -> None:
        self.id = id
        self.state: TableState = EMPTY_TABLE
        self.side: Side | None = None
        self.session: RemoteSession | None = None
        self.chat: tuple[ChatLine, ...] = ()
        self.watchers: tuple[str, ...] = ()
        self._port = port
        self._sending = Sending()
        self._listeners: dict[object, Listener] = {}
        self._asked_again = False
        self._last_at = 0  # when the last happening happened, by the server's calendar clock
        self.there = False

    # What players do

    @property
    def sending(self) -> Deed | None:
        """What is on its way to the server, or waits until the line is found again."""
        return self._sending.deed

    @property
    def hindrance(self) -> str:
        """Why nothing can be sent, now or later, in words; empty when it can or will be."""
        return self._port.hindrance()

    @property
    def invite(self) -> str:
        """The command with which somebody else comes to this table."""
        return f"dvonn-tui join {self._port.address.server} --table {self.id}"

    @property
    def seat_outlives(self) -> bool:
        """False when the token of the seat could not be written, so that it is lost with this program."""
        return self._port.keeping.outlives(self._port.address.server, self.id)

    def now(self) -> float:
        """The reading of the clock that `TableState.clocks` is read with."""
        return self._port.now()

    def do(self, deed: Deed) -> bool:
        """Do something at the table. It is `sending` until the server has answered.

        One deed at a time. While the line is lost it waits, and is sent when the line is found again
        unless the game has gone on by then.

        Returns:
            False when it is not sent at all; a `Kind.REFUSED` says why.
        """
        refusal = self.hindrance
        if self._sending.deed is not None:
            refusal = f"{self._sending.words} is on its way: wait for the server's answer"
        if refusal:
            self._tell(Kind.REFUSED, refusal)
            return False
        command = protocol.Command(
            table=self.id, id=self._port.new_id(), version=self.state.version, deed=deed
        )
        self._sending.begin(command)
        self._send(command)
        self._tell(Kind.SENDING)
        return True

    def say(self, text: str) -> bool:
        """Write a line of chat. False when there is no line to the server; a `Kind.REFUSED` says so."""
        line = clean_line(text, protocol.LONGEST_CHAT)
        if not line or self._send(protocol.Chat(table=self.id, text=line)):
            return True
        self._tell(Kind.REFUSED, "not said: there is no line to the server at present")
        return False

    def sit(self, side: Side | None = None) -> bool:
        """Take a seat, a free one when no side is named; `Kind.SEATED` or `Kind.REFUSED` answers.

        While the line is lost the wish waits. False when one is already under way or never will be.
        """
        refusal = "you are already being seated" if self._sending.sit else self.hindrance
        if refusal:
            self._tell(Kind.REFUSED, refusal)
            return False
        self._sending.sit = protocol.Sit(table=self.id, id=self._port.new_id(), side=side)
        self._send(self._sending.sit)
        return True

    def leave(self) -> None:
        """Go away from the table. The seat is kept while a game runs, and can be taken up again."""
        self._port.send(protocol.Leave(table=self.id))
        self._port.forget(self)
        if self.side is not None and not self.state.in_game:
            self._port.keeping.forget(self._port.address.server, self.id)
        self._sending.clear()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener of every change. Returns what ends that."""
        key = object()
        self._listeners[key] = listener

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    # What the server says. Only the link calls these.

    def entering(self) -> protocol.Enter:
        """The request with which the client comes, or comes back, to the table."""
        token = self._port.keeping.token(self._port.address.server, self.id)
        return protocol.Enter(table=self.id, token=token, since=self.state.version, at=self._last_at)

    def entered(self, answer: protocol.Entered, read_at: float) -> None:
        """The client is at the table, again or for the first time.

        Args:
            answer: what the server said.
            read_at: when it read its clocks for it, on this machine's clock.

        Raises:
            Unfollowable: it cannot be.
        """
        self._asked_again = False
        if answer.since == 0 and self.state.version > 0:
            self._begin_anew()
        elif answer.since != self.state.version:
            raise Unfollowable("the server left out a part of what happened at the table")
        # What happened may hold exchanges of colours that the side in the answer already counts in.
        self._happen(answer.news, read_at, answer.now)
        self.there = True
        self._set_side(None if answer.side is None else Side(answer.side))
        if self.side is None:
            # A token that was shown and did not help belongs to a seat that is given away.
            self._port.keeping.forget(self._port.address.server, self.id)
        self.watchers = answer.watchers[:MOST_WATCHERS]
        known = set(self.chat)
        fresh = tuple(line for line in answer.chat if line not in known)
        self.chat = (*self.chat, *fresh)[-MOST_CHAT:]
        if fresh:
            self._tell(Kind.CHAT)
        self._tell(Kind.WATCHERS)
        self._tell(Kind.LINE)
        self._send_again()

    def news(self, message: protocol.News, read_at: float) -> None:
        """Something happened at the table. Raises Unfollowable."""
        if message.anew and message.version == 1:
            self._begin_anew()
        known = self.state.version - message.version + 1
        if known < 0:
            # Something is missing in between; the server tells it to whoever comes in.
            if not self._asked_again:
                self._asked_again = self._port.send(self.entering())
            return
        fresh = message.news[known:]
        if fresh:
            self._happen(fresh, read_at)

    def written(self, line: ChatLine) -> None:
        """Somebody wrote a line."""
        self.chat = (*self.chat, line)[-MOST_CHAT:]
        self._tell(Kind.CHAT, f"{line.name}: {line.text}")

    def watching(self, names: tuple[str, ...]) -> None:
        """Others watch now."""
        self.watchers = names[:MOST_WATCHERS]
        self._tell(Kind.WATCHERS)

    def seated(self, answer: protocol.Seated) -> None:
        """The client has a seat, and the token to have it again."""
        self._sending.sit = None
        side = Side(answer.side)
        self._keep(answer.token, side)
        self._set_side(side)

    def done(self, answer: protocol.Done) -> None:
        """A deed was carried out; it is there as soon as its news is."""
        self._sending.answered(answer.id, answer.version)
        self._check_arrived()

    def refused(self, answer: protocol.Refused) -> None:
        """The server says no."""
        deed = self._sending.deed
        told = self._sending.refused(answer)
        if deed is not self._sending.deed:
            self._tell(Kind.SENDING)
        if told is None and answer.id is None:
            told = answer.reason
        if told:
            self._tell(Kind.REFUSED, told)

    def line_changed(self) -> None:
        """The line to the server is another one, or none."""
        self._asked_again = self.there = False
        self._tell(Kind.LINE)
        if self.hindrance and self._sending.deed is not None:
            words = self._sending.drop()
            self._sending.clear()
            self._tell(Kind.SENDING)
            self._tell(Kind.REFUSED, f"{words}: it is not known whether it arrived, because {self.hindrance}")

    def awaits(self, id_: str) -> bool:
        """True when the answer to a command is still to come."""
        return self._sending.awaits(id_)

    # How it follows

    def _begin_anew(self) -> None:
        """Forget what was known, because the server tells everything again."""
        self.state, self.session, self._last_at = EMPTY_TABLE, None, 0

    def _happen(self, news: Sequence[Happening], read_at: float, now: ClockReading | None = None) -> None:
        """Fold what happened, and play it. With `now` the clocks are those of that reading."""
        states = self._states(news, read_at)
        self._last_at = news[-1].at if news else self._last_at
        session = self.session
        for event, state in zip(news, states, strict=True):
            if state is states[-1] and now is not None:
                state = replace(state, clocks=clocks_of(now, state.options, read_at))
            if self._sending.is_settled_by(event, self.state, self.side):
                self._tell(Kind.SENDING)
            self._set_state(state)
            self._follow(event)
        if not news and now is not None:
            self._set_state(replace(self.state, clocks=clocks_of(now, self.state.options, read_at)))
        self._check_arrived()
        if self.session is not session:
            self._tell(Kind.SESSION)
        if news:
            self._tell(Kind.NEWS, news=tuple(news))

    def _states(self, news: Sequence[Happening], read_at: float) -> list[TableState]:
        """The state after each happening. Asked of all before anybody is told of one."""
        states: list[TableState] = []
        state = self.state
        moment = state.counted
        try:
            for event in news:
                # What happened before the client came tells since when somebody is away. How much time
                # is on a clock never depends on this: the server says that with the moment itself.
                past = read_at if self.there else min(self._port.moment_of(event.at), read_at)
                moment = max(moment, past)
                state = evolve(state, event, moment)
                states.append(state)
                if state.version > MOST_HAPPENINGS or len(state.made) > MOST_OFFERS:
                    raise Unfollowable("the server told more than can happen at a table")
        except (DvonnError, ValueError) as problem:
            raise Unfollowable(f"the server told of what cannot be: {problem}") from problem
        return states

    def _set_state(self, state: TableState) -> None:
        begun = state.game != self.state.game
        self.state = state
        if self.session is not None and not begun:
            self.session.show_clocks(state.clocks)

    def _follow(self, event: Happening) -> None:
        """Let the game and one's own seat follow what happened; the state is already the one after it."""
        match event:
            case happened.Began(setup=setup, seed=seed, white=white, black=black):
                game = Game.new(Setup(setup), seed, white=white, black=black)
                self.session = RemoteSession(game, self)
                self.session.show_clocks(self.state.clocks)
                # Whoever is told of it looks at the game that has begun.
                if event.exchanged and self.side is not None:
                    self._set_side(self.side.other)
                self._keep_names()
            case happened.Acted(by=by, action=token):
                self._play(action_of(token), _details(event, Side(by)))
            case happened.Ended(reason=reason, winner=winner):
                self._play(ending_of(reason, winner), {AT: event.at / 1000})
            case happened.TakenBack(actions=actions):
                game = self._game()
                for _ in range(actions):
                    if not game.undo():
                        break
                self._check_position()
            case happened.SeatLeft(side=side) if self.side == side:
                self._set_side(None)
                self._port.keeping.forget(self._port.address.server, self.id)
            case happened.SeatTaken():
                self._keep_names()
            case happened.Closed():
                self._port.keeping.forget(self._port.address.server, self.id)

    def _play(self, action: Action, details: dict[str, object]) -> None:
        """Play what was played at the table."""
        game = self._game()
        entries = game.play(action, details)
        # What was taken back is not the game any more: the log, the library and records show the first line.
        game.promote(entries[0])
        self._check_position()

    def _game(self) -> Game:
        if self.session is None:
            raise Unfollowable("the server told of a move in a game that had not begun")
        if self.session.game.length > LONGEST_LOG:
            raise Unfollowable("the server told of a game without an end")
        return self.session.game

    def _check_position(self) -> None:
        """The game that is shown and the table's position come from the same happenings."""
        if self.session is None or self.session.game.position != self.state.position:
            raise Unfollowable("the server told of a position that the game does not lead to")

    def _set_side(self, side: Side | None) -> None:
        if side is not self.side:
            self.side = side
            self._tell(Kind.SEATED)

    def _keep(self, token: str, side: Side) -> None:
        seats = self.state.seats
        white, black = (seats[each].name if each in seats else "" for each in Side)
        self._port.keeping.keep(
            self._port.address.server, self.id, token, side, title=self.state.title, white=white, black=black
        )

    def _keep_names(self) -> None:
        """Write down who sits at the table now, for the list of tables to come back to."""
        token = self._port.keeping.token(self._port.address.server, self.id)
        if token and self.side is not None:
            self._keep(token, self.side)

    # What is on its way

    def _send(self, request: protocol.Request) -> bool:
        """Send something at the table. False when the client is not there: it is sent on coming back."""
        return self.there and self._port.send(request)

    def _send_again(self) -> None:
        """After the line was found again: once more, by the same id, what was not answered."""
        if self._sending.sit is not None:
            self._send(self._sending.sit)
        if self._sending.overtaken(self.state):
            told = self._sending.drop_overtaken()
            self._tell(Kind.SENDING)
            self._tell(Kind.REFUSED, told)
        elif self._sending.command is not None:
            self._send(self._sending.command)

    def _check_arrived(self) -> None:
        if self._sending.arrived(self.state):
            self._tell(Kind.SENDING)

    def _tell(self, kind: Kind, text: str = "", news: Iterable[Happening] = ()) -> None:
        change = TableChange(kind, text, tuple(news))
        for key, listener in tuple(self._listeners.items()):
            if key in self._listeners:
                listener(change)


def _details(event: happened.Acted, by: Side) -> dict[str, object]:
    """What rides on the entries of an action: when it was, how long it took, what was left."""
    details: dict[str, object] = {AT: event.at / 1000, SPENT: event.spent / 1000}
    if event.clocks is not None:
        details[CLOCK] = (event.clocks.white if by is Side.WHITE else event.clocks.black) / 1000
    return details
