"""Addresses as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn_tui.tables.address import Address, parse_address, parse_table
from dvonn_tui.tables.protocol import DEFAULT_PORT

HERE = Address("club.example")


@pytest.mark.parametrize(
    ("text", "address", "url"),
    [
        ("club.example", HERE, f"ws://club.example:{DEFAULT_PORT}/"),
        (" Club.Example ", HERE, f"ws://club.example:{DEFAULT_PORT}/"),
        ("club.example:80", Address("club.example", 80), "ws://club.example:80/"),
        ("club.example/", HERE, f"ws://club.example:{DEFAULT_PORT}/"),
        (
            "club.example/kz7q2m",
            Address("club.example", table="KZ7Q2M"),
            f"ws://club.example:{DEFAULT_PORT}/",
        ),
        ("[::1]:99", Address("::1", 99), "ws://[::1]:99/"),
        ("[fe80::1%eth0]", Address("fe80::1%eth0"), f"ws://[fe80::1%eth0]:{DEFAULT_PORT}/"),
        ("ws://x:1/dvonn", Address("x", 1, path="/dvonn"), "ws://x:1/dvonn"),
        ("wss://x", Address("x", tls=True), f"wss://x:{DEFAULT_PORT}/"),
        ("dvonn://x:5/KZ7Q2M", Address("x", 5, table="KZ7Q2M"), "ws://x:5/"),
        ("DVONNS://x/KZ7Q2M/", Address("x", tls=True, table="KZ7Q2M"), f"wss://x:{DEFAULT_PORT}/"),
        ("dvonns://x", Address("x", tls=True), f"wss://x:{DEFAULT_PORT}/"),
        ("bücher.example", Address("bücher.example"), f"ws://bücher.example:{DEFAULT_PORT}/"),
    ],
)
def test_what_is_read(text: str, address: Address, url: str) -> None:
    assert parse_address(text) == address
    assert address.url == url
    assert parse_address(str(address)) == address
    assert parse_address(address.server).url == url


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no address '': it can be host, host:port"),
        ("http://x", "no address 'http://x'"),
        ("x:0", "no port 0: ports are 1 to 65535"),
        ("x:65536", "no port 65536"),
        ("x:" + "9" * 4_000, "no address"),
        ("x y", "no address 'x y'"),
        ("user@x", "no address"),
        ("::1", "no address '::1'"),
        ("x/abc", "no table 'abc': its id is 4 to 12 letters and digits"),
        ("x/rjybq1", "no table 'rjybq1': its id is 4 to 12 letters and digits without 0 and 1"),
        ("x/../etc", "no table '../etc'"),
        ("x\x1b[2J", "no address 'x?[2J'"),
        ("x\u202ey", "no address 'x?y'"),
        ("h" * 301, "no address"),
    ],
)
def test_what_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"^no ") as refused:
        parse_address(text)
    assert str(refused.value).startswith(why)
    assert str(refused.value).isprintable()


@given(
    st.text(max_size=40)
    | st.from_regex(r"(wss?|dvonns?)://[a-z0-9.\[\]:%]{1,12}(:[0-9]{1,6})?(/[A-Za-z0-9]{0,8})?")
)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        address = parse_address(text)
    except ValueError:
        return
    assert parse_address(str(address)) == address
    assert address.url.isprintable()


def test_ids_of_tables() -> None:
    assert parse_table(" kz7q2m ") == "KZ7Q2M"
    for text in ("", "abc", "A" * 13, "KZ7Q21", "ＡＢＣＤ"):
        with pytest.raises(ValueError, match="no table"):
            parse_table(text)


@pytest.mark.parametrize(
    ("text", "here"),
    [("LOCALHOST:1", True), ("127.0.0.1", True), ("wss://[::1]:99", True), ("10.0.0.1", False), ("x", False)],
)
def test_which_lead_everybody_to_his_own_machine(text: str, here: bool) -> None:
    assert parse_address(text).here is here
