"""Whatever ends the program, what was seen as played is there at the next start."""

from __future__ import annotations

import re
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from dvonn_tui.core.notation import format_action, parse_position
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.records.journal_reading import load_journal
from tests.terminal.conftest import Starter
from tests.terminal.games import ENDING, ENDING_MOVES, QUIETLY, RESULT
from tests.terminal.session import Session
from tests.terminal.test_ending import check_left, last_words

OFFER = "A game waits"
ALARM = "! NOT SAVED"


@pytest.fixture
def start(start: Starter) -> Starter:
    """What is saved does not depend on gliding."""
    return partial(start, environment=QUIETLY)


def play(session: Session, plies: int, before: int = 0) -> None:
    """Play so many plies, each by keys and until it is seen, after some that were played."""
    for ply in range(before + 1, before + plies + 1):
        session.press("\t", "\r", "\t", "\r")
        session.wait_for(f"ply {ply} of {ply}")


def saved(home: Path) -> list[Path]:
    """All saved games, oldest first."""
    return sorted((home / "data" / "games").iterdir())


def test_killed_and_gone_on_with(start: Starter, tmp_path: Path) -> None:
    """By SIGKILL, after a move was seen: it is there, and the game goes on in its file."""
    session = start("--seed", "1")
    play(session, 3)
    session.process.kill()
    assert session.wait_for_end() == -signal.SIGKILL
    again = start(ready=False)
    again.wait_for(OFFER, "Ply 3, Black to move", "seed 1")
    again.settle()
    again.press("\r")
    again.wait_until_gone(OFFER)
    again.wait_for("ply 3 of 3")
    play(again, 1, before=3)
    (path,) = saved(tmp_path)
    assert len(load_journal(path).game.log) == 5
    again.press("q")
    again.wait_for("Leave the game?", "the next start offers to go on")
    again.settle()
    again.press("y")
    assert again.wait_for_end() == 0
    check_left(again)
    assert last_words(again).endswith(f"dvonn-tui resume {path.name}")


def test_the_terminal_is_closed(start: Starter, tmp_path: Path) -> None:
    """As when its window is closed: the program gets SIGHUP and nobody reads what it writes."""
    session = start("--seed", "1")
    play(session, 2)
    session.close_terminal()
    session.process.wait(10)
    (path,) = saved(tmp_path)
    reading = load_journal(path)
    assert (len(reading.game.log), reading.torn, reading.damage) == (3, "", "")


def test_resume_by_command(start: Starter, tmp_path: Path) -> None:
    """With the file's name, a path, or nothing; a finished game is seen at its end."""
    session = start("--position", ENDING)
    play_typed(session, ENDING_MOVES[:2])
    session.press("\x03")
    assert session.wait_for_end() == 0
    (path,) = saved(tmp_path)
    for words in ([], [path.name], [str(path)]):
        again = start("resume", *words, ready=False)
        again.wait_for("ply 2 of 2")
        again.close()
    again = start("resume", ready=False)
    again.wait_for("ply 2 of 2")
    play_typed(again, ENDING_MOVES[2:])
    again.wait_for(*RESULT)
    again.close()
    none = start("resume", ready=False)
    assert none.wait_for_end() == 1
    assert f"no unfinished game in {path.parent}" in last_line(none)
    finished = start("resume", path.name, ready=False)
    finished.wait_for("the game is over")
    finished.close()
    fresh = start()
    assert not fresh.shows(OFFER)


def play_typed(session: Session, moves: tuple[str, ...]) -> None:
    """Type moves."""
    for token in moves:
        session.press(f":{token}\r")


def last_line(session: Session) -> str:
    """What was written without a screen."""
    return session.raw.decode().strip()


def test_what_cannot_be_resumed(start: Starter, tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("buy bread\n")
    for words, reason in ((str(wrong), "line 1: the checksum is wrong"), ("gone", "gone: No such file")):
        session = start("resume", words, ready=False)
        assert session.wait_for_end() == 1
        assert reason in last_line(session)
        assert "Traceback" not in last_line(session)
    assert wrong.read_text() == "buy bread\n"


def test_two_at_once(start: Starter, tmp_path: Path) -> None:
    """The second is not offered the game that the first plays; asked for it, it goes on with a copy."""
    first = start("--seed", "1")
    play(first, 2)
    (path,) = saved(tmp_path)
    bare = start()
    assert not bare.shows(OFFER)
    bare.close()
    told = start("resume", ready=False, columns=160)
    assert told.wait_for_end() == 1
    assert f"{path.name} is played by another program; dvonn-tui resume {path.name}" in last_line(told)
    second = start("resume", path.name, ready=False, columns=120, lines=40)
    second.wait_for("ply 2 of 2", "another", "a copy")
    second.settle()
    play(second, 1, before=2)
    play(first, 1, before=2)
    one, other = saved(tmp_path)
    assert load_journal(other).header.copy_of == one.name == path.name
    assert [len(load_journal(each).game.log) for each in (one, other)] == [4, 4]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits another process")
def test_a_full_disk(start: Starter, tmp_path: Path) -> None:
    """No more than a few bytes fit: half a line is written, it is said, and later everything is saved."""
    import resource

    session = start("--seed", "1", columns=100, lines=30)
    play(session, 1)
    (path,) = saved(tmp_path)
    size = path.stat().st_size
    limits = resource.prlimit(session.process.pid, resource.RLIMIT_FSIZE, (size + 20, -1))
    play(session, 1, before=1)
    # It depends on the length of a path where its lines break. What is written of it leaves out characters
    # that are there already: it is looked for on the screen.
    session.wait(lambda: re.search(r"File\b.*\btoo\b.*\blarge", session.text, re.DOTALL), "the reason")
    assert session.shows(ALARM)
    play(session, 1, before=2)
    assert session.shows(ALARM)
    assert len(load_journal(path).game.log) == 2
    resource.prlimit(session.process.pid, resource.RLIMIT_FSIZE, limits)
    play(session, 1, before=3)
    session.wait_until_gone(ALARM)
    assert len(load_journal(path).game.log) == 5


def test_a_file_in_the_place_of_the_folder(start: Starter, tmp_path: Path) -> None:
    """Nothing can be saved; it is said, the game goes on, and at the end the way to go on is another."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games").write_text("in the way")
    session = start("--seed", "1")
    play(session, 1)
    session.wait_for(ALARM)
    play(session, 1, before=1)
    session.process.send_signal(signal.SIGTERM)
    assert session.wait_for_end() == 143
    check_left(session)
    assert "is not saved" in last_words(session)
    assert "--position" in last_words(session)


def test_what_was_written_about_a_game_outlives_the_program(start: Starter, tmp_path: Path) -> None:
    """Another line, a comment and marked cells are there after SIGKILL."""
    session = start("--position", ENDING)
    play_typed(session, ENDING_MOVES[:2])
    session.wait_for("ply 2 of 2")
    session.press("u", "u")
    session.wait_for("ply 0 of 2")
    play_typed(session, (other_move(),))
    session.wait_for("ply 1 of 1")
    session.press("*")
    session.wait_for("is marked with a circle")
    session.press('"')
    session.wait_for("Comment")
    session.settle()
    session.press(*"a try", "\x13")
    session.wait_until_gone("ctrl+s keep")
    session.wait_for("a try")
    session.process.kill()
    assert session.wait_for_end() == -signal.SIGKILL
    (path,) = saved(tmp_path)
    game = load_journal(path).game
    assert game.comment_of(game.head) == "a try"
    assert len(game.cell_marks(game.head)) == 1
    assert len(game.children(game.log[0])) == 2
    again = start(ready=False)
    again.wait_for(OFFER)
    again.settle()
    again.press("\r")
    again.wait_until_gone(OFFER)
    again.wait_for("ply 1 of 1", "a try", "a2-a1 e4-b1")


def other_move() -> str:
    """A move in the ending that is not the one played there."""
    tokens = (format_action(move) for move in legal_moves(parse_position(ENDING)))
    return next(token for token in tokens if token != ENDING_MOVES[0])
