"""The agent's calls that may change something: with leave alone, each once, on a real sandbox."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from fakes import FakeAgent, FakeRetriever, param, tool
from gretel.catalog import Catalog
from gretel.contracts.agent import AgentResult
from gretel.contracts.errors import ApprovalNeeded, ConfigurationError, InputError
from gretel.graph.agent_facade import Agent
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer

REQUEST = "Book it."


class Booking:
    """An agent that wants to post to `book`, and then to read `list`."""

    def __init__(
        self, api: HostileServer, *acts: str, offered: str = "candidates", **policy: Any
    ) -> None:
        self.api = api
        parameters = [param("to", location="body")]
        tools = [
            tool("A.book", method="POST", server=api.url(), params=parameters),
            tool("A.list", server=api.url()),
        ]
        self.selector = Selector(
            Catalog.from_tools(tools),
            retriever=FakeRetriever(tools, needs_tool=1.0),
            policy=Policy(allow_hosts=frozenset({api.host}), **policy),
        )
        model = FakeAgent(acts or ("A.book", "A.list"))
        self.agent = Agent(
            self.selector, model=model, offered=offered, checkpointer=InMemorySaver()
        )

    async def run(self, **options: Any) -> AgentResult:
        return await self.agent.arun(REQUEST, context={"to": "OSL"}, **options)

    async def asked(self) -> ApprovalNeeded:
        with pytest.raises(ApprovalNeeded) as caught:
            await self.run(approve="ask")
        return caught.value

    async def answered(self, needed: ApprovalNeeded, *, yes: bool) -> AgentResult:
        return await self.agent.aresume(needed.thread_id, dict.fromkeys(needed.requests, yes))

    @property
    def called(self) -> list[str]:
        return [f"{got.method} {got.target}" for got in self.api.requests]


@pytest.fixture
async def booking(api: HostileServer) -> AsyncIterator[Booking]:
    made = Booking(api)
    yield made
    await made.selector.aclose()


async def test_without_leave_nothing_that_changes_something_is_sent(booking: Booking) -> None:
    result = await booking.run()
    assert booking.called == ["GET /list"]
    assert result.steps[0].outcome.failure.kind == "unsafe_method"  # type: ignore[union-attr]
    assert "not called" in result.steps[0].observation


async def test_a_person_is_asked_and_a_yes_is_one_call(booking: Booking) -> None:
    needed = await booking.asked()
    assert booking.called == []
    (request,) = needed.requests.values()
    assert (request["method"], request["arguments"]) == ("POST", {"to": "OSL"})
    result = await booking.answered(needed, yes=True)
    assert booking.called == ["POST /book", "GET /list"]
    assert [step.outcome.status for step in result.steps] == ["succeeded", "succeeded"]


async def test_a_no_is_no_call_and_the_run_goes_on(booking: Booking) -> None:
    result = await booking.answered(await booking.asked(), yes=False)
    assert booking.called == ["GET /list"]
    assert "did not approve" in result.steps[0].observation


async def test_replays_of_a_run_call_nothing_again(booking: Booking) -> None:
    needed = await booking.asked()
    await booking.answered(needed, yes=True)
    graph, config = booking.agent.graph, {"configurable": {"thread_id": needed.thread_id}}
    history = [state async for state in graph.aget_state_history(config)]  # type: ignore[arg-type]
    for state in history:
        await graph.ainvoke(None, state.config)
    assert booking.called.count("POST /book") == 1


async def test_a_tool_marked_callable_is_called_unasked(api: HostileServer) -> None:
    made = Booking(api, callable_tools=frozenset({"A.book"}))
    await made.run(approve="ask")
    assert made.called == ["POST /book", "GET /list"]
    await made.selector.aclose()


async def test_a_tool_marked_unsafe_is_not_even_asked_for(api: HostileServer) -> None:
    made = Booking(api, unsafe_tools=frozenset({"A.book"}))
    await made.run(approve="ask")
    assert made.called == ["GET /list"]
    await made.selector.aclose()


async def test_trials_before_the_agent_ask_nobody(api: HostileServer) -> None:
    made = Booking(api, "A.book", offered="selection")
    needed = await made.asked()
    assert len(needed.requests) == 1 and "POST /book" not in made.called
    await made.answered(needed, yes=True)
    assert made.called.count("POST /book") == 1
    await made.selector.aclose()


async def test_an_edited_request_is_planned_and_asked_for_anew(booking: Booking) -> None:
    needed = await booking.asked()
    graph: Any = booking.agent.graph
    config: Any = {"configurable": {"thread_id": needed.thread_id}}
    await graph.aupdate_state(config, {"context": {"to": "BGO"}})
    again = await graph.ainvoke(
        Command(resume=True),
        config,
        context={"approve": "ask"},
    )
    (asked,) = again["__interrupt__"]
    assert asked.value["arguments"] == {"to": "BGO"}
    assert booking.called == []


async def test_asking_needs_something_that_keeps_the_run(api: HostileServer) -> None:
    made = Booking(api)
    bare = Agent(made.selector, offered="candidates")
    with pytest.raises(ConfigurationError, match="checkpointer"):
        await bare.arun(REQUEST, approve="ask")
    with pytest.raises(InputError, match="is waiting"):
        await made.agent.aresume("nobody", {"x": True})
    await made.selector.aclose()


def test_synchronous_callers_need_no_loop(tmp_path: Any) -> None:
    tools = [tool("A.list")]
    with Selector(Catalog.from_tools(tools), retriever=FakeRetriever(tools)) as selector:
        result = Agent(selector).run("List it.", steps=2)
        assert result.gave_up and result.hosts == ("127.0.0.1:9",)
        with pytest.raises(ConfigurationError, match="steps"):
            Agent(selector).run("List it.", steps=0)
        with pytest.raises(ConfigurationError, match="speed"):
            Agent(selector).run("List it.", speed=1)
