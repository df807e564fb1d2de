"""The engines at a table: whose turn it is, who is asked, and what becomes of the answer.

An action of an engine goes through the session's port like everybody else's. Its answer counts only as
long as the game stands where it was asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from dvonn_tui.core.errors import DvonnError
from dvonn_tui.core.events import GameEnded
from dvonn_tui.core.game import Step
from dvonn_tui.core.log import Entry
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.rules import due
from dvonn_tui.play.clocks import Clocks
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.engine_link import EngineLink
from dvonn_tui.play.engine_trouble import EngineTrouble, Superseded, TroubleKind
from dvonn_tui.play.seats import HUMAN, Human, Seat, clock_values, launch_of, limits_of
from dvonn_tui.play.session import Session
from dvonn_tui.play.thoughts import Thought, history_of
from dvonn_tui.play.timekeeping import Halt

UNHURRIED: Final = 30.0
"""Seconds on an engine's clock below which it plays as soon as it can."""


@dataclass(frozen=True, slots=True)
class SeatTrouble:
    """An engine failed at the table.

    Attributes:
        side: whose engine it is.
        seat: the engine.
        trouble: what happened; its `line` is to be shown.
        waiting: the game waits: `Opponents.restart`, another seat or undo lets it go on. False when the
            engine's move was played all the same.
    """

    side: Side
    seat: Seat
    trouble: EngineTrouble
    waiting: bool


class Opponents:
    """Plays the seats of a session that are not people's.

    Call `begin` on the running loop; from then on it follows the game by itself. It never blocks.

    Attributes:
        on_trouble: is told when an engine failed.
        on_thought: is told what an engine thinks while it is its turn.
        on_change: is told when an engine began or ended to think, and when the game was paused or not.
        pace: seconds that an engine takes at least for a ply when both seats are engines'.
        courtesy: the same when it plays against a person, who wants to see his own move first.
    """

    def __init__(
        self,
        session: Session,
        seats: Mapping[Side, Seat],
        *,
        seed: int = 0,
        launch: Callable[[Seat, int], Launch] | None = None,
        on_trouble: Callable[[SeatTrouble], None] | None = None,
        on_thought: Callable[[Side, Thought], None] | None = None,
        on_change: Callable[[], None] | None = None,
        pace: float = 0.5,
        courtesy: float = 0.0,
    ) -> None:
        """Make them for a session.

        Args:
            seats: a side that is not named is a person's.
            seed: varies how levels play.
            launch: how an engine is started, if not as `dvonn_tui.play.seats` says.
        """
        self.session = session
        self._seats: dict[Side, Seat] = {side: seats.get(side, HUMAN) for side in Side}
        self._seed = seed
        self._launch = launch or _launch
        self.on_trouble = on_trouble
        self.on_thought = on_thought
        self.on_change = on_change
        self.pace = pace
        self.courtesy = courtesy
        self._links: dict[Side, EngineLink] = {}
        self._used = dict.fromkeys(Side, 0.0)
        self._paused = False
        self._trouble: SeatTrouble | None = None
        self._troubled_at: Entry | None = None
        self._asked: Entry | None = None
        self._starting: object | None = None
        self._task: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._looking = False
        self._unsubscribe: Callable[[], None] | None = None

    def seat(self, side: Side) -> Seat:
        """Who sits on a side."""
        return self._seats[side]

    @property
    def watching(self) -> bool:
        """True when engines sit on both sides."""
        return not any(isinstance(seat, Human) for seat in self._seats.values())

    @property
    def against_engine(self) -> bool:
        """True when a person plays against an engine."""
        return not self.watching and not all(isinstance(seat, Human) for seat in self._seats.values())

    @property
    def thinking(self) -> Side | None:
        """The side whose engine thinks or is about to play."""
        return self._asked.position.side if self._asked is not None else None

    @property
    def paused(self) -> bool:
        """True when engines do not play until `resume`."""
        return self._paused

    @property
    def trouble(self) -> SeatTrouble | None:
        """What the game waits for, None when it does not."""
        return self._trouble

    def may_act(self) -> bool:
        """True when it is a person's turn."""
        position = self.session.game.position
        return not position.over and isinstance(self._seats[position.side], Human)

    def begin(self) -> None:
        """Follow the game from now on; engines get ready at once."""
        if self._unsubscribe is None:
            self._unsubscribe = self.session.subscribe(self._follow)
        for side in Side:
            self._warm(side)
        self._look()

    async def close(self) -> None:
        """Stop all thinking and end all engines. Takes less than a second."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._paused = True
        self._let_go()
        links, self._links = list(self._links.values()), {}
        await asyncio.gather(*(link.close() for link in links))
        tasks = [*self._background, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def new_game(
        self, session: Session, seats: Mapping[Side, Seat] | None = None, seed: int | None = None
    ) -> None:
        """Go over to another session. Engines that stay seated go on running, and forget the game before."""
        following = self._unsubscribe is not None
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._let_go()
        self._trouble = None
        self._paused = False
        self._used = dict.fromkeys(Side, 0.0)
        self.session = session
        self._seed = self._seed if seed is None else seed
        for side, seat in (seats or {}).items():
            self._put(side, seat)
        for side, link in self._links.items():
            launch = self._launched(side)
            link.new_game(launch.options, launch.values)
        if following:
            self.begin()

    def change_seat(self, side: Side, seat: Seat) -> None:
        """Put somebody else on a side of the running game."""
        if seat == self._seats[side]:
            return
        self._let_go()
        self._trouble = None
        self._put(side, seat)
        self._changed()
        self._warm(side)
        self._look()

    def pause(self) -> None:
        """Let engines play no further; the one that thinks stops."""
        if not self._paused:
            self._paused = True
            self._let_go()
            self._changed()

    def resume(self) -> None:
        """Let engines play again."""
        if self._paused:
            self._paused = False
            self._changed()
            self._look()

    def play_now(self) -> None:
        """Tell the engine that thinks to play what it has."""
        if self._asked is not None and (link := self._links.get(self._asked.position.side)) is not None:
            link.stop()

    def restart(self) -> None:
        """Start the engine that failed anew, and let it think again."""
        trouble, self._trouble = self._trouble, None
        if trouble is not None and (link := self._links.pop(trouble.side, None)) is not None:
            self._spawn(link.close())
        self._changed()
        self._look()

    def undo(self) -> bool:
        """Take back.

        Against an engine: back to the person's last own decision, over forced passes and over the plies
        of the engine, also while it thinks. Between engines: one ply back, and pause. Between people:
        the last action.

        Returns:
            False when there is nothing to take back.
        """
        if self.watching:
            self.pause()
            return self.session.undo()
        target = self._last_decision()
        if target is None:
            return False
        self._let_go()
        self.session.game.go_to(target)
        return True

    def redo(self) -> bool:
        """Play again what was taken back, up to a person's next decision. False when there is nothing."""
        if not self.session.redo():
            return False
        if self.watching:
            self.pause()
            return True
        game = self.session.game
        while not game.position.over and not self.may_act() and self.session.redo():
            pass
        return True

    def _last_decision(self) -> Entry | None:
        """Where the game stood before a person's last own action."""
        game = self.session.game
        entry = game.head
        while entry.action > 0:
            first = game.entry(entry.action)
            before = game.parent(first)
            assert before is not None
            # Ending a game is always somebody's own decision, and engines never do it.
            ended = isinstance(first.event, GameEnded)
            if ended or isinstance(self._seats[before.position.side], Human):
                return before
            entry = before
        return None

    def _put(self, side: Side, seat: Seat) -> None:
        if seat == self._seats[side]:
            return
        self._seats[side] = seat
        self._used[side] = 0.0
        link = self._links.pop(side, None)
        if link is not None:
            self._spawn(link.close())

    def _link(self, side: Side) -> EngineLink:
        link = self._links.get(side)
        if link is None:
            link = self._links[side] = EngineLink(self._launched(side))
        return link

    def _launched(self, side: Side) -> Launch:
        """How the engine of a side is started; a game's clock is told in place of the engine's own time."""
        launch = self._launch(self._seats[side], self._seed)
        clocks = self.session.clocks
        return (
            launch
            if clocks is None
            else replace(launch, values={**launch.values, **clock_values(clocks.rule)})
        )

    def _warm(self, side: Side) -> None:
        """Start the engine of a side ahead of its turn; what goes wrong is told when it is asked."""

        async def start(link: EngineLink) -> None:
            with suppress(EngineTrouble, Superseded):
                await link.start()

        if not isinstance(self._seats[side], Human):
            self._spawn(start(self._link(side)))

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _follow(self, step: Step) -> None:
        self._look()

    def _look(self) -> None:
        """See, once the running action is recorded whole, who is to act."""
        if not self._looking:
            self._looking = True
            asyncio.get_running_loop().call_soon(self._see)

    def _see(self) -> None:
        self._looking = False
        if self._unsubscribe is None:
            return
        head = self.session.game.head
        if self._asked is not None:
            if self._asked is head:
                return
            self._let_go()
        if self._trouble is not None and self._troubled_at is not head:
            self._trouble = None
            self._changed()
        if self._paused or self._trouble is not None or head.position.over or self.may_act():
            return
        if due(head.position):
            return
        self._asked = head
        self._task = asyncio.create_task(self._act(head))
        self._changed()

    def _let_go(self) -> None:
        """Want no answer any more to what an engine was asked."""
        if self._asked is None:
            return
        side = self._asked.position.side
        self._asked = self._starting = None
        if self._task is not None:
            self._task.cancel()
            self._spawn(_ended(self._task))
            self._task = None
        if side in self._links:
            self._links[side].drop()
        self._changed()

    def _changed(self) -> None:
        self._keep_time()
        if self.on_change is not None:
            self.on_change()

    def _keep_time(self) -> None:
        """Nobody loses on time because an engine may not play, is still being started, or failed."""
        if self._paused or self._starting is not None or self._trouble is not None:
            self.session.halt(Halt.ENGINE)
        else:
            self.session.go_on(Halt.ENGINE)

    async def _ready(self, side: Side) -> EngineLink:
        """The engine of a side, once it runs. Raises what `EngineLink.start` raises."""
        link = self._link(side)
        starting = self._starting = object()
        self._keep_time()
        try:
            await link.start()
        finally:
            if self._starting is starting:  # nobody else is being started by now
                self._starting = None
                self._keep_time()
        return link

    async def _act(self, head: Entry) -> None:
        """Ask the engine whose turn it is, and play what it chose if the game still stands there."""
        side = head.position.side
        seat = self._seats[side]
        assert not isinstance(seat, Human)
        loop = asyncio.get_running_loop()
        begun = loop.time()

        def think(thought: Thought) -> None:
            if self._asked is head and self.on_thought is not None:
                self.on_thought(side, thought)

        late: EngineTrouble | None = None
        try:
            link = await self._ready(side)
            limits = limits_of(seat, self._used[side], self._clocks())
            choice = await link.choose(head.position, limits, history_of(self.session.game), think)
            self._used[side] += choice.seconds
            if choice.nudged:
                line = f"{link.launch.name} was slow: it played after {choice.seconds:.1f} s, when told to"
                late = EngineTrouble(TroubleKind.SLOW, line)
            least = self._least_time(side)
            await asyncio.sleep(max(begun + least - loop.time(), 0.0))
            if self._asked is not head or self.session.game.head is not head:
                return
            self._asked = self._task = None
            self.session.submit(choice.action)
        except Superseded:
            return
        except EngineTrouble as trouble:
            self._fail(head, trouble)
        except DvonnError as problem:
            self._fail(head, EngineTrouble(TroubleKind.CHEATING, f"{seat}: {problem}"))
        else:
            if late is not None and self.on_trouble is not None:
                self.on_trouble(SeatTrouble(side, seat, late, waiting=False))
            self._changed()

    def _clocks(self) -> Clocks | None:
        """The clocks of the game with what is left now; None without any."""
        clocks = self.session.clocks
        return None if clocks is None else clocks.read(self.session.now())

    def _least_time(self, side: Side) -> float:
        """The seconds that an engine takes at least. With little left on its clock it does not wait."""
        clocks = self._clocks()
        if clocks is not None and clocks.left(side, clocks.since) < UNHURRIED:
            return 0.0
        return self.pace if self.watching else self.courtesy

    def _fail(self, head: Entry, trouble: EngineTrouble) -> None:
        """Tell of a trouble, and wait, unless the game has gone on meanwhile."""
        if self._asked is not head:
            return
        side = head.position.side
        self._asked = self._task = None
        self._troubled_at = head
        self._trouble = SeatTrouble(side, self._seats[side], trouble, waiting=True)
        self._changed()
        if self.on_trouble is not None:
            self.on_trouble(self._trouble)


def _launch(seat: Seat, seed: int) -> Launch:
    assert not isinstance(seat, Human)
    return launch_of(seat, seed)


async def _ended(task: asyncio.Task[None]) -> None:
    """Wait for a task that was cancelled."""
    await asyncio.gather(task, return_exceptions=True)
