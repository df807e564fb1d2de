"""Engines with one fault each, or none. Started as programs by the tests.

``python fake_engine.py MODE [MILLISECONDS]`` speaks our own lines; ``codecup-...`` modes speak CodeCup's.
``python fake_engine.py gated FOLDER`` answers once the folder holds a file ``go``, or when told to stop.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
DELAY = float(sys.argv[2]) / 1000 if len(sys.argv) > 2 and MODE != "gated" else 0.0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def best(position: str) -> str:
    """The first legal action."""
    from dvonn_tui.core.notation import format_action, parse_position
    from dvonn_tui.core.rules import legal_moves, legal_placements

    here = parse_position(position)
    actions = legal_placements(here) or legal_moves(here)
    return format_action(actions[0])


_rest = b""


def line_within(seconds: float | None) -> str | None:
    """The next line of standard input; None when none came in time. Ends the program at its end."""
    global _rest
    end = None if seconds is None else time.monotonic() + seconds
    while b"\n" not in _rest:
        left = None if end is None else max(end - time.monotonic(), 0.0)
        if not select.select([0], [], [], left)[0]:
            return None
        chunk = os.read(0, 4096)
        if not chunk:
            sys.exit(0)
        _rest += chunk
    line, _, _rest = _rest.partition(b"\n")
    return line.decode().strip()


def wait(seconds: float) -> bool:
    """Think; True when told to stop."""
    end = time.monotonic() + seconds
    while (line := line_within(end - time.monotonic())) is not None:
        if line == "quit":
            sys.exit(0)
        if line == "stop":
            return True
    return False


def wait_at_gate(folder: Path) -> None:
    """Tell by a file that a question has come, and think until the gate is open."""
    number = sum(1 for _ in folder.glob("asked-*")) + 1
    (folder / f"asked-{number}").touch()
    while not (folder / "go").exists() and not wait(0.01):
        pass


SAID_INSTEAD = {
    "nonsense": "bestmove \x1b[2Jhello",
    "nothing": "bestmove",
    "long": "x" * 200_000,
    "illegal": "bestmove a1a1",
    "pass": "bestmove pass",
}


def go(position: str, words: list[str]) -> None:
    if MODE == "dying":
        sys.stderr.write("all was well\nSegmentation \x1b[31mfault in [/b]\n\n")
        sys.stderr.flush()
        sys.exit(3)
    if MODE == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    if MODE == "silent" or MODE == "deaf":
        time.sleep(600)
    if MODE in SAID_INSTEAD:
        say(SAID_INSTEAD[MODE])
        return
    if MODE == "chatty":
        for number in range(3_000):
            say(f"what a position {number} " + "!" * 100)
            sys.stderr.write("chatter " * 20 + "\n")
        say("info depth x score y")
        say("info score")
        say("info string thinking")
    if MODE == "babble":
        while True:
            say("bla bla")
    limits = dict(pairwise(words))
    depth = int(limits.get("depth", "4"))
    multipv = int(OPTIONS.get("multipv", "1"))
    move = best(position)
    for rank in range(1, multipv + 1):
        say(f"info depth {depth} score {10 - rank} nodes 1000 nps 50000 multipv {rank} pv {move} pass")
    if MODE == "slow":
        wait(DELAY)
    elif MODE == "gated":
        wait_at_gate(Path(sys.argv[2]))
    elif MODE == "stubborn":
        time.sleep(DELAY)
    elif "infinite" in words:
        number = depth
        while not wait(0.02):
            number += 1
            say(f"info depth {number} score 7 solved nodes 2000 nps 50000 multipv 1 pv {move}")
    elif "movetime" in limits:
        wait(float(limits["movetime"]) / 1000)
    say(f"bestmove {move}")


OPTIONS: dict[str, str] = {}


def own_lines() -> None:
    position = ""
    if MODE == "no-start":
        sys.exit("no licence")
    if MODE == "mute":
        time.sleep(600)
    while (line := line_within(None)) is not None:
        words = line.split()
        match words[:1]:
            case ["isready"]:
                if MODE == "complaining":
                    say("info string error: no such option: seed")
                    say("info string error: no such option: colour")
                say("readyok")
            case ["setoption"]:
                OPTIONS[words[2]] = words[4]
            case ["position"]:
                position = " ".join(words[1:4])
            case ["go"]:
                go(position, words[1:])
            case ["quit"]:
                if MODE != "stays":
                    return
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(600)


def codecup() -> None:
    from dvonn_tui.core.game import Game
    from dvonn_tui.core.notation import format_action
    from dvonn_tui.core.pieces import Side
    from dvonn_tui.core.rules import legal_moves, legal_placements
    from dvonn_tui.core.script import Script
    from dvonn_tui.core.setups import Setup

    game = Game.new(Setup.MANUAL)
    script = Script(game)
    mine = None
    passes = 0

    def last_passed() -> Side | None:
        event = game.head.event
        return getattr(event, "by", None) if type(event).__name__ == "TurnPassed" else None

    for line in sys.stdin:
        token = line.strip()
        if token == "Quit":
            return
        if mine is None:
            mine = Side.WHITE if token == "Start" else Side.BLACK
        if token != "Start":
            if token.lower() == "pass" and passes:
                passes -= 1
            else:
                script.play(token)
                if last_passed() is mine:
                    say("PASS")
                elif last_passed() is not None:
                    passes += 1
        while not game.position.over and game.position.side is mine:
            time.sleep(DELAY)
            if MODE == "codecup-illegal" and game.head.ply > 4:
                say("A1")
                time.sleep(600)
            action = (legal_placements(game.position) or legal_moves(game.position))[-1]
            say(format_action(action).upper())
            game.play(action)
            if last_passed() is mine:
                say("PASS")
            elif last_passed() is not None:
                passes += 1


if __name__ == "__main__":
    if MODE == "once":
        say(best(sys.argv[3]).upper())
    elif MODE.startswith("codecup"):
        codecup()
    else:
        own_lines()
