"""Text forms: what is written is read again, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dvonn_tui.core.cells import CELL_NAMES, CELLS
from dvonn_tui.core.errors import NotationError
from dvonn_tui.core.events import Action, AgreeDraw, Forfeit, Move, Place, PlaceRest, Resign, StacksRemoved
from dvonn_tui.core.game import Game
from dvonn_tui.core.notation import (
    LONGEST_POSITION,
    Word,
    event_token,
    format_action,
    format_position,
    format_stack,
    parse_cell,
    parse_position,
    parse_token,
    shown,
)
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import EMPTY_BOARD, Phase, Position, Reason
from dvonn_tui.core.rules import decide
from dvonn_tui.core.setups import Setup

from .tools import FULL, board, cell, events_of, lines_of, stack
from .wandering import games, settled_positions

VALID = [case["position"] for case in lines_of("rules.jsonl") + lines_of("perft.jsonl")]

UGLY = [
    "",
    " ",
    "\u212a3",  # the Kelvin sign, whose lower case is k
    "\u212a5",
    "a\u0661",  # digits of other scripts
    "a\uff11",
    "a\u00b9",
    "\uff411",
    "\u01311",  # dotless i, and the capital with a dot
    "\u01301",
    "\u01302i1",
    "\ud8001",
    "\udfff\udfff",
    "a1\ud800",
    "a1b\u0662",
    "a1\u2013b2",
    "a1--b2",
    "a1 b2",
    " a1",
    "a1 ",
    "a1\n",
    "a1b2\n",
    "pass\n",
    "pa\u017f\u017f",  # long s
    "PA\u1e9eS",
    "re\u017fign",
    "\x00",
    "a\x00",
    "9" * 4000,
    "9" * 5000,
    "a1" * 5000,
    "(" * 4000,
    "9/10/11/10/9",
    "9/10/11/10/9 w",
    "9/10/11/10/9 w p ",
    "9/10/11/10/9 w p\n",
    "9/10/11/10/9  w p",
    "9/10/11/10/9 W p",
    "9/10/11/10/9 w m",
    "9/10/11/10/9 b p",
    "09/10/11/10/9 w p",
    "9/010/11/10/9 w p",
    "0" * 4300 + "9/10/11/10/9 w p",
    "9" * 150 + "/10/11/10/9 w p",
    "\u0669/10/11/10/9 w p",
    "9/1\u0660/11/10/9 w p",
    "9/10/\u0663(rwb)7/10/9 w m",
    "\u0669/10/3(rwb)7/10/9 w m",
    "9/1\uff10/3(rwb)7/10/9 w m",
    "9/10/1\u00b9/10/9 w p",
    "54/10/11/10/9 w p",
    "5 4/10/11/10/9 w p",
    "9/10/11/10/9/ w p",
    "9/10/5(r)5/10/9 w m",
    "9/10/5()6/10/9 w m",
    "9/10/5(wr)5/10/9 w m",
    "9/10/5(rw5/10/9 w m",
    "9/10/5(r w)5/10/9 w m",
    "9/10/5((rw))5/10/9 w m",
    "9/10/5(r/w)5/10/9 w m",
    "9/10/5(rW)5/10/9 w m",
    "9/10/5R5/10/9 w m",
    "9/10/2r8/10/w8 w m",
    "9/10/2w8/10/9 w m",
    "9/10/rrrr7/10/9 w m",
]

letters = st.text("wbr()/0123456789 pm-", max_size=80)
cell_like = st.text("abcdefghijklABCDEFGHIJKL0123456-passPASSresignRESIGNdrawDRAW \n", max_size=8)
anything = st.text(st.characters(), max_size=250)  # lone surrogates as well


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid position with some characters changed, put in or taken out."""
    text: str = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        gone = draw(st.integers(0, 3))
        new = draw(st.text("wbr()/0123456789 pmWB", max_size=3) | st.text(st.characters(), max_size=2))
        text = text[:place] + new + text[place + gone :]
    return text


def check_error(error: NotationError, text: str) -> None:
    """An error names its text, a place in it, and a reason that can be shown."""
    assert error.text == text
    assert 0 <= error.place <= len(text)
    assert error.reason
    assert error.reason.isprintable()
    assert len(error.reason) < 250
    assert str(error) == f"{error.reason} (at character {error.place + 1})"
    error.reason.encode("utf-8")


def read_all(text: str) -> None:
    """Read a text as everything. What is read is written as it was; all else is a `NotationError`."""
    try:
        assert CELL_NAMES[parse_cell(text)] == text.lower()
    except NotationError as error:
        check_error(error, text)
    try:
        token = parse_token(text)
        written: str = token.value if isinstance(token, Word) else format_action(token)
        assert text.isascii()
        assert written in (text.lower(), text.lower().replace("-", "", 1))
    except NotationError as error:
        check_error(error, text)
    try:
        position = parse_position(text)
        assert format_position(position) == text
    except NotationError as error:
        check_error(error, text)


@pytest.mark.parametrize("text", UGLY)
def test_ugly_texts_are_refused(text: str) -> None:
    """None of these is a cell, a token or a position."""
    read_all(text)
    for read in (parse_cell, parse_token, parse_position):
        with pytest.raises(NotationError):
            read(text)


@settings(max_examples=400)
@given(anything | letters | cell_like | mutated() | st.sampled_from(VALID))
@example("a1-b2")
def test_no_text_raises_anything_else(text: str) -> None:
    """However wrong it is."""
    read_all(text)


@given(st.integers(0, 10**4), st.sampled_from(["a", "", "9/", "(", "a1b"]))
def test_long_numbers(digits: int, before: str) -> None:
    """Thousands of digits are refused without being read as a number."""
    read_all(before + "7" * digits)


def test_cells_round_trip() -> None:
    """In both cases."""
    for place, name in enumerate(CELL_NAMES):
        assert parse_cell(name) == parse_cell(name.upper()) == place
    assert len(CELL_NAMES) == len(CELLS) == 49


def test_actions_round_trip() -> None:
    """Every placement and every pair of cells, in both cases, with and without a hyphen."""
    for one in CELLS:
        assert format_action(Place(one)) == CELL_NAMES[one]
        assert parse_token(CELL_NAMES[one].upper()) == Place(one)
        for other in CELLS:
            made = Move(one, other)
            for text in (format_action(made), format_action(made, "-"), format_action(made).upper()):
                assert parse_token(text) == made
    assert format_action(Move(cell("A1"), cell("B2")), "-") == "a1-b2"


WORDS: list[tuple[str, Word, Action | None]] = [
    ("pass", Word.PASS, None),
    ("resign", Word.RESIGN, Resign(Side.BLACK)),
    ("draw", Word.DRAW, AgreeDraw()),
]


@pytest.mark.parametrize(("text", "word", "action"), WORDS)
def test_words(text: str, word: Word, action: Action | None) -> None:
    """The words that are no cells."""
    assert parse_token(text) is parse_token(text.upper()) is parse_token(text.title()) is word
    assert str(word) == text
    assert action is None or format_action(action) == text
    assert format_action(PlaceRest(7)) == "place the rest at random, seed 7"
    assert format_action(Forfeit(Side.BLACK, Reason.TIME)) == "black loses by time"


def test_a_loss_by_what_lies_outside_the_board_has_no_token() -> None:
    """Nobody plays it, and so nobody can type it."""
    assert event_token(decide(FULL, Forfeit(Side.WHITE, Reason.TIME))[0]) is None
    for word in ("time", "absence", "flag"):
        with pytest.raises(NotationError):
            parse_token(word)


@given(settled_positions())
def test_positions_round_trip(position: Position) -> None:
    """Every position that games lead to; of one that is over, the position that it ended in."""
    text = format_position(position)
    assert len(text) <= LONGEST_POSITION
    again = parse_position(text)
    assert format_position(again) == text
    if position.outcome is None:
        assert again == position
        assert hash(again) == hash(position)
        return
    assert (again.stacks, again.side, again.phase) == (position.stacks, position.side, position.outcome.phase)
    if position.outcome.reason is Reason.NO_MOVES:
        assert Game.at(again).position == position


@given(games())
def test_positions_within_an_action_are_not_read_unlinked(game: Game) -> None:
    """Between a move and what it cuts off there are stacks without a link, and the text says which."""
    for entry in events_of(game):
        following = game.children(entry)
        if following and isinstance(following[0].event, StacksRemoved):
            with pytest.raises(NotationError, match=r"not linked to a red piece: [a-k][1-5]"):
                parse_position(format_position(entry.position))


def test_the_form() -> None:
    """Rows 5 to 1 as on the screen, left to right; stacks bottom to top."""
    assert format_position(EMPTY_BOARD) == "9/10/11/10/9 w p"
    assert format_position(board("D3=RWB")) == "9/10/3(rwb)7/10/9 w m"
    corners = board("A1=R I1=W A2=B J2=W A3=B K3=W B4=B K4=W C5=BB K5=W", Side.BLACK)
    assert format_position(corners) == "(bb)7w/b8w/b9w/b8w/r7w b m"
    assert [format_stack(stack(letters)) for letters in ("", "R", "RW")] == ["", "r", "(rw)"]
    assert parse_position(format_position(FULL)) == FULL
    text = "wwwwrbbbb/wwwwbbrbwb/wbbbwbbrwb1/wwbwwbbbbw/wwwbwbbbw w p"
    assert parse_position(text).phase is Phase.PLACEMENT


ORDER = "red pieces first, then Black begins"
NO_RED = "there is no red piece, and in the movement phase red pieces never leave the board"
FAULTS = [
    ("8/10/11/10/9 w p", "row 5 has 8 of 9 cells", 1),
    ("9/99/11/10/9 w p", "row 4 has more than 10 cells", 4),
    ("91/10/11/10/9 w p", "row 5 has more than 9 cells", 2),
    ("9w/10/11/10/9 w p", "row 5 has more than 9 cells", 1),
    ("9/100/11/10/9 w p", "row 4: 10 cells at most", 4),
    ("0/10/11/10/9 w p", "a number of empty cells does not begin with 0", 0),
    ("9/10/5x5/10/9 w p", "a piece is w, b or r, a stack stands in brackets; found 'x'", 6),
    ("9/10/5(rx)5/10/9 w m", "a stack holds w, b and r only; found 'x'", 8),
    ("9/10/5(r)5/10/9 w m", "a stack in brackets has at least two pieces", 6),
    ("9/10/5(wr)5/10/9 w m", "a red piece is never on top of a stack", 8),
    ("9/10/5(rw5/10/9 w m", "the closing bracket of a stack is missing", 6),
    ("9/10/11/10 w p", "the next row is missing", 10),
    ("9/10/11/10/9", "a space and the side to act is missing", 12),
    ("9/10/11/10/9 x p", "the side to act is w or b", 13),
    ("9/10/11/10/9 w", "a space and the phase is missing", 14),
    ("9/10/11/10/9 w x", "the phase is p, placement, or m, movement", 15),
    ("9/10/11/10/9 w pp", "nothing follows the phase", 16),
    ("9/10/11/10/9 b p", "after 0 placements it is White's turn", 16),
    ("9/10/5r5/10/9 w p", "after 1 placements it is Black's turn", 17),
    ("9/10/5w5/10/9 b p", f"of the first 1 pieces 1 are red, here 0: {ORDER}", 17),
    (
        "9/10/rrrw7/10/9 w p",
        "of the first 4 pieces 0 are white, here 1: red pieces first, then Black begins",
        19,
    ),
    ("9/10/5(rw)5/10/9 w p", "there are no stacks while pieces are being placed", 20),
    ("9/10/rrrr7/10/9 w m", "4 red pieces: the game has 3", 19),
    ("9/10/r(" + "w" * 24 + ")9/10/9 w m", "24 white pieces: the game has 23", 42),
    (
        "9/10/5w5/10/9 w m",
        "there is no red piece, and in the movement phase red pieces never leave the board",
        17,
    ),
    ("w8/10/5r5/10/w8 w m", "not linked to a red piece: a1, c5", 19),
    (format_position(FULL)[:-3] + "b m", "White makes the first move", 57),
    (format_position(FULL)[:-1] + "p", "all pieces are placed: the phase is m", 57),
    ("w" * 201, "a position has at most 200 characters", 200),
]


@pytest.mark.parametrize(("text", "reason", "place"), FAULTS, ids=[case[1] for case in FAULTS])
def test_faults_of_positions(text: str, reason: str, place: int) -> None:
    """The first fault, its reason and its place."""
    with pytest.raises(NotationError) as refused:
        parse_position(text)
    assert (refused.value.reason, refused.value.place) == (reason, place)


def test_every_step_of_a_placement_can_be_read() -> None:
    """And with the other side, or in the other phase, it cannot."""
    game = Game.new(Setup.MANUAL)
    for place in CELLS[:48]:
        game.play(Place(place))
        text = format_position(game.position)
        assert parse_position(text) == game.position
        with pytest.raises(NotationError, match=r"it is (White|Black)'s turn"):
            parse_position(text.replace(" w ", " x ").replace(" b ", " w ").replace(" x ", " b "))


def test_text_inside_messages_is_harmless() -> None:
    """Control codes, direction marks and lone surrogates become question marks; long text is cut."""
    assert shown("a\x1b[2J\u202e\ud800\n") == "a?[2J???"
    assert shown("x" * 30) == "x" * 24 + "..."
    assert shown("x" * 24) == "x" * 24
