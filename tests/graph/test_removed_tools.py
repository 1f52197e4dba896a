"""Tools that are taken out of the catalogue while a run tries them, and tools that come twice."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from agent_runs import agent_of
from graph_runs import fake_parts, run, selection_of

from fakes import FakeAgent, FakeExecutor, FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.ranking import Ranking, Request
from gretel.contracts.trial import CallPlan, Outcome, Trial
from gretel.graph.parts import Parts
from gretel.nodes.rerank.evidence import EvidenceReranker

SERVER = "https://api.example.com"
TOOLS = [tool(f"{name}.find", "Find things.", server=SERVER) for name in "ABC"]
REQUEST = "Find things."
Gone = Callable[[], None]


class RemovingExecutor(FakeExecutor):
    """Calls tools, each while some are removed."""

    def __init__(self) -> None:
        super().__init__()
        self.gone: Gone = lambda: None

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        self.gone()
        return await super().execute(plan, budget=budget)


class RemovingReranker:
    """Ranks by evidence; tools are removed before it begins, or when it is through."""

    def __init__(self, catalog: Catalog) -> None:
        self._ranked = EvidenceReranker(catalog)
        self.before: Gone = lambda: None
        self.after: Gone = lambda: None

    async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        self.before()
        ranking = await self._ranked.rerank(request, trials)
        self.after()
        return ranking


def removing(when: str, *ids: str) -> Parts:
    """Parts by which `ids` are gone `when` a run has come so far."""
    executor = RemovingExecutor()
    parts = fake_parts(TOOLS, executor=executor)
    reranker = RemovingReranker(parts.catalog)

    def gone() -> None:
        parts.catalog.remove(ids)

    if when == "tried":
        executor.gone = gone
    else:
        setattr(reranker, when, gone)
    return replace(parts, reranker=reranker)


@pytest.mark.parametrize("when", ["tried", "before", "after"])
async def test_a_tool_that_is_removed_meanwhile_is_left_out(when: str) -> None:
    """Two selectors may share a catalogue, and one of them may remove a tool at any time."""
    state = await run(removing(when, "A.find"), REQUEST)

    selection = selection_of(state)
    assert [each.tool_id for each in selection.tools] == ["B.find", "C.find"]
    assert any("A.find is no longer in the catalogue" in note for note in selection.notes)


@pytest.mark.parametrize("when", ["tried", "before", "after"])
async def test_where_all_are_removed_there_is_no_candidate(when: str) -> None:
    selection = selection_of(await run(removing(when, "A.find", "B.find", "C.find"), REQUEST))

    assert selection.abstention is not None
    assert selection.abstention.reason == "no_candidates"
    assert "no longer in the catalogue" in selection.abstention.detail


DOUBLED = {REQUEST: ["A.find", "B.find", "A.find", "C.find", "B.find"]}


async def test_a_tool_that_is_found_twice_is_tried_once() -> None:
    executor = FakeExecutor()
    retriever = FakeRetriever(TOOLS, DOUBLED)
    state = await run(fake_parts(TOOLS, executor=executor, retriever=retriever), REQUEST)

    assert len(executor.calls) == 3
    assert [(each["tool_id"], each["rank"]) for each in state["candidates"]] == [
        ("A.find", 1),
        ("B.find", 2),
        ("C.find", 3),
    ]


@pytest.mark.parametrize("offered", ["candidates", "all"])
async def test_a_tool_that_is_found_twice_is_offered_once(offered: str) -> None:
    graph = agent_of(TOOLS, FakeAgent(), offered=offered, retriever=FakeRetriever(TOOLS, DOUBLED))
    state = await graph.ainvoke({"request": REQUEST})
    assert [each["tool_id"] for each in state["candidates"]] == ["A.find", "B.find", "C.find"]


async def test_a_tool_that_is_ranked_twice_is_offered_once() -> None:
    class Doubling(RemovingReranker):
        async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
            ranking = await super().rerank(request, trials)
            first, second, *rest = ranking.tools
            return ranking.model_copy(update={"tools": (first, second, first, *rest, second)})

    parts = fake_parts(TOOLS)
    state = await run(replace(parts, reranker=Doubling(parts.catalog)), REQUEST)
    assert [each.tool_id for each in selection_of(state).tools] == ["A.find", "B.find", "C.find"]
