"""What comes over a connection: counted for the call that reads it, and none left for the next."""

import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore
from anyio.abc import ByteStream

from gretel.sandbox.network.body import BodyRefused
from gretel.sandbox.network.tls import secured

HEAD_BYTES = 110_000
"""Bytes that heads may take beside the body; httpcore itself gives up on one at 100 KB."""
GREETING_BYTES = 300_000
"""Bytes in which TLS is agreed on; OpenSSL itself gives up on certificates of 100 KB."""
_HEAD_PART = 4_096
"""Bytes that are read at once until an answer begins. There may be any number of 1xx answers before
it, each of which costs the event loop as much as a whole head."""


class Allowance:
    """What may be read, framing included: `bytes_wire`, and a head. Requests may share one."""

    def __init__(self, bytes_wire: int) -> None:
        self._bytes_wire = bytes_wire
        self._left = bytes_wire + HEAD_BYTES

    @property
    def begun(self) -> bool:
        """Whether anything was read."""
        return self._left < self._bytes_wire + HEAD_BYTES

    def take(self, size: int) -> None:
        """Read `size` bytes more; raise BodyRefused where they are too many."""
        self._left -= size
        if self._left < 0:
            raise BodyRefused(f"The answer exceeds {self._bytes_wire:,} bytes on the wire.")

    @contextmanager
    def spent(self, *, head: bool = False) -> Iterator[None]:
        """What this task reads inside is taken off; an answer's `head` is bounded by itself."""
        token, begun = _allowance.set(self), _head.set([HEAD_BYTES] if head else None)
        try:
            yield
        finally:
            _head.reset(begun)
            _allowance.reset(token)


_allowance: ContextVar[Allowance | None] = ContextVar("gretel_allowance", default=None)
_head: ContextVar[list[int] | None] = ContextVar("gretel_head", default=None)
"""Bytes that may still be read before an answer begins."""


class CountedStream(httpcore.AsyncNetworkStream):
    """A connection that counts what is read of it against the `Allowance` of who reads."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """As httpcore's; BodyRefused where the allowance is spent."""
        head, given = _head.get(), _allowance.get()
        part = await self._stream.read(max_bytes if head is None else _HEAD_PART, timeout)
        if head is not None:
            head[0] -= len(part)
            if head[0] < 0:
                raise BodyRefused(
                    f"The answer does not begin within {HEAD_BYTES:,} bytes on the wire."
                )
        if given is not None:
            given.take(len(part))
        return part

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """As httpcore's."""
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        """As httpcore's."""
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """As httpcore's; what is inside is counted, and before that what greets us.

        Raises:
            BodyRefused: the server greets us without an end.
        """
        inner: Any = self._stream
        greeting = inner._stream = _Greeting(inner._stream)
        try:
            session = await secured(greeting, ssl_context, server_hostname, timeout)
        except BaseException:
            await self.aclose()
            raise
        greeting.over = True
        return CountedStream(type(inner)(session))

    def get_extra_info(self, info: str) -> Any:
        """As httpcore's."""
        return self._stream.get_extra_info(info)


class _Greeting(ByteStream):
    """What lies below TLS, until both sides know each other: there may be any number of greetings,
    and httpcore sees none of them.
    """

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._left = GREETING_BYTES
        self.over = False

    @property
    def extra_attributes(self) -> Mapping[Any, Callable[[], Any]]:
        """As anyio's."""
        return self._stream.extra_attributes

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        """As anyio's; BodyRefused where they are too many."""
        part = await self._stream.receive(max_bytes)
        self._left -= 0 if self.over else len(part)
        if self._left < 0:
            raise BodyRefused(f"The server's greeting exceeds {GREETING_BYTES:,} bytes.")
        return part

    async def send(self, item: bytes) -> None:
        """As anyio's."""
        await self._stream.send(item)

    async def send_eof(self) -> None:
        """As anyio's."""
        await self._stream.send_eof()

    async def aclose(self) -> None:
        """As anyio's."""
        await self._stream.aclose()


async def close(answer: httpcore.Response) -> None:
    """Let go of the connection, for good where bytes behind the answer's end came with it.

    These would be read as the answer to the next request, whichever that is.
    """
    if _holds_more(answer):
        await answer.extensions["network_stream"].aclose()
    await answer.aclose()


def _holds_more(answer: httpcore.Response) -> bool:
    """Whether something was read behind the answer; yes where httpcore no longer lets us look."""
    stream: Any = answer.stream
    connection = getattr(getattr(stream, "_stream", None), "_connection", None)
    state = getattr(connection, "_h11_state", None)
    return state is None or bool(state.trailing_data[0])
