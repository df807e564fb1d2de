"""The help: how the game is played, what the signs mean, and all keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ItemGrid, Vertical, VerticalScroll
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from dvonn_tui.art.lattice import Scale
from dvonn_tui.ui.how_to_play import GAME, MOVES, SIGN_CELL, SIGNS, Section, Sign
from dvonn_tui.ui.screens.dialog import Dialog
from dvonn_tui.ui.widgets.choices import OneOf, PushButton
from dvonn_tui.ui.widgets.small_board import SMALL, SMALLEST, SmallBoard, board_scale

KeyTable = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""Groups of keys: a title, and for each line the keys and what they do."""

PAGES: Final = (("play", "Game"), ("moves", "Moves"), ("signs", "Signs"), ("keys", "Keys"))
"""The pages by name, with what their tabs say."""


class Tabs(OneOf):
    """The tabs. They need no focus: the dialog itself listens to left and right."""

    can_focus = False


class HelpScreen(Dialog[None]):
    """Four pages: left and right, the digits or a click on a tab change the page, up and down scroll."""

    DEFAULT_CSS = """
    HelpScreen {
        & > #frame { width: 104; height: 38; padding: 1 2 0 2; }
        & #body { overflow: hidden; }
        & #tabs { width: 100%; margin-bottom: 1; }
        & .page {
            width: 100%;
            height: 1fr;
            scrollbar-size-vertical: 1;
            scrollbar-color: $foreground 25%;
            scrollbar-color-hover: $foreground 45%;
            scrollbar-color-active: $accent;
            scrollbar-background: $panel;
            scrollbar-background-hover: $panel;
            scrollbar-background-active: $panel;
        }
        & #more { width: 1fr; height: 1; color: $text-muted; }
        & .section { width: 100%; height: auto; margin-bottom: 1; }
        & .words { width: 100%; height: auto; padding-right: 2; }
        & .heading { width: 100%; height: auto; color: $accent; text-style: bold; }
        & .text { width: 100%; height: auto; }
        & .whole-large, & .whole-small { margin: 1 0 0 0; }
        & .whole-large { display: none; }

        & #page-signs ItemGrid { height: auto; grid-gutter: 1 2; }
        & .sign { width: 100%; height: auto; }
        & .sign .meaning { width: 1fr; padding: 0 0 0 2; height: auto; }
        & .sign-name { width: 100%; height: 1; text-style: bold; }
        & .sign-meaning { width: 100%; height: auto; color: $text-muted; }

        & .key-line { width: 100%; height: auto; }
        & .key-names { height: auto; color: $accent; }
        & .key-does { width: 1fr; height: auto; }
        & .group .heading { color: $foreground; }
        & .group { width: 100%; height: auto; margin-bottom: 1; }

        &.-normal .whole-large, &.-wide .whole-large { display: block; }
        &.-normal .whole-small, &.-wide .whole-small { display: none; }

        &.-narrow > #frame { border: none; padding: 0; height: 100%; width: 100%; }
        &.-narrow .words, &.-narrow #tabs, &.-narrow #more { padding: 0 1; }
        &.-narrow .group { padding: 0 1; }
        &.-short #tabs { margin-bottom: 0; }
        &.-short > #frame { padding: 0 1; }
        &.-ascii .page { scrollbar-size: 0 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,shift+tab", "turn(-1)", "Page before", id="help.left"),
        Binding("right,tab", "turn(1)", "Next page", id="help.right"),
        *(Binding(str(number), f"open({number - 1})", show=False) for number in range(1, len(PAGES) + 1)),
        Binding("up,k", "scroll_page('up')", "Up", show=False, id="help.up"),
        Binding("down,j", "scroll_page('down')", "Down", show=False, id="help.down"),
        Binding("pageup", "scroll_page('page_up')", "Page up", show=False, id="help.page_up"),
        Binding("pagedown,space", "scroll_page('page_down')", "Page down", show=False, id="help.page_down"),
        Binding("home", "scroll_page('home')", "Top", show=False, id="help.home"),
        Binding("end", "scroll_page('end')", "End", show=False, id="help.end"),
        Binding("question_mark,f1,q,Q", "cancel", "Close", show=False, id="help.close"),
    ]
    AUTO_FOCUS = ""
    HEADING = "Help"
    HINT = "left, right or 1 to 4 change the page   up, down scroll   esc close"

    def __init__(self, keys: KeyTable, start_page: str = "play") -> None:
        """Show the keys of a table. The first page is one of `PAGES`, by name."""
        super().__init__()
        self._keys = keys
        names = [name for name, _ in PAGES]
        self._page = names.index(start_page) if start_page in names else 0

    def compose_body(self) -> ComposeResult:
        """The tabs, and all pages; one of them is shown."""
        labels = [(name, f"{number} {label}") for number, (name, label) in enumerate(PAGES, 1)]
        yield Tabs(labels, PAGES[self._page][0], id="tabs")
        # A page is filled when it is first opened, so that the help is there at once.
        for name, _ in PAGES:
            yield _Page(id=f"page-{name}")

    def compose_buttons(self) -> ComposeResult:
        """One button; the rest is for reading. Beside it stands whether there is more to read."""
        yield Static(id="more", markup=False)
        yield PushButton("Close", id="cancel", main=True)

    def on_mount(self) -> None:
        """Open the first page."""
        self._show()
        for page in self.query(_Page):
            self.watch(page, "scroll_y", self._tell_more, init=False)
            self.watch(page, "virtual_size", self._tell_more_later, init=False)

    def _show(self) -> None:
        for index, (name, _) in enumerate(PAGES):
            page = self.query_one(f"#page-{name}", _Page)
            page.display = index == self._page
            if page.display and not page.children:
                page.mount_all(self._contents(name))
        self.query_one(Tabs).choose(PAGES[self._page][0])
        self.call_after_refresh(self._tell_more)

    def _contents(self, name: str) -> Iterable[Widget]:
        """What a page is filled with."""
        if name == "signs":
            scale = board_scale(self)
            return [ItemGrid(*(_sign(sign, scale) for sign in SIGNS), min_column_width=36)]
        if name == "keys":
            return _key_lines(self._keys)
        return [_section(section) for section in (GAME if name == "play" else MOVES)]

    @property
    def _open_page(self) -> _Page:
        return self.query_one(f"#page-{PAGES[self._page][0]}", _Page)

    def _tell_more(self) -> None:
        """A scrollbar is not everywhere to be seen, so words say that the page goes on."""
        page = self._open_page
        more = page.scroll_y < page.max_scroll_y
        self.query_one("#more", Static).update("more below" if more else "")

    def _tell_more_later(self) -> None:
        """The page has grown, but is not laid out yet."""
        self.call_after_refresh(self._tell_more)

    def action_open(self, index: int) -> None:
        """Open a page by number, from 0."""
        self._page = index
        self._show()

    def action_turn(self, by: int) -> None:
        """Open the next page or the one before."""
        self.action_open((self._page + by) % len(PAGES))

    def on_one_of_changed(self, event: OneOf.Changed) -> None:
        """A tab was clicked."""
        event.stop()
        self.action_open([name for name, _ in PAGES].index(event.value))

    def action_scroll_page(self, way: str) -> None:
        """Scroll the page that is open."""
        page = self._open_page
        scroll = {
            "up": page.scroll_up,
            "down": page.scroll_down,
            "page_up": page.scroll_page_up,
            "page_down": page.scroll_page_down,
            "home": page.scroll_home,
            "end": page.scroll_end,
        }[way]
        scroll(animate=False)

    def action_accept(self) -> None:
        """Enter closes."""
        self.finish(None)

    def fit_body(self, size: Size) -> None:
        """The frame has a height of its own here, and the pages scroll inside it."""
        self.call_after_refresh(self._tell_more)


class _Page(VerticalScroll, can_focus=False):
    """A page that scrolls."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="page")


def _section(section: Section) -> Widget:
    """A section: words, and the figure beside or below them."""
    words = Vertical(
        Static(section.heading, classes="heading", markup=False),
        Static(section.text, classes="text", markup=False),
        classes="words",
    )
    parts: list[Widget] = [words]
    # A whole board, even where a part would do: only around the whole stand the names of rows and columns.
    scene = section.figure.scene if section.figure is not None else section.whole
    if scene is not None:
        parts.append(SmallBoard(scene, scale=SMALL, classes="whole-large"))
        parts.append(SmallBoard(scene, scale=SMALLEST, classes="whole-small"))
    return Vertical(*parts, classes="section")


def _sign(sign: Sign, scale: Scale) -> Widget:
    """A sign of the board, and what it means."""
    picture = SmallBoard(sign.scene, scale=scale, around=frozenset({SIGN_CELL}), margin=1)
    return Horizontal(
        picture,
        Vertical(
            Static(sign.name, classes="sign-name", markup=False),
            Static(sign.meaning, classes="sign-meaning", markup=False),
            classes="meaning",
        ),
        classes="sign",
    )


def _key_lines(keys: KeyTable) -> Iterator[Widget]:
    """The table of keys, all groups with the same columns."""
    widest = min(24, max((cell_len(names) for _, lines in keys for names, _ in lines), default=0))
    for title, lines in keys:
        rows: list[Widget] = [Static(title, classes="heading", markup=False)]
        for names, does in lines:
            left = Static(names, classes="key-names", markup=False)
            left.styles.width = widest + 3
            rows.append(Horizontal(left, Static(does, classes="key-does", markup=False), classes="key-line"))
        yield Vertical(*rows, classes="group")
