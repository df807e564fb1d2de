"""The link to an engine: answers, troubles in one line each, and no process left behind."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from dvonn_tui.clean import clean_line
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.position import EMPTY_BOARD, Position
from dvonn_tui.core.rules import decide, legal_moves, play
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.engine_process import STAND_BACK
from dvonn_tui.play.engine_trouble import EngineTrouble, Superseded, TroubleKind
from dvonn_tui.play.protocols import OwnProtocol, Search
from dvonn_tui.play.thoughts import History, Limits, Question

from .tools import FAKE, FULL, children, exists, fake, until

SOON = Limits(movetime=50)


@pytest.fixture(autouse=True)
async def nothing_left() -> AsyncIterator[None]:
    """After every test no process that it started is there."""
    before = children()
    yield
    await until(lambda: children() <= before, 2.0)


async def trouble_of(launch: Launch, limits: Limits = SOON) -> EngineTrouble:
    link = EngineLink(launch)
    with pytest.raises(EngineTrouble) as caught:
        await link.choose(FULL, limits)
    assert not link.running
    await link.close()
    trouble = caught.value
    assert trouble.line == clean_line(trouble.line, 1_000) == str(trouble)
    assert "\n" not in trouble.line
    assert trouble.line.startswith("Fake ")
    return trouble


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are told otherwise there")
@pytest.mark.parametrize("yields", [False, True])
async def test_an_engine_beside_a_screen_yields(yields: bool) -> None:
    """All its threads do, and those of an engine in a match do not."""
    link = EngineLink(Launch(yields=yields))
    thinking = asyncio.create_task(link.choose(FULL, Limits(movetime=300)))
    await until(lambda: link.thinking)
    assert link.pid is not None
    own = os.getpriority(os.PRIO_PROCESS, 0)
    expected = min(own + STAND_BACK, 19) if yields else own
    threads = [int(each.name) for each in Path(f"/proc/{link.pid}/task").iterdir()]
    assert {os.getpriority(os.PRIO_PROCESS, thread) for thread in threads} == {expected}
    await thinking
    await link.close()


async def test_a_choice_in_both_phases() -> None:
    link = EngineLink(fake("good"))
    heard = []
    choice = await link.choose(FULL, SOON, listen=heard.append)
    assert choice.position is FULL
    assert choice.action in legal_moves(FULL)
    assert choice.thought is heard[-1]
    assert choice.thought.depth == 4
    assert choice.thought.line == (choice.token, "pass")
    assert 0.04 < choice.seconds < 0.15
    pid = link.pid
    placed = await link.choose(EMPTY_BOARD, SOON)
    assert placed.token == "a1"
    assert link.pid == pid
    await link.close()
    assert link.pid is None


async def test_nothing_to_choose() -> None:
    link = EngineLink(fake("good"))
    for text in ("9/10/2r8/10/9 w m", "9/10/2rb7/10/9 w m"):
        with pytest.raises(ValueError, match="nothing can be chosen"):
            await link.choose(parse_position(text), SOON)
    await link.close()


@pytest.mark.parametrize(
    ("mode", "kind", "line"),
    [
        ("dying", TroubleKind.DIED, "ended with status 3: Segmentation ?[31mfault in [/b]"),
        ("killed", TroubleKind.DIED, "was ended by SIGSEGV"),
        ("silent", TroubleKind.SILENT, "does not answer: nothing came within 0.25 s"),
        ("nonsense", TroubleKind.NONSENSE, "talks nonsense: '?[2Jhello' is no move"),
        ("nothing", TroubleKind.NONSENSE, "talks nonsense: '' is no move"),
        ("long", TroubleKind.NONSENSE, "talks nonsense: a line of more than 65536 bytes"),
        ("babble", TroubleKind.NONSENSE, "talks nonsense: 'bla bla'"),
        ("illegal", TroubleKind.CHEATING, "wanted to play a1a1, which is illegal: "),
        ("pass", TroubleKind.CHEATING, "wanted to play pass, which is illegal: who can move must move"),
        ("no-start", TroubleKind.NOT_STARTED, "did not start: it ended with status 1: no licence"),
    ],
)
async def test_every_trouble_is_told_in_one_line(mode: str, kind: TroubleKind, line: str) -> None:
    trouble = await trouble_of(fake(mode), Limits(movetime=5_000) if mode == "babble" else SOON)
    assert trouble.kind is kind
    assert trouble.line.removeprefix("Fake ").startswith(line)


async def test_what_does_not_start() -> None:
    for command in (("/no/such/program",), ("/",), (), ("a\0b",)):
        trouble = await trouble_of(Launch("Fake", command))
        assert trouble.kind is TroubleKind.NOT_STARTED
    mute = await trouble_of(fake("mute", start_patience=0.2))
    assert mute.line == "Fake did not start: it does not say readyok within 0.2 s"


async def test_a_slow_engine_is_told_to_stop_and_its_move_is_known_to_be_late() -> None:
    link = EngineLink(fake("slow", 5_000))
    choice = await link.choose(FULL, SOON)
    assert choice.nudged
    assert 0.15 < choice.late < 0.5
    await link.close()


async def test_a_chatty_engine_is_understood_and_the_loop_lives() -> None:
    link = EngineLink(fake("chatty"))
    await link.start()
    worst = 0.0
    asking = asyncio.create_task(link.choose(FULL, Limits(depth=1)))
    while not asking.done():
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        worst = max(worst, time.perf_counter() - before)
    assert (await asking).action in legal_moves(FULL)
    assert worst < 0.1
    await link.close()


async def test_time_limits_and_stop_at_any_moment() -> None:
    """D22 with a fake: always a legal move, in time."""
    link = EngineLink(fake("good"))
    await link.start()
    for movetime in (1, 10, 100):
        before = time.perf_counter()
        choice = await link.choose(FULL, Limits(movetime=movetime))
        assert choice.action in legal_moves(FULL)
        assert choice.late <= 0.1
        assert time.perf_counter() - before <= movetime / 1000 + 0.1
    draw = random.Random(1)
    for _ in range(40):
        asking = asyncio.create_task(link.choose(FULL, Limits(infinite=True)))
        await asyncio.sleep(draw.random() * 0.03)
        link.stop()
        if not link.thinking:
            await until(lambda: link.thinking)
            link.stop()
        before = time.perf_counter()
        assert (await asking).action in legal_moves(FULL)
        assert time.perf_counter() - before < 0.1
    await link.close()


async def test_an_answer_that_comes_late_is_not_taken_for_that_of_the_next_question() -> None:
    link = EngineLink(fake("stubborn", 150))
    old = asyncio.create_task(link.choose(FULL, SOON))
    await until(lambda: link.thinking)
    _, later = play(FULL, legal_moves(FULL)[3])
    new = asyncio.create_task(link.choose(later, Limits(movetime=300)))
    with pytest.raises(Superseded):
        await old
    choice = await new
    assert choice.position is later
    decide(later, choice.action)
    await link.close()


async def test_cancelling_drops_the_question() -> None:
    link = EngineLink(fake("good"))
    asking = asyncio.create_task(link.choose(FULL, Limits(infinite=True)))
    await until(lambda: link.thinking)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not link.thinking
    assert (await link.choose(FULL, SOON)).action
    asking = asyncio.create_task(link.choose(FULL, Limits(infinite=True)))
    await until(lambda: link.thinking)
    link.drop()
    with pytest.raises(Superseded):
        await asking
    await link.close()


async def test_after_a_trouble_the_next_question_starts_it_anew() -> None:
    link = EngineLink(fake("dying"))
    for _ in range(2):
        with pytest.raises(EngineTrouble):
            await link.choose(FULL, SOON)
    link.launch = fake("good")
    assert (await link.choose(FULL, SOON)).action
    pid = link.pid
    await link.restart()
    assert link.running
    assert link.pid != pid
    await link.close()
    with pytest.raises(Superseded):
        await link.choose(FULL, SOON)


async def test_one_that_died_between_two_questions_is_started_again() -> None:
    link = EngineLink(fake("good"))
    await link.start()
    assert link.pid is not None
    os.kill(link.pid, signal.SIGKILL)
    await until(lambda: not link.running)
    assert (await link.choose(FULL, SOON)).action
    await link.close()


async def test_analysis_is_streamed_and_stops_with_its_reader() -> None:
    link = EngineLink(fake("good"))
    seen = []
    async with aclosing(link.analyse(FULL, multipv=3)) as thoughts:
        async for thought in thoughts:
            seen.append(thought)
            if thought.solved:
                break
    assert [thought.rank for thought in seen] == [1, 2, 3, 1]
    assert (seen[-1].value, seen[-1].depth, seen[-1].solved) == (7, 5, True)
    assert all(thought.position is FULL for thought in seen)
    assert not link.thinking
    heard = []
    await link.choose(FULL, SOON, listen=heard.append)
    assert [thought.rank for thought in heard] == [1]
    ended = [thought async for thought in link.analyse(FULL, limits=SOON)]
    assert len(ended) == 1
    await link.close()


async def test_another_question_ends_an_analysis_quietly() -> None:
    link = EngineLink(fake("good"))

    async def read(position: Position) -> int:
        return len([thought async for thought in link.analyse(position)])

    reading = asyncio.create_task(read(FULL))
    await asyncio.sleep(0.2)
    assert (await link.choose(FULL, SOON)).action
    assert await reading > 1
    await link.close()


async def test_analysis_tells_troubles() -> None:
    for mode, kind in (("dying", TroubleKind.DIED), ("silent", TroubleKind.SILENT)):
        link = EngineLink(fake(mode))
        with pytest.raises(EngineTrouble) as caught:
            _ = [thought async for thought in link.analyse(FULL, limits=SOON)]
        assert caught.value.kind is kind
        assert not link.running
    link = EngineLink(fake("codecup"))
    with pytest.raises(EngineTrouble, match="knows no analysis"):
        _ = [thought async for thought in link.analyse(EMPTY_BOARD)]
    await link.close()


@pytest.mark.parametrize("mode", ["good", "deaf", "stays", "codecup"])
async def test_closing_takes_less_than_a_second_whatever_it_does(mode: str) -> None:
    link = EngineLink(fake(mode, 600_000))
    position = EMPTY_BOARD if mode == "codecup" else FULL
    asking = asyncio.create_task(link.choose(position, Limits(infinite=mode != "codecup")))
    await until(lambda: link.thinking)
    await asyncio.sleep(0.05)
    pid = link.pid
    assert pid is not None
    before = time.perf_counter()
    await link.close()
    assert time.perf_counter() - before < 1.0
    assert not exists(pid)
    with pytest.raises((Superseded, EngineTrouble)):
        await asking


async def test_closing_while_it_starts() -> None:
    link = EngineLink(fake("mute"))
    starting = asyncio.create_task(link.start())
    await until(lambda: link.running)
    before = time.perf_counter()
    await link.close()
    assert time.perf_counter() - before < 1.0
    with pytest.raises(Superseded):
        await starting
    link = EngineLink(fake("good"))
    starting = asyncio.create_task(link.start())
    await asyncio.sleep(0)
    await link.close()
    with pytest.raises(Superseded):
        await starting


APPLICATION = """
import asyncio, sys
sys.path.insert(0, {root!r})
from tests.play.tools import FULL, fake
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.thoughts import Limits

async def main():
    link = EngineLink(fake("good"))
    asking = asyncio.create_task(link.choose(FULL, Limits(infinite=True)))
    while not link.thinking:
        await asyncio.sleep(0.01)
    print(link.pid, flush=True)
    {then}

asyncio.run(main())
"""


@pytest.mark.parametrize(
    "then", ["await asyncio.sleep(600)", "raise SystemExit(0)", "import os; os._exit(1)"]
)
async def test_the_engine_ends_with_the_application(then: str) -> None:
    """Killed, ended without closing the link, or gone at once."""
    root = FAKE.rsplit("/tests/", 1)[0]
    code = APPLICATION.format(root=root, then=then)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as application:
        assert application.stdout is not None
        pid = int(application.stdout.readline())
        if "600" in then:
            assert exists(pid)
            application.kill()
        application.wait(5)
    await until(lambda: not exists(pid), 1.0)


async def test_what_the_question_looks_like() -> None:
    said: list[str] = []
    protocol = OwnProtocol("Fake", said.append)
    question = Question(FULL, History(FULL))
    protocol.set_options({"level": "3", "multipv": "1"})
    protocol.set_options({"level": "3", "multipv": "2"})
    limits = Limits(clocks=(9_000, 8_000), increments=(100, 200), nodes=5)
    search = protocol.ask(question, limits, None)
    assert isinstance(search, Search)
    assert said == [
        "setoption name level value 3",
        "setoption name multipv value 1",
        "setoption name multipv value 2",
        f"position {format_position(FULL)}",
        "go wtime 9000 btime 8000 winc 100 binc 200 nodes 5",
    ]
    assert Limits(movetime=5).words() == " movetime 5"
    assert Limits(infinite=True).words() == " infinite"
    assert Limits(depth=4).words() == " depth 4"


async def test_nothing_piles_up() -> None:
    """Twenty engines, ended in every way: no descriptor, task or thread stays."""

    async def round_trip(number: int) -> None:
        link = EngineLink(fake(("good", "dying", "illegal", "deaf")[number % 4]))
        asking = asyncio.create_task(link.choose(FULL, Limits(movetime=1)))
        await until(lambda: link.thinking or asking.done())
        if number % 3:
            await asyncio.wait([asking], timeout=0.1)
        await link.close()
        await asyncio.gather(asking, return_exceptions=True)

    def held() -> tuple[int, int, int]:
        descriptors = len(list(Path("/proc/self/fd").iterdir()))
        return descriptors, len(asyncio.all_tasks()), threading.active_count()

    await round_trip(0)
    await asyncio.sleep(0.1)
    before = held()
    for number in range(20):
        await round_trip(number)
    await until(lambda: held() <= before, 2.0)


async def test_a_new_game_is_announced() -> None:
    said: list[str] = []
    protocol = OwnProtocol("Fake", said.append)
    protocol.new_game()
    assert said == ["ucinewgame"]
    link = EngineLink(fake("complaining"))
    await link.start()
    assert link.complaints == ("no such option: seed", "no such option: colour")
    link.new_game({"seed": "5"}, {"seed": "6"})
    assert link.launch.options == {"seed": "5"}
    assert link.launch.values == {"seed": "6"}
    assert (await link.choose(FULL, SOON)).action
    await link.close()
