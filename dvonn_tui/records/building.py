"""Building the game of a record from what a reader finds in it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dvonn_tui.clean import clean_line
from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.errors import DvonnError, NotationError
from dvonn_tui.core.events import Move, Place, Resign
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.notation import Word, parse_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import legal_placements
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.limits import MOST_FAULTS, MOST_TOKENS
from dvonn_tui.records.record import (
    PLAYERS,
    RESULT,
    RESULTS,
    SCORE,
    UNKNOWN,
    Fault,
    Record,
    fault,
    label_after,
    result_of,
    score_text,
)
from dvonn_tui.records.source import Section


class TooManyFaults(Exception):
    """A record with which it makes no sense to go on."""


class Findings:
    """The faults and remarks of one record.

    Attributes:
        faults, remarks: what was found so far.
        cut: why lines of the record are missing; None when none are.
    """

    def __init__(self, section: Section) -> None:
        self.faults: list[Fault] = []
        self.remarks: list[Fault] = list(section.remarks)
        self.cut = section.cut

    def fault(self, found: Fault) -> None:
        """Keep a fault. Raises TooManyFaults when there are too many."""
        self.faults.append(found)
        if len(self.faults) >= MOST_FAULTS:
            reason = f"{MOST_FAULTS} faults: the rest of this game is not read"
            self.faults.append(fault(reason, line=found.line))
            raise TooManyFaults

    def remark(self, found: Fault) -> None:
        """Keep a remark, unless there are many of them already."""
        if len(self.remarks) < MOST_FAULTS:
            self.remarks.append(found)

    def record(self, game: Game, tags: Mapping[str, str], form: str, line: int) -> Record:
        """The finished record; what it says of its result is held against the game."""
        if self.cut is not None:
            self.faults.append(self.cut)
        end = game.main_line()[-1]
        game.go_to(end)
        if not self.faults:
            self.faults += _contradictions(end, tags)
        kept = MappingProxyType(dict(tags))
        return Record(game, kept, form, line, tuple(self.faults), tuple(self.remarks))


def _contradictions(end: Entry, tags: Mapping[str, str]) -> list[Fault]:
    """Where the tags tell another end than the moves: most often because moves are missing."""
    found = []
    said, score = tags.get(RESULT, UNKNOWN), tags.get(SCORE)
    outcome = end.position.outcome
    if outcome is not None and said in RESULTS and said not in (UNKNOWN, result_of(outcome)):
        found.append(fault(f"the result is said to be {said}, but the game ends {result_of(outcome)}"))
    if score is not None and score != score_text(end.position):
        reached = score_text(end.position)
        found.append(fault(f"the score is said to be {score}, but the moves lead to {reached}"))
    return found


def name_of(tags: Mapping[str, str], side: Side) -> str:
    """The name of a player, clean; White and Black when nothing is said."""
    return clean_line(tags.get(PLAYERS[side], "")) or side.word


def new_game(tags: Mapping[str, str], start: Position | None = None) -> Game:
    """A game from an empty board, or from a position, with the names of the tags."""
    white, black = (name_of(tags, side) for side in Side)
    if start is None:
        return Game.new(Setup.MANUAL, white=white, black=black)
    return Game.at(start, white=white, black=black)


def last_placement(position: Position, token: str) -> Place | None:
    """The 49th placement when it was left out, as it is forced: one cell is free, and a move follows."""
    if position.phase is not Phase.PLACEMENT or len(token) < 4:
        return None
    if sum(map(bool, position.stacks)) != len(CELLS) - 1:
        return None
    try:
        moves = isinstance(parse_token(token), Move)
    except NotationError:
        return None
    return legal_placements(position)[0] if moves else None


class Player:
    """Plays the tokens of a record that is a single line."""

    def __init__(self, game: Game, findings: Findings, *, writes_passes: bool = False) -> None:
        """Begin; `writes_passes` says that the form always writes them."""
        self.game = game
        self._findings = findings
        self._script = Script(game, writes_passes=writes_passes)
        self.last = game.head
        self.stopped = False
        self._tokens = self._unread = 0

    def play(self, token: str, line: int, column: int) -> bool:
        """Play a token; after one that cannot be played the others are only counted.

        Returns:
            True when it was played.
        """
        self._tokens += 1
        if self._tokens > MOST_TOKENS and not self.stopped:
            self.stop(fault(f"a game has at most {MOST_TOKENS:,} tokens: the rest is not read", line=line))
        if self.stopped:
            self._unread += 1
            return False
        try:
            left_out = last_placement(self.game.position, token)
            if left_out is not None:
                self.game.play(left_out)
            entries = self._script.play(token)
        except DvonnError as problem:
            ply = label_after(self.game.head)
            self.stop(fault(problem.reason, line=line, column=column, ply=ply, token=token))
            return False
        self.last = entries[0] if entries else self.game.head
        return True

    def resign(self, side: Side, line: int, column: int) -> None:
        """Let a side give up, whoever's turn it is."""
        if not self.stopped and not self.game.position.over:
            self.last = self.game.play(Resign(side))[0]
        else:
            self.play(Word.RESIGN, line, column)

    def stop(self, found: Fault) -> None:
        """Play nothing any more."""
        self._findings.faults.append(found)
        self.stopped = True

    @property
    def begun(self) -> bool:
        """True when there was a token, whether it could be played or not."""
        return self._tokens > 0

    def comment(self, text: str) -> None:
        """Write about the last ply, below what was written about it."""
        before = self.game.comment_of(self.last)
        self.game.comment(self.last, f"{before}\n{text}" if before else text)

    def finish(self) -> None:
        """Tell how many tokens were not read because of one before them."""
        if self._unread:
            words = "1 token" if self._unread == 1 else f"{self._unread} tokens"
            self._findings.faults.append(fault(f"{words} after it not read"))
