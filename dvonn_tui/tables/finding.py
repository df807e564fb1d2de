"""Finding servers on the local network, and telling there that one is running (DNS-SD, by zeroconf).

What is heard there is text from outside: anybody in the same network can call himself anything.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dvonn_tui.clean import LINE_LIMIT, clean_line
from dvonn_tui.tables.address import Address

if TYPE_CHECKING:
    from zeroconf import IPVersion, ServiceInfo
    from zeroconf.asyncio import AsyncZeroconf

SERVICE: Final = "_dvonn._tcp.local."
"""The kind of service; it is made of the game's name as RFC 6763 wants it."""

MOST_FOUND: Final = 100
"""Servers that are listed at most."""

HOW_TO_FIND: Final = "to find servers on the local network, pip install 'dvonn-tui[lan]'"
HOW_TO_BE_FOUND: Final = "to be found on the local network, pip install 'dvonn-tui[lan]'"

_TLS: Final = "tls"
"""The key under which a server tells that it speaks TLS."""

_LONGEST_NAME: Final = 40
"""Characters of the name in a service; its label has 63 bytes at most, and the port is added to it."""


class FindingTrouble(Exception):
    """The local network cannot be asked. The text is why, and what to do, in words for people."""


@dataclass(frozen=True, slots=True)
class Found:
    """A server on the local network.

    Attributes:
        name: what it calls itself, clean.
        address: where it is.
    """

    name: str
    address: Address


async def find(seconds: float = 2.0, network: AsyncZeroconf | None = None) -> list[Found]:
    """The servers that answer within some seconds, by name; each once.

    Args:
        seconds: how long is waited for answers.
        network: what is asked; by default all of the local network.

    Raises:
        FindingTrouble: zeroconf is not installed, or there is no network.
    """
    async with _asking(network, HOW_TO_FIND) as asked:
        names = await _names_heard(asked, seconds)
        infos = await asyncio.gather(*(_info_of(asked, name) for name in names))
    found = {server.address: server for info in infos if info is not None and (server := _found(info))}
    return sorted(found.values(), key=lambda server: (server.name.casefold(), server.address.server))


@asynccontextmanager
async def announce(
    name: str, port: int, *, tls: bool = False, network: AsyncZeroconf | None = None
) -> AsyncIterator[None]:
    """Tell the local network of a server for as long as this is open.

    Args:
        name: what the server calls itself.
        port: where it listens.
        tls: whether it speaks TLS.
        network: what is told; by default all of the local network.

    Raises:
        FindingTrouble: zeroconf is not installed, or there is no network.
    """
    async with _asking(network, HOW_TO_BE_FOUND) as told:
        info = _service(name, port, tls)
        try:
            await (await told.async_register_service(info, allow_name_change=True))
        except Exception as problem:
            raise _trouble(problem) from problem
        try:
            yield
        finally:
            await (await told.async_unregister_service(info))


@asynccontextmanager
async def _asking(network: AsyncZeroconf | None, how: str) -> AsyncIterator[AsyncZeroconf]:
    """The network that was given, or the local one while it is needed; `how` is what makes that possible."""
    if network is not None:
        yield network
        return
    try:
        from zeroconf.asyncio import AsyncZeroconf
    except ImportError as problem:
        raise FindingTrouble(how) from problem
    try:
        opened = AsyncZeroconf()
    except OSError as problem:
        raise _trouble(problem) from problem
    try:
        yield opened
    finally:
        await opened.async_close()


async def _names_heard(network: AsyncZeroconf, seconds: float) -> list[str]:
    """The full names of the services that are heard of, so many at most."""
    from zeroconf.asyncio import AsyncServiceBrowser

    names: dict[str, None] = {}

    def heard(*, name: str, **_: object) -> None:
        if len(names) < MOST_FOUND:
            names[name] = None

    browser = AsyncServiceBrowser(network.zeroconf, SERVICE, handlers=[heard])
    try:
        await asyncio.sleep(seconds)
    finally:
        await browser.async_cancel()
    return list(names)


async def _info_of(network: AsyncZeroconf, name: str) -> ServiceInfo | None:
    """Where a service is; None when it does not tell any more."""
    from zeroconf import BadTypeInNameException

    try:
        return await network.async_get_service_info(SERVICE, name, timeout=1_000)
    except BadTypeInNameException:
        return None


def _found(info: ServiceInfo) -> Found | None:
    """A server as a player sees it; None when there is no address that could be opened."""
    addresses = [text for text in info.parsed_scoped_addresses(_every_version()) if _is_address(text)]
    if not addresses or not info.port:
        return None
    # An address of the older kind is one that can be told to others.
    host = min(addresses, key=lambda text: ":" in text)
    spoken = info.name.removesuffix(f".{SERVICE}").rsplit(" at ", 1)[0]
    tls = info.properties.get(_TLS.encode()) == b"1"
    return Found(clean_line(spoken, LINE_LIMIT) or "?", Address(host, info.port, tls))


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _every_version() -> IPVersion:
    from zeroconf import IPVersion

    return IPVersion.All


def _service(name: str, port: int, tls: bool) -> ServiceInfo:
    from zeroconf import ServiceInfo

    host = socket.gethostname().split(".")[0] or "dvonn"
    label = clean_line(name, _LONGEST_NAME).replace(".", " ").strip() or "DVONN"
    while len(label.encode()) > _LONGEST_NAME:
        label = label[:-1]
    return ServiceInfo(
        SERVICE,
        f"{label} at {port}.{SERVICE}",
        port=port,
        properties={_TLS: "1" if tls else "0"},
        server=f"{host}.local.",
        parsed_addresses=_own_addresses(),
    )


def _own_addresses() -> list[str]:
    """The addresses of this machine, those that only it can reach left out unless there are no others."""
    import ifaddr

    texts = [address.ip for adapter in ifaddr.get_adapters() for address in adapter.ips]
    plain = [text if isinstance(text, str) else text[0] for text in texts]
    outside = [text for text in plain if not ipaddress.ip_address(text).is_loopback]
    return outside or plain


def _trouble(problem: Exception) -> FindingTrouble:
    why = problem.strerror if isinstance(problem, OSError) else None
    return FindingTrouble(
        f"the local network cannot be asked: {clean_line(why or type(problem).__name__, 100)}"
    )
