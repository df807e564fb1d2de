"""Damaging records: bytes changed, lost, doubled, put in; lines exchanged; files joined and cut."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from dvonn_tui.records.forms import BY_NAME, read, write

from .tools import DATA

SNIPPETS = (
    *(b"{", b"}", b"(", b")", b"[", b"]", b'"', b"\\", b";", b"#", b"%", b"$1", b"*", b"1-0", b"0-1", b"\0"),
    *(b"\r", b"\n", b"\n\n", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"pass", b"resign", b"draw", b"a1"),
    *(b"1.", b"99...", b"[%clk 9]", b"[%rm a1]", b"[%mark", b"\\u{110000}", b"\\u{d800}", b"\x1b[2J"),
    *(b'[Event "x"]', b'[Format "2"]', b'[Layout "9/10/11/10/9 w p"]', b"(;", b"P0[9 Done]", b"-->"),
    *(b"A" * 50, b"BREAK", b"a1b2"),
)

SGF = b"""(;
GM[dvonn]VV[1]
SU[dvonn 0]
P0[id "Ann"]P1[id "Bo"]
; P0[0 Start P0]
; P0[1 Dropb A 1]
; P0[2 Done]
; P1[3 Dropb B 1]
; P1[4 Pickb B 1]
; P1[5 Dropb C 1]
; P1[6 Done]
; P0[7 Dropb D 1]
; P0[8 Done]
C[hello \\] there]
; P1[9 Resign]
; P1[10 Done]
)
"""


@cache
def samples() -> Mapping[str, bytes]:
    """A record of each form, and a native one with everything in it."""
    found = {
        name: (DATA / name).read_bytes()
        for name in ("little-golem.txt", "game-53360.dvg", "game-53360.log", "codecup-raw/game-53360.txt")
    }
    found["several.log"] = b"\n".join((DATA / "random60.log").read_bytes().split(b"\n")[:4])
    (record,) = read(found["little-golem.txt"])
    for name in ("dvn", "state", "position"):
        found[name] = write(record, BY_NAME[name]).encode()
    found["sgf"] = SGF
    found["tree.dvn"] = TREE.encode() * 3
    return found


TREE = """\
[Event "Club \\"evening\\""]
[White "Zoë"]
[Setup "position"]
[Layout "9/1wb7/2rwbw5/wb8/9 w m"]
[Result "*"]
[Score "4-3"]

{Before.} 1. a2b2 {[%clk 0:09:41] [%mark a1=star] good \\{really\\}} (1. d3c3
{[%rm e3 f3] [%hidden] takes the red piece \\u{1f600}} 1... d4c3 (1... d4c4 $1) ) 1... d4c4! ; rest
*

"""


def mutated(data: bytes, random: Random) -> bytes:
    """The same with one to twelve damages."""
    damaged = bytearray(data)
    for _ in range(random.randint(1, 12)):
        place = random.randrange(len(damaged) + 1)
        length = min(random.choice((1, 1, 2, 5, 40)), len(damaged) - place)
        match random.randrange(8):
            case 0:
                damaged[place : place + length] = random.randbytes(length)
            case 1:
                del damaged[place : place + length]
            case 2:
                damaged[place:place] = damaged[place : place + length] * random.randint(1, 3)
            case 3 | 4:
                damaged[place:place] = random.choice(SNIPPETS)
            case 5:
                lines = damaged.split(b"\n")
                random.shuffle(lines)
                damaged = bytearray(b"\n".join(lines))
            case 6 if random.random() < 0.3:
                del damaged[place:]
            case _:
                other = random.randrange(len(damaged) + 1)
                low, high = sorted((place, other))
                damaged[place:place] = damaged[low : low + min(high - low, 200)]
    return bytes(damaged)
