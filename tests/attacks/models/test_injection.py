"""Injections in answers, error texts and parameter docs leave every order as it is, to the bit.

One that fills all that is kept of an answer makes its own tool fall: its names are cut off.

240 requests, each with every injection in one of its candidates: the real planner, executor,
simulator and re-ranker, on what the real retriever found. Every sixth is fast, the others are slow.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NamedTuple

import httpx
import pytest
from injection_world import HOST, answer, catalogue, refusal, requests, shown, tools
from injections import INJECTIONS

from gretel.catalog import Catalog
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.budget import Budget
from gretel.contracts.ranking import Candidate, Request, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import CallPlan, Outcome, Refusal, Trial
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.nodes.simulate.schema import SchemaSimulator
from gretel.nodes.usable import simulated
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from lanes import every

DEPTH = 8
Answer = Callable[[Tool], tuple[int, Any]]
REFUSED = Outcome(status="refused", source="none")


class Lab:
    """Tries one tool at a time, of a catalogue that may be poisoned."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.served: dict[str, tuple[int, Any]] = {}
        transport = httpx.MockTransport(self._serve)
        self.executor = HttpExecutor(catalog, Policy(frozenset({HOST})), transport=transport)
        self.planner = DeterministicPlanner()
        self.simulator = SchemaSimulator(catalog)
        self.reranker = EvidenceReranker(catalog)

    def _serve(self, request: httpx.Request) -> httpx.Response:
        status, body = self.served[request.url.path.strip("/").replace("/", ".")]
        kind = {"content-type": "application/json"}
        return httpx.Response(status, content=shown(body), headers=kind)

    async def trial(self, text: str, found: Candidate, said: tuple[int, Any]) -> Trial:
        """The trial of one candidate whose server says that; latencies apart, which vary."""
        tool = self.catalog[found.tool_id]
        plan = await self.planner.plan(Request(text=text, today="2026-11-20"), tool)
        return await self.tried(plan, found, said)

    async def tried(
        self, plan: CallPlan | Refusal, found: Candidate, said: tuple[int, Any]
    ) -> Trial:
        """As `trial`, by a plan that was made before; the planner sees nothing of an answer."""
        self.served[found.tool_id] = said
        executed, made_up = REFUSED, None
        if isinstance(plan, CallPlan):
            executed = await self.executor.execute(plan, budget=Budget())
            if executed.failure is not None and simulated(executed.failure):
                made_up = await self.simulator.simulate(plan, executed.failure, seed=7)
        return Trial(
            tool_id=found.tool_id,
            round=1,
            rank_before=found.rank,
            retrieval_score=found.score,
            plan=plan,
            executed=executed.model_copy(update={"latency_ms": None}),
            simulated=made_up,
        )

    async def order(self, text: str, trials: Sequence[Trial]) -> list[tuple[ToolId, float]]:
        ranking = await self.reranker.rerank(Request(text=text, today="2026-11-20"), trials)
        return [(place.tool_id, place.score) for place in ranking.tools]


class Scene(NamedTuple):
    """A request with its candidates, their trials, and the one that is attacked."""

    text: str
    candidates: tuple[Candidate, ...]
    trials: list[Trial]
    target: int
    order: list[tuple[ToolId, float]]
    """As the trials have it."""
    erring: Trial
    """The target's, where its server refuses."""
    order_erring: list[tuple[ToolId, float]]

    @property
    def tool(self) -> ToolId:
        return self.candidates[self.target].tool_id

    def instead(self, trial: Trial) -> list[Trial]:
        return put(trial, self.trials, self.target)


def put(trial: Trial, trials: list[Trial], place: int) -> list[Trial]:
    return [*trials[:place], trial, *trials[place + 1 :]]


@pytest.fixture(scope="module")
async def lab() -> AsyncIterator[Lab]:
    made = Lab(catalogue())
    yield made
    await made.executor.aclose()


@pytest.fixture(
    scope="module", params=["every sixth", pytest.param("the others", marks=pytest.mark.slow)]
)
async def scenes(lab: Lab, request: pytest.FixtureRequest) -> list[Scene]:
    retriever = StagedRetriever(
        await SemanticRetriever.build(lab.catalog), lab.catalog, CandidateStage()
    )
    sixth = request.param == "every sixth"
    numbers = [n for n in range(len(requests())) if (n % 6 == 0) == sixth]
    queries = [RetrievalQuery(text=requests()[number].text) for number in numbers]
    found = (await retriever.retrieve(queries, k=DEPTH)).candidates
    scenes = []
    for number, query, candidates in zip(numbers, queries, found, strict=True):
        trials = [
            await lab.trial(query.text, c, answer(lab.catalog[c.tool_id])) for c in candidates
        ]
        target = number % len(candidates)
        refused = refusal(lab.catalog[candidates[target].tool_id])
        erring = await lab.trial(query.text, candidates[target], refused)
        order = await lab.order(query.text, trials)
        order_erring = await lab.order(query.text, put(erring, trials, target))
        scenes.append(Scene(query.text, candidates, trials, target, order, erring, order_erring))
    return scenes


def kinds(trial: Trial) -> tuple[object, ...]:
    """What the evidence of a trial is, as typed fields; those that a re-ranker reads."""
    failure, made_up = trial.executed.failure, trial.simulated
    arguments = trial.plan.values() if isinstance(trial.plan, CallPlan) else trial.plan.reason
    return (
        *(arguments, trial.executed.status, trial.executed.source, trial.executed.http_status),
        *((failure.kind, failure.fault, failure.transient) if failure else ()),
        made_up.status if made_up else None,
    )


async def test_the_world_is_large_enough_and_of_all_kinds(scenes: list[Scene]) -> None:
    assert len(tools()) == 60 and len(requests()) == 240 and len(INJECTIONS) >= 20
    assert len(scenes) in (40, 200)
    seen = {trial.executed.status for scene in scenes for trial in scene.trials}
    assert seen == {"succeeded", "empty", "failed", "refused"}
    assert any(trial.simulated for scene in scenes for trial in scene.trials)


@pytest.mark.parametrize("name", every(12, INJECTIONS))
async def test_in_an_answer(name: str, lab: Lab, scenes: list[Scene]) -> None:
    for scene in scenes:
        said = answer(lab.catalog[scene.tool], f" {INJECTIONS[name]}")
        before = scene.trials[scene.target]
        after = await lab.tried(before.plan, scene.candidates[scene.target], said)

        assert kinds(after) == kinds(before)
        order = await lab.order(scene.text, scene.instead(after))
        if order != scene.order:  # the names in it are lost where less of it is kept
            assert name == "long"
            was, now = dict(scene.order), dict(order)
            assert now.pop(scene.tool) < was.pop(scene.tool)
            # what may not pass it without an answer of its own comes down with it
            assert all(now[name] <= was[name] for name in was)


@pytest.mark.parametrize("name", every(12, INJECTIONS))
async def test_in_an_error_text(name: str, lab: Lab, scenes: list[Scene]) -> None:
    for scene in scenes:
        said = refusal(lab.catalog[scene.tool], f" {INJECTIONS[name]}")
        before = scene.erring
        after = await lab.tried(before.plan, scene.candidates[scene.target], said)

        assert kinds(after) == kinds(before)
        assert await lab.order(scene.text, scene.instead(after)) == scene.order_erring


def with_docs(tool: Tool, appended: str) -> Tool:
    parameters = [
        p.model_copy(update={"description": f"{p.description} {appended}"}) for p in tool.parameters
    ]
    return tool.model_copy(update={"parameters": tuple(parameters)})


@pytest.mark.parametrize("name", every(24, INJECTIONS))
async def test_in_parameter_docs(name: str, lab: Lab, scenes: list[Scene]) -> None:
    poisoned = Lab(catalogue(*(with_docs(tool, INJECTIONS[name]) for tool in tools())))
    for scene in scenes:
        said = answer(lab.catalog[scene.tool])
        found = scene.candidates[scene.target]
        after = await poisoned.trial(scene.text, found, said)

        before = scene.trials[scene.target]
        if kinds(after) != kinds(before):  # a wrong reading of his own tool is all he gets
            assert after.plan.kind == "refusal"
        order = [tool_id for tool_id, _ in await poisoned.order(scene.text, scene.instead(after))]
        assert order == [tool_id for tool_id, _ in scene.order]
    await poisoned.executor.aclose()


@pytest.mark.parametrize("name", every(3, INJECTIONS))
def test_retrieval_reads_no_parameter_docs(name: str) -> None:
    for tool in tools():
        assert retrieval_text(with_docs(tool, INJECTIONS[name])) == retrieval_text(tool)


@pytest.mark.parametrize("name", every(24, INJECTIONS))
async def test_a_description_is_no_evidence(name: str, lab: Lab, scenes: list[Scene]) -> None:
    """Its own trial and the others' end as before, whatever it says of itself."""
    changed = (
        tool.model_copy(update={"description": f"{tool.description} {INJECTIONS[name]}"})
        for tool in tools()
    )
    poisoned = Lab(catalogue(*changed))
    for scene in scenes:
        found = scene.candidates[scene.target]
        after = await poisoned.trial(scene.text, found, answer(lab.catalog[scene.tool]))

        assert kinds(after) == kinds(scene.trials[scene.target])
    await poisoned.executor.aclose()
