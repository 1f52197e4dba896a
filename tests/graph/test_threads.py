"""Several requests on one thread, and states that are edited between two steps."""

from collections.abc import Sequence
from typing import Any

import pytest
from graph_runs import fake_parts
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from fakes import FakeExecutor, FakeRetriever, FakeRewriter, failed, param, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import InputError, ServiceUnreachable
from gretel.contracts.ranking import Retrieval, RetrievalQuery
from gretel.graph.build import SelectionGraph, build_graph
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.permission.policy import Policy

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


WRITES = tool("Air.book", method="POST", params=[param("to", required=True, location="body")])
ASKING: Any = {"approve": "ask"}


class Asking:
    """A run that waits for a person, before a booking to Oslo is made."""

    def __init__(self) -> None:
        catalog, policy = Catalog.from_tools([WRITES]), Policy(base_url="http://127.0.0.1:9")
        self.executor = FakeExecutor()
        parts = fake_parts([WRITES], executor=self.executor, approvals=Approvals(catalog, policy))
        self.graph = build_graph(parts, InMemorySaver())

    async def begun(self) -> "Asking":
        given: Any = {**FIRST, "context": {"to": "OSL"}}
        await self.graph.ainvoke(given, THREAD, context=ASKING)
        return self

    async def edited(self, **request: Any) -> None:
        """The request of the trial that waits is edited, as Studio does."""
        (task,) = (await self.graph.aget_state(THREAD, subgraphs=True)).tasks
        waiting: Any = task.state
        update = {"request": {**waiting.values["request"], **request}}
        await self.graph.aupdate_state(waiting.config, update)

    async def replanned(self, **values: Any) -> None:
        """The call that waits is edited."""
        (task,) = (await self.graph.aget_state(THREAD, subgraphs=True)).tasks
        waiting: Any = task.state
        plan = waiting.values["plan"]
        arguments = {name: {"value": value, "source": "context"} for name, value in values.items()}
        update = {"plan": {**plan, "arguments": arguments}}
        await self.graph.aupdate_state(waiting.config, update)

    async def resumed(self, answer: Any = True) -> dict[str, Any]:
        ended: dict[str, Any] = await self.graph.ainvoke(
            Command(resume=answer), THREAD, context=ASKING
        )
        return ended

    @property
    def sent(self) -> list[Any]:
        return [call.arguments["plan"].values() for call in self.executor.calls]


async def test_an_edited_request_of_a_trial_is_planned_anew() -> None:
    run = await Asking().begun()
    await run.edited(context={"to": "BGO"})
    again = await run.resumed()
    (asked,) = again["__interrupt__"]
    assert asked.value["arguments"] == {"to": "BGO"}
    assert run.sent == []  # the yes was to the call that was shown
    ended = await run.resumed()
    assert run.sent == [{"to": "BGO"}]
    assert ended["trials"][0]["plan"]["arguments"]["to"]["value"] == "BGO"


async def test_an_edited_call_of_a_trial_is_asked_for_anew() -> None:
    run = await Asking().begun()
    await run.replanned(to="BGO")
    again = await run.graph.ainvoke(None, THREAD, context=ASKING)
    (asked,) = again["__interrupt__"]
    assert asked.value["arguments"] == {"to": "BGO"}
    assert run.sent == []
    await run.resumed()
    assert run.sent == [{"to": "BGO"}]


async def test_a_yes_to_a_call_that_was_edited_meanwhile_is_to_neither() -> None:
    run = await Asking().begun()
    await run.replanned(to="BGO")
    again = await run.resumed()
    (asked,) = again["__interrupt__"]
    assert asked.value["arguments"] == {"to": "BGO"}
    assert run.sent == []


async def test_a_request_that_is_edited_so_that_nothing_can_be_planned_is_refused() -> None:
    run = await Asking().begun()
    await run.edited(context={})
    (trial,) = (await run.resumed())["trials"]
    assert (trial["plan"]["kind"], trial["executed"]["status"]) == ("refusal", "refused")
    assert run.sent == []


@pytest.mark.parametrize("request_text", ["", None, {"a": 1}])
async def test_an_edited_request_that_cannot_be_read_is_an_input_error(request_text: Any) -> None:
    run = await Asking().begun()
    await run.edited(text=request_text)
    with pytest.raises(InputError, match=r"^request: "):
        await run.resumed()
    assert run.sent == []


async def test_a_request_that_was_not_edited_is_asked_for_once() -> None:
    run = await Asking().begun()
    ended = await run.resumed()
    assert "__interrupt__" not in ended
    assert run.sent == [{"to": "OSL"}]


async def test_each_steps_update_shows_what_it_did() -> None:
    """Studio shows a step by its update: with its result, and not with all that is known."""
    executor = FakeExecutor({"Air.a": failed("timeout")})
    graph = graph_of(rewriter=FakeRewriter(), executor=executor)
    told: dict[str, set[str]] = {}
    async for _, update in graph.astream(
        FIRST, THREAD, context={"depth": 1}, stream_mode="updates", subgraphs=True
    ):
        for node, written in update.items():
            told[node] = set(written) - {"usage", "notes", "settings"}
    assert {node: told[node] for node in told if node != "begin"} == {
        "rewrite": {"queries"},
        "retrieve": {"round", "queries", "candidates", "needs_tool", "answerable"},
        "plan": {"plan", "digest"},
        "execute": {"executed"},
        "simulate": {"simulated"},
        "record": {"trials"},
        "trial": {"trials", "deadline"},
        "rerank": {"ranking"},
        "select": {"selection"},
    }


async def test_what_a_person_is_asked_and_says_stands_in_an_update() -> None:
    run = Asking()
    given: Any = {**FIRST, "context": {"to": "OSL"}}
    told: dict[str, Any] = {}
    for step in (given, Command(resume=True)):
        stream = run.graph.astream(
            step, THREAD, context=ASKING, stream_mode="updates", subgraphs=True
        )
        async for _, update in stream:
            told |= update
    assert told["ask"]["approval"]["request"]["arguments"] == {"to": "OSL"}
    assert told["approve"]["approved"] is True
