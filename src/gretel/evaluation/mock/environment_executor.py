"""The executor of trials in an `Environment`: the HTTP sandbox, but time is the mock's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import httpx

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.trial import CallPlan, CallResult, Outcome
from gretel.evaluation.mock.known_values import wire_name
from gretel.evaluation.mock.mock_api import MockApi, declared_latency_ms
from gretel.evaluation.mock.server import REQUEST_HEADER
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.egress import EgressTransport
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import no_credentials

PATIENCE_S = 3.0
"""A batch must not wait longer for each of the calls that are never answered."""
STALLED_S = 60.0
"""For a call that the mock means to answer and did not within `PATIENCE_S`: the machine stood
still, which must change no row."""

_request_id: ContextVar[str | None] = ContextVar("gretel_evaluated_request", default=None)


@contextmanager
def on_behalf_of(request_id: str) -> Iterator[None]:
    """Calls made within, in this task and those it starts, are made for `request_id`.

    The environment's transport tells the mock, which draws transient faults from it, and knows by
    it which values are right. No pipeline sees the id: it is set by who runs the batch, and stands
    on the wire alone.
    """
    token = _request_id.set(request_id)
    try:
        yield
    finally:
        _request_id.reset(token)


def evaluated_request() -> str | None:
    """What a call made here is made for; None where nobody said."""
    return _request_id.get()


class EnvironmentExecutor:
    """The HTTP sandbox, unchanged, before the environment's server.

    Time is the environment's own: each tool's declared latency is reported in place of the measured
    one, which on a busy machine says more of the machine. A server that never answers is given up
    after `PATIENCE_S`, and reported at the limit of the budget; one that would have answered, or
    was never reached, is asked again.
    """

    def __init__(self, catalog: Catalog, policy: Policy, api: MockApi) -> None:
        """Call the tools of `catalog` where `policy` says; `api` is what answers there."""
        self._catalog = catalog
        self._api = api
        transport = _LabellingTransport(policy)
        self._http = HttpExecutor(catalog, policy, credentials=no_credentials, transport=transport)

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """What came of `plan`.

        Raises:
            SandboxUnavailable: the executor itself broke.
        """
        return (await self.call(plan, budget=budget)).outcome

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """As `execute`, with the whole answer beside the outcome.

        Raises:
            SandboxUnavailable: the executor itself broke.
        """
        patient = budget.model_copy(update={"call_s": min(budget.call_s, PATIENCE_S)})
        result = await self._http.call(plan, budget=patient)
        if _timed_out(result.outcome):
            if self._is_answered(plan):
                stalled = budget.model_copy(update={"call_s": STALLED_S})
                result = await self._http.call(plan, budget=stalled)
            elif result.outcome.latency_ms is None:  # it did not even come to sending
                result = await self._http.call(plan, budget=patient)
        outcome = result.outcome
        if outcome.latency_ms is None:
            return result
        latency = declared_latency_ms(plan.tool_id, seed=self._api.seed)
        if _timed_out(outcome):
            latency = budget.call_s * 1000
        changed = outcome.model_copy(update={"latency_ms": latency})
        return result.model_copy(update={"outcome": changed})

    def _is_answered(self, plan: CallPlan) -> bool:
        """Whether the mock means to answer; None is what a server that hangs gives."""
        tool = self._catalog[plan.tool_id]
        return self._api.answer(tool, plan.values(), _on_the_wire()) is not None

    async def aclose(self) -> None:
        """Close this event loop's connections."""
        await self._http.aclose()


def _on_the_wire() -> str | None:
    """What the call is made for."""
    request_id = evaluated_request()
    return None if request_id is None else wire_name(request_id)


def _timed_out(outcome: Outcome) -> bool:
    """Whether no answer came in time, or its head alone; an answer may also *say* "timeout"."""
    failure = outcome.failure
    return outcome.body_sha256 is None and failure is not None and failure.kind == "timeout"


class _LabellingTransport(EgressTransport):
    """Says on the wire what a call is made for."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request_id = _on_the_wire()
        if request_id is not None:
            request.headers[REQUEST_HEADER] = request_id
        return await super().handle_async_request(request)
