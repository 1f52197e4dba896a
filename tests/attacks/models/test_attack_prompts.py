"""Prompts and schemas whose size a document sets: they are written beside the event loop."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from langgraph.runtime import Runtime

from fakes import (
    FakePlanner,
    FakeRetriever,
    FakeRewriter,
    param,
    plan,
    refusal,
    request,
    tool,
    trial,
)
from gretel.catalog import Catalog
from gretel.contracts.agent import Progress
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Response
from gretel.contracts.trial import Failure
from gretel.nodes.agent.chat import ChatAgent
from gretel.nodes.agent.rules import RuleAgent
from gretel.nodes.agent.speaking import think_node
from gretel.nodes.agent.state import AgentContext
from gretel.nodes.plan import llm as planning
from gretel.nodes.plan.llm import MAX_SCHEMA_CHARS, LlmPlanner, schema_of
from gretel.nodes.retrieve.node import retrieve_node
from gretel.nodes.rewrite.feedback import FeedbackRewriter
from gretel.nodes.rewrite.llm import LlmRewriter
from gretel.nodes.rewrite.node import rewrite_node
from gretel.nodes.rewrite.queries import MAX_LACKED
from gretel.nodes.simulate import llm as simulating
from gretel.nodes.simulate.llm import LlmSimulator
from gretel.prompts.template import Prompt
from gretel.sandbox.secrets import looks

RICH: JsonObject = {
    "type": "object",
    "properties": {
        f"a{n}": {
            "type": "object",
            "properties": {f"b{m}": {"type": "string", "maxLength": 9} for m in range(20)},
        }
        for n in range(20)
    },
}
LACKING = trial("Kit.look", planned=refusal("Kit.look", *(f"field_{n}" for n in range(1_000))))


class Silent:
    """A model that is asked, and says nothing."""

    asked: Sequence[Message] = ()

    async def reply(self, messages: Sequence[Message], *_: Any, **__: Any) -> Any:
        self.asked = messages
        raise TimeoutError


@pytest.fixture
def on_the_loop(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was written on the event loop's own thread."""
    found: list[str] = []
    render = Prompt.render

    def watched(prompt: Prompt, **blocks: str) -> list[Message]:
        if threading.current_thread() is threading.main_thread():
            found.append(prompt.step)
        return render(prompt, **blocks)

    monkeypatch.setattr(Prompt, "render", watched)
    for room in (planning, simulating):
        bounded = room.bounded

        def seen(*args: Any, bounded: Any = bounded, **sizes: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                found.append("schema")
            return bounded(*args, **sizes)

        monkeypatch.setattr(room, "bounded", seen)
    return found


async def test_what_asks_a_model_is_written_beside_the_event_loop(on_the_loop: list[str]) -> None:
    model: Any = Silent()
    rich = tool("Kit.look", params=[param("q", RICH)], response=Response(json_schema=RICH))
    catalog, ours = Catalog([rich]), Failure(kind="connection", detail="x", fault="ours")
    progress = Progress(request=request("look"))
    agent = ChatAgent(model, LlmPlanner(model))
    for asking in (
        LlmPlanner(model).plan(request("look"), rich),
        LlmSimulator(model, catalog).simulate(plan("Kit.look"), ours, seed=1),
        LlmRewriter(model).rewrite(request("look"), [LACKING]),
        agent.think(progress),
        agent.act(progress, [rich]),
        agent.finish(progress),
    ):
        with pytest.raises(TimeoutError):
            await asking
    assert on_the_loop == []


@pytest.mark.slow
def test_the_schemas_of_a_thousand_arguments_are_bounded_together() -> None:
    many = tool("Kit.look", params=[param(f"p{n}", RICH) for n in range(1_000)])
    properties: Any = schema_of(many)["properties"]
    arguments = properties["arguments"]["properties"]
    assert len(arguments) == 1_000 and arguments["p0"] != {} and arguments["p999"] == {}
    assert sum(len(str(each)) for each in arguments.values()) < 2 * MAX_SCHEMA_CHARS


async def test_of_a_thousand_lacking_values_some_are_read() -> None:
    model: Any = Silent()
    with pytest.raises(TimeoutError):
        await LlmRewriter(model).rewrite(request("look"), [LACKING])
    said = "\n".join(message.content for message in model.asked)
    assert f"field_{MAX_LACKED - 1} and {1_000 - MAX_LACKED} more" in said


@pytest.mark.parametrize("step", ["retrieve", "rewrite", "think"])
async def test_what_you_know_is_looked_through_beside_the_event_loop(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where so many other runs were begun meanwhile that nothing of it is remembered."""
    read: list[threading.Thread] = []

    def parted(facts: JsonObject) -> tuple[JsonObject, tuple[str, ...]]:
        read.append(threading.current_thread())
        return facts, ()

    monkeypatch.setattr(looks, "_parted", parted)
    monkeypatch.setattr(looks, "_without", {})
    twin = RuleAgent(FakePlanner())
    nodes: dict[str, Any] = {
        "retrieve": retrieve_node(FakeRetriever([tool("A.b")])),
        "rewrite": rewrite_node(FakeRewriter()),
        "think": think_node(twin, twin),
    }
    state: Any = {"request": "x", "context": {"mail": f"of {step}"}}
    await nodes[step](state, runtime=Runtime(context=AgentContext()))
    assert read and threading.main_thread() not in read


async def test_rules_read_what_is_lacking_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[threading.Thread] = []
    rewriter = FeedbackRewriter(Catalog())
    wanted = rewriter._wanted
    monkeypatch.setattr(
        rewriter, "_wanted", lambda tried: read.append(threading.current_thread()) or wanted(tried)
    )
    found = await asyncio.wait_for(rewriter.rewrite(request("look"), [LACKING]), 10)
    assert len(found) == 5
    assert threading.main_thread() not in read
