"""What a player has chosen once and for all, and the folders of the program.

The settings live in a TOML file that people may write by hand::

    look = "discs"              # auto, discs, graph or ascii
    confirm = "always"          # never, always, or network: at a table on another machine only
    white = "Anna"

    [keys]                      # binding id = keys, separated by commas
    "cursor.left" = "left,a"

    [engines.Holtz]             # another engine, by the name that it has at the board
    command = "/opt/holtz/holtz --codecup"
    protocol = "codecup"

    [library]                   # folders whose games the library lists as well
    folders = ["~/dvonn"]

Every name is a field of `Settings`; what is not in the file has its default. A value that cannot be used
is told and its default taken; the values beside it count. A file that is no TOML at all is told, the
defaults are taken, and nothing is ever written over it: its owner has to mend it or move it away.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.setups import CHOSEN_SETUPS, Setup
from dvonn_tui.external import EngineSettings, change_engines, read_engines
from dvonn_tui.library_settings import LibrarySettings, change_library, read_library
from dvonn_tui.tables_settings import TablesSettings, change_tables, read_tables

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

HOME_VARIABLE: Final = "DVONN_TUI_HOME"
"""The environment variable that puts all files of the program below one folder."""

LARGEST_FILE: Final = 1_000_000
"""Bytes of a settings file that are read at most."""

KEYS_LIMIT: Final = 200
"""Columns that a binding id and a list of keys have at most."""

_PROGRAM: Final = "dvonn-tui"
_KEYS_TABLE: Final = "keys"
_ENGINES_TABLE: Final = "engines"
_LIBRARY_TABLE: Final = "library"
_TABLES_TABLE: Final = "tables"


class Look(StrEnum):
    """How the board is drawn; `AUTO` takes what suits the terminal."""

    AUTO = "auto"
    DISCS = "discs"
    GRAPH = "graph"
    ASCII = "ascii"


class Confirm(StrEnum):
    """Whether a move has to be confirmed."""

    NEVER = "never"
    ALWAYS = "always"
    NETWORK = "network"
    """Only at a table on another machine."""


class Keymap(StrEnum):
    """The keys that the player's own keys are laid over."""

    STANDARD = "standard"
    VIM = "vim"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. Text in them is clean.

    Attributes:
        look: how the board is drawn.
        theme: the name of the colour theme; only the application knows which there are.
        animation: whether moves and cut-offs are animated.
        confirm: whether a move has to be confirmed.
        flip_for_black: whether the board turns so that Black, to act, sits at the bottom.
        movable_signs: whether stacks that can move are marked.
        mouse: whether the mouse is used.
        guide: whether the game points at what to do, as it does for somebody's first game.
        setup: how the board of the last game was filled.
        clock: how time was given in it, as `dvonn_tui.play.clocks` reads it; not known to be readable.
        white, black: the players' names in the last game.
        white_seat, black_seat: who played in the last game: ``human``, ``level 3``, ``engine NAME``.
        bell: whether the terminal's bell tells that an engine, or somebody on another machine, has played.
        autosave: whether games are saved while they are played.
        keymap: the keys that `keys` is laid over.
        keys: for a binding id the keys that it shall have, separated by commas.
        engines: other engines, by their names.
        library: what the library lists beside the saved games.
        tables: what is remembered of other machines.
    """

    look: Look = Look.AUTO
    theme: str = "dark"
    animation: bool = True
    confirm: Confirm = Confirm.NEVER
    flip_for_black: bool = False
    movable_signs: bool = True
    mouse: bool = True
    guide: bool = True
    setup: Setup = Setup.BALANCED
    clock: str = "none"
    white: str = "White"
    black: str = "Black"
    white_seat: str = "human"
    black_seat: str = "level 3"
    bell: bool = False
    autosave: bool = True
    keymap: Keymap = Keymap.STANDARD
    keys: Mapping[str, str] = field(default_factory=dict, hash=False)
    engines: Mapping[str, EngineSettings] = field(default_factory=dict, hash=False)
    library: LibrarySettings = field(default_factory=LibrarySettings)
    tables: TablesSettings = field(default_factory=TablesSettings)


DEFAULTS: Final = Settings()

_NAMES: Final = tuple(each.name for each in fields(Settings))


@dataclass(frozen=True, slots=True)
class Paths:
    """Where the program keeps its files. None of these has to exist.

    Attributes:
        config: the settings file.
        data: the folder of what players want to keep, such as their games.
        state: the folder of what the program writes about itself: logs and reports of errors.
    """

    config: Path
    data: Path
    state: Path

    @property
    def games(self) -> Path:
        """The folder of the saved games."""
        return self.data / "games"

    @property
    def library(self) -> Path:
        """The index of the library, which can be deleted at any time."""
        return self.state / "library.sqlite3"

    @classmethod
    def below(cls, folder: Path) -> Paths:
        """Everything below one folder."""
        return cls(folder / "config.toml", folder / "data", folder / "state")

    @classmethod
    def find(cls, environment: Mapping[str, str] | None = None) -> Paths:
        """The folders of this system and user, or below `HOME_VARIABLE` when that is set and not empty.

        Reads the environment of the process unless another one is given.
        """
        home = (os.environ if environment is None else environment).get(HOME_VARIABLE)
        if home:
            return cls.below(Path(home).absolute())
        # Not needed with a home of its own, and not needed by the text commands.
        from platformdirs import PlatformDirs

        folders = PlatformDirs(_PROGRAM, appauthor=False)
        return cls(folders.user_config_path / "config.toml", folders.user_data_path, folders.user_state_path)


class _Unreadable(Exception):
    """The settings file cannot be read as TOML; the text says where and why."""


def load(paths: Paths) -> tuple[Settings, tuple[str, ...]]:
    """Read the settings.

    Returns:
        The settings, and one readable line for every problem. Never raises: what cannot be read has its
        default.
    """
    try:
        text = _read(paths.config)
        if text is None:
            return DEFAULTS, ()
        return _interpret(_parse(text, paths.config), _Places(text, paths.config))
    except _Unreadable as problem:
        return DEFAULTS, (f"{problem}; the default settings are used",)


def save(paths: Paths, settings: Settings) -> str | None:
    """Write the settings.

    Only what changed is changed in the file; comments and unknown names stay. The file is written whole
    under another name and then renamed. A file that is no TOML is left alone.

    Returns:
        None when all is well, else one readable line that says why nothing was written. Never raises.
    """
    try:
        text = _read(paths.config)
        places = _Places(text or "", paths.config)
        stored, _ = _interpret(_parse(text or "", paths.config), places)
        if stored != settings:
            from dvonn_tui.whole_file import write_whole

            write_whole(paths.config, _changed(text, stored, settings, paths.config))
    except _Unreadable as problem:
        return f"{problem}; the settings were not saved"
    except (OSError, RuntimeError) as problem:
        return f"{_shown(paths.config)}: {_why(problem)}; the settings were not saved"
    return None


def _shown(path: Path) -> str:
    return clean_line(str(path), KEYS_LIMIT)


def _why(problem: Exception) -> str:
    reason = problem.strerror if isinstance(problem, OSError) else None
    return clean_line(reason or str(problem), KEYS_LIMIT)


def _read(path: Path) -> str | None:
    """The text of the settings file; None when there is none."""
    try:
        if path.exists() and not path.is_file():
            raise _Unreadable(f"{_shown(path)}: not a file")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        return None
    except (OSError, RuntimeError, ValueError) as problem:
        raise _Unreadable(f"{_shown(path)}: {_why(problem)}") from problem
    if len(content) > LARGEST_FILE:
        raise _Unreadable(f"{_shown(path)}: larger than {LARGEST_FILE} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise _Unreadable(f"{_shown(path)}, line {line}: not UTF-8") from problem


def _parse(text: str, path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        reason = str(problem)
        found = re.search(r" \(at line (\d+), column \d+\)", reason)
        line = f", line {found[1]}" if found else ""
        reason = clean_line(reason.replace(found[0], "") if found else reason, KEYS_LIMIT)
        raise _Unreadable(f"{_shown(path)}{line}: not TOML: {reason}") from problem


class _Places:
    """Finds the line on which a name of the file gets its value, for messages."""

    def __init__(self, text: str, path: Path) -> None:
        self._lines = text.splitlines()
        self._path = path

    def of(self, name: str, table: str = "") -> str:
        """The file, and the line where one is found that looks right."""
        pattern = re.compile(rf"""\s*["']?{re.escape(name)}["']?\s*[=.]""")
        header = re.compile(rf"""\s*\[+\s*["']?{re.escape(name)}["']?\s*[].]""")
        inside = ""
        for number, line in enumerate(self._lines, 1):
            opened = re.match(r"\s*\[+([^]=]*)\]", line)
            if opened:
                inside = opened[1].strip(" \"'")
            if (inside == table and pattern.match(line)) or (not table and header.match(line)):
                return f"{_shown(self._path)}, line {number}"
        return _shown(self._path)


def _interpret(content: Mapping[str, Any], places: _Places) -> tuple[Settings, tuple[str, ...]]:
    """The settings that a parsed file holds, and what is wrong with it."""
    chosen: dict[str, Any] = {}
    problems: list[str] = []
    for name, value in content.items():
        try:
            if name == _KEYS_TABLE:
                chosen[name] = _keys(value, places, problems)
            elif name == _ENGINES_TABLE:
                chosen[name], faults = read_engines(value)
                problems.extend(f"{places.of(key, table)}: {fault}" for key, table, fault in faults)
            elif name == _LIBRARY_TABLE:
                chosen[name] = read_library(value)
            elif name == _TABLES_TABLE:
                chosen[name] = read_tables(value)
            else:
                chosen[name] = _checked(name, value)
        except ValueError as problem:
            problems.append(f"{places.of(name)}: {problem}")
    return Settings(**chosen), tuple(problems)


def _checked(name: str, value: object) -> object:
    """The value of a setting, in its own type. Raises ValueError with what is wrong and what is allowed."""
    if name not in _NAMES:
        raise ValueError(f"unknown name {clean_line(name)}; known are {', '.join(_NAMES)}")
    default = getattr(DEFAULTS, name)
    words = _words(default)
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        allowed = "true or false"
    elif words:
        if value in words:
            return words[words.index(value)]
        allowed = ", ".join(f'"{word}"' for word in words)
    else:
        cleaned = clean_line(value) if isinstance(value, str) else ""
        if cleaned:
            return cleaned
        allowed = "a text in quotation marks, not empty"
    raise ValueError(f"{name} is {clean_line(_written(value))}; it can be {allowed}")


def _words(default: object) -> tuple[object, ...]:
    """The words that a setting can be, by its default; none when it is no choice between words."""
    if isinstance(default, Setup):
        return CHOSEN_SETUPS
    return tuple(type(default)) if isinstance(default, StrEnum) else ()


def _written(value: object) -> str:
    """A value about as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _keys(value: object, places: _Places, problems: list[str]) -> dict[str, str]:
    """The table of keys. A dotted name without quotation marks makes tables in tables; it means the same."""
    if not isinstance(value, dict):
        raise ValueError(f"{_KEYS_TABLE} is no table: it begins with a line [{_KEYS_TABLE}]")
    keys: dict[str, str] = {}
    waiting = [("", value)]
    while waiting:
        prefix, table = waiting.pop()
        for name, entry in table.items():
            if isinstance(entry, dict):
                waiting.append((f"{prefix}{name}.", entry))
            elif isinstance(entry, str) and clean_line(prefix + name, KEYS_LIMIT):
                keys[clean_line(prefix + name, KEYS_LIMIT)] = clean_line(entry, KEYS_LIMIT)
            else:
                place = places.of(prefix + name, _KEYS_TABLE)
                shown = clean_line(prefix + name)
                problems.append(f'{place}: the keys of {shown} are a text such as "left,a"')
    return keys


def _changed(text: str | None, stored: Settings, settings: Settings, path: Path) -> str:
    """The text of the file with everything changed that is to be saved."""
    import tomlkit

    try:
        document = tomlkit.parse(text or "")
        for name in _NAMES:
            value = getattr(settings, name)
            if value == getattr(stored, name):
                continue
            if name == _KEYS_TABLE:
                _change_keys(document, stored.keys, value)
                continue
            if name == _ENGINES_TABLE:
                change_engines(document, stored.engines, value)
                continue
            if name == _LIBRARY_TABLE:
                change_library(document, value)
                continue
            if name == _TABLES_TABLE:
                change_tables(document, value)
                continue
            if isinstance(document.get(name), dict):
                del document[name]
            document[name] = value if isinstance(value, bool) else str(value)
        changed = (_heading() if text is None else "") + tomlkit.dumps(document)
    except (ValueError, RecursionError) as problem:
        raise _Unreadable(f"{_shown(path)}: {_why(problem)}") from problem
    if _interpret(_parse(changed, path), _Places(changed, path))[0] != settings:
        raise _Unreadable(f"{_shown(path)}: its form is too unusual to be changed safely")
    return changed


def _change_keys(document: TOMLDocument, stored: Mapping[str, str], keys: Mapping[str, str]) -> None:
    if not isinstance(document.get(_KEYS_TABLE), dict):
        document.pop(_KEYS_TABLE, None)
        document[_KEYS_TABLE] = {}
    for name in stored.keys() - keys.keys():
        table, last = _holder(document[_KEYS_TABLE], name)
        table.pop(last, None)
    for name, value in keys.items():
        if stored.get(name) != value:
            table, last = _holder(document[_KEYS_TABLE], name)
            table[last] = value


def _holder(table: Any, name: str) -> tuple[Any, str]:
    """The table that holds a binding id, which may be nested, and the name that it has in there."""
    for dot in (place for place, letter in enumerate(name) if letter == "."):
        inner = table.get(name[:dot]) if name not in table else None
        if isinstance(inner, dict):
            return _holder(inner, name[dot + 1 :])
    return table, name


def _heading() -> str:
    """The comment that a new file begins with: every setting with its default."""
    lines = ["# Settings of dvonn-tui. What is not set here has its default, as these lines show it."]
    for name in _NAMES:
        value = getattr(DEFAULTS, name)
        if name not in {_KEYS_TABLE, _ENGINES_TABLE, _LIBRARY_TABLE, _TABLES_TABLE}:
            words = ", ".join(str(word) for word in _words(value))
            lines.append(f"# {name} = {_written(value)}" + (f"  # {words}" if words else ""))
    return "\n".join([*lines, "", ""])
