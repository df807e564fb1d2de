"""The records of boardspace.net. There is no sample of a real game: these are made up by its rules."""

from __future__ import annotations

from collections.abc import Iterable

from dvonn_tui.records.forms import BY_NAME, read, write

from .mutation import SGF
from .tools import DATA, clean, faults, only, tokens


def sgf(words: Iterable[str], *, pick: bool = False) -> str:
    """A game of tokens as boardspace.net records it, moves as ``Move`` or picked up and set down."""
    lines = ["(;", "GM[dvonn]VV[1]", "SU[dvonn 0]", 'P0[id "Ann"]', 'P1[id "Bo"]', "; P0[0 Start P0]"]
    number = 1
    for index, word in enumerate(words):
        # White places the last piece and moves first.
        player = f"P{(index - (index >= 49)) % 2}"
        cells = [f"{word[place].upper()} {word[place + 1]}" for place in range(0, len(word), 2)]
        if word == "pass":
            acts = ["Pass"]
        elif len(cells) == 1:
            acts = [f"Dropb {cells[0]}"]
        elif pick:
            acts = [f"Pickb {cells[0]} 1", f"Dropb {cells[1]}"]
        else:
            acts = [f"Move {cells[0]} {cells[1]}"]
        for act in (*acts, "Done"):
            lines.append(f"; {player}[{number} {act}]")
            number += 1
    return "\n".join([*lines, "RE[The game was won by Ann]", ")", ""])


def test_a_whole_game() -> None:
    """Placements, moves in both ways, passes, names."""
    record = clean((DATA / "game-53360.log").read_text("ascii"))
    played = tokens(record.game)
    for pick in (False, True):
        again = clean(sgf(played, pick=pick))
        assert (again.form, tokens(again.game)) == ("sgf", played)
        assert (again.tags["White"], again.tags["Black"]) == ("Ann", "Bo")
        assert again.tags["RE"] == "The game was won by Ann"
        assert tokens(clean(write(again)).game) == played


def test_what_was_taken_back_was_not_played() -> None:
    """A piece that is picked up again before ``Done``, a reset, and a player who started as P1."""
    record = clean(SGF)
    assert tokens(record.game) == ["a1", "c1", "d1", "resign"]
    assert record.result == "1-0"
    assert record.game.comment_of(record.game.main_line()[-2]) == "hello ] there"
    text = SGF.decode()
    reset = text.replace("; P1[4 Pickb B 1]\n; P1[5 Dropb C 1]", "; P1[4 Reset]\n; P1[5 Dropb C 1]")
    assert tokens(clean(reset).game) == ["a1", "c1", "d1", "resign"]
    changed = text.replace("P0[0 Start P0]", "P1[0 Start P1]")
    swapped = changed.replace("P0[", "P#[").replace("P1[", "P0[").replace("P#[", "P1[")
    assert clean(swapped).game.started.white == "Ann" or clean(swapped).tags["White"] in ("Ann", "Bo")


def test_who_resigns() -> None:
    """Is said by who does it, not by whose turn it is."""
    text = SGF.decode().replace("P1[9 Resign]", "P0[9 Resign]").replace("P1[10 Done]", "P0[10 Done]")
    assert clean(text).result == "0-1"


def test_faults() -> None:
    """Cut off, not closed, lines beside the main one, not confirmed, unknown."""
    text = SGF.decode()
    cut = only(text[: text.index("; P0[7")])
    assert "not closed: it may be cut off" in faults(cut)[0]
    assert tokens(cut.game) == ["a1", "c1"]
    open_value = only(text[: text.index("D 1]")])
    assert "this value is not closed" in faults(open_value)[0]
    beside = only(text.rstrip()[:-1] + "(; P0[20 Dropb E 1])(; P0[20 Dropb F 1]))")
    assert "lines beside the main one are not read" in faults(beside)[0]
    unconfirmed = clean(text.replace("; P1[10 Done]\n", ""))
    assert "not confirmed" in str(unconfirmed.remarks[0])
    unknown = clean(text.replace("P1[3 Dropb B 1]", "P1[3 Wave B 1]"))
    assert "this is not known" in str(unknown.remarks[0])
    assert "is taken" in faults(only(text.replace("D 1", "A 1")))[0]


def test_two_games_in_a_file() -> None:
    """Each begins with its bracket."""
    text = SGF.decode()
    assert [tokens(record.game) for record in read(text + text)] == [["a1", "c1", "d1", "resign"]] * 2
    assert BY_NAME["sgf"].write is None
