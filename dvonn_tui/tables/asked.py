"""What a slash command means at a table: the deed to send, or the lines to show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import protocol
from dvonn_tui.tables.options import TableOptions
from dvonn_tui.tables.protocol import Deed
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables.slash import SlashCommand, SlashTrouble, Where, help_lines, option_lines
from dvonn_tui.tables.table import Offer, TableState

OF_THE_SCREEN: Final = frozenset({"leave", "record"})
"""Commands that a screen carries out itself, because they lead away from the table."""


def carry_out(command: SlashCommand, table: RemoteTable) -> tuple[str, ...]:
    """Do at a table what a command says.

    What was sent is answered by the table's listeners.

    Returns:
        Lines to be shown to whoever wrote it, clean; mostly none.

    Raises:
        SlashTrouble: it cannot mean anything now; the text says why.
        ValueError: it is one of `OF_THE_SCREEN`.
    """
    match command:
        case SlashCommand("join", side=side):
            table.sit(side)
        case SlashCommand("option", text=""):
            return ("set: " + ", ".join(table.state.options.texts()), *option_lines(Where.TABLE))
        case SlashCommand("who"):
            return who_lines(table)
        case SlashCommand("help", text=name):
            return help_lines(Where.TABLE, name)
        case _:
            table.do(deed_of(command, table.state, table.side))
    return ()


def deed_of(command: SlashCommand, state: TableState, side: Side | None) -> Deed:
    """The deed that a command means for somebody at a table.

    Raises:
        SlashTrouble: it cannot mean anything now; the text says why.
        ValueError: no deed comes of such a command.
    """
    letter = None if command.side is None else str(command.side)
    match command:
        case SlashCommand("option", text=option):
            return protocol.SetOption(option=option)
        case SlashCommand("bot", number=int(level)):
            return protocol.SeatBot(level=level, side=letter)
        case SlashCommand("remove"):
            return protocol.Remove(side=letter)
        case SlashCommand("addtime", number=int(seconds)):
            return protocol.GiveTime(seconds=seconds)
        case SlashCommand("takeback" | "draw" | "rematch" | "pause" as offer):
            return protocol.MakeOffer(offer=offer)
        case SlashCommand("accept" | "decline", text=offer):
            standing = _standing(state, None if side is None else side.other, offer, "the other side")
            accepts = command.name == "accept"
            return protocol.MakeOffer(offer=standing) if accepts else protocol.Decline(offer=standing)
        case SlashCommand("withdraw", text=offer):
            return protocol.Withdraw(offer=_standing(state, side, offer, "you"))
    if command.name not in _PLAIN:
        raise ValueError(f"no deed comes of /{command.name}")
    return _PLAIN[command.name]()


def who_lines(table: RemoteTable) -> tuple[str, ...]:
    """Who plays, who is away, and who watches."""
    lines = []
    for side in Side:
        seat = table.state.seats.get(side)
        name = "free" if seat is None else seat.name
        notes = [
            "you" if side is table.side else "",
            "away" if side in table.state.away else "",
            "ready" if side in table.state.ready else "",
        ]
        lines.append(f"{side.word}: {', '.join([name, *filter(None, notes)])}")
    watchers = ", ".join(table.watchers) or "nobody"
    return (*lines, f"watching: {watchers}")


def options_words(options: TableOptions) -> str:
    """What is set at a table, in one line for people."""
    words = [str(options.setup), options.clock.words, f"{options.absence} min of absence"]
    words += [] if options.watchers else ["no watchers"]
    words += ["chats apart"] if options.chat_apart else []
    words += ["record kept"] if options.log else []
    return ", ".join(words)


def _standing(state: TableState, by: Side | None, wanted: str, who: str) -> str:
    """The offer that a side has made: the one that is named, or the only one there is."""
    standing = [str(offer) for offer in Offer if by is not None and state.offered(by, offer)]
    if wanted in standing:
        return wanted
    if wanted:
        raise SlashTrouble(f"no {wanted} is offered")
    if not standing:
        raise SlashTrouble(f"{who} {'offer' if who == 'you' else 'offers'} nothing at present")
    if len(standing) > 1:
        raise SlashTrouble(f"there are several offers: say which, {' or '.join(standing)}")
    return standing[0]


_PLAIN: Final[dict[str, Callable[[], Deed]]] = {
    "start": protocol.Start,
    "resign": protocol.GiveUp,
    "goon": protocol.GoOn,
    "claim": protocol.Claim,
    "adjourn": protocol.Adjourn,
    "watch": protocol.StandUp,
}
"""Commands that say all by their name."""
