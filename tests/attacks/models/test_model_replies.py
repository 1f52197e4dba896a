"""A model's endpoint that rambles, stalls, drips or breaks off: it costs its step, no selection."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from itertools import product
from typing import Any

import pytest

from fakes import FakeRetriever, param, request, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError, GretelError, ServiceUnreachable
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.graph.selector import BoundSelection, Selector
from gretel.llm.asking import Answer
from gretel.llm.model import open_model
from gretel.llm.sending import ModelLimits
from gretel.llm.strict import closed
from gretel.nodes.plan.llm import LlmPlanner
from lanes import every
from llm_server import DRIP, DROP, HANG, Call, LlmServer, Reply, Script, good, status, text

STEPS = {
    "rewrite": "the request itself was the query",
    "plan": "planned by rule",
    "simulate": "simulated from the schema",
    "rerank": "ordered by evidence alone",
}
TOOLS = [
    tool("Sky.search", "Search flights to a city.", params=[param("city", required=True)]),
    tool("Sea.ferries", "Search ferries to a city.", params=[param("city")]),
]
REQUEST = 'Search flights to the city "Oslo".'
BRIEF = ModelLimits(request_s=0.3, total_s=0.8, attempts=2, wait_s=0.01, wait_max_s=0.05)
BUDGET = {"wall_s": 40.0, "trial_s": 15.0}
"""Wide: what is bounded here is the model's part, by its own limits."""


@pytest.fixture
def strict(llm: LlmServer) -> Iterator[LlmServer]:
    """A server that cuts replies at their cap, as real ones do."""
    llm.keeps_cap = True
    yield llm


async def selected(model: Any = None, **options: Any) -> BoundSelection:
    selector = Selector(
        Catalog.from_tools(TOOLS),
        retriever=FakeRetriever(TOOLS, needs_tool=1.0),
        model=model,
        calibration="all",
    )
    try:
        await selector.parts.prepare()
        async with asyncio.timeout(60):
            return await selector.aselect(REQUEST, budget=BUDGET, **options)
    finally:
        await selector.aclose()


def offered(selection: BoundSelection) -> list[str]:
    return [place.tool_id for place in selection.tools]


ENDLESS = "and so on " * 50_000
ENDPOINTS: dict[str, Script] = {
    "rambles in a text": text('{"queries": ["' + ENDLESS),
    "rambles in blanks": text('{"body": ' + " " * 500_000),
    "rambles in prose": text("Sure! " + ENDLESS),
    "thinks without end": text("<think>" + ENDLESS),
    "stalls": HANG,
    "drips": DRIP,
    "breaks off": DROP,
    "broken": status(500),
    "busy": status(429),
    "busy for an hour": status(503, retry_after="3600"),
    "slow": Reply("{}", delay_s=3.0),
    "another page": Reply(raw=b"<html>busy</html>", headers={"content-type": "text/html"}),
}


UNLIKE = ("rambles in a text", "stalls", "breaks off", "another page")
"""Endpoints of which no two are bad in the same way."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "endpoint"),
    [
        *(("plan", each) for each in ENDPOINTS),
        *product(("rewrite", "simulate", "rerank"), UNLIKE),
    ],
)
async def test_a_bad_endpoint_costs_one_step(strict: LlmServer, step: str, endpoint: str) -> None:
    # An endpoint that never said anything else is no model at all; this one has answered before.
    strict.script("doctor", good({"ok": True}))
    model = strict.model(limits=BRIEF)
    schema: JsonObject = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
    }
    prompt = [Message(role="user", content="Reply with JSON.")]
    await model.reply(prompt, schema, lambda reply: reply, step="doctor")
    strict.script(step, ENDPOINTS[endpoint])

    selection = await selected(model)

    assert set(offered(selection)) == {"Sky.search", "Sea.ferries"}
    told = [note for note in selection.notes if note.startswith(step)]
    assert told and all(note.endswith(STEPS[step]) for note in told), selection.notes


@pytest.mark.slow
@pytest.mark.parametrize(
    "reply", [ENDPOINTS["rambles in a text"], HANG, DROP], ids=["rambles", "stalls", "breaks off"]
)
async def test_a_bad_endpoint_in_every_step_is_as_good_as_none(
    strict: LlmServer, reply: Script
) -> None:
    for step in STEPS:
        strict.script(step, reply)

    with_it = await selected(strict.model(limits=BRIEF))
    without = await selected()

    assert offered(with_it) == offered(without)
    plans = [{t.tool_id: t.plan.kind for t in found.trials} for found in (with_it, without)]
    assert plans[0] == plans[1]


@pytest.mark.parametrize(
    "reply", [ENDPOINTS["rambles in a text"], ENDPOINTS["rambles in prose"]], ids=["text", "prose"]
)
async def test_what_rambles_is_asked_once_in_a_step(strict: LlmServer, reply: Script) -> None:
    for step in STEPS:
        strict.script(step, reply)

    selection = await selected(strict.model())

    assert [len(strict.asked(step)) for step in STEPS] == [1, 2, 2, 1], "a trial each"
    assert all(call.cap and call.cap <= 1_024 for call in strict.requests)
    assert selection.usage.completion_tokens == sum(call.cap or 0 for call in strict.requests)


@pytest.mark.slow
async def test_a_step_that_stalls_is_left_after_its_share_of_the_time(llm: LlmServer) -> None:
    for step in ("rewrite", "rerank"):
        llm.script(step, HANG)
    selector = Selector(
        Catalog.from_tools(TOOLS),
        retriever=FakeRetriever(TOOLS),
        model=llm.model(),
        calibration="all",
    )
    try:
        selection = await selector.aselect(REQUEST, budget={"wall_s": 4.0})
    finally:
        await selector.aclose()

    assert selection.notes[0] == (
        "rewrite: no reply within 0.8 s; the request itself was the query"
    )
    assert any(note.startswith("rerank: no reply within") for note in selection.notes)


async def test_a_users_ceiling_holds_for_every_step(strict: LlmServer) -> None:
    selector = Selector(
        Catalog.from_tools(TOOLS),
        retriever=FakeRetriever(TOOLS, needs_tool=1.0),
        model=strict.model(),
        calibration="all",
    )
    try:
        await selector.aselect(REQUEST, budget={"reply_tokens": 77})
    finally:
        await selector.aclose()

    assert {call.step for call in strict.requests} == set(STEPS)
    assert {call.cap for call in strict.requests} == {77}


NEVER: dict[str, tuple[Script, type[GretelError]]] = {
    "a wrong key": (status(401), ConfigurationError),
    "an unknown model": (status(404, "no such model"), ConfigurationError),
    "a web page": (
        Reply(raw=b"<html>", headers={"content-type": "text/html"}),
        ServiceUnreachable,
    ),
    "an unpaid account": (
        Reply(
            raw=b'{"error": {"message": "pay first", "code": "insufficient_quota"}}',
            status=429,
            headers={"content-type": "application/json"},
        ),
        ServiceUnreachable,
    ),
}


@pytest.mark.parametrize(("reply", "error"), every(2, NEVER.values()), ids=NEVER)
async def test_what_every_step_would_meet_is_one_clear_error(
    llm: LlmServer, reply: Script, error: type[GretelError]
) -> None:
    for step in STEPS:
        llm.script(step, reply)

    with pytest.raises(error):
        await selected(llm.model(limits=BRIEF))


async def test_nobody_at_the_address_is_one_clear_error() -> None:
    shut = open_model("openai:test", base_url="http://127.0.0.1:9/v1", api_key="k", limits=BRIEF)

    with pytest.raises(ServiceUnreachable, match="openai:test does not answer"):
        await selected(shut)


HOSTILE_PARAMETERS: dict[str, Any] = {
    "pages at least": {"type": "string", "minLength": 10**6},
    "a million items": {"type": "array", "items": {"type": "string"}, "minItems": 10**6},
    "a huge enum": {"type": "string", "enum": [f"value {i}" for i in range(20_000)]},
    "wide": {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(3_000)}},
    "no schema": {"type": "wizard", "maxLength": "ten"},
    "a bomb of a pattern": {"type": "string", "pattern": "^((a+)+)+$"},
}


@pytest.mark.parametrize("schema", HOSTILE_PARAMETERS.values(), ids=HOSTILE_PARAMETERS)
async def test_a_documents_schema_cannot_lengthen_a_reply(
    strict: LlmServer, schema: dict[str, Any]
) -> None:
    strict.script("plan", text("no"))
    hostile = tool("Evil.fill", "Fill.", params=[param("x", schema, required=True), param("y")])
    with pytest.raises(GretelError):
        await LlmPlanner(strict.model()).plan(request(), hostile)

    for call in strict.asked("plan"):
        assert call.cap is not None and call.cap <= 2_000
        assert len(str(call.schema)) < 20_000
    assert strict.rejected == [], "what goes out is a sound schema"


SETTINGS = ("temperature", "max_tokens", "max_completion_tokens")


async def test_a_documents_parameters_take_no_cap_off(llm: LlmServer) -> None:
    """They are called as settings are, and the endpoint's error repeats the schema."""

    def repeating(call: Call) -> Reply:
        wanted = call.body.get("response_format", {}).get("type")
        if wanted == "json_schema":
            named = "', '".join(SETTINGS)
            return status(400, f"Invalid schema for response_format: ('properties', '{named}')")
        return good(dict.fromkeys(SETTINGS, 1))

    llm.script("add", repeating)
    schema = closed({name: {"type": "integer"} for name in SETTINGS})
    model = llm.model()
    async with aclosing(model):
        await model.reply([Message(role="user", content="x")], schema, len, step="add")
    last = llm.requests[-1].body
    assert last["max_tokens"] and last["temperature"] == 0.0


@pytest.mark.parametrize("parsed", [{"sum": {1, 2}}, "deep"])
def test_a_tool_call_that_no_json_can_say_is_an_empty_reply(parsed: Any) -> None:
    deep: Any = {}
    for _ in range(5_000):
        deep = {"a": deep}
    answer = Answer("", parsed=deep if parsed == "deep" else parsed)
    assert answer.written() == ""
