"""Text from outside: what comes out of the cleaning functions can be written to a terminal as it is."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dvonn_tui.clean import ELLIPSIS, PLACEHOLDER, clean_line, clean_text, columns

any_text = st.text(st.characters(exclude_categories=())) | st.text(
    st.sampled_from(
        "a é語\u0903\u1161\x1b\x9b\u202e\u200b\u0301\ufe0f\u2028\ud800\t\r\n\u3000…\U000e0041\U0001f600"
    )
)
limits = st.integers(1, 60)


def width(text: str) -> int:
    return sum(columns(character) for character in text)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Anna", "Anna"),
        ("  Anna \t von\r\n  Ost ", "Anna von Ost"),
        ("Zoë Łukasz Жанна 翔太", "Zoë Łukasz Жанна 翔太"),
        ("\x1b]52;c;QUJD\x07", "?]52;c;QUJD?"),
        ("\x1b]0;x\x07", "?]0;x?"),
        ("\x1b[2J\x1b[6n", "?[2J?[6n"),
        ("\x9b31m", "?31m"),
        ("ab\u202edc", "ab?dc"),
        ("a\u200bb\u2060c\ufeff", "a?b?c?"),
        ("a\x00b\x7fc\x85d", "a?b?c?d"),
        ("a\u2028b\u2029c", "a?b?c"),
        ("a\ud800b", "a?b"),
        ("a\ue000b\U000e0041c", "a?b?c"),
        ("\u3164", "?"),
        ("I ❤\ufe0f red", "I ❤ red"),
        ("e" + "\u0301" * 200 + "x", "e\u0301\u0301x"),
        ("\u0301x", "?x"),
        ("\u0301" * 200, "?\u0301"),
        ("a \u0301" * 2, "a \u0301a \u0301"),
        ("\u1112\u1161\u11ab\u11ab", "\u1112\u1161\u11ab"),
        ("\U0001f44d\U0001f3fd" * 2, "\U0001f44d\U0001f44d"),
        ("", ""),
        (" \u3000\u00a0\n", ""),
    ],
)
def test_what_comes_out(text: str, cleaned: str) -> None:
    assert clean_line(text) == cleaned


@pytest.mark.parametrize("text", ["[/", "[b]x[/i]", "[1]", "[red]hi", "[$error]", "\\[x]", "]", '"', "{}%s"])
def test_what_looks_like_markup_stays_as_it_is(text: str) -> None:
    assert clean_line(text) == clean_text(text) == text


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("abc defg", 5, "abc…"),
        ("語語語", 6, "語語語"),
        ("語語語", 5, "語語…"),
        ("語語語", 4, "語…"),
        ("語", 1, "…"),
        ("ab", 1, "…"),
        ("abc", 0, "…"),
        ("abc", -5, "…"),
        ("abce\u0301", 4, "abce\u0301"),
    ],
)
def test_text_is_cut_at_columns(text: str, limit: int, cut: str) -> None:
    assert clean_line(text, limit) == cut


def test_the_largest_limit() -> None:
    assert width(clean_line("x" * 1_000_000, 10**9)) == 10_000


def test_several_lines() -> None:
    assert clean_text("\n\n a  b\r\nc\r\r\r\rd\x1b[m \n\n") == "a b\nc\n\nd?[m"
    assert clean_text("ab\ncd\nef", 7) == "ab\ncd…"
    assert clean_text("ab\ncd\nef", 6) == "ab\ncd…"
    assert clean_text("ab\ncd\nef", 5) == "ab\nc…"
    assert clean_text("ab\ncd\nef", 8) == "ab\ncd\nef"


@given(any_text, limits)
def test_a_clean_line_is_clean_and_stays_so(text: str, limit: int) -> None:
    cleaned = clean_line(text, limit)
    assert clean_line(cleaned, limit) == cleaned
    assert width(cleaned) <= limit
    assert cleaned.replace(ELLIPSIS, "").replace(PLACEHOLDER, "").isprintable()
    cleaned.encode()


@given(any_text, limits)
def test_clean_text_is_clean_and_stays_so(text: str, limit: int) -> None:
    cleaned = clean_text(text, limit)
    assert clean_text(cleaned, limit) == cleaned
    assert width(cleaned) <= limit
    assert all(line == clean_line(line, 10_000) for line in cleaned.split("\n"))


def test_every_character_is_harmless_or_replaced() -> None:
    """Nothing invisible survives, and no character is wider on the screen than it was counted."""
    too_wide = []
    for number in range(sys.maxunicode + 1):
        character = chr(number)
        cleaned = clean_line(f"a{character}b")
        if cleaned in {"a?b", "a b", "ab"}:
            continue
        assert cleaned == f"a{character}b"
        assert unicodedata.category(character)[0] not in "CZ"
        if cell_len(character) > columns(character):
            too_wide.append(f"{number:04x}")
    assert too_wide == []
