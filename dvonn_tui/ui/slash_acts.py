"""What the commands of the chat line do, at a table and in a game that is played here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import slash
from dvonn_tui.tables.options import DEFAULT_OPTIONS, shown_option, with_option
from dvonn_tui.tables.slash import SlashCommand, SlashTrouble, Where
from dvonn_tui.ui.company import HUMAN
from dvonn_tui.ui.keys import COMMANDS_BY_ID
from dvonn_tui.ui.words import Tone

if TYPE_CHECKING:
    from dvonn_tui.ui.guest import Guest
    from dvonn_tui.ui.screens.play import PlayScreen
    from dvonn_tui.ui.screens.table import TableScreen


def where_of(screen: TableScreen) -> Where:
    """Where something is written on a screen."""
    return Where.LOCAL if screen.guest is None else Where.TABLE


def carry_out(screen: PlayScreen, text: str) -> None:
    """Carry out what begins with a slash. Raises IllegalAction with why it cannot be."""
    where = where_of(screen)
    try:
        command = slash.read(text, where)
        assert isinstance(command, SlashCommand)
        if command.name == "help":
            _help(screen, command.text, where)
        elif screen.guest is None:
            _Here(screen).carry_out(command)
        else:
            _at_table(screen, screen.guest, command)
    except SlashTrouble as trouble:
        raise IllegalAction(str(trouble)) from trouble


def _help(screen: PlayScreen, name: str, where: Where) -> None:
    if name:
        screen.tell_lines(slash.help_lines(where, name))
        return
    from dvonn_tui.ui.screens.help import HelpScreen

    rows = [(entry.written, entry.does(where)) for entry in slash.entries(where)]
    options = [tuple(line.split("  ", 1)) for line in slash.option_lines(where)]
    told = [(option.strip(), does.strip()) for option, does in options]
    screen.app.push_screen(HelpScreen([("In the chat line", rows), ("Options", told)], "keys"))


class _Here:
    """In a game that is played at this screen, by people or engines."""

    def __init__(self, screen: PlayScreen) -> None:
        self._screen = screen

    def carry_out(self, command: SlashCommand) -> None:
        screen = self._screen
        acts: Mapping[str, Callable[[SlashCommand], None]] = {
            "join": self._join,
            "start": lambda _: screen.begin_next(),
            "option": self._option,
            "remove": self._remove,
            "bot": self._bot,
            "takeback": lambda _: screen.action_undo(),
            "draw": lambda _: screen.action_draw(),
            "resign": lambda _: screen.action_resign(),
            "rematch": lambda _: screen.ask_for_rematch(),
            "pause": lambda _: screen.action_pause(),
            "goon": lambda _: screen.action_pause(),
            "who": self._who,
        }
        acts[command.name](command)

    @property
    def _seats(self) -> dict[Side, str]:
        choice = self._screen.choice
        return {Side.WHITE: choice.white_seat, Side.BLACK: choice.black_seat}

    def _sit(self, seats: Mapping[Side, str], told: str) -> None:
        self._screen.reseat((seats[Side.WHITE], seats[Side.BLACK]))
        self._screen.say(told, Tone.QUIET)

    def _join(self, command: SlashCommand) -> None:
        seats, side = self._seats, command.side
        if side is None or set(seats.values()) == {HUMAN}:
            key = self._screen.keymap.shown(COMMANDS_BY_ID["seats"], 1)
            raise IllegalAction(f"/join white or /join black, against an engine; {key} changes who plays")
        if seats[side] != HUMAN:
            seats = {side: HUMAN, side.other: seats[side]}
        self._sit(seats, f"you play {side.word}")

    def _bot(self, command: SlashCommand) -> None:
        seats = self._seats
        engines = [side for side in Side if seats[side] != HUMAN]
        side = command.side or (engines[0] if engines else Side.BLACK)
        seats[side] = f"level {command.number}"
        self._sit(seats, f"level {command.number} plays {side.word}")

    def _remove(self, command: SlashCommand) -> None:
        seats = self._seats
        engines = [side for side in Side if seats[side] != HUMAN and command.side in (None, side)]
        if not engines:
            raise IllegalAction("no engine sits there")
        left = seats | dict.fromkeys(engines, HUMAN)
        people = set(left.values()) == {HUMAN}
        self._sit(left, "people play both sides now" if people else "the engine is gone")

    def _option(self, command: SlashCommand) -> None:
        screen = self._screen
        options = screen.next_options or replace(
            DEFAULT_OPTIONS, setup=screen.usual_setup, clock=screen.choice.clock
        )
        if command.text:
            screen.next_options = options = with_option(options, command.text)
            told = shown_option(command.text)
            screen.say(f"set for the next game: {told}; /start begins it", Tone.PLAIN)
        else:
            told = ", ".join(options.texts()[:2])
            screen.tell_lines((f"set for the next game: {told}", *slash.option_lines(Where.LOCAL)))

    def _who(self, command: SlashCommand) -> None:
        names = {side: self._screen.player_name(side) for side in Side}
        seats = self._seats
        told = "; ".join(f"{side.word}: {names[side]} ({seats[side]})" for side in Side)
        self._screen.say(told, Tone.PLAIN)


def _at_table(screen: PlayScreen, guest: Guest, command: SlashCommand) -> None:
    """At a table of a server."""
    from dvonn_tui.tables import asked

    match command.name:
        case "leave":
            screen.leave_table()
        case "record":
            screen.fetch_record(command.text or guest.state.record)
        case "resign":
            guest.resign()
        case _:
            lines = asked.carry_out(command, guest.table)
            if lines:
                screen.tell_lines(lines)
