"""Limits and how they are read, rates, and what the log of a server looks like."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from dvonn_tui.tables.doors import UNANSWERED, Doors, address_of
from dvonn_tui.tables.limits import Bucket, Limits, LimitsFault, limits_from, read_limits
from dvonn_tui.tables.service_log import LogFormat, ServiceLog

from ..cli.hostile import HOSTILE, is_harmless


@pytest.mark.parametrize("each", fields(Limits), ids=lambda each: each.name)
def test_every_limit_has_words_and_a_default_within_its_range(each: object) -> None:
    about, default = each.metadata, each.default  # type: ignore[attr-defined]
    assert about["what"]
    if not isinstance(default, bool):
        assert about["least"] <= default <= about["most"]
        name = each.name  # type: ignore[attr-defined]
        for value in (about["least"], about["most"]):
            assert getattr(limits_from({name: value}), name) == value
        for value in (about["least"] - 1, about["most"] + 1, "many", True):
            with pytest.raises(ValueError, match=name):
                limits_from({name: value})


def test_the_readme_tells_every_limit() -> None:
    text = Path(__file__).parents[2].joinpath("README.md").read_text("utf-8")
    for each in fields(Limits):
        default = str(each.default).lower() if isinstance(each.default, bool) else f"{each.default:.10g}"
        assert f"| `{each.name}` | {default} | {each.metadata['what']}" in text
        if not isinstance(each.default, bool):
            least, most = each.metadata["least"], each.metadata["most"]
            assert f"{each.metadata['what']} ({least:.10g} to {most:.10g}) |" in text


def test_a_file_of_limits(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text("[limits]\nconnections_address = 500\nidle_days = 30\naddress_from_proxy = true\n")
    limits = read_limits(path)
    assert (limits.connections_address, limits.idle_days, limits.address_from_proxy) == (500, 30.0, True)
    assert limits.queue == Limits().queue
    path.write_text("")
    assert read_limits(path) == Limits()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[limits]\nconections = 5", "unknown name conections; known are message, rate"),
        ("[limits]\nconnections = 0", "connections is 0; it can be a number from 1 to 100000: connections"),
        ("[limits]\nwatchers = 2.5", "watchers is 2.5; it can be a number from 0 to 200"),
        ("[limits]\nrate = 'fast'", "rate is fast; it can be"),
        ("[limits]\naddress_from_proxy = 1", "address_from_proxy is true or false, not 1"),
        ("limits = 3", "limits is no table"),
        ("[limit]\nrate = 3", "unknown name limit; known is the table [limits]"),
        ("[limits", "not TOML"),
        ("[limits]\nrate = nan", "rate is nan; it can be"),
    ],
)
def test_a_wrong_file_is_told_with_its_name_and_the_key(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "limits.toml"
    path.write_text(content)
    with pytest.raises(LimitsFault) as fault:
        read_limits(path)
    assert str(fault.value).startswith(f"{path}: ")
    assert told in str(fault.value)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"#" * 200_000, None])
def test_what_is_no_file_of_limits(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "limits.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LimitsFault, match=r"limits\.toml"):
        read_limits(path)


def test_a_bucket() -> None:
    """So much at once, so much a second; what is refused costs nothing, what is overdrawn has to be paid."""
    bucket = Bucket(rate=2.0, burst=3.0, now=10.0)
    assert [bucket.allows(10.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.allows(10.5)
    assert not bucket.allows(10.5)
    assert bucket.spend(10.5) == 0.5
    assert bucket.spend(11.0, 0.0) == 0.0
    assert bucket.spend(100.0, 3.0) == 0.0
    assert not bucket.full(100.0)
    assert bucket.full(101.5)


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        (("192.0.2.7", 5), None, "192.0.2.7"),
        (("::ffff:192.0.2.7", 5, 0, 0), None, "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 5, 0, 0), None, "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 5, 0, 2), None, "fe80::/64"),
        (("127.0.0.1", 5), "203.0.113.9, 192.0.2.7", "192.0.2.7"),
        (("127.0.0.1", 5), "nonsense", "unknown"),
        (None, None, "unknown"),
    ],
)
def test_what_counts_as_one_address(peer: object, forwarded: str | None, address: str) -> None:
    assert address_of(peer, forwarded) == address


def test_lines_of_the_log() -> None:
    lines: list[str] = []
    log = ServiceLog(LogFormat.TEXT, lines.append, lambda: 0.0)
    log.event("came", client="ab12", number=3, reason="two words", nothing=None)
    assert lines == ['1970-01-01T00:00:00.000Z came client=ab12 number=3 reason="two words"\n']
    lines.clear()
    ServiceLog(LogFormat.JSON, lines.append, lambda: 1.5).event("came", client="ab12", number=3)
    [line] = lines
    assert json.loads(line) == {
        "time": "1970-01-01T00:00:01.500Z",
        "event": "came",
        "client": "ab12",
        "number": 3,
    }


def test_nobody_fills_the_log() -> None:
    """What anybody can cause is written so often and no more; the rest is counted, reason by reason."""
    lines: list[str] = []
    time = [0.0]
    log = ServiceLog(LogFormat.TEXT, lines.append, lambda: 0.0, lambda: time[0])
    for _ in range(10_000):
        log.fault("event loop", OSError())
    assert len(lines) == 50
    log.fault("work beside", OSError())
    assert "work beside" in lines[-1]
    assert "unwritten" not in lines[-1]
    time[0] += 2
    log.fault("event loop", OSError())
    log.fault("event loop", OSError())
    assert len(lines) == 52
    assert "unwritten=9950" in lines[-1]
    for _ in range(100):
        log.event("client-came", client="ab12")
    assert len(lines) == 152


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", LogFormat)
def test_whatever_is_logged_is_one_clean_line(text: str, form: LogFormat) -> None:
    lines: list[str] = []
    log = ServiceLog(form, lines.append)
    log.event("came", reason=f"a{text}b")
    log.fault("work", ValueError(text))
    assert len(lines) == 2
    for line in lines:
        assert line.endswith("\n")
        assert line.count("\n") == 1
        assert is_harmless(line)
        assert line.isascii()


def test_a_fault_is_told_without_what_it_says() -> None:
    """What an exception says can be anything, a secret as well; where it was raised is enough."""
    lines: list[str] = []
    try:
        raise KeyError("a secret")
    except KeyError as problem:
        ServiceLog(LogFormat.TEXT, lines.append).fault("a test", problem)
    assert "kind=KeyError" in lines[0]
    assert "at=test_limits.py:" in lines[0]
    assert "secret" not in lines[0]


def test_a_log_that_nobody_reads_ends_nothing() -> None:
    def broken(_: str) -> None:
        raise BrokenPipeError

    ServiceLog(LogFormat.TEXT, broken).event("came")


class Visitor:
    """Somebody at the door, who knows whether he was turned away."""

    def __init__(self) -> None:
        self.away = False

    def turn_away(self) -> None:
        self.away = True


def coming(doors: Doors, address: str, number: int) -> list[Visitor]:
    visitors = [Visitor() for _ in range(number)]
    for visitor in visitors:
        doors.came(visitor, address)
    return visitors


def turned_away(visitors: list[Visitor]) -> list[bool]:
    return [visitor.away for visitor in visitors]


def test_one_address_that_says_nothing_keeps_nobody_out() -> None:
    """However many connections it opens; and it can come in itself once they are closed."""
    doors = Doors(Limits(connections=20, connections_address=5))
    mute = coming(doors, "192.0.2.1", 1_000)
    assert turned_away(mute) == [False] * 5 + [True] * 995
    [other] = coming(doors, "192.0.2.2", 1)
    assert doors.refusal(other, "192.0.2.2", 0.0) is None
    for visitor in mute:
        doors.left(visitor)
    assert (doors.sockets, doors.gone) == (1, 1_000)
    [again] = coming(doors, "192.0.2.1", 1)
    assert doors.refusal(again, "192.0.2.1", 0.0) is None
    assert (other.away, again.away) == (False, False)


def test_of_many_addresses_that_say_nothing_the_oldest_go() -> None:
    """Never who is inside, nor who has just come."""
    doors = Doors(Limits(connections=4, connections_address=2))
    [inside] = coming(doors, "192.0.2.1", 1)
    assert doors.refusal(inside, "192.0.2.1", 0.0) is None
    mute = [visitor for each in range(20) for visitor in coming(doors, f"198.51.100.{each}", 1)]
    kept = 4 * UNANSWERED - 1
    assert turned_away(mute) == [True] * (20 - kept) + [False] * kept
    assert doors.refusal(mute[-1], "198.51.100.19", 0.0) is None
    assert not inside.away


def test_behind_a_proxy_those_who_wait_have_no_address_yet() -> None:
    doors = Doors(Limits(connections=20, connections_address=2))
    assert not any(turned_away(coming(doors, "", 30)))


def test_where_the_system_allows_fewer_files_fewer_wait() -> None:
    """The server never runs out of them."""
    doors = Doors(Limits(connections=20, connections_address=20), sockets=5)
    assert turned_away(coming(doors, "192.0.2.1", 7)) == [True] * 2 + [False] * 5
