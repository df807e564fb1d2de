"""The library: all games of the folders, to be found and looked at, opened, copied, moved and exported."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import monotonic
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from dvonn_tui.art.lattice import SCALES, Lattice, Scale
from dvonn_tui.art.scene import Scene
from dvonn_tui.clean import clean_line
from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.notation import parse_position
from dvonn_tui.library_settings import Sort
from dvonn_tui.records.library import Library, matching
from dvonn_tui.records.moving import CannotMove, bring_back, delete, rename
from dvonn_tui.records.record import CannotHold, Record, Unreadable
from dvonn_tui.records.shelf import Listed, game_at
from dvonn_tui.ui.copies import keep_copy
from dvonn_tui.ui.game_order import ordered
from dvonn_tui.ui.screens.list_screen import Key, ListScreen, bindings
from dvonn_tui.ui.widgets.choices import TextField
from dvonn_tui.ui.widgets.game_card import GameCard
from dvonn_tui.ui.widgets.game_list import GameList
from dvonn_tui.ui.widgets.lines import KeyBar, StatusLine, TopBar
from dvonn_tui.ui.widgets.small_board import SmallBoard
from dvonn_tui.ui.words import Tone, counted

_Act = Callable[[Listed, Record], None]

LONGEST_FILTER: Final = 100

LIST_AGAIN: Final = 1.0
"""Seconds between two looks at what was read so far, while games are read."""

PAINTED_FIRST: Final = 0.1
"""Seconds in which the list is painted before anything else is done."""

SMALL: Final = next(scale for scale in SCALES if scale.name == "4x2")
MIDDLE: Final = next(scale for scale in SCALES if scale.name == "6x3")

MIDDLE_FROM: Final = (146, 36)
"""Columns and lines from which on the board beside the list is drawn in the middle scale."""
CARD_BESIDE_FROM: Final = 76
"""Columns from which on the card stands beside the board that is below the list."""


KEYS: Final = (
    Key("enter", "open", "open", "Go on with the game, or look at it when it is over"),
    Key("slash,tab", "filter", "filter", "Filter: words of players, result, set-up, date, file"),
    Key("c,C,y", "copy", "copy", "Copy the game in the native form"),
    Key("e,E", "export", "export", "Write the game to a file, in any form"),
    Key("d,D,delete", "delete", "delete", "Move the file into the folder of deleted games"),
    Key("question_mark,f1", "help", "help", "These keys"),
    Key("u,U,ctrl+z", "undo", "undo", "Bring back what was deleted last"),
    Key("r,R,f2", "rename", "rename", "Give the file another name"),
    Key("s", "sort", "sort", "Sort by the next column; the head of each can be clicked as well"),
    Key("S", "turn_round", "turn round", "The other way round; a second click on the head does it as well"),
    Key("o,O,comma", "folders", "folders", "Folders that are listed as well"),
    Key("escape,q,l,L,ctrl+g", "close", "close", "Back to the game"),
)
"""Everything that has a key of its own; the order is that of the foot, what closes comes last."""


class LibraryScreen(ListScreen[Listed], inherit_bindings=False):
    """Lists the games; answers with the one that is to be opened."""

    DEFAULT_CSS = """
    LibraryScreen {
        layout: vertical; background: $background; color: $foreground;
        & #filter { width: 100%; height: 1; border: none; padding: 0 1; background: $panel; }
        & #filter:focus { border: none; background: $foreground 12%; background-tint: $foreground 0%; }
        & #body { height: 1fr; layout: vertical; }
        & #games-side { width: 100%; height: 1fr; }
        & #games { width: 100%; height: 1fr; }
        & #preview { width: 100%; height: auto; layout: vertical; }
        & #board { display: none; background: $panel; }
        & #card { width: 100%; height: 3; margin-top: 1; }
        & #status { width: 100%; }

        &.-below #board { display: block; margin-right: 1; }
        &.-below #preview { margin-top: 1; }
        &.-below #card { margin-top: 0; }
        &.-below.-wide #preview { layout: horizontal; }
        &.-below.-wide #card { width: 1fr; height: 100%; }

        &.-beside #body { layout: horizontal; }
        &.-beside #games-side { width: 1fr; height: 100%; }
        &.-beside #board { display: block; }
        &.-beside #preview { width: auto; height: 100%; margin-left: 1; }
        &.-beside #card { width: 100%; height: 1fr; margin-top: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(KEYS)
    HEADING = "Library"
    KEYS = KEYS
    AUTO_FOCUS = "#games"
    takes_paste = True

    def __init__(self, library: Library, played: Path | None) -> None:
        """`played` is the file of the game that is played at present, which stays as it is."""
        super().__init__()
        self.games: list[Listed] = []
        """All games, the newest first, before they are filtered and sorted."""
        self._library = library
        self._played = played
        self._stop = Event()
        self._reading: tuple[int, int] | None = None
        self._troubles: tuple[str, ...] = ()
        self._deleted: list[tuple[Path, Path]] = []
        """What was deleted here: where each file lies now, and where it lay."""
        self._listed = False

    def compose(self) -> ComposeResult:
        """The list with its filter, the board and what is known of the game."""
        inks = self.home.inks
        yield TopBar(inks, id="bar")
        with Horizontal(id="body"):
            with Vertical(id="games-side"):
                yield TextField("", limit=LONGEST_FILTER, placeholder="type / to filter", id="filter")
                yield GameList(inks, id="games")
            with Vertical(id="preview"):
                yield SmallBoard(Scene(), scale=SMALL, id="board")
                yield GameCard(inks, id="card")
        yield StatusLine(inks, id="status")
        yield KeyBar(inks, id="keys")

    def on_mount(self) -> None:
        """Show what is known, then look at the folders."""
        self.bar = self.query_one("#bar", TopBar)
        self.filter = self.query_one("#filter", TextField)
        self.list = self.query_one("#games", GameList)
        self.board = self.query_one("#board", SmallBoard)
        self.card = self.query_one("#card", GameCard)
        self.status = self.query_one("#status", StatusLine)
        self.dress()
        self.look_again(list_first=True)

    def on_unmount(self) -> None:
        """Read no further."""
        self._stop.set()

    def divide(self, columns: int, lines: int) -> None:
        """Arrange the list, the board and the card for a screen of a size."""
        super().divide(columns, lines)
        self.set_class(columns >= CARD_BESIDE_FROM, "-wide")
        middle = self.has_class("-beside") and columns >= MIDDLE_FROM[0] and lines >= MIDDLE_FROM[1]
        self._scale_board(MIDDLE if middle else SMALL)

    def _scale_board(self, scale: Scale) -> None:
        if self.board.lattice.scale != scale:
            self.board.rescale(Lattice(scale))

    # What is listed

    @property
    def folders(self) -> list[tuple[Path, bool]]:
        """The folders whose games are listed, and whether those in them count."""
        added = [(folder, True) for folder in self.home.settings.library.paths()]
        return [(self.home.paths.games, False), *added]

    def look_again(self, *, list_first: bool = False, choose: tuple[str, int] | None = None) -> None:
        """Read what is new or changed, in a thread; what is known already is listed first if wished."""
        self._stop.set()
        self._stop = Event()
        self.run_worker(self._look(self._stop, list_first, choose), group="look", exclusive=True)

    async def _look(self, stop: Event, list_first: bool, choose: tuple[str, int] | None) -> None:
        if list_first:
            self._take(await asyncio.to_thread(self._library.games))
            # Threads take turns: what is known is to be seen before the folders are looked at.
            await asyncio.sleep(PAINTED_FIRST)
        loop = asyncio.get_running_loop()
        listed_at = monotonic()

        def told(done: int, total: int) -> None:
            nonlocal listed_at
            games = None
            if 0 < done < total and monotonic() - listed_at > LIST_AGAIN:
                games, listed_at = self._library.games(), monotonic()
            with suppress(RuntimeError):  # the application has ended meanwhile
                loop.call_soon_threadsafe(self._progress, stop, done, total, games)

        with suppress(OSError):
            # A folder that nothing was saved in yet is no trouble.
            self.home.paths.games.mkdir(parents=True, exist_ok=True)
        found = await asyncio.to_thread(self._library.refresh, self.folders, told, stop.is_set)
        if stop.is_set():
            return
        self._reading = None
        self._troubles = found.troubles
        for trouble in found.troubles:
            self.say(trouble)
        if found.changed or choose is not None or not self._listed:
            self._take(await asyncio.to_thread(self._library.games), choose)
        self._show_bar()

    def _progress(self, stop: Event, done: int, total: int, games: list[Listed] | None) -> None:
        """Show how far reading has come."""
        if stop.is_set() or not self.is_mounted:
            return
        self._reading = (done, total) if done < total else None
        if games is not None:
            self._take(games)
        self._show_bar()

    def _take(self, games: list[Listed], choose: tuple[str, int] | None = None) -> None:
        """List other games."""
        self.games = games
        self._listed = True
        self._filter_now(choose)

    def _filter_now(self, choose: tuple[str, int] | None = None) -> None:
        settings = self.home.settings.library
        found: Sequence[Listed] = ordered(matching(self.games, self.filter.value), settings)
        self.list.sorted_by = settings
        empty = "No game has all these words." if self.games else "No games yet: what is played is kept here."
        if not self.games and self._reading is not None:
            empty = "The games are being read."
        self.list.show(found, empty, choose)
        self._show_bar()

    def _show_bar(self) -> None:
        """How many games there are, are shown and are being read."""
        total, shown = len(self.games), len(self.list.games)
        told = counted(total, "game") if total < 1000 else f"{total:,} games"
        if shown != total:
            told = f"{shown:,} of {told}"
        if self._reading is not None and self._reading[1] > 1:
            done, files = self._reading
            told += f" {self.home.signs.dot} reading {done:,} of {files:,} files"
        self.bar.show("LIBRARY", told, "esc to the game", banner=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while it is typed."""
        event.stop()
        if self._listed:
            self._filter_now()

    def on_game_list_headed(self, message: GameList.Headed) -> None:
        """The head of a column was clicked: sort by it, or turn its order round."""
        before = self.home.settings.library
        self._sort(message.sort, reverse=message.sort is before.sort and not before.reverse)

    def _sort(self, sort: Sort, *, reverse: bool) -> None:
        """List the games in another order from now on. The chosen game stays chosen."""
        self.home.remember(library=replace(self.home.settings.library, sort=sort, reverse=reverse))
        self._filter_now()

    def on_game_list_moved(self, message: GameList.Moved) -> None:
        """Show the game that is chosen now."""
        game = self.list.chosen
        self.card.show(game)
        with suppress(NotationError):
            stacks = parse_position(game.position).stacks if game is not None and game.position else None
            self.board.draw(Scene(stacks=stacks) if stacks is not None else Scene())

    def say(self, text: str, tone: Tone = Tone.WARNING) -> None:
        """Say something in the status line until the next input."""
        self.status.show(((text, tone),), whole=True)

    def on_key(self) -> None:
        """What was said before is over."""
        self.status.show(())

    # Keys

    def action_move(self, by: int) -> None:
        """Choose the next game, or the one before."""
        self.list.move(by)

    def action_page(self, by: int) -> None:
        """Choose a game a page further."""
        self.list.move(by * self.list.rows)

    def action_to(self, row: int) -> None:
        """Choose the first or the last game."""
        self.list.choose(row if row >= 0 else len(self.list.games) - 1)

    def action_filter(self) -> None:
        """Type words to filter by, or go back to the list."""
        self.set_focus(self.list if self.focused is self.filter else self.filter)

    def action_accept(self) -> None:
        """Enter in the filter opens, as in the list."""
        self.action_open()

    def action_close(self) -> None:
        """Leave the filter, else the library."""
        if self.focused is self.filter or self.filter.value:
            self.filter.value = ""
            self.set_focus(self.list)
        else:
            self.finish(None)

    def on_game_list_opened(self, message: GameList.Opened) -> None:
        """A game was clicked twice."""
        self.action_open()

    def action_open(self) -> None:
        """Open the game that is chosen."""
        game = self._chosen()
        if game is None:
            return
        if not game.place:
            self.say(f"there is no game to open: {game.faults.splitlines()[0]}")
            return
        self.finish(game)

    def _chosen(self) -> Listed | None:
        """The game that something is to be done with; says so when there is none."""
        game = self.list.chosen
        if game is None:
            self.say("no game is chosen", Tone.QUIET)
        return game

    def action_sort(self) -> None:
        """Sort by the next column that is seen."""
        columns = self.list.sorts
        now = self.home.settings.library.sort
        following = columns[(columns.index(now) + 1) % len(columns)] if now in columns else columns[0]
        self._sort(following, reverse=False)

    def action_turn_round(self) -> None:
        """The order the other way round."""
        settings = self.home.settings.library
        self._sort(settings.sort, reverse=not settings.reverse)

    def action_copy(self) -> None:
        """Copy the chosen game."""
        self._with_record(self._copy)

    def action_export(self) -> None:
        """Write the chosen game to a file."""
        self._with_record(self._export)

    def _with_record(self, act: _Act) -> None:
        """Read the chosen game, then do something with it."""
        game = self._chosen()
        if game is None:
            return
        if not game.place:
            self.say(f"{game.name}: {game.faults.splitlines()[0]}")
            return
        self.run_worker(self._read_for(game, act), group="record", exclusive=True)

    async def _read_for(self, game: Listed, act: _Act) -> None:
        try:
            record = await asyncio.to_thread(game_at, Path(game.path), game.place)
        except (Unreadable, OSError) as problem:
            self.say(f"{game.name}: {clean_line(getattr(problem, 'strerror', None) or str(problem), 200)}")
            return
        if self.is_current:
            # From a worker a screen that is pushed would not be painted before the next key.
            self.call_later(act, game, record)

    def _copy(self, game: Listed, record: Record) -> None:
        from dvonn_tui.records.forms import write

        try:
            text = write(record)
        except CannotHold as problem:
            self.say(str(problem))
            return
        message, kept = keep_copy(self.app, self.home.paths.data, "game", text.rstrip("\n"))
        self.notify(message, markup=False, severity="information" if kept else "warning")

    def _export(self, game: Listed, record: Record) -> None:
        from dvonn_tui.ui.screens.export import ExportScreen

        def done(path: Path | None) -> None:
            if path is not None:
                self.notify(f"written to {clean_line(str(path), 300)}", markup=False)
                self.look_again()

        screen = ExportScreen(record, self.home.paths.data / "exports", Path(game.path).stem)
        self.app.push_screen(screen, done)

    # Files

    def _movable(self) -> Listed | None:
        """The chosen game, if its file may be moved; else says why not."""
        game = self._chosen()
        if game is not None and self._played is not None and Path(game.path) == self._played:
            self.say("this game is being played: begin another one first")
            return None
        return game

    def action_rename(self) -> None:
        """Ask for another name of the file."""
        from dvonn_tui.ui.screens.rename import RenameScreen

        game = self._movable()
        if game is None:
            return

        def named(new: Path | None) -> None:
            if new is not None and new != Path(game.path):
                self.say(f"{game.name} is now {clean_line(new.name, 200)}", Tone.QUIET)
                self.look_again(choose=(str(new), game.place))

        self.app.push_screen(RenameScreen(Path(game.path), rename), named)

    def action_delete(self) -> None:
        """Move the file of the chosen game away; asks when other games are in it as well."""
        from dvonn_tui.ui.screens.confirm import ConfirmScreen

        game = self._movable()
        if game is None:
            return
        if game.games < 2:
            self._delete(game)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._delete(game)

        question = f"Delete all {game.games:,} games of this file?"
        detail = f"{game.name} is one file. It is kept in the folder deleted beside it."
        self.app.push_screen(ConfirmScreen(question, "Delete", "Keep", detail), answered)

    def _delete(self, game: Listed) -> None:
        path = Path(game.path)
        try:
            now = delete(path)
        except CannotMove as problem:
            self.say(str(problem))
            return
        self._deleted.append((now, path))
        self._take([other for other in self.games if other.path != game.path])
        self.say(f"{game.name} is deleted, u brings it back: it is kept in the folder deleted", Tone.QUIET)
        self.look_again()

    def action_undo(self) -> None:
        """Bring back what was deleted last."""
        if not self._deleted:
            self.say("nothing was deleted here", Tone.QUIET)
            return
        now, path = self._deleted.pop()
        try:
            back = bring_back(now, path)
        except CannotMove as problem:
            self.say(str(problem))
            return
        self.say(f"{clean_line(back.name, 200)} is back", Tone.QUIET)
        self.look_again(choose=(str(back), 1))

    def action_folders(self) -> None:
        """Choose the folders that are listed as well."""
        from dvonn_tui.ui.screens.folders import FoldersScreen

        def chosen(folders: tuple[str, ...] | None) -> None:
            if folders is not None and folders != self.home.settings.library.folders:
                self.home.remember(library=replace(self.home.settings.library, folders=folders))
                self.look_again()

        own = str(self.home.paths.games)
        self.app.push_screen(FoldersScreen(own, self.home.settings.library.folders), chosen)
