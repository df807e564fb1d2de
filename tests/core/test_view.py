"""Looking at a game: a view follows the head until it is moved, and never changes the log."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.core.game import Game
from dvonn_tui.core.view import View

from .tools import FULL, events_of, first_legal, move, wander
from .wandering import games


@given(games(), st.lists(st.integers(-70, 70), max_size=20))
def test_looking_changes_nothing(game: Game, steps: list[int]) -> None:
    """Any steps: the log and the head stay, and what is seen belongs to one ply of one line."""
    before, head = game.log, game.head
    view = View(game)
    assert view.live
    for count in steps:
        here, last = view.index, len(view.plies) - 1
        moved = view.step(count)
        assert view.index == min(max(here + count, 0), last)
        assert moved == (view.index != here)
        ply = view.plies[view.index]
        assert view.entry is ply.last
        assert view.position is ply.last.position
        assert view.live == (view.entry is game.head)
    view.present()
    assert (view.entry, view.live) == (head, True)
    assert (game.log, game.head) == (before, head)


@given(games(), st.binary(max_size=40), st.integers(-9, 9))
def test_what_was_found_before_is_not_believed_when_the_game_has_gone_on(
    game: Game, script: bytes, steps: int
) -> None:
    """Hidden lines, undone moves and other lines change what is seen through the same entry."""
    view = View(game)
    view.step(steps)
    for place in range(0, len(script), 2):
        assert view.plies == game.plies(view.entry)
        wander(game, script[place : place + 2])
        assert view.plies == game.plies(view.entry)
        assert view.entry in view.plies[view.index].entries


@given(games(), st.data())
def test_every_entry_can_be_looked_at(game: Game, data: st.DataObject) -> None:
    """Marks as well: they stand for where the head went."""
    before = game.log
    view = View(game)
    entry = data.draw(st.sampled_from(game.log))
    view.look_at(entry)
    assert view.position == entry.position
    assert view.entry in list(events_of(game))
    assert view.entry in view.plies[view.index].entries
    view.step(1)
    view.step(-1000)
    assert (view.index, view.entry.action) == (0, 0)
    assert game.log == before


def test_a_view_follows_the_head_until_it_is_moved() -> None:
    """Two people look at one game; only one of them looks back."""
    game = Game.at(FULL)
    following, looking = View(game), View(game)
    game.play(first_legal(game.position))
    assert following.entry is looking.entry is game.head
    looking.step(-1)
    seen = looking.entry
    game.play(first_legal(game.position))
    assert (following.entry, following.live) == (game.head, True)
    assert (looking.entry, looking.live) == (seen, False)
    looking.present()
    assert looking.entry is game.head
    game.undo()
    assert looking.entry is following.entry is game.head
    assert (following.index, len(following.plies)) == (1, 3)


def test_stepping_to_the_head_follows_it_again() -> None:
    """Forward as far as it goes is the present."""
    game = Game.at(FULL)
    view = View(game)
    game.play(first_legal(game.position))
    view.step(-1)
    view.step(1)
    assert view.live
    game.play(first_legal(game.position))
    assert view.entry is game.head


def test_a_view_stays_on_its_line() -> None:
    """Looking at one line while the game goes on in another."""
    game = Game.at(FULL)
    (one,) = game.play(move("B4-A3"))
    (deeper,) = game.play(first_legal(game.position))
    game.go_to(game.log[0])
    (other,) = game.play(move("C5-D5"))
    view = View(game)
    view.look_at(one)
    assert [ply.last for ply in view.plies] == [game.log[0], one, deeper]
    assert view.step(1)
    assert view.entry is deeper
    assert view.step(-2)
    assert view.plies[-1].last is other, "from the fork on, the line visited last"
