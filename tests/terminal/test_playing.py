"""Games played through the terminal: by raw mouse bytes and by keys."""

from __future__ import annotations

import time

import pytest

from dvonn_tui.core.cells import CELL_NAMES
from dvonn_tui.core.game import Game
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from tests.terminal.conftest import Starter
from tests.terminal.games import ENDING, ENDING_MOVES, QUIETLY, RESULT
from tests.terminal.session import Session

SEED = 1


def _opening(count: int) -> list[tuple[str, str]]:
    """The names of source and target of the first moves of a game, the last legal one each time."""
    game, moves = Game.new(Setup.BALANCED, SEED), []
    for _ in range(count):
        move = legal_moves(game.position)[-1]
        game.play(move)
        moves.append((CELL_NAMES[move.source], CELL_NAMES[move.target]))
    return moves


def _go_to(session: Session, sign: str) -> None:
    """Press tab until the status line says something."""
    for _ in range(60):
        session.press("\t")
        if session.shows(sign):
            return
    raise AssertionError(f"tab never came to {sign!r}\n{session.text}")


def test_moves_by_mouse(start: Starter) -> None:
    with start("--seed", str(SEED), columns=120, lines=40) as session:
        for number, (source, target) in enumerate(_opening(4), 1):
            session.click(source)
            assert session.shows(f"{source} ", "picked"), session.text
            session.point(target)
            assert session.shows(f"{source}-{target}"), session.text
            session.click(target)
            session.wait_for(f"ply {number} of {number}", f"{source}-{target}")


def test_moves_by_keys(start: Starter) -> None:
    with start("--seed", str(SEED), environment=QUIETLY) as session:
        for number, (source, target) in enumerate(_opening(3), 1):
            _go_to(session, f" {source} ")
            session.press("\r")
            session.wait_for("picked")
            _go_to(session, f"{source}-{target} ")
            session.press(" ")
            session.wait_for(f"ply {number} of {number}")


def test_a_whole_game_by_mouse(start: Starter) -> None:
    with start("--position", ENDING, "--white", "Anna") as session:
        for move in ENDING_MOVES:
            session.click(move[:2])
            session.click(move[2:])
            session.settle(0.3)
        session.wait_for(*RESULT, "Anna", "Look back")
        session.settle()
        session.click_word("Look back")
        session.wait_for("LOOKING BACK")


def test_a_whole_game_by_keys(start: Starter) -> None:
    with start("--position", ENDING, environment=QUIETLY) as session:
        for move in ENDING_MOVES[:2]:
            _go_to(session, f"{move[:2]} ")
            session.press("\r")
            _go_to(session, f"{move[:2]}-{move[2:]} ")
            session.press("\r")
        for move in ENDING_MOVES[2:]:
            session.press(f":{move}\r")
        session.wait_for(*RESULT)


def test_what_is_pointed_at_is_told(start: Starter) -> None:
    with start("--seed", str(SEED)) as session:
        source = _opening(1)[0][0]
        session.point(source)
        session.wait_for(f"{source} ○1 White: can go to")
        session.mouse(35, 0, 0)
        session.wait_until_gone("can go to")


def test_the_wheel_steps(start: Starter) -> None:
    with start("--seed", str(SEED), environment=QUIETLY) as session:
        for source, target in _opening(2):
            session.press(f":{source}{target}\r")
        session.wait_for("ply 2 of 2")
        x, y = session.place("e3")
        session.mouse(64, x, y)
        session.wait_for("LOOKING BACK", "ply 1 of 2")
        session.mouse(64, x, y)
        session.wait_for("ply 0 of 2")
        for _ in range(2):
            session.mouse(65, x, y)
        session.wait_for("ply 2 of 2")
        session.wait_until_gone("LOOKING BACK")


def test_keys_at_the_foot_can_be_clicked(start: Starter) -> None:
    with start("--seed", str(SEED)) as session:
        session.click_word("help")
        session.wait_for("esc")
        session.press("\x1b")
        session.wait(session.ready, "the board after the help")


def test_many_keys_at_once(start: Starter) -> None:
    """X14: a held key neither lags behind nor plays more than one move."""
    with start("--seed", str(SEED), environment=QUIETLY) as session:
        began = time.monotonic()
        session.type("\x1b[C" * 60)
        session.settle()
        assert time.monotonic() - began < 3.0
        assert session.ready()
        session.press("\t", "\r", "\t")
        session.type("\r" * 60)
        session.settle(0.3)
        assert session.shows("ply 1 of 1"), session.text


def test_a_held_key_answers_no_dialog(start: Starter) -> None:
    """X14: keys that are older than a dialog are not for it."""
    with start("--position", ENDING, environment=QUIETLY) as session:
        for move in ENDING_MOVES[:-1]:
            session.press(f":{move}\r")
        session.click(ENDING_MOVES[-1][:2])
        session.point(ENDING_MOVES[-1][2:])
        session.type("\r" * 40)
        session.settle(0.5)
        assert session.shows(*RESULT), session.text


def test_what_is_sent_in_parts_is_what_is_sent_as_a_whole(start: Starter) -> None:
    """After many small repaints the screen is what it is when everything is painted anew."""
    for look in ("discs", "graph", "ascii"):
        with start(
            "--seed", str(SEED), "--look", look, columns=100, lines=30, environment=QUIETLY
        ) as session:
            for source, target in _opening(3):
                session.press(f":{source}{target}\r")
            session.press(*["\x1b[A", "\x1b[D", "\t", "\r", "\t", "\t", "\x7f", "[", "[", "]", "\x1b[C"])
            session.settle(0.1)
            by_parts = [dict(session.screen.buffer[y]) for y in range(30)]
            session.resize(99, 30)
            session.resize(100, 30)
            session.settle(0.1)
            anew = [dict(session.screen.buffer[y]) for y in range(30)]
            assert _shown(by_parts) == _shown(anew)


def _shown(rows: list[dict[int, object]]) -> list[list[object]]:
    """What is seen of a screen: a blank has no foreground."""
    return [
        [
            character._replace(fg="") if character.data == " " else character  # type: ignore[attr-defined]
            for _, character in sorted(row.items())
        ]
        for row in rows
    ]


@pytest.mark.parametrize("sent", [b"\xe4", b"\x1b[M \xf0\xf1", b"\x1b[200~a\xff\xfe\x00\x1b[201~"])
def test_bytes_that_are_no_utf_8(start: Starter, sent: bytes) -> None:
    """Keys of a Latin-1 terminal, old reports of the mouse, pasted rubbish: the game goes on."""
    session = start("--setup", "balanced", "--seed", "5")
    session.press(sent, b"\x1b")
    session.press("?")
    session.wait_for("Help")
    assert session.process.poll() is None
