"""The screen on which a game is seen: its widgets, how they share the room, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from dvonn_tui.clean import clean_text
from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.events import StackMoved, StacksRemoved
from dvonn_tui.core.game import Step
from dvonn_tui.core.log import Entry
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Phase
from dvonn_tui.play.session import Session
from dvonn_tui.ui.clock_faces import Faces, faces
from dvonn_tui.ui.copies import OpenedFrom
from dvonn_tui.ui.curves import Curve, score_curve
from dvonn_tui.ui.guide import hints
from dvonn_tui.ui.hand import Hand
from dvonn_tui.ui.keys import COMMANDS, COMMANDS_BY_ID, Keymap, key_word
from dvonn_tui.ui.layout import Arrangement, Panels, arrange
from dvonn_tui.ui.lean import LeanCompositor
from dvonn_tui.ui.log_rows import log_rows, start_text
from dvonn_tui.ui.scenes import scene_of
from dvonn_tui.ui.widgets.analysis import AnalysisPanel
from dvonn_tui.ui.widgets.board import Board, Moved
from dvonn_tui.ui.widgets.command_line import CommandLine
from dvonn_tui.ui.widgets.history import History
from dvonn_tui.ui.widgets.inspector import Inspector, inspect
from dvonn_tui.ui.widgets.lines import Dressed, KeyBar, StatusLine, TopBar
from dvonn_tui.ui.widgets.move_log import MoveLog
from dvonn_tui.ui.widgets.players import Players, Standing, standing
from dvonn_tui.ui.widgets.score_card import ScoreCard
from dvonn_tui.ui.widgets.signs_panel import SignsPanel
from dvonn_tui.ui.widgets.too_small import TooSmall
from dvonn_tui.ui.words import Said, Tone, say_attention, say_outcome, say_preview

if TYPE_CHECKING:
    from dvonn_tui.ui.app import DvonnApp
    from dvonn_tui.ui.guest import Guest

FOOT = (
    "pick",
    "palette",
    "help",
    "undo",
    "hint",
    "back",
    "forward",
    "new",
    "type",
    "library",
    "flip",
    "look",
    "copy",
    "quit",
)
"""The commands at the foot of the screen, in this order."""

NOT_SAVED = "! NOT SAVED"

EMPTY_HINT = "Point at a stack to look inside."


class TableScreen(Screen[None], inherit_bindings=False):
    """Shows a session. What players do is in the subclass.

    Attributes:
        guest: what is so at a table on another machine; None when the game is played here.
    """

    guest: Guest | None = None

    # Were it `CSS_PATH`, Textual would parse all styles of the application once more for it.
    DEFAULT_CSS = Path(__file__).with_name("table.tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = ""

    def __init__(self, session: Session, keymap: Keymap) -> None:
        super().__init__()
        self._compositor = LeanCompositor()
        self.session = session
        self.hand = Hand(session.view())
        self.flipped = False
        self.unfolded = False
        self.renamed: Mapping[Side, str] = {}
        """How those are called who sat down after something was played."""
        self.opened_from: OpenedFrom | None = None
        """What the record says that the game was opened from; None for one that was begun here."""
        self.opened_lines: frozenset[int] = frozenset()
        self.arrangement: Arrangement | None = None
        self._said: Said = ()
        self._matches: tuple[str, ...] = ()
        self._fault = ""
        self._standing = Standing()
        self._listed_for: object = None
        self._dressed_as: object = None
        self._update_due = False
        self._shown_head = session.game.head
        self._unsubscribe: Callable[[], None] = session.subscribe(self._on_step)
        self.use_keymap(keymap)

    @property
    def home(self) -> DvonnApp:
        """The application, by its own type."""
        return cast("DvonnApp", self.app)

    def use_keymap(self, keymap: Keymap) -> None:
        """Show the keys of a keymap. The application carries them out."""
        self.keymap = keymap

    def compose(self) -> ComposeResult:
        """Everything from top to foot."""
        # Before there are widgets, so that their styles need not be found twice.
        self._take_arrangement(arrange(*self.app.size))
        inks = self.home.inks
        yield TopBar(inks, id="bar")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                with Horizontal(id="middle"):
                    yield Board(id="board")
                    yield ScoreCard(inks, id="card")
                yield StatusLine(inks, id="status")
                yield CommandLine(id="type")
            with Horizontal(id="panels"):
                yield Players(inks, id="players")
                yield Inspector(inks, id="inspector")
                yield AnalysisPanel(inks, id="analysis")
                yield MoveLog(inks, id="log")
                yield History(inks, id="history")
                yield SignsPanel(inks, id="signs")
        yield KeyBar(inks, id="keys")
        yield TooSmall(id="too-small")

    def on_mount(self) -> None:
        """Find the widgets once; they are looked up at every key otherwise."""
        self.bar = self.query_one("#bar", TopBar)
        self.board = self.query_one("#board", Board)
        self.status = self.query_one("#status", StatusLine)
        self.line = self.query_one("#type", CommandLine)
        self.players = self.query_one("#players", Players)
        self.card = self.query_one("#card", ScoreCard)
        self.history = self.query_one("#history", History)
        self.inspector = self.query_one("#inspector", Inspector)
        self.analysis_panel = self.query_one("#analysis", AnalysisPanel)
        self.log_panel = self.query_one("#log", MoveLog)
        self.signs_panel = self.query_one("#signs", SignsPanel)
        self.keys = self.query_one("#keys", KeyBar)
        self.too_small = self.query_one("#too-small", TooSmall)
        self.divide(self.app.size.width, self.app.size.height)

    def on_unmount(self) -> None:
        """Nobody listens any more."""
        self._unsubscribe()

    def use_session(self, session: Session) -> None:
        """Show another game from now on."""
        self._unsubscribe()
        self._shown_head = session.game.head
        self.session = session
        self.hand = Hand(session.view())
        self._unsubscribe = session.subscribe(self._on_step)
        self.unfolded = False
        self.renamed = {}
        self.opened_from = None
        self.opened_lines = frozenset()
        self._said = ()
        self.update()

    def on_resize(self, event: events.Resize) -> None:
        """Share the room anew. Nothing that was picked is lost."""
        if self.is_mounted:
            self.divide(event.size.width, event.size.height)
            self.call_after_refresh(self._point_anew)

    def _point_anew(self) -> None:
        """The board has moved under the mouse. With a stack in the hand what it aims at stays."""
        hand = self.hand
        if self.visible_board and hand.by_mouse and hand.picked is None:
            hand.point(self.board.under_pointer())
        # What is said can be longer or shorter in another width, which is known by now.
        self.update()

    def divide(self, columns: int, lines: int) -> None:
        """Arrange the widgets for a screen of a size."""
        arrangement = arrange(columns, lines)
        self._take_arrangement(arrangement)
        if arrangement is None:
            self.too_small.refresh()
            return
        self.query_one("#card").styles.height = arrangement.scale.height
        self.dress()

    def _take_arrangement(self, arrangement: Arrangement | None) -> None:
        """Put the styles of an arrangement in force."""
        self.arrangement = arrangement
        if arrangement is None:
            self.add_class("-too-small")
            return
        # All at once: with each change Textual looks for the styles of every widget again.
        self.update_classes(
            {
                "-too-small": False,
                "-roomy": arrangement.roomy,
                "-card": arrangement.card,
                "-guide": arrangement.guide,
                **{f"-{panels}": arrangement.panels is panels for panels in Panels},
            }
        )

    def dress(self) -> None:
        """Give every widget the present colours, signs and scale, and show everything."""
        if self.arrangement is None:
            return
        home = self.home
        dress = (home.inks, home.signs)
        if dress != self._dressed_as:
            self._dressed_as = dress
            for widget in self.query(Dressed):
                widget.dress(home.inks, home.signs)
        self._dress_board()
        self.update()

    def plays_here(self, side: Side) -> bool:
        """True when whoever sits at this screen may act for a side."""
        if self.guest is not None:
            return self.guest.side is side
        return self.home.company.is_person(side)

    @property
    def _seen_by(self) -> Side:
        """The side from which the board is seen, if it turns: one's own at a table, else the one to act."""
        if self.guest is not None and self.guest.side is not None:
            return self.guest.side
        return self.session.game.position.side

    def _dress_board(self) -> None:
        if self.arrangement is None:
            return
        black_below = self.home.settings.flip_for_black and self._seen_by is Side.BLACK
        flipped = self.flipped != black_below
        self.board.dress(self.home.look, self.arrangement.scale, self.home.palette, flipped=flipped)

    @property
    def open_line(self) -> CommandLine | None:
        """The line in which something is typed at present."""
        return self.line if self.line.is_open else None

    def close_lines(self) -> None:
        """Nothing is typed any more."""
        if self.open_line is not None:
            self.open_line.close()

    @property
    def visible_board(self) -> bool:
        """False while the screen is too small: then no key plays."""
        return self.arrangement is not None

    def say(self, text: str, tone: Tone = Tone.WARNING) -> None:
        """Say something in the status line until the next input."""
        self._said = ((text, tone),)
        self.update()

    def heard(self) -> None:
        """There was input: what was said before is over."""
        self._said = ()

    def update(self) -> None:
        """Show the present state, once for all input that has already arrived."""
        if not self._update_due:
            self._update_due = True
            self.call_later(self._update)

    def _on_step(self, step: Step) -> None:
        # What is written about the game leaves what the player holds in his hand.
        if step.diff.cells or self.session.game.head is not self._shown_head:
            self.hand.played()
        self.update()

    def _update(self) -> None:
        self._update_due = False
        if not self.is_mounted or self.arrangement is None:
            return
        news = self._news()
        attention = self.hand.attention
        self._show_board(attention, self._moved(news))
        self._show_words(attention)
        self._show_panels(attention)
        if news and self.hand.view.live:
            self.after_news(news)

    def _news(self) -> tuple[Entry, ...]:
        """What was played since the game was last shown, whether recorded now or known before.

        Nothing after a step back. When another line was entered, it is what was played there.
        """
        head = self.session.game.head
        if head is self._shown_head:
            return ()
        path = self.session.game.path(head)
        before, self._shown_head = self._shown_head, head
        self._dress_board()
        shown = {entry.number for entry in self.session.game.path(before)}
        return tuple(entry for entry in path if entry.number not in shown)

    def after_news(self, news: tuple[Entry, ...]) -> None:
        """Called after what was played since is shown."""

    def _moved(self, news: tuple[Entry, ...]) -> Moved | None:
        """The move to be animated, if the news is one and is seen."""
        moves = [entry for entry in news if isinstance(entry.event, StackMoved)]
        if len(moves) != 1 or not (self.home.animated and self.hand.view.live):
            return None
        event = moves[0].event
        parent = self.session.game.parent(moves[0])
        assert isinstance(event, StackMoved)
        assert parent is not None
        lost = [entry.event.cells for entry in news if isinstance(entry.event, StacksRemoved)]
        return Moved(parent.position.stacks, event.source, event.target, lost[0] if lost else ())

    def _show_board(self, attention: Any, moved: Moved | None) -> None:
        view = self.hand.view
        scene = scene_of(
            attention,
            view.plies[: view.index + 1],
            movable_signs=self.home.settings.movable_signs,
            marks=self.session.game.cell_marks(view.entry),
        )
        self.board.show(scene, moved)

    def _show_words(self, attention: Any) -> None:
        view, signs = self.hand.view, self.home.signs
        guest, whole = self.guest, True
        if self._said:
            said = self._said
        elif guest is not None and (pressing := guest.said_first(view.live)):
            said = pressing
        elif attention.preview is not None:
            said, whole = say_preview(attention.preview, signs, ask=self.hand.pending is not None), False
        elif (
            guest is not None
            and attention.picked is None
            and (told := guest.said_instead(attention, view.live))
        ):
            said = told
        elif attention.position.over and attention.focus is None:
            said = say_outcome(attention.position)
        else:
            said, whole = say_attention(attention, signs), False
        self.status.show(said, whole=whole)
        self._show_bar()
        self.keys.show(self._hints(live=view.live), self._fault)

    def _show_bar(self) -> None:
        view, signs = self.hand.view, self.home.signs
        position = view.position
        middle = self._ply_text()
        if self.guest is not None and not self.guest.playing:
            middle = self.guest.stage_words
        elif position.over:
            middle += f" {signs.dot} the game is over"
        else:
            turn = "to place" if position.phase is Phase.PLACEMENT else "to move"
            middle += f" {signs.dot} {signs.of(position.side)} {position.side.word} {self._doing(turn)}"
        if view.live:
            self.bar.show("DVONN", middle, self.bar_right(), banner=False, alarm=self.alarm())
        else:
            back = self.keymap.shown(COMMANDS_BY_ID["present"], 1)
            game = self.session.game
            ahead = any(entry is game.head for entry in game.path(view.entry))
            head = "LOOKING AHEAD" if ahead else "LOOKING BACK"
            self.bar.show(head, middle, f"{back} to the present", banner=True, alarm=self.alarm())

    def bar_right(self) -> str:
        """What stands at the right of the bar: how the board was filled; at a table which one it is."""
        return start_text(self.session.game.started) if self.guest is None else self.guest.title

    def alarm(self) -> str:
        """What has to be seen as long as it holds: that the game is not saved, or the line is lost."""
        told = (NOT_SAVED if self.home.autosave.trouble else "", self.guest.alarm if self.guest else "")
        return "  ".join(filter(None, told))

    def _doing(self, turn: str) -> str:
        """What the side to act is about: to move, thinking, waiting."""
        company, view = self.home.company, self.hand.view
        if self.session.paused:
            return f"{turn}, paused"
        if not view.live or self.guest is not None or company.is_person(view.position.side):
            return turn
        return "waits" if company.paused else "is thinking" if company.thinking else turn

    def _ply_text(self) -> str:
        view = self.hand.view
        plies = view.plies
        entry = plies[view.index].last
        last = plies[-1].last
        placed = bool(entry.placements) and entry.ply == entry.placements
        if placed or view.position.phase is Phase.PLACEMENT:
            # A game can begin with some pieces placed: the board knows how many lie there.
            count = sum(1 for stack in view.position.stacks if stack)
            return f"placement {count} of {len(CELLS)}"
        return f"ply {entry.ply - entry.placements} of {last.ply - last.placements}"

    def _hints(self, *, live: bool) -> tuple[tuple[str, str, str], ...]:
        if self._fault:
            return (("esc", "close", "close_line"),)
        if self._matches:
            shown = tuple((match, "", f"enter('{match}')") for match in self._matches[:12])
            return (*shown, ("esc", "close", "close_line"))
        found: list[tuple[str, str, str]] = []
        phase = self.hand.position.phase
        guest = self.guest
        words = {} if guest is None else guest.WORDS
        for command_id in FOOT if guest is None else guest.foot:
            command = COMMANDS_BY_ID[command_id]
            keys = self.keymap.keys[command.id]
            if keys and not (command_id == "pick" and phase is Phase.OVER):
                found.append((key_word(keys[0]), words.get(command_id, command.short), command.action))
        if guest is not None:
            found[:0] = guest.hints()
        elif phase is Phase.PLACEMENT:
            rest = COMMANDS_BY_ID["place_rest"]
            found[0] = (found[0][0], "place", found[0][2])
            found.insert(1, (self.keymap.shown(rest, 1), "the rest at random", rest.action))
        if self.hand.picked is not None:
            let_go = COMMANDS_BY_ID["let_go"]
            found.insert(1, (self.keymap.shown(let_go, 1), let_go.short, let_go.action))
        if not live:
            present = COMMANDS_BY_ID["present"]
            found.insert(0, (self.keymap.shown(present, 1), "present", present.action))
        return tuple(found)

    def _show_panels(self, attention: Any) -> None:
        home, view = self.home, self.hand.view
        assert self.arrangement is not None
        names = self.name_shown(Side.WHITE), self.name_shown(Side.BLACK)
        waiting = self.guest is not None and not self.guest.begun
        shown = Standing(names) if waiting else standing(view.position, *names)
        self._standing = replace(shown, clocks=self.clock_faces())
        if self.arrangement.card:
            self.card.show(self._standing, Side.WHITE if self.board.lattice.flipped else Side.BLACK)
        self.show_graph()
        pinned = self.hand.pinned
        cell = pinned if pinned is not None else self.hand.focus
        if cell is None:
            cell = self.hand.picked
        guided = home.settings.guide and self.guest is None
        told = hints(attention, ply=view.index) if guided else ()
        # Where there is no room for the guide, the empty inspector has some.
        hint = told[0] if told and not self.arrangement.guide else EMPTY_HINT
        self.inspector.show(inspect(attention, cell, pinned=pinned is not None, hint=hint))
        self._show_log()
        if self.arrangement.guide:
            self.signs_panel.show(home.look, told)

    def name_shown(self, side: Side) -> str:
        """The name of a side's player; at a table also whether he is away."""
        waiting = self.guest is not None and not self.guest.begun
        name = self.guest.name_of(side) if self.guest and waiting else self.player_name(side)
        away = self.guest is not None and side in self.guest.state.away
        return f"{name}, away" if away else name

    def player_name(self, side: Side) -> str:
        """The name of whoever plays a side of the game now."""
        return self.renamed.get(side) or self.session.name_of(side)

    def clock_faces(self) -> Faces | None:
        """What the clocks of the game show now, whatever is looked at; None when it has none."""
        clocks = self.session.clocks
        return None if clocks is None else faces(clocks, self.session.now())

    def marks(self) -> Mapping[int, str]:
        """What is written behind plies in the log, by the number of their last entry."""
        return {}

    def _show_log(self) -> None:
        """List the plies. Most keys change nothing of that: the log and what is seen of it are the same."""
        game, view = self.session.game, self.hand.view
        key = (game, game.length, view.entry.number, self.unfolded, self.opened_lines, self.marks())
        if key != self._listed_for:
            self._listed_for = key
            if self.guest is not None and not self.guest.begun:
                self.log_panel.show((), "", "")
                return
            rows = log_rows(game, view, unfolded=self.unfolded, marks=self.marks(), opened=self.opened_lines)
            comment = clean_text(game.comment_of(view.entry))
            self.log_panel.show(rows, self._ply_text(), comment)

    def show_graph(self) -> None:
        """Show the graph where it has its place."""
        if self.arrangement is None:
            return
        curve = self.curve()
        if self.arrangement.card:
            self.history.show(curve)
        else:
            self.players.show(self._standing, curve)

    def curve(self) -> Curve:
        """What the graph shows: White's lead after each ply of the movement."""
        view = self.hand.view
        return score_curve(view.plies, view.index, self.marks())

    def commands_shown(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """All commands with their keys, by group, for the help."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for command in COMMANDS:
            groups.setdefault(command.group, []).append((self.keymap.shown(command), command.title))
        return list(groups.items())
