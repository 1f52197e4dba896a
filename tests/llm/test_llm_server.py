"""The scripted server itself: strict with clients, and good for any catalogue."""

import gc
import warnings
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from fakes import (
    FakeReranker,
    failure,
    param,
    plan,
    request,
    tool,
    trial,
)
from gretel.catalog import Catalog
from gretel.contracts.trial import CallPlan
from gretel.nodes.plan.llm import LlmPlanner
from gretel.nodes.rerank.llm import LlmReranker
from gretel.nodes.rewrite.llm import LlmRewriter
from gretel.nodes.simulate.llm import LlmSimulator
from llm_server import Call, LlmServer, good, plans

SCHEMA_FORMAT = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}


def changed(**fields: Any) -> dict[str, Any]:
    return {
        "model": "test",
        "messages": [{"role": "user", "content": "?"}],
        "response_format": SCHEMA_FORMAT,
    } | fields


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        (changed(model=None), "model"),
        (changed(messages=[]), "roles"),
        (changed(messages=[{"role": "wizard", "content": "?"}]), "roles"),
        (changed(messages=[{"role": "assistant", "content": "?"}]), "roles"),
        (changed(messages=[{"role": "user", "content": None}]), "text"),
        (changed(response_format={"type": "xml"}), "xml"),
        (changed(response_format={"type": "json_object"}), "json_object"),
        (changed(response_format=SCHEMA_FORMAT | {"json_schema": {"schema": {}}}), "name"),
        (
            changed(
                response_format=SCHEMA_FORMAT
                | {"json_schema": {"name": "x", "schema": {"type": "nonsense"}}}
            ),
            "no JSON Schema",
        ),
    ],
)
async def test_a_wrong_request_is_rejected(
    llm: LlmServer, body: dict[str, Any], wrong: str
) -> None:
    async with httpx.AsyncClient(base_url=llm.url) as client:
        answer = await client.post(
            "/chat/completions", json=body, headers={"Authorization": f"Bearer {llm.api_key}"}
        )

    assert answer.status_code == 400
    assert wrong in answer.json()["error"]["message"]
    assert llm.requests == []


async def test_the_good_replies_suit_any_catalogue(llm: LlmServer) -> None:
    one = tool("A.one", params=["q", param("n", "integer", required=True), param("optional")])
    two = tool("B.two", params=[param("kind", {"enum": ["x", "y"]}, required=True)])
    catalog, model = Catalog.from_tools([one, two]), llm.model()

    queries = await LlmRewriter(model).rewrite(request("Find it"))
    planned = [await LlmPlanner(model).plan(request(), t) for t in (one, two)]
    simulator = LlmSimulator(model, catalog)
    outcome = await simulator.simulate(plan("A.one"), failure(), seed=1)
    reranker = LlmReranker(model, catalog, FakeReranker())
    ranking = await reranker.rerank(request(), [trial("A.one", 1), trial("B.two", 2)])

    assert queries[0].text == "Find it"
    assert [p.values() for p in planned if isinstance(p, CallPlan)] == [
        {"q": "x", "n": 1},
        {"kind": "x"},
    ]
    assert outcome.excerpt == '{"results":[{"id":1}]}'
    assert [place.tool_id for place in ranking.tools] == ["A.one", "B.two"]
    assert llm.rejected == []
    assert [len(llm.asked(s)) for s in ("rewrite", "plan", "simulate", "rerank")] == [1, 2, 1, 1]


async def test_arguments_may_come_from_a_function(llm: LlmServer) -> None:
    llm.script("plan", plans(lambda tool, text: {"q": f"{tool['operation']}: {text}"}))

    planned = await LlmPlanner(llm.model()).plan(request("Find it"), tool("A.one", params=["q"]))

    assert isinstance(planned, CallPlan)
    assert planned.values() == {"q": "one: Find it"}


async def test_scripts_follow_each_other_and_the_last_stays(llm: LlmServer) -> None:
    handler: Callable[[Call], Any] = lambda call: good({"queries": [call.step]})  # noqa: E731
    llm.script("rewrite", good({"queries": ["first"]}), handler)
    rewriter = LlmRewriter(llm.model())

    texts = [(await rewriter.rewrite(request("?")))[1].text for _ in range(3)]

    assert texts == ["first", "rewrite", "rewrite"]


def test_a_closed_server_leaves_nothing_open() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with LlmServer() as server:
            url = server.url
        del server
        gc.collect()

    assert [str(warning.message) for warning in caught] == []
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)
