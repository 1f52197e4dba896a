"""Calls of a selected tool by the caller."""

import pytest

from fakes import FakeExecutor, keyed, param, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.errors import ArgumentsError
from gretel.contracts.tool import Tool
from gretel.graph.calling import Caller
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer


def weather(server: str) -> Tool:
    """Its document declares the API key as a parameter too."""
    params = ["api_key", param("city", required=True)]
    binding = keyed("api_key", path="/ok", server=server)
    return tool("Sky.weather", "Weather of a city.", params=params, binding=binding)


async def test_a_declared_api_key_comes_from_the_credential(api: HostileServer) -> None:
    catalog = Catalog.from_tools([weather(api.url(""))])
    executor = HttpExecutor(
        catalog,
        Policy(allow_hosts=frozenset({api.host})),
        credentials=lambda origin, scheme: "k-31",
    )
    try:
        result = await Caller(catalog, executor).call(trial("Sky.weather"), {"city": "Bergen"})
    finally:
        await executor.aclose()

    assert result.outcome.status == "succeeded"
    assert [received.target for received in api.requests] == ["/ok?city=Bergen&api_key=k-31"]


async def test_a_credential_is_no_argument_of_a_call() -> None:
    executor = FakeExecutor()
    caller = Caller(Catalog.from_tools([weather("https://sky.example")]), executor)
    with pytest.raises(ArgumentsError, match=r"credential.*The tool takes: city\."):
        await caller.call(trial("Sky.weather"), {"city": "Bergen", "api_key": "k-31"})
    assert executor.calls == []
