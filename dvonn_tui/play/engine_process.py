"""A program on the other end of three pipes: started, listened to, and gone when it is to go."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from dvonn_tui.clean import clean_line
from dvonn_tui.play.engine_trouble import EngineTrouble, TroubleKind

LONGEST_LINE: Final = 65_536
"""Bytes of a line that are read at most; a program that writes longer ones talks nonsense."""

LAST_WORDS: Final = 4_000
"""Bytes of the standard error that are kept."""

LINES_AT_A_TIME: Final = 32
"""Lines after which others on the loop get their turn, however much a program talks."""

WRITES_AHEAD: Final = 1_000_000
"""Bytes that wait for a program that does not read; one with more is given up."""

LEAVE_PATIENCE: Final = 0.4
"""Seconds that a program has to leave after being asked; then it is told to."""

TERMINATE_PATIENCE: Final = 0.2
"""Seconds that it then has before it is killed."""

LOOK_AGAIN: Final = 0.005
"""Seconds between two looks whether a program has ended."""

STAND_BACK: Final = 10
"""How much lower than our own the priority of a program is that yields, as ``nice`` counts it."""

_alive: set[EngineProcess] = set()


class EngineProcess:
    """A running program.

    Standard output goes line by line to `hear`, with the moment at which it came; standard error piece by
    piece to `overhear`, and the end of it is kept. `on_end` is called once when the program has ended.
    """

    def __init__(
        self,
        name: str,
        process: asyncio.subprocess.Process,
        hear: Callable[[str, float], None],
        overhear: Callable[[bytes, float], None] | None = None,
    ) -> None:
        self.name = name
        self._process = process
        self._hear = hear
        self._overhear = overhear
        self._errors: deque[bytes] = deque()
        self._kept = 0
        self._closing = False
        self.on_end: Callable[[EngineTrouble], None] | None = None
        self._listening = asyncio.create_task(self._listen())
        self._draining = asyncio.create_task(self._drain())
        _alive.add(self)

    @classmethod
    async def start(
        cls,
        name: str,
        command: Sequence[str],
        hear: Callable[[str, float], None],
        environment: Mapping[str, str] | None = None,
        overhear: Callable[[bytes, float], None] | None = None,
        *,
        yields: bool = False,
    ) -> EngineProcess:
        """Start a program in a process group of its own.

        Args:
            yields: let it compute only where others leave it room.

        Raises:
            EngineTrouble: it cannot be started.
        """
        if not command:
            raise EngineTrouble(TroubleKind.NOT_STARTED, f"{name} did not start: its command is empty")
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP
            if yields:
                flags |= subprocess.BELOW_NORMAL_PRIORITY_CLASS
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                limit=LONGEST_LINE,
                env=environment,
                start_new_session=sys.platform != "win32",
                creationflags=flags,
            )
        except (OSError, ValueError) as problem:
            why = getattr(problem, "strerror", None) or str(problem)
            shown = clean_line(command[0])
            raise EngineTrouble(TroubleKind.NOT_STARTED, f"{name} did not start: {shown}: {why}") from problem
        if yields:
            _yield(process.pid)
        return cls(name, process, hear, overhear)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True as long as it has not ended."""
        return self._process.returncode is None

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None as long as it has not ended."""
        return self._process.returncode

    def say(self, line: str) -> None:
        """Send a line; it is written when the program reads. One that has ended does not hear it."""
        pipe = self._process.stdin
        if pipe is None or pipe.is_closing() or not self.alive:
            return
        with suppress(OSError, RuntimeError):
            pipe.write(f"{line}\n".encode())
            if pipe.transport.get_write_buffer_size() > WRITES_AHEAD:
                self.kill()

    async def close(self, farewell: str | None) -> None:
        """End the program: ask it, tell it, kill it. Takes less than a second and leaves nothing behind."""
        self._closing = True
        try:
            if self.alive:
                if farewell is not None:
                    self.say(farewell)
                if self._process.stdin is not None:
                    self._process.stdin.close()
                if not await self._gone(LEAVE_PATIENCE):
                    self._signal(signal.SIGTERM)
                    await self._gone(TERMINATE_PATIENCE)
        finally:
            # Also when whoever waits here is cancelled.
            self.kill()
            await self._gone(LEAVE_PATIENCE)
            for task in (self._listening, self._draining):
                task.cancel()
            await asyncio.gather(self._listening, self._draining, return_exceptions=True)
            self._let_go_of_pipes()

    def kill(self) -> None:
        """End the program, and whatever it started in its group, at once."""
        self._closing = True
        _alive.discard(self)
        self._signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)

    def _signal(self, number: int) -> None:
        with suppress(OSError):
            if sys.platform == "win32":
                if self.alive:
                    self._process.terminate()
            else:
                os.killpg(self.pid, number)

    async def _gone(self, patience: float) -> bool:
        """Wait for the end of the program, for a while.

        Looks again and again: `Process.wait` of some Pythons also waits for everybody who holds a pipe.
        """
        end = time.perf_counter() + patience
        while self.alive and time.perf_counter() < end:
            await asyncio.sleep(LOOK_AGAIN)
        return not self.alive

    def _let_go_of_pipes(self) -> None:
        # A grandchild that left the group could hold a pipe open; nobody waits for it.
        transport = getattr(self._process, "_transport", None)
        if transport is not None:
            transport.close()

    async def _listen(self) -> None:
        """Hear every line until the end of the output, then say how the program ended."""
        stream = self._process.stdout
        assert stream is not None
        nonsense = False
        heard = 0
        while True:
            try:
                line = await stream.readline()
            except ValueError:
                nonsense = True
                break
            if not line:
                break
            self._hear(line.decode("utf-8", "replace").strip(), time.perf_counter())
            heard += 1
            if heard % LINES_AT_A_TIME == 0:
                await asyncio.sleep(0)
        closing = self._closing
        if nonsense:
            self.kill()
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._draining), TERMINATE_PATIENCE)
        await self._gone(LEAVE_PATIENCE)
        _alive.discard(self)
        if self.on_end is not None and not closing:
            self.on_end(self._too_long() if nonsense else self.death())

    async def _drain(self) -> None:
        """Keep the end of the standard error, so that the pipe never fills."""
        stream = self._process.stderr
        assert stream is not None
        while chunk := await stream.read(LAST_WORDS):
            if self._overhear is not None:
                self._overhear(chunk, time.perf_counter())
            self._errors.append(chunk)
            self._kept += len(chunk)
            while self._kept - len(self._errors[0]) >= LAST_WORDS:
                self._kept -= len(self._errors.popleft())
            await asyncio.sleep(0)

    def _too_long(self) -> EngineTrouble:
        return EngineTrouble(
            TroubleKind.NONSENSE, f"{self.name} talks nonsense: a line of more than {LONGEST_LINE} bytes"
        )

    def death(self) -> EngineTrouble:
        """How the program ended, with the last line of its standard error."""
        status = self._process.returncode
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"was ended by {_signal_name(-status)}"
        else:
            how = f"ended with status {status}"
        words = self.last_words()
        return EngineTrouble(TroubleKind.DIED, f"{self.name} {how}" + (f": {words}" if words else ""))

    def last_words(self) -> str:
        """The last line of the standard error that says something, clean."""
        text = b"".join(self._errors)[-LAST_WORDS:].decode("utf-8", "replace")
        lines = (clean_line(line, 100) for line in reversed(text.splitlines()))
        return next((line for line in lines if line), "")


def _yield(pid: int) -> None:
    """Let a process that has just been started, and with it its later threads, stand back behind others."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, 0) + STAND_BACK)
        # Where Linux shares the processor among sessions first, it is the session that has to stand back.
        with suppress(OSError):
            Path(f"/proc/{pid}/autogroup").write_text(str(STAND_BACK), encoding="ascii")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _kill_all() -> None:
    """The last resort when the program ends without closing its engines."""
    for process in tuple(_alive):
        process.kill()


atexit.register(_kill_all)
