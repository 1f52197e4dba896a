"""The gate before each origin: so many calls at once, so many a second, none while it is down."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from gretel.contracts.errors import ConfigurationError

WAIT_SHARE = 0.5
"""Part of a call's time, less that of its credentials, that it may wait for its turn."""


@dataclass(frozen=True)
class OriginLimits:
    """How hard the trials of one process work one server.

    The rate and the breaker do not hold for a stand-in (`Policy.base_url`), behind which one dead
    tool says nothing of the others, and the rate not for loopback.

    Raises:
        ConfigurationError: a limit is not above zero.
    """

    at_once: int = 10
    """Calls that are under way at once."""
    per_second: float | None = 25.0
    """Calls that start in a second, after as many that start at once; None is unlimited."""
    failures: int = 10
    """Calls in a row without any answer after which the origin is left alone."""
    rest_s: float = 30.0
    """Seconds that it is left alone before one call tries again."""

    def __post_init__(self) -> None:
        for name in ("at_once", "per_second", "failures", "rest_s"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ConfigurationError(
                    f"{value} is no limit", field=name, remedy="Give a number above zero."
                )


class Gate:
    """Lets the calls of one origin through; belongs to one event loop."""

    def __init__(
        self,
        limits: OriginLimits,
        *,
        breaks: bool = True,
        paced: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make an open gate.

        Args:
            limits: what holds for the origin.
            breaks: whether a silent origin is left alone.
            paced: whether the rate holds.
            now: seconds of a clock that never goes back.
        """
        self._limits = limits
        self._breaks = breaks
        self._rate = limits.per_second if paced else None
        self._now = now
        self._slots = asyncio.Semaphore(limits.at_once)
        self._next_start = now() - 1.0
        self._silent = 0
        self._rests_until = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a free place and for the rate, and hold the place."""
        async with self._slots:
            await self._pace()
            yield

    def rests_s(self) -> float:
        """Seconds that the origin is still left alone; 0 where a call may go out now.

        After the rest one call is let through as a probe, and the others wait for its end.
        """
        if not self._breaks or self._silent < self._limits.failures:
            return 0.0
        left = self._rests_until - self._now()
        if left > 0:
            return left
        self._rests_until = self._now() + self._limits.rest_s
        return 0.0

    def note(self, *, answered: bool) -> None:
        """Take in how a call ended; any answer at all opens the gate."""
        self._silent = 0 if answered else self._silent + 1
        if self._silent == self._limits.failures:
            self._rests_until = self._now() + self._limits.rest_s

    async def _pace(self) -> None:
        """Wait until the rate allows one more call."""
        if self._rate is None:
            return
        now = self._now()
        # A second's worth may start at once; behind that, starts are 1/rate apart.
        start = max(self._next_start, now - 1.0) + 1 / self._rate
        self._next_start = start
        if start > now:
            await asyncio.sleep(start - now)
