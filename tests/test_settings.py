"""Settings: good values are kept, bad ones told, and a file keeps what its owner wrote into it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.clean import clean_line
from dvonn_tui.core.setups import CHOSEN_SETUPS, Setup
from dvonn_tui.external import EngineSettings
from dvonn_tui.library_settings import LibrarySettings, Sort
from dvonn_tui.settings import DEFAULTS, Confirm, Keymap, Look, Paths, Settings, load, save
from dvonn_tui.tables_settings import TablesSettings

OTHER = Settings(
    look=Look.GRAPH,
    theme="light",
    animation=False,
    confirm=Confirm.ALWAYS,
    flip_for_black=True,
    movable_signs=False,
    mouse=False,
    guide=False,
    setup=Setup.MANUAL,
    white='Anna "the \\ red"',
    black="[/b] 翔太",
    keymap=Keymap.VIM,
    keys={"board.left": "left,a", "quit": "q"},
    engines={
        "Holtz": EngineSettings("/opt/holtz -x 'a b'", "codecup", gametime=60),
        "a.b [/]": EngineSettings("me", movetime=500),
    },
    library=LibrarySettings(("~/dvonn [/]", '/srv/"games"')),
    tables=TablesSettings('[/] "Anna"', ("play.example.org", "[::1]:3866")),
)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.below(tmp_path / "home")


def write(paths: Paths, content: str | bytes) -> None:
    paths.config.parent.mkdir(parents=True, exist_ok=True)
    paths.config.write_bytes(content.encode() if isinstance(content, str) else content)


def only_problem(paths: Paths) -> str:
    settings, problems = load(paths)
    assert settings == DEFAULTS
    assert len(problems) == 1
    assert problems[0].startswith(str(paths.config))
    assert problems[0] == clean_line(problems[0], 1_000)
    return problems[0].removeprefix(str(paths.config))


def test_no_file_means_the_defaults(paths: Paths) -> None:
    assert load(paths) == (Settings(), ())
    assert not paths.config.parent.exists()


def test_everything_comes_back(paths: Paths) -> None:
    assert save(paths, OTHER) is None
    assert load(paths) == (OTHER, ())
    assert save(paths, DEFAULTS) is None
    assert load(paths) == (DEFAULTS, ())


def test_a_new_file_names_all_settings(paths: Paths) -> None:
    assert save(paths, replace(DEFAULTS, look=Look.DISCS)) is None
    text = paths.config.read_text()
    assert '# look = "auto"  # auto, discs, graph, ascii\n' in text
    assert '# setup = "balanced"  # random, balanced, symmetric, manual\n' in text
    assert "# mouse = true\n" in text
    assert text.endswith('\n\nlook = "discs"\n')


WRITTEN_BY_HAND = """\
# mine
theme = "nord"   # quiet
colour = 'unknown names stay'
look = "discs"

[keys]  # for the left hand
quit = "ctrl+x"
board.left = "h"
"board.right" = "l"

[else]
where = 1
"""


def test_comments_and_unknown_entries_stay(paths: Paths) -> None:
    write(paths, WRITTEN_BY_HAND)
    settings, problems = load(paths)
    assert settings.keys == {"quit": "ctrl+x", "board.left": "h", "board.right": "l"}
    assert (settings.theme, settings.look) == ("nord", Look.DISCS)
    assert [problem.split(": unknown name ")[0][-7:] for problem in problems] == [" line 3", "line 11"]
    keys = {"quit": "ctrl+x", "board.left": "left", "help": "?"}
    changed = replace(settings, look=Look.ASCII, mouse=False, keys=keys)
    assert save(paths, changed) is None
    assert load(paths)[0] == changed
    text = paths.config.read_text()
    expected = WRITTEN_BY_HAND.replace('look = "discs"\n', 'look = "ascii"\nmouse = false\n')
    expected = expected.replace('left = "h"', 'left = "left"').replace('"board.right" = "l"', 'help = "?"')
    assert sorted(text.split("\n")) == sorted(expected.split("\n"))


def test_nothing_to_change_writes_nothing(paths: Paths) -> None:
    assert save(paths, DEFAULTS) is None
    assert not paths.config.exists()
    write(paths, "look = 'disks'\r\n")
    before = paths.config.stat()
    assert save(paths, DEFAULTS) is None
    assert paths.config.stat() == before


def test_line_ends_and_a_byte_order_mark(paths: Paths) -> None:
    write(paths, b'\xef\xbb\xbf# mine\r\nlook = "discs"\r\n')
    assert load(paths) == (replace(DEFAULTS, look=Look.DISCS), ())
    assert save(paths, replace(DEFAULTS, look=Look.GRAPH)) is None
    assert paths.config.read_bytes() == b'# mine\r\nlook = "graph"\r\n'


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('look = "disks"', 'line 1: look is "disks"; it can be "auto", "discs", "graph", "ascii"'),
        ("\n\nmouse = 1", "line 3: mouse is 1; it can be true or false"),
        ("animation = 'no'", 'line 1: animation is "no"; it can be true or false'),
        ("confirm = true", 'line 1: confirm is true; it can be "never", "always"'),
        ('setup = "position"', 'it can be "random", "balanced", "symmetric", "manual"'),
        ("theme = ''", 'line 1: theme is ""; it can be a text in quotation marks, not empty'),
        ("white = ' \\n'", "it can be a text in quotation marks, not empty"),
        ("black = [1]", "line 1: black is [1]; it can be a text"),
        ("[look]\nx = 1", "line 1: look is "),
        ("keys = 'q'", "keys is no table"),
        ("[keys]\nquit = ['q']", 'line 2: the keys of quit are a text such as "left,a"'),
        ("[[keys]]", "keys is no table"),
        ("sound = true", "line 1: unknown name sound; known are look, theme,"),
        ('"\\u001b[2J" = 1', "unknown name ?[2J; known are"),
        ('theme = "\\u001b"\nlook = "\\u001b[2J"', 'look is "?[2J"'),
    ],
)
def test_a_bad_value_is_told(paths: Paths, content: str, told: str) -> None:
    write(paths, content)
    settings, problems = load(paths)
    assert replace(settings, theme="dark", white="White") == DEFAULTS
    if "white" not in content:
        assert told in "".join(problems)
    assert all(problem == clean_line(problem, 1_000) for problem in problems)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'theme = "nord"\nlook\n', ", line 2: not TOML: "),
        (b'look = "', ": not TOML: "),
        (b"look = 1\nlook = 2", "not TOML"),
        (b'# a\n# \xff\nlook = "discs"', ", line 2: not UTF-8"),
        ('look = "discs"'.encode("utf-16"), ", line 1: not UTF-8"),
        (b"\x00\x01\x02\x1b[2J", "not TOML"),
        (b"a = " + b"[" * 100_000, "not TOML"),
        (b"a = " + b"9" * 10_000, "not TOML"),
        (b"#" * 1_000_001, ": larger than 1000000 bytes"),
    ],
)
def test_a_broken_file_is_told_and_never_overwritten(paths: Paths, content: bytes, told: str) -> None:
    write(paths, content)
    problem = only_problem(paths)
    assert told in problem
    assert problem.endswith("; the default settings are used")
    refused = save(paths, OTHER)
    assert refused is not None
    assert refused.endswith("; the settings were not saved")
    assert paths.config.read_bytes() == content
    assert [each.name for each in paths.config.parent.iterdir()] == ["config.toml"]


def test_good_values_beside_bad_ones_are_kept(paths: Paths) -> None:
    write(paths, 'look = "graph"\nmouse = "yes"\n[keys]\nquit = 3\nhelp = "f1"\n')
    settings, problems = load(paths)
    assert settings == replace(DEFAULTS, look=Look.GRAPH, keys={"help": "f1"})
    assert len(problems) == 2


def test_text_of_the_file_is_cleaned(paths: Paths) -> None:
    write(paths, 'white = "\\u001b]0;x\\u0007"\nblack = "[/"\n[keys]\n"a\\u202e" = "\\u009b31m"\n')
    settings, _ = load(paths)
    assert (settings.white, settings.black) == ("?]0;x?", "[/")
    assert settings.keys == {"a?": "?31m"}


def test_a_folder_in_the_place_of_the_file(paths: Paths) -> None:
    paths.config.mkdir(parents=True)
    assert only_problem(paths) == ": not a file; the default settings are used"
    assert save(paths, OTHER) == f"{paths.config}: not a file; the settings were not saved"


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    paths = Paths.below(tmp_path / "home")
    assert "Not a directory" in only_problem(paths)
    refused = save(paths, OTHER)
    assert refused is not None
    assert "Not a directory; the settings were not saved" in refused


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    (tmp_path / "nowhere").symlink_to(tmp_path / "link")
    paths = Paths.below(tmp_path / "link" / "home")
    assert save(paths, OTHER) is not None
    assert load(paths)[0] == DEFAULTS


def test_no_room_leaves_the_old_file(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    assert save(paths, OTHER) is None

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    refused = save(paths, DEFAULTS)
    assert refused == f"{paths.config}: No space left on device; the settings were not saved"
    assert load(paths) == (OTHER, ())
    assert len(list(paths.config.parent.iterdir())) == 1


def test_a_link_to_the_file_stays_a_link(paths: Paths, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text('look = "discs"\n')
    kept.chmod(0o640)
    paths.config.parent.mkdir()
    paths.config.symlink_to(kept)
    assert save(paths, replace(DEFAULTS, look=Look.GRAPH)) is None
    assert paths.config.is_symlink()
    assert kept.read_text() == 'look = "graph"\n'
    assert kept.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("before", ["look.a = 1\n", "[look]\nx = 1\n[keys]\n", "keys = 1\n", "keys = {}\n"])
def test_what_stands_in_the_way_is_replaced(paths: Paths, before: str) -> None:
    write(paths, before)
    assert save(paths, OTHER) is None
    assert load(paths) == (OTHER, ())


one_line = st.text(max_size=30).map(clean_line).filter(bool)
any_settings = st.builds(
    Settings,
    look=st.sampled_from(Look),
    theme=one_line,
    animation=st.booleans(),
    confirm=st.sampled_from(Confirm),
    flip_for_black=st.booleans(),
    movable_signs=st.booleans(),
    mouse=st.booleans(),
    guide=st.booleans(),
    setup=st.sampled_from(CHOSEN_SETUPS),
    white=one_line,
    black=one_line,
    keymap=st.sampled_from(Keymap),
    keys=st.dictionaries(one_line | st.sampled_from(["a.b", "a.c", "a", "b.b.b"]), one_line, max_size=4),
)


@given(any_settings, any_settings)
def test_what_is_saved_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, one: Settings, two: Settings
) -> None:
    paths = Paths.below(tmp_path_factory.mktemp("home"))
    for settings in (one, two, one):
        assert save(paths, settings) is None
        assert load(paths) == (settings, ())


@given(st.binary(max_size=80) | st.text().map(lambda text: f"look = {text}".encode(errors="replace")))
def test_no_file_makes_it_fail(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    paths = Paths.below(tmp_path_factory.mktemp("home"))
    write(paths, content)
    settings, problems = load(paths)
    assert settings == DEFAULTS or not problems
    assert all(problem == clean_line(problem, 1_000) for problem in problems)
    save(paths, OTHER)


def test_everything_below_one_folder(tmp_path: Path) -> None:
    paths = Paths.find({"DVONN_TUI_HOME": str(tmp_path)})
    assert paths == Paths(tmp_path / "config.toml", tmp_path / "data", tmp_path / "state")


def test_the_folders_of_the_system() -> None:
    paths = Paths.find({"DVONN_TUI_HOME": ""})
    assert paths.config.name == "config.toml"
    assert all("dvonn-tui" in str(path) for path in (paths.config, paths.data, paths.state))


def test_reading_no_file_imports_little() -> None:
    program = (
        "import sys; from pathlib import Path; from dvonn_tui.settings import Paths, load;"
        "load(Paths.below(Path('/nowhere')));"
        "print({'tomllib', 'tomlkit', 'platformdirs', 'rich', 'textual'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


HOLTZ = "[engines.Holtz]"
X = "command = 'x'"

ENGINES = """\
# my engines
[engines.Holtz]
command = "/opt/holtz 'two words'"  # where it lies
protocol = "codecup"
gametime = 60

[engines."With space"]
command = "x"
"""


def test_engines_are_read_and_changed_with_care(paths: Paths) -> None:
    write(paths, ENGINES)
    settings, problems = load(paths)
    assert problems == ()
    assert settings.engines == {
        "Holtz": EngineSettings("/opt/holtz 'two words'", "codecup", None, 60),
        "With space": EngineSettings("x"),
    }
    assert settings.engines["Holtz"].words() == ["/opt/holtz", "two words"]
    engines = {"Holtz": EngineSettings("/opt/holtz", movetime=5), "New": EngineSettings("y")}
    changed = replace(settings, engines=engines)
    assert save(paths, changed) is None
    assert load(paths) == (changed, ())
    text = paths.config.read_text()
    assert "# my engines\n" in text
    assert "# where it lies" in text
    assert "With space" not in text


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("engines = 1",), "line 1: engines is no table"),
        (("[engines]", "Holtz = 'x'"), "line 2: Holtz is no table"),
        ((HOLTZ,), "the engine Holtz needs a command"),
        ((HOLTZ, "command = ' '"), "line 2: the engine Holtz needs a command"),
        ((HOLTZ, "command = '\"x'"), "line 2: the command of Holtz cannot be split into words: No"),
        ((HOLTZ, X, "protocol = 'uci'"), 'line 3: the protocol of Holtz can be "dvonn-tui", "codecup"'),
        ((HOLTZ, X, "movetime = 1.5"), "line 3: the movetime of Holtz is a whole number of milliseconds"),
        ((HOLTZ, X, "movetime = true"), "line 3: the movetime of Holtz is a whole number of milliseconds"),
        ((HOLTZ, X, "gametime = 0"), "line 3: the gametime of Holtz is a whole number of seconds"),
        ((HOLTZ, X, "movetime = 9", "gametime = 9"), "line 4: Holtz has a movetime already"),
        ((HOLTZ, X, "level = 9"), "line 3: unknown name level; known are command, protocol"),
        (('[engines."\\u001b[2J"]', X), "is no name for an engine"),
        (('[engines.""]', X), "is no name for an engine"),
    ],
)
def test_a_bad_engine_is_told_and_left_out(paths: Paths, lines: tuple[str, ...], told: str) -> None:
    write(paths, "\n".join(lines))
    assert told in only_problem(paths)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("library = 3", "[library]"),
        ("[library]\nfolder = []", "unknown name folder"),
        ('[library]\nsort = "size"', "sort in [library] is one of date, players"),
        ("[library]\nsort = []", "is one of"),
        ("[library]\nreverse = 1", "is true or false"),
        ('[library]\nfolders = "/srv"', "is a list"),
        ("[library]\nfolders = [1]", "is a list"),
        ('[library]\nfolders = [""]', "is a list"),
        ('[library]\nfolders = ["a\\u001bb"]', "is a list"),
        (f"[library]\nfolders = {[str(number) for number in range(51)]}", "more than 50"),
    ],
)
def test_bad_folders_of_the_library(table: str, told: str, paths: Paths) -> None:
    write(paths, table)
    assert told in only_problem(paths)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("tables = 3", "[tables]"),
        ("[tables]\nserver = []", "unknown name server"),
        ("[tables]\nname = 3", "is a text"),
        ('[tables]\nservers = "here"', "is a list"),
        ('[tables]\nservers = ["a\\u001bb"]', "is a list"),
        (f"[tables]\nservers = {[str(number) for number in range(9)]}", "more than 8"),
    ],
)
def test_bad_servers_of_the_tables(table: str, told: str, paths: Paths) -> None:
    write(paths, table)
    assert told in only_problem(paths)


def test_folders_of_the_library(paths: Paths) -> None:
    write(paths, '[library]\nfolders = ["~/games", "/srv", "~/games"] # two\n')
    settings, problems = load(paths)
    assert problems == ()
    assert settings.library.folders == ("~/games", "/srv")
    assert settings.library.paths() == (Path("~/games").expanduser(), Path("/srv"))
    assert save(paths, replace(settings, library=LibrarySettings(("/srv",)))) is None
    assert load(paths)[0].library.folders == ("/srv",)


def test_the_order_of_the_library(paths: Paths) -> None:
    write(paths, "[library]\nfolders = []\n")
    settings = load(paths)[0]
    assert save(paths, replace(settings, library=LibrarySettings((), Sort.PLIES, True))) is None
    assert load(paths)[0].library == LibrarySettings((), Sort.PLIES, True)
    assert save(paths, replace(load(paths)[0], library=LibrarySettings())) is None
    assert load(paths)[0].library == LibrarySettings()
