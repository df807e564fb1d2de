"""Records of other programs: each is read and replays; in a form that is written it comes back by tokens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dvonn_tui.core.notation import Word
from dvonn_tui.core.position import Reason
from dvonn_tui.records.forms import BY_NAME, FORMS, losses, read, write
from dvonn_tui.records.record import CannotHold, Record
from dvonn_tui.records.tree import tree_of

from .tools import DATA, clean, final, only, shape, tokens

SAMPLES = {
    "little-golem.txt": ("golem", 1),
    "game-53360.dvg": ("dvg", 1),
    "engine-games.log": ("codecup", 19),
    "random60.log": ("codecup", 60),
    "codecup-raw/game-53360.txt": ("state", 1),
    "codecup-raw/game-53505.txt": ("state", 1),
    **{f"game-{number}.log": ("codecup", 1) for number in (53360, 53492, 53505, 53576, 53590, 53604)},
}


def games_of(name: str) -> list[Record]:
    """The games of a sample."""
    with open(DATA / name, "rb") as file:
        return list(read(file))


def words(text: str) -> list[str]:
    """The tokens of a text in a form of tokens: no comments, scores, numbers or header words."""
    text = re.sub(r"#.*|\w+ \[[^]]*\]|\d+\.|^\d+-\d+", " ", text, flags=re.MULTILINE)
    return text.lower().split()


def test_every_sample_is_read() -> None:
    """The table above names all of them."""
    files = {path.relative_to(DATA).as_posix() for path in DATA.rglob("*") if path.is_file()}
    assert files - {"README.md"} == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name: str) -> None:
    """Recognised by content, nothing wrong, and every token is in the game."""
    form, count = SAMPLES[name]
    records = games_of(name)
    assert [record.form for record in records] == [form] * count
    assert not [fault for record in records for fault in (*record.faults, *record.remarks)]
    assert all(record.plies > 60 for record in records)


@pytest.mark.parametrize("name", [name for name, (form, _) in SAMPLES.items() if form != "state"])
def test_samples_come_back_token_by_token(name: str) -> None:
    """Written again in their own form: the same tokens, and the same games."""
    form, _ = SAMPLES[name]
    records = games_of(name)
    text = write(records, BY_NAME[form])
    written, told = words(text), words((DATA / name).read_text("ascii"))
    if name == "game-53505.log":
        told += [Word.PASS]  # it was due when the game was cut off, and we write out what is due
    assert written == told
    again = list(read(text))
    assert [tokens(record.game) for record in again] == [tokens(record.game) for record in records]
    assert [final(record) for record in again] == [final(record) for record in records]


def test_little_golem_comes_back_letter_by_letter() -> None:
    """Header words, numbers and all."""
    text = (DATA / "little-golem.txt").read_text("ascii")
    assert write(only(text), BY_NAME["golem"]).strip() == text.strip()


def test_dvonner_comes_back_letter_by_letter() -> None:
    """Two tokens a line, two spaces between."""
    text = (DATA / "game-53360.dvg").read_text("ascii")
    assert write(only(text), BY_NAME["dvg"]) == text


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("form", [form for form in FORMS if form.write], ids=lambda form: form.name)
def test_samples_in_every_form(name: str, form: object) -> None:
    """What a form holds comes back from it; what it does not is named before."""
    form = next(each for each in FORMS if each is form)
    record = games_of(name)[0]
    again = clean(write(record, form))
    assert again.form == form.name
    if form.name in ("position", "state"):
        assert "the moves" in losses(record, form)
    else:
        assert tokens(again.game) == tokens(record.game)
        assert again.result == record.result
    if form.name == "dvn":
        assert shape(tree_of(again.game)) == shape(tree_of(record.game))
    if form.name != "state":
        assert final(again) == final(record)


def test_the_two_forms_of_one_game_agree() -> None:
    """The log, the protocol with states, and Dvonner's form: the same tokens."""
    same = [games_of(name)[0] for name in ("game-53360.log", "game-53360.dvg", "codecup-raw/game-53360.txt")]
    assert len({tuple(tokens(record.game)) for record in same}) == 1


def test_scores_of_finished_games() -> None:
    """Each ends by the rules, with the score that its line begins with."""
    for name in ("engine-games.log", "random60.log"):
        for record in games_of(name):
            outcome = record.end.position.outcome
            assert outcome is not None
            assert outcome.reason is Reason.NO_MOVES
            assert record.tags["Score"] == "{}-{}".format(*record.end.position.score)


def test_what_other_lines_say_is_kept() -> None:
    """Comments of a log, and the values that a program printed beside its states."""
    record = games_of("game-53360.log")[0]
    assert record.game.comment_of(record.game.log[0]).startswith("CodeCup 2011 (DVONN), test competition 2")
    raw = games_of("codecup-raw/game-53360.txt")[0]
    assert raw.game.comment_of(raw.game.log[0]).endswith("minimax search is disabled.\nval=0")
    assert sum(bool(raw.game.comment_of(entry)) for entry in raw.game.main_line()) > 30


def test_what_only_reads_is_not_written() -> None:
    """boardspace.net's records."""
    with pytest.raises(CannotHold, match="only read"):
        write(games_of("little-golem.txt"), BY_NAME["sgf"])


def test_little_golem_writes_out_its_passes() -> None:
    """Also in the place of the resignation: White had no move when he gave up."""
    record = games_of("little-golem.txt")[0]
    assert tokens(record.game)[-3:] == ["e3e1", Word.PASS, Word.RESIGN]
    assert record.result == "0-1"


def test_the_record_of_the_readme() -> None:
    """What is shown there can be read, with everything in it."""
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    text = readme.split("### The native form")[1].split("```")[1]
    record = clean(text)
    assert tokens(record.game) == ["a2b2", "d4c4"]
    assert not record.remarks
    assert len(tree_of(record.game).children) == 2
    for form in FORMS:
        assert re.search(rf"^\|.*`?\.?{form.name}`?", readme, flags=re.MULTILINE)
