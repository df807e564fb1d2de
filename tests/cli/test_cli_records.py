"""The commands for records: convert, check, and the others that take games of any form."""

from __future__ import annotations

import json
import os
import stat
import xml.dom.minidom
from pathlib import Path

import pyte
import pytest

from dvonn_tui.cli import TARGETS, main
from dvonn_tui.commands.convert import PICTURES
from dvonn_tui.records.forms import FORMS, read
from dvonn_tui.records.tree import tree_of
from tests.records.mutation import SGF, TREE
from tests.records.tools import DATA, clean, shape, tokens

from .conftest import Run

GOLEM = str(DATA / "little-golem.txt")
SEVERAL = str(DATA / "random60.log")


def test_the_command_line_knows_all_forms() -> None:
    """Its list is the table's, without what is only read."""
    assert sorted(TARGETS) == sorted([*(form.name for form in FORMS if form.write), *PICTURES])


@pytest.mark.parametrize("name", ["x.dvn", "x.dvg", "x.log", "x.txt", "x.pos", "x.state"])
def test_convert_by_name(run: Run, tmp_path: Path, name: str) -> None:
    """The end of the name says the form; what is not kept is told; the file can be read by others."""
    ran = run("convert", GOLEM, str(tmp_path / name))
    assert (ran.status, ran.out) == (0, "")
    assert ("does not keep" in ran.err) == (name != "x.dvn")
    written = clean((tmp_path / name).read_bytes())
    if name not in ("x.pos", "x.state"):
        assert tokens(written.game) == tokens(clean(Path(GOLEM).read_bytes()).game)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) & 0o400


def test_convert_through_standard_input_and_output(run: Run) -> None:
    """A dash stands for each; the native form is written unless another is said."""
    ran = run("convert", "-", "-", stdin=TREE.encode())
    assert (ran.status, ran.err) == (0, "")
    assert shape(tree_of(clean(ran.out).game)) == shape(tree_of(clean(TREE).game))
    ran = run("convert", "-", "-", "--to", "codecup", stdin=SGF)
    assert ran.out == "A1 C1 D1\n# hello ] there\nRESIGN\n"


def test_convert_many_games(run: Run, tmp_path: Path) -> None:
    """All of them, or the one that is asked for."""
    target = tmp_path / "all.dvn"
    assert run("convert", SEVERAL, str(target)).status == 0
    games = list(read(target.read_bytes()))
    assert len(games) == 60
    assert run("convert", str(target), str(tmp_path / "one.log"), "--game", "7").status == 0
    assert tokens(clean((tmp_path / "one.log").read_bytes()).game) == tokens(games[6].game)
    ran = run("convert", str(target), "-", "--game", "61")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.endswith("there is no game 61, the file has 60 games\n")


def test_an_existing_file_is_not_replaced_unasked(run: Run, tmp_path: Path) -> None:
    """T12: neither it nor the source is ever changed; --force replaces it."""
    target = tmp_path / "x.dvn"
    target.write_text("mine")
    ran = run("convert", GOLEM, str(target))
    assert (ran.status, target.read_text()) == (1, "mine")
    assert "there is such a file already; --force replaces it" in ran.err
    assert run("convert", GOLEM, str(target), "--force").status == 0
    assert clean(target.read_bytes()).plies == 76
    before = target.read_bytes()
    ran = run("convert", str(target), str(target), "--force")
    assert (ran.status, target.read_bytes()) == (2, before)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.dvn"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["/nonexistent/x.dvn", "-"], "/nonexistent/x.dvn: No such file or directory"),
        ([GOLEM, "/nonexistent/x.dvn"], "/nonexistent/x.dvn: there is no such folder"),
        ([GOLEM, "x.xyz"], "x.xyz: its name does not say the form: use --to with one of"),
        ([str(DATA), "-"], "Is a directory"),
        ([GOLEM, "-", "--to", "board", "--ply", "99"], "there is no ply 99: the game has p1 to 27, and 0 is"),
        ([GOLEM, "-", "--ply", "3"], "--ply goes with board and svg"),
        (["-", "-"], "standard input: it is empty"),
        ([str(DATA / "README.md"), "-"], "this is no DVONN game in a form that is known"),
    ],
)
def test_what_cannot_be_converted(run: Run, arguments: list[str], told: str) -> None:
    """One line that says what and why; T12: places that cannot be written."""
    ran = run("convert", *arguments)
    assert ran.status in (1, 2)
    assert told in ran.err
    assert ran.out == ""


def test_a_damaged_file_is_converted_up_to_its_fault(run: Run) -> None:
    """What is there is written, what is wrong is told, and the status says so."""
    ran = run("convert", "-", "-", stdin=b"A1 B1 C1 A1 D1")
    assert ran.status == 1
    assert tokens(clean(ran.out).game) == ["a1", "b1", "c1"]
    assert "line 1, column 10, ply p4 (A1): a1 is taken" in ran.err
    assert "1 token after it not read" in ran.err


def test_what_a_form_cannot_hold_at_all(run: Run, tmp_path: Path) -> None:
    """Nothing is written then."""
    ran = run("convert", "-", str(tmp_path / "x.log"), stdin=b"9/10/2rwbw5/10/9 w m d3c3")
    assert ran.status == 1
    assert "begins in the middle of another" in ran.err
    assert not list(tmp_path.iterdir())


def test_boards_and_pictures(run: Run, tmp_path: Path) -> None:
    """Text, SVG, an SVG that moves, and a recording of a terminal."""
    ran = run("convert", GOLEM, "-", "--to", "board", "--ply", "3")
    assert ran.out.endswith("\nplayer one - player two, 3 k5j4, 21-25\n")
    assert ran.out.count("\n") > 10
    for name, to in (("a.svg", []), ("b.svg", ["--to", "animation"]), ("c.svg", ["--ply", "p7"])):
        assert run("convert", GOLEM, str(tmp_path / name), *to).status == 0
        xml.dom.minidom.parse(str(tmp_path / name))
    assert "player one - player two, resign, 5-29, 0-1 (resignation)" in (tmp_path / "a.svg").read_text()
    moving = (tmp_path / "b.svg").read_text()
    assert moving.count(", 3 k5j4,") == 1
    assert "again.begin+" in moving
    assert run("convert", GOLEM, str(tmp_path / "a.cast")).status == 0
    head, *events = map(json.loads, (tmp_path / "a.cast").read_text().splitlines())
    assert (head["version"], head["title"]) == (2, "player one - player two")
    assert [event[0] for event in events] == sorted(event[0] for event in events)
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    for _, kind, data in events:
        assert kind == "o"
        stream.feed(data)
    assert "player one - player two, resign, 5-29, 0-1 (resignation)" in screen.display[-1]


def test_names_are_no_markup_in_pictures(run: Run) -> None:
    """X01: what players are called stands there as it is."""
    text = TREE.replace("Zoë", "<b>&[/")
    svg = run("convert", "-", "-", "--to", "svg", stdin=text.encode()).out
    shown = xml.dom.minidom.parseString(svg).getElementsByTagName("text")[-1]
    assert shown.firstChild.data.startswith("<b>&[/ - Black")  # type: ignore[union-attr]


def folder(tmp_path: Path) -> Path:
    """Records of several forms, one of them damaged, and other files."""
    (tmp_path / "sub").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "a.txt").write_bytes((DATA / "little-golem.txt").read_bytes())
    (tmp_path / "sub" / "b.log").write_bytes((DATA / "random60.log").read_bytes())
    (tmp_path / "sub" / "bad.log").write_text("A1 B1 C1 A1 D1")
    (tmp_path / "readme").write_text("nothing here")
    (tmp_path / ".hidden" / "c.log").write_text("A1")
    return tmp_path


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_check_a_folder(run: Run, tmp_path: Path, jobs: str) -> None:
    """Each file with form, plies, result and faults; the sum; the status."""
    top = folder(tmp_path)
    ran = run("check", str(top), "--jobs", jobs)
    assert ran.status == 1
    lines = [line.replace(f"{top}/", "") for line in ran.out.splitlines()]
    assert lines == [
        "a.txt: golem, 76 plies, 0-1, ok",
        "sub/b.log: codecup, 60 games, 4,941 plies, ok",
        "sub/bad.log: codecup, 3 plies, *, faults",
        "  line 1, column 10, ply p4 (A1): a1 is taken: choose an empty cell",
        "  1 token after it not read",
        "62 games in 3 files, 1 with faults; 1 file holds no games",
    ]


def test_check_passes_over_pipes(run: Run, tmp_path: Path) -> None:
    """Nobody may ever write into one that lies in a folder; counts of one are said as such."""
    os.mkfifo(tmp_path / "pipe.dvn")
    (tmp_path / "one.dvn").write_text('[Format "1"]\n\n1. c3 *\n')
    ran = run("check", str(tmp_path))
    assert (ran.status, ran.err) == (0, "")
    assert "dvn, 1 ply, *, ok" in ran.out


def test_convert_replaces_files_only(run: Run, tmp_path: Path) -> None:
    """A pipe, as a device, stays what it is, also when it is to be replaced."""
    pipe = tmp_path / "pipe.dvn"
    os.mkfifo(pipe)
    ran = run("convert", GOLEM, str(pipe), "--force")
    assert ran.status == 1
    assert "no file that could be replaced" in ran.err
    assert pipe.is_fifo()


def test_check_as_json(run: Run, tmp_path: Path) -> None:
    """An object for each game."""
    ran = run("check", str(folder(tmp_path)), "--json")
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert len(found) == 62
    assert [game["game"] for game in found[1:61]] == list(range(1, 61))
    assert found[0]["plies"] == 76
    assert found[61]["faults"][0] == {
        "line": 1, "column": 10, "ply": "p4", "token": "A1", "reason": "a1 is taken: choose an empty cell",
    }  # fmt: skip


def test_check_single_files(run: Run, tmp_path: Path) -> None:
    """One that is right; one that is not there; one that holds no game; standard input."""
    assert run("check", GOLEM) == (0, f"{GOLEM}: golem, 76 plies, 0-1, ok\n", "")
    ran = run("check", GOLEM, str(tmp_path / "none"), str(DATA / "README.md"))
    assert ran.status == 1
    assert "No such file" in ran.err
    assert "no DVONN game" in ran.err
    ran = run("check", "-", stdin=TREE.encode())
    assert (ran.status, ran.out) == (0, "standard input: dvn, 2 plies, *, ok\n")


def test_check_tells_what_is_odd(run: Run) -> None:
    """A remark is no fault."""
    ran = run("check", "-", stdin=TREE.replace("Zoë", "Zo\xeb").encode("latin-1"))
    assert ran.status == 0
    assert "note: line 2: not UTF-8: read as Latin-1" in ran.out


def test_events_of_records(run: Run) -> None:
    """A file or standard input in any form; tokens with comments as they come."""
    from_file = run("events", GOLEM)
    assert from_file.status == 0
    assert json.loads(from_file.out.splitlines()[-1])["reason"] == "resignation"
    assert run("events", "-", stdin=Path(GOLEM).read_bytes()) == from_file
    scored = (DATA / "engine-games.log").read_bytes()
    assert json.loads(run("events", "-", stdin=scored).out.splitlines()[-1])["score"] == [7, 18]
    ran = run("events", stdin=b"# a comment\nc3 d3 # another\ne3")
    assert (ran.status, len(ran.out.splitlines())) == (0, 4)
    ran = run("events", "-", stdin=TREE.replace("d4c4", "d4d4").encode())
    assert ran.status == 1
    assert "d4c4" not in ran.out


def test_a_game_that_was_lost_on_time(run: Run, tmp_path: Path) -> None:
    """Checked, told as events and drawn with its reason; a form without a word for it says so."""
    record = tmp_path / "x.dvn"
    record.write_text("1. a1 b1 2. c1 {[%clk 0:00:02]} time {[%clk 0:00:00]} 1-0\n")
    assert run("check", str(record)).out == f"{record}: dvn, 3 plies, 1-0, ok\n"
    last = json.loads(run("events", str(record)).out.splitlines()[-1])
    assert (last["event"], last["winner"], last["reason"]) == ("GameEnded", "w", "time")
    ran = run("convert", str(record), "-", "--to", "codecup")
    assert (ran.status, ran.out) == (0, "A1 B1 C1\n")
    assert "that Black lost by time" in ran.err
    assert "1-0 (time)" in run("convert", str(record), "-", "--to", "svg").out
    assert run("convert", str(record), "-", "--to", "dvn").out.count("time") == 2


def test_analyse_records(run: Run, tmp_path: Path) -> None:
    """A file or standard input in any form, comments and all."""
    record = tmp_path / "x.dvn"
    record.write_text('[Layout "9/10/2rwbw5/10/9 w m"]\n\n{A comment.} 1. d3c3 *\n')
    expected = "   1  d3c3       W+4!    W+2!  2 pieces          f3e3 pass e3c3 pass d3c3"
    ran = run("analyse", str(record))
    assert (ran.status, ran.out.splitlines()[1]) == (0, expected)
    assert run("analyse", stdin=record.read_bytes()) == ran
    ran = run("analyse", "--json", stdin=b"# a comment\n" + b"A1 B1 A1")
    assert ran.status == 1
    assert "a1 is taken" in ran.err


def test_view_and_open_need_a_terminal(run: Run) -> None:
    """And a file with that game."""
    for command in ("view", "open"):
        ran = run(command, GOLEM)
        assert ran.status == 2
        assert "the game needs a terminal" in ran.err
        assert run(command, "/nonexistent").status == 1
        assert "there is no game 2, the file has 1 game" in run(command, GOLEM, "--game", "2").err
    assert main(["view"]) == 2
