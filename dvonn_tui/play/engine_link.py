"""The link to an engine in a process of its own: questions, checked answers, and troubles in words.

Nothing here blocks the loop, and nothing an engine says is believed: its choice is asked of the rules.
One question counts at a time. Another one, `drop` or the cancelling of who waits makes it void; an
answer that still comes for it is thrown away.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import replace
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.core.errors import DvonnError, IllegalAction, NotationError
from dvonn_tui.core.events import Move, Place
from dvonn_tui.core.notation import Word, parse_token
from dvonn_tui.core.position import Position
from dvonn_tui.core.rules import decide, due
from dvonn_tui.play.codecup import CodeCupProtocol, OnceProtocol, fill_in, takes_position
from dvonn_tui.play.engine_launch import Launch
from dvonn_tui.play.engine_process import EngineProcess
from dvonn_tui.play.engine_trouble import EngineTrouble, Superseded, TroubleKind
from dvonn_tui.play.protocols import OwnProtocol, Protocol, ProtocolName, Search
from dvonn_tui.play.thoughts import Choice, History, Limits, Question, Thought

MOST_THOUGHTS: Final = 256
"""Thoughts that wait for a reader who is slow; of more the oldest are left out."""


class EngineLink:
    """A client of one engine. It is started by the first question, and again after it failed."""

    def __init__(self, launch: Launch | None = None) -> None:
        self.launch = launch or Launch()
        self._process: EngineProcess | None = None
        self._protocol: Protocol | None = None
        self._generation = 0
        self._closed = False
        self._search: Search | None = None
        self._starting = asyncio.Lock()

    @property
    def running(self) -> bool:
        """True as long as the engine's process is there."""
        return self._process is not None and self._process.alive

    @property
    def pid(self) -> int | None:
        """The number of the process, None when there is none."""
        return self._process.pid if self._process is not None and self._process.alive else None

    @property
    def thinking(self) -> bool:
        """True while somebody waits for an answer."""
        return self._search is not None and not self._search.answer.done()

    async def start(self) -> None:
        """Start the engine ahead of the first question. Does nothing when it runs.

        Raises:
            EngineTrouble: it did not start, or does not say that it is there.
        """
        if self.launch.protocol is not ProtocolName.ONCE and not takes_position(self.launch.command):
            await self._ensure(None)

    async def restart(self) -> None:
        """End the engine and start it anew. Raises what `start` raises."""
        self.drop()
        async with self._starting:
            await self._discard()
        await self.start()

    def new_game(
        self, options: Mapping[str, str] | None = None, values: Mapping[str, str] | None = None
    ) -> None:
        """Let the engine forget the game before.

        Args:
            options, values: what is set, and filled into the command, from now on, beside what is already.
        """
        self.drop()
        launch = self.launch
        self.launch = replace(
            launch, options={**launch.options, **(options or {})}, values={**launch.values, **(values or {})}
        )
        if self._protocol is not None:
            self._protocol.new_game()

    @property
    def complaints(self) -> tuple[str, ...]:
        """What the engine has said that it could not do, such as options that it does not know."""
        return tuple(self._protocol.complaints) if self._protocol is not None else ()

    async def choose(
        self,
        position: Position,
        limits: Limits,
        history: History | None = None,
        listen: Callable[[Thought], None] | None = None,
    ) -> Choice:
        """Ask for the best action in a position in which one can be chosen.

        Cancelling the task that waits drops the question and tells the engine to stop.

        Args:
            history: how the position came about; only CodeCup's protocol needs it.
            listen: is told of every thought meanwhile.

        Raises:
            EngineTrouble: there is no answer, or none that can be played. The engine was ended, unless
                it is only unable.
            Superseded: another question was asked meanwhile, or `drop` or `close` was called.
            ValueError: nothing can be chosen in the position.
        """
        _check_question(position)
        question = Question(position, history or History(position))
        search, protocol = await self._ask(question, limits, listen, multipv=1)
        allowed = limits.seconds(position.side)
        patience = limits.patience if allowed is None else allowed + self.launch.grace
        nudged = False
        try:
            if not await self._answered(search, None if limits.infinite else patience):
                nudged = True
                self.stop()
                if not await self._answered(search, self.launch.stop_patience):
                    raise self._silent(patience)
            answer = search.answer.result()
            if self._search is not search:
                raise Superseded
            action = self._checked(position, answer.token)
        except asyncio.CancelledError:
            self._drop(search)
            raise
        except EngineTrouble:
            await self._discard(protocol)
            raise
        seconds = max(answer.when - search.begun, 0.0)
        return Choice(position, action, search.best, seconds, allowed, nudged)

    async def analyse(
        self, position: Position, multipv: int = 1, limits: Limits | None = None
    ) -> AsyncGenerator[Thought, None]:
        """Think about a position and tell every thought, until it is solved, the limits are reached or
        nobody reads on. Use it in `contextlib.aclosing`, so that leaving it stops the engine at once.

        Another question ends it quietly once it has begun.

        Raises:
            EngineTrouble: the engine failed, or its protocol knows no analysis.
            Superseded: another question was asked before it began.
            ValueError: nothing can be chosen in the position.
        """
        _check_question(position)
        limits = limits or Limits(infinite=True)
        thoughts: asyncio.Queue[Thought | None] = asyncio.Queue()
        nudged = False

        def hear(thought: Thought) -> None:
            if thoughts.qsize() >= MOST_THOUGHTS:
                thoughts.get_nowait()
            thoughts.put_nowait(thought)

        question = Question(position, History(position))
        search, protocol = await self._ask(question, limits, hear, multipv=multipv)
        try:
            search.answer.add_done_callback(lambda _: thoughts.put_nowait(None))
            allowed = limits.seconds(position.side)
            patience = None if allowed is None else allowed + self.launch.grace
            begun = asyncio.get_running_loop().time()
            while True:
                try:
                    async with asyncio.timeout_at(None if patience is None else begun + patience):
                        thought = await thoughts.get()
                except TimeoutError:
                    if nudged or patience is None:
                        raise self._silent(allowed or 0.0) from None
                    nudged = True
                    self.stop()
                    patience += self.launch.stop_patience
                    continue
                if thought is None:
                    break
                yield thought
            search.answer.result()
        except Superseded:
            return
        except EngineTrouble:
            await self._discard(protocol)
            raise
        finally:
            self._drop(search)

    def stop(self) -> None:
        """Tell the engine to answer now with what it has; who waits gets that."""
        if self._protocol is not None and self.thinking:
            self._protocol.stop()

    def drop(self) -> None:
        """Want no answer to the question that is under way; who waits gets `Superseded`."""
        self._generation += 1
        if self._search is not None:
            self._drop(self._search)

    async def close(self) -> None:
        """End the engine, also while it thinks. Takes less than a second. The link stays closed."""
        self._closed = True
        self.drop()
        await self._discard()
        async with self._starting:
            # One that was just being started.
            await self._discard()

    def kill(self) -> None:
        """End the engine at once, when nothing can be waited for any more."""
        self._closed = True
        if self._process is not None:
            self._process.kill()

    def _drop(self, search: Search) -> None:
        if not search.answer.done():
            search.drop()
            if self._protocol is not None and self._protocol.thinking is search:
                self._protocol.stop()
        if self._search is search:
            self._search = None

    async def _ask(
        self,
        question: Question,
        limits: Limits,
        listen: Callable[[Thought], None] | None,
        *,
        multipv: int,
    ) -> tuple[Search, Protocol]:
        """Put a question once the engine is there and done with the one before."""
        self.drop()
        generation = self._generation
        protocol = await self._ensure(question)
        if generation != self._generation:
            raise Superseded
        if not protocol.analyses and (multipv > 1 or limits.infinite):
            raise self._trouble(TroubleKind.UNABLE, "plays only: its protocol knows no analysis")
        await self._let_finish(protocol, generation)
        protocol.set_options({**self.launch.options, "multipv": str(multipv)})
        self._search = search = protocol.ask(question, limits, listen)
        return search, protocol

    async def _let_finish(self, protocol: Protocol, generation: int) -> None:
        """Wait until the engine has answered the dropped question before."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.launch.stop_patience
        pause = 0.0
        while protocol.thinking is not None:
            # Nobody can be told by the engine that is not waiting for it; this takes milliseconds.
            await asyncio.sleep(pause)
            pause = min(pause + 0.001, 0.01)
            if generation != self._generation:
                raise Superseded
            if loop.time() > end:
                await self._discard(protocol)
                raise self._silent(self.launch.stop_patience)

    async def _answered(self, search: Search, patience: float | None) -> bool:
        """Wait for the answer, for a while."""
        done, _ = await asyncio.wait([search.answer], timeout=patience)
        return bool(done)

    async def _ensure(self, question: Question | None) -> Protocol:
        """A running engine that can be asked a question, started if need be."""
        async with self._starting:
            if self._closed:
                raise Superseded
            protocol = self._protocol
            if protocol is not None and self._usable(protocol, question):
                return protocol
            await self._discard()
            protocol = await self._launch(question)
            if question is not None and not protocol.fits(question):
                await self._discard()
                raise self._trouble(
                    TroubleKind.UNABLE,
                    "speaks CodeCup's protocol: it can only go on with a game that it has followed from "
                    "the first placement",
                )
            return protocol

    def _usable(self, protocol: Protocol, question: Question | None) -> bool:
        if question is None or protocol.heeds_stop:
            return self.running and protocol.ended is None
        return protocol.fits(question)

    async def _launch(self, question: Question | None) -> Protocol:
        launch = self.launch
        begins = question if takes_position(launch.command) else None
        command = fill_in(launch.command, question, launch.values)
        process: EngineProcess | None = None

        def say(line: str) -> None:
            if process is not None:
                process.say(line)

        protocol: Protocol
        match launch.protocol:
            case ProtocolName.OWN:
                protocol = OwnProtocol(launch.name, say)
            case ProtocolName.CODECUP:
                protocol = CodeCupProtocol(launch.name, say, begins)
            case ProtocolName.ONCE:
                protocol = OnceProtocol(launch.name, say, begins)

        def hear(line: str, when: float) -> None:
            try:
                protocol.hear(line, when)
            except EngineTrouble as trouble:
                protocol.end(trouble)
                if process is not None:
                    process.kill()

        process = await EngineProcess.start(
            launch.name, command, hear, launch.environment(), yields=launch.yields
        )
        process.on_end = protocol.end
        self._process, self._protocol = process, protocol
        if self._closed:
            raise Superseded
        protocol.set_options(launch.options)
        greeting = protocol.greet()
        if greeting is not None:
            await self._wait_for_greeting(greeting)
        return protocol

    async def _wait_for_greeting(self, greeting: asyncio.Future[None]) -> None:
        try:
            await asyncio.wait_for(greeting, self.launch.start_patience)
        except TimeoutError:
            words = self._process.last_words() if self._process is not None else ""
            await self._discard()
            said = f": {words}" if words else ""
            raise self._trouble(
                TroubleKind.NOT_STARTED,
                f"did not start: it does not say readyok within {self.launch.start_patience:g} s{said}",
            ) from None
        except EngineTrouble as trouble:
            await self._discard()
            line = trouble.line.removeprefix(self.launch.name).strip()
            raise self._trouble(TroubleKind.NOT_STARTED, f"did not start: it {line}") from trouble
        except asyncio.CancelledError:
            await self._discard()
            raise

    async def _discard(self, only: Protocol | None = None) -> None:
        """End the process, if there is one, or if it is still the one that is meant."""
        process, protocol = self._process, self._protocol
        if process is None or protocol is None or (only is not None and only is not protocol):
            return
        self._process = self._protocol = None
        protocol.end(Superseded())
        await process.close(protocol.farewell)

    def _silent(self, patience: float) -> EngineTrouble:
        return self._trouble(TroubleKind.SILENT, f"does not answer: nothing came within {patience:g} s")

    def _checked(self, position: Position, token: str) -> Place | Move:
        """The action of a token. Raises EngineTrouble when it is none, or none that the rules allow."""
        shown = clean_line(token, 24)
        try:
            action = parse_token(token)
        except NotationError as problem:
            line = f"talks nonsense: {shown!r} is no move"
            raise self._trouble(TroubleKind.NONSENSE, line) from problem
        try:
            if isinstance(action, Word):
                raise IllegalAction("who can move must move")
            decide(position, action)
        except DvonnError as problem:
            line = f"wanted to play {shown}, which is illegal: {problem.reason}"
            raise self._trouble(TroubleKind.CHEATING, line) from problem
        return action

    def _trouble(self, kind: TroubleKind, what: str) -> EngineTrouble:
        return EngineTrouble(kind, f"{self.launch.name} {what}")


def _check_question(position: Position) -> None:
    if position.over or due(position):
        raise ValueError("nothing can be chosen in this position")
