"""``convert``: games from one form into another, and pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Final

from dvonn_tui.commands.files import (
    STREAM,
    chosen_game,
    records_of,
    same_file,
    shown_name,
    tell_faults,
    write_file,
)
from dvonn_tui.commands.terminal import FAILED, CommandFault, complain, write_line
from dvonn_tui.records.form import Form
from dvonn_tui.records.forms import BY_NAME, NATIVE, form_of_name, losses, write_each
from dvonn_tui.records.record import CannotHold, Record

BAD_USAGE: Final = 2

PICTURES: Final = {"board": ".board", "svg": ".svg", "animation": "", "cast": ".cast"}
"""Forms that show one game, and how the names of their files end."""


def convert(
    source: str, target: str, to: str | None, game: int | None, ply: str | None, *, force: bool
) -> int:
    """Write the games of a file, or of standard input, in another form.

    Args:
        source, target: names of files; `STREAM` for standard input and output.
        to: the name of the form; without it the name of the target says it.
        game: which game, from 1; None for all, and for the first where only one can be shown.
        ply: where to show it, a label such as ``12`` or ``p12``; None for the end of the main line.
        force: whether a file that is there is replaced.

    Returns:
        The exit status: 1 when something in the games could not be read.

    Raises:
        CommandFault: nothing could be read, or nothing written.
    """
    if same_file(source, target):
        raise CommandFault(f"{shown_name(target)}: a file is not written over itself", BAD_USAGE)
    name = to or _form_for(target)
    if ply is not None and name not in ("board", "svg"):
        raise CommandFault("dvonn-tui convert: --ply goes with board and svg", BAD_USAGE)
    told = _Told(source)
    try:
        if name in PICTURES:
            record = chosen_game(source, game or 1)
            told.tell(record, game or 1)
            text = _picture(name, record, ply)
        else:
            form = BY_NAME[name]
            text = "".join(write_each(told.watch(_games(source, game), form), form))
    except CannotHold as problem:
        raise CommandFault(f"{shown_name(source)}: {problem}", FAILED) from problem
    if target == STREAM:
        write_line(text.rstrip("\n"))
    else:
        write_file(target, text, force=force)
    return FAILED if told.faulty else 0


def _form_for(target: str) -> str:
    """The form that the name of a file asks for."""
    if target == STREAM:
        return NATIVE.name
    suffix = PurePath(target).suffix.lower()
    found = next((name for name, ending in PICTURES.items() if ending and ending == suffix), None)
    form = form_of_name(target)
    if found is None and form is None:
        known = ", ".join((*(each.name for each in BY_NAME.values() if each.write), *PICTURES))
        line = f"{shown_name(target)}: its name does not say the form: use --to with one of {known}"
        raise CommandFault(line, BAD_USAGE)
    return found or (form.name if form else NATIVE.name)


def _games(source: str, game: int | None) -> Iterator[Record]:
    return records_of(source) if game is None else iter((chosen_game(source, game),))


class _Told:
    """Tells what was wrong, and what is not kept."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.faulty = False

    def tell(self, record: Record, number: int) -> None:
        """Tell what was wrong with a game."""
        tell_faults(self._source, number, record)
        self.faulty = self.faulty or bool(record.faults)

    def watch(self, records: Iterator[Record], form: Form) -> Iterator[Record]:
        """The same games; of each is told what was wrong with it, and what is not kept of it."""
        for number, record in enumerate(records, 1):
            self.tell(record, number)
            lost = losses(record, form)
            if lost:
                which = "" if number == 1 else f"game {number}: "
                complain(f"{shown_name(self._source)}: {which}{form.name} does not keep {', '.join(lost)}")
            yield record


def _picture(name: str, record: Record, ply: str | None) -> str:
    from dvonn_tui.play.pictures import NoSuchPly, animation, board, cast, svg

    makers: dict[str, Callable[[Record, str | None], str]] = {
        "board": board,
        "svg": svg,
        "animation": lambda record, _: animation(record),
        "cast": lambda record, _: cast(record),
    }
    try:
        return makers[name](record, ply)
    except NoSuchPly as problem:
        raise CommandFault(f"dvonn-tui convert: {problem}", BAD_USAGE) from problem
