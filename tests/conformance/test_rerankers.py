"""What every `Reranker` promises."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import permutations

import pytest
from scripted_models import scripted_model

from fakes import FakeReranker, failed, failure, plan, refusal, request, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.protocols import Reranker
from gretel.contracts.tool import Tool
from gretel.contracts.trial import Outcome
from lanes import every

Make = Callable[[Sequence[Tool]], AbstractAsyncContextManager[Reranker]]

HOST_CLOSED = Outcome(
    status="unavailable", source="none", failure=failure("host_not_allowed", "ours")
)
REFUSED = Outcome(status="refused", source="none")
TRIALS = [
    trial("Kayak.search_flights", 1, executed=succeeded(latency_ms=40)),
    trial("Skyscanner.get_flights", 2, executed=succeeded(latency_ms=900)),
    trial("FlightsPro.search", 3, planned=refusal("FlightsPro.search", "code"), executed=REFUSED),
    trial("Hotels.find", 4, executed=failed("server_error")),
    trial(
        "Rail.поиск",
        5,
        planned=plan("Rail.поиск", **{"откуда": "Москва"}),
        executed=HOST_CLOSED,
        simulated=Outcome(status="succeeded", source="simulated", excerpt="[]"),
    ),
    trial("Twins.a", 5, executed=HOST_CLOSED, round=2),
]


@asynccontextmanager
async def fake(tools: Sequence[Tool]) -> AsyncIterator[Reranker]:
    yield FakeReranker()


@asynccontextmanager
async def evidence(tools: Sequence[Tool]) -> AsyncIterator[Reranker]:
    from gretel.nodes.rerank.evidence import EvidenceReranker

    yield EvidenceReranker(Catalog.from_tools(tools))


@asynccontextmanager
async def llm(tools: Sequence[Tool]) -> AsyncIterator[Reranker]:
    from gretel.nodes.rerank.evidence import EvidenceReranker
    from gretel.nodes.rerank.llm import LlmReranker

    async with scripted_model() as model:
        catalog = Catalog.from_tools(tools)
        yield LlmReranker(model, catalog, EvidenceReranker(catalog))


MAKERS: dict[str, Make] = {"fake": fake, "evidence": evidence, "llm": llm}
DETERMINISTIC = ("fake", "evidence")


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


@pytest.fixture(scope="module")
def tried() -> list[Tool]:
    return [tool(trial.tool_id) for trial in TRIALS]


@pytest.mark.parametrize("count", every(3, range(1, len(TRIALS) + 1)))
async def test_a_ranking_is_a_permutation_of_the_tools_tried(
    make: Make, tried: list[Tool], count: int
) -> None:
    trials = TRIALS[:count]
    async with make(tried) as reranker:
        ranking = await reranker.rerank(request(), trials)

    assert sorted(t.tool_id for t in ranking.tools) == sorted(t.tool_id for t in trials)
    assert [place.rank for place in ranking.tools] == list(range(1, count + 1))


async def test_every_place_has_a_reason_and_its_place_before(make: Make, tried: list[Tool]) -> None:
    async with make(tried) as reranker:
        ranking = await reranker.rerank(request(), TRIALS)

    before = {trial.tool_id: trial.rank_before for trial in TRIALS}
    assert {place.tool_id: place.rank_before for place in ranking.tools} == before
    for place in ranking.tools:
        assert place.reason.strip()
        assert "\n" not in place.reason


async def test_no_trials_give_an_empty_ranking(make: Make) -> None:
    async with make([]) as reranker:
        assert (await reranker.rerank(request(), [])).tools == ()


async def test_any_text_of_a_request_will_do(make: Make, tried: list[Tool], text: str) -> None:
    async with make(tried) as reranker:
        assert len((await reranker.rerank(request(text), TRIALS)).tools) == len(TRIALS)


@pytest.mark.parametrize("name", DETERMINISTIC)
async def test_the_order_of_the_trials_does_not_matter(name: str, tried: list[Tool]) -> None:
    async with MAKERS[name](tried) as reranker:
        rankings = [
            await reranker.rerank(request(), shuffled) for shuffled in permutations(TRIALS[1:])
        ]

    assert all(ranking == rankings[0] for ranking in rankings)


async def test_a_working_tool_is_not_put_behind_a_dead_one_of_equal_relevance(
    make: Make,
) -> None:
    dead = trial("A.dead", 1, executed=failed("connection"))
    alive = dead.model_copy(update={"tool_id": "B.alive", "executed": succeeded()})
    async with make([tool("A.dead"), tool("B.alive")]) as reranker:
        ranking = await reranker.rerank(request(), [dead, alive])

    assert [place.tool_id for place in ranking.tools] == ["B.alive", "A.dead"]
