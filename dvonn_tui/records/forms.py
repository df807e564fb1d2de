"""All forms of records, and reading and writing them.

To add a form, write its module and put its `FORM` into `FORMS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, Final

from dvonn_tui.core.setups import DRAWN_SETUPS
from dvonn_tui.records import codecup, dvn, dvonner, golem, positions, sgf, states
from dvonn_tui.records.details import AT, CLOCK, SPENT
from dvonn_tui.records.form import Form, Part
from dvonn_tui.records.linear import lost_resignation
from dvonn_tui.records.record import DERIVED, PLAYERS, CannotHold, Record, Unreadable
from dvonn_tui.records.source import head_of, lines_of, sections
from dvonn_tui.records.tree import Node, main_line, plies_of_tree, tree_of

FORMS: Final = (
    sgf.FORM,
    positions.FORM,
    states.FORM,
    golem.FORM,
    dvonner.FORM,
    dvn.FORM,
    codecup.FORM,
)
"""Every form, in the order in which they are tried: the one that is hardest to mistake first."""

BY_NAME: Final[Mapping[str, Form]] = {form.name: form for form in FORMS}
NATIVE: Final = dvn.FORM

SHOWN_TAGS: Final = 5
"""How many tags are named that a form cannot hold."""


def read(source: str | bytes | BinaryIO, form: Form | None = None) -> Iterator[Record]:
    """The games of a text, of bytes or of a stream of bytes, one by one as they are read.

    The form is recognised by content unless it is given. What is wrong is in the faults of each record.

    Raises:
        Unreadable: there is no game of a known form in it.
        OSError: the stream cannot be read.
    """
    head, lines = head_of(lines_of(source))
    chosen = form or recognise([line.text for line in head])
    found = False
    for section in sections(lines, chosen.sorter()):
        for record in chosen.read(section):
            found = True
            yield record
    if not found:
        raise Unreadable("there is no game in it")


def recognise(lines: Sequence[str]) -> Form:
    """The form of a file that begins with these lines.

    Raises:
        Unreadable: it is none that is known.
    """
    told = [line for line in lines if line and not line.isspace()]
    if not told:
        raise Unreadable("it is empty")
    for form in FORMS:
        if form.recognise(told):
            return form
    titles = ", ".join(form.title for form in FORMS)
    raise Unreadable(f"this is no DVONN game in a form that is known ({titles})")


def form_of_name(name: str) -> Form | None:
    """The form that a file name ends like; None when no form is written so."""
    lower = name.lower()
    return next((form for form in FORMS if form.write and lower.endswith(form.suffixes)), None)


def write(records: Record | Sequence[Record], form: Form = NATIVE) -> str:
    """The text of a game or of several.

    Raises:
        CannotHold: the form is only read, or cannot hold one of them at all.
    """
    return "".join(write_each([records] if isinstance(records, Record) else records, form))


def write_each(records: Iterable[Record], form: Form = NATIVE) -> Iterator[str]:
    """The text of each game, one after the other as they come. Raises CannotHold as `write` does."""
    if form.write is None:
        raise CannotHold(f"the form {form.name} is only read, not written")
    return form.write(records)


def losses(record: Record, form: Form) -> tuple[str, ...]:
    """What of a record is not written in a form, in words, each with how much of it there is."""
    root = tree_of(record.game)
    parts = _parts(record, root)
    lost = [words for part, words in parts.items() if part not in form.holds]
    if form.holds and form is not NATIVE:
        side = lost_resignation(record, writes_passes=form is golem.FORM)
        if side is not None:
            lost.append(f"that {side.word} resigned when it was not {side.word}'s turn")
        end = list(main_line(root))[-1:]
        if end and end[0].forfeit is not None:
            loser, reason = end[0].forfeit
            lost.append(f"that {loser.word} lost by {reason}")
    return tuple(lost)


def _parts(record: Record, root: Node) -> dict[Part, str]:
    """What a record has beside what every form holds, in words."""
    started = record.game.started
    nodes = list(plies_of_tree(root))
    main = list(main_line(root))
    parts: dict[Part, str] = {}
    if (started.white, started.black) != tuple(side.word for side in PLAYERS):
        parts[Part.NAMES] = Part.NAMES.value
    tags = [name for name in record.tags if name not in DERIVED]
    if tags:
        more = ", ..." if len(tags) > SHOWN_TAGS else ""
        parts[Part.TAGS] = f"{_count(len(tags), 'tag')} ({', '.join(tags[:SHOWN_TAGS])}{more})"
    if started.setup in DRAWN_SETUPS:
        parts[Part.SEED] = f"{Part.SEED}: {started.setup} {started.seed}"
    if main:
        parts[Part.MOVES] = Part.MOVES.value
    variations = sum(max(len(node.children) - 1, 0) for node in (root, *nodes))
    if variations or len(nodes) > len(main):
        parts[Part.VARIATIONS] = _count(max(variations, 1), "other line")
    hidden = sum(node.hidden for node in nodes)
    if hidden:
        parts[Part.HIDDEN] = f"which lines are hidden ({hidden})"
    comments = sum(bool(node.comment) for node in (root, *nodes))
    if comments:
        parts[Part.COMMENTS] = _count(comments, "comment")
    marks = sum(len(node.marks) for node in (root, *nodes))
    if marks:
        parts[Part.MARKS] = _count(marks, "marked cell")
    if any(key in node.details for node in nodes for key in (CLOCK, SPENT, AT)):
        parts[Part.CLOCKS] = Part.CLOCKS.value
    if record.end.position.outcome is None and record.result != "*":
        parts[Part.RESULT] = f"{Part.RESULT}: {record.result}"
    return parts


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
