"""Whole graphs from fakes: every place scripted, nothing real."""

from collections.abc import Mapping, Sequence
from typing import Any

from fakes import FakeExecutor, FakePlanner, FakeReranker, FakeRetriever, FakeSimulator
from gretel.catalog import Catalog
from gretel.contracts.ranking import Selection
from gretel.contracts.tool import Tool
from gretel.graph.build import build_graph
from gretel.graph.parts import Deterministic, Parts
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.permission.policy import Policy


def fake_parts(tools: Sequence[Tool], **parts: Any) -> Parts:
    """Fakes for every place that `parts` does not give."""
    base = Deterministic(planner=FakePlanner(), simulator=FakeSimulator(), reranker=FakeReranker())
    catalog = Catalog.from_tools(tools)
    given = {
        "retriever": FakeRetriever(tools),
        "planner": FakePlanner(),
        "executor": FakeExecutor(),
        "simulator": FakeSimulator(),
        "reranker": FakeReranker(),
        "deterministic": base,
        "approvals": Approvals(catalog, Policy()),
        **parts,
    }
    return Parts(catalog=catalog, **given)


async def run(parts: Parts, request: str = "Find me a flight.", **context: Any) -> dict[str, Any]:
    """The final state of one run."""
    given: dict[str, Any] = {"request": request, "context": {}}
    state: dict[str, Any] = await build_graph(parts).ainvoke(given, context=context)
    return state


def selection_of(state: Mapping[str, Any]) -> Selection:
    return Selection.model_validate(state["selection"])
