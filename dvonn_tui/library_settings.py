"""The folders beside that of the saved games whose games the library lists, as the settings name them::

[library]              # beside the saved games
folders = ["~/Downloads/dvonn", "/srv/tournaments"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dvonn_tui.clean import clean_line

TABLE: Final = "library"
FOLDERS: Final = "folders"

LONGEST_FOLDER: Final = 400
"""Columns of a folder's name at most."""

MOST_FOLDERS: Final = 50


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """What the library lists.

    Attributes:
        folders: folders as they were written, clean and not known to exist; ``~`` stands for the user's own.
    """

    folders: tuple[str, ...] = ()

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
    unknown = [key for key in value if key != FOLDERS]
    if unknown:
        raise ValueError(f"unknown name {clean_line(unknown[0])} in [{TABLE}]; known is {FOLDERS}")
    folders = value.get(FOLDERS, [])
    if not isinstance(folders, list) or not all(map(is_folder_name, folders)):
        raise ValueError(f'{FOLDERS} in [{TABLE}] is a list such as ["~/dvonn", "/srv/games"]')
    if len(folders) > MOST_FOLDERS:
        raise ValueError(f"{FOLDERS} in [{TABLE}] has more than {MOST_FOLDERS} folders")
    return LibrarySettings(tuple(dict.fromkeys(folders)))


def is_folder_name(text: object) -> bool:
    """True for a text that can name a folder and can be shown as it is."""
    return isinstance(text, str) and bool(text) and clean_line(text, LONGEST_FOLDER) == text


def change_library(document: Any, settings: LibrarySettings) -> None:
    """Change the table in a document of tomlkit."""
    if not isinstance(document.get(TABLE), Mapping):
        document.pop(TABLE, None)
        document[TABLE] = {}
    document[TABLE][FOLDERS] = list(settings.folders)
