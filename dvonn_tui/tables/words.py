"""What is done at a table, in words for people."""

from __future__ import annotations

from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import Move, Place
from dvonn_tui.core.notation import format_action, parse_token
from dvonn_tui.tables import protocol


def deed_words(deed: protocol.Deed) -> str:
    """What somebody does, as it is named while it is on its way: ``a1-b2``, ``the offer of a draw``."""
    match deed:
        case protocol.Act(action=token):
            return token_words(token)
        case protocol.MakeOffer(offer=offer):
            return f"the offer of a {offer}"
        case protocol.Decline(offer=offer) | protocol.Withdraw(offer=offer):
            return f"the answer about the {offer}"
        case protocol.SetOption(option=option):
            return f"the option {option}"
        case protocol.GiveTime(seconds=seconds):
            return f"the gift of {seconds} s"
        case protocol.SeatBot(level=level):
            return f"the seat for level {level}"
    return _PLAIN[type(deed)]


def token_words(token: str) -> str:
    """A placement or a move in its long form; what is neither stays as it is."""
    try:
        action = parse_token(token)
    except DvonnError:
        return token
    return format_action(action, "-") if isinstance(action, (Move, Place)) else token


_PLAIN = {
    protocol.Start: "the start",
    protocol.GiveUp: "the resignation",
    protocol.GoOn: "going on",
    protocol.Claim: "the claim",
    protocol.Adjourn: "the adjournment",
    protocol.Remove: "the removal",
    protocol.StandUp: "standing up",
}
