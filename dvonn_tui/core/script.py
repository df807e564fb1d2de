"""Playing a game from tokens, as people type them and as records hold them."""

from __future__ import annotations

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import AgreeDraw, Resign, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.notation import Word, parse_token


class Script:
    """Plays tokens into a game.

    A forced pass is recorded by itself. A ``pass`` token right where that happened is accepted once and
    adds nothing; anywhere else it is refused.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._pass_recorded = _has_pass(game.log)

    def play(self, text: str) -> tuple[Entry, ...]:
        """Play one token and return what was recorded.

        Raises:
            NotationError: the token cannot be read.
            IllegalAction, GameFinished: it cannot be played here.
        """
        token = parse_token(text)
        if token is Word.PASS:
            if not self._pass_recorded:
                raise IllegalAction("nobody passes here: a side that can move must move")
            self._pass_recorded = False
            return ()
        if token is Word.RESIGN:
            entries = self.game.play(Resign(self.game.position.side))
        elif token is Word.DRAW:
            entries = self.game.play(AgreeDraw())
        else:
            assert not isinstance(token, Word)
            entries = self.game.play(token)
        self._pass_recorded = _has_pass(entries)
        return entries


def _has_pass(entries: tuple[Entry, ...]) -> bool:
    return any(isinstance(entry.event, TurnPassed) for entry in entries)
