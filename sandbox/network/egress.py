"""`EgressTransport`: httpx over guarded connections."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore
import httpx

from gretel.contracts.budget import Budget
from gretel.sandbox.network.connect import EgressRules, GuardedBackend, Resolver, system_resolver
from gretel.sandbox.network.tls import context
from gretel.sandbox.network.wire import Allowance, close

_KEEPALIVE_S = 5.0
_MAX_IDLE = 50
"""Connections that are kept for the next call; those in use are bounded per origin, by its gate."""

ALLOWANCE = "allowance"
"""The extension of a request that holds its `Allowance`; one without may be answered with as many
bytes as a call has by default."""

_HEADERS = "receive_response_headers"
_in_call: ContextVar[bool] = ContextVar("gretel_in_call", default=False)


def _quiet(record: logging.LogRecord) -> bool:
    """Keep what is said to us out of httpcore's debug log: it may echo a credential."""
    said = record.getMessage()
    return not (_in_call.get() and (said.startswith(_HEADERS) or " exception=" in said))


@contextmanager
def _unlogged() -> Iterator[None]:
    token = _in_call.set(True)
    try:
        yield
    finally:
        _in_call.reset(token)


class EgressTransport(httpx.AsyncBaseTransport):
    """Sends requests over guarded connections; no redirect, no cookie, no environment, and no
    answer without an end.

    Errors are httpcore's own, CallRefused, BodyRefused, or what a broken address raises.
    """

    def __init__(self, rules: EgressRules, resolver: Resolver = system_resolver) -> None:
        logging.getLogger("httpcore.http11").addFilter(_quiet)
        self._pool = _Pool(GuardedBackend(rules, resolver))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send `request`; the response's body is read by the caller, who closes it."""
        assert isinstance(request.stream, httpx.AsyncByteStream)
        outgoing = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        allowance = request.extensions.get(ALLOWANCE) or Allowance(Budget().bytes_wire)
        with _unlogged(), allowance.spent(head=True):
            answer = await self._pool.handle_async_request(outgoing)
        return httpx.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_AnswerStream(answer, allowance),
            extensions=answer.extensions,
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


class _Connection(httpcore.AsyncHTTPConnection):
    """A connection that does not outlive a first request that ended before it was sent.

    httpcore leaves one that a deadline ends between its connecting and its sending as "new": it is
    never used, never idle, and so never closed.
    """

    _begun = False

    async def handle_async_request(self, request: httpcore.Request) -> httpcore.Response:
        first, self._begun = not self._begun, True
        try:
            return await super().handle_async_request(request)
        except BaseException:
            # Until its first answer was read, no other request can have it.
            if first and not self.is_idle():
                await self.aclose()
            raise


class _Pool(httpcore.AsyncConnectionPool):
    """Connections are opened as they are needed, and kept for a while."""

    def __init__(self, backend: GuardedBackend) -> None:
        super().__init__(
            ssl_context=context(),
            max_connections=None,
            max_keepalive_connections=_MAX_IDLE,
            keepalive_expiry=_KEEPALIVE_S,
            network_backend=backend,
        )
        self._backend = backend

    def create_connection(self, origin: httpcore.Origin) -> httpcore.AsyncConnectionInterface:
        return _Connection(
            origin=origin,
            ssl_context=context(),
            keepalive_expiry=_KEEPALIVE_S,
            network_backend=self._backend,
        )


class _AnswerStream(httpx.AsyncByteStream):
    """The body of an httpcore response, as httpx reads it."""

    def __init__(self, answer: httpcore.Response, allowance: Allowance) -> None:
        self._answer = answer
        self._allowance = allowance

    async def __aiter__(self) -> AsyncIterator[bytes]:
        stream: Any = self._answer.stream
        parts = aiter(stream)
        while True:
            with _unlogged(), self._allowance.spent():
                part: bytes | None = await anext(parts, None)
            if part is None:
                return
            yield part

    async def aclose(self) -> None:
        await close(self._answer)
