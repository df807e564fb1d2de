"""What an installation keeps: its secret and the tokens of its seats."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import keeping as keeping_module
from dvonn_tui.tables.identity import MOST_PROGRAMS
from dvonn_tui.tables.keeping import LARGEST_FILE, Keeping

SERVER, TABLE = "club.example:3866", "KZ7Q2M"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_secret_stays_and_each_server_gets_another(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "tables"
    first = Keeping(folder)
    secret = first.secret_for(SERVER)
    assert len(secret) >= 32
    assert first.secret_for("elsewhere:3866") != secret
    assert Keeping(folder).secret_for(SERVER) == secret
    assert Keeping(tmp_path / "other").secret_for(SERVER) != secret
    written = (folder / "installation").read_text().strip()
    assert written not in secret
    assert first.problems == ()


def test_the_readme_tells_where_a_seat_is_kept(tmp_path: Path) -> None:
    Keeping(tmp_path).keep(SERVER, TABLE, "token", Side.WHITE)
    (kept,) = (file.name for file in tmp_path.rglob("*.json"))
    readme = Path(__file__).parents[2].joinpath("README.md").read_text("utf-8")
    assert f"\n`{kept}` in the user's data folder" in readme


@pytest.mark.skipif(os.name != "posix", reason="rights of files")
def test_nobody_else_can_read_them(tmp_path: Path) -> None:
    keeping = Keeping(tmp_path)
    keeping.secret_for(SERVER)
    for _ in range(2):
        keeping.keep(SERVER, TABLE, "token", Side.WHITE)
        assert {mode(tmp_path / name) for name in ("installation", "seats.json")} == {0o600}
    os.chmod(tmp_path / "seats.json", 0o644)
    keeping.keep(SERVER, TABLE, "token", Side.WHITE)
    assert mode(tmp_path / "seats.json") == 0o600


def test_seats_newest_first_and_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping_module, "MOST_SEATS", 20)
    times = iter(range(1, 1_000))
    keeping = Keeping(tmp_path, wall=lambda: float(next(times)))
    for number in range(25):
        keeping.keep(
            SERVER, f"T{number}", f"token {number}", Side.BLACK, title="Club", white="Ada", black="Bob"
        )
    again = Keeping(tmp_path)
    seats = again.seats()
    assert [seat.table for seat in seats] == [f"T{number}" for number in range(24, 4, -1)]
    assert (seats[0].title, seats[0].white, seats[0].side) == ("Club", "Ada", Side.BLACK)
    assert again.token(SERVER, "T9") == "token 9"
    assert again.token("elsewhere:3866", "T9") == again.token(SERVER, "T0") == ""
    again.forget(SERVER, "T9")
    again.forget(SERVER, "T9")
    assert Keeping(tmp_path).token(SERVER, "T9") == ""
    assert keeping.token(SERVER, "T9") == ""  # what another program changed is seen


def test_programs_that_run_at_once_are_others_to_a_server(tmp_path: Path) -> None:
    """Each keeps seats of its own, at the same table too; what one has no other takes up."""
    one, other = Keeping(tmp_path), Keeping(tmp_path)
    one.hold()
    first = one.secret_for(SERVER)
    other.hold()
    second = other.secret_for(SERVER)
    assert first != second
    one.keep(SERVER, TABLE, "of one", Side.WHITE)
    other.keep(SERVER, TABLE, "of the other", Side.BLACK)
    assert one.token(SERVER, TABLE) == "of one"
    assert other.token(SERVER, TABLE) == "of the other"
    assert Keeping(tmp_path).seats() == ()
    other.forget(SERVER, TABLE)
    assert one.token(SERVER, TABLE) == "of one"
    other.keep(SERVER, TABLE, "of the other", Side.BLACK)
    # The first one ends: its seat can be taken up, and its identity is the next one's.
    one.release()
    assert Keeping(tmp_path).token(SERVER, TABLE) == "of one"
    assert other.token(SERVER, TABLE) == "of the other"
    assert Keeping(tmp_path).secret_for(SERVER) == first
    other.release()
    again = Keeping(tmp_path)
    again.hold()
    assert again.secret_for(SERVER) == first
    assert again.token(SERVER, TABLE) == "of one"
    again.forget(SERVER, TABLE)
    assert again.seats() == Keeping(tmp_path).seats() == ()


def test_an_identity_is_held_until_the_last_line_is_closed(tmp_path: Path) -> None:
    keeping = Keeping(tmp_path)
    keeping.hold()
    keeping.hold()
    secret = keeping.secret_for(SERVER)
    keeping.release()
    assert Keeping(tmp_path).secret_for(SERVER) != secret
    keeping.release()
    assert Keeping(tmp_path).secret_for(SERVER) == secret


def test_a_killed_program_leaves_its_identity(tmp_path: Path) -> None:
    """However it ends, the lock ends with it."""
    code = f"""
from pathlib import Path
from dvonn_tui.core.pieces import Side
from dvonn_tui.tables.identity import MOST_PROGRAMS
from dvonn_tui.tables.keeping import Keeping
keeping = Keeping(Path({str(tmp_path)!r}))
keeping.hold()
keeping.keep({SERVER!r}, {TABLE!r}, "token", Side.WHITE)
print(keeping.secret_for({SERVER!r}), flush=True)
input()
"""
    program = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert program.stdout is not None
    secret = program.stdout.readline().decode().strip()
    assert Keeping(tmp_path).seats() == ()
    assert Keeping(tmp_path).secret_for(SERVER) != secret
    program.kill()
    program.communicate()
    assert Keeping(tmp_path).token(SERVER, TABLE) == "token"
    assert Keeping(tmp_path).secret_for(SERVER) == secret


def test_more_programs_than_are_told_apart(tmp_path: Path) -> None:
    """What the last ones keep lasts as long as they run."""
    programs = [Keeping(tmp_path) for _ in range(MOST_PROGRAMS + 2)]
    for program in programs:
        program.hold()
    assert len({program.secret_for(SERVER) for program in programs}) == len(programs)
    last = programs[-1]
    last.keep(SERVER, TABLE, "token", Side.WHITE)
    assert last.token(SERVER, TABLE) == "token"
    assert last.secret_for(SERVER) == last.secret_for(SERVER)
    for program in programs:
        program.release()
    assert Keeping(tmp_path).seats() == ()


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    keeping = Keeping(tmp_path)
    keeping.keep(SERVER, TABLE, "s3cret", Side.WHITE)
    assert "s3cret" not in repr(keeping.seats())


SEAT = {
    "server": "s",
    "table": "T",
    "side": "w",
    "title": "",
    "white": "",
    "black": "",
    "at": 1,
    "token": "t",
}

DAMAGED = [
    b"nonsense",
    b"[]",
    b'{"seats": {}}',
    b'{"seats": [1]}',
    b'{"seats": [{"server": "x"}]}',
    b'{"seats": [' + b"[" * 20_000,
    b"\xff\xfe",
    b"x" * (LARGEST_FILE + 1),
    json.dumps({"seats": [SEAT | {"side": "red"}]}).encode(),
    json.dumps({"seats": [SEAT | {"at": float("nan")}]}).encode(),
    json.dumps({"seats": [SEAT | {"title": "x" * 301}]}).encode(),
]


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_set_aside_and_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "seats.json").write_bytes(content)
    keeping = Keeping(tmp_path)
    assert keeping.seats() == ()
    assert (tmp_path / "seats.json.damaged").read_bytes() == content
    (told,) = keeping.problems
    assert told.endswith("seats.json was damaged: it is now seats.json.damaged, and another one is begun")
    keeping.keep(SERVER, TABLE, "token", Side.WHITE)
    assert Keeping(tmp_path).token(SERVER, TABLE) == "token"


@pytest.mark.parametrize("content", [b"short", b"\xff" * 40, b"x" * 5_000])
def test_a_damaged_secret_is_set_aside_and_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "installation").write_bytes(content)
    keeping = Keeping(tmp_path)
    assert keeping.secret_for(SERVER) == Keeping(tmp_path).secret_for(SERVER)
    assert "installation was damaged" in keeping.problems[0]


def test_empty_files_are_begun_without_a_word(tmp_path: Path) -> None:
    for name in ("installation", "seats.json"):
        (tmp_path / name).touch()
    keeping = Keeping(tmp_path)
    assert keeping.seats() == ()
    assert keeping.secret_for(SERVER) == Keeping(tmp_path).secret_for(SERVER)
    assert keeping.problems == ()


def test_names_of_the_file_are_clean(tmp_path: Path) -> None:
    """Somebody may have written into it."""
    seat = SEAT | {"title": "\x1b[2J", "white": "\u202ex"}
    (tmp_path / "seats.json").write_text(json.dumps({"seats": [seat]}))
    (kept,) = Keeping(tmp_path).seats()
    assert (kept.title, kept.white) == ("?[2J", "?x")


def test_where_nothing_can_be_written_it_lasts_as_long_as_the_program(tmp_path: Path) -> None:
    """A file lies where the folder would be; that is told once, and the game goes on."""
    (tmp_path / "data").write_text("")
    keeping = Keeping(tmp_path / "data")
    secret = keeping.secret_for(SERVER)
    assert keeping.secret_for(SERVER) == secret
    for _ in range(2):
        keeping.keep(SERVER, TABLE, "token", Side.WHITE)
    assert keeping.token(SERVER, TABLE) == "token"
    keeping.forget(SERVER, TABLE)
    assert keeping.seats() == ()
    assert keeping.problems
    assert len(set(keeping.problems)) == len(keeping.problems)
    assert all("cannot be taken up again after a restart" in told for told in keeping.problems)
