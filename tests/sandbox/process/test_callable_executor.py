"""Callables as tools: tried only when marked safe, in a process or right here."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

import callable_samples as samples
from callable_samples import Client
from fakes import plan
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.trial import Argument, CallResult
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.callables import CallableExecutor
from gretel.sandbox.process.settings import ProcessSettings
from lanes import every


async def call(
    catalog: Catalog, *, safe: bool = True, seconds: float = 10.0, **arguments: Any
) -> CallResult:
    """Call the only tool of `catalog`."""
    (tool,) = catalog
    policy = Policy(safe_tools=frozenset({tool.tool_id}) if safe else frozenset())
    values = {name: Argument(value=value, source="context") for name, value in arguments.items()}
    executor = CallableExecutor(catalog, policy)
    wanted = plan(tool.tool_id).model_copy(update={"arguments": values})
    return await executor.call(wanted, budget=Budget(call_s=seconds, bytes_decoded=10_000))


def kind(result: CallResult) -> str | None:
    return result.outcome.failure.kind if result.outcome.failure else None


@pytest.mark.parametrize("given", [samples.forecast, Client().search], ids=["confined", "live"])
async def test_what_is_not_marked_safe_is_not_called(given: Callable[..., Any]) -> None:
    result = await call(Catalog.from_callables([given]), safe=False, city="Oslo")

    assert (result.outcome.status, kind(result)) == ("unavailable", "unsafe_method")
    assert result.outcome.latency_ms is None
    assert getattr(given, "__self__", Client()).asked == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "sky"),
    [
        (samples.forecast, "clear"),
        (samples.later, "cloudy"),
        (f"{samples.__name__}:make()", "rain"),
        (samples.named_tool, "named"),
    ],
    ids=["function", "coroutine", "factory", "langchain"],
)
async def test_what_has_a_name_runs_in_a_process(given: Any, sky: str) -> None:
    result = await call(Catalog.from_callables([given]), city="Oslo")

    if kind(result) == "sandbox_unavailable":  # refused, as it must be without layers
        return
    assert result.outcome.status == "succeeded", result
    assert isinstance(result.body, dict)
    assert result.body["sky"] == sky


@pytest.mark.slow
async def test_arguments_become_the_types_of_the_signature() -> None:
    result = await call(Catalog.from_callables([samples.day_of]), day="2026-11-21")

    if kind(result) == "sandbox_unavailable":
        return
    assert result.body == {"day": "2026-11-21", "weekday": "Saturday"}


async def test_a_closure_over_a_live_client_runs_here() -> None:
    client = Client()

    result = await call(Catalog.from_langchain([client.as_tool()]), city="Oslo")

    assert result.body == {"city": "Oslo", "sky": "live"}
    assert client.asked == ["Oslo"]


def live(function: Callable[..., Any]) -> Catalog:
    """A catalogue of one callable without a name: the closure that is made here."""
    catalog = Catalog.from_callables([function])
    assert catalog.live
    return catalog


def closures() -> dict[str, tuple[Callable[..., Any], str]]:
    def sleeps(city: str) -> None:
        """Blocks its thread."""
        time.sleep(1.5)

    async def waits(city: str) -> None:
        """Waits."""
        await asyncio.sleep(60)

    async def will_not_end(city: str) -> None:
        """Swallows its cancellation, once."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(1.5)

    def exits(city: str) -> None:
        """Exits."""
        raise SystemExit(3)

    async def exits_later(city: str) -> None:
        """Exits in the event loop."""
        raise KeyboardInterrupt

    async def cancels(city: str) -> None:
        """Raises what cancelling raises."""
        raise asyncio.CancelledError

    def talks(city: str) -> str:
        """Says too much."""
        return city * 10_000

    def is_odd(city: str) -> object:
        """Gives what is not JSON."""
        return object()

    def circles(city: str) -> list[Any]:
        """Gives a list that holds itself."""
        result: list[Any] = []
        result.append(result)
        return result

    return {
        "sleeps": (sleeps, "timeout"),
        "waits": (waits, "timeout"),
        "will_not_end": (will_not_end, "timeout"),
        "exits": (exits, "server_error"),
        "exits_later": (exits_later, "server_error"),
        "cancels": (cancels, "server_error"),
        "talks": (talks, "protocol"),
        "is_odd": (is_odd, "protocol"),
        "circles": (circles, "protocol"),
    }


@pytest.mark.parametrize("name", every(3, closures()))
async def test_a_live_callable_that_misbehaves_is_an_outcome(name: str) -> None:
    function, expected = closures()[name]

    result = await call(live(function), seconds=0.2, city="Oslo")

    assert (result.outcome.status, kind(result)) == ("failed", expected)


async def test_a_callable_that_gets_no_turn_is_no_failure_of_it() -> None:
    """Waiting counts: a call ends within its time, and does not begin with less than half."""
    called: list[str] = []

    async def waits(city: str) -> str:
        """Waits."""
        called.append(city)
        await asyncio.sleep(60)
        return city

    (tool,) = catalog = live(waits)
    policy = Policy(safe_tools=frozenset({tool.tool_id}))
    executor = CallableExecutor(catalog, policy, ProcessSettings(at_once=1))
    wanted = plan(tool.tool_id, city="Oslo")
    first = asyncio.ensure_future(executor.call(wanted, budget=Budget(call_s=60)))
    await asyncio.sleep(0)
    second = await executor.call(wanted, budget=Budget(call_s=0.2))
    first.cancel()

    assert (second.outcome.status, kind(second)) == ("unavailable", "budget_spent")
    with pytest.raises(asyncio.CancelledError):
        await first
    third = await executor.call(wanted, budget=Budget(call_s=0.2))
    assert kind(third) == "timeout" and called == ["Oslo", "Oslo"]


async def test_a_live_object_that_is_gone_is_no_binding() -> None:
    catalog = live(samples.make())
    catalog.live.clear()

    assert kind(await call(catalog, city="Oslo")) == "no_binding"
