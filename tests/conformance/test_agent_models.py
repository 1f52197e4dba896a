"""What every `AgentModel` promises."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import pytest
from scripted_models import scripted_model
from test_planners import assert_sound, honest

from fakes import FakeAgent, FakePlanner, plan, request, succeeded
from gretel.contracts.agent import AgentStep, Progress
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.protocols import AgentModel
from gretel.contracts.tool import Tool
from llm_server import good

Make = Callable[[list[Tool]], AbstractAsyncContextManager[AgentModel]]


@asynccontextmanager
async def fake(tools: list[Tool]) -> AsyncIterator[AgentModel]:
    yield FakeAgent()


@asynccontextmanager
async def rules(tools: list[Tool]) -> AsyncIterator[AgentModel]:
    from gretel.nodes.agent.rules import RuleAgent

    yield RuleAgent(FakePlanner())


@asynccontextmanager
async def chat(tools: list[Tool]) -> AsyncIterator[AgentModel]:
    from gretel.nodes.agent.chat import ChatAgent
    from gretel.nodes.plan.llm import LlmPlanner

    async with scripted_model(
        plan=honest,
        think=lambda call: good({"thought": "A tool, then."}),
        act=lambda call: good({"tool": 2}),
        finish=lambda call: good({"answer": "That is all.", "gave_up": False}),
    ) as model:
        yield ChatAgent(model, LlmPlanner(model))


@asynccontextmanager
async def toolgen(tools: list[Tool]) -> AsyncIterator[AgentModel]:
    """A language model with random weights: what it says is noise, and may be unusable."""
    from gretel.catalog import Catalog
    from gretel.nodes.agent.toolgen.model import ToolGenAgent
    from toolgen_models import retriever_of

    retriever = retriever_of(tools)
    yield ToolGenAgent(lambda: (retriever.model, retriever.slots), Catalog.from_tools(tools))


MAKERS: dict[str, Make] = {"fake": fake, "rules": rules, "chat": chat, "toolgen": toolgen}


@pytest.fixture(
    params=[pytest.param(n, marks=[pytest.mark.slow] if n == "toolgen" else []) for n in MAKERS]
)
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


def runs(tools: list[Tool], text: str) -> list[Progress]:
    """At its beginning, and behind one step."""
    step = AgentStep(
        number=1,
        thought="First.",
        tool_id=tools[0].tool_id,
        plan=plan(tools[0].tool_id),
        outcome=succeeded(),
        observation='{"ok": true} <<Twins.b>>',
    )
    asked = request(text)
    return [Progress(request=asked), Progress(request=asked, steps=(step,), thought="Then.")]


async def test_it_chooses_among_what_is_offered_or_ends(
    make: Make, tools: list[Tool], text: str
) -> None:
    async with make(tools) as model:
        for progress in runs(tools, text):
            for offered in (tools, tools[1:3], tools[4:5]):
                with suppress(ModelReplyError):
                    chosen = await model.act(progress, offered)
                    assert chosen is None or chosen in {tool.tool_id for tool in offered}


async def test_its_thoughts_and_answers_are_text(make: Make, tools: list[Tool]) -> None:
    async with make(tools) as model:
        for progress in runs(tools, "Find me a hotel."):
            assert isinstance(await model.think(progress), str)
            with suppress(ModelReplyError):
                assert (await model.finish(progress)).answer.strip()


async def test_its_calls_are_valid_or_refused(make: Make, tools: list[Tool], text: str) -> None:
    async with make(tools) as model:
        for progress in runs(tools, text):
            for tool in tools[:3]:
                with suppress(ModelReplyError):
                    assert_sound(await model.argue(progress, tool), tool)
