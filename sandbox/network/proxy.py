"""Calls through an egress proxy that the user named: a tunnel to the address that was checked."""

import re

import httpcore
import httpx

from gretel.contracts.errors import CallRefused
from gretel.sandbox.network.origin import host_port

_MAX_REPLY = 16_384
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")


class ProxyFailed(httpcore.ConnectError):
    """The proxy gives no tunnel, for reasons of its own."""


async def open_tunnel(
    backend: httpcore.AsyncNetworkBackend,
    proxy: httpx.URL,
    address: str,
    port: int,
    timeout: float | None,
) -> httpcore.AsyncNetworkStream:
    """A connection to `address` that `proxy` relays (RFC 9110, 9.3.6).

    The proxy is given the checked address and never a name, so that it resolves nothing anew.

    Raises:
        CallRefused: the proxy forbids it.
        ProxyFailed: the proxy does not answer as one.
        httpcore.ConnectError: the proxy is not reached.
    """
    stream = await backend.connect_tcp(proxy.host, proxy.port or 80, timeout)
    try:
        target = host_port(address, port)
        await stream.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode(), timeout)
        _check(await _reply(stream, timeout))
    except BaseException:
        await stream.aclose()
        raise
    return stream


async def _reply(stream: httpcore.AsyncNetworkStream, timeout: float | None) -> bytes:
    """The head of the proxy's answer, byte by byte: what follows is the server's."""
    reply = b""
    while not reply.endswith(b"\r\n\r\n"):
        byte = await stream.read(1, timeout)
        reply += byte
        if not byte or len(reply) > _MAX_REPLY:
            raise ProxyFailed("the proxy does not answer as one")
    return reply


def _check(reply: bytes) -> None:
    found = _STATUS.match(reply)
    status = int(found.group(1)) if found else 0
    # Smokescreen says no as if it wanted a password.
    if status == 403 or (status == 407 and b"\r\nx-smokescreen-error:" in reply.lower()):
        raise CallRefused("The proxy forbids this server.", reason="host_not_allowed")
    if not 200 <= status < 300:
        raise ProxyFailed(f"the proxy answers {status}")
