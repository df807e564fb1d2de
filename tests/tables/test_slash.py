"""Slash commands: what is understood, what is completed, what is said about mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import MappingProxyType
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import protocol
from dvonn_tui.tables.asked import OF_THE_SCREEN, carry_out, deed_of
from dvonn_tui.tables.options import DEFAULT_OPTIONS, OPTION_HELP, with_option
from dvonn_tui.tables.protocol import Deed
from dvonn_tui.tables.slash import (
    COMMANDS,
    OFFERS,
    Said,
    SlashCommand,
    SlashTrouble,
    Where,
    complete,
    entries,
    help_lines,
    option_lines,
    read,
    readme_lines,
)
from dvonn_tui.tables.table import EMPTY_TABLE, Offer, TableSeat, TableState
from tests.tables.fakes import StillPort, still_table

README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/join", SlashCommand("join")),
        ("/join white", SlashCommand("join", Side.WHITE)),
        ("/JOIN Black", SlashCommand("join", Side.BLACK)),
        ("  /j b  ", SlashCommand("join", Side.BLACK)),
        ("/start", SlashCommand("start")),
        ("/option", SlashCommand("option")),
        ("/option time 5+3", SlashCommand("option", text="time 5+3")),
        ("/opt  Profi", SlashCommand("option", text="profi")),
        ("/remove white", SlashCommand("remove", Side.WHITE)),
        ("/bot 5", SlashCommand("bot", number=5)),
        ("/bot 10 black", SlashCommand("bot", Side.BLACK, 10)),
        ("/bot white 1", SlashCommand("bot", Side.WHITE, 1)),
        ("/t", SlashCommand("takeback")),
        ("/draw", SlashCommand("draw")),
        ("/accept", SlashCommand("accept")),
        ("/acc draw", SlashCommand("accept", text="draw")),
        ("/dec re", SlashCommand("decline", text="rematch")),
        ("/resign", SlashCommand("resign")),
        ("/rematch", SlashCommand("rematch")),
        ("/goon", SlashCommand("goon")),
        ("/addtime 60", SlashCommand("addtime", number=60)),
        ("/who", SlashCommand("who")),
        ("/rec", SlashCommand("record")),
        ("/record KZ7Q2M-3", SlashCommand("record", text="KZ7Q2M-3")),
        ("/help", SlashCommand("help")),
        ("/help /bot", SlashCommand("help", text="bot")),
        ("hello /there", Said("hello /there")),
        ("  hello  ", Said("hello")),
        ("//shrug", Said("/shrug")),
        ("", Said("")),
    ],
)
def test_what_is_understood(text: str, command: SlashCommand | Said) -> None:
    assert read(text, Where.TABLE) == read(text) == command


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("/", "behind the / stands a command: /help lists them"),
        ("/ join", "behind the / stands a command: /help lists them"),
        ("/nonsense", "no command /nonsense: /help lists them"),
        ("/re", "/re could be /remove, /resign, /rematch, /record"),
        ("/resi", "/resign has to be written out"),
        ("/l", "/leave has to be written out"),
        ("/remo", "/remove has to be written out"),
        ("/join red", "behind /join stands white, black, or nothing"),
        ("/join white black", "behind /join stands white, black, or nothing"),
        ("/bot", "behind /bot stands a level from 1 to 10, then white or black"),
        ("/bot 11", "behind /bot stands a level from 1 to 10, then white or black"),
        ("/bot 5 5", "behind /bot stands a level from 1 to 10, then white or black"),
        ("/bot 5 white black", "behind /bot stands a level from 1 to 10, then white or black"),
        ("/bot " + "9" * 4_000, "behind /bot stands a level from 1 to 10, then white or black"),
        ("/start now", "behind /start stands nothing"),
        ("/accept money", "behind /accept stands takeback, draw, rematch or pause, or nothing"),
        ("/addtime", "behind /addtime stand the seconds, 1 to 600"),
        ("/addtime 601", "behind /addtime stand the seconds, 1 to 600"),
        ("/addtime -5", "behind /addtime stand the seconds, 1 to 600"),
        ("/addtime ٣", "behind /addtime stand the seconds, 1 to 600"),
        ("/option time soon", "no clock 'soon': it can be none"),
        ("/option komi", "no option 'komi': there are time, random, balanced, symmetric, manual"),
        ("/\x1b]52;c;QUJD\x07", "no command /?]52;c;qujd?: /help lists them"),
    ],
)
def test_mistakes_are_told_in_words(text: str, why: str) -> None:
    with pytest.raises(SlashTrouble) as refused:
        read(text, Where.TABLE)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize("text", ["/leave", "/watch", "/claim", "/accept", "/addtime 5"])
def test_what_makes_no_sense_in_a_local_game(text: str) -> None:
    with pytest.raises(SlashTrouble, match="only at a table between two machines"):
        read(text, Where.LOCAL)


def test_beginnings_count_only_what_makes_sense_there() -> None:
    assert read("/d", Where.LOCAL) == SlashCommand("draw")
    with pytest.raises(SlashTrouble, match="/draw, /decline"):
        read("/d", Where.TABLE)


@pytest.mark.parametrize("option", ["absence 5", "watchers off", "chat apart", "log"])
def test_options_of_a_table_are_none_of_a_local_game(option: str) -> None:
    assert read(f"/option {option}", Where.TABLE) == SlashCommand("option", text=option)
    with pytest.raises(SlashTrouble, match="only at a table"):
        read(f"/option {option}", Where.LOCAL)
    assert option not in "\n".join(option_lines(Where.LOCAL))


@given(st.text(max_size=60) | st.text("/ abcdefghijklmnoprstuw0123456789+", max_size=30).map("/".__add__))
def test_any_text_is_read_or_refused_in_clean_words(text: str) -> None:
    for where in (None, *Where):
        told = None
        try:
            command = read(text, where)
        except SlashTrouble as refused:
            told = str(refused)
        if told is None:
            written = text.strip()
            assert isinstance(command, Said) == (not written.startswith("/") or written.startswith("//"))
        assert told is None or told.isprintable()
    for where in Where:
        for line in complete(text, where):
            assert line.lower().startswith(text.split()[0].lower())


def test_every_completion_can_be_read() -> None:
    """All that is offered, down to the last word, is understood where it is offered."""
    for where in Where:
        names = complete("/", where)
        assert names == tuple(f"/{entry.name}" for entry in entries(where))
        for name in names:
            for line in complete(f"{name} ", where):
                assert isinstance(read(line, where), SlashCommand)


def test_completion() -> None:
    assert complete("/re", Where.TABLE) == ("/remove", "/resign", "/rematch", "/record")
    assert complete("/re", Where.LOCAL) == ("/remove", "/resign", "/rematch")
    assert complete("/option w", Where.TABLE) == ("/option watchers on", "/option watchers off")
    assert complete("/option w", Where.LOCAL) == ()
    assert complete("/opt time 5", Where.TABLE) == ("/option time 5+3", "/option time 5d3")
    assert complete("/bot 5 ", Where.TABLE) == ("/bot 5 white", "/bot 5 black")
    assert complete("/bot 1", Where.TABLE)[:2] == ("/bot 1", "/bot 10")
    assert complete("/help wa", Where.TABLE) == ("/help watch",)
    assert complete("/help wa", Where.LOCAL) == ()
    assert (
        complete("hello", Where.TABLE) == complete("//", Where.TABLE) == complete("/xyz ", Where.TABLE) == ()
    )


def test_every_option_is_told_and_read() -> None:
    for option, _ in OPTION_HELP:
        assert with_option(DEFAULT_OPTIONS, option)
    assert len(option_lines(Where.TABLE)) == len(OPTION_HELP)
    assert read("/option time 5", Where.LOCAL) == SlashCommand("option", text="time 5")


def test_help() -> None:
    lines = help_lines(Where.TABLE)
    assert [line.split()[0] for line in lines] == [f"/{entry.name}" for entry in COMMANDS if entry.at_table]
    assert help_lines(Where.LOCAL, "takeback") == (
        "/takeback: take the last move back, or your own and the answer",
    )
    assert len(help_lines(Where.TABLE, "/option")) == 1 + len(OPTION_HELP)
    assert help_lines(Where.TABLE, "resi")[0].startswith("/resign:")
    with pytest.raises(SlashTrouble, match="only at a table"):
        help_lines(Where.LOCAL, "claim")
    assert max(map(len, (*lines, *option_lines(Where.TABLE)))) <= 100


def test_the_readme_lists_the_commands() -> None:
    assert "\n".join(readme_lines()) in README.read_text("utf-8")


def test_the_protocol_knows_the_same_offers_levels_and_seconds() -> None:
    """Slash commands are read without the protocol; what they let through it takes."""
    assert tuple(Offer) == OFFERS
    deeds = [protocol.MakeOffer(offer=offer) for offer in OFFERS]
    for line in (*complete("/bot ", Where.TABLE), "/addtime 1", "/addtime 600"):
        command = read(line)
        assert isinstance(command, SlashCommand)
        deeds.append(deed_of(command, EMPTY_TABLE, Side.WHITE))  # type: ignore[arg-type]
    for deed in deeds:
        request = protocol.Command(table="KZ7Q2M", id="1", version=0, deed=deed)
        assert protocol.decode_request(protocol.encode(request)) == request


def offering(*offers: tuple[Side, Offer]) -> TableState:
    seats = MappingProxyType({Side.WHITE: TableSeat("Ada", 1), Side.BLACK: TableSeat("Bob", 2)})
    return TableState(seats=seats, offers=frozenset(offers))


def test_every_deed_can_be_asked_for() -> None:
    state = offering((Side.BLACK, Offer.DRAW), (Side.WHITE, Offer.PAUSE))
    lines = [entry.name for entry in COMMANDS if entry.at_table and entry.name not in OF_THE_SCREEN]
    asked = set()
    for name in lines:
        rest = {"bot": " 3", "addtime": " 5", "option": " log"}.get(name, "")
        command = read(f"/{name}{rest}")
        assert isinstance(command, SlashCommand)
        if name not in ("join", "who", "help"):
            asked.add(type(deed_of(command, state, Side.WHITE)))
    assert asked == set(get_args(Deed)) - {protocol.Act}


def test_offers_are_answered_by_name_or_the_only_one() -> None:
    def deed(line: str, state: TableState) -> Deed:
        command = read(line)
        assert isinstance(command, SlashCommand)
        return deed_of(command, state, Side.WHITE)

    one = offering((Side.BLACK, Offer.DRAW))
    two = offering((Side.BLACK, Offer.DRAW), (Side.BLACK, Offer.PAUSE))
    assert deed("/accept", one) == protocol.MakeOffer(offer="draw")
    assert deed("/decline pause", two) == protocol.Decline(offer="pause")
    for line, state, why in [
        ("/accept", EMPTY_TABLE, "the other side offers nothing at present"),
        ("/withdraw", one, "you offer nothing at present"),
        ("/accept pause", one, "no pause is offered"),
        ("/accept", two, "there are several offers: say which, draw or pause"),
    ]:
        with pytest.raises(SlashTrouble, match=why):
            deed(line, state)


def test_what_is_shown_and_what_is_sent() -> None:
    port = StillPort()
    table = still_table(port, Side.WHITE)
    assert carry_out(SlashCommand("who"), table) == ("White: Ada, you", "Black: Bob", "watching: nobody")
    shown = carry_out(SlashCommand("option"), table)
    assert shown[0].startswith("set: balanced, time none, absence 5, watchers on")
    assert carry_out(SlashCommand("help", text="who"), table)[0].startswith("/who:")
    assert port.sent == []
    assert carry_out(SlashCommand("join", Side.BLACK), table) == ()
    assert carry_out(SlashCommand("resign"), table) == ()
    kinds = [type(request) for request in port.sent]
    assert kinds == [protocol.Sit, protocol.Command]
    with pytest.raises(ValueError, match="no deed"):
        carry_out(SlashCommand("leave"), table)


def test_a_local_game_needs_nothing_of_tables_between_machines() -> None:
    code = "import sys, dvonn_tui.tables.slash; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"msgspec", "websockets", "dvonn_tui.tables.protocol"}
