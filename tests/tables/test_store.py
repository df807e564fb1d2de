"""The store of tables: what it keeps, what it refuses, and what happens when the file does not do it."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dvonn_tui.tables.happenings import Acted, Closed, Happening, Opened, Readied
from dvonn_tui.tables.housekeeping import Housekeeper
from dvonn_tui.tables.protocol import ChatLine
from dvonn_tui.tables.sqlite_file import SCHEMA
from dvonn_tui.tables.sqlite_store import SqliteStore
from dvonn_tui.tables.store import (
    REMEMBERED,
    Addition,
    AlreadyAnswered,
    CommandKey,
    KeptRecord,
    StoreTrouble,
    TableEntry,
    VersionTaken,
)

OPENED = Opened(at=1, title="Ä table", options=("time 10",))
READY = Readied(at=2, side="w")
KEY = CommandKey("client", "c1")

DATA = Path(__file__).parents[1] / "data" / "tables"


def entry(table: str = "AAAA22") -> TableEntry:
    return TableEntry(table, 1, "client", "address", "o1")


def acted(number: int) -> Acted:
    return Acted(at=number, by="w", action="a1b2")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


async def test_what_is_appended_is_read_again_also_by_the_next_one(path: Path) -> None:
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    await store.append(Addition("AAAA22", 2, (READY, acted(3)), KEY, KeptRecord("R22222", 5, "text")))
    await store.write_chat("AAAA22", ChatLine(at=1, name="Ada", side=None, text="hé"), 10)
    await store.close()
    again = SqliteStore(path)
    assert await again.tables() == (entry(),)
    assert await again.log("AAAA22") == (OPENED, READY, acted(3))
    assert await again.log("AAAA22", 1, 1) == (READY,)
    assert await again.answer("AAAA22", KEY) == 3
    assert await again.record("R22222") == "text"
    assert [line.text for line in await again.chat("AAAA22", 5)] == ["hé"]
    await again.close()


async def test_a_version_is_written_once_and_leaves_no_gap(path: Path) -> None:
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    await store.append(Addition("AAAA22", 2, (READY,)))
    for version in (1, 2, 4):
        with pytest.raises(VersionTaken):
            await store.append(Addition("AAAA22", version, (acted(9),), KEY))
    with pytest.raises(VersionTaken):
        await store.open_table(entry(), (OPENED,))
    assert await store.log("AAAA22") == (OPENED, READY)
    assert await store.answer("AAAA22", KEY) is None
    await store.close()


async def test_a_command_is_carried_out_once(path: Path) -> None:
    """Nothing of the second one is kept, not even its record; at another table it is another one."""
    store = SqliteStore(path)
    for table in ("AAAA22", "BBBB22"):
        await store.open_table(entry(table), (OPENED,))
    await store.append(Addition("AAAA22", 2, (READY,), KEY))
    with pytest.raises(AlreadyAnswered) as known:
        await store.append(Addition("AAAA22", 3, (acted(3),), KEY, KeptRecord("R22222", 5, "text")))
    assert known.value.version == 2
    assert await store.record("R22222") is None
    await store.append(Addition("BBBB22", 2, (READY,), KEY))
    await store.close()


async def test_a_command_is_looked_for_among_what_its_sender_had_not_seen(path: Path) -> None:
    """It cannot have been carried out before: so the log of a table is not read for every move."""
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    await store.append(Addition("AAAA22", 2, (READY, acted(3)), KEY, seen=1))
    await store.append(Addition("AAAA22", 4, (acted(4),), CommandKey("other", "c1"), seen=3))
    for seen in (0, 1, 2):
        with pytest.raises(AlreadyAnswered) as known:
            await store.append(Addition("AAAA22", 5, (acted(5),), KEY, seen=seen))
        assert known.value.version == await store.answer("AAAA22", KEY, seen) == 3
    assert await store.answer("AAAA22", KEY, 3) is None
    assert await store.log("AAAA22", 3) == (acted(4),)
    await store.close()


async def test_long_logs_are_not_read_through_for_a_command(path: Path) -> None:
    """Who says that he has seen nothing of a long log costs no more than others."""
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    await store.append(Addition("AAAA22", 2, (READY,), KEY, seen=1))
    await store.append(Addition("AAAA22", 3, tuple(acted(number) for number in range(3, REMEMBERED + 2))))
    assert await store.answer("AAAA22", KEY) == 2
    await store.append(Addition("AAAA22", REMEMBERED + 2, (acted(2),)))
    assert await store.answer("AAAA22", KEY) is None
    await store.close()


async def test_a_file_of_the_first_form_is_taken_over(path: Path) -> None:
    """Tables, chat and records stay, and a command that was carried out is known."""
    with closing(sqlite3.connect(path)) as file:
        file.executescript((DATA / "first_form.sql").read_text(encoding="utf-8"))
    store = SqliteStore(path)
    assert await store.tables() == (entry(),)
    assert await store.log("AAAA22") == (OPENED, READY, acted(3))
    assert await store.answer("AAAA22", KEY) == 3
    assert [line.text for line in await store.chat("AAAA22", 5)] == ["hé"]
    assert await store.record("R22222") == "text"
    await store.append(Addition("AAAA22", 4, (acted(4),), CommandKey("client", "c2"), seen=3))
    await store.close()
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("pragma user_version").fetchone() == (SCHEMA,)
        names = {name for (name,) in file.execute("select name from sqlite_master where type = 'table'")}
    assert names == {"tables", "happenings", "chat", "records"}


async def test_those_who_queue_up_need_no_thread(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first waits for a file that was locked; else a full server would never leave the thread."""
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    waited = []
    patient = SqliteStore._patient_transaction
    monkeypatch.setattr(
        SqliteStore, "_patient_transaction", lambda *given: (waited.append(given), patient(*given))[1]
    )
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        additions = [Addition("AAAA22", version, (acted(version),)) for version in range(2, 8)]
        appending = asyncio.gather(*map(store.append, additions))
        await asyncio.sleep(0.05)
        other.execute("commit")
    await appending
    assert len(waited) == 1
    assert [event.at for event in await store.log("AAAA22", 1)] == [2, 3, 4, 5, 6, 7]
    await store.close()


async def test_one_refusal_does_not_harm_what_is_written_with_it(path: Path) -> None:
    """Each is all or nothing by itself."""
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    additions = [Addition("AAAA22", version, (acted(version),)) for version in (2, 3, 3, 4, 2, 5)]
    outcomes = await asyncio.gather(*map(store.append, additions), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [
        *(type(None), type(None), VersionTaken, type(None), VersionTaken, type(None))
    ]
    assert [event.at for event in await store.log("AAAA22")] == [1, 2, 3, 4, 5]
    await store.close()


async def test_a_closed_table_is_gone_but_its_records_stay(path: Path) -> None:
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    await store.append(Addition("AAAA22", 2, (READY,), KEY, KeptRecord("R22222", 5, "text")))
    await store.write_chat("AAAA22", ChatLine(at=1, name="Ada", side="w", text="x"), 10)
    await store.append(Addition("AAAA22", 3, (Closed(at=3, reason="idle"),), closes=True))
    assert await store.tables() == ()
    assert await store.log("AAAA22") == ()
    assert await store.answer("AAAA22", KEY) is None
    assert await store.chat("AAAA22", 9) == ()
    assert await store.record("R22222") == "text"
    await store.close()


async def test_chat_and_records_do_not_grow_without_end(path: Path) -> None:
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    for number in range(8):
        await store.write_chat("AAAA22", ChatLine(at=number, name="A", side="w", text=str(number)), 5)
        kept = KeptRecord(f"R2222{number}", number, "text")
        await store.append(Addition("AAAA22", number + 2, (acted(number),), record=kept))
    assert [line.text for line in await store.chat("AAAA22", 50)] == ["3", "4", "5", "6", "7"]
    assert [line.text for line in await store.chat("AAAA22", 2)] == ["6", "7"]
    await store.trim_records(3)
    assert [await store.record(f"R2222{number}") for number in (4, 5, 7)] == [None, "text", "text"]
    await store.close()


async def test_a_full_disk_refuses_and_the_store_lives_on(path: Path) -> None:
    """What was asked together with something that did not fit is written all the same."""
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    [pages] = store._writing.execute("pragma page_count").fetchone()
    store._writing.execute(f"pragma max_page_count = {pages + 2}")
    large = KeptRecord("LARGE2", 1, "x" * 100_000)
    outcomes = await asyncio.gather(
        store.append(Addition("AAAA22", 2, (READY,), KEY, large)),
        store.append(Addition("AAAA22", 2, (acted(2),))),
        return_exceptions=True,
    )
    assert isinstance(outcomes[0], StoreTrouble)
    assert "full" in str(outcomes[0])
    assert outcomes[1] is None
    assert await store.log("AAAA22") == (OPENED, acted(2))
    assert await store.answer("AAAA22", KEY) is None
    store._writing.execute("pragma max_page_count = 100000")
    await store.append(Addition("AAAA22", 3, (READY,), KEY, large))
    assert await store.record("LARGE2") == large.text
    await store.close()


async def test_a_file_that_somebody_has_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dvonn_tui.tables.sqlite_store.PATIENCE", 0.05)
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(StoreTrouble, match="locked"):
        await store.append(Addition("AAAA22", 2, (READY,)))
    other.execute("rollback")
    other.close()
    await store.append(Addition("AAAA22", 2, (READY,)))
    await store.close()


async def test_who_waits_for_a_locked_file_keeps_the_order(path: Path) -> None:
    """A thread waits, the loop goes on, and nobody overtakes."""
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    additions = [Addition("AAAA22", version, (acted(version),)) for version in range(2, 8)]
    writing = [asyncio.ensure_future(store.append(addition)) for addition in additions[:4]]
    await asyncio.sleep(0.05)
    assert not any(each.done() for each in writing)
    other.execute("rollback")
    other.close()
    writing += [asyncio.ensure_future(store.append(addition)) for addition in additions[4:]]
    await asyncio.gather(*writing)
    assert [event.at for event in await store.log("AAAA22")] == [1, 2, 3, 4, 5, 6, 7]
    await store.close()


async def test_a_long_log_is_moved_into_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While others write and read, and nothing is missing afterwards."""
    monkeypatch.setattr("dvonn_tui.tables.housekeeping.MOVED_AFTER", 20)
    monkeypatch.setattr("dvonn_tui.tables.housekeeping.LONG_LOG", 50)
    monkeypatch.setattr("dvonn_tui.tables.housekeeping.LOOKED_AFTER", 0.002)
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    for version in range(2, 402):
        await store.append(Addition("AAAA22", version, (acted(version),), CommandKey("c", str(version))))
        if version % 50 == 0:
            assert len(await store.log("AAAA22")) == version
    async with asyncio.timeout(5):
        while path.stat().st_size < 40_000:
            await asyncio.sleep(0.005)
            await store.write_chat("AAAA22", ChatLine(at=1, name="Ada", side="w", text="x"), 10)
    await store.close()
    again = SqliteStore(path)
    assert [event.at for event in await again.log("AAAA22")] == [1, *range(2, 402)]
    await again.close()


async def test_who_reads_the_file_for_long_stops_nobody(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log cannot begin anew then, and gives that up before the others lose their patience."""
    monkeypatch.setattr("dvonn_tui.tables.housekeeping.MOVED_AFTER", 20)
    monkeypatch.setattr("dvonn_tui.tables.housekeeping.LONG_LOG", 20)
    monkeypatch.setattr("dvonn_tui.tables.housekeeping.LOOKED_AFTER", 0.002)
    monkeypatch.setattr("dvonn_tui.tables.sqlite_store.PATIENCE", 0.5)
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    tried = []
    move = Housekeeper._move
    monkeypatch.setattr(Housekeeper, "_move", lambda keeper: (move(keeper), tried.append(1)))
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("begin")
        assert reader.execute("select count(*) from happenings").fetchone() == (1,)
        version = 2
        async with asyncio.timeout(20):
            while len(tried) < 2 or version < 100:
                await store.append(Addition("AAAA22", version, (acted(version),)))
                await asyncio.sleep(0)
                version += 1
    assert len(await store.log("AAAA22")) == version - 1
    await store.close()


async def test_what_a_killed_process_left_in_the_log_is_moved_at_the_start(path: Path) -> None:
    """Else the log would grow from one time to the next."""
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    for version in range(2, 60):
        await store.append(Addition("AAAA22", version, (acted(version),)))
    left = path.with_name("left.sqlite3")
    left.write_bytes(path.read_bytes())
    Path(f"{left}-wal").write_bytes(Path(f"{path}-wal").read_bytes())
    await store.close()
    again = SqliteStore(left)
    assert Path(f"{left}-wal").stat().st_size == 0
    assert len(await again.log("AAAA22")) == 59
    await again.close()


async def test_at_the_end_nobody_waits_for_a_locked_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who waits already does that to his end."""
    monkeypatch.setattr("dvonn_tui.tables.sqlite_store.PATIENCE", 0.2)
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    patience: list[float] = []
    patient = SqliteStore._patient_transaction

    def waiting(own: SqliteStore, work: Any, whole: bool, seconds: float) -> None:
        patience.append(seconds)
        patient(own, work, whole, seconds)

    monkeypatch.setattr(SqliteStore, "_patient_transaction", waiting)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        additions = [Addition("AAAA22", version, (acted(version),)) for version in range(2, 8)]
        appending = asyncio.gather(*map(store.append, additions), return_exceptions=True)
        await asyncio.sleep(0.05)
        await store.close()
        assert [type(outcome) for outcome in await appending] == [StoreTrouble] * 6
    assert patience[0] > 0
    assert patience[1:] == [0.0] * 5


def test_files_that_are_no_store(path: Path) -> None:
    path.write_bytes(b"this is no database at all, but long enough to be asked" * 20)
    with pytest.raises(StoreTrouble, match="not a database"):
        SqliteStore(path)
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute(f"pragma user_version = {SCHEMA + 1}")
    connection.close()
    with pytest.raises(StoreTrouble, match="later version"):
        SqliteStore(path)
    with pytest.raises(StoreTrouble):
        SqliteStore(path.parent / "missing" / "tables.sqlite3")


async def test_a_damaged_log_is_told(path: Path) -> None:
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    store._writing.execute('update happenings set event = \'{"event":"Nonsense"}\'')
    with pytest.raises(StoreTrouble, match="log of table AAAA22 is damaged"):
        await store.log("AAAA22")
    await store.close()


async def test_nothing_is_written_after_the_end(path: Path) -> None:
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    last = asyncio.ensure_future(store.append(Addition("AAAA22", 2, (READY,))))
    await asyncio.sleep(0)
    await store.close()
    await last
    await store.close()
    with pytest.raises(StoreTrouble):
        await store.append(Addition("AAAA22", 3, (READY,)))
    with pytest.raises(StoreTrouble):
        await store.log("AAAA22")
    again = SqliteStore(path)
    assert len(await again.log("AAAA22")) == 2
    await again.close()


WRITER = """
import asyncio, sys
from pathlib import Path
from tests.tables.test_store import OPENED, Addition, SqliteStore, acted, entry

async def write_on():
    store = SqliteStore(Path(sys.argv[1]))
    await store.open_table(entry(), (OPENED,))
    version = 2
    while True:
        additions = [Addition("AAAA22", version + each, (acted(each),)) for each in range(5)]
        await asyncio.gather(*map(store.append, additions))
        version += 5
        print(version - 1, flush=True)

asyncio.run(write_on())
"""


async def test_nothing_that_was_acknowledged_is_lost_when_the_process_is_killed(path: Path) -> None:
    for attempt in range(3):
        own = path.with_name(f"{attempt}.sqlite3")
        call = [sys.executable, "-c", WRITER, str(own)]
        with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(10 + 15 * attempt):
                acknowledged = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            # What it told before it was gone counts as well; the last line may be torn.
            whole = process.stdout.read().split("\n")[:-1]
            acknowledged = int(whole[-1]) if whole else acknowledged
        store = SqliteStore(own)
        log: tuple[Happening, ...] = await store.log("AAAA22")
        assert len(log) >= acknowledged
        assert [event.at for event in log[1:]] == [place % 5 for place in range(len(log) - 1)]
        await store.close()


async def test_a_torn_write_ahead_log_leaves_whole_additions(path: Path) -> None:
    """As after a loss of power: what follows the tear is gone, nothing before it is damaged."""
    store = SqliteStore(path)
    await store.open_table(entry(), (OPENED,))
    for version in range(2, 60, 2):
        await store.append(Addition("AAAA22", version, (acted(version), acted(version + 1))))
    copies = path.with_name("torn.sqlite3")
    copies.write_bytes(path.read_bytes())
    log = Path(f"{path}-wal").read_bytes()
    Path(f"{copies}-wal").write_bytes(log[: len(log) * 2 // 3])
    await store.close()
    torn = SqliteStore(copies)
    kept = await torn.log("AAAA22")
    assert 1 < len(kept) < 59
    assert len(kept) % 2 == 1
    assert [event.at for event in kept[1:]] == list(range(2, len(kept) + 1))
    await torn.append(Addition("AAAA22", len(kept) + 1, (READY,)))
    await torn.close()
