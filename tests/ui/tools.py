"""Driving the application as a terminal does: real keys and mouse events, and what is then on the screen."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

from textual import events
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widget import Widget

from dvonn_tui.core.cells import CELL_NAMED, CELL_NAMES, Cell
from dvonn_tui.core.events import Event, GameStarted
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import Entry, Mark
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.clocks import parse_clock
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.launch import LaunchOptions
from dvonn_tui.play.resuming import Resumed
from dvonn_tui.settings import Look, Paths, Settings
from dvonn_tui.ui.app import DvonnApp
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.screens.play import PlayScreen
from dvonn_tui.ui.themes import Terminal
from dvonn_tui.ui.words import plain_text

BALANCED: Final = GameChoice(Setup.BALANCED, 4711)
BY_HAND: Final = GameChoice(Setup.MANUAL)
QUIET: Final = Settings(animation=False, guide=False)

QUIET_TURNS: Final = 20
"""So many turns of the event loop without a message in any queue mean that everything is worked off."""

_CHARACTERS: Final = {"enter": "\r", "tab": "\t", "space": " ", "escape": "\x1b"}
_NAMES: Final = {
    ":": "colon", "[": "left_square_bracket", "]": "right_square_bracket", "{": "left_curly_bracket",
    "}": "right_curly_bracket", "?": "question_mark", "!": "exclamation_mark", "=": "equals_sign",
    "-": "minus", ",": "comma", " ": "space", "+": "plus", "*": "asterisk", ";": "semicolon",
    '"': "quotation_mark", ">": "greater_than_sign", "<": "less_than_sign", "(": "left_parenthesis",
    ")": "right_parenthesis", "$": "dollar_sign", "#": "number_sign", "/": "slash", "\\": "backslash",
    "&": "ampersand", "@": "at",
}  # fmt: skip


def cell(name: str) -> Cell:
    """The cell of a name."""
    return CELL_NAMED[name.lower()]


def at(position: Position, **names: str) -> GameChoice:
    """A game from a position."""
    return GameChoice(Setup.POSITION, None, position=position, **names)


class Player:
    """Sits at the terminal: presses keys, moves the mouse, reads the screen."""

    def __init__(self, app: DvonnApp, pilot: Pilot[Any]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def table(self) -> PlayScreen:
        """The screen of the game, whatever lies over it."""
        return self.app.table

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.table.session.game

    @property
    def happened(self) -> list[Event | Mark]:
        """The whole log without the entry that starts it."""
        return [entry.event for entry in self.game.log if not isinstance(entry.event, GameStarted)]

    @property
    def said(self) -> str:
        """The sentence in the status line."""
        return plain_text(self.table.status.said)

    @property
    def dialog(self) -> Dialog[Any] | None:
        """The dialog on top, if there is one."""
        return self.app.screen if isinstance(self.app.screen, Dialog) else None

    @property
    def bar(self) -> str:
        """The top line of the screen."""
        return self.text.split("\n")[0]

    @property
    def text(self) -> str:
        """Everything on the screen."""
        return "\n".join(self.rows)

    @property
    def rows(self) -> list[str]:
        """The lines of the screen."""
        self.app.screen._on_timer_update()
        return [
            "".join(segment.text for segment in strip)
            for strip in self.app.screen._compositor.render_strips()
        ]

    def text_of(self, widget: Widget) -> str:
        """What a widget of the game screen shows."""
        width, height = widget.size
        return "\n".join(widget.render_line(y).text[:width] for y in range(height))

    async def settle(self) -> None:
        """Wait until everything that was sent is worked off. What waits for a timer is not."""
        quiet, deadline = 0, monotonic() + 10
        while quiet < QUIET_TURNS and self.app._exception is None:
            assert monotonic() < deadline, "the application does not come to rest"
            await asyncio.sleep(0)
            quiet = 0 if self._busy() else quiet + 1

    def _busy(self) -> bool:
        screens = {self.table, *self.app.screen_stack}
        nodes = (node for screen in screens for node in screen.walk_children(with_self=True))
        return any(not node._message_queue.empty() for node in (self.app, *nodes))

    def send(self, *keys: str) -> None:
        """Keys as the driver sends them, without waiting."""
        driver = self.app._driver
        assert driver is not None
        for key in keys:
            character = _CHARACTERS.get(key, key if len(key) == 1 else None)
            driver.process_message(events.Key(_NAMES.get(key, key), character))

    async def press(self, *keys: str) -> None:
        """Keys, each after the last has had its effect."""
        for key in keys:
            self.send(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """A text, letter by letter."""
        await self.press(*text)

    async def command(self, text: str) -> None:
        """The line for typing, then a text and enter in one go."""
        await self.press(":")
        self.send(*text, "enter")
        await self.settle()

    def _mouse(self, kind: type[events.MouseEvent], place: Offset, button: int = 0) -> None:
        driver = self.app._driver
        assert driver is not None
        driver.process_message(
            kind(None, place.x, place.y, 0, 0, button, False, False, False, place.x, place.y)
        )

    def send_click(self, place: Offset, button: int = 1) -> None:
        """The mouse comes to a place of the screen and clicks there; without waiting."""
        self._mouse(events.MouseMove, place)
        self._mouse(events.MouseDown, place, button)
        self._mouse(events.MouseUp, place, button)

    def place_of(self, where: Cell | str) -> Offset:
        """The middle of a cell on the screen."""
        board = self.table.board
        there = cell(where) if isinstance(where, str) else where
        return board.region.offset + Offset(*board.lattice.place(there))

    async def point(self, where: Cell | str | Offset) -> None:
        """The mouse comes onto a cell, or to a place of the screen."""
        self._mouse(events.MouseMove, where if isinstance(where, Offset) else self.place_of(where))
        await self.settle()

    async def click(self, where: Cell | str | Offset, button: int = 1) -> None:
        """A click on a cell, or on a place of the screen."""
        self.send_click(where if isinstance(where, Offset) else self.place_of(where), button)
        await self.settle()

    async def click_text(self, text: str, *, last: bool = False) -> None:
        """A click on a text that is on the screen."""
        found = [(row.find(text), y) for y, row in enumerate(self.rows) if text in row]
        assert found, f"{text!r} is not on the screen"
        x, y = found[-1 if last else 0]
        await self.click(Offset(x + len(text) // 2, y))

    async def wheel(self, turns: int, where: Offset | None = None) -> None:
        """The wheel over the board, towards the player when positive."""
        kind = events.MouseScrollDown if turns > 0 else events.MouseScrollUp
        for _ in range(abs(turns)):
            self._mouse(kind, self.place_of("f3") if where is None else where)
            await self.settle()

    async def play(self, *moves: str) -> None:
        """Moves ``a1b1`` by the mouse."""
        for move in moves:
            await self.click(move[:2])
            await self.click(move[-2:])

    async def until(self, holds: Callable[[], object], seconds: float = 5.0) -> None:
        """Wait until something holds."""
        for _ in range(int(seconds * 200)):
            if holds():
                return
            await asyncio.sleep(0.005)
        raise AssertionError("waited in vain")

    async def opened(self, kind: type[Dialog[Any]] = Dialog) -> Dialog[Any]:
        """Wait until a dialog is there and can be answered."""

        def shown() -> bool:
            return isinstance(self.dialog, kind) and math.isfinite(self.dialog.shown_at)

        await self.until(shown)
        await self.settle()
        assert self.dialog is not None
        return self.dialog

    async def closed(self) -> None:
        """Wait until no dialog is there any more."""
        await self.until(lambda: self.app.screen is self.table)
        await self.settle()

    async def resize(self, columns: int, lines: int) -> None:
        """The terminal has another size."""
        await self.pilot.resize_terminal(columns, lines)
        await self.settle()


@asynccontextmanager
async def playing(
    folder: Path,
    choice: GameChoice = BALANCED,
    size: tuple[int, int] = (80, 24),
    *,
    settings: Settings = QUIET,
    colours: str = "truecolor",
    look: Look | None = None,
    flip: bool = False,
    problems: tuple[str, ...] = (),
    seats: tuple[str | None, str | None] = (None, None),
    analyst: EngineLink | None = None,
    bare: bool = False,
    resumed: Resumed | None = None,
    clock: str | None = None,
    now: Callable[[], float] = monotonic,
) -> AsyncIterator[Player]:
    """The application at work in a terminal without a screen. `bare`: nothing was said of the game."""
    app = DvonnApp(
        LaunchOptions(
            choice,
            explicit=not bare,
            white=None if bare else choice.white,
            black=None if bare else choice.black,
            look=look,
            flip=flip or None,
            clock=None if clock is None else parse_clock(clock),
            white_seat=seats[0],
            black_seat=seats[1],
        ),
        settings,
        Paths.below(folder),
        problems,
        terminal=Terminal(colours),
        analyst=analyst,
        resumed=resumed,
        now=now,
    )
    async with app.run_test(size=size, notifications=True) as pilot:
        player = Player(app, pilot)
        await pilot.pause()
        yield player


def first_legal(position: Position) -> str:
    """The alphabetically first legal move, as it is typed."""
    return min(CELL_NAMES[move.source] + CELL_NAMES[move.target] for move in legal_moves(position))


def events_of(entries: Iterable[Entry]) -> list[Event | Mark]:
    """The events of entries."""
    return [entry.event for entry in entries]
