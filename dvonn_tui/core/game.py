"""A game: its log, the head of the log, and those who listen to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from dvonn_tui.core.errors import DvonnError, IllegalAction
from dvonn_tui.core.events import (
    Action,
    AgreeDraw,
    Diff,
    Event,
    Forfeit,
    GameEnded,
    GameStarted,
    Move,
    PiecePlaced,
    Place,
    Resign,
    StackMoved,
    TurnPassed,
    diff,
    evolve,
)
from dvonn_tui.core.log import (
    NO_DETAILS,
    CellMark,
    CellsMarked,
    Commented,
    Entry,
    HeadMoved,
    LineHidden,
    LinePromoted,
    LineShown,
    Mark,
    MarkKind,
    Ply,
    plies_of,
)
from dvonn_tui.core.position import EMPTY_BOARD, Position, Reason
from dvonn_tui.core.rules import FORFEITS, check_cells, decide, due, play
from dvonn_tui.core.setups import DRAWN_SETUPS, Setup, set_up


@dataclass(frozen=True, slots=True)
class Step:
    """What a listener is told: the new entry, and what it changed in the position of the head."""

    entry: Entry
    diff: Diff


Listener = Callable[[Step], None]

_Kept = TypeVar("_Kept", str, tuple[CellMark, ...])


class LogFault(DvonnError):
    """A log that the rules do not bear out.

    Attributes:
        entry: the number of the first entry that is wrong. All before it make whole actions.
    """

    def __init__(self, entry: int, reason: str) -> None:
        """The reason is given without the entry, and names it afterwards."""
        super().__init__(f"entry {entry}: {reason}")
        self.entry = entry


class Game:
    """An event-sourced game. Everything in it follows from its log."""

    def __init__(self, started: GameStarted) -> None:
        """Begin a game; a pass or an end that is due in its first position follows at once."""
        self._log: list[Entry] = []
        self._children: dict[int, list[int]] = {}
        self._visited: dict[int, int] = {}
        self._hidden: set[int] = set()
        self._comments: dict[int, str] = {}
        self._cell_marks: dict[int, tuple[CellMark, ...]] = {}
        self._listeners: dict[object, Listener] = {}
        self._head = 0
        self._record((started, *due(started.position)), NO_DETAILS)

    @classmethod
    def new(
        cls, setup: Setup, seed: int | None = None, *, white: str = "White", black: str = "Black"
    ) -> Game:
        """Begin a game with a set-up. Raises the ValueError of `set_up`."""
        drawn_from = None if setup is Setup.MANUAL else seed
        return cls(GameStarted(set_up(setup, seed), setup, drawn_from, white, black))

    @classmethod
    def at(cls, position: Position, *, white: str = "White", black: str = "Black") -> Game:
        """Begin a game from a given position."""
        return cls(GameStarted(position, Setup.POSITION, None, white, black))

    @property
    def log(self) -> tuple[Entry, ...]:
        """All entries, oldest first."""
        return tuple(self._log)

    @property
    def length(self) -> int:
        """How many entries the log has."""
        return len(self._log)

    @property
    def head(self) -> Entry:
        """The entry that the game stands at: never a mark."""
        return self._log[self._head]

    @property
    def position(self) -> Position:
        """The position that the game stands at."""
        return self.head.position

    @property
    def started(self) -> GameStarted:
        """How the game began."""
        event = self._log[0].event
        assert isinstance(event, GameStarted)
        return event

    def entry(self, number: int) -> Entry:
        """The entry with a number. Raises IndexError when there is none."""
        if number < 0:
            raise IndexError(number)
        return self._log[number]

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener of every entry from now on. Returns what ends that."""
        key = object()
        self._listeners[key] = listener

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    def play(
        self, action: Action, details: Mapping[str, object] = NO_DETAILS, *, after: Entry | None = None
    ) -> tuple[Entry, ...]:
        """Carry out an action at the head, or after an earlier entry, which begins another line.

        An action that was already played there is followed, not recorded twice.

        Returns:
            The entries that now follow, in order.

        Raises:
            IllegalAction, GameFinished: as `decide`; the game is as before.
        """
        start = self.head if after is None else self.settled(after)
        events = decide(start.position, action)
        known = self._find(start, events)
        if known is not None:
            self.go_to(known[-1])
            return known
        self.go_to(start)
        return self._record(events, details)

    def settled(self, entry: Entry) -> Entry:
        """Where somebody can act again: after what an entry caused without anybody's doing.

        Of pieces that were placed by one action each can be gone back to. For a mark it is where the
        head stood after it.
        """
        entry = self.standing(entry)
        while True:
            caused = self._caused(entry)
            if caused is None or isinstance(caused.event, PiecePlaced):
                return entry
            entry = caused

    def _caused(self, entry: Entry) -> Entry | None:
        """What the same action recorded next after an entry."""
        following = (self._log[child] for child in self._children.get(entry.number, ()))
        return next((child for child in following if child.action == entry.action), None)

    def _end_of_action(self, entry: Entry) -> Entry:
        """The last entry of the action that an entry belongs to."""
        while (caused := self._caused(entry)) is not None:
            entry = caused
        return entry

    def standing(self, entry: Entry) -> Entry:
        """The entry that the head stood at after an entry: the entry itself unless it is a mark."""
        match entry.event:
            case HeadMoved(to):
                return self._log[to]
            case LineHidden() | LineShown() | LinePromoted() | Commented() | CellsMarked():
                assert entry.parent is not None
                return self._log[entry.parent]
        return entry

    def end_of_ply(self, entry: Entry) -> Entry:
        """The last entry of the ply that an entry belongs to: after what a move cut off, before a pass
        that it caused, which is a ply of its own. For a mark it is that of where the head stood after it.
        """
        entry = self.standing(entry)
        while (caused := self._caused(entry)) is not None and not caused.begins_ply:
            entry = caused
        return entry

    @property
    def can_undo(self) -> bool:
        """True when an action lies before the head."""
        return self.head.action > 0

    @property
    def can_redo(self) -> bool:
        """True when a line goes on after the head."""
        return self._next(self.head) is not None

    def undo(self) -> bool:
        """Go back over the last action with all that it caused. False when there is none."""
        if not self.can_undo:
            return False
        parent = self._log[self.head.action].parent
        assert parent is not None
        self.go_to(self._log[parent])
        return True

    def redo(self) -> bool:
        """Go forward over one action, into the line visited last. False when there is none.

        Where that line leaves the pieces that one action placed, it goes as far as there.
        """
        following = self._next(self.head)
        if following is None:
            return False
        while (caused := self._caused(following)) is not None and self._next(following) is caused:
            following = caused
        self.go_to(following)
        return True

    def go_to(self, entry: Entry) -> None:
        """Move the head to an entry of the game, or to the end of what its action caused."""
        entry = self.settled(entry)
        if entry.number != self._head:
            self._mark(HeadMoved(entry.number))

    def hide(self, entry: Entry) -> None:
        """Stop showing the line that begins with the action of an entry, unless the head is on it."""
        first = self._first(entry)
        on_head = first in {each.number for each in self.path(self.head)}
        if not on_head and first not in self._hidden:
            self._mark(LineHidden(first))

    def show(self, entry: Entry) -> None:
        """Show a hidden line again."""
        first = self._first(entry)
        if first in self._hidden:
            self._mark(LineShown(first))

    def is_hidden(self, entry: Entry) -> bool:
        """True when the line that begins with the action of an entry is hidden."""
        return self._first(entry) in self._hidden

    @property
    def hidden_lines(self) -> tuple[Entry, ...]:
        """The first entry of each hidden line, oldest first."""
        return tuple(self._log[number] for number in sorted(self._hidden))

    def promote(self, entry: Entry) -> None:
        """Make the line that begins with the action of an entry the first among its siblings.

        Of pieces that were placed by one action each begins a line, so that it can be set before others
        that go on from between them.
        """
        entry = self.standing(entry)
        first = entry.number if isinstance(entry.event, PiecePlaced) else entry.action
        parent = self._log[first].parent
        if parent is not None and self._children[parent][0] != first:
            self._mark(LinePromoted(first))

    def comment(self, entry: Entry, text: str) -> None:
        """Write about the ply of an entry, in place of what was written; an empty text takes it away.

        The comment belongs to `end_of_ply`, whichever entry of the ply is named.
        """
        to = self.end_of_ply(entry)
        if self.comment_of(to) != text:
            self._mark(Commented(to.number, text))

    def comment_of(self, entry: Entry) -> str:
        """What was written about the ply of an entry, as it was written; empty when nothing was."""
        return self._comments.get(self.end_of_ply(entry).number, "")

    def mark_cells(self, entry: Entry, marks: Iterable[CellMark]) -> None:
        """Mark cells in the position after the ply of an entry, in place of all that were marked there.

        A cell has one mark: of several the last one counts.

        Raises:
            IllegalAction: there is no such cell or no such kind of mark.
        """
        kept = {mark.cell: mark for mark in marks}
        check_cells(*kept)
        for mark in kept.values():
            if mark.kind not in set(MarkKind):
                raise IllegalAction("no such kind of mark", mark.cell)
        to = self.end_of_ply(entry)
        ordered = tuple(kept[cell] for cell in sorted(kept))
        if self.cell_marks(to) != ordered:
            self._mark(CellsMarked(to.number, ordered))

    def cell_marks(self, entry: Entry) -> tuple[CellMark, ...]:
        """The marked cells of the position after the ply of an entry, in the order of the cells."""
        return self._cell_marks.get(self.end_of_ply(entry).number, ())

    def children(self, entry: Entry) -> tuple[Entry, ...]:
        """What follows an entry, one entry for each line: the line promoted last comes first, then those
        promoted before it, then the others, oldest first."""
        return tuple(self._log[number] for number in self._children.get(entry.number, ()))

    def lines(self, entry: Entry) -> tuple[Entry, ...]:
        """What follows an entry in the lines that are not hidden, in the order of `children`."""
        return tuple(child for child in self.children(entry) if not self.is_hidden(child))

    def main_line(self) -> tuple[Entry, ...]:
        """The entries from the first on, at each fork into the first line that is not hidden."""
        entries = [self._log[0]]
        while shown := self._shown(entries[-1]):
            entries.append(self._log[shown[0]])
        return tuple(entries)

    def parent(self, entry: Entry) -> Entry | None:
        """What an entry follows; None for the first."""
        return None if entry.parent is None else self._log[entry.parent]

    def path(self, entry: Entry) -> tuple[Entry, ...]:
        """All entries from the first to this one."""
        entries = [entry]
        while entries[-1].parent is not None:
            entries.append(self._log[entries[-1].parent])
        return tuple(reversed(entries))

    def line(self, entry: Entry) -> tuple[Entry, ...]:
        """The path to an entry and on to the end, at each fork into the line visited last."""
        entries = list(self.path(entry))
        while (following := self._next(entries[-1])) is not None:
            entries.append(following)
        return tuple(entries)

    def plies(self, entry: Entry | None = None) -> tuple[Ply, ...]:
        """The plies of the line through an entry, by default the head; the start comes first."""
        return plies_of(self.line(self.head if entry is None else entry))

    def _first(self, entry: Entry) -> int:
        """The number of the first entry of the action that an entry belongs to."""
        return self.standing(entry).action

    def _shown(self, entry: Entry) -> list[int]:
        """The numbers of what follows an entry and does not begin a hidden line."""
        return [child for child in self._children.get(entry.number, ()) if child not in self._hidden]

    def _next(self, entry: Entry) -> Entry | None:
        shown = self._shown(entry)
        if not shown:
            return None
        visited = self._visited.get(entry.number)
        return self._log[visited if visited in shown else max(shown)]

    def _find(self, start: Entry, events: tuple[Event, ...]) -> tuple[Entry, ...] | None:
        """The entries after `start` that record these events as one action, if there are any."""
        for child in self.children(start):
            if child.action != child.number or child.event != events[0]:
                continue
            found = [child]
            while len(found) < len(events):
                following = [entry for entry in self.children(found[-1]) if entry.action == child.action]
                if not following or following[0].event != events[len(found)]:
                    break
                found.append(following[0])
            if len(found) == len(events) and self._end_of_action(child) is found[-1]:
                return tuple(found)
        return None

    def _record(self, events: Iterable[Event], details: Mapping[str, object]) -> tuple[Entry, ...]:
        """Append events as one action, then tell the listeners of each."""
        recorded: list[tuple[Position, Entry]] = []
        action = len(self._log)
        position = self._log[self._head].position if self._log else EMPTY_BOARD
        for event in events:
            parent = self._log[self._head] if self._log else None
            after = evolve(position, event)
            placed = isinstance(event, PiecePlaced)
            counts = placed or isinstance(event, (StackMoved, TurnPassed))
            entry = Entry(
                number=len(self._log),
                parent=parent.number if parent else None,
                action=action,
                event=event,
                position=after,
                ply=(parent.ply if parent else 0) + counts,
                placements=(parent.placements if parent else 0) + placed,
                details=details,
            )
            self._log.append(entry)
            if parent is not None:
                self._children.setdefault(parent.number, []).append(entry.number)
                self._visited[parent.number] = entry.number
            self._head = entry.number
            recorded.append((position, entry))
            position = after
        self._tell(recorded)
        return tuple(entry for _, entry in recorded)

    def _mark(self, mark: Mark) -> None:
        before = self.head
        number = len(self._log)
        shown = self._log[mark.to] if isinstance(mark, HeadMoved) else before
        entry = Entry(number, before.number, number, mark, shown.position, shown.ply, shown.placements)
        self._log.append(entry)
        match mark:
            case HeadMoved():
                self._visit(shown)
            case LineHidden(first):
                self._hidden.add(first)
            case LineShown(first):
                self._hidden.discard(first)
            case LinePromoted(first):
                self._promote(first)
            case Commented(to, text):
                _keep(self._comments, to, text)
            case CellsMarked(to, marks):
                _keep(self._cell_marks, to, marks)
        self._tell([(before.position, entry)])

    def _visit(self, entry: Entry) -> None:
        """Put the head on an entry and remember the way to it, so that redo finds it again."""
        self._head = entry.number
        for step in self.path(entry):
            if step.parent is not None:
                self._visited[step.parent] = step.number
            self._hidden.discard(step.number)

    def _promote(self, first: int) -> None:
        parent = self._log[first].parent
        assert parent is not None
        siblings = self._children[parent]
        siblings.remove(first)
        siblings.insert(0, first)

    def _tell(self, recorded: Iterable[tuple[Position, Entry]]) -> None:
        """Tell the listeners of entries, each with the position of the head before it."""
        if not self._listeners:
            return  # files are read without them, and diffs take as long as the rules
        for before, entry in recorded:
            step = Step(entry, diff(before, entry.position))
            for key, listener in tuple(self._listeners.items()):
                if key in self._listeners:
                    listener(step)


def _keep(kept: dict[int, _Kept], number: int, value: _Kept) -> None:
    """Put a value in the place of an older one; an empty one is not kept."""
    if value:
        kept[number] = value
    else:
        kept.pop(number, None)


def rebuild(log: Iterable[Entry]) -> Game:
    """Build a game again from its log. The rules are asked again; nothing stored is believed.

    Raises:
        LogFault: an entry is not what the rules make of those before it.
    """
    entries = tuple(log)
    if not entries or not isinstance(entries[0].event, GameStarted):
        raise LogFault(0, "a log begins with the start of a game")
    _check_start(entries[0].event)
    game = Game(entries[0].event)
    number = 0
    while tuple(game._log[number:]) == entries[number : len(game._log)]:
        number = len(game._log)
        if number == len(entries):
            return game
        caused = [entry.event for entry in _action(entries, number)]
        try:
            _repeat(game, caused, entries[number].details)
        except (DvonnError, IndexError) as problem:
            raise LogFault(number, str(problem)) from problem
        if len(game._log) == number:
            break
    raise LogFault(number, "the rules make something else of it")


def _action(entries: tuple[Entry, ...], first: int) -> Iterator[Entry]:
    """The entries of the action that begins with an entry; they follow each other."""
    for number in range(first, len(entries)):
        if entries[number].action != first:
            return
        yield entries[number]


def _check_start(started: GameStarted) -> None:
    """Draw the board again from its seed."""
    try:
        setup = Setup(started.setup)
        drawn = started.position if setup is Setup.POSITION else set_up(setup, started.seed)
    except ValueError as problem:
        raise LogFault(0, str(problem)) from problem
    if setup not in DRAWN_SETUPS and started.seed is not None:
        raise LogFault(0, "a seed, and nothing drawn from it")
    if drawn != started.position:
        raise LogFault(0, "the seed gives another board")


def _repeat(game: Game, caused: list[Event | Mark], details: Mapping[str, object]) -> None:
    """Do again what the entries of one action record."""
    match caused:
        case [HeadMoved(to)]:
            game.go_to(game.entry(to))
        case [LineHidden(first)]:
            game.hide(game.entry(first))
        case [LineShown(first)]:
            game.show(game.entry(first))
        case [LinePromoted(first)]:
            game.promote(game.entry(first))
        case [Commented(to, text)]:
            game.comment(game.entry(to), text)
        case [CellsMarked(to, marks)]:
            game.mark_cells(game.entry(to), marks)
        case _:
            game._record(_decide_again(game.position, caused), details)


def _decide_again(position: Position, caused: list[Event | Mark]) -> tuple[Event, ...]:
    """What the rules make of the action behind the recorded events."""
    match caused[0] if caused else None:
        case PiecePlaced():
            events: list[Event] = []
            for event in caused:
                if isinstance(event, PiecePlaced):
                    placed, position = play(position, Place(event.cell))
                    events.extend(placed)
            return tuple(events)
        case StackMoved(source, target):
            return decide(position, Move(source, target))
        case GameEnded(winner, Reason.RESIGNATION) if winner is not None:
            return decide(position, Resign(winner.other))
        case GameEnded(None, Reason.AGREEMENT):
            return decide(position, AgreeDraw())
        case GameEnded(winner, reason) if winner is not None and reason in FORFEITS:
            return decide(position, Forfeit(winner.other, reason))
    raise IllegalAction("no action causes this event")
