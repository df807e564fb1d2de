"""How fast the library opens and filters, and how long it takes to look for what has changed."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Final

from dvonn_tui.core.game import Game
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.journal_form import Header
from dvonn_tui.records.library import Library
from dvonn_tui.records.seating import Seating
from dvonn_tui.settings import Paths
from dvonn_tui.ui.screens.library import LibraryScreen
from tests.benchmarks.tables import percentile, table
from tests.records.journal_tools import file_of
from tests.ui.tools import Player, playing

DIFFERENT: Final = 40
"""Games that are really played; the others are copies of them under other names and days."""

OPENINGS: Final = 7

TYPED: Final = ("ada", "level 3", "white won", "2026-05", "nobody at all", "balanced 1")
"""What is typed to filter, letter by letter."""


def _games(folder: Path, count: int) -> None:
    """Fill a folder with so many log files."""
    folder.mkdir(parents=True)
    names = ("Ada", "Bela", "Carla", "Dora", "level 3", "level 7", "White", "Black")
    begun = datetime(2026, 11, 30, 12, tzinfo=UTC)
    logs = []
    for number in range(min(count, DIFFERENT)):
        game = Game.new(
            Setup.BALANCED, number, white=names[number % len(names)], black=names[number // 3 % len(names)]
        )
        while not game.position.over and game.head.ply < number:
            game.play(legal_moves(game.position)[number % len(legal_moves(game.position))])
        logs.append(file_of(game, Header(begun - timedelta(days=7 * number), Seating())))
    for number in range(count):
        name = f"{begun - timedelta(hours=number):%Y-%m-%d-%H%M%S}-{number:05}.dvnlog"
        (folder / name).write_bytes(logs[number % len(logs)])


def _look(library: Library, folder: Path) -> float:
    """Seconds that one look at a folder takes."""
    began = time.perf_counter()
    library.refresh([(folder, False)])
    return time.perf_counter() - began


async def _opened(player: Player, count: int) -> float:
    """Seconds from the key until all games are listed on the screen."""
    began = time.perf_counter()
    player.send("l")
    while True:
        await asyncio.sleep(0)
        screen = player.app.screen
        # The keys at the foot are of the last widget that is drawn.
        if isinstance(screen, LibraryScreen) and screen._listed and len(screen.list.games) == count:
            break
    _ = player.text
    return time.perf_counter() - began


async def _filtered(player: Player) -> list[float]:
    """Seconds from each letter until the list is drawn again."""
    found = []
    await player.press("slash")
    for text in TYPED:
        for letter in text:
            began = time.perf_counter()
            await player.press(letter)
            _ = player.text
            found.append(time.perf_counter() - began)
        await player.press("ctrl+u")
    await player.press("escape", "escape")
    return found


async def _screen(home: Path, count: int) -> tuple[list[float], list[float]]:
    """Opening and filtering, in an application without a terminal."""
    opened, filtered = [], []
    async with playing(home, size=(120, 40)) as player:
        for _ in range(OPENINGS):
            opened.append(await _opened(player, count))
            await player.settle()
            filtered += await _filtered(player)
            await player.closed()
    return opened, filtered


def report(count: int) -> str:
    """The table, for so many games."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        paths = Paths.below(home)
        _games(paths.games, count)
        library = Library(paths.library)
        first = _look(library, paths.games)
        again = [_look(library, paths.games) for _ in range(OPENINGS)]
        library.close()
        opened, filtered = asyncio.run(_screen(home, count))
        size = paths.library.stat().st_size
        shutil.rmtree(paths.games)
    rows = [
        _row("key l to the list", opened),
        _row("a letter of the filter to the list", filtered),
        _row("looking for changes, none", again),
        _row("index made anew", [first]),
    ]
    head = [f"library, {count:,} games", "median ms", "p95 ms", "most ms", "count"]
    return f"{table(head, rows)}\nindex: {size / count:,.0f} bytes a game"


def _row(name: str, seconds: Sequence[float]) -> list[str]:
    times = [each * 1000 for each in seconds]
    figures = (median(times), percentile(times, 0.95), max(times))
    return [name, *(f"{figure:.1f}" for figure in figures), str(len(times))]
