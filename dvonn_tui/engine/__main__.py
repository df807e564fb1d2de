"""``python -m dvonn_tui.engine``: the engine as a process."""

from __future__ import annotations

import sys

from dvonn_tui.engine.process import DEFAULT_GAME_TIME, serve


def main(words: list[str]) -> int:
    """Run the line protocol, or with ``--codecup [--time SECONDS] [--seed N]`` one game by CodeCup's."""
    if not words:
        return serve()
    import argparse

    parser = argparse.ArgumentParser(prog="python -m dvonn_tui.engine", description=main.__doc__)
    parser.add_argument("--codecup", action="store_true", help="play one game by the CodeCup protocol")
    parser.add_argument("--time", type=float, default=DEFAULT_GAME_TIME, help="seconds for the game")
    parser.add_argument("--seed", type=int, default=0, help="varies the placements")
    options = parser.parse_args(words)
    return serve(codecup=options.codecup, seconds=options.time, seed=options.seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
