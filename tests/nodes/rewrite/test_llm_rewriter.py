"""Queries by a model."""

import jsonschema_rs
import pytest

from fakes import failed, refusal, request, trial
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.ranking import Message, RetrievalQuery
from gretel.nodes.rewrite.llm import LlmRewriter
from llm_server import LlmServer, Script, good, text
from llm_server import refusal as refuses

ASK = request("Fly me to New York")


async def queries(llm: LlmServer, *replies: Script, **options: object) -> list[RetrievalQuery]:
    llm.script("rewrite", *replies)
    return await LlmRewriter(llm.model()).rewrite(ASK, **options)  # type: ignore[arg-type]


async def test_the_request_comes_before_the_rewrites(llm: LlmServer) -> None:
    found = await queries(llm, good({"queries": ["search one-way flights", "book a seat"]}))

    assert [(query.origin, query.text) for query in found] == [
        ("request", "Fly me to New York"),
        ("rewrite", "search one-way flights"),
        ("rewrite", "book a seat"),
    ]


async def test_copies_and_blanks_are_dropped_and_the_rest_is_short(llm: LlmServer) -> None:
    given = ["FLY ME to new york", " ", "a\u202e\nb", "A B", "x" * 900, "c", "d", "e"]
    found = await queries(llm, good({"queries": given}))

    rewritten = [query.text for query in found[1:]]
    assert rewritten == ["A B", "x" * 299 + "…", "c"]


async def test_an_empty_request_has_only_the_rewrites(llm: LlmServer) -> None:
    llm.script("rewrite", good({"queries": ["search"]}))

    found = await LlmRewriter(llm.model()).rewrite(request(" "))

    assert found == [RetrievalQuery(text="search", origin="rewrite")]


async def test_feedback_is_shown_and_stands_beside_the_request(llm: LlmServer) -> None:
    failure = failed("invalid_value").failure
    assert failure is not None
    blamed = failed("invalid_value").model_copy(
        update={"failure": failure.model_copy(update={"fields": ("date",)})}
    )
    tried = [
        trial("Kayak.search", executed=failed("timeout")),
        trial("Air.search", executed=blamed),
        trial("Pro.search", planned=refusal("Pro.search", "code")),
        trial("Pro.book", planned=refusal("Pro.book")),
    ]
    found = await queries(llm, good({"queries": ["train journeys"]}), feedback=tried)

    assert found == [
        RetrievalQuery(text="Fly me to New York"),
        RetrievalQuery(text="train journeys", origin="feedback"),
    ]
    shown = llm.requests[0].block("tried").splitlines()
    assert shown == [
        "Kayak.search: failed (timeout)",
        "Air.search: failed (invalid_value, date)",
        "Pro.search: not called, lacks code",
        "Pro.book: not called, lacks a call that can be planned",
    ]


async def test_the_conversation_is_shown(llm: LlmServer) -> None:
    asked = ASK.model_copy(update={"messages": (Message(role="user", content="I am in Oslo."),)})
    await LlmRewriter(llm.model()).rewrite(asked)

    assert llm.requests[0].block("conversation") == "user: I am in Oslo."


UNUSABLE: dict[str, Script] = {
    "none": good({"queries": []}),
    "blank": good({"queries": [" ", "\u200b"]}),
    "no json": text("search flights"),
    "no list": good({"queries": "search"}),
    "refusal": refuses(),
}


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE)
async def test_no_query_is_an_error_that_the_node_turns_into_the_request(
    llm: LlmServer, reply: Script
) -> None:
    with pytest.raises(ModelReplyError, match="openai:test (gave no usable reply|refused)"):
        await queries(llm, reply)


async def test_one_bad_reply_is_repaired(llm: LlmServer) -> None:
    found = await queries(llm, good({"queries": []}), good({"queries": ["search"]}))

    assert found[-1].text == "search"


async def test_the_schema_on_the_wire_bounds_the_queries(llm: LlmServer) -> None:
    await queries(llm, good({"queries": ["search flights"]}))

    schema = llm.requests[0].schema
    assert jsonschema_rs.is_valid(schema, {"queries": ["search flights"] * 4})
    for wrong in ([], ["a"] * 5, [""], ["x" * 161], [1]):
        assert not jsonschema_rs.is_valid(schema, {"queries": wrong}), wrong
