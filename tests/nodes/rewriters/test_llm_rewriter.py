"""Queries by a model."""

from collections.abc import Iterator

import pytest
from fakes import failed, refusal, request, trial
from llm_server import LlmServer, Script, good, text
from llm_server import refusal as refuses

from gretel.contracts.errors import ModelReplyError
from gretel.contracts.ranking import Message, RetrievalQuery
from gretel.nodes.rewriters.llm import LlmRewriter

ASK = request("Fly me to New York")


@pytest.fixture(scope="module")
def running() -> Iterator[LlmServer]:
    with LlmServer() as server:
        yield server


@pytest.fixture
def server(running: LlmServer) -> LlmServer:
    running.reset()
    return running


async def queries(server: LlmServer, *replies: Script, **options: object) -> list[RetrievalQuery]:
    server.script("rewrite", *replies)
    return await LlmRewriter(server.model()).rewrite(ASK, **options)  # type: ignore[arg-type]


async def test_the_request_comes_before_the_rewrites(server: LlmServer) -> None:
    found = await queries(server, good({"queries": ["search one-way flights", "book a seat"]}))

    assert [(query.origin, query.text) for query in found] == [
        ("request", "Fly me to New York"),
        ("rewrite", "search one-way flights"),
        ("rewrite", "book a seat"),
    ]


async def test_copies_and_blanks_are_dropped_and_the_rest_is_short(server: LlmServer) -> None:
    given = ["FLY ME to new york", " ", "a\u202e\nb", "A B", "x" * 900, "c", "d", "e"]
    found = await queries(server, good({"queries": given}))

    rewritten = [query.text for query in found[1:]]
    assert rewritten == ["A B", "x" * 299 + "…", "c"]


async def test_an_empty_request_has_only_the_rewrites(server: LlmServer) -> None:
    server.script("rewrite", good({"queries": ["search"]}))

    found = await LlmRewriter(server.model()).rewrite(request(" "))

    assert found == [RetrievalQuery(text="search", origin="rewrite")]


async def test_feedback_is_shown_and_gives_new_queries_alone(server: LlmServer) -> None:
    tried = [
        trial("Kayak.search", executed=failed("timeout")),
        trial("Pro.search", planned=refusal("Pro.search", "code")),
    ]
    found = await queries(server, good({"queries": ["train journeys"]}), feedback=tried)

    assert found == [RetrievalQuery(text="train journeys", origin="feedback")]
    shown = server.requests[0].block("tried").splitlines()
    assert shown == ["Kayak.search: failed (timeout)", "Pro.search: succeeded"]


async def test_the_conversation_is_shown(server: LlmServer) -> None:
    asked = ASK.model_copy(update={"messages": (Message(role="user", content="I am in Oslo."),)})
    await LlmRewriter(server.model()).rewrite(asked)

    assert server.requests[0].block("conversation") == "user: I am in Oslo."


UNUSABLE: dict[str, Script] = {
    "none": good({"queries": []}),
    "blank": good({"queries": [" ", "\u200b"]}),
    "no json": text("search flights"),
    "no list": good({"queries": "search"}),
    "refusal": refuses(),
}


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE)
async def test_no_query_is_an_error_that_the_node_turns_into_the_request(
    server: LlmServer, reply: Script
) -> None:
    with pytest.raises(ModelReplyError, match="openai:test (gave no usable reply|refused)"):
        await queries(server, reply)


async def test_one_bad_reply_is_repaired(server: LlmServer) -> None:
    found = await queries(server, good({"queries": []}), good({"queries": ["search"]}))

    assert found[-1].text == "search"
