"""The executor against a server that answers: facts, policy, credentials, concurrency."""

import asyncio
import hashlib
import logging

import httpx
import pytest
import respx
from sandbox_runs import MakeExecutor

from fakes import param, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import SandboxUnavailable
from gretel.contracts.tool import HttpBinding, SecurityScheme, Tool, ToolId
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.environment import EnvironmentCredentials
from hostile_server import HostileServer
from slow_api import SlowApi

CANARY = "canary-5f2a91-do-not-leak"
BUDGET = Budget(call_s=5)
API = "https://api.example.com"


def secured(scheme: SecurityScheme, server: str) -> Tool:
    binding = HttpBinding(method="GET", path="/echo", servers=(server,), security=((scheme,),))
    return tool("a.b", binding=binding)


def key(location: str) -> SecurityScheme:
    return SecurityScheme.model_validate(
        {"name": "key", "kind": "apiKey", "location": location, "parameter": "X-Key"}
    )


async def test_a_success_carries_its_facts(api: HostileServer, executor: MakeExecutor) -> None:
    asked = tool("air.ok", params=["q"], server=api.url())
    outcome = await executor(asked, allow=(api.host,)).execute(
        plan("air.ok", q="San José"), budget=BUDGET
    )
    body = b'{"flights": [{"id": 7}]}'
    assert (outcome.status, outcome.source, outcome.failure) == ("succeeded", "executed", None)
    assert outcome.http_status == 200
    assert outcome.latency_ms is not None and outcome.latency_ms > 0
    assert outcome.bytes_wire == outcome.bytes_decoded == len(body)
    assert outcome.body_sha256 == hashlib.sha256(body).hexdigest()
    assert outcome.excerpt == '{"flights":[{"id":7}]}'
    assert api.requests[0].target.endswith("?q=San%20Jos%C3%A9")
    assert api.requests[0].headers["host"] == api.host
    assert api.requests[0].headers["accept-encoding"] == "identity"
    assert "cookie" not in api.requests[0].headers


async def test_nothing_is_sent_without_leave(api: HostileServer, executor: MakeExecutor) -> None:
    reads = tool("a.read", server=api.url())
    writes = tool("a.write", server=api.url(), method="DELETE")
    unallowed = await executor(reads).execute(plan("a.read"), budget=BUDGET)
    unsafe = await executor(writes, allow=(api.host,)).execute(plan("a.write"), budget=BUDGET)
    assert unallowed.failure is not None and unallowed.failure.host == api.host
    assert unsafe.failure is not None and unsafe.failure.kind == "unsafe_method"
    for outcome in (unallowed, unsafe):
        assert (outcome.status, outcome.source, outcome.latency_ms) == ("unavailable", "none", None)
    assert api.requests == []


async def test_a_tool_that_the_user_marks_safe_is_sent(
    api: HostileServer, executor: MakeExecutor
) -> None:
    search = tool(
        "a.search",
        params=[param("q", location="body")],
        binding=HttpBinding(method="POST", path="/ok", servers=(api.url(),)),
    )
    rules = Policy(frozenset({api.host}), safe_tools=frozenset({ToolId("a.search")}))
    outcome = await executor(search, policy=rules).execute(plan("a.search", q="x"), budget=BUDGET)
    assert outcome.status == "succeeded"
    assert (api.requests[0].method, api.requests[0].body) == ("POST", b'{"q": "x"}')


async def test_an_unsendable_value_is_refused_before_sending(
    api: HostileServer, executor: MakeExecutor
) -> None:
    place = param("id", location="path", required=True)
    binding = HttpBinding(method="GET", path="/users/{id}", servers=(api.url(),))
    asked = tool("a.user", params=[place], binding=binding)
    outcome = await executor(asked, allow=(api.host,)).execute(
        plan("a.user", id="../admin"), budget=BUDGET
    )
    assert (outcome.status, outcome.source) == ("refused", "none")
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fields) == ("invalid_value", ("id",))
    assert api.requests == []


async def test_a_tool_that_left_the_catalogue(executor: MakeExecutor) -> None:
    outcome = await executor().execute(plan("gone.tool"), budget=BUDGET)
    assert (outcome.status, outcome.source) == ("unavailable", "none")


@pytest.mark.parametrize("location", ["header", "query", "cookie"])
async def test_a_canary_is_sent_and_found_nowhere_else(
    location: str,
    api: HostileServer,
    executor: MakeExecutor,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    name = f"GRETEL_CREDENTIAL_127_0_0_1_{api.port}"
    runner = executor(
        secured(key(location), api.url()),
        allow=(api.host,),
        credentials=EnvironmentCredentials({name: CANARY}),
    )
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert CANARY in repr(api.requests[0])
    assert outcome.status == "succeeded"
    assert "echoed" in outcome.excerpt
    assert CANARY not in outcome.model_dump_json() + repr(outcome) + caplog.text


async def test_a_failure_that_echoes_the_canary_is_redacted(executor: MakeExecutor) -> None:
    runner = executor(
        secured(key("header"), API),
        allow=("api.example.com",),
        credentials=lambda origin, scheme: CANARY,
        transport=httpx.MockTransport(
            lambda request: httpx.Response(
                400, json={"error": f"{request.headers['X-Key']} is bad"}
            )
        ),
    )
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert outcome.failure is not None and "is bad" in outcome.failure.detail
    assert CANARY not in outcome.model_dump_json()


async def test_without_its_credential_a_server_of_others_is_sent_nothing(
    executor: MakeExecutor,
) -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"fine": 1})

    runner = executor(
        secured(key("header"), API),
        allow=("api.example.com",),
        credentials=EnvironmentCredentials({}),
        transport=httpx.MockTransport(answer),
    )
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert outcome.status == "unavailable"
    assert outcome.failure is not None and outcome.failure.kind == "missing_credential"
    assert sent == []


async def test_without_its_credential_a_server_whose_inner_address_is_listed_is_asked(
    api: HostileServer, executor: MakeExecutor
) -> None:
    """What one runs oneself often has switched off what its document declares."""
    runner = executor(
        secured(key("header"), api.url()),
        allow=(api.host,),
        credentials=EnvironmentCredentials({}),
    )
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert outcome.status == "succeeded" and len(api.requests) == 1


@pytest.mark.parametrize("value", [CANARY, f"Token {CANARY}", f"X-API-Key: {CANARY}"])
async def test_a_canary_that_nothing_asked_for_is_sent_and_found_nowhere_else(
    value: str,
    api: HostileServer,
    executor: MakeExecutor,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    binding = HttpBinding(method="GET", path="/echo", servers=(api.url(),))
    runner = executor(
        tool("a.b", binding=binding),
        allow=(api.host,),
        credentials=EnvironmentCredentials({f"GRETEL_CREDENTIAL_127_0_0_1_{api.port}": value}),
    )
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert CANARY in repr(api.requests[0]) and outcome.status == "succeeded"
    assert "echoed" in outcome.excerpt
    assert CANARY not in outcome.model_dump_json() + repr(outcome) + caplog.text


def refusing(status: int) -> httpx.MockTransport:
    return httpx.MockTransport(lambda request: httpx.Response(status, json={"detail": "no"}))


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refusal_names_the_variable_to_set(status: int, executor: MakeExecutor) -> None:
    async def said(asked: Tool, **environment: str) -> str:
        runner = executor(
            asked,
            allow=("api.example.com", "plain.example.com"),
            credentials=EnvironmentCredentials(environment),
            transport=refusing(status),
        )
        outcome = await runner.execute(plan("a.b"), budget=BUDGET)
        assert outcome.http_status == status and outcome.failure is not None
        assert CANARY not in outcome.model_dump_json()
        return outcome.failure.detail

    def asking(*security: tuple[SecurityScheme, ...], server: str = API) -> Tool:
        binding = HttpBinding(method="GET", path="/x", servers=(server,), security=security)
        return tool("a.b", binding=binding)

    host = "GRETEL_CREDENTIAL_API_EXAMPLE_COM"
    own_word = "the token alone, or with a word before it: `Token …`"
    assert (await said(asking())).endswith(f" Set {host} ({own_word}).")
    called = f" It was called with the credential in {host}."
    assert (await said(asking(), **{host: f"Token {CANARY}"})).endswith(called)
    bare = f"{called[:-1]}, as `Bearer …`; a value with a word before it is sent as it is."
    assert (await said(asking(), **{host: CANARY})).endswith(bare)
    scheme = key("header")
    assert (await said(asking((scheme,), ()))).endswith(f" Set {host}___KEY (the key).")
    assert (await said(asking((scheme,)), **{host: CANARY})).endswith(called)
    own = {f"{host}___KEY": CANARY, host: "other"}
    assert (await said(asking((scheme,)), **own)).endswith(f"the credential in {host}___KEY.")
    assert (await said(asking(()))).endswith(" The document says that no credential is needed.")
    plain = await said(asking(server="http://plain.example.com"))
    assert plain.endswith("http://plain.example.com has no TLS: credentials are not sent there.")


async def test_a_refusal_of_what_the_callers_function_gave_names_no_variable(
    executor: MakeExecutor,
) -> None:
    runner = executor(
        secured(key("header"), API),
        allow=("api.example.com",),
        credentials=lambda origin, scheme: CANARY,
        transport=refusing(401),
    )
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert outcome.failure is not None and "GRETEL" not in outcome.failure.detail


async def test_so_does_a_refusal_in_words(executor: MakeExecutor) -> None:
    answer = httpx.Response(400, json={"message": "Invalid API key"})
    runner = executor(
        tool("a.b", server=API),
        allow=("api.example.com",),
        credentials=EnvironmentCredentials({}),
        transport=httpx.MockTransport(lambda request: answer),
    )
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert outcome.failure is not None and outcome.failure.kind == "auth"
    assert " Set GRETEL_CREDENTIAL_API_EXAMPLE_COM (" in outcome.failure.detail


async def test_other_failures_name_no_variable(executor: MakeExecutor) -> None:
    for status in (400, 404, 500):
        runner = executor(
            tool("a.b", server=API), allow=("api.example.com",), transport=refusing(status)
        )
        outcome = await runner.execute(plan("a.b"), budget=BUDGET)
        assert outcome.failure is not None and "GRETEL" not in outcome.failure.detail


async def test_calls_are_built_as_planned(executor: MakeExecutor) -> None:
    router = respx.MockRouter()
    route = router.get(f"{API}/v1/flights/SFO", params={"to": "JFK"}).respond(json={"price": 1})
    parameters = [param("from", location="path"), param("to")]
    binding = HttpBinding(method="GET", path="/flights/{from}", servers=(f"{API}/v1",))
    runner = executor(
        tool("air.flights", params=parameters, binding=binding),
        allow=("api.example.com",),
        transport=httpx.MockTransport(router.async_handler),
    )
    planned = plan("air.flights", **{"from": "SFO", "to": "JFK"})
    assert (await runner.execute(planned, budget=BUDGET)).status == "succeeded"
    assert route.call_count == 1


@pytest.mark.parametrize(
    ("kind", "content", "body"),
    [
        ("image/png", b"\x89PNG\r\n", {"mimeType": "image/png", "data": "iVBORw0K"}),
        ("audio/ogg; v=1", b"\0\xff", {"mimeType": "audio/ogg", "data": "AP8="}),
        ("", b"\0\xff", {"mimeType": "application/octet-stream", "data": "AP8="}),
        ("application/octet-stream", b"a;b\n", "a;b\n"),
        ("text/csv", b"a;b\nK\xf6ln;1", "a;b\nK\ufffdln;1"),
    ],
)  # fmt: skip
async def test_an_answer_that_is_no_text_keeps_its_bytes(
    kind: str, content: bytes, body: object, executor: MakeExecutor
) -> None:
    answer = httpx.Response(200, headers={"content-type": kind}, content=content)
    runner = executor(
        tool("a.picture", server=API),
        allow=("api.example.com",),
        transport=httpx.MockTransport(lambda _: answer),
    )
    result = await runner.call(plan("a.picture"), budget=BUDGET)
    assert (result.outcome.status, result.body) == ("succeeded", body)
    if isinstance(body, dict):
        assert result.shown == result.outcome.excerpt == f"{body['mimeType']}, {len(content)} bytes"


async def test_at_most_ten_calls_per_origin(executor: MakeExecutor) -> None:
    running = peak = 0

    async def slow(request: httpx.Request) -> httpx.Response:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0.01)
        running -= 1
        return httpx.Response(200, json={"a": 1})

    runner = executor(
        tool("a.b", server=API), allow=("api.example.com",), transport=httpx.MockTransport(slow)
    )
    outcomes = await asyncio.gather(
        *(runner.execute(plan("a.b"), budget=BUDGET) for _ in range(30))
    )
    assert {outcome.status for outcome in outcomes} == {"succeeded"}
    assert peak == 10


@pytest.mark.slow
async def test_calls_that_wait_for_each_other_all_get_their_turn(executor: MakeExecutor) -> None:
    async def slow(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0.25)
        return httpx.Response(200, json={"a": 1})

    runner = executor(
        tool("a.b", server=API), allow=("api.example.com",), transport=httpx.MockTransport(slow)
    )
    budget = Budget(call_s=20)
    outcomes = await asyncio.gather(
        *(runner.execute(plan("a.b"), budget=budget) for _ in range(50))
    )
    assert {outcome.status for outcome in outcomes} == {"succeeded"}


async def test_cookies_are_not_kept(api: HostileServer, executor: MakeExecutor) -> None:
    asked = tool(
        "a.cookies", binding=HttpBinding(method="GET", path="/cookies", servers=(api.url(),))
    )
    runner = executor(asked, allow=(api.host,))
    for _ in range(2):
        await runner.execute(plan("a.cookies"), budget=BUDGET)
    assert [request.headers.get("cookie") for request in api.requests] == [None, None]


async def test_our_own_breakage_is_an_exception(executor: MakeExecutor) -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise ZeroDivisionError(CANARY)

    runner = executor(
        tool("a.b", server=API), allow=("api.example.com",), transport=httpx.MockTransport(broken)
    )
    with pytest.raises(SandboxUnavailable, match="ZeroDivisionError") as caught:
        await runner.execute(plan("a.b"), budget=BUDGET)
    assert CANARY not in str(caught.value)


async def test_cancelling_a_call_cancels_it(api: HostileServer, executor: MakeExecutor) -> None:
    asked = tool("a.b", binding=HttpBinding(method="GET", path="/endless", servers=(api.url(),)))
    runner = executor(asked, allow=(api.host,))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await runner.execute(plan("a.b"), budget=BUDGET)
    ok = tool("a.c", server=api.url())
    assert (await executor(ok, allow=(api.host,)).execute(plan("a.c"), budget=BUDGET)).excerpt


def test_one_executor_serves_several_event_loops() -> None:
    with SlowApi(delay_s=0) as api:
        served = tool("a.b", server=api.url)
        allowed = Policy(frozenset({api.url.removeprefix("http://")}))
        runner = HttpExecutor(Catalog.from_tools([served]), allowed)

        async def call_and_close() -> str:
            outcome = await runner.execute(plan("a.b"), budget=BUDGET)
            await runner.aclose()
            return outcome.status

        assert [asyncio.run(call_and_close()) for _ in range(2)] == ["succeeded", "succeeded"]


@pytest.mark.parametrize(("status", "ended"), [(200, "succeeded"), (401, "unavailable")])
async def test_a_server_that_the_user_named_is_tried_without_the_credential_that_it_documents(
    status: int, ended: str
) -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(status, json={"city": "Oslo"})

    catalog = Catalog.from_tools([secured(key("header"), "https://own.example")])
    runner = HttpExecutor(
        catalog,
        Policy(base_urls=frozenset({"https://own.example"})),
        credentials=EnvironmentCredentials({}),
        transport=httpx.MockTransport(answer),
    )
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert outcome.status == ended and len(sent) == 1
    assert not {"authorization", "x-key"} & set(sent[0].headers)
    if outcome.failure is not None:
        assert outcome.failure.kind == "missing_credential"
        assert "GRETEL_CREDENTIAL_OWN_EXAMPLE" in outcome.failure.detail
