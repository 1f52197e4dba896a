"""What HTTP calls of one event loop share: connections, gates, OAuth tokens."""

from dataclasses import dataclass, field

import httpx

from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.tool import Tool
from gretel.sandbox.network.addresses import is_loopback_host
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
    _gates: dict[tuple[Owner | None, Origin], Gate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tokens = TokenIssuers(self.policy, self.transport.handle_async_request)

    def gate(self, origin: Origin, tool: Tool) -> Gate:
        """The rate limit and circuit breaker of what the document of `tool` calls at `origin`.

        A document may name a server of others: what comes of that is no word on their calls.
        """
        own = self.policy.is_base_url(origin)
        key = (None if own else owner_of(tool), origin)
        gate = self._gates.get(key)
        if gate is None:
            limited = not own and not is_loopback_host(origin.host)
            gate = Gate(self.policy.limits, circuit_breaker=not own, rate_limited=limited)
            self._gates[key] = gate
        return gate
