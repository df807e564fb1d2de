"""Another program that solves positions: started for each, with the position in its command, and timed.

What stands in its command is told in `dvonn_tui.play.codecup`. It has solved a position as soon as it writes
a sign that it was said to write, on its standard output or its standard error.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from dvonn_tui.core.position import Position
from dvonn_tui.play.codecup import fill_in
from dvonn_tui.play.engine_process import EngineProcess
from dvonn_tui.play.engine_trouble import EngineTrouble
from dvonn_tui.play.thoughts import History, Question
from dvonn_tui.records.states import state_text


@dataclass(frozen=True, slots=True)
class Solver:
    """A program that solves positions.

    Attributes:
        name: what it is called in messages, clean.
        command: the program and its arguments; holds ``{position}`` or ``{state}``.
        sign: what it writes when a position is solved; not empty.
        seconds: how long it may take for a position.
    """

    name: str
    command: tuple[str, ...]
    sign: str
    seconds: float

    def reads(self, position: Position) -> bool:
        """True when the position can be written in its command: stacks can be too high for ``{state}``."""
        return state_text(position) is not None or not any("{state}" in word for word in self.command)


async def time_to_solve(solver: Solver, position: Position) -> float | None:
    """Let a program solve a position.

    Returns:
        The seconds from its start to its sign; None when the sign did not come within its time.

    Raises:
        EngineTrouble: it cannot be started, or it failed: it ended by a signal or with a status other than 0.
    """
    found: asyncio.Future[float | None] = asyncio.get_running_loop().create_future()
    seconds = solver.seconds
    times = {"seconds": f"{seconds:g}", "movetime": f"{round(seconds * 1000)}", "gametime": f"{seconds:g}"}
    values = {**times, "seed": "0"}
    command = fill_in(solver.command, Question(position, History(position)), values)
    sign = solver.sign.encode()
    rest = b""

    def see(text: bytes, when: float) -> None:
        if sign in text and not found.done():
            found.set_result(when - begun)

    def see_piece(piece: bytes, when: float) -> None:
        # The sign may be torn: as much is kept as can be the beginning of it.
        nonlocal rest
        see(rest + piece, when)
        rest = (rest + piece)[-len(sign) :]

    def on_end(trouble: EngineTrouble) -> None:
        if found.done():
            return
        if process.status == 0:
            found.set_result(None)
        else:
            found.set_exception(trouble)

    begun = time.perf_counter()
    process = await EngineProcess.start(
        solver.name, command, lambda line, when: see(line.encode(), when), overhear=see_piece
    )
    process.on_end = on_end
    try:
        await asyncio.wait([found], timeout=max(begun + seconds - time.perf_counter(), 0.0))
        spent = found.result() if found.done() else None
        return spent if spent is not None and spent <= seconds else None
    finally:
        await process.close(None)
