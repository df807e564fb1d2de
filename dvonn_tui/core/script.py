"""Playing a game from tokens, as people type them and as records hold them."""

from __future__ import annotations

from dvonn_tui.core.errors import DvonnError, GameFinished, IllegalAction
from dvonn_tui.core.events import AgreeDraw, Resign, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.notation import Word, parse_token
from dvonn_tui.core.pieces import Side


class Script:
    """Plays tokens into a game.

    A forced pass is recorded by itself. A ``pass`` token right where that happened is accepted once and
    adds nothing; anywhere else it is refused.

    In tokens that write their passes, a ``resign`` where a ``pass`` is due is that of the side which
    would pass. Otherwise it is that of the side to act.
    """

    def __init__(self, game: Game, *, writes_passes: bool = False) -> None:
        """Begin at the head of a game; `writes_passes` says that these tokens are known to write them."""
        self.game = game
        self._passed = _passed(game.path(game.head))
        self._writes_passes = self._always = writes_passes

    def play(self, text: str) -> tuple[Entry, ...]:
        """Play one token and return what was recorded.

        Raises:
            NotationError: the token cannot be read.
            IllegalAction, GameFinished: it cannot be played here.
        """
        token = parse_token(text)
        if token is Word.PASS:
            if self._passed is None:
                raise self._no_pass()
            self._passed = None
            self._writes_passes = True
            return ()
        if token is Word.RESIGN:
            entries = self.game.play(Resign(self._resigning()))
        elif token is Word.DRAW:
            entries = self.game.play(AgreeDraw())
        else:
            assert not isinstance(token, Word)
            entries = self.game.play(token)
        if self._passed is not None:
            self._writes_passes = self._always
        self._passed = _passed(entries)
        return entries

    def _resigning(self) -> Side:
        if self._passed is not None and self._writes_passes:
            return self._passed
        return self.game.position.side

    def _no_pass(self) -> DvonnError:
        if self.game.position.over:
            return GameFinished("the game is over")
        return IllegalAction("nobody passes here: a side that can move must move")


def _passed(entries: tuple[Entry, ...]) -> Side | None:
    """The side whose pass the last action of the entries caused."""
    event = entries[-1].event
    return event.by if isinstance(event, TurnPassed) else None
