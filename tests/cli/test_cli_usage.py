"""How the program is called, and what it says when it is called wrongly."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from dvonn_tui import __version__, cli
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import CHOSEN_SETUPS, Setup
from dvonn_tui.play.autosave import Autosave, Origin
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.launch import LaunchOptions
from dvonn_tui.play.session import Session
from dvonn_tui.records.seating import Seating
from dvonn_tui.settings import Look
from dvonn_tui.tables.keeping import Keeping

from .conftest import Run
from .hostile import HOSTILE, MARKUP, is_harmless

BOARD = "bwwbwwrww/bbbwwbbwbw/bbwbwwbbwwb/bbwwbbrbbb/bwrwwbwww w m"
SEED_WORDS = "a seed is a whole number from 0 to 9223372036854775807"


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[LaunchOptions]:
    """What the application was started with; it is not started, and any stream is a terminal."""
    calls: list[LaunchOptions] = []

    def start(options: LaunchOptions) -> int:
        calls.append(options)
        return 7

    application = ModuleType("dvonn_tui.ui")
    application.run = start  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "dvonn_tui.ui", application)
    monkeypatch.setattr("dvonn_tui.commands.application._check_terminal", lambda: None)
    return calls


def test_version(run: Run) -> None:
    status, out, err = run("--version")
    assert (status, err) == (0, "")
    assert re.fullmatch(
        rf"dvonn-tui {re.escape(__version__)} \(engine: (compiled|interpreted)(; .+)?\)\n", out
    )


def test_help(run: Run) -> None:
    ran = run("--help")
    assert (ran.status, ran.err) == (0, "")
    for word in ("--setup", "--seed", "--position", "--white", "--no-mouse", "show", "events", "perft"):
        assert word in ran.out
    assert run("perft", "--help").status == 0


def test_the_words_of_the_parser_are_those_of_the_game() -> None:
    assert cli.SETUPS == CHOSEN_SETUPS
    assert tuple(Look) == cli.LOOKS


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--clock", "soon"], "--clock: no clock 'soon': it can be none, 10 (minutes a player), 5+3"),
        (["--clock", "5+3+3"], "--clock: no clock '5+3+3'"),
        (["--clock", "2000"], "--clock: a clock has 1 second to 24 hours"),
        (["--seed", "x"], f"{SEED_WORDS}, not 'x'"),
        (["--seed", "-1"], f"{SEED_WORDS}, not '-1'"),
        (["--seed", "1_0"], f"{SEED_WORDS}, not '1_0'"),
        (["--seed", "9223372036854775808"], f"{SEED_WORDS}, not '9223372036854775808'"),
        (["--seed", "9" * 10_000], SEED_WORDS),
        (["--setup", "fair"], "argument --setup: invalid choice: 'fair'"),
        (["--look", "3d"], "argument --look: invalid choice: '3d'"),
        (["--seed", "1", "--setup", "manual"], "nothing is drawn there"),
        (["--position", BOARD, "--seed", "1"], "--seed cannot stand beside it"),
        (["--position", BOARD, "--setup", "random"], "--setup cannot stand beside it"),
        (["--position", "9/10/11/10/9 w m "], "position, character 17: "),
        (["--position", "x"], "position, character 1: "),
        (["--white", " \t"], "--white: the name is empty"),
        (["--theme", ""], "--theme: the name is empty"),
        (["play"], "dvonn-tui: cannot read play; a command comes first: see dvonn-tui --help"),
        (["--sed", "1"], "dvonn-tui: no such option: --sed (did you mean --seed?)"),
        (["--themes=dark"], "dvonn-tui: no such option: --themes (did you mean --theme?)"),
        (["-V"], "dvonn-tui: no such option: -V\n"),
        (["show", BOARD, "--jsn"], "dvonn-tui show: no such option: --jsn (did you mean --json?)"),
        (["show", f" {BOARD}"], "position, character 1: a position does not begin with a space"),
        (["show", f"{BOARD} "], f"character {len(BOARD) + 1}: a position does not end with a space"),
        (["--seed", "1", "show", BOARD], "dvonn-tui: cannot read show; a command comes first"),
        (["--flip", "events"], "dvonn-tui: cannot read events; a command comes first"),
        (["show"], "dvonn-tui show: "),
        (["show", *BOARD.split()], "dvonn-tui show: cannot read w: see dvonn-tui show --help"),
        (["perft", BOARD], "dvonn-tui perft: "),
        (["perft", BOARD, "61"], "a depth is a whole number from 0 to 60, not '61'"),
        (["perft", BOARD, "-1"], "a depth is a whole number from 0 to 60, not '-1'"),
        ([], "the game needs a terminal; without one there are commands such as show, analyse, convert"),
    ],
)
def test_a_wrong_call_is_told_in_one_line(run: Run, arguments: list[str], told: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
    assert len(err) < 500


@pytest.mark.parametrize("text", HOSTILE)
def test_no_argument_reaches_the_terminal_raw(run: Run, text: str) -> None:
    for arguments in (
        [text],
        [f"--{text}"],
        ["--look", text],
        ["--seed", text],
        ["--position", text],
        ["show", text],
        ["show", BOARD, text],
        ["events", text],
        ["events", "--position", text],
        ["perft", text, "1"],
        ["perft", BOARD, text],
    ):
        status, out, err = run(*arguments)
        assert status in {1, 2}
        assert err.endswith("\n")
        assert err.count("\n") == 1
        assert is_harmless(out + err)


@pytest.mark.parametrize("text", HOSTILE + MARKUP)
def test_names_are_clean(run: Run, launched: list[LaunchOptions], text: str) -> None:
    assert run("--white", text, "--black", text, "--theme", text) == (7, "", "")
    [options] = launched
    for name in (options.choice.white, options.choice.black, options.white, options.black, options.theme):
        assert name
        assert is_harmless(name)
        assert "\n" not in name
        assert text not in MARKUP or name == text


def test_started_with_nothing(run: Run, launched: list[LaunchOptions]) -> None:
    assert run().status == 7
    assert run().status == 7
    first, second = (options.choice for options in launched)
    assert first.seed is not None
    assert first.seed != second.seed
    assert launched[0] == LaunchOptions(GameChoice(Setup.BALANCED, first.seed))
    assert first.begin().started.seed == first.seed


@pytest.mark.parametrize(
    ("arguments", "choice"),
    [
        (["--seed", "5"], GameChoice(Setup.BALANCED, 5)),
        (["--seed", "0", "--setup", "random"], GameChoice(Setup.RANDOM, 0)),
        (["--setup", "manual", "--white", " Anna"], GameChoice(Setup.MANUAL, None, "Anna")),
        (["--position", BOARD], GameChoice(Setup.POSITION, None, position=parse_position(BOARD))),
    ],
)
def test_the_first_game(
    run: Run, launched: list[LaunchOptions], arguments: list[str], choice: GameChoice
) -> None:
    assert run(*arguments).status == 7
    [options] = launched
    assert options.explicit
    assert options.choice == choice
    choice.begin()


def test_a_drawn_set_up_without_a_seed_gets_one(run: Run, launched: list[LaunchOptions]) -> None:
    run("--setup", "symmetric")
    [options] = launched
    assert options.explicit
    assert replace(options.choice, seed=None) == GameChoice(Setup.SYMMETRIC)
    options.choice.begin()


def test_how_it_looks(run: Run, launched: list[LaunchOptions]) -> None:
    run("--look", "ascii", "--theme", "nord", "--flip", "--no-mouse")
    [options] = launched
    assert not options.explicit
    assert (options.look, options.theme, options.flip, options.mouse) == (Look.ASCII, "nord", True, False)


def test_a_dumb_terminal_is_refused() -> None:
    outer, inner = pty.openpty()
    ran = subprocess.run(
        [sys.executable, "-m", "dvonn_tui", "--seed", "1"],
        stdin=inner,
        stdout=inner,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    )
    os.close(inner)
    os.close(outer)
    assert ran.returncode == 2
    assert ran.stderr.startswith("dvonn-tui: the game needs a terminal that can do more than TERM=dumb; ")


def test_standard_error_that_is_no_terminal_is_refused() -> None:
    """There the game is drawn, and nobody would see it."""
    outer, inner = pty.openpty()
    ran = subprocess.run(
        [sys.executable, "-m", "dvonn_tui", "--seed", "1"],
        stdin=inner,
        stdout=inner,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(inner)
    os.close(outer)
    assert ran.returncode == 2
    assert "standard error, which must be the terminal" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--version"], {"dvonn_tui.core", "dataclasses", "json", "random"}),
        (["--help"], {"dvonn_tui.core", "dataclasses", "json", "random"}),
        (["show", BOARD], set()),
        (["events", "a1"], {"dvonn_tui.art"}),
        (["perft", BOARD, "1"], {"dvonn_tui.art", "json"}),
        (["--seed", "1"], {"dvonn_tui.art"}),
    ],
)
def test_nothing_is_imported_that_is_not_needed(arguments: list[str], unneeded: set[str]) -> None:
    program = "import sys; from dvonn_tui.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    imported = set(ran.stdout.splitlines()[-1].split())
    assert "dvonn_tui.cli" in imported
    never = {"textual", "rich", "asyncio", "tomllib", "tomlkit", "platformdirs", "dvonn_tui.ui"}
    assert not imported & (never | unneeded)


def test_resuming_when_no_game_waits(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told with the folder; a file that is named is looked at only where there is a terminal."""
    monkeypatch.setenv("DVONN_TUI_HOME", str(tmp_path))
    folder = tmp_path / "data" / "games"
    assert run("resume") == (1, "", f"dvonn-tui: no unfinished game in {folder}; dvonn-tui begins one\n")
    ran = run("resume", "any.dvnlog")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("dvonn-tui: the game needs a terminal")
    assert not any(tmp_path.iterdir())


def test_resuming_when_a_game_waits_at_a_table(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVONN_TUI_HOME", str(tmp_path))
    data = tmp_path / "data"
    session = Session(GameChoice(Setup.BALANCED, 4711).begin())
    autosave = Autosave(data / "games")
    autosave.follow(session, Seating(), Origin(table="ws://club.example:80/a&b/KZ7Q2M"))
    session.submit(legal_moves(session.game.position)[0])
    autosave.close()
    assert "no unfinished game in" in run("resume").err, "without a seat there is no way back"
    Keeping(data).keep("ws://club.example:80/a&b", "KZ7Q2M", "token", Side.WHITE)
    back = "dvonn-tui join 'ws://club.example:80/a&b' --table KZ7Q2M"
    assert run("resume") == (
        1,
        "",
        f"dvonn-tui: no unfinished game but one at a table of a server: {back}\n",
    )


def test_resuming_a_file(
    run: Run, launched: list[LaunchOptions], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its name in the folder of the games, and shown as it is asked for."""
    monkeypatch.setenv("DVONN_TUI_HOME", str(tmp_path))
    saved = tmp_path / "data" / "games" / "one.dvnlog"
    saved.parent.mkdir(parents=True)
    saved.touch()
    assert run("resume", "one", "--look", "ascii", "--flip", "--no-mouse").status == 7
    (options,) = launched
    assert (options.resume, options.look, options.flip, options.mouse) == (saved, Look.ASCII, True, False)
    assert not options.bare
    assert run("resume", "one", "--seed", "3").status == 2


@pytest.mark.parametrize("command", cli._COMMANDS)
def test_the_readme_tells_every_option(command: str) -> None:
    readme = Path(__file__).parents[2].joinpath("README.md").read_text("utf-8")
    synopsis = readme.partition("## Commands\n\n```text\n")[2].partition("```")[0]
    told = {each.split()[1]: each for each in re.split("(?m)^(?=dvonn-tui )", synopsis) if each}
    told["open"] += told["view"]
    options = {option for action in cli._COMMANDS[command][0]()._actions for option in action.option_strings}
    assert {option for option in options if option not in told[command]} == {"-h", "--help"}
