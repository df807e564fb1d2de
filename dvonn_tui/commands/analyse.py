"""``analyse``: what a position is worth, or every ply of a game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.commands.events import SHOWN_TOKEN, split_tokens
from dvonn_tui.commands.files import STREAM, names_file, records_of, tell_faults
from dvonn_tui.commands.positions import read_position
from dvonn_tui.commands.progress import Progress
from dvonn_tui.commands.terminal import FAILED, CommandFault, write_line
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import format_position
from dvonn_tui.core.position import Phase, Position
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup
from dvonn_tui.play.analyst import can_be_analysed
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.engine_trouble import EngineTrouble
from dvonn_tui.play.review import Judged, Worth, review, think, worth_of
from dvonn_tui.play.thoughts import Thought
from dvonn_tui.play.verdict import AT_RANDOM, RED_BY_RULE, Verdict, verdict_of

LINES: Final = 3
"""How many lines are told of a single position."""

SHOWN_MOVES: Final = 8
"""How many moves of a line are told."""


def analyse(words: Sequence[str], movetime: int, *, as_json: bool) -> int:
    """Print what a position or every ply of a game is worth, and return the exit status.

    Args:
        words: a position, tokens, or a position and tokens; or the name of a file with games in it.
            Without any, standard input is such a file.
        movetime: milliseconds for each position.

    Raises:
        CommandFault: something cannot be read, played or written, or the engine failed.
    """
    named = len(words) == 1 and names_file(words[0])
    status = 0
    try:
        if words and not named:
            asyncio.run(_analyse(read_game(split_tokens(words)), movetime, as_json=as_json))
            return status
        path = words[0] if named else STREAM
        for number, record in enumerate(records_of(path), 1):
            tell_faults(path, number, record)
            status = FAILED if record.faults else status
            if number > 1 and not as_json:
                write_line("")
            asyncio.run(_analyse(record.game, movetime, as_json=as_json))
    except EngineTrouble as trouble:
        raise CommandFault(f"dvonn-tui analyse: {trouble.line}", FAILED) from trouble
    return status


def read_game(tokens: Iterable[str]) -> Game:
    """The game of tokens, from a position if they begin with one.

    Raises:
        CommandFault: they cannot be read, or played.
    """
    rest = list(tokens)
    if rest and "/" in rest[0]:
        game, rest = Game.at(read_position(" ".join(rest[:3]))), rest[3:]
    else:
        game = Game.new(Setup.MANUAL)
    script = Script(game)
    for number, token in enumerate(rest, 1):
        try:
            script.play(token)
        except DvonnError as problem:
            line = f"token {number} ({clean_line(token, SHOWN_TOKEN)}): {problem.reason}"
            raise CommandFault(line, FAILED) from problem
    return game


async def _analyse(game: Game, movetime: int, *, as_json: bool) -> None:
    plies = game.plies(game.head)
    link = EngineLink()
    progress = Progress(len(plies))
    try:
        if len(plies) == 1:
            await _single(link, game.position, movetime, as_json=as_json)
            return
        if not as_json:
            write_line(f"{'ply':>4}  {'played':<7} {'before':>7} {'after':>7}  {'loss':<17} best line")
        async with aclosing(review(link, plies, movetime)) as found:
            done = 0
            progress.show(done, "the start", now=True)
            async for judged in found:
                done += 1
                progress.clear()
                write_line(json.dumps(plain_judged(judged)) if as_json else row(judged))
                progress.show(done + 1, f"{done} of {len(plies) - 1}", now=True)
    finally:
        progress.clear()
        await link.close()


async def _single(link: EngineLink, position: Position, movetime: int, *, as_json: bool) -> None:
    """Print the best lines of a position, or what it is worth where there is nothing to choose."""
    thoughts = await think(link, position, movetime, LINES) if can_be_analysed(position) else []
    worth_here = await worth_of(link, position, movetime) if not thoughts else Worth()
    if as_json:
        verdict = verdict_of(thoughts[0]) if thoughts else worth_here.verdict
        plain = {
            "position": format_position(position),
            "value": plain_verdict(verdict),
            "lines": [plain_thought(thought) for thought in thoughts],
        }
        write_line(json.dumps(plain))
        return
    placing = position.phase is Phase.PLACEMENT
    for place, thought in enumerate(thoughts, 1):
        moves = " ".join(thought.line[:SHOWN_MOVES])
        verdict = verdict_of(thought)
        worth = [verdict.words] if verdict else []
        depth = [] if placing else [f"depth {thought.depth}"]
        write_line("  ".join([str(place), *worth, *depth, moves]))
    if placing:
        valued = bool(thoughts) and thoughts[0].valued
        write_line(f"estimates, {AT_RANDOM}" if valued else RED_BY_RULE)
    elif not thoughts:
        write_line(worth_here.verdict.words if worth_here.verdict else "the engine tells no value")


def row(judged: Judged) -> str:
    """A ply as a line of text."""
    before, after = (_brief(worth) for worth in (judged.before, judged.after))
    loss = f"{judged.loss.words.removeprefix('loses ')} {judged.loss.mark}".strip()
    moves = " ".join(judged.before.line[:SHOWN_MOVES])
    played = judged.token or "end"
    return f"{judged.ply.label:>4}  {played:<7} {before:>7} {after:>7}  {loss:<17} {moves}".rstrip()


def _brief(worth: Worth) -> str:
    if worth.verdict is None:
        return "-"
    return f"{worth.verdict.brief}{'!' if worth.verdict.solved else ''}"


def plain_judged(judged: Judged) -> dict[str, object]:
    """A ply as plain values for JSON."""
    return {
        "ply": judged.ply.label,
        "side": judged.side,
        "played": judged.token,
        "before": plain_verdict(judged.before.verdict),
        "after": plain_verdict(judged.after.verdict),
        "loss": {"chance": round(judged.loss.chance, 4), "pieces": judged.loss.pieces},
        "mark": judged.loss.mark,
        "best": list(judged.before.line),
        "depth": judged.before.depth,
    }


def plain_verdict(verdict: Verdict | None) -> dict[str, object] | None:
    """A verdict as plain values: White's chance to win, his margin if it was seen, whether it is solved."""
    if verdict is None:
        return None
    margin = verdict.value if verdict.certain else None
    return {"chance": round(verdict.chance, 4), "margin": margin, "solved": verdict.solved}


def plain_thought(thought: Thought) -> dict[str, object]:
    """A line as plain values."""
    return {
        "value": plain_verdict(verdict_of(thought)),
        "depth": thought.depth,
        "nodes": thought.nodes,
        "nps": thought.nps,
        "moves": list(thought.line),
    }
