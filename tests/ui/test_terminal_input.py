"""What comes from the terminal, as it reaches Textual's reading of keys."""

from __future__ import annotations

import pytest
from textual import events
from textual._xterm_parser import XTermParser

from dvonn_tui.ui.terminal_input import PASTE_BEGINS, PASTE_ENDS, patient_decoder

COLOURED = "line one\nline two\x1b[31mred\nq\n!\ny\x1b"


def read(data: bytes, size: int) -> list[events.Event]:
    """What Textual reads of bytes that come so many at a time."""
    decode, parser = patient_decoder("utf-8")().decode, XTermParser()
    pieces = [decode(data[start : start + size]) for start in range(0, len(data), size)]
    # Textual takes an empty text for the end of the input, and its driver hands none on.
    found = [event for piece in filter(None, pieces) for event in parser.feed(piece)]
    return [event for event in found if isinstance(event, events.Event)]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1000])
def test_a_paste_with_escapes_in_it_is_no_key(size: int) -> None:
    first, paste, empty, last = read(
        f"a{PASTE_BEGINS}{COLOURED}{PASTE_ENDS}{PASTE_BEGINS}{PASTE_ENDS}b".encode(), size
    )
    assert [event.key for event in (first, last) if isinstance(event, events.Key)] == ["a", "b"]
    assert isinstance(paste, events.Paste)
    assert paste.text == COLOURED.replace("\x1b", "\ufffd")
    assert isinstance(empty, events.Paste)
    assert empty.text == ""


def test_keys_come_at_once_and_bytes_that_are_no_text_as_a_sign() -> None:
    decode = patient_decoder("utf-8")().decode
    assert decode(b"\x1b") == "\x1b"
    assert decode(b"[A\x1b[20") == "[A\x1b[20"
    assert decode(b"\xe4x\xc3") == "\ufffdx"
    assert decode(b"\xa4") == "\xe4"
