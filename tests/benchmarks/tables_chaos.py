"""What becomes of games when lines are cut, commands come twice or in another order, and the server is
killed: every player, every watcher and the store have to know the same in the end.

Used by a test as well, with fewer of everything.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

import msgspec

from dvonn_tui.core.notation import format_action
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import legal_moves, legal_placements
from dvonn_tui.tables.happenings import Acted, Began, Happening
from dvonn_tui.tables.protocol import (
    Act,
    Answer,
    Chat,
    Command,
    Decline,
    Deed,
    Done,
    Enter,
    Entered,
    MakeOffer,
    News,
    OpenTable,
    Refused,
    Seated,
    Sit,
    Start,
    TableOpened,
    Withdraw,
)
from dvonn_tui.tables.table import EMPTY_TABLE, Offer, Stage, TableState, evolve
from tests.benchmarks.processes import ServerProcess, tables_server
from tests.benchmarks.tables import table as printed
from tests.benchmarks.wire import Client

LIMITS: Final = {"rate": 1000, "burst": 1000, "connections_address": 1000, "arrivals": 1_000_000}
"""Limits of a server to which players come back again and again, all from one address."""

PAUSE: Final = 0.01
"""Seconds between two looks at what could be done."""

SILENCE: Final = 1.0
"""Seconds after which a command that was not answered is sent again."""

LONGEST: Final = 600.0
"""Seconds that all may take at most."""


@dataclass
class Counts:
    """What was done to them."""

    cuts: int = 0
    kills: int = 0
    commands: int = 0
    """Commands, each counted once."""
    repeated: int = 0
    """Times that a command was sent again, answered before or not."""
    reordered: int = 0
    """Times that commands were sent in another order than they were made in."""
    acted: int = 0
    games: int = 0

    def add(self, other: Counts) -> None:
        """Take others in."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass
class Sent:
    """A command that was sent, and every answer to it."""

    command: Command
    at: float
    answers: list[Done | Refused] = field(default_factory=list)

    @property
    def settled(self) -> bool:
        """True when it was carried out or refused; False when the server could do neither."""
        return any(isinstance(answer, Done) or answer.code != "trouble" for answer in self.answers)


class Person:
    """Somebody at a table: a player of a side, or a watcher. He keeps what a client keeps."""

    def __init__(self, name: str, side: Side | None, chance: random.Random) -> None:
        self.name = name
        self.side = side
        self.table = ""
        self.token = ""
        self.state: TableState = EMPTY_TABLE
        self.log: list[Happening] = []
        self.sent: dict[str, Sent] = {}
        self.faults: list[str] = []
        self.counts = Counts()
        self.client: Client | None = None
        self.entered = False
        self.calm = False
        self._chance = chance
        self._numbers = 0

    # Hearing

    def hear(self, answer: Answer, when: float) -> None:
        """See `Client.hear`."""
        match answer:
            case Entered(table=table, since=since, news=news) if table == self.table:
                self._fold(since, news)
                self.entered = True
            case News(table=table, version=version, news=news) if table == self.table:
                self._fold(version - 1, news)
            case Done() | Refused():
                sent = self.sent.get(answer.id or "")
                if sent is not None:
                    sent.answers.append(answer)
                else:
                    self.faults.append(f"an answer to nothing: {answer}")

    def _fold(self, since: int, news: Sequence[Happening]) -> None:
        if since != len(self.log):
            self.faults.append(f"told what follows {since}, knows {len(self.log)}")
            return
        for event in news:
            self.log.append(event)
            self.state = evolve(self.state, event, 0.0)

    # Coming and going

    async def come(self, port: int) -> None:
        """Open a line, and be at the table as before; then send again what was not answered.

        Raises:
            OSError, TimeoutError: there is no server just now, or it was killed meanwhile.
        """
        self.entered = False
        self.client = client = await Client.connected(port, hear=self.hear)
        await client.hello(self.name, f"the secret of {self.name}")
        if self.table:
            await self._enter(client)
            unanswered = [sent for sent in self.sent.values() if not sent.settled]
            self._chance.shuffle(unanswered)
            for sent in unanswered:
                self._repeat(sent)

    async def _enter(self, client: Client) -> None:
        at = self.log[-1].at if self.log else 0
        wish = Enter(table=self.table, token=self.token, since=len(self.log), at=at)
        answer = await client.ask(wish, Entered, Refused)
        if isinstance(answer, Refused):
            self.faults.append(f"not let in again: {answer}")
        elif self.token and answer.side is None:
            self.faults.append("came back without the seat")

    async def sit(self) -> None:
        """Take the seat, once."""
        assert self.client is not None
        assert self.side is not None
        await self._enter(self.client)
        wish = Sit(table=self.table, id="sit", side=str(self.side))
        self.token = (await self.client.ask(wish, Seated)).token

    def cut(self) -> None:
        """Lose the line."""
        if self.client is not None:
            self.client.wire.cut()
            self.client = None
            self.entered = False

    @property
    def here(self) -> bool:
        """True with a line on which he is at the table."""
        return self.entered and self.client is not None and not self.client.wire.ended.done()

    # Doing

    @property
    def own_side(self) -> Side | None:
        """The side of his seat now: a rematch exchanges colours."""
        if self.side is None:
            return None
        return next((side for side, seat in self.state.seats.items() if seat.name == self.name), None)

    def do(self, deed: Deed) -> None:
        """Send a new command."""
        self._numbers += 1
        command = Command(
            table=self.table,
            id=f"{self.name.replace(' ', '')}-{self._numbers}",
            version=self.state.version,
            deed=deed,
        )
        self.sent[command.id] = Sent(command, time.monotonic())
        self.counts.commands += 1
        self._say(command)

    def _say(self, command: Command) -> None:
        if self.client is not None and not self.client.wire.ended.done():
            self.client.say(command)

    def _repeat(self, sent: Sent) -> None:
        self.counts.repeated += 1
        sent.at = time.monotonic()
        self._say(sent.command)

    def look(self) -> None:
        """Do what is to be done now, and some of what should better not be done."""
        if not self.here or self.client is None:
            return
        waiting = [sent for sent in self.sent.values() if not sent.settled]
        for sent in waiting:
            if time.monotonic() - sent.at > SILENCE:
                self._repeat(sent)
        if self.side is None or waiting:
            return
        if not self.calm and self.sent and self._chance.random() < 0.15:
            for sent in self._chance.choices(list(self.sent.values()), k=2):
                self._repeat(sent)
        deeds = self._deeds()
        if len(deeds) > 1 and self._chance.random() < 0.5:
            deeds.reverse()
            self.counts.reordered += 1
        for deed in deeds:
            self.do(deed)
        if deeds and not self.calm and self._chance.random() < 0.3:
            self._repeat(list(self.sent.values())[-1])

    def _deeds(self) -> list[Deed]:
        """What this player wants now."""
        state, side = self.state, self.own_side
        if self.calm or side is None:
            return []
        if not state.in_game:
            ready = side in state.ready or state.stage is Stage.CLOSED or len(state.seats) < 2
            return [] if ready else [Start()]
        if state.offered(side.other, Offer.TAKEBACK):
            return [self._chance.choice([MakeOffer(offer="takeback"), Decline(offer="takeback")])]
        if state.stage is not Stage.PLAYING or state.position.side is not side:
            return []
        legal = legal_placements(state.position) or legal_moves(state.position)
        deeds: list[Deed] = [Act(action=format_action(self._chance.choice(legal)))]
        if self._chance.random() < 0.1:
            # Two at once: whichever is first makes the other late, or goes with it.
            deeds.append(self._chance.choice([MakeOffer(offer="takeback"), Withdraw(offer="draw"), deeds[0]]))
        if self._chance.random() < 0.1 and self.client is not None:
            self.client.say(Chat(table=self.table, text=f"{self.name} says something"))
        return deeds

    # In the end

    def check(self) -> list[str]:
        """What is wrong with the answers: each command was done once or refused, and is in the log or not
        accordingly."""
        wrong = [f"{self.name}: {fault}" for fault in self.faults]
        versions: dict[int, str] = {}
        for id_, sent in self.sent.items():
            done = {answer.version for answer in sent.answers if isinstance(answer, Done)}
            refused = {
                answer.code
                for answer in sent.answers
                if isinstance(answer, Refused) and answer.code != "trouble"
            }
            if not sent.settled:
                wrong.append(f"{id_} was never answered")
            if len(done) > 1 or (done and refused):
                wrong.append(f"{id_} has several answers: {done} {refused}")
            if isinstance(sent.command.deed, Act):
                for version in done:
                    event = self.log[version - 1] if version <= len(self.log) else None
                    fits = isinstance(event, Acted) and event.action == sent.command.deed.action
                    if not fits or version in versions:
                        wrong.append(f"{id_} is done at {version}: {event}, {versions.get(version)}")
                    versions[version] = id_
        return wrong


class Company:
    """Two players and a watcher at one table."""

    def __init__(self, number: int, chance: random.Random) -> None:
        self.chance = chance
        self.white = Person(f"Ada {number}", Side.WHITE, chance)
        self.black = Person(f"Bea {number}", Side.BLACK, chance)
        self.watcher = Person(f"Cem {number}", None, chance)
        self.everybody = (self.white, self.black, self.watcher)

    async def begin(self, port: int, options: tuple[str, ...]) -> None:
        """Meet at a table."""
        for person in self.everybody:
            await person.come(port)
        assert self.white.client is not None
        opened = await self.white.client.ask(OpenTable(id="open", options=options), TableOpened)
        for person in self.everybody:
            person.table = opened.table
        for player in (self.white, self.black):
            await player.sit()
        assert self.watcher.client is not None
        await self.watcher._enter(self.watcher.client)

    @property
    def level(self) -> bool:
        """True when all are there, know as much, and have all their answers."""
        heads = {len(person.log) for person in self.everybody}
        answered = all(sent.settled for person in self.everybody for sent in person.sent.values())
        return len(heads) == 1 and answered and all(person.here for person in self.everybody)

    def check(self, stored: Sequence[Happening]) -> list[str]:
        """What is wrong at this table."""
        wrong = [fault for person in self.everybody for fault in person.check()]
        for person in self.everybody:
            if person.log != list(stored):
                wrong.append(f"{person.name} knows {len(person.log)} happenings, the store {len(stored)}")
        acted = sum(isinstance(event, Acted) for event in stored)
        done = [
            id_
            for person in self.everybody
            for id_, sent in person.sent.items()
            if isinstance(sent.command.deed, Act) and any(isinstance(each, Done) for each in sent.answers)
        ]
        if acted != len(done):
            wrong.append(f"{acted} actions at {self.white.table}, {len(done)} were said to be done")
        return wrong


@dataclass
class Outcome:
    """What became of it.

    Attributes:
        counts: what was done.
        happenings: how long the logs are together.
        wrong: what was lost, doubled or different, in words.
        seconds: how long it took.
    """

    counts: Counts
    happenings: int
    wrong: list[str]
    seconds: float


class Chaos:
    """Some tables, and a server that is killed again and again."""

    def __init__(self, folder: Path, tables: int, seed: int) -> None:
        self.companies = [Company(number, random.Random(seed + number)) for number in range(tables)]
        self.people = [person for company in self.companies for person in company.everybody]
        self.counts = Counts()
        self._folder = folder
        self._chance = random.Random(seed - 1)
        self._server: ServerProcess
        self._over = False

    async def run(self, cuts: int, kills: int) -> Outcome:
        """Do all that to them, then let them come to rest, and see what they know."""
        begun = time.monotonic()
        await self._start(0)
        try:
            async with asyncio.timeout(LONGEST):
                for number, company in enumerate(self.companies):
                    options = ("time 60+5", "profi" if number % 3 == 0 else "balanced")
                    await company.begin(self._server.port, options)
                lives = [asyncio.create_task(self._live(person)) for person in self.people]
                await self._disturb(cuts, kills)
                for person in self.people:
                    person.calm = True
                while not all(company.level for company in self.companies):
                    for life in lives:
                        if life.done():
                            life.result()
                    await asyncio.sleep(PAUSE)
                self._over = True
                await asyncio.gather(*lives)
            wrong = self._check()
        finally:
            if self._server.stop() != 0:
                self.counts.kills = -1
        return Outcome(self._counted(), self._happenings, wrong, time.monotonic() - begun)

    async def _start(self, port: int) -> None:
        log = self._folder / "server.log"
        self._server = await asyncio.to_thread(tables_server, self._folder, LIMITS, port, log)

    async def _live(self, person: Person) -> None:
        """Be at the table, and come back to it, until all is over."""
        while not self._over:
            if person.here:
                person.look()
            else:
                person.cut()
                with suppress(OSError, TimeoutError):
                    await person.come(self._server.port)
            await asyncio.sleep(self._chance.uniform(0, 2 * PAUSE))

    async def _disturb(self, cuts: int, kills: int) -> None:
        """Cut lines and kill servers, mixed, until there were enough of both."""
        share = max(cuts // max(kills, 1), 1)
        while self.counts.cuts < cuts or self.counts.kills < kills:
            await asyncio.sleep(self._chance.uniform(0, 4 * PAUSE))
            person = self._chance.choice(self.people)
            if person.here and self.counts.cuts < cuts:
                person.cut()
                self.counts.cuts += 1
            due = self.counts.cuts >= (self.counts.kills + 1) * share or self.counts.cuts >= cuts
            if self.counts.kills < kills and due:
                self._server.kill()
                self.counts.kills += 1
                await asyncio.sleep(self._chance.uniform(0, 0.1))
                await self._start(self._server.port)
                await asyncio.sleep(self._chance.uniform(0.1, 0.5))

    def _check(self) -> list[str]:
        decoder = msgspec.json.Decoder(Happening)
        stored: dict[str, list[Happening]] = {}
        path = self._folder / "data" / "tables.sqlite3"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
            rows = store.execute("select table_id, event from happenings order by table_id, version")
            for name, text in rows:
                stored.setdefault(name, []).append(decoder.decode(text))
        self._happenings = sum(map(len, stored.values()))
        events = [event for log in stored.values() for event in log]
        self.counts.acted = sum(isinstance(event, Acted) for event in events)
        self.counts.games = sum(isinstance(event, Began) for event in events)
        return [
            fault
            for company in self.companies
            for fault in company.check(stored.get(company.white.table, []))
        ]

    def _counted(self) -> Counts:
        total = self.counts
        for person in self.people:
            total.add(person.counts)
        return total


async def chaos(folder: Path, tables: int, cuts: int, kills: int, seed: int = 1) -> Outcome:
    """Let some tables go through so many cut lines and killed servers."""
    return await Chaos(folder, tables, seed).run(cuts, kills)


def report(tables: int, cuts: int, kills: int) -> str:
    """The table of it."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(chaos(Path(folder), tables, cuts, kills))
    counts = outcome.counts
    head = ["tables", "lines cut", "kill -9", "commands", "sent again", "reordered", "games", "actions"]
    head += ["happenings", "seconds", "lost, doubled, different"]
    row = [tables, counts.cuts, counts.kills, counts.commands, counts.repeated, counts.reordered]
    row += [counts.games, counts.acted, outcome.happenings, round(outcome.seconds), len(outcome.wrong)]
    lines = [printed(head, [[f"{value:,}" for value in row]])]
    return "\n".join([*lines, *(f"wrong: {fault}" for fault in outcome.wrong[:10])])
