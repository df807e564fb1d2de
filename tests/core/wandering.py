"""Hypothesis strategies: games of every kind, and positions out of them."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import parse_position
from dvonn_tui.core.position import Position
from dvonn_tui.core.setups import CHOSEN_SETUPS, DRAWN_SETUPS, Setup
from dvonn_tui.core.shuffle import LARGEST_SEED

from .tools import events_of, lines_of, play_some, wander

seeds = st.integers(0, 999) | st.integers(0, LARGEST_SEED)

_MIDDLES = [case["position"] for case in lines_of("perft.jsonl")]
_MIDDLES += [case["position"] for case in lines_of("rules.jsonl")]


@st.composite
def fresh_games(draw: st.DrawFn) -> Game:
    """A game just begun: any set-up, or from a given position."""
    setup = draw(st.sampled_from([*CHOSEN_SETUPS, Setup.POSITION]))
    if setup is Setup.POSITION:
        return Game.at(parse_position(draw(st.sampled_from(_MIDDLES))))
    return Game.new(setup, draw(seeds) if setup in DRAWN_SETUPS else None)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game that has wandered about: moves, steps back, other lines, hidden ones, early ends."""
    game = draw(fresh_games())
    random = Random(draw(st.integers(0, 2**32)))
    play_some(game, random, draw(st.integers(0, 70)))
    wander(game, draw(st.binary(max_size=120)))
    wander(game, random.randbytes(draw(st.integers(0, 60))))
    return game


@st.composite
def complete_games(draw: st.DrawFn) -> Game:
    """A game from a whole board or an empty one, played at random to its end by the rules."""
    setup = draw(st.sampled_from(CHOSEN_SETUPS))
    game = Game.new(setup, draw(seeds) if setup in DRAWN_SETUPS else None)
    play_some(game, Random(draw(st.integers(0, 2**32))))
    return game


@st.composite
def settled_positions(draw: st.DrawFn) -> Position:
    """A position in which somebody can act, or in which a game is over."""
    game = draw(st.one_of(games(), complete_games()))
    return game.settled(draw(st.sampled_from(list(events_of(game))))).position
