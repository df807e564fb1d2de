"""What guests do at tables: come, sit down, play, write and go, each answered with messages.

A guest has a seat by its token, or by being the installation that took it. Of several lines the newest
one plays. Nothing that a watcher sends changes anything: the rules are asked with no side for him.
"""

from __future__ import annotations

from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.pieces import Side
from dvonn_tui.tables import ruling
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.hosted import Guest, HostedTable, Place
from dvonn_tui.tables.keeper import NO_TABLE, NO_WATCHERS, TOLD_AT_ONCE, TROUBLE, Keeper
from dvonn_tui.tables.names import told_apart
from dvonn_tui.tables.protocol import (
    Chat,
    ChatLine,
    Command,
    Done,
    Enter,
    Entered,
    News,
    Refused,
    SeatBot,
    Seated,
    Sit,
    Start,
    Written,
    encode,
    fitting,
    is_offer,
)
from dvonn_tui.tables.ruling import Refusal
from dvonn_tui.tables.seating import check_open
from dvonn_tui.tables.store import AlreadyAnswered, CommandKey, StoreTrouble
from dvonn_tui.tables.table import Offer, Stage, reading_of
from dvonn_tui.tables.timing import moment_of

CHAT_TOLD: Final = 50
"""Lines of chat that are told on entering, as far as they fit into `CHAT_BYTES`."""

CHAT_BYTES: Final = 12_000

ELSEWHERE: Final = "you play at this table from another place now"


class Visits:
    """All that guests do."""

    def __init__(self, keeper: Keeper) -> None:
        """At the tables of a keeper."""
        self._keeper = keeper
        self._at: dict[Guest, set[HostedTable]] = {}

    # Coming and going

    async def enter(self, guest: Guest, wish: Enter) -> None:
        """Let a guest come to a table, and tell him all that happened there since he last saw it.

        A log too long for one message is told by `News` before `Entered`.

        Raises:
            Refusal: there is no such table, or no room for another watcher.
        """
        keeper = self._keeper
        table = await keeper.find(wish.table)
        self._check_tables(guest, table)
        self._check_welcome(table, guest, self._seat_of_token(table, wish.token))
        anew = not await self._has_happened(table, wish)
        told = 0 if anew else wish.since
        while told + len(part := await self._log(table, told)) < table.state.version:
            # A long log goes out piece by piece, as fast as it is read there, while the others play on.
            await guest.send(encode(_news(table, told, part, anew=anew)))
            told, anew = told + len(part), False
        async with table.lock:
            check_open(table.state)
            seat = self._seat_of_token(table, wish.token)
            self._check_welcome(table, guest, seat)
            side = _side_of_seat(table, seat)
            if side is not None:
                await keeper.change(
                    table, lambda state, _: ruling.come_back(state, side, moment_of(keeper.clock))
                )
            while told + len(part := await self._log(table, told)) < table.state.version:
                # Few happenings: those of the meantime that are more than one message takes.
                guest.deliver(encode(_news(table, told, part)))
                told += len(part)
            entered = await self._entered(guest, table, seat, told, part)
            self._take_place(guest, table, seat)
            guest.deliver(encode(entered))
            keeper.set_alarm(table)
            keeper.watchers_changed(table)

    async def _has_happened(self, table: HostedTable, wish: Enter) -> bool:
        """False when what a guest has seen was lost here with the power: he begins anew. Other things may
        have happened in its place. Raises Refusal."""
        if wish.since == 0 or wish.since > table.state.version:
            return wish.since == 0
        return (await self._log(table, wish.since - 1, 1))[0].at == wish.at

    async def _log(self, table: HostedTable, since: int, most: int = TOLD_AT_ONCE) -> tuple[Happening, ...]:
        """What happened next. Raises Refusal, also when the table was closed meanwhile: its log is gone."""
        # From before the log is read: what happens while it is read need not be in it.
        stored = table.state.version
        try:
            part = await self._keeper.told_next(table, since, most)
        except StoreTrouble as trouble:
            self._keeper.log.event("store-trouble", table=table.id, reason=str(trouble))
            raise Refusal("trouble", TROUBLE) from trouble
        if table.state.stage is Stage.CLOSED or (not part and since < stored):
            raise Refusal("table", NO_TABLE)
        return part

    async def _entered(
        self, guest: Guest, table: HostedTable, seat: int, since: int, news: tuple[Happening, ...]
    ) -> Entered:
        """What somebody is told who comes to a table."""
        side = _side_of_seat(table, seat)
        clocks, now = table.state.clocks, self._keeper.clock.now()
        return Entered(
            table=table.id,
            side=None if side is None else str(side),
            since=since,
            news=news,
            chat=await self._chat(table, Place(guest, guest.name, seat)),
            watchers=table.watchers(),
            now=None if clocks is None else reading_of(clocks, now),
        )

    async def _chat(self, table: HostedTable, place: Place) -> tuple[ChatLine, ...]:
        """The last lines that somebody at the table reads; without the store there are none."""
        try:
            lines = await self._keeper.store.chat(table.id, CHAT_TOLD)
        except StoreTrouble:
            return ()
        newest = (line for line in reversed(lines) if table.reads(place, line))
        return tuple(reversed(fitting(newest, CHAT_BYTES)))

    def _seat_of_token(self, table: HostedTable, token: str) -> int:
        """The version at which the seat of a token was taken; 0 when it is the token of none."""
        is_token = self._keeper.secrets.is_seat_token
        for seat in table.state.seats.values():
            if token and seat.level is None and is_token(token, table.id, seat.since, seat.holder):
                return seat.since
        return 0

    def _check_tables(self, guest: Guest, table: HostedTable) -> None:
        # A guest may have been sent away, or the table closed.
        at = self._at[guest] = {each for each in self._at.get(guest, ()) if guest in each.places}
        most = self._keeper.limits.at_tables
        if table not in at and len(at) >= most:
            raise Refusal("limit", f"you are at {most} tables, which is the most: leave one of them first")

    def _check_welcome(self, table: HostedTable, guest: Guest, seat: int) -> None:
        """Raises Refusal when somebody without a seat cannot come in."""
        if guest not in table.places and not seat:
            full = len(table.state.seats) == len(Side)
            if full and not table.state.options.watchers:
                raise Refusal("seat", NO_WATCHERS)
            if len(table.watching()) >= self._keeper.limits.watchers + (0 if full else len(Side)):
                raise Refusal("limit", "there are as many watchers at this table as it has room for")

    def _take_place(self, guest: Guest, table: HostedTable, seat: int) -> Place:
        """Put a guest at a table; who played from the seat before has to go."""
        place = table.places.get(guest)
        if place is None:
            name = told_apart(guest.name, table.names_beside(guest))
            place = table.places[guest] = Place(guest, name)
            self._at.setdefault(guest, set()).add(table)
        if seat and place.seat != seat:
            self._replace(table, guest, seat)
            place.seat = seat
        return place

    def _replace(self, table: HostedTable, guest: Guest, seat: int) -> None:
        """Send away the line from which a seat was played before."""
        before = table.place_of_seat(seat)
        if before is not None and before.guest is not guest:
            del table.places[before.guest]
            self._at.get(before.guest, set()).discard(table)
            before.guest.dismiss(ELSEWHERE)

    async def leave(self, guest: Guest, table_id: str) -> None:
        """A guest goes away from a table: outside a game his seat is free then."""
        table = next((each for each in self._at.get(guest, ()) if each.id == table_id), None)
        if table is None:
            return
        keeper = self._keeper
        async with table.lock:
            place = table.places.get(guest)
            side = None if place is None else table.side_of(place)
            try:
                if side is not None and not table.state.in_game:
                    await keeper.change(
                        table, lambda state, _: ruling.stand_up(state, side, moment_of(keeper.clock))
                    )
            finally:
                self._remove(guest, table)
        await keeper.look(table)

    async def gone(self, guest: Guest) -> None:
        """The line to a guest is cut."""
        for table in self._at.pop(guest, set()):
            self._remove(guest, table)
            if not self._keeper.closing:
                await self._keeper.look(table)

    def _remove(self, guest: Guest, table: HostedTable) -> None:
        if table.places.pop(guest, None) is not None:
            self._keeper.watchers_changed(table)
        at = self._at.get(guest)
        if at is not None:
            at.discard(table)

    # Doing something

    def _place(self, guest: Guest, table_id: str) -> tuple[HostedTable, Place]:
        """Where a guest is. Raises Refusal when he is not at the table."""
        for table in self._at.get(guest, ()):
            place = table.places.get(guest)
            if table.id == table_id and place is not None:
                return table, place
        raise Refusal("table", "you are not at this table: enter it first")

    async def sit(self, guest: Guest, wish: Sit) -> None:
        """Give a guest a seat and its token, or again the one that his installation has.

        Raises:
            Refusal: the seat is taken, or none is free.
        """
        keeper, moment = self._keeper, moment_of(self._keeper.clock)
        table, place = self._place(guest, wish.table)
        wanted = None if wish.side is None else Side(wish.side)
        async with table.lock:
            seat = self._own_seat(table, guest, wanted)
            if not seat:
                if place.guest not in table.places:
                    raise Refusal("table", "you are not at this table any more")
                # The seat is there once that has happened; then who has it counts as a player at once.
                before, place.seat = place.seat, table.state.version + 1
                seat = place.seat
                try:
                    await keeper.change(
                        table, lambda state, _: ruling.sit(state, place.name, guest.mark, wanted, moment)
                    )
                except BaseException:
                    # Whoever asks for the other side keeps the seat that he has.
                    place.seat = before
                    raise
            self._take_place(guest, table, seat)
            side = _side_of_seat(table, seat)
            if side is None:
                raise Refusal("seat", "that seat was given away again")
            token = keeper.secrets.seat_token(table.id, seat, guest.mark)
            guest.deliver(encode(Seated(table=table.id, id=wish.id, side=str(side), token=token)))
            keeper.watchers_changed(table)
        await keeper.look(table)

    def _own_seat(self, table: HostedTable, guest: Guest, wanted: Side | None) -> int:
        """The version at which the installation of a guest took the seat that is wanted, if it did."""
        for side, seat in table.state.seats.items():
            if seat.holder == guest.mark and seat.level is None and wanted in (None, side):
                return seat.since
        return 0

    async def command(self, guest: Guest, command: Command) -> None:
        """Do what a command says and answer it; one that comes again gets the answer that it had."""
        moment = moment_of(self._keeper.clock)
        table, place = self._place(guest, command.table)
        key = CommandKey(guest.mark, command.id)
        async with table.lock:
            known = table.refused.get(key)
            if known is not None:
                guest.deliver(encode(known))
                return
            rule = self._keeper.deed_rule(command.deed, table.side_of(place), moment, command.version)
            try:
                self._check_limits(table, command)
                await self._keeper.change(table, rule, key, command.version)
                version = table.state.version
            except AlreadyAnswered as before:
                version = before.version
            except Refusal as refusal:
                answered = await self._answer(table, key, command.version)
                if answered is None:
                    refused = self.refused(refusal, command.id, table)
                    if refusal.code != "trouble":
                        table.remember(key, refused)
                    guest.deliver(encode(refused))
                    return
                version = answered
            guest.deliver(encode(Done(table=table.id, id=command.id, version=version)))

    async def _answer(self, table: HostedTable, key: CommandKey, seen: int) -> int | None:
        try:
            return await self._keeper.store.answer(table.id, key, seen)
        except StoreTrouble:
            return None

    def _check_limits(self, table: HostedTable, command: Command) -> None:
        """Raises Refusal for a bot where there are none, and for another game at a table whose log is long
        enough."""
        if isinstance(command.deed, SeatBot) and not self._keeper.limits.bots:
            raise Refusal("limit", "there are no bots at this server")
        begins = isinstance(command.deed, Start) or is_offer(command.deed, Offer.REMATCH)
        if begins and not table.state.in_game and table.state.version >= self._keeper.limits.happenings:
            raise Refusal("limit", "so much has happened at this table that it is full: open another one")

    def refused(self, refusal: Refusal, id_: str | None, table: HostedTable | None = None) -> Refused:
        """A refusal as a message."""
        return Refused(
            id=id_,
            code=refusal.code,
            reason=clean_line(refusal.reason, 400),
            table=None if table is None else table.id,
            version=0 if table is None else table.state.version,
        )

    async def chat(self, guest: Guest, said: Chat) -> None:
        """Write a line at a table. An empty one is passed over.

        Raises:
            Refusal: the guest is not at the table, or the line cannot be kept.
        """
        table, place = self._place(guest, said.table)
        text = clean_line(said.text, self._keeper.limits.chat)
        if not text:
            return
        side = table.side_of(place)
        name = place.name if side is None else table.state.seats[side].name
        line = ChatLine(
            at=self._keeper.clock.wall(), name=name, side=None if side is None else str(side), text=text
        )
        try:
            await self._keeper.store.write_chat(table.id, line, self._keeper.limits.chat_kept)
        except StoreTrouble as trouble:
            self._keeper.log.event("store-trouble", table=table.id, reason=str(trouble))
            raise Refusal("trouble", TROUBLE) from trouble
        readers = [each for each in table.places.values() if table.reads(each, line)]
        table.tell(encode(Written(table=table.id, line=line)), readers)


def _news(table: HostedTable, since: int, news: tuple[Happening, ...], *, anew: bool = False) -> News:
    return News(table=table.id, version=since + 1, news=news, anew=anew)


def _side_of_seat(table: HostedTable, since: int) -> Side | None:
    return next((side for side, seat in table.state.seats.items() if since and seat.since == since), None)
