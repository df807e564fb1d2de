"""A loss on time, or by staying away, is kept by the native form and by the log; other forms say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dvonn_tui.core.events import Forfeit, GameEnded
from dvonn_tui.core.game import Game
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.details import CLOCK
from dvonn_tui.records.forms import BY_NAME, FORMS, losses, read, write
from dvonn_tui.records.record import with_tags
from dvonn_tui.records.shelf import listed_games
from dvonn_tui.records.tree import main_line, tree_of

from .tools import clean, faults, only, tokens

WHITE, BLACK = Side.WHITE, Side.BLACK


def lost(side: Side, reason: Reason = Reason.TIME) -> Game:
    """A game of two plies that a side lost when White was to move."""
    game = Game.new(Setup.BALANCED, 7)
    for _ in range(2):
        game.play(legal_moves(game.position)[0])
    game.play(Forfeit(side, reason), {CLOCK: 0.0})
    return game


@pytest.mark.parametrize("reason", [Reason.TIME, Reason.ABSENCE])
@pytest.mark.parametrize(("side", "written"), [(WHITE, ""), (BLACK, "-b")])
def test_the_native_form_tells_who_lost_and_how(side: Side, written: str, reason: Reason) -> None:
    """Also when it was the other's turn; with the clock as it stood."""
    text = write(with_tags(lost(side, reason), {"TimeControl": "300+3"}))
    result = "0-1" if side is WHITE else "1-0"
    assert f"{reason}{written} {{[%clk 0:00:00]}} {result}" in text
    assert f'[Termination "{reason}"]' in text
    assert f'[Result "{result}"]' in text
    assert '[TimeControl "300+3"]' in text
    record = clean(text)
    event = record.end.event
    assert isinstance(event, GameEnded)
    assert (event.winner, event.reason) == (side.other, reason)
    assert record.end.details == {CLOCK: 0.0}
    assert write(record) == text


@pytest.mark.parametrize("word", ["time", "TIME", "Time-W", "time-white", "absence", "absence-w"])
def test_the_words_of_a_loss_are_read_in_either_case(word: str) -> None:
    record = clean(f"1. a1 b1 {word} 0-1")
    event = record.end.event
    assert isinstance(event, GameEnded)
    assert event.winner is BLACK
    assert event.reason == word.lower().split("-")[0]


def test_nothing_follows_a_loss() -> None:
    assert any("the game is over" in fault for fault in faults(only("1. a1 b1 time c1 0-1")))
    assert any("the game is over" in fault for fault in faults(only("1. a1 b1 time time-b 0-1")))


def test_two_losses_from_one_position_are_two_lines() -> None:
    """By time and by absence, of one side and of the other: no two are the same ply."""
    game = lost(WHITE)
    for side, reason in ((BLACK, Reason.TIME), (WHITE, Reason.ABSENCE), (BLACK, Reason.ABSENCE)):
        game.undo()
        game.play(Forfeit(side, reason))
    again = clean(write(with_tags(game)))
    last = list(main_line(tree_of(again.game)))[-2]
    assert [child.forfeit for child in last.children] == [
        (WHITE, Reason.TIME),
        (BLACK, Reason.TIME),
        (WHITE, Reason.ABSENCE),
        (BLACK, Reason.ABSENCE),
    ]


@pytest.mark.parametrize("form", [form for form in FORMS if form.write], ids=lambda form: form.name)
def test_other_forms_write_the_moves_and_name_what_they_cannot_hold(form: object) -> None:
    chosen = next(each for each in FORMS if each is form)
    record = with_tags(lost(WHITE))
    text = write(record, chosen)
    named = [each for each in losses(record, chosen) if "lost by time" in each]
    if chosen is BY_NAME["dvn"]:
        assert named == []
        return
    assert named == (["that White lost by time"] if chosen.holds else [])
    assert "TIME" not in text.upper()
    if chosen.holds:
        (again,) = read(text)
        assert tokens(again.game)[-2:] == tokens(record.game)[-3:-1]
        assert again.result == "*"


def test_the_library_tells_who_won(tmp_path: Path) -> None:
    path = tmp_path / "x.dvn"
    path.write_text(write(with_tags(lost(BLACK))))
    (game,) = listed_games(path, 0.0)
    assert (game.result, game.over, game.faults) == ("1-0", True, "")
    assert "white won" in game.words


def test_the_log_keeps_a_loss() -> None:
    """As every end of a game; `rebuild` asks the rules again."""
    from dvonn_tui.core.game import rebuild
    from dvonn_tui.records.journal_form import entry_contents, read_entry

    game = lost(BLACK, Reason.ABSENCE)
    log: list[object] = []
    for content in entry_contents(game.log):
        log.append(read_entry(json.loads(json.dumps(content)), log))  # type: ignore[arg-type]
    again = rebuild(log)  # type: ignore[arg-type]
    assert again.log == game.log
    assert again.head.details == {CLOCK: 0.0}
