"""A state that was edited, in Studio or in a store: what is none of it is one clear error."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from fakes import FakeExecutor, FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ApprovalNeeded, InputError
from gretel.graph.agent_facade import Agent
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy
from lanes import every

SERVER = "https://api.example.com"
TOOL = tool("A.find", "Find things in a city.", server=SERVER)
FOUND = {"tool_id": "A.find", "score": 1.0, "rank": 1}
PLACE = {"tool_id": "A.find", "rank": 1, "rank_before": 1, "score": 1.0, "reason": "It is it."}
EDITS: list[tuple[str, str, Any]] = [
    ("begin", "messages", 5),
    ("begin", "queries", 5),
    ("begin", "queries", [{"text": 5}]),
    ("begin", "round", "x"),
    ("begin", "today", 5),
    ("begin", "deadline", "x"),
    ("begin", "usage", {"retrieve:1": {"ms": "x"}}),
    ("retrieve", "candidates", 5),
    ("retrieve", "candidates", [5]),
    ("retrieve", "candidates", [{"score": 1}]),
    ("retrieve", "candidates", [FOUND | {"score": "x"}]),
    ("retrieve", "round", -5),
    ("retrieve", "settings", {"k": -5}),
    ("retrieve", "needs_tool", "x"),
    ("rerank", "trials", [{"tool_id": "A.find"}]),
    ("rerank", "notes", [5]),
    ("rerank", "ranking", {"tools": 5}),
    ("rerank", "settings", {"none": 1}),
]
WRITES: list[tuple[str, Any]] = [
    ("trials", 5),
    ("trials", [{}]),
    ("trials", [{"tool_id": 5}, {"tool_id": "A.find"}]),
    ("usage", 5),
    ("notes", [{"a": 1}]),
]


def selector() -> Selector:
    found = FakeRetriever([TOOL], needs_tool=1.0)
    return Selector(Catalog.from_tools([TOOL]), retriever=found, checkpointer=InMemorySaver())


@pytest.mark.parametrize(("step", "key", "value"), every(2, EDITS))
async def test_a_part_that_no_run_reads(step: str, key: str, value: Any) -> None:
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph = selector().graph
    await graph.ainvoke({"request": "Find things."}, thread)

    with pytest.raises(InputError, match=f"{key[:5]}.*(Edit|Give|Write)"):
        edited = await graph.aupdate_state(thread, {key: value}, as_node=step)
        await graph.ainvoke(None, edited)


@pytest.mark.parametrize(("key", "value"), WRITES)
async def test_a_write_that_no_run_makes(key: str, value: Any) -> None:
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph = selector().graph
    await graph.ainvoke({"request": "Find things."}, thread)

    with pytest.raises(InputError, match=f"{key}: is not a part of a run"):
        await graph.aupdate_state(thread, {key: value}, as_node="retrieve")


@pytest.mark.parametrize(
    ("step", "key", "value"),
    [
        ("offer", "candidates", [5]),
        ("offer", "steps", [{"number": 1}]),
        ("think", "thought", 5),
        ("act", "candidate", {"score": 1}),
        ("argue", "plan", {"kind": "nothing"}),
        ("observe", "settings", {"steps": "x"}),
        ("execute", "executed", {"status": "x"}),
        ("execute", "executed", [1]),
    ],
)
async def test_a_part_that_no_agent_reads(step: str, key: str, value: Any) -> None:
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph = Agent(selector(), checkpointer=InMemorySaver()).graph
    await graph.ainvoke({"request": "Find things."}, thread)

    with pytest.raises(InputError, match=f"{key[:5]}.*(Edit|Write)"):
        edited = await graph.aupdate_state(thread, {key: value}, as_node=step)
        await graph.ainvoke(None, edited)


@pytest.mark.parametrize("step", ["act", "argue", "execute"])
async def test_a_step_before_the_first_is_the_first(step: str) -> None:
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph = Agent(selector(), checkpointer=InMemorySaver()).graph
    await graph.ainvoke({"request": "Find things."}, thread)

    edited = await graph.aupdate_state(thread, {"round": 0}, as_node=step)
    assert (await graph.ainvoke(None, edited))["steps"][0]["number"] == 1


@pytest.mark.parametrize(
    ("step", "key", "value"),
    [
        ("retrieve", "round", 0),
        ("rerank", "ranking", {"tools": [PLACE | {"tool_id": "B.none"}, PLACE | {"rank": 2}]}),
    ],
)
async def test_what_no_run_leaves_is_made_up_for(step: str, key: str, value: Any) -> None:
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph = selector().graph
    await graph.ainvoke({"request": "Find things."}, thread)

    edited = await graph.aupdate_state(thread, {key: value}, as_node=step)
    found = await graph.ainvoke(None, edited)
    offered = found["selection"]["tools"] or found["selection"]["lacking"]
    assert [each["tool_id"] for each in offered] == ["A.find"]


@pytest.mark.parametrize("question", ["x", {"a": 1}])
def test_a_question_that_is_none_any_more_is_asked_anew(question: Any) -> None:
    saver, changing = InMemorySaver(), tool("A.find", "Find.", method="POST", server=SERVER)
    policy = Policy(allow_hosts=frozenset({"api.example.com"}))
    with Selector(
        Catalog.from_tools([changing]),
        retriever=FakeRetriever([changing], needs_tool=1.0),
        executor=(executor := FakeExecutor()),
        policy=policy,
        checkpointer=saver,
    ) as selector:
        with pytest.raises(ApprovalNeeded) as asked:
            selector.select("Find things.", approve="ask")
        for key in [key for key in saver.blobs if key[2] == "approval"]:
            stored = saver.serde.loads_typed(saver.blobs[key])
            if stored:
                saver.blobs[key] = saver.serde.dumps_typed(stored | {"request": question})
        with pytest.raises(ApprovalNeeded) as again:
            selector.resume(asked.value.thread_id, dict.fromkeys(asked.value.requests, True))
    assert len(again.value.requests) == 1 and executor.calls == []


def test_what_a_store_holds_at_the_end_is_read_like_all_else() -> None:
    saver, changing = InMemorySaver(), tool("A.find", "Find.", method="POST", server=SERVER)
    policy = Policy(allow_hosts=frozenset({"api.example.com"}))
    found = FakeRetriever([changing], needs_tool=1.0)
    with Selector(Catalog.from_tools([changing]), retriever=found, policy=policy) as selector:
        agent = Agent(selector, checkpointer=saver)
        with pytest.raises(ApprovalNeeded) as asked:
            agent.run("Find things.", approve="ask")
        for key in [key for key in saver.blobs if key[2] == "notes"]:
            saver.blobs[key] = saver.serde.dumps_typed([5])
        with pytest.raises(InputError, match=r"notes.*Edit"):
            agent.resume(asked.value.thread_id, dict.fromkeys(asked.value.requests, False))
