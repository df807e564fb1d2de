"""The application: settings, colours, screens, and leaving in good order."""

from __future__ import annotations

import asyncio
import gc
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from functools import cached_property, partial
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from textual import events
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches

from dvonn_tui.art.painter import Look
from dvonn_tui.art.palettes import Palette
from dvonn_tui.core.setups import CHOSEN_SETUPS, DRAWN_SETUPS
from dvonn_tui.play.autosave import Autosave
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.clocks import NO_CLOCK, ClockRule, parse_clock
from dvonn_tui.play.launch import LaunchOptions, draw_seed, with_seed
from dvonn_tui.play.session import Session
from dvonn_tui.play.timekeeping import Halt
from dvonn_tui.settings import Keymap as KeymapName
from dvonn_tui.settings import Paths, Settings, save
from dvonn_tui.ui.company import HUMAN, Company, seat_fault, with_names
from dvonn_tui.ui.copies import OpenedFrom
from dvonn_tui.ui.farewell import command_to_go_on
from dvonn_tui.ui.fresh import FreshInput
from dvonn_tui.ui.keys import Keymap, build_keymap
from dvonn_tui.ui.paint import ASCII_SIGNS, SYMBOLS, Inks, Signs
from dvonn_tui.ui.reports import write_report
from dvonn_tui.ui.screens.play import PlayScreen
from dvonn_tui.ui.terminal_input import patient_decoder
from dvonn_tui.ui.themes import (
    ANSI_THEME,
    Terminal,
    detect_terminal,
    look_for,
    palette_for,
    textual_theme,
    theme_names,
)

if TYPE_CHECKING:
    from textual.driver import Driver

    from dvonn_tui.play.engine_link import EngineLink
    from dvonn_tui.play.resuming import Resumed
    from dvonn_tui.records.library import Library
    from dvonn_tui.ui.screens.opening import Speaking
    from dvonn_tui.ui.visit import Visit

ENDING_SIGNALS: Final = ("SIGTERM", "SIGHUP", "SIGINT")

SIGNAL_STATUS: Final = 128
"""What a shell adds to the number of a signal to make an exit status of it."""

TERMINAL_WATCH: Final = 1.0
"""Seconds between two looks whether there is still a terminal."""


class DvonnApp(FreshInput[int]):
    """DVONN in the terminal.

    Attributes:
        settings: what is in force: the stored settings, with what was said on the command line.
        farewell: what is to be printed once the screen is left.
    """

    TITLE = "DVONN"
    ENABLE_COMMAND_PALETTE = False
    # The mouse plays here; and a second click on a notification that just went would be an error.
    ALLOW_SELECT = False
    CSS = """
    Toast { background: $panel; max-width: 100%; }
    App.-ascii Toast { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave_now", "Leave", show=False, priority=True, id="quit.now"),
    ]

    def __init__(
        self,
        options: LaunchOptions,
        settings: Settings,
        paths: Paths,
        problems: tuple[str, ...] = (),
        *,
        terminal: Terminal | None = None,
        analyst: EngineLink | None = None,
        resumed: Resumed | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """Make one. `analyst` is the engine for the analysis, by default one of this program.

        `resumed` is a saved game to go on with, in place of the one that the options begin. `now` is the
        monotonic clock, in seconds, that the clocks of games are read with.
        """
        self.now = now
        self.terminal = terminal or detect_terminal()
        # Textual chooses how it filters colours when it is made, and never again.
        super().__init__(ansi_color=True if self.terminal.own_colours else None)
        self.options = options
        self.paths = paths
        self.farewell = ""
        self._problems = problems
        self._stored = settings
        self._save_failed = False
        self._notes: tuple[str, ...] | None = None
        said: dict[str, Any] = {"look": options.look, "theme": options.theme}
        self.settings = replace(
            settings, **{name: value for name, value in said.items() if value is not None}
        )
        self.autosave = Autosave(paths.games, enabled=self.settings.autosave)
        self.autosave.on_change = partial(self.call_later, self._saving_changed)
        if resumed is None:
            choice = self._seated(first_choice(options, settings))
            game = options.game or choice.begin()
            self.table = PlayScreen(Session(game, rule=choice.clock, now=now), build_keymap({}))
            self.table.choice = choice
            if options.game is not None:
                self.table.opened_from = OpenedFrom.of(game, dict(options.tags))
            if options.look_at is not None:
                self.table.hand.view.look_at(options.look_at)
            self.table.flipped = bool(options.flip)
            self.autosave.follow(self.table.session, self.table.seating)
        else:
            session = Session(resumed.game, rule=resumed.choice.clock, now=now, turn=resumed.turn)
            self.table = PlayScreen(session, build_keymap({}))
            self._notes = self.table.take_over(resumed, self.settings, self.autosave)
            self.table.flipped = self.table.flipped if options.flip is None else options.flip
        self.company = Company(self.table.company_changed, self.table.company_trouble, draw_seed, analyst)
        self._take_over()

    def get_driver_class(self) -> type[Driver]:
        """Textual's, which reads on after bytes that are no UTF-8, and lets go of a terminal that is gone.

        Terminals of other encodings, old reports of the mouse and pasted rubbish send such bytes; Textual's
        strict decoder would end the application. What else is decoded with care see `PatientDecoder`; what
        its writer does is said at `LastingWriter`.
        """
        found = super().get_driver_class()
        names = vars(sys.modules[found.__module__])
        if "getincrementaldecoder" in names:
            names["getincrementaldecoder"] = patient_decoder
        if "WriterThread" in names:
            from dvonn_tui.ui.writer import LastingWriter

            names["WriterThread"] = LastingWriter
        return found

    def _timed(self) -> ClockRule:
        """How time is given in the first game: as said at the start, else as the last time.

        A game that is looked at, and one of which more was said, has no clock unless it was said.
        """
        options = self.options
        if options.clock is not None:
            return options.clock
        if not options.bare:
            return NO_CLOCK
        try:
            return parse_clock(self.settings.clock)
        except ValueError as problem:
            self._problems += (str(problem),)
            return NO_CLOCK

    def _seated(self, choice: GameChoice) -> GameChoice:
        """The first game with who plays it: as said at the start, else as the last time.

        Whoever says how the game begins, or names the players, and no more, has both sides.
        """
        options = self.options
        white = options.white_seat or (self.settings.white_seat if options.bare else HUMAN)
        black = options.black_seat or (self.settings.black_seat if options.bare else HUMAN)
        faults = {seat: seat_fault(seat, self.settings) for seat in (white, black)}
        self._problems += tuple(fault for fault in faults.values() if fault)
        white, black = (HUMAN if faults[seat] else seat for seat in (white, black))
        choice = replace(choice, white_seat=white, black_seat=black, clock=self._timed())
        return with_names(choice, self.settings)

    @property
    def look(self) -> Look:
        """How the board is drawn at present."""
        return look_for(str(self.settings.look), self.terminal)

    @property
    def board_look(self) -> str:
        """The look, for small boards in dialogs."""
        return self.look

    @property
    def board_palette(self) -> Palette:
        """The palette, for small boards in dialogs."""
        return self.palette

    @property
    def theme_names(self) -> tuple[str, ...]:
        """The themes to choose from."""
        return theme_names(self.terminal)

    @property
    def animated(self) -> bool:
        """True when moves are to glide."""
        return self.settings.animation and self.animation_level != "none"

    @cached_property
    def library(self) -> Library:
        """The index of all games; made when it is needed."""
        from dvonn_tui.records.library import Library

        return Library(self.paths.library)

    @cached_property
    def visit(self) -> Visit:
        """The way to servers with tables; made when it is needed."""
        from dvonn_tui.ui.visit import Visit

        return Visit(self.paths.data)

    def tell_problems_of_tables(self) -> None:
        """Tell once what of the seats at tables could not be read or kept."""
        for problem in self.visit.new_problems():
            self.notify(problem, title="tables", severity="warning", timeout=15, markup=False)

    @property
    def session(self) -> Session:
        """The game that is played."""
        return self.table.session

    def _take_over(self) -> None:
        """Make colours, signs and keys of the settings."""
        settings = self.settings
        self.palette = palette_for(settings.theme, self.terminal)
        self.inks = Inks(self.palette, colourless=self.terminal.colourless)
        self.signs: Signs = ASCII_SIGNS if self.look is Look.ASCII else SYMBOLS
        self.keymap: Keymap = build_keymap(settings.keys, vim=settings.keymap == KeymapName.VIM)
        self.table.use_keymap(self.keymap)
        self.set_class(self.look is Look.ASCII, "-ascii")
        if self.terminal.own_colours:
            self.theme = ANSI_THEME
        else:
            theme = textual_theme(self.palette)
            self.register_theme(theme)
            self.theme = theme.name

    async def on_event(self, event: events.Event) -> None:
        """Carry out the keys of the game screen at once and in their order.

        Textual sends a key to the screen, and back here when nothing there took it. By then the keys
        behind it are on their way as well: of a quickly typed ":a2b2" the letters would be commands.
        """
        if (
            isinstance(event, events.Key)
            and not event.is_forwarded
            and not self.is_stale(event)
            and self._screen_stack
            and self.screen is self.table
            and await self.table.take_key(event)
        ):
            event.stop()
            return
        await super().on_event(event)

    def on_mount(self) -> None:
        """Show the game, and what was wrong with the settings."""
        self._catch_signals()
        self._catch_suspension()
        self.app_suspend_signal.subscribe(self, lambda _: self.session.halt(Halt.SUSPENDED), immediate=True)
        self.app_resume_signal.subscribe(self, lambda _: self._go_on(), immediate=True)
        self.push_screen(self.table)
        self.table.call_after_refresh(_collect_garbage)
        self.table.call_after_refresh(self._begin)
        for problem in (*self._problems, *self.keymap.problems):
            self.notify(problem, title="settings", severity="warning", timeout=12, markup=False)
        for note in self.options.notes:
            self.notify(note, title="record", severity="warning", timeout=12, markup=False)

    def _go_on(self) -> None:
        """The program runs again after it was suspended."""
        self.session.go_on(Halt.SUSPENDED)
        self.table.update()

    def _begin(self) -> None:
        """The first board is seen: let play begin, or offer to go on with a game that waits."""
        self.autosave.warm()
        if self.options.join is not None:
            self.table.take_seats()
            self.table.join(self.options.join)
        elif self._notes is None:
            self.table.greet()
        else:
            self.table.tell_notes(self._notes)
            self.table.take_seats()

    def _saving_changed(self) -> None:
        self.table.saving_changed()

    def _catch_signals(self) -> None:
        """Leave in good order when somebody else ends the program or the terminal goes away."""
        loop = asyncio.get_running_loop()
        for name in ENDING_SIGNALS:
            number = getattr(signal, name, None)
            if number is not None:
                # Windows has no such handlers in its event loop.
                with suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self.leave, SIGNAL_STATUS + int(number))
        if hasattr(select, "poll") and not self.is_headless:
            self.set_interval(TERMINAL_WATCH, self._watch_terminal)

    def _catch_suspension(self) -> None:
        """Let the clocks stand still before the program is stopped from outside.

        Textual tells of the end of such a stop, but of its beginning only when it stops itself.
        """
        number = getattr(signal, "SIGTSTP", None)
        before = None if number is None else signal.getsignal(number)
        if number is None or not callable(before):
            return

        def stop(received: int, frame: FrameType | None) -> None:
            self.session.halt(Halt.SUSPENDED)
            before(received, frame)

        signal.signal(number, stop)

    def _watch_terminal(self) -> None:
        """Leave when the terminal is gone: without a signal from it, it just reads as empty for ever."""
        watch = select.poll()
        watch.register(0, 0)
        if any(state & select.POLLHUP for _, state in watch.poll(0)):
            self.leave(SIGNAL_STATUS + int(signal.SIGHUP))

    def try_settings(self, settings: Settings) -> None:
        """Put settings in force without storing them."""
        from dvonn_tui.ui.screens.dialog import Dialog

        if settings == self.settings:
            return
        self.settings = settings
        self.autosave.enabled = settings.autosave
        self._take_over()
        for screen in self.screen_stack:
            if isinstance(screen, PlayScreen):
                screen.dress()
            elif isinstance(screen, Dialog):
                screen.follow_look()

    def keep_settings(self, before: Settings, settings: Settings) -> None:
        """Put settings in force and store those that differ from what was in force before."""
        changes = {
            field.name: getattr(settings, field.name)
            for field in fields(Settings)
            if getattr(settings, field.name) != getattr(before, field.name)
        }
        self.try_settings(settings)
        self._store(changes)

    def remember(self, **changes: Any) -> None:
        """Change some settings and store them."""
        self.try_settings(replace(self.settings, **changes))
        self._store(changes)

    def _store(self, changes: dict[str, Any]) -> None:
        stored = replace(self._stored, **changes)
        if stored == self._stored:
            return
        self._stored = stored
        problem = save(self.paths, stored)
        if problem is not None and not self._save_failed:
            self.notify(problem, title="settings not saved", severity="warning", markup=False)
        self._save_failed = problem is not None

    def first_game_over(self) -> None:
        """Somebody who has finished a game needs no guide any more."""
        if self._stored.guide:
            self._store({"guide": False})

    async def action_quit(self) -> None:
        """Textual's own way out, ctrl+q: the same as ours."""
        self.table.action_leave()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted where nothing is typed: a position or a game, perhaps."""
        if getattr(self.screen, "takes_paste", False):
            self.table.take_paste(event.text, cast("Speaking", self.screen))

    async def on_unmount(self) -> None:
        """No engine stays behind, and no game."""
        if "visit" in self.__dict__:
            await self.visit.close()
        await self.company.close()
        if "library" in self.__dict__:
            self.library.close()
        self.autosave.close()

    def action_leave_now(self) -> None:
        """Leave without asking."""
        self.leave()

    def leave(self, status: int = 0) -> None:
        """Leave, with the way to go on from here when a game was running."""
        session, trouble = self.session, self.autosave.trouble
        guest = self.table.guest
        if guest is not None:
            from dvonn_tui.ui.table_words import leaving_words

            self.farewell = leaving_words(guest.table)
        elif session.running:
            unsaved = f"The game is not saved ({trouble}). From here it" if trouble else "The game"
            self.farewell = f"{unsaved} can go on:  {command_to_go_on(session, self.autosave.name)}"
        self.exit(status, return_code=status)

    def _handle_exception(self, error: Exception) -> None:
        """An error of ours: keep the report, tell the player in one line, and give the terminal back."""
        if self._exit and isinstance(error, NoMatches):
            # A dialog that was just opening is told of its size after its widgets are taken away.
            return
        self.farewell = write_report(self.paths, error, self.session, self.autosave.name)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Textual would print the whole traceback here; it is in the report."""
        self._close_messages_no_wait()


def first_choice(options: LaunchOptions, settings: Settings) -> GameChoice:
    """The game to start with: as said on the command line, else as chosen the last time."""
    choice = replace(
        options.choice,
        white=settings.white if options.white is None else options.white,
        black=settings.black if options.black is None else options.black,
    )
    if options.explicit or settings.setup not in CHOSEN_SETUPS:
        return choice
    seed = choice.seed if settings.setup in DRAWN_SETUPS else None
    return with_seed(replace(choice, setup=settings.setup, seed=seed))


def _collect_garbage() -> None:
    """Start collecting garbage, of what is made from now on."""
    gc.freeze()
    gc.enable()
