"""Playing at a table through the link: what is on its way, what the server says, what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from dvonn_tui.core.errors import IllegalAction
from dvonn_tui.core.events import AgreeDraw, Move, PlaceRest, Resign
from dvonn_tui.core.game import Step
from dvonn_tui.core.log import CellMark, MarkKind
from dvonn_tui.core.notation import format_action, format_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import legal_moves, play
from dvonn_tui.core.setups import Setup, set_up
from dvonn_tui.records.details import AT as WHEN
from dvonn_tui.records.details import CLOCK, SPENT
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol
from dvonn_tui.tables.happenings import ClockReading
from dvonn_tui.tables.link import TableLink
from dvonn_tui.tables.remote import RemoteTable
from dvonn_tui.tables.remote_session import RemoteSession
from tests.tables.scripted import AT, SEED, TABLE, Diary, Peer, Scripted, began, linked, opened, scripted

FIRST = legal_moves(set_up(Setup.BALANCED, SEED))[0]


@dataclass
class Seat:
    """A client at a table, and the server's end of its line."""

    server: Scripted
    link: TableLink
    peer: Peer
    table: RemoteTable
    diary: Diary

    @property
    def session(self) -> RemoteSession:
        assert self.table.session is not None
        return self.table.session

    @property
    def version(self) -> int:
        return self.table.state.version


@asynccontextmanager
async def seat(folder: Path, side: str | None = "w", *options: str) -> AsyncIterator[Seat]:
    async with scripted() as server, linked(server, folder) as link:
        entering = asyncio.create_task(link.enter(TABLE))
        peer = await server.peer()
        await peer.greet()
        await peer.let_in(opened(*options), side=side)
        table = await entering
        yield Seat(server, link, peer, table, Diary(table))


def acted(move: Move = FIRST, by: str = "w", **changes: object) -> happened.Acted:
    return happened.Acted(at=AT, by=by, action=format_action(move), **changes)  # type: ignore[arg-type]


async def test_a_move_is_on_its_way_until_the_server_says_so(tmp_path: Path) -> None:
    """S01: shown as sending, not as played; a second move is refused."""
    async with seat(tmp_path) as ada:
        session, table = ada.session, ada.table
        steps: list[Step] = []
        session.subscribe(steps.append)
        before = session.game.position
        assert session.submit(FIRST) == ()
        assert table.sending == protocol.Act(action=format_action(FIRST))
        assert session.game.position == before
        for second in (FIRST, legal_moves(before)[1]):
            with pytest.raises(IllegalAction, match=f"{format_action(FIRST, '-')} is on its way"):
                session.submit(second)
        command = await ada.peer.hear(protocol.Command)
        assert (command.deed, command.version) == (table.sending, ada.version)
        assert await ada.peer.silent()
        await ada.peer.say(protocol.Done(table=TABLE, id=command.id, version=ada.version + 1))
        reading = ClockReading(61_000, 60_000, "b")
        news = acted(spent=1_500, clocks=reading)
        await ada.peer.say(protocol.News(table=TABLE, version=ada.version + 1, news=(news,)))
        await ada.diary.until("news")
        assert table.sending is None
        assert session.game.position == table.state.position != before
        assert session.game.head.details == {WHEN: AT / 1000, SPENT: 1.5, CLOCK: 61.0}
        assert [step.entry for step in steps] == list(session.game.log[1:])
        assert ada.diary.of("refused") == []


async def test_the_answer_may_come_before_the_news_or_after(tmp_path: Path) -> None:
    async with seat(tmp_path) as ada:
        ada.session.submit(FIRST)
        command = await ada.peer.hear(protocol.Command)
        await ada.peer.say(protocol.Done(table=TABLE, id=command.id, version=ada.version + 1))
        await ada.peer.say(protocol.Watching(table=TABLE, watchers=("Eve",)))
        await ada.diary.until("watchers")
        assert ada.table.sending is not None  # nothing is played before its news
        await ada.peer.say(protocol.News(table=TABLE, version=ada.version + 1, news=(acted(),)))
        await ada.diary.until("news")
        assert ada.table.sending is None
        # The other way round, the other side's answer in the same message.
        reply = legal_moves(ada.session.game.position)[0]
        mine = legal_moves(_after(ada, reply))[0]
        await ada.peer.say(protocol.News(table=TABLE, version=ada.version + 1, news=(acted(reply, "b"),)))
        await ada.diary.until("news", 2)
        ada.session.submit(mine)
        command = await ada.peer.hear(protocol.Command)
        await ada.peer.say(protocol.News(table=TABLE, version=ada.version + 1, news=(acted(mine),)))
        await ada.diary.until("news", 3)
        assert ada.table.sending is None
        await ada.peer.say(protocol.Done(table=TABLE, id=command.id, version=ada.version))
        await ada.peer.say(protocol.Watching(table=TABLE, watchers=()))
        await ada.diary.until("watchers", 2)
        assert ada.diary.of("refused") == []


def _after(ada: Seat, move: Move) -> Position:
    return play(ada.session.game.position, move)[1]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("already", []),
        ("stale", [f"your move {format_action(FIRST, '-')} was not played: the game had gone on"]),
        ("turn", ["it is not your turn"]),
    ],
)
async def test_a_refused_move(tmp_path: Path, code: str, told: list[str]) -> None:
    async with seat(tmp_path) as ada:
        ada.session.submit(FIRST)
        command = await ada.peer.hear(protocol.Command)
        await ada.peer.say(
            protocol.Refused(id=command.id, code=code, reason="it is not your turn", table=TABLE)
        )
        await ada.diary.until("sending", 2)
        assert ada.table.sending is None
        assert ada.diary.of("refused") == told
        assert ada.session.game.length == 1


async def test_what_is_refused_at_once(tmp_path: Path) -> None:
    """The reason of the rules comes without asking the server, and nothing is sent."""
    async with seat(tmp_path) as ada:
        session = ada.session
        with pytest.raises(IllegalAction, match="moves exactly 1"):
            session.submit(Move(FIRST.source, FIRST.source))
        with pytest.raises(IllegalAction, match="all pieces are placed"):
            session.submit(PlaceRest(1))
        with pytest.raises(IllegalAction, match="resigns for itself"):
            session.submit(Resign(Side.BLACK))
        assert not session.undo()
        assert not session.redo()
        await ada.peer.say(protocol.News(table=TABLE, version=ada.version + 1, news=(acted(),)))
        await ada.diary.until("news")
        with pytest.raises(IllegalAction, match="it is Black's turn"):
            session.submit(legal_moves(session.game.position)[0])
        with pytest.raises(IllegalAction, match="return to the present"):
            session.submit(legal_moves(session.game.log[0].position)[1], after=session.game.log[0])
        session.mark_cells(session.game.head, [CellMark(FIRST.target, MarkKind.STAR)])
        session.comment(session.game.head, "good")
        assert await ada.peer.silent()


async def test_a_watcher_only_watches(tmp_path: Path) -> None:
    """S12, on the client's side."""
    async with seat(tmp_path, None) as eve:
        assert eve.table.side is None
        for action in (FIRST, AgreeDraw(), Resign(Side.WHITE)):
            with pytest.raises(IllegalAction, match="you are watching"):
                eve.session.submit(action)
        assert not eve.session.undo()
        assert await eve.peer.silent()


async def test_resigning_offers_and_takebacks_are_deeds(tmp_path: Path) -> None:
    async with seat(tmp_path) as ada:

        async def asks(deed: protocol.Deed) -> None:
            command = await ada.peer.hear(protocol.Command)
            assert command.deed == deed
            await ada.peer.say(protocol.Done(table=TABLE, id=command.id, version=ada.version))
            await ada.diary.until("sending", len(ada.diary.of("sending")) + 1)

        await ada.peer.say(protocol.News(table=TABLE, version=ada.version + 1, news=(acted(),)))
        await ada.diary.until("news")
        assert ada.session.undo()
        await asks(protocol.MakeOffer(offer="takeback"))
        ada.session.submit(AgreeDraw())
        await asks(protocol.MakeOffer(offer="draw"))
        ada.session.submit(Resign(Side.WHITE))
        await asks(protocol.GiveUp())
        start = ada.session.game.log[0].position
        taken = happened.TakenBack(at=AT, actions=1, position=format_position(start))
        ended = happened.Ended(at=AT, reason="resignation", winner="b")
        await ada.peer.say(protocol.News(table=TABLE, version=ada.version + 1, news=(taken, ended)))
        await ada.diary.until("news", 2)
        outcome = ada.session.game.position.outcome
        assert outcome is not None
        assert outcome.winner is Side.BLACK


async def test_a_rematch_is_another_session_with_colours_exchanged(tmp_path: Path) -> None:
    async with seat(tmp_path) as ada:
        first = ada.session
        news = (
            happened.Ended(at=AT, reason="agreement", winner=None),
            began(2, seed=SEED + 1, white="Bob", black="Ada", exchanged=True),
        )
        await ada.peer.say(protocol.News(table=TABLE, version=ada.version + 1, news=news))
        await ada.diary.until("news")
        assert ada.diary.changes[-1][0] == "news"
        assert [kind for kind, _ in ada.diary.changes] == ["seated", "session", "news"]
        assert ada.session is not first
        assert ada.table.side is Side.BLACK
        assert ada.session.name_of(Side.BLACK) == "Ada"
        assert first.game.position.over
        with pytest.raises(Exception, match="over"):
            first.submit(FIRST)
