"""Several requests on one thread, and states that are edited between two steps."""

from collections.abc import Sequence
from typing import Any

import pytest
from graph_runs import fake_parts
from langgraph.checkpoint.memory import InMemorySaver

from fakes import FakeExecutor, FakeRetriever, FakeRewriter, failed, tool
from gretel.contracts.errors import ServiceUnreachable
from gretel.contracts.ranking import Retrieval, RetrievalQuery
from gretel.graph.build import SelectionGraph, build_graph

TOOLS = [tool("Air.a"), tool("Air.b"), tool("Sea.c")]
THREAD: Any = {"configurable": {"thread_id": "t"}}
FIRST = {"request": "Find me a flight."}
SECOND = {"request": "And a boat to Bergen?"}
RESULTS = ("round", "trials", "ranking", "notes", "needs_tool", "answerable")


class GoneInTheSecondRound(FakeRetriever):
    """Its service is down when it is asked for the second time, and never else."""

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        found = await super().retrieve(queries, k=k)
        if len(self.calls) == 2:
            raise ServiceUnreachable("the index is down")
        return found


def graph_of(**parts: Any) -> SelectionGraph:
    return build_graph(fake_parts(TOOLS, **parts), InMemorySaver())


def results(state: dict[str, Any]) -> dict[str, Any]:
    """What a run found, its clock aside."""
    return {name: state.get(name) for name in RESULTS} | {"steps": sorted(state["usage"])}


def ids(state: dict[str, Any]) -> list[str]:
    return [trial["tool_id"] for trial in state["trials"]]


async def test_a_second_request_on_a_thread_starts_clean() -> None:
    graph = graph_of()
    await graph.ainvoke(FIRST, THREAD, context={"depth": 1})
    again = await graph.ainvoke(SECOND, THREAD, context={"depth": 2})

    alone = await graph_of().ainvoke(SECOND, THREAD, context={"depth": 2})
    assert results(again) == results(alone)
    assert len(again["selection"]["tools"]) == 2


async def test_a_request_after_a_run_that_broke_starts_clean() -> None:
    nothing_works = FakeExecutor({each.tool_id: failed("drift") for each in TOOLS})
    graph = graph_of(retriever=GoneInTheSecondRound(TOOLS), executor=nothing_works)
    with pytest.raises(ServiceUnreachable):
        await graph.ainvoke(FIRST, THREAD, context={"depth": 1, "rounds": 2})
    assert (await graph.aget_state(THREAD)).values["trials"]
    again = await graph.ainvoke(SECOND, THREAD, context={"depth": 1})
    alone = await graph_of(executor=nothing_works).ainvoke(SECOND, THREAD, context={"depth": 1})
    assert results(again) == results(alone)


async def test_a_state_can_be_edited_at_every_checkpoint() -> None:
    """Studio edits a state behind any step and goes on from there."""
    graph = graph_of(rewriter=FakeRewriter())
    whole = await graph.ainvoke(FIRST, THREAD, context={"depth": 2})
    behind = {"begin": 0, "rewrite": 0, "retrieve": 0, "trial": 0, "rerank": 0}
    async for state in graph.aget_state_history(THREAD):
        for node in behind:
            if "selection" in state.values and state.values.get("ranking"):
                fork = await graph.aupdate_state(state.config, {"needs_tool": 0.9}, as_node=node)
                ended = await graph.ainvoke(None, fork, context={"depth": 2})
                # Behind `rewrite` another round begins, with tools that were not tried.
                assert {*ids(whole)} <= {*ids(ended)}
                assert ended["selection"]["abstention"] is None
                behind[node] += 1
    assert all(behind.values())


async def test_an_edited_list_of_candidates_is_tried() -> None:
    graph = graph_of()
    await graph.ainvoke(FIRST, THREAD, context={"depth": 3, "budget": {"trials": 1}})
    states = [state async for state in graph.aget_state_history(THREAD)]
    fetched = next(state for state in states if state.next == ("trial",))
    last = fetched.values["candidates"][-1]
    fork = await graph.aupdate_state(fetched.config, {"candidates": [last]}, as_node="retrieve")
    ended = await graph.ainvoke(None, fork)
    assert ids(ended) == [last["tool_id"]]
