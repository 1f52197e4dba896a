"""One call over HTTP: what is sent, its clock, and the response that it got."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import httpx

from gretel.catalog.effects.changes import SAFE_METHODS, may_change
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.budget import Budget
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan
from gretel.sandbox.http.adapter import Adapter
from gretel.sandbox.network.body import Body
from gretel.sandbox.network.egress import ALLOWANCE
from gretel.sandbox.network.wire import Allowance
from gretel.sandbox.network.wire_request import WireRequest
from gretel.workers import off_loop


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
        self.resent = False
        """Whether the call was sent a second time."""

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
    again: bool = False
    """Whether it was sent before, in another form."""

    async def repeatable(self) -> bool:
        """Whether the call changes nothing if it is sent twice, and was sent once at most.

        All that it sends is judged for that, which may take a second: beside the event loop.
        """
        if self.again or self.request.method not in SAFE_METHODS:
            return False
        return await off_loop(may_change, self.tool, self.plan.values(), self.plan.said) is None

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
