"""Finding servers on the local network. What is heard there is text from outside."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from dvonn_tui.tables import finding
from dvonn_tui.tables.address import Address
from dvonn_tui.tables.finding import SERVICE, FindingTrouble, Found, announce, find

zeroconf = pytest.importorskip("zeroconf")


def service(name: str, *addresses: str, port: int = 3866, **properties: str) -> object:
    return zeroconf.ServiceInfo(
        SERVICE, f"{name}.{SERVICE}", port=port, properties=properties, parsed_addresses=list(addresses)
    )


@pytest.mark.parametrize(
    ("heard", "found"),
    [
        (service("Club at 3866", "10.0.0.2"), Found("Club", Address("10.0.0.2"))),
        (service("Club at 99-2", "10.0.0.2", port=99), Found("Club", Address("10.0.0.2", 99))),
        (service("Club", "fd00::2", tls="1"), Found("Club", Address("fd00::2", tls=True))),
        (service("Club", "fd00::2", "10.0.0.2", tls="yes"), Found("Club", Address("10.0.0.2"))),
        (service("x\x9b2J\u202e[/ at 1", "10.0.0.2"), Found("x?2J?[/", Address("10.0.0.2"))),
        (service(" ", "10.0.0.2"), Found("?", Address("10.0.0.2"))),
        (service("Club"), None),
        (service("Club", "10.0.0.2", port=0), None),
    ],
    ids=range(8),
)
def test_what_is_made_of_a_service(heard: object, found: Found | None) -> None:
    assert finding._found(heard) == found  # type: ignore[arg-type]


async def test_without_zeroconf_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf.asyncio", None)
    with pytest.raises(FindingTrouble, match=r"to find servers .*pip install 'dvonn-tui\[lan\]'"):
        await find(0.0)
    with pytest.raises(FindingTrouble, match=r"to be found .*pip install 'dvonn-tui\[lan\]'"):
        async with announce("Club", 3866):
            pass


async def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import zeroconf.asyncio

    def no_network() -> object:
        raise OSError(19, "No such device")

    monkeypatch.setattr(zeroconf.asyncio, "AsyncZeroconf", no_network)
    with pytest.raises(FindingTrouble, match="the local network cannot be asked: No such device"):
        await find(0.0)


@asynccontextmanager
async def loopback() -> AsyncIterator[object]:
    """A network of this machine alone."""
    from zeroconf.asyncio import AsyncZeroconf

    try:
        network = AsyncZeroconf(interfaces=["127.0.0.1"])
    except OSError as problem:
        pytest.skip(f"no multicast here: {problem}")
    try:
        yield network
    finally:
        await network.async_close()


async def test_a_server_that_is_announced_is_found_until_it_goes() -> None:
    async with loopback() as one, loopback() as other:
        async with announce("Bob's [/ club", 4711, tls=True, network=one):  # type: ignore[arg-type]
            servers = await find(0.3, other)  # type: ignore[arg-type]
            mine = [server for server in servers if server.address.port == 4711]
            assert [(server.name, server.address.tls) for server in mine] == [("Bob's [/ club", True)]
        servers = await find(0.1, other)  # type: ignore[arg-type]
        assert not [server for server in servers if server.address.port == 4711]
