"""S14, X01: nothing that a server or anybody at it says reaches a screen as it came."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.clean import clean_line, columns
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol
from dvonn_tui.tables.cleaning import LONGEST_TITLE, cleaned
from dvonn_tui.tables.link import LinkTrouble
from tests.tables.scripted import AT, TABLE, Diary, began, linked, scripted

HOSTILE = [
    "\x1b]52;c;QUJD\x07",
    "\x1b]0;x\x07",
    "\x1b[2J",
    "\x1b[6n",
    "\x9b31mred",
    "\u202eright to left",
    "zero\u200bwidth\u2060",
    "a" + "\u0301" * 199,
    "\r\nsecond line",
    "x" * 190,
]
MARKUP = ["[/", "[b]x[/i]", "[1]", "[red]hi", "[$error]"]


def is_clean(text: str, limit: int) -> bool:
    return text == clean_line(text, limit) and sum(map(columns, text)) <= limit


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_text_is_clean_wherever_it_enters(tmp_path: Path, text: str) -> None:
    """Names, titles, chat, watchers, options, refusals, the name of the server, the reason of a farewell."""
    async with scripted() as server, linked(server, tmp_path) as link:
        peer = await server.peer()
        await peer.hear(protocol.Hello)
        await peer.say(protocol.Welcome(version=protocol.VERSION, name=text, you=text, time=AT))
        listing = asyncio.create_task(link.tables())
        entering = asyncio.create_task(link.enter(TABLE))
        await peer.hear(protocol.ListTables)
        row = protocol.TableLine(
            id=TABLE, title=text, stage=text, white=text, black=None, options=(text,), actions=0, watchers=0
        )
        await peer.say(protocol.Tables(tables=(row,)))
        log = [
            happened.Opened(at=AT, title=text, options=()),
            happened.SeatTaken(at=AT, side="w", name=text, holder=text),
            began(white=text, black=text),
        ]
        line = protocol.ChatLine(at=AT, name=text, side=None, text=text)
        await peer.let_in(log, side="w", chat=(line,), watchers=(text,))
        table = await entering
        diary = Diary(table)
        await peer.say(protocol.Written(table=TABLE, line=line))
        await peer.say(protocol.Watching(table=TABLE, watchers=(text, "Eve")))
        await peer.say(protocol.Refused(id=None, code="limit", reason=text, table=TABLE))
        refused = await diary.until("refused")
        (shown,) = (await listing).tables
        session = table.session
        assert session is not None
        names = [link.server, link.you, shown.white or "", *table.watchers]
        names += [session.game.started.white, session.game.started.black, table.chat[0].name]
        names += [seat.name for seat in table.state.seats.values()]
        assert all(is_clean(name, 40) for name in names)
        assert all(is_clean(title, LONGEST_TITLE) for title in (shown.title, table.state.title))
        assert all(is_clean(text, 400) for text in (shown.stage, *shown.options, refused, table.chat[1].text))
        assert all(is_clean(told, 400) for _, told in diary.changes)
        peer.cut()
        peer = await server.peer()
        await peer.greet()
        asked = asyncio.create_task(link.record("X"))
        await peer.hear(protocol.Enter)
        wanted = await peer.hear(protocol.FetchRecord)
        await peer.say(protocol.Refused(id=wanted.id, code="table", reason=text))
        with pytest.raises(LinkTrouble) as trouble:
            await asked
        assert is_clean(trouble.value.reason, 400)
        lost: list[str] = []
        link.subscribe(lambda line: lost.append(line.reason))
        await peer.say(protocol.Farewell(reason=text, again=True))
        await peer.socket.wait_closed()
        assert lost
        assert all(is_clean(reason, 400) for reason in lost)


@pytest.mark.parametrize("text", MARKUP)
def test_markup_is_only_text(text: str) -> None:
    """It comes out as it went in; no screen reads it as markup."""
    line = protocol.ChatLine(at=AT, name=text, side=None, text=text)
    assert cleaned(protocol.Written(table=TABLE, line=line)).line == line


_texts = st.text(max_size=60)


@given(_texts, _texts, st.lists(_texts, max_size=3))
def test_every_text_of_a_message_is_clean_but_secrets_and_records(
    one: str, two: str, many: list[str]
) -> None:
    news = (happened.Opened(at=AT, title=one, options=tuple(many)), began(white=one, black=two))
    for message in (
        protocol.Entered(
            table=TABLE,
            side=None,
            since=0,
            news=news,
            chat=(protocol.ChatLine(at=AT, name=one, side=None, text=two),),
            watchers=tuple(many),
        ),
        protocol.Refused(id=None, code=one, reason=two),
        protocol.Health(version=1, name=one, seconds=1, tables=1, clients=1, games=1),
    ):
        for text in _strings(msgspec.to_builtins(cleaned(message))):
            assert is_clean(text, 400)
    seated = protocol.Seated(table=TABLE, id="x", side="w", token=one)
    assert cleaned(seated).token == one
    record = protocol.Record(id="x", record=two, text=one)
    assert (cleaned(record).text, cleaned(record).record) == (one, clean_line(two, 400))


def test_clean_messages_are_not_copied() -> None:
    message = protocol.News(table=TABLE, version=1, news=(began(),))
    assert cleaned(message) is message


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _strings(each)]
    return [text for each in value for text in _strings(each)] if isinstance(value, list | tuple) else []
