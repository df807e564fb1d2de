"""What the library lists beside the saved games, and in which order, as the settings name it::

[library]              # beside the saved games
folders = ["~/Downloads/dvonn", "/srv/tournaments"]
sort = "date"          # date, players, set-up, result, plies
reverse = false
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from dvonn_tui.clean import clean_line

TABLE: Final = "library"
FOLDERS: Final = "folders"
SORT: Final = "sort"
REVERSE: Final = "reverse"
NAMES: Final = (FOLDERS, SORT, REVERSE)

LONGEST_FOLDER: Final = 400
"""Columns of a folder's name at most."""

MOST_FOLDERS: Final = 50


class Sort(StrEnum):
    """What the games are sorted by."""

    DATE = "date"
    PLAYERS = "players"
    SETUP = "set-up"
    RESULT = "result"
    PLIES = "plies"


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """What the library lists.

    Attributes:
        folders: folders as they were written, clean and not known to exist; ``~`` stands for the user's own.
        sort: what the games are sorted by.
        reverse: the other way round than usual, which is the newest first.
    """

    folders: tuple[str, ...] = ()
    sort: Sort = Sort.DATE
    reverse: bool = False

    def paths(self) -> tuple[Path, ...]:
        """The folders, ``~`` replaced where that can be done."""
        return tuple(map(folder_path, self.folders))


def folder_path(text: str) -> Path:
    """The folder that a text names."""
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:  # ~somebody who is not known here
        return Path(text).absolute()


def read_library(value: object) -> LibrarySettings:
    """Read the table. Raises ValueError with what is wrong and what is allowed."""
    if not isinstance(value, dict):
        raise ValueError(f"{TABLE} is no table: it begins with a line [{TABLE}]")
    unknown = [key for key in value if key not in NAMES]
    if unknown:
        known = ", ".join(NAMES)
        raise ValueError(f"unknown name {clean_line(unknown[0])} in [{TABLE}]; known are {known}")
    folders = value.get(FOLDERS, [])
    if not isinstance(folders, list) or not all(map(is_folder_name, folders)):
        raise ValueError(f'{FOLDERS} in [{TABLE}] is a list such as ["~/dvonn", "/srv/games"]')
    if len(folders) > MOST_FOLDERS:
        raise ValueError(f"{FOLDERS} in [{TABLE}] has more than {MOST_FOLDERS} folders")
    sort = value.get(SORT, Sort.DATE)
    if sort not in tuple(Sort):
        raise ValueError(f"{SORT} in [{TABLE}] is one of {', '.join(Sort)}")
    reverse = value.get(REVERSE, False)
    if not isinstance(reverse, bool):
        raise ValueError(f"{REVERSE} in [{TABLE}] is true or false")
    return LibrarySettings(tuple(dict.fromkeys(folders)), Sort(sort), reverse)


def is_folder_name(text: object) -> bool:
    """True for a text that can name a folder and can be shown as it is."""
    return isinstance(text, str) and bool(text) and clean_line(text, LONGEST_FOLDER) == text


def change_library(document: Any, settings: LibrarySettings) -> None:
    """Change the table in a document of tomlkit."""
    if not isinstance(document.get(TABLE), Mapping):
        document.pop(TABLE, None)
        document[TABLE] = {}
    document[TABLE][FOLDERS] = list(settings.folders)
    for name, now, usual in ((SORT, str(settings.sort), Sort.DATE), (REVERSE, settings.reverse, False)):
        # What is as usual need not be written, unless something else was.
        if now != usual or name in document[TABLE]:
            document[TABLE][name] = now
