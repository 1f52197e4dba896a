"""`HttpExecutor`: runs a plan over HTTP, within the policy and the budget."""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import httpx

from gretel.contracts.budget import Budget
from gretel.contracts.errors import ArgumentsError, SandboxUnavailable
from gretel.contracts.protocols import ToolLookup
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, CallResult, Failure, Outcome
from gretel.sandbox.answers.judge import vocabulary_of
from gretel.sandbox.http.exchange import Call, Clock, exchange
from gretel.sandbox.http.request import build_request
from gretel.sandbox.http.unsent import busy, resting, troubled, unavailable
from gretel.sandbox.lookup import find_tool
from gretel.sandbox.network.addresses import is_loopback_host
from gretel.sandbox.network.egress import EgressTransport, Resolver, system_resolver
from gretel.sandbox.network.gate import WAIT_SHARE, Gate
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import (
    Attached,
    CredentialResolver,
    EnvironmentCredentials,
    attach,
)
from gretel.sandbox.secrets.oauth import TokenIssuers
from gretel.sandbox.secrets.redact import Redactor

_CREDENTIAL_SHARE = 0.5
"""Part of a call's time that finding its credentials may take."""
_NOTABLE_S = 0.05
"""Seconds from which the time that passed before a call is taken off its own."""


class HttpExecutor:
    """Executes plans of tools that are called over HTTP or the StableToolBench protocol.

    Usable from several event loops; each has its own connections, closed by `aclose` in that loop.
    """

    def __init__(
        self,
        catalog: ToolLookup,
        policy: Policy,
        *,
        credentials: CredentialResolver | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        resolver: Resolver = system_resolver,
    ) -> None:
        """Make an executor.

        Args:
            catalog: where the plans' tools are looked up.
            policy: what may be called.
            credentials: where secrets come from; by default the environment.
            transport: stands in for the network, in tests; names are then not resolved.
            resolver: how names become addresses.
        """
        self._catalog = catalog
        self._policy = policy
        self._credentials = credentials or EnvironmentCredentials()
        self._transport = transport
        self._resolver = resolver
        self._redactor = Redactor()
        self._sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, _Session] = WeakKeyDictionary()

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """What came of `plan`.

        Nothing was sent where the status is `unavailable` or `refused`. A refused or reset
        connection, a broken answer and a passed deadline are failures of the tool; a name that
        cannot be resolved, or a network without a route, is ours.

        Raises:
            SandboxUnavailable: the executor itself broke.
        """
        return (await self.call(plan, budget=budget)).outcome

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """As `execute`, with the whole answer beside the outcome.

        Raises:
            SandboxUnavailable: the executor itself broke.
        """
        tool = find_tool(self._catalog, plan.tool_id)
        if tool is None:
            return CallResult(outcome=unavailable("no_binding", "The catalogue has no such tool."))
        values, vocabulary = plan.values(), vocabulary_of(self._catalog)
        start = time.perf_counter()
        prepared = await self._prepare(tool, values, budget)
        if isinstance(prepared, Outcome):
            return CallResult(outcome=prepared)
        left = _less(budget, start)
        call = Call(tool, values, prepared.request, left, vocabulary, bool(prepared.secrets))
        with self._redactor.during(prepared.secrets):
            result = await self._send(call)
            outcome = self._redacted(result.outcome)
        if outcome.http_status == 401:
            self._session().issuers.forget(prepared.secrets)
        return result.model_copy(update={"outcome": outcome})

    async def aclose(self) -> None:
        """Close this event loop's connections; further calls open new ones."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.transport.aclose()

    async def _prepare(self, tool: Tool, values: JsonObject, budget: Budget) -> Attached | Outcome:
        """The request to send, or why none is sent."""
        forbidden = self._policy.decide(tool, values)
        if forbidden:
            return Outcome(status="unavailable", source="none", failure=forbidden)
        try:
            request = build_request(tool, values, self._policy.server(tool))
        except ArgumentsError as error:
            failure = Failure(
                kind="invalid_value",
                detail=str(error),
                fault="request",
                fields=(error.field,) if error.field in values else (),
            )
            return Outcome(status="refused", source="none", failure=failure)
        issuers = self._session().issuers if self._policy.base_url is None else None
        seconds = budget.call_s * _CREDENTIAL_SHARE
        attached = await attach(request, tool, self._credentials, issuers, seconds=seconds)
        if isinstance(attached, Failure):
            return Outcome(status="unavailable", source="none", failure=attached)
        return attached

    def _session(self) -> "_Session":
        """The connections and gates of the running event loop."""
        loop = asyncio.get_running_loop()
        session = self._sessions.get(loop)
        if session is None:
            transport = self._transport or EgressTransport(self._policy, self._resolver)
            session = self._sessions[loop] = _Session(transport, self._policy)
        return session

    async def _send(self, call: Call) -> CallResult:
        """Send the request once the origin's gate opens; every expected trouble is an outcome."""
        session = self._session()
        gate = session.gate(call.request.origin, self._policy)
        start = time.perf_counter()
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(call.budget.call_s * WAIT_SHARE):
                    await held.enter_async_context(gate.turn())
            except TimeoutError:
                return CallResult(outcome=busy(call, call.budget.call_s * WAIT_SHARE))
            rest = gate.rests_s()
            if rest:
                return CallResult(outcome=resting(call, rest))
            call, clock = replace(call, budget=_less(call.budget, start)), Clock()
            result = await self._sent(session, call, clock)
            if result.outcome.source == "executed":
                gate.note(answered=clock.http_status is not None)
            return result

    async def _sent(self, session: "_Session", call: Call, clock: Clock) -> CallResult:
        """Send the request; the deadline holds for everything from here."""
        try:
            async with asyncio.timeout(call.budget.call_s):
                return await exchange(session.transport, call, clock)
        except Exception as error:
            outcome = troubled(error, call, clock)
            if outcome is not None:
                return CallResult(outcome=outcome)
            broke = SandboxUnavailable(f"the executor broke: {type(error).__name__}")
            if not call.secret:
                raise broke from error
        raise broke  # not chained: the frames of the error's traceback hold the credentials

    def _redacted(self, outcome: Outcome) -> Outcome:
        """`outcome` without secrets in its texts."""
        changes: dict[str, Any] = {"excerpt": self._redactor.excerpt(outcome.excerpt)}
        if outcome.failure is not None:
            detail = self._redactor.text(outcome.failure.detail)
            changes["failure"] = outcome.failure.model_copy(update={"detail": detail})
        return outcome.model_copy(update=changes)


@dataclass
class _Session:
    """What belongs to one event loop."""

    transport: httpx.AsyncBaseTransport
    policy: Policy
    gates: dict[Origin, Gate] = field(default_factory=dict)
    issuers: TokenIssuers = field(init=False)

    def __post_init__(self) -> None:
        self.issuers = TokenIssuers(self.policy, self.transport.handle_async_request)

    def gate(self, origin: Origin, policy: Policy) -> Gate:
        """The gate before `origin`."""
        gate = self.gates.get(origin)
        if gate is None:
            own = policy.is_stand_in(origin)
            paced = not own and not is_loopback_host(origin.host)
            gate = self.gates[origin] = Gate(policy.limits, breaks=not own, paced=paced)
        return gate


def _less(budget: Budget, start: float) -> Budget:
    """`budget` without the time since `start`, where that is worth a word."""
    spent = time.perf_counter() - start
    if spent <= _NOTABLE_S:
        return budget
    left = max(_NOTABLE_S, budget.call_s - spent)
    return budget.model_copy(update={"call_s": round(left, 3)})
