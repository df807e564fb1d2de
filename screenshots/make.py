"""Make the pictures in this folder again, from the real application in a pseudo-terminal.

    python screenshots/make.py [NAME ...]

Each picture is a run of the installed program: keys are typed, what it writes is read by a terminal
emulator (pyte), and the screen that results is drawn with Pillow. Block characters are drawn as
rectangles, as terminals that draw them themselves do. Needs the extra `pictures` and a monospaced
TrueType font: DejaVu Sans Mono where it is usually found, or the one named in DVONN_PICTURE_FONT.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyte
from at_tables import Club
from PIL import Image, ImageDraw, ImageFont

from dvonn_tui.art.lattice import Lattice
from dvonn_tui.core.notation import parse_cell
from dvonn_tui.core.pieces import Side
from dvonn_tui.ui.layout import CARD_COLUMNS, arrange

HERE = Path(__file__).resolve().parent
RECORDS = HERE.parent / "tests" / "data" / "records" / "engine-games.log"
FONT_FOLDERS = (
    "/usr/share/fonts/truetype/dejavu",
    "/usr/share/fonts/dejavu-sans-mono-fonts",
    "/usr/share/fonts/TTF",
)

TILE_WIDTH, TILE_HEIGHT, FONT_SIZE = 9, 20, 15
SECONDS_TO_START = 20.0
LONGEST_SETTLING = 5.0
WHOLE_GAME = 999
QUIET_SECONDS = 0.35
"""No output for so long: the screen has settled."""

PRIVATE_SEQUENCES = re.compile(
    rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\]22;[a-z]*(?:\x1b\\|\x07)"
)
"""What Textual asks newer terminals; pyte would take parts of it for text."""

ANSI_COLOURS = {
    "black": "#000000", "red": "#cd0000", "green": "#00cd00", "brown": "#cdcd00",
    "blue": "#0000ee", "magenta": "#cd00cd", "cyan": "#00cdcd", "white": "#e5e5e5",
    "brightblack": "#7f7f7f", "brightred": "#ff0000", "brightgreen": "#00ff00", "brightbrown": "#ffff00",
    "brightblue": "#5c5cff", "brightmagenta": "#ff00ff", "brightcyan": "#00ffff", "brightwhite": "#ffffff",
}  # fmt: skip

QUARTERS = {
    "▘": "1000", "▝": "0100", "▖": "0010", "▗": "0001", "▀": "1100", "▄": "0011", "▌": "1010",
    "▐": "0101", "▚": "1001", "▞": "0110", "█": "1111", "▛": "1110", "▜": "1101", "▙": "1011", "▟": "0111",
}  # fmt: skip
"""Which quarters of a tile a block character fills: upper left, upper right, lower left, lower right."""

RIGHT, ENTER = "\x1b[C", "\r"


WAIT = "{wait}"
"""Among the keys: leave the engine some seconds."""
SECONDS_TO_THINK = 4.0
REVIEW = "{review}"
"""Among the keys: review the game, and wait until that is done."""
SECONDS_TO_REVIEW = 90.0


@dataclass(frozen=True)
class Picture:
    """A picture: its size, the moves played first, the keys typed then, and how the program is run."""

    name: str
    columns: int
    lines: int
    game: int
    moves: int
    keys: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


PICTURES = (
    Picture("preview-120x40", 120, 40, 6, 22, ("{pick h3}", "{aim e3}")),
    Picture("opening-120x40", 120, 40, 3, 0),
    Picture("small-80x24", 80, 24, 2, 18, ("{pick h2}", "{aim j2}")),
    Picture("large-160x50", 160, 50, 17, 24, ("{pick c3}", "{aim f3}")),
    Picture("light-120x40", 120, 40, 16, 14, ("{pick c3}", "{aim e3}"), ("--theme", "light")),
    Picture("colours-256-120x40", 120, 40, 6, 24, ("{pick h3}", "{aim e3}"), (), {"COLORTERM": ""}),
    Picture("graph-120x40", 120, 40, 6, 22, ("{pick h3}", "{aim e3}"), ("--look", "graph")),
    Picture("ascii-80x24", 80, 24, 6, 22, ("{pick h3}", "{aim e3}"), ("--look", "ascii"), {"NO_COLOR": "1"}),
    Picture("placement-100x30", 100, 30, 4, -21, (RIGHT,)),
    Picture("looking-back-120x40", 120, 40, 7, 30, ("[", "[", "[", "[", "[", "[")),
    Picture("new-game-100x30", 100, 30, 3, 0, ("n",)),
    Picture("help-120x40", 120, 40, 3, 0, ("?", WAIT, "3")),
    Picture("analysis-120x40", 120, 40, 7, 20, ("v", WAIT)),
    Picture("review-160x50", 160, 50, 7, WHOLE_GAME, (WAIT, "\x1b", WAIT, REVIEW, *["["] * 21)),
    Picture("result-100x30", 100, 30, 9, WHOLE_GAME),
)  # fmt: skip


TABLES = "tables-100x30"
TABLE = "table-120x40"
AT_TABLES = (Picture(TABLES, 100, 30, 6, 0), Picture(TABLE, 120, 40, 6, 22))
"""The list of tables of a server, and a game at one of them."""

FIRST_WORDS = (("Grace", "good luck, Ada!"), ("Ada", "and have fun"), ("Bela", "hello, may I watch?"))
LAST_WORDS = (
    ("Bela", "the right side hangs by one stack"),
    ("Grace", "I see it now..."),
    ("Ada", "let me count"),
)


def tokens_of_game(number: int) -> list[str]:
    """The tokens of a game of the record file, placements first."""
    games = [line for line in RECORDS.read_text().splitlines() if line and not line.startswith("#")]
    return games[number].split()[1:]


class Terminal:
    """The program in a pseudo-terminal, and the screen that it draws."""

    def __init__(self, picture: Picture, program: Sequence[str], home: str) -> None:
        self.screen = pyte.Screen(picture.columns, picture.lines)
        self._stream = pyte.ByteStream(self.screen)
        self._process, self._descriptor = pty.fork()
        if self._process == 0:
            environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
            environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
            environment |= {"DVONN_TUI_HOME": home, "TEXTUAL_ANIMATIONS": "none", **picture.environment}
            os.execvpe(program[0], [*program, *picture.arguments], environment)
        size = struct.pack("HHHH", picture.lines, picture.columns, 0, 0)
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, size)

    def settle(self, seconds: float = QUIET_SECONDS) -> None:
        """Read until nothing came for a while, but not for ever: an analysis goes on."""
        end = time.monotonic() + LONGEST_SETTLING
        while time.monotonic() < end and select.select([self._descriptor], [], [], seconds)[0]:
            try:
                data = os.read(self._descriptor, 1 << 16)
            except OSError:
                return
            if not data:
                return
            self._stream.feed(PRIVATE_SEQUENCES.sub(b"", data))

    def wait_for(self, text: str, seconds: float = SECONDS_TO_START) -> None:
        """Read until the screen shows a text."""
        deadline = time.monotonic() + seconds
        while not any(text in line for line in self.screen.display):
            if time.monotonic() > deadline:
                shown = "\n".join(self.screen.display)
                raise SystemExit(f"the program did not show {text!r}; it shows:\n{shown}")
            self.settle(0.1)

    def type(self, keys: str) -> None:
        """Send keys."""
        os.write(self._descriptor, keys.encode())
        self.settle(0.06)

    def end(self) -> None:
        """End the program."""
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._descriptor)


def take_tables(picture: Picture, program: Sequence[str]) -> Image.Image:
    """The list of tables, as somebody sees it who has come to a server."""
    with Club(program) as club, tempfile.TemporaryDirectory() as home:
        grace, emil, olga = (club.guest(name) for name in ("Grace", "Emil", "Olga"))
        waiting = grace.opens("An evening game", "time 10")
        grace.sits(waiting, Side.WHITE)
        final = emil.opens("Club final", "profi", "time 30+10", "log")
        emil.sits(final, Side.WHITE)
        seen = olga.comes_to(final.id)
        olga.sits(seen, Side.BLACK)
        emil.starts(final)
        olga.starts(seen)
        club.until(seen, lambda: seen.session)
        for number, token in enumerate(tokens_of_game(picture.game)[:12]):
            there, who = ((final, emil), (seen, olga))[number % 2]
            club.until(there, lambda there=there, number=number: there.state.actions == number)
            who.plays(there, token)
        practice = olga.opens("Practice", "symmetric")
        olga.sits(practice, Side.BLACK)
        olga.calls_engine(practice, 5, Side.WHITE)
        emil.opens("For beginners", "random", "time 20")
        terminal = Terminal(joining(picture, club.address), program, home)
        try:
            terminal.wait_for("For beginners")
            terminal.settle()
            return draw(terminal.screen)
        finally:
            terminal.end()


def take_table(picture: Picture, program: Sequence[str]) -> Image.Image:
    """A game at a table, as White sees it, with what was said there."""
    with Club(program) as club, tempfile.TemporaryDirectory() as home:
        grace, bela = club.guest("Grace"), club.guest("Bela")
        table = grace.opens("An evening game", "profi", "time 15+5")
        grace.sits(table, Side.BLACK)
        bela_sees = bela.comes_to(table.id)
        terminal = Terminal(joining(picture, club.address, "--table", table.id), program, home)

        def say(lines: Sequence[tuple[str, str]]) -> None:
            for name, text in lines:
                if name == "Ada":
                    said = len(table.chat)
                    terminal.type(f"c{text}{ENTER}")
                    club.until(table, lambda said=said: len(table.chat) > said)
                elif name == "Grace":
                    grace.says(table, text)
                else:
                    bela.says(bela_sees, text)

        try:
            terminal.wait_for("sit down")
            terminal.type(ENTER)
            terminal.wait_for("ready")
            say(FIRST_WORDS)
            terminal.type(ENTER)
            grace.starts(table)
            club.until(table, lambda: table.session)
            tokens = [token for token in tokens_of_game(picture.game) if token != "pass"]
            for number, token in enumerate(tokens[: 49 + picture.moves]):
                assert table.session is not None
                if table.session.game.position.side is Side.BLACK:
                    grace.plays(table, token)
                    continue
                terminal.settle(0.05)
                terminal.type(f":{token}{ENTER}")
                club.until(table, lambda number=number: table.state.actions > number)
            say(LAST_WORDS)
            terminal.wait_for(f"ply {picture.moves} of")
            for keys in ("{pick h3}", "{aim e3}"):
                act(terminal, picture, keys)
            terminal.settle()
            return draw(terminal.screen)
        finally:
            terminal.end()


def joining(picture: Picture, address: str, *words: str) -> Picture:
    """How Ada comes to a server."""
    return replace(picture, arguments=("join", address, "--name", "Ada", *words))


def colour_of(name: str, default: str) -> str:
    """A colour of pyte as Pillow takes it."""
    if name == "default":
        return default
    return ANSI_COLOURS.get(name, f"#{name}")


def fonts() -> tuple[ImageFont.FreeTypeFont, ImageFont.FreeTypeFont]:
    """A plain and a bold monospaced font."""
    named = os.environ.get("DVONN_PICTURE_FONT")
    plain = [Path(named)] if named else [Path(folder) / "DejaVuSansMono.ttf" for folder in FONT_FOLDERS]
    for path in plain:
        if path.exists():
            bold = path.with_name(path.stem + "-Bold" + path.suffix)
            bold = bold if bold.exists() else path
            return ImageFont.truetype(str(path), FONT_SIZE), ImageFont.truetype(str(bold), FONT_SIZE)
    raise SystemExit("no monospaced font found: set DVONN_PICTURE_FONT to a .ttf file")


def draw(screen: pyte.Screen) -> Image.Image:
    """Draw a screen."""
    image = Image.new("RGB", (screen.columns * TILE_WIDTH, screen.lines * TILE_HEIGHT), "#000000")
    canvas = ImageDraw.Draw(image)
    plain, bold = fonts()
    for y in range(screen.lines):
        for x in range(screen.columns):
            draw_tile(canvas, screen.buffer[y][x], x * TILE_WIDTH, y * TILE_HEIGHT, plain, bold)
    return image


def draw_tile(
    canvas: ImageDraw.ImageDraw,
    tile: pyte.screens.Char,
    x: int,
    y: int,
    plain: ImageFont.FreeTypeFont,
    bold: ImageFont.FreeTypeFont,
) -> None:
    """Draw one character with its colours."""
    ink, ground = colour_of(tile.fg, "#d0d0d0"), colour_of(tile.bg, "#000000")
    if tile.reverse:
        ink, ground = ground, ink
    right, bottom = x + TILE_WIDTH - 1, y + TILE_HEIGHT - 1
    canvas.rectangle((x, y, right, bottom), fill=ground)
    if tile.data in QUARTERS:
        across, down = x + (TILE_WIDTH + 1) // 2, y + TILE_HEIGHT // 2
        boxes = (
            (x, y, across - 1, down - 1),
            (across, y, right, down - 1),
            (x, down, across - 1, bottom),
            (across, down, right, bottom),
        )
        for filled, box in zip(QUARTERS[tile.data], boxes, strict=True):
            if filled == "1":
                canvas.rectangle(box, fill=ink)
    elif tile.data.strip():
        canvas.text((x, y + 1), tile.data, font=bold if tile.bold else plain, fill=ink)
    if tile.underscore:
        canvas.line((x, bottom - 1, right, bottom - 1), fill=ink)
    if tile.strikethrough:
        canvas.line((x, y + TILE_HEIGHT // 2, right, y + TILE_HEIGHT // 2), fill=ink)


def take(picture: Picture, program: Sequence[str]) -> Image.Image:
    """Run the program for a picture and draw what it shows."""
    tokens = [token for token in tokens_of_game(picture.game) if token != "pass"]
    placed = 49 + min(picture.moves, 0) if picture.moves < 0 else 49
    with tempfile.TemporaryDirectory() as home:
        # The guide would go on about first steps; the pictures show the game.
        arguments = ("--setup", "manual", "--white", "Ada", "--black", "Grace", *picture.arguments)
        started = Picture(**{**picture.__dict__, "arguments": arguments})
        terminal = Terminal(started, program, home)
        try:
            terminal.wait_for("DVONN")
            terminal.settle()
            played = tokens[:placed] + tokens[49 : 49 + max(picture.moves, 0)]
            terminal.type("".join(f":{token}{ENTER}" for token in played))
            terminal.wait_for(sign_of_arrival(picture, placed))
            terminal.settle()
            for keys in picture.keys:
                act(terminal, picture, keys)
            terminal.settle()
            return draw(terminal.screen)
        finally:
            terminal.end()


def sign_of_arrival(picture: Picture, placed: int) -> str:
    """What the screen shows once everything typed has been played."""
    if placed < 49 or not picture.moves:
        return f"placement {placed} of"
    return "The end" if picture.moves == WHOLE_GAME else f"ply {picture.moves} of"


def act(terminal: Terminal, picture: Picture, what: str) -> None:
    """Send keys; ``{pick a1}`` clicks on a cell and ``{aim a1}`` moves the mouse there."""
    if what == WAIT:
        deadline = time.monotonic() + SECONDS_TO_THINK
        while time.monotonic() < deadline:
            terminal.settle(0.1)
        return
    if what == REVIEW:
        terminal.type("r")
        terminal.wait_for("reviewed: ", SECONDS_TO_REVIEW)
        return
    wanted = re.fullmatch(r"\{(pick|aim) (\w\w)\}", what)
    if not wanted:
        terminal.type(what)
        return
    arrangement = arrange(picture.columns, picture.lines)
    assert arrangement is not None
    lattice = Lattice(arrangement.scale)
    x, y = lattice.place(parse_cell(wanted[2]))
    room = picture.columns - (CARD_COLUMNS if arrangement.card else 0)
    column, line = x + (room - lattice.width) // 2 + 1, y + 2
    if wanted[1] == "pick":
        terminal.type(f"\x1b[<0;{column};{line}M\x1b[<0;{column};{line}m")
    terminal.type(f"\x1b[<35;{column};{line}M")


def main() -> int:
    """Make all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description="Make the pictures of the README again.")
    parser.add_argument("names", nargs="*", help="pictures to make; all of them by default")
    names = parser.parse_args().names
    there = (*PICTURES, *AT_TABLES)
    chosen = [picture for picture in there if not names or picture.name in names]
    if not chosen:
        print(f"no such picture; there are: {', '.join(picture.name for picture in there)}", file=sys.stderr)
        return 2
    program = (sys.executable, "-m", "dvonn_tui")
    for picture in chosen:
        path = HERE / f"{picture.name}.png"
        taking = {TABLES: take_tables, TABLE: take_table}.get(picture.name, take)
        taking(picture, program).quantize(256).save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
