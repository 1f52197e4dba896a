"""`Environment`: a catalogue as a live server on loopback, with seeded faults."""

import socket
import threading
import time
from typing import Self

import uvicorn

from gretel.catalog import Catalog
from gretel.catalog.effects.changes import SAFE_METHODS
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, NoBinding, Tool
from gretel.contracts.trial import CallPlan
from gretel.evaluation.mock.environment_executor import EnvironmentExecutor
from gretel.evaluation.mock.faults import Faults, draw_faults
from gretel.evaluation.mock.known_values import KnownValues, wire_name
from gretel.evaluation.mock.mock_api import MockApi
from gretel.evaluation.mock.server import MockServer
from gretel.sandbox.network.gate import OriginLimits
from gretel.sandbox.permission.policy import Policy

HOST = "127.0.0.1"
AT_ONCE = 1_000
"""Calls under way: more than the workers of a batch ever start together."""


class Environment:
    """Serves every tool of a catalogue from a thread, within a `with` block.

    The same call for the same request gets the same answer. `catalog` is
    for the executor: the same tools, where those that no document says how to call are bound to the
    mock. Everybody else works on the original.
    """

    def __init__(
        self,
        catalog: Catalog,
        faults: Faults | None = None,
        *,
        seed: int = 7,
        values: KnownValues | None = None,
        port: int = 0,
        waits: bool = False,
    ) -> None:
        """Take the port, or a free one for 0; nothing is answered before the block.

        The seed decides answers, shapes of failures and latencies; with `waits`, answers really
        take these. Without `values`, the tools know every value that keeps their contracts.

        Raises:
            ConfigurationError: the port cannot be had.
        """
        self.catalog = Catalog.from_tools(_callable(tool) for tool in catalog)
        self.faults = draw_faults(catalog, mix="none", seed=seed) if faults is None else faults
        self._harmless = frozenset(tool.tool_id for tool in catalog if _harmless(tool))
        self._app = MockServer(MockApi(tuple(self.catalog), self.faults, seed, values), waits)
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        self._server = uvicorn.Server(_config(self._app))
        served = {"sockets": [self._socket]}
        self._thread = threading.Thread(
            target=self._server.run, kwargs=served, name="gretel-mock", daemon=True
        )

    @property
    def base_url(self) -> str:
        """Where every tool has its own place: the base URL for `Policy` and `gretel select`."""
        return f"{self.server_url}/{{tool_id}}"

    @property
    def server_url(self) -> str:
        """The server alone: for a catalogue whose paths do not collide, and for `/virtual`."""
        return f"http://{HOST}:{self.port}"

    @property
    def policy(self) -> Policy:
        """Every call goes to the mock, which changes nothing, whatever an operation calls itself.

        Tools without a method of their own may be called, those of an unsafe method may not. All
        tools have this one server: a call that had to wait for others would make a row depend on
        how busy the machine is.
        """
        limits = OriginLimits(at_once=AT_ONCE)
        return Policy(base_url=self.base_url, safe_tools=self._harmless, limits=limits)

    def knows(self, plan: CallPlan, request_id: str) -> bool:
        """Whether the tool of `plan` has an answer to its values, faults apart."""
        tool = self.catalog[plan.tool_id]
        return not self._app.api.unknown(tool, plan.values(), wire_name(request_id))

    def executor(self) -> EnvironmentExecutor:
        """An executor whose calls end here; one for each event loop."""
        return EnvironmentExecutor(self.catalog, self.policy, self._app.api)

    def __enter__(self) -> Self:
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

    def __exit__(self, *_: object) -> None:
        """Hang up and free the port."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()


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
