"""The greeting of TLS: a server chooses what is reckoned in it, and so threads of its own do that.

An exchange of keys takes a second where the server asks for the largest group that OpenSSL offers,
which is before anybody looks at its certificate. OpenSSL lets other threads run meanwhile.
"""

import asyncio
import ssl
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import anyio
import httpcore
import httpx
from anyio.abc import ByteStream
from anyio.streams.tls import TLSStream

_THREADS = 8
_ANY_NUMBER = "kx-dhe"
"""Exchanges of keys in TLS 1.2 by a modulus of the server's own, of up to 10,000 bits: six seconds
each. No browser takes part in one either."""
_BROKEN = (ssl.SSLError, ValueError, anyio.BrokenResourceError, anyio.EndOfStream)
"""`ValueError`: a name that is none in a certificate, as one with too long a label."""


@cache
def context() -> ssl.SSLContext:
    """Certificates are checked against certifi's authorities, whatever the environment says."""
    made = httpx.create_ssl_context(trust_env=False)
    ciphers = (each["name"] for each in made.get_ciphers() if each["kea"] != _ANY_NUMBER)
    made.set_ciphers(":".join(ciphers))
    return made


async def secured(
    stream: ByteStream, settings: ssl.SSLContext, hostname: str | None, timeout: float | None
) -> TLSStream:
    """`stream` once both sides know each other.

    Raises:
        httpcore.ConnectTimeout: that took longer than `timeout` seconds.
        httpcore.ConnectError: the server does not speak TLS, or is not who it says.
    """
    try:
        with anyio.fail_after(timeout):
            return await _greeted(stream, settings, hostname)
    except TimeoutError as error:
        raise httpcore.ConnectTimeout(str(error)) from error
    except _BROKEN as error:
        raise httpcore.ConnectError(str(error)) from error


async def _greeted(stream: ByteStream, settings: ssl.SSLContext, hostname: str | None) -> TLSStream:
    read, written = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = settings.wrap_bio(read, written, server_hostname=hostname)
    loop = asyncio.get_running_loop()
    while True:
        try:
            await loop.run_in_executor(_threads(), session.do_handshake)
        except ssl.SSLWantReadError:
            await stream.send(written.read())
            try:
                read.write(await stream.receive())
            except anyio.EndOfStream:
                read.write_eof()
        else:
            await stream.send(written.read())
            return TLSStream(stream, False, session, read, written)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="gretel-tls")
