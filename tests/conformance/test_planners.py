"""What every `Planner` promises."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import jsonschema_rs
import pytest
from scripted_models import BackedPlanner, scripted_model

from fakes import FakePlanner, keyed, param, request, tool
from gretel.contracts.protocols import Planner
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, PlanResult, Refusal
from llm_server import Call, Reply, good

Make = Callable[[], AbstractAsyncContextManager[Planner]]


@asynccontextmanager
async def fake() -> AsyncIterator[Planner]:
    yield FakePlanner()


@asynccontextmanager
async def llm() -> AsyncIterator[Planner]:
    from gretel.nodes.plan.llm import LlmPlanner

    async with scripted_model(plan=honest) as model:
        yield BackedPlanner(LlmPlanner(model), FakePlanner())


def honest(call: Call) -> Reply:
    """A model that repeats the context, right or wrong, and makes nothing up."""
    parameters = json.loads(call.block("tool"))["parameters"]
    facts = json.loads(call.block("context") or "{}")
    missing = [p["name"] for p in parameters if p.get("required") and p["name"] not in facts]
    return good({"arguments": facts, "missing": missing, "off_topic": False, "quotes": {}})


@asynccontextmanager
async def deterministic() -> AsyncIterator[Planner]:
    from gretel.nodes.plan.deterministic import DeterministicPlanner

    yield DeterministicPlanner()


@asynccontextmanager
async def weighed() -> AsyncIterator[Planner]:
    """A model that is asked for several tools at once, beside the rules."""
    from gretel.nodes.plan.batching import BatchPlanner
    from gretel.nodes.plan.deterministic import DeterministicPlanner
    from gretel.nodes.plan.weighed import WeighedPlanner

    async with scripted_model(plan=honest) as model:
        both = WeighedPlanner(DeterministicPlanner(), BatchPlanner(model, 4))
        yield BackedPlanner(both, FakePlanner())


MAKERS: dict[str, Make] = {
    "fake": fake,
    "deterministic": deterministic,
    "llm": llm,
    "weighed": weighed,
}


@pytest.fixture(
    params=[pytest.param(n, marks=[pytest.mark.slow] if n == "weighed" else []) for n in MAKERS]
)
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


SECRET = tool("Bank.balance", "Balance of an account.", params=["account_token"])


def assert_sound(result: PlanResult, tool: Tool) -> None:
    """Holds for whatever a planner answers."""
    assert result.tool_id == tool.tool_id
    if isinstance(result, Refusal):
        assert result.detail.strip()
        return
    schemas = {p.name: p.json_schema for p in tool.fillable}
    assert set(result.arguments) <= set(schemas)
    for name, value in result.values().items():
        jsonschema_rs.validate(schemas[name], value)
    required = {p.name for p in tool.fillable if p.required}
    assert required <= set(result.arguments)
    assert set(result.unmet) <= required


async def test_a_plan_is_valid_and_a_refusal_says_why(
    make: Make, tools: list[Tool], text: str
) -> None:
    async with make() as planner:
        for tool in tools:
            assert_sound(await planner.plan(request(text), tool), tool)


async def test_what_the_caller_knows_is_used(make: Make) -> None:
    async with make() as planner:
        result = await planner.plan(request("My balance?", account_token="t-81"), SECRET)

    assert isinstance(result, CallPlan)
    assert result.values() == {"account_token": "t-81"}
    assert result.arguments["account_token"].source == "context"


async def test_a_declared_api_key_is_no_argument(make: Make) -> None:
    params = ["api_key", "account_token"]
    vault = tool("Vault.balance", "Balance.", params=params, binding=keyed("api_key"))
    async with make() as planner:
        result = await planner.plan(request("My balance?", account_token="t-81"), vault)

    assert isinstance(result, CallPlan), result
    assert result.values() == {"account_token": "t-81"}


async def test_a_required_value_that_stands_nowhere_is_refused(make: Make) -> None:
    async with make() as planner:
        result = await planner.plan(request("What is my balance?"), SECRET)

    assert isinstance(result, Refusal)
    assert result.reason in ("missing_required", "needs_other_tool")
    assert [field.name for field in result.missing] == ["account_token"]
    assert {field.tool_id for field in result.missing} == {SECRET.tool_id}


async def test_a_tool_without_parameters_is_planned(make: Make) -> None:
    latest = tool("Rates.latest", "Latest exchange rates.")
    async with make() as planner:
        result = await planner.plan(request("Show me the latest exchange rates."), latest)

    assert isinstance(result, CallPlan)
    assert result.arguments == {}


async def test_an_invalid_fact_never_becomes_an_argument(make: Make) -> None:
    hotels = tool("Hotels.find", "Find a hotel.", params=[param("stars", "integer", required=True)])
    async with make() as planner:
        result = await planner.plan(request("Find me a hotel.", stars="many"), hotels)

    assert isinstance(result, Refusal)
    assert_sound(result, hotels)
