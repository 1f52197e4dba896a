"""MCP servers: what is listed, what is called, what is kept in."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest
import uvicorn
from mcp_server import Weather

from fakes import FakeRetriever, plan
from gretel.contracts.budget import Budget
from gretel.contracts.errors import CallRefused, ConfigurationError, ServiceUnreachable
from gretel.contracts.tool import McpBinding, ToolId
from gretel.contracts.trial import Argument, CallPlan, CallResult
from gretel.graph.selector import Selector
from gretel.integrations.mcp import McpServers
from gretel.integrations.mcp_bounds import Reading
from gretel.integrations.mcp_http import GuardedTransport
from gretel.sandbox.network.egress import EgressTransport
from gretel.sandbox.permission.policy import Policy

ALL = frozenset(
    ToolId(f"weather.{name}") for name in ("forecast", "broken", "slow", "huge", "set_alarm")
)
BUDGET = Budget(call_s=5.0, bytes_decoded=50_000)


@pytest.fixture
def weather() -> Weather:
    return Weather()


@pytest.fixture
async def servers(weather: Weather) -> AsyncIterator[McpServers]:
    made = McpServers({"weather": weather.server}, Policy(safe_tools=ALL))
    await made.catalog()
    yield made
    await made.aclose()


def oslo(name: str) -> CallPlan:
    argument = Argument(value="Oslo", source="context")
    return plan(ToolId(f"weather.{name}")).model_copy(update={"arguments": {"city": argument}})


async def call(servers: McpServers, name: str, seconds: float = 5.0) -> CallResult:
    return await servers.call(oslo(name), budget=BUDGET.model_copy(update={"call_s": seconds}))


async def test_the_listing_becomes_a_catalogue(servers: McpServers) -> None:
    catalog = await servers.catalog()

    assert {tool.tool_id for tool in catalog} == ALL
    forecast = catalog["weather.forecast"]
    assert forecast.binding == McpBinding(server="weather", tool="forecast", read_only=True)
    assert [(p.name, p.required) for p in forecast.parameters] == [("city", True), ("days", False)]


async def test_a_tool_that_is_marked_safe_is_called(servers: McpServers, weather: Weather) -> None:
    result = await call(servers, "forecast")

    assert result.outcome.status == "succeeded", result
    assert result.body == {"city": "Oslo", "days": 3, "sky": "clear"}
    assert weather.calls == ["forecast Oslo"]


async def test_a_hint_opens_nothing(weather: Weather) -> None:
    servers = McpServers({"weather": weather.server})
    await servers.catalog()

    result = await call(servers, "forecast")
    await servers.aclose()

    assert result.outcome.failure is not None
    assert result.outcome.failure.kind == "unsafe_method"
    assert result.outcome.failure.detail.endswith("says only reads); nothing was sent.")
    assert weather.calls == []


async def test_a_server_that_the_user_trusts_is_believed(weather: Weather) -> None:
    policy = Policy(trusted_servers=frozenset({"weather"}))
    servers = McpServers({"weather": weather.server}, policy)
    await servers.catalog()

    read, changed = await call(servers, "forecast"), await call(servers, "set_alarm")
    await servers.aclose()

    assert read.outcome.status == "succeeded"
    assert changed.outcome.failure is not None
    assert changed.outcome.failure.kind == "unsafe_method"
    assert weather.calls == ["forecast Oslo"]


async def test_a_trusted_server_that_is_not_known_is_bad_input(weather: Weather) -> None:
    catalog = await McpServers({"weather": weather.server}).catalog()

    with pytest.raises(
        ConfigurationError, match=r"'wether' is not an MCP server.*Known are: weather"
    ):
        Policy(trusted_servers=frozenset({"wether"})).bound(catalog)


async def test_a_tool_that_is_not_marked_is_called_with_leave(weather: Weather) -> None:
    policy = Policy(callable_tools=frozenset({"*.forecast@mcp:weather"}))
    servers = McpServers({"weather": weather.server}, policy)
    catalog = await servers.catalog()
    retriever = FakeRetriever(list(catalog), needs_tool=1.0)
    selector = Selector(catalog, retriever=retriever, policy=policy, executors={"mcp": servers})
    selection = await selector.aselect("Weather", context={"city": "Oslo"})
    tools = {found.tool_id: found for found in selection.tools}
    alarm, forecast = tools[ToolId("weather.set_alarm")], tools[ToolId("weather.forecast")]
    assert weather.calls == [] and alarm.trial.executed.host == "mcp:weather"
    assert (alarm.needs_leave, forecast.needs_leave) == (True, False)
    with pytest.raises(CallRefused, match="allow_change"):
        await alarm.acall(city="Oslo")
    await forecast.acall(city="Oslo")
    await alarm.acall({"city": "Oslo"}, allow_change=True)
    await servers.aclose()
    assert weather.calls == ["forecast Oslo", "set_alarm Oslo"]


@pytest.mark.parametrize(
    ("name", "kind", "seconds", "words"),
    [
        ("broken", "error_in_body", 5.0, "Error executing tool"),
        ("slow", "timeout", 0.3, "0.3 s"),
        ("huge", "protocol", 5.0, "longer than 50,000 bytes"),
    ],
)
async def test_a_failing_tool_is_an_outcome(
    servers: McpServers, name: str, kind: str, seconds: float, words: str
) -> None:
    result = await call(servers, name, seconds)

    assert result.outcome.status == "failed"
    assert result.outcome.failure is not None
    assert result.outcome.failure.kind == kind
    assert words in result.outcome.failure.detail


async def test_a_tool_that_changed_since_is_not_called(
    servers: McpServers, weather: Weather
) -> None:
    weather.change_forecast()

    result = await call(servers, "forecast")

    assert result.outcome.failure is not None
    assert result.outcome.failure.kind == "drift"
    assert weather.calls == []


async def test_an_unknown_tool_has_no_binding(servers: McpServers) -> None:
    result = await call(servers, "nothing")

    assert result.outcome.failure is not None
    assert result.outcome.failure.kind == "no_binding"


def test_several_event_loops_have_their_own_sessions(weather: Weather) -> None:
    servers = McpServers({"weather": weather.server}, Policy(safe_tools=ALL))

    async def once() -> str:
        await servers.catalog()
        result = await call(servers, "forecast")
        await servers.aclose()
        return result.outcome.status

    assert [asyncio.run(once()), asyncio.run(once())] == ["succeeded", "succeeded"]


@pytest.fixture
def url(weather: Weather) -> Iterator[str]:
    """The server over HTTP, on a free port of this machine."""
    app = weather.server.streamable_http_app()
    config = uvicorn.Config(app, port=0, log_level="error", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}/mcp"
    server.should_exit = True
    thread.join(5)


async def test_an_allowed_url_is_called(url: str, weather: Weather) -> None:
    host = url.split("/")[2]
    policy = Policy(allow_hosts=frozenset({host}), safe_tools=ALL)
    servers = McpServers({"weather": url}, policy)

    catalog = await servers.catalog()
    result = await call(servers, "forecast")
    await servers.aclose()

    assert len(catalog) == len(ALL)
    assert result.outcome.status == "succeeded", result


@pytest.mark.parametrize("allowed", [frozenset(), frozenset({"localhost"})])
async def test_a_url_that_is_not_allowed_is_not_dialled(url: str, allowed: frozenset[str]) -> None:
    servers = McpServers({"weather": url}, Policy(allow_hosts=allowed))

    with pytest.raises(ServiceUnreachable, match="not an allowed host"):
        await servers.catalog()
    await servers.aclose()


async def test_a_name_that_resolves_inside_is_refused() -> None:
    async def lies(host: str, port: int) -> list[str]:
        return ["169.254.169.254"]

    policy = Policy(allow_hosts=frozenset({"mcp.example.com"}))
    transport = GuardedTransport(policy)
    transport._transport = EgressTransport(policy, lies)
    reading = Reading.opening()
    async with httpx2.AsyncClient(transport=transport) as client:
        with reading.current():
            answer = await client.post("https://mcp.example.com/mcp", json={})

    assert answer.status_code == 502
    assert isinstance(reading.problem, CallRefused)
    assert "169.254.169.254" in str(reading.problem)


async def test_a_dead_url_is_unreachable() -> None:
    servers = McpServers(
        {"weather": "http://127.0.0.1:9/mcp"}, Policy(allow_hosts=frozenset({"127.0.0.1:9"}))
    )

    with pytest.raises(ServiceUnreachable, match="weather"):
        await servers.catalog()
    await servers.aclose()


async def test_an_unknown_server_is_bad_input() -> None:
    with pytest.raises(ConfigurationError, match="Known are"):
        await McpServers({})._session("nobody")


async def test_a_listing_read_again_does_not_excuse_a_change(
    servers: McpServers, weather: Weather
) -> None:
    """Whoever reads the catalogue anew vouches for the tools of that catalogue, not of an older."""
    selected = (await servers.catalog()).digest_of("weather.forecast")
    weather.change_forecast()
    await servers.catalog()

    plan_of_old = oslo("forecast").model_copy(update={"digest": selected})
    result = await servers.call(plan_of_old, budget=BUDGET)

    assert result.outcome.failure is not None and result.outcome.failure.kind == "drift"
    assert (result.outcome.status, result.outcome.source) == ("failed", "none")
    assert weather.calls == []
