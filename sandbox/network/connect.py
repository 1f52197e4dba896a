"""Connections with DNS pinning: a name is resolved once, and only a checked address is used."""

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Protocol, TypeAlias

import httpcore
import httpx

from gretel.contracts.errors import CallRefused
from gretel.sandbox.network.addresses import IPAddress, describe, parse_address
from gretel.sandbox.network.origin import host_port
from gretel.sandbox.network.ports import is_here, own_ports
from gretel.sandbox.network.proxy import ProxyFailed, open_tunnel
from gretel.sandbox.network.wire import CountedStream

Resolver: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
"""Host and port → the addresses that the name stands for.

Raises:
    OSError: the name cannot be resolved.
"""

_MAX_ADDRESSES = 4
"""Addresses of one name that are tried before giving up."""
_MOST_ADDRESSES = 64
"""Addresses of one name that are checked; a name that stands for more is refused."""

_LOOKUPS = 64
"""Names that are looked up at once. A thread that waits costs little, and servers of few documents,
whose names hang shall not be all that is asked for."""

_OURS = frozenset(
    {
        errno.ENETUNREACH,
        errno.EHOSTUNREACH,
        errno.ENETDOWN,
        errno.EPERM,
        errno.EADDRNOTAVAIL,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOBUFS,
    }
)
"""Errors of a connection attempt that say nothing about the server."""


class EgressRules(Protocol):
    """What decides which connections are opened; `gretel.Policy` is one."""

    @property
    def proxy_url(self) -> httpx.URL | None:
        """The proxy that every connection goes through."""
        ...

    def address_allowed(self, address: IPAddress, host: str, port: int) -> bool:
        """Whether a connection to `host` may go to `address`, which the name resolved to."""
        ...

    def names_listener(self, address: IPAddress, host: str, port: int) -> bool:
        """Whether the user listed this address and port: then they may be our own process's."""
        ...


class NetworkDead(httpcore.ConnectError):
    """The name cannot be resolved, or no route leads out: our network's doing, not the tool's."""


async def system_resolver(host: str, port: int) -> list[str]:
    """The addresses that the operating system's resolver gives, in its order.

    Not in asyncio's own threads: of these there are a few, and a name that hangs keeps one.
    """
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_askers(), ask)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@cache
def _askers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="gretel-names")


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections to checked addresses only.

    The name goes on to TLS and the Host header unchanged; only the connection is pinned.
    """

    def __init__(self, rules: EgressRules, resolver: Resolver) -> None:
        self._rules = rules
        self._resolver = resolver
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first checked address of `host` that accepts one, through the
        user's proxy where there is one.

        Raises:
            CallRefused: an address of the name may not be reached.
            NetworkDead: the name cannot be resolved, or nothing out there can be reached.
        """
        addresses = await self._checked(host, port, timeout)
        proxy = self._rules.proxy_url
        error: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in addresses[:_MAX_ADDRESSES]:
            try:
                if proxy is not None:
                    stream = await open_tunnel(self._backend, proxy, address, port, timeout)
                else:
                    stream = await self._backend.connect_tcp(
                        address, port, timeout, local_address, socket_options
                    )
            except ProxyFailed as failed:
                raise NetworkDead(str(failed)) from failed
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                error = failed
            else:
                return CountedStream(stream)
        if error is None or _is_ours(error):
            raise NetworkDead(f"no route to {host}") from error
        raise error

    async def _checked(self, host: str, port: int, timeout: float | None) -> list[str]:
        """The addresses of `host`; one that may not be reached among them refuses the call."""
        try:
            async with asyncio.timeout(timeout):
                written = parse_address(host)
                found = [str(written)] if written else await self._resolver(host, port)
        except (OSError, TimeoutError, UnicodeError) as error:
            raise NetworkDead(f"{host} cannot be resolved") from error
        if len(found) > _MOST_ADDRESSES:
            raise _refused(f"{host} stands for {len(found):,} addresses, which are too many.")
        ours = port in own_ports()  # once: a name may stand for many addresses
        for text in found:
            address = parse_address(text)
            if address is None:
                raise _refused(f"{host} stands for {text!r}, which is no address.")
            if not self._rules.address_allowed(address, host, port):
                what = describe(address)
                raise _refused(f"{host} stands for {text}, {what} that is not allowed.")
            named = self._rules.names_listener(address, host, port)
            if ours and not named and is_here(address):
                own = f"{host}:{port} is a port of our own process"
                raise _refused(f"{own}: to allow it, list {host_port(text, port)} with its port.")
        return found


def _refused(detail: str) -> CallRefused:
    return CallRefused(f"{detail} Nothing was sent.", reason="host_not_allowed")


def _is_ours(error: BaseException) -> bool:
    """Whether `error` or one of its causes lies with our machine or network."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in _OURS:
            return True
        cause = cause.__cause__ or cause.__context__
    return False
