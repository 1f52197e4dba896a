"""Replies that a model of 135 M parameters (SmolLM2, temperature 0 and 1) gave to these prompts.

They came from llama.cpp's server, constrained by these schemas: well formed, and seldom good.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes import param, request, tool
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.trial import CallPlan
from lanes import every
from llm_server import LlmServer, text
from model_steps import asking

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


@pytest.mark.parametrize("row", every(3, REPLIES), ids=[f"{row['step']}" for row in REPLIES])
async def test_a_true_reply_is_a_record_or_a_named_error(
    llm: LlmServer, row: dict[str, Any]
) -> None:
    usage = {"prompt_tokens": 300, "completion_tokens": row["tokens"], "total_tokens": 0}
    finish = "length" if row["cut"] else "stop"
    llm.script(row["step"], text(row["text"], finish=finish, usage=usage))
    try:
        found = await asking(llm.model(), SEARCH)[row["step"]](ASK)
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

    found = await asking(llm.model(), SEARCH)["plan"](ASK)

    assert isinstance(found, CallPlan)
    assert found.values() == {
        "from": "SFO",
        "date": "2026-12-01",
        "token": "business",
        "cabin": "business",
        "adults": 1,
    }
