"""What was tried against a first server of tables, each by its name, and the right answer to it."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dvonn_tui.core.notation import format_position
from dvonn_tui.tables import protocol
from dvonn_tui.tables.happenings import Began
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.protocol import (
    Act,
    Chat,
    Done,
    Enter,
    Farewell,
    ListTables,
    Refused,
    Status,
)
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.store import Addition
from dvonn_tui.tables.timing import SystemTime

from ..cli.hostile import HOSTILE, MARKUP, is_harmless
from .tools import RawClient, Running, command_id, first_action, game_begun, level, play_on, running_server

PATHS = (
    *("../secret", "..\\secret", "/etc/passwd", "C:\\secret", "secret\0", "....//secret", "%2e%2e%2fsecret"),
    *("..%c0%afsecret", "~/secret", "file:///etc/passwd", "secret ", "secret.", "CON", "NUL.txt", "a/b"),
    *("tables.sqlite3", "' or 1=1 --", "${HOME}"),
)
"""Tricks with paths, of 18 kinds."""


async def alive(running: Running, client: RawClient) -> bool:
    """Whether a client and the server still understand each other."""
    await client.say(Status())
    return (await client.wait_for(protocol.Health)).name == "Club"


def deed(said: str) -> str:
    """A command with a deed as it is written."""
    return '{"say":"Command","table":"AAAAAA","id":"x","version":1,"deed":' + said + "}"


UNREADABLE = {
    "an integer of 4,000 digits": '{"say":"Enter","table":"AAAAAA","since":' + "9" * 3_900 + "}",
    "a float that is none": '{"say":"Enter","table":"AAAAAA","since":NaN}',
    "a negative version": '{"say":"Enter","table":"AAAAAA","since":-1}',
    "deep lists": "[" * 4_000,
    "deep objects": '{"say":' * 500,
    "a lone surrogate": '{"say":"Chat","table":"AAAAAA","text":"\\ud800"}',
    "bad UTF-8": b'{"say":"Chat","table":"AAAAAA","text":"\xff\xfe"}',
    "an unknown field": '{"say":"Status","admin":true}',
    "an unknown kind": '{"say":"Shutdown"}',
    "a field twice": '{"say":"Enter","say":"Status","table":"AAAAAA"}',
    "no kind": "{}",
    "no object": "7",
    "nothing": "",
    "a table id with a path": '{"say":"Enter","table":"../AAAA"}',
    "an unknown deed": deed('{"do":"Win"}'),
    "too long an action": deed('{"do":"Act","action":"a1b2c3d4e5"}'),
    "time of the wrong sign": deed('{"do":"GiveTime","seconds":-9}'),
    "a happening of one's own": '{"event":"Ended","at":1,"reason":"time","winner":"w"}',
}


@pytest.mark.parametrize("message", UNREADABLE.values(), ids=UNREADABLE)
async def test_what_cannot_be_read_is_refused_and_harms_nobody(tmp_path: Path, message: str | bytes) -> None:
    async with running_server(tmp_path) as running:
        client = await running.client()
        if isinstance(message, bytes):
            await client.socket.send(message, text=True)
        else:
            await client.say_raw(message)
        refused = await client.wait_for(Refused)
        if refused.code != "table":  # It was read after all, and led nowhere.
            assert refused.code == "unreadable"
        assert is_harmless(refused.reason)
        assert await alive(running, client)
    assert "fault" not in running.log


@pytest.mark.parametrize(
    "message",
    [
        '{"say":"Leave","table":"AAAAAA%s"}',
        '{"say":"Sit","table":"AAAAAA","id":"x","side":"w%s"}',
        '{"say":"Sit","table":"AAAAAA","id":"x%s","side":"w"}',
        deed('{"do":"MakeOffer","offer":"draw%s"}'),
    ],
    ids=["table", "side", "id", "offer"],
)
def test_a_word_with_a_line_feed_is_another_word(message: str) -> None:
    """Nothing behind the decoder looks again."""
    protocol.decode_request(message % "")
    with pytest.raises(protocol.Unreadable):
        protocol.decode_request(message % "\\n")


async def test_a_message_that_is_too_large_ends_the_line(tmp_path: Path) -> None:
    """Also one that comes in fragments. Others notice nothing."""
    async with running_server(tmp_path) as running:
        other = await running.client()
        for message in ("x" * 5_000, "x" * 70_000, ["x" * 3_000] * 2):
            client = await running.client()
            await client.socket.send(message)
            assert (await client.closed()).rcvd.code == 1009  # type: ignore[union-attr]
        assert await alive(running, other)


WIDE = "\U0001d49c\U0001d167\U0001d168"
"""One column of twelve bytes: no text of a client's takes more."""

ROOMY = Limits(rate=10_000, burst=10_000, tables_client=100, tables_address=100, at_tables=100)


async def test_a_list_of_the_longest_titles_and_names_fits_into_a_message(tmp_path: Path) -> None:
    """As many tables as fit are listed, and the others are counted."""
    async with running_server(tmp_path, limits=ROOMY) as running:
        players = [await running.client(WIDE * 24) for _ in range(2)]
        for _ in range(60):
            table = await players[0].open(title=WIDE * 40)
            for player in players:
                await player.enter(table)
                await player.sit(table)
        await players[0].say(ListTables())
        listed = await players[0].wait_for(protocol.Tables)
        assert 40 < len(listed.tables) < 60
        assert len(listed.tables) + listed.more == 60


async def test_a_table_of_the_longest_happenings_names_and_chat_can_be_entered(tmp_path: Path) -> None:
    """Also its news, when another writer is noticed who wrote many of them."""
    limits = Limits(rate=10_000, burst=10_000, chat_minute=1_000)
    async with running_server(tmp_path, limits=limits) as running:
        white, _, table = await game_begun(running)
        for _ in range(20):
            await white.say(Chat(table=table, text=WIDE * 300))
        watchers = [await running.client(WIDE * 24) for _ in range(40)]
        for watcher in watchers:
            await watcher.enter(table)
        version = white.states[table].version
        store = SqliteStore(tmp_path / "tables.sqlite3")
        again = Began(at=1, number=2, setup="manual", seed=None, white=WIDE * 24, black=WIDE * 24)
        await store.append(Addition(table, version + 1, [again] * 120))
        await store.close()
        await white.do(table, protocol.GiveUp())
        assert (await white.reach(table, version + 120)).version == version + 120
        late = await running.client()
        entered = await late.enter(table)
        assert late.states[table].version == version + 120
        assert (len(entered.watchers), 1 < len(entered.chat) < 20) == (40, True)


async def test_a_deflate_bomb_is_no_message(tmp_path: Path) -> None:
    """Compression is not spoken, and a compressed frame breaks the protocol."""
    async with running_server(tmp_path) as running:
        async with connect(f"ws://127.0.0.1:{running.port}/") as socket_:
            assert not socket_.protocol.extensions
        client = await running.client()
        packed = zlib.compress(b"0" * 3_000_000)[:3_000]
        client.socket.transport.write(frame(packed, first=0xC1))
        assert (await client.closed()).rcvd.code == 1002  # type: ignore[union-attr]
        await client.close()
        other = await running.client()
        await other.say_raw(packed)
        assert (await other.wait_for(Refused)).code == "unreadable"
        assert await alive(running, other)


def frame(content: bytes, first: int = 0x81) -> bytes:
    """A frame as a client sends it, masked by nothing but zeros."""
    head = bytes([first, 0x80 | len(content)]) if len(content) < 126 else b""
    head = head or bytes([first, 0x80 | 126]) + len(content).to_bytes(2, "big")
    return head + bytes(4) + content


@pytest.mark.parametrize("text", HOSTILE + MARKUP)
async def test_no_text_reaches_others_or_the_log_raw(tmp_path: Path, text: str) -> None:
    """S14: a name, a title and a line of chat, with OSC 52, control codes, bidi, marks, markup."""
    text = text.encode("utf-8", "replace").decode()
    async with running_server(tmp_path) as running:
        hostile = await running.client(f"Eve{text}")
        table = await hostile.open(title=f"Table{text}")
        other = await running.client("Ada")
        for client in (hostile, other):
            await client.enter(table)
        await hostile.sit(table)
        await hostile.say(Chat(table=table, text=f"see{text}"))
        line = (await other.wait_for(protocol.Written)).line
        await other.say(ListTables())
        [listed] = (await other.wait_for(protocol.Tables)).tables
        state = other.states[table]
        [seat] = state.seats.values()
        late = await running.client("Bob")
        entered = await late.enter(table)
        for shown in (line.text, line.name, listed.title, listed.white, state.title, seat.name):
            assert shown is not None
            assert is_harmless(shown)
            assert "\n" not in shown
            assert text not in MARKUP or text in shown
        assert [each.text for each in entered.chat] == [line.text]
        await hostile.say(protocol.FetchRecord(id="r", record=text[:100]))
        assert is_harmless((await hostile.wait_for(Refused)).reason)
    assert is_harmless(running.log)
    assert "Eve" not in running.log
    assert "see" not in running.log


async def test_texts_of_ten_thousand_characters(tmp_path: Path) -> None:
    """They are cut to their columns; what does not even fit into a message is refused."""
    async with running_server(tmp_path, limits=Limits(message=65_536)) as running:
        client = await running.client("N" * 3_900)
        table = await client.open(title="T" * 3_900)
        await client.enter(table)
        await client.sit(table)
        await client.say(Chat(table=table, text="C" * 3_900))
        line = (await client.wait_for(protocol.Written)).line
        assert (len(line.name), len(line.text)) == (24, 300)
        assert len(client.states[table].title) == 40
        await client.say(Chat(table=table, text="C" * 10_000))
        assert (await client.wait_for(Refused)).code == "unreadable"


@pytest.mark.parametrize("name", PATHS)
async def test_tricks_with_paths(tmp_path: Path, name: str) -> None:
    """As a name, a title, a record, a command: they name no file, and none is made."""
    async with running_server(tmp_path) as running:
        before = sorted(path.name for path in tmp_path.rglob("*"))
        client = await running.client(name)
        table = await client.open(title=name)
        await client.enter(table)
        await client.say(protocol.FetchRecord(id="r", record=name))
        assert (await client.wait_for(Refused)).code == "table"
        for raw in ({"say": "Enter", "table": name}, {"say": "OpenTable", "id": f"../{name}"}):
            await client.say_raw(json.dumps(raw))
            assert (await client.wait_for(Refused)).code == "unreadable"
        assert sorted(path.name for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "action", ["a4", "j1", "a1a1", "a1k5", "l9", "pass", "resign", "zz", "", "A1b2;", "a1\x00"]
)
async def test_moves_off_the_board(tmp_path: Path, action: str) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        before = format_position(white.states[table].position)
        refused = await white.do(table, Act(action=action))
        assert isinstance(refused, Refused)
        assert refused.code in ("illegal", "unreadable")
        assert is_harmless(refused.reason)
        state = await play_on(table, white, black, 1)
        assert state.actions == 1
        assert format_position(white.states[table].position) != before


async def test_moves_out_of_turn(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        white, black, table = await game_begun(running)
        refused = await black.do(table, Act(action=first_action(white.states[table])))
        assert isinstance(refused, Refused)
        assert refused.code == "turn"


async def test_twenty_thousand_tables(tmp_path: Path) -> None:
    """One client opens a few, one address some more, and then no more, whatever the client says it is."""
    limits = Limits(tables_client=3, tables_address=7, rate=10_000, burst=10_000)
    async with running_server(tmp_path, limits=limits) as running:
        for own in (3, 3, 1):
            client = await running.client()
            opened = 0
            for _ in range(20):
                await client.say(protocol.OpenTable(id=command_id()))
                answer = await client.wait_for(protocol.TableOpened, Refused)
                opened += isinstance(answer, protocol.TableOpened)
                assert not isinstance(answer, Refused) or answer.code == "limit"
            assert opened == own
        assert running.server.keeper.counts[0] == 7


async def test_a_request_for_a_table_that_comes_again_opens_no_other(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        client = await running.client()
        wish = protocol.OpenTable(id="same")
        await client.say(wish, wish)
        first, second = [await client.wait_for(protocol.TableOpened) for _ in range(2)]
        assert first == second
        assert running.server.keeper.counts[0] == 1


JUNK = {
    "small frames": frame(b"x") * 3_000,
    "empty frames": frame(b"") * 3_000,
    "pings": frame(b"", 0x89) * 3_000,
    "unreadable messages": frame(b'{"say":' * 100) * 300,
    "questions": frame(b'{"say":"Status"}') * 1_000,
    "long questions": frame(b'{"say":"ListTables"}') * 1_000,
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
async def test_a_flood_is_dropped(tmp_path: Path, junk: bytes) -> None:
    """And others play on meanwhile."""
    async with running_server(tmp_path, limits=Limits(slowed=1)) as running:
        white, black, table = await game_begun(running)
        flooder = await running.client("Eve")
        flooder.socket.transport.write(junk)
        await flooder.closed()
        assert (await play_on(table, white, black, 4)).actions == 4
        assert running.log.count("why=flood") + running.log.count('why="too much"') == 1


async def test_who_sends_too_much_is_read_slowly_and_then_dropped(tmp_path: Path) -> None:
    """By real time: all that was sent at once is answered, but not at once; whoever goes on has to go."""
    limits = Limits(rate=200, burst=40, slowed=1)
    async with running_server(tmp_path, limits=limits, clock=SystemTime()) as running:
        client = await running.client("Eve")
        begun = perf_counter()
        # So many that they cannot all lie in the two pieces that are taken apart before anybody waits.
        await client.say(*[Status()] * 140)
        for _ in range(140):
            await client.wait_for(protocol.Health)
        assert perf_counter() - begun > 0.1
        with suppress(ConnectionClosed):
            while True:
                await client.say(Status())
                await asyncio.sleep(0)
        with suppress(ConnectionClosed):
            assert (await client.wait_for(Farewell)).again
        await running.left(1)
        assert running.log.count('why="too much"') == 1


async def test_a_watcher_who_never_reads_is_dropped(tmp_path: Path) -> None:
    """The players wait for nobody, and what is kept for him stays small."""
    limits = Limits(queue=16_384, chat_minute=1_000, rate=10_000, burst=10_000)
    async with running_server(tmp_path, limits=limits) as running:
        white, black, table = await game_begun(running)
        with socket.create_connection(("127.0.0.1", running.port)) as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            deaf.sendall(
                b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            hello = protocol.Hello(version=1, name="deaf", client="x" * 20)
            deaf.sendall(frame(protocol.encode(hello)) + frame(protocol.encode(Enter(table=table))))
            await running.until(lambda: len(running.server.keeper.listed().tables[0:1]) == 1)
            await running.until(lambda: running.server.keeper.listed().tables[0].watchers == 1)
            dropped = False
            for _ in range(60):
                for client in (white, black):
                    await client.say(*[Chat(table=table, text="x" * 300)] * 5)
                for client in (white, black):
                    for _ in range(10):
                        await client.wait_for(protocol.Written)
                dropped = "why=slow" in running.log
                if dropped:
                    break
                # The limit of chat is not what is tested here.
                running.clock.pass_by(60)
            assert dropped
        assert (await play_on(table, white, black, 2)).actions == 2


async def test_a_half_open_connection_is_dropped(tmp_path: Path) -> None:
    """One that says nothing at all, one that stops in the middle of the handshake, one after it."""
    async with running_server(tmp_path, limits=Limits(hello=1)) as running:
        silent = await RawClient.connect(running.port)
        for said in (b"", b"GET / HTTP/1.1\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.write(said)
            async with asyncio.timeout(3):
                assert await reader.read() in (b"",) or said
            writer.close()
        farewell = await silent.wait_for(Farewell)
        assert not farewell.again
        await silent.closed()
        await running.until(lambda: running.server.doors.sockets == 0)


async def test_more_connections_than_one_address_may_have(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=Limits(connections_address=3)) as running:
        clients = [await running.client() for _ in range(3)]
        with pytest.raises(InvalidStatus) as refused:
            await RawClient.connect(running.port)
        assert refused.value.response.status_code == 503
        assert b"from your address" in refused.value.response.body
        await clients[0].close()
        await running.left(1)
        assert await alive(running, await running.client())


async def test_more_connections_than_the_server_has_room_for(tmp_path: Path) -> None:
    """They are told so; of far too many who say nothing the one goes that has waited longest."""
    async with running_server(tmp_path, limits=Limits(connections=2)) as running:
        clients = [await running.client() for _ in range(2)]
        with pytest.raises(InvalidStatus):
            await RawClient.connect(running.port)
        half_open = [await asyncio.open_connection("127.0.0.1", running.port) for _ in range(2)]
        with pytest.raises(InvalidStatus):
            await RawClient.connect(running.port)
        async with asyncio.timeout(5):
            with suppress(ConnectionError):
                assert await half_open[0][0].read() == b""
        for _, writer in half_open:
            writer.close()
        assert await alive(running, clients[0])


@pytest.mark.skipif(sys.platform == "darwin", reason="there 127.0.0.1 is the only address of the machine")
async def test_one_address_that_says_nothing_keeps_nobody_out(tmp_path: Path) -> None:
    """Its connections are counted when they are opened; other addresses come in."""
    async with running_server(tmp_path, limits=Limits(connections=4, connections_address=3)) as running:
        mute = [await asyncio.open_connection("127.0.0.1", running.port) for _ in range(20)]
        async with connect(f"ws://127.0.0.1:{running.port}/", local_addr=("127.0.0.2", 0)) as socket_:
            await socket_.send(protocol.encode(Status()), text=True)
            assert isinstance(protocol.decode_answer(await socket_.recv()), protocol.Health)
        for _, writer in mute:
            writer.close()


async def test_connections_are_counted_before_they_are_encrypted(tmp_path: Path) -> None:
    """Those that never come as far as the end of a TLS handshake as well."""
    limits = Limits(connections_address=2)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    async with running_server(tmp_path, limits=limits, tls=context) as running:
        mute = [await asyncio.open_connection("127.0.0.1", running.port) for _ in range(6)]
        for reader, _ in mute[2:]:
            async with asyncio.timeout(2):
                with suppress(ConnectionError):
                    assert await reader.read() == b""
        assert running.server.doors.sockets == 2
        for _, writer in mute:
            writer.close()
        await running.until(lambda: running.server.doors.sockets == 0)


async def test_who_comes_again_and_again(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=Limits(arrivals=3)) as running:
        for _ in range(3):
            await (await running.client()).close()
        with pytest.raises(InvalidStatus) as refused:
            await RawClient.connect(running.port)
        assert b"wait a moment" in refused.value.response.body
        running.clock.pass_by(25)
        assert await alive(running, await running.client())


async def test_a_page_in_a_browser_has_no_business_here(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        with pytest.raises(InvalidStatus) as refused:
            await RawClient.connect(running.port, origin="https://evil.example")
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "first",
    [
        '{"say":"ListTables"}',
        "nonsense",
        '{"say":"Hello","version":99,"name":"x","client":"y"}',
        '{"say":"Leave"}',
    ],
)
async def test_a_first_message_that_is_no_hello(tmp_path: Path, first: str) -> None:
    async with running_server(tmp_path) as running:
        client = await RawClient.connect(running.port)
        await client.say_raw(first)
        assert not (await client.wait_for(Farewell)).again
        await client.closed()


async def test_asking_how_the_server_is_needs_no_hello(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        client = await RawClient.connect(running.port)
        assert await alive(running, client)
        assert (await client.hello("Ada")).name == "Club"
        await client.say(protocol.Hello(version=1, name="Eve", client="another secret, and long enough"))
        assert (await client.wait_for(Refused)).code == "hello"


async def test_chat_has_its_limit(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=Limits(chat_minute=6)) as running:
        client = await running.client()
        table = await client.open()
        await client.enter(table)
        await client.say(*[Chat(table=table, text="hello")] * 4)
        answers = [await client.wait_for(protocol.Written, Refused) for _ in range(4)]
        assert [type(answer).__name__ for answer in answers].count("Written") == 2
        await running.pass_by(30)
        await client.say(Chat(table=table, text="hello again"))
        assert (await client.wait_for(protocol.Written)).line.text == "hello again"


async def test_watchers_and_tables_have_their_limits(tmp_path: Path) -> None:
    limits = Limits(watchers=1, at_tables=2)
    async with running_server(tmp_path, limits=limits) as running:
        white, black, table = await game_begun(running)
        first, second = [await running.client("Wim") for _ in range(2)]
        await first.enter(table)
        await second.say(Enter(table=table))
        assert (await second.wait_for(Refused)).code == "limit"
        tables = [await first.open() for _ in range(2)]
        await first.enter(tables[0])
        await first.say(Enter(table=tables[1]))
        assert (await first.wait_for(Refused)).code == "limit"
        await first.say(protocol.Leave(table=table))
        await first.enter(tables[1])
        await running.pass_by(0.2)
        await second.enter(table)
        assert isinstance(await white.do(table, Act(action=first_action(white.states[table]))), Done)
        await level(table, white, black, second)


async def test_a_table_that_is_full_of_happenings_begins_no_other_game(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=Limits(happenings=1)) as running:
        white, black, table = await game_begun_again(running)
        for deed in (protocol.MakeOffer(offer="rematch"), protocol.Start()):
            refused = await white.do(table, deed)
            assert isinstance(refused, Refused)
            assert (refused.code, "open another one" in refused.reason) == ("limit", True)
        assert await alive(running, black)


async def game_begun_again(running: Running) -> tuple[RawClient, RawClient, str]:
    """A table whose first game is over; its limit is looked at only once that is so."""
    limits = running.server.keeper.limits
    running.server.keeper.limits = Limits()
    white, black, table = await game_begun(running)
    await white.do(table, protocol.GiveUp())
    await level(table, white, black)
    running.server.keeper.limits = limits
    return white, black, table
