"""Names: nobody looks like another, like a side or like a bot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.clean import clean_line, columns
from dvonn_tui.tables.names import NAMELESS, RESERVED, look, told_apart
from dvonn_tui.tables.protocol import LONGEST_NAME


@pytest.mark.parametrize(
    "other",
    [
        "ada",
        "ADA",
        " Ada ",
        "Ada.",
        "A d a",
        "Àdá",
        "\u0410\u0501\u0430",  # Cyrillic
        "\u0391d\u03b1",  # Greek
        "\uff21\uff44\uff41",  # full width
        "\U0001d400\U0001d41d\U0001d41a",  # mathematical
    ],
)
def test_the_same_look(other: str) -> None:
    """The second of that look gets a number."""
    assert look(other) == look("Ada")
    shown = told_apart(other, ["Ada"])
    assert shown.endswith(" (2)")
    assert told_apart(other, ["Ada", shown]).endswith(" (3)")


@pytest.mark.parametrize(
    ("one", "two"), [("Bill", "B1ll"), ("Otto", "0tt0"), ("Ines", "lnes"), ("Karn", "Kam"), ("Vvim", "Wim")]
)
def test_letters_and_digits_that_look_alike(one: str, two: str) -> None:
    """In most fonts nobody tells them apart."""
    assert told_apart(two, [one]) == f"{two} (2)"


@pytest.mark.parametrize("other", ["Adam", "Ida", "Ade", "Дана", "Ада Л", "Σοφία"])
def test_other_names_stay(other: str) -> None:
    """Nobody is numbered for nothing, whatever the alphabet."""
    assert told_apart(other, ["Ada"]) == other


@pytest.mark.parametrize("name", ["White", "black", "Level 3", "LEVEL  10", "leve1 7", "Bot", "server"])
def test_reserved_names(name: str) -> None:
    """What the table itself says is not said by a player."""
    assert told_apart(name, []) == f"{clean_line(name)} (2)"


def test_a_number_does_not_hit_another_name() -> None:
    """Also one that was chosen to look like it."""
    assert told_apart("Ada", ["Ada", "Ada2", "ada (3)"]) == "Ada (4)"


@given(
    st.lists(st.text(max_size=12) | st.sampled_from(["Ada", "аda", "", "🙂", "(2)", "x" * 80]), max_size=12)
)
def test_everybody_is_told_apart(names: list[str]) -> None:
    """Whatever they call themselves: clean, short enough, never empty, never alike, never reserved."""
    taken: list[str] = []
    for name in names:
        shown = told_apart(name, taken)
        assert shown == clean_line(shown, LONGEST_NAME)
        assert 0 < sum(map(columns, shown)) <= LONGEST_NAME
        assert look(shown) not in {*map(look, taken), *RESERVED}
        taken.append(shown)


def test_without_a_name() -> None:
    """Everybody is called something."""
    assert told_apart(" \t", []) == NAMELESS
