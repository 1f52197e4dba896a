"""A person's word: asked before a call that may change something, and used once."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from fakes import FakeRetriever, param, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ApprovalNeeded, ConfigurationError, InputError
from gretel.contracts.tool import Tool, ToolId
from gretel.graph.selector import BoundSelection, Selector
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer

REQUEST = "Book it."


def posts(api: HostileServer, *names: str) -> list[Tool]:
    parameters = [param("to", location="body")]
    return [tool(f"A.{n}", method="POST", server=api.url(), params=parameters) for n in names]


class Chosen:
    """A selector over one recording server; every run asks."""

    def __init__(
        self,
        api: HostileServer,
        tools: list[Tool],
        saver: InMemorySaver | None = None,
        **policy: Any,
    ) -> None:
        self.api = api
        self.saver = saver or InMemorySaver()
        self.selector = Selector(
            Catalog.from_tools(tools),
            retriever=FakeRetriever(tools, needs_tool=1.0),
            policy=Policy(allow_hosts=frozenset({api.host}), **policy),
            checkpointer=self.saver,
        )

    async def asked(self, **options: Any) -> ApprovalNeeded:
        with pytest.raises(ApprovalNeeded) as caught:
            await self.selector.aselect(REQUEST, approve="ask", context={"to": "OSL"}, **options)
        return caught.value

    async def answer(self, needed: ApprovalNeeded, **said: bool) -> BoundSelection:
        by_tool = {asked["tool_id"]: key for key, asked in needed.requests.items()}
        answers = {by_tool[f"A.{name}"]: yes for name, yes in said.items()}
        return await self.selector.aresume(needed.thread_id, answers)

    @property
    def called(self) -> list[str]:
        return sorted(f"{got.method} {got.target}" for got in self.api.requests)


@pytest.fixture
async def chosen(api: HostileServer) -> AsyncIterator[Chosen]:
    tools = [*posts(api, "one", "two"), tool("A.list", server=api.url())]
    made = Chosen(api, tools)
    yield made
    await made.selector.aclose()


def failure_of(selection: BoundSelection, name: str) -> str | None:
    failure = {t.tool_id: t for t in selection.trials}[ToolId(f"A.{name}")].executed.failure
    return failure.kind if failure else None


async def test_nobody_is_asked_unless_the_run_wants_it(chosen: Chosen) -> None:
    selection = await chosen.selector.aselect(REQUEST)
    assert chosen.called == ["GET /list"]
    assert failure_of(selection, "one") == "unsafe_method"


async def test_several_are_asked_at_once_and_nothing_is_sent_before(chosen: Chosen) -> None:
    needed = await chosen.asked()
    assert chosen.called == ["GET /list"]
    assert {asked["tool_id"] for asked in needed.requests.values()} == {"A.one", "A.two"}
    one = next(asked for asked in needed.requests.values() if asked["tool_id"] == "A.one")
    assert (one["method"], one["url"]) == ("POST", chosen.api.url("one"))
    assert one["arguments"] == {"to": "OSL"} and "plan_sha256" not in one


async def test_a_yes_is_one_call_and_a_no_is_none(chosen: Chosen) -> None:
    selection = await chosen.answer(await chosen.asked(), one=True, two=False)
    assert chosen.called == ["GET /list", "POST /one"]
    assert failure_of(selection, "one") is None
    assert failure_of(selection, "two") == "unsafe_method"


async def test_answers_in_two_steps_call_each_once(chosen: Chosen) -> None:
    needed = await chosen.asked()
    with pytest.raises(ApprovalNeeded) as caught:
        await chosen.answer(needed, one=True)
    assert len(caught.value.requests) == 1
    await chosen.answer(caught.value, two=True)
    assert chosen.called == ["GET /list", "POST /one", "POST /two"]


async def test_what_is_no_clear_yes_is_a_no(chosen: Chosen) -> None:
    needed = await chosen.asked()
    config = {"configurable": {"thread_id": needed.thread_id}}
    odd: Any = dict(zip(needed.requests, ["yes, but to BGO", {"args": {"to": "BGO"}}], strict=True))
    await chosen.selector.graph.ainvoke(Command(resume=odd), config)
    assert chosen.called == ["GET /list"]


async def test_replays_and_forks_never_call_again(chosen: Chosen) -> None:
    needed = await chosen.asked()
    await chosen.answer(needed, one=True, two=True)
    graph = chosen.selector.graph
    config: Any = {"configurable": {"thread_id": needed.thread_id}}
    history = [state async for state in graph.aget_state_history(config)]
    for state in history:
        await graph.ainvoke(None, state.config)
        forked = await graph.aupdate_state(state.config, None, as_node="__copy__")
        await graph.ainvoke(None, forked)
    assert chosen.called.count("POST /one") == 1 and chosen.called.count("POST /two") == 1


@pytest.mark.parametrize("restarted", [False, True], ids=["same process", "restarted"])
async def test_a_run_that_died_in_its_call_does_not_call_again(
    api: HostileServer, restarted: bool
) -> None:
    first = Chosen(api, posts(api, "endless"))
    needed = await first.asked()
    dying = asyncio.create_task(first.answer(needed, endless=True))
    async with asyncio.timeout(30):
        while not api.requests:
            await asyncio.sleep(0.01)
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)

    heir = Chosen(api, posts(api, "endless"), saver=first.saver) if restarted else first
    config: Any = {"configurable": {"thread_id": needed.thread_id}}
    state = await heir.selector.graph.ainvoke(None, config, context={"approve": "ask"})
    assert first.called == ["POST /endless"]
    (tried,) = state["trials"]
    assert tried["executed"]["failure"]["kind"] == "unsafe_method"
    await first.selector.aclose()
    await heir.selector.aclose()


async def test_a_plan_that_changed_since_the_yes_is_not_sent(api: HostileServer) -> None:
    chosen = Chosen(api, posts(api, "one"))
    needed = await chosen.asked()
    approvals = chosen.selector._parts.approvals
    (asked,) = needed.requests.values()
    assert asked["arguments"] == {"to": "OSL"}
    planned = plan("A.one", to="OSL")
    request = approvals.request(planned)
    assert request is not None
    approvals.grant(request)

    async def send() -> Any:
        raise AssertionError("this is another plan")

    outcome = await approvals.once(request.approval_id, plan("A.one", to="BGO"), send)
    assert outcome.status == "unavailable"
    await chosen.selector.aclose()


async def test_the_url_shows_no_secret(api: HostileServer) -> None:
    search = tool("A.one", method="POST", server=api.url(), params=[param("api_key")])
    chosen = Chosen(api, [search])
    with pytest.raises(ApprovalNeeded) as caught:
        await chosen.selector.aselect(REQUEST, approve="ask", context={"api_key": "canary-5f2a91"})
    (asked,) = caught.value.requests.values()
    assert "canary" not in str(asked["url"])
    await chosen.selector.aclose()


async def test_what_a_yes_would_not_let_out_is_not_asked(api: HostileServer) -> None:
    never = ToolId("A.one")
    elsewhere = tool("A.two", method="POST", server="https://elsewhere.example")
    chosen = Chosen(api, [*posts(api, "one"), elsewhere], unsafe_tools=frozenset({never}))
    selection = await chosen.selector.aselect(REQUEST, approve="ask")
    assert {failure_of(selection, "one"), failure_of(selection, "two")} == {"unsafe_method"}
    assert chosen.called == []
    await chosen.selector.aclose()


@pytest.mark.slow
async def test_a_person_may_take_longer_than_the_run(chosen: Chosen) -> None:
    needed = await chosen.asked(budget={"wall_s": 2.0})
    state = await chosen.selector.graph.aget_state(
        {"configurable": {"thread_id": needed.thread_id}}
    )
    await asyncio.sleep(max(0.0, state.values["deadline"] - time.time()))
    selection = await chosen.answer(needed, one=True, two=False)
    assert chosen.called == ["GET /list", "POST /one"]
    assert not any("too slow" in note for note in selection.notes)


async def test_without_a_checkpointer_asking_is_a_clear_error(api: HostileServer) -> None:
    selector = Selector(
        Catalog.from_tools(posts(api, "one")), retriever=FakeRetriever(needs_tool=1.0)
    )
    with pytest.raises(ConfigurationError, match="checkpointer"):
        await selector.aselect(REQUEST, approve="ask")


async def test_answers_to_nothing_are_input_errors(chosen: Chosen) -> None:
    with pytest.raises(InputError, match="is waiting"):
        await chosen.selector.aresume("nobody", {"x": True})
    needed = await chosen.asked()
    for answers in ({}, {"unknown": True}):
        with pytest.raises(InputError, match="answer"):
            await chosen.selector.aresume(needed.thread_id, answers)
