"""Callables through the whole selector: tried, simulated, called; a live object leaves no trace."""

import pytest

import callable_samples as samples
from callable_samples import Client
from fakes import FakeExecutor, FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import CallRefused
from gretel.contracts.tool import CallableBinding, McpBinding, ToolId
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy

FORECAST = ToolId("callable_samples.forecast")
LIVE = ToolId("callable_samples.live_search")


def selector_of(catalog: Catalog, *safe: ToolId) -> Selector:
    policy = Policy(safe_tools=frozenset(safe))
    return Selector(catalog, retriever=FakeRetriever(list(catalog), needs_tool=1.0), policy=policy)


@pytest.mark.slow
def test_a_safe_function_is_tried_and_called() -> None:
    catalog = Catalog.from_callables([samples.forecast])
    with selector_of(catalog, FORECAST) as selector:
        selection = selector.select("Weather in Oslo", context={"city": "Oslo"}, abstain_below=0.0)
        (trial,) = selection.trials
        refused = trial.executed.failure is not None
        if refused:  # as it must be without layers
            assert trial.executed.failure.kind == "sandbox_unavailable"
            return
        assert trial.executed.status == "succeeded"
        result = selection.tools[0].call(city="Bergen", days=2)

    assert result.body == {"city": "Bergen", "days": 2, "sky": "clear"}


def test_a_live_tool_that_is_not_marked_is_simulated_and_not_called() -> None:
    client = Client()
    catalog = Catalog.from_langchain([client.as_tool()])
    with selector_of(catalog) as selector:
        selection = selector.select("Search Oslo", context={"city": "Oslo"}, abstain_below=0.0)
        (trial,) = selection.trials
        with pytest.raises(CallRefused, match="not marked it safe"):
            selection.tools[0].call(city="Oslo")

    assert trial.executed.source == "none"
    assert trial.simulated is not None
    assert client.asked == []


def test_a_live_tool_that_is_marked_is_called_and_stays_out_of_the_state() -> None:
    client = Client()
    catalog = Catalog.from_langchain([client.as_tool()])
    with selector_of(catalog, LIVE) as selector:
        selection = selector.select("Search Oslo", context={"city": "Oslo"}, abstain_below=0.0)

    assert client.asked == ["Oslo"]
    assert selection.trials[0].executed.status == "succeeded"
    assert "object at 0x" not in selection.model_dump_json()


def test_tools_can_be_added_with_their_live_objects() -> None:
    client = Client()
    with selector_of(Catalog(), LIVE) as selector:
        selector.add(Catalog.from_langchain([client.as_tool()]))

        assert list(selector.catalog.live) == [LIVE]


@pytest.mark.parametrize(
    ("binding", "called"),
    [(McpBinding(server="s", tool="t"), True), (CallableBinding(target=None), False)],
    ids=["named-kind", "other-kind"],
)
def test_an_executor_takes_the_plans_of_its_kind(binding: object, called: bool) -> None:
    catalog = Catalog.from_tools([tool("s.t").model_copy(update={"binding": binding})])
    mcp = FakeExecutor()
    retriever = FakeRetriever(list(catalog))
    with Selector(catalog, retriever=retriever, executors={"mcp": mcp}) as selector:
        selector.select("anything", abstain_below=0.0)

    assert bool(mcp.calls) == called
