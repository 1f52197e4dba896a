"""The gate before what one document calls at one origin: concurrency, rate, circuit breaker."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from gretel.contracts.errors import ConfigurationError


@dataclass(frozen=True)
class OriginLimits:
    """Concurrency limit, rate limit and circuit breaker for each server, in one process.

    They count for each document and server together, so that a document that names a server of
    others can neither slow nor stop their calls.

    Rate limit and circuit breaker do not apply to `Policy.base_url`, where one dead tool says
    nothing about the others. The rate limit does not apply to loopback.

    Raises:
        ConfigurationError: a limit is not above zero.
    """

    at_once: int = 10
    """Concurrent calls."""
    per_second: float | None = 25.0
    """Calls started per second, after a first burst of as many; None is unlimited."""
    failures: int = 10
    """Calls in a row without an answer that open the circuit breaker, so that no more are sent."""
    cooldown_s: float = 30.0
    """Seconds that it stays open before one call is sent as a probe."""

    def __post_init__(self) -> None:
        for name in ("at_once", "per_second", "failures", "cooldown_s"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ConfigurationError(
                    f"{value} is not a limit", field=name, remedy="Give a number above zero."
                )


class QueueTimeout(Exception):
    """No slot became free in time."""


class CircuitOpen(Exception):
    """Calls went without an answer: no more are sent for `cooldown_s` seconds."""

    def __init__(self, cooldown_s: float) -> None:
        super().__init__(f"circuit breaker open for {cooldown_s:g} s")
        self.cooldown_s = cooldown_s


class Gate:
    """Lets the calls of one document to one origin through; belongs to one event loop."""

    def __init__(
        self,
        limits: OriginLimits,
        *,
        circuit_breaker: bool = True,
        rate_limited: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make an open gate.

        With `circuit_breaker`, calls without an answer stop further calls for a while; `now` gives
        the seconds of a clock that never goes back.
        """
        self._limits = limits
        self._circuit_breaker = circuit_breaker
        self._rate = limits.per_second if rate_limited else None
        self._now = now
        self._slots = asyncio.Semaphore(limits.at_once)
        self._next_start = now() - 1.0
        self._unanswered = 0
        self._open_until = 0.0

    @asynccontextmanager
    async def acquire(self, *, wait_s: float) -> AsyncIterator[None]:
        """Wait for a free slot and for the rate limit, and hold the slot.

        Raises:
            QueueTimeout: that took longer than `wait_s` seconds.
            CircuitOpen: the circuit breaker is open.
        """
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(wait_s):
                    await held.enter_async_context(self._slots)
                    await self._wait_for_rate()
            except TimeoutError:
                raise QueueTimeout from None
            cooldown_s = self.cooldown_s()
            if cooldown_s:
                raise CircuitOpen(cooldown_s)
            yield

    def cooldown_s(self) -> float:
        """Seconds that the circuit breaker stays open; 0 where a call may be sent now.

        After the cooldown one call is let through as a probe; the others wait for its end.
        """
        if not self._circuit_breaker or self._unanswered < self._limits.failures:
            return 0.0
        left = self._open_until - self._now()
        if left > 0:
            return left
        self._open_until = self._now() + self._limits.cooldown_s
        return 0.0

    def record(self, *, answered: bool) -> None:
        """Record how a call ended; any answer at all closes the circuit breaker."""
        self._unanswered = 0 if answered else self._unanswered + 1
        if self._unanswered == self._limits.failures:
            self._open_until = self._now() + self._limits.cooldown_s

    async def _wait_for_rate(self) -> None:
        """Wait until the rate limit allows one more call."""
        if self._rate is None:
            return
        now = self._now()
        # A second's worth may start at once; behind that, starts are 1/rate apart.
        start = max(self._next_start, now - 1.0) + 1 / self._rate
        self._next_start = start
        if start > now:
            await asyncio.sleep(start - now)
