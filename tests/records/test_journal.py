"""A game's file while it is written: nothing is lost when writing fails, and nobody else writes to it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dvonn_tui.core.game import Game
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.records import journal as journal_module
from dvonn_tui.records.file_lock import Lock, try_lock
from dvonn_tui.records.journal import SLOW, Journal, in_use, open_journal
from dvonn_tui.records.journal_form import Content, aside_content, entry_contents
from dvonn_tui.records.journal_reading import JournalFault, load_journal
from tests.core.tools import FULL, first_legal
from tests.records.journal_tools import contents_of, file_of, sealed


class Written:
    """A game and its file."""

    def __init__(self, path: Path) -> None:
        self.game = Game.at(FULL)
        self.journal = Journal(path)
        self.changes: list[str] = []
        self.journal.on_change = lambda: self.changes.append(self.journal.trouble)

    def play(self) -> bool:
        """One move more, and into the file."""
        known = len(self.game.log)
        self.game.play(first_legal(self.game.position))
        contents: list[Content] = contents_of(self.game) if known == 1 else []
        return self.journal.append(contents or list(entry_contents(self.game.log[known:])))

    def check(self) -> None:
        """The file holds the whole game, and nothing else."""
        assert self.journal.path.read_bytes() == file_of(self.game)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other programs may need the machine as well."""
    monkeypatch.setattr(journal_module, "PATIENCE", 5.0)


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Written]:
    written = Written(tmp_path / "games" / "one.dvnlog")
    yield written
    written.journal.close()


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def fails(monkeypatch: pytest.MonkeyPatch, after: int, why: int = errno.ENOSPC) -> Callable[[], None]:
    """Let the disk take so many bytes more and then none. Returns what makes room again."""
    left = after
    write = os.write

    def short(descriptor: int, data: Any) -> int:
        nonlocal left
        taken = min(left, len(data))
        if not taken:
            raise OSError(why, os.strerror(why))
        left -= taken
        return write(descriptor, data[:taken])

    monkeypatch.setattr(journal_module.os, "write", short)

    def mended() -> None:
        nonlocal left
        left = 10**9

    return mended


def test_a_file_begins_with_its_first_lines(written: Written) -> None:
    """An empty game leaves nothing, not even a folder or a thread."""
    assert not written.journal.path.parent.exists()
    assert not written.journal.exists
    written.play()
    assert written.journal.exists
    written.check()


def test_each_line_is_there_when_append_returns(written: Written) -> None:
    for _ in range(5):
        assert written.play()
        written.check()
    assert written.changes == []


def test_an_unused_journal_leaves_no_file_and_no_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    journal = Journal(tmp_path / "games" / "one.dvnlog")
    assert journal.close() == ""
    assert threading.active_count() == before
    assert not any(tmp_path.iterdir())


def test_a_name_that_is_taken_gets_a_number(written: Written) -> None:
    path = written.journal.path
    path.parent.mkdir()
    path.write_text("somebody else's")
    written.play()
    assert written.journal.path == path.with_name("one_2.dvnlog")
    written.check()
    assert path.read_text() == "somebody else's"


def test_what_json_cannot_hold_leaves_everything_as_it_was(written: Written) -> None:
    written.play()
    with pytest.raises(TypeError):
        written.journal.append([{"aside": True}, {"aside": object()}])
    written.play()
    written.check()


# Disks that are full, gone, slow or broken ---------------------------------------------------------


@pytest.mark.parametrize("after", [0, 1, 30, 60])
def test_a_full_disk(written: Written, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Told at once; the half line is cut off; with room again the next move brings all of it."""
    written.play()
    saved = written.journal.path.read_bytes()
    mended = fails(monkeypatch, after)
    assert not written.play()
    assert written.journal.trouble == f"{written.journal.path}: {os.strerror(errno.ENOSPC)}"
    assert written.changes == [written.journal.trouble]
    assert written.journal.path.read_bytes() == saved
    assert not written.play()
    assert len(written.changes) == 1
    mended()
    assert written.play()
    written.check()
    assert written.changes[1:] == [""]


def test_a_disk_with_room_again_is_noticed_without_a_move(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "RETRY", 0.05)
    written.play()
    mended = fails(monkeypatch, 10)
    assert not written.play()
    mended()
    until(lambda: written.journal.trouble == "")
    written.check()


def test_half_a_line_that_cannot_be_cut_off_is_written_over(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed meanwhile, the file would have a torn end; going on mends it."""
    written.play()
    mended = fails(monkeypatch, 30)
    with monkeypatch.context() as broken:

        def no(*_: object) -> None:
            raise OSError(errno.EIO, "broken")

        broken.setattr(journal_module.os, "ftruncate", no)
        assert not written.play()
        assert load_journal(written.journal.path).torn
    mended()
    assert written.play()
    written.check()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Something of its name is in the way; once it is gone, the file begins."""
    (tmp_path / "games").write_text("in the way")
    written = Written(tmp_path / "games" / "one.dvnlog")
    assert not written.play()
    assert written.journal.trouble
    assert not written.journal.exists
    (tmp_path / "games").unlink()
    assert written.play()
    written.check()
    assert written.journal.close() == ""


def test_a_disk_that_was_full_from_the_start_gets_no_empty_file(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails(monkeypatch, 0)
    assert not written.play()
    assert "No space" in written.journal.close()
    assert not any(written.journal.path.parent.iterdir())


def test_a_file_that_was_deleted_is_made_anew(written: Written) -> None:
    """Nothing says that writing to it goes nowhere; its number of names does."""
    written.play()
    written.journal.path.unlink()
    assert written.play()
    written.check()


def test_a_continued_file_that_was_deleted_is_made_anew(tmp_path: Path) -> None:
    """With what was in it before."""
    game = Game.at(FULL)
    game.play(first_legal(game.position))
    path = tmp_path / "one.dvnlog"
    path.write_bytes(file_of(game))
    journal = open_journal(path).journal
    assert journal is not None
    path.unlink()
    game.play(first_legal(game.position))
    assert journal.append(list(entry_contents(game.log[2:])))
    assert journal.path.read_bytes() == file_of(game)
    journal.close()


def test_a_disk_that_does_not_answer_holds_nobody_up(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wait has an end, once; then it is told that the game is not saved, until the answer is there."""
    written.play()
    answer = threading.Event()
    write = os.write

    def slow(descriptor: int, data: Any) -> int:
        answer.wait(10)
        return write(descriptor, data)

    monkeypatch.setattr(journal_module.os, "write", slow)
    monkeypatch.setattr(journal_module, "PATIENCE", 0.02)
    assert not written.play()
    assert written.journal.trouble == SLOW
    monkeypatch.setattr(journal_module, "PATIENCE", 100.0)
    assert not written.play()
    answer.set()
    until(lambda: written.journal.trouble == "")
    until(lambda: written.journal.path.read_bytes() == file_of(written.game))
    assert written.changes[-1:] == [""]


def test_it_is_forced_to_the_disk_soon_and_at_the_end(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[int] = []
    monkeypatch.setattr(journal_module, "SYNC", 0.02)
    monkeypatch.setattr(journal_module.os, "fsync", forced.append)
    written.play()
    until(lambda: forced)
    before = len(forced)
    monkeypatch.setattr(journal_module, "SYNC", 100.0)
    written.play()
    written.journal.close()
    assert len(forced) > before


def test_what_cannot_be_forced_to_the_disk_is_told(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = True

    def force(descriptor: int) -> None:
        if broken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(journal_module, "SYNC", 0.02)
    monkeypatch.setattr(journal_module.os, "fsync", force)
    written.play()
    until(lambda: written.journal.trouble)
    assert os.strerror(errno.EIO) in written.journal.trouble
    written.journal.path.write_bytes(b"what the disk forgot".ljust(written.journal.path.stat().st_size))
    broken = False
    until(lambda: not written.journal.trouble)
    written.check()


def test_a_game_that_was_left_is_still_tried(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "RETRY", 0.05)
    mended = fails(monkeypatch, 0)
    assert not written.play()
    written.journal.finish()
    mended()
    until(lambda: not written.journal.trouble)
    written.check()
    until(lambda: not in_use(written.journal.path))


# Going on with a file, and locks --------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A saved game of two moves."""
    game = Game.at(FULL)
    for _ in range(2):
        game.play(first_legal(game.position))
    path = tmp_path / "one.dvnlog"
    path.write_bytes(file_of(game))
    return path


def test_going_on_with_a_file(file: Path) -> None:
    opened = open_journal(file)
    assert opened.journal is not None
    assert (opened.hindrance, opened.journal.path, opened.journal.exists) == ("", file, True)
    game = opened.reading.game
    game.undo()
    game.play(legal_moves(game.position)[-1])
    assert opened.journal.append(list(entry_contents(game.log[3:])))
    assert opened.journal.close() == ""
    assert file.read_bytes() == file_of(game)


def test_a_torn_end_stays_until_something_is_written(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data + b"0badcafe {")
    opened = open_journal(file)
    assert opened.journal is not None
    assert opened.reading.torn == "an unfinished line at the end was left out (10 bytes after line 4)"
    assert file.read_bytes() == data + b"0badcafe {"
    opened.journal.append([aside_content()])
    opened.journal.close()
    assert file.read_bytes() == b"".join(sealed([*contents_of(opened.reading.game), aside_content()]))


def test_a_damaged_file_is_never_written_to(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    data = b"".join([*lines[:3], lines[3].replace(b"StackMoved", b"StackMover")])
    file.write_bytes(data)
    opened = open_journal(file)
    assert (opened.journal, opened.hindrance) == (None, "it is damaged")
    assert len(opened.reading.game.log) == 2
    assert file.read_bytes() == data


def test_two_do_not_write_one_file(file: Path) -> None:
    first = open_journal(file)
    assert first.journal is not None
    assert in_use(file)
    second = open_journal(file)
    assert (second.journal, second.hindrance) == (None, "it is open in another dvonn-tui")
    assert second.reading.game.log == first.reading.game.log
    first.journal.close()
    assert not in_use(file)
    third = open_journal(file)
    assert third.journal is not None
    third.journal.close()


def test_a_new_file_is_locked_as_well(written: Written) -> None:
    written.play()
    assert in_use(written.journal.path)


def test_a_lock_ends_with_its_process(file: Path) -> None:
    """However it ends."""
    code = (
        "import sys; from pathlib import Path; from dvonn_tui.records.journal import open_journal\n"
        "kept = open_journal(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        assert in_use(file)
        other.kill()
        other.wait()
    assert not in_use(file)


def test_a_system_without_locks(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new file is nobody else's; of an old one nobody knows."""
    monkeypatch.setattr(journal_module, "try_lock", lambda _: Lock.UNKNOWN)
    assert open_journal(file).journal is None
    written = Written(file.with_name("new.dvnlog"))
    assert written.play()
    written.journal.close()


@pytest.mark.parametrize("why", [errno.EACCES, errno.EROFS])
def test_a_file_that_can_only_be_read(file: Path, monkeypatch: pytest.MonkeyPatch, why: int) -> None:
    def refuse(*_: object) -> int:
        raise OSError(why, os.strerror(why))

    monkeypatch.setattr(journal_module.os, "open", refuse)
    opened = open_journal(file)
    assert opened.journal is None
    assert opened.hindrance == f"it cannot be written to ({os.strerror(why)})"
    assert len(opened.reading.game.log) == 3


def test_what_is_no_game_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError):
        open_journal(tmp_path / "nothing")
    with pytest.raises(JournalFault, match="not a file"):
        open_journal(tmp_path)
    text = tmp_path / "text"
    text.write_text("hello\n")
    with pytest.raises(JournalFault, match="line 1: "):
        open_journal(text)
    assert text.read_text() == "hello\n"
    descriptor = os.open(text, os.O_RDWR)
    assert try_lock(descriptor) is Lock.HELD
    os.close(descriptor)
    monkeypatch.setattr("dvonn_tui.records.journal_reading.LARGEST_FILE", 3)
    with pytest.raises(JournalFault, match="larger than"):
        load_journal(text)


def test_no_other_floor_is_loaded() -> None:
    """Neither a screen nor an engine, nor whoever uses the files."""
    names = ["journal", "journal_form", "journal_reading", "file_lock"]
    code = f"import sys\nfor name in {names!r}: __import__('dvonn_tui.records.' + name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"textual", "rich", "tomlkit", "platformdirs", "asyncio"}
    own = {name.split(".")[1] for name in loaded if name.startswith("dvonn_tui.")}
    assert own == {"core", "records", "clean"}
