"""Calls of a selected tool by the caller."""

import pytest

from fakes import FakeRetriever, keyed, param, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ArgumentsError
from gretel.contracts.tool import Tool
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer


def weather(api: HostileServer) -> Tool:
    """Its document declares the API key as a parameter too."""
    params = ["api_key", param("city", required=True)]
    binding = keyed("api_key", path="/ok", server=api.url(""))
    return tool("Sky.weather", "Weather of a city.", params=params, binding=binding)


def selector_of(api: HostileServer) -> Selector:
    tools = [weather(api)]
    return Selector(
        Catalog.from_tools(tools),
        retriever=FakeRetriever(tools),
        policy=Policy(allow_hosts=frozenset({api.host})),
        credentials=lambda origin, scheme: "k-31",
    )


async def test_a_declared_api_key_comes_from_the_credential(api: HostileServer) -> None:
    selector = selector_of(api)
    try:
        selection = await selector.aselect("What is the weather in Oslo?", abstain_below=0.0)
        result = await selection.tools[0].acall(city="Bergen")
    finally:
        await selector.aclose()

    assert result.outcome.status == "succeeded"
    assert [r.target for r in api.requests] == [
        "/ok?city=Oslo&api_key=k-31",
        "/ok?city=Bergen&api_key=k-31",
    ]


async def test_a_credential_is_no_argument_of_a_call(api: HostileServer) -> None:
    selector = selector_of(api)
    try:
        selection = await selector.aselect("What is the weather in Oslo?", abstain_below=0.0)
        with pytest.raises(ArgumentsError, match=r"credential.*The tool takes: city\."):
            await selection.tools[0].acall(city="Bergen", api_key="k-31")
    finally:
        await selector.aclose()
