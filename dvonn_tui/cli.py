"""The command line.

Reading it imports nothing but the parser of the standard library: each command, and what it needs,
is imported when it runs. So ``--version``, ``--help`` and the text commands start fast, and only the
application itself needs Textual.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from dvonn_tui import __version__
from dvonn_tui.commands.terminal import BROKEN_PIPE, CommandFault, complain, finish

_PROGRAM: Final = "dvonn-tui"

SETUPS: Final = ("random", "balanced", "symmetric", "manual")
"""The words of `dvonn_tui.core.setups.CHOSEN_SETUPS`, here so that the parser does not import the game."""

LOOKS: Final = ("auto", "discs", "graph", "ascii")
"""The words of `dvonn_tui.settings.Look`."""

PROTOCOLS: Final = ("dvonn-tui", "codecup", "once")
"""The words of `dvonn_tui.external.PROTOCOLS`."""

BENCH_GROUPS: Final = ("full", "mid", "end", "solve", "solve22", "solve24")
"""Beginnings of the names of the positions of `bench`."""

TARGETS: Final = (
    *("dvn", "golem", "codecup", "dvg", "state", "position"),
    *("board", "svg", "animation", "cast"),
)
"""The forms that `convert` writes: those of `dvonn_tui.records.forms`, then pictures."""

TABLES_PORT: Final = 3866
"""`dvonn_tui.tables.protocol.DEFAULT_PORT`, here so that the parser does not import it."""

LOG_FORMATS: Final = ("text", "json")
"""The words of `dvonn_tui.tables.service_log.LogFormat`."""

MOST_GAMES: Final = 1_000_000
MOST_THREADS: Final = 8
"""`dvonn_tui.engine.think.MOST_THREADS`, here so that nothing of the engine is loaded."""

MOST_JOBS: Final = 64
LONGEST_TIME: Final = 86_400_000
"""Milliseconds."""

DEEPEST: Final = 60
"""Plies to which `perft` counts at most; nobody waits for so many."""

BAD_USAGE: Final = 2
INTERRUPTED: Final = 130
"""The status that a shell reports of a program ended by SIGINT."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with the arguments of the command line, by default those of the process.

    Returns:
        The exit status: 0 when all went well, 1 when what was asked could not be done, 2 when it was asked
        in a wrong way, 130 and 141 when it was interrupted or nobody read on.
    """
    try:
        status = _run(arguments)
    except CommandFault as fault:
        complain(fault.line)
        status = fault.status
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        status = BROKEN_PIPE
    return finish(status)


def _run(arguments: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = _COMMANDS.get(words[0]) if words else None
    parser, run = (command[0](), command[1]) if command else (_game_parser(), _game)
    try:
        options, unknown = parser.parse_known_args(words[1:] if command else words)
    except SystemExit as end:  # --help and --version end like this
        return int(end.code or 0)
    if unknown:
        parser.refuse(unknown[0], "" if command else "; a command comes first")
    return run(options)


def _game(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.application import run_application

    return run_application(options)


def _resume(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.application import run_resumed

    return run_resumed(options)


def _show(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.show import show

    return show(options.position, as_json=options.json, flipped=options.flip)


def _events(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.events import events

    return events(options.tokens, options.position)


def _perft(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.perft import count

    return count(options.position, options.depth, divided=options.divide)


def _match(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.match import match

    return match(options)


def _analyse(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.analyse import analyse

    return analyse(options.words, options.movetime, as_json=options.json)


def _bench(options: argparse.Namespace) -> int:
    if options.beside is None:
        from dvonn_tui.commands.bench import bench

        return bench(options.time / 1000, options.most, options.only, options.threads)
    from dvonn_tui.commands.bench_beside import bench_beside

    return bench_beside(options.beside, options.solved_sign, options.most, options.only, options.threads)


def _convert(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.convert import convert

    return convert(options.source, options.target, options.to, options.game, options.ply, force=options.force)


def _check(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.check import check

    return check(options.paths, options.jobs, as_json=options.json)


def _view(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.view import view

    return view(options, play_on=False)


def _open(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.view import view

    return view(options, play_on=True)


def _join(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.join import join

    return join(options)


def _host(options: argparse.Namespace) -> int:
    from dvonn_tui.commands.host import host

    return host(options)


def _engine(options: argparse.Namespace) -> int:
    from dvonn_tui.engine.process import serve

    return serve(codecup=options.codecup, seconds=options.time, seed=options.seed or 0)


class _Version(argparse.Action):
    """Tells the version, and whether the engine is compiled here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print it and end."""
        from dvonn_tui.engine.backend import NOTICE, VARIANT

        print(f"{_PROGRAM} {__version__} (engine: {VARIANT}{'; ' if NOTICE else ''}{NOTICE})")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """Tells a wrong use in one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise CommandFault(f"{self.prog}: {message}", BAD_USAGE)

    def refuse(self, word: str, advice: str) -> NoReturn:
        """Refuse a word that is no option and no argument."""
        if not word.startswith("-"):
            self.error(f"cannot read {word}{advice}: see {self.prog} --help")
        from difflib import get_close_matches

        option = word.split("=")[0]
        meant = get_close_matches(option, self._option_string_actions, n=1)
        self.error(f"no such option: {option}" + (f" (did you mean {meant[0]}?)" if meant else ""))


def _game_parser() -> _Parser:
    parser = _Parser(
        prog=_PROGRAM,
        usage=f"{_PROGRAM} [OPTION ...]\n       {_PROGRAM} COMMAND ...",
        description="DVONN, the stacking game of the GIPF project, full-screen in the terminal.",
        epilog=_COMMAND_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--setup", choices=SETUPS, help="how the board is filled (default: balanced)")
    parser.add_argument("--seed", type=_seed, metavar="N", help="draw the set-up from this number")
    parser.add_argument("--position", metavar="POSITION", help="begin from this position")
    _add_clock(parser)
    parser.add_argument("--white", metavar="NAME", help="the name of White")
    parser.add_argument("--black", metavar="NAME", help="the name of Black")
    _add_seats_and_looks(parser)
    parser.add_argument("--version", action=_Version, nargs=0, help="tell the version")
    return parser


def _add_clock(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clock", metavar="CLOCK", help="how time is given: none, 10, 5+3, 5d3, 30s")


def _add_seats_and_looks(parser: _Parser) -> None:
    """Who plays, and how it looks."""
    seat = "human, 'level 1' to 'level 10', or 'engine NAME' from the settings"
    parser.add_argument("--white-seat", metavar="SEAT", help=f"who plays White: {seat}")
    parser.add_argument("--black-seat", metavar="SEAT", help="who plays Black")
    _add_screen_options(parser)


def _add_screen_options(parser: argparse.ArgumentParser) -> None:
    """The options of how the game is shown, whichever it is."""
    parser.add_argument("--look", choices=LOOKS, help="how the board is drawn")
    parser.add_argument("--theme", metavar="NAME", help="the colours: dark, light or another theme")
    parser.add_argument("--flip", action="store_true", default=None, help="see the board from Black's side")
    parser.add_argument(
        "--no-mouse", dest="mouse", action="store_false", default=None, help="leave the mouse to the terminal"
    )


_COMMAND_HELP: Final = """\
commands, for a terminal without a screen and for scripts:
  show POSITION           show a position as text or JSON
  events TOKEN ...        play moves and print every event as JSON
  perft POSITION DEPTH    count the sequences of plies
  match A B --games N     let engines play each other
  engine [--codecup]      the engine by itself, line by line
  analyse POSITION|TOKEN ...  what a position, or every ply of a game, is worth
  bench                   how fast the engine is here
  convert IN OUT          games from one form into another, and pictures of them
  check FILE|FOLDER ...   whether games can be read, and what is wrong with them

tables, for players on several machines:
  host                    serve tables to others

commands that open the game with a saved game, or with a record of any form:
  resume [FILE]           go on with the saved game that was played last, or with that of a file
  view FILE               look at a game from its beginning
  open FILE               play on from its end

commands to play with people on other machines:
  join ADDRESS            the tables of a server; --table ID goes to one of them

A POSITION is one line in quotation marks, such as '9/10/2rwbw5/10/9 w m'.
"""


def _resume_parser() -> _Parser:
    parser = _command_parser(
        "resume",
        "Go on with the unfinished game that was played last, or with the saved game of a file.",
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a file, or the name of one in the folder of the games"
    )
    _add_screen_options(parser)
    return parser


def _show_parser() -> _Parser:
    parser = _command_parser(
        "show", "Show a position: the board, whose turn it is, the score and the legal moves."
    )
    parser.add_argument("position", metavar="POSITION", help="the position, in quotation marks")
    parser.add_argument("--json", action="store_true", help="one JSON object instead")
    parser.add_argument("--flip", action="store_true", help="see the board from Black's side")
    return parser


def _events_parser() -> _Parser:
    parser = _command_parser(
        "events",
        "Play placements (c3), moves (a1b2), pass, resign and draw, and print every event as one JSON "
        "object a line. Without tokens they are read from standard input, separated by white space. A file "
        "with a record of any form, or - for standard input, stands in the place of tokens.",
    )
    parser.add_argument("--position", metavar="POSITION", help="begin here, not at the first placement")
    parser.add_argument("tokens", metavar="TOKEN", nargs="*", help="what is played")
    return parser


def _perft_parser() -> _Parser:
    parser = _command_parser(
        "perft",
        "Count the sequences of exactly DEPTH plies from a position. A forced pass is one ply; a finished "
        "game has no continuation.",
    )
    parser.add_argument("position", metavar="POSITION", help="the position, in quotation marks")
    parser.add_argument("depth", metavar="DEPTH", type=_depth, help=f"plies, 0 to {DEEPEST}")
    parser.add_argument("--divide", action="store_true", help="tell the count after each first ply, too")
    return parser


_MATCH_HELP: Final = """\
A and B: level 3; max; max:hash=64,seed=7 (options of the engine); the name of an engine in the settings;
or 'cmd:COMMAND' with --protocol, or the protocol before the command: 'codecup:COMMAND', 'once:COMMAND',
'dvonn-tui:COMMAND'. In a command {gametime}, {movetime}, {seconds}, {seed}, {position} and {state} are
filled in. A program of CodeCup's protocol begins with the first placement (--setup manual), unless its
command holds {position} or {state}. Without a time or nodes, levels take their own.
"""


def _match_parser() -> _Parser:
    parser = _command_parser(
        "match",
        "Let engines play each other: each start twice with colours changed. Time is measured here; who "
        "oversteps it, plays what is illegal or fails loses that game.",
    )
    parser.epilog = _MATCH_HELP
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("a", metavar="A", help="the one whose points are counted")
    parser.add_argument("b", metavar="B", help="the other")
    parser.add_argument("--games", type=_games, required=True, metavar="N", help="how many games")
    times = parser.add_mutually_exclusive_group()
    times.add_argument("--movetime", type=_milliseconds, metavar="MS", help="milliseconds for each move")
    times.add_argument("--gametime", type=_seconds, metavar="S", help="seconds for all moves of a side")
    times.add_argument("--nodes", type=_nodes, metavar="N", help="positions that are searched for each move")
    parser.add_argument("--setup", choices=SETUPS, default="balanced", help="how boards are filled")
    parser.add_argument("--seed", type=_seed, metavar="N", help="draw boards and engines' seeds from this")
    parser.add_argument("--protocol", choices=PROTOCOLS, help="how the programs of cmd: are spoken to")
    parser.add_argument("--log", metavar="FILE", help="write the games as CodeCup's tokens to this file")
    parser.add_argument("--jobs", type=_jobs, metavar="N", help="games at a time (default: 2 with two cores)")
    parser.add_argument(
        "--tolerance",
        type=_milliseconds,
        default=100,
        metavar="MS",
        help="milliseconds that a move may take longer than --movetime (default: 100)",
    )
    return parser


def _analyse_parser() -> _Parser:
    parser = _command_parser(
        "analyse",
        "Tell what a position is worth, or of every ply of a game the value before and after it, what it "
        "lost and the best line. Values are White's or Black's chance to win, or the margin in pieces once "
        "it is seen; ! marks one that is solved. A loss of 10 % of the chance is marked ?, of 25 % ??. "
        "A file with records of any form stands in the place of words; without any, standard input does.",
    )
    parser.add_argument(
        "words",
        metavar="POSITION|TOKEN",
        nargs="*",
        help="a position, or placements and moves from the first placement or from a position on, or a file",
    )
    parser.add_argument(
        "--movetime",
        type=_milliseconds,
        default=1000,
        metavar="MS",
        help="milliseconds for each position (default: 1000); a solved one takes less",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead")
    return parser


_BENCH_HELP: Final = """\
In COMMAND {position} or {state} is filled in, and {seconds} or {movetime} (milliseconds). It is started for
each position that is to be solved, after ours is done with it, and has solved it once it writes the sign.
"""


def _bench_parser() -> _Parser:
    parser = _command_parser(
        "bench",
        "Measure the engine on positions that come with it: nodes a second and the depth that is reached on "
        "full boards and in the middle of games, then the time to solve each of a set of endings, and of "
        "positions after 22 and 24 moves of strong games.",
    )
    parser.epilog = _BENCH_HELP
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--only",
        action="append",
        choices=BENCH_GROUPS,
        default=[],
        help="only this part of the positions; can be given more than once",
    )
    parser.add_argument(
        "--time",
        type=_milliseconds,
        default=1000,
        metavar="MS",
        help="milliseconds for each position that is not to be solved (default: 1000)",
    )
    parser.add_argument(
        "--most",
        type=_seconds,
        default=15.0,
        metavar="S",
        help="seconds after which a position that is to be solved is given up (default: 15)",
    )
    parser.add_argument(
        "--threads", type=_threads, default=1, metavar="N", help="threads that search, 1 to 8 (default: 1)"
    )
    parser.add_argument(
        "--beside", metavar="COMMAND", help="another program that solves the same positions, each after ours"
    )
    parser.add_argument(
        "--solved-sign",
        default="(exact)",
        metavar="TEXT",
        help="what that program writes once it has solved a position (default: '(exact)')",
    )
    return parser


def _engine_parser() -> _Parser:
    parser = _command_parser(
        "engine",
        "The engine by itself: reads lines such as 'position ...' and 'go movetime 1000'.",
    )
    parser.add_argument("--codecup", action="store_true", help="play one game by CodeCup's protocol")
    parser.add_argument(
        "--time", type=_seconds, default=10.0, metavar="SECONDS", help="for that game (default: 10)"
    )
    parser.add_argument("--seed", type=_seed, metavar="N", help="varies the placements")
    return parser


def _convert_parser() -> _Parser:
    parser = _command_parser(
        "convert",
        "Write the games of a file in another form. The form that is read is recognised by its content; "
        "the one that is written is said by --to or by the end of the name: .dvn, .txt (Little Golem), .log "
        "(CodeCup), .dvg, .state, .pos, .board, .svg, .cast. What is wrong in the games, and what a form "
        "does not keep of them, is told.",
    )
    parser.add_argument("source", metavar="IN", help="a file, or - for standard input")
    parser.add_argument("target", metavar="OUT", help="a file, or - for standard output")
    parser.add_argument("--to", choices=TARGETS, metavar="FORM", help=f"one of {', '.join(TARGETS)}")
    parser.add_argument("--game", type=_game_number, metavar="N", help="only this game of the file")
    parser.add_argument("--ply", metavar="PLY", help="where to show the board: 12, or p12 for a placement")
    parser.add_argument("--force", action="store_true", help="replace OUT if it is there")
    return parser


def _check_parser() -> _Parser:
    parser = _command_parser(
        "check",
        "Read every game of files and of folders with all that is in them, play it by the rules, and tell "
        "the form, the plies, the result and every fault with its line, column and ply. The status is 1 "
        "when there is a fault.",
    )
    parser.add_argument("paths", metavar="FILE|FOLDER", nargs="+", help="- is standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object for each game instead")
    parser.add_argument("--jobs", type=_jobs, metavar="N", help="processes (default: as many as cores)")
    return parser


def _join_parser() -> _Parser:
    parser = _command_parser(
        "join",
        "Go to a server of tables, or at once to one of its tables. A seat that was left in the middle of a "
        "game is taken up again by itself.",
    )
    parser.add_argument(
        "address", metavar="ADDRESS", help="host, host:port, wss://host:port or dvonn://host:port/TABLE"
    )
    parser.add_argument("--table", metavar="ID", help="the table, such as KZ7Q2M")
    parser.add_argument("--name", metavar="NAME", help="how you are called there")
    _add_screen_options(parser)
    return parser


def _view_parser() -> _Parser:
    return _record_parser("view", "Look at a game from the beginning of its movement, move by move.")


def _open_parser() -> _Parser:
    parser = _record_parser("open", "Play on from the end of a game; its other lines and comments stay.")
    _add_clock(parser)
    return parser


def _record_parser(command: str, description: str) -> _Parser:
    parser = _command_parser(command, description)
    parser.add_argument("file", metavar="FILE", help="a record of any form, or - for standard input")
    parser.add_argument("--game", type=_game_number, default=1, metavar="N", help="which game of the file")
    _add_seats_and_looks(parser)
    parser.set_defaults(setup=None, seed=None, position=None, white=None, black=None, clock=None)
    return parser


def _host_parser() -> _Parser:
    parser = _command_parser(
        "host",
        "Serve tables at which players on several machines meet. It tells where it listens, and logs to "
        "standard error; ctrl+c or SIGTERM stops it, and all tables stand where they were at the next start.",
    )
    parser.add_argument(
        "--bind",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="where to listen (default: 127.0.0.1, for this machine alone; 0.0.0.0 lets others in)",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=TABLES_PORT,
        metavar="N",
        help=f"default: {TABLES_PORT}; 0: any free one",
    )
    parser.add_argument("--data", metavar="DIR", help="the folder of its files (default: the user's own)")
    parser.add_argument("--name", metavar="TEXT", help="how the server is called")
    parser.add_argument("--tls-cert", metavar="FILE", help="encrypt by this certificate (PEM)")
    parser.add_argument("--tls-key", metavar="FILE", help="its key, unless that is in the same file")
    parser.add_argument("--config", metavar="FILE", help="a TOML file with a table [limits]")
    parser.add_argument(
        "--log-format", choices=LOG_FORMATS, default=LOG_FORMATS[0], help="how events are logged"
    )
    return parser


def _command_parser(command: str, description: str) -> _Parser:
    return _Parser(prog=f"{_PROGRAM} {command}", description=description, allow_abbrev=False)


_COMMANDS: Final = {
    "resume": (_resume_parser, _resume),
    "show": (_show_parser, _show),
    "events": (_events_parser, _events),
    "perft": (_perft_parser, _perft),
    "match": (_match_parser, _match),
    "engine": (_engine_parser, _engine),
    "analyse": (_analyse_parser, _analyse),
    "bench": (_bench_parser, _bench),
    "convert": (_convert_parser, _convert),
    "check": (_check_parser, _check),
    "view": (_view_parser, _view),
    "open": (_open_parser, _open),
    "join": (_join_parser, _join),
    "host": (_host_parser, _host),
}
"""What reads the arguments of each command, and what runs it."""


def _seed(text: str) -> int:
    from dvonn_tui.core.shuffle import LARGEST_SEED

    return _whole_number(text, LARGEST_SEED, "a seed")


def _depth(text: str) -> int:
    return _whole_number(text, DEEPEST, "a depth")


def _games(text: str) -> int:
    return _whole_number(text, MOST_GAMES, "a number of games", 1)


def _game_number(text: str) -> int:
    return _whole_number(text, MOST_GAMES, "the number of a game", 1)


def _jobs(text: str) -> int:
    return _whole_number(text, MOST_JOBS, "a number of games at a time", 1)


def _threads(text: str) -> int:
    return _whole_number(text, MOST_THREADS, "a number of threads", 1)


def _nodes(text: str) -> int:
    return _whole_number(text, 10**9, "a number of positions", 1)


def _port(text: str) -> int:
    return _whole_number(text, 65_535, "a port")


def _milliseconds(text: str) -> int:
    return _whole_number(text, LONGEST_TIME, "a time in milliseconds", 1)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if 0.1 <= seconds <= LONGEST_TIME / 1000:
        return seconds
    raise argparse.ArgumentTypeError(f"a time is a number of seconds from 0.1, not {text!r}")


def _whole_number(text: str, largest: int, what: str, least: int = 0) -> int:
    short = text.isascii() and text.isdecimal() and len(text) <= len(str(largest))
    if short and least <= int(text) <= largest:
        return int(text)
    raise argparse.ArgumentTypeError(f"{what} is a whole number from {least} to {largest}, not {text!r}")


if __name__ == "__main__":
    sys.exit(main())
