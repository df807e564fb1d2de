"""What a server says, made fit to be shown: every text of a message passes here before anything uses it."""

from __future__ import annotations

from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from dvonn_tui.clean import LINE_LIMIT, clean_line
from dvonn_tui.tables.protocol import LONGEST_CHAT

_Message = TypeVar("_Message", bound=Struct)

LONGEST_TITLE: Final = 60
"""Columns of the title of a table."""

_LONGEST_TEXT: Final = 400
_LIMITS: Final = {
    "name": LINE_LIMIT,
    "you": LINE_LIMIT,
    "white": LINE_LIMIT,
    "black": LINE_LIMIT,
    "watchers": LINE_LIMIT,
    "title": LONGEST_TITLE,
}
"""Columns by the name of the field; all others are only kept from being endless."""

_UNSHOWN: Final = frozenset({"token"})
"""Secrets go back to the server exactly as they came, and are shown to nobody."""

_WHOLE: Final = "Record"
"""A record has many lines; it is read as a file from outside, which cleans what is in it."""


def cleaned(message: _Message) -> _Message:
    """The message with every text in it clean, on one line and of bounded width."""
    changes: dict[str, object] = {}
    for name in message.__struct_fields__:
        before = getattr(message, name)
        if name in _UNSHOWN or (name == "text" and type(message).__name__ == _WHOLE):
            continue
        after = _cleaned(before, _limit(name, message))
        if after is not before:
            changes[name] = after
    return replace(message, **changes) if changes else message


def _limit(name: str, message: Struct) -> int:
    if type(message).__name__ == "ChatLine" and name == "text":
        return LONGEST_CHAT
    return _LIMITS.get(name, _LONGEST_TEXT)


def _cleaned(value: object, limit: int) -> object:
    if isinstance(value, str):
        clean = clean_line(value, limit)
        return value if clean == value else clean
    if isinstance(value, tuple):
        items = tuple(_cleaned(item, limit) for item in value)
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return cleaned(value) if isinstance(value, Struct) else value
