"""The tree of a game ply by ply, as records write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dvonn_tui.core.cells import Cell
from dvonn_tui.core.events import GameEnded, StacksRemoved
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import NO_DETAILS, CellMark, Entry, Mark
from dvonn_tui.core.notation import event_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.core.rules import FORFEITS


@dataclass(frozen=True, slots=True)
class Node:
    """A ply and what follows it.

    A piece that was placed alone at one time and with the rest of the pieces at another is one ply here,
    since a record tells no difference.

    Attributes:
        entry: the entry it begins with; the first of the game for the root.
        last: the entry it ends with.
        token: what a record writes for it; empty for the root, and for a loss by what lies outside the board.
        comment: what was written about it.
        marks: the cells that are marked in the position after it.
        removed: the cells that it cut off.
        details: what rides on the action that it begins; empty for a pass, which is none, and for pieces that
            were placed together with one before.
        hidden: True when it begins a hidden line.
        children: what follows: lines that are shown first, then hidden ones.
    """

    entry: Entry
    last: Entry
    token: str
    comment: str
    marks: tuple[CellMark, ...]
    removed: tuple[Cell, ...] = ()
    details: Mapping[str, object] = field(default_factory=lambda: NO_DETAILS)
    hidden: bool = False
    children: tuple[Node, ...] = ()

    @property
    def resigned(self) -> Side | None:
        """The side that gave up with this ply."""
        return self._loser if self._reason is Reason.RESIGNATION else None

    @property
    def forfeit(self) -> tuple[Side, Reason] | None:
        """The side that lost with this ply by what lies outside the board, and by what."""
        loser, reason = self._loser, self._reason
        return (loser, reason) if loser is not None and reason is not None and reason in FORFEITS else None

    @property
    def _reason(self) -> Reason | None:
        return self.entry.event.reason if isinstance(self.entry.event, GameEnded) else None

    @property
    def _loser(self) -> Side | None:
        event = self.entry.event
        return event.winner.other if isinstance(event, GameEnded) and event.winner is not None else None


def tree_of(game: Game) -> Node:
    """The whole tree from the start of a game. No line is longer than the rules let a game be."""
    return _node(game, "", [game.log[0]])


def main_line(root: Node) -> Iterator[Node]:
    """The plies of the main line: at each fork the first line, as long as it is not hidden."""
    node = root
    while node.children and not node.children[0].hidden:
        node = node.children[0]
        yield node


def end_of(game: Game) -> Entry:
    """The last entry of the main line, where lines are one that a record does not tell apart."""
    root = tree_of(game)
    return [root, *main_line(root)][-1].last


def plies_of_tree(root: Node) -> Iterator[Node]:
    """Every node but the root, in no particular order."""
    waiting = list(root.children)
    while waiting:
        node = waiting.pop()
        waiting += node.children
        yield node


def _node(game: Game, token: str, entries: list[Entry]) -> Node:
    lasts = [game.end_of_ply(entry) for entry in entries]
    following = [child for last in lasts for child in game.children(last)]
    following.sort(key=lambda child: _begins_hidden(game, child))
    groups: dict[tuple[str, Side | None, Reason | None], list[Entry]] = {}
    for child in following:
        groups.setdefault(_key(child), []).append(child)
    marks = {mark.cell: mark for last in reversed(lasts) for mark in game.cell_marks(last)}
    comments = dict.fromkeys(game.comment_of(last) for last in lasts)
    acted = [entry for entry in entries if entry.action == entry.number]
    return Node(
        entry=entries[0],
        last=lasts[0],
        token=token,
        comment="\n".join(comment for comment in comments if comment),
        marks=tuple(marks[cell] for cell in sorted(marks)),
        removed=_removed(game, entries[0], lasts[0]),
        details=next((entry.details for entry in acted if entry.details), NO_DETAILS),
        hidden=all(_begins_hidden(game, entry) for entry in entries),
        children=tuple(_node(game, key[0], group) for key, group in groups.items()),
    )


def _removed(game: Game, first: Entry, last: Entry) -> tuple[Cell, ...]:
    """The cells that a ply cut off."""
    entry: Entry | None = last
    while entry is not None and entry is not first:
        if isinstance(entry.event, StacksRemoved):
            return tuple(cell for cell, _ in entry.event.cells)
        entry = game.parent(entry)
    return ()


def _begins_hidden(game: Game, entry: Entry) -> bool:
    """True for the first entry of a hidden line; what the same action caused after it is within the line."""
    return entry.action == entry.number and game.is_hidden(entry)


def _key(entry: Entry) -> tuple[str, Side | None, Reason | None]:
    """What tells plies after the same position apart in a record."""
    event = entry.event
    assert not isinstance(event, Mark)
    if isinstance(event, GameEnded):
        return event_token(event) or "", event.winner, event.reason
    return event_token(event) or "", None, None
