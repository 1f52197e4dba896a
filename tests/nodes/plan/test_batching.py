"""Calls of several tools planned in one reply."""

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from fakes import param, request, tool
from gretel.contracts.errors import ModelReplyError, ServiceBusy
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan
from gretel.nodes.plan.batching import MAX_CHARS, BatchPlanner
from llm_server import DROP, HANG, LlmServer, good, text

ASK = request("Fly to Oslo")
TOOLS = [tool(f"T{n}.go", params=[param("to", required=True)]) for n in range(5)]


def reply(to: object = "Oslo") -> dict[str, Any]:
    return {"off_topic": False, "arguments": {"to": to}, "quotes": {}}


async def planned(llm: LlmServer, size: int, tools: list[Tool] = TOOLS) -> list[Any]:
    async with aclosing(llm.model()) as model:
        planner = BatchPlanner(model, size)
        plans = (planner.plan(ASK, each) for each in tools)
        return await asyncio.gather(*plans, return_exceptions=True)


async def test_tools_of_one_request_share_a_reply(llm: LlmServer) -> None:
    def answer(call: Any) -> Any:
        asked = call.schema["properties"]
        return good({n: reply() for n in asked} if "1" in asked else reply())

    llm.script("plan", answer)

    plans = await planned(llm, 2)

    assert [plan.tool_id for plan in plans] == [each.tool_id for each in TOOLS]
    assert all(plan.values() == {"to": "Oslo"} for plan in plans)
    assert len(llm.requests) == 3, "two, two and one"
    # They are sent at once, and may arrive in any order.
    several = [sent.block("tool").startswith("1: {") for sent in llm.requests]
    assert sorted(several) == [False, True, True]


async def test_one_unusable_plan_is_no_matter_of_the_others(llm: LlmServer) -> None:
    llm.script("plan", good({"1": reply(), "2": reply(["no text"]), "3": "nothing"}))

    one, two, three = await planned(llm, 3, TOOLS[:3])

    assert isinstance(one, CallPlan)
    assert isinstance(two, ModelReplyError) and "arguments.to" in str(two)
    assert isinstance(three, ModelReplyError)


@pytest.mark.parametrize(
    ("script", "error"), [(text("no"), ModelReplyError), (DROP, ServiceBusy | ModelReplyError)]
)
async def test_what_ends_the_reply_ends_all_that_wait_for_it(
    llm: LlmServer, script: Any, error: Any
) -> None:
    llm.script("plan", script)
    plans = await planned(llm, 5)

    assert len(plans) == 5
    assert all(isinstance(plan, Exception) for plan in plans)


async def test_a_reply_that_is_given_up_leaves_nobody_waiting(llm: LlmServer) -> None:
    llm.script("plan", HANG)
    async with aclosing(llm.model()) as model:
        planner = BatchPlanner(model, 5)
        first, *others = (asyncio.create_task(planner.plan(ASK, each)) for each in TOOLS)
        while not llm.requests:
            await asyncio.sleep(0.01)
        first.cancel()
        found = await asyncio.gather(*others, return_exceptions=True)

    assert all("given up" in str(error) for error in found)


async def test_a_large_tool_is_asked_alone(llm: LlmServer) -> None:
    large = tool("Big.go", "x", params=[param("to", required=True, description="y" * 350)] * 1)
    many = large.model_copy(
        update={
            "parameters": tuple(
                large.parameters[0].model_copy(update={"name": f"p{n}", "required": n == 0})
                for n in range(2 * MAX_CHARS // 5 // 350)
            )
        }
    )
    llm.script("plan", lambda call: good(reply(None) | {"arguments": {}, "missing": ["p0", "to"]}))

    await planned(llm, 5, [many])

    assert not llm.requests[0].block("tool").startswith("1: ")
