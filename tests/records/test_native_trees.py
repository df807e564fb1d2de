"""The native form holds any tree, whatever is written in it."""

from __future__ import annotations

from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dvonn_tui.core.cells import CELLS
from dvonn_tui.core.events import AgreeDraw, Forfeit, PlaceRest, Resign
from dvonn_tui.core.game import Game
from dvonn_tui.core.log import CellMark, Entry, MarkKind
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.core.setups import Setup
from dvonn_tui.records.details import AT, CLOCK, SPENT
from dvonn_tui.records.forms import NATIVE, losses, read, write
from dvonn_tui.records.record import DERIVED, Record, with_tags
from dvonn_tui.records.tree import tree_of
from tests.core.tools import choices_of, events_of, play_some
from tests.core.wandering import fresh_games, games

from .tools import clean, final, shape

NASTY = [
    *[
        "]",
        "\\",
        "\\]",
        "[3d?]: hi",
        "}",
        '"',
        ";",
        "a1b2 pass",
        "a\nb",
        "\n",
        " ",
        "\t x \t",
        "\r",
        "x" * 10_000,
    ],
    *["\U0001f600 \U0001f468\u200d\U0001f469", "{", "{}", "\\}", "\\{", "\\u{41}", "\\u{}", "[%clk 0:00:01]"],
    *["[%rm a1]", "[%eval 3]", "[%hidden]", "\\[%hidden]", "[%mark a1=star", "[%emt00:05]", "%x\n% y", "1-0"],
    *[
        '[Event "x"]',
        'a\n[Event "x"]\nb',
        '\n  [ White "y"]',
        "(",
        ")",
        "# x",
        "$1",
        "!",
        "[b]x[/i]",
        "[/",
        "\xe9",
    ],
    *["\x00\x1b[2J\x9b31m", "\u202e", "\ufeff", "\ud800", "\u2028\x85\x0c"],
]

texts = st.sampled_from(NASTY) | st.text(max_size=30) | st.text('\\{}[]"%;() \n\tuclk0:1', max_size=20)
details = st.fixed_dictionaries(
    {},
    optional={
        CLOCK: st.integers(0, 10**9).map(lambda value: value / 1000),
        SPENT: st.integers(0, 10**7).map(lambda value: value / 1000),
        AT: st.integers(0, 4 * 10**12).map(lambda value: value / 1000),
    },
)
marks = st.dictionaries(st.sampled_from(CELLS), st.sampled_from(MarkKind), max_size=4).map(
    lambda chosen: [CellMark(cell, kind) for cell, kind in chosen.items()]
)
tags = st.dictionaries(
    st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name not in DERIVED),
    texts,
    max_size=4,
)


@st.composite
def trees(draw: st.DrawFn) -> Game:
    """A game with lines beside lines, comments, marks, clocks, promoted and hidden lines."""
    if draw(st.booleans()):
        game = draw(games())
    else:
        game = draw(fresh_games())
        play_some(game, Random(draw(st.integers(0, 999))), draw(st.integers(0, 60)))
    for _ in range(draw(st.integers(0, 12))):
        chosen = draw(st.sampled_from(list(events_of(game))))
        match draw(st.sampled_from(["play", "play", "rest", "end", "comment", "marks", "hide", "promote"])):
            case "comment":
                game.comment(chosen, draw(texts))
            case "marks":
                game.mark_cells(chosen, draw(marks))
            case "hide":
                game.hide(chosen)
            case "promote":
                game.promote(chosen)
            case deed:
                _branch(draw, game, chosen, deed)
    return game


def _branch(draw: st.DrawFn, game: Game, chosen: Entry, deed: str) -> None:
    position = game.settled(chosen).position
    if position.over:
        return
    if deed == "end":
        lost = [Resign(side) for side in Side]
        lost += [Forfeit(side, reason) for side in Side for reason in (Reason.TIME, Reason.ABSENCE)]
        action = draw(st.sampled_from([*lost, AgreeDraw()]))
        game.play(action, draw(details), after=chosen)
    elif deed == "rest" and position.phase == "placement":
        game.play(PlaceRest(draw(st.integers(0, 99))), draw(details), after=chosen)
    else:
        game.play(draw(st.sampled_from(choices_of(position))), draw(details), after=chosen)


@given(trees(), tags)
def test_any_tree_comes_back(game: Game, said: dict[str, str]) -> None:
    """Plies, lines and their order, comments, marks, clocks, hidden lines and tags; and the text itself."""
    record = with_tags(game, said)
    text = write(record)
    again = clean(text)
    assert shape(tree_of(again.game)) == shape(tree_of(game))
    assert {name: again.tags[name] for name in said} == said
    assert (again.form, again.result, final(again)) == ("dvn", record.result, final(record))
    assert again.remarks == ()
    assert (again.game.started.setup, again.game.started.seed) == (game.started.setup, game.started.seed)
    assert again.game.head is again.end
    assert write(again) == text
    assert losses(record, NATIVE) == ()


@given(texts, texts, texts)
@example("White", "", "Ann")
def test_any_text_comes_back(comment: str, name: str, last: str) -> None:
    """In comments of the start, of a ply and of a pass, and in names; nothing of it becomes a move."""
    game = Game.new(Setup.BALANCED, 5)
    play_some(game, Random(3), 40)
    entries = list(events_of(game))
    game.comment(entries[0], comment)
    game.comment(entries[3], last)
    game.comment(entries[-1], comment)
    text = write(with_tags(game, {"White": name, "Event": comment}))
    again = clean(text)
    assert shape(tree_of(again.game)) == shape(tree_of(game))
    assert again.tags["Event"] == comment


@settings(max_examples=10)
@given(st.lists(trees(), min_size=2, max_size=4))
def test_games_follow_each_other(several: list[Game]) -> None:
    """In one file, in their order."""
    found = list(read(write([with_tags(game) for game in several])))
    assert [shape(tree_of(record.game)) for record in found] == [shape(tree_of(game)) for game in several]
    assert not [fault for record in found for fault in record.faults]


def test_what_is_written_moves_no_cursor() -> None:
    """Control codes, directions and what cannot be seen stand there as numbers; one tag is one line."""
    game = Game.new(Setup.MANUAL)
    game.comment(game.head, "".join(NASTY))
    text = write(with_tags(game, {"Event": "".join(NASTY)}))
    assert all(character.isprintable() or character in "\n\t" for character in text)
    assert isinstance(clean(text), Record)
