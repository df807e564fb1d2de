"""The line to a server: lost and found again, with nothing to be done by hand, and what is told about it."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.asyncio.server import serve

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol
from dvonn_tui.tables.address import Address
from dvonn_tui.tables.happenings import ClockReading, Happening
from dvonn_tui.tables.keeping import Keeping
from dvonn_tui.tables.link import LineKind, LineState, LinkTrouble, Patience, TableLink
from dvonn_tui.tables.protocol import LARGEST_MESSAGE
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables.wire import Wire
from tests.tables.scripted import (
    AT,
    HURRIED,
    QUICK,
    SEED,
    TABLE,
    Diary,
    Peer,
    Scripted,
    connected,
    linked,
    opened,
    scripted,
    until,
)

START = set_up(Setup.BALANCED, SEED)
MOVES = legal_moves(START)
FIRST = MOVES[0]


async def enter(link: TableLink, server: Scripted, side: str | None = "w") -> tuple[Peer, RemoteTable]:
    """Come to the table of the tests, on which a game has just begun."""
    entering = asyncio.create_task(link.enter(TABLE))
    peer = await server.peer()
    await peer.greet()
    await peer.let_in(opened(), side=side)
    return peer, await entering


async def back(server: Scripted, log: list[Happening], side: str | None = "w") -> tuple[Peer, protocol.Enter]:
    """The client that comes back by itself, and how it entered."""
    peer = await server.peer()
    await peer.greet()
    return peer, await peer.let_in(log, side=side)


def acted(number: int = 0, by: str = "w") -> happened.Acted:
    return happened.Acted(at=AT, by=by, action=format_action(MOVES[number]))


async def test_questions_are_answered_by_their_ids(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        asked = [
            asyncio.create_task(link.tables()),
            asyncio.create_task(link.open_table("Club", ("profi",))),
            asyncio.create_task(link.record("KZ7Q2M-1")),
        ]
        peer = await server.peer()
        hello = await peer.greet("The club")
        assert (hello.version, hello.name) == (protocol.VERSION, "Ada")
        await peer.hear(protocol.ListTables)
        opening = await peer.hear(protocol.OpenTable)
        fetching = await peer.hear(protocol.FetchRecord)
        assert (opening.title, opening.options, fetching.record) == ("Club", ("profi",), "KZ7Q2M-1")
        await peer.say(
            protocol.Record(id=fetching.id, record=fetching.record, text='[Format "1"]\n'),
            protocol.TableOpened(id=opening.id, table=TABLE),
            protocol.Tables(tables=(), more=3),
        )
        assert await asyncio.gather(*asked) == [protocol.Tables(tables=(), more=3), TABLE, '[Format "1"]\n']
        assert (link.server, link.you) == ("The club", "Ada")


async def test_questions_that_are_refused_or_not_answered(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        asked = asyncio.create_task(link.open_table())
        peer = await server.peer()
        await peer.greet()
        opening = await peer.hear(protocol.OpenTable)
        await peer.say(protocol.Refused(id=opening.id, code="limit", reason="you have 5 tables already"))
        with pytest.raises(LinkTrouble, match="you have 5 tables already"):
            await asked
        with pytest.raises(LinkTrouble, match="4 to 12 letters and digits"):
            await link.enter("../../etc/passwd")
        entering = asyncio.create_task(link.enter("nhere"))
        await peer.hear(protocol.Enter)
        await peer.say(protocol.Refused(id=None, code="table", reason="no table NHERE", table="NHERE"))
        with pytest.raises(LinkTrouble, match="no table NHERE"):
            await entering
        asked = asyncio.create_task(link.open_table())
        await peer.hear(protocol.OpenTable)
        peer.cut()
        with pytest.raises(LinkTrouble, match="was lost"):
            await asked


async def test_a_question_that_is_not_answered(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path, patience=HURRIED) as link:
        with pytest.raises(LinkTrouble, match="does not answer"):
            await link.record("KZ7Q2M-1")


async def test_a_seat_is_had_again_by_its_token(tmp_path: Path) -> None:
    """The token is kept when the seat is given, shown when the line is back, and after a restart."""
    async with scripted() as server:
        async with linked(server, tmp_path) as link:
            peer, table = await enter(link, server, None)
            diary = Diary(table)
            assert table.sit(Side.WHITE)
            assert not table.sit(Side.BLACK)
            sit = await peer.hear(protocol.Sit)
            assert sit.side == "w"
            await peer.say(protocol.Seated(table=TABLE, id=sit.id, side="w", token="s3cret"))
            await diary.until("seated")
            assert table.side is Side.WHITE
            peer.cut()
            peer, entered = await back(server, opened())
            assert (entered.token, entered.since) == ("s3cret", len(opened()))
            await diary.until("line", 3)
        (seat,) = Keeping(tmp_path).seats()
        assert (seat.table, seat.side, seat.white, seat.black) == (TABLE, Side.WHITE, "Ada", "Bob")
        assert "s3cret" not in repr(seat)
        async with linked(server, tmp_path) as link:
            entering = asyncio.create_task(link.enter(TABLE))
            peer = await server.peer()
            await peer.greet()
            entered = await peer.let_in(opened(), side="w")
            assert (entered.token, entered.since) == ("s3cret", 0)
            table = await entering
            assert table.side is Side.WHITE
            table.leave()
            await peer.hear(protocol.Leave)
            assert link.keeping.seats()  # a game is running
            assert not Keeping(tmp_path).seats()  # and the seat is nobody else's meanwhile


async def test_a_token_that_is_worth_nothing_any_more_is_forgotten(tmp_path: Path) -> None:
    async with scripted() as server:
        Keeping(tmp_path).keep(server.address.server, TABLE, "old", Side.WHITE)
        async with linked(server, tmp_path) as link:
            entering = asyncio.create_task(link.enter(TABLE))
            peer = await server.peer()
            await peer.greet()
            entered = await peer.let_in(opened())
            assert entered.token == "old"
            assert (await entering).side is None
        assert Keeping(tmp_path).seats() == ()


async def test_who_is_sent_away_from_a_table_does_not_come_back(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server, None)
        diary = Diary(table)
        away = protocol.Refused(id=None, code="seat", reason="nobody may watch at this table", table=TABLE)
        await peer.say(away)
        assert await diary.until("refused") == "nobody may watch at this table"
        peer.cut()
        peer = await server.peer()
        await peer.greet()
        assert await peer.silent()


async def test_everything_is_there_again_after_a_cut(tmp_path: Path) -> None:
    """S03: position, clocks, side, offers, chat and watchers, with the opponent moving meanwhile."""
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server, "b")
        diary = Diary(table)
        session = table.session
        assert session is not None
        peer.cut()
        peer = await server.peer()
        await peer.greet()
        chat = (protocol.ChatLine(at=AT, name="Ada", side="w", text="where are you?"),)
        log = [*opened("time 5"), acted(), happened.Offered(at=AT, by="w", offer="draw")]
        now = ClockReading(100_000, 200_000, "b")
        await peer.let_in(log, side="b", chat=chat, watchers=("Eve",), now=now)
        await diary.until("watchers")
        assert table.session is session
        assert session.game.position == table.state.position
        assert session.game.position.side is table.side is Side.BLACK
        assert session.clocks is not None
        assert session.clocks.left(Side.WHITE, session.now()) == 100
        assert 199 < session.clocks.left(Side.BLACK, session.now()) <= 200
        assert [str(offer) for _, offer in table.state.offers] == ["draw"]
        assert (table.chat, table.watchers) == (chat, ("Eve",))
        assert [text for kind, text in diary.changes if kind == "refused"] == []


async def test_a_move_typed_while_the_line_is_lost_is_sent_when_it_is_back(tmp_path: Path) -> None:
    """S03: kept as sending, and sent by the same id if it is still for that ply."""
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server)
        diary = Diary(table)
        assert table.session is not None
        peer.cut()
        await until(link, LineKind.LOST)
        table.session.submit(FIRST)
        assert table.sending == protocol.Act(action=format_action(FIRST))
        peer, _ = await back(server, opened())
        command = await peer.hear(protocol.Command)
        assert (command.deed, command.version) == (table.sending, len(opened()))
        peer.cut()  # before the answer
        peer, _ = await back(server, opened())
        assert await peer.hear(protocol.Command) == command
        await peer.say(protocol.News(table=TABLE, version=len(opened()) + 1, news=(acted(),)))
        await diary.until("news")
        assert table.sending is None
        assert table.session.game.position.side is Side.BLACK


async def test_a_move_that_was_overtaken_is_dropped_with_a_sentence(tmp_path: Path) -> None:
    """S03: here a takeback and another move, made from the same seat elsewhere."""
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server)
        diary = Diary(table)
        assert table.session is not None
        peer.cut()
        await until(link, LineKind.LOST)
        table.session.submit(FIRST)
        peer, _ = await back(server, [*opened(), acted(1)])
        told = await diary.until("refused")
        assert told == f"your move {format_action(FIRST, '-')} was not played: the game had gone on"
        assert table.sending is None
        assert await peer.silent()


async def test_a_move_that_had_arrived_is_not_sent_again(tmp_path: Path) -> None:
    """The answer was lost with the line, the move was not."""
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server)
        diary = Diary(table)
        assert table.session is not None
        table.session.submit(FIRST)
        await peer.hear(protocol.Command)
        peer.cut()
        peer, _ = await back(server, [*opened(), acted()])
        await diary.until("news")
        assert table.sending is None
        assert await peer.silent()
        assert diary.of("refused") == []


async def test_a_seat_that_was_asked_for_is_asked_for_again(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server, None)
        table.sit()
        first = await peer.hear(protocol.Sit)
        peer.cut()
        peer, _ = await back(server, opened(), None)
        assert await peer.hear(protocol.Sit) == first


async def test_a_command_that_is_never_answered_means_a_lost_line(tmp_path: Path) -> None:
    quick = replace(QUICK, answer=0.7)
    async with scripted() as server, linked(server, tmp_path, patience=quick) as link:
        peer, table = await enter(link, server)
        assert table.do(protocol.GiveUp())
        first = await peer.hear(protocol.Command)
        peer, _ = await back(server, opened())
        assert await peer.hear(protocol.Command) == first


async def test_a_line_that_ends_for_good_leaves_nothing_on_its_way(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server)
        diary = Diary(table)
        assert table.session is not None
        table.session.submit(FIRST)
        await peer.hear(protocol.Command)
        await peer.say(protocol.Farewell(reason="you play from another place now", again=False))
        told = await diary.until("refused")
        assert told.endswith("it is not known whether it arrived, because you play from another place now")
        assert table.sending is None
        with pytest.raises(IllegalAction, match="from another place"):
            table.session.submit(FIRST)
        assert not table.do(protocol.GiveUp())
        assert not table.sit()
        assert not table.say("hello?")
        link.start()
        peer, _ = await back(server, opened())
        await connected(link)
        table.session.submit(FIRST)
        assert (await peer.hear(protocol.Command)).deed == protocol.Act(action=format_action(FIRST))


async def test_a_refusal_of_what_was_already_dropped_is_not_told_again(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server)
        diary = Diary(table)
        assert table.session is not None
        table.session.submit(FIRST)
        command = await peer.hear(protocol.Command)
        peer.cut()
        peer, _ = await back(server, [*opened(), acted(1)])
        await diary.until("refused")
        await peer.say(protocol.Refused(id=command.id, code="stale", reason="too late", table=TABLE))
        await peer.say(protocol.Watching(table=TABLE, watchers=("Eve",)))
        await diary.until("watchers", 2)
        assert len(diary.of("refused")) == 1


async def test_a_server_in_trouble_is_asked_again(tmp_path: Path) -> None:
    """Coming back to a table is refused for a reason that passes."""
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, table = await enter(link, server)
        peer.cut()
        peer = await server.peer()
        await peer.greet()
        await peer.hear(protocol.Enter)
        await peer.say(protocol.Refused(id=None, code="trouble", reason="the disk is full", table=TABLE))
        await until(link, LineKind.LOST)
        assert link.line.reason == "the disk is full"
        await back(server, opened())
        await until(link, LineKind.CONNECTED)
        assert table.session is not None


async def test_long_texts_are_cut_before_they_are_sent(tmp_path: Path) -> None:
    """No message is longer than a server takes."""
    async with scripted() as server:
        link = TableLink(server.address, "Ada" * 500, Keeping(tmp_path), patience=QUICK)
        link.start()
        peer, table = await enter(link, server, None)
        assert link.you == ("Ada" * 8)[:23] + "…"
        assert table.say("long \U0001f600\u0301\u0301" * 1_000)
        chat = await peer.hear(protocol.Chat)
        assert len(protocol.encode(chat)) < protocol.LARGEST_REQUEST
        assert table.say(" \n ")
        assert await peer.silent()
        await link.close()


async def test_a_restart_of_the_server(tmp_path: Path) -> None:
    """S03: nobody there, then the same tables again."""
    async with scripted() as server, linked(server, tmp_path) as link:
        seen: list[LineState] = []
        _, table = await enter(link, server)
        link.subscribe(seen.append)
        await server.close()
        await asyncio.sleep(0.05)
        assert not table.say("anybody?")
        await server.open()
        _, entered = await back(server, opened())
        await connected(link)
        assert entered.since == len(opened())
        kinds = [line.kind for line in seen]
        assert set(kinds) == {LineKind.LOST, LineKind.CONNECTING, LineKind.CONNECTED}
        assert kinds[-1] is LineKind.CONNECTED
        reasons = [line.reason for line in seen if line.kind is LineKind.LOST]
        assert reasons[-1] == f"at {link.address.server} no server is running"


async def test_attempts_become_rarer(tmp_path: Path) -> None:
    """Half a second, then twice as long each time, up to the most; with jitter around it."""
    link = TableLink(
        free_address(), "Ada", Keeping(tmp_path), patience=QUICK, jitter=lambda: 0.5, now=lambda: 0.0
    )
    waits: list[float] = []
    link.subscribe(lambda line: waits.append(line.retry_at) if line.retry_at is not None else None)
    link.start()
    async with asyncio.timeout(20):
        while len(waits) < 5:
            await asyncio.sleep(0.01)
    await link.close()
    assert waits[:5] == [0.01, 0.02, 0.04, 0.05, 0.05]
    assert link.line == LineState(LineKind.CLOSED)


def free_address() -> Address:
    """Where nobody listens."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        return Address("127.0.0.1", taken.getsockname()[1])


async def test_farewells(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        peer = await server.peer()
        await peer.greet()
        await peer.say(protocol.Farewell(reason="back in a minute", again=True))
        await until(link, LineKind.LOST)
        assert link.line.reason == "back in a minute"
        peer = await server.peer()
        await peer.greet()
        await peer.say(protocol.Farewell(reason="you are not welcome", again=False))
        await until(link, LineKind.REFUSED)
        assert link.line == LineState(LineKind.REFUSED, "you are not welcome")
        with pytest.raises(LinkTrouble, match="you are not welcome"):
            await link.tables()


async def test_leaving_and_coming_back_leaves_nobody_listening(tmp_path: Path) -> None:
    """T11, on the client's side: ten tables, and nothing is told twice."""
    async with scripted() as server, linked(server, tmp_path) as link:
        peer = await server.peer()
        await peer.greet()
        for _ in range(10):
            entering = asyncio.create_task(link.enter(TABLE))
            await peer.let_in(opened(), side=None)
            table = await entering
            diary = Diary(table)
            await peer.say(protocol.Watching(table=TABLE, watchers=("Eve",)))
            await diary.until("watchers")
            assert len(diary.changes) == 1
            table.leave()
            await peer.hear(protocol.Leave)
        peer.cut()
        peer = await server.peer()
        await peer.greet()
        await connected(link)
        assert await peer.silent()  # it does not come back to any of them


# What is wrong with a line, in words


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (protocol.Welcome(version=2, name="x", you="y", time=0), "this program has to be updated"),
        (protocol.Welcome(version=0, name="x", you="y", time=0), "the server has to be updated"),
        (protocol.Refused(id=None, code="hello", reason="too old\x1b[2J"), "too old?[2J"),
        (protocol.Tables(tables=()), "is no DVONN server"),
    ],
)
async def test_a_greeting_that_is_none(tmp_path: Path, answer: protocol.Answer, why: str) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        peer = await server.peer()
        await peer.hear(protocol.Hello)
        await peer.say(answer)
        await until(link, LineKind.REFUSED)
        assert link.line.reason.endswith(why)


HOSTILE = [
    "nonsense",
    "",
    "[" * 10_000,
    '{"say":"News"}',
    '{"say":"Frobnicate"}',
    '{"say":"Done","table":"KZ7Q2M","id":"x","version":' + "9" * 4_000 + "}",
    '{"say":"Written","table":"KZ7Q2M","line":{"at":1,"name":"\\ud800","side":null,"text":"x"}}',
    '{"say":"Farewell","reason":"x","again":true,"extra":1}',
    b"\xff\xfe\x00",
    "x" * (LARGEST_MESSAGE + 1),
]


@pytest.mark.parametrize("message", HOSTILE, ids=range(len(HOSTILE)))
async def test_what_cannot_be_read_ends_the_line_with_a_reason(tmp_path: Path, message: str | bytes) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        await (peer := await server.peer()).greet()
        await peer.say_raw(message)
        await until(link, LineKind.REFUSED)
        assert link.line.reason.startswith("the server said something that")


async def test_what_cannot_be_followed_ends_the_line_with_a_reason(tmp_path: Path) -> None:
    async with scripted() as server, linked(server, tmp_path) as link:
        peer, _ = await enter(link, server)
        news = (happened.Acted(at=AT, by="w", action="a1a1"),)
        await peer.say(protocol.News(table=TABLE, version=len(opened()) + 1, news=news))
        await until(link, LineKind.REFUSED)
        assert link.line.reason.startswith("the server told of what cannot be: ")


async def test_the_addresses_of_nobody(tmp_path: Path) -> None:
    await ends_with(tmp_path, free_address(), LineKind.LOST, "no server is running")
    there = Address("no-such-host.invalid")
    await ends_with(tmp_path, there, LineKind.LOST, "no server by the name of no-such-host.invalid is known")


@asynccontextmanager
async def listening(handle: Callable[..., Any], tls: ssl.SSLContext | None = None) -> AsyncIterator[Address]:
    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])


@pytest.mark.parametrize(
    ("said", "kind", "why"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", LineKind.REFUSED, "is no DVONN server"),
        (
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            LineKind.REFUSED,
            "no DVONN server (HTTP 404)",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", LineKind.REFUSED, "is no DVONN server (HTTP 200)"),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", LineKind.LOST, "at present (HTTP 502)"),
        (
            b"HTTP/1.1 503 Full\r\nContent-Length: 8\r\n\r\nfull\x1b[J\n",
            LineKind.LOST,
            ": full?[J (HTTP 503)",
        ),
        (b"", LineKind.LOST, "has closed the line at once: it may want TLS (wss://), or be busy"),
    ],
)
async def test_other_servers(tmp_path: Path, said: bytes, kind: LineKind, why: str) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        await writer.drain()
        writer.close()

    async with listening(handle) as address:
        await ends_with(tmp_path, address, kind, why)


@pytest.mark.parametrize("where", ["ws://127.0.0.1:{port}/x", "/elsewhere", "ws://[::1/", "ws://a:99999999/"])
async def test_a_redirect_is_not_followed(tmp_path: Path, where: str) -> None:
    """The secret for a server is told to no other, and nothing is asked at this machine for others."""
    visits = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        visits.append(head.split()[1])
        port = writer.get_extra_info("sockname")[1]
        place = where.format(port=port)
        writer.write(f"HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    async with listening(handle) as address:
        await ends_with(tmp_path, address, LineKind.REFUSED, "is no DVONN server (HTTP 302)")
    assert visits == [b"/"]


async def test_a_server_that_is_silent(tmp_path: Path) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with listening(handle) as address:
        await ends_with(tmp_path, address, LineKind.LOST, "does not answer", HURRIED)


async def test_a_server_that_opens_and_says_nothing(tmp_path: Path) -> None:
    async with scripted() as server:
        await ends_with(tmp_path, server.address, LineKind.LOST, "the server does not answer", HURRIED)


async def test_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is not trusted is named; one of one's own is trusted when SSL_CERT_FILE says so."""
    key, certificate = certificate_of(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def handle(connection: Any) -> None:
        await Peer(connection).greet("Safe")
        await connection.wait_closed()

    async with serve(handle, "127.0.0.1", 0, ssl=context, close_timeout=0.1) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        safe = Address("127.0.0.1", port, tls=True)
        await ends_with(tmp_path, safe, LineKind.REFUSED, "set SSL_CERT_FILE to its file")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        link = TableLink(safe, "Ada", Keeping(tmp_path), patience=QUICK)
        link.start()
        await connected(link)
        assert link.server == "Safe"
        await link.close()
    async with scripted() as plain:
        wanted = Address("127.0.0.1", plain.port, tls=True)
        await ends_with(tmp_path, wanted, LineKind.LOST, "it may not speak TLS")


def certificate_of(folder: Path) -> tuple[Path, Path]:
    """A key and a certificate for 127.0.0.1, signed by itself."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    command += ["-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    try:
        subprocess.run(
            [*command, "-keyout", str(key), "-out", str(certificate)],
            check=True,
            capture_output=True,
            timeout=20,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("there is no openssl to make a certificate with")
    return key, certificate


async def ends_with(
    folder: Path, address: Address, kind: LineKind, why: str, patience: Patience = QUICK
) -> None:
    """Open a line and see how it ends the first time."""
    ended = asyncio.get_running_loop().create_future()

    def listen(line: LineState) -> None:
        if line.kind in (LineKind.LOST, LineKind.REFUSED) and not ended.done():
            ended.set_result(line)

    link = TableLink(address, "Ada", Keeping(folder), patience=patience)
    link.subscribe(listen)
    link.start()
    async with asyncio.timeout(20):
        line = await ended
    await link.close()
    assert line.kind is kind, line
    assert why in line.reason
    assert line.reason.isprintable()


async def test_another_answer_than_was_asked_for_is_told_in_words(tmp_path: Path) -> None:
    """A server can answer anything by the id of a question; the line stays as it is."""
    async with scripted() as server, linked(server, tmp_path) as link:
        peer = await server.peer()
        await peer.greet()
        await connected(link)
        opening = asyncio.create_task(link.open_table())
        asked = await peer.hear(protocol.OpenTable)
        await peer.say(protocol.Record(id=asked.id, record="R", text="text"))
        with pytest.raises(LinkTrouble, match="answered something else"):
            await opening
        fetching = asyncio.create_task(link.record("R"))
        fetch = await peer.hear(protocol.FetchRecord)
        await peer.say(protocol.TableOpened(id=fetch.id, table=TABLE))
        with pytest.raises(LinkTrouble, match="answered something else"):
            await fetching
        assert link.line.kind is LineKind.CONNECTED


class StillSocket:
    """A line on which nothing happens."""

    def __init__(self) -> None:
        self.transport = self
        self.cut = False

    def abort(self) -> None:
        self.cut = True

    async def close(self) -> None:
        await asyncio.sleep(0)


async def test_whoever_is_cancelled_while_he_closes_a_line_learns_of_it() -> None:
    """Else a program that is left while a line is lost would try to find it again for ever."""
    for turns in range(4):
        still = StillSocket()
        wire = Wire(cast(Any, still), Address("127.0.0.1", 1), QUICK)
        await asyncio.sleep(0)
        ending = asyncio.create_task(wire.close())
        for _ in range(turns):
            await asyncio.sleep(0)
        assert not ending.done()
        ending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ending
        assert still.cut is (turns > 0)
