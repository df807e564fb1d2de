"""The tables of a server: opening, finding and closing them, and changing them in one place.

Whatever changes a table goes through `Keeper.change`: a rule says what happens, the store keeps it, and
only then is it so, in memory and for everybody at the table. If the store cannot keep it, nothing has
happened. No socket is known here; guests are anything that takes messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from itertools import islice
from typing import Any, Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.pieces import Side
from dvonn_tui.play.launch import draw_seed
from dvonn_tui.tables import ruling
from dvonn_tui.tables.happenings import Closed, Happening, Opened, RecordKept
from dvonn_tui.tables.hosted import Guest, HostedTable, folded
from dvonn_tui.tables.ids import draw_id
from dvonn_tui.tables.limits import Limits
from dvonn_tui.tables.options import DEFAULT_OPTIONS, with_option
from dvonn_tui.tables.protocol import Deed, News, Refused, Tables, Watching, encode, fitting
from dvonn_tui.tables.records_kept import NoRecord, record_of
from dvonn_tui.tables.register import Register
from dvonn_tui.tables.ruling import Moment, Refusal
from dvonn_tui.tables.seat_tokens import Secrets
from dvonn_tui.tables.service_log import ServiceLog
from dvonn_tui.tables.store import (
    Addition,
    CommandKey,
    KeptRecord,
    Store,
    StoreTrouble,
    TableEntry,
    VersionTaken,
)
from dvonn_tui.tables.table import Stage, TableState
from dvonn_tui.tables.timing import TimeSource, moment_of

LISTED: Final = 60
"""Tables in a list at most, as far as they fit into `LIST_BYTES`."""

LIST_BYTES: Final = 60_000
"""Bytes of them, so that the list fits into a message."""

TOLD_AT_ONCE: Final = 200
"""Happenings in one message, as far as they fit into `NEWS_BYTES`."""

NEWS_BYTES: Final = 30_000
"""Bytes of them: about half of a message. The rest of `Entered` has its own bounds."""

AGAIN: Final = 3.0
"""Seconds after which a table is looked at again when the store was in trouble."""

LAST_WORK: Final = 0.5
"""Seconds for what is still being done when the server stops."""

OVERFULL: Final = 4
"""A table at which so many times `Limits.happenings` have happened is closed."""

SHORTEST_WAIT: Final = 0.002
"""Seconds until a table is looked at again at the earliest."""

SPREAD: Final = 0.1
"""Seconds for which changes among the watchers are collected before everybody is told."""

FOLDED_AT_ONCE: Final = 20
"""Happenings that are folded before others have their turn, when a long log is read."""

TROUBLE: Final = "the server cannot keep that now; nothing has happened. Try again in a moment"

NO_TABLE: Final = "there is no such table here; it may have been closed"

NO_WATCHERS: Final = "nobody may watch at this table"

Rule = Callable[[TableState, Callable[[], Sequence[Happening]]], tuple[Happening, ...]]
"""What happens at a table: it is given the state, and what gives the log since its game began."""

Listener = Callable[[str, TableState, tuple[Happening, ...]], None]
"""Is told the id of a table, how it stands, and what happened; nothing when it was only loaded."""


class _LogWanted(Exception):
    """A rule asks for the log of the game, which is not in memory."""


class Keeper:
    """All tables of a server."""

    def __init__(
        self, store: Store, marks: Secrets, limits: Limits, log: ServiceLog, clock: TimeSource, name: str
    ) -> None:
        """`name` is that of the server; `start` begins the work."""
        self.store = store
        self.secrets = marks
        self.limits = limits
        self.log = log
        self.clock = clock
        self.name = name
        self.closing = False
        self._register = Register(limits)
        self._tables: dict[str, HostedTable] = {}
        self._loading: dict[str, asyncio.Task[HostedTable]] = {}
        self._listeners: list[Listener] = []
        self._tasks: set[asyncio.Task[Any]] = set()

    # The whole

    async def start(self) -> None:
        """Take up the tables of the store. Each is there as soon as it is asked for; the others follow.

        Raises:
            StoreTrouble: the store cannot be read.
        """
        for entry in await self.store.tables():
            self._register.add(entry)
        self.spawn(self._load_all())

    async def close(self) -> None:
        """End all work, and close the store."""
        self.closing = True
        for table in self._tables.values():
            if table.alarm is not None:
                table.alarm.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=LAST_WORK)
        for task in list(self._tasks):
            task.cancel()
        await self.store.close()

    def subscribe(self, listener: Listener) -> None:
        """Tell a listener of whatever happens at any table, after it was stored."""
        self._listeners.append(listener)

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Let something be done beside; what goes wrong in it is in the log."""
        task = asyncio.get_running_loop().create_task(self._watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watched(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except Exception as problem:
            self.log.fault("work beside", problem)

    @property
    def busy(self) -> bool:
        """True while something is being done beside."""
        return bool(self._tasks)

    @property
    def counts(self) -> tuple[int, int]:
        """How many tables are open, and at how many of those in memory a game is running."""
        return len(self._register), sum(table.state.in_game for table in self._tables.values())

    def listed(self) -> Tables:
        """The tables, newest first."""
        newest = islice(reversed(self._tables.values()), LISTED)
        lines = fitting((table.line() for table in newest), LIST_BYTES)
        return Tables(tables=lines, more=max(len(self._register) - len(lines), 0))

    # Opening and finding

    async def open_table(self, guest: Guest, command: str, title: str, options: Sequence[str]) -> str:
        """Open a table and return its id; for a request that comes again, that of the table it opened.

        Raises:
            Refusal: an option is none, or there are too many tables.
        """
        known = self._register.opened(guest, command)
        if known is not None:
            return known
        at = self.clock.wall()
        entry = self._register.new_entry(guest, command, at)
        chosen = DEFAULT_OPTIONS
        for text in options:
            try:
                chosen = with_option(chosen, text)
            except ValueError as problem:
                raise Refusal("illegal", str(problem)) from problem
        shown = clean_line(title, self.limits.title) or clean_line(f"{guest.name}'s table", self.limits.title)
        opened = Opened(at=at, title=shown, options=chosen.texts())
        self._register.add(entry)
        try:
            await self.store.open_table(entry, (opened,))
        except (StoreTrouble, VersionTaken) as trouble:
            self._register.remove(entry)
            self.log.event("store-trouble", table=entry.id, reason=str(trouble))
            raise Refusal("trouble", TROUBLE) from trouble
        table = HostedTable(entry)
        table.state = folded(table.state, (opened,), self.clock.now())
        self._tables[entry.id] = table
        self.set_alarm(table)
        self.log.event("table-opened", table=entry.id, client=guest.mark, address=guest.address)
        return entry.id

    async def find(self, table: str) -> HostedTable:
        """A table in memory, read from the store when it is not there yet.

        Raises:
            Refusal: there is no such table, or it cannot be read now.
        """
        hosted = self._tables.get(table)
        if hosted is not None:
            return hosted
        entry = self._register.get(table)
        if entry is None:
            raise Refusal("table", NO_TABLE)
        loading = self._loading.get(table)
        if loading is None:
            loading = asyncio.get_running_loop().create_task(self._load(entry))
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        try:
            hosted = await asyncio.shield(loading)
        except (StoreTrouble, DvonnError, ValueError) as problem:
            self.log.fault("loading", problem, table=table)
            raise Refusal("trouble", "this table cannot be read now") from problem
        if hosted.state.stage is Stage.CLOSED:
            raise Refusal("table", NO_TABLE)
        return hosted

    async def told_next(
        self, table: HostedTable, since: int, most: int = TOLD_AT_ONCE
    ) -> tuple[Happening, ...]:
        """What happened at a table after a version: at most so much, and as fits into one message.

        Raises:
            StoreTrouble: the log cannot be read.
        """
        return fitting(await self.store.log(table.id, since, min(most, TOLD_AT_ONCE)), NEWS_BYTES)

    async def _load(self, entry: TableEntry) -> HostedTable:
        """Read a table. Its players count as away from now on: nobody is charged for the time before."""
        events = await self.store.log(entry.id)
        if not events:
            raise ValueError("its log is empty")
        table = HostedTable(entry)
        now = self.clock.now()
        for start in range(0, len(events), FOLDED_AT_ONCE):
            table.state = folded(table.state, events[start : start + FOLDED_AT_ONCE], now)
            await asyncio.sleep(0)
        table.last = events[-1].at
        self._tables[entry.id] = table
        async with table.lock:
            await self._settle(table)
        for listener in self._listeners:
            listener(entry.id, table.state, ())
        return table

    async def _load_all(self) -> None:
        for known in self._register:
            if self.closing:
                return
            try:
                await self.find(known)
            except Refusal:
                continue  # It is in the log, and tried again when somebody asks for it.
            await asyncio.sleep(0.001)

    # Changing

    async def change(
        self, table: HostedTable, rule: Rule, key: CommandKey | None = None, seen: int = 0
    ) -> None:
        """Let happen at a table what a rule says. Whoever calls it holds the table's lock.

        A command has its key, and the version that whoever sent it had seen.

        Raises:
            Refusal: the rule said no, or the store cannot keep it; the table is as before.
            AlreadyAnswered: the command of this key was carried out before.
        """
        before = table.state
        try:
            news = await self._decided(table, rule)
            if not news:
                return
            after = folded(before, news, self.clock.now())
            news, record = await self._with_record(table, after, news)
            closes = any(isinstance(each, Closed) for each in news)
            await self.store.append(Addition(table.id, before.version + 1, news, key, record, closes, seen))
        except VersionTaken as taken:
            await self._catch_up(table)
            raise Refusal("trouble", TROUBLE) from taken
        except StoreTrouble as trouble:
            self.log.event("store-trouble", table=table.id, reason=str(trouble))
            self.set_alarm(table, soon=True)
            raise Refusal("trouble", TROUBLE) from trouble
        self._happened(table, folded(after, news[after.version - before.version :], self.clock.now()), news)

    async def _decided(self, table: HostedTable, rule: Rule) -> tuple[Happening, ...]:
        """What a rule says; the log of the game is read from the store only for those that ask for it."""

        def wanted() -> Sequence[Happening]:
            raise _LogWanted

        try:
            return rule(table.state, wanted)
        except _LogWanted:
            log = await self.store.log(table.id, max(table.state.began - 1, 0))
            return rule(table.state, lambda: log)

    async def _with_record(
        self, table: HostedTable, after: TableState, news: tuple[Happening, ...]
    ) -> tuple[tuple[Happening, ...], KeptRecord | None]:
        """When a game has just ended whose record is wanted: the record, and that it is kept."""
        before = table.state
        if not (before.in_game and after.stage is Stage.OVER and after.options.log):
            return news, None
        log = await self.store.log(table.id, before.began - 1)
        at = news[-1].at
        try:
            record = KeptRecord(draw_id(), at, record_of((*log, *news), before.options, self.name))
        except (NoRecord, DvonnError, ValueError) as problem:
            self.log.fault("keeping a record", problem, table=table.id)
            return news, None
        return (*news, RecordKept(at=at, id=record.id)), record

    def _happened(self, table: HostedTable, after: TableState, news: tuple[Happening, ...]) -> None:
        """What was stored is so, and everybody is told."""
        first = table.state.version + 1
        table.state = after
        table.last = news[-1].at
        table.tell(encode(News(table=table.id, version=first, news=news)))
        for listener in self._listeners:
            listener(table.id, after, news)
        if after.stage is Stage.CLOSED:
            self._gone(table)
            return
        self._send_watchers_away(table)
        self.set_alarm(table)
        if any(isinstance(each, RecordKept) for each in news):
            self.spawn(self.store.trim_records(self.limits.records))

    async def _catch_up(self, table: HostedTable) -> None:
        """Another writer was there: take in what it wrote."""
        try:
            while missed := await self.told_next(table, table.state.version):
                after = folded(table.state, missed, self.clock.now())
                self._happened(table, after, missed)
        except (StoreTrouble, DvonnError, ValueError) as problem:
            self.log.fault("catching up", problem, table=table.id)

    def _gone(self, table: HostedTable) -> None:
        if table.alarm is not None:
            table.alarm.cancel()
        table.places.clear()
        self._tables.pop(table.id, None)
        self._register.remove(table.entry)
        self.log.event("table-closed", table=table.id)

    def _send_watchers_away(self, table: HostedTable) -> None:
        """Where nobody may watch, who has no seat can stay only as long as one is free."""
        if table.state.options.watchers or len(table.state.seats) < len(Side):
            return
        for place in table.watching():
            refused = Refused(
                id=None, code="seat", reason=NO_WATCHERS, table=table.id, version=table.state.version
            )
            place.guest.deliver(encode(refused))
            del table.places[place.guest]
            self.watchers_changed(table)

    async def act(self, table_id: str, side: Side, deed: Deed, seen: int) -> None:
        """Do something for a side that has no line here: a bot's.

        Raises:
            Refusal: it cannot be done, or there is no such table.
        """
        table = await self.find(table_id)
        moment = moment_of(self.clock)
        async with table.lock:
            await self.change(table, self.deed_rule(deed, side, moment, seen))

    def deed_rule(self, deed: Deed, side: Side | None, moment: Moment, seen: int) -> Rule:
        """The rule that a side does something."""
        return lambda state, history: ruling.decide(
            state, deed, side, moment, seen=seen, history=history, draw_seed=draw_seed
        )

    # What happens by itself

    def set_alarm(self, table: HostedTable, *, soon: bool = False) -> None:
        """See to it that the table is looked at when something may be due. It may be looked at too early."""
        now = self.clock.now()
        deadline = ruling.next_deadline(table.state, now)
        if deadline is None or soon or table.alarm is None:
            idle = now + table.life(self.limits) - (self.clock.wall() - table.last) / 1000
            deadline = idle if deadline is None else min(deadline, idle)
        when = now + AGAIN if soon else max(deadline, now + SHORTEST_WAIT)
        if table.alarm is not None:
            if table.rings <= when:
                return
            table.alarm.cancel()
        table.rings = when
        table.alarm = self.clock.ring_at(when, lambda: self._ring(table))

    def _ring(self, table: HostedTable) -> None:
        table.alarm = None
        if not self.closing:
            self.spawn(self.look(table))

    async def look(self, table: HostedTable) -> None:
        """Do what is due at a table: who came or went, a flag, an absence, the end of an idle table."""
        async with table.lock:
            # Who was at a table when it was closed leaves it later.
            if table.state.stage is not Stage.CLOSED:
                await self._settle(table)

    async def _settle(self, table: HostedTable) -> None:
        try:
            for side in Side:
                await self.change(table, self._presence_rule(table, side))
            await self.change(table, lambda state, _: ruling.overdue(state, moment_of(self.clock)))
            if self.clock.wall() - table.last >= table.life(self.limits) * 1000:
                await self.change(table, lambda state, _: ruling.idle(state, moment_of(self.clock)))
            elif table.state.version >= self.limits.happenings * OVERFULL:
                await self.change(table, self._overfull_rule)
                if table.state.stage is Stage.OVER:
                    await self.change(table, self._overfull_rule)
        except Refusal:
            self.set_alarm(table, soon=True)
            return
        if table.state.stage is not Stage.CLOSED:
            self.set_alarm(table)

    def _presence_rule(self, table: HostedTable, side: Side) -> Rule:
        """The rule that a player has gone or come back, if he has."""

        def rule(state: TableState, _: Callable[[], Sequence[Happening]]) -> tuple[Happening, ...]:
            if side not in state.seats:
                return ()
            changed = ruling.come_back if table.here(side) else ruling.go_away
            return changed(state, side, moment_of(self.clock))

        return rule

    def _overfull_rule(
        self, state: TableState, history: Callable[[], Sequence[Happening]]
    ) -> tuple[Happening, ...]:
        """The rule that a table is closed whose log grows without end, as by a line cut again and again."""
        return ruling.overfull(state, history(), moment_of(self.clock))

    def watchers_changed(self, table: HostedTable) -> None:
        """Tell everybody at a table who watches now, once for all that changes within a moment."""
        if table.watchers_told:
            table.watchers_told = False
            self.clock.ring_at(self.clock.now() + SPREAD, lambda: self._tell_watchers(table))

    def _tell_watchers(self, table: HostedTable) -> None:
        table.watchers_told = True
        table.tell(encode(Watching(table=table.id, watchers=table.watchers())))
