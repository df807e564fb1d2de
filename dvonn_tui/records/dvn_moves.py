"""Reading the moves of a native record into the tree of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from dvonn_tui.core.cells import CELL_NAMES
from dvonn_tui.core.errors import DvonnError, GameFinished, IllegalAction
from dvonn_tui.core.events import AgreeDraw, Forfeit, Resign, StackMoved, StacksRemoved, TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry
from dvonn_tui.core.notation import Word, parse_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.records.building import Findings, TooManyFaults, last_placement
from dvonn_tui.records.limits import DEEPEST, MOST_TOKENS
from dvonn_tui.records.movetext import Kind, Movetext, Token
from dvonn_tui.records.record import RESULT, UNKNOWN, fault, label_after
from dvonn_tui.records.words import Remark, read_comment

_LOSES: Final = re.compile(r"(resign|time|absence)(?:-(w|b|white|black))?", re.IGNORECASE)
"""A side gives up, or loses by what lies outside the board: without a side it is the one to act."""


def read_moves(
    game: Game, text: Movetext, start: int, findings: Findings, tags: Mapping[str, str]
) -> int | None:
    """Play the moves from a place of the text on into a game that has just begun.

    Returns:
        Where the next game begins, when this one ended with its result and more follows.
    """
    reader = _MovesReader(game, text, findings)
    try:
        return reader.read(start, tags)
    except TooManyFaults:
        return None
    finally:
        reader.hide()


@dataclass(slots=True)
class _Place:
    """Where in the tree the next ply is played.

    Attributes:
        after: the entry that it follows.
        before: the entry that the ply before it follows: where a variation begins.
        target: the entry that a comment is about; None where a variation begins: it is about its first ply.
        passes: True when a written pass is due, which was recorded by itself.
    """

    after: Entry
    before: Entry
    target: Entry | None
    passes: bool


class _MovesReader:
    def __init__(self, game: Game, text: Movetext, findings: Findings) -> None:
        self._game = game
        self._text = text
        self._findings = findings
        start = game.head
        self._here = _Place(start, start, game.log[0], isinstance(start.event, TurnPassed))
        self._stack: list[tuple[_Place, int]] = []
        self._hidden: list[Entry] = []
        self._early = Remark()

    def _taken_early(self) -> Remark:
        """What was written before the ply that it is about."""
        early, self._early = self._early, Remark()
        return early

    def hide(self) -> None:
        """Hide the lines that are said to be, once all are there: the head must not be on one."""
        if not self._hidden:
            return
        hidden = {entry.number for entry in self._hidden}
        entry: Entry | None = self._game.log[0]
        while entry is not None:
            end = entry
            entry = next((child for child in self._game.children(end) if child.number not in hidden), None)
        self._game.go_to(end)
        for entry in self._hidden:
            self._game.hide(entry)

    def read(self, start: int, tags: Mapping[str, str]) -> int | None:
        """Read until the end of the text or a result."""
        tokens = _Tokens(self._text.tokens(start))
        expected = tags.get(RESULT)
        while (token := tokens.take()) is not None:
            match token.kind:
                case Kind.PLY:
                    remark = self._taken_early()
                    remark.add(self._remark(tokens))
                    if not self._ply(token, remark):
                        self._skip(tokens)
                case Kind.COMMENT | Kind.OPEN_COMMENT | Kind.SIGN:
                    tokens.put_back(token)
                    self._early.add(self._remark(tokens))
                    if self._here.target is not None:
                        self._write(self._taken_early(), self._here.target)
                case Kind.OPEN:
                    if len(self._stack) >= DEEPEST:
                        reason = f"variations are nested {DEEPEST:,} deep at most: the rest is not read"
                        self._fault(reason, token)
                        return None
                    self._open(token)
                case Kind.CLOSE:
                    self._close(token)
                case Kind.RESULT if self._stack:
                    self._fault("a result stands inside a variation", token)
                case Kind.RESULT:
                    return self._result(token, tokens, expected)
        if tokens.too_many is not None:
            reason = f"a game has at most {MOST_TOKENS:,} tokens: the rest is not read"
            self._fault(reason, tokens.too_many)
            return None
        if self._findings.cut is not None:
            return None
        if self._stack:
            opened = Token(Kind.OPEN, "(", self._stack[-1][1])
            self._fault("this variation is not closed: the record may be cut off", opened)
        else:
            missing = "the result (1-0, 0-1, 1/2-1/2 or *) is missing at the end: the record may be cut off"
            end = Token(Kind.RESULT, "", len(self._text.text))
            # Moves without any tag were most likely typed by hand.
            (self._fault if tags else self._odd)(missing, end)
        return None

    def _result(self, token: Token, tokens: _Tokens, expected: str | None) -> int | None:
        outcome = self._here.after.position.outcome
        if outcome is None and token.text != UNKNOWN and expected in (None, UNKNOWN):
            self._odd(f"the moves end without a result, and {token.text} is said", token)
        elif expected is not None and token.text != expected:
            self._fault(f"the result is said to be {expected} above and {token.text} here", token)
        following = tokens.take()
        return None if following is None else following.place

    def _fault(self, reason: str, token: Token) -> None:
        line, column = self._text.where(token.place)
        ply = label_after(self._here.after)
        self._findings.fault(fault(reason, line=line, column=column, ply=ply, token=token.text))

    def _odd(self, reason: str, token: Token) -> None:
        line, column = self._text.where(token.place)
        self._findings.remark(fault(reason, line=line, column=column, token=token.text))

    def _open(self, token: Token) -> None:
        here = self._here
        self._stack.append((here, token.place))
        self._here = _Place(here.before, here.before, None, False)

    def _close(self, token: Token) -> None:
        if self._stack:
            self._here = self._stack.pop()[0]
        else:
            self._fault("no variation is open here", token)

    def _skip(self, tokens: _Tokens) -> None:
        """Leave out the rest of a line in which something cannot be played, and say how much that is."""
        depth = left_out = 0
        while (token := tokens.take()) is not None:
            if token.kind is Kind.CLOSE and depth == 0 and self._stack:
                tokens.put_back(token)
                break
            if token.kind is Kind.RESULT and depth == 0 and not self._stack:
                tokens.put_back(token)
                break
            depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
            left_out += token.kind is Kind.PLY
        if left_out:
            words = "1 ply" if left_out == 1 else f"{left_out} plies"
            self._findings.remark(fault(f"{words} after the last fault not read"))

    def _remark(self, tokens: _Tokens) -> Remark:
        """All comments and signs that follow, as one."""
        whole = Remark()
        while (token := tokens.take()) is not None:
            if token.kind is Kind.SIGN:
                whole.texts.append(token.text)
                continue
            if token.kind not in (Kind.COMMENT, Kind.OPEN_COMMENT):
                tokens.put_back(token)
                break
            if token.kind is Kind.OPEN_COMMENT:
                self._fault("this comment is not closed: all that follows is taken for its text", token)
            read = read_comment(token.text)
            for odd in read.odd:
                self._odd("cannot be read, and stays in the comment", Token(Kind.COMMENT, odd, token.place))
            whole.add(read)
        return whole

    def _ply(self, token: Token, remark: Remark) -> bool:
        """Play a ply. False when it cannot be played."""
        here = self._here
        try:
            if token.text.lower() == Word.PASS:
                self._pass()
                self._write(remark, self._here.after)
                return True
            self._fill_up(token.text)
            here = self._here
            entries = self._play(token.text, remark)
        except DvonnError as problem:
            self._fault(problem.reason, token)
            return False
        last = entries[-1]
        passes = isinstance(last.event, TurnPassed)
        self._here = _Place(last, here.after, entries[0], passes)
        self._check_removed(remark, entries, token)
        if remark.hidden:
            self._hidden.append(entries[0])
        self._write(remark, entries[0])
        return True

    def _play(self, text: str, remark: Remark) -> tuple[Entry, ...]:
        here = self._here
        loses = _LOSES.fullmatch(text)
        if loses is not None:
            how = loses[1].lower()
            side = Side(loses[2][0].lower()) if loses[2] else here.after.position.side
            end = Resign(side) if how == Word.RESIGN else Forfeit(side, Reason(how))
            return self._game.play(end, remark.details, after=here.after)
        action = parse_token(text)
        if action is Word.DRAW:
            return self._game.play(AgreeDraw(), remark.details, after=here.after)
        assert not isinstance(action, Word)
        return self._game.play(action, remark.details, after=here.after)

    def _pass(self) -> None:
        here = self._here
        if not here.passes:
            if here.after.position.over:
                raise GameFinished("the game is over")
            raise IllegalAction("nobody passes here: a side that can move must move")
        self._here = _Place(here.after, here.before, here.after, False)

    def _fill_up(self, text: str) -> None:
        """Place the last piece when it was left out."""
        place = last_placement(self._here.after.position, text)
        if place is not None:
            entry = self._game.play(place, after=self._here.after)[-1]
            self._here = _Place(entry, self._here.after, entry, False)

    def _check_removed(self, remark: Remark, entries: tuple[Entry, ...], token: Token) -> None:
        """What is said to be cut off is not believed."""
        if remark.removed is None:
            return
        events = [entry.event for entry in entries]
        lost = {cell for event in events if isinstance(event, StacksRemoved) for cell, _ in event.cells}
        if not isinstance(events[0], StackMoved) or set(remark.removed) != lost:
            said = " ".join(CELL_NAMES[cell] for cell in remark.removed) or "nothing"
            really = " ".join(CELL_NAMES[cell] for cell in sorted(lost)) or "nothing"
            line, column = self._text.where(token.place)
            reason = f"said to cut off {said}; by the rules it cuts off {really}"
            ply = label_after(self._game.parent(entries[0]) or entries[0])
            self._findings.fault(fault(reason, line=line, column=column, ply=ply, token=token.text))

    def _write(self, remark: Remark, target: Entry) -> None:
        """Put a comment and marks on a ply, below what is there."""
        game = self._game
        if remark.text:
            before = game.comment_of(target)
            game.comment(target, f"{before}\n{remark.text}" if before else remark.text)
        if remark.marks is not None:
            game.mark_cells(target, (*game.cell_marks(target), *remark.marks))


class _Tokens:
    """Tokens, of which the last can be put back, as many as a game may have.

    Attributes:
        too_many: the first one that is too much; None as long as there is none.
    """

    def __init__(self, tokens: Iterator[Token]) -> None:
        self._tokens = tokens
        self._held: Token | None = None
        self._count = 0
        self.too_many: Token | None = None

    def take(self) -> Token | None:
        """The next one; None at the end."""
        held, self._held = self._held, None
        if held is not None:
            return held
        token = next(self._tokens, None)
        self._count += 1
        if token is not None and self._count > MOST_TOKENS:
            self.too_many, self._tokens, token = token, iter(()), None
        return token

    def put_back(self, token: Token) -> None:
        """Have the token that was taken last taken again."""
        self._held = token
