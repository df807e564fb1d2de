"""Keeping the game that is played in its file, and going on with one that was kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.play.autosave import Autosave, Origin
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.session import Session
from dvonn_tui.play.timekeeping import Halt
from dvonn_tui.records.seating import Seating
from dvonn_tui.settings import Settings
from dvonn_tui.ui.company import HUMAN, seat_fault
from dvonn_tui.ui.copies import OpenedFrom
from dvonn_tui.ui.farewell import PROGRAM
from dvonn_tui.ui.keys import COMMANDS_BY_ID
from dvonn_tui.ui.log_rows import start_text
from dvonn_tui.ui.screens.replaying import ReplayingScreen
from dvonn_tui.ui.words import Tone

if TYPE_CHECKING:
    from dvonn_tui.play.resuming import Resumed, Waiting

SLOW_AFTER: Final = 1.0
"""Seconds after which a disk that does not answer is told in words; the sign is there at once."""

LONG: Final = 15.0
"""Seconds that a message about files stays."""


class KeepingScreen(ReplayingScreen):
    """Saves the session that is shown, and tells when that does not work.

    Attributes:
        choice: how the present game was begun, and who plays it.
    """

    choice = GameChoice()
    _told_of = ""
    """Why the game is not saved, as it was told last."""

    @property
    def seating(self) -> Seating:
        """Who sits at the board, and how it is turned."""
        names = (
            "" if self.player_name(side) == self.session.name_of(side) else self.player_name(side)
            for side in Side
        )
        return Seating(self.choice.white_seat, self.choice.black_seat, self.flipped, *names)

    def take_seats(self) -> None:
        """Let those play who were chosen."""

    def keep_seating(self) -> None:
        """Write down who sits at the board now."""
        self.home.autosave.seat(self.seating)

    # Whether it is saved

    def saving_changed(self) -> None:
        """Tell at once what hinders saving, and when it works again. The sign in the bar stays meanwhile."""
        from dvonn_tui.records.journal import SLOW

        if not self.is_mounted:
            return
        trouble = self.home.autosave.trouble
        self.update()
        if trouble == SLOW:
            self.set_timer(SLOW_AFTER, self._tell_if_still_slow)
        elif trouble != self._told_of:
            self._tell(trouble)

    def _tell_if_still_slow(self) -> None:
        trouble = self.home.autosave.trouble
        if trouble != self._told_of:
            self._tell(trouble)

    def _tell(self, trouble: str) -> None:
        again = bool(self._told_of)
        self._told_of = trouble
        if trouble:
            key = self.keymap.shown(COMMANDS_BY_ID["save"], 1)
            line = (
                f"{trouble}. The game goes on, and is saved as soon as that works; "
                f"{key} saves it in another folder."
            )
            self.notify(line, title="not saved", severity="warning", timeout=LONG, markup=False)
        elif again:
            self.app.clear_notifications()  # they say that it is not
            self.notify("the game is saved again", markup=False)

    def action_save_elsewhere(self) -> None:
        """Choose another folder to save to."""
        from dvonn_tui.ui.screens.save import SaveScreen

        self.heard()
        autosave = self.home.autosave
        if not autosave.enabled:
            self.say("games are not saved: the settings say so", Tone.QUIET)
            return

        def chosen(text: str | None) -> None:
            if text is None:
                return
            try:
                folder = Path(text).expanduser().absolute()
            except RuntimeError as problem:  # ~somebody who is not known here
                self.say(clean_line(str(problem), 80))
                return
            trouble = autosave.move(folder)
            if not trouble:
                self.notify(f"saved in {clean_line(str(autosave.path or folder), 200)}", markup=False)

        # What was told before must not lie on the question.
        self.app.clear_notifications()
        self.app.push_screen(SaveScreen(str(autosave.folder), autosave.trouble), chosen)

    # Going on

    def greet(self) -> None:
        """Offer to go on with a game that waits, or say that there is one; then let play begin."""
        from dvonn_tui.play.resuming import find_waiting

        waiting = find_waiting(self.home.paths.games, self.has_seat)
        if waiting is None:
            self.take_seats()
        elif self.home.options.bare and not self.session.running:
            self._offer(waiting)
        else:
            how = f"an unfinished game waits: {PROGRAM} resume takes it up"
            if waiting.reading.header.table:
                tables = self.keymap.shown(COMMANDS_BY_ID["tables"], 1)
                how = f"an unfinished game at a table waits: {tables} shows your seat"
            self.say(how, Tone.QUIET)
            self.take_seats()

    def _offer(self, waiting: Waiting) -> None:
        from dvonn_tui.art.scene import Scene
        from dvonn_tui.play.resuming import lay_aside
        from dvonn_tui.ui.screens.resume import ResumeScreen

        table = waiting.reading.header.table

        def answered(yes: bool | None) -> None:
            if yes and not table and self.go_on_with(waiting.path):
                return
            if yes is False:
                lay_aside(waiting.path)
            self.take_seats()
            if yes and table:
                self.back_to_table(table)

        scene = Scene(stacks=waiting.reading.game.position.stacks)
        screen = ResumeScreen(_told(waiting), scene, waiting.path.name, at_table=bool(table))
        self.app.push_screen(screen, answered)

    def has_seat(self, table: str) -> bool:
        """True when there is a seat to go back to at a table, which is given as server and id."""
        from dvonn_tui.tables.keeping import Keeping

        return Keeping(self.home.paths.data).has_seat_at(table)

    def back_to_table(self, table: str) -> None:
        """Take a seat up again, at a table that is given as server and id."""

    def go_on_with(self, path: Path) -> bool:
        """Go on with a saved game in place of the present one. False, and told, when that cannot be."""
        from dvonn_tui.play.resuming import CannotResume, resume

        try:
            resumed = resume(path)
        except CannotResume as fault:
            self.notify(str(fault), title="cannot go on", severity="warning", timeout=LONG, markup=False)
            return False
        clock = resumed.choice.clock
        self.use_session(Session(resumed.game, rule=clock, now=self.home.now, turn=resumed.turn))
        notes = self.take_over(resumed, self.home.settings, self.home.autosave)
        self._dress_board()
        self.tell_notes(notes)
        self.take_seats()
        return True

    def take_over(self, resumed: Resumed, settings: Settings, autosave: Autosave) -> tuple[str, ...]:
        """Let everything be as it was saved, whose game is shown already. Returns what is to be told.

        A seat that does not exist any more is taken by a person. In the file it stays as it was.
        """
        choice = resumed.choice
        faults = [seat_fault(seat, settings) for seat in (choice.white_seat, choice.black_seat)]
        white, black = (
            HUMAN if fault else seat
            for fault, seat in zip(faults, (choice.white_seat, choice.black_seat), strict=True)
        )
        self.choice = replace(choice, white_seat=white, black_seat=black)
        seating = resumed.seating
        self.renamed = {Side.WHITE: seating.white_name, Side.BLACK: seating.black_name}
        self.opened_from = OpenedFrom.of(resumed.game, resumed.tags)
        # Nobody knows whether the players sit there already.
        self.session.halt(Halt.PAUSED)
        self.flipped = resumed.seating.flipped
        copy_of = "" if resumed.journal is not None else resumed.path.name
        autosave.follow(self.session, resumed.seating, Origin(resumed.journal, copy_of))
        return (*resumed.notes, *filter(None, faults))

    def tell_notes(self, notes: tuple[str, ...]) -> None:
        """Tell what the players have to know of a file that was read."""
        for note in notes:
            self.notify(note, title="saved game", severity="warning", timeout=LONG, markup=False)


def _told(waiting: Waiting) -> tuple[str, ...]:
    """What there is to know of a game that waits, in a few lines."""
    reading = waiting.reading
    game, seating = reading.game, reading.seating
    head, score = game.head, game.position.score
    names = seating.names(game.started.white, game.started.black)
    table = waiting.reading.header.table
    seats = (seating.white, seating.black)
    players = [_player(name, seat) for name, seat in zip(names, seats, strict=True)]
    side = game.position.side
    if game.position.phase is Phase.PLACEMENT:
        where = f"Placement {sum(1 for stack in game.position.stacks if stack)}, {side.word} to place"
    else:
        ply = head.ply - head.placements
        where = f"Ply {ply}, {side.word} to move; White {score.white}, Black {score.black}"
    touched = datetime.fromtimestamp(waiting.touched)
    last = f"Last played {touched:%A}, {touched.day} {touched:%B %Y, %H:%M}"
    start = start_text(game.started)
    told = (" against ".join(players), where, start[:1].upper() + start[1:], last)
    return (*told, f"At table {table.rpartition('/')[2]} of {table.rpartition('/')[0]}") if table else told


def _player(name: str, seat: str) -> str:
    """A player by his name, and what sits there when the name does not say it."""
    return name if seat == HUMAN or name.lower() in seat else f"{name} ({seat})"
