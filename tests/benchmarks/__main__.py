"""Measure how fast the game is, and print tables.

What is measured in a terminal needs the installed program and a system with pseudo-terminals. The machine
should have nothing else to do; compare only what was measured in one run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.benchmarks import (
    core,
    idle,
    journal,
    library,
    records,
    screen,
    start,
    tables,
    tables_chaos,
    tables_flood,
    tables_load,
)

TABLES = ("load", "flood", "chaos")
"""What is measured at a server of tables; the part ``tables`` is all of it."""

PARTS = ("screen", "start", "idle", "core", "journal", "records", "library", "tables")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for, by default everything."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help=f"of {', '.join(PARTS)}; default: all. Of tables: {', '.join(TABLES)}",
    )
    parser.add_argument("--keys", type=int, default=120, help="keys in a measurement of the screen")
    parser.add_argument("--plies", type=int, default=34, help="plies of the game that is stepped through")
    parser.add_argument("--runs", type=int, default=9, help="runs of a start and of the rules")
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds of idling")
    parser.add_argument("--kills", type=int, default=100, help="programs that are killed during play")
    parser.add_argument("--games", type=int, default=10, help="games that are saved and read")
    parser.add_argument("--many", type=int, default=10_000, help="games of a large file and library")
    parser.add_argument("--mutations", type=int, default=10_000, help="records that are damaged")
    parser.add_argument("--tables", type=int, default=2_000, help="tables of a full server")
    parser.add_argument("--rate", type=float, default=700.0, help="moves a second at a full server")
    parser.add_argument("--lasting", type=float, default=30.0, help="seconds of that, and of a flood")
    parser.add_argument("--cuts", type=int, default=320, help="lines that are cut")
    parser.add_argument("--server-kills", type=int, default=20, help="servers that are killed")
    parser.add_argument("--megabytes", type=int, default=50, help="of a line and a comment that are too long")
    parser.add_argument("--only", default="", help="only screens whose name holds this")
    parser.add_argument(
        "--thinking", action="store_true", help="the screen while the analysis is on and its engine thinks"
    )
    options = parser.parse_args(arguments)
    wrong = [part for part in options.parts if part not in (*PARTS, *TABLES)]
    if wrong:
        parser.error(f"no part {wrong[0]!r}; there are {', '.join(PARTS)}")
    print(tables.machine())
    for part in options.parts or PARTS:
        print()
        if part == "screen":
            settings = [setting for setting in screen.SETTINGS if options.only in setting.name]
            report = screen.report_thinking if options.thinking else screen.report
            print(report(options.keys, options.plies, settings))
        elif part == "start":
            print(start.report(options.runs))
        elif part == "idle":
            print(idle.report(options.seconds))
        elif part == "journal":
            print(journal.report(options.kills, options.games))
        elif part == "library":
            print(library.report(options.many))
        elif part == "core":
            print(core.report(options.runs))
        elif part in ("tables", *TABLES):
            for each in TABLES if part == "tables" else (part,):
                print(_at_tables(each, options))
        else:
            print(records.report(options.runs, options.many, options.mutations, options.megabytes))
    return 0


def _at_tables(part: str, options: argparse.Namespace) -> str:
    """One of `TABLES`."""
    if part == "load":
        return tables_load.report(options.tables, options.rate, options.lasting)
    if part == "flood":
        pairs = min(options.tables, 120)
        return tables_flood.report(pairs, pairs / 2, options.lasting)
    return tables_chaos.report(min(options.tables, 6), options.cuts, options.server_kills)


if __name__ == "__main__":
    sys.exit(main())
