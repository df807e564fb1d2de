"""``match``: engines play each other, and what that says about their strength."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Mapping
from typing import Final, TextIO

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.programs import command_words
from dvonn_tui.commands.progress import Progress
from dvonn_tui.commands.terminal import FAILED, CommandFault, complain, write_line
from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.setups import Setup
from dvonn_tui.external import EngineSettings
from dvonn_tui.play.engine_launch import Launch, cores
from dvonn_tui.play.launch import draw_seed
from dvonn_tui.play.match import Contestant, Effort, Match, MatchFault, Played, Terms
from dvonn_tui.play.protocols import ProtocolName
from dvonn_tui.play.seats import LEVEL_PATIENCE, EngineSeat, LevelSeat, launch_of, limits_of, parse_seat
from dvonn_tui.play.strength import Tally
from dvonn_tui.play.thoughts import Limits
from dvonn_tui.settings import Paths, load

BAD_USAGE: Final = 2

INTERRUPTED: Final = 130

PLIES: Final = 34
"""About the plies of a game after the placement, for the progress bar only."""


def match(options: Namespace) -> int:
    """Play a match, print what came of it and return the exit status.

    Raises:
        CommandFault: the options do not go together, an engine cannot play, or a file cannot be written.
    """
    terms = Terms(
        setup=Setup(options.setup),
        seed=draw_seed() if options.seed is None else options.seed,
        movetime=options.movetime,
        gametime=options.gametime,
        nodes=options.nodes,
        tolerance=options.tolerance / 1000,
    )
    settings, problems = load(Paths.find())
    for problem in problems:
        complain(problem)
    a, b = (
        read_contestant(text, options.protocol, settings.engines, terms) for text in (options.a, options.b)
    )
    try:
        games = Match(a, b, terms, options.games)
    except MatchFault as fault:
        raise _refusal(str(fault)) from fault
    return _run(games, options.jobs or jobs_for(a, b), options.log)


def read_contestant(
    text: str, protocol: str | None, engines: Mapping[str, EngineSettings], terms: Terms
) -> Contestant:
    """What ``A`` or ``B`` of the command line means.

    Raises:
        CommandFault: nothing, or nothing with these terms.
    """
    name, colon, said = text.partition(":")
    if colon and name in {"cmd", *ProtocolName}:
        spoken = ProtocolName(name if name != "cmd" else protocol or ProtocolName.OWN)
        return _command(said, spoken, terms)
    if text in engines or text.startswith("engine "):
        return _external(text, engines)
    options = _options(text, said)
    if name == "max":
        if not terms.timed:
            raise _refusal("max thinks as long as it may: --movetime, --gametime or --nodes says how long")
        return Contestant(text, Launch(text, options=options))
    try:
        seat = parse_seat(name, engines)
    except ValueError as problem:
        raise _refusal(
            f"{problem}; in a match: level 3, max, max:hash=64, an engine's name, cmd:COMMAND"
        ) from problem
    if not isinstance(seat, LevelSeat):
        raise _refusal(f"{clean_line(text)!r} cannot play a match")
    launch = Launch(text, options={"level": str(seat.level), **options})
    return Contestant(text, launch, Limits(patience=LEVEL_PATIENCE))


def _external(text: str, engines: Mapping[str, EngineSettings]) -> Contestant:
    try:
        seat = parse_seat(text if text.startswith("engine ") else f"engine {text}", engines)
    except ValueError as problem:
        raise _refusal(str(problem)) from problem
    assert isinstance(seat, EngineSeat)
    gametime = seat.engine.gametime
    return Contestant(seat.name, launch_of(seat, 0), limits_of(seat, 0.0), gametime)


def _command(line: str, protocol: ProtocolName, terms: Terms) -> Contestant:
    words = command_words("match", line)
    if not terms.timed:
        raise _refusal(f"{clean_line(words[0])} needs --movetime, --gametime or --nodes")
    name = clean_line(line)
    return Contestant(name, Launch(name, words, protocol))


def _options(text: str, said: str) -> dict[str, str]:
    options = {}
    for each in said.split(",") if said else []:
        name, equals, value = each.partition("=")
        if not (equals and name.isascii() and name.isalpha() and value.isascii() and value.isalnum()):
            raise _refusal(f"{clean_line(text)}: options are written as max:hash=64,seed=7")
        options[name.lower()] = value
    return options


def jobs_for(a: Contestant, b: Contestant) -> int:
    """How many games are played at a time: two where two cores are there and no engine takes both."""
    threads = [each.launch.options.get("threads", "1") for each in (a, b)]
    return 2 if cores() >= 2 and threads == ["1", "1"] else 1


def _run(games: Match, jobs: int, path: str | None) -> int:
    expected = PLIES + len(CELLS) * (games.terms.setup is Setup.MANUAL)
    progress = Progress(games.games * expected)
    log = _open(path) if path else None
    plies = 0

    def on_ply() -> None:
        nonlocal plies
        plies += 1
        progress.show(max(plies, len(games.played) * expected), _brief(games))

    def on_game(played: Played) -> None:
        if log is not None:
            _write(log, transcript(games, played))
        progress.show(max(plies, len(games.played) * expected), _brief(games), now=True)

    games.on_ply, games.on_game = on_ply, on_game
    interrupted = False
    fault = None
    try:
        asyncio.run(games.run(jobs))
    except KeyboardInterrupt:
        interrupted = True
    except MatchFault as problem:
        fault = problem
    finally:
        progress.clear()
        if log is not None:
            log.close()
    if games.played or fault is None:
        for line in report(games):
            write_line(line)
    if fault is not None:
        raise CommandFault(f"dvonn-tui match: {fault}", FAILED) from fault
    return INTERRUPTED if interrupted else 0


def _open(path: str) -> TextIO:
    try:
        return open(path, "w", encoding="utf-8")
    except (OSError, ValueError) as problem:
        raise CommandFault(f"{clean_line(path, 200)}: {_why(problem)}", FAILED) from problem


def _write(log: TextIO, text: str) -> None:
    try:
        log.write(text)
        log.flush()
    except OSError as problem:
        raise MatchFault(f"the log cannot be written: {_why(problem)}") from problem


def _why(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem)


def _brief(games: Match) -> str:
    tally = Tally.of(played.points for played in games.played)
    elo = f"  Elo {tally.elo_text()}" if tally.games else ""
    return f"{tally.games}/{games.games}  {tally.points:g} - {tally.games - tally.points:g}{elo}"


def transcript(games: Match, played: Played) -> str:
    """A game as CodeCup's tokens from the first placement on, below a comment that says what it was."""
    names = {played.a: games.a.name, played.a.other: games.b.name}
    board = "placed" if played.board_seed is None else f"{games.terms.setup}, seed {played.board_seed}"
    ending = "draw" if played.winner is None else f"{played.winner.word} wins"
    if played.fault:
        ending += f": {played.fault}"
    white, black = played.score
    who = f"{names[Side.WHITE]} - {names[Side.BLACK]}"
    heading = f"# game {played.number}: {who}; {board}; {white}-{black}, {ending}"
    return f"{clean_line(heading, 400)}\n{' '.join(token.upper() for token in played.tokens)}\n"


def report(games: Match) -> list[str]:
    """What came of a match, as lines of text."""
    played = sorted(games.played, key=lambda game: game.number)
    terms = games.terms
    boards = "whole games with placement" if terms.setup is Setup.MANUAL else f"{terms.setup} boards"
    lines = [f"A = {games.a.name}, B = {games.b.name}; {boards}, seed {terms.seed}{_time(terms)}"]
    if not played:
        return [*lines, "no game was finished"]
    tally = Tally.of(game.points for game in played)
    low, high = tally.interval
    lines += [
        f"games   {tally.games} of {games.games}",
        f"points  {tally.points:g} - {tally.games - tally.points:g}, {tally.share:.1%} for A "
        f"(95 %: {low:.1%} to {high:.1%})",
        f"won     {tally.won} - {tally.lost}, {tally.drawn} drawn",
    ]
    for side in Side:
        part = Tally.of(game.points for game in played if game.a is side)
        lines.append(f"{side.word.lower()}   {part.points:g} of {part.games} for A as {side.word}")
    fair = [game.margin for game in played if not game.fault]
    if fair:
        lines.append(f"margin  {sum(fair) / len(fair):+.1f} for A on average")
    lines.append(f"Elo     {tally.elo_text()}")
    for letter, own in (("A", True), ("B", False)):
        efforts = [game.efforts[game.a if own else game.a.other] for game in played]
        lines.append(f"{letter}       {_effort(efforts)}")
    faults = [(game.number, game.fault) for game in played if game.fault]
    lines += [f"game {number} was lost because {clean_line(fault, 200)}" for number, fault in faults]
    return lines


def _time(terms: Terms) -> str:
    said = []
    if terms.movetime is not None:
        said.append(f"{terms.movetime} ms a move")
    if terms.gametime is not None:
        said.append(f"{terms.gametime:g} s a game")
    if terms.nodes is not None:
        said.append(f"{terms.nodes} nodes a move")
    return "; " + ", ".join(said) if said else ""


def _effort(efforts: list[Effort]) -> str:
    moves = max(sum(each.moves for each in efforts), 1)
    depths = sum(each.depths for each in efforts)
    depth = f"depth {sum(each.depth for each in efforts) / depths:.1f}" if depths else "depth unknown"
    seconds = sum(each.seconds for each in efforts) / moves
    longest = max((each.longest for each in efforts), default=0.0)
    return f"{depth}, {seconds:.3f} s a move, {longest:.3f} s at most"


def _refusal(reason: str) -> CommandFault:
    return CommandFault(f"dvonn-tui match: {reason}", BAD_USAGE)
