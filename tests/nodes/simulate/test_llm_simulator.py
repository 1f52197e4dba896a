"""Made-up answers by a model."""

import json
from typing import Any

import jsonschema_rs
import pytest

from fakes import failure, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ModelReplyError, ServiceUnreachable
from gretel.contracts.tool import Response, Tool
from gretel.contracts.trial import Outcome
from gretel.nodes.simulate.llm import LlmSimulator
from llm_server import DROP, LlmServer, Script, good, refusal, text

PRICED = Response(
    json_schema={
        "type": "object",
        "required": ["price"],
        "properties": {"price": {"type": "number"}},
    }
)


def search(response: Response) -> Tool:
    return tool("Kayak.search", "Search flights.", params=["to"], response=response)


async def simulated(llm: LlmServer, response: Response, *replies: Script) -> Outcome:
    llm.script("simulate", *replies)
    catalog = Catalog.from_tools([search(response)])
    simulator = LlmSimulator(llm.model(), catalog)
    return await simulator.simulate(plan("Kayak.search", to="JFK"), failure("timeout"), seed=7)


async def test_the_answer_is_labelled_and_was_never_sent(llm: LlmServer) -> None:
    outcome = await simulated(llm, PRICED, good({"body": {"price": 210.5, "to": "JFK"}}))

    assert outcome == Outcome(
        status="succeeded", source="simulated", excerpt='{"price":210.5,"to":"JFK"}'
    )


@pytest.mark.parametrize("body", [None, [], {}, ""])
async def test_nothing_is_an_empty_answer(llm: LlmServer, body: Any) -> None:
    outcome = await simulated(llm, Response(), good({"body": body}))

    assert (outcome.status, outcome.source) == ("empty", "simulated")


@pytest.mark.parametrize("body", [0, False, [0], "x"])
async def test_something_is_an_answer(llm: LlmServer, body: Any) -> None:
    assert (await simulated(llm, Response(), good({"body": body}))).status == "succeeded"


WRONG: dict[str, Script] = {
    "schema": good({"body": {"price": "cheap"}}),
    "no json": text("210 euro"),
    "no body": good({"price": 210}),
}


@pytest.mark.parametrize("reply", WRONG.values(), ids=WRONG)
async def test_a_wrong_answer_is_repaired_once(llm: LlmServer, reply: Script) -> None:
    outcome = await simulated(llm, PRICED, reply, good({"body": {"price": 1}}))

    assert outcome.excerpt == '{"price":1}'
    assert len(llm.requests) == 2


@pytest.mark.parametrize("reply", [refusal(), *WRONG.values()])
async def test_what_stays_wrong_is_for_the_node_to_decide(llm: LlmServer, reply: Script) -> None:
    with pytest.raises(ModelReplyError):
        await simulated(llm, PRICED, reply)


@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"$ref": "http://127.0.0.1:9/schema.json"}]
)
async def test_an_unusable_response_schema_asks_for_nothing(
    llm: LlmServer, schema: dict[str, Any]
) -> None:
    outcome = await simulated(llm, Response(json_schema=schema), good({"body": 1}))

    assert outcome.excerpt == "1"


async def test_a_long_answer_is_cut(llm: LlmServer) -> None:
    flights = [{"price": i, "город": "Казань" * 20} for i in range(500)]
    outcome = await simulated(llm, Response(), good({"body": flights}))

    assert 0 < len(outcome.excerpt.encode()) <= 2_048
    assert json.loads(outcome.excerpt)


async def test_an_unreachable_model_is_for_the_node_to_decide(llm: LlmServer) -> None:
    with pytest.raises(ServiceUnreachable):
        await simulated(llm, Response(), DROP)


async def test_the_prompt_holds_call_failure_and_shape(llm: LlmServer) -> None:
    response = PRICED.model_copy(update={"example": {"price": 1}})
    await simulated(llm, response, good({"body": {"price": 1}}))

    call = llm.requests[0]
    assert call.step == "simulate"
    assert json.loads(call.block("arguments")) == {"to": "JFK"}
    assert call.block("failure") == "timeout: It was a timeout."
    assert json.loads(call.block("response_schema")) == PRICED.json_schema
    assert call.block("example") == '{"price": 1}'
    assert call.block("variant") == "7"


async def test_the_schema_on_the_wire_is_the_responses_own_in_short(llm: LlmServer) -> None:
    listed = {"type": "array", "items": PRICED.json_schema, "maxItems": 1_000}
    await simulated(llm, Response(json_schema=listed), good({"body": [{"price": 1}]}))

    schema = llm.requests[0].schema
    assert jsonschema_rs.is_valid(schema, {"body": [{"price": 1}] * 3})
    for wrong in ([{"price": 1}] * 4, [{"price": "cheap"}], [{}], "none"):
        assert not jsonschema_rs.is_valid(schema, {"body": wrong}), wrong


async def test_any_response_will_do_where_none_is_documented(llm: LlmServer) -> None:
    await simulated(llm, Response(), good({"body": [1]}))

    assert llm.requests[0].schema["properties"] == {"body": {}}
