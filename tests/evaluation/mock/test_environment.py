"""The mock on loopback: contract-true, broken where the seed says so, the same every time."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from fakes import failed, keyed, param, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import NoBinding, Response, Tool, ToolId, VirtualBinding
from gretel.contracts.trial import CallPlan, CallResult
from gretel.evaluation.mock.answers import good_answer
from gretel.evaluation.mock.environment import Environment
from gretel.evaluation.mock.environment_executor import on_behalf_of
from gretel.evaluation.mock.faults import FaultKind, Mix, draw_faults
from gretel.evaluation.mock.mock_api import LATENCIES, declared_latency_ms
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network import egress
from gretel.sandbox.network.body import Body, read_body
from lanes import every

BUDGET = Budget(call_s=10)
SHORT = Budget(call_s=0.25)
HANGS = 3
"""Of this seed a server that times out never answers; others answer 504."""
ANSWER = Response(
    json_schema={
        "type": "object",
        "properties": {"city": {"type": "string"}, "celsius": {"type": "number"}},
    }
)
CITY = param("city", required=True)
DAYS = param("days", "integer")


def virtual(tool_id: str, **fields: Any) -> Tool:
    toolkit, _, operation = tool_id.partition(".")
    names = VirtualBinding(category="Weather", tool_name=toolkit, api_name=operation)
    moved = tuple(each.model_copy(update={"location": "argument"}) for each in (CITY, DAYS))
    return tool(tool_id, params=moved, binding=names, response=ANSWER, **fields)


def unbound(tool_id: str) -> Tool:
    moved = tuple(each.model_copy(update={"location": "argument"}) for each in (CITY, DAYS))
    return tool(tool_id, params=moved, binding=NoBinding(), response=ANSWER)


HTTP = tool("Sky.forecast", params=[CITY, DAYS], response=ANSWER)
TWIN = tool("Rain.forecast", params=[CITY, DAYS], response=ANSWER)
VIRTUAL = virtual("Storm Watch.Get Forecast")
UNBOUND = unbound("Cloud.forecast")
CATALOG = Catalog.from_tools([HTTP, TWIN, VIRTUAL, UNBOUND])
IDS = [each.tool_id for each in CATALOG]


@contextmanager
def serving(
    mix: str | Mix = "none", catalog: Catalog = CATALOG, seed: int = 7
) -> Iterator[Environment]:
    faults = draw_faults(catalog, mix=mix, seed=seed)
    with Environment(catalog, faults, seed=seed) as environment:
        yield environment


@pytest.fixture(scope="module")
def healthy() -> Iterator[Environment]:
    with serving() as environment:
        yield environment


async def results(
    environment: Environment, *plans: CallPlan, request: str = "q1", budget: Budget = BUDGET
) -> list[CallResult]:
    """What came of each plan, all made at once for one request."""
    executor = environment.executor()
    try:
        with on_behalf_of(request):
            calls = (executor.call(made, budget=budget) for made in plans)
            return await asyncio.gather(*calls)
    finally:
        await executor.aclose()


async def called(environment: Environment, made: CallPlan, request: str = "q1") -> CallResult:
    return (await results(environment, made, request=request))[0]


@pytest.mark.parametrize("tool_id", IDS)
async def test_every_kind_of_tool_answers_as_documented(healthy: Environment, tool_id: str) -> None:
    result = await called(healthy, plan(tool_id, city="Oslo"))
    assert result.outcome.status == "succeeded", result.outcome
    assert isinstance(result.body, dict)
    assert result.body["city"] == "Oslo"
    assert isinstance(result.body["celsius"], float)


async def test_tools_of_one_method_and_path_are_told_apart(healthy: Environment) -> None:
    bodies = [
        (await called(healthy, plan(each.tool_id, city="Oslo"))).body for each in (HTTP, TWIN)
    ]
    expected = [good_answer(each, {"city": "Oslo"}, seed=7) for each in (HTTP, TWIN)]
    assert bodies == expected
    assert bodies[0] != bodies[1]


def test_the_catalogue_keeps_its_tools() -> None:
    with Environment(CATALOG) as environment:
        pass
    assert [each.tool_id for each in environment.catalog] == IDS
    assert environment.catalog[HTTP.tool_id] == HTTP
    assert CATALOG[UNBOUND.tool_id].binding == NoBinding()


@pytest.mark.parametrize("tool_id", [HTTP.tool_id, UNBOUND.tool_id])
async def test_a_missing_parameter_is_rejected_by_name(healthy: Environment, tool_id: str) -> None:
    outcome = (await called(healthy, plan(tool_id, days=3))).outcome
    assert outcome.failure is not None
    assert outcome.failure.kind == "rejected_arguments"
    assert outcome.failure.fields == ("city",)
    assert outcome.http_status in (400, 422)


async def test_a_credential_is_no_argument_of_a_tool() -> None:
    """It is neither missed where none was sent, nor echoed where one was."""
    secured = tool("Vault.forecast", params=["api_key", CITY], binding=keyed("api_key"))
    with serving(catalog=Catalog.from_tools([secured])) as environment:
        outcome = (await called(environment, plan(secured.tool_id, city="Oslo"))).outcome
        url = f"{environment.server_url}/{secured.tool_id}/read"
        async with httpx.AsyncClient() as client:
            sent = await client.get(url, params={"city": "Oslo", "api_key": "k-3141592"})
    assert outcome.status == "succeeded", outcome
    assert sent.status_code == 200 and "Oslo" in sent.text
    assert "k-3141592" not in sent.text


async def test_the_protocol_of_stabletoolbench_loses_the_status(healthy: Environment) -> None:
    result = await called(healthy, plan(VIRTUAL.tool_id, days=3))
    assert result.outcome.http_status == 200
    assert "city" in str(result.body)


@pytest.mark.parametrize("tool_id", [HTTP.tool_id, UNBOUND.tool_id])
async def test_a_value_of_the_wrong_type_is_rejected_by_name(
    healthy: Environment, tool_id: str
) -> None:
    outcome = (await called(healthy, plan(tool_id, city="Oslo", days="soon"))).outcome
    assert outcome.failure is not None
    assert outcome.failure.kind == "rejected_arguments"
    assert outcome.failure.fields == ("days",)


@pytest.mark.slow
async def test_every_style_of_rejection_names_the_field() -> None:
    kits = Catalog.from_tools(tool(f"Kit{n}.forecast", params=["city_name"]) for n in range(40))
    bodies = set()
    with serving(catalog=kits) as environment:
        for each in kits:
            result = await called(environment, plan(each.tool_id))
            assert result.outcome.failure is not None
            assert result.outcome.failure.fields == ("city_name",), result.body
            bodies.add(str(result.body))
    assert len(bodies) == 6


STATUSES: dict[FaultKind, set[str]] = {
    "auth": {"failed"},
    "drift": {"failed", "empty"},
    "dead": {"failed"},
    "empty": {"empty"},
    "irrelevant": {"succeeded"},
    "rate_limit": {"failed"},
    "timeout": {"failed"},
    "server_error": {"failed"},
}


@pytest.mark.parametrize("kind", every(4, STATUSES))
async def test_each_fault_is_what_it_says(kind: FaultKind) -> None:
    tools = [tool(f"Kit{n}.op", params=["city"], response=ANSWER) for n in range(24)]
    catalog = Catalog.from_tools([*tools, *(virtual(f"Mirror{n}.op") for n in range(6))])
    plans = [plan(each.tool_id, city="Oslo") for each in catalog]
    budget = SHORT if kind == "timeout" else BUDGET
    with serving({kind: 100}, catalog) as environment:
        first = [each.outcome for each in await results(environment, *plans, budget=budget)]
        again = [each.outcome for each in await results(environment, *plans, budget=budget)]
    assert {outcome.status for outcome in first} <= STATUSES[kind]
    if kind == "timeout":  # which step it is that takes too long depends on the machine
        assert {each.failure.kind for each in [*first, *again] if each.failure} == {"timeout"}
    else:
        assert first == again
        assert len({(outcome.http_status, outcome.excerpt) for outcome in first}) >= 3


@pytest.mark.slow
async def test_a_timeout_lasts_as_long_as_the_budget() -> None:
    tools = Catalog.from_tools(tool(f"Kit{n}.op") for n in range(12))
    plans = [plan(each.tool_id) for each in tools]
    with serving({"timeout": 100}, tools) as environment:
        ends = await results(environment, *plans, budget=SHORT)
    outcomes = [end.outcome for end in ends]
    kinds = {outcome.failure.kind for outcome in outcomes if outcome.failure}
    assert kinds == {"timeout"}
    sent = [outcome for outcome in outcomes if outcome.latency_ms is not None]  # in time, that is
    unanswered = [outcome.latency_ms for outcome in sent if outcome.http_status is None]
    assert unanswered and set(unanswered) == {250}


async def test_an_irrelevant_answer_is_a_good_one_of_another_toolkit() -> None:
    with serving({"irrelevant": 100}) as environment:
        body = (await called(environment, plan(HTTP.tool_id, city="Oslo"))).body
        again = (await called(environment, plan(HTTP.tool_id, city="Rome"))).body
    others = [good_answer(each, {}, seed=7) for each in environment.catalog if each != HTTP]
    assert body in others
    assert body == again


async def test_an_irrelevant_tool_still_enforces_its_contract() -> None:
    with serving({"irrelevant": 50, "empty": 50}) as environment:
        for tool_id in (HTTP.tool_id, UNBOUND.tool_id):
            outcome = (await called(environment, plan(tool_id))).outcome
            assert outcome.failure is not None
            assert outcome.failure.kind == "rejected_arguments"


async def test_a_transient_fault_follows_the_request() -> None:
    with serving({"rate_limit": 50}) as environment:
        for number in range(12):
            request = f"q{number}\r\nü"
            fault = environment.faults.at(HTTP.tool_id, request.encode("unicode_escape").decode())
            outcome = (await called(environment, plan(HTTP.tool_id, city="Oslo"), request)).outcome
            assert (outcome.status == "failed") == (fault is not None)


@pytest.mark.slow
async def test_without_a_request_the_arguments_stand_for_it() -> None:
    plans = [plan(HTTP.tool_id, city=f"c{n}") for n in range(20)]
    with serving({"rate_limit": 50}) as environment:
        executor = environment.executor()
        ends = [(await executor.execute(each, budget=BUDGET)).status for each in plans * 2]
        await executor.aclose()
    assert set(ends) == {"succeeded", "failed"}
    assert ends[:20] == ends[20:]


@pytest.mark.slow
async def test_the_request_reaches_the_mock_through_the_graph() -> None:
    from fakes import FakeRetriever
    from gretel.graph.selector import Selector

    with serving({"server_error": 50}) as environment:
        executor = environment.executor()
        selector = Selector(
            CATALOG,
            retriever=FakeRetriever([*CATALOG], needs_tool=1.0),
            executor=executor,
            rewriter="none",
        )
        for request in ("q1", "q2", "q3", "q4"):
            with on_behalf_of(request):
                trials = (await selector.aselect("weather", context={"city": "Oslo"})).trials
            for trial in trials:
                failed = trial.executed.status == "failed"
                assert failed == (environment.faults.at(trial.tool_id, request) is not None)
        await executor.aclose()


async def test_latency_is_declared(healthy: Environment) -> None:
    outcome = (await called(healthy, plan(HTTP.tool_id, city="Oslo"))).outcome
    assert outcome.latency_ms == declared_latency_ms(HTTP.tool_id, seed=7)
    declared = {declared_latency_ms(ToolId(f"Kit.op{n}"), seed=7) for n in range(200)}
    assert declared == {latency for _, latency in LATENCIES}


async def test_no_name_of_the_environment_stands_in_an_outcome(healthy: Environment) -> None:
    result = await called(healthy, plan(HTTP.tool_id, city="Oslo"), "secret-request-id")
    assert "secret-request-id" not in result.model_dump_json()


def post(environment: Environment, body: Any, path: str = "/virtual") -> httpx.Response:
    return httpx.post(f"{environment.server_url}{path}", json=body)


NAMES = {"category": "Weather", "tool_name": "Storm Watch", "api_name": "Get Forecast"}


@pytest.mark.parametrize("given", [{"city": "Oslo", "days": 2}, '{"city": "Oslo", "days": "2"}'])
@pytest.mark.parametrize(
    "names",
    [
        NAMES,
        {
            **NAMES,
            "tool_name": "storm_watch_for_Weather",
            "api_name": "get_forecast_for_storm_watch",
        },
    ],
)
def test_the_protocol_takes_either_spelling(healthy: Environment, given: Any, names: Any) -> None:
    call = {**names, "tool_input": given, "strip": "", "toolbench_key": ""}
    reply = post(healthy, call)
    assert reply.status_code == 200
    assert reply.json()["error"] == ""
    assert '"city": "Oslo"' in reply.json()["response"]


@pytest.mark.parametrize(
    ("change", "status", "error"),
    [
        ({"api_name": "nowhere"}, 200, "no such API"),
        ({"tool_input": "{"}, 200, "Tool input parse error"),
        ({"tool_input": {}}, 200, ""),
        ({"category": 7}, 422, None),
    ],
)
def test_wrong_calls_of_the_protocol(
    healthy: Environment, change: Any, status: int, error: str | None
) -> None:
    reply = post(healthy, {**NAMES, "tool_input": {"city": "Oslo"}} | change)
    assert reply.status_code == status
    if error is not None:
        assert error in reply.json()["error"]


def test_paths_of_the_documents_work_where_they_are_unique() -> None:
    with serving(catalog=Catalog.from_tools([HTTP, VIRTUAL])) as environment:
        reply = httpx.get(f"{environment.server_url}/forecast", params={"city": "Oslo"})
    assert reply.json()["city"] == "Oslo"


def test_a_path_that_two_documents_share_is_no_ones(healthy: Environment) -> None:
    reply = httpx.get(f"{healthy.server_url}/forecast", params={"city": "Oslo"})
    assert reply.status_code == 300
    assert reply.json()["tools"] == ["Rain.forecast", "Sky.forecast"]


async def test_a_taken_port_is_an_input_error(healthy: Environment) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Environment(CATALOG, port=healthy.port)
    assert caught.value.field == "--port"


def test_the_mock_never_hangs_up_on_an_idle_client_first() -> None:
    """Else a call now and then meets a connection that is being closed, and its tool is blamed."""
    with Environment(CATALOG, seed=7) as server:
        assert server._server.config.timeout_keep_alive > 10 * egress._KEEPALIVE_S


@pytest.mark.slow
async def test_a_call_that_a_busy_machine_held_up_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`waits`: answers take longer than the batch is patient; only hanging servers are given up."""
    monkeypatch.setattr("gretel.evaluation.mock.environment_executor.PATIENCE_S", 0.02)
    hangs = draw_faults(CATALOG, mix={"timeout": 100}, seed=HANGS)
    for faults, ended in ((None, "succeeded"), (hangs, "failed")):
        with Environment(CATALOG, faults, seed=HANGS, waits=True) as environment:
            executor = environment.executor()
            with on_behalf_of("q"):
                outcome = await executor.execute(plan(HTTP.tool_id, city="Oslo"), budget=Budget())
            await executor.aclose()
        assert outcome.status == ended


@pytest.mark.slow
async def test_a_call_that_was_held_up_amid_its_answer_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stalls = iter([60.0])

    async def stalling(response: httpx.Response, budget: Budget) -> Body:
        await asyncio.sleep(next(stalls, 0.0))
        return await read_body(response, budget)

    monkeypatch.setattr("gretel.evaluation.mock.environment_executor.PATIENCE_S", 0.5)
    monkeypatch.setattr("gretel.sandbox.http.exchange.read_body", stalling)
    with Environment(CATALOG, seed=7) as environment:
        executor = environment.executor()
        outcome = await executor.execute(plan(HTTP.tool_id, city="Oslo"), budget=BUDGET)
        await executor.aclose()
    assert outcome.status == "succeeded"
    assert next(stalls, None) is None


@pytest.mark.slow
async def test_a_hanging_server_that_was_never_reached_is_called_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else its row would say how busy the machine was."""
    call, stalled = HttpExecutor.call, iter([CallResult(outcome=failed("timeout"))])

    async def calling(self: HttpExecutor, plan: CallPlan, *, budget: Budget) -> CallResult:
        return next(stalled, None) or await call(self, plan, budget=budget)

    monkeypatch.setattr("gretel.evaluation.mock.environment_executor.PATIENCE_S", 0.5)
    monkeypatch.setattr(HttpExecutor, "call", calling)
    hangs = draw_faults(CATALOG, mix={"timeout": 100}, seed=HANGS)
    with Environment(CATALOG, hangs, seed=HANGS) as environment:
        executor = environment.executor()
        with on_behalf_of("q"):
            outcome = await executor.execute(plan(HTTP.tool_id, city="Oslo"), budget=BUDGET)
        await executor.aclose()
    assert outcome.status == "failed"
    assert outcome.latency_ms == 1000 * BUDGET.call_s
