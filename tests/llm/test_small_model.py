"""Replies that a model of 135 M parameters (SmolLM2, temperature 0 and 1) gave to these prompts.

They came from llama.cpp's server, constrained by these schemas: well formed, and seldom good.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeReranker, failure, param, plan, request, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.trial import CallPlan
from gretel.llm.model import StructuredModel
from gretel.nodes.plan.llm import LlmPlanner
from gretel.nodes.rerank.llm import LlmReranker
from gretel.nodes.rewrite.llm import LlmRewriter
from gretel.nodes.simulate.llm import LlmSimulator
from llm_server import LlmServer, text

REPLIES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("small_model_replies.json").read_text(encoding="utf-8")
)
SEARCH = tool(
    "Skyline.search",
    "Search flights between two airports on a day.",
    params=[
        param("from", {"type": "string", "pattern": "^[A-Z]{3}$"}, required=True),
        param("date", {"type": "string", "format": "date"}, required=True),
        param("token", required=True),
        param("cabin", {"type": "string", "enum": ["economy", "business"]}),
        param("adults", {"type": "integer", "minimum": 1}),
    ],
)
ASK = request("Fly me from SFO to Oslo on 2026-12-01, business class.")


async def used(model: StructuredModel, step: str) -> Any:
    """What the step makes of the model's reply."""
    catalog = Catalog.from_tools([SEARCH, *(tool(f"T{number}.x") for number in range(3))])
    trials = [trial(each.tool_id, place) for place, each in enumerate(catalog, 1)]
    steps = {
        "rewrite": lambda: LlmRewriter(model).rewrite(ASK),
        "plan": lambda: LlmPlanner(model).plan(ASK, SEARCH),
        "simulate": lambda: LlmSimulator(model, catalog).simulate(
            plan(SEARCH.tool_id), failure("timeout"), seed=7
        ),
        "rerank": lambda: LlmReranker(model, catalog, FakeReranker()).rerank(ASK, trials),
    }
    return await steps[step]()


@pytest.mark.parametrize("row", REPLIES, ids=[f"{row['step']}" for row in REPLIES])
async def test_a_true_reply_is_a_record_or_a_named_error(
    llm: LlmServer, row: dict[str, Any]
) -> None:
    usage = {"prompt_tokens": 300, "completion_tokens": row["tokens"], "total_tokens": 0}
    finish = "length" if row["cut"] else "stop"
    llm.script(row["step"], text(row["text"], finish=finish, usage=usage))
    try:
        found = await used(llm.model(), row["step"])
    except ModelReplyError as error:
        assert row["cut"], error
    else:
        assert found and not row["cut"]
    assert all(row["tokens"] <= (call.cap or 0) for call in llm.requests) or row["cut"]


async def test_a_small_models_plan_is_traced_and_what_it_took_from_elsewhere_is_seen(
    llm: LlmServer,
) -> None:
    (row,) = [row for row in REPLIES if row["step"] == "plan" and "2026-12-01" in row["text"]]
    llm.script("plan", text(row["text"]))

    found = await used(llm.model(), "plan")

    assert isinstance(found, CallPlan)
    assert found.values() == {
        "from": "SFO",
        "date": "2026-12-01",
        "token": "business",
        "cabin": "business",
        "adults": 1,
    }
