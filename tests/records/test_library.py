"""The index of the library holds what the files hold, whatever happens to it and to them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_position, parse_position
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from dvonn_tui.records import library as library_module
from dvonn_tui.records import shelf
from dvonn_tui.records.forms import read, write
from dvonn_tui.records.library import DELETED, Library, matching
from dvonn_tui.records.moving import CannotMove, bring_back, delete, rename
from dvonn_tui.records.record import Unreadable, score_text, with_tags
from dvonn_tui.records.shelf import LOG, Listed, game_at, games_of, games_of_data

from .journal_tools import file_of
from .tools import DATA, tokens

LATER = 2_000_000_000
"""A time after that of the other games, in seconds since 1970."""


def played(seed: int = 1, plies: int = 4, white: str = "Ada", black: str = "Bela") -> Game:
    """A game in which the first legal move was played so many times."""
    game = Game.new(Setup.BALANCED, seed, white=white, black=black)
    for _ in range(plies):
        game.play(legal_moves(game.position)[0])
    return game


def log(folder: Path, name: str = "2026-11-30-153012-ada-bela", game: Game | None = None) -> Path:
    """The log file of a game."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.dvnlog"
    path.write_bytes(file_of(game or played()))
    return path


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with a log, a record with two games of which one has a fault, and what is no game."""
    folder = tmp_path / "games"
    log(folder)
    record = write(with_tags(played(2, white="Carla"), {"Date": "2025.01.02", "Event": "[b]Club"}))
    broken = record.replace("Carla", "Dora").replace(record.split()[-2], "a1k5")
    (folder / "two.dvn").write_text(f"{record}\n{broken}")
    (folder / "notes.txt").write_text("buy bread")
    (folder / "torn.dvnlog").write_bytes(b'12345678 {"journal"')
    os.utime(folder / "torn.dvnlog", (LATER, LATER))
    return folder


def refreshed(index: Path | None, folder: Path) -> tuple[Library, list[Listed]]:
    """A library that has looked at a folder, and its games."""
    library = Library(index)
    assert library.refresh([(folder, True)]).troubles == ()
    return library, library.games()


def test_what_is_told_of_each_game(games: Path, tmp_path: Path) -> None:
    _, listed = refreshed(tmp_path / "index", games)
    assert [(game.name, game.place, game.games) for game in listed] == [
        ("torn.dvnlog", 0, 0),
        ("2026-11-30-153012-ada-bela.dvnlog", 1, 1),
        ("two.dvn", 1, 2),
        ("two.dvn", 2, 2),
    ]
    torn, own, whole, faulty = listed
    assert own[3:13] == (
        LOG, "Ada", "Bela", "balanced", "1", "*", score_text(played().position), "4", "2026-11-30 15:30",
        format_position(played().position),
    )  # fmt: skip
    assert (whole.white, whole.date, whole.form, whole.faults) == ("Carla", "2025-01-02", "dvn", "")
    assert faulty.white == "Dora"
    assert "(a1k5)" in faulty.faults
    assert "line" in faulty.faults
    assert torn.faults
    assert not torn.position


def test_all_samples_are_listed_with_what_they_hold(tmp_path: Path) -> None:
    _, listed = refreshed(tmp_path / "index", DATA)
    for game in listed:
        if game.place in (1, game.games):
            record = game_at(Path(game.path), game.place)
            assert parse_position(game.position).stacks == record.end.position.stacks
            assert game.result == record.result
            assert (not game.faults) == (not record.faults)
    files = {Path(game.path).name for game in listed}
    assert files == {path.name for path in DATA.rglob("*") if path.is_file()} - {"README.md"}


def test_only_changed_files_are_read_again(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, _ = refreshed(tmp_path / "index", games)
    looked_at: list[str] = []
    real = library_module.listed_games

    def listed_games(path: Path, modified: float) -> object:
        looked_at.append(path.name)
        return real(path, modified)

    monkeypatch.setattr(library_module, "listed_games", listed_games)
    assert not library.refresh([(games, True)]).changed
    assert looked_at == []
    log(games, "2026-12-01-080000-x-y")
    os.utime(games / "two.dvn", (1, 1))
    (games / "torn.dvnlog").unlink()
    assert library.refresh([(games, True)]).changed
    assert sorted(looked_at) == ["2026-12-01-080000-x-y.dvnlog", "two.dvn"]
    assert "torn.dvnlog" not in {game.name for game in library.games()}
    again = Library(tmp_path / "index")
    assert again.games() == library.games()


def test_a_file_with_fewer_games_than_before(games: Path, tmp_path: Path) -> None:
    library, _ = refreshed(tmp_path / "index", games)
    (games / "two.dvn").write_text(write(with_tags(played(3))))
    library.refresh([(games, True)])
    assert [game.place for game in library.games() if game.name == "two.dvn"] == [1]


@pytest.mark.parametrize("damage", ["deleted", "garbage", "torn", "other version", "other tables", "folder"])
def test_an_index_that_is_not_to_be_used_is_made_anew(damage: str, games: Path, tmp_path: Path) -> None:
    index = tmp_path / "state" / "index"
    library, before = refreshed(index, games)
    library.close()
    if damage == "deleted":
        index.unlink()
    elif damage == "garbage":
        index.write_bytes(b"no index at all" * 1000)
    elif damage == "torn":
        index.write_bytes(index.read_bytes()[:5000])
    elif damage == "folder":
        index.unlink()
        index.mkdir()
    else:
        with sqlite3.connect(index) as connection:
            if damage == "other version":
                connection.execute("PRAGMA user_version = 99")
            else:
                connection.execute("DROP TABLE games")
                connection.execute("CREATE TABLE games (something)")
        connection.close()
    library, after = refreshed(index, games)
    assert after == before
    assert library.in_memory == (damage == "folder")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_cannot_be_written(games: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0o500)
    library, listed = refreshed(state / "index", games)
    assert library.in_memory
    assert len(listed) == 4


def test_an_index_below_a_file_is_kept_in_memory(games: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    library, listed = refreshed(tmp_path / "file" / "index", games)
    assert library.in_memory
    assert len(listed) == 4
    assert not library.refresh([(games, True)]).changed


def test_an_index_that_can_only_be_read_is_taken_over(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the disk had become full: what is known stays, what is new is in memory."""
    library, before = refreshed(tmp_path / "index", games)
    library._open().execute("PRAGMA query_only = 1")
    log(games, "2026-12-01-080000-x-y")
    assert library.refresh([(games, True)]).changed
    assert library.in_memory
    assert [game for game in library.games() if game in before] == before
    assert len(library.games()) == len(before) + 1


def test_two_applications_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    for number in range(30):
        log(folder, f"2026-11-30-1530{number:02}-a-b", played(number, 2))
    found: list[list[Listed]] = []

    def look() -> None:
        library = Library(tmp_path / "index")
        for _ in range(3):
            library.refresh([(folder, True)])
            found.append(library.games())
        assert not library.in_memory
        library.close()

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 9
    assert all(len(games) == 30 for games in found)


def test_folders(games: Path, tmp_path: Path) -> None:
    """Each file is listed once; hidden and deleted ones are not, and a folder that is missing is told."""
    for inside in ("deep/er", DELETED, ".hidden"):
        (games / inside).mkdir(parents=True)
        shutil.copy(games / "two.dvn", games / inside / "copy.dvn")
    (games / "loop").symlink_to(games, target_is_directory=True)
    library = Library(None)
    told = library.refresh([(games, False), (games / "deep", True), (tmp_path / "none", True), (games, True)])
    assert len(told.troubles) == 1
    assert "none" in told.troubles[0]
    copies = [game.path for game in library.games() if game.name == "copy.dvn"]
    assert copies == [str(games / "deep" / "er" / "copy.dvn")] * 2
    library.refresh([(games, False)])
    assert not [game for game in library.games() if game.name == "copy.dvn"]


def test_what_was_read_before_it_is_stopped_is_kept(games: Path, tmp_path: Path) -> None:
    library = Library(tmp_path / "index")
    asked = iter([False, False, True])
    library.refresh([(games, True)], stopped=lambda: next(asked, True))
    some = len(library.games())
    assert 0 < some < 4
    library.refresh([(games, True)])
    assert len(library.games()) == 4


def test_filter(games: Path) -> None:
    _, listed = refreshed(None, games)

    def found(text: str) -> list[str]:
        return [game.white for game in matching(listed, text)]

    assert found("") == [game.white for game in listed]
    assert found("carla") == ["Carla"]
    assert found("CAR balanced bel") == ["Carla"]
    assert found("two.dvn unfinished") == ["Carla", "Dora"]
    assert found("fault dora") == ["Dora"]
    assert found("2026-11-30 15:30") == ["Ada"]
    assert found("carla dora") == []


def test_outside_text_is_clean(tmp_path: Path) -> None:
    """Names of players and of files reach a screen as they are listed."""
    folder = tmp_path / "games"
    folder.mkdir()
    record = write(with_tags(played(1, 2)))
    (folder / "a\x1b[31mb.dvn").write_text(record.replace('[White "Ada"]', '[White "A\x1bd\u202ea"]'))
    _, (listed,) = refreshed(None, folder)
    assert all(map(str.isprintable, (listed.white, listed.name, listed.words)))
    assert listed.white == "A?d?a"


def test_a_log_and_a_record_are_both_read_from_bytes() -> None:
    game = played()
    (own,) = games_of_data(file_of(game))
    (other,) = games_of_data(write(with_tags(game)).encode())
    assert tokens(own.game) == tokens(other.game)
    with pytest.raises(Unreadable):
        list(games_of_data(file_of(game)[:30]))


def test_a_damaged_log_tells_up_to_where(tmp_path: Path) -> None:
    path = log(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"n":3', b'"n":8'))
    (record,) = games_of(path)
    assert record.plies == 2
    assert "line 5" in str(record.faults[0])


def test_a_game_that_is_gone(games: Path) -> None:
    with pytest.raises(Unreadable, match="no game 3"):
        game_at(games / "two.dvn", 3)


def test_result_words_are_there_for_every_result() -> None:
    from dvonn_tui.records.record import RESULTS

    assert set(shelf.RESULT_WORDS) == set(RESULTS)


# Files ------------------------------------------------------------------------------------------


def test_rename(games: Path) -> None:
    new = rename(games / "two.dvn", " three ")
    assert new == games / "three.dvn"
    assert len(list(read(new.read_bytes()))) == 2
    assert not (games / "two.dvn").exists()
    assert rename(new, "three") == new


@pytest.mark.parametrize("name", ["", " ", ".hidden", "a/b", "..", "a\\b", "c:", "taken"])
def test_a_name_that_is_refused_changes_nothing(name: str, games: Path) -> None:
    (games / "taken.dvn").write_text("mine")
    before = sorted(games.iterdir())
    with pytest.raises(CannotMove):
        rename(games / "two.dvn", name)
    assert sorted(games.iterdir()) == before
    assert (games / "taken.dvn").read_text() == "mine"


def test_deleted_files_come_back(games: Path) -> None:
    path = games / "two.dvn"
    text = path.read_text()
    deleted = delete(path)
    assert deleted == games / DELETED / "two.dvn"
    assert not path.exists()
    path.write_text("another")
    assert delete(path) == games / DELETED / "two_2.dvn"
    path.write_text("a third")
    back = bring_back(deleted, path)
    assert back == games / "two_2.dvn"
    assert back.read_text() == text
    assert path.read_text() == "a third"
    assert bring_back(games / DELETED / "two_2.dvn", games / "four.dvn").read_text() == "another"
    assert not (games / DELETED).exists()


def test_a_file_that_is_played_stays(games: Path) -> None:
    from dvonn_tui.records.journal import open_journal

    path = games / "2026-11-30-153012-ada-bela.dvnlog"
    opened = open_journal(path)
    assert opened.journal is not None
    with pytest.raises(CannotMove, match="being played"):
        delete(path)
    with pytest.raises(CannotMove, match="being played"):
        rename(path, "other")
    opened.journal.close()
    assert delete(path).exists()


def test_where_there_are_no_links(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object, **__: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", link)
    (games / "taken.dvn").write_text("mine")
    with pytest.raises(CannotMove, match="already"):
        rename(games / "two.dvn", "taken")
    assert rename(games / "two.dvn", "free").exists()
    assert (games / "taken.dvn").read_text() == "mine"


def test_a_file_that_is_gone_is_told(games: Path) -> None:
    with pytest.raises(CannotMove, match=r"none\.dvn"):
        delete(games / "none.dvn")
