"""What every `Executor` promises: the failure of a tool is a value, whatever its server does."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from fakes import FakeExecutor, failed, plan, succeeded, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.protocols import Executor
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import CallableBinding, Tool
from gretel.contracts.trial import Outcome
from hostile_server import FOUND, HostileServer
from lanes import every

Make = Callable[[Sequence[Tool]], AbstractAsyncContextManager[Executor]]

USABLE = ("ok", "long")
EMPTY = ("nothing",)
NONE = "none"
"""Answers a list without items, to a call that asks for nothing certain."""
BAD = (
    "bad", "login", "missing", "limited", "broken", "sideways", "not_http", "short_body", "close"
)  # fmt: skip
ENDLESS = ("endless", "slow_body", "flood")
"""How a recorded call of each behaviour ended."""
SHORT = Budget(call_s=0.5, bytes_wire=200_000, bytes_decoded=200_000)
LONG = SHORT.model_copy(update={"call_s": 5.0})
"""For what ends by itself: a busy machine must not turn it into a timeout."""


@asynccontextmanager
async def fake(tools: Sequence[Tool]) -> AsyncIterator[Executor]:
    ends = dict.fromkeys(EMPTY, Outcome(status="empty", source="executed", excerpt="[]"))
    ends |= dict.fromkeys(USABLE, succeeded(FOUND.decode()))
    ends[NONE] = succeeded("[]").model_copy(update={"says_none": True})
    yield FakeExecutor({tool.tool_id: ends.get(tool.operation, failed()) for tool in tools})


@asynccontextmanager
async def http(tools: Sequence[Tool]) -> AsyncIterator[Executor]:
    from gretel.sandbox.http.executor import HttpExecutor
    from gretel.sandbox.network.origin import origin_of
    from gretel.sandbox.permission.policy import Policy

    catalog = Catalog.from_tools(tools)
    hosts = frozenset(origin_of(Policy().server(tool)).authority for tool in tools)
    executor = HttpExecutor(catalog, Policy(allow_hosts=hosts))
    try:
        yield executor
    finally:
        await executor.aclose()


@asynccontextmanager
async def confined(tools: Sequence[Tool]) -> AsyncIterator[Executor]:
    """Each tool is a function of its operation's name, in a child process."""
    from gretel.sandbox.permission.policy import Policy
    from gretel.sandbox.process.callables import CallableExecutor
    from gretel.sandbox.process.settings import LAYERS, ProcessSettings

    bound = [
        each.model_copy(
            update={"binding": CallableBinding(target=f"callable_behaviours:Api.{each.operation}")}
        )
        for each in tools
    ]
    policy = Policy(safe_tools=frozenset(each.tool_id for each in tools))
    settings = ProcessSettings(allow_missing_layers=frozenset(LAYERS))
    yield CallableExecutor(Catalog.from_tools(bound), policy, settings)


MAKERS: dict[str, Make] = {"fake": fake, "http": http, "confined": confined}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


def budget_for(behaviour: str) -> Budget:
    return SHORT if behaviour in ENDLESS else LONG


async def call(make: Make, server: str, behaviour: str, budget: Budget | None = None) -> Outcome:
    wanted = tool(f"Api.{behaviour}", server=server)
    async with make([wanted]) as executor:
        return await executor.execute(plan(wanted.tool_id), budget=budget or budget_for(behaviour))


def assert_sound(outcome: Outcome) -> None:
    """Holds for whatever an executor answers."""
    if outcome.status == "empty":
        assert outcome.failure is None or outcome.failure.kind == "empty"
    else:
        assert (outcome.failure is None) == (outcome.status == "succeeded")
    assert len(outcome.excerpt.encode()) <= 2_048
    if outcome.source == "none":
        assert outcome.latency_ms is None
        assert outcome.status == "unavailable"


@pytest.mark.parametrize("behaviour", every(8, (*USABLE, NONE, *EMPTY, *BAD, *ENDLESS)))
async def test_every_answer_becomes_an_outcome(
    make: Make, api: HostileServer, behaviour: str
) -> None:
    outcome = await call(make, api.url(), behaviour)

    assert_sound(outcome)
    assert outcome.source == "executed"
    good = (*USABLE, NONE)
    expected = "succeeded" if behaviour in good else "empty" if behaviour in EMPTY else "failed"
    assert outcome.status == expected
    assert outcome.says_none == (behaviour == NONE)


async def test_a_server_that_is_not_there_is_an_outcome(make: Make, api: HostileServer) -> None:
    outcome = await call(make, "http://127.0.0.1:9", "gone")

    assert_sound(outcome)
    assert outcome.status in ("failed", "unavailable")


@pytest.mark.parametrize("behaviour", every(3, ENDLESS))
async def test_a_call_ends_with_its_budget(make: Make, api: HostileServer, behaviour: str) -> None:
    async with asyncio.timeout(10):
        outcome = await call(make, api.url(), behaviour, Budget(call_s=0.2, bytes_wire=1_000_000))

    assert outcome.status == "failed"
    assert outcome.bytes_wire <= 1_000_000


async def test_a_redirect_is_not_followed(make: Make, api: HostileServer) -> None:
    await call(make, api.url(), "sideways")

    assert "/ok" not in [request.target for request in api.requests]


@pytest.mark.slow
async def test_calls_do_not_wait_for_each_other(make: Make, api: HostileServer) -> None:
    tools = [tool(f"Api.{name}", server=api.url()) for name in ("endless", "ok", "broken")]
    async with make(tools) as executor:
        outcomes = await asyncio.gather(
            *(executor.execute(plan(t.tool_id), budget=budget_for(t.operation)) for t in tools)
        )

    assert [outcome.status for outcome in outcomes] == ["failed", "succeeded", "failed"]


async def test_a_cancelled_call_is_cancelled(make: Make, api: HostileServer) -> None:
    running = asyncio.ensure_future(call(make, api.url(), "endless", Budget(call_s=60)))
    await asyncio.sleep(0)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.parametrize(
    ("behaviour", "body"), every(3, [("ok", json.loads(FOUND)), ("none", []), ("endless", None)])
)
async def test_a_call_gives_the_whole_answer(
    make: Make, api: HostileServer, behaviour: str, body: JsonValue
) -> None:
    wanted = tool(f"Api.{behaviour}", server=api.url())
    async with make([wanted]) as executor:
        result = await executor.call(plan(wanted.tool_id), budget=budget_for(behaviour))

    assert_sound(result.outcome)
    assert result.body == body
