"""Real games replay: the core reads what people and programs have played."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from dvonn_tui.core.cells import CELL_NAMES
from dvonn_tui.core.events import TurnPassed
from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side, holds_red, owner
from dvonn_tui.core.position import Phase, Position, Reason
from dvonn_tui.core.script import Script
from dvonn_tui.core.setups import Setup

from .tools import DATA, ending, fold

RECORDS = DATA / "records"
LOGS = sorted(path.name for path in RECORDS.glob("game-*.log"))
RAWS = sorted(path.name for path in (RECORDS / "codecup-raw").glob("*.txt"))


def replay(tokens: list[str]) -> Game:
    """Play tokens from an empty board."""
    script = Script(Game.new(Setup.MANUAL))
    for token in tokens:
        script.play(token)
    assert fold(script.game.path(script.game.head)) == script.game.position
    return script.game


def tokens_of(path: Path) -> list[str]:
    """The tokens of a CodeCup log or a .dvg file."""
    lines = (line.split("#")[0] for line in path.read_text("ascii").splitlines())
    return [token for line in lines for token in line.split() if token != "BREAK"]


def golem_tokens() -> list[str]:
    """The tokens of the Little Golem game with the 49th placement, which it leaves out, filled in."""
    text = re.sub(r"\[[^]]*\]", "", (RECORDS / "little-golem.txt").read_text("ascii"))
    tokens = re.findall(r"\b(?:pass|resign|(?:[a-k][1-5]){1,2})\b", text)
    (missing,) = set(CELL_NAMES) - set(tokens[:48])
    return [*tokens[:48], missing, *tokens[48:]]


def test_the_folder_is_whole() -> None:
    """All records are here."""
    assert (len(LOGS), len(RAWS)) == (6, 2)


def test_little_golem_game() -> None:
    """White, far behind and without a move, resigns where a pass was due: Black wins."""
    tokens = golem_tokens()
    assert (len(tokens), tokens[-1]) == (76, "resign")
    game = replay(tokens)
    assert (ending(game).winner, ending(game).reason) == (Side.BLACK, Reason.RESIGNATION)
    assert game.position.score == (5, 29)
    assert game.head.placements == 49


@pytest.mark.parametrize("name", LOGS)
def test_contest_logs(name: str) -> None:
    """Games cut short: every token is legal, and each written pass was recorded by itself."""
    tokens = tokens_of(RECORDS / name)
    game = replay(tokens)
    assert not game.position.over
    played = ["PASS" if isinstance(ply.first.event, TurnPassed) else "" for ply in game.plies()[1:]]
    written = [token if token == "PASS" else "" for token in tokens]
    due_at_the_crash = ["PASS"] if len(played) > len(written) else []
    assert played == written + due_at_the_crash


def test_the_two_forms_of_one_game_agree() -> None:
    """The form of the program Dvonner and the log."""
    one, other = (replay(tokens_of(RECORDS / f"game-53360.{form}")) for form in ("dvg", "log"))
    assert one.log == other.log


def complete_games(name: str) -> list[tuple[str, list[str]]]:
    """Final score and tokens of each line of a collection."""
    lines = (RECORDS / name).read_text("ascii").splitlines()
    games = [line.split() for line in lines if line and not line.startswith("#")]
    return [(tokens[0], tokens[1:]) for tokens in games]


@pytest.mark.parametrize(("name", "count"), [("engine-games.log", 19), ("random60.log", 60)])
def test_complete_games_end_with_their_score(name: str, count: int) -> None:
    """The end comes with the last token, not before, and with the recorded score."""
    games = complete_games(name)
    assert len(games) == count
    for score, tokens in games:
        game = replay(tokens)
        white, black = game.position.score
        assert f"{white}-{black}" == score
        assert ending(game).reason is Reason.NO_MOVES
        assert ending(game).score == (white, black)
        assert ending(game).winner is (
            None if white == black else Side.WHITE if white > black else Side.BLACK
        )
        assert len(game.plies()) - 1 == len(tokens)


def test_passes_may_be_left_out() -> None:
    """A record without its passes is the same game."""
    for _, tokens in complete_games("engine-games.log"):
        assert replay([token for token in tokens if token != "pass"]).log == replay(tokens).log


# The 50 characters of a state in the raw files: phase and player, then a1 to k5.

_CODE = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


def coded(position: Position) -> str:
    """A position in the coding of the raw files."""
    return _CODE[2 * (position.phase is Phase.MOVEMENT) + (position.side is Side.BLACK)] + "".join(
        _cell_code(position, cell) for cell in range(49)
    )


def _cell_code(position: Position, cell: int) -> str:
    stack = position.stacks[cell]
    if not stack:
        return _CODE[0]
    holder = owner(stack)
    if holder is None:
        return _CODE[1]
    return _CODE[4 * len(stack) + 2 * holds_red(stack) + (holder is Side.BLACK) - 2]


def raw_lines(name: str) -> Iterator[tuple[str, str]]:
    """Each state of a raw file, and the token that led to it."""
    token = ""
    for line in (RECORDS / "codecup-raw" / name).read_text("ascii").splitlines():
        if found := re.fullmatch(r" --(\w+)-->|<--(\w+)--", line):
            token = found[1] or found[2]
        elif re.fullmatch(r"[A-Za-z0-9+/]{50}", line):
            yield line, token


@pytest.mark.parametrize(("name", "count"), list(zip(RAWS, (74, 77), strict=True)))
def test_states_of_raw_files(name: str, count: int) -> None:
    """151 states, ply by ply, as another program saw them."""
    states = list(raw_lines(name))
    game = replay([token for _, token in states[1:]])
    assert len(states) == count
    seen = [coded(ply.last.position) for ply in game.plies()]
    assert seen[:count] == [state for state, _ in states]
    assert len(seen) - count == isinstance(game.head.event, TurnPassed) - (states[-1][1] == "PASS")
