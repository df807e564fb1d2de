"""The dialog in which a new game is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from dvonn_tui.art.scene import Scene
from dvonn_tui.core.position import EMPTY_BOARD
from dvonn_tui.core.setups import CHOSEN_SETUPS, DRAWN_SETUPS, Setup, set_up
from dvonn_tui.core.shuffle import LARGEST_SEED
from dvonn_tui.play.choice import GameChoice
from dvonn_tui.play.clocks import ClockRule, parse_clock
from dvonn_tui.play.launch import draw_seed
from dvonn_tui.ui.company import HUMAN
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import Arrangement, FieldRow, OneOf, PushButton, TextField
from dvonn_tui.ui.widgets.small_board import SMALLEST, SmallBoard

SET_UP: Final = "The position that was set up."

NAME_LIMIT: Final = 20
"""Columns that a player's name may take."""

CLOCK_LIMIT: Final = 16
"""Columns of a clock that is typed."""

TYPED: Final = "typed"
"""The choice of a clock that is none of `CLOCKS`."""

CLOCKS: Final = tuple(map(parse_clock, ("none", "5", "10", "20", "3+2", "5+3", "10+5", "5d3", "10d5", "30s")))
"""The clocks to choose from."""

_EXPLAINED: Final = {
    Setup.BALANCED: "Drawn fair: an even rim, red pieces apart.",
    Setup.RANDOM: "Any piece anywhere: luck has its say.",
    Setup.SYMMETRIC: "The same for both, turned by half a turn.",
    Setup.MANUAL: "Empty at first: you place all 49 pieces.",
    Setup.POSITION: "Any position: you set it up next.",
}


class NewGameScreen(Dialog[GameChoice]):
    """How the next game begins: its set-up, the seed it is drawn from, and the names."""

    DEFAULT_CSS = """
    NewGameScreen {
        & > #frame { width: 70; }
        & #explained, & #seed-note { width: 1fr; height: 1; color: $text-muted; }
        & #explained { margin: 0 0 1 16; }
        & #seed-note { margin: 0 0 1 16; text-wrap: nowrap; text-overflow: ellipsis; }
        & #seed-note.-wrong { color: $warning; text-style: bold; }
        & #preview { display: none; margin: 0 0 1 5; }
        & #running { width: 100%; height: auto; margin: 1 0 0 2; color: $warning; }
        & #clock { width: 25; }
        & #clock-note { display: none; width: 1fr; height: auto; margin-left: 16; }
        & #clock-note.-wrong { display: block; color: $warning; text-style: bold; }
        & #hint { padding-left: 2; }
        & TextField { width: 28; }
        & #clock-typed { width: 18; }

        &.-tall.-wide #preview { display: block; }
        &.-narrow TextField { width: 22; }
        &.-narrow #clock-typed { width: 1fr; }
        &.-narrow #clock-note { margin-left: 4; }
        &.-narrow FieldRow > .label { width: 9; }
        &.-narrow #explained, &.-narrow #seed-note { margin: 0 0 1 4; }
        &.-short #explained, &.-short #seed-note { margin: 0 0 0 16; }
        &.-short.-narrow #explained, &.-short.-narrow #seed-note { margin: 0 0 0 4; }
        &.-short #running { margin: 0 0 0 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "draw_again", "Draw again", id="new.draw"),
    ]
    AUTO_FOCUS = "#setup"
    HEADING = "New game"
    HINT = "tab move   space change   enter start   esc cancel"

    def __init__(
        self,
        choice: GameChoice,
        running: bool,
        draw: Callable[[], int] = draw_seed,
        seats: Sequence[tuple[str, str]] = ((HUMAN, "a person"),),
    ) -> None:
        """Begin from `choice`; without a seed in it, one is drawn and can be drawn again.

        When `running`, the dialog says that the present game will be left. `seats` are those that can
        be taken, each as it is written and as it is shown.
        """
        super().__init__()
        self._seats = tuple(seats)
        self._choice = choice
        self._in_progress = running
        self._draw = draw
        self._drawn = draw()
        """What an empty seed field stands for."""

    def compose_body(self) -> ComposeResult:
        """The board to be drawn where there is room, then the fields."""
        chosen = self._choice.setup
        seed = "" if self._choice.seed is None else str(self._choice.seed)
        others = (setup for setup in CHOSEN_SETUPS if setup is not Setup.BALANCED)
        order = (Setup.BALANCED, *others, Setup.POSITION)
        yield SmallBoard(Scene(), scale=SMALLEST, id="preview")
        yield FieldRow("Set-up", OneOf([(setup, setup) for setup in order], chosen, id="setup"))
        yield Static(id="explained", markup=False)
        yield FieldRow(
            "Seed",
            TextField(seed, limit=len(str(LARGEST_SEED)), id="seed"),
            PushButton("Draw again", id="draw"),
        )
        yield Static(id="seed-note", markup=False)
        yield FieldRow("White", self._seat("white", self._choice.white_seat))
        yield FieldRow(
            "  name",
            TextField(self._choice.white, limit=NAME_LIMIT, placeholder="White", id="white"),
            PushButton("Swap names", id="swap"),
        )
        yield FieldRow("Black", self._seat("black", self._choice.black_seat))
        yield FieldRow(
            "  name", TextField(self._choice.black, limit=NAME_LIMIT, placeholder="Black", id="black")
        )
        timed = self._choice.clock
        choices = [(str(clock), clock.words) for clock in CLOCKS]
        chosen_clock = str(timed) if timed in CLOCKS else TYPED
        yield FieldRow(
            "Clock",
            OneOf([*choices, (TYPED, "typed:")], chosen_clock, arrangement=Arrangement.STEP, id="clock"),
            TextField(str(timed), limit=CLOCK_LIMIT, placeholder="10, 5+3, 5d3, 30s", id="clock-typed"),
        )
        yield Static(id="clock-note", markup=False)
        if self._in_progress:
            yield Static("The game in progress will be left.", id="running", markup=False)

    def _seat(self, side: str, seat: str) -> OneOf:
        return OneOf(self._seats, seat, arrangement=Arrangement.STEP, id=f"{side}-seat")

    def compose_buttons(self) -> ComposeResult:
        """Start and cancel."""
        yield PushButton("Start", id="accept", main=True)
        yield PushButton("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Show what is chosen."""
        self._follow()
        self._follow_clock()

    @property
    def setup(self) -> Setup:
        """The set-up that is chosen."""
        return Setup(self.query_one("#setup", OneOf).value)

    @property
    def seed(self) -> int | None:
        """The seed in the field, or the drawn one when it is empty; None when it cannot be read."""
        text = self.query_one("#seed", TextField).text
        if not text:
            return self._drawn
        # Digits of other scripts count as digits for Python, but not for the command line's reader.
        if not (text.isascii() and text.isdigit()) or int(text) > LARGEST_SEED:
            return None
        return int(text)

    def read_clock(self) -> ClockRule:
        """The clock that is chosen. Raises ValueError when it was typed and cannot be read."""
        chosen = self.query_one("#clock", OneOf).value
        return parse_clock(self.query_one("#clock-typed", TextField).text if chosen == TYPED else chosen)

    def _follow_clock(self) -> None:
        """Show the chosen clock as it is typed, or what is wrong with the typed one."""
        chosen = self.query_one("#clock", OneOf).value
        field, note = self.query_one("#clock-typed", TextField), self.query_one("#clock-note", Static)
        field.disabled = chosen != TYPED
        if chosen != TYPED:
            field.value = chosen
        fault = ""
        try:
            self.read_clock()
        except ValueError as problem:
            fault = str(problem)
        note.update(fault)
        note.set_class(bool(fault), "-wrong")
        field.set_class(bool(fault), "-invalid")
        self._allow()

    def _allow(self) -> None:
        """A game can begin when everything can be read."""
        wrong = self.setup in DRAWN_SETUPS and self.seed is None
        wrong = wrong or self.query_one("#clock-note", Static).has_class("-wrong")
        self.query_one("#accept", PushButton).disabled = wrong

    def _follow(self) -> None:
        """Bring everything that depends on set-up and seed in line with them."""
        setup, seed = self.setup, self.seed
        drawn = setup in DRAWN_SETUPS
        wrong = drawn and seed is None
        given = self._choice.position if setup is Setup.POSITION else None
        self.query_one("#explained", Static).update(_EXPLAINED[setup] if given is None else SET_UP)
        note = self.query_one("#seed-note", Static)
        note.update(self._seed_note(drawn, wrong))
        note.set_class(wrong, "-wrong")
        field = self.query_one("#seed", TextField)
        field.placeholder = str(self._drawn) if drawn else "nothing is drawn"
        field.set_class(wrong, "-invalid")
        field.disabled = not drawn
        self.query_one("#draw", PushButton).disabled = not drawn
        self._allow()
        if not wrong:
            position = given or (set_up(setup, seed if drawn else None) if drawn else EMPTY_BOARD)
            self.query_one("#preview", SmallBoard).draw(Scene(stacks=position.stacks))

    def _seed_note(self, drawn: bool, wrong: bool) -> str:
        if wrong:
            return "A whole number, please: 0 to 2^63 - 1."
        if not drawn:
            return "Nothing is drawn."
        if self.query_one("#seed", TextField).text:
            return "The same seed gives the same board."
        return "Just drawn. Type one to repeat a board."

    def on_one_of_changed(self, event: OneOf.Changed) -> None:
        """Another set-up, or another clock."""
        event.stop()
        if event.one_of.id == "clock":
            self._follow_clock()
        else:
            self._follow()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Another seed, or another clock."""
        event.stop()
        if event.input.id == "seed":
            self._follow()
        elif event.input.id == "clock-typed":
            self._follow_clock()

    def on_push_button_pressed(self, event: PushButton.Pressed) -> None:
        """The buttons beside the fields."""
        if event.button.id == "draw":
            event.stop()
            self.action_draw_again()
        elif event.button.id == "swap":
            event.stop()
            white, black = (self.query_one(name, TextField) for name in ("#white", "#black"))
            white.value, black.value = black.value, white.value

    def action_draw_again(self) -> None:
        """Draw another seed, and empty the field."""
        if self.setup not in DRAWN_SETUPS:
            return
        self._drawn = self._draw()
        self.query_one("#seed", TextField).value = ""
        self._follow()

    def action_accept(self) -> None:
        """Start the game; with a seed or a clock that cannot be read, go to it instead."""
        drawn = self.setup in DRAWN_SETUPS
        if drawn and self.seed is None:
            self.query_one("#seed").focus()
            return
        try:
            clock = self.read_clock()
        except ValueError:
            self.query_one("#clock-typed").focus()
            return
        self.finish(
            replace(
                self._choice,
                setup=self.setup,
                seed=self.seed if drawn else None,
                white=self.query_one("#white", TextField).text or "White",
                black=self.query_one("#black", TextField).text or "Black",
                white_seat=self.query_one("#white-seat", OneOf).value,
                black_seat=self.query_one("#black-seat", OneOf).value,
                position=self._choice.position if self.setup is Setup.POSITION else None,
                clock=clock,
            )
        )

    def on_resize(self, event: events.Resize) -> None:
        """Keep the chosen button in sight after the size changed."""
        if self.focused is not None:
            self.call_after_refresh(self.focused.scroll_visible, animate=False)
