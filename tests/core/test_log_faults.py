"""A log is read back through the rules: what they do not bear out is a `LogFault` and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.core.cells import CELLS, Cell
from dvonn_tui.core.events import (
    AgreeDraw,
    Event,
    Forfeit,
    GameEnded,
    GameStarted,
    PiecePlaced,
    PlaceRest,
    Resign,
    StackMoved,
    StacksRemoved,
    TurnPassed,
)
from dvonn_tui.core.game import Game, LogFault, rebuild
from dvonn_tui.core.log import (
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
)
from dvonn_tui.core.notation import format_position
from dvonn_tui.core.pieces import Piece, Side
from dvonn_tui.core.position import Outcome, Phase, Position, Reason, Score
from dvonn_tui.core.setups import DRAWN_SETUPS, Setup

from .tools import FULL, board, events_of, move
from .wandering import games


def same(one: Game, other: Game) -> None:
    """Two games that cannot be told apart."""
    assert one.log == other.log
    assert (one.head, one.position) == (other.head, other.position)
    for entry in events_of(one):
        assert one.children(entry) == other.children(entry)
        assert one.is_hidden(entry) == other.is_hidden(entry)
        assert one.line(entry) == other.line(entry)
        assert one.comment_of(entry) == other.comment_of(entry)
        assert one.cell_marks(entry) == other.cell_marks(entry)
    assert one.main_line() == other.main_line()


@given(games())
def test_rebuilt_from_the_log_alone(game: Game) -> None:
    """Any tree: the log, the head, what is hidden and where redo leads."""
    again = rebuild(game.log)
    same(game, again)
    assert again.redo() == game.redo()
    assert again.log == game.log


def test_details_are_kept() -> None:
    """What rides on the entries comes back with them."""
    game = Game.at(FULL)
    game.play(move("B4-A3"), {"clock": 3})
    game.undo()
    game.play(move("C5-D5"), {"clock": 4})
    again = rebuild(game.log)
    assert [dict(entry.details) for entry in again.log] == [dict(entry.details) for entry in game.log]


@given(games(), st.data())
def test_a_log_cut_off_between_actions_is_a_log(game: Game, data: st.DataObject) -> None:
    """What was written before a crash rebuilds the game up to there; half an action does not."""
    length = data.draw(st.integers(1, len(game.log)))
    cut = game.log[:length]
    whole = length == len(game.log) or game.log[length].action == length
    placing = isinstance(cut[-1].event, PiecePlaced)
    if whole:
        assert rebuild(cut).log == cut
    elif not placing:
        with pytest.raises(LogFault, match=r"^entry "):
            rebuild(cut)


cells = st.sampled_from(CELLS)
stacks = st.lists(st.sampled_from(Piece), min_size=1, max_size=4).map(tuple)
numbers = st.integers(-3, 200)
names = st.sampled_from(["White", "[/"])
events: st.SearchStrategy[Event | Mark] = st.one_of(
    st.builds(StackMoved, cells, cells, st.sampled_from(Side)),
    st.builds(StackMoved, numbers.map(Cell), numbers.map(Cell), st.sampled_from(Side)),
    st.builds(PiecePlaced, cells, st.sampled_from(Piece), st.sampled_from(Side)),
    st.builds(PiecePlaced, numbers.map(Cell), st.sampled_from(Piece), st.sampled_from(Side)),
    st.builds(StacksRemoved, st.lists(st.tuples(cells, stacks), max_size=2).map(tuple)),
    st.builds(TurnPassed, st.sampled_from(Side)),
    st.builds(
        GameEnded,
        st.sampled_from([*Side, None]),
        st.sampled_from(Reason),
        st.builds(Score, st.integers(0, 30), st.integers(0, 30)),
    ),
    st.builds(HeadMoved, numbers),
    st.builds(LineHidden, numbers),
    st.builds(LineShown, numbers),
    st.builds(LinePromoted, numbers),
    st.builds(Commented, numbers, st.sampled_from(["", "good"])),
    st.builds(
        CellsMarked,
        numbers,
        st.lists(st.builds(CellMark, numbers.map(Cell), st.sampled_from(MarkKind)), max_size=3).map(tuple),
    ),
    st.builds(
        GameStarted, st.just(FULL), st.sampled_from(Setup), st.none() | numbers, st.just("a"), st.just("b")
    ),
)


def changed(entry: Entry, data: st.DataObject) -> Entry:
    """An entry with one thing changed in it."""
    match data.draw(st.sampled_from(["event", "stack", "side", "phase", "parent", "ply", "number"])):
        case "event":
            return replace(entry, event=data.draw(events))
        case "stack":
            heap = list(entry.position.stacks)
            heap[data.draw(cells)] = data.draw(stacks | st.just(()))
            return replace(entry, position=replace(entry.position, stacks=tuple(heap)))
        case "side":
            return replace(entry, position=replace(entry.position, side=entry.position.side.other))
        case "phase":
            phase = data.draw(st.sampled_from(Phase))
            return replace(entry, position=replace(entry.position, phase=phase))
        case "parent":
            return replace(entry, parent=data.draw(st.none() | numbers))
        case "ply":
            return replace(entry, ply=data.draw(numbers), placements=data.draw(numbers))
    return replace(entry, number=data.draw(numbers), action=data.draw(numbers))


@given(games(), st.data())
def test_a_changed_entry_is_found(game: Game, data: st.DataObject) -> None:
    """Whichever entry, and whatever in it, after the start."""
    if len(game.log) < 2:
        return
    place = data.draw(st.integers(1, len(game.log) - 1))
    wrong = changed(game.log[place], data)
    log = [*game.log[:place], wrong, *game.log[place + 1 :]]
    if log == list(game.log):
        return
    if isinstance(wrong.event, PiecePlaced) and wrong.action != game.log[place].action:
        return  # placements of several actions taken together are still placements
    with pytest.raises(LogFault, match=r"^entry \d+: ") as fault:
        rebuild(log)
    wrong = fault.value.entry
    assert wrong <= place
    assert not wrong or rebuild(log[:wrong]).log == tuple(log[:wrong])


@given(games(), st.data())
def test_a_missing_or_doubled_entry_is_found(game: Game, data: st.DataObject) -> None:
    """One entry taken out of the middle, or written twice, or two exchanged."""
    if len(game.log) < 3:
        return
    place = data.draw(st.integers(0, len(game.log) - 2))
    one, other = game.log[place : place + 2]
    rest = game.log[place + 2 :]
    for middle in ((other,), (one, one, other), (other, one)):
        with pytest.raises(LogFault, match=r"^entry \d+: "):
            rebuild([*game.log[:place], *middle, *rest])


@given(st.sampled_from(DRAWN_SETUPS), st.integers(0, 10**6), st.integers(-5, 10**6))
def test_another_seed_is_found(setup: Setup, seed: int, other: int) -> None:
    """The board is drawn again."""
    game = Game.new(setup, seed)
    if seed == other:
        return
    start = replace(game.started, seed=other)
    with pytest.raises(LogFault, match=r"^entry 0: "):
        rebuild([replace(game.log[0], event=start), *game.log[1:]])


def _with_start(start: GameStarted) -> Callable[[], object]:
    """Read back a log of a start alone, its position as it says."""
    return lambda: rebuild([replace(Game.at(FULL).log[0], event=start, position=start.position)])


drawn = Game.new(Setup.BALANCED, 4).started
STARTS = [
    replace(drawn, seed=None),
    replace(drawn, seed=-1),
    replace(drawn, seed=2**63),
    replace(drawn, setup=Setup.RANDOM),
    replace(drawn, setup="chess"),
    replace(drawn, position=FULL),
    replace(drawn, setup=Setup.MANUAL),
    replace(drawn, setup=Setup.POSITION),
    replace(Game.new(Setup.MANUAL).started, seed=3),
]


@pytest.mark.parametrize("start", STARTS)
def test_a_wrong_start_is_found(start: GameStarted) -> None:
    """A set-up, a seed and a board that do not belong together."""
    with pytest.raises(LogFault, match=r"^entry 0: "):
        _with_start(start)()


def test_a_right_start_is_read() -> None:
    """The same ways of writing it, unchanged."""
    _with_start(drawn)()
    _with_start(replace(drawn, setup=Setup.POSITION, seed=None))()


def test_no_log() -> None:
    """Nothing, and a log without its start."""
    game = Game.at(FULL)
    game.play(move("B4-A3"))
    for log in ((), game.log[1:]):
        with pytest.raises(LogFault, match=r"^entry 0: a log begins with the start of a game$"):
            rebuild(log)


def test_what_is_due_at_the_start_is_not_left_out() -> None:
    """A start without the pass, or without the end, that follows by itself."""
    for position in (board("D3=RW D4=B E4=B E5=B"), board("A3=WBW B3=R C3=BWB")):
        with pytest.raises(LogFault, match=r"^entry 0: "):
            rebuild(Game.at(position).log[:1])


def test_the_head_is_never_put_on_a_mark() -> None:
    """Not even by a log that is made up with care."""
    game = Game.at(FULL)
    game.play(move("B4-A3"))
    game.undo()
    game.redo()
    game.undo()
    last = game.log[-1]
    assert last.event == HeadMoved(0)
    for to in (2, 3, 4, 5, -1):
        with pytest.raises(LogFault, match=r"^entry 4: "):
            rebuild([*game.log[:4], replace(last, event=HeadMoved(to))])


ENDS: list[tuple[Resign | AgreeDraw | Forfeit, GameEnded]] = [
    (Resign(Side.WHITE), GameEnded(Side.BLACK, Reason.RESIGNATION, Score(23, 23))),
    (Resign(Side.BLACK), GameEnded(Side.WHITE, Reason.RESIGNATION, Score(23, 23))),
    (AgreeDraw(), GameEnded(None, Reason.AGREEMENT, Score(23, 23))),
    (Forfeit(Side.WHITE, Reason.TIME), GameEnded(Side.BLACK, Reason.TIME, Score(23, 23))),
    (Forfeit(Side.BLACK, Reason.TIME), GameEnded(Side.WHITE, Reason.TIME, Score(23, 23))),
    (Forfeit(Side.BLACK, Reason.ABSENCE), GameEnded(Side.WHITE, Reason.ABSENCE, Score(23, 23))),
]


@pytest.mark.parametrize(("action", "event"), ENDS)
def test_ends_by_the_players(action: Resign | AgreeDraw | Forfeit, event: GameEnded) -> None:
    """Who wins and why is kept in the outcome, and read back; another score is not."""
    game = Game.at(FULL)
    (entry,) = game.play(action)
    assert entry.event == event
    outcome = entry.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.phase) == (event.winner, event.reason, Phase.MOVEMENT)
    assert entry.position.stacks == FULL.stacks
    assert rebuild(game.log).log == game.log
    assert [ply.label for ply in game.plies()] == ["", ""]
    with pytest.raises(LogFault):
        rebuild([game.log[0], replace(entry, event=replace(event, score=Score(1, 2)))])
    other = Side.WHITE if event.winner is None else None
    with pytest.raises(LogFault):
        rebuild([game.log[0], replace(entry, event=replace(event, winner=other))])
    with pytest.raises(LogFault):
        rebuild([game.log[0], replace(entry, event=replace(event, reason=Reason.NO_MOVES))])


def test_giving_up_while_placing() -> None:
    """The outcome remembers the phase, and so does the text."""
    game = Game.new(Setup.MANUAL)
    (entry,) = game.play(Resign(Side.WHITE))
    assert entry.position.phase is Phase.OVER
    assert entry.position.outcome == Outcome(Side.BLACK, Reason.RESIGNATION, Phase.PLACEMENT)
    assert format_position(entry.position) == "9/10/11/10/9 w p"
    assert rebuild(game.log).log == game.log


def test_the_rest_from_a_seed_is_kept_piece_by_piece() -> None:
    """The log of a placement at random needs no seed to be read back."""
    game = Game.new(Setup.MANUAL)
    game.play(PlaceRest(9))
    game.undo()
    game.play(PlaceRest(10))
    same(rebuild(game.log), game)
    assert isinstance(game.position, Position)
