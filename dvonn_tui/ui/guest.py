"""At a table on another machine: what the game screen shows of it, and what its commands do there.

The board, the log and all panels are those of every other game, on the session of the table. Here is only
what differs: who may act, what is said, and what undo, draw, resign and their like mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from dvonn_tui.core.events import AgreeDraw
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.play.attention import Attention
from dvonn_tui.tables.asked import options_words
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.protocol import Decline, GoOn, MakeOffer, Start, Withdraw
from dvonn_tui.tables.table import Offer, Stage, TableState
from dvonn_tui.tables.words import deed_words
from dvonn_tui.ui.keys import COMMANDS_BY_ID
from dvonn_tui.ui.screens.visiting import WaitingSession
from dvonn_tui.ui.table_words import (
    OFFER_WORDS,
    STAGE_WORDS,
    absence_words,
    happening_words,
    names_of,
    seat_lines,
    what_next,
)
from dvonn_tui.ui.words import Said, Tone

if TYPE_CHECKING:
    from dvonn_tui.play.session import Session
    from dvonn_tui.tables.link import TableLink
    from dvonn_tui.tables.remote import RemoteTable, TableChange
    from dvonn_tui.ui.screens.visiting import VisitingScreen

IN_GAME: Final = (
    *("pick", "chat", "palette", "help", "undo", "back", "forward"),
    *("chat.panel", "draw", "type", "tables", "flip", "look", "quit"),
)
"""The commands at the foot while one plays."""

LOOKING: Final = (
    *("chat", "palette", "help", "back", "forward", "chat.panel"),
    *("tables", "flip", "look", "table.leave", "quit"),
)
"""The commands at the foot where there is a game, and nothing of it to be done: for those who watch, and
when it is over."""

BEFORE: Final = ("chat", "invite", "tables", "palette", "help", "table.leave", "look", "quit")
"""The commands at the foot while none is."""

OFFERED: Final = (Offer.TAKEBACK, Offer.DRAW, Offer.PAUSE, Offer.REMATCH)
"""Offers in the order in which they are answered."""

TICK: Final = 1.0
"""Seconds between two looks at how long somebody is away."""


class Guest:
    """Somebody at this screen who plays or watches at a table of a server.

    Attributes:
        table: the table.
        link: the line to its server.
    """

    WORDS: ClassVar[Mapping[str, str]] = {
        "undo": "take back",
        "invite": "invite",
        "table.leave": "leave table",
        "draw": "offer draw",
        "chat.panel": "chat or moves",
    }
    """What commands at the foot are called at a table, by their ids, where that differs."""

    def __init__(self, screen: VisitingScreen, link: TableLink, table: RemoteTable) -> None:
        self.screen = screen
        self.link = link
        self.table = table
        self._names = names_of(table.state)
        self._actions: Mapping[str, Callable[[], None]] = {
            "pick": self._pick,
            "undo": self.take_back,
            "redo": lambda: screen.say("nothing is played again at a table", Tone.QUIET),
            "resign": self.resign,
            "draw": self._draw,
            "pause": self._pause,
            "accept": self.accept,
            "decline": self.decline_or_withdraw,
            "invite": screen.copy_invitation,
            "seats": lambda: screen.say("at a table /join and /bot say who plays", Tone.QUIET),
            "place_rest": lambda: screen.say("at a table every piece is placed by its player", Tone.QUIET),
            "leave_table": lambda: screen.leave_table(),
        }
        self._there = True
        """There was a line when it was looked at last."""
        self._stop_listening = table.subscribe(self._heard)
        self._timer = screen.set_interval(TICK, self._tick, pause=not self._counts)

    def close(self) -> None:
        """Listen no more. The table itself stays as it is."""
        self._stop_listening()
        self._timer.stop()

    # What is so

    @property
    def place(self) -> str:
        """Where the table is, as its game's file tells it."""
        return f"{self.link.address.server}/{self.table.id}"

    def shows(self, session: Session) -> bool:
        """True for the session of the table, and for the empty board before there is one."""
        return session is self.table.session or (
            self.table.session is None and isinstance(session, WaitingSession)
        )

    @property
    def state(self) -> TableState:
        """What is so at the table."""
        return self.table.state

    @property
    def side(self) -> Side | None:
        """The side that is played here; None for a watcher."""
        return self.table.side

    @property
    def begun(self) -> bool:
        """False as long as there was no game at the table."""
        return self.table.session is not None

    @property
    def playing(self) -> bool:
        """True when the board is that of a game which is played or was just over."""
        return self.state.stage in (Stage.PLAYING, Stage.OVER) and self.begun

    @property
    def stage_words(self) -> str:
        """What goes on when no game does."""
        return {Stage.OPEN: "the game has not begun"}.get(self.state.stage, STAGE_WORDS[self.state.stage])

    @property
    def title(self) -> str:
        """The table, for the right of the bar."""
        told = self.state.title or f"table {self.table.id}"
        return told if self.side is not None else f"{told}: you watch"

    @property
    def alarm(self) -> str:
        """What has to be seen: that the line to the server is lost."""
        line = self.link.line
        if line.kind == "connected":
            return ""
        if line.kind in ("refused", "closed"):
            return "! NO LINE"
        if line.retry_at is None:
            return "! NO LINE: connecting"
        return f"! NO LINE: again in {max(round(line.retry_at - self.table.now()), 0)} s"

    def away_words(self, side: Side) -> str:
        """That a side is away, and for how long; empty when it is there."""
        return absence_words(self.state, side, self.table.now())

    def not_your_turn(self, side: Side) -> str:
        """Why a side cannot be played here."""
        if not self.playing:
            return what_next(self.state, self.side) or self.stage_words
        if self.side is None:
            return "you watch: only the players move"
        return f"it is {self._names[side]}'s turn"

    # What is said

    def said_first(self, live: bool) -> Said:
        """What is said before anything else: that something is on its way."""
        sending = self.table.sending
        if sending is None or not live:
            return ()
        what = deed_words(sending)
        if self.link.line.kind != "connected":
            return ((f"{what} waits until the line is found again", Tone.WARNING),)
        return ((f"sending {what}", Tone.STRONG),)

    def name_of(self, side: Side) -> str:
        """Who sits on a side."""
        return self._names[side]

    def said_instead(self, attention: Attention, live: bool) -> Said:
        """What is said in the place of what the focus is on."""
        if not live:
            return ()
        if self.can_claim:
            name = self._names[self._own.other]
            return (
                (f"{name} has been away too long: ", Tone.WARNING),
                ("/claim wins the game, /adjourn leaves it for later", Tone.PLAIN),
            )
        offer = self.offer
        if offer is not None:
            accept, decline = (self._key(each) for each in ("offer.accept", "offer.decline"))
            return (
                (f"{self._names[self._own.other]} offers {OFFER_WORDS[offer]}", Tone.WARNING),
                (f": {accept} accepts, {decline} declines", Tone.PLAIN),
            )
        if self.state.stage is Stage.PAUSED:
            return ((f"the game is paused: {self._key('pause')}, or /goon, goes on", Tone.PLAIN),)
        if not self.playing:
            columns = self.screen.status.size.width - 2
            return ((what_next(self.state, self.side, columns), Tone.PLAIN),)
        position = attention.position
        if attention.focus is None and not position.over and position.side is not self.side:
            what = "place" if position.phase is Phase.PLACEMENT else "move"
            sign = self.screen.home.signs.of(position.side)
            return ((f"{sign} {self._names[position.side]}", Tone.STRONG), (f" to {what}", Tone.PLAIN))
        return ()

    def chat_title(self) -> str:
        """Who watches, for the title of the chat."""
        count = len(self.table.watchers)
        return f"{count} watching" if count else ""

    def chat_head(self) -> tuple[Said, ...]:
        """What is so at the table, above the chat."""
        state, lines = self.state, list[Said]()
        if not state.in_game:
            lines += [((line, Tone.PLAIN),) for line in seat_lines(state, self.side)]
            lines.append(((options_words(state.options), Tone.QUIET),))
            lines.append(((what_next(state, self.side), Tone.STRONG),))
        for side, offer in sorted(state.offers):
            who = "You offer" if side is self.side else f"{self._names[side]} offers"
            back = "; /withdraw takes it back" if side is self.side else ""
            lines.append(((f"{who} {OFFER_WORDS[offer]}{back}", Tone.WARNING),))
        for side in Side:
            away = self.away_words(side)
            if away and side is not self.side:
                lines.append(((f"{self._names[side]}: {away}", Tone.WARNING),))
        return tuple(lines)

    # The foot of the screen

    @property
    def foot(self) -> tuple[str, ...]:
        """The commands at the foot."""
        shown: tuple[str, ...] = LOOKING if self.state.in_game or self.playing else BEFORE
        if self.state.in_game and self.side is not None:
            shown = IN_GAME
        return tuple(each for each in shown if each != "chat.panel" or not self._hides_board)

    def hints(self) -> list[tuple[str, str, str]]:
        """What can be done just now, before all other commands: its key, its word, its action."""
        found = []
        if self._hides_board:
            found.append((self._key("chat.panel"), "board", "chat_panel"))
        if self.can_claim:
            found += [(f"/{word}", "", f"slash('/{word}')") for word in ("claim", "adjourn")]
        if self.offer is not None:
            found += [self._hint("offer.accept"), self._hint("offer.decline")]
        if self.state.stage is Stage.PAUSED and self.side is not None:
            found.append((self._key("pause"), "go on", "pause"))
        if self.offer is None and self.state.stage is Stage.OVER and self._can_begin_anew:
            found += [(f"/{word}", "", f"slash('/{word}')") for word in ("rematch", "start")]
        if self._obvious is not None:
            found.append((self._key("pick"), self._obvious, "pick"))
        return found

    @property
    def _hides_board(self) -> bool:
        """True when the chat lies over the board of a game."""
        return self.playing and self.screen.chat_covers_board

    @property
    def _can_begin_anew(self) -> bool:
        """True for a player who has somebody opposite and has not yet said that he plays again."""
        state, side = self.state, self.side
        return side is not None and len(state.seats) == len(Side) and side not in state.ready

    def _hint(self, command_id: str) -> tuple[str, str, str]:
        command = COMMANDS_BY_ID[command_id]
        return (self._key(command_id), command.short, command.action)

    def _key(self, command_id: str) -> str:
        return self.screen.keymap.shown(COMMANDS_BY_ID[command_id], 1)

    # What can be done

    @property
    def _own(self) -> Side:
        """The side that is played here, White's for a watcher."""
        return self.side or Side.WHITE

    @property
    def offer(self) -> Offer | None:
        """What the other side offers and is to be answered here."""
        if self.side is None:
            return None
        return next((offer for offer in OFFERED if self.state.offered(self.side.other, offer)), None)

    @property
    def can_claim(self) -> bool:
        """True when the other side has been away for longer than it may."""
        state, side = self.state, self.side
        return (
            side is not None
            and state.stage is Stage.PLAYING
            and side.other in state.away
            and side.other in state.absence_spent
        )

    @property
    def _obvious(self) -> str | None:
        """What enter does before a game, in a word or two. After one it does nothing: a key that was meant
        for the last move must not begin the next game."""
        state = self.state
        if state.stage not in (Stage.OPEN, Stage.ADJOURNED):
            return None
        if self.side is None:
            free = any(side not in state.seats for side in Side)
            return "sit down" if free and state.stage is not Stage.ADJOURNED else None
        if self.side in state.ready or (state.stage is Stage.OPEN and len(state.seats) < len(Side)):
            return None
        return "ready"

    def takes(self, action: str) -> bool:
        """Carry out an action of the game screen if it means something else at a table. False when not."""
        name = action.partition("(")[0]
        if name in ("hint", "analysis", "analysis_line") and self.state.in_game:
            self.screen.say("no engine helps while the game is played: it may be asked afterwards")
            return True
        if name == "pick" and self.playing and self.state.stage is not Stage.OVER:
            return False
        act = self._actions.get(name)
        if act is None:
            return False
        self.screen.heard()
        act()
        return True

    def _pick(self) -> None:
        match self._obvious:
            case "sit down":
                self.table.sit()
            case "ready":
                self.table.do(Start())
            case _:
                self.screen.say(what_next(self.state, self.side) or self.stage_words, Tone.QUIET)

    def take_back(self) -> None:
        """Offer to take the last own move back, or accept that the other side does."""
        if not self._seated():
            return
        if self.offer is Offer.TAKEBACK:
            self.table.do(MakeOffer(offer=Offer.TAKEBACK))
        elif self.state.offered(self._own, Offer.TAKEBACK):
            self.screen.say("the takeback is offered: the other side has to accept it", Tone.QUIET)
        elif not self.screen.session.undo():
            self.screen.say("nothing to take back", Tone.QUIET)
        self.screen.update()

    def resign(self) -> None:
        """Give the game up, after asking."""
        if self._seated():
            self.screen.action_resign()

    def _draw(self) -> None:
        """Offer a draw, or accept the one that is offered, after asking."""
        if not self._seated():
            return
        name = self._names[self._own.other]
        if self.state.offered(self._own.other, Offer.DRAW):
            self.screen.ask_to_end(AgreeDraw(), f"Accept the draw that {name} offers?", "Draw")
        else:
            self.screen.ask_to_end(AgreeDraw(), f"Offer {name} a draw?", "Offer")

    def _pause(self) -> None:
        if self._seated():
            paused = self.state.stage is Stage.PAUSED
            self.table.do(GoOn() if paused else MakeOffer(offer=Offer.PAUSE))

    def accept(self) -> None:
        """Accept what the other side offers."""
        offer = self.offer
        if offer is not None:
            self.table.do(MakeOffer(offer=offer))
        elif self._seated():
            self.screen.say("nothing is offered", Tone.QUIET)

    def decline_or_withdraw(self) -> None:
        """Decline what the other side offers; if it offers nothing, take one's own offer back."""
        own = next((each for each in OFFERED if self.side and self.state.offered(self.side, each)), None)
        if self.offer is not None:
            self.table.do(Decline(offer=self.offer))
        elif own is not None:
            self.table.do(Withdraw(offer=own))
        elif self._seated():
            self.screen.say("nothing is offered", Tone.QUIET)

    def offer_rematch(self) -> None:
        """Offer another game with colours changed, or accept it."""
        if self._seated():
            self.table.do(MakeOffer(offer=Offer.REMATCH))

    def _seated(self) -> bool:
        """True for a player; a watcher is told that he is none."""
        if self.side is None:
            self.screen.say("you watch: that is for the players", Tone.QUIET)
        return self.side is not None

    # What happens

    def _heard(self, change: TableChange) -> None:
        """Something changed. The screen looks at it in its own turn."""
        self.screen.call_later(self._follow, change)

    def _follow(self, change: TableChange) -> None:
        if self.screen.guest is not self:
            return
        match change.kind:
            case "session":
                self.screen.show_table()
            case "news":
                self.screen.heard()
                for event in change.news:
                    self._note(event)
            case "chat":
                self.screen.hear()
            case "line":
                self._follow_line()
            case "refused":
                self.screen.say(change.text)
            case "seated":
                self.screen.seat_changed()
        if self._counts:
            self._timer.resume()
        else:
            self._timer.pause()
        self.screen.update()

    def _follow_line(self) -> None:
        """Write down that the line is lost, why, and that it is there again."""
        line = self.link.line
        there = line.kind == "connected"
        if there is self._there or line.kind == "connecting":
            return
        self._there = there
        if there:
            self.screen.note("The line is there again")
        elif line.kind == "lost":
            self.screen.note(f"No line: {line.reason}. It is tried again by itself")
        else:
            again = self._key("tables")
            self.screen.note(f"No line: {line.reason or 'it is closed'}. {again} shows the way back")

    @property
    def _counts(self) -> bool:
        """True when something on the screen counts seconds: an absence, or a line that is tried again."""
        return bool(self.state.away) or self.link.line.kind == "lost"

    def _note(self, event: Happening) -> None:
        """Write down what happened, beside what was said."""
        before, self._names = self._names, names_of(self.state)
        self.screen.note(happening_words(event, before, self._names, self.side))

    def _tick(self) -> None:
        """The seconds are counted."""
        self.screen.update()
