"""`Environment`: a catalogue as a live server on loopback, with seeded faults."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Self

import httpx
import uvicorn

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, NoBinding, Tool
from gretel.contracts.trial import CallPlan, CallResult, Outcome
from gretel.evaluation.faults import Faults, draw_faults
from gretel.evaluation.mock_api import MockApi, declared_latency_ms
from gretel.evaluation.server import REQUEST_HEADER, MockServer
from gretel.sandbox.credentials import no_credentials
from gretel.sandbox.effects import SAFE_METHODS
from gretel.sandbox.egress import EgressTransport
from gretel.sandbox.http import HttpExecutor
from gretel.sandbox.policy import Policy

HOST = "127.0.0.1"
PATIENCE_S = 3.0
"""Nothing that the mock means to answer takes this long, unless the machine stands still; a batch
must not wait longer for each of the calls that are never answered."""

_request_id: ContextVar[str | None] = ContextVar("gretel_evaluated_request", default=None)


@contextmanager
def on_behalf_of(request_id: str) -> Iterator[None]:
    """Calls made within, in this task and those it starts, are made for `request_id`.

    The environment's transport tells the mock, which draws transient faults from it. No pipeline
    sees the id: it is set by who runs the batch, and stands on the wire alone.
    """
    token = _request_id.set(request_id)
    try:
        yield
    finally:
        _request_id.reset(token)


class Environment:
    """Serves every tool of a catalogue from a thread, from `start` to `stop`.

    Also a context manager. The same call for the same request gets the same answer.

    Attributes:
        catalog: the catalogue for the executor: the same tools, where those that no document says
            how to call are bound to the mock. Everybody else works on the original.
        faults: what is broken.
        port: where the server listens.
    """

    def __init__(
        self,
        catalog: Catalog,
        faults: Faults | None = None,
        *,
        seed: int = 7,
        port: int = 0,
        waits: bool = False,
    ) -> None:
        """Take the port; nothing is answered before `start`.

        Args:
            catalog: what to serve.
            faults: what is broken; None: nothing.
            seed: decides answers, shapes of failures and latencies.
            port: 0 takes a free one.
            waits: whether answers really take their declared latency.

        Raises:
            ConfigurationError: the port cannot be had.
        """
        self.catalog = Catalog.from_tools(_callable(tool) for tool in catalog)
        self.faults = draw_faults(catalog, mix="none", seed=seed) if faults is None else faults
        self._seed = seed
        self._harmless = frozenset(tool.tool_id for tool in catalog if _harmless(tool))
        self._app = MockServer(MockApi(tuple(self.catalog), self.faults, seed), waits)
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        self._server = uvicorn.Server(_config(self._app))
        self._thread = threading.Thread(target=self._serve, name="gretel-mock", daemon=True)

    @property
    def base_url(self) -> str:
        """Where every tool has its own place: the base URL for `Policy` and `gretel select`."""
        return f"{self.server_url}/{{tool_id}}"

    @property
    def server_url(self) -> str:
        """The server alone: for a catalogue whose paths do not collide, and for `/virtual`."""
        return f"http://{HOST}:{self.port}"

    @property
    def calls(self) -> int:
        """Calls that reached a tool so far."""
        return self._app.calls

    @property
    def policy(self) -> Policy:
        """Every call goes to the mock, which changes nothing, whatever an operation calls itself.

        Tools without a method of their own may be called, those of an unsafe method may not.
        """
        return Policy(base_url=self.base_url, safe_tools=self._harmless)

    def executor(self) -> "EnvironmentExecutor":
        """An executor whose calls end here; one for each event loop."""
        return EnvironmentExecutor(self.catalog, self.policy, seed=self._seed)

    def start(self) -> Self:
        """Listen; returns when requests are answered.

        Raises:
            RuntimeError: the server thread ended at once.
        """
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the mock did not start")
            time.sleep(0.005)
        return self

    def stop(self) -> None:
        """Hang up and free the port."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class EnvironmentExecutor:
    """The HTTP sandbox, unchanged, before the environment's server.

    Time is the environment's own: each tool's declared latency is reported in place of the measured
    one, which on a busy machine says more of the machine. A server that never answers is given up
    after `PATIENCE_S`, and reported at the limit of the budget.
    """

    def __init__(self, catalog: Catalog, policy: Policy, *, seed: int) -> None:
        self._seed = seed
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
        outcome = result.outcome
        if outcome.latency_ms is None:
            return result
        latency = declared_latency_ms(plan.tool_id, seed=self._seed)
        if outcome.http_status is None and outcome.failure and outcome.failure.kind == "timeout":
            latency = budget.call_s * 1000
        changed = outcome.model_copy(update={"latency_ms": latency})
        return result.model_copy(update={"outcome": changed})

    async def aclose(self) -> None:
        """Close this event loop's connections."""
        await self._http.aclose()


class _LabellingTransport(EgressTransport):
    """Says on the wire what a call is made for."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request_id = _request_id.get()
        if request_id is not None:
            # Ids of requests may hold any character, headers may not.
            request.headers[REQUEST_HEADER] = request_id.encode("unicode_escape").decode("ascii")
        return await super().handle_async_request(request)


def _harmless(tool: Tool) -> bool:
    """Whether the mock takes calls of `tool`: by its method alone."""
    if isinstance(tool.binding, HttpBinding):
        return tool.binding.method.upper() in SAFE_METHODS
    return isinstance(tool.binding, NoBinding)


def _callable(tool: Tool) -> Tool:
    """`tool`, or a copy that is called by POST with its arguments as JSON where it is unbound."""
    if not isinstance(tool.binding, NoBinding):
        return tool
    binding = HttpBinding(method="POST", path="/", media_type="application/json")
    parameters = tuple(
        parameter.model_copy(update={"location": "body"}) for parameter in tool.parameters
    )
    return tool.model_copy(update={"binding": binding, "parameters": parameters})


def _bound(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except (OSError, OverflowError) as error:
        raise ConfigurationError(
            f"{port} cannot be used: {error}", field="--port", remedy="Choose another, or 0."
        ) from None


def _config(app: MockServer) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        lifespan="off",
        ws="none",
        log_config=None,
        log_level="critical",
        access_log=False,
        # Clients hang up first: a call must not meet a connection that is just being closed here.
        timeout_keep_alive=3_600,
        # Calls that are never answered must not keep the server from stopping.
        timeout_graceful_shutdown=1,
    )
