"""One call over the wire: sent, and its response read within bounds."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import httpcore
import httpx

from gretel.catalog.effects.changes import SAFE_METHODS, may_change
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.budget import Budget
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan
from gretel.sandbox.http.adapter import Adapter
from gretel.sandbox.http.session import Session
from gretel.sandbox.network.body import Body, BodyRefused, read_body
from gretel.sandbox.network.egress import ALLOWANCE
from gretel.sandbox.network.wire import Allowance
from gretel.sandbox.network.wire_request import WireRequest

_MAX_HEADERS = 200
_MAX_HEADER_BYTES = 65_536
"""Names and values together; httpcore itself gives up at 100 KB."""


class Clock:
    """Times a call from its first byte sent; a transport without events from its start."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._sent: float | None = None
        self._opened = False
        self.http_status: int | None = None
        """Set as soon as the head of the answer is there."""
        self.challenge = ""
        """Its header WWW-Authenticate."""

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Httpcore's `trace` extension: when the first byte is sent, and on which connection."""
        if event.endswith("send_request_headers.started"):
            self._sent = time.perf_counter()
        elif event.endswith("connect_tcp.started"):
            self._opened = True

    @property
    def reused(self) -> bool:
        """Whether the call went out on a connection that an earlier call had opened."""
        return self._sent is not None and not self._opened

    def latency_ms(self) -> float | None:
        """Milliseconds so far; None when nothing was sent."""
        if self._sent is None and self.http_status is None:
            return None
        since = self._start if self._sent is None else self._sent
        return round((time.perf_counter() - since) * 1000, 3)


@dataclass(frozen=True)
class Call:
    """One call that is about to be sent."""

    tool: Tool
    plan: CallPlan
    request: WireRequest
    budget: Budget
    adapter: Adapter
    """What reads the answer."""
    vocabulary: Vocabulary
    """That of the tool's catalogue, by which the answer is judged."""
    secret: bool = False
    """Whether the request carries credentials."""

    @property
    def repeatable(self) -> bool:
        """Whether the call changes nothing if it is sent twice."""
        safe = self.request.method in SAFE_METHODS
        return safe and may_change(self.tool, self.plan.values(), self.plan.said) is None

    def to_httpx(self, clock: Clock, allowance: Allowance) -> httpx.Request:
        """The request as the transport takes it; nothing is added but Host and Content-Length."""
        # Connecting has a limit of its own, so that a machine without a network does not look like
        # a slow tool. What comes after has the call's deadline alone: two that end together would
        # cut each other's closing short, and leave the connection open.
        timeout = httpx.Timeout(None, connect=self.budget.connect_s)
        return httpx.Request(
            self.request.method,
            self.request.url,
            headers=[(name.encode(), value.encode()) for name, value in self.request.headers],
            content=self.request.content,
            extensions={
                "timeout": timeout.as_dict(),
                "trace": clock.trace,
                ALLOWANCE: allowance,
            },
        )


class Received(NamedTuple):
    """A complete response."""

    status: int
    content_type: str
    body: Body
    latency_ms: float | None
    """From the first byte sent to the last byte read."""


async def exchange(session: Session, call: Call, clock: Clock) -> Received:
    """Send the request over `session`, and read the response within the call's budget.

    Raises:
        BodyRefused: the response breaks a bound or its own encoding.
        CallRefused: an address of the host may not be reached; nothing was sent.
        Exception: whatever the transport raises.
    """
    response = await _head(session.transport, call, clock)
    clock.http_status = response.status_code
    try:
        _check_headers(response)
        clock.challenge = response.headers.get("www-authenticate", "")
        body = await read_body(response, call.budget)
    finally:
        # The deadline may fall into the closing, too.
        await asyncio.shield(response.aclose())
    content_type = response.headers.get("content-type", "")
    return Received(response.status_code, content_type, body, clock.latency_ms())


async def _head(transport: httpx.AsyncBaseTransport, call: Call, clock: Clock) -> httpx.Response:
    """The beginning of the answer.

    A server may hang up on an idle connection in the moment in which the next call takes it. That
    is nobody's failure, and a call that changes nothing is sent once more (RFC 9110, 9.2.2). No
    other call is ever sent twice.
    """
    allowance = Allowance(call.budget.bytes_wire)
    try:
        return await transport.handle_async_request(call.to_httpx(clock, allowance))
    except (httpcore.RemoteProtocolError, httpcore.NetworkError):
        if not clock.reused or not call.repeatable:
            raise
    return await transport.handle_async_request(call.to_httpx(clock, allowance))


def _check_headers(response: httpx.Response) -> None:
    """Refuse more headers than any honest answer has."""
    headers = response.headers.raw
    if len(headers) > _MAX_HEADERS:
        raise BodyRefused(f"The answer has more than {_MAX_HEADERS} headers.")
    if sum(len(name) + len(value) for name, value in headers) > _MAX_HEADER_BYTES:
        raise BodyRefused(f"The answer's headers exceed {_MAX_HEADER_BYTES:,} bytes.")
