"""Each game in its own file, and going on with it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dvonn_tui.core.events import AgreeDraw, Place, PlaceRest, Resign
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import CellMark, MarkKind
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.autosave import Autosave, Origin, file_name
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.clocks import NO_CLOCK, parse_clock
from dvonn_tui.play.resuming import CannotResume, choice_of, find_file, find_waiting, lay_aside, resume
from dvonn_tui.play.session import Session
from dvonn_tui.play.timekeeping import Halt
from dvonn_tui.records import journal as journal_module
from dvonn_tui.records.details import SPENT
from dvonn_tui.records.forms import write
from dvonn_tui.records.journal import in_use
from dvonn_tui.records.journal_reading import load_journal
from dvonn_tui.records.seating import Seating
from dvonn_tui.records.shelf import games_of
from dvonn_tui.records.turn_clock import TurnClock
from tests.core.tools import FULL, cell, first_legal

from .clock_tools import Time, both, timed

BEGUN = datetime(2026, 11, 30, 15, 30, 12, tzinfo=UTC)
SEATING = Seating("human", "level 3")


class Table:
    """Games that are played and saved one after the other, a minute apart."""

    def __init__(self, folder: Path) -> None:
        self.time = BEGUN
        self.autosave = Autosave(folder, now=self._now)
        self.session = Session(Game.at(FULL))

    def _now(self) -> datetime:
        self.time += timedelta(minutes=1)
        return self.time - timedelta(minutes=1)

    def begin(self, game: Game | None = None, seating: Seating = SEATING) -> Session:
        """Another game."""
        self.session = Session(game or Game.at(FULL, white="Ada", black="Level 3"))
        self.autosave.follow(self.session, seating)
        return self.session

    def play(self, plies: int = 1) -> Path:
        """Some moves in the present game, which is then in this file."""
        for _ in range(plies):
            self.session.submit(first_legal(self.session.game.position))
        path = self.autosave.path
        assert path is not None
        return path


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(journal_module, "PATIENCE", 5.0)
    table = Table(tmp_path / "games")
    yield table
    table.autosave.close()


def until_free(*paths: Path) -> None:
    """Wait until files that were left are forced to the disk and released."""
    end = time.monotonic() + 10
    while any(in_use(path) for path in paths):
        assert time.monotonic() < end
        time.sleep(0.01)


def saved_log(path: Path) -> tuple[object, ...]:
    """The log that a file tells, which must have no fault."""
    reading = load_journal(path)
    assert (reading.torn, reading.damage) == ("", "")
    return reading.game.log


@pytest.mark.parametrize(
    ("white", "black", "name"),
    [
        ("Ada", "Engine", "2026-11-30-153012-ada-engine"),
        ("Zoë Müller", "Level 3", "2026-11-30-153012-zoe-muller-level-3"),
        ("日本", "../../etc", "2026-11-30-153012-white-etc"),
        ("x" * 100, "  ", f"2026-11-30-153012-{'x' * 24}-black"),
    ],
)
def test_the_name_of_a_file(white: str, black: str, name: str) -> None:
    """Sorts by time, and no file system takes offence."""
    assert file_name(BEGUN, white, black) == name


def test_everything_is_in_the_file_at_once(table: Table) -> None:
    """Moves, steps back, lines, comments, marks, the end: after each the file holds the whole log."""
    session = table.begin()
    game = session.game
    path = table.play(3)
    assert path.name == "2026-11-30-153012-ada-level-3.dvnlog"
    first = game.entry(1)
    for deed in (
        session.undo,
        session.redo,
        lambda: game.go_to(first),
        lambda: game.comment(first, "a start\nof a game"),
        lambda: game.mark_cells(first, [CellMark(cell("f3"), MarkKind.STAR)]),
        lambda: game.play(first_legal(first.position)),
        lambda: game.hide(game.entry(2)),
        lambda: session.submit(Resign(Side.WHITE)),
    ):
        deed()
        assert saved_log(path) == game.log
    reading = load_journal(path)
    assert (reading.header.begun, reading.seating) == (BEGUN, SEATING)
    assert reading.game.comment_of(first) == "a start\nof a game"


def test_a_placement_at_random_is_one_piece_of_the_file(table: Table) -> None:
    """All 49 in one go: whoever is killed has seen all or none."""
    session = table.begin(Game.new(Setup.MANUAL))
    session.submit(Place(cell("a1")))
    session.submit(PlaceRest(3))
    assert table.autosave.path is not None
    assert saved_log(table.autosave.path) == session.game.log
    assert table.autosave.path.read_bytes().count(b'"entries":48') == 1


def test_an_empty_game_leaves_no_file(table: Table) -> None:
    table.begin()
    table.autosave.seat(Seating())
    table.autosave.lay_aside()
    table.begin()
    assert table.autosave.close() == ""
    assert not table.autosave.folder.exists()
    assert table.autosave.name is None


def test_ten_games_are_ten_files(table: Table) -> None:
    """One readable record each, and what happens to a game that was left is not written."""
    logs = []
    for _ in range(10):
        session = table.begin()
        table.play()
        session.submit(AgreeDraw())
        logs.append(session.game.log)
    left = session
    table.begin()
    left.undo()
    files = sorted(table.autosave.folder.iterdir())
    assert [saved_log(path) for path in files] == logs
    assert find_waiting(table.autosave.folder) is None


def test_seats_are_kept(table: Table) -> None:
    """Those at the beginning and every change."""
    table.begin(seating=Seating("level 1", "level 2"))
    other = Seating("human", "level 2", True)
    table.autosave.seat(other)
    path = table.play()
    assert load_journal(path).header.seating == other
    table.autosave.seat(SEATING)
    table.autosave.seat(SEATING)
    reading = load_journal(path)
    assert (reading.header.seating, reading.seating) == (other, SEATING)
    assert path.read_bytes().count(b'"seats"') == 1


def test_switched_off_and_on(table: Table) -> None:
    """Off, nothing is written; on again, the next move brings all of it."""
    session = table.begin()
    table.autosave.enabled = False
    session.submit(first_legal(session.game.position))
    assert not table.autosave.folder.exists()
    assert (table.autosave.path, table.autosave.trouble) == (None, "")
    table.autosave.enabled = True
    assert table.autosave.name is None
    path = table.play()
    assert saved_log(path) == session.game.log
    assert table.autosave.name == path.name


def test_trouble_is_told_and_goes_again(table: Table) -> None:
    """Also that of a game that was left."""
    told: list[str] = []
    table.autosave.on_change = lambda: told.append(table.autosave.trouble)
    table.autosave.folder.write_text("in the way")
    session = table.begin()
    session.submit(first_legal(session.game.position))
    trouble = table.autosave.trouble
    assert trouble.startswith(str(table.autosave.folder))
    assert (table.autosave.path, table.autosave.name) == (None, None)
    left = session.game.log
    session = table.begin()
    assert table.autosave.trouble == trouble
    table.autosave.folder.unlink()
    table.play()
    assert set(told) == {trouble}
    assert table.autosave.close() == ""
    files = sorted(table.autosave.folder.iterdir())
    assert [saved_log(path) for path in files] == [left, session.game.log]
    assert table.autosave.trouble == ""


# Going on -----------------------------------------------------------------------------------------


def test_going_on_where_it_was(table: Table) -> None:
    """Game, head, seats; and what is played then goes to the same file."""
    session = table.begin(Game.new(Setup.BALANCED, 4711, white="Ada", black="Level 3"))
    path = table.play(4)
    session.undo()
    table.autosave.seat(Seating("human", "level 5", True))
    table.autosave.close()
    resumed = resume(path)
    assert resumed.notes == ()
    assert resumed.game.log == session.game.log
    assert resumed.game.head == session.game.head
    assert resumed.seating == Seating("human", "level 5", True)
    assert resumed.choice == GameChoice(Setup.BALANCED, 4711, "Ada", "Level 3", "human", "level 5")
    again = Session(resumed.game)
    table.autosave.follow(again, resumed.seating, Origin(resumed.journal))
    assert table.autosave.name == path.name
    again.redo()
    again.submit(first_legal(again.game.position))
    assert saved_log(path) == again.game.log
    assert list(table.autosave.folder.iterdir()) == [path]


def test_a_game_with_a_clock_goes_on_with_what_was_left(table: Table) -> None:
    """The file tells how time is given and what every action left; so does the record of it."""
    time = Time()
    session = table.session = timed("5+3", time)
    table.autosave.follow(session, SEATING)
    for wait in (4, 11):
        time.wait(wait)
        path = table.play()
    table.autosave.close()
    resumed = resume(path)
    assert resumed.choice.clock == parse_clock("5+3")
    assert [entry.details for entry in resumed.game.log] == [entry.details for entry in session.game.log]
    again = Session(resumed.game, rule=resumed.choice.clock, now=time.now)
    assert both(again) == both(session) == (299, 292)
    (record,) = games_of(path)
    assert record.tags["TimeControl"] == "300+3"
    assert "[%clk 0:04:59]" in write(record)
    assert "[%emt 0:00:11]" in write(record)


def left_in_a_turn(table: Table, rule: str, time: Time) -> tuple[Session, Path]:
    """A game in which White has moved, and its file."""
    session = table.session = timed(rule, time)
    table.autosave.follow(session, SEATING)
    time.wait(4)
    return session, table.play()


def taken_up_again(table: Table, path: Path, time: Time) -> Session:
    """The same game some days later, in its file, with its clocks standing."""
    time.wait(200_000)
    resumed = resume(path)
    session = table.session = Session(
        resumed.game, rule=resumed.choice.clock, now=time.now, wall=time.wall_now, turn=resumed.turn
    )
    session.halt(Halt.PAUSED)
    session.start_clocks()
    table.autosave.follow(session, resumed.seating, Origin(resumed.journal))
    return session


@pytest.mark.parametrize(
    ("rule", "left"), [("5", (296, 250)), ("5+3", (299, 250)), ("5d20", (300, 270)), ("60s", (60, 10))]
)
def test_leaving_in_the_middle_of_a_turn_wins_no_time(
    rule: str, left: tuple[float, float], table: Table
) -> None:
    """However often it is done. Time while the program is closed is nobody's."""
    time = Time()
    session, path = left_in_a_turn(table, rule, time)
    time.wait(30)
    table.autosave.close()
    session = taken_up_again(table, path, time)
    session.go_on(Halt.PAUSED)
    time.wait(20)
    table.autosave.close()
    session = taken_up_again(table, path, time)
    assert both(session) == left
    session.go_on(Halt.PAUSED)
    time.wait(1)
    table.play()
    assert session.game.head.details[SPENT] == 51, "the turn took what it took in all three sittings"
    assert saved_log(path) == session.game.log


def test_a_delay_that_was_begun_is_not_given_anew(table: Table) -> None:
    time = Time()
    session, path = left_in_a_turn(table, "5d20", time)
    time.wait(15)
    table.autosave.close()
    session = taken_up_again(table, path, time)
    session.go_on(Halt.PAUSED)
    time.wait(15)
    assert both(session) == (300, 290)


def test_a_flag_that_was_about_to_fall_falls(table: Table) -> None:
    time = Time()
    _, path = left_in_a_turn(table, "1", time)
    time.wait(59.5)
    table.autosave.close()
    session = taken_up_again(table, path, time)
    assert not session.flag(), "it is paused"
    session.go_on(Halt.PAUSED)
    time.wait(0.4)
    assert not session.flag()
    time.wait(0.1)
    assert session.flag()


def test_a_crash_gives_back_five_seconds_at_most(table: Table) -> None:
    """The clocks are looked at once a second; what is in the file then is all that there is."""
    time = Time()
    session, path = left_in_a_turn(table, "5", time)
    most = 0.0
    for _ in range(60):
        time.wait(0.9)
        clocks, turn = session.clocks, load_journal(path).turn
        assert clocks is not None
        known = 300 if turn is None else turn.left
        most = max(most, known - clocks.left(Side.BLACK, time.now()))
        table.autosave.keep_clock()
    assert 1 < most <= 5
    assert len(path.read_bytes().splitlines()) < 20


def test_what_is_left_holds_until_the_next_turn(table: Table) -> None:
    """A comment and a change of seats begin none; a move, undo and redo do."""
    time = Time()
    session, path = left_in_a_turn(table, "5", time)
    time.wait(30)
    table.autosave.keep_clock(at_once=True)
    kept = TurnClock(270)
    assert load_journal(path).turn == kept
    session.comment(session.game.head, "what now?")
    table.autosave.seat(Seating("level 1", "human"))
    assert load_journal(path).turn == kept
    table.play()
    assert load_journal(path).turn is None
    for begins in (session.undo, session.redo):
        time.wait(9)
        table.autosave.keep_clock(at_once=True)
        assert load_journal(path).turn is not None
        assert begins()
        assert load_journal(path).turn is None
    assert saved_log(path) == session.game.log


def test_opening_a_game_and_leaving_it_writes_nothing(table: Table) -> None:
    time = Time()
    _, path = left_in_a_turn(table, "5", time)
    time.wait(30)
    table.autosave.close()
    before = path.read_bytes()
    taken_up_again(table, path, time)
    time.wait(30)
    table.autosave.close()
    assert path.read_bytes() == before


def test_a_game_left_for_another_one_knows_what_was_left(table: Table) -> None:
    time = Time()
    _, path = left_in_a_turn(table, "5", time)
    time.wait(2)
    table.begin()
    until_free(path)
    assert load_journal(path).turn == TurnClock(298)


def test_a_game_laid_aside_knows_what_was_left_and_stays_aside(table: Table) -> None:
    time = Time()
    _, path = left_in_a_turn(table, "5", time)
    time.wait(30)
    table.autosave.lay_aside()
    time.wait(30)
    table.begin()
    until_free(path)
    reading = load_journal(path)
    assert reading.aside
    assert reading.turn == TurnClock(270)


def test_what_is_left_goes_into_another_folder_and_into_a_copy(table: Table, tmp_path: Path) -> None:
    time = Time()
    _, path = left_in_a_turn(table, "5", time)
    time.wait(30)
    table.autosave.move(tmp_path / "other")
    table.autosave.keep_clock()
    moved = table.autosave.path
    assert moved is not None
    assert load_journal(moved).turn == TurnClock(270)
    resumed = resume(moved)
    assert resumed.journal is None, "it is open"
    copy = Session(resumed.game, rule=resumed.choice.clock, now=time.now, turn=resumed.turn)
    table.autosave.follow(copy, resumed.seating, Origin(None, moved.name))
    copy.comment(copy.game.head, "a copy")
    table.autosave.close()
    assert table.autosave.path not in (None, path, moved)
    assert table.autosave.path is not None
    assert load_journal(table.autosave.path).turn == TurnClock(270)


def test_what_is_left_is_not_told_of_a_turn_that_is_not_in_the_file(table: Table) -> None:
    """Saving was switched off while somebody played, and on again."""
    time = Time()
    _, path = left_in_a_turn(table, "5", time)
    table.autosave.enabled = False
    table.play()
    time.wait(30)
    table.autosave.enabled = True
    table.autosave.keep_clock(at_once=True)
    assert load_journal(path).turn is None


def test_a_finished_game_is_taken_up_without_a_clock(table: Table) -> None:
    """It is looked at, and nobody is to lose on time while he does."""
    session = table.session = timed("5", Time())
    table.autosave.follow(session, SEATING)
    path = table.play()
    session.submit(Resign(Side.WHITE))
    table.autosave.close()
    assert resume(path).choice.clock == NO_CLOCK


def test_the_choice_of_a_game_from_a_position(table: Table) -> None:
    choice = choice_of(Game.at(FULL, white="Ada"), Seating())
    assert choice == GameChoice(Setup.POSITION, None, "Ada", "Black", position=FULL)
    assert choice.begin().position == FULL


def test_the_game_that_waits(table: Table) -> None:
    """The one that was written last, of those that are not finished, laid aside or played right now."""
    folder = table.autosave.folder
    assert find_waiting(folder) is None
    paths = []
    for _ in range(4):
        table.begin()
        paths.append(table.play())
    table.session.submit(AgreeDraw())
    table.begin()
    playing = table.play()
    until_free(*paths)
    for age, path in enumerate((playing, *reversed(paths))):
        os.utime(path, (1_800_000_000 - age, 1_800_000_000 - age))
    waiting = find_waiting(folder)
    assert waiting is not None
    assert (waiting.path, waiting.touched) == (paths[2], 1_800_000_000 - 2)
    assert len(waiting.reading.game.log) == 2
    lay_aside(paths[2])
    until_free(paths[2])
    waiting = find_waiting(folder)
    assert waiting is not None
    assert waiting.path == paths[1]
    paths[1].write_text("damaged\n")
    (folder / "notes.txt").write_text("not ours")
    (folder / "folder.dvnlog").mkdir()
    waiting = find_waiting(folder)
    assert waiting is not None
    assert waiting.path == paths[0]


def test_a_game_that_was_finished_and_taken_back_waits(table: Table) -> None:
    session = table.begin()
    table.play()
    session.submit(AgreeDraw())
    session.undo()
    path = table.autosave.path
    table.autosave.close()
    waiting = find_waiting(table.autosave.folder)
    assert waiting is not None
    assert waiting.path == path


def test_a_comment_on_a_finished_game_does_not_make_it_wait(table: Table) -> None:
    session = table.begin()
    table.play()
    session.submit(AgreeDraw())
    session.game.comment(session.game.head, "well played")
    table.autosave.close()
    assert find_waiting(table.autosave.folder) is None


def test_a_game_that_was_laid_aside_is_taken_up_by_playing(table: Table) -> None:
    table.begin()
    path = table.play()
    table.autosave.lay_aside()
    table.autosave.close()
    assert find_waiting(table.autosave.folder) is None
    resumed = resume(path)
    session = Session(resumed.game)
    table.autosave.follow(session, resumed.seating, Origin(resumed.journal))
    session.submit(first_legal(session.game.position))
    table.autosave.close()
    assert find_waiting(table.autosave.folder) is not None


def test_a_second_application_goes_on_with_a_copy(table: Table) -> None:
    """Two never write one file, and the second says so."""
    first = table.begin()
    path = table.play(2)
    before = path.read_bytes()
    resumed = resume(path)
    assert resumed.journal is None
    assert resumed.notes == (
        f"{path.name}: it is open in another dvonn-tui; you go on with a copy in a file of its own",
    )
    other = Table(table.autosave.folder)
    other.time += timedelta(hours=1)
    other.session = Session(resumed.game)
    other.autosave.follow(other.session, resumed.seating, Origin(None, path.name))
    assert other.autosave.name is None
    copy = other.play()
    assert path.read_bytes() == before
    assert load_journal(copy).header.copy_of == path.name
    assert saved_log(copy) == other.session.game.log
    assert saved_log(copy)[:3] == first.game.log
    other.autosave.close()


def test_a_damaged_file_is_kept_and_gone_on_from(table: Table) -> None:
    """With the line and the reason."""
    session = table.begin()
    path = table.play(3)
    table.autosave.close()
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:3], lines[3].replace(b'"w"', b'"b"').replace(b'"b4"', b'"b5"'), *lines[4:]])
    damaged = damaged.replace(lines[3][:8], b"00000000")
    path.write_bytes(damaged)
    resumed = resume(path)
    assert resumed.journal is None
    (note,) = resumed.notes
    assert note.startswith(f"{path.name}, line 4: the checksum is wrong")
    assert note.endswith("The file is kept as it is, and going on writes a new one")
    assert resumed.game.log == session.game.log[:2]
    assert path.read_bytes() == damaged


def test_a_torn_end_is_told(table: Table) -> None:
    session = table.begin()
    path = table.play(2)
    table.autosave.close()
    path.write_bytes(path.read_bytes()[:-5])
    resumed = resume(path)
    assert resumed.journal is not None
    assert resumed.notes[0].startswith(f"{path.name}: an unfinished line at the end was left out (")
    assert resumed.game.log == session.game.log[:2]
    again = Session(resumed.game)
    table.autosave.follow(again, resumed.seating, Origin(resumed.journal))
    table.session = again
    table.play()
    assert saved_log(path) == again.game.log


def test_what_cannot_be_gone_on_with(table: Table, tmp_path: Path) -> None:
    """Said in one line, with the file and why."""
    with pytest.raises(CannotResume, match=r"gone\.dvnlog: No such file"):
        resume(tmp_path / "gone.dvnlog")
    with pytest.raises(CannotResume, match="not a file"):
        resume(tmp_path)
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(CannotResume, match="text: line 1: "):
        resume(tmp_path / "text")
    with pytest.raises(CannotResume):
        resume(Path("a\0b"))
    lay_aside(tmp_path / "gone.dvnlog")


def test_a_file_by_its_name(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder of the games, with or without its ending; a path is a path."""
    folder = tmp_path / "games"
    folder.mkdir()
    saved = folder / "one.dvnlog"
    saved.touch()
    monkeypatch.chdir(tmp_path)
    assert find_file("one.dvnlog", folder) == find_file("one", folder) == saved
    assert find_file("two", folder) == Path("two")
    assert find_file("games/two.dvnlog", folder) == Path("games/two.dvnlog")
    (tmp_path / "one").touch()
    assert find_file("one", folder) == Path("one")
    for strange in ("a\0b", "x" * 5000):
        assert find_file(strange, folder) == Path(strange)


def test_a_file_elsewhere_is_named_with_its_path(table: Table, tmp_path: Path) -> None:
    table.begin()
    path = table.play()
    table.autosave.close()
    elsewhere = tmp_path / "mailed.dvnlog"
    elsewhere.write_bytes(path.read_bytes())
    resumed = resume(elsewhere)
    table.autosave.follow(Session(resumed.game), resumed.seating, Origin(resumed.journal))
    assert table.autosave.name == str(elsewhere)
    assert in_use(elsewhere)


def test_clock_readings_come_back(table: Table) -> None:
    """What rides on the entries is kept for those who will keep time."""
    session = table.begin()
    session.game.play(first_legal(session.game.position), {"clock": [600.0, 588.5]})
    assert table.autosave.path is not None
    entry = load_journal(table.autosave.path).game.log[1]
    assert entry.details == {"clock": [600.0, 588.5]}
    assert entry == replace(session.game.log[1])


def test_another_folder(table: Table, tmp_path: Path) -> None:
    """All of the present game goes there, and those that follow; what could not be written is dropped."""
    table.autosave.folder.write_text("in the way")
    session = table.begin()
    session.submit(first_legal(session.game.position))
    assert table.autosave.trouble
    other = tmp_path / "elsewhere"
    assert table.autosave.move(other) == ""
    assert table.autosave.trouble == ""
    path = table.play()
    assert path.parent == other
    assert saved_log(path) == session.game.log
    assert table.autosave.name == str(path)
    table.begin()
    assert table.play().parent == other


def test_another_folder_for_a_game_that_is_saved(table: Table, tmp_path: Path) -> None:
    """The file that there is stays; the new one names it."""
    session = table.begin()
    first = table.play()
    before = first.read_bytes()
    assert table.autosave.move(tmp_path / "elsewhere") == ""
    path = table.play()
    assert first.read_bytes() == before
    assert load_journal(path).header.copy_of == first.name
    assert saved_log(path) == session.game.log


def test_another_folder_before_anything_was_played(table: Table, tmp_path: Path) -> None:
    table.begin()
    assert table.autosave.move(tmp_path / "elsewhere") == ""
    assert not (tmp_path / "elsewhere").exists()
    assert table.play().parent == tmp_path / "elsewhere"


def test_another_folder_that_is_none(table: Table, tmp_path: Path) -> None:
    table.begin()
    table.play()
    (tmp_path / "elsewhere").write_text("in the way")
    assert str(tmp_path / "elsewhere") in table.autosave.move(tmp_path / "elsewhere")
