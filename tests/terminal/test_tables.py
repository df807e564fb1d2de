"""Tables from end to end: a server process, and players in terminals of their own."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dvonn_tui.core.events import Action, Place
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.rules import legal_moves, legal_placements, play
from dvonn_tui.core.setups import Setup
from tests.terminal.conftest import Starter
from tests.terminal.games import QUIETLY
from tests.terminal.session import PROGRAM, Session, SessionFault


class Server:
    """A server process that can be killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [PROGRAM, "host", "--port", str(self.port), "--data", str(self._folder)]
        environment = os.environ | {"DVONN_TUI_HOME": str(self._folder)}
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        assert self._process.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", self._process.stdout.readline())
        assert found
        self.port = int(found[1])

    @property
    def address(self) -> str:
        """Where it is."""
        return f"127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "server")
    yield running
    running.kill()


Join = Callable[..., Session]


@pytest.fixture
def join(start: Starter, server: Server, tmp_path: Path) -> Join:
    """Brings somebody to the server, or to one of its tables."""

    def join(name: str, table: str = "", columns: int = 80, lines: int = 24) -> Session:
        words = ["join", server.address, "--name", name, *(["--table", table] if table else [])]
        home = tmp_path / name
        return start(*words, ready=False, home=home, columns=columns, lines=lines, environment=QUIETLY)

    return join


SHOWN = {"profi": "manual"}
"""Options that are shown by another word than the one that is understood."""


def meet(join: Join, *options: str) -> tuple[Session, Session, str]:
    """Anna opens a table, Bela is invited; returns both and the id of the table. Anna has White."""
    anna = join("Anna")
    anna.wait_for("connected", "none yet: n opens one")
    anna.press("n")
    anna.wait_for("New table", "Anna's table")
    answer(anna, "New table", "\r")
    anna.wait_for("waiting for somebody", "White: Anna (you)")
    anna.press("&")
    anna.wait_for("--table")
    found = re.search(r"--table ([A-Z2-9]+)", anna.text)
    assert found
    # The message lies on what is told of the table until it is clicked away.
    anna.click_word("--table")
    anna.wait_until_gone("--table")
    bela = join("Bela", found[1], 120, 40)
    bela.wait_for("Black free")
    bela.type("\r")
    bela.wait_for("Black: Bela (you)")
    anna.wait_for("Black: Bela")
    for option in options:
        say(anna, f"/option {option}")
        for session in (bela, anna):
            session.wait_for(f"sets: {SHOWN.get(option, option)}")
        anna.settle()
    return anna, bela, found[1]


def answer(session: Session, told: str, keys: str) -> None:
    """Answer a dialog that tells something. Keys that are older than its first picture are not for it."""
    for _ in range(10):
        session.settle()
        session.type(keys)
        with suppress(SessionFault):
            session.wait(lambda: not session.shows(told), f"a screen without {told!r}", 1.5)
            return
    raise SessionFault(f"{told!r} stays\n{session.text}")


def say(session: Session, text: str) -> None:
    """Write a line into the chat line."""
    session.type(f"c{text}\r")


def begin(anna: Session, bela: Session) -> None:
    """Both are ready; wait until the game is there."""
    anna.type("\r")
    bela.wait_for("Anna is ready")
    bela.type("\r")
    for session in (anna, bela):
        session.wait_for("White to")


def board_of(session: Session) -> Position:
    """The drawn board that a game began with, by the seed that is shown."""
    session.wait_for(" seed ")
    session.settle()
    found = re.search(r" seed (\d+)", session.text)
    assert found, session.text
    return Game.new(Setup.BALANCED, int(found[1])).position


def shortest(position: Position) -> Action:
    """A legal move that takes the most pieces off, or leaves the fewest moves: games end early by it."""

    def cost(move: Action) -> tuple[int, int]:
        _, after = play(position, move)
        pieces = sum(len(stack) for stack in after.stacks)
        return pieces, len(legal_moves(after))

    return min(legal_moves(position), key=cost)


def play_out(position: Position, players: dict[Side, Session], most: int = 200) -> Position:
    """Both type moves, each once the move before is on his screen."""
    plies = 0
    while not position.over and plies < most:
        mover = players[position.side]
        move = shortest(position)
        mover.type(f":{format_action(move)}\r")
        events, position = play(position, move)
        plies += 1 + sum(1 for event in events if type(event).__name__ == "TurnPassed")
        if not position.over:
            told = f"ply {plies} of {plies}"
            players[position.side].wait_for(told)
    return position


def test_two_people_meet_play_to_the_end_and_have_a_rematch_on_time(join: Join) -> None:
    anna, bela, table = meet(join, "log")
    begin(anna, bela)
    say(bela, "good luck [/ Anna")
    anna.wait_for("Bela: good luck [/ Anna")
    carla = join("Carla", table)
    carla.wait_for("you watch", "White to move")
    start = board_of(bela)
    middle = play_out(start, {Side.WHITE: anna, Side.BLACK: bela}, 2)
    assert middle.side is Side.WHITE
    bela.type("u")
    anna.wait_for("Bela offers to take the last move back")
    anna.type("\x01")  # ctrl+a accepts
    for session in (anna, bela, carla):
        session.wait_for("ply 1 of 2")
    _, after_one = play(start, shortest(start))
    bela.type(f":{format_action(shortest(after_one))}\r")
    anna.wait_for("ply 2 of 2")
    middle, plies = play(after_one, shortest(after_one))[1], 2
    while not middle.over:
        players = {Side.WHITE: anna, Side.BLACK: bela}
        move = shortest(middle)
        players[middle.side].type(f":{format_action(move)}\r")
        events, middle = play(middle, move)
        plies += 1 + sum(1 for event in events if type(event).__name__ == "TurnPassed")
        if not middle.over:
            players[middle.side].wait_for(f"ply {plies} of {plies}")
    for session in (anna, bela, carla):
        session.wait_for("The end", "neither side can move")
        answer(session, "The end", "\x1b")
    anna.wait_for("The record is kept: /record ")
    found = re.search(r"/record ([\w-]+)", anna.text)
    assert found, anna.text
    say(anna, "/option time 0.05")
    for session in (bela, anna):
        session.wait_for("sets: time 0.05")
    anna.settle()
    say(anna, "/rematch")
    bela.wait_for("Anna offers a rematch")
    bela.type("\x01")
    for session in (anna, bela):
        session.wait_for("White to move", "0:0")
    bela.wait_for("White Bela")
    for session in (anna, bela, carla):
        session.wait_for("The end", "White ran out of time")
    for session in (anna, bela):
        answer(session, "The end", "\x1b")
    say(bela, f"/record {found[1]}")
    bela.wait_for(f"Record {found[1]}", "Anna", "Bela")
    records = list((bela.home / "data" / "games").glob("record-*.dvn"))
    assert len(records) == 1


def test_a_server_that_is_killed_comes_back_with_every_table(join: Join, server: Server) -> None:
    anna, bela, table = meet(join, "profi", "time 10")
    begin(anna, bela)
    position = Game.new(Setup.MANUAL).position
    for number in range(6):
        mover = (anna, bela)[number % 2]
        mover.wait_for(f"placement {number} of 49")
        place = legal_placements(position)[number * 7]
        mover.type(f":{format_action(place)}\r")
        assert isinstance(place, Place)
        _, position = play(position, place)
    for session in (anna, bela):
        session.wait_for("placement 6 of 49")
    server.kill()
    for session in (anna, bela):
        session.wait_for("NO LINE")
    anna.type(f":{format_action(legal_placements(position)[0])}\r")
    anna.wait_for("waits until the line is found again")
    server.start()
    for session in (anna, bela):
        session.wait_until_gone("NO LINE")
        session.wait_for("placement 7 of 49")
    bela.process.kill()
    anna.wait_for("Bela, away")
    again = join("Bela", table, 120, 40)
    again.wait_for("placement 7 of 49", "Black to place")
    anna.wait_until_gone("Bela, away")
    again.type("!")
    again.wait_for("Black resigns?")
    answer(again, "Black resigns?", "\x1b[D\r")
    for session in (anna, again):
        session.wait_for("Black resigned")
    assert position.phase is Phase.PLACEMENT


def test_an_address_that_is_none_is_told_at_once(start: Starter) -> None:
    with start("join", "not an address", ready=False) as session:
        assert session.wait_for_end() == 1
        assert "no address 'not an address'" in session.text
    with start("join", "127.0.0.1:1", ready=False) as session:
        session.wait_for("TABLES", "no server is running", "no line, again in")
        session.type("\x03")
        assert session.wait_for_end() == 0
