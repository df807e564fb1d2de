"""A game at a table, as the one session that a screen knows: the authority is the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import Action, AgreeDraw, Forfeit, PlaceRest, Resign
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import decide
from dvonn_tui.play.clocks import Clocks
from dvonn_tui.play.session import Session
from dvonn_tui.tables.protocol import Act, Deed, GiveUp, MakeOffer
from dvonn_tui.tables.table import Offer, Stage
from dvonn_tui.tables.words import deed_words

if TYPE_CHECKING:
    from dvonn_tui.tables.remote import RemoteTable

_STANDING = {
    Stage.PAUSED: "the game is paused: /goon ends the pause",
    Stage.ADJOURNED: "the game was left for later: it goes on when both players say /start",
    Stage.CLOSED: "the table is closed",
}


class RemoteSession(Session):
    """Hands actions to the server; the entries come when it says so.

    Comments, marks, and which lines are hidden are one's own and stay on this machine.

    Attributes:
        table: where the game is played.
    """

    def __init__(self, game: Game, table: RemoteTable) -> None:
        super().__init__(game, now=table.now)
        self.rule = table.state.options.clock
        self.table = table
        self._clocks: Clocks | None = None

    def submit(self, action: Action, *, after: Entry | None = None) -> tuple[Entry, ...]:
        """Send an action to the server. Nothing is recorded yet, so that nothing is returned.

        Raises:
            IllegalAction, GameFinished: it is not sent; the reason says why, in the words of the rules
                where these forbid it.
        """
        if after is not None and self.game.settled(after) is not self.game.head:
            raise IllegalAction("at a table the game goes on only where it stands: return to the present")
        decide(self.game.position, action)
        self._check_can_act()
        self.table.do(self._deed_of(action))
        return ()

    def undo(self) -> bool:
        """Offer to take the last own action back. True when the offer could be sent; the other side
        has to accept it."""
        side = self.table.side
        if not self._current or side is None or not self.table.state.in_game or not self._has_acted(side):
            return False
        return self.table.do(MakeOffer(offer=Offer.TAKEBACK))

    def redo(self) -> bool:
        """Nothing that was taken back at a table is played again by itself."""
        return False

    @property
    def clocks(self) -> Clocks | None:
        """The clocks as the server told them last, to be read with `now`; None when there are none.

        While the line is lost they show what is known: the server may have halted them.
        """
        return self._clocks

    def show_clocks(self, clocks: Clocks | None) -> None:
        """The server has told the clocks of this game."""
        self._clocks = clocks

    @property
    def paused(self) -> bool:
        """True while the players pause: nothing can be played."""
        return self._current and self.table.state.stage is Stage.PAUSED

    @property
    def _current(self) -> bool:
        """False when another game is played at the table by now."""
        return self.table.session is self

    def _check_can_act(self) -> None:
        """Raises IllegalAction with why nothing can be sent now."""
        table = self.table
        if not self._current:
            raise IllegalAction("another game is played at this table by now")
        if table.side is None:
            raise IllegalAction("you are watching: only the players move")
        if table.sending is not None:
            raise IllegalAction(f"{deed_words(table.sending)} is on its way: wait for the server's answer")
        if table.hindrance:
            raise IllegalAction(table.hindrance)

    def _deed_of(self, action: Action) -> Deed:
        side, stage = self.table.side, self.table.state.stage
        match action:
            case Resign(by):
                if by is not side:
                    raise IllegalAction("the other side resigns for itself")
                return GiveUp()
            case AgreeDraw():
                return MakeOffer(offer=Offer.DRAW)
            case PlaceRest():
                raise IllegalAction("at a table every piece is placed by its player")
            case Forfeit():
                raise IllegalAction("at a table the server keeps the time")
        if stage in _STANDING:
            raise IllegalAction(_STANDING[stage])
        if self.game.position.side is not side:
            raise IllegalAction(f"it is {self.game.position.side.word}'s turn")
        return Act(action=format_action(action))

    def _has_acted(self, side: Side) -> bool:
        """True when an action of a side lies behind where the game stands."""
        game = self.game
        return any(
            entry.number == entry.action and entry.number > 0 and _mover(game, entry) is side
            for entry in game.path(game.head)
        )


def _mover(game: Game, entry: Entry) -> Side:
    """Who acted with an entry that an action begins with."""
    before = game.parent(entry)
    assert before is not None
    return before.position.side
