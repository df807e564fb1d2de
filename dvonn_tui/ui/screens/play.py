"""The game screen: typed moves and commands, dialogs, and everything around the game.

Dialogs are imported when they are opened, so that the first board need not wait for them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import events

from dvonn_tui.art.painter import Look
from dvonn_tui.core.errors import DvonnError, IllegalAction
from dvonn_tui.core.events import Move, Place
from dvonn_tui.core.notation import Word, format_action, format_position, parse_token
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Outcome, Position, Score
from dvonn_tui.core.rules import decide, legal_moves, legal_placements
from dvonn_tui.core.setups import CHOSEN_SETUPS, Setup
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.launch import with_seed
from dvonn_tui.play.session import Session
from dvonn_tui.play.timekeeping import Halt
from dvonn_tui.play.verdict import AT_RANDOM
from dvonn_tui.settings import Settings
from dvonn_tui.ui.company import Advice, seat_choices, with_colours_changed, with_names
from dvonn_tui.ui.copies import game_tokens, keep_copy, record_text
from dvonn_tui.ui.farewell import command_to_go_on
from dvonn_tui.ui.keys import COMMANDS, COMMANDS_BY_ID, CURSOR, Command
from dvonn_tui.ui.newcomers import Noted, note_newcomers
from dvonn_tui.ui.screens.visiting import VisitingScreen
from dvonn_tui.ui.widgets.command_line import CommandLine
from dvonn_tui.ui.widgets.lines import KeyBar
from dvonn_tui.ui.words import Tone, outcome_reason, outcome_title, say_preview

if TYPE_CHECKING:
    from dvonn_tui.tables.options import TableOptions
    from dvonn_tui.ui.screens.result import Result

LEAVING_KEYS = ("escape", "ctrl+g")
"""Keys that close the line for typing."""


_PAUSE: Final = COMMANDS_BY_ID["pause"]

_PRINTED: Final = "The line to go on from here is printed."

_NOT_SAVED: Final = "It is not saved: what was played, its other lines and comments will be gone."


class PlayScreen(VisitingScreen):
    """The whole game screen."""

    _faulty = ""
    """The text of which `_fault` speaks: news of it may come later than it is refused."""
    next_options: TableOptions | None = None
    """What was set in the chat line for the next game that is played here."""
    _noted: Noted | None = None
    """The change of players that was written down last."""
    _advised: tuple[Position, tuple[Advice, ...], int] | None = None
    """The position that was advised on, the advices, and which of them is shown."""

    def show_result(self, outcome: Outcome, score: Score) -> None:
        """Announce the result, and do what is chosen then."""
        from dvonn_tui.ui.screens.result import ResultScreen

        totals = [(self.home.signs.of(side), self.player_name(side), score.of(side)) for side in Side]
        # What was told before must not lie on the result.
        self.app.clear_notifications()
        here = None if self.guest is None else self.guest.side is not None
        screen = ResultScreen(outcome_title(outcome), outcome_reason(outcome), totals, at_table=here)
        self.app.push_screen(screen, self._after_result)

    def _after_result(self, result: Result | None) -> None:
        from dvonn_tui.ui.screens.result import Result

        if result is Result.NEW:
            self.action_new_game()
        elif result is Result.REMATCH:
            self.rematch()
        elif result is Result.LEAVE:
            self.leave_table()
        elif result is Result.BACK:
            self.action_step(-1)
        elif result is Result.COPY:
            self.action_copy_moves()

    # The chat line

    async def carry_out(self, text: str) -> None:
        """Carry out a command that begins with a slash. Raises IllegalAction when it cannot be."""
        from dvonn_tui.ui.slash_acts import carry_out

        carry_out(self, text)

    @property
    def usual_setup(self) -> Setup:
        """How the board of the next game is filled unless something else is said."""
        setup = self.home.settings.setup
        return setup if setup in CHOSEN_SETUPS else Setup.BALANCED

    def begin_next(self) -> None:
        """Begin the next game with the options that were set for it, and the same players."""
        options = self.next_options
        setup, clock = (
            (self.usual_setup, self.choice.clock) if options is None else (options.setup, options.clock)
        )
        self._begin(replace(self.choice_here, setup=setup, seed=None, position=None, clock=clock))

    def ask_for_rematch(self) -> None:
        """Begin another game with colours changed; asks before one is left that goes on."""
        self._begin(with_colours_changed(self.choice))

    def reseat(self, seats: tuple[str, str]) -> None:
        """Let others play from now on; seats are White's and Black's."""
        self._reseat(seats)

    # Typing

    async def take_key(self, event: events.Key) -> bool:
        """Do what a key says, before the next one is looked at. False when it says nothing here."""
        if self.open_line is not None:
            return await self._type(self.open_line, event)
        action = self.keymap.actions.get(event.key)
        if action is None:
            return False
        await self.run_action(action)
        return True

    async def _type(self, line: CommandLine, event: events.Key) -> bool:
        if event.key == "enter":
            await (self.enter if line is self.line else self.send)(line.value)
        elif event.key in LEAVING_KEYS:
            line.close()
        else:
            return line.edit(event)
        return True

    def action_type(self) -> None:
        """Open the line for moves and commands."""
        self.heard()
        position = self.hand.position
        tokens = [format_action(move) for move in legal_moves(position)]
        tokens += [format_action(place) for place in legal_placements(position)]
        words = [_typed_name(command) for command in COMMANDS]
        self.line.open(sorted(tokens) + sorted(words))

    async def action_enter(self, text: str) -> None:
        """Do what a text says that was clicked on; one that has a gap behind it is to be written on."""
        line = self.open_line
        if line is None or line is self.line:
            await self.enter(text)
        elif text.endswith(" "):
            line.value = text
            line.cursor_position = len(text)
        else:
            await self.send(text)

    def action_close_line(self) -> None:
        """Close the line for typing."""
        self.close_lines()

    def on_command_line_edited(self, message: CommandLine.Edited) -> None:
        """Show what the text so far can become, or the keys again."""
        line = self.open_line
        self.set_class(line is not None, "-typing")
        self._matches = () if line is None else line.matches()
        if line is self.line and line is not None and not self._matches:
            self._matches = ("nothing matches",)
        if line is None or line.value != self._faulty:
            self._fault = ""
        self.update()

    def on_command_line_left_out(self, message: CommandLine.LeftOut) -> None:
        """Say that not all of a text was taken. After the news of the text itself, which is on its way."""
        self.call_later(self.tell_fault, message.told)

    def tell_fault(self, told: str) -> None:
        """Show below the line why its text cannot be carried out."""
        line = self.open_line
        if line is not None:
            self._fault, self._faulty = told, line.value
            self.update()

    async def enter(self, text: str) -> None:
        """Play a typed token, go to a typed ply, or carry out a typed command.

        What cannot be done stays in the line, with the reason below it.
        """
        self.heard()
        try:
            act = self._understood(text.strip())
        except DvonnError as fault:
            self.refuse(fault)
            self.tell_fault(fault.reason)
            return
        self.line.close()
        self.update()
        # Awaited, so that the next key finds the dialog that this may open.
        await act()

    def _understood(self, text: str) -> Callable[[], Awaitable[object]]:
        """What a typed text asks for, to be called. Raises DvonnError when it is nothing that can be done."""
        wanted = text.lower()
        for command in COMMANDS:
            if wanted in (_typed_name(command), command.id):
                return partial(self.run_action, command.action)
        if re.fullmatch("p?[0-9]{1,4}", wanted):
            return _calling(self.action_to_start if wanted == "0" else self._going_to_ply(wanted))
        token = parse_token(text) if text else None
        if isinstance(token, (Move, Place)):
            # Before anything is asked of the player.
            decide(self.hand.position, token)
            side = self.hand.position.side
            if not self.plays_here(side):
                raise IllegalAction(self.not_your_turn(side))
            return _calling(partial(self.perform, token))
        if token is Word.PASS:
            raise IllegalAction("a pass happens by itself when a side has no move")
        return partial(self.run_action, str(token)) if token is not None else _calling(lambda: None)

    def _going_to_ply(self, label: str) -> Callable[[], None]:
        """What goes to the ply of a label. Raises IllegalAction when the line that is seen has none."""
        for ply in self.hand.view.plies[1:]:
            if ply.label == label:
                return partial(self.look_at, ply.last.number)
        raise IllegalAction(f"this line has no ply {label}")

    # The game and the screen

    def action_new_game(self) -> None:
        """Choose a new game."""
        from dvonn_tui.ui.screens.new_game import NewGameScreen

        self.heard()
        choice = replace(self.choice_here, setup=self.usual_setup, seed=None, position=None)
        seats = seat_choices(self.home.settings)
        self.app.push_screen(NewGameScreen(choice, self.session.running, seats=seats), self._begin)

    def action_edit(self) -> None:
        """Set up a position by hand, and begin a game from it."""
        self.heard()
        self._edit(self._choose_seats)

    def _edit(self, play: Callable[[Position], None]) -> None:
        """Open the editor on what is seen; `play` is what is done with a position to be played."""
        from dvonn_tui.ui.screens.edit import Edited, EditScreen

        def edited(answer: Edited | None) -> None:
            if answer is None:
                self.update()
            elif answer.analyse:
                self._begin(GameChoice(Setup.POSITION, position=answer.position), self._analyse_it)
            else:
                play(answer.position)

        screen = EditScreen(self.hand.position, flipped=self.board.lattice.flipped)
        self.app.push_screen(screen, edited)

    def _choose_seats(self, position: Position) -> None:
        """Choose who plays from a position."""
        from dvonn_tui.ui.screens.new_game import NewGameScreen

        choice = replace(self.choice_here, setup=Setup.POSITION, seed=None, position=position)
        seats = seat_choices(self.home.settings)
        self.app.push_screen(NewGameScreen(choice, self.session.running, seats=seats), self._begin)

    def _analyse_it(self) -> None:
        """The position that was set up is there: analyse it."""
        if not self.analysing:
            self.action_analysis()

    def _begin(self, choice: GameChoice | None, then: Callable[[], None] = lambda: None) -> None:
        """Begin the chosen game; asks before a game is left in which something was played."""
        if choice is None:
            return
        if choice.setup is Setup.POSITION and choice.position is None:
            self._edit(lambda position: self._begin(replace(choice, position=position)))
            return

        def begin() -> None:
            self._begin_now(choice)
            then()

        if self.guest is not None:
            self.ask_to_leave_table(begin)
            return
        if not self.session.running:
            begin()
            return
        session = self.session

        def answered(yes: bool | None) -> None:
            if yes and self.session is session:
                begin()

        saved = self.home.autosave.name
        kept = "It is saved." if saved else "It has no way back."
        detail = f"{kept} To go on with it later: {command_to_go_on(session, saved)}"
        self._ask("Give up the game in progress?", "New game", "Play on", answered, detail)

    def _begin_now(self, choice: GameChoice) -> None:
        choice = with_names(with_seed(choice), self.home.settings)
        self.home.remember(
            setup=choice.setup if choice.setup in CHOSEN_SETUPS else self.home.settings.setup,
            white=choice.white,
            black=choice.black,
            white_seat=choice.white_seat,
            black_seat=choice.black_seat,
            clock=str(choice.clock),
        )
        if self.session.running:
            self.home.autosave.lay_aside()
        self.choice = choice
        self.use_session(Session(choice.begin(), rule=choice.clock, now=self.home.now))
        self.home.autosave.follow(self.session, self.seating)
        self._dress_board()
        self.take_seats()

    def rematch(self) -> None:
        """The same players with their colours changed, on a new board of the same kind; at a table that
        is offered."""
        if self.guest is not None:
            self.guest.offer_rematch()
            return
        self._begin_now(with_colours_changed(self.choice))

    # Engines

    def take_seats(self) -> None:
        """Let those play who were chosen. The board is there: with a clock it is White's time that runs."""
        self.home.company.seat(self.session, self.choice, self.home.settings)
        if self.session.paused:
            self.home.company.pause()
            self.say(f"the game is paused: {self.keymap.shown(_PAUSE, 1)} goes on", Tone.STRONG)
        self.session.start_clocks()
        self.update()

    def company_changed(self) -> None:
        """An engine began or ended to think."""
        if self.is_mounted:
            self.update()

    def company_trouble(self, line: str, waiting: bool) -> None:
        """An engine failed."""
        restart = self.keymap.shown(COMMANDS_BY_ID["engine.restart"], 1)
        advice = f"; {restart} starts it anew" if waiting else ""
        self.notify(f"{line}{advice}", title="engine", severity="warning", timeout=15, markup=False)
        self.update()

    def action_hint(self) -> None:
        """Show the best move on the board; again for the next best."""
        self.heard()
        position = self.hand.position
        if position.over:
            self.say("the game is over", Tone.QUIET)
        elif self._advised is not None and self._advised[0] is position:
            _, advices, shown = self._advised
            self._show_advice(position, advices, (shown + 1) % len(advices))
        else:
            self.say("looking for a good move", Tone.QUIET)
            self.run_worker(self._find_hint(position), group="hint", exclusive=True)

    async def _find_hint(self, position: Position) -> None:
        from dvonn_tui.play.engine_trouble import EngineTrouble, Superseded

        try:
            advices = await self.home.company.advise(position)
        except Superseded:
            return
        except EngineTrouble as trouble:
            self.company_trouble(trouble.line, False)
            return
        # An answer for a position gone by is none.
        if advices and self.hand.position is position and self.is_current:
            self._show_advice(position, advices, 0)

    def _show_advice(self, position: Position, advices: tuple[Advice, ...], which: int) -> None:
        """Show an advised move as if the player considered it, so that enter plays it."""
        self._advised = (position, advices, which)
        token = parse_token(advices[which].token)
        if isinstance(token, Move | Place):
            self.consider(token)
        preview = self.hand.attention.preview
        what = say_preview(preview, self.home.signs, ask=False) if preview else ((str(token), Tone.STRONG),)
        placing = isinstance(token, Place)
        if isinstance(token, Place):
            what = ((f"place on {format_action(token)}", Tone.STRONG),)
        verdict = advices[which].verdict
        worth = f"  {verdict.words}" if verdict is not None and (verdict.solved or placing) else ""
        label = f" {AT_RANDOM}" if worth and placing else ""
        head = f"hint {which + 1} of {len(advices)}: "
        self._said = ((head, Tone.QUIET), *what, (worth, Tone.PLAIN), (label, Tone.QUIET))
        self.update()

    def action_play_now(self) -> None:
        """Let the engine play what it has."""
        self.heard()
        if not self.home.company.play_now():
            self.say("no engine is thinking", Tone.QUIET)

    def action_pause(self) -> None:
        """Let the clocks stand still and engines wait, or go on."""
        self.heard()
        session, company = self.session, self.home.company
        if session.game.position.over:
            self.say("the game is over", Tone.QUIET)
        elif session.clocks is None:
            if not company.engaged:
                self.say("no engine plays, and there is no clock", Tone.QUIET)
            elif company.paused:
                company.go_on()
                self.say("the engines go on", Tone.QUIET)
            else:
                company.pause()
                self.say("the engines wait", Tone.QUIET)
        elif session.paused or company.paused:
            session.go_on(Halt.PAUSED)
            company.go_on()
            self.say("the game goes on", Tone.QUIET)
        else:
            session.halt(Halt.PAUSED)
            company.pause()
            self.say(f"the game is paused: {self.keymap.shown(_PAUSE, 1)} goes on", Tone.STRONG)
        self.update()

    def action_restart_engine(self) -> None:
        """Start an engine that failed anew."""
        self.heard()
        if self.home.company.restart():
            self.say("the engine was started anew", Tone.QUIET)
        else:
            self.say("no engine failed", Tone.QUIET)

    def action_seats(self) -> None:
        """Change who plays in the running game."""
        from dvonn_tui.ui.screens.seats import SeatsScreen

        self.heard()
        seats = (self.choice.white_seat, self.choice.black_seat)
        self.app.push_screen(SeatsScreen(seats, seat_choices(self.home.settings)), self._reseat)

    def _reseat(self, seats: tuple[str, str] | None) -> None:
        if seats is None:
            return
        before = (self.choice.white_seat, self.choice.black_seat)
        if seats == before:
            return
        names = {side: self.player_name(side) for side in Side}
        self.choice = self._reseated(seats)
        if len(self.session.game.log) == 1:
            # Nothing was played: the same game under the names of those who play it.
            self._begin_now(self.choice)
            return
        self.renamed = {Side.WHITE: self.choice.white, Side.BLACK: self.choice.black}
        for side, was, now in zip(Side, before, seats, strict=True):
            if was != now:
                self.home.company.change(self.session, side, now, self.home.settings)
        self.home.remember(white_seat=seats[0], black_seat=seats[1])
        self._noted = note_newcomers(self.session, names, self.renamed, self._noted)
        self.keep_seating()
        self.update()

    def _reseated(self, seats: tuple[str, str]) -> GameChoice:
        """The game with other seats, White's and Black's, under the names of those who play it then. Who
        only changes the side takes his name along."""
        white, black = (self.player_name(side) for side in Side)
        before = replace(self.choice, white=white, black=black)
        seated = replace(before, white_seat=seats[0], black_seat=seats[1])
        if seats == (before.black_seat, before.white_seat):
            changed = with_colours_changed(before)
            return replace(seated, white=changed.white, black=changed.black)
        unnamed = replace(seated, white=Side.WHITE.word, black=Side.BLACK.word)
        newcomers = with_names(unnamed, self.home.settings)
        return replace(
            seated,
            white=white if seats[0] == before.white_seat else newcomers.white,
            black=black if seats[1] == before.black_seat else newcomers.black,
        )

    def action_flip(self) -> None:
        """Turn the board round."""
        self.heard()
        self.flipped = not self.flipped
        self.keep_seating()
        self.dress()

    def action_next_look(self) -> None:
        """Go to the next look."""
        self.heard()
        looks = [look for look in Look if not self.home.terminal.colourless or look is not Look.DISCS]
        following = looks[(looks.index(self.home.look) + 1) % len(looks)]
        self.home.remember(look=str(following))
        self.say(f"look: {following}", Tone.QUIET)

    def action_next_theme(self) -> None:
        """Go to the next theme."""
        self.heard()
        names = self.home.theme_names
        here = names.index(self.home.settings.theme) if self.home.settings.theme in names else -1
        following = names[(here + 1) % len(names)]
        self.home.remember(theme=following)
        self.say(f"theme: {following}", Tone.QUIET)

    def action_settings(self) -> None:
        """Change the settings."""
        from dvonn_tui.ui.screens.settings import SettingsScreen

        self.heard()
        before = self.home.settings

        def chosen(settings: Settings | None) -> None:
            if settings is not None:
                self.home.keep_settings(before, settings)

        screen = SettingsScreen(
            before,
            self.home.theme_names,
            path=self.home.paths.config,
            on_change=self.home.try_settings,
        )
        self.app.push_screen(screen, chosen)

    def action_help(self, page: str = "play") -> None:
        """Show the help."""
        from dvonn_tui.ui.screens.help import HelpScreen

        self.heard()
        self.app.push_screen(HelpScreen(self.commands_shown(), page))

    def action_palette(self) -> None:
        """Show all commands."""
        from dvonn_tui.ui.screens.palette import PaletteScreen

        self.heard()
        # Moving the cursor is what nobody looks for here.
        commands = sorted(COMMANDS, key=lambda command: command.group == CURSOR)
        rows = [(command.title, self.keymap.shown(command, 2), command.action) for command in commands]
        self.app.push_screen(PaletteScreen(rows), self._palette_chosen)

    def _palette_chosen(self, action: str | None) -> None:
        if action is not None:
            self.call_later(self.run_action, action)

    def action_leave(self) -> None:
        """Leave the application; asks when a game is running."""
        if self.guest is not None:
            self.ask_to_leave_table(self.home.leave, "Leave the game?", meant=True)
            return
        if not self.session.running:
            self.home.leave()
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.home.leave()

        autosave = self.home.autosave
        detail = "It is saved: the next start offers to go on." if autosave.name else _PRINTED
        if autosave.trouble:
            detail = f"{_NOT_SAVED} {_PRINTED}"
        self._ask("Leave the game?", "Leave", "Play on", answered, detail)

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        """A key at the foot was clicked."""
        self.call_later(self.run_action, message.action)

    def action_copy_position(self) -> None:
        """Copy the position that is seen."""
        self._copy("position", format_position(self.hand.position))

    def action_copy_moves(self) -> None:
        """Copy the placements and moves of the line up to what is seen."""
        view = self.hand.view
        self._copy("moves", game_tokens(view.plies[: view.index + 1]))

    def action_copy_record(self) -> None:
        """Copy the whole game with its lines, comments and marks as a native record."""
        from dvonn_tui.records.forms import NATIVE

        text = record_text(self.session.game, self.opened_from, self.session.rule)
        self._copy("record", text, NATIVE.suffixes[0])

    def action_copy_board(self) -> None:
        """Copy the board as text."""
        from dvonn_tui.art.text import board_text

        position = self.hand.position
        self._copy("board", board_text(position.stacks, flipped=self.board.lattice.flipped))

    def _copy(self, what: str, text: str, suffix: str = ".txt") -> None:
        self.heard()
        message, kept = keep_copy(self.app, self.home.paths.data, what, text, suffix)
        self.notify(message, markup=False, severity="information" if kept else "warning")


def _typed_name(command: Command) -> str:
    """The word that stands for a command in the line for typing."""
    return command.short or command.id


def _calling(act: Callable[[], None]) -> Callable[[], Awaitable[object]]:
    """What does something at once, as something to be awaited."""

    async def call() -> None:
        act()

    return call
