"""Values, proofs, limits, and both variants alike."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from dvonn_tui.core.events import Move, Place
from dvonn_tui.core.notation import format_action, parse_position
from dvonn_tui.core.position import EMPTY_BOARD, Phase
from dvonn_tui.core.rules import legal_moves, legal_placements, play
from dvonn_tui.engine import backend, think
from dvonn_tui.engine.board import move_of, set_board
from dvonn_tui.engine.levels import LEVELS, SECONDS_INTERPRETED, level
from dvonn_tui.engine.think import Limits, Report, Thinker, iterations, limits_of, share_of_clock
from dvonn_tui.engine.values import DEEPEST, MOST_MOVES, WON
from dvonn_tui.engine.weights import WEIGHTS
from tests.core.tools import FULL, board, lines_of

from .tools import VARIANTS, deepened, middles, searcher_of, solve

CASES = lines_of("perft.jsonl")
SOLVED = [case for case in CASES if "solved" in case]

only_compiled = pytest.mark.skipif(not backend.COMPILED, reason="takes minutes when interpreted")

SLACK = 0.1
"""Seconds by which an answer may be late."""


def margin_of(value: int) -> int:
    """The final margin that a proven value stands for."""
    return value - WON if value > 0 else value + WON if value < 0 else 0


@only_compiled
@pytest.mark.parametrize("case", SOLVED, ids=[case["id"] for case in SOLVED])
def test_solved_values(case: dict[str, Any]) -> None:
    """The margin is exact, the move one of the best, and it is said that it is proven."""
    report = Thinker().think(parse_position(case["position"]), Limits())
    line = report.lines[0]
    assert line.solved
    assert line.margin == case["solved"]["value"]
    assert isinstance(report.action, Move)
    assert format_action(report.action).upper() in case["solved"]["best"]


@pytest.mark.parametrize("case", [case for case in SOLVED if case["id"] in {"end-03", "end-07"}])
def test_solved_values_interpreted(case: dict[str, Any]) -> None:
    """Those that the interpreted search solves in short time."""
    value, move = solve(searcher_of("interpreted", parse_position(case["position"])))
    assert margin_of(value) == case["solved"]["value"]
    assert format_action(move_of(move)).upper() in case["solved"]["best"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_solved_endings_agree_with_plain_search(variant: str) -> None:
    """Every ending of random games has the value that trying everything finds."""
    compared = 0
    for position in middles(400, 60, 3):
        if sum(1 for stack in position.stacks if stack) > 9:
            continue
        value, move = solve(searcher_of(variant, position))
        values = {each: plain_value(play(position, each)[1], position.side) for each in legal_moves(position)}
        assert margin_of(value) == max(values.values()) == values[move_of(move)]
        compared += 1
        if compared == 25:
            break
    assert compared == 25


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_move_that_cuts_off_nearly_everything_is_one(variant: str) -> None:
    """However bad a move looks, it is tried: White has but two, and either loses a tower of 39 or more."""
    position = parse_position(f"6bbr/10/11/10/rw({'wb' * 19}w)6 b m")
    value, move = solve(searcher_of(variant, position))
    assert format_action(move_of(move)) == "j5k5"
    assert margin_of(value) == plain_value(position, position.side) == 0


def plain_value(position: Any, side: Any) -> int:
    """The final margin of a side with best play by both."""
    if position.phase is Phase.OVER:
        return position.score.of(side) - position.score.of(side.other)
    values = [plain_value(play(position, move)[1], side) for move in legal_moves(position)]
    return max(values) if position.side is side else min(values)


@pytest.mark.skipif(len(VARIANTS) < 2, reason="there is no compiled search")
def test_both_variants_search_alike() -> None:
    """Values, nodes, proofs and lines of every iteration."""
    for case in CASES:
        position = parse_position(case["position"])
        deep = 4 if case["id"].startswith("full") else 5
        assert deepened(searcher_of("compiled", position), deep) == deepened(
            searcher_of("interpreted", position), deep
        )


@pytest.mark.skipif(len(VARIANTS) < 2, reason="there is no compiled search")
def test_both_variants_search_alike_while_the_table_grows() -> None:
    """From four buckets on, doubled again and again, and other nodes than with all of them from the start."""
    for case in CASES[-4:]:
        position = parse_position(case["position"])
        found = [deepened(searcher_of(variant, position, 12, 2), 6) for variant in VARIANTS]
        assert found[0] == found[1]
        assert found[0] != deepened(searcher_of("compiled", position), 6)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_table_that_grows_forgets_nothing(variant: str) -> None:
    """To search again costs as little when the table was doubled, and as much as ever once it was cleared."""
    module = VARIANTS[variant]
    table = module.Table(14, 8)

    def nodes() -> int:
        searcher = module.Searcher(table, WEIGHTS)
        set_board(searcher, FULL)
        searcher.prepare_root()
        searcher.iterate(5, -20, 20, 0)
        return int(searcher.nodes)

    first = nodes()
    again = nodes()
    assert again < first / 2
    for _ in range(6):
        table.grow()
        assert nodes() < 1.1 * again
    table.clear()
    assert nodes() == first


@pytest.mark.skipif(len(VARIANTS) < 2, reason="there is no compiled search")
def test_both_variants_place_alike() -> None:
    """The effects of placements are counted alike."""
    words = (1, 2, 1 << 25, 23, 23, 40, 9)
    found = [searcher_of(variant, FULL).fill_effects(*words) for variant in VARIANTS]
    assert found[0] == found[1]
    assert any(found[0])
    with pytest.raises(ValueError, match="pieces"):
        searcher_of("interpreted", FULL).fill_effects(1, 2, 4, 3, 3, 1, 1)


def test_fixed_depth_is_repeated() -> None:
    """Seed and depth fixed: the same move every time."""
    answers = set()
    for _ in range(3):
        thinker = Thinker(10)
        thinker.seed = 5
        report = thinker.think(FULL, Limits(depth=4))
        answers.add((report.action, report.lines[0].value, report.nodes))
        assert report.lines[0].depth == 4
    assert len(answers) == 1


@pytest.mark.parametrize("milliseconds", [1, 10, 100, 1000])
def test_time_of_a_move(milliseconds: int) -> None:
    """A legal move in time, from the first position and from later ones (D22)."""
    thinker = Thinker(10)
    for position in (FULL, *middles(2 if milliseconds > 100 else 8, 9, 4)):
        begun = time.monotonic()
        action = thinker.think(position, Limits(seconds=milliseconds / 1000)).action
        assert time.monotonic() - begun <= milliseconds / 1000 + SLACK
        assert action in legal_moves(position)


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_at_any_moment(threads: int) -> None:
    """Stopped at 200 random instants there is always a legal move, and at once (D22)."""
    random = Random(11)
    thinker = Thinker(10)
    thinker.threads = threads
    legal = legal_moves(FULL)
    for _ in range(200 // threads):
        thinker.ready()
        delay = random.random() ** 3 * 0.05
        stopped: list[float] = []

        def stop(stopped: list[float] = stopped) -> None:
            stopped.append(time.monotonic())
            thinker.stop()

        timer = threading.Timer(delay, stop)
        timer.start()
        report = thinker.think(FULL, Limits())
        late = time.monotonic() - stopped[0]
        timer.join()
        assert report.action in legal
        assert late <= SLACK


def test_stop_before_the_start() -> None:
    """A stop that comes first is not lost."""
    thinker = Thinker(10)
    thinker.ready()
    thinker.stop()
    assert thinker.think(FULL, Limits()).action in legal_moves(FULL)


@pytest.mark.parametrize("case", [case for case in SOLVED if case["id"] in {"end-03", "end-07"}])
def test_two_threads_prove_the_same(case: dict[str, Any]) -> None:
    """They share the table, and what is proven stays true; no thread is left behind."""
    before = threading.active_count()
    thinker = Thinker(10)
    thinker.threads = 2
    line = thinker.think(parse_position(case["position"]), Limits(seconds=60)).lines[0]
    assert line.solved
    assert line.margin == case["solved"]["value"]
    assert threading.active_count() == before


def test_a_fixed_search_has_one_thread() -> None:
    """With a depth or nodes the answer does not depend on how fast a second thread is."""
    answers = []
    for threads in (1, 2):
        thinker = Thinker(10)
        thinker.threads = threads
        reports = [thinker.think(FULL, limits) for limits in (Limits(depth=4), Limits(nodes=500))]
        answers.append([(report.lines, report.nodes) for report in reports])
    assert answers[0] == answers[1]


def test_iterations_end_without_reductions() -> None:
    """What is not proven at the deepest iteration is searched again until nothing hides it."""
    assert list(iterations(3)) == [(0, 1), (0, 2), (0, 3)]
    steps = list(iterations(None))
    assert steps[: DEEPEST + 1] == [*((0, depth) for depth in range(1, DEEPEST + 1)), (1, DEEPEST)]
    assert max(backend.interpreted_search().REDUCTIONS) >> steps[-1][0] == 0


@pytest.mark.parametrize("name", ["end-03", "end-07"])
def test_what_reductions_hide_is_proven_in_the_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deepest iteration reaches every end of the game and proves nothing; without reductions it does."""
    case = next(case for case in SOLVED if case["id"] == name)
    position = parse_position(case["position"])
    monkeypatch.setattr(think, "DEEPEST", 20)
    assert not Thinker(14).think(position, Limits(depth=20)).lines[0].solved
    line = Thinker(14).think(position, Limits()).lines[0]
    assert line.solved
    assert line.margin == case["solved"]["value"]


@only_compiled
@pytest.mark.parametrize("name", ["end-01", "end-05", "end-09"])
def test_what_is_certain_is_not_misjudged(name: str) -> None:
    """An ending is proven with about as many nodes by one who misjudges estimates: proofs are none."""
    position = parse_position(next(case for case in CASES if case["id"] == name)["position"])
    nodes = []
    for misjudgement in (0, 20):
        thinker = Thinker(16)
        thinker.level = replace(level(9), nodes=3_000_000, misjudgement=misjudgement)
        report = thinker.think(position, Limits())
        assert report.lines[0].solved
        nodes.append(report.nodes)
    assert nodes[1] < 1.5 * nodes[0]


@only_compiled
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("case", SOLVED, ids=[case["id"] for case in SOLVED])
def test_a_solved_line_goes_on_to_the_end(case: dict[str, Any], threads: int) -> None:
    """It ends with the game, by the margin that it says, though the search itself broke it off.

    With two threads the table may have lost a part of the proof, and the line ends there.
    """
    position = parse_position(case["position"])
    thinker = Thinker()
    thinker.threads = threads
    line = thinker.think(position, Limits()).lines[0]
    after = position
    for move in line.moves:
        if move is not None:
            after = play(after, move)[1]
    if threads == 1 or after.phase is Phase.OVER:
        assert after.phase is Phase.OVER
        assert after.score.of(position.side) - after.score.of(position.side.other) == line.margin


def test_an_unfinished_iteration_is_no_result() -> None:
    """Cut short by nodes anywhere, the depth told is that of a finished iteration, or a better move's."""
    whole: dict[int, Report] = {}
    thinker = Thinker(10)
    thinker.think(FULL, Limits(depth=5), lambda report: whole.__setitem__(report.lines[0].depth, report))
    for nodes in range(1, 2000, 61):
        report = Thinker(10).think(FULL, Limits(nodes=nodes))
        assert report.action in legal_moves(FULL)
        assert report.nodes <= nodes + MOST_MOVES
        line = report.lines[0]
        if line.depth and line.bound == 3:
            assert abs(line.value) < WON
            done = whole[line.depth].lines[0]
            assert line.moves[0] == done.moves[0] or line.value <= done.value


def test_no_choice_is_answered_at_once() -> None:
    """One legal move, none, and a finished game, with all the time of the world."""
    one = board("A1=RW B1=B C1=B")
    assert len(legal_moves(one)) == 1
    thinker = Thinker(10)
    for position, answer in ((one, legal_moves(one)[0]), (board("C3=R"), None)):
        begun = time.monotonic()
        assert thinker.think(position, Limits(seconds=60)).action == answer
        assert time.monotonic() - begun < 1


def test_several_lines() -> None:
    """The best moves in order, each once, with the first that of a single line."""
    thinker = Thinker(10)
    thinker.lines_wanted = 5
    heard: list[Report] = []
    report = thinker.think(FULL, Limits(depth=4), heard.append)
    moves = [line.moves[0] for line in report.lines]
    assert len(set(moves)) == 5
    values = [line.value for line in report.lines]
    assert values == sorted(values, reverse=True)
    assert [each.lines[0].depth for each in heard] == [1, 2, 3, 4]
    for line in report.lines:
        position = FULL
        for move in line.moves:
            if move is not None:
                position = play(position, move)[1]
    few = board("A1=RW B1=B A2=B")
    report = thinker.think(few, Limits())
    assert len(report.lines) == len(legal_moves(few))
    assert all(line.solved for line in report.lines)


def test_levels() -> None:
    """Every level moves and places legally, and the seed varies low ones."""
    chosen = set()
    for number in range(1, 8):
        thinker = Thinker(10)
        thinker.level = level(number)
        for seed in range(4):
            thinker.seed = seed
            action = thinker.think(FULL, Limits()).action
            assert action in legal_moves(FULL)
            if number == 1:
                chosen.add(action)
        thinker.level = level(1)
    assert len(chosen) > 1
    assert [each.number for each in LEVELS] == list(range(1, 11))
    nodes = [each.nodes for each in LEVELS]
    assert nodes == sorted(nodes)
    for wrong in (0, 11):
        with pytest.raises(ValueError, match="1 to 10"):
            level(wrong)


def test_the_limits_of_a_level() -> None:
    """Its nodes, whatever the machine; interpreted also a time, of which a shorter one takes the place."""
    nodes = level(10).nodes
    assert limits_of(level(10), Limits(), compiled=True) == Limits(nodes=nodes)
    assert limits_of(level(10), Limits(nodes=50, seconds=9), compiled=True) == Limits(nodes=50, seconds=9)
    for asked, given in ((None, SECONDS_INTERPRETED), (9.0, SECONDS_INTERPRETED), (0.5, 0.5)):
        limits = limits_of(level(10), Limits(seconds=asked, clock=60.0), compiled=False)
        assert limits == Limits(nodes=nodes, seconds=given, clock=60.0)


def test_an_interpreted_level_stops_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which every look takes a quarter of a second, the last level ends before its nodes."""
    search = backend.interpreted_search()
    readings = iter(range(1000))
    monkeypatch.setattr(search, "clock", lambda: next(readings) / 4)
    for name, value in (("COMPILED", False), ("now", search.now), ("Searcher", search.Searcher)):
        monkeypatch.setattr(think, name, value)
    monkeypatch.setattr(think, "Table", search.Table)
    thinker = Thinker(10)
    thinker.level = level(10)
    report = thinker.think(FULL, Limits())
    assert report.action in legal_moves(FULL)
    assert report.lines[0].depth >= 2
    assert report.seconds <= SECONDS_INTERPRETED + 0.5
    assert report.nodes < 20_000


def test_placement() -> None:
    """From the empty board to the full one, legal all the way."""
    thinker = Thinker(10)
    thinker.level = level(3)
    position = EMPTY_BOARD
    while position.phase is Phase.PLACEMENT:
        action = thinker.think(position, Limits()).action
        assert isinstance(action, Place)
        assert action in legal_placements(position)
        position = play(position, action)[1]
    assert position.phase is Phase.MOVEMENT


def test_share_of_the_clock() -> None:
    """Never more than there is, less a tenth of a second; the whole game fits."""
    for clock in (0.0, 0.05, 0.1, 0.5, 3.0, 10.0, 600.0):
        for position in (FULL, *middles(5, 20, 8)):
            soft, hard = share_of_clock(position, clock, 0.0)
            assert soft <= hard or clock <= 0.1
            assert hard <= max(clock - 0.1, 0.001)
