"""What comes from the terminal, on its way to Textual's reading of keys."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

ESCAPE: Final = "\x1b"
PASTE_BEGINS: Final = "\x1b[200~"
PASTE_ENDS: Final = "\x1b[201~"
"""Around what is pasted, as terminals send it in xterm's mode 2004."""

UNREADABLE: Final = "\ufffd"
"""Stands in the place of what cannot be read."""


class PatientDecoder:
    """Decodes the input, whatever it is.

    A sign stands in the place of bytes that are none of the encoding, and of an escape character within
    what is pasted: Textual would take all that follows one there for keys that were pressed.
    """

    def __init__(self, encoding: str) -> None:
        """Decode text of an encoding. Raises LookupError when there is none of that name."""
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._pasting = False
        self._passed = ""
        """The end of what was passed on last, if what begins a paste can begin with it."""
        self._held = ""
        """The end of what was read last, if what ends a paste can begin with it."""

    def decode(self, data: bytes, final: bool = False) -> str:
        """The text of the next bytes; what may not be understood without the next of them comes then."""
        text = self._held + self._decoder.decode(data, final)
        self._held = ""
        done: list[str] = []
        while text:
            text = self._paste(text, done, final) if self._pasting else self._pass_on(text, done)
        return "".join(done)

    def _pass_on(self, text: str, done: list[str]) -> str:
        """Take over text up to the beginning of a paste. Returns what is left."""
        before, begins, _ = (self._passed + text).partition(PASTE_BEGINS)
        taken = len(before + begins) - len(self._passed)
        self._pasting = bool(begins)
        self._passed = "" if begins else _beginning(before, PASTE_BEGINS)
        done.append(text[:taken])
        return text[taken:]

    def _paste(self, text: str, done: list[str], final: bool) -> str:
        """Take over what is pasted. Returns what is left behind it."""
        pasted, ends, rest = text.partition(PASTE_ENDS)
        if not ends and not final:
            self._held = _beginning(pasted, PASTE_ENDS)
            pasted = pasted.removesuffix(self._held)
        self._pasting = not ends
        done += [pasted.replace(ESCAPE, UNREADABLE), ends]
        return rest


def patient_decoder(encoding: str) -> Callable[[], PatientDecoder]:
    """What makes decoders of an encoding, as `codecs.getincrementaldecoder` gives it."""
    return lambda: PatientDecoder(encoding)


def _beginning(text: str, sequence: str) -> str:
    """How much of a sequence, short of all of it, a text ends with."""
    lengths = range(min(len(text), len(sequence) - 1), 0, -1)
    return next((sequence[:length] for length in lengths if text.endswith(sequence[:length])), "")
