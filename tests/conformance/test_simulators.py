"""What every `Simulator` promises."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from scripted_models import BackedSimulator, scripted_model

from fakes import FakeSimulator, failure, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.protocols import Simulator
from gretel.contracts.tool import Response, Tool
from gretel.contracts.trial import SIMULATED_FAILURES, FailureKind, Outcome
from lanes import every

Make = Callable[[Sequence[Tool]], AbstractAsyncContextManager[Simulator]]


@asynccontextmanager
async def fake(tools: Sequence[Tool]) -> AsyncIterator[Simulator]:
    yield FakeSimulator()


@asynccontextmanager
async def schema(tools: Sequence[Tool]) -> AsyncIterator[Simulator]:
    from gretel.nodes.simulate.schema import SchemaSimulator

    yield SchemaSimulator(Catalog.from_tools(tools))


@asynccontextmanager
async def llm(tools: Sequence[Tool]) -> AsyncIterator[Simulator]:
    from gretel.nodes.simulate.llm import LlmSimulator

    async with scripted_model() as model:
        yield BackedSimulator(LlmSimulator(model, Catalog.from_tools(tools)), FakeSimulator())


MAKERS: dict[str, Make] = {"fake": fake, "schema": schema, "llm": llm}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


ANSWERS = {
    "undocumented": Response(),
    "schema": Response(
        json_schema={
            "type": "object",
            "required": ["price"],
            "properties": {"price": {"type": "number"}, "code": {"type": "string"}},
        }
    ),
    "recursive": Response(json_schema={"type": "array", "items": {}}),
    "impossible": Response(json_schema={"allOf": [{"type": "string"}, {"type": "integer"}]}),
    "huge": Response(json_schema={"type": "string", "minLength": 100_000}),
    "example": Response(example={"flights": [{"price": 210, "город": "Казань"}]}),
    "template": Response(example={"price": "int", "name": "str"}, example_is_template=True),
}


@pytest.fixture(params=every(2, ANSWERS))
def search(request: pytest.FixtureRequest) -> Tool:
    return tool("Kayak.search", "Search flights.", params=["to"], response=ANSWERS[request.param])


def assert_sound(outcome: Outcome) -> None:
    """Holds for whatever a simulator answers."""
    assert outcome.source == "simulated"
    assert outcome.status in ("succeeded", "empty", "failed")
    assert (outcome.http_status, outcome.latency_ms, outcome.bytes_wire) == (None, None, 0)
    assert len(outcome.excerpt.encode()) <= 2_048


@pytest.mark.parametrize("kind", every(6, sorted(SIMULATED_FAILURES)))
async def test_any_failure_can_be_simulated(make: Make, kind: FailureKind) -> None:
    async with make([tool("Kayak.search")]) as simulator:
        assert_sound(await simulator.simulate(plan("Kayak.search"), failure(kind), seed=7))


async def test_any_documented_answer_can_be_simulated(make: Make, search: Tool) -> None:
    async with make([search]) as simulator:
        assert_sound(await simulator.simulate(plan("Kayak.search", to="JFK"), failure(), seed=7))


@pytest.mark.slow
async def test_the_same_seed_gives_the_same_outcome(make: Make, search: Tool) -> None:
    call = plan("Kayak.search", to="JFK")
    async with make([search]) as simulator:
        first = await simulator.simulate(call, failure(), seed=7)
        again = await simulator.simulate(call, failure(), seed=7)
    async with make([search]) as other:
        elsewhere = await other.simulate(call, failure(), seed=7)

    assert first == again == elsewhere
