"""What HTTP calls of one event loop share: connections, gates, OAuth tokens."""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import httpx

from gretel.sandbox.network.addresses import is_loopback_host
from gretel.sandbox.network.connect import Resolver
from gretel.sandbox.network.egress import EgressTransport
from gretel.sandbox.network.gate import Gate
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.oauth import TokenIssuers


@dataclass
class Session:
    """Shared by the calls of one event loop."""

    transport: httpx.AsyncBaseTransport
    policy: Policy
    tokens: TokenIssuers = field(init=False)
    """OAuth tokens of all issuers."""
    _gates: dict[Origin, Gate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tokens = TokenIssuers(self.policy, self.transport.handle_async_request)

    @property
    def issuers(self) -> TokenIssuers | None:
        """Where tokens may be fetched; None where `Policy.base_url` replaces the tools' servers."""
        return self.tokens if self.policy.base_url is None else None

    def gate(self, origin: Origin) -> Gate:
        """The rate limit and circuit breaker of `origin`."""
        gate = self._gates.get(origin)
        if gate is None:
            own = self.policy.is_base_url(origin)
            limited = not own and not is_loopback_host(origin.host)
            gate = Gate(self.policy.limits, circuit_breaker=not own, rate_limited=limited)
            self._gates[origin] = gate
        return gate


class Sessions:
    """One `Session` for each event loop that makes calls."""

    def __init__(
        self, policy: Policy, transport: httpx.AsyncBaseTransport | None, resolver: Resolver
    ) -> None:
        """Open nothing yet; `transport` replaces the network, and then names are not resolved."""
        self._policy = policy
        self._transport = transport
        self._resolver = resolver
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, Session] = WeakKeyDictionary()

    def current(self) -> Session:
        """The session of the running event loop, made on first use."""
        loop = asyncio.get_running_loop()
        session = self._open.get(loop)
        if session is None:
            transport = self._transport or EgressTransport(self._policy, self._resolver)
            session = self._open[loop] = Session(transport, self._policy)
        return session

    async def aclose(self) -> None:
        """Close the running event loop's connections; a later call opens new ones."""
        session = self._open.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.transport.aclose()
