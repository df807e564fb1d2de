"""The log as a tree with a head: undo, redo, other lines, hidden ones, listeners."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import Action, Move, PiecePlaced, Place, PlaceRest, StackMoved, apply_diff
from dvonn_tui.core.game import Game, Step, rebuild
from dvonn_tui.core.log import Entry, LineHidden, LineShown, Mark
from dvonn_tui.core.pieces import Piece, Side
from dvonn_tui.core.position import EMPTY_BOARD, Position
from dvonn_tui.core.rules import legal_placements
from dvonn_tui.core.setups import Setup

from .tools import FULL, board, cell, choices_of, events_of, first_legal, fold, kinds, move, play_some, wander
from .wandering import fresh_games, games


@given(games())
def test_every_entry_stands_on_its_path(game: Game) -> None:
    """Numbers, parents, counts and positions of all entries; the head is never a mark."""
    for number, entry in enumerate(game.log):
        assert entry.number == number
        assert game.entry(number) is entry
        if isinstance(entry.event, Mark):
            assert entry.position == game.standing(entry).position
            assert entry.action == number
            continue
        path = game.path(entry)
        assert fold(path) == entry.position
        assert entry.ply == sum(each.begins_ply for each in path)
        assert entry.placements == kinds(path).count("PiecePlaced")
        assert game.log[entry.action].action == entry.action <= number
        parent = game.parent(entry)
        assert parent is None if number == 0 else parent is not None and entry in game.children(parent)
    head = game.head
    assert head in list(events_of(game))
    assert game.position == head.position == fold(game.path(head))
    assert game.settled(head) is head
    with pytest.raises(IndexError):
        game.entry(-1)
    with pytest.raises(IndexError):
        game.entry(len(game.log))


def actions_of(path: tuple[Entry, ...]) -> list[Entry]:
    """The last entry of each action on a path."""
    return [one for one, then in zip(path, [*path[1:], None], strict=True) if then is None or _new(then)]


def _new(entry: Entry) -> bool:
    return entry.action == entry.number


@given(games())
def test_undo_and_redo_move_over_whole_actions(game: Game) -> None:
    """All the way back and all the way forward again, one action with all it caused at a time.

    A head amid the pieces that one action placed is no stop on the way forward unless a line begins there.
    """
    path = game.path(game.head)
    stops = actions_of(path)
    assert stops[-1] is game.head
    action = [entry for entry in game.line(game.head) if entry.action == game.head.action]
    for stop in reversed(stops[:-1]):
        assert game.can_undo
        assert game.undo()
        assert game.head is stop
    before = game.log
    assert (game.can_undo, game.undo(), game.log) == (False, False, before)
    for stop in stops[1:]:
        assert game.can_redo
        assert game.redo()
        assert game.head is (action[-1] if stop is stops[-1] else stop)
    assert game.path(game.head)[: len(path)] == path


@given(games())
def test_redo_stops_at_the_end(game: Game) -> None:
    """Nothing follows the last entry of a line."""
    for _ in range(len(game.log)):
        if not game.redo():
            break
    before = game.log
    assert (game.can_redo, game.redo(), game.log) == (False, False, before)
    assert game.line(game.head) == game.path(game.head)


@given(games())
def test_a_line_never_stops_within_an_action(game: Game) -> None:
    """Whatever is hidden, a line goes on to where somebody can act, and through its entry."""
    for entry in events_of(game):
        line = game.line(entry)
        assert game.settled(line[-1]) is line[-1]
        assert line[: len(game.path(entry))] == game.path(entry)
        assert [each for ply in game.plies(entry) for each in ply.entries] == list(line)


@given(games(), st.data())
def test_the_log_only_grows(game: Game, data: st.DataObject) -> None:
    """Playing from an earlier entry begins another line and loses nothing."""
    open_entries = [entry for entry in events_of(game) if not game.settled(entry).position.over]
    if not open_entries:
        return
    before, old = game.log, game.head
    chosen = data.draw(st.sampled_from(open_entries))
    start = game.settled(chosen)
    choices = choices_of(start.position)
    known = game.children(start)
    entries = game.play(data.draw(st.sampled_from(choices)), after=chosen)
    assert game.log[: len(before)] == before
    assert game.head is entries[-1]
    assert game.parent(entries[0]) is start
    assert game.children(start)[: len(known)] == known
    assert (entries[0] in known) == (len(game.children(start)) == len(known))
    game.go_to(old)
    assert game.head is old
    assert game.position == before[old.number].position


@given(games(), st.data())
def test_a_known_action_is_followed(game: Game, data: st.DataObject) -> None:
    """The same move at the same place is the same line, not a second one."""
    known = [entry for entry in events_of(game) if action_of(game, entry) is not None]
    if not known:
        return
    first = data.draw(st.sampled_from(known))
    before, events = len(game.log), list(events_of(game))
    action, start = action_of(game, first), game.parent(first)
    assert action is not None
    entries = game.play(action, after=start)
    assert entries[0] is first
    assert game.head is game.settled(first) is entries[-1]
    assert list(events_of(game)) == events
    assert len(game.log) <= before + 1


def action_of(game: Game, entry: Entry) -> Action | None:
    """The placement or move that an entry records by itself; None for other entries."""
    match entry.event:
        case StackMoved(source, target):
            return Move(source, target)
        case PiecePlaced(place) if [each.action for each in game.log].count(entry.action) == 1:
            return Place(place)
    return None


@given(games(), st.data())
def test_a_refused_action_changes_nothing(game: Game, data: st.DataObject) -> None:
    """Neither the log nor the head, from wherever it was tried."""
    before, head = game.log, game.head
    chosen = data.draw(st.sampled_from(list(events_of(game))))
    taken = next((place for place in range(49) if game.settled(chosen).position.stacks[place]), 99)
    with pytest.raises(Exception, match=r"taken|no such cell|all pieces|over"):
        game.play(Place(taken), after=chosen)  # type: ignore[arg-type]
    assert (game.log, game.head) == (before, head)


@pytest.mark.parametrize("placed", [0, 1, 3, 30, 48])
def test_placing_the_rest_is_one_action(placed: int) -> None:
    """All remaining pieces from a seed; one undo takes them back, one redo brings them again."""
    game = Game.new(Setup.MANUAL)
    play_some(game, Random(5), placed)
    before = game.position
    entries = game.play(PlaceRest(12))
    assert kinds(entries) == ["PiecePlaced"] * (49 - placed)
    assert {entry.action for entry in entries} == {entries[0].number}
    assert [ply.label for ply in game.plies()][1:] == [f"p{number}" for number in range(1, 50)]
    full = game.position
    assert (full.phase, full.side, full.score) == ("movement", "w", (23, 23))
    assert game.undo()
    assert game.position == before
    assert game.redo()
    assert game.position == full
    other = Game.at(before)
    other.play(PlaceRest(12))
    assert other.position == full
    if placed < 40:
        third = Game.at(before)
        third.play(PlaceRest(13))
        assert third.position != full


def test_placing_one_piece_of_the_rest_is_another_line() -> None:
    """A single placement is not taken for the beginning of the placing of the rest."""
    game = Game.new(Setup.MANUAL)
    rest = game.play(PlaceRest(3))
    game.undo()
    first = rest[0].event.cell  # type: ignore[union-attr]
    (single,) = game.play(Place(first))
    assert single is not rest[0]
    assert game.position.count(single.event.piece) == 1  # type: ignore[union-attr]
    assert len(game.children(game.log[0])) == 2


def forked() -> tuple[Game, Entry, Entry]:
    """A game with two first moves, the head on the second."""
    game = Game.at(FULL)
    (one,) = game.play(move("B4-A3"))
    game.undo()
    (other,) = game.play(move("C5-D5"))
    return game, one, other


def test_redo_follows_the_line_visited_last() -> None:
    """After looking into the first line, redo goes there."""
    game, one, other = forked()
    game.undo()
    assert (game.redo(), game.head) == (True, other)
    game.go_to(one)
    game.undo()
    assert (game.redo(), game.head) == (True, one)


def test_hidden_lines() -> None:
    """Hiding is an entry, not a deletion; the line of the head stays; going there shows it again."""
    game, one, other = forked()
    before = game.log
    game.hide(other)
    assert (game.log, game.is_hidden(other)) == (before, False)
    game.hide(one)
    assert game.is_hidden(one)
    assert game.hidden_lines == (one,)
    assert isinstance(game.log[-1].event, LineHidden)
    assert one in game.children(game.log[0])
    game.hide(one)
    assert len(game.log) == len(before) + 1
    game.undo()
    assert (game.redo(), game.head) == (True, other)
    game.show(one)
    assert not game.is_hidden(one)
    assert game.hidden_lines == ()
    assert isinstance(game.log[-1].event, LineShown)
    game.hide(one)
    game.go_to(one)
    assert (game.head, game.is_hidden(one)) == (one, False)
    game.undo()
    game.hide(one)
    game.hide(other)
    assert (game.can_redo, game.redo()) == (False, False)
    assert game.plies()[-1].last is game.log[0]


def test_hiding_within_an_action_hides_all_of_it() -> None:
    """A line begins where an action begins, whichever of its entries is named."""
    game = Game.at(board("C3=R D3=W E3=B F3=W"))
    entries = game.play(move("D3-C3"))
    game.undo()
    game.play(move("D3-E3"))
    game.hide(entries[1])
    assert game.log[-1].event == LineHidden(entries[0].number)
    assert all(game.is_hidden(entry) for entry in entries)
    game.show(entries[2])
    assert not any(game.is_hidden(entry) for entry in entries)


def test_marks_stand_for_where_the_head_went() -> None:
    """An entry that a listener was told of can be gone to, whatever it records."""
    game, one, _ = forked()
    game.hide(one)
    for mark in [entry for entry in game.log if entry not in list(events_of(game))]:
        game.go_to(mark)
        assert game.head in list(events_of(game))
        assert game.position == mark.position
        game.play(first_legal(mark.position), after=mark)
        assert game.head in list(events_of(game))


def test_details_ride_on_the_entries() -> None:
    """What is not the game's is kept beside the event, and makes no difference to it."""
    game = Game.at(FULL)
    entries = game.play(move("B4-A3"), {"clock": 1.5})
    assert [dict(entry.details) for entry in entries] == [{"clock": 1.5}]
    bare = Game.at(FULL)
    assert bare.play(move("B4-A3")) == entries


class Listener:
    """Keeps what it is told, and follows the position by diffs alone."""

    def __init__(self, position: Position) -> None:
        self.told: list[Step] = []
        self.position = position

    def __call__(self, step: Step) -> None:
        self.told.append(step)
        self.position = apply_diff(self.position, step.diff)


@given(fresh_games(), st.binary(max_size=100), st.integers(0, 60))
def test_listeners_are_told_once_of_every_entry(game: Game, script: bytes, played: int) -> None:
    """In order, with diffs that lead to the position of the head; not after unsubscribing."""
    one, gone = Listener(game.position), Listener(game.position)
    start = len(game.log)
    game.subscribe(one)
    unsubscribe = game.subscribe(gone)
    play_some(game, Random(played), played)
    known = len(gone.told)
    unsubscribe()
    unsubscribe()
    wander(game, script)
    assert [step.entry for step in one.told] == list(game.log[start:])
    assert one.position == game.position
    assert gone.told == one.told[:known]


def test_subscribing_twice_is_two_subscriptions() -> None:
    """Ending one of them, even twice, leaves the other."""
    game = Game.at(FULL)
    listener = Listener(FULL)
    told = listener.told
    first = game.subscribe(told.append)
    game.subscribe(told.append)
    game.play(move("B4-A3"))
    assert len(told) == 2
    first()
    first()
    game.undo()
    assert len(told) == 3


def test_unsubscribed_by_another_listener() -> None:
    """Not told any more, not even of the entry that is being told."""
    game = Game.at(board("C3=R D3=W E3=B F3=W"))
    told: list[Step] = []
    ends: list[Callable[[], None]] = []
    game.subscribe(lambda step: ends[0]())
    ends.append(game.subscribe(told.append))
    game.play(move("D3-C3"))
    assert told == []


def test_a_new_game_begins_with_what_is_due() -> None:
    """The start is entry 0; names and set-up are kept."""
    game = Game.new(Setup.MANUAL, 5, white="Ann", black="Bo")
    started = game.started
    assert (started.white, started.black, started.setup, started.seed) == ("Ann", "Bo", "manual", None)
    assert (game.position, game.position.side, len(game.log)) == (EMPTY_BOARD, Side.WHITE, 1)
    with pytest.raises(IllegalAction):
        game.play(move("A1-B1"))
    with pytest.raises(ValueError, match="drawn from a seed"):
        Game.new(Setup.RANDOM)
    with pytest.raises(ValueError, match="not drawn"):
        Game.new(Setup.POSITION, 4)
    assert cell("A1") == 0


def test_pieces_placed_by_one_action_can_be_gone_back_to_one_by_one() -> None:
    """From the middle of a placement at random another line begins; undo and redo stop where it does."""
    game = Game.new(Setup.MANUAL)
    placed = game.play(PlaceRest(7))
    tenth = placed[9]
    following = placed[10].event
    assert isinstance(following, PiecePlaced)
    free = next(place for place in legal_placements(tenth.position) if place.cell != following.cell)
    (other,) = game.play(free, after=tenth)
    assert other.parent == tenth.number
    assert game.position.count(Piece.BLACK) + game.position.count(Piece.WHITE) == 8
    assert rebuild(game.log).log == game.log
    game.undo()
    assert game.head is tenth
    game.undo()
    assert game.head is game.log[0]
    game.redo()
    assert game.head is tenth
    game.redo()
    assert game.head is other
