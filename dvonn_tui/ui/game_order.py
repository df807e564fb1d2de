"""The order in which the library lists its games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from dvonn_tui.library_settings import LibrarySettings, Sort
from dvonn_tui.records.shelf import Listed

_RESULTS: Final = ("1-0", "0-1", "1/2-1/2")
"""Results in their order; games without one come last."""


def ordered(games: Sequence[Listed], settings: LibrarySettings) -> list[Listed]:
    """Games that come with the newest first, in the order of the settings.

    Names go from A to Z, set-ups likewise, results from White's to those of games that are not over, and the
    longest game is first; or all of it the other way round. Among those that are alike the newest is first.
    """
    found = list(games)
    if settings.sort is Sort.DATE:
        return found[::-1] if settings.reverse else found
    keys: dict[Sort, Callable[[Listed], tuple[str | int, ...]]] = {
        Sort.PLAYERS: _players,
        Sort.SETUP: _setup,
        Sort.RESULT: _result,
        Sort.PLIES: _plies,
    }
    return sorted(found, key=keys[settings.sort], reverse=settings.reverse)


def _players(game: Listed) -> tuple[str, str]:
    return game.white.casefold(), game.black.casefold()


def _setup(game: Listed) -> tuple[str, str]:
    return game.setup, game.seed.zfill(20)


def _result(game: Listed) -> tuple[int]:
    return (_RESULTS.index(game.result) if game.result in _RESULTS else len(_RESULTS),)


def _plies(game: Listed) -> tuple[bool, int]:
    """The longest first; those in which pieces are still placed come last."""
    placing = game.plies.startswith("p")
    digits = game.plies.removeprefix("p")
    return placing, -int(digits) if digits.isdecimal() else 1
